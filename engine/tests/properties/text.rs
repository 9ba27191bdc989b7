//! Whatever reads text gives back what was printed, and never panics.

use engine::content::Library;
use engine::forms::{Position, View};
use engine::play::{Action, Game, Names};
use engine::record::{Record, Setup};
use proptest::prelude::*;

use super::walk::{Walk, setups};

/// An action keeps everything in notation and on the wire.
pub fn check_round_trip(game: &Game, action: &Action) {
    let text = game.print(action);
    assert_eq!(game.parse(&text), Ok((None, *action)), "{text}");
    let body = action.named(game);
    let json = serde_json::to_string(&body).expect("it is JSON");
    let read: Action<Names> = serde_json::from_str(&json).expect("it reads");
    assert_eq!(read.numbered(game), Ok(*action), "{json}");
}

fn game() -> Game {
    Walk::start(&setups()[3], "text").game
}

/// Words of the notation and near misses, in any order.
fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-z_]{1,12}",
        "[0-9]{1,4}[LGCA]?(@[0-9]{1,3})?",
        "([migc][0-9]{0,3}){1,5}",
        "([0-9]{0,3}[LG]){1,3}",
        proptest::sample::select(vec![
            "stone", "temple", "arm", "develop", "march", "battle", "answer", "conquer", "found",
            "trade", "chip", "take", "city", "end", "resign", "giving", "greeks:", "greeks",
            "saba", "pella", "iron", "gold", "wheel", "L", "G", "0", "king", "é", ":", "-", ";",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(word, 0..6).prop_map(|words| words.join(" "))
}

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
    fn notation_is_read_without_panic_and_printed_as_it_was_meant(text in prop_oneof![".{0,40}", words()]) {
        let game = game();
        if let Ok((_, action)) = game.parse(&text) {
            prop_assert_eq!(game.parse(&game.print(&action)), Ok((None, action)));
        }
    }

    #[test]
    fn records_in_text_are_read_without_panic(text in prop_oneof!["(?s).{0,80}", lines()]) {
        if let Ok(record) = Record::from_text(&text) {
            let _ = record.verify(Library::embedded());
        }
    }

    #[test]
    fn arbitrary_json_is_read_without_panic(text in "[\\[\\]{}\":,a-z0-9.eE-]{0,60}") {
        let _ = serde_json::from_str::<Record>(&text);
        let _ = serde_json::from_str::<Setup>(&text);
        let _ = serde_json::from_str::<Position>(&text);
        if let Ok(body) = serde_json::from_str::<Action<Names>>(&text) {
            let _ = body.numbered(&game());
        }
    }

    #[test]
    fn records_with_any_actions_are_refused_without_panic(actions in proptest::collection::vec(words(), 1..5)) {
        let mut walk = Walk::start(&setups()[3], "actions");
        while walk.actions.len() < 5 {
            walk.step();
        }
        let record = Record {
            format: engine::record::RECORD_FORMAT.into(),
            id: String::new(),
            setup: walk.setup.clone(),
            actions: walk.actions.into_iter().chain(actions).collect(),
            events: None,
            result: None,
            digest: String::new(),
            played_at: String::new(),
            source: engine::record::Source::Import,
            rated: false,
            league: None,
            signature: None,
        };
        let refused = record.replay(Library::embedded(), |_| ()).is_err();
        prop_assert!(refused);
        let _ = record.to_text(Library::embedded());
    }
}

/// The nation of the one seat without any is drawn: the setup does not tell it, the result does.
#[test]
fn the_text_of_a_record_keeps_nations_that_are_drawn() {
    let mut walk = Walk::start(&setups()[3], "drawn");
    while !walk.is_over() {
        walk.step();
    }
    let mut record = Record {
        format: engine::record::RECORD_FORMAT.into(),
        id: "drawn".into(),
        setup: walk.setup.clone(),
        actions: walk.actions.clone(),
        events: None,
        result: walk.game.result_body(&walk.state),
        digest: engine::forms::digest_text(walk.state.digest()),
        played_at: "2026-01-01T00:00:00Z".into(),
        source: engine::record::Source::Import,
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

/// A position with one of its numbers, names or parts replaced by another.
#[test]
fn a_position_with_any_one_value_changed_is_refused_or_played_without_panic() {
    let strange = [
        serde_json::json!(0),
        serde_json::json!(1),
        serde_json::json!(7),
        serde_json::json!(255),
        serde_json::json!(65535),
        serde_json::json!(4294967295u32),
        serde_json::json!(-1),
        serde_json::json!(null),
        serde_json::json!(true),
        serde_json::json!("greeks"),
        serde_json::json!("king"),
        serde_json::json!("maneuver_1"),
        serde_json::json!("conquest"),
        serde_json::json!("end"),
        serde_json::json!([]),
        serde_json::json!(["greeks"]),
        serde_json::json!(["wheel"]),
        serde_json::json!(["strata"]),
        serde_json::json!({}),
    ];
    for (number, setup) in setups()
        .iter()
        .enumerate()
        .filter(|(n, _)| [2, 3, 6, 24, 34].contains(n))
    {
        for rich in [false, true] {
            let setup = match rich {
                true => super::walk::rich_position(setup, "changed"),
                false => setup.clone(),
            };
            let mut walk = Walk::start(&setup, &format!("changed {number}"));
            for _ in 0..2 {
                walk.step();
            }
            let body = View::with_deck(&walk.game, &walk.state);
            let json = serde_json::to_value(&body).expect("it is JSON");
            let mut paths = Vec::new();
            paths_of(&json, String::new(), &mut paths);
            for path in paths {
                for value in &strange {
                    let mut changed = json.clone();
                    *changed.pointer_mut(&path).expect("it is there") = value.clone();
                    play_on(&walk, changed);
                }
            }
        }
    }
}

fn paths_of(json: &serde_json::Value, path: String, paths: &mut Vec<String>) {
    match json {
        serde_json::Value::Object(map) => {
            for (key, value) in map {
                paths_of(value, format!("{path}/{key}"), paths);
            }
        }
        serde_json::Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                paths_of(value, format!("{path}/{index}"), paths);
            }
        }
        _ => {}
    }
    if !path.is_empty() {
        paths.push(path);
    }
}

/// Plays some actions from a position if a game starts from it.
fn play_on(walk: &Walk, position: serde_json::Value) {
    let Ok(body) = serde_json::from_value::<Position>(position) else {
        return;
    };
    let mut setup = walk.setup.clone();
    setup.position = Some(Box::new(body));
    if setup.start(Library::embedded()).is_err() {
        return;
    }
    let mut walk = Walk::start(&setup, "played on");
    for _ in 0..6 {
        if walk.is_over() {
            return;
        }
        super::invariants::check_state(&walk.game, &walk.state);
        walk.step();
    }
}
