//! Moderation: acts of administrators, their log, and reports of players.

use api::http::limits::options::Limits;
use api::http::scope::Scope;
use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::{operators_token, register};
use super::support::{Answer, PATIENCE, TestServer, array, eventually, send, text};

const ACTS: &str = "/v1/moderation/acts";

fn administrator(server: &TestServer) -> String {
    operators_token(server, "archon", &[Scope::Admin], 600)
}

async fn act(server: &TestServer, token: &str, kind: &str, subject: &str) -> Answer {
    let body = json!({"type": kind, "subject": subject, "reason": "rule 3 of the house"});
    server.post(ACTS, token, body).await
}

/// Suspends an account.
pub async fn suspend(server: &TestServer, account: &str) {
    let done = act(server, &administrator(server), "suspend_account", account).await;
    done.ok(201);
}

async fn log(server: &TestServer, admin: &str) -> Vec<Value> {
    array(&server.get_with(ACTS, admin).await.ok(200)["items"]).clone()
}

async fn league(server: &TestServer, token: &str) -> String {
    let new = json!({"name": "Cup", "joining": "open", "season": {"name": "Spring", "rules": {
        "scoring": {"rank_points": [5, 3, 2, 0]}, "tie_breaks": ["lot"]}}});
    text(&server.create("/v1/leagues", token, new).await["id"])
}

#[tokio::test]
async fn a_suspended_account_is_refused_on_every_node_until_the_suspension_is_lifted() {
    let one = TestServer::start();
    let two = one.another();
    let admin = administrator(&one);
    let (id, token) = register(&one, "hanno").await;
    // Both nodes have the token in their caches.
    for node in [&one, &two] {
        node.get_with("/v1/me", &token).await.ok(200);
    }
    let done = act(&one, &admin, "suspend_account", "Hanno").await.ok(201);
    assert_eq!(
        (&done["type"], &done["subject"], &done["handle"]),
        (&json!("suspend_account"), &json!(id), &Value::Null)
    );
    let refused = one.get_with("/v1/me", &token).await;
    refused.problem(403, "account_suspended");
    one.get_with("/v1/boards", &token)
        .await
        .problem(403, "account_suspended");
    eventually("the other node never refused the token", async || {
        let answer = two.get_with("/v1/me", &token).await;
        (answer.status == 403).then(|| answer.problem(403, "account_suspended"))
    })
    .await;
    act(&two, &admin, "lift_suspension", &id).await.ok(201);
    two.get_with("/v1/me", &token).await.ok(200);
    eventually("the first node still refuses the token", async || {
        (one.get_with("/v1/me", &token).await.status == 200).then_some(())
    })
    .await;
}

#[tokio::test]
async fn the_streams_and_webhooks_of_a_suspended_account_end() {
    let limits = Limits {
        webhooks_to_loopback: true,
        ..Limits::unmetered()
    };
    let server = TestServer::with_limits(limits);
    let admin = administrator(&server);
    let (id, token) = register(&server, "hanno").await;
    let webhook =
        json!({"url": "http://127.0.0.1:9999/", "events": ["game_started"], "for": {"player": id}});
    let webhook = server.create("/v1/webhooks", &token, webhook).await;
    let path = format!("/v1/webhooks/{}", text(&webhook["webhook"]["id"]));
    let follow = async |path: &str| {
        let request = server.with(Method::GET, path, &token);
        let stream = request.header("Accept", "text/event-stream").send().await;
        stream.unwrap()
    };
    let mut streams = vec![follow("/v1/me/events").await, follow("/v1/events").await];
    act(&server, &admin, "suspend_account", &id).await.ok(201);
    for stream in &mut streams {
        assert_eq!(stream.status(), 200);
        let end = async { while stream.chunk().await.unwrap().is_some() {} };
        let ended = tokio::time::timeout(PATIENCE, end).await;
        ended.expect("the stream never ended");
    }
    act(&server, &admin, "lift_suspension", &id).await.ok(201);
    let webhook = server.get_with(&path, &token).await.ok(200);
    let why = text(&webhook["disabled_because"]);
    assert!(why.contains("suspended"), "{webhook}");
}

#[tokio::test]
async fn only_administrators_moderate() {
    let server = TestServer::start();
    let admin = administrator(&server);
    let (id, token) = register(&server, "hanno").await;
    act(&server, "", "suspend_account", &id)
        .await
        .unauthenticated();
    act(&server, &token, "suspend_account", &id)
        .await
        .forbidden();
    for path in [ACTS, "/v1/reports"] {
        server.get(path).await.unauthenticated();
        server.get_with(path, &token).await.forbidden();
    }
    for (kind, subject) in [
        ("suspend_account", "nobody"),
        ("delete_account", "019aa5a4-1234-7abc-8def-0123456789ab"),
        ("hide_texts", "019aa5a4-1234-7abc-8def-0123456789ab"),
        ("show_texts", "no id"),
        ("close_league", "019aa5a4-1234-7abc-8def-0123456789ab"),
        ("resolve_report", "019aa5a4-1234-7abc-8def-0123456789ab"),
    ] {
        act(&server, &admin, kind, subject).await.not_found();
    }
    // No player is locked out by mistake.
    act(&server, &admin, "suspend_account", "archon")
        .await
        .forbidden();
    let body = |change: Value| {
        let mut body = json!({"type": "suspend_account", "subject": "hanno", "reason": "x"});
        for (name, value) in change.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    };
    for (change, field) in [
        (json!({"reason": ""}), "reason"),
        (json!({"reason": "a\u{202e}b"}), "reason"),
        (json!({"handle": "mago"}), "handle"),
        (json!({"type": "rename_account"}), "handle"),
        (json!({"type": "ban"}), "type"),
    ] {
        let answer = server.post(ACTS, &admin, body(change)).await;
        answer.invalid(field);
    }
    assert_eq!(log(&server, &admin).await, Vec::<Value>::new());
}

#[tokio::test]
async fn an_administrator_renames_and_deletes_accounts() {
    let server = TestServer::start();
    let admin = administrator(&server);
    let (id, token) = register(&server, "insult").await;
    register(&server, "mago").await;
    let rename = |handle: &str| {
        let body =
            json!({"type": "rename_account", "subject": "insult", "handle": handle, "reason": "x"});
        server.post(ACTS, &admin, body)
    };
    rename("rnago").await.problem(409, "handle_taken");
    rename("greedy").await.invalid("handle");
    let renamed = rename("player-7").await.ok(201);
    assert_eq!(renamed["handle"], "player-7");
    let me = server.get_with("/v1/me", &token).await.ok(200);
    assert_eq!(me["player"]["handle"], "player-7");
    // A repetition with its key is one act.
    let delete = || {
        let request = server.with(Method::POST, ACTS, &admin);
        let body = json!({"type": "delete_account", "subject": id, "reason": "on request"});
        send(request.header("Idempotency-Key", "one").json(&body))
    };
    let deleted = delete().await.ok(201);
    assert_eq!(delete().await.ok(201), deleted);
    server.get_with("/v1/me", &token).await.unauthenticated();
    act(&server, &admin, "suspend_account", &id)
        .await
        .not_found();
    let acts = log(&server, &admin).await;
    let types: Vec<&Value> = acts.iter().map(|act| &act["type"]).collect();
    assert_eq!(types, ["delete_account", "rename_account"]);
    // The log keeps no handle of a deleted account.
    assert_eq!(acts[1]["handle"], Value::Null);
    assert_eq!(acts[0]["reason"], "on request");
}

#[tokio::test]
async fn deleting_an_account_for_its_owner_leaves_open_games_and_respects_leagues() {
    let server = TestServer::start();
    let admin = administrator(&server);
    let (id, token) = register(&server, "hanno").await;
    let (_, other) = register(&server, "mago").await;
    let bot = json!({"player": {"bot": "random"}});
    let new = json!({"edition": "antike", "board": "antike-east", "seats": [
        {"player": {"id": "hanno"}}, {"player": "open"}, bot, bot]});
    let game = server.create_game(&token, new).await.0;
    let league = league(&server, &token).await;
    let members = format!("/v1/leagues/{league}/members");
    server.create(&members, &other, json!({"id": "mago"})).await;
    let refused = act(&server, &admin, "delete_account", &id).await;
    refused.problem(409, "last_organizer");
    let organizers = format!("/v1/leagues/{league}/organizers");
    server
        .create(&organizers, &token, json!({"id": "mago"}))
        .await;
    act(&server, &admin, "delete_account", &id).await.ok(201);
    let left = server.read(&game).await;
    assert_eq!(left["seats"][0]["player"]["kind"], "open");
}

#[tokio::test]
async fn the_texts_of_a_game_are_hidden_everywhere() {
    let one = TestServer::start();
    let two = one.another();
    let admin = administrator(&one);
    let bad = "Insult";
    let seat = |nation: &str| json!({"nations": [nation], "player": {"placeholder": bad}});
    let body = json!({"edition": "antike", "board": "antike-east", "first": "greeks", "league": bad,
        "seats": [seat("greeks"), seat("phoenicians"), seat("persians"), seat("arabs")]});
    let (path, created) = one.create_game("", body).await;
    let organizer = text(&created["tokens"]["organizer"]);
    let ranks: Vec<Value> = (0..4)
        .map(|seat| json!({"seat": seat, "rank": 1 + u8::from(seat > 0)}))
        .collect();
    let decision = json!({"ranks": ranks, "note": format!("{bad} of all")});
    one.create(&format!("{path}/adjudication"), &organizer, decision)
        .await;
    let (events, record) = (format!("{path}/events"), format!("{path}/record"));
    let reads = [&*path, &*events, "/v1/games", "/v1/events"];
    for read in reads {
        assert!(two.get(read).await.text.contains(bad), "{read}");
    }
    let before = two.get(&path).await;
    let id = text(&created["id"]);
    act(&one, &admin, "hide_texts", &id).await.ok(201);
    for node in [&one, &two] {
        node.wait_for(&path, |game| !game.to_string().contains(bad))
            .await;
        for read in reads {
            let answer = node.get(read).await;
            assert_eq!(answer.status, 200, "{read}: {}", answer.text);
            assert!(!answer.text.contains(bad), "{read}: {}", answer.text);
        }
        let lines = node.get_as("/v1/events", "application/x-ndjson").await;
        assert!(!lines.text.contains(bad), "{}", lines.text);
        node.get(&record).await.problem(403, "texts_hidden");
        let text = node.get_as(&record, "text/plain").await;
        text.problem(403, "texts_hidden");
        let page = node.get_as(&path.replace("/v1", ""), "text/html").await;
        assert!(
            page.status == 200 && !page.text.contains(bad),
            "{}",
            page.text
        );
        let line: Value = serde_json::from_str(&node.get("/v1/records").await.text).unwrap();
        assert_eq!(line["id"], id.as_str());
        assert!(text_of(&line["damaged"]).contains("hidden"), "{line}");
    }
    // A client that has the texts receives the new answer.
    let request = two.request(Method::GET, &path);
    let again = send(request.header("If-None-Match", before.header("etag"))).await;
    assert_eq!(again.status, 200);
    act(&two, &admin, "show_texts", &id).await.ok(201);
    one.wait_for(&path, |game| game.to_string().contains(bad))
        .await;
    assert!(one.get(&record).await.text.contains(bad));
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[tokio::test]
async fn events_of_a_game_with_hidden_texts_have_no_new_names() {
    let server = TestServer::start();
    let admin = administrator(&server);
    let game = server.game_with_bots().await;
    let id = game.path.rsplit('/').next().unwrap();
    act(&server, &admin, "hide_texts", id).await.ok(201);
    let new = json!({"player": {"placeholder": "Insult"}});
    let seat = game.at("seats/1");
    let replaced = server.put(&seat, &game.organizer, new).await;
    assert!(!replaced.text.contains("Insult"), "{}", replaced.text);
    replaced.ok(200);
    let events = server.get(&game.at("events")).await;
    assert!(!events.text.contains("Insult"), "{}", events.text);
}

#[tokio::test]
async fn a_closed_league_cannot_be_changed_but_its_games_end() {
    let server = TestServer::start();
    let admin = administrator(&server);
    let (_, dido) = register(&server, "dido").await;
    let (_, hanno) = register(&server, "hanno").await;
    let id = league(&server, &dido).await;
    let path = format!("/v1/leagues/{id}");
    let members = format!("{path}/members");
    let join =
        async |token: &str, name: &str| server.post(&members, token, json!({"id": name})).await;
    join(&dido, "dido").await.ok(201);
    act(&server, &admin, "close_league", &id).await.ok(201);
    join(&hanno, "hanno").await.problem(409, "league_closed");
    let season = format!("{path}/seasons");
    let new = json!({"name": "Autumn"});
    server
        .post(&season, &dido, new.clone())
        .await
        .problem(409, "league_closed");
    server.post(&season, &hanno, new).await.forbidden();
    // Those with its address still read it.
    server.get(&path).await.ok(200);
    let list = server.read("/v1/leagues").await;
    assert_eq!(list["items"], json!([]));
    act(&server, &admin, "reopen_league", &id).await.ok(201);
    join(&hanno, "hanno").await.ok(201);
    assert_eq!(array(&server.read("/v1/leagues").await["items"]).len(), 1);
}

#[tokio::test]
async fn every_act_of_an_administrator_is_logged() {
    let limits = Limits {
        open_records: false,
        ..Limits::unmetered()
    };
    let server = TestServer::with_limits(limits);
    let admin = administrator(&server);
    let (_, dido) = register(&server, "dido").await;
    let id = league(&server, &dido).await;
    let game = server.game_with_bots().await;
    // What the account may do anyway is no act of an administrator.
    let own = league(&server, &admin).await;
    let season = |league: &str| format!("/v1/leagues/{league}/seasons");
    let new = json!({"name": "Autumn"});
    server.create(&season(&own), &admin, new.clone()).await;
    assert_eq!(log(&server, &admin).await, Vec::<Value>::new());

    server.create(&season(&id), &admin, new).await;
    let seat = game.at("seats/1");
    let random = json!({"player": {"bot": "greedy"}});
    server.put(&seat, &admin, random).await.ok(200);
    // A refused request is none.
    let wrong = json!({"player": {"bot": "nobody"}});
    let refused = server.put(&seat, &admin, wrong).await;
    refused.problem(422, "invalid_body");
    let record = include_str!("../records/west_3_goal.json");
    let imported = server
        .with(Method::POST, "/v1/records", &admin)
        .header("Content-Type", "application/json")
        .body(record);
    send(imported).await.ok(200);
    let acts = log(&server, &admin).await;
    let subjects: Vec<String> = acts.iter().map(|act| text(&act["subject"])).collect();
    assert_eq!(
        subjects,
        [
            "POST /v1/records".to_owned(),
            format!("PUT {seat}"),
            format!("POST {}", season(&id)),
        ]
    );
    for act in &acts {
        assert_eq!(
            (&act["type"], &act["reason"]),
            (&json!("request"), &Value::Null)
        );
    }
    act(&server, &admin, "close_league", &id).await.ok(201);
    let about = format!("{ACTS}?subject={id}&limit=1");
    let page = server.get_with(&about, &admin).await.ok(200);
    assert_eq!(page["items"][0]["type"], "close_league");
    assert_eq!(page["next"], Value::Null);
    let page = server.get_with(&format!("{ACTS}?limit=2"), &admin).await;
    let next = text(&page.ok(200)["next"]);
    let rest = format!("{ACTS}?limit=2&cursor={next}");
    let rest = server.get_with(&rest, &admin).await.ok(200);
    assert_eq!(rest["items"], json!(acts[1..]));
}

#[tokio::test]
async fn players_report_what_they_see_and_administrators_resolve_it() {
    let server = TestServer::start();
    let admin = administrator(&server);
    let (hanno, token) = register(&server, "hanno").await;
    let (_, other) = register(&server, "mago").await;
    let league = league(&server, &other).await;
    let bot = json!({"player": {"bot": "random"}});
    let hidden = json!({"edition": "antike", "board": "antike-east", "visibility": "private",
        "seats": [{"player": "open"}, bot, bot, bot]});
    let hidden = text(&server.create("/v1/games", &other, hidden).await["id"]);
    let report = async |token: &str, kind: &str, subject: &str| {
        let body = json!({"kind": kind, "subject": subject, "text": "an insult"});
        server.post("/v1/reports", token, body).await
    };
    report("", "account", "mago").await.unauthenticated();
    report(&token, "account", "nobody").await.not_found();
    report(&token, "game", &hidden).await.not_found();
    report(&token, "league", "no id").await.not_found();
    let body = json!({"kind": "account", "subject": "mago", "text": ""});
    let blank = server.post("/v1/reports", &token, body).await;
    blank.invalid("text");
    let first = report(&token, "account", "mago").await.ok(201);
    assert_eq!(
        (&first["account"], &first["resolved_at"]),
        (&json!(hanno), &Value::Null)
    );
    report(&token, "account", "MAGO")
        .await
        .problem(409, "already_reported");
    report(&other, "game", &hidden).await.ok(201);
    report(&token, "league", &league).await.ok(201);
    let open = "/v1/reports?open=true";
    let listed = server.get_with(open, &admin).await.ok(200);
    let kinds: Vec<&Value> = array(&listed["items"])
        .iter()
        .map(|one| &one["kind"])
        .collect();
    assert_eq!(kinds, ["account", "game", "league"]);
    act(&server, &admin, "resolve_report", &text(&first["id"]))
        .await
        .ok(201);
    let listed = server.get_with(open, &admin).await.ok(200);
    assert_eq!(array(&listed["items"]).len(), 2);
    let resolved = server.get_with("/v1/reports?open=false", &admin).await;
    assert_eq!(resolved.ok(200)["items"][0]["id"], first["id"]);
    // What is resolved can be reported again.
    report(&token, "account", "mago").await.ok(201);
}

#[tokio::test]
async fn an_account_has_a_limited_number_of_open_reports() {
    let server = TestServer::start();
    let (_, token) = register(&server, "hanno").await;
    let mut codes = Vec::new();
    for number in 0..21 {
        let (id, _) = register(&server, &format!("player-{number}")).await;
        let body = json!({"kind": "account", "subject": id, "text": "x"});
        codes.push(server.post("/v1/reports", &token, body).await);
    }
    let last = codes.pop().unwrap();
    last.problem(409, "limit_reached");
    for code in codes {
        code.ok(201);
    }
}

#[tokio::test]
async fn handles_that_look_like_another_are_refused() {
    let server = TestServer::start();
    let (_, token) = register(&server, "Hamilcar1").await;
    let ask = async |handle: &str| {
        server
            .post("/v1/players", "", json!({"handle": handle}))
            .await
    };
    for alike in ["hamilcar1", "Hamilcarl", "HamilcarI", "Harnilcar1"] {
        ask(alike).await.problem(409, "handle_taken");
    }
    for odd in ["H\u{430}milcar1", "de1eted-1", "rand0m", "ha\u{200b}nno"] {
        ask(odd).await.invalid("handle");
    }
    // An account may choose a look-alike of its own handle.
    let request = server.with(Method::PATCH, "/v1/me", &token);
    let renamed = send(request.json(&json!({"handle": "hamilcarl"}))).await;
    assert_eq!(renamed.ok(200)["player"]["handle"], "hamilcarl");
}

#[tokio::test]
async fn two_nodes_register_one_of_two_handles_that_look_alike() {
    let one = TestServer::start();
    let two = one.another();
    let ask = |node: &TestServer, handle: &str| {
        send(
            node.request(Method::POST, "/v1/players")
                .json(&json!({"handle": handle})),
        )
    };
    let (first, second) = tokio::join!(ask(&one, "mago-1"), ask(&two, "mago-l"));
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
}

#[tokio::test]
async fn notes_are_normalized_and_visible() {
    let server = TestServer::start();
    let (path, _, organizer) = server.game_of_people().await;
    let decide = async |note: &str| {
        let ranks: Vec<Value> = (0..4)
            .map(|seat| json!({"seat": seat, "rank": 1 + u8::from(seat > 0)}))
            .collect();
        let body = json!({"ranks": ranks, "note": note});
        server
            .post(&format!("{path}/adjudication"), &organizer, body)
            .await
    };
    for bad in ["a\u{202e}b", "\u{200b}", " \n"] {
        decide(bad).await.invalid("note");
    }
    let ended = decide("time \nwas\u{a0}up").await.ok(201);
    assert_eq!(ended["events"][0]["payload"]["note"], "time\nwas up");
}
