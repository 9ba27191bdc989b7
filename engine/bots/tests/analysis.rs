//! Analyses of positions and games by the search bot.

use crate::support::setup;

use bots::{
    Analysis, Assessment, Budget, Candidate, Observation, PlayedGame, TurnReasonKind, reasons,
};
use engine::chance::Chance;
use engine::content::Library;
use engine::play::{Action, Game};
use engine::setup::Setup;
use engine::state::State;
use records::Record;

const BOARDS: [(&str, usize); 3] = [
    ("antike-east", 4),
    ("antike-ii-orient", 3),
    ("duellum-rome-carthage", 2),
];

fn record(board: &str, bots: &[&str], max_rounds: u32) -> (Setup, Record) {
    let setup = setup::of_bots(board, bots, &[], "analysis", max_rounds);
    let record = bots::play(
        Library::embedded(),
        &setup,
        "a game",
        "2005-10-13T12:00:00Z",
    );
    (setup, record.expect("a game"))
}

/// Positions of a game of greedy bots, one of every `every`.
fn positions(board: &str, seats: usize, every: usize) -> (Setup, Game, Vec<State>) {
    let (setup, record) = record(board, &vec!["greedy"; seats], 14);
    let mut positions = Vec::new();
    let replayed = record.replay(Library::embedded(), |step| {
        if step.index % every == every - 1 && step.game.question(step.state).is_some() {
            positions.push(step.state.clone());
        }
    });
    let (game, _) = replayed.expect("it replays");
    assert!(positions.len() > 1, "{} positions", positions.len());
    (setup, game, positions)
}

fn seen(game: &Game, state: &State) -> Observation {
    Observation::new(game, state, &mut Chance::new("sight"))
}

fn assess(game: &Game, state: &State, seed: &str, portions: &[u32]) -> Assessment {
    let seen = seen(game, state);
    let mut analysis = Analysis::new(&seen, seed).expect("the game goes on");
    for portion in portions {
        analysis.think(Budget::Playouts(*portion));
    }
    analysis.assess(usize::MAX)
}

#[test]
fn shares_sum_up_to_one_and_the_best_is_tried_most() {
    for (board, seats) in BOARDS {
        let (_, game, positions) = positions(board, seats, 37);
        for state in &positions {
            let assessment = assess(&game, state, "a seed", &[25]);
            assert_eq!(
                Some(assessment.nation),
                seen(&game, state).nation(),
                "{board}"
            );
            let visits: u32 = assessment.candidates.iter().map(|one| one.visits).sum();
            assert_eq!((assessment.playouts, visits), (25, 25), "{board}");
            let best = assessment.candidates[0].visits;
            assert!(assessment.candidates.iter().all(|one| one.visits <= best));
            for candidate in &assessment.candidates {
                assert_eq!(candidate.shares.len(), seats);
                let sum: f64 = candidate.shares.iter().map(|one| one.share).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{candidate:?}");
                for one in &candidate.shares {
                    assert!(0.0 <= one.low && one.high <= 1.0, "{one:?}");
                    assert!(one.low <= one.share && one.share <= one.high, "{one:?}");
                }
            }
            assert_eq!(
                seen(&game, state).nation(),
                Some(assessment.candidates[0].line[0].nation)
            );
        }
    }
}

#[test]
fn lines_can_be_played_in_the_true_game_up_to_the_first_card_that_is_drawn() {
    let (mut turns, mut moves) = (0, 0);
    for (board, seats) in BOARDS {
        let (_, game, positions) = positions(board, seats, 23);
        for state in &positions {
            for candidate in assess(&game, state, "a seed", &[12]).candidates {
                let mut state = state.clone();
                assert!((1..=candidate.line.len()).contains(&candidate.own));
                for one in &candidate.line {
                    let read = game.read(&state, &one.notation);
                    assert_eq!(read.ok(), Some((one.nation, one.action)), "{one:?}");
                    game.apply(&mut state, one.nation, one.action, &mut Vec::new())
                        .unwrap_or_else(|error| panic!("{board}: {one:?}: {error}"));
                    turns += u32::from(one.action == Action::EndTurn);
                    moves += 1;
                }
            }
        }
    }
    assert!(turns > 50 && moves > 200, "{turns} turns, {moves} moves");
}

#[test]
fn the_same_seed_and_playouts_give_the_same_analysis_in_any_portions() {
    let mut others = 0;
    for (board, seats) in BOARDS {
        let (_, game, positions) = positions(board, seats, 31);
        for state in positions.iter().take(3) {
            let assessment = assess(&game, state, "a seed", &[20]);
            assert_eq!(
                assessment,
                assess(&game, state, "a seed", &[1, 4, 15]),
                "{board}"
            );
            others += u32::from(assessment != assess(&game, state, "another", &[20]));
        }
    }
    // A seed changes nothing if the only action is to end the turn.
    assert!(others > 0, "every seed gives the same");
}

#[test]
fn it_grows_and_its_intervals_become_narrower() {
    let (_, game, positions) = positions("antike-east", 4, 53);
    let own = |candidate: &Candidate| {
        let line = candidate.line[..candidate.own].iter();
        line.map(|one| one.notation.clone()).collect::<Vec<_>>()
    };
    let width = |assessment: &Assessment| {
        let best = assessment.candidates[0].shares.iter();
        best.map(|one| one.high - one.low).sum::<f64>()
    };
    let (mut first, mut last) = (0.0, 0.0);
    for state in &positions {
        let seen = seen(&game, state);
        let mut analysis = Analysis::new(&seen, "a seed").expect("the game goes on");
        assert_eq!(analysis.assess(9).candidates, []);
        let mut before = analysis.assess(usize::MAX);
        for portion in 1..=3 {
            analysis.think(Budget::Playouts(15));
            let now = analysis.assess(usize::MAX);
            assert_eq!(now.playouts, 15 * portion);
            for candidate in &before.candidates {
                let same = now.candidates.iter().find(|one| own(one) == own(candidate));
                assert!(same.is_some_and(|one| one.visits >= candidate.visits));
            }
            if portion == 1 {
                first += width(&now);
            }
            before = now;
        }
        last += width(&before);
        before.candidates.truncate(2);
        assert_eq!(analysis.assess(2).candidates, before.candidates);
    }
    assert!(last < first, "{first} to {last}");
}

#[test]
fn d40_the_order_of_the_deck_and_the_seed_change_nothing() {
    let (setup, game, positions) = positions("duellum-rome-carthage", 2, 17);
    let mut others = 0;
    for state in &positions {
        let assessment = assess(&game, state, "a seed", &[10]);
        for turned in 1..3 {
            let (mut game, other) = setup::with_order(&setup, &game, state, turned);
            others += u32::from(other.cards.deck != state.cards.deck);
            game.seed = "another seed".to_owned();
            assert_eq!(assess(&game, &other, "a seed", &[10]), assessment);
        }
    }
    assert!(others > 5, "{others} other orders");
}

#[test]
fn a_game_that_is_over_is_not_analysed() {
    let (_, record) = record("duellum-rome-carthage", &["greedy", "random"], 2);
    let replayed = record.replay(Library::embedded(), |_| {});
    let (game, last) = replayed.expect("it replays");
    assert!(Analysis::new(&seen(&game, &last), "a seed").is_none());
}

#[test]
fn random_play_loses_more_win_probability_than_greedy_play() {
    let (_, record) = record("duellum-rome-carthage", &["greedy", "random"], 9);
    let played = PlayedGame::read(&record, Library::embedded()).expect("it replays");
    let (mut lost, mut turns) = ([0.0; 2], [0.0; 2]);
    for turn in &played.turns {
        let judge = || turn.judge(&played.game, Budget::Playouts(12), "a seed");
        let judged = judge().expect("the game goes on");
        let sum = |estimates: &[bots::Estimate]| -> f64 {
            estimates.iter().map(|estimate| estimate.share).sum()
        };
        assert!((sum(&judged.before) - 1.0).abs() < 1e-9);
        assert!((sum(&judged.after) - 1.0).abs() < 1e-9);
        let seat = usize::from(played.game.seat_of(turn.nation));
        let fall = judged.before[seat].share - judged.after[seat].share;
        assert!((fall - judged.lost).abs() < 1e-9 && judged.lost >= 0.0);
        assert_eq!(judged.better.is_some(), judged.lost > 0.0);
        assert!((12..=28).contains(&judged.playouts), "{}", judged.playouts);
        lost[seat] += judged.lost;
        turns[seat] += 1.0;
    }
    let turn = &played.turns[3];
    let judge = || turn.judge(&played.game, Budget::Playouts(12), "a seed");
    assert_eq!(judge(), judge());
    let [greedy, random] = [0, 1].map(|seat| lost[seat] / turns[seat]);
    assert!(random > greedy, "random {random}, greedy {greedy}");
}

/// Turns are complete, in order, and have the recorded actions.
#[test]
fn turns_of_the_golden_games_match_their_records() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/records");
    let library = Library::embedded();
    let (mut records, mut all_turns, mut won) = (0, 0, 0);
    for name in [
        "east_4_undone.txt",
        "east_4_resignation_in_set_up.txt",
        "east_3_resignation.json",
        "greece_persia_2_goes_on.txt",
        "greece_persia_2_undone_cards.txt",
        "mare_nostrum_5_both_variants.txt",
    ] {
        let text = std::fs::read_to_string(format!("{folder}/{name}")).expect(name);
        let record = match name.ends_with(".txt") {
            true => Record::from_text_with_turns(&text, library).expect(name),
            false => serde_json::from_str(&text).expect(name),
        };
        let played = PlayedGame::read(&record, library).expect(name);
        assert!(!played.turns.is_empty(), "{name}");
        let mut before = 0;
        for turn in &played.turns {
            assert!(turn.turn > before, "{name}: {} after {before}", turn.turn);
            before = turn.turn;
            let mut state = turn.state.clone();
            assert_eq!(state.to_move, turn.nation, "{name}");
            for (step, notation) in turn.steps.iter().zip(&turn.notation) {
                let (nation, action) = *step;
                assert!(record.actions.contains(notation), "{name}");
                assert_eq!(
                    played.game.read(&state, notation).ok(),
                    Some((nation, action))
                );
                played
                    .game
                    .apply(&mut state, nation, action, &mut Vec::new())
                    .expect("it replays");
            }
            let ended = state.turn > turn.turn || played.game.question(&state).is_none();
            assert!(ended, "{name}: turn {} goes on", turn.turn);
            for (nation, _, points) in &turn.won {
                assert!(*points > played.game.points(&turn.state, *nation), "{name}");
                assert!(*points <= played.game.points(&state, *nation), "{name}");
                won += 1;
            }
            all_turns += 1;
        }
        records += 1;
    }
    assert!(records == 6 && all_turns > 100, "{all_turns} turns");
    assert!(won > 20, "{won} personages");
}

/// Personages are won at the end of a turn [A30] and are the points [A32].
#[test]
fn reasons_are_what_a_turn_achieves() {
    let (_, record) = record("antike-west", &["greedy"; 4], 60);
    let played = PlayedGame::read(&record, Library::embedded()).expect("it replays");
    let game = &played.game;
    let mut end = None;
    let replayed = record.replay(Library::embedded(), |step| end = Some(step.state.clone()));
    replayed.expect("it replays");
    let ends = played.turns[1..].iter().map(|turn| turn.state.clone());
    let mut kinds: Vec<TurnReasonKind> = Vec::new();
    for (turn, after) in played.turns.iter().zip(ends.chain(end)) {
        let nation = turn.state.to_move;
        let found = reasons(game, nation, &turn.state, &after);
        let personages = found
            .iter()
            .filter(|one| one.kind == TurnReasonKind::Personage);
        let [had, has] = [&turn.state, &after].map(|state| game.points(state, nation));
        assert_eq!(
            personages.map(|one| one.count).sum::<u32>(),
            has - had,
            "{found:?}"
        );
        let won = found.iter().any(|one| one.kind == TurnReasonKind::Win);
        assert_eq!(
            won,
            after.outcome.is_some() && has >= u32::from(game.rules.goal)
        );
        kinds.extend(found.iter().map(|one| one.kind));
    }
    let common = [
        TurnReasonKind::Win,
        TurnReasonKind::KnowHow,
        TurnReasonKind::Foundation,
        TurnReasonKind::Temple,
        TurnReasonKind::Sites,
        TurnReasonKind::Units,
        TurnReasonKind::Production,
        TurnReasonKind::Chips,
    ];
    for kind in common {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
}
