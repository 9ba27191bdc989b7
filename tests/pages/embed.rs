//! Frames of other sites: their pages, their headers, and how other programs find them.

use std::io::{Read, Write};
use std::net::TcpListener;

use serde_json::json;

use super::browser::{Browser, axe};
use super::{HTML, address, attributes, finish_game, page};
use crate::http::accounts::register;
use crate::http::support::{TestServer, assert_contains, text};

#[tokio::test]
async fn only_two_pages_may_be_in_frames_and_never_what_is_private() {
    let server = TestServer::start();
    let id = finish_game(&server).await;
    let (_, token) = register(&server, "dido").await;
    let league = async |visibility: &str| {
        let new = json!({"name": "Cup of <Rome>", "visibility": visibility});
        text(&server.create("/v1/leagues", &token, new).await["id"])
    };
    let (open, closed) = (league("public").await, league("private").await);
    let seats = json!([{"player": {"id": "dido"}}, {"player": "open"}, {"player": "open"}]);
    let private = json!({"edition": "antike", "board": "antike-west", "visibility": "private", "seats": seats});
    let private = text(&server.create("/v1/games", &token, private).await["id"]);

    for path in [
        format!("/embed/games/{id}"),
        format!("/embed/games/{id}?seq=57"),
        format!("/embed/leagues/{open}/standings"),
    ] {
        let shown = page(&server, &path).await;
        assert_eq!(shown.header("x-frame-options"), "", "{path}");
        let policy = shown.header("content-security-policy");
        assert_contains(policy, "frame-ancestors *");
        assert_contains(policy, "form-action 'none'");
        for element in ["<form", "<button", "<input"] {
            assert!(!shown.text.contains(element), "{path}: {}", shown.text);
        }
        // The same after the page has been cached.
        let cached = server.request(reqwest::Method::GET, &path);
        let cached = cached
            .header("Accept", HTML)
            .header("If-None-Match", shown.header("etag"));
        let cached = crate::http::support::send(cached).await;
        assert_eq!(cached.status, 304, "{path}");
        assert_eq!(cached.header("x-frame-options"), "", "{path}");
    }
    let past = page(&server, &format!("/embed/games/{id}?seq=57")).await;
    assert_contains(&past.text, &format!("/v1/games/{id}/states/57.svg"));
    for path in [
        format!("/games/{id}"),
        format!("/leagues/{open}"),
        "/".to_owned(),
    ] {
        let shown = page(&server, &path).await;
        assert_eq!(shown.header("x-frame-options"), "DENY", "{path}");
        let policy = shown.header("content-security-policy");
        assert_contains(policy, "frame-ancestors 'none'");
    }
    // What is private is hidden from its owner as well, and an error is not shown in a frame.
    for path in [
        format!("/embed/games/{private}"),
        format!("/embed/leagues/{closed}/standings"),
        format!("/embed/games/{id}?seq=1000000"),
    ] {
        let request = server.with(reqwest::Method::GET, &path, &token);
        let refused = crate::http::support::send(request.header("Accept", HTML)).await;
        assert_eq!(refused.status, 404, "{path}");
        assert_eq!(refused.header("x-frame-options"), "DENY", "{path}");
    }
    let shown = server.with(reqwest::Method::GET, &format!("/games/{private}"), &token);
    let shown = crate::http::support::send(shown.header("Accept", HTML)).await;
    assert!(!shown.text.contains("oembed"), "{}", shown.text);
    assert!(!shown.text.contains("/embed/games"), "{}", shown.text);
}

#[tokio::test]
async fn other_programs_find_a_frame_by_the_address_of_a_page() {
    let server = TestServer::start();
    let id = finish_game(&server).await;
    let host = address(&server);
    let shown = page(&server, &format!("/games/{id}")).await;
    assert_contains(
        &shown.text,
        &format!("src=&quot;{host}/embed/games/{id}&quot;"),
    );
    let link = "type=\"application/json+oembed\"";
    let link = shown.text.split("<link ").find(|part| part.contains(link));
    let link = attributes(link.unwrap(), "href")[0].replace("&amp;", "&");
    let oembed = link.strip_prefix(&host).unwrap();
    let answer = server.get(oembed).await;
    let found = answer.ok(200);
    assert_eq!(
        (&found["type"], &found["version"]),
        (&json!("rich"), &json!("1.0"))
    );
    let frame = text(&found["html"]);
    assert_contains(&frame, &format!("src=\"{host}/embed/games/{id}\""));
    assert_contains(&text(&found["thumbnail_url"]), ".png");
    let small = server
        .get(&format!("{oembed}&maxwidth=300&maxheight=200&unknown=1"))
        .await
        .ok(200);
    assert_eq!(
        (&small["width"], &small["height"]),
        (&json!(300), &json!(200))
    );
    assert_contains(&text(&small["html"]), "width=\"300\" height=\"200\"");
    assert_eq!(small["thumbnail_url"], json!(null));
    let xml = oembed.replace("format=json", "format=xml");
    assert_eq!(server.get(&xml).await.status, 501);
    for url in [
        "https://moon.example/games/1",
        &format!("{host}/games/{}", uuid::Uuid::nil()),
        &format!("{host}/rules"),
    ] {
        server.get(&format!("/oembed?url={url}")).await.not_found();
    }
}

/// Serves a page with a frame, and returns its address on another site.
fn other_site(frame: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let page =
        format!("<!DOCTYPE html><title>Other</title><iframe id=frame src=\"{frame}\"></iframe>");
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{page}",
        page.len()
    );
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    format!("http://localhost:{port}/")
}

#[tokio::test]
async fn a_frame_on_another_site_follows_the_game() {
    let server = TestServer::start();
    let game = server.game_with_bots().await;
    let id = game.path.rsplit('/').next().unwrap();
    let Some(browser) = Browser::start().await else {
        return;
    };
    let Some(axe) = axe() else { return };
    for width in [640, 320] {
        browser.resize(width).await;
        browser
            .open(&format!("{}/embed/games/{id}", address(&server)))
            .await;
        browser.check_access(&axe).await;
        browser.check_width().await;
    }
    let frame = format!("{}/embed/games/{id}", address(&server));
    browser.open(&other_site(&frame)).await;
    browser.enter_frame("#frame").await;
    browser.wait_for_element("#embed .seats").await;
    browser.run("window.unchanged = true").await;
    let before = browser
        .run("return document.getElementById('embed').dataset.last")
        .await;
    let turn = crate::http::support::turn("arming");
    server
        .create(&format!("{}/actions", game.path), &game.token, turn)
        .await;
    browser
        .wait_for(&format!(
            "window.unchanged && document.getElementById('embed').dataset.last !== {before}"
        ))
        .await;
}
