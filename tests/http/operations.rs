//! Running the service: health, metrics, compression; and its specification.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::Value;

use super::support::{TestServer, array, resolve, send};

#[tokio::test]
async fn the_service_reports_its_health() {
    let server = TestServer::start();
    assert_eq!(server.read("/healthz").await["status"], "ok");
    assert_eq!(server.read("/readyz").await["status"], "ok");
    server.game_with_bots().await;
    let counts = server.get("/metrics").await;
    assert_eq!(counts.status, 200);
    for name in [
        "tabularium_requests_total{method=\"POST\",route=\"/v1/games\",status=\"201\"}",
        "tabularium_request_seconds_bucket",
        "tabularium_events_appended_total",
        "tabularium_games_created_total",
    ] {
        assert!(
            counts.text.contains(name),
            "{name} is missing in {}",
            counts.text
        );
    }
}

#[tokio::test]
async fn unknown_methods_and_paths_add_no_metrics() {
    let server = TestServer::start();
    let lines = async || {
        let counts = server.get("/metrics").await.text;
        // Other tests of this process count as well, but never these.
        assert!(!counts.contains("INVENTED"), "{counts}");
        assert!(!counts.contains("/invented"), "{counts}");
        let odd = counts
            .lines()
            .filter(|line| line.contains("method=\"other\""));
        odd.map(|line| line.split('}').next().unwrap().to_owned())
            .collect::<BTreeSet<_>>()
    };
    let ask = async |number: u32| {
        let method = Method::from_bytes(format!("INVENTED{number}").as_bytes()).unwrap();
        send(server.request(method.clone(), "/v1/games"))
            .await
            .problem(405, "method_not_allowed");
        let path = format!("/v1/invented{number}");
        send(server.request(method, &path)).await.not_found();
    };
    ask(0).await;
    let before = lines().await;
    assert!(
        before
            .iter()
            .any(|line| line.contains("route=\"/v1/games\"")),
        "{before:?}"
    );
    assert!(
        before.iter().any(|line| line.contains("route=\"none\"")),
        "{before:?}"
    );
    for number in 1..300 {
        ask(number).await;
    }
    assert_eq!(lines().await, before);
}

#[tokio::test]
async fn metrics_can_be_served_at_another_address() {
    let server = TestServer::with_separate_metrics();
    server.get("/metrics").await.not_found();
    let address = server.metrics_socket();
    let counts = reqwest::get(format!("http://{address}/metrics"))
        .await
        .unwrap();
    assert_eq!(counts.status(), 200);
    assert!(
        counts
            .text()
            .await
            .unwrap()
            .contains("tabularium_requests_total")
    );
    let other = reqwest::get(format!("http://{address}/v1/games"))
        .await
        .unwrap();
    assert_eq!(other.status(), 404);
}

#[tokio::test]
async fn answers_are_compressed_and_readable_by_other_sites() {
    let server = TestServer::start();
    let request = server
        .request(Method::GET, "/v1/boards")
        .header("Origin", "https://example.org");
    let answer = send(request.header("Accept-Encoding", "gzip")).await;
    assert_eq!(answer.header("content-encoding"), "gzip");
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert_eq!(answer.header("access-control-expose-headers"), "*");
    let names = "authorization, cache-control, x-my-client, x-requested-with";
    let ask = server
        .request(Method::OPTIONS, "/v1/games")
        .header("Origin", "https://example.org")
        .header("Access-Control-Request-Headers", names);
    let ask = send(ask.header("Access-Control-Request-Method", "PUT")).await;
    assert_eq!(ask.status, 204);
    assert_eq!(ask.header("access-control-allow-headers"), names);
    assert!(ask.header("access-control-allow-methods").contains("PUT"));
    assert_eq!(ask.header("access-control-allow-origin"), "*");
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    let server = TestServer::start();
    let head = send(server.request(Method::HEAD, "/v1/boards")).await;
    let get = server.get("/v1/boards").await;
    assert_eq!((head.status, head.text.as_str()), (200, ""));
    assert_eq!(head.header("etag"), get.header("etag"));
}

#[tokio::test]
async fn requests_have_ids() {
    let server = TestServer::start();
    let one = server.get("/healthz").await;
    let two = server.get("/v1/nothing").await;
    assert_eq!(one.header("x-request-id").len(), 36);
    assert_ne!(one.header("x-request-id"), two.header("x-request-id"));
}

#[tokio::test]
async fn the_specification_and_its_page_are_served() {
    let server = TestServer::start();
    let document = server.read("/openapi.json").await;
    assert_eq!(document["openapi"], "3.1.0");
    let older = server.read("/openapi-3.0.json").await;
    assert_eq!(older["openapi"], "3.0.3");
    assert_eq!(
        older["paths"].as_object().unwrap().len(),
        document["paths"].as_object().unwrap().len()
    );
    for page in ["/docs/changelog", "/docs/versioning", "/docs/api"] {
        let page = server.get(page).await;
        assert_eq!(page.status, 200);
        assert!(page.text.contains("<h1"), "{}", page.text);
    }
}

#[tokio::test]
async fn every_link_of_the_index_leads_somewhere() {
    let server = TestServer::start();
    let index = server.read("/v1").await;
    let root = server.get_as("/", "application/json").await;
    assert_eq!(root.ok(200), index);
    let links = array(&index["links"]);
    assert!(links.len() > 20, "{index}");
    for link in links {
        let href = link["href"].as_str().unwrap();
        let answer = server.get(href).await;
        // An account's own data need its token.
        let private = [
            "/v1/apps",
            "/v1/tokens",
            "/v1/webhooks",
            "/v1/reports",
            "/v1/moderation/acts",
        ];
        let mine = href.starts_with("/v1/me") || private.contains(&href);
        let expected = if mine { 401 } else { 200 };
        assert_eq!(answer.status, expected, "{link}: {}", answer.text);
    }
}

#[test]
fn the_committed_specification_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi/openapi.json");
    let committed = std::fs::read_to_string(path).unwrap();
    let fresh = api::server::docs::text().unwrap();
    let differs = committed
        .lines()
        .zip(fresh.lines())
        .position(|(old, new)| old != new);
    if let Some(line) = differs {
        let around = |text: &str| -> String {
            text.lines()
                .skip(line.saturating_sub(5))
                .take(12)
                .map(|l| format!("{l}\n"))
                .collect()
        };
        panic!(
            "openapi/openapi.json is stale at line {}: run `tabularium openapi > openapi/openapi.json`\n\
             committed:\n{}\nfresh:\n{}",
            line + 1,
            around(&committed),
            around(&fresh)
        );
    }
    assert_eq!(
        committed.lines().count(),
        fresh.lines().count(),
        "openapi/openapi.json is stale"
    );
}

#[test]
fn every_operation_has_a_body_for_every_status() {
    let document: Value = serde_json::from_str(&api::server::docs::text().unwrap()).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let summary = operation["summary"].as_str().unwrap_or_default();
            assert!(!summary.is_empty(), "{method} {path} has no summary");
            for (status, response) in operation["responses"].as_object().unwrap() {
                let content = resolve(&document, response).get("content");
                assert!(
                    content.is_some() || ["204", "304"].contains(&status.as_str()),
                    "{method} {path} {status}"
                );
            }
        }
    }
}

#[test]
fn every_reference_of_the_specification_leads_somewhere() {
    fn walk(value: &Value, document: &Value) {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(reference)) = fields.get("$ref") {
                    let pointer = reference.strip_prefix('#').unwrap();
                    assert!(document.pointer(pointer).is_some(), "{reference}");
                }
                fields.values().for_each(|value| walk(value, document));
            }
            Value::Array(items) => items.iter().for_each(|value| walk(value, document)),
            _ => {}
        }
    }
    let document: Value = serde_json::from_str(&api::server::docs::text().unwrap()).unwrap();
    walk(&document, &document);
}
