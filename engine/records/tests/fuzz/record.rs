//! Whole records, as text and as JSON.

use engine::content::Library;
use engine::forms::digest_text;
use engine::play::Game;
use engine::state::State;
use records::{Record, ReplayError};

use super::run::Reached;
use crate::support::golden;

fn read(folders: &[&str], extension: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for name in folders {
        let entries = std::fs::read_dir(golden::folder().join(name)).expect("a folder of records");
        paths.extend(entries.map(|entry| entry.expect("a file").path()));
    }
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    let read = |path| std::fs::read_to_string(path).expect("a readable file");
    paths.into_iter().map(read).collect()
}

/// The golden records, each as text.
pub fn texts() -> Vec<String> {
    let records = golden::records().into_values();
    let text = |record: Record| record.to_text(Library::embedded()).expect("it replays");
    records.map(text).collect()
}

/// The golden and the frozen records as JSON, those with event logs among them.
pub fn jsons() -> Vec<String> {
    let mut jsons = read(&["."], "json");
    let frozen = read(&["frozen"], "ndjson");
    let lines = frozen.iter().flat_map(|file| file.lines());
    jsons.extend(lines.map(str::to_owned));
    jsons
}

/// Checks that a record that replays is preserved by printing and parsing.
pub fn check_text(text: &str) -> Reached {
    let Ok(record) = Record::from_text(text) else {
        return Reached::Refused;
    };
    let repaired = repaired(&record);
    let printed = [&record, &repaired].map(|record| {
        let text = record.to_text(Library::embedded()).ok();
        if let Some(text) = &text {
            assert_eq!(Record::from_text(text).as_ref(), Ok(record), "{text}");
        }
        check_meaning(record);
        text.is_some()
    });
    match printed {
        [false, false] => Reached::Read,
        _ => Reached::Accepted,
    }
}

/// Checks a record that verifies.
pub fn check_json(text: &str) -> Reached {
    let Ok(record) = serde_json::from_str::<Record>(text) else {
        return Reached::Refused;
    };
    let holds = [&record, &repaired(&record)].map(check_meaning);
    match holds {
        [false, false] => Reached::Read,
        _ => Reached::Accepted,
    }
}

/// Returns whether a record verifies. If so, checks its actions and its JSON form independently.
fn check_meaning(record: &Record) -> bool {
    let Ok(verified) = record.verify(Library::embedded()) else {
        return false;
    };
    let (game, state) = played(record).expect("what verifies can be played");
    assert_eq!(state, verified.state);
    assert_eq!(digest_text(state.digest()), record.digest);
    match (game.result_body(&state), &record.result) {
        (None, Some(recorded)) => {
            assert!(
                recorded.reason.is_decision(),
                "not a decision of people: {recorded:?}"
            );
            assert_eq!(game.check_decision(&state, recorded), Ok(()));
            assert!(verified.declared || record.events.is_some());
        }
        (found, recorded) => assert_eq!(found.as_ref(), recorded.as_ref()),
    }
    let json = serde_json::to_string(record).expect("it has a JSON form");
    let parsed = serde_json::from_str::<Record>(&json).expect("its JSON form is one");
    assert_eq!(parsed, *record);
    true
}

/// Plays the actions of a record, independently of the code that verifies records.
fn played(record: &Record) -> Option<(Game, State)> {
    let (game, mut state) = record.start(Library::embedded()).ok()?;
    for text in record.actions.iter().filter(|text| !text.starts_with('-')) {
        let (nation, action) = game.read(&state, text).ok()?;
        game.apply(&mut state, nation, action, &mut Vec::new())
            .ok()?;
    }
    Some((game, state))
}

/// Returns the record up to the first action that is not legal.
/// Digest and result are those of the rest, so that changes are tested in otherwise valid games.
fn repaired(record: &Record) -> Record {
    let mut record = Record {
        events: None,
        ..record.clone()
    };
    for _ in 0..4 {
        match record.replay(Library::embedded(), |_| {}) {
            Err(ReplayError::Notation { index, .. } | ReplayError::Illegal { index, .. }) => {
                record.actions.truncate(index);
            }
            Err(ReplayError::Digest { found, .. }) => record.digest = found,
            Err(ReplayError::Result(_)) => {
                record.result = played(&record).and_then(|(game, state)| game.result_body(&state));
            }
            Ok(_) | Err(_) => break,
        }
    }
    record
}
