//! Drawings of boards and positions.

use reqwest::Method;

use super::support::{TestServer, array, assert_contains, send, turn};

#[tokio::test]
async fn boards_are_drawn() {
    let server = TestServer::start();
    let boards = server.read("/v1/boards").await;
    for board in array(&boards["items"]) {
        let path = format!("/v1/boards/{}.svg", board["id"].as_str().unwrap());
        let answer = server.get(&path).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert_eq!(answer.header("content-type"), "image/svg+xml");
        for region in array(&board["regions"]) {
            let name = region["name"].as_str().unwrap();
            assert!(answer.text.contains(&format!(">{name}</text>")), "{name}");
        }
        let again = server.request(Method::GET, &path);
        let again = again.header("If-None-Match", answer.header("etag"));
        assert_eq!(send(again).await.status, 304);
    }
    let plain = server.get("/v1/boards/antike-east.svg").await;
    let accepted = server
        .get_as("/v1/boards/antike-east", "image/svg+xml")
        .await;
    assert_eq!(accepted.text, plain.text);
    let dark = server
        .get("/v1/boards/antike-east.svg?theme=dark&size=800&highlight=babylon,saba")
        .await;
    assert_contains(&dark.text, r#"width="800""#);
    assert_ne!(dark.header("etag"), plain.header("etag"));
    server
        .get_as("/v1/boards/antike-east", "application/json")
        .await
        .ok(200);
    server
        .get_as("/v1/boards/antike-east", "text/html")
        .await
        .problem(406, "not_acceptable");
    server.get("/v1/boards/moon.svg").await.not_found();
}

#[tokio::test]
async fn bad_values_are_refused_by_field() {
    let server = TestServer::start();
    for (query, field) in [
        ("theme=pink", "theme"),
        ("size=199", "size"),
        ("size=2401", "size"),
        ("size=wide", "size"),
        ("highlight=atlantis", "highlight"),
    ] {
        let path = format!("/v1/boards/antike-east.svg?{query}");
        server.get(&path).await.invalid(field);
    }
    let answer = server.get("/v1/boards/antike-east.svg?colour=red").await;
    assert_eq!(answer.status, 422, "{}", answer.text);
}

#[tokio::test]
async fn positions_are_drawn_and_may_be_kept_for_ever() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    server
        .act(&playing.path, &playing.token, turn("iron"))
        .await;
    let path = playing.at("states/2.svg");
    let answer = server.get(&path).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.header("content-type"), "image/svg+xml");
    assert_eq!(
        answer.header("cache-control"),
        "public, max-age=31536000, immutable"
    );
    assert!(answer.text.contains(r#"data-nation="greeks""#));
    let again = server.request(Method::GET, &path);
    let again = again.header("If-None-Match", answer.header("etag"));
    assert_eq!(send(again).await.status, 304);
    let accepted = server
        .get_as(&playing.at("states/2"), "image/svg+xml")
        .await;
    assert_eq!(accepted.text, answer.text);
    assert_ne!(
        server.get(&playing.at("states/1.svg")).await.text,
        answer.text
    );
    for seq in ["-1", "x", "4000"] {
        server
            .get(&playing.at(&format!("states/{seq}.svg")))
            .await
            .not_found();
    }
}

#[cfg(feature = "png")]
#[tokio::test]
async fn pixels_are_drawn_and_cost_more() {
    let server = TestServer::with_limits(api::http::limits::options::Limits {
        expensive: "2/60".parse().unwrap(),
        loopback: 1,
        ..api::http::limits::options::Limits::default()
    });
    for (path, accept) in [
        ("/v1/boards/antike-east.png?size=300", "*/*"),
        ("/v1/boards/antike-east", "image/png"),
    ] {
        let answer = server.get_as(path, accept).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert_eq!(answer.header("content-type"), "image/png");
        assert!(answer.text[..8].contains("PNG"));
    }
    server
        .get("/v1/boards/antike-east.png")
        .await
        .problem(429, "rate_limited");
    assert_eq!(server.get("/v1/boards/antike-east.svg").await.status, 200);
}
