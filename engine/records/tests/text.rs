//! Parsers of records: they return the printed record, and never panic.

use engine::content::Library;
use proptest::prelude::*;
use records::{RECORD_FORMAT, Record, Source};

use crate::properties::walk::{Walk, setups};
use crate::properties::words::words;

/// Lines like those of a record's text form.
fn lines() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "\\PC{0,40}",
        words().prop_map(|words| format!("3. arabs: {words}")),
        ("[A-Z][A-Za-z]{0,8}", "[^\\n]{0,12}")
            .prop_map(|(name, value)| format!("[{name} \"{value}\"]")),
        proptest::sample::select(vec![
            "[Format \"tabularium-record/1\"]",
            "[Edition \"antike\"]",
            "[Board \"antike-east\"]",
            "[Seat \"greeks\"]",
            "[Player \"open\"]",
            "[Player \"person x y\"]",
            "[Rank \"1 seat 0 points 9\"]",
            "[Rank \"1 seat 200 points 9\"]",
            "[Result \"goal\"]",
            "[Seed \"\\\\\"]",
            "[Drawn \"99999999999\"]",
            "[Position \"{}\"]",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(line, 0..12).prop_map(|lines| lines.join("\n"))
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn records_in_text_are_read_without_panic(text in prop_oneof!["(?s).{0,80}", lines()]) {
        if let Ok(record) = Record::from_text(&text) {
            let _ = record.verify(Library::embedded());
        }
    }

    #[test]
    fn arbitrary_json_is_read_without_panic(text in "[\\[\\]{}\":,a-z0-9.eE-]{0,60}") {
        let _ = serde_json::from_str::<Record>(&text);
    }

    #[test]
    fn records_with_any_actions_are_refused_without_panic(actions in proptest::collection::vec(words(), 1..5)) {
        let mut walk = Walk::start(&setups()[3], "actions");
        while walk.actions.len() < 5 {
            walk.step();
        }
        let record = Record {
            format: RECORD_FORMAT.into(),
            id: String::new(),
            setup: walk.setup.clone(),
            actions: walk.actions.into_iter().chain(actions).collect(),
            events: None,
            result: None,
            digest: String::new(),
            played_at: String::new(),
            source: Source::Import,
            rated: false,
            league: None,
            signature: None,
        };
        let refused = record.replay(Library::embedded(), |_| ()).is_err();
        prop_assert!(refused);
        let _ = record.to_text(Library::embedded());
    }
}

/// A drawn nation is missing in the setup, but not in the result.
#[test]
fn the_text_of_a_record_keeps_nations_that_are_drawn() {
    let mut walk = Walk::start(&setups()[3], "drawn");
    while !walk.is_over() {
        walk.step();
    }
    let mut record = Record {
        format: RECORD_FORMAT.into(),
        id: "drawn".into(),
        setup: walk.setup.clone(),
        actions: walk.actions.clone(),
        events: None,
        result: walk.game.result_body(&walk.state),
        digest: engine::forms::digest_text(walk.state.digest()),
        played_at: "2026-01-01T00:00:00Z".into(),
        source: Source::Import,
        rated: false,
        league: None,
        signature: None,
    };
    record.setup.seats[0].nations.clear();
    let library = Library::embedded();
    let text = record.to_text(library).expect("it replays");
    let read = Record::from_text(&text).expect("it reads");
    assert_eq!(read, record);
    read.verify(library).expect("it holds");
}
