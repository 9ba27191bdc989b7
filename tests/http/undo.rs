//! Undo, and ending a game by adjudication.

use super::accounts::register;
use super::support::{Stream, TestGame, TestServer, array, send, text, turn};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn a_player_can_undo_their_own_turn() {
    let server = TestServer::start();
    let (path, tokens, organizer) = server.game_of_people().await;
    let actions = format!("{path}/actions");
    let undo = format!("{path}/undo");
    let before = server.read(&path).await;
    let stone = |field: &str| json!({"type": "move_stone", "field": field});
    server.create(&actions, &tokens[0], stone("iron")).await;
    server
        .post(&undo, "", json!({"to": 0}))
        .await
        .unauthenticated();
    let undone = server.create(&undo, &tokens[0], json!({"to": 0})).await;
    assert_eq!(undone["events"][0]["kind"], "undo");
    assert_eq!(undone["events"][0]["notation"], "undo 0");
    let payload = json!({"kind": "undo", "to": 0});
    assert_eq!(undone["events"][0]["payload"], payload);
    assert_eq!(undone["game"]["seq"], 2);
    assert_eq!(undone["game"]["state"], before["state"]);
    // Undo again, past the first undo, and back to that undo itself.
    server.create(&actions, &tokens[0], stone("gold")).await;
    let undone = server.create(&undo, &tokens[0], json!({"to": 2})).await;
    assert_eq!(undone["game"]["state"], before["state"]);
    server.create(&actions, &tokens[0], stone("marble")).await;
    // Undone actions do not count.
    for to in [1, 3, 99] {
        let problem = server.post(&undo, &tokens[0], json!({"to": to})).await;
        problem.invalid("to");
    }
    // An undo to the present changes nothing. The change of a seat's player cannot be undone.
    server
        .post(&undo, &tokens[0], json!({"to": 5}))
        .await
        .problem(409, "nothing_to_undo");
    let player = json!({"player": {"bot": "random"}});
    let seat = format!("{path}/seats/3");
    server.put(&seat, &organizer, player).await.ok(200);
    for to in [5, 6] {
        let problem = server.post(&undo, &tokens[0], json!({"to": to})).await;
        assert_eq!(problem.problem(409, "nothing_to_undo")["seq"], 6);
    }
    // The record contains the undone actions, marked as such.
    let record = server.read(&format!("{path}/record?events=true")).await;
    let marked = json!(["-stone iron", "-stone gold", "stone marble"]);
    assert_eq!(record["actions"], marked);
    let record: records::Record = serde_json::from_value(record).unwrap();
    record.verify(engine::content::Library::embedded()).unwrap();
    // The game is the same after a restart reads it from the log.
    let now = server.read(&path).await;
    let server = server.restart();
    assert_eq!(server.read(&path).await, now);
}

#[tokio::test]
async fn actions_that_others_have_seen_are_undone_with_their_consent_only() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    let actions = format!("{path}/actions");
    let undo = format!("{path}/undo");
    let turn = turn("iron");
    server.create(&actions, &tokens[0], turn).await;
    let request = json!({"to": 0});
    let asked = server
        .post(&undo, &tokens[0], request.clone())
        .await
        .ok(202);
    let since = asked["since"].clone();
    assert_eq!(
        asked,
        json!({"seq": 2, "to": 0, "by": 0, "agreed": [0], "missing": [1, 2, 3], "since": since})
    );
    assert!(since.as_str().unwrap().ends_with('Z'));
    assert_eq!(server.read(&path).await["undo_request"], asked);
    server
        .post(&undo, &tokens[1], request.clone())
        .await
        .ok(202);
    // A game has at most one undo request.
    server
        .post(&undo, &tokens[2], json!({"to": 1}))
        .await
        .problem(409, "undo_pending");
    let asked = server
        .post(&undo, &tokens[3], request.clone())
        .await
        .ok(202);
    let expected = json!({"seq": 2, "to": 0, "by": 0, "agreed": [0, 1, 3], "missing": [2],
        "since": since});
    assert_eq!(asked, expected);
    // Repeated consent asks no other player, and all players see the same after a restart.
    server
        .post(&undo, &tokens[1], request.clone())
        .await
        .ok(202);
    let server = server.restart();
    let game = server.read(&path).await;
    assert_eq!(
        (&game["seq"], &game["undo_request"]),
        (&json!(2), &expected)
    );
    let done = server.create(&undo, &tokens[2], request).await;
    assert_eq!(done["game"]["seq"], 3);
    assert_eq!(done["game"]["state"]["turn"], 1);
    assert_eq!(done["game"]["undo_request"], Value::Null);
}

/// Plays a turn of the first seat, which others must agree to undo.
async fn play_first_turn(server: &TestServer, path: &str, tokens: &[String]) {
    server.act(path, &tokens[0], turn("iron")).await;
}

#[tokio::test]
async fn an_undo_request_is_declined_or_withdrawn() {
    let server = TestServer::start();
    let (path, tokens, organizer) = server.game_of_people().await;
    let undo = format!("{path}/undo");
    play_first_turn(&server, &path, &tokens).await;
    server.delete(&undo, &tokens[1]).await.not_found();
    let request = json!({"to": 0});
    let before = server.get(&path).await;
    server
        .post(&undo, &tokens[0], request.clone())
        .await
        .ok(202);
    server
        .post(&undo, &tokens[1], request.clone())
        .await
        .ok(202);
    for (token, status, code) in [
        ("", 401, "unauthenticated"),
        ("unknown", 401, "unauthenticated"),
        (&organizer, 403, "forbidden"),
    ] {
        server.delete(&undo, token).await.problem(status, code);
    }
    // A player who agreed can still decline, which removes all agreements.
    let declined = server.delete(&undo, &tokens[1]).await.ok(200);
    assert_eq!(declined["undo_request"], Value::Null);
    assert_eq!(server.get(&path).await.json(), before.json());
    let asked = server
        .post(&undo, &tokens[2], request.clone())
        .await
        .ok(202);
    assert_eq!((&asked["by"], &asked["agreed"]), (&json!(2), &json!([2])));
    // A player can replace their own request, which asks all others again.
    server.post(&undo, &tokens[1], request).await.ok(202);
    let otherwise = json!({"to": 1});
    let asked = server.post(&undo, &tokens[2], otherwise).await.ok(202);
    assert_eq!((&asked["to"], &asked["agreed"]), (&json!(1), &json!([2])));
    let request = server.with(Method::DELETE, &undo, &tokens[2]);
    let withdraw = || {
        let request = request.try_clone().unwrap();
        send(request.header("Idempotency-Key", "w"))
    };
    let withdrawn = withdraw().await.ok(200);
    assert_eq!(withdrawn["undo_request"], Value::Null);
    // The repeated request has the same answer.
    assert_eq!(withdraw().await.ok(200), withdrawn);
    server.delete(&undo, &tokens[2]).await.not_found();
    assert_eq!(server.read(&path).await["seq"], 2);
}

#[tokio::test]
async fn an_undo_request_changes_the_tag() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    play_first_turn(&server, &path, &tokens).await;
    let undo = format!("{path}/undo");
    let seen = async |tag: &str| {
        let request = server.request(Method::GET, &path);
        send(request.header("If-None-Match", tag)).await
    };
    assert_eq!(seen("\"2\"").await.status, 304);
    let body = json!({"to": 0});
    server.post(&undo, &tokens[0], body.clone()).await.ok(202);
    let requested = seen("\"2\"").await;
    assert_eq!(requested.status, 200);
    let tag = requested.header("etag").to_owned();
    assert_eq!(seen(&tag).await.status, 304);
    server.post(&undo, &tokens[1], body.clone()).await.ok(202);
    assert_eq!(seen(&tag).await.status, 200);
    // For actions, both tags stand for the last event.
    let request = server.with(Method::POST, &undo, &tokens[2]);
    let request = request.header("If-Match", &tag).json(&body);
    send(request).await.ok(202);
    server.delete(&undo, &tokens[3]).await.ok(200);
    assert_eq!(seen("\"2\"").await.status, 304);
}

#[tokio::test]
async fn streams_send_undo_requests() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    let undo = format!("{path}/undo");
    let game = path.rsplit('/').next().unwrap();
    play_first_turn(&server, &path, &tokens).await;
    let mut own = Stream::open(server.request(Method::GET, &format!("{path}/events"))).await;
    let all = |filter: &str| server.request(Method::GET, &format!("/v1/events?{filter}"));
    let mut all_games = Stream::open(all("after=latest")).await;
    let (mago, token) = register(&server, "mago").await;
    let of_others = all(&format!("after=latest&player={mago}"));
    let mut of_others = Stream::open(of_others).await;
    for seq in 0..=2 {
        assert_eq!(own.next().await.id, Some(seq));
    }
    let request = json!({"to": 0});
    let first = server
        .post(&undo, &tokens[0], request.clone())
        .await
        .ok(202);
    let expected = json!({"game": game, "undo_request": first, "ended": null, "by": null});
    assert_eq!(own.next_undo_request().await, expected);
    assert_eq!(all_games.next_undo_request().await, expected);
    // A new stream begins with the pending request.
    let latest = server.request(Method::GET, &format!("{path}/events?after=latest"));
    assert_eq!(
        Stream::open(latest).await.next_undo_request().await,
        expected
    );
    let second = server
        .post(&undo, &tokens[1], request.clone())
        .await
        .ok(202);
    server.delete(&undo, &tokens[2]).await.ok(200);
    for stream in [&mut own, &mut all_games] {
        assert_eq!(stream.next_undo_request().await["undo_request"], second);
        let declined = json!({"game": game, "undo_request": null, "ended": "declined", "by": 2});
        assert_eq!(stream.next_undo_request().await, declined);
    }
    server
        .post(&undo, &tokens[3], request.clone())
        .await
        .ok(202);
    server.delete(&undo, &tokens[3]).await.ok(200);
    for stream in [&mut own, &mut all_games] {
        assert_eq!(stream.next_undo_request().await["undo_request"]["by"], 3);
        let withdrawn = json!({"game": game, "undo_request": null, "ended": "withdrawn", "by": 3});
        assert_eq!(stream.next_undo_request().await, withdrawn);
    }
    // The next event makes the request void: another action, or the undo itself.
    server
        .post(&undo, &tokens[3], request.clone())
        .await
        .ok(202);
    let next = server.read(&path).await["pending"][0]["seat"]
        .as_u64()
        .unwrap();
    let stone = json!({"type": "move_stone", "field": "iron"});
    server.act(&path, &tokens[next as usize], stone).await;
    for token in &tokens {
        server.post(&undo, token, request.clone()).await;
    }
    for stream in [&mut own, &mut all_games] {
        assert_eq!(stream.next_undo_request().await["undo_request"]["seq"], 2);
        let overtaken =
            json!({"game": game, "undo_request": null, "ended": "overtaken", "by": null});
        let action = stream.next().await;
        assert_eq!(action.data["seq"], 3);
        assert_eq!(stream.next_undo_request().await, overtaken);
        for agreed in [json!([0]), json!([0, 1]), json!([0, 1, 2])] {
            assert_eq!(
                stream.next_undo_request().await["undo_request"]["agreed"],
                agreed
            );
        }
        let undone = stream.next().await;
        let payload = json!({"kind": "undo", "to": 0});
        assert_eq!(
            (&undone.data["seq"], &undone.data["payload"]),
            (&json!(4), &payload)
        );
        assert_eq!(stream.next_undo_request().await, overtaken);
    }
    // A stream of one player does not contain undo requests in the games of others.
    let bots = json!({"edition": "antike", "board": "antike-east", "seats": [
        {"player": {"id": "mago"}}, {"player": {"placeholder": "Else"}},
        {"player": {"bot": "random"}}, {"player": {"bot": "random"}}]});
    let created = server.create("/v1/games", &token, bots).await;
    let sent = of_others.next().await;
    assert_eq!((&sent.data["game"], sent.name), (&created["id"], None));
}

#[tokio::test]
async fn consent_ends_with_the_next_event() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    let actions = format!("{path}/actions");
    let undo = format!("{path}/undo");
    let turn = turn("iron");
    server.create(&actions, &tokens[0], turn.clone()).await;
    for token in &tokens[..3] {
        server.post(&undo, token, json!({"to": 0})).await.ok(202);
    }
    let next = server.read(&path).await["pending"][0]["seat"]
        .as_u64()
        .unwrap();
    server.create(&actions, &tokens[next as usize], turn).await;
    let asked = server
        .post(&undo, &tokens[3], json!({"to": 0}))
        .await
        .ok(202);
    assert_eq!(asked["missing"], json!([0, 1, 2]));
}

#[tokio::test]
async fn bots_always_agree() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let before = server.read(&playing.path).await;
    server
        .act(&playing.path, &playing.token, turn("iron"))
        .await;
    let undo = json!({"to": playing.seq});
    let undone = server
        .create(&playing.at("undo"), &playing.token, undo)
        .await;
    assert_eq!(undone["game"]["state"], before["state"]);
}

/// Moves the stone, checks whether there is a choice then, and ends the turn. Returns the state after the stone.
async fn move_and_end(server: &TestServer, game: &TestGame, field: &str, choice: bool) -> Value {
    let stone = json!({"type": "move_stone", "field": field});
    let moved = server.act(&game.path, &game.token, stone).await;
    let list = server.read(&game.at("legal-actions")).await;
    assert_eq!(array(&list["actions"]).len() > 1, choice, "{list}");
    let end = json!({"type": "end_turn"});
    let ended = server.act(&game.path, &game.token, end).await;
    assert!(array(&ended["events"]).len() > 3, "bots answer");
    moved["game"]["state"].clone()
}

#[tokio::test]
async fn undo_goes_to_the_own_last_decision_past_the_moves_of_bots() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let undo = playing.at("undo");
    let before = server.read(&playing.path).await;
    let moved = move_and_end(&server, &playing, "arming", true).await;
    // Each undo removes one decision of the player, and no bot moves before the player does.
    for expected in [&moved, &before["state"]] {
        let undone = server.create(&undo, &playing.token, json!({})).await;
        assert_eq!(&undone["game"]["state"], expected);
        assert_eq!(undone["game"]["pending"][0]["seat"], 0);
        assert_eq!(array(&undone["events"]).len(), 1);
        let game = server.read(&playing.path).await;
        assert_eq!(game["seq"], undone["seq"]);
    }
    // A request without a body is accepted as well; nothing is left to undo.
    let nothing = send(server.with(Method::POST, &undo, &playing.token)).await;
    nothing.problem(409, "nothing_to_undo");
}

#[tokio::test]
async fn undo_skips_what_was_the_only_legal_action() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let undo = playing.at("undo");
    let before = server.read(&playing.path).await;
    // There are no units yet, so that the turn can only end. To undo just the end would let the bots move again.
    move_and_end(&server, &playing, "maneuver_1", false).await;
    let undone = server.create(&undo, &playing.token, json!({})).await;
    assert_eq!(undone["game"]["state"], before["state"]);
    assert_eq!(undone["game"]["pending"][0]["seat"], 0);
    // Within the turn, the stone is the last decision.
    let stone = json!({"type": "move_stone", "field": "maneuver_1"});
    server.act(&playing.path, &playing.token, stone).await;
    let nothing_more = server.create(&undo, &playing.token, json!({})).await;
    assert_eq!(nothing_more["game"]["state"], before["state"]);
}

#[tokio::test]
async fn undo_of_the_own_last_decision_asks_people_who_have_acted_since() {
    let server = TestServer::start();
    let (path, tokens, organizer) = server.game_of_people().await;
    let undo = format!("{path}/undo");
    play_first_turn(&server, &path, &tokens).await;
    let next = server.read(&path).await["pending"][0]["seat"]
        .as_u64()
        .unwrap() as usize;
    let stone = json!({"type": "move_stone", "field": "iron"});
    let actions = format!("{path}/actions");
    server.create(&actions, &tokens[next], stone).await;
    let other = (1..4).find(|seat| *seat != next).unwrap();
    let nothing = server.post(&undo, &tokens[other], json!({})).await;
    nothing.problem(409, "nothing_to_undo");
    let asked = server.post(&undo, &tokens[0], json!({})).await.ok(202);
    // After this stone, the turn could only end.
    assert_eq!(
        (&asked["to"], &asked["missing"]),
        (&json!(0), &json!([1, 2, 3]))
    );
    // The decisions of a previous player of the seat are not the new player's own.
    let body = json!({"player": {"placeholder": "Mago"}});
    let seat = format!("{path}/seats/0");
    let mago = server.put(&seat, &organizer, body).await.ok(200);
    let nothing = server.post(&undo, &text(&mago["token"]), json!({})).await;
    nothing.problem(409, "nothing_to_undo");
}

#[tokio::test]
async fn an_undo_can_be_repeated_and_checks_the_tag() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    let stone = json!({"type": "move_stone", "field": "iron"});
    server.act(&path, &tokens[0], stone).await;
    let undo = async |name: &'static str, value: &str| {
        let request = server.with(Method::POST, &format!("{path}/undo"), &tokens[0]);
        send(request.header(name, value).json(&json!({"to": 0}))).await
    };
    undo("If-Match", "\"0\"").await.problem(412, "stale_view");
    let first = undo("Idempotency-Key", "u").await.ok(201);
    assert_eq!(undo("Idempotency-Key", "u").await.ok(201), first);
    assert_eq!(server.read(&path).await["seq"], 2);
    let body = json!({"to": -1});
    let bad = server.post(&format!("{path}/undo"), &tokens[0], body).await;
    bad.invalid("to");
}

#[tokio::test]
async fn an_organizer_ends_a_game() {
    let server = TestServer::start();
    let (path, tokens, organizer) = server.game_of_people().await;
    let adjudication = format!("{path}/adjudication");
    let ranks = |ranks: [u8; 4]| {
        let rank = |(seat, rank): (usize, &u8)| json!({"seat": seat, "rank": rank});
        json!(ranks.iter().enumerate().map(rank).collect::<Vec<_>>())
    };
    let good = json!({"ranks": ranks([2, 1, 1, 4]), "note": "time was up"});
    server
        .post(&adjudication, "", good.clone())
        .await
        .unauthenticated();
    server
        .post(&adjudication, &tokens[0], good.clone())
        .await
        .forbidden();
    let bad: [(Value, &str); 5] = [
        (json!({"ranks": ranks([2, 2, 2, 2])}), "ranks"),
        (json!({"ranks": ranks([1, 2, 3, 5])}), "ranks"),
        (json!({"ranks": [{"seat": 0, "rank": 1}]}), "ranks"),
        (
            json!({"ranks": ranks([1, 2, 3, 4]), "reason": "goal"}),
            "reason",
        ),
        (
            json!({"ranks": ranks([1, 2, 3, 4]), "note": "x".repeat(1001)}),
            "note",
        ),
    ];
    for (body, field) in bad {
        let answer = server.post(&adjudication, &organizer, body).await;
        answer.invalid(field);
    }
    let over = server.create(&adjudication, &organizer, good.clone()).await;
    assert_eq!(over["events"][0]["kind"], "adjudicate");
    let payload = &over["events"][0]["payload"];
    assert_eq!(payload["kind"], "adjudicate");
    assert_eq!(payload["note"], "time was up");
    assert_eq!(
        (&payload["reason"], &payload["ranks"]),
        (
            &over["game"]["result"]["reason"],
            &over["game"]["result"]["ranks"]
        )
    );
    let result = &over["game"]["result"];
    assert_eq!(result["reason"], "adjudication");
    assert_eq!(
        (&result["ranks"][0]["seat"], &result["ranks"][0]["share"]),
        (&json!(1), &json!(0.5))
    );
    server
        .post(&adjudication, &organizer, good)
        .await
        .problem(409, "game_over");
    let record = server.read(&format!("{path}/record?events=true")).await;
    let record: records::Record = serde_json::from_value(record).unwrap();
    record.verify(engine::content::Library::embedded()).unwrap();
}
