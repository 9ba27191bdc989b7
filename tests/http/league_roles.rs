//! Roles in leagues, settings, registration, reports of results, and disputes.

use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::register;
use super::leagues::{full_league, league, result};
use super::support::{PATIENCE, TestServer, array, send, text};

async fn put(server: &TestServer, path: &str, token: &str, body: Value) -> super::support::Answer {
    server.put(path, token, body).await
}

#[tokio::test]
async fn roles_decide_who_may_do_what() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 6, 0, json!({})).await;
    let owner = &members[0].1;
    for (number, role) in [(1, "organizer"), (2, "referee"), (3, "scorer")] {
        let at = format!("{path}/roles/player{number}");
        put(&server, &at, &members[5].1, json!({"role": role}))
            .await
            .forbidden();
        let set = put(&server, &at, owner, json!({"role": role}))
            .await
            .ok(200);
        assert!(
            array(&set["roles"]).iter().any(|one| one["role"] == role),
            "{set}"
        );
        let again = put(&server, &at, owner, json!({"role": role})).await;
        again.problem(409, "already_organizer");
    }
    let bad = put(
        &server,
        &format!("{path}/roles/player4"),
        owner,
        json!({"role": "king"}),
    )
    .await;
    bad.problem(422, "invalid_body");
    put(
        &server,
        &format!("{path}/roles/nobody"),
        owner,
        json!({"role": "scorer"}),
    )
    .await
    .not_found();
    put(
        &server,
        &format!("{path}/roles/player4"),
        owner,
        json!({"role": null}),
    )
    .await
    .not_found();
    // The number is how many of owner, organizer, referee, scorer and member may do it.
    let entered = |round: u16| {
        let mut new = result(&members, &[(4, 1), (5, 2)]);
        new["round"] = json!(round);
        new
    };
    let tokens: Vec<&String> = members[..4]
        .iter()
        .chain(&members[4..5])
        .map(|(_, token)| token)
        .collect();
    for (may, token) in tokens.iter().enumerate() {
        let results = format!("{path}/results");
        let answer = server.post(&results, token, entered(may as u16 + 1)).await;
        assert_eq!(
            answer.status,
            if may < 4 { 201 } else { 403 },
            "{may}: {}",
            answer.text
        );
        let correction =
            json!({"type": "adjudicate", "ranks": [2, 1], "note": format!("by {may}")});
        let answer = server
            .post(&format!("{path}/tables/1/corrections"), token, correction)
            .await;
        assert_eq!(
            answer.status,
            if may < 3 { 201 } else { 403 },
            "{may}: {}",
            answer.text
        );
        let added = json!({"placeholder": format!("Guest {may}")});
        let answer = server.post(&format!("{path}/members"), token, added).await;
        assert_eq!(
            answer.status,
            if may < 2 { 201 } else { 403 },
            "{may}: {}",
            answer.text
        );
        let at = format!("{path}/roles/player5");
        let answer = put(&server, &at, token, json!({"role": "scorer"})).await;
        assert_eq!(
            answer.status,
            if may < 1 { 200 } else { 403 },
            "{may}: {}",
            answer.text
        );
    }
    // Everybody may give up a role, but an owner remains.
    let own = format!("{path}/roles/player2");
    put(&server, &own, &members[2].1, json!({"role": null}))
        .await
        .ok(200);
    put(
        &server,
        &format!("{path}/roles/player1"),
        owner,
        json!({"role": "scorer"}),
    )
    .await
    .ok(200);
    let last = put(
        &server,
        &format!("{path}/roles/player0"),
        owner,
        json!({"role": "referee"}),
    )
    .await;
    last.problem(409, "last_organizer");
}

#[tokio::test]
async fn a_former_organizer_does_not_see_private_tables() {
    let server = TestServer::start();
    let private = json!({"visibility": "private"});
    let (path, members) = full_league(&server, 4, 0, private).await;
    let (_, helper) = register(&server, "helper").await;
    let role = format!("{path}/roles/helper");
    let organizer = json!({"role": "organizer"});
    put(&server, &role, &members[0].1, organizer).await.ok(200);
    let seats = members.iter().map(|(id, _)| json!({ "member": id }));
    let tables = json!({"round": 1, "edition": "antike", "board": "antike-east",
        "tables": [{"seats": seats.collect::<Vec<_>>()}]});
    let path = format!("{path}/tables");
    let made = server.create(&path, &helper, tables).await;
    let game = format!("/v1/games/{}", text(&made["tables"][0]["game"]));
    server.get_with(&game, &helper).await.ok(200);
    let hook = json!({"for": {"game": made["tables"][0]["game"]}, "url": "https://1.1.1.1/hook",
        "events": ["game_finished"]});
    let hooks = "/v1/webhooks";
    server.post(hooks, &helper, hook.clone()).await.ok(201);
    let events = server.with(Method::GET, &format!("{game}/events?follow=true"), &helper);
    let stream = events.send().await.unwrap();
    assert_eq!(stream.status(), 200);
    let former = json!({"role": null});
    put(&server, &role, &members[0].1, former).await.ok(200);
    server.get_with(&game, &helper).await.not_found();
    server.post(hooks, &helper, hook).await.not_found();
    let ended = tokio::time::timeout(PATIENCE, stream.text()).await;
    ended.expect("the stream did not end").unwrap();
}

#[tokio::test]
async fn registration_asks_questions_and_organizers_admit() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let (hanno, of_hanno) = register(&server, "hanno").await;
    let (_, of_mago) = register(&server, "mago").await;
    let path = league(&server, &of_dido, json!({"joining": "invited"})).await;
    let settings = format!("{path}/settings");
    let registrations = format!("{path}/registrations");
    let new = json!({"name": "Punic League", "description": "A game a month.", "joining": "approval",
        "questions": [{"text": "Which evenings?", "required": true}, {"text": "A wish?"}]});
    put(&server, &settings, &of_hanno, new.clone())
        .await
        .forbidden();
    let changed = put(&server, &settings, &of_dido, new.clone()).await.ok(200);
    assert_eq!(changed["name"], "Punic League");
    assert_eq!(
        changed["questions"][1],
        json!({"text": "A wish?", "required": false})
    );
    let listed = server.read("/v1/leagues").await;
    assert_eq!(listed["items"][0]["name"], "Punic League");
    let mut many = new.clone();
    many["questions"] = json!(vec![json!({"text": "Why?"}); 11]);
    put(&server, &settings, &of_dido, many)
        .await
        .problem(422, "invalid_body");

    let join = async |token: &str, body: Value| server.post(&registrations, token, body).await;
    join("", json!({})).await.unauthenticated();
    join(&of_hanno, json!({"answers": [" "]}))
        .await
        .invalid("answers[0]");
    join(&of_hanno, json!({"answers": ["a", "b", "c"]}))
        .await
        .invalid("answers");
    let members = format!("{path}/members");
    server
        .post(&members, &of_hanno, json!({"id": "hanno"}))
        .await
        .forbidden();
    let asked = join(&of_hanno, json!({"answers": ["Fridays"]}))
        .await
        .ok(201);
    assert_eq!(asked["state"], "requested");
    join(&of_hanno, json!({"answers": ["Fridays"]}))
        .await
        .problem(409, "already_requested");
    server.get_with(&registrations, &of_hanno).await.forbidden();
    let shown = server.get_with(&registrations, &of_dido).await.ok(200);
    assert_eq!(shown["items"][0]["state"], "requested");
    assert_eq!(
        shown["items"][0]["answers"][0],
        json!({"question": "Which evenings?", "answer": "Fridays"})
    );
    let events = server.get(&format!("{path}/events")).await.text;
    assert!(
        !events.contains("Fridays"),
        "answers are not part of the log"
    );
    let refused = server
        .delete(&format!("{members}/hanno"), &of_dido)
        .await
        .ok(200);
    assert_eq!(refused["requests"], json!([]));
    join(&of_hanno, json!({"answers": ["Sundays"]}))
        .await
        .ok(201);
    let admitted = server
        .post(&members, &of_dido, json!({"id": "hanno"}))
        .await
        .ok(201);
    assert_eq!(admitted["members"][0]["id"], json!(hanno));
    join(&of_hanno, json!({"answers": ["Sundays"]}))
        .await
        .problem(409, "already_member");

    // A link admits immediately, until it is withdrawn.
    let invitation = format!("{path}/invitation");
    server
        .post(&invitation, &of_hanno, json!({}))
        .await
        .forbidden();
    let link = send(server.with(Method::POST, &invitation, &of_dido))
        .await
        .ok(201);
    let code = text(&link["code"]);
    assert!(
        !server
            .get(&format!("{path}/events"))
            .await
            .text
            .contains(&code)
    );
    server.delete(&invitation, &of_dido).await.ok(200);
    server.delete(&invitation, &of_dido).await.not_found();
    let late = json!({"answers": ["Mondays"], "code": code});
    assert_eq!(join(&of_mago, late).await.ok(201)["state"], "requested");

    // A private league is shown to those with the code.
    let secret = league(
        &server,
        &of_dido,
        json!({"visibility": "private", "joining": "invited"}),
    )
    .await;
    let link = send(server.with(Method::POST, &format!("{secret}/invitation"), &of_dido))
        .await
        .ok(201);
    let register = format!("{secret}/registrations");
    server
        .post(&register, &of_hanno, json!({}))
        .await
        .not_found();
    server
        .post(&register, &of_hanno, json!({"code": "wrong"}))
        .await
        .not_found();
    let joined = server
        .post(&register, &of_hanno, json!({"code": link["code"]}))
        .await
        .ok(201);
    assert_eq!(joined["state"], "member");
    server.get_with(&secret, &of_hanno).await.ok(200);
    let deleted = send(server.with(Method::DELETE, "/v1/me", &of_mago)).await;
    assert_eq!(deleted.status, 204);
    let shown = server.get_with(&registrations, &of_dido).await.ok(200);
    assert!(!shown.to_string().contains("Mondays"), "{shown}");
}

#[tokio::test]
async fn leagues_are_archived_and_deleted_only_while_empty() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let (_, of_hanno) = register(&server, "hanno").await;
    let path = league(&server, &of_dido, json!({})).await;
    let members = format!("{path}/members");
    let archive =
        |archived: bool| json!({"name": "Punic Cup", "joining": "open", "archived": archived});
    let settings = format!("{path}/settings");
    let archived = put(&server, &settings, &of_dido, archive(true))
        .await
        .ok(200);
    assert_eq!(archived["archived"], true);
    let late = server
        .post(&members, &of_hanno, json!({"id": "hanno"}))
        .await;
    late.problem(409, "league_archived");
    put(&server, &settings, &of_dido, archive(false))
        .await
        .ok(200);
    server
        .post(&members, &of_hanno, json!({"id": "hanno"}))
        .await
        .ok(201);
    server.delete(&path, &of_hanno).await.forbidden();
    server
        .delete(&path, &of_dido)
        .await
        .problem(409, "league_not_empty");
    server
        .delete(&format!("{members}/hanno"), &of_hanno)
        .await
        .ok(200);
    server
        .delete(&path, &of_dido)
        .await
        .problem(409, "league_not_empty");
    let empty = league(&server, &of_dido, json!({"name": "Empty"})).await;
    assert_eq!(server.delete(&empty, &of_dido).await.status, 204);
    for part in ["", "/events", "/standings"] {
        server
            .get_with(&format!("{empty}{part}"), &of_dido)
            .await
            .not_found();
    }
    assert!(!server.get("/v1/leagues").await.text.contains("Empty"));
    let seasons = format!("{path}/seasons");
    server
        .post(&format!("{seasons}/2/closing"), &of_dido, json!({}))
        .await
        .not_found();
    let closed = server
        .post(&format!("{seasons}/1/closing"), &of_dido, json!({}))
        .await
        .ok(200);
    assert_eq!(closed["seasons"][0]["closed"], true);
    server
        .post(&format!("{seasons}/1/closing"), &of_dido, json!({}))
        .await
        .problem(409, "season_closed");
    let faults = server.faults(&server.services().signing.public_keys().unwrap());
    assert!(
        !faults.iter().any(|fault| fault.contains("league")),
        "{faults:?}"
    );
}

#[tokio::test]
async fn members_report_results_and_others_confirm_or_dispute_them() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 5, 0, json!({})).await;
    let (owner, hanno, mago, other) = (&members[0].1, &members[1].1, &members[2].1, &members[4].1);
    let reports = format!("{path}/reports");
    let game = |round: u16| {
        let mut new = result(&members, &[(1, 1), (2, 2), (3, 3)]);
        new["round"] = json!(round);
        json!({ "result": new })
    };
    let report = async |token: &str, body: Value| server.post(&reports, token, body).await;
    report(other, game(1)).await.forbidden();
    report(hanno, json!({})).await.invalid("table");
    let mut future = game(1);
    future["result"]["played_at"] = json!("2036-01-01T00:00:00Z");
    report(hanno, future).await.invalid("result.played_at");
    let made = report(hanno, game(1)).await.ok(201);
    assert_eq!(made["report"]["state"], "open");
    report(mago, game(1)).await.problem(409, "already_reported");
    let closing = format!("{path}/seasons/1/closing");
    server
        .post(&closing, owner, json!({}))
        .await
        .problem(409, "not_finished");
    let answer = async |number: u32, token: &str, body: Value| {
        server
            .post(&format!("{reports}/{number}/answer"), token, body)
            .await
    };
    let accept = json!({"accept": true});
    answer(9, owner, accept.clone()).await.not_found();
    answer(1, hanno, accept.clone()).await.forbidden();
    answer(1, other, accept.clone()).await.forbidden();
    answer(1, mago, json!({"accept": false})).await.forbidden();
    let confirmed = answer(1, mago, accept.clone()).await.ok(201);
    assert_eq!(confirmed["report"]["state"], "accepted");
    assert_eq!(confirmed["report"]["table"], 1);
    answer(1, owner, accept.clone())
        .await
        .problem(409, "already_answered");
    report(hanno, game(1)).await.problem(409, "already_counted");
    let standings = server.read(&format!("{path}/standings")).await;
    assert_eq!(standings["rows"][0]["points"], 5.0);

    // A dispute about a report needs an official who does not play, and a reason.
    report(hanno, game(2)).await.ok(201);
    let disputes = format!("{path}/disputes");
    let dispute = json!({"report": 2, "text": "Mago was second."});
    server
        .post(&disputes, other, dispute.clone())
        .await
        .forbidden();
    server.post(&disputes, mago, dispute.clone()).await.ok(201);
    server
        .post(&disputes, mago, dispute)
        .await
        .problem(409, "already_reported");
    answer(2, mago, accept.clone()).await.forbidden();
    answer(2, owner, accept).await.invalid("note");
    server
        .post(
            &format!("{disputes}/1/answer"),
            owner,
            json!({"text": "Yes."}),
        )
        .await
        .invalid("text");
    let decided = json!({"accept": false, "note": "The slip says otherwise."});
    assert_eq!(
        answer(2, owner, decided).await.ok(201)["report"]["state"],
        "rejected"
    );
    let shown = server.read(&disputes).await;
    assert_eq!(shown["items"][0]["answer"], "The slip says otherwise.");

    // A dispute about a table is answered with a text.
    let about = json!({"table": 1, "text": "We counted wrongly."});
    server.post(&disputes, mago, about).await.ok(201);
    // An official who plays at the table decides nothing about it.
    let referee = json!({"role": "referee"});
    server
        .put(&format!("{path}/roles/player2"), owner, referee)
        .await
        .ok(200);
    let correction = json!({"type": "adjudicate", "ranks": [3, 1, 2]});
    let corrections = format!("{path}/tables/1/corrections");
    server
        .post(&corrections, mago, correction.clone())
        .await
        .forbidden();
    let answered = format!("{disputes}/2/answer");
    server
        .post(&answered, mago, json!({"text": "I agree."}))
        .await
        .forbidden();
    let body = server
        .post(&answered, owner, json!({"text": "The board was cleared."}))
        .await
        .ok(201);
    assert_eq!(body["dispute"]["answered_by"], "player0");
    server
        .post(&answered, owner, json!({"text": "Again."}))
        .await
        .problem(409, "already_answered");

    // The result of a paired table that was played on a real board.
    let seats: Vec<Value> = (1..4)
        .map(|member| json!({"member": members[member].0}))
        .collect();
    let tables = json!({"round": 3, "edition": "antike", "board": "antike-east", "tables": [{"seats": seats}]});
    server
        .create(&format!("{path}/tables"), owner, tables)
        .await;
    report(hanno, json!({"table": 2, "ranks": [2, 1]}))
        .await
        .invalid("ranks");
    report(hanno, json!({"table": 2, "ranks": [2, 1, 3]}))
        .await
        .ok(201);
    answer(3, mago, json!({"accept": true})).await.ok(201);
    let table = &server.read(&format!("{path}/tables")).await["items"][1];
    assert_eq!(
        (&table["state"], &table["adjudicated"]),
        (&json!("counted"), &json!(false))
    );
    // A confirmed result does not count for ratings, because its players entered it.
    report(hanno, game(4)).await.ok(201);
    answer(4, owner, json!({"accept": true})).await.ok(201);
    let rating = |body: &Value| array(&body["ratings"]).iter().any(|one| one["games"] == 1);
    server.wait_for("/v1/players/player1", rating).await;
    let faults = server.faults(&server.services().signing.public_keys().unwrap());
    assert!(
        !faults.iter().any(|fault| fault.contains("league")),
        "{faults:?}"
    );
}
