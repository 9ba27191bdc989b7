//! Requests are validated against the specification: every operation that it lists, including future ones.

use api::http::scope::Scope;
use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::{operators_token, register};
use super::support::{Answer, TestGame, TestServer, adjudication, array, send};

struct Operation {
    method: Method,
    /// The path, with the id of a running game in it.
    path: String,
    /// The names of the parameters in the path.
    template: String,
    query: Vec<String>,
    /// The body that the specification shows as an example.
    bodies: Vec<Value>,
}

fn operations(playing: &TestGame) -> Vec<Operation> {
    let document: Value = serde_json::from_str(&api::server::docs::text().unwrap()).unwrap();
    let mut operations = Vec::new();
    for (template, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let path = template
                .replace("/v1/games/{game}", &playing.path)
                .replace("/webhooks/{webhook}", "/webhooks/0")
                .replace("{league}", "0")
                .replace("{table}", "1")
                .replace("{season}", "1")
                .replace("{report}", "1")
                .replace("{dispute}", "1")
                .replace("{delivery}", "0")
                .replace("{seat}", "0")
                .replace("{seq}", "0")
                .replace("{from}/diff/{to}", "0/diff/0")
                .replace("{dataset}", "none")
                .replace("/versus/{measure}", "/versus/nations")
                .replace("{path}", "manifest.json")
                .replace("{edition}", "antike")
                .replace("{board}", "antike-east")
                .replace("{version}", "1")
                .replace("/rules/{number}", "/rules/A27")
                .replace("/checkpoints/{number}", "/checkpoints/latest")
                .replace("{code}", "7KQM-2V9D-XHT4")
                .replace("{player}", "dido")
                .replace("{app}", "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")
                .replace("{connection}", "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")
                .replace("{subscription}", "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")
                .replace("{passkey}", "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")
                .replace("{session}", "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")
                .replace("{token}", "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77");
            assert!(!path.contains('{'), "{path}");
            let parameters = array(&operation["parameters"]);
            let query = parameters.iter().filter(|one| one["in"] == "query");
            let content = &operation["requestBody"]["content"]["application/json"];
            let several = content["examples"].as_object().into_iter().flatten();
            let several = several.map(|(_, example)| example["value"].clone());
            let one = content.get("example").cloned();
            operations.push(Operation {
                method: method.to_uppercase().parse().unwrap(),
                path,
                template: template.clone(),
                query: query
                    .map(|one| one["name"].as_str().unwrap().to_owned())
                    .collect(),
                bodies: several.chain(one).collect(),
            });
        }
    }
    assert!(operations.len() > 30, "they are found");
    operations
}

/// The endpoints at which apps identify themselves without a token.
const OAUTH: [&str; 3] = ["/oauth/token", "/oauth/revoke", "/oauth/device"];

impl Operation {
    async fn ask(
        &self,
        server: &TestServer,
        token: &str,
        query: &str,
        body: Option<&Value>,
    ) -> Answer {
        let path = format!("{}{query}", self.path);
        let request = server.with(self.method.clone(), &path, token);
        send(match body {
            Some(body) => request.json(body),
            None => request,
        })
        .await
    }
}

/// Returns each place in a value, as a JSON pointer.
fn places(value: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut below = |name: &str, value: &Value| {
        let name = name.replace('~', "~0").replace('/', "~1");
        found.extend(places(value).iter().map(|place| format!("/{name}{place}")));
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| below(name, value)),
        Value::Array(values) => {
            let values = values.iter().enumerate();
            values.for_each(|(index, value)| below(&index.to_string(), value));
        }
        _ => {}
    }
    found
}

/// Returns a copy of a value with another value at a place.
fn with(value: &Value, place: &str, other: Value) -> Value {
    let mut value = value.clone();
    *value.pointer_mut(place).unwrap() = other;
    value
}

#[tokio::test]
async fn unknown_and_repeated_parameters_are_refused_everywhere() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let before = server.read(&playing.path).await;
    for operation in operations(&playing) {
        // RFC 6749, section 3.2: they ignore unknown parameters.
        if OAUTH.contains(&&*operation.template) {
            continue;
        }
        let called = format!("{} {}", operation.method, operation.template);
        for token in [&playing.token, &playing.organizer] {
            let body = operation.bodies.first();
            let answer = operation.ask(&server, token, "?dry_rum=true", body).await;
            assert_eq!(answer.status, 422, "{called}: {}", answer.text);
            answer.invalid("dry_rum");
            for name in &operation.query {
                for value in [format!("1&{name}=1"), "%00".to_owned(), "%ff".to_owned()] {
                    let query = format!("?{name}={value}");
                    let answer = operation.ask(&server, token, &query, body).await;
                    assert_eq!(answer.status, 422, "{called} {query}: {}", answer.text);
                    let problem = answer.problem(422, "invalid_parameter");
                    assert_eq!(problem["field"], **name, "{called} {query}");
                }
            }
        }
    }
    let adjudication = adjudication(&[1, 2, 2, 4]);
    let tried = playing.at("adjudication?dry_run=true");
    let tried = server.post(&tried, &playing.organizer, adjudication).await;
    tried.problem(422, "invalid_parameter");
    assert_eq!(server.read(&playing.path).await, before);
}

/// Values of `Authorization` that are not a valid bearer token, and the challenge of the answer.
async fn invalid_authorizations(server: &TestServer) -> Vec<(String, &'static str)> {
    const INVALID: &str = "Bearer error=\"invalid_token\"";
    const MISSING: &str = "Bearer realm=\"tabularium\"";
    let (_, revoked) = register(server, "hanno").await;
    let gone = server.delete("/v1/me", &revoked).await;
    assert_eq!(gone.status, 204);
    let playing = server.game_with_bots().await;
    let bot = json!({"player": {"bot": "random"}});
    let seat = playing.at("seats/0");
    server.put(&seat, &playing.organizer, bot).await.ok(200);
    let valid = operators_token(server, "mago", &[Scope::Admin], 600);
    let last = if valid.ends_with('a') { 'b' } else { 'a' };
    let broken = format!("{}{last}", &valid[..valid.len() - 1]);
    let unknown = api::accounts::token::generate().unwrap();
    let expired = operators_token(server, "bomilcar", &[Scope::Admin], -1);
    let mut all = vec![
        ("Bearer".to_owned(), INVALID),
        ("Basic bWFnbzptYWdv".to_owned(), MISSING),
        (valid, MISSING),
    ];
    for token in [
        "my-expired-jwt",
        &broken,
        &unknown,
        &revoked,
        &expired,
        &playing.token,
    ] {
        all.push((format!("Bearer {token}"), INVALID));
    }
    all
}

#[tokio::test]
async fn an_invalid_bearer_token_is_refused_everywhere() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let invalid = invalid_authorizations(&server).await;
    let games = server.read("/v1/games/count").await;
    let players = server.read("/v1/players").await;
    let mut operations = operations(&playing);
    for path in ["/", "/games", "/docs/", "/nothing", "/v1/nothing"] {
        operations.push(Operation {
            method: Method::GET,
            path: path.to_owned(),
            template: path.to_owned(),
            query: Vec::new(),
            bodies: Vec::new(),
        });
    }
    for operation in operations {
        let watches = ["/healthz", "/readyz", "/metrics"].contains(&&*operation.template);
        for (authorization, challenge) in &invalid {
            let request = server.request(operation.method.clone(), &operation.path);
            let request = request.header("Authorization", authorization);
            let answer = send(match operation.bodies.first() {
                Some(body) => request.json(body),
                None => request,
            })
            .await;
            let called = format!(
                "{} {}: {authorization}",
                operation.method, operation.template
            );
            assert_eq!(answer.status == 401, !watches, "{called}: {}", answer.text);
            let challenge = match OAUTH.contains(&&*operation.template) {
                true => "Basic realm=\"OAuth\"",
                false => challenge,
            };
            if !watches {
                assert_eq!(answer.header("www-authenticate"), challenge, "{called}");
            }
        }
    }
    assert_eq!(server.read("/v1/games/count").await, games);
    assert_eq!(server.read("/v1/players").await, players);
    let twice = server.with(Method::GET, "/v1/boards", &playing.token);
    let twice = twice.header("Authorization", format!("Bearer {}", playing.organizer));
    send(twice).await.unauthenticated();
}

#[tokio::test]
async fn a_nul_in_a_path_is_not_found() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    for operation in operations(&playing) {
        let parts: Vec<&str> = operation.template.split('/').collect();
        for (index, part) in parts
            .iter()
            .enumerate()
            .filter(|(_, part)| part.starts_with('{'))
        {
            let whole: Vec<&str> = operation.path.split('/').collect();
            for nul in ["%00", "a%00b"] {
                let mut path = whole.clone();
                path[index] = nul;
                // A comparison needs a second sample.
                let query = match operation.query.contains(&"versus".to_owned()) {
                    true => "?versus=",
                    false => "",
                };
                let path = path.join("/") + query;
                let request = server.with(operation.method.clone(), &path, &playing.token);
                let answer = match operation.bodies.first() {
                    Some(body) => send(request.json(body)).await,
                    None => send(request).await,
                };
                assert_eq!(answer.status, 404, "{path} {part}: {}", answer.text);
            }
        }
    }
}

#[tokio::test]
async fn arrays_are_not_accepted_as_objects() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let before = server.read(&playing.path).await;
    let games = server.read("/v1/games/count").await;
    let mut tried = 0;
    for operation in operations(&playing) {
        for body in &operation.bodies {
            for place in places(body) {
                // The import of records answers 200 with an error for each record that is wrong inside.
                if operation.path == "/v1/records" && !place.is_empty() {
                    continue;
                }
                let Some(fields) = body.pointer(&place).and_then(Value::as_object) else {
                    continue;
                };
                // Serde would read an array as a struct, with the fields in their order.
                let mut named: Vec<(&String, &Value)> = fields.iter().collect();
                named.sort_by_key(|(name, _)| !["edition", "type"].contains(&name.as_str()));
                let array = named.into_iter().map(|(_, value)| value.clone()).collect();
                for array in [Value::Array(array), json!([])] {
                    let changed = with(body, &place, array);
                    let answer = operation
                        .ask(&server, &playing.organizer, "", Some(&changed))
                        .await;
                    let called = format!("{} {}: {changed}", operation.method, operation.template);
                    assert_eq!(answer.status, 422, "{called}: {}", answer.text);
                    answer.problem(422, "invalid_body");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 100, "{tried}");
    let given = [
        (
            "/v1/games",
            json!(["antike", "antike-east", [], [{"player": "open"}, {"player": "open"}]]),
        ),
        (
            "/v1/engine/apply",
            json!([{"edition": "antike", "board": "antike-east", "seats": [["greeks"], ["arabs"]]}, []]),
        ),
    ];
    for (path, body) in given {
        server
            .post(path, "", body)
            .await
            .problem(422, "invalid_body");
    }
    let pay = json!({"type": "move_stone", "field": "iron", "pay": [0, 0, 0, 1]});
    let refused = server
        .post(&playing.at("actions"), &playing.token, pay)
        .await;
    refused.invalid("pay");
    let orders = json!([["greeks", null, null, "allow"]]);
    let refused = server
        .put(&playing.at("seats/0/orders"), &playing.token, orders)
        .await;
    refused.invalid("[0]");
    assert_eq!(server.read(&playing.path).await, before);
    assert_eq!(server.read("/v1/games/count").await, games);
}

/// Finds a Rust term in a message. A reader who knows only JSON need not understand it.
fn rust_in(message: &str) -> Option<&str> {
    let rust = [
        "struct",
        "enum",
        "tuple",
        "sequence",
        "map",
        "u8",
        "u16",
        "u32",
        "u64",
        "usize",
        "i64",
        "f64",
        "Option",
        "newtype",
        "literal",
        "unit",
        "digit",
        "identifier",
    ];
    // Quoted text is from the request or is a name of the specification.
    let unquoted = message.split('`').step_by(2);
    let mut words =
        unquoted.flat_map(|part| part.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let lines = [" at line ", "::", "unknown variant", "unit variant"]
        .into_iter()
        .find(|odd| message.contains(odd));
    words.find(|word| rust.contains(word)).or(lines)
}

#[tokio::test]
async fn messages_use_terms_of_json() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    // A value of each type, and values at the limits of a type.
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e30),
        json!("\0"),
        json!(["x"]),
        json!({"x": 1}),
    ];
    for operation in operations(&playing) {
        for body in operation.bodies.iter().take(1) {
            for place in places(body) {
                let mut changed: Vec<Value> = odd
                    .iter()
                    .map(|odd| with(body, &place, odd.clone()))
                    .collect();
                if let Some(Value::Object(fields)) = body.pointer(&place) {
                    for name in fields.keys() {
                        let mut fewer = fields.clone();
                        fewer.remove(name);
                        changed.push(with(body, &place, fewer.into()));
                    }
                    let mut more = fields.clone();
                    more.insert("unheard_of".to_owned(), json!(1));
                    changed.push(with(body, &place, more.into()));
                }
                for body in changed {
                    // The call has no token, so a valid body changes nothing except that it creates games.
                    let answer = operation.ask(&server, "", "", Some(&body)).await;
                    let called = format!("{} {}: {body}", operation.method, operation.template);
                    assert!(answer.status < 500, "{called}: {}", answer.text);
                    if answer.status == 422 {
                        let problem = answer.json();
                        let detail = problem["detail"].as_str().unwrap();
                        assert_eq!(rust_in(detail), None, "{called}: {detail}");
                    }
                }
            }
        }
        for name in &operation.query {
            for value in ["", "x", "-1", "99999999999999999999", "1.5"] {
                let query = format!("?{name}={value}");
                let answer = operation
                    .ask(&server, "", &query, operation.bodies.first())
                    .await;
                let called = format!("{} {}{query}", operation.method, operation.template);
                assert!(answer.status < 500, "{called}: {}", answer.text);
                if answer.status == 422 {
                    let problem = answer.json();
                    let detail = problem["detail"].as_str().unwrap();
                    assert_eq!(rust_in(detail), None, "{called}: {detail}");
                }
            }
        }
    }
}

#[tokio::test]
async fn bodies_that_are_not_utf8_are_refused() {
    let server = TestServer::start();
    let seats = json!([{"player": "open"}, {"player": "open"}, {"player": "open"}]);
    let start = format!(
        "{{\"edition\": \"antike\", \"board\": \"antike-east\", \"seats\": {seats}, \"league\": \""
    );
    let body = [start.as_bytes(), b"\xff\xfe\"}"].concat();
    let request = server
        .request(Method::POST, "/v1/games")
        .header("Content-Type", "application/json");
    send(request.body(body))
        .await
        .problem(400, "malformed_json");
}

#[tokio::test]
async fn bodies_in_another_encoding_are_decoded_or_refused() {
    let server = TestServer::start();
    let body = json!({"edition": "antike", "board": "antike-east",
        "seats": [{"player": "open"}, {"player": "open"}, {"player": "open"}]});
    let post = |encodings: &[&str], body: Vec<u8>| {
        let mut request = server
            .request(Method::POST, "/v1/games")
            .header("Content-Type", "application/json");
        for encoding in encodings {
            request = request.header("Content-Encoding", *encoding);
        }
        send(request.body(body))
    };
    let plain = body.to_string().into_bytes();
    for encodings in [
        &["br"][..],
        &["zstd"],
        &["x"],
        &["gzip, gzip"],
        &["identity", "gzip"],
        &[""],
    ] {
        let answer = post(encodings, plain.clone()).await;
        answer.problem(415, "unsupported_media_type");
        assert_eq!(answer.header("accept-encoding"), "gzip, deflate");
    }
    post(&["identity"], plain.clone()).await.ok(201);
    post(&["gzip"], plain.clone())
        .await
        .problem(400, "malformed_json");
    // JSON of another shape, compressed by the server's own library: it is decoded, and refused for its shape only.
    let asked = server
        .request(Method::GET, "/healthz")
        .header("Accept-Encoding", "gzip");
    let packed = asked.send().await.unwrap();
    assert_eq!(packed.headers()["content-encoding"], "gzip");
    let packed = packed.bytes().await.unwrap().to_vec();
    let answer = post(&["GZIP"], packed).await;
    let problem = answer.problem(422, "invalid_body");
    let errors = array(&problem["errors"]);
    let unknown = |error: &Value| error["pointer"] == "/status";
    assert!(errors.iter().any(unknown), "{problem}");
}
