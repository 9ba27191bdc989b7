//! Going back, and ending by decision.

use crate::support::{TestServer, send};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn the_own_turn_can_be_taken_back() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    let actions = format!("{path}/actions");
    let undo = format!("{path}/undo");
    let before = server.get(&path).await.ok(200);
    let stone = |field: &str| json!({"type": "move_stone", "field": field});
    server
        .post(&actions, &tokens[0], stone("iron"))
        .await
        .ok(201);
    server
        .post(&undo, "", json!({"to": 0}))
        .await
        .problem(401, "unauthenticated");
    let undone = server
        .post(&undo, &tokens[0], json!({"to": 0}))
        .await
        .ok(201);
    assert_eq!(undone["events"][0]["kind"], "undo");
    assert_eq!(undone["events"][0]["notation"], "undo 0");
    assert_eq!(undone["game"]["seq"], 2);
    assert_eq!(undone["game"]["state"], before["state"]);
    // Again, past the undo, and back to the undo itself.
    server
        .post(&actions, &tokens[0], stone("gold"))
        .await
        .ok(201);
    let undone = server
        .post(&undo, &tokens[0], json!({"to": 2}))
        .await
        .ok(201);
    assert_eq!(undone["game"]["state"], before["state"]);
    server
        .post(&actions, &tokens[0], stone("marble"))
        .await
        .ok(201);
    // What was undone no longer counts.
    for to in [1, 3, 5, 99] {
        let problem = server.post(&undo, &tokens[0], json!({"to": to})).await;
        assert_eq!(problem.problem(422, "invalid_body")["field"], "to");
    }
    // The record keeps it, marked.
    let record = server
        .get(&format!("{path}/record?events=true"))
        .await
        .ok(200);
    let marked = json!(["-stone iron", "-stone gold", "stone marble"]);
    assert_eq!(record["actions"], marked);
    let record: engine::record::Record = serde_json::from_value(record).unwrap();
    record.verify(engine::content::Library::embedded()).unwrap();
    // The game is the same when it is folded anew.
    let now = server.get(&path).await.ok(200);
    let server = server.restart();
    assert_eq!(server.get(&path).await.ok(200), now);
}

#[tokio::test]
async fn what_others_have_seen_is_taken_back_with_their_consent_only() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    let actions = format!("{path}/actions");
    let undo = format!("{path}/undo");
    let turn = json!({"actions": [{"type": "move_stone", "field": "iron"}, {"type": "end_turn"}]});
    server.post(&actions, &tokens[0], turn).await.ok(201);
    let wish = json!({"to": 0});
    let asked = server.post(&undo, &tokens[0], wish.clone()).await.ok(202);
    assert_eq!(
        asked,
        json!({"seq": 2, "to": 0, "agreed": [0], "missing": [1, 2, 3]})
    );
    server.post(&undo, &tokens[1], wish.clone()).await.ok(202);
    server
        .post(&undo, &tokens[2], json!({"to": 1}))
        .await
        .ok(202);
    server.post(&undo, &tokens[3], wish.clone()).await.ok(202);
    assert_eq!(server.get(&path).await.ok(200)["seq"], 2);
    let done = server.post(&undo, &tokens[2], wish).await.ok(201);
    assert_eq!(done["game"]["seq"], 3);
    assert_eq!(done["game"]["state"]["turn"], 1);
}

#[tokio::test]
async fn a_consent_ends_when_the_game_goes_on() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    let actions = format!("{path}/actions");
    let undo = format!("{path}/undo");
    let turn = json!({"actions": [{"type": "move_stone", "field": "iron"}, {"type": "end_turn"}]});
    server
        .post(&actions, &tokens[0], turn.clone())
        .await
        .ok(201);
    for token in &tokens[..3] {
        server.post(&undo, token, json!({"to": 0})).await.ok(202);
    }
    let next = server.get(&path).await.ok(200)["pending"][0]["seat"]
        .as_u64()
        .unwrap();
    server
        .post(&actions, &tokens[next as usize], turn)
        .await
        .ok(201);
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
    let before = server.get(&playing.path).await.ok(200);
    let turn = json!({"actions": [{"type": "move_stone", "field": "iron"}, {"type": "end_turn"}]});
    server
        .post(&playing.at("actions"), &playing.token, turn)
        .await
        .ok(201);
    let undo = json!({"to": playing.seq});
    let undone = server
        .post(&playing.at("undo"), &playing.token, undo)
        .await
        .ok(201);
    assert_eq!(undone["game"]["state"], before["state"]);
}

#[tokio::test]
async fn an_undo_is_repeated_safely_and_guarded_by_the_view() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    let stone = json!({"type": "move_stone", "field": "iron"});
    server
        .post(&format!("{path}/actions"), &tokens[0], stone)
        .await
        .ok(201);
    let undo = async |name: &'static str, value: &str| {
        let request = server.with(Method::POST, &format!("{path}/undo"), &tokens[0]);
        send(request.header(name, value).json(&json!({"to": 0}))).await
    };
    undo("If-Match", "\"0\"").await.problem(412, "stale_view");
    let first = undo("Idempotency-Key", "u").await.ok(201);
    assert_eq!(undo("Idempotency-Key", "u").await.ok(201), first);
    assert_eq!(server.get(&path).await.ok(200)["seq"], 2);
    let body = json!({"to": -1});
    let bad = server.post(&format!("{path}/undo"), &tokens[0], body).await;
    assert_eq!(bad.problem(422, "invalid_body")["field"], "to");
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
        .problem(401, "unauthenticated");
    server
        .post(&adjudication, &tokens[0], good.clone())
        .await
        .problem(403, "forbidden");
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
        assert_eq!(answer.problem(422, "invalid_body")["field"], field);
    }
    let over = server
        .post(&adjudication, &organizer, good.clone())
        .await
        .ok(201);
    assert_eq!(over["events"][0]["kind"], "adjudicate");
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
    let record = server
        .get(&format!("{path}/record?events=true"))
        .await
        .ok(200);
    let record: engine::record::Record = serde_json::from_value(record).unwrap();
    record.verify(engine::content::Library::embedded()).unwrap();
}
