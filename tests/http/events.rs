//! Events: pages, NDJSON and live streams, of one game and of all games.

use super::imports::simulate;
use super::support::{
    PATIENCE, TestGame, TestServer, array, read_events, send, tamper, text, turn,
};
use reqwest::Method;
use serde_json::{Value, json};

/// Waits for the bots, plays a turn, and waits again. The moves of bots sometimes take more than the
/// time of one request.
async fn play_a_turn(server: &TestServer, playing: &TestGame, field: &str) {
    let own_turn = |game: &Value| game["pending"][0]["seat"] == 0 || game["status"] != "running";
    server.wait_for(&playing.path, own_turn).await;
    server.act(&playing.path, &playing.token, turn(field)).await;
    server.wait_for(&playing.path, own_turn).await;
}

async fn whole_log(server: &TestServer, path: &str) -> Vec<Value> {
    let lines = server.get_as(path, "application/x-ndjson").await;
    assert_eq!(lines.header("content-type"), "application/x-ndjson");
    lines
        .text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[tokio::test]
async fn the_pages_make_up_the_whole_log() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    play_a_turn(&server, &playing, "iron").await;
    let log = whole_log(&server, &playing.at("events")).await;
    for (event, seq) in log.iter().zip(0..) {
        assert_eq!(event["seq"], seq);
        assert_eq!(event["game"], playing.path["/v1/games/".len()..]);
    }
    assert_eq!(log[0]["kind"], "setup");
    assert!(!log[0]["notation"].as_str().unwrap().contains("\"seed\""));
    let mut joined = Vec::new();
    let mut query = "?limit=4".to_owned();
    loop {
        let page = server.read(&playing.at(&format!("events{query}"))).await;
        joined.extend(array(&page["items"]).clone());
        match page["next"].as_str() {
            Some(next) => query = format!("?limit=4&after={next}"),
            None => break,
        }
    }
    assert_eq!(joined, log);
    let beyond = server.read(&playing.at("events?after=99999")).await;
    assert_eq!(beyond, json!({"items": [], "next": null}));
}

#[tokio::test]
async fn events_in_an_answer_equal_events_read_later() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let acted = server
        .act(&playing.path, &playing.token, turn("iron"))
        .await;
    let path = playing.at(&format!("events?after={}", playing.seq));
    let mut read = server.read(&path).await["items"].take();
    for event in read.as_array_mut().unwrap() {
        event.as_object_mut().unwrap().remove("position");
    }
    assert_eq!(acted["events"], read);
}

#[tokio::test]
async fn a_stream_continues_live_and_resumes_without_loss() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let path = playing.at("events");
    let live = tokio::spawn(read_events(
        server.request(Method::GET, &path),
        playing.seq as usize + 4,
    ));
    play_a_turn(&server, &playing, "iron").await;
    let first = live.await.unwrap();
    play_a_turn(&server, &playing, "gold").await;
    let last = first.last().unwrap().0;
    let log = whole_log(&server, &path).await;
    let rest = log.len() - first.len();
    let resumed = server
        .request(Method::GET, &path)
        .header("Last-Event-ID", last);
    let second = read_events(resumed, rest).await;
    let received: Vec<Value> = first
        .into_iter()
        .chain(second)
        .map(|(_, event)| event)
        .collect();
    assert_eq!(received, log);
    // `after` does the same. Last-Event-ID is newer, so it wins.
    let after = server.request(Method::GET, &playing.at(&format!("events?after={last}")));
    assert_eq!(read_events(after, 1).await[0].0, last + 1);
    let both = server.request(Method::GET, &playing.at("events?after=0"));
    let both = both.header("Last-Event-ID", last);
    assert_eq!(read_events(both, 1).await[0].0, last + 1);
}

#[tokio::test]
async fn the_log_of_all_games_has_the_same_forms() {
    let server = TestServer::start();
    let one = server.game_with_bots().await;
    let two = server.game_with_bots().await;
    play_a_turn(&server, &one, "iron").await;
    let log = whole_log(&server, "/v1/events").await;
    for (event, position) in log.iter().zip(1..) {
        assert_eq!(event["position"], position);
    }
    for playing in [&one, &two] {
        let own = log
            .iter()
            .filter(|event| playing.path.ends_with(event["game"].as_str().unwrap()));
        let own: Vec<Value> = own.cloned().collect();
        assert_eq!(own, whole_log(&server, &playing.at("events")).await);
    }
    let page = server.read("/v1/events?limit=3&after=2").await;
    assert_eq!(array(&page["items"])[..], log[2..5]);
    assert_eq!(page["next"], "5");
    let after = log.len() as u64;
    let live = server.request(Method::GET, &format!("/v1/events?after={}", after - 1));
    let live = tokio::spawn(read_events(live, 4));
    play_a_turn(&server, &two, "gold").await;
    let ids: Vec<u64> = live.await.unwrap().iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, (after..after + 4).collect::<Vec<u64>>());
}

#[tokio::test]
async fn a_stream_can_have_a_maximum_length() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let request = server.request(Method::GET, &playing.at("events?limit=2"));
    let answer = send(request.header("Accept", "text/event-stream")).await;
    assert_eq!(answer.text.matches("id: ").count(), 2);
    let lines = server
        .get_as(&playing.at("events?limit=2"), "application/x-ndjson")
        .await;
    assert_eq!(lines.text.lines().count(), 2);
}

#[tokio::test]
async fn streams_end_when_the_service_stops() {
    let mut server = TestServer::start();
    let playing = server.game_with_bots().await;
    let request = server.request(Method::GET, &playing.at("events"));
    let mut response = request
        .header("Accept", "text/event-stream")
        .send()
        .await
        .unwrap();
    response.chunk().await.unwrap().unwrap();
    let end = tokio::spawn(async move {
        loop {
            match response.chunk().await {
                Ok(Some(_)) => {}
                end => return end,
            }
        }
    });
    tokio::task::spawn_blocking(move || server.stop())
        .await
        .unwrap();
    // A connection that closes without an end of the body is an error.
    assert!(end.await.unwrap().is_ok());
}

#[tokio::test]
async fn bad_requests_for_events_are_refused() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let cases = [
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("since=3", "since"),
    ];
    for (query, field) in cases {
        let answer = server.get(&playing.at(&format!("events?{query}"))).await;
        answer.invalid(field);
    }
    server
        .get(&playing.at("events?after=-1"))
        .await
        .problem(422, "invalid_parameter");
    let image = server.get_as(&playing.at("events"), "image/png").await;
    image.problem(406, "not_acceptable");
    let none = server.get_as("/v1/events", "application/json;q=0").await;
    none.problem(406, "not_acceptable");
    let id = server.request(Method::GET, &playing.at("events"));
    let id = send(id.header("Last-Event-ID", "x")).await;
    id.invalid("Last-Event-ID");
}

#[tokio::test]
async fn a_last_event_beyond_the_log_keeps_the_stream_open() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let path = playing.at("events");
    let request = server
        .request(Method::GET, &path)
        .header("Accept", "text/event-stream")
        .header("Last-Event-ID", u64::MAX.to_string());
    let mut response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert!(response.chunk().await.unwrap().is_some());
    let stone = json!({"type": "move_stone", "field": "iron"});
    server.act(&playing.path, &playing.token, stone).await;
    // Later events have lower numbers, so the stream sends comments only, and does not end.
    let more = response.chunk().await.unwrap().expect("the stream ended");
    assert_eq!(&more[..], b":\n");
}

#[tokio::test]
async fn the_stream_of_a_finished_game_ends() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let path = playing.at("events");
    let request = server.request(Method::GET, &path);
    let live = tokio::spawn(send(request.header("Accept", "text/event-stream")));
    server
        .adjudicate(&playing.path, &playing.organizer, &[1, 1, 1, 1])
        .await;
    let stream_text = live.await.unwrap();
    let log = whole_log(&server, &path).await;
    let last = log.last().unwrap()["seq"].as_u64().unwrap();
    assert_eq!(log.last().unwrap()["kind"], "adjudicate");
    assert_eq!(stream_text.text.matches("\ndata: ").count(), log.len());
    assert!(stream_text.text.contains(&format!("id: {last}\n")));
    // The stream sends the rest of the log. If there is no rest, the client need not reconnect.
    let stream = async |known: u64| {
        let request = server.request(Method::GET, &path);
        let request = request.header("Accept", "text/event-stream");
        send(request.header("Last-Event-ID", known)).await
    };
    let rest = stream(last - 1).await;
    assert_eq!(
        (rest.status, rest.text.matches("\ndata: ").count()),
        (200, 1)
    );
    let none = stream(last).await;
    assert_eq!((none.status, none.text.as_str()), (204, ""));
}

#[tokio::test]
async fn a_stream_can_begin_now() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let end = whole_log(&server, "/v1/events").await.len() as u64;
    for (path, last) in [
        (playing.at("events?after=latest"), playing.seq),
        ("/v1/events?after=latest".to_owned(), end),
    ] {
        let page = server.read(&path).await;
        assert_eq!(page, json!({"items": [], "next": null}));
        let request = server.request(Method::GET, &path);
        let mut response = request
            .header("Accept", "text/event-stream")
            .send()
            .await
            .unwrap();
        // A client that is disconnected before the first event knows where to resume.
        let greeting = response.chunk().await.unwrap().unwrap();
        let begin = format!("id: {last}\nevent: begin\ndata: {{\"after\":{last}}}\n\n");
        assert_eq!(greeting, format!("retry: 2000\n{begin}"));
    }
    let live = server.request(Method::GET, "/v1/events?after=latest");
    let live = tokio::spawn(read_events(live, 1));
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    play_a_turn(&server, &playing, "iron").await;
    assert_eq!(live.await.unwrap()[0].0, end + 1);
    let bad = server.get(&playing.at("events?after=newest")).await;
    bad.invalid("after");
}

#[tokio::test]
async fn the_log_of_all_games_can_be_filtered() {
    let server = TestServer::start();
    let other = server.game_with_bots().await;
    let bot = |name: &str| json!({"player": {"bot": name}});
    let person = json!({"nations": ["greeks"], "player": {"placeholder": "ada"}});
    let body = json!({
        "edition": "antike", "board": "antike-east", "first": "greeks", "max_rounds": 60,
        "league": "cup", "seats": [person, bot("random"), bot("random"), bot("greedy")],
    });
    let (path, created) = server.create_game("", body).await;
    let id = text(&created["seats"][0]["player"]["id"]);
    let ada = TestGame {
        token: text(&created["tokens"]["seats"]["0"]),
        organizer: String::new(),
        seq: 0,
        path: path.clone(),
    };
    play_a_turn(&server, &ada, "iron").await;
    play_a_turn(&server, &other, "iron").await;
    play_a_turn(&server, &ada, "temple").await;
    let own = whole_log(&server, &format!("{path}/events")).await;
    let of_ada = format!("player={id}");
    for query in [&of_ada, "league=cup", "player=greedy&league=cup"] {
        assert_eq!(
            whole_log(&server, &format!("/v1/events?{query}")).await,
            own
        );
        let mut joined = Vec::new();
        let mut next = json!("0");
        while let Some(after) = next.as_str() {
            let path = format!("/v1/events?{query}&limit=3&after={after}");
            let mut page = server.read(&path).await;
            joined.append(page["items"].as_array_mut().unwrap());
            next = page["next"].take();
        }
        assert_eq!(joined, own);
    }
    let nothing = server.read("/v1/events?player=greedy_growth").await;
    assert_eq!(nothing, json!({"items": [], "next": null}));
    for (query, field) in [
        ("player=unknown", "player"),
        ("player=Ada", "player"),
        ("league=cups", "league"),
        (&*format!("{of_ada}&league=x"), "league"),
    ] {
        let refused = server.get(&format!("/v1/events?{query}")).await;
        refused.invalid(field);
    }
    // A live stream is filtered too.
    let after = own.last().unwrap()["position"].as_u64().unwrap();
    let live = server.request(Method::GET, &format!("/v1/events?{of_ada}&after={after}"));
    let live = tokio::spawn(read_events(live, 2));
    play_a_turn(&server, &other, "temple").await;
    play_a_turn(&server, &ada, "gold").await;
    for (_, event) in live.await.unwrap() {
        assert_eq!(event["game"], created["id"]);
    }
}

#[tokio::test]
async fn a_reader_of_an_event_sees_it_in_the_game() {
    let one = TestServer::start();
    let two = one.another();
    let playing = one.game_with_bots().await;
    for node in [&one, &two] {
        node.read(&playing.path).await;
    }
    let streams = [&one, &two].map(|node| {
        let path = playing.at(&format!("events?after={}", playing.seq));
        (node, node.request(Method::GET, &path))
    });
    let looking = async |node: &TestServer, request: reqwest::RequestBuilder| {
        let request = request.header("Accept", "text/event-stream");
        let mut response = request.send().await.unwrap();
        let mut received = Vec::new();
        while received.len() < 8 {
            let chunk = response.chunk().await.unwrap().unwrap();
            let chunk = std::str::from_utf8(&chunk).unwrap();
            let ids = chunk.lines().filter_map(|line| line.strip_prefix("id: "));
            let ids: Vec<u64> = ids.map(|id| id.parse().unwrap()).collect();
            if let Some(last) = ids.last() {
                let game = node.read(&playing.path).await;
                assert!(game["seq"].as_u64().unwrap() >= *last, "{game}");
            }
            received.extend(ids);
        }
        let expected: Vec<u64> = (playing.seq + 1..).take(received.len()).collect();
        assert_eq!(received, expected);
    };
    let [first, second] = streams;
    tokio::join!(
        looking(first.0, first.1),
        looking(second.0, second.1),
        async {
            for (node, field) in [(&one, "iron"), (&two, "temple"), (&one, "gold")] {
                play_a_turn(node, &playing, field).await;
            }
        }
    );
}

#[tokio::test]
async fn a_damaged_game_does_not_cut_the_log_of_all_games() {
    let mut server = TestServer::start();
    let damaged = server.game_with_bots().await;
    play_a_turn(&server, &damaged, "iron").await;
    let whole = server.game_with_bots().await;
    play_a_turn(&server, &whole, "iron").await;
    let before = whole_log(&server, "/v1/events").await;
    let action = damaged.seq + 2;
    tamper(
        &server.database.url(),
        &format!("UPDATE events SET notation = 'stone nowhere' WHERE game = 1 AND seq = {action}"),
    );
    server = server.restart();
    let after = whole_log(&server, "/v1/events").await;
    assert_eq!(after.len(), before.len());
    let id = &damaged.path["/v1/games/".len()..];
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before["position"], after["position"]);
        if before["game"] != id || before["seq"].as_u64().unwrap() < action {
            assert_eq!(before, after);
        } else {
            assert_eq!(after["action"], Value::Null);
            assert_eq!(after["effects"], json!([]));
            assert_eq!(after["at"], before["at"]);
        }
    }
    let page = server.read("/v1/events?limit=1000").await;
    assert_eq!(array(&page["items"]).len(), before.len());
    // A request for the damaged game names the damage, and a live stream continues after it.
    let own = server.get(&damaged.at("events")).await;
    assert_eq!(own.status, 500, "{}", own.text);
    let live = server.request(Method::GET, "/v1/events");
    let live = tokio::spawn(read_events(live, before.len() + 2));
    play_a_turn(&server, &whole, "gold").await;
    assert!(live.await.unwrap().len() >= before.len() + 2);
}

#[tokio::test]
async fn long_logs_are_the_same_from_any_offset() {
    let server = TestServer::start();
    let mut record = simulate("long");
    let tried = format!("-{}", record.actions[0]);
    record.actions.splice(0..0, vec![tried; 1_500]);
    let id = server.imports().import(&record).unwrap();
    let path = format!("/v1/games/{id}/events");
    let log = whole_log(&server, &path).await;
    assert!(log.len() > 3_000);
    for (event, seq) in log.iter().zip(0..) {
        assert_eq!(event["seq"], seq);
    }
    let end = log.len() as u64 - 1;
    for after in [0, 1, 510, 511, 512, 513, 1_535, 2_999, 3_001, end - 1, end] {
        let page = server.get(&format!("{path}?after={after}&limit=7")).await;
        let page = page.ok(200);
        let items = log.iter().skip(after as usize + 1).take(7);
        assert!(array(&page["items"]).iter().eq(items), "{after}");
        let state = server.get(&format!("/v1/games/{id}/states/{after}")).await;
        assert_eq!(state.ok(200)["seq"], after);
    }
    let rest = whole_log(&server, &format!("{path}?after=2500")).await;
    assert_eq!(rest, log[2_501..]);
    // The undone actions reach the same states repeatedly.
    let state = async |seq: u64| {
        let state = server.get(&format!("/v1/games/{id}/states/{seq}")).await;
        state.ok(200)["state"].take()
    };
    assert_eq!(state(1).await, state(2_999).await);
    assert_eq!(state(0).await, state(2_000).await);
    // A server that has read nothing yet returns the same end.
    let server = server.restart();
    let page = server
        .get(&format!("{path}?after={}&limit=7", end - 3))
        .await;
    assert_eq!(array(&page.ok(200)["items"])[..], log[log.len() - 3..]);
}

#[tokio::test]
async fn a_quiet_stream_sends_comments_whatever_else_happens() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    // These events wake the stream, which does not send them.
    let request = server.request(Method::GET, "/v1/events?after=latest&player=greedy");
    let mut response = request
        .header("Accept", "text/event-stream")
        .send()
        .await
        .unwrap();
    response.chunk().await.unwrap().unwrap();
    let playing_on = async {
        for field in ["iron", "temple", "gold", "arming"] {
            play_a_turn(&server, &playing, field).await;
            tokio::time::sleep(std::time::Duration::from_secs(3)).await;
        }
        std::future::pending::<()>().await;
    };
    let comment = tokio::time::timeout(PATIENCE, response.chunk());
    tokio::select! {
        comment = comment => {
            assert_eq!(&comment.unwrap().unwrap().unwrap()[..], b":\n");
        }
        () = playing_on => {}
    }
}

/// Reads this many lines that are not empty.
async fn read_lines(response: &mut reqwest::Response, count: usize) -> Vec<Value> {
    let mut text = String::new();
    let read = async {
        loop {
            let whole = text.rfind('\n').map_or("", |end| &text[..end]);
            let lines = whole.lines().filter(|line| !line.is_empty());
            let events: Vec<Value> = lines
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            if events.len() >= count {
                return events;
            }
            let chunk = response.chunk().await.unwrap().expect("the lines ended");
            text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    };
    tokio::time::timeout(PATIENCE, read)
        .await
        .expect("no lines in time")
}

#[tokio::test]
async fn a_stream_of_lines_follows_a_game_to_its_end() {
    let server = TestServer::start();
    let (path, tokens, organizer) = server.game_of_people().await;
    let follow = async |path: &str| {
        let request = server.request(Method::GET, path);
        let response = request.header("Accept", "application/x-ndjson").send();
        response.await.unwrap()
    };
    let events = format!("{path}/events?follow=true");
    let mut one = follow(&events).await;
    assert_eq!(one.headers()["content-type"], "application/x-ndjson");
    let mut all = follow("/v1/events?follow=true&after=latest").await;
    assert_eq!(read_lines(&mut one, 1).await[0]["kind"], "setup");
    server.act(&path, &tokens[0], turn("iron")).await;
    let (of_one, of_all) = (read_lines(&mut one, 2).await, read_lines(&mut all, 2).await);
    assert_eq!(
        (&of_one[0]["seq"], &of_one[0]["notation"]),
        (&json!(1), &json!("stone iron"))
    );
    assert_eq!(of_one, of_all, "both streams send the same");
    assert!(of_one[0]["position"].is_u64());
    server.adjudicate(&path, &organizer, &[1, 2, 3, 4]).await;
    let rest = one.text();
    let rest = tokio::time::timeout(PATIENCE, rest).await;
    let rest = rest.expect("the stream did not end with the game").unwrap();
    let last: Value = serde_json::from_str(rest.trim()).unwrap();
    assert_eq!(
        (&last["seq"], &last["kind"]),
        (&json!(3), &json!("adjudicate"))
    );
    // The stream has nothing left to send.
    assert_eq!(follow(&format!("{events}&after=3")).await.status(), 204);
    let whole = whole_log(&server, &events).await;
    assert_eq!(whole, whole_log(&server, &format!("{path}/events")).await);
    // A page cannot be a live stream.
    server
        .get_as(&events, "application/json")
        .await
        .problem(406, "not_acceptable");
}
