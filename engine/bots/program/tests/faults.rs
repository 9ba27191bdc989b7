//! Tests of `tabularium-bots faults`, on a game in which an earlier version of `search` missed wins, and on the corpus.

use std::path::Path;

use bots::search::win::winning_turn;
use bots::{Bot, Budget, Observation, PlayedGame, PlayedTurn, Search};
use engine::chance::Chance;
use engine::content::Library;
use engine::play::{Action, Game, Payments};
use engine::words::Field;
use programs::read_records;

use super::{done, program};

const MISSED_WINS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/missed_wins.ndjson");

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../analytics/corpus");

/// Returns some turns of the game on a line of a file, with the game.
fn turns(file: &Path, line: usize, turns: &[u32]) -> (Game, Vec<PlayedTurn>) {
    let library = Library::embedded();
    let mut found = None;
    let read = read_records(file, library, |at, record| {
        if at == line {
            let record = record.map_err(anyhow::Error::msg)?;
            let mut played = PlayedGame::read(&record, library)?;
            played.turns.retain(|turn| turns.contains(&turn.turn));
            found = Some((played.game, played.turns));
        }
        Ok(())
    });
    read.unwrap();
    found.unwrap()
}

/// Lets `search` play a turn in which each other nation gives the answer whose number `answer` returns, for the number
/// of answers so far and that of possible answers. Returns whether its nation wins.
fn wins(game: &Game, turn: &PlayedTurn, answer: impl Fn(usize, usize) -> usize) -> bool {
    let (mut bot, mut chance) = (Search::default(), Chance::new("a win"));
    let (mut state, mut answered) = (turn.state.clone(), 0);
    while let Some(question) = game.question(&state)
        && state.to_move == turn.nation
    {
        let asked = question.nation();
        let action = if asked == turn.nation {
            let seen = Observation::new(game, &state, &mut Chance::new("sight"));
            bot.choose(&seen, Budget::Playouts(1), &mut chance).unwrap()
        } else {
            let mut answers = Vec::new();
            game.legal_actions(&state, Payments::Default, &mut answers);
            answered += 1;
            answers[answer(answered - 1, answers.len())]
        };
        game.apply(&mut state, asked, action, &mut Vec::new())
            .unwrap();
    }
    let seat = usize::from(game.seat_of(turn.nation));
    state
        .outcome
        .is_some_and(|outcome| outcome.ranks[seat] == 1)
}

/// Two positions in which an earlier bot missed a win by arming.
#[test]
fn romans_in_antike_west_win_by_arming_in_turns_123_and_127() {
    let (game, turns) = turns(Path::new(MISSED_WINS), 1, &[123, 127]);
    assert_eq!(turns.len(), 2);
    for turn in turns {
        assert_eq!(game.nation_name(turn.nation), "romans");
        let steps = winning_turn(&game, &turn.state).unwrap();
        let arms = |(_, action): &(_, Action)| {
            matches!(
                action,
                Action::MoveStone {
                    field: Field::Arming,
                    ..
                }
            )
        };
        assert!(steps.iter().any(arms), "turn {}: {steps:?}", turn.turn);
        assert!(wins(&game, &turn, |_, _| 0), "turn {}", turn.turn);
    }
}

/// A position of the corpus in which the bot had found a win and lost it, because it searched again after an answer.
#[test]
fn a_win_is_carried_out_whatever_others_answer() {
    let file = Path::new(CORPUS).join("antike-east-4-1-of-16.ndjson.gz");
    let (game, turns) = turns(&file, 11, &[122]);
    let [turn] = &turns[..] else {
        panic!("one turn");
    };
    assert!(winning_turn(&game, &turn.state).is_some());
    for seed in 0..64_usize {
        // Each of the first six answers is the first or the last one.
        let answer = |number: usize, count: usize| (seed >> number.min(5) & 1) * (count - 1);
        assert!(wins(&game, turn, answer), "answers {seed:b}");
    }
}

#[test]
fn faults_are_counted_by_file() {
    let folder = tempfile::tempdir().unwrap();
    let output = program(folder.path(), &["faults", "--list", MISSED_WINS]);
    assert_eq!(done(&output), "");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains(":1: missed wins in turns [119, 123, 127]\n"),
        "{text}"
    );
    let all = text.lines().last().unwrap();
    let numbers: Vec<&str> = all.split_whitespace().collect();
    assert_eq!(numbers, ["1", "131", "4", "3", "0", "37", "all"], "{text}");
}

#[test]
fn no_win_was_missed_in_the_corpus() {
    let tables = [
        "antike-west-4",
        "antike-ii-orient-3",
        "duellum-greece-persia-2",
    ];
    let files = tables.map(|table| format!("{table}-1-of-16.ndjson.gz"));
    let files = files.each_ref().map(String::as_str);
    let output = program(Path::new(CORPUS), &[&["faults"], &files[..]].concat());
    assert_eq!(done(&output), "");
    let text = String::from_utf8(output.stdout).unwrap();
    let all = text.lines().last().unwrap();
    let numbers: Vec<&str> = all.split_whitespace().collect();
    let [games, _, one_short, missed, ..] = numbers[..] else {
        panic!("{text}");
    };
    assert_eq!((games, missed), ("96", "0"), "{text}");
    assert!(one_short.parse::<u32>().unwrap() > 100, "{text}");
}
