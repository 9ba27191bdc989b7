//! Events: pages, NDJSON, live streams, of one game and of all.

use crate::support::{Playing, TestServer, read_events, send};
use reqwest::Method;
use serde_json::{Value, json};

async fn play_a_turn(server: &TestServer, playing: &Playing, field: &str) {
    let body = json!({"actions": [{"type": "move_stone", "field": field}, {"type": "end_turn"}]});
    server
        .post(&playing.at("actions"), &playing.token, body)
        .await
        .ok(201);
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
async fn pages_join_to_the_whole_log() {
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
        let page = server
            .get(&playing.at(&format!("events{query}")))
            .await
            .ok(200);
        joined.extend(page["items"].as_array().unwrap().clone());
        match page["next"].as_str() {
            Some(next) => query = format!("?limit=4&after={next}"),
            None => break,
        }
    }
    assert_eq!(joined, log);
    let beyond = server.get(&playing.at("events?after=99999")).await.ok(200);
    assert_eq!(beyond, json!({"items": [], "next": null}));
}

#[tokio::test]
async fn events_told_at_once_and_events_read_later_are_the_same() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let body = json!({"actions": [{"type": "move_stone", "field": "iron"}, {"type": "end_turn"}]});
    let acted = server
        .post(&playing.at("actions"), &playing.token, body)
        .await
        .ok(201);
    let path = playing.at(&format!("events?after={}", playing.seq));
    let mut read = server.get(&path).await.ok(200)["items"].take();
    for event in read.as_array_mut().unwrap() {
        event.as_object_mut().unwrap().remove("position");
    }
    assert_eq!(acted["events"], read);
}

#[tokio::test]
async fn a_stream_goes_on_live_and_resumes_without_loss() {
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
    let told: Vec<Value> = first
        .into_iter()
        .chain(second)
        .map(|(_, event)| event)
        .collect();
    assert_eq!(told, log);
    // `after` does the same; Last-Event-ID, which is newer, wins.
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
    let page = server.get("/v1/events?limit=3&after=2").await.ok(200);
    assert_eq!(page["items"].as_array().unwrap()[..], log[2..5]);
    assert_eq!(page["next"], "5");
    let after = log.len() as u64;
    let live = server.request(Method::GET, &format!("/v1/events?after={}", after - 1));
    let live = tokio::spawn(read_events(live, 4));
    play_a_turn(&server, &two, "gold").await;
    let ids: Vec<u64> = live.await.unwrap().iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, (after..after + 4).collect::<Vec<u64>>());
}

#[tokio::test]
async fn a_stream_can_be_cut_to_a_length() {
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
    let end = tokio::spawn(async move { while let Ok(Some(_)) = response.chunk().await {} });
    let start = std::time::Instant::now();
    tokio::task::spawn_blocking(move || server.stop())
        .await
        .unwrap();
    end.await.unwrap();
    assert!(start.elapsed() < std::time::Duration::from_secs(5));
}

#[tokio::test]
async fn bad_requests_for_events() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let cases = [
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("since=3", "since"),
    ];
    for (query, field) in cases {
        let answer = server.get(&playing.at(&format!("events?{query}"))).await;
        assert_eq!(answer.problem(422, "invalid_body")["field"], field);
    }
    server
        .get(&playing.at("events?after=-1"))
        .await
        .problem(422, "invalid_body");
    let image = server.get_as(&playing.at("events"), "image/png").await;
    image.problem(406, "not_acceptable");
    let none = server.get_as("/v1/events", "application/json;q=0").await;
    none.problem(406, "not_acceptable");
    let id = server.request(Method::GET, &playing.at("events"));
    let id = send(id.header("Last-Event-ID", "x")).await;
    assert_eq!(id.problem(422, "invalid_body")["field"], "Last-Event-ID");
}

#[tokio::test]
async fn a_stream_outlasts_a_last_event_beyond_all_numbers() {
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
    server
        .post(&playing.at("actions"), &playing.token, stone)
        .await
        .ok(201);
    // What happens is behind it already; only comments come, and no break.
    let more = response.chunk().await.unwrap().expect("the stream goes on");
    assert_eq!(&more[..], b":\n\n");
}
