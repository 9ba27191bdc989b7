//! What all answers say in their headers: to browsers, to caches, and of which form they are.

use super::support::{Answer, TestServer, send};
use reqwest::Method;
use serde_json::json;

fn varies(answer: &Answer) -> Vec<String> {
    let values = answer.headers.get_all("vary").iter();
    let names = values.flat_map(|value| value.to_str().unwrap().split(','));
    names.map(|name| name.trim().to_ascii_lowercase()).collect()
}

#[tokio::test]
async fn every_answer_tells_browsers_what_they_may_do() {
    let server = TestServer::start();
    let paths = [
        "/healthz",
        "/v1/boards",
        "/v1/games",
        "/v1/nothing",
        "/v1/boards?x=1",
        "/openapi.json",
        "/metrics",
        "/docs/",
        "/docs/swagger-ui.css",
    ];
    for path in paths {
        let answer = server.get(path).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(answer.header("x-frame-options"), "DENY", "{path}");
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none';"),
            "{path}: {policy}"
        );
        assert!(
            policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(
            policy.contains("script-src 'self'"),
            path == "/docs/",
            "{path}: {policy}"
        );
    }
}

/// What the page loads is all from here, in files, so its policy lets it work.
#[tokio::test]
async fn the_page_of_the_specification_needs_no_more_than_its_policy_allows() {
    let server = TestServer::start();
    let page = server.get("/docs/").await.text;
    let mut loaded = 0;
    for part in page.split('<').skip(1) {
        assert!(!part.starts_with("style"), "{part}");
        assert!(
            !part.contains(" style=") && !part.contains(" onload="),
            "{part}"
        );
        if let Some((_, behind)) = part.split_once("src=\"").or(part.split_once("href=\"")) {
            let target = behind.split('"').next().unwrap();
            assert!(!target.contains("//"), "{target}");
            assert_eq!(
                server.get(&format!("/docs/{target}")).await.status,
                200,
                "{target}"
            );
            loaded += 1;
        }
        if part.starts_with("script") {
            let text = part.split_once('>').unwrap().1;
            assert!(text.trim().is_empty(), "{part}");
        }
    }
    assert!(loaded > 4, "{page}");
    let start = server.get("/docs/swagger-initializer.js").await.text;
    assert!(start.contains("\"validatorUrl\": \"none\""), "{start}");
    for script in ["swagger-ui-bundle.js", "swagger-ui-standalone-preset.js"] {
        let text = server.get(&format!("/docs/{script}")).await.text;
        for odd in [
            "createElement(\"style\")",
            "setAttribute(\"style\"",
            " eval(",
        ] {
            assert!(!text.contains(odd), "{script}: {odd}");
        }
    }
}

#[tokio::test]
async fn answers_say_by_what_requests_they_vary() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let cases = [
        ("/v1/boards".to_owned(), vec![]),
        (playing.path.clone(), vec![]),
        (playing.at("events"), vec!["accept"]),
        (playing.at("record"), vec!["accept"]),
        ("/v1/editions/antike/rules".to_owned(), vec!["accept"]),
        ("/v1/stats/nations".to_owned(), vec!["accept"]),
        (playing.at("seats/0/orders"), vec!["authorization"]),
        ("/v1/nothing".to_owned(), vec![]),
    ];
    for (path, own) in cases {
        for (encoding, origin) in [("identity", None), ("gzip", Some("https://example.org"))] {
            let mut request = server.with(Method::GET, &path, &playing.token);
            request = request.header("Accept-Encoding", encoding);
            if let Some(origin) = origin {
                request = request.header("Origin", origin);
            }
            let answer = send(request).await;
            let mut expected = own.clone();
            expected.extend(["accept-encoding", "origin"]);
            assert_eq!(varies(&answer), expected, "{path}");
        }
    }
}

#[tokio::test]
async fn a_compressed_form_has_a_tag_of_its_own() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let get = |path: &str, encoding: &str, tag: &str| {
        let request = server
            .request(Method::GET, path)
            .header("Accept-Encoding", encoding);
        send(match tag {
            "" => request,
            tag => request.header("If-None-Match", tag),
        })
    };
    for path in [
        playing.path.as_str(),
        "/v1/boards",
        "/v1/stats/nations",
        "/v1/editions/antike/rules/A27",
        "/openapi.json",
        "/openapi-3.0.json",
        "/v1/games",
        "/v1/players",
        "/v1/ratings",
        "/v1/leagues",
    ] {
        let plain = get(path, "identity", "").await.header("etag").to_owned();
        assert!(!plain.contains("gzip"), "{plain}");
        let packed = get(path, "gzip", "").await;
        assert_eq!(packed.header("content-encoding"), "gzip");
        let packed = packed.header("etag").to_owned();
        assert_eq!(
            packed,
            format!("{}-gzip\"", plain.trim_end_matches('"')),
            "{path}"
        );
        for (encoding, tag) in [
            ("identity", &plain),
            ("gzip", &plain),
            ("identity", &packed),
            ("gzip", &packed),
        ] {
            let known = get(path, encoding, tag).await;
            assert_eq!(known.status, 304, "{path} {encoding} {tag}");
            // Of a page it would take the place of the page's own.
            assert_eq!(known.header("content-security-policy"), "", "{path}");
            assert_eq!(known.header("etag"), tag, "{path} {encoding}");
        }
        let weak = get(path, "gzip", &format!("W/{plain}")).await;
        assert_eq!(weak.status, 304, "{path}");
        let other = get(path, "gzip", "\"0-gzip\"").await;
        assert_eq!(other.status, 200, "{path}");
    }
    // What a client got is good for a write.
    let tag = get(&playing.path, "gzip", "")
        .await
        .header("etag")
        .to_owned();
    let act = |tag: String| {
        let request = server.with(Method::POST, &playing.at("actions"), &playing.token);
        let action = json!({"type": "move_stone", "field": "iron"});
        send(request.header("If-Match", tag).json(&action))
    };
    act("\"0-gzip\"".to_owned())
        .await
        .problem(412, "stale_view");
    act(tag).await.ok(201);
}

#[tokio::test]
async fn answers_in_no_known_encoding_are_problems() {
    let server = TestServer::start();
    let request = server.request(Method::GET, "/v1/boards");
    let answer = send(request.header("Accept-Encoding", "x-odd, identity;q=0")).await;
    answer.problem(406, "not_acceptable");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
}
