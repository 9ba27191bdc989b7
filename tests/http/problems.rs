//! Problems common to all routes.

use std::io::{Read, Write};

use api::http::limits::options::Limits;
use reqwest::Method;
use serde_json::{Value, json};

use super::support::{Answer, TestServer, send};

#[tokio::test]
async fn unknown_paths_are_not_found() {
    let server = TestServer::start();
    for path in [
        "/v1/",
        "/v2/games",
        "/v1/games/1/2/3",
        "/v1/games/1/states/",
        "/v1/games/%FF",
        "/%00",
        "/docs/nothing",
    ] {
        server.get(path).await.not_found();
    }
}

#[tokio::test]
async fn a_wrong_method_is_refused_with_the_allowed_ones() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let unknown = Method::from_bytes(b"FROB").unwrap();
    let cases = [
        (
            Method::PUT,
            "/v1/games".to_owned(),
            "GET, HEAD, POST, OPTIONS",
        ),
        (
            Method::PATCH,
            playing.path.clone(),
            "GET, HEAD, DELETE, OPTIONS",
        ),
        (Method::GET, playing.at("actions"), "POST, OPTIONS"),
        (
            Method::GET,
            playing.at("seats/0"),
            "POST, PUT, DELETE, OPTIONS",
        ),
        (Method::DELETE, "/healthz".to_owned(), "GET, HEAD, OPTIONS"),
        (
            Method::PUT,
            "/v1/games/count".to_owned(),
            "GET, HEAD, OPTIONS",
        ),
        (
            Method::DELETE,
            "/v1/games/count".to_owned(),
            "GET, HEAD, OPTIONS",
        ),
        (
            Method::TRACE,
            "/v1/games".to_owned(),
            "GET, HEAD, POST, OPTIONS",
        ),
        (
            unknown.clone(),
            "/v1/games".to_owned(),
            "GET, HEAD, POST, OPTIONS",
        ),
        (
            unknown.clone(),
            playing.at("legal-actions"),
            "GET, HEAD, OPTIONS",
        ),
        (unknown, "/openapi.json".to_owned(), "GET, HEAD, OPTIONS"),
        (
            Method::POST,
            "/openapi.json".to_owned(),
            "GET, HEAD, OPTIONS",
        ),
        (Method::DELETE, "/docs/".to_owned(), "GET, HEAD, OPTIONS"),
    ];
    for (method, path, allow) in cases {
        let answer = send(server.request(method, &path)).await;
        answer.problem(405, "method_not_allowed");
        assert_eq!(answer.header("allow"), allow);
        let asked = send(server.request(Method::OPTIONS, &path)).await;
        assert_eq!((asked.status, asked.header("allow")), (204, allow));
    }
    let unknown = send(server.request(Method::OPTIONS, "/v1/nothing")).await;
    unknown.not_found();
}

#[tokio::test]
async fn a_trailing_slash_in_a_path_is_named() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    for path in ["/v1/games", "/v1", &playing.path] {
        let answer = server.get(&format!("{path}/")).await;
        let detail = answer.not_found()["detail"].take();
        let detail_text = detail.as_str().unwrap();
        assert!(detail_text.ends_with(&format!("{path:?}")), "{detail_text}");
    }
    let address = server.address.strip_prefix("http://").unwrap();
    let mut connection = std::net::TcpStream::connect(address).unwrap();
    let request = "GET /games/?status=open HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    connection.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 308"), "{answer}");
    assert!(
        answer.contains("location: /games?status=open\r\n"),
        "{answer}"
    );
}

#[tokio::test]
async fn bodies_that_are_not_json_are_refused() {
    let server = TestServer::start();
    let post = async |body: Vec<u8>| {
        let request = server.request(Method::POST, "/v1/games");
        send(
            request
                .header("Content-Type", "application/json")
                .body(body),
        )
        .await
    };
    let deep = "[".repeat(100_000);
    for body in ["", "{", "{}}", "[}", "\u{0}", "nul", &deep] {
        post(body.into()).await.problem(400, "malformed_json");
    }
    post(vec![0xff, 0xfe]).await.problem(400, "malformed_json");
    let odd_name = r#"{"edition": "antike", "board": "antike-east", "seats": [],
        "position": {"turn_state": {"armed": {"x": 1}, "units": {"saba": {"legions": {"x": 1}}}}}}"#;
    for body in ["null", "[]", "7", "\"x\"", odd_name] {
        post(body.into()).await.problem(422, "invalid_body");
    }
}

#[tokio::test]
async fn all_missing_members_of_a_body_are_named_at_once() {
    let server = TestServer::start();
    let pointers = async |path: &str, body: Value| {
        let problem = server
            .post(path, "", body)
            .await
            .problem(422, "invalid_body");
        let errors = problem["errors"].as_array().unwrap().clone();
        let all = errors.iter().map(|error| {
            let detail = error["detail"].as_str().unwrap();
            assert!(detail.ends_with("is missing"), "{detail}");
            error["pointer"].as_str().unwrap().to_owned()
        });
        let mut all: Vec<String> = all.collect();
        all.sort();
        all
    };
    let game = pointers("/v1/games", json!({})).await;
    assert_eq!(game, ["/board", "/edition", "/seats"]);
    // Also those inside other members.
    let inside = json!({"board": "antike-east", "seats": [{}, {"player": "open"}, {}],
        "pace": {"then": "wait"}});
    let inside = pointers("/v1/games", inside).await;
    assert_eq!(
        inside,
        [
            "/edition",
            "/pace/turn_seconds",
            "/seats/0/player",
            "/seats/2/player"
        ]
    );
    let player = pointers("/v1/players", json!({})).await;
    assert_eq!(player, ["/handle"]);
}

#[tokio::test]
async fn the_code_says_which_part_of_a_request_is_invalid() {
    let server = TestServer::start();
    let field = |answer: Answer, code: &str| answer.problem(422, code)["field"].take();
    let query = server.get("/v1/games?limit=x&since=x&colour=red").await;
    let problem = query.problem(422, "invalid_parameter");
    let errors = problem["errors"].as_array().unwrap().iter();
    let mut fields: Vec<&str> = errors.map(|e| e["field"].as_str().unwrap()).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["colour", "limit", "since"]);
    let cursor = server.get("/v1/games?cursor=x").await;
    assert_eq!(field(cursor, "invalid_parameter"), "cursor");
    let stream = server.request(Method::GET, "/v1/events");
    let stream = stream.header("Accept", "text/event-stream");
    let stream = send(stream.header("Last-Event-ID", "x")).await;
    assert_eq!(field(stream, "invalid_header"), "Last-Event-ID");
    let open = json!({"player": "open"});
    let game = json!({"edition": "antike", "board": "antike-east", "seats": [open, open, open]});
    let key = server.request(Method::POST, "/v1/games");
    let key = send(key.header("Idempotency-Key", "").json(&game)).await;
    assert_eq!(field(key, "invalid_header"), "Idempotency-Key");
    let body = json!({"edition": 7, "board": "antike-east", "seats": [open, open, open]});
    let body = server.post("/v1/games", "", body).await;
    assert_eq!(field(body, "invalid_body"), "edition");
}

#[tokio::test]
async fn bodies_of_another_type_are_refused() {
    let server = TestServer::start();
    let request = || server.request(Method::POST, "/v1/games").body("{}");
    let text = request().header("Content-Type", "text/plain");
    send(text).await.problem(415, "unsupported_media_type");
    send(request()).await.problem(415, "unsupported_media_type");
    let charset = request().header("Content-Type", "application/json; charset=utf-8");
    send(charset).await.problem(422, "invalid_body");
}

#[tokio::test]
async fn bodies_that_are_too_large_are_refused() {
    let limits = Limits {
        body: 1000,
        ..Limits::unmetered()
    };
    let server = TestServer::with_limits(limits);
    let answer = server
        .post("/v1/games", "", json!({"edition": "x".repeat(1000)}))
        .await;
    assert_eq!(answer.problem(413, "too_large")["limit"], 1000);
}

/// Sends bytes to a server and returns its answer, read until the connection closes.
async fn send_bytes(socket: std::net::SocketAddr, bytes: Vec<u8>) -> String {
    String::from_utf8(send_and_read_bytes(socket, bytes).await).unwrap()
}

async fn send_and_read_bytes(socket: std::net::SocketAddr, bytes: Vec<u8>) -> Vec<u8> {
    let asked = tokio::task::spawn_blocking(move || {
        let mut connection = std::net::TcpStream::connect(socket).unwrap();
        // The server may close the connection before it has read everything.
        let _ = connection.write_all(&bytes);
        let mut answer = Vec::new();
        let _ = connection.read_to_end(&mut answer);
        answer
    });
    asked.await.unwrap()
}

#[tokio::test]
async fn malformed_requests_are_answered_with_a_status() {
    let server = TestServer::with_separate_metrics();
    let large = format!(
        "GET /v1/games HTTP/1.1\r\nHost: x\r\nX: {}",
        "x".repeat(200_000)
    );
    for (bytes, status) in [
        (&b"nothing at all\r\n\r\n"[..], "400 Bad Request"),
        (b"GET /v1/games HTTP/7.7\r\n\r\n", "400 Bad Request"),
        (
            b"POST /v1/games HTTP/1.1\r\nContent-Length: x\r\n\r\n",
            "400 Bad Request",
        ),
        (large.as_bytes(), "431 Request Header Fields Too Large"),
        // No second answer follows while the test waits.
        (b"GET /v1/games HT", "408 Request Timeout"),
    ] {
        for socket in [server.socket(), server.metrics_socket()] {
            let answer = send_bytes(socket, bytes.to_vec()).await;
            let start = format!("HTTP/1.1 {status}\r\n");
            assert!(answer.starts_with(&start), "{answer:?}");
        }
    }
    // A valid request before it is answered as usual.
    let two = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nnothing at all\r\n\r\n";
    let answer = send_bytes(server.socket(), two.to_vec()).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.contains("HTTP/1.1 400 Bad Request\r\n"), "{answer}");
    // The address that serves only the metrics.
    for (request, status, code) in [
        ("GET /v1/games", "404", "not_found"),
        ("POST /metrics", "405", "method_not_allowed"),
    ] {
        let request = format!("{request} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        let answer = send_bytes(server.metrics_socket(), request.into_bytes()).await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{answer}"
        );
        assert!(answer.contains(&format!("\"code\":\"{code}\"")), "{answer}");
    }
}

/// A client that goes on sending receives the answer that refuses what it sends.
#[tokio::test]
async fn a_body_that_is_far_too_large_is_answered() {
    let server = TestServer::start();
    let body = "x".repeat(4_000_000);
    let request = format!(
        "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let answer = send_bytes(server.socket(), request.into_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer:?}");
    assert!(answer.contains("\"code\":\"too_large\""), "{answer}");
}

/// The service supports HTTP/1.1 only, and ignores offers of other protocols.
#[tokio::test]
async fn other_protocols_are_not_offered() {
    let server = TestServer::start();
    let body = r#"{"situation": {}, "actions": []}"#;
    let board = "GET /v1/boards/antike-east HTTP/1.1";
    let post = "POST /v1/engine/apply HTTP/1.1\r\nContent-Type: application/json";
    let h2c = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\
               HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n";
    let websocket = "Connection: Upgrade\r\nUpgrade: websocket\r\n\
                     Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    for (request, body, status) in [(board, "", "200"), (post, body, "422")] {
        for (upgrade, encoding) in [
            (h2c, ""),
            (h2c, "Accept-Encoding: gzip\r\n"),
            (websocket, ""),
            (websocket, "Accept-Encoding: gzip\r\n"),
        ] {
            // WebSocket begins with GET (RFC 6455, 4.1), and the framework reads no body with this header.
            if upgrade == websocket && !body.is_empty() {
                continue;
            }
            let upgrade = format!("Host: x\r\n{upgrade}Content-Length: {}\r\n", body.len());
            let sent = format!("{request}\r\n{upgrade}{encoding}\r\n{body}");
            let answer = send_and_read_bytes(server.socket(), sent.into_bytes()).await;
            let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
            let (head, body) = answer.split_at(end.unwrap() + 4);
            let head = std::str::from_utf8(head).unwrap().to_ascii_lowercase();
            assert!(head.starts_with(&format!("http/1.1 {status} ")), "{head}");
            assert!(!head.contains("connection: upgrade"), "{head}");
            assert!(head.contains("connection: close\r\n"), "{head}");
            let body = match head.contains("transfer-encoding: chunked") {
                true => decode_chunks(body),
                false => body.to_vec(),
            };
            let body = match head.contains("content-encoding: gzip") {
                true => {
                    let mut plain = Vec::new();
                    let mut reader = flate2::read::GzDecoder::new(&body[..]);
                    reader.read_to_end(&mut plain).unwrap();
                    plain
                }
                false => body,
            };
            serde_json::from_slice::<serde_json::Value>(&body).expect("an incomplete body");
        }
    }
}

/// Decodes a chunked body, each chunk of which must be complete.
fn decode_chunks(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = bytes.windows(2).position(|two| two == b"\r\n").unwrap();
        let length = std::str::from_utf8(&bytes[..end]).unwrap();
        let length = usize::from_str_radix(length, 16).unwrap();
        let chunk = &bytes[end + 2..];
        assert_eq!(&chunk[length..length + 2], b"\r\n");
        if length == 0 {
            return body;
        }
        body.extend_from_slice(&chunk[..length]);
        bytes = &chunk[length + 2..];
    }
}

#[tokio::test]
async fn requests_that_take_too_long_are_ended() {
    let limits = Limits {
        request_time: 200,
        ..Limits::unmetered()
    };
    let server = TestServer::with_limits(limits);
    // A body that is never complete.
    let answer = tokio::task::spawn_blocking(move || {
        let mut connection = std::net::TcpStream::connect(server.socket()).unwrap();
        let request = "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                       Content-Length: 100\r\nConnection: close\r\n\r\n{";
        connection.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        answer
    });
    let answer = answer.await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    assert!(answer.contains("retry-after: 1\r\n"), "{answer}");
    assert!(answer.contains("\"code\":\"unavailable\""), "{answer}");
}

#[tokio::test]
async fn every_operation_refuses_odd_bodies_without_a_fault() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let odd = [
        json!(null),
        json!([]),
        json!({}),
        json!([null]),
        json!({"actions": [{}]}),
        json!({"type": "march", "unit": "legion", "count": 300, "from": "roma", "to": "roma"}),
        json!({"type": "march", "unit": "legion", "count": 255, "from": "athen", "to": "athen", "left": 255}),
        json!({"type": "trade", "give": {"marble": 255, "gold": 255}, "take": {"iron": 255}}),
        json!({"type": "answer_battle", "count": 255}),
        json!({"type": "conquer", "region": "athen", "legions": 255, "galleys": 255}),
        json!({"to": u64::MAX}),
        json!({"ranks": [{"seat": 255, "rank": 255}]}),
        json!({"player": {"bot": "random", "id": "x"}}),
        json!({"situation": {}, "actions": []}),
    ];
    let paths = [
        (Method::POST, "/v1/games".to_owned()),
        (Method::POST, "/v1/engine/apply".to_owned()),
        (Method::POST, "/v1/engine/legal-actions".to_owned()),
        (Method::POST, "/v1/engine/analysis".to_owned()),
        (Method::POST, playing.at("actions")),
        (Method::POST, playing.at("undo")),
        (Method::POST, playing.at("adjudication")),
        (Method::PUT, playing.at("seats/0")),
        (Method::PUT, playing.at("seats/0/orders")),
    ];
    for (method, path) in &paths {
        for body in &odd {
            for token in ["", &playing.token, &playing.organizer] {
                let request = server.with(method.clone(), path, token).json(body);
                let answer = send(request).await;
                assert!(
                    answer.status < 500,
                    "{method} {path} {body}: {}",
                    answer.text
                );
            }
        }
    }
}
