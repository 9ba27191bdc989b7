//! A game of Antike II (2014): a neutral temple falls, Bellona is used and passed, and chips are
//! traded at three for two.

use serde_json::{Value, json};

use super::duellum::{act, has};
use super::support::{TestServer, array, text};

const NATIONS: [&str; 4] = ["greeks", "persians", "arabs", "phoenicians"];

fn new_game(position: Value) -> Value {
    let seat = |nation: &str| json!({"nations": [nation], "player": {"placeholder": nation}});
    json!({
        "edition": "antike_ii", "board": "antike-ii-orient", "first": "greeks",
        "seed": "known to all",
        "seats": NATIONS.map(seat), "position": position,
    })
}

/// Creates a game in which the Greeks stand before the neutral temple at Gordion, hold Bellona, and own
/// Mercatura and Commercium. Returns its path and the token of each seat, in order.
async fn game(server: &TestServer) -> (String, Vec<String>) {
    let fresh = new_game(Value::Null);
    let fresh = server.create("/v1/games", "", fresh).await;
    let mut position = fresh["state"].clone();
    assert_eq!(position["regions"]["gordion"]["neutral_temple"], true);
    assert_eq!(position["bellona"], "phoenicians", "the last in turn order");
    position["bellona"] = json!("greeks");
    position["regions"]["gordion"]["units"]["greeks"] = json!({"legions": 3});
    let greeks = position["nations"]["greeks"].as_object_mut().unwrap();
    greeks.remove("supply");
    greeks.insert("know_how".into(), json!(["mercatura", "commercium"]));
    let created = server.post("/v1/games", "", new_game(position)).await;
    let created = created.ok(201);
    let seats = &created["tokens"]["seats"];
    let tokens = (0..4).map(|seat| text(&seats[seat.to_string()])).collect();
    let path = format!("/v1/games/{}", created["id"].as_str().unwrap());
    (path, tokens)
}

#[tokio::test]
async fn a_neutral_temple_falls_bellona_passes_and_three_chips_trade_for_two() {
    let server = TestServer::start();
    let (path, tokens) = game(&server).await;

    // [B17] The free unit is built beside a paid one. The card goes on counter-clockwise.
    let legal = server.read(&format!("{path}/legal-actions")).await;
    assert_eq!(legal["pending"][0]["nation"], "greeks");
    let arming = json!([
        {"type": "move_stone", "field": "arming"},
        {"type": "arm", "region": "athenae", "unit": "legion", "free": true},
        {"type": "arm", "region": "pella", "unit": "galley"},
        {"type": "end_turn"},
    ]);
    let effects = act(&server, &path, &tokens[0], arming).await;
    has(
        &effects,
        &json!({"type": "bellona_passed", "nation": "greeks", "to": "phoenicians"}),
    );
    has(
        &effects,
        &json!({"type": "paid", "nation": "greeks", "pay": {"iron": 2}}),
    );
    let game = server.read(&path).await;
    assert_eq!(game["state"]["bellona"], "phoenicians");
    for token in &tokens[1..] {
        let turn = json!([{"type": "move_stone", "field": "gold"}, {"type": "end_turn"}]);
        let effects = act(&server, &path, token, turn).await;
        // [B14] The production includes a coin.
        assert!(effects.iter().any(|effect| effect["type"] == "coin_taken"));
    }

    // [B21] Three chips are traded for two, without a free unit.
    let actions = format!("{path}/actions");
    let free = json!({"type": "arm", "region": "athenae", "unit": "legion", "free": true});
    let refused = server.post(&actions, &tokens[0], free).await;
    refused.problem(422, "illegal_action");
    let trade = json!([{"type": "trade", "give": {"marble": 1, "gold": 2}, "take": {"iron": 2}}]);
    let effects = act(&server, &path, &tokens[0], trade).await;
    has(
        &effects,
        &json!({"type": "traded", "nation": "greeks",
            "give": {"marble": 1, "gold": 2}, "take": {"iron": 2}}),
    );

    // [B28] Two legions are too few for a defence of three.
    act(
        &server,
        &path,
        &tokens[0],
        json!({"type": "move_stone", "field": "maneuver_2"}),
    )
    .await;
    let too_few = json!({"type": "conquer", "region": "gordion", "legions": 2});
    let refused = server.post(&actions, &tokens[0], too_few).await;
    let problem = refused.problem(422, "illegal_action");
    assert_eq!(problem["rule"], "B28", "{problem}");
    let conquest = json!([
        {"type": "conquer", "region": "gordion", "legions": 3},
        {"type": "end_turn"},
    ]);
    let effects = act(&server, &path, &tokens[0], conquest).await;
    has(
        &effects,
        &json!({"type": "temple_destroyed", "nation": "greeks", "owner": null,
            "region": "gordion"}),
    );
    has(
        &effects,
        &json!({"type": "personage_won", "nation": "greeks", "personage": "general",
            "extra": false}),
    );
    let game = server.read(&path).await;
    assert_eq!(game["state"]["bank"]["temples"], 18);
    assert!(game["state"]["regions"].get("gordion").is_none());

    let record = server.get(&format!("{path}/record?events=true")).await;
    let record: records::Record = serde_json::from_value(record.ok(200)).unwrap();
    record.verify(engine::content::Library::embedded()).unwrap();
}

#[tokio::test]
async fn assumed_numbers_are_marked() {
    let server = TestServer::start();
    let edition = server.read("/v1/editions/antike_ii").await;
    let assumed = array(&edition["assumed"]);
    assert!(assumed.contains(&json!("/bank/coins")));
    for pointer in assumed {
        let value = edition.pointer(pointer.as_str().unwrap());
        assert!(value.is_some_and(Value::is_number), "{pointer}");
    }
    for board in ["antike-ii-mare-nostrum", "antike-ii-orient"] {
        let board = server.read(&format!("/v1/boards/{board}")).await;
        assert_eq!(board["provenance"]["status"], "reconstructed");
    }
}

#[tokio::test]
async fn an_operator_corrects_an_assumed_number_with_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start();
    let mut edition = server.read("/v1/editions/antike_ii").await;
    let hash = edition["hash"].clone();
    for field in ["hash", "versions"] {
        edition.as_object_mut().unwrap().remove(field);
    }
    edition["version"] = json!(2);
    edition["changes"] = json!([{"what": "There are 32 coins.", "why": "We have counted them."}]);
    edition["bank"]["coins"] = json!(32);
    let assumed = edition["assumed"].as_array_mut().unwrap();
    assumed.retain(|pointer| pointer != "/bank/coins");
    std::fs::create_dir(folder.path().join("rulesets")).unwrap();
    let file = folder.path().join("rulesets/antike_ii.json");
    std::fs::write(file, edition.to_string()).unwrap();

    let server = TestServer::with_data(folder.path().to_owned());
    let corrected = server.read("/v1/editions/antike_ii").await;
    assert_ne!(corrected["hash"], hash);
    assert_eq!(corrected["bank"]["coins"], 32);
    let versions = array(&corrected["versions"]);
    assert_eq!(versions.len(), 2);
    assert_eq!(
        (&versions[0]["hash"], &versions[0]["current"]),
        (&hash, &json!(false))
    );
    assert_eq!(versions[1]["changes"], corrected["changes"]);
    let old = format!("/v1/editions/antike_ii?hash={}", hash.as_str().unwrap());
    assert_eq!(server.read(&old).await["bank"]["coins"], 30);
    let created = server.post("/v1/games", "", new_game(Value::Null)).await;
    let created = created.ok(201);
    assert_eq!(created["ruleset_hash"], corrected["hash"]);
    assert_eq!(created["state"]["bank"]["coins"], 32);
}
