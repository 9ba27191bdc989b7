//! The bots play legally everywhere, the same way each time, and to the end.

use crate::support::{golden, opening, setup};

use std::collections::BTreeMap;
use std::time::Duration;

use bots::{
    BOTS, Bot, BotEntry, Budget, FirstField, Host, LEVELS, Match, Observation, PlayError, Scores,
    Side, Spec, SpecError, Temperament, play_from, play_with, seat_chance,
};
use engine::chance::Chance;
use engine::content::Library;
use engine::forms::{Position, View};
use engine::play::{Action, Effect, Game, Payments};
use engine::setup::{Player, Setup};
use engine::state::State;
use engine::words::{EndReason, Field, Resource};
use records::Record;

/// The boards for two nations.
const DUELLUM: [&str; 2] = ["duellum-rome-carthage", "duellum-greece-persia"];

fn play(setup: &Setup) -> Record {
    bots::play(Library::embedded(), setup, "a game", "2005-10-13T12:00:00Z").expect("a game")
}

/// The host of a game with these bots on its seats.
fn host(game: &Game, state: &State, bots: &[&str]) -> Host {
    let mut host = Host::new(game, state);
    for (seat, bot) in (0..).zip(bots) {
        host.seat(seat, &bot.parse().expect("a bot"));
    }
    host
}

#[test]
fn greedy_games_end_at_the_goal_and_show_all_openings() {
    for board in ["antike-east", "antike-ii-orient", "antike-ii-mare-nostrum"] {
        end_at_the_goal_and_show_all_openings(board, 4, 60);
    }
    for board in DUELLUM {
        end_at_the_goal_and_show_all_openings(board, 2, 80);
    }
}

fn end_at_the_goal_and_show_all_openings(board: &str, seats: usize, max_rounds: u32) {
    const GAMES: u32 = 60;
    let (mut goals, mut openings) = (0, BTreeMap::new());
    for seed in 0..GAMES {
        let bots = vec!["greedy"; seats];
        let setup = setup::of_bots(board, &bots, &[], &seed.to_string(), max_rounds);
        let record = play(&setup);
        goals += u32::from(is_won(&record));
        let (shown, ..) = opening::of_nations(&record).expect("it replays");
        for opening in shown {
            *openings.entry(opening).or_insert(0) += 1;
        }
    }
    assert!(
        goals * 100 >= GAMES * 95,
        "{goals} of {GAMES} on {board} end at the goal"
    );
    for opening in ["growth", "military", "progress"] {
        let count = openings.get(opening).copied().unwrap_or(0);
        assert!(
            count * 5 >= GAMES * seats as u32,
            "{opening} only {count} times on {board}"
        );
    }
}

/// Whether a nation won the game, by the goal or, in Antike II, by the last temple [B32].
fn is_won(record: &Record) -> bool {
    let reason = record.result.as_ref().map(|result| result.reason);
    reason == Some(EndReason::Goal)
        || (reason == Some(EndReason::TempleDestroyed) && record.setup.edition == "antike_ii")
}

#[test]
fn greedy_games_end_at_the_goal_in_every_set_up() {
    let (mut games, mut goals) = (0, 0);
    for (board, seats, variants) in set_ups() {
        for seed in ["one", "other"] {
            let setup = setup::of_bots(board, &vec!["greedy"; seats], &variants, seed, 80);
            games += 1;
            goals += u32::from(is_won(&play(&setup)));
        }
    }
    assert!(
        goals * 10 >= games * 9,
        "{goals} of {games} end at the goal"
    );
}

#[test]
fn a_temperament_opens_as_the_rule_book_has_it() {
    for (bot, opening) in [
        ("greedy_growth", "growth"),
        ("greedy_military", "military"),
        ("greedy_progress", "progress"),
    ] {
        for board in ["antike-east", "antike-west"] {
            let record = play(&setup::of_bots(board, &[bot; 4], &[], "opening", 6));
            let (shown, ..) = opening::of_nations(&record).expect("it replays");
            assert_eq!(shown, [opening; 4], "{bot} on {board}");
        }
        // Only the first nations find a know-how that is cheap and new, so some of the others leave
        // the book.
        for board in ["antike-ii-orient", "antike-ii-mare-nostrum"] {
            let mut kept = 0;
            for seed in 0..10 {
                let record = play(&setup::of_bots(board, &[bot; 4], &[], &seed.to_string(), 6));
                let (shown, ..) = opening::of_nations(&record).expect("it replays");
                kept += shown.iter().filter(|name| **name == opening).count();
            }
            let least = if opening == "progress" { 20 } else { 40 };
            assert!(kept >= least, "{bot} on {board}: {kept} of 40");
        }
        for board in DUELLUM {
            let record = play(&setup::of_bots(board, &[bot; 2], &[], "opening", 6));
            let (shown, ..) = opening::of_nations(&record).expect("it replays");
            assert_eq!(shown, [opening; 2], "{bot} on {board}");
        }
    }
}

#[test]
fn greedy_beats_random() {
    let boards = [
        ("antike-west", 4, 40),
        (DUELLUM[0], 2, 80),
        (DUELLUM[1], 2, 80),
    ];
    for (board, seats, max_rounds) in boards {
        let sides = [("greedy", 1), ("random", seats - 1)];
        let against = Match {
            setup: setup::of_bots(board, &[], &[], "against random", max_rounds),
            sides: sides
                .map(|(name, seats)| Side {
                    bot: name.parse().expect("a bot"),
                    seats,
                })
                .to_vec(),
        };
        let mut scores = Scores::new(2);
        for fixture in against.fixtures(0..1) {
            let record = fixture.play(Library::embedded(), "a game", "2005-10-13T12:00:00Z");
            scores.add(&fixture, &record.expect("a game"));
        }
        assert_eq!(scores.sides[0].seats, seats as u64);
        assert_eq!(scores.sides[0].shares(), seats as f64, "on {board}");
    }
}

#[test]
fn the_bot_of_a_temperament_is_a_bot_itself() {
    for (bot, _) in BOTS.iter().filter_map(|named| named.temperament) {
        assert!(BOTS.iter().any(|named| named.name == bot), "{bot}");
    }
}

#[test]
fn the_same_setup_gives_the_same_game() {
    for bot in BOTS {
        let setup = setup::of_bots("antike-west", &[bot.name; 5], &[], "again", 5);
        assert_eq!(play(&setup), play(&setup), "{}", bot.name);
    }
}

#[test]
fn a_seat_begins_on_the_given_field() {
    for (board, seats) in [
        ("antike-east", 4),
        ("antike-ii-orient", 3),
        ("duellum-greece-persia", 2),
    ] {
        let bots = vec!["greedy".parse::<Spec>().expect("a bot"); seats];
        let setup = setup::of_bots(board, &vec!["greedy"; seats], &[], "first", 3);
        for (seat, field) in (0..seats as u8).cycle().zip(Field::ALL) {
            let first = FirstField {
                seat,
                field: *field,
            };
            let record = play_from(Library::embedded(), &setup, &bots, Some(first), "", "");
            let record = record.expect("a game");
            let (game, mut state) = record.start(Library::embedded()).expect("a game");
            let mut begun = None;
            for text in &record.actions {
                let (nation, action) = game.read(&state, text).expect("an action");
                if let Action::MoveStone { field, .. } = action
                    && game.seat_of(nation) == seat
                {
                    begun = begun.or(Some(field));
                }
                game.apply(&mut state, nation, action, &mut Vec::new())
                    .expect("a legal action");
            }
            assert_eq!(begun, Some(*field), "{board}, seat {seat}");
        }
    }
}

#[test]
fn other_seeds_give_other_games() {
    let game = |seed| {
        let mut setup = setup::of_bots("antike-east", &["greedy_growth"; 4], &[], seed, 12);
        for (seat, nation) in
            setup
                .seats
                .iter_mut()
                .zip(["phoenicians", "persians", "arabs", "greeks"])
        {
            seat.nations = vec![nation.to_owned()];
        }
        play(&setup).actions
    };
    assert_ne!(game("one"), game("other"));
}

/// Every set-up that the edition knows, as board, seats and variants.
fn set_ups() -> Vec<(&'static str, usize, Vec<&'static str>)> {
    let mut all = Vec::new();
    for board in ["antike-east", "antike-west"] {
        for seats in 2..=6 {
            for variants in [
                &[][..],
                &["expert"],
                &["long_game"],
                &["military", "long_game"],
            ] {
                all.push((board, seats, variants.to_vec()));
            }
        }
        all.push((board, 2, vec!["two_player_double"]));
        all.push((board, 2, vec!["two_player_double", "expert"]));
        all.push((board, 3, vec!["three_nation_goal_12"]));
    }
    for board in ["antike-ii-orient", "antike-ii-mare-nostrum"] {
        for seats in 3..=6 {
            all.push((board, seats, vec![]));
            all.push((board, seats, vec!["nine_scholars"]));
            all.push((board, seats, vec!["nine_scholars", "free_city_types"]));
        }
    }
    for board in DUELLUM {
        all.push((board, 2, vec![]));
        all.push((board, 2, vec!["special_units"]));
    }
    all
}

#[test]
fn every_choice_is_a_listed_action_in_every_set_up() {
    let mut actions = Vec::new();
    for (index, (board, seats, variants)) in set_ups().into_iter().enumerate() {
        let bot = setup::quick(&BOTS[index % BOTS.len()]);
        let seed = format!("legal {index}");
        let setup = setup::of_bots(board, &vec![bot.as_str(); seats], &variants, &seed, 14);
        let (game, mut state) = setup.start(Library::embedded()).expect("a setup");
        let mut host = host(&game, &state, &vec![bot.as_str(); seats]);
        let mut decision = 0;
        while let Some(question) = game.question(&state) {
            let action = host.choose(&state, decision).expect("a choice");
            game.legal_actions(&state, Payments::Default, &mut actions);
            assert!(actions.contains(&action), "{setup:?}: {action:?}");
            game.apply(&mut state, question.nation(), action, &mut Vec::new())
                .expect("a listed action is legal");
            decision += 1;
        }
        assert_eq!(host.choose(&state, decision), None);
    }
}

#[test]
fn mixed_is_the_temperament_that_is_drawn() {
    let setup = setup::of_bots("antike-east", &["greedy"; 6], &[], "mixed", 8);
    let mut drawn = BTreeMap::new();
    let mut compare = |step: records::ReplayStep<'_>| {
        let Some(question) = step.game.question(step.state) else {
            return;
        };
        let seat = step.game.seat_of(question.nation());
        let temperament = Temperament::drawn(&mut seat_chance("mixed", seat));
        let has_it = |bot: &&BotEntry| bot.temperament == Some(("greedy", temperament));
        let of_temperament = BOTS.iter().find(has_it).expect("a bot of each").name;
        let choose = |bot: &'static str| {
            let mut host = host(step.game, step.state, &[bot; 6]);
            host.choose(step.state, step.index as u64)
        };
        assert_eq!(choose("greedy"), choose(of_temperament));
        drawn.insert(of_temperament, seat);
    };
    let record = play(&setup);
    record
        .replay(Library::embedded(), &mut compare)
        .expect("it replays");
    assert!(drawn.len() > 1, "all seats have the same temperament");
}

#[test]
fn bots_are_known_by_their_names() {
    for bot in BOTS {
        let spec: Spec = bot.name.parse().expect("a bot");
        let budget = bot.budget.map(|budget| budget.to_string());
        let name = format!("{}{}", bot.name, budget.unwrap_or_default());
        assert_eq!(spec.to_string(), name);
        assert!(!bot.description.is_empty());
    }
    for level in LEVELS {
        let spec: Spec = level.name.parse().expect("a bot");
        assert_eq!(spec.to_string(), format!("{}{}", level.bot, level.budget));
        let error = format!("{}:5", level.name).parse::<Spec>();
        assert_eq!(
            error.expect_err("a budget"),
            SpecError::NoBudget(level.name)
        );
    }
    let error = "genius".parse::<Spec>().expect_err("no such bot");
    let names = BOTS.iter().map(|bot| bot.name);
    for name in names.chain(LEVELS.iter().map(|level| level.name)) {
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn a_name_includes_the_budget_of_bots_that_take_one() {
    let thinker = BotEntry {
        name: "thinker",
        budget: Some(Budget::Playouts(100)),
        ..BOTS[0]
    };
    let read = |text: &str| Spec::among(&[BOTS[0], thinker], text);
    for (text, budget, shown) in [
        ("thinker", Budget::Playouts(100), "thinker:100"),
        ("thinker:800", Budget::Playouts(800), "thinker:800"),
        (
            "thinker@500ms",
            Budget::Time(Duration::from_millis(500)),
            "thinker@500ms",
        ),
    ] {
        let spec = read(text).expect("a bot");
        assert_eq!((spec.named.name, spec.budget), ("thinker", budget));
        assert_eq!(spec.to_string(), shown);
    }
    for text in [
        "thinker:",
        "thinker:0",
        "thinker:-1",
        "thinker:+1",
        "thinker:1.5",
        "thinker:4294967296",
        "thinker@",
        "thinker@500",
        "thinker@0ms",
        "thinker@ms",
        "thinker:8@5ms",
        "thinker: 8",
    ] {
        let error = read(text).expect_err(text);
        assert_eq!(error, SpecError::Budget(text.to_owned()));
    }
    for text in ["random:1", "random@5ms", "random:x", "random:"] {
        let error = read(text).expect_err(text).to_string();
        assert_eq!(error, "random takes no budget: name it without one");
    }
    for text in ["", ":", "deep:800", "Thinker", "think"] {
        let error = read(text).expect_err(text).to_string();
        let message = format!("there is no bot {text:?}; choose one of random, thinker");
        assert_eq!(error, message);
    }
}

#[test]
fn a_bot_that_does_not_play_legally_is_named() {
    struct Passer;
    impl Bot for Passer {
        fn choose(&mut self, _: &Observation, budget: Budget, _: &mut Chance) -> Option<Action> {
            (budget == Budget::Playouts(1)).then_some(Action::Pass)
        }
    }
    let passer = BotEntry {
        name: "passer",
        budget: Some(Budget::Playouts(0)),
        seat: |_| Box::new(Passer),
        ..BOTS[0]
    };
    let setup = setup::of_bots("antike-east", &["random"; 3], &[], "one", 3);
    let play = |text: &str, seats| {
        let bots = vec![Spec::among(&[passer], text).expect("a bot"); seats];
        let played = play_with(Library::embedded(), &setup, &bots, "a game", "now");
        played.expect_err("it does not play")
    };
    assert_eq!(play("passer", 3), PlayError::Nothing("passer:0".to_owned()));
    let refused = play("passer:1", 3).to_string();
    assert!(refused.starts_with("the bot passer:1 chose"), "{refused}");
    assert!(matches!(play("passer", 0), PlayError::Seat(_)));
}

#[test]
fn greedy_plays_from_a_position_of_great_wealth() {
    for (board, seats) in [("antike-east", 4), ("duellum-rome-carthage", 2)] {
        plays_from_a_position_of_great_wealth(board, seats);
    }
}

fn plays_from_a_position_of_great_wealth(board: &str, seats: usize) {
    let setup = setup::of_bots(board, &vec!["greedy"; seats], &[], "wealth", 3);
    let (game, state) = setup.start(Library::embedded()).expect("a setup");
    let mut body = Position::from(View::with_deck(&game, &state));
    for nation in body.nations.values_mut() {
        (nation.marble, nation.iron, nation.gold) = (1_000_000_000, 1_000_000_000, 1_000_000_000);
        nation.know_how = game
            .ruleset
            .data
            .know_how
            .iter()
            .map(|k| k.id.clone())
            .collect();
    }
    let setup = Setup {
        position: Some(Box::new(body)),
        ..setup
    };
    let record = play(&setup);
    assert!(record.verify(Library::embedded()).is_ok());
}

#[test]
fn greedy_uses_what_antike_ii_adds() {
    let (mut free_units, mut left_out, mut trades, mut temples, mut seas) = (0, 0, 0, 0, 0);
    for seed in 0..10 {
        let setup = setup::of_bots(
            "antike-ii-orient",
            &["greedy"; 4],
            &[],
            &seed.to_string(),
            60,
        );
        let record = play(&setup);
        let mut free = false;
        record
            .replay(Library::embedded(), |step| {
                let ends = step.action == Action::EndTurn;
                left_out += u32::from(free && ends);
                free = step.state.turn_state.free_unit;
                if let Action::Arm { free: true, .. } = step.action {
                    free_units += 1;
                }
                for effect in step.effects {
                    match effect {
                        Effect::Traded { .. } => trades += 1,
                        Effect::NeutralTempleTaken { .. } => temples += 1,
                        Effect::Moved { to, .. } => {
                            seas += u32::from(step.game.board.siteless().contains(*to));
                        }
                        _ => {}
                    }
                }
            })
            .expect("it replays");
    }
    assert!(free_units >= 40, "{free_units} free units");
    assert!(left_out * 10 <= free_units, "{left_out} left out");
    assert!(trades >= 50, "{trades} trades");
    assert!(temples >= 8, "{temples} neutral temples");
    assert!(seas >= 40, "{seas} moves to regions without site");
}

#[test]
fn greedy_founds_for_the_scarcest_resource() {
    let setup = setup::of_bots(
        "antike-ii-orient",
        &["greedy"; 5],
        &["free_city_types"],
        "scarce",
        30,
    );
    let record = play(&setup);
    let mut founded = [0; Resource::COUNT];
    record
        .replay(Library::embedded(), |step| {
            if let Action::Found {
                resource: Some(resource),
                ..
            } = step.action
            {
                founded[resource.index()] += 1;
            }
        })
        .expect("it replays");
    assert!(founded.iter().all(|count| *count > 0), "{founded:?}");
}

#[test]
fn greedy_wins_by_the_last_temple() {
    let records = golden::records();
    let mut setup = records["orient_4_temple_destroyed_from_position"]
        .setup
        .clone();
    for seat in &mut setup.seats {
        seat.player = Player::Bot {
            name: "greedy".to_owned(),
        };
    }
    let result = play(&setup);
    assert!(result.actions.len() < 8, "{:?}", result.actions);
    let reason = result.result.map(|result| result.reason);
    assert_eq!(reason, Some(EndReason::TempleDestroyed));
}
