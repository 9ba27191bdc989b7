//! Actions: single ones, lists, dry runs, views, repeated requests, legal actions.

use super::support::{TestGame, TestServer, array, send, text};
use reqwest::Method;
use serde_json::{Value, json};

fn stone(field: &str) -> Value {
    json!({"type": "move_stone", "field": field})
}

fn end() -> Value {
    json!({"type": "end_turn"})
}

async fn legal(server: &TestServer, playing: &TestGame) -> Value {
    server.read(&playing.at("legal-actions")).await
}

#[tokio::test]
async fn three_turns_are_played_against_bots() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let mut seq = playing.seq;
    for field in ["iron", "temple", "gold"] {
        let body = json!({"actions": [stone(field), end()]});
        let answer = server
            .post(&playing.at("actions"), &playing.token, body)
            .await;
        let acted = answer.ok(201);
        let events = array(&acted["events"]);
        // The player's own events first, then those of the bots, without a gap.
        assert_eq!(events[0]["notation"], format!("stone {field}"));
        assert_eq!(events[0]["nation"], "greeks");
        assert_eq!(events[1]["notation"], "end");
        for (event, expected) in events.iter().zip(seq + 1..) {
            assert_eq!(event["seq"], expected);
        }
        assert!(events[2..].iter().all(|event| event["nation"] != "greeks"));
        seq = acted["seq"].as_u64().unwrap();
        assert_eq!(answer.header("etag"), format!("\"{seq}\""));
        assert_eq!(acted["game"], server.read(&playing.path).await);
        assert_eq!(acted["game"]["pending"][0]["nation"], "greeks");
    }
    let game = server.read(&playing.path).await;
    assert_eq!(game["state"]["round"], 4);
    assert_eq!(game["state"]["nations"]["greeks"]["stone"], "gold");
}

#[tokio::test]
async fn every_listed_action_can_be_posted_as_it_is() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    for field in [None, Some("arming"), Some("gold")] {
        if let Some(field) = field {
            let body = json!({"actions": [end()]});
            if server.read(&playing.path).await["state"]["phase"] != "stone" {
                server.act(&playing.path, &playing.token, body).await;
            }
            let body = json!({"type": "move_stone", "field": field,
                "pay": if field == "gold" { json!({"coins": 1, "gold": 2}) } else { Value::Null }});
            let answer = server
                .post(&playing.at("actions"), &playing.token, body)
                .await;
            assert!([201, 422].contains(&answer.status), "{}", answer.text);
        }
        let listed = legal(&server, &playing).await;
        assert_eq!(listed["pending"][0]["nation"], "greeks");
        let actions = array(&listed["actions"]);
        assert!(!actions.is_empty());
        for action in actions {
            let path = playing.at("actions?dry_run=true");
            server
                .post(&path, &playing.token, action.clone())
                .await
                .ok(200);
        }
    }
}

#[tokio::test]
async fn all_payments_are_listed_on_demand() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    server
        .act(&playing.path, &playing.token, stone("temple"))
        .await;
    let count = async |query: &str| {
        let path = playing.at(&format!("legal-actions{query}"));
        array(&server.read(&path).await["actions"]).len()
    };
    assert_eq!(count("").await, count("?payments=default").await);
    assert!(count("?payments=all").await >= count("").await);
    let bad = server.get(&playing.at("legal-actions?payments=some")).await;
    bad.problem(422, "invalid_parameter");
    let bad = server.get(&playing.at("legal-actions?pay=all")).await;
    bad.invalid("pay");
}

#[tokio::test]
async fn a_refused_list_names_the_refused_action() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let stone_twice = json!({"actions": [stone("iron"), stone("temple")]});
    for (body, field) in [
        (json!({"actions": [end()]}), json!("actions[0]")),
        (stone_twice, json!("actions[1]")),
        (end(), Value::Null),
    ] {
        let answer = server
            .post(&playing.at("actions"), &playing.token, body)
            .await;
        assert_eq!(answer.problem(422, "illegal_action")["field"], field);
    }
}

#[tokio::test]
async fn an_illegal_action_is_refused_with_its_rule() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let actions = playing.at("actions");
    let temple = json!({"type": "build_temple", "region": "athen"});
    let problem = server.post(&actions, &playing.token, temple.clone()).await;
    let problem = problem.problem(422, "illegal_action");
    assert_eq!(problem["rule"], "A11");
    assert_eq!(problem["seq"], playing.seq);
    assert_eq!(problem["pending"][0]["nation"], "greeks");
    assert_eq!(problem["instance"], actions);
    // A list with an illegal action changes nothing, and the field names its position.
    let body = json!({"actions": [stone("temple"), {"type": "build_temple", "region": "roma"}]});
    let answer = server.post(&actions, &playing.token, body).await;
    if answer.json()["code"] == "illegal_action" {
        assert_eq!(answer.json()["field"], "actions[1].region");
    } else {
        answer.invalid("actions[1].region");
    }
    assert_eq!(server.read(&playing.path).await["seq"], playing.seq);
}

#[tokio::test]
async fn bodies_that_are_no_actions_name_the_field() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let many = json!({"actions": vec![end(); 201]});
    let cases = [
        (json!({"type": "dance"}), "type"),
        (json!({"field": "iron"}), "type"),
        (json!({"type": "move_stone"}), "field"),
        (
            json!({"type": "move_stone", "field": "iron", "speed": 9}),
            "speed",
        ),
        (json!({"type": "choose_city", "region": "moon"}), "region"),
        (json!({"type": "end_turn", "nation": 7}), "nation"),
        (json!({"type": "end_turn", "nation": "martians"}), "nation"),
        (json!({"actions": [end()], "also": 1}), "also"),
        (json!({"actions": []}), "actions"),
        (json!({"actions": 5}), "actions"),
        (json!({"actions": [5]}), "actions[0]"),
        (
            json!({"actions": [stone("iron"), {"type": "develop", "know_how": "x"}]}),
            "actions[1].know_how",
        ),
        (many, "actions"),
    ];
    for (body, field) in cases {
        let answer = server
            .post(&playing.at("actions"), &playing.token, body.clone())
            .await;
        answer.invalid(field);
    }
    let list = server
        .post(&playing.at("actions"), &playing.token, json!([end()]))
        .await;
    list.problem(422, "invalid_body");
    let query = server
        .post(&playing.at("actions?dry=1"), &playing.token, end())
        .await;
    query.invalid("dry");
}

#[tokio::test]
async fn only_the_seat_to_act_can_act() {
    let server = TestServer::start();
    let (path, tokens, organizer) = server.game_of_people().await;
    let actions = format!("{path}/actions");
    let act = async |token: &str| server.post(&actions, token, stone("iron")).await;
    act("").await.unauthenticated();
    act("0").await.unauthenticated();
    act(&organizer).await.forbidden();
    let problem = act(&tokens[1]).await.problem(409, "not_your_turn");
    assert_eq!(problem["pending"][0]["nation"], "greeks");
    let mut other = stone("iron");
    other["nation"] = json!("phoenicians");
    server.post(&actions, &tokens[0], other).await.forbidden();
    let basic = server
        .request(Method::POST, &actions)
        .header("Authorization", "Basic eA==");
    send(basic.json(&stone("iron"))).await.unauthenticated();
    act(&tokens[0]).await.ok(201);
}

#[tokio::test]
async fn an_action_before_the_start_is_refused() {
    let server = TestServer::start();
    let body = json!({"edition": "antike", "board": "antike-east", "seats": [
        {"player": "open"}, {"player": {"placeholder": "me"}}, {"player": {"bot": "random"}}]});
    let game = server.create("/v1/games", "", body).await;
    let token = text(&game["tokens"]["seats"]["1"]);
    let path = format!("/v1/games/{}/actions", text(&game["id"]));
    server
        .post(&path, &token, end())
        .await
        .problem(409, "not_started");
}

#[tokio::test]
async fn an_old_view_is_refused() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let act = async |tags: &str| {
        let request = server.with(Method::POST, &playing.at("actions"), &playing.token);
        send(request.header("If-Match", tags).json(&stone("iron"))).await
    };
    let old = format!("\"{}\"", playing.seq - 1);
    let problem = act(&old).await.problem(412, "stale_view");
    assert_eq!(problem["seq"], playing.seq);
    act("nonsense").await.problem(412, "stale_view");
    // A caller who may never act here receives that refusal instead.
    let stranger = server.with(Method::POST, &playing.at("actions"), "");
    send(stranger.header("If-Match", &old).json(&stone("iron")))
        .await
        .unauthenticated();
    act(&format!("{old}, \"{}\"", playing.seq)).await.ok(201);
    let request = server.with(Method::POST, &playing.at("actions"), &playing.token);
    send(request.header("If-Match", "*").json(&end()))
        .await
        .ok(201);
}

#[tokio::test]
async fn a_repeated_request_acts_once() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let act = async |key: &str, body: Value| {
        let request = server.with(Method::POST, &playing.at("actions"), &playing.token);
        send(request.header("Idempotency-Key", key).json(&body)).await
    };
    let first = act("a", stone("iron")).await;
    let again = act("a", stone("iron")).await;
    assert_eq!(first.ok(201), again.ok(201));
    assert_eq!(first.header("etag"), again.header("etag"));
    assert_eq!(server.read(&playing.path).await["seq"], playing.seq + 1);
    act("a", stone("gold"))
        .await
        .problem(422, "idempotency_conflict");
    // A refused request stores nothing under its key.
    act("b", stone("iron")).await.problem(422, "illegal_action");
    act("b", end()).await.ok(201);
    // Keys are visible ASCII only, as the specification requires.
    for wrong in [&"k".repeat(201), "two words", "a\ttab", "clé", ""] {
        act(wrong, end()).await.invalid("Idempotency-Key");
    }
}

#[tokio::test]
async fn a_dry_run_changes_nothing() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let before = server.read(&playing.path).await;
    let body = json!({"actions": [stone("iron"), end()]});
    let path = playing.at("actions?dry_run=true");
    let answer = server.post(&path, &playing.token, body).await;
    assert_eq!(answer.header("etag"), format!("\"{}\"", playing.seq));
    let tried = answer.ok(200);
    assert_eq!(array(&tried["events"]).len(), 2);
    assert_eq!(tried["game"]["state"]["nations"]["greeks"]["iron"], 2);
    assert_eq!(tried["game"]["seed"], Value::Null);
    assert_eq!(server.read(&playing.path).await, before);
    server.post(&path, "", end()).await.unauthenticated();
    server
        .post(&path, &playing.token, end())
        .await
        .problem(422, "illegal_action");
}

#[tokio::test]
async fn a_player_who_resigns_is_out_and_the_last_seat_wins() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    let actions = format!("{path}/actions");
    let resign = json!({"type": "resign"});
    // The player resigns out of turn, so the notation names the nation.
    let acted = server.create(&actions, &tokens[1], resign.clone()).await;
    assert_eq!(acted["events"][0]["notation"], "phoenicians: resign");
    server
        .post(&actions, &tokens[1], resign.clone())
        .await
        .problem(422, "illegal_action");
    server.create(&actions, &tokens[2], resign.clone()).await;
    let over = server.create(&actions, &tokens[3], resign).await;
    assert_eq!(over["game"]["status"], "finished");
    assert_eq!(over["game"]["result"]["reason"], "resignation");
    assert_eq!(over["game"]["result"]["ranks"][0]["seat"], 0);
    assert_eq!(over["game"]["pending"], json!([]));
    let late = server.post(&actions, &tokens[0], stone("iron")).await;
    assert_eq!(late.problem(409, "game_over")["seq"], 3);
    assert_eq!(
        server.read(&format!("{path}/legal-actions")).await["actions"],
        json!([])
    );
}

/// Creates a game in which the Greeks can march two legions into a Phoenician one. Returns the path of the
/// game, the tokens, and the two regions.
async fn battlefield(server: &TestServer) -> (String, Vec<String>, String, String) {
    let (path, _, _) = server.game_of_people().await;
    let game = server.read(&path).await;
    let board = server.read("/v1/boards/antike-east").await;
    let state = &game["state"];
    let city = |region: &Value| state["regions"].get(region.as_str().unwrap()).is_some();
    let border = array(&board["borders"])
        .iter()
        .find(|border| border[2] != "sea" && !city(&border[0]) && !city(&border[1]));
    let (from, to) = (text(&border.unwrap()[0]), text(&border.unwrap()[1]));
    let mut position = state.clone();
    position["phase"] = json!("action");
    position["nations"]["greeks"]["stone"] = json!("maneuver_1");
    for nation in ["greeks", "phoenicians", "persians", "arabs"] {
        position["nations"][nation]
            .as_object_mut()
            .unwrap()
            .remove("supply");
    }
    position["regions"][&from] = json!({"units": {"greeks": {"legions": 2}}});
    position["regions"][&to] = json!({"units": {"phoenicians": {"legions": 3}}});
    position["turn_state"]["field"] = json!("maneuver_1");
    position["turn_state"]["units"] = json!({&from: {"legions": {"1": 2}}});
    let seats = ["greeks", "phoenicians", "persians", "arabs"];
    let seats = seats.map(|nation| json!({"nations": [nation], "player": {"placeholder": nation}}));
    let body = json!({"edition": "antike", "board": "antike-east", "first": "greeks",
        "seats": seats, "position": position});
    let game = server.create("/v1/games", "", body).await;
    let token = |seat: usize| text(&game["tokens"]["seats"][seat.to_string()]);
    let tokens = (0..4).map(token).collect();
    (format!("/v1/games/{}", text(&game["id"])), tokens, from, to)
}

#[tokio::test]
async fn within_a_maneuver_every_request_is_repeated_safely() {
    let server = TestServer::start();
    let (path, tokens, from, to) = battlefield(&server).await;
    let twice = async |part: &str, seat: usize, body: Value| {
        let path = format!("{path}/{part}");
        let once = || {
            let request = server.with(Method::POST, &path, &tokens[seat]);
            send(request.header("Idempotency-Key", part).json(&body))
        };
        let first = once().await.ok(201);
        assert_eq!(once().await.ok(201), first);
        first
    };
    let march = json!({"type": "march", "unit": "legion", "count": 1, "from": from, "to": to});
    let acted = twice("actions", 0, march).await;
    assert_eq!(acted["game"]["pending"][0]["kind"], "battle_answer");
    let undone = twice("undo", 0, json!({"to": 0})).await;
    assert_eq!(undone["seq"], 2);
}

#[tokio::test]
async fn a_march_waits_for_an_answer_unless_there_are_orders() {
    let server = TestServer::start();
    for (orders, answer) in [
        (json!([]), None),
        (json!([{"battle": "ask"}]), None),
        (json!([{"battle": "allow"}]), Some("answer 0")),
        (
            json!([{"battle": "allow"}, {"against": "greeks", "battle": "demand"}]),
            Some("answer 2"),
        ),
        (json!([{"against": "arabs", "battle": "demand"}]), None),
    ] {
        let (path, tokens, from, to) = battlefield(&server).await;
        let place = format!("{path}/seats/1/orders");
        server.put(&place, &tokens[1], orders.clone()).await.ok(200);
        let march = json!({"type": "march", "unit": "legion", "count": 2, "from": from, "to": to});
        let acted = server.act(&path, &tokens[0], march).await;
        let answered = acted["events"].get(1).map(|event| text(&event["notation"]));
        match answer {
            Some(answer) => assert!(answered.unwrap().ends_with(answer), "{orders}"),
            None => {
                assert_eq!(answered, None, "{orders}");
                let pending = &acted["game"]["pending"][0];
                assert_eq!(pending["kind"], "battle_answer");
                assert_eq!(
                    (&pending["nation"], &pending["most"]),
                    (&json!("phoenicians"), &json!(2))
                );
                // An order that is set now answers the question.
                let now = json!([{"battle": "demand"}]);
                server.put(&place, &tokens[1], now).await.ok(200);
                let game = server.read(&path).await;
                assert_eq!(game["seq"], 2);
                assert_eq!(game["pending"][0]["kind"], "turn");
            }
        }
        // The orders would answer again in the same way, so undo does not go back to the answer.
        let undo = format!("{path}/undo");
        let refused = server.post(&undo, &tokens[1], json!({})).await;
        refused.problem(409, "nothing_to_undo");
    }
}

#[tokio::test]
async fn concurrent_writers_lose_nothing() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let posts = (0..8).map(|_| {
        let request = server.with(Method::POST, &playing.at("actions"), &playing.token);
        tokio::spawn(send(request.json(&stone("iron"))))
    });
    let mut created = 0;
    for post in posts.collect::<Vec<_>>() {
        let answer = post.await.unwrap();
        match answer.status {
            201 => created += 1,
            _ => assert_eq!(answer.problem(422, "illegal_action")["rule"], "A11"),
        }
    }
    assert_eq!(created, 1);
    assert_eq!(server.read(&playing.path).await["seq"], playing.seq + 1);
}

#[tokio::test]
async fn an_impossible_value_is_named_by_its_field() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let stone =
        |field: Value, pay: Value| json!({"type": "move_stone", "field": field, "pay": pay});
    for (action, field) in [
        (json!({"type": "move_stoner"}), "type"),
        (stone(json!("metal"), json!({})), "field"),
        (stone(json!(7), json!({})), "field"),
        (stone(json!("iron"), json!({"gold": -1})), "pay.gold"),
        (stone(json!("iron"), json!({"gold": 256})), "pay.gold"),
        (stone(json!("iron"), json!({"gold": "two"})), "pay.gold"),
        (json!({"type": "recruiting"}), "type"),
    ] {
        let at = playing.at("actions");
        let one = server.post(&at, &playing.token, action.clone()).await;
        one.invalid(field);
        let list = json!({"actions": [{"type": "end_turn"}, action]});
        let several = server.post(&at, &playing.token, list).await;
        several.invalid(&format!("actions[1].{field}"));
    }
}

#[tokio::test]
async fn a_list_names_the_action_that_is_out_of_turn() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    let seq = server.read(&path).await["seq"].clone();
    let path = format!("{path}/actions");
    let body = json!({"actions": [stone("iron"), end(), stone("gold"), end()]});
    let answer = server.post(&path, &tokens[0], body).await;
    let problem = answer.problem(409, "not_your_turn");
    assert_eq!(problem["field"], "actions[2]");
    // The answer names the seat that would have to act after the two actions before, neither of which is stored.
    assert_eq!(problem["applied"], 2);
    assert_eq!(problem["pending"][0]["nation"], "phoenicians");
    assert_eq!(problem["seq"], seq);
    let body = json!({"actions": [stone("iron"), stone("gold")]});
    let answer = server.post(&path, &tokens[0], body).await;
    let problem = answer.problem(422, "illegal_action");
    assert_eq!(
        (&problem["field"], &problem["applied"]),
        (&json!("actions[1]"), &json!(1))
    );
    assert_eq!(problem["pending"][0]["nation"], "greeks");
    // A single action is checked against the current state.
    let problem = server.post(&path, &tokens[1], stone("gold")).await;
    let problem = problem.problem(409, "not_your_turn");
    assert_eq!(problem["pending"][0]["nation"], "greeks");
    assert!(problem.get("field").is_none() && problem.get("applied").is_none());
}

#[tokio::test]
async fn unchanged_legal_actions_are_not_sent_again() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let path = playing.at("legal-actions?payments=all");
    let first = server.get(&path).await;
    let known = async |tag: &str| {
        let request = server.request(Method::GET, &path);
        send(request.header("If-None-Match", tag)).await
    };
    let again = known(first.header("etag")).await;
    assert_eq!((again.status, again.text.as_str()), (304, ""));
    assert_eq!(again.header("etag"), first.header("etag"));
    let body = json!({"actions": [stone("iron"), end()]});
    server.act(&playing.path, &playing.token, body).await;
    let other = known(first.header("etag")).await;
    assert_ne!(other.ok(200)["seq"], first.ok(200)["seq"]);
}

/// In JSON Schema a whole number is an integer in any notation.
#[tokio::test]
async fn integers_may_have_a_decimal_point() {
    let server = TestServer::start();
    let bot = json!({"player": {"bot": "random"}});
    let game = json!({"edition": "antike", "board": "antike-east", "max_rounds": 3.0,
        "first": 0e0, "seats": [{"player": "open"}, bot, bot]});
    assert!(game.to_string().contains("3.0"), "it is sent as it stands");
    let made = server.create("/v1/games", "", game.clone()).await;
    assert_eq!(made["max_rounds"], 3);
    let mut other = game;
    other["max_rounds"] = json!(3.5);
    let problem = server.post("/v1/games", "", other).await;
    problem.invalid("max_rounds");
}
