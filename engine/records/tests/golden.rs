//! The golden records: whole games that must always replay in the same way.
//!
//! Write them with `cargo run --release -p bots --example golden_records`.

use std::collections::BTreeSet;

use crate::support::golden;
use engine::content::Library;
use engine::forms::{Position, View};
use engine::play::{Action, Effect, Game, Payments};
use engine::setup::Setup;
use engine::state::State;
use engine::words::EndReason;
use records::{Record, ReplayStep};

/// Every kind of action on the wire.
const ACTION_TYPES: &[&str] = &[
    "answer_battle",
    "arm",
    "battle",
    "build_temple",
    "build_wall",
    "choose_chip",
    "choose_city",
    "choose_personage",
    "conquer",
    "develop",
    "end_turn",
    "found",
    "march",
    "move_stone",
    "pass",
    "play_card",
    "recruit",
    "resign",
    "take_card",
    "trade",
];

fn names<'a>(items: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    items.into_iter().map(str::to_owned).collect()
}

#[test]
fn every_record_replays_to_its_recorded_end() {
    for (name, record) in golden::records() {
        assert_eq!(record.id, name);
        if let Err(error) = record.verify(Library::embedded()) {
            panic!("{name}: {error}");
        }
    }
}

#[test]
fn every_record_keeps_its_content_as_text_and_as_json() {
    for (name, record) in golden::records() {
        let text = record.to_text(Library::embedded()).expect("it replays");
        assert_eq!(Record::from_text(&text).as_ref(), Ok(&record), "{name}");
        let json = serde_json::to_string(&record).expect("it has a JSON form");
        let back: Record = serde_json::from_str(&json).expect("its JSON form is one");
        assert_eq!(back, record, "{name}");
    }
}

#[test]
fn a_record_with_an_action_left_out_does_not_replay() {
    for (name, mut record) in golden::records() {
        let live = |text: &String| !text.starts_with('-');
        let last = record.actions.iter().rposition(live);
        record.actions.remove(last.expect("an action"));
        assert!(record.verify(Library::embedded()).is_err(), "{name}");
    }
}

#[test]
fn every_tenth_position_goes_on_from_its_view() {
    for (name, record) in golden::records() {
        let mut checked = 0;
        record
            .replay(Library::embedded(), |step| {
                if step.index % 10 == 0 && step.state.outcome.is_none() {
                    let place = format!("{name} {}", step.index);
                    goes_on_from_view(&place, &record.setup, step.game, step.state);
                    checked += 1;
                }
            })
            .expect("it replays");
        assert!(
            checked * 12 >= record.actions.len(),
            "{name}: {checked} of {}",
            record.actions.len()
        );
    }
}

fn goes_on_from_view(place: &str, setup: &Setup, game: &Game, state: &State) {
    let view = View::with_deck(game, state);
    let json = serde_json::to_string(&view).expect("it has a JSON form");
    let position: Position = serde_json::from_str(&json).expect("its JSON form is one");
    let setup = Setup {
        position: Some(Box::new(position)),
        ..setup.clone()
    };
    let (restarted, started) = match setup.start(Library::embedded()) {
        Ok(started) => started,
        Err(error) => panic!("{place}: {}: {error}", error.first().field),
    };
    assert_eq!(started, *state, "{place}");
    assert_eq!(started.digest(), state.digest(), "{place}");
    assert_eq!(
        restarted.question(&started),
        game.question(state),
        "{place}"
    );
    let legal = |game: &Game, state: &State| {
        let mut actions = Vec::new();
        game.legal_actions(state, Payments::Default, &mut actions);
        actions
    };
    assert_eq!(legal(&restarted, &started), legal(game, state), "{place}");
}

#[test]
fn the_corpus_has_every_way_to_end_a_game() {
    let records = golden::records();
    let reasons: BTreeSet<EndReason> = records
        .values()
        .filter_map(|record| Some(record.result.as_ref()?.reason))
        .collect();
    assert_eq!(reasons, EndReason::ALL.iter().copied().collect());
    let goes_on = records.values().any(|record| record.result.is_none());
    assert!(goes_on, "no record is of a game that goes on");
}

#[test]
fn a_record_named_for_its_end_has_that_end() {
    for (name, record) in golden::records() {
        for reason in [
            EndReason::Goal,
            EndReason::RoundLimit,
            EndReason::TempleDestroyed,
            EndReason::Agreement,
            EndReason::Adjudication,
        ] {
            if name.contains(&reason.to_string()) {
                let ended = record.result.as_ref().map(|result| result.reason);
                assert_eq!(ended, Some(reason), "{name}");
            }
        }
    }
}

#[test]
fn the_corpus_has_every_set_up() {
    let records = golden::records();
    assert!(records.len() >= 30, "only {} records", records.len());
    let setups = || records.values().map(|record| &record.setup);
    let library = Library::embedded();
    let boards = library.boards().map(|board| board.data.id.as_str());
    assert_eq!(
        names(setups().map(|setup| setup.board.as_str())),
        names(boards)
    );
    let variants = library.rulesets().flat_map(|r| r.data.variants.keys());
    let played = setups().flat_map(|setup| &setup.variants);
    assert_eq!(
        names(played.map(String::as_str)),
        names(variants.map(String::as_str))
    );
    let seats: BTreeSet<usize> = setups().map(|setup| setup.seats.len()).collect();
    assert_eq!(seats, (2..=6).collect());
    assert!(setups().any(|setup| setup.position.is_some()));
}

#[test]
fn the_corpus_has_every_edition_and_number_of_nations_on_every_board() {
    let records = golden::records();
    let setups = records.values().map(|record| &record.setup);
    let played: BTreeSet<_> = setups
        .map(|setup| {
            let nations = setup.seats.iter().map(|seat| seat.nations.len()).sum();
            (setup.edition.as_str(), setup.board.as_str(), nations)
        })
        .collect();
    let boards = Library::embedded().boards().map(|board| &board.data);
    let known = boards.flat_map(|board| {
        let place = (board.edition.as_str(), board.id.as_str());
        board
            .starts
            .keys()
            .map(move |count| (place.0, place.1, usize::from(*count)))
    });
    let missing: Vec<_> = known.filter(|game| !played.contains(game)).collect();
    assert!(missing.is_empty(), "no records of {missing:?}");
}

/// The feature of an action that only Antike II has.
fn novelties(step: &ReplayStep<'_>) -> Vec<String> {
    let mut shown = Vec::new();
    match step.action {
        Action::Arm { free: true, .. } => shown.push("a free unit".to_owned()),
        Action::Found {
            resource: Some(_), ..
        } => shown.push("a city whose resource is chosen".to_owned()),
        _ => {}
    }
    for effect in step.effects {
        shown.push(match effect {
            Effect::NeutralTempleTaken { .. } => "a neutral temple taken".to_owned(),
            Effect::BellonaPassed { .. } => "the card passed on".to_owned(),
            Effect::ChipTaken { .. } => "a chip for lack of coins".to_owned(),
            Effect::Conquered { .. } => "a conquest".to_owned(),
            Effect::Traded { give, take, .. } => {
                format!("a trade of {} for {}", give.total(), take.total())
            }
            Effect::PersonageWon { extra: true, .. } => "the ninth scholar".to_owned(),
            Effect::GameEnded {
                reason: EndReason::TempleDestroyed,
            } => "a win by the last temple".to_owned(),
            _ => continue,
        });
    }
    shown
}

#[test]
fn the_corpus_has_what_antike_ii_adds() {
    let mut shown = BTreeSet::new();
    for record in golden::records().values() {
        if record.setup.edition == "antike_ii" {
            record
                .replay(Library::embedded(), |step| shown.extend(novelties(&step)))
                .expect("it replays");
        }
    }
    assert_eq!(
        shown,
        names([
            "a chip for lack of coins",
            "a city whose resource is chosen",
            "a conquest",
            "a free unit",
            "a neutral temple taken",
            "a trade of 2 for 1",
            "a trade of 3 for 2",
            "a win by the last temple",
            "the card passed on",
            "the ninth scholar",
        ])
    );
}

/// The feature of an action that only Antike Duellum has.
fn novelties_of_antike_duellum(step: &ReplayStep<'_>) -> Vec<String> {
    let mut shown = Vec::new();
    let (rules, effects) = (&step.game.rules, step.effects);
    let paid = effects.iter().find_map(|effect| match effect {
        Effect::Paid { pay, .. } => Some(pay.total()),
        _ => None,
    });
    match (step.action, paid) {
        (Action::BuildTemple { .. }, Some(paid)) if paid < rules.data.prices.temple.total() => {
            shown.push("a cheaper temple".to_owned());
        }
        (Action::BuildTemple { .. }, Some(paid)) if paid > rules.data.prices.temple.total() => {
            shown.push("a temple with neighbours".to_owned());
        }
        (Action::Found { .. }, Some(paid)) if paid > rules.data.prices.city.total() => {
            shown.push("a city with neighbours".to_owned());
        }
        (Action::Pass, _) => shown.push("a conquest not answered".to_owned()),
        _ => {}
    }
    let by = step.action.type_name();
    for effect in effects {
        shown.push(match effect {
            Effect::WallReceived { .. } => "a wall from the track".to_owned(),
            Effect::WallDestroyed { .. } => format!("a wall destroyed by {by}"),
            Effect::BattleFought { .. } => format!("a battle by {by}"),
            Effect::Armed { unit, .. } if unit.special().is_some() => format!("{unit} set up"),
            Effect::Moved { unit, .. } if unit.special().is_some() => format!("{unit} moved"),
            Effect::SpecialUnitFell { unit, .. } => format!("{unit} fell"),
            Effect::CitySaved { .. } => "a city saved".to_owned(),
            Effect::Conquered { .. } if by == "play_card" => {
                "a conquest that a card makes dearer".to_owned()
            }
            Effect::CardPlayed { card, .. } => {
                format!("{} played", step.game.ruleset.card_name(*card))
            }
            Effect::DeckShuffled { .. } => "a new deck".to_owned(),
            Effect::ChipTaken { .. } => "a chip for lack of coins".to_owned(),
            Effect::Traded { give, take, .. } => {
                format!("a trade of {} for {}", give.total(), take.total())
            }
            Effect::GameEnded { reason } => format!("ended by {reason}"),
            _ => continue,
        });
    }
    shown
}

#[test]
fn the_corpus_has_what_antike_duellum_adds() {
    let mut shown = BTreeSet::new();
    let (mut new_decks, mut special_units) = (0, BTreeSet::new());
    for (name, record) in golden::records() {
        if record.setup.edition != "antike_duellum" {
            continue;
        }
        let (game, last) = record
            .replay(Library::embedded(), |step| {
                shown.extend(novelties_of_antike_duellum(&step));
            })
            .expect("it replays");
        special_units.insert((
            record.setup.board.clone(),
            game.rules.special_units.is_some(),
        ));
        let position = record.setup.position.as_ref();
        let has_order = position.is_some_and(|body| {
            let cards = body.cards.as_ref();
            cards.is_some_and(|cards| cards.order.is_some())
        });
        let finished = record.result.is_some();
        assert_eq!(
            record.setup.deck.is_some(),
            finished && !has_order,
            "{name}"
        );
        if finished {
            let reshuffles = record.setup.reshuffles.len();
            assert_eq!(reshuffles, usize::from(last.cards.reshuffles), "{name}");
            new_decks += reshuffles;
        }
    }
    assert_eq!(special_units.len(), 4, "{special_units:?}");
    assert!(new_decks >= 3, "only {new_decks} new decks");
    let cards = Library::embedded()
        .ruleset("antike_duellum")
        .and_then(|ruleset| ruleset.data.cards.as_ref())
        .expect("an edition with cards");
    let played = cards.deck.iter().map(|card| format!("{} played", card.id));
    let mut expected = names([
        "a battle by arm",
        "a battle by march",
        "a cheaper temple",
        "a chip for lack of coins",
        "a city saved",
        "a city with neighbours",
        "a conquest not answered",
        "a conquest that a card makes dearer",
        "a new deck",
        "a temple with neighbours",
        "a trade of 3 for 2",
        "a wall destroyed by conquer",
        "a wall destroyed by pass",
        "a wall destroyed by play_card",
        "a wall from the track",
        "admiral fell",
        "admiral moved",
        "admiral set up",
        "commander fell",
        "commander moved",
        "commander set up",
        "ended by goal",
        "ended by resignation",
        "ended by round_limit",
    ]);
    expected.extend(played);
    assert_eq!(shown, expected);
}

#[test]
fn the_corpus_has_every_action() {
    let mut types = BTreeSet::new();
    let (mut named, mut undone, mut giving_up) = (BTreeSet::new(), 0, 0);
    for record in golden::records().values() {
        undone += record.actions.iter().filter(|a| a.starts_with('-')).count();
        record
            .replay(Library::embedded(), |step| {
                types.insert(step.action.type_name().to_owned());
                if record.actions[step.index].contains(": ") {
                    named.insert(step.action.type_name());
                }
                if let Action::Conquer { give_up, .. } = step.action {
                    giving_up += usize::from(give_up.is_some());
                }
            })
            .expect("it replays");
    }
    assert_eq!(types, names(ACTION_TYPES.iter().copied()));
    let out_of_turn = BTreeSet::from([
        "answer_battle",
        "choose_chip",
        "pass",
        "play_card",
        "resign",
        "take_card",
    ]);
    assert_eq!(named, out_of_turn, "acts out of turn");
    assert!(undone > 2, "only {undone} actions are undone");
    assert!(giving_up > 1, "only {giving_up} conquests give up a city");
}
