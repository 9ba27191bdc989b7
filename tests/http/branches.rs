//! Branches: games that play on from a position of another game.

use serde_json::{Value, json};

use super::accounts::register;
use super::duellum;
use super::support::{TestServer, array, turn};

/// Returns a position without what depends on the seed.
fn shown(state: &Value) -> Value {
    let mut state = state.clone();
    state["digest"] = Value::Null;
    state["drawn"] = Value::Null;
    state
}

/// Returns the request for a branch with bots in all seats.
fn branch(game: &Value, seq: u64) -> Value {
    let bot = json!({"player": {"bot": "random"}});
    let seats = vec![bot; array(&game["seats"]).len()];
    json!({"edition": game["edition"], "board": game["board"], "from": {"game": game["id"], "seq": seq},
        "seats": seats})
}

#[tokio::test]
async fn a_branch_plays_on_from_any_event() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    server.act(&path, &tokens[0], turn("iron")).await;
    let stone = json!({"type": "move_stone", "field": "gold"});
    let next = server.read(&path).await["pending"][0]["seat"].clone();
    let next = next.as_u64().unwrap() as usize;
    server.act(&path, &tokens[next], stone).await;
    let game = server.read(&path).await;
    for seq in 0..=3 {
        let before = server.read(&format!("{path}/states/{seq}")).await;
        let mut new = branch(&game, seq);
        new["seats"][1]["player"] = json!({"placeholder": "Dido"});
        new["seats"][2]["player"] = json!("open");
        let (branched, created) = server.create_game("", new).await;
        assert_eq!(shown(&created["state"]), shown(&before["state"]), "{seq}");
        assert_eq!(created["ruleset_hash"], game["ruleset_hash"]);
        for number in 0..4 {
            let nations = |game: &Value| game["seats"][number]["nations"].clone();
            assert_eq!(nations(&created), nations(&game));
        }
        assert_ne!(created["seed_commitment"], game["seed_commitment"]);
        assert_eq!(
            (&created["seed"], &created["rated"]),
            (&Value::Null, &json!(false))
        );
        server
            .create(&format!("{branched}/seats/2"), "", json!({}))
            .await;
    }
}

#[tokio::test]
async fn the_record_of_a_branch_verifies() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    server.act(&path, &tokens[0], turn("iron")).await;
    let game = server.read(&path).await;
    let mut new = branch(&game, 2);
    new["max_rounds"] = json!(4);
    let (branched, _) = server.create_game("", new).await;
    server
        .wait_for(&branched, |game| game["status"] == "finished")
        .await;
    let record = server.read(&format!("{branched}/record")).await;
    assert_eq!(record["setup"]["position"]["turn"], 2);
    let record: records::Record = serde_json::from_value(record).unwrap();
    record.verify(engine::content::Library::embedded()).unwrap();
}

#[tokio::test]
async fn a_branch_does_not_reveal_the_deck() {
    let server = TestServer::start();
    let duel = duellum::create(&server, duellum::new_game(&Value::Null)).await;
    let game = server.read(&duel.path).await;
    let mut new = branch(&game, 0);
    new["seats"] = json!([{"player": "open"}, {"player": {"bot": "random"}}]);
    let (_, created) = server.create_game("", new).await;
    assert_eq!(created["state"]["cards"], game["state"]["cards"]);
    assert!(created["state"]["cards"].get("order").is_none());
    assert_ne!(created["seed_commitment"], game["seed_commitment"]);
    // The record of the branch has its own seed, and a deck that is shuffled from that.
    let mut new = branch(&game, 0);
    new["max_rounds"] = json!(3);
    let (branched, _) = server.create_game("", new).await;
    server
        .wait_for(&branched, |game| game["status"] == "finished")
        .await;
    let record = server.read(&format!("{branched}/record")).await;
    assert!(record["setup"]["position"]["cards"].get("order").is_none());
    let record: records::Record = serde_json::from_value(record).unwrap();
    record.verify(engine::content::Library::embedded()).unwrap();
}

#[tokio::test]
async fn a_branch_must_fit_its_game() {
    let server = TestServer::start();
    let (path, _, _) = server.game_of_people().await;
    let game = server.read(&path).await;
    let refused = async |change: Value, field: &str| {
        let mut new = branch(&game, 0);
        for (name, value) in change.as_object().unwrap() {
            new[name] = value.clone();
        }
        server.post("/v1/games", "", new).await.invalid(field);
    };
    let id = &game["id"];
    refused(
        json!({"from": {"game": uuid::Uuid::now_v7(), "seq": 0}}),
        "from.game",
    )
    .await;
    refused(json!({"from": {"game": id, "seq": 1}}), "from.seq").await;
    refused(json!({"board": "antike-west"}), "board").await;
    refused(json!({"variants": ["expert"]}), "variants").await;
    refused(json!({"first": 1}), "first").await;
    refused(json!({"rated": true}), "rated").await;
    refused(json!({"seats": [{"player": "open"}]}), "seats").await;
    let mut seats = branch(&game, 0)["seats"].clone();
    seats[1]["nations"] = json!(["greeks"]);
    refused(json!({ "seats": seats }), "seats[1].nations").await;
}

#[tokio::test]
async fn private_and_rated_games_are_protected() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let (_, of_mago) = register(&server, "mago").await;
    let bot = json!({"player": {"bot": "random"}});
    let new = |more: (&str, Value)| {
        let mut new = json!({"edition": "antike", "board": "antike-east",
            "seats": [{"player": {"id": "dido"}}, bot, bot]});
        new[more.0] = more.1;
        new
    };
    let private = new(("visibility", json!("private")));
    let (_, private) = server.create_game(&of_dido, private).await;
    let mut from = branch(&private, 0);
    for token in ["", &of_mago] {
        let stranger = server.post("/v1/games", token, from.clone()).await;
        stranger.invalid("from.game");
    }
    let public = server.post("/v1/games", &of_dido, from.clone()).await;
    public.invalid("visibility");
    from["visibility"] = json!("private");
    server.create_game(&of_dido, from).await;
    let (path, rated) = server
        .create_game(&of_dido, new(("rated", json!(true))))
        .await;
    let from = branch(&rated, 0);
    server
        .post("/v1/games", &of_dido, from.clone())
        .await
        .forbidden();
    let resign = json!({"type": "resign"});
    server.act(&path, &of_dido, resign).await;
    server
        .wait_for(&path, |game| game["status"] == "finished")
        .await;
    server.create_game("", from).await;
}
