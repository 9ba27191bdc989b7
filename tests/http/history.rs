//! Earlier positions, and records.

use super::support::{TestServer, array, assert_contains, send, turn};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn every_earlier_position_is_available_and_never_changes() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    server
        .act(&playing.path, &playing.token, turn("iron"))
        .await;
    let log = server.read(&playing.at("events?limit=1000")).await;
    for event in array(&log["items"]) {
        let path = playing.at(&format!("states/{}", event["seq"]));
        let answer = server.get(&path).await;
        let position = answer.ok(200);
        assert_eq!(position["seq"], event["seq"]);
        assert_eq!(position["state"]["digest"], event["digest"]);
        assert_eq!(
            answer.header("cache-control"),
            "public, max-age=31536000, immutable"
        );
        let again = server.request(Method::GET, &path);
        let again = again.header("If-None-Match", answer.header("etag"));
        assert_eq!(send(again).await.status, 304);
    }
    let now = server.read(&playing.path).await;
    let last = server
        .read(&playing.at(&format!("states/{}", now["seq"])))
        .await;
    assert_eq!(
        (&last["state"], &last["pending"]),
        (&now["state"], &now["pending"])
    );
    let beyond = playing.at(&format!("states/{}", now["seq"].as_u64().unwrap() + 1));
    server.get(&beyond).await.not_found();
    for seq in ["-1", "x", "99999999999999999999"] {
        server
            .get(&playing.at(&format!("states/{seq}")))
            .await
            .not_found();
    }
}

async fn finished(server: &TestServer) -> String {
    let bot = json!({"player": {"bot": "random"}});
    let body = json!({"edition": "antike", "board": "antike-east", "max_rounds": 5,
        "seats": [bot, bot, bot, bot]});
    let (path, _) = server.create_game("", body).await;
    server
        .wait_for(&path, |game| game["status"] == "finished")
        .await;
    path
}

#[tokio::test]
async fn a_record_replays_and_proves_itself() {
    let server = TestServer::start();
    let path = finished(&server).await;
    let record = server.read(&format!("{path}/record?events=true")).await;
    assert_eq!(record["format"], "tabularium-record/1");
    assert_eq!(record["result"], server.read(&path).await["result"]);
    let parsed: records::Record = serde_json::from_value(record.clone()).unwrap();
    parsed.verify(engine::content::Library::embedded()).unwrap();
    // A changed event is found.
    let mut altered = parsed.clone();
    altered.events.as_mut().unwrap()[3].at = "2020-01-01T00:00:00Z".to_owned();
    altered
        .verify(engine::content::Library::embedded())
        .unwrap_err();
    // So is another player, by the event that gave the seat to its player.
    let library = engine::content::Library::embedded();
    let refused = |record: &records::Record| record.verify(library).unwrap_err().to_string();
    let another = json!({"kind": "bot", "name": "another"});
    let mut altered = parsed.clone();
    altered.setup.seats[1].player = serde_json::from_value(another.clone()).unwrap();
    assert_eq!(
        refused(&altered),
        "event 0: the record has another player on this seat"
    );
    let playing = server.game_with_bots().await;
    server
        .adjudicate(&playing.path, &playing.organizer, &[1, 2, 3, 4])
        .await;
    let claimed = server.read(&playing.at("record?events=true")).await;
    let mut claimed: records::Record = serde_json::from_value(claimed).unwrap();
    claimed.verify(library).unwrap();
    claimed.setup.seats[0].player = serde_json::from_value(another).unwrap();
    assert_eq!(
        refused(&claimed),
        "event 1: the record has another player on this seat"
    );
    // If the record lacks an action, the fault names the event of that action.
    altered = parsed.clone();
    let left_out = altered
        .actions
        .iter()
        .position(|text| text == "end")
        .unwrap();
    let event = parsed.events.as_ref().unwrap();
    let event = event.iter().find(|row| row.notation == "end").unwrap().seq;
    altered.actions.remove(left_out);
    assert_eq!(
        refused(&altered),
        format!(
            "event {event}: its action is not the one in the record, or only one of them is undone"
        )
    );
    // The log is included only on request.
    let short = server.read(&format!("{path}/record")).await;
    assert_eq!(short.get("events"), None);
    assert_eq!(short["actions"], record["actions"]);
}

#[tokio::test]
async fn a_record_has_a_text_form() {
    let server = TestServer::start();
    let path = finished(&server).await;
    let answer = server.get_as(&format!("{path}/record"), "text/plain").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    let parsed = records::Record::from_text(&answer.text).unwrap();
    let json = server.read(&format!("{path}/record")).await;
    assert_eq!(serde_json::to_value(parsed).unwrap(), json);
    let request = server
        .request(Method::GET, &format!("{path}/record"))
        .header("Accept", "text/plain")
        .header("If-None-Match", answer.header("etag"));
    assert_eq!(send(request).await.status, 304);
    let image = server.get_as(&format!("{path}/record"), "image/png").await;
    image.problem(406, "not_acceptable");
}

#[tokio::test]
async fn the_record_of_a_running_game_has_no_result() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let record = server.read(&playing.at("record")).await;
    assert_eq!(record["result"], Value::Null);
    let shown = server.read(&playing.path).await;
    let accept = "text/plain;q=0.9, application/json;q=0.1";
    let text = server.get_as(&playing.at("record"), accept).await;
    assert!(!text.text.contains("[Seed "));
    let commitment = format!("[SeedCommitment {}]", shown["seed_commitment"]);
    assert_contains(&text.text, &commitment);
    let query = server.get(&playing.at("record?event=true")).await;
    query.invalid("event");
}

/// Applies a JSON patch (RFC 6902), as an implementation that is independent of the server's.
fn apply_patch(mut value: Value, patch: &Value) -> Value {
    for step in array(patch) {
        let path = step["path"].as_str().unwrap();
        let (parent, name) = path
            .rsplit_once('/')
            .expect("a patch never replaces the whole document");
        let name = name.replace("~1", "/").replace("~0", "~");
        let parent = value.pointer_mut(parent).unwrap();
        match (step["op"].as_str().unwrap(), parent) {
            ("add" | "replace", Value::Object(fields)) => {
                fields.insert(name, step["value"].clone());
            }
            ("remove", Value::Object(fields)) => {
                fields.remove(&name).unwrap();
            }
            ("add", Value::Array(list)) => {
                list.insert(name.parse().unwrap(), step["value"].clone())
            }
            ("replace", Value::Array(list)) => {
                list[name.parse::<usize>().unwrap()] = step["value"].clone();
            }
            ("remove", Value::Array(list)) => {
                list.remove(name.parse().unwrap());
            }
            (op, parent) => panic!("{op} in {parent}"),
        }
    }
    value
}

#[tokio::test]
async fn positions_differ_by_what_the_patch_says() {
    let server = TestServer::start();
    let path = finished(&server).await;
    let last = server.read(&path).await["seq"].as_u64().unwrap();
    let state = async |seq: u64| server.read(&format!("{path}/states/{seq}")).await;
    let (first, middle, end) = (state(0).await, state(last / 2).await, state(last).await);
    for (from, to, one, other) in [
        (0, last / 2, &first, &middle),
        (last / 2, last, &middle, &end),
        (last, 0, &end, &first),
        (0, 0, &first, &first),
    ] {
        let diff = format!("{path}/states/{from}/diff/{to}");
        let answer = server.get(&diff).await;
        assert_eq!(answer.header("content-type"), "application/json-patch+json");
        assert_eq!(
            answer.header("cache-control"),
            "public, max-age=31536000, immutable"
        );
        let patch = answer.ok(200);
        assert_eq!(apply_patch(one.clone(), &patch), *other, "{diff}: {patch}");
        assert_eq!(array(&patch).is_empty(), from == to);
        let again = server.request(Method::GET, &diff);
        let again = again.header("If-None-Match", answer.header("etag"));
        assert_eq!(send(again).await.status, 304);
    }
    for (from, to) in [
        ("0".to_owned(), "x".to_owned()),
        ((last + 1).to_string(), "0".to_owned()),
    ] {
        let diff = format!("{path}/states/{from}/diff/{to}");
        server.get(&diff).await.not_found();
    }
}
