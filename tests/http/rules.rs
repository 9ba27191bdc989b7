//! Editions and boards.

use crate::support::{TestServer, send};
use reqwest::Method;

#[tokio::test]
async fn editions_are_data_with_a_hash() {
    let server = TestServer::start();
    let list = server.get("/v1/editions").await.ok(200);
    let antike = server.get("/v1/editions/antike").await.ok(200);
    assert!(list["items"].as_array().unwrap().contains(&antike));
    assert_eq!(antike["hash"].as_str().unwrap().len(), 64);
    assert_eq!(antike["know_how"].as_array().unwrap().len(), 8);
}

#[tokio::test]
async fn boards_say_how_far_they_can_be_relied_on() {
    let server = TestServer::start();
    let list = server.get("/v1/boards").await.ok(200);
    let east = server.get("/v1/boards/antike-east").await.ok(200);
    assert!(list["items"].as_array().unwrap().contains(&east));
    let status = east["provenance"]["status"].as_str().unwrap();
    assert!(["verified", "reconstructed"].contains(&status));
    assert!(!east["borders"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn unknown_editions_and_boards_are_not_found() {
    let server = TestServer::start();
    server
        .get("/v1/editions/chess")
        .await
        .problem(404, "not_found");
    server
        .get("/v1/boards/moon")
        .await
        .problem(404, "not_found");
}

#[tokio::test]
async fn an_unchanged_board_is_not_sent_again() {
    let server = TestServer::start();
    let first = server.get("/v1/boards/antike-west").await;
    let again = server
        .request(Method::GET, "/v1/boards/antike-west")
        .header("If-None-Match", first.header("etag"));
    let again = send(again).await;
    assert_eq!((again.status, again.text.as_str()), (304, ""));
}
