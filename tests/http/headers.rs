//! Headers of all answers: for browsers, for caches, and about their format.

use super::support::{Answer, TestServer, send};
use reqwest::Method;
use serde_json::json;

fn varies(answer: &Answer) -> Vec<String> {
    let values = answer.headers.get_all("vary").iter();
    let names = values.flat_map(|value| value.to_str().unwrap().split(','));
    names.map(|name| name.trim().to_ascii_lowercase()).collect()
}

#[tokio::test]
async fn every_answer_has_the_headers_for_browsers() {
    let server = TestServer::start();
    let paths = [
        "/healthz",
        "/v1/boards",
        "/v1/games",
        "/v1/nothing",
        "/v1/boards?x=1",
        "/openapi.json",
        "/metrics",
        "/docs",
        "/docs/api/games",
        "/docs/search.json",
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
            path.starts_with("/docs") && path != "/docs/search.json",
            "{path}: {policy}"
        );
    }
}

#[tokio::test]
async fn answers_name_the_headers_on_which_they_depend() {
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
        for encoding in ["br", "zstd", "gzip"] {
            assert!(!plain.contains(encoding), "{plain}");
            let packed = get(path, encoding, "").await;
            assert_eq!(packed.header("content-encoding"), encoding, "{path}");
            let packed = packed.header("etag").to_owned();
            assert_eq!(
                packed,
                format!("{}-{encoding}\"", plain.trim_end_matches('"')),
                "{path}"
            );
            for (asked, tag) in [
                ("identity", &plain),
                (encoding, &plain),
                ("identity", &packed),
                (encoding, &packed),
            ] {
                let known = get(path, asked, tag).await;
                assert_eq!(known.status, 304, "{path} {asked} {tag}");
                // A policy here would replace the policy of a cached page.
                assert_eq!(known.header("content-security-policy"), "", "{path}");
                assert_eq!(known.header("etag"), tag, "{path} {asked}");
            }
        }
        let weak = get(path, "gzip", &format!("W/{plain}")).await;
        assert_eq!(weak.status, 304, "{path}");
        let other = get(path, "gzip", "\"0-gzip\"").await;
        assert_eq!(other.status, 200, "{path}");
    }
    // The tag that a client received is accepted for a write.
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
async fn requests_for_unknown_encodings_are_refused() {
    let server = TestServer::start();
    let request = server.request(Method::GET, "/v1/boards");
    let answer = send(request.header("Accept-Encoding", "x-odd, identity;q=0")).await;
    answer.problem(406, "not_acceptable");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
}
