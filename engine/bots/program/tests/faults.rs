//! Tests of `tabularium-bots faults`, on a game in which an earlier version of `search` missed wins, and on the corpus.

use std::path::Path;

use bots::search::win::winning_turn;
use bots::{Bot, Budget, Observation, PlayedGame, Search};
use engine::chance::Chance;
use engine::content::Library;
use engine::play::Action;
use engine::words::Field;
use programs::read_records;

use super::{done, program};

const MISSED_WINS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/missed_wins.ndjson");

/// Two positions in which the bot missed a win by arming.
#[test]
fn romans_in_antike_west_win_by_arming_in_turns_123_and_127() {
    let library = Library::embedded();
    let mut turns = Vec::new();
    let read = read_records(Path::new(MISSED_WINS), library, |_, record| {
        let record = record.map_err(anyhow::Error::msg)?;
        let played = PlayedGame::read(&record, library)?;
        let game = played.game.clone();
        let named = played
            .turns
            .into_iter()
            .filter(|turn| [123, 127].contains(&turn.turn));
        turns.extend(named.map(|turn| (game.clone(), turn)));
        Ok(())
    });
    read.unwrap();
    assert_eq!(turns.len(), 2);
    for (game, turn) in turns {
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
        let mut state = turn.state.clone();
        let (mut bot, mut chance) = (Search::default(), Chance::new("arming"));
        while state.outcome.is_none() && state.to_move == turn.nation {
            let seen = Observation::new(&game, &state, &mut Chance::new("sight"));
            let action = bot.choose(&seen, Budget::Playouts(1), &mut chance).unwrap();
            game.apply(&mut state, turn.nation, action, &mut Vec::new())
                .unwrap();
        }
        let seat = usize::from(game.seat_of(turn.nation));
        assert_eq!(state.outcome.unwrap().ranks[seat], 1, "turn {}", turn.turn);
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
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../analytics/corpus");
    let tables = [
        "antike-west-4",
        "antike-ii-orient-3",
        "duellum-greece-persia-2",
    ];
    let files = tables.map(|table| format!("{table}-1-of-16.ndjson.gz"));
    let files = files.each_ref().map(String::as_str);
    let output = program(Path::new(folder), &[&["faults"], &files[..]].concat());
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
