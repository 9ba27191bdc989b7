//! The search bot: it is deterministic, follows its plan, and is stronger than greedy.

use crate::support::setup;

use bots::search::value::{Value, final_shares};
use bots::{Bot, Budget, Match, Observation, Scores, Search, Side, play_with};
use engine::chance::Chance;
use engine::content::Library;
use records::Record;

const BOARDS: [(&str, usize); 3] = [
    ("antike-east", 4),
    ("antike-ii-orient", 3),
    ("duellum-rome-carthage", 2),
];

fn play(board: &str, bots: &[&str], seed: &str, max_rounds: u32) -> Record {
    let setup = setup::of_bots(board, bots, &[], seed, max_rounds);
    bots::play(
        Library::embedded(),
        &setup,
        "a game",
        "2005-10-13T12:00:00Z",
    )
    .expect("a game")
}

#[test]
fn the_same_seed_and_playouts_give_the_same_game() {
    for (board, seats) in BOARDS {
        let game = |bot: &str, seed: &str| play(board, &vec![bot; seats], seed, 5).actions;
        let first = game("search:6", "one");
        assert_eq!(first, game("search:6", "one"), "{board}");
        assert_ne!(first, game("search:6", "other"), "{board}");
        assert_ne!(first, game("search:24", "one"), "{board}");
    }
}

#[test]
fn a_plan_is_carried_out_without_thinking_again() {
    for (board, seats) in BOARDS {
        let setup = setup::of_bots(board, &vec!["search:3"; seats], &[], "a plan", 8);
        let (game, mut state) = setup.start(Library::embedded()).expect("a setup");
        let mut bots = vec![Search::default(); seats];
        let mut chance = Chance::new("a plan");
        let (mut ready, mut thought) = (0, 0);
        while let Some(question) = game.question(&state) {
            let seen = Observation::new(&game, &state, &mut Chance::new("sight"));
            let bot = &mut bots[usize::from(game.seat_of(question.nation()))];
            let planned = bot.is_ready(&seen);
            let (budget, before) = (Budget::Playouts(3), chance.drawn());
            let action = bot.choose(&seen, budget, &mut chance).expect("a choice");
            // A search draws from the chance.
            assert_eq!(planned, chance.drawn() == before, "{board}");
            ready += u32::from(planned);
            thought += u32::from(!planned);
            game.apply(&mut state, question.nation(), action, &mut Vec::new())
                .expect("a legal action");
        }
        assert!(
            ready > thought,
            "{board}: {ready} planned, {thought} thought"
        );
    }
}

#[test]
fn a_budget_of_time_is_a_budget() {
    let bots = ["search@5ms", "greedy"].map(|bot| bot.parse().expect("a bot"));
    let setup = setup::of_bots(BOARDS[2].0, &["search@5ms", "greedy"], &[], "time", 4);
    let record = play_with(
        Library::embedded(),
        &setup,
        &bots,
        "a game",
        "2005-10-13T12:00:00Z",
    );
    assert!(record.expect("a game").verify(Library::embedded()).is_ok());
}

/// With small budgets on a few boards, to notice mistakes. Matches of many games measure its strength.
#[test]
fn a_little_search_holds_its_own_against_greedy() {
    for (board, others, rounds, least) in [
        ("antike-ii-mare-nostrum", 3, 2, 0.3),
        ("duellum-rome-carthage", 1, 4, 0.5),
        ("duellum-greece-persia", 1, 4, 0.5),
    ] {
        let side = |bot: &str, seats| Side {
            bot: bot.parse().expect("a bot"),
            seats,
        };
        let of = Match {
            setup: setup::of_bots(board, &[], &[], "a little search", 100),
            sides: vec![side("search:25", 1), side("greedy", others)],
        };
        let mut scores = Scores::new(2);
        for fixture in of.fixtures(0..rounds) {
            let record = fixture.play(Library::embedded(), "a game", "2005-10-13T12:00:00Z");
            scores.add(&fixture, &record.expect("a game"));
        }
        let share = scores.sides[0].shares() / scores.games as f64;
        assert!(share >= least, "{share} on {board}");
    }
}

#[test]
fn shares_are_of_seats_and_sum_up_to_one() {
    for (board, bots) in [
        ("antike-east", &["greedy"; 4][..]),
        ("antike-west", &["greedy"; 2]),
        ("antike-ii-orient", &["greedy"; 6]),
        ("duellum-greece-persia", &["greedy"; 2]),
    ] {
        let record = play(board, bots, "shares", 60);
        let mut least = 1.0_f64;
        let (game, last) = record
            .replay(Library::embedded(), |step| {
                let shares = Value::embedded().shares(step.game, step.state);
                assert!(
                    (shares.iter().sum::<f64>() - 1.0).abs() < 1e-9,
                    "{shares:?}"
                );
                assert!(shares[bots.len()..].iter().all(|share| *share == 0.0));
                least = least.min(shares[0]);
            })
            .expect("it replays");
        assert!(
            least < 0.9 / bots.len() as f64,
            "the estimates on {board} are too similar"
        );
        assert_eq!(
            final_shares(&game, &last),
            Some(Value::embedded().shares(&game, &last))
        );
    }
}
