//! The limits of callers: rates, streams, and an overloaded service.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use api::http::limits::options::{Limits, ProxyHeader, Rate};
use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::json;

use super::support::{Answer, Database, PATIENCE, TestServer, array, eventually, send};

/// Limits that apply to callers on this machine as well, with generous times for slow threads.
fn alike() -> Limits {
    Limits {
        loopback: 1,
        delay: 0,
        ..Limits::default()
    }
}

/// A rate with this quantity at once, and no refill while a test runs.
fn rate(quantity: u32) -> Rate {
    format!("{quantity}/3600").parse().unwrap()
}

/// Reads a list of structured fields, such as the rate limit headers: the parameters of each name.
fn list(text: &str) -> BTreeMap<String, BTreeMap<String, u64>> {
    let items = text.split(", ").map(|item| {
        let mut parts = item.split(';');
        let name = parts.next().unwrap();
        let name = name.strip_prefix('"').unwrap().strip_suffix('"').unwrap();
        let parameters = parts.map(|part| {
            let (key, value) = part.split_once('=').unwrap();
            (key.to_owned(), value.parse().unwrap())
        });
        (name.to_owned(), parameters.collect())
    });
    items.collect()
}

/// Returns how many requests a policy still allows. The two headers of the answer must agree.
#[track_caller]
fn left(answer: &Answer, policy: &str, quantity: u64) -> u64 {
    let policies = list(answer.header("ratelimit-policy"));
    assert_eq!(policies[policy]["q"], quantity);
    assert_eq!(policies[policy]["w"], 3600);
    let standing = &list(answer.header("ratelimit"))[policy];
    assert!(standing["t"] > 0 && standing["t"] <= 3601, "{standing:?}");
    standing["r"]
}

/// Checks a refusal, which says when to try again.
#[track_caller]
fn assert_refused(answer: &Answer, policy: &str, quantity: u64) {
    let problem = answer.problem(429, "rate_limited");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.starts_with(policy), "{detail}");
    assert_eq!(left(answer, policy, quantity), 0);
    let again: u64 = answer.header("retry-after").parse().unwrap();
    // One request may come again before the whole quota is there.
    let whole = list(answer.header("ratelimit"))[policy]["t"];
    assert!(
        whole > again || (quantity, whole) == (1, again),
        "{whole} {again}"
    );
}

#[tokio::test]
async fn an_address_with_too_many_requests_is_refused() {
    let server = TestServer::with_limits(Limits {
        reads: rate(3),
        writes: rate(1),
        ..alike()
    });
    for expected in [2, 1] {
        let answer = server.get("/v1/editions").await;
        answer.ok(200);
        assert_eq!(left(&answer, "reads", 3), expected);
    }
    // Failed requests count as well, and their answers have the headers.
    let answer = send(server.request(Method::HEAD, "/v1/nothing")).await;
    assert_eq!(answer.status, 404);
    assert_eq!(left(&answer, "reads", 3), 0);
    let answer = server.get("/v1/editions").await;
    assert_refused(&answer, "reads", 3);
    assert_eq!(answer.json()["instance"], "/v1/editions");
    // Writes have their own limit.
    let answer = server.post("/v1/games/none/actions", "", json!({})).await;
    assert_eq!(answer.status, 404);
    assert_eq!(left(&answer, "writes", 1), 0);
    let answer = server.post("/v1/games/none/actions", "", json!({})).await;
    assert_refused(&answer, "writes", 1);
    for path in ["/healthz", "/readyz", "/metrics"] {
        for _ in 0..5 {
            let answer = server.get(path).await;
            assert_eq!(answer.status, 200, "{}", answer.text);
            assert_eq!(answer.header("ratelimit"), "");
        }
    }
    let counts = server.get("/metrics").await.text;
    let refusals = "tabularium_requests_refused_total{code=\"rate_limited\"}";
    assert!(counts.contains(refusals), "{counts}");
}

#[tokio::test]
async fn tokens_have_quotas_of_their_own() {
    let server = TestServer::with_limits(Limits {
        reads: rate(1),
        token_reads: rate(2),
        token_writes: rate(1),
        tokens: rate(6),
        ..alike()
    });
    let get = async |token| server.get_with("/v1/editions", token).await;
    let answer = get("").await;
    assert_eq!(left(&answer, "reads", 1), 0);
    assert_refused(&get("").await, "reads", 1);
    // The limits do not check tokens, so invalid ones have quotas too. Each new token counts for its address.
    for token in ["one", "two"] {
        let answer = get(token).await;
        answer.unauthenticated();
        assert_eq!(left(&answer, "token_reads", 2), 1);
        get(token).await.unauthenticated();
        assert_refused(&get(token).await, "token_reads", 2);
    }
    let write = server.with(Method::DELETE, "/v1/games/none", "one");
    let answer = send(write).await;
    assert_eq!(answer.status, 401);
    assert_eq!(left(&answer, "token_writes", 1), 0);
    assert_eq!(left(&answer, "tokens", 6), 1);
    get("three").await.unauthenticated();
    assert_refused(&get("four").await, "tokens", 6);
}

#[tokio::test]
async fn expensive_requests_have_a_limit_of_their_own() {
    let server = TestServer::with_limits(Limits {
        games: rate(1),
        expensive: rate(4),
        ..alike()
    });
    let game = json!({"edition": "antike", "board": "antike-east",
        "seats": [{"player": "open"}, {"player": "open"}, {"player": "open"}]});
    let answer = server.post("/v1/games", "", game.clone()).await;
    answer.ok(201);
    assert_eq!(left(&answer, "games", 1), 0);
    assert!(list(answer.header("ratelimit")).contains_key("writes"));
    assert_refused(&server.post("/v1/games", "", game).await, "games", 1);

    let situation = json!({"edition": "antike", "board": "antike-east", "first": "greeks",
        "seats": [["greeks"], ["phoenicians"], ["persians"], ["arabs"]]});
    let apply = json!({"situation": situation, "actions": []});
    let legal = "/v1/engine/legal-actions";
    let answers = [
        server.post("/v1/engine/apply", "", apply.clone()).await,
        server.post(legal, "", situation.clone()).await,
        server.get("/v1/stats/nations").await,
        server.get_as("/v1/events", "application/x-ndjson").await,
    ];
    for (answer, expected) in answers.iter().zip([3, 2, 1, 0]) {
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert_eq!(left(answer, "expensive", 4), expected);
    }
    assert_refused(
        &server.post("/v1/engine/apply", "", apply).await,
        "expensive",
        4,
    );
    assert_refused(&server.post(legal, "", situation).await, "expensive", 4);
    assert_refused(&server.get("/v1/stats/seats").await, "expensive", 4);
    // A page is not expensive.
    server.read("/v1/events").await;
}

/// Sends a request for each value of this header. Returns which of them were answered rather than refused.
async fn send_with_header(server: &TestServer, name: &str, values: &[&str]) -> Vec<bool> {
    let mut answered = Vec::new();
    for value in values {
        let request = server.request(Method::GET, "/v1/editions");
        answered.push(send(request.header(name, *value)).await.status == 200);
    }
    answered
}

#[tokio::test]
async fn only_a_trusted_proxy_names_the_caller() {
    let one = Limits {
        reads: rate(1),
        ..alike()
    };
    let server = TestServer::with_limits(one.clone());
    let values = ["192.0.2.1", "192.0.2.2"];
    assert_eq!(
        send_with_header(&server, "X-Forwarded-For", &values).await,
        [true, false]
    );

    let server = TestServer::with_limits(Limits {
        trusted_proxies: vec!["127.0.0.0/8".parse().unwrap()],
        ..one.clone()
    });
    let values = [
        "192.0.2.1",
        "192.0.2.2",
        "192.0.2.1",
        // The proxy adds the address that it saw last. Earlier addresses come from the caller and are ignored.
        "198.51.100.1, 192.0.2.1",
        "192.0.2.3, 127.0.0.2",
        // An IPv6 network is a single caller.
        "2001:db8::1",
        "2001:db8::2",
        "2001:db8:0:1::1",
    ];
    let expected = [true, true, false, false, true, true, false, true];
    assert_eq!(
        send_with_header(&server, "X-Forwarded-For", &values).await,
        expected
    );
    // The proxy does not set this header, so it comes from the caller and is ignored.
    let values = ["for=192.0.2.8", "for=192.0.2.9"];
    assert_eq!(
        send_with_header(&server, "Forwarded", &values).await,
        [true, false]
    );

    let server = TestServer::with_limits(Limits {
        trusted_proxies: vec!["127.0.0.0/8".parse().unwrap()],
        proxy_header: ProxyHeader::Forwarded,
        ..one
    });
    let values = ["for=192.0.2.8", "for=\"[2001:db8::1]:80\"", "for=192.0.2.8"];
    assert_eq!(
        send_with_header(&server, "Forwarded", &values).await,
        [true, true, false]
    );
}

/// Without a token, an idempotency key belongs to the address that the trusted proxy names.
#[tokio::test]
async fn callers_behind_a_proxy_have_keys_of_their_own() {
    let server = TestServer::with_limits(Limits {
        trusted_proxies: vec!["127.0.0.0/8".parse().unwrap()],
        ..Limits::unmetered()
    });
    let new = json!({"edition": "antike", "board": "antike-east",
        "seats": [{"player": "open"}, {"player": "open"}, {"player": "open"}]});
    let create = async |caller: &'static str| {
        let request = server.request(Method::POST, "/v1/games");
        let request = request.header("X-Forwarded-For", caller);
        send(request.header("Idempotency-Key", "turn-15-1").json(&new)).await
    };
    let one = create("192.0.2.1").await.ok(201);
    let other = create("192.0.2.2").await.ok(201);
    assert_ne!(one["id"], other["id"]);
    create("192.0.2.1").await.problem(409, "already_done");
}

#[tokio::test]
async fn an_operator_can_have_no_limits() {
    let server = TestServer::with_limits(Limits {
        reads: "0".parse().unwrap(),
        ..alike()
    });
    let answer = server.get("/v1/limits").await;
    assert_eq!(answer.header("ratelimit"), "");
    let limits = answer.ok(200);
    let found = |name: &str| {
        let mut items = array(&limits["items"]).iter();
        items.find(|item| item["name"] == name).unwrap().clone()
    };
    assert_eq!(found("reads")["quantity"], json!(null));
    assert_eq!(found("reads")["window"], json!(null));
    assert_eq!(found("writes")["quantity"], 200);
    assert_eq!(found("writes")["window"], 10);
    assert_eq!(found("body")["quantity"], 256 * 1024);
    assert_eq!(found("body")["unit"], "bytes");
    let server = TestServer::with_limits(Limits {
        reads: rate(1),
        unmetered: true,
        ..alike()
    });
    for _ in 0..3 {
        let limits = server.read("/v1/limits").await;
        assert_eq!(limits["items"][0]["quantity"], json!(null));
    }
}

/// The request that follows the log of all games.
fn follow(server: &TestServer, caller: &str) -> RequestBuilder {
    let request = server.request(Method::GET, "/v1/events");
    let request = request.header("Accept", "text/event-stream");
    request.header("X-Forwarded-For", caller)
}

async fn open_stream(request: RequestBuilder) -> Response {
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    response
}

#[tokio::test]
async fn live_streams_are_bounded() {
    let limits = Limits {
        address_streams: 2,
        streams: 3,
        trusted_proxies: vec!["127.0.0.1".parse::<std::net::IpAddr>().unwrap().into()],
        ..alike()
    };
    let server = TestServer::with_limits(limits.clone());
    let first = open_stream(follow(&server, "192.0.2.1")).await;
    let second = open_stream(follow(&server, "192.0.2.1")).await;
    let answer = send(follow(&server, "192.0.2.1")).await;
    answer.problem(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), "10");
    let third = open_stream(follow(&server, "192.0.2.2")).await;
    let answer = send(follow(&server, "192.0.2.3")).await;
    answer.problem(503, "overloaded");
    assert_eq!(answer.header("retry-after"), "10");
    // Pages stay available.
    server.read("/v1/events").await;
    drop((first, second));
    // The service notices the closed stream when it writes to it next.
    let again = eventually("the closed stream still counts", async || {
        let response = follow(&server, "192.0.2.1").send().await.unwrap();
        (response.status() == 200).then_some(response)
    });
    drop((again.await, third));

    let server = TestServer::with_limits(Limits {
        log_streams: 1,
        ..limits
    });
    let playing = server.game_with_bots().await;
    let _one = open_stream(follow(&server, "192.0.2.1")).await;
    send(follow(&server, "192.0.2.2"))
        .await
        .problem(503, "overloaded");
    // One game may have more streams.
    let request = server.request(Method::GET, &playing.at("events"));
    open_stream(request.header("Accept", "text/event-stream")).await;
}

/// Sends a request whose body is incomplete until [`finish`], and waits until the service reads it.
fn begin(server: &TestServer) -> TcpStream {
    let mut connection = TcpStream::connect(server.socket()).unwrap();
    let request = "POST /v1/engine/apply HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\
        Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n";
    connection.write_all(request.as_bytes()).unwrap();
    let mut goes_on = *b"HTTP/1.1 100 Continue\r\n\r\n";
    connection.read_exact(&mut goes_on).unwrap();
    assert_eq!(goes_on, *b"HTTP/1.1 100 Continue\r\n\r\n");
    connection.write_all(b"{").unwrap();
    connection
}

fn finish(mut connection: TcpStream) -> String {
    connection.write_all(b"}").unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    answer
}

/// Repeats a request until its answer has this status.
async fn until(server: &TestServer, path: &str, status: u16) -> Answer {
    let look = async || Some(server.get(path).await).filter(|answer| answer.status == status);
    eventually(&format!("{path} never was {status}"), look).await
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_concurrent_requests_are_refused_immediately() {
    let server = TestServer::with_limits(Limits {
        requests: 2,
        ..Limits::unmetered()
    });
    let held = [begin(&server), begin(&server)];
    let answer = until(&server, "/v1/editions", 503).await;
    answer.problem(503, "overloaded");
    assert_eq!(answer.header("retry-after"), "2");
    server.read("/healthz").await;
    server.read("/readyz").await;
    for connection in held {
        let answer = finish(connection);
        assert!(answer.starts_with("HTTP/1.1 422 "), "{answer}");
    }
    until(&server, "/v1/editions", 200).await;

    // Concurrent requests of one address count for that address.
    let server = TestServer::with_limits(Limits {
        address_requests: 1,
        ..alike()
    });
    let held = begin(&server);
    let answer = until(&server, "/v1/editions", 429).await;
    answer.problem(429, "rate_limited");
    finish(held);
    until(&server, "/v1/editions", 200).await;
}

/// An answer counts as concurrent until it is sent, so answers that no client reads do not fill the memory.
#[tokio::test(flavor = "multi_thread")]
async fn answers_that_are_not_read_count_for_their_address() {
    let server = TestServer::with_limits(Limits {
        address_requests: 1,
        ..alike()
    });
    let mut unread = TcpStream::connect(server.socket()).unwrap();
    // More than the buffers of the system hold.
    let asked = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(60);
    unread.write_all(asked.as_bytes()).unwrap();
    let mut in_a_row = 0;
    while in_a_row < 20 {
        let status = server.get("/v1/editions").await.status;
        in_a_row = if status == 429 { in_a_row + 1 } else { 0 };
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drop(unread);
    until(&server, "/v1/editions", 200).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_waits_for_a_slot_is_refused_soon() {
    let database = Database::Sqlite(tempfile::tempdir().unwrap());
    let limits = Limits {
        jobs: 1,
        waiting: 1,
        // Longer than a read takes on a busy machine.
        wait: 2000,
        ..Limits::unmetered()
    };
    let server = TestServer::on(database, limits, None);
    let url = server.database.url();
    let file = url.strip_prefix("sqlite:").unwrap();
    let mut other = SqliteConnection::establish(file).unwrap();
    // The service may be writing.
    other
        .batch_execute("PRAGMA busy_timeout = 60000; BEGIN IMMEDIATE")
        .unwrap();
    // This request waits for the database, and holds the only slot.
    let game = json!({"edition": "antike", "board": "antike-east",
        "seats": [{"player": "open"}, {"player": "open"}, {"player": "open"}]});
    let created = server.request(Method::POST, "/v1/games").json(&game);
    let created = tokio::spawn(send(created));
    let answer = until(&server, "/v1/games", 503).await;
    answer.problem(503, "overloaded");
    assert_eq!(answer.header("retry-after"), "2");
    // Readiness needs no slot, and reports that writes fail. Reading data in memory needs none either.
    server.get("/readyz").await.problem(503, "unavailable");
    server.read("/v1/editions").await;
    other.batch_execute("ROLLBACK").unwrap();
    created.await.unwrap().ok(201);
    server.read("/v1/games").await;
}

/// The program with a small limit of open files.
struct Program {
    child: Child,
    address: String,
    _folder: tempfile::TempDir,
}

impl Program {
    fn start(files: usize) -> Program {
        let folder = tempfile::tempdir().unwrap();
        let command = format!(
            "ulimit -n {files} && exec {} serve --listen 127.0.0.1:0 --database sqlite:few.db \
             --limit-address-streams 0 --limit-log-streams 0",
            env!("CARGO_BIN_EXE_tabularium")
        );
        let mut child = Command::new("sh")
            .args(["-c", &command])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        Program {
            child,
            address: line.strip_prefix("listening on ").unwrap().to_owned(),
            _folder: folder,
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn followers_and_idle_connections_do_not_keep_others_out() {
    let program = Program::start(200);
    let client = reqwest::Client::new();
    let follow = || {
        let request = client.get(format!("{}/v1/events", program.address));
        request.header("Accept", "text/event-stream").send()
    };
    let mut followers = Vec::new();
    let mut refused = 0;
    for _ in 0..250 {
        let response = follow().await.unwrap();
        match response.status().as_u16() {
            200 => followers.push(response),
            503 => refused += 1,
            other => panic!("{other}"),
        }
    }
    // Half of the connections that 200 files permit.
    assert_eq!((followers.len(), refused), (50, 200));
    // Too many connections that send nothing: they are dropped, and the next caller is served.
    let socket = program.address.strip_prefix("http://").unwrap();
    let idle: Vec<TcpStream> = (0..120)
        .map(|_| TcpStream::connect(socket).unwrap())
        .collect();
    let fresh = reqwest::Client::new();
    let answer = fresh.get(format!("{}/v1/editions", program.address)).send();
    let answer = tokio::time::timeout(PATIENCE, answer).await;
    assert_eq!(answer.expect("in time").unwrap().status(), 200);
    drop((idle, followers));
}

#[tokio::test]
async fn each_table_of_a_league_counts_as_a_game() {
    let server = TestServer::with_limits(Limits {
        games: rate(6),
        ..alike()
    });
    let (_, token) = super::accounts::register(&server, "dido").await;
    let new = json!({"name": "Cup", "season": {"name": "Spring", "rules": {"scoring": "shares"}}});
    let made = server.post("/v1/leagues", &token, new).await;
    assert_eq!(left(&made, "games", 6), 4, "an account and a league");
    let path = made.header("location").to_owned();
    let mut seats = Vec::new();
    for name in ["Hanno", "Mago", "Elissa"] {
        let body = json!({ "placeholder": name });
        let added = server.post(&format!("{path}/members"), &token, body).await;
        let last = array(&added.ok(201)["members"]).last().cloned();
        seats.push(json!({"member": last.unwrap()["id"]}));
    }
    let table = json!({ "seats": seats });
    let tables =
        json!({"edition": "antike", "board": "antike-east", "tables": [table, table, table]});
    let set_up = async || {
        server
            .post(&format!("{path}/tables"), &token, tables.clone())
            .await
    };
    let answer = set_up().await;
    answer.ok(201);
    assert_eq!(left(&answer, "games", 6), 1);
    assert_refused(&set_up().await, "games", 6);
    let one = json!({"edition": "antike", "board": "antike-east", "tables": [table]});
    let path = format!("{path}/tables");
    server.create(&path, &token, one).await;
}
