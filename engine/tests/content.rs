//! Boards and rulesets as data: the embedded ones are whole, and files that contradict themselves
//! are refused by name.

use engine::{Board, Library, Ruleset};
use serde_json::{Value, json};

/// A part of the error that a change of the data must lead to, and the change.
type Change = (&'static str, fn(&mut Value));

fn ruleset(change: impl FnOnce(&mut Value)) -> Result<Ruleset, String> {
    let embedded = Library::embedded().ruleset("antike").expect("embedded");
    let mut data = serde_json::to_value(&embedded.data).expect("it is JSON");
    change(&mut data);
    Ruleset::parse(&data.to_string()).map_err(|error| error.to_string())
}

fn board(change: impl FnOnce(&mut Value)) -> Result<Board, String> {
    let embedded = Library::embedded().board("antike-east").expect("embedded");
    let mut data = serde_json::to_value(&embedded.data).expect("it is JSON");
    change(&mut data);
    Board::parse(&data.to_string()).map_err(|error| error.to_string())
}

#[test]
fn the_embedded_boards_have_fifty_regions_and_start_cities_for_three_to_six() {
    let boards: Vec<_> = Library::embedded().boards().collect();
    for id in ["antike-east", "antike-west"] {
        let board = boards
            .iter()
            .find(|board| board.data.id == id)
            .expect("embedded");
        assert_eq!(board.len(), 50);
        assert_eq!(
            board.data.starts.keys().copied().collect::<Vec<u8>>(),
            [3, 4, 5, 6]
        );
        assert_eq!(board.nations().len(), 6);
    }
    board(|_| ()).expect("an unchanged board is read");
    ruleset(|_| ()).expect("an unchanged ruleset is read");
}

#[test]
fn borders_go_both_ways() {
    for board in Library::embedded().boards() {
        for region in (0..board.len() as u8).map(engine::Region) {
            for unit in engine::Unit::ALL {
                for other in engine::board::regions(board.neighbours(region, *unit)) {
                    assert_ne!(board.neighbours(other, *unit) & region.bit(), 0);
                }
            }
        }
    }
}

#[test]
fn a_board_that_contradicts_itself_is_refused() {
    let changes: [Change; 8] = [
        ("no region", |data| {
            data["borders"][0][0] = json!("atlantis")
        }),
        ("not a new pair", |data| {
            data["borders"][1] = data["borders"][0].clone()
        }),
        ("listed twice", |data| {
            data["regions"][1]["id"] = json!("adane")
        }),
        ("snake_case", |data| {
            data["regions"][0]["id"] = json!("Adane bay")
        }),
        ("not connected", |data| {
            let borders = data["borders"].as_array_mut().expect("a list");
            borders.retain(|border| border[0] != "messana" && border[1] != "messana");
        }),
        ("cannot be the marble city", |data| {
            data["starts"]["4"]["greeks"]["marble"] = json!("athen");
        }),
        ("first nation", |data| {
            data["first_nation"]["4"] = json!("romans")
        }),
        ("snake_case", |data| {
            let starts = data["starts"]["3"].as_object_mut().expect("a map");
            let cities = starts.remove("greeks").expect("they play");
            starts.insert("the greeks".into(), cities);
        }),
    ];
    for (part, change) in changes {
        let error = board(change).expect_err(part);
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_ruleset_that_contradicts_itself_is_refused() {
    let changes: [Change; 9] = [
        ("all five personages", |data| {
            data["points"] = json!({"king": 1})
        }),
        ("rondel", |data| data["rondel"]["fields"][0] = json!("gold")),
        ("maneuvers", |data| data["maneuvers"] = json!(9)),
        ("must stand after", |data| {
            data["know_how"][0]["requires"] = json!("roads")
        }),
        ("rules lacks a number", |data| {
            data["rules"]["battle"] = json!("27")
        }),
        ("snake_case", |data| {
            data["know_how"][7]["id"] = json!("demo cracy")
        }),
        ("defence", |data| data["defence"]["temple"] = json!(200)),
        ("price", |data| {
            data["prices"]["temple"] = json!({"marble": 200, "gold": 100})
        }),
        ("coins", |data| data["start"]["coins"] = json!(6)),
    ];
    for (part, change) in changes {
        let error = ruleset(change).map(|_| ()).expect_err(part);
        assert!(error.contains(part), "{error}");
    }
}
