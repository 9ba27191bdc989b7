//! Seats: claiming, leaving, replacing, standing orders.

use super::accounts::register;
use super::support::{TestServer, array, send, text};
use reqwest::Method;
use serde_json::{Value, json};

async fn open_game(server: &TestServer) -> (String, String) {
    let body = json!({"edition": "antike", "board": "antike-east", "seats": [
        {"player": "open"}, {"player": "open"}, {"player": {"bot": "random"}}]});
    let (path, game) = server.create_game("", body).await;
    (path, text(&game["tokens"]["organizer"]))
}

#[tokio::test]
async fn the_last_claim_starts_the_game() {
    let server = TestServer::start();
    let (path, _) = open_game(&server).await;
    let first = server
        .post(&format!("{path}/seats/0"), "", json!({"name": "Dido"}))
        .await;
    let claimed = first.ok(201);
    assert_eq!(first.header("etag"), "\"1\"");
    assert_eq!(claimed["game"]["status"], "open");
    let player = &claimed["game"]["seats"][0]["player"];
    assert_eq!(
        player,
        &json!({"kind": "person", "id": claimed["player"], "name": "Dido"})
    );
    assert!(text(&claimed["player"]).starts_with("guest:"), "{claimed}");
    // Without a body.
    let second = send(server.request(Method::POST, &format!("{path}/seats/1")))
        .await
        .ok(201);
    assert_eq!(second["game"]["status"], "running");
    assert_ne!(second["token"], claimed["token"]);
}

#[tokio::test]
async fn an_optional_body_may_be_null() {
    let server = TestServer::start();
    let (path, _) = open_game(&server).await;
    let seat = format!("{path}/seats/0");
    let claimed = server.create(&seat, "", Value::Null).await;
    assert_eq!(claimed["seat"], 0);
    let created = server.post("/v1/games", "", Value::Null).await;
    created.problem(422, "invalid_body");
}

#[tokio::test]
async fn a_taken_or_missing_seat_cannot_be_claimed() {
    let server = TestServer::start();
    let (path, _) = open_game(&server).await;
    let claim = async |seat: &str, body: Value| {
        server.post(&format!("{path}/seats/{seat}"), "", body).await
    };
    claim("2", json!({})).await.problem(409, "seat_taken");
    claim("3", json!({})).await.not_found();
    claim("300", json!({})).await.not_found();
    claim("x", json!({})).await.not_found();
    claim("0", json!({"id": "me"})).await.invalid("id");
    claim("0", json!({"name": "x".repeat(65)}))
        .await
        .invalid("name");
    claim("0", json!({})).await.ok(201);
    claim("0", json!({})).await.problem(409, "seat_taken");
}

#[tokio::test]
async fn a_claimed_token_is_neither_stored_nor_repeated() {
    let server = TestServer::start();
    let (path, _) = open_game(&server).await;
    let claim = || {
        let request = server.request(Method::POST, &format!("{path}/seats/0"));
        send(request.header("Idempotency-Key", "mine"))
    };
    let first = claim().await.ok(201);
    let again = claim().await;
    assert_eq!(again.header("location"), path);
    let problem = again.problem(409, "already_done");
    assert_eq!(problem["location"], path);
    let token = text(&first["token"]);
    assert!(!problem.to_string().contains(&token), "{problem}");
    let kept = server.database.stored_answers();
    assert_eq!(kept.len(), 1);
    let kept = &kept[0];
    assert!(kept.contains(&path) && !kept.contains(&token), "{kept}");
}

#[tokio::test]
async fn a_seat_can_be_left_before_the_start() {
    let server = TestServer::start();
    let (path, _) = open_game(&server).await;
    let seat = format!("{path}/seats/0");
    let token = text(&server.create(&seat, "", json!({})).await["token"]);
    server.delete(&seat, "").await.unauthenticated();
    server
        .delete(&format!("{path}/seats/1"), &token)
        .await
        .forbidden();
    let game = server.delete(&seat, &token).await.ok(200);
    assert_eq!(game["seats"][0]["player"], json!({"kind": "open"}));
    server.delete(&seat, &token).await.unauthenticated();
    server.create(&seat, "", json!({})).await;

    let playing = server.game_with_bots().await;
    let refused = server.delete(&playing.at("seats/0"), &playing.token).await;
    refused.problem(409, "already_started");
}

#[tokio::test]
async fn an_organizer_replaces_a_player() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let seat = playing.at("seats/0");
    let body = json!({"player": {"placeholder": "Scipio"}});
    server.put(&seat, "", body.clone()).await.unauthenticated();
    server
        .put(&seat, &playing.token, body.clone())
        .await
        .forbidden();
    let replaced = server.put(&seat, &playing.organizer, body).await.ok(200);
    assert_eq!(
        replaced["game"]["seats"][0]["player"],
        json!({"kind": "person", "id": replaced["game"]["seats"][0]["player"]["id"], "name": "Scipio"})
    );
    let id = text(&replaced["game"]["seats"][0]["player"]["id"]);
    assert!(id.starts_with("placeholder:"), "{id}");
    // The previous token is void, the new one plays.
    let stone = json!({"type": "move_stone", "field": "iron"});
    let actions = playing.at("actions");
    let old = server.post(&actions, &playing.token, stone.clone()).await;
    old.unauthenticated();
    server
        .create(&actions, &text(&replaced["token"]), stone)
        .await;
    let open = server
        .put(&seat, &playing.organizer, json!({"player": "open"}))
        .await;
    open.problem(409, "already_started");
    let bad = server
        .put(&seat, &playing.organizer, json!({"player": {"bot": "x"}}))
        .await;
    bad.invalid("player.bot");
    // A bot moves immediately, and the log has the change of the player.
    let bot = server
        .put(
            &seat,
            &playing.organizer,
            json!({"player": {"bot": "random"}}),
        )
        .await;
    assert!(bot.ok(200)["game"]["seq"].as_u64().unwrap() > playing.seq + 3);
    let log = server
        .read(&format!("{}?limit=1000", playing.at("events")))
        .await;
    let kinds = array(&log["items"]).iter();
    assert_eq!(kinds.filter(|event| event["kind"] == "seat").count(), 3);
}

#[tokio::test]
async fn an_account_takes_over_a_seat_of_a_running_game() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let (hanno, of_hanno) = register(&server, "hanno").await;
    let (_, of_mago) = register(&server, "mago").await;
    let anna = json!({"nations": ["greeks"], "player": {"placeholder": "Anna"}});
    let bot = |nation: &str| json!({"nations": [nation], "player": {"bot": "random"}});
    let new = json!({"edition": "antike", "board": "antike-east", "first": "greeks",
        "seats": [anna, {"player": {"placeholder": "Livia"}, "nations": ["persians"]},
            bot("phoenicians"), bot("arabs")]});
    let (path, created) = server.create_game(&of_dido, new).await;
    let annas = text(&created["tokens"]["seats"]["0"]);
    let livias = text(&created["tokens"]["seats"]["1"]);
    let seat = |number: u8| format!("{path}/seats/{number}");
    let invite = async |number: u8, who: &str| {
        let body = json!({"player": {"id": who}});
        server.put(&seat(number), &of_dido, body).await
    };
    let invited_to = async || {
        let list = server.with(Method::GET, "/v1/me/games?invited=true", &of_hanno);
        let list = send(list).await.ok(200);
        array(&list["items"]).len()
    };
    let orders = async |token: &str| {
        let orders = format!("{}/orders", seat(0));
        server.get_with(&orders, token).await
    };

    // The current player plays on until the account claims the seat.
    let before = server.get(&path).await;
    let kept = invite(0, "hanno").await.ok(200);
    let mut expected = before.json()["seats"][0].clone();
    expected["invited"] = json!(hanno);
    assert_eq!(kept["game"]["seats"][0], expected);
    assert_eq!((&kept["game"]["seq"], invited_to().await), (&json!(0), 1));
    assert_ne!(
        server.get(&path).await.header("etag"),
        before.header("etag")
    );
    orders(&annas).await.ok(200);
    for token in ["", &of_mago] {
        server
            .post(&seat(0), token, json!({}))
            .await
            .problem(409, "seat_taken");
    }
    invite(2, "hanno").await.problem(409, "already_seated");

    // The account may decline the invitation, and the organizer may withdraw it or replace the player.
    server.delete(&seat(0), &of_mago).await.forbidden();
    for token in [&of_hanno, &of_dido] {
        let ended = server.delete(&seat(0), token).await.ok(200);
        assert_eq!(ended, before.json());
        server
            .post(&seat(0), &of_hanno, json!({}))
            .await
            .problem(409, "seat_taken");
        invite(0, "hanno").await.ok(200);
    }

    let claimed = server.create(&seat(0), &of_hanno, json!({})).await;
    let seated = &claimed["game"]["seats"][0];
    assert_eq!(
        (&seated["player"]["id"], &seated["invited"]),
        (&json!(hanno), &Value::Null)
    );
    let events = server.read(&format!("{path}/events")).await;
    let last = array(&events["items"]).last().unwrap();
    assert_eq!(
        (&last["kind"], &last["payload"]["player"]["id"]),
        (&json!("seat"), &json!(hanno))
    );
    let actions = format!("{path}/actions");
    let stone = json!({"type": "move_stone", "field": "iron"});
    let refused = server.post(&actions, &annas, stone.clone()).await;
    refused.unauthenticated();
    server.create(&actions, &of_hanno, stone).await;
    invite(0, "mago").await.ok(200);
    let ended = invite(0, "hanno").await.ok(200);
    assert_eq!(ended["game"]["seats"][0], *seated);

    // The organizer takes a seat directly, also from a bot. A player who has resigned is not replaced.
    let sits = invite(2, "dido").await.ok(200);
    assert_eq!(sits["game"]["seats"][2]["player"]["name"], "dido");
    let resign = json!({"type": "resign"});
    server.create(&actions, &livias, resign).await;
    invite(1, "mago").await.problem(409, "seat_resigned");
    // An invitation ends with the game.
    server
        .delete(&seat(0), &of_hanno)
        .await
        .problem(409, "already_started");
    let anna = json!({"player": {"placeholder": "Anna"}});
    server.put(&seat(0), &of_dido, anna).await.ok(200);
    invite(3, "hanno").await.ok(200);
    assert_eq!(invited_to().await, 1);
    server.adjudicate(&path, &of_dido, &[1, 2, 3, 4]).await;
    assert_eq!(invited_to().await, 0);
}

#[tokio::test]
async fn standing_orders_are_visible_to_their_seat_only() {
    let server = TestServer::start();
    let (path, tokens, organizer) = server.game_of_people().await;
    let orders = format!("{path}/seats/0/orders");
    let get = async |token: &str| server.get_with(&orders, token).await;
    assert_eq!(get(&tokens[0]).await.ok(200), json!([]));
    let body = json!([
        {"against": null, "unit": null, "region": null, "battle": "allow"},
        {"against": "persians", "unit": "galley", "battle": "demand"},
        {"fortress": "never"},
    ]);
    let kept = server.put(&orders, &tokens[0], body.clone()).await.ok(200);
    assert_eq!(kept[1]["against"], "persians");
    assert_eq!(get(&tokens[0]).await.ok(200), kept);
    get("").await.unauthenticated();
    get(&tokens[1]).await.forbidden();
    get(&organizer).await.forbidden();
    server.put(&orders, &tokens[1], body).await.forbidden();
    for (bad, field) in [
        (
            json!([{"against": "martians", "battle": "ask"}]),
            "[0].against",
        ),
        (
            json!([{"battle": "ask"}, {"region": "moon", "battle": "ask"}]),
            "[1].region",
        ),
    ] {
        server.put(&orders, &tokens[0], bad).await.invalid(field);
    }
    let bad = server
        .put(&orders, &tokens[0], json!([{"battle": "flee"}]))
        .await;
    bad.problem(422, "invalid_body");
    // The orders are neither in the log nor in the view.
    assert_eq!(server.read(&path).await["seq"], 0);
    assert!(!server.get(&path).await.text.contains("orders"));
}
