//! Boards and rulesets as data: the embedded ones are complete, and contradictory files are rejected.

use engine::content::{Board, Library, Ruleset};
use engine::ids::Regions;
use engine::setup::{Player, Setup, SetupSeat};
use serde_json::{Value, json};

/// A part of the expected error, and the change of the data that causes it.
type Change = (&'static str, fn(&mut Value));

fn ruleset(edition: &str, change: impl FnOnce(&mut Value)) -> Result<Ruleset, String> {
    let embedded = Library::embedded().ruleset(edition).expect("embedded");
    let mut data = serde_json::to_value(&embedded.data).expect("it is JSON");
    change(&mut data);
    Ruleset::parse(&data.to_string()).map_err(|error| error.to_string())
}

fn board(id: &str, change: impl FnOnce(&mut Value)) -> Result<Board, String> {
    let embedded = Library::embedded().board(id).expect("embedded");
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
    for board in boards {
        self::board(&board.data.id, |_| ()).expect("an unchanged board is read");
    }
    for edition in ["antike", "antike_ii", "antike_duellum"] {
        ruleset(edition, |_| ()).expect("an unchanged ruleset is read");
    }
}

#[test]
fn each_ring_is_one_border_further_than_the_one_before() {
    for board in Library::embedded().boards() {
        for region in board.all() {
            for unit in engine::words::Unit::ALL {
                let rings = board.rings(region, *unit);
                assert_eq!(rings[0], Regions::only(region));
                assert_eq!(rings[1], board.neighbours(region, *unit));
                let mut reached = rings[0];
                for pair in rings.windows(2) {
                    let next = |set, at| set | board.neighbours(at, *unit);
                    reached |= pair[0];
                    assert_eq!(pair[1], pair[0].iter().fold(Regions::EMPTY, next) - reached);
                }
            }
        }
    }
}

#[test]
fn borders_go_both_ways() {
    for board in Library::embedded().boards() {
        for region in (0..board.len() as u8).map(engine::ids::Region) {
            for unit in engine::words::Unit::ALL {
                for other in board.neighbours(region, *unit) {
                    assert!(board.neighbours(other, *unit).contains(region));
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
        ("listed twice, or joins", |data| {
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
        let error = board("antike-east", change).expect_err(part);
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_ruleset_that_contradicts_itself_is_refused() {
    let changes: [Change; 10] = [
        ("all five personages", |data| {
            data["points"] = json!({"king": 1})
        }),
        ("rondel", |data| data["rondel"]["fields"][0] = json!("gold")),
        ("maneuvers", |data| data["maneuvers"] = json!(9)),
        ("must come after", |data| {
            data["know_how"][0]["requires"] = json!("roads")
        }),
        ("rules must have a number", |data| {
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
        ("without supply", |data| {
            data["variants"]["two_player_double"]["supply_factor"] = json!(0)
        }),
    ];
    for (part, change) in changes {
        let error = ruleset("antike", change).map(|_| ()).expect_err(part);
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn the_boards_of_antike_ii_have_three_neutral_temples_apart_from_all_start_cities() {
    for id in ["antike-ii-mare-nostrum", "antike-ii-orient"] {
        let board = Library::embedded().board(id).expect("embedded");
        assert_eq!(board.data.edition, "antike_ii");
        assert!(!board.siteless().is_empty());
        for nations in 3..=6 {
            let temples = board.neutral_temples(nations);
            assert_eq!(temples.len(), 3);
            assert!((temples & board.siteless()).is_empty());
            let starts = &board.data.starts[&nations];
            assert_eq!(starts.len(), usize::from(nations));
            for nation in starts.keys() {
                let cities = board.start_cities(nations, nation).expect("it plays");
                assert!(cities.iter().all(|city| !temples.contains(*city)));
            }
        }
    }
}

#[test]
fn numbers_of_antike_ii_that_contradict_themselves_are_refused() {
    let changes: [Change; 3] = [
        ("defence", |data| {
            data["weak_nation"]["defence"] = json!(250)
        }),
        ("without site", |data| {
            data["siteless_region_counts"] = json!(0)
        }),
        ("trade", |data| {
            data["know_how"][0]["trade"]["give"] = json!(0)
        }),
    ];
    for (part, change) in changes {
        let error = ruleset("antike_ii", change).map(|_| ()).expect_err(part);
        assert!(error.contains(part), "{error}");
    }
    let changes: [Change; 3] = [
        ("neutral temple", |data| {
            data["neutral_temples"]["4"][0] = json!("roma")
        }),
        ("neutral temple", |data| {
            data["neutral_temples"]["4"][0] = json!("mare_ionium")
        }),
        ("no region", |data| {
            data["neutral_temples"]["4"][0] = json!("atlantis")
        }),
    ];
    for (part, change) in changes {
        let error = board("antike-ii-mare-nostrum", change).map(|_| ());
        let error = error.expect_err(part);
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_board_with_more_neutral_temples_than_the_game_has_cannot_be_played() {
    let mut library = Library::default();
    let few = ruleset("antike_ii", |data| data["bank"]["temples"] = json!(2));
    library.add_ruleset(few.expect("it reads"));
    library.add_board(board("antike-ii-orient", |_| ()).expect("it reads"));
    let seat = SetupSeat {
        nations: Vec::new(),
        player: Player::Open,
    };
    let setup = Setup {
        edition: "antike_ii".into(),
        board: "antike-ii-orient".into(),
        seats: vec![seat; 3],
        seed: "a seed".into(),
        ..Setup::default()
    };
    let error = setup.start(&library).map(|_| ()).expect_err("too few");
    assert_eq!(error.first().field, "board");
}

#[test]
fn the_boards_of_antike_duellum_are_for_two_with_sites_of_any_resource() {
    for (id, nations, cities) in [
        ("duellum-rome-carthage", ["carthaginians", "romans"], 27),
        ("duellum-greece-persia", ["greeks", "persians"], 27),
    ] {
        let board = Library::embedded().board(id).expect("embedded");
        assert_eq!(board.data.edition, "antike_duellum");
        assert_eq!(board.nations(), nations);
        let counts: Vec<u8> = board.data.starts.keys().copied().collect();
        assert_eq!(counts, [2]);
        assert!(board.data.two_players.is_none());
        assert!(board.neutral_temples(2).is_empty());
        let sites = board.data.regions.iter().filter(|region| {
            assert_eq!(region.site.resource(), None, "{}", region.id);
            region.site != engine::content::Site::None
        });
        assert_eq!(sites.count(), cities);
        // Regions without a site are sea areas.
        for sea in board.siteless() {
            let legions = board.neighbours(sea, engine::words::Unit::Legion);
            assert!(legions.is_empty(), "{}", board.name(sea));
        }
        let starts = nations.map(|nation| board.start_cities(2, nation).expect("it plays"));
        let all: Regions = starts.as_flattened().iter().copied().collect();
        assert_eq!(all.len(), 6);
    }
}

#[test]
fn numbers_of_antike_duellum_that_contradict_themselves_are_refused() {
    let changes: [Change; 10] = [
        ("price of all units", |data| {
            data["recruitment"]["galley"] = json!({"gold": 22})
        }),
        ("more units start in the recruitment box", |data| {
            data["recruitment"]["start"]["legions"] = json!(13)
        }),
        ("price", |data| {
            data["recruitment"]["galley"] = json!({"gold": 250})
        }),
        ("price", |data| data["adjacent_temple_coins"] = json!(4)),
        ("price", |data| data["adjacent_city_coins"] = json!(4)),
        ("price", |data| {
            data["variants"]["special_units"]["special_units"]["price"] = json!({"iron": 250})
        }),
        ("defence", |data| data["walls"]["defence"] = json!(240)),
        ("coins", |data| data["compensation_coins"] = json!(5)),
        ("the number of open cards", |data| {
            data["cards"]["open"] = json!(0)
        }),
        ("copies", |data| {
            data["cards"]["deck"][3]["copies"] = json!(0)
        }),
    ];
    for (part, change) in changes {
        let error = ruleset("antike_duellum", change)
            .map(|_| ())
            .expect_err(part);
        assert!(error.contains(part), "{error}");
    }
    let changes: [Change; 2] = [
        ("no region", |data| {
            data["starts"]["2"]["romans"]["gold"] = json!("atlantis")
        }),
        ("cannot be the gold city", |data| {
            data["starts"]["2"]["romans"]["gold"] = json!("corsica")
        }),
    ];
    for (part, change) in changes {
        let error = board("duellum-rome-carthage", change).map(|_| ());
        let error = error.expect_err(part);
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn every_assumed_number_is_in_the_data() {
    for edition in ["antike", "antike_ii", "antike_duellum"] {
        let ruleset = Library::embedded().ruleset(edition).expect("embedded");
        let data = serde_json::to_value(&ruleset.data).expect("it is JSON");
        for pointer in &ruleset.data.assumed {
            let number = data.pointer(pointer);
            // A card is assumed as a whole, with its effect.
            let card = number.is_some_and(|value| value["effect"].is_object());
            assert!(card || number.is_some_and(Value::is_number), "{pointer}");
        }
    }
}

/// The embedded ruleset of Antike with another version and number of coins, as a file.
fn antike_with(version: Option<u32>, coins: u8) -> String {
    let embedded = Library::embedded().ruleset("antike").expect("embedded");
    let mut data = serde_json::to_value(&embedded.data).expect("it is JSON");
    data["bank"]["coins"] = json!(coins);
    data["version"] = json!(version);
    let fields = data.as_object_mut().expect("an object");
    if version.is_none() {
        fields.remove("version");
    }
    data.to_string()
}

/// The embedded library with further rulesets, added in this order.
fn library_with(files: &[String]) -> Library {
    let mut library = Library::embedded().clone();
    for json in files {
        library.add_ruleset(Ruleset::parse(json).expect("it is a ruleset"));
    }
    library
}

#[test]
fn the_version_is_in_the_file_not_in_the_order_of_adding() {
    let library = library_with(&[antike_with(Some(4), 34), antike_with(Some(3), 33)]);
    let current = library.ruleset("antike").expect("it is there");
    assert_eq!((current.data.version, current.data.bank.coins), (4, 34));
    let versions = library.ruleset_versions("antike").iter();
    let numbers: Vec<u32> = versions.map(|version| version.data.version).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    let third = library.ruleset_numbered("antike", 3).expect("it is there");
    assert_eq!(third.data.bank.coins, 33);
    let by_hash = library.ruleset_version("antike", &third.hash.to_string());
    assert_eq!(by_hash.expect("it is there").hash, third.hash);
    assert!(library.ruleset_numbered("antike", 5).is_none());
}

#[test]
fn an_operators_file_takes_the_place_of_the_embedded_one_with_its_number_for_new_games_only() {
    let library = library_with(&[antike_with(Some(2), 32)]);
    let current = library.ruleset("antike").expect("it is there");
    assert_eq!((current.data.version, current.data.bank.coins), (2, 32));
    let numbered = library.ruleset_numbered("antike", 2);
    assert_eq!(numbered.expect("it is there").hash, current.hash);
    let embedded = Library::embedded().ruleset("antike").expect("embedded");
    let kept = library.ruleset_version("antike", &embedded.hash.to_string());
    assert_eq!(kept.expect("it is kept").data.bank.coins, 30);
}

#[test]
fn a_file_without_version_is_the_first() {
    let library = library_with(&[antike_with(None, 31)]);
    // The engine has a higher version.
    let current = library.ruleset("antike").expect("it is there");
    assert_eq!((current.data.version, current.data.bank.coins), (2, 30));
    let first = library.ruleset_numbered("antike", 1).expect("it is there");
    assert_eq!(first.data.bank.coins, 31);
    assert_eq!(library.ruleset_versions("antike").len(), 3);
}

#[test]
fn a_later_version_lists_its_changes() {
    let changes: [Change; 2] = [
        ("must list its changes", |data| data["changes"] = json!([])),
        ("must count from 1", |data| data["version"] = json!(0)),
    ];
    for (part, change) in changes {
        let error = ruleset("antike", change).map(|_| ()).expect_err(part);
        assert!(error.contains(part), "{error}");
    }
    let error = board("antike-east", |data| data["version"] = json!(2)).map(|_| ());
    let error = error.expect_err("no changes");
    assert!(error.contains("must list its changes"), "{error}");
}
