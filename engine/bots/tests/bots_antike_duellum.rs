//! The bots at Antike Duellum: they use all that it adds.

use crate::support::setup;

use std::collections::BTreeMap;

use engine::content::Library;
use engine::play::Effect;
use engine::setup::Setup;
use engine::words::Personage;
use records::Record;

const BOARDS: [&str; 2] = ["duellum-rome-carthage", "duellum-greece-persia"];

fn play(setup: &Setup) -> Record {
    bots::play(Library::embedded(), setup, "a game", "2005-10-13T12:00:00Z").expect("a game")
}

/// What happened in games, and how often.
type Counts = BTreeMap<String, u32>;

fn count(record: &Record, counts: &mut Counts) {
    let mut add = |name: &str, more: u32| *counts.entry(name.to_owned()).or_default() += more;
    let (game, last) = record
        .replay(Library::embedded(), |step| {
            for effect in step.effects {
                match effect {
                    Effect::WallBuilt { .. } => add("wall", 1),
                    Effect::Recruited { count, .. } => add("recruited", u32::from(*count)),
                    Effect::Armed { unit, .. } if unit.special().is_some() => add("special", 1),
                    Effect::BattleFought { .. } => add("battle", 1),
                    Effect::Conquered { .. } => add("conquest", 1),
                    Effect::CitySaved { .. } => add("saved", 1),
                    Effect::Traded { .. } => add("trade", 1),
                    Effect::CardTaken { .. } => add("card", 1),
                    Effect::CardPlayed { card, .. } => {
                        add(step.game.ruleset.card_name(*card), 1);
                    }
                    _ => {}
                }
            }
        })
        .expect("it replays");
    for nation in game.all_nations() {
        for (kind, won) in Personage::ALL.iter().zip(last.nation(nation).personages) {
            add(&kind.to_string(), u32::from(won));
        }
    }
}

#[test]
fn greedy_uses_what_antike_duellum_adds() {
    for board in BOARDS {
        let mut counts = Counts::new();
        for seed in 0..20 {
            let variants: &[&str] = if seed % 2 == 0 {
                &[]
            } else {
                &["special_units"]
            };
            let seed = seed.to_string();
            count(
                &play(&setup::of_bots(board, &["greedy"; 2], variants, &seed, 80)),
                &mut counts,
            );
        }
        let least = [
            ("wall", 100),
            ("recruited", 200),
            ("special", 8),
            ("battle", 1),
            ("conquest", 15),
            ("saved", 2),
            ("trade", 60),
            ("card", 200),
            ("king", 60),
            ("scholar", 80),
            ("citizen", 40),
            ("general", 10),
            ("navigator", 20),
        ];
        let cards = Library::embedded()
            .board(board)
            .and_then(|board| Library::embedded().ruleset(&board.data.edition))
            .and_then(|ruleset| ruleset.data.cards.as_ref())
            .expect("an edition with cards");
        let cards = cards.deck.iter().map(|card| (card.id.as_str(), 4));
        for (name, least) in least.into_iter().chain(cards) {
            let found = counts.get(name).copied().unwrap_or(0);
            assert!(found >= least, "{name} only {found} times on {board}");
        }
    }
}

#[test]
fn greedy_games_are_balanced_on_both_boards() {
    const GAMES: u32 = 100;
    for board in BOARDS {
        let mut won: BTreeMap<String, f64> = BTreeMap::new();
        for seed in 0..GAMES {
            let setup = setup::of_bots(board, &["greedy"; 2], &[], &seed.to_string(), 80);
            let record = play(&setup);
            for body in record.result.expect("an end").ranks {
                let nations = &record.setup.seats[usize::from(body.seat)].nations;
                *won.entry(nations.join(" ")).or_default() += body.share;
            }
        }
        // Measured over a thousand games neither wins more than 65 %; a hundred leave 10 % to chance.
        assert!(
            won.values().all(|won| *won <= f64::from(GAMES) * 0.75),
            "on {board}: {won:?}"
        );
    }
}

#[test]
fn random_games_go_on_without_an_error() {
    for board in BOARDS {
        for variants in [&[][..], &["special_units"]] {
            for seed in ["one", "other"] {
                let record = play(&setup::of_bots(board, &["random"; 2], variants, seed, 30));
                assert!(record.result.is_some(), "{board} {variants:?} {seed}");
            }
        }
    }
}
