//! Parsers: they return the printed value, and never panic.

use engine::content::Library;
use engine::forms::{Position, View};
use engine::play::{Action, Game, Names};
use engine::setup::Setup;
use proptest::prelude::*;

use super::walk::{Walk, setups};
use super::words::words;

/// Checks that an action is preserved in notation and on the wire.
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
    fn arbitrary_json_is_read_without_panic(text in "[\\[\\]{}\":,a-z0-9.eE-]{0,60}") {
        let _ = serde_json::from_str::<Setup>(&text);
        let _ = serde_json::from_str::<Position>(&text);
        if let Ok(body) = serde_json::from_str::<Action<Names>>(&text) {
            let _ = body.numbered(&game());
        }
    }
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
