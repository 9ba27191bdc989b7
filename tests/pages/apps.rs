//! The app of the documentation, on another origin, in a browser: the sign-in, the question, the way back, and the
//! app's own requests.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use serde_json::json;

use super::address;
use super::browser::{Browser, axe};
use crate::http::support::{TestServer, text};

/// The page of the documentation that contains an app.
const PAGE: &str = include_str!("../../api/docs/apps-and-oauth.md");

/// Returns the app of the documentation for a server.
fn app_page(server: &str, client_id: &str) -> String {
    let (_, rest) = PAGE.split_once("```html\n").expect("an app");
    let (app, _) = rest.split_once("```\n").expect("the end of the app");
    for placeholder in ["http://localhost:8080", "PUT YOUR client_id HERE"] {
        assert!(app.contains(placeholder), "{placeholder}");
    }
    app.replace("http://localhost:8080", server)
        .replace("PUT YOUR client_id HERE", client_id)
}

/// Answers a request with a page.
fn answer(mut stream: TcpStream, page: &str) -> std::io::Result<()> {
    // A request of a browser comes in one piece.
    let _length = stream.read(&mut [0; 16_384])?;
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{page}",
        page.len()
    )
}

/// Serves a page on a free port until the process ends.
fn serve(listener: TcpListener, page: String) {
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let page = page.clone();
            // A browser opens connections in advance, so each has a thread. It may also close them.
            std::thread::spawn(move || drop(answer(stream, &page)));
        }
    });
}

#[tokio::test]
async fn the_app_of_the_documentation_is_allowed_and_reads_games() {
    let server = TestServer::start();
    let maker = json!({"handle": "mago"});
    let maker = server.create("/v1/players", "", maker).await;
    let maker = text(&maker["token"]);
    let new = json!({"name": "Turn Watcher", "redirect_uris": ["http://127.0.0.1/"]});
    let app = text(&server.create("/v1/apps", &maker, new).await["id"]);
    let Some(browser) = Browser::start().await else {
        return;
    };
    let Some(axe) = axe() else { return };
    let host = address(&server);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let other = format!("http://{}/", listener.local_addr().unwrap());
    serve(listener, app_page(&host, &app));

    browser.open(&other).await;
    browser.click("#connect").await;
    browser.wait_for("location.pathname === '/sign-in'").await;
    browser.click("main a[href^='/sign-up']").await;
    browser.wait_for("location.pathname === '/sign-up'").await;
    for (name, value) in [("handle", "dido"), ("password", "elephants over the Alps")] {
        let script = format!("document.querySelector('main [name={name}]').value = '{value}'");
        browser.run(&script).await;
    }
    browser.click("main form button").await;
    browser.wait_for_element(".codes").await;
    // The page of the new account leads on to the question.
    browser.click("main a.button.first").await;
    browser
        .wait_for("location.pathname === '/oauth/authorize'")
        .await;
    let question = browser.run("return location.href").await;
    let question = question.as_str().unwrap().to_owned();
    let pages = [
        format!("{host}/settings/apps"),
        format!("{host}/device"),
        question,
    ];
    for page in &pages {
        for language in ["en", "de"] {
            let choice = format!("{host}/language?language={language}&back=/");
            browser.open(&choice).await;
            browser.open(page).await;
            for width in [1200, 390] {
                browser.resize(width).await;
                if language == "en" {
                    browser.check_access(&axe).await;
                }
                browser.check_width().await;
            }
        }
    }
    browser.click("button[value=allow]").await;
    let shown = "document.getElementById('games')?.textContent.includes('\"items\"')";
    browser.wait_for(shown).await;
    assert_eq!(browser.run("return location.href").await, other);
    // The next visit renews the token.
    browser.open(&other).await;
    browser.wait_for(shown).await;
    browser.check_console().await;

    browser.open(&pages[0]).await;
    browser
        .click("form[action='/settings/apps/disconnect'] button")
        .await;
    browser
        .wait_for("location.search === '?done=disconnected'")
        .await;
    let count = "SELECT count(*) AS n FROM tokens WHERE app_grant IS NOT NULL";
    assert_eq!(server.database.number(count), 0);
}
