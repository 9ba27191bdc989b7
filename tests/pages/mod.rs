//! The pages for people: over HTTP, and in a headless browser.

mod accounts;
mod analysis;
mod apps;
mod browser;
mod docs;
mod embed;
#[path = "../pictures/kept.rs"]
mod kept;
mod languages;
mod league_files;
mod leagues;
mod lobby;
mod organizing;
mod pictures;
mod players;
mod playing;
mod previews;
mod seasons;
mod stats;
mod together;

use reqwest::Method;
use serde_json::{Value, json};

use crate::http::support::{Answer, TestServer, array, assert_contains, send, text, turn};
use browser::{Browser, axe};

const HTML: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

/// The codes of keys in WebDriver.
const RIGHT: &str = "\u{e014}";
const HOME: &str = "\u{e011}";

async fn page(server: &TestServer, path: &str) -> Answer {
    let answer = server.get_as(path, HTML).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    answer
}

/// Returns the address of the server for a browser.
fn address(server: &TestServer) -> String {
    format!("http://{}", server.socket())
}

/// Creates a game of bots, waits for its end, and returns its id.
async fn finish_game(server: &TestServer) -> String {
    let bot = json!({"player": {"bot": "random"}});
    let body = json!({"edition": "antike", "board": "antike-east", "seed": "pages", "max_rounds": 8,
        "seats": [bot, bot, bot, bot]});
    let created = server.create("/v1/games", "", body).await;
    let id = created["id"].as_str().unwrap().to_owned();
    let over = |game: &Value| game["status"] == "finished";
    server.wait_for(&format!("/v1/games/{id}"), over).await;
    id
}

/// Returns each tag, without the text that follows it.
fn tags(html: &str) -> impl Iterator<Item = &str> {
    let parts = html.split('<').skip(1);
    parts.map(|part| part.split('>').next().unwrap())
}

/// Returns the values of the attributes of a name.
fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let before = format!(" {name}=\"");
    let parts = html.split(&before).skip(1);
    parts.map(|part| part.split('"').next().unwrap()).collect()
}

#[tokio::test]
async fn the_first_page_is_for_people_and_the_index_for_programs() {
    let server = TestServer::start();
    let first = page(&server, "/").await;
    assert_contains(&first.text, "<h1>");
    for accept in [
        "application/json",
        "application/json, text/plain, */*",
        "application/json, text/html;q=0.9",
    ] {
        let index = server.get_as("/", accept).await.ok(200);
        assert_eq!(index["name"], "Tabularium");
    }
    for answer in [server.get("/").await, server.get_as("/", "*/*").await] {
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    }
    let neither = server.get_as("/", "image/png").await;
    neither.problem(406, "not_acceptable");
    let vary = first
        .headers
        .get_all("vary")
        .iter()
        .any(|value| value.to_str().unwrap().contains("Accept,"));
    assert!(vary, "{:?}", first.headers);
    let again = server.request(Method::GET, "/").header("Accept", HTML);
    let again = again.header("If-None-Match", first.header("etag"));
    assert_eq!(send(again).await.status, 304);
}

#[tokio::test]
async fn pages_obey_their_policy_and_link_to_existing_files() {
    let server = TestServer::start();
    let id = finish_game(&server).await;
    for path in [
        "/",
        "/games",
        "/games?edition=antike&status=finished&name=",
        "/stats?reason=any",
        "/stats/openings?reason=any",
        "/stats/versus/nations?reason=any&by=date&one=2026-01-01",
        "/leagues",
        "/sign-in?next=/games",
        "/sign-up",
        "/recover",
        "/confirm-mail?token=1",
        "/unsubscribe?code=1&type=your_turn",
        "/docs",
        "/docs/api/games",
        &format!("/games/{id}"),
    ] {
        let answer = page(&server, path).await;
        assert!(
            !answer.header("content-security-policy").contains("unsafe"),
            "{path}"
        );
        for part in tags(&answer.text) {
            assert!(!part.starts_with("style"), "{path}: {part}");
            assert!(
                !part.contains(" style=") && !part.contains(" onclick="),
                "{path}: {part}"
            );
            assert!(
                !part.starts_with("script") || part.contains(" src=\"/assets/"),
                "{path}: {part}"
            );
        }
        for moment in attributes(&answer.text, "datetime") {
            let fraction = moment.split_once('.').map_or("", |(_, digits)| digits);
            assert!(fraction.len() <= "123Z".len(), "{path}: {moment}");
            assert!(moment.parse::<jiff::Timestamp>().is_ok(), "{moment}");
        }
        let links = attributes(&answer.text, "href")
            .into_iter()
            .chain(attributes(&answer.text, "src"));
        let own = links.filter(|link| link.starts_with('/'));
        let own: std::collections::BTreeSet<String> =
            own.map(|link| link.replace("&amp;", "&")).collect();
        for link in own {
            let loaded = server.get_as(&link, HTML).await;
            assert_eq!(loaded.status, 200, "{path}: {link}");
            if link.starts_with("/assets/") {
                assert!(
                    loaded.header("cache-control").contains("immutable"),
                    "{link}"
                );
            }
        }
    }
    server
        .get("/assets/000000000000/style.css")
        .await
        .not_found();
}

#[tokio::test]
async fn a_game_can_be_read_without_scripts() {
    let server = TestServer::start();
    let id = finish_game(&server).await;
    let path = format!("/games/{id}");
    let last = server.read(&format!("/v1{path}")).await["seq"]
        .as_u64()
        .unwrap();
    let whole = page(&server, &path).await.text;
    assert!(whole.contains("Verified: all"), "{whole}");
    assert!(whole.contains(&format!("/v1{path}/states/{last}.svg")));
    let events = server.read(&format!("/v1{path}/events?limit=1000")).await;
    for event in array(&events["items"]) {
        assert!(
            whole.contains(&format!("<li id=\"{}\"", event["seq"])),
            "{event}"
        );
    }
    let moment = page(&server, &format!("{path}?at=57")).await.text;
    assert!(moment.contains(&format!("/v1{path}/states/57.svg")));
    for other in [0, 56, 58, last] {
        assert!(moment.contains(&format!("href=\"?at={other}\"")), "{other}");
    }
    let past = server
        .get_as(&format!("{path}?at={}", last + 1), HTML)
        .await;
    assert_eq!(past.status, 404);
    assert_contains(&past.text, "<h1>");
    let record = server.get(&format!("{path}/record.txt")).await;
    let noted = server
        .get_as(&format!("/v1{path}/record"), "text/plain")
        .await;
    assert_eq!(record.text, noted.text);
}

#[tokio::test]
async fn the_page_of_a_game_describes_its_events() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    server.act(&path, &tokens[0], turn("iron")).await;
    let shown = page(&server, path.trim_start_matches("/v1")).await.text;
    for words in [
        "move to Iron",
        "Greeks take",
        "end the turn",
        "Waiting for Phoenicians",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    server
        .post(&format!("{path}/undo"), &tokens[0], json!({"to": 0}))
        .await;
    let shown = page(&server, path.trim_start_matches("/v1")).await.text;
    assert!(shown.contains("asks to go back to turn 1"), "{shown}");
}

#[tokio::test]
async fn strangers_do_not_see_the_page_of_a_private_game() {
    let server = TestServer::start();
    let body = json!({"edition": "antike", "board": "antike-east", "visibility": "private",
        "seats": [{"player": "open"}, {"player": "open"}, {"player": "open"}]});
    let created = server.create("/v1/games", "", body).await;
    let id = created["id"].as_str().unwrap();
    for path in ["", "/live?after=0", "/record.txt"] {
        let answer = server.get_as(&format!("/games/{id}{path}"), HTML).await;
        assert_eq!(answer.status, 404, "{path}: {}", answer.text);
    }
    assert!(!page(&server, "/games").await.text.contains(id));
    assert!(!page(&server, "/").await.text.contains(id));
}

#[tokio::test]
async fn errors_are_pages_for_people_and_problems_for_programs() {
    let server = TestServer::start();
    for path in ["/nothing", "/games/nothing", "/games?status=odd"] {
        let answer = server.get_as(path, HTML).await;
        assert!((400..500).contains(&answer.status), "{path}");
        assert_eq!(
            answer.header("content-type"),
            "text/html; charset=utf-8",
            "{path}"
        );
        assert!(
            answer
                .header("content-security-policy")
                .contains("style-src 'self'")
        );
        assert_eq!(
            server.get(path).await.header("content-type"),
            "application/problem+json",
            "{path}"
        );
    }
    let api = server.get_as("/v1/nothing", HTML).await;
    assert_eq!(api.header("content-type"), "application/problem+json");
}

/// The first view of a game, measured as it is transferred.
#[tokio::test]
async fn the_first_view_of_a_game_is_small() {
    let server = TestServer::start();
    let id = finish_game(&server).await;
    let path = format!("/games/{id}");
    let text = page(&server, &path).await.text;
    let last = server.read(&format!("/v1{path}")).await["seq"].clone();
    let mut paths = vec![path.clone(), format!("/v1{path}/states/{last}.svg")];
    let links = attributes(&text, "href")
        .into_iter()
        .chain(attributes(&text, "src"));
    paths.extend(
        links
            .filter(|link| link.starts_with("/assets/"))
            .map(str::to_owned),
    );
    let mut size = 0;
    for path in paths {
        let request = server
            .request(Method::GET, &path)
            .header("Accept-Encoding", "gzip");
        size += request
            .header("Accept", HTML)
            .send()
            .await
            .unwrap()
            .bytes()
            .await
            .unwrap()
            .len();
    }
    assert!(size < 100_000, "{size}");
}

/// Fails if the board in the page of a game, without its marks, is not the drawing of the position that it shows.
/// The page replaces only the parts that change.
async fn check_drawing(browser: &Browser, path: &str) {
    let script = format!(
        "const plain = (drawing) => {{
            for (const ring of drawing.querySelectorAll('.ring')) ring.remove();
            for (const part of [drawing, ...drawing.querySelectorAll('*')]) {{
                for (const name of ['class', 'role', 'data-seq', 'data-title']) part.removeAttribute(name);
            }}
            drawing.removeAttribute('aria-label');
            return new XMLSerializer().serializeToString(drawing);
        }};
        const done = arguments[0];
        const shown = document.querySelector('.board svg').cloneNode(true);
        fetch(`/v1{path}/states/${{shown.dataset.seq}}.svg`).then((answer) => answer.text()).then((text) => {{
            const drawing = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
            done([plain(shown), plain(drawing)]);
        }});"
    );
    let drawings = browser.run_until(&script).await;
    assert_eq!(drawings[0], drawings[1]);
}

#[tokio::test]
async fn a_game_is_stepped_through_in_a_browser() {
    let server = TestServer::start();
    let id = finish_game(&server).await;
    let Some(browser) = Browser::start().await else {
        return;
    };
    for width in [1200, 390] {
        browser.resize(width).await;
        browser.open("about:blank").await;
        let path = format!("/games/{id}");
        let moment = format!("{}{path}#57", address(&server));
        browser.open(&moment).await;
        let at = |seq: u64| {
            format!(
                "document.querySelector('.board svg')?.dataset.seq === '{seq}' \
                 && document.querySelector('.events .shown')?.id === '{seq}' \
                 && document.getElementById('slider').value === '{seq}' \
                 && document.getElementById('moment').textContent.length > 5 \
                 && location.hash === '#{seq}'"
            )
        };
        browser.wait_for(&at(57)).await;
        browser.click("#tab-turns-tab").await;
        browser.run("document.activeElement.blur()").await;
        browser.press(RIGHT).await;
        browser.wait_for(&at(58)).await;
        browser.click("[data-step=back]").await;
        browser.click("[data-step=back]").await;
        browser.wait_for(&at(56)).await;
        browser.run("location.hash = '#60'").await;
        browser.wait_for(&at(60)).await;
        check_drawing(&browser, &path).await;
        browser.click("[id='61'] a").await;
        browser.wait_for(&at(61)).await;
        check_drawing(&browser, &path).await;
        browser.press(HOME).await;
        browser
            .wait_for("document.querySelector('.board svg').dataset.seq === '0'")
            .await;
        check_drawing(&browser, &path).await;
        // The address can name a tab, and the way to annotate follows the moment.
        browser.open("about:blank").await;
        let notes = format!("{}/games/{id}?at=5#notes", address(&server));
        browser.open(&notes).await;
        browser
            .wait_for(
                "document.querySelector('[role=tab][aria-selected=true]').textContent === 'Notes'",
            )
            .await;
        browser.click("[data-step=forward]").await;
        browser
            .wait_for(
                "document.querySelector('#notes-tab .button').href.endsWith('/annotations?at=6')",
            )
            .await;
        browser.check_width().await;
        browser.check_console().await;
    }
}

#[tokio::test]
async fn a_game_is_watched_live_in_a_browser() {
    let server = TestServer::start();
    let Some(browser) = Browser::start().await else {
        return;
    };
    for width in [1200, 390] {
        let bot = json!({"player": {"bot": "random"}});
        let body = json!({"edition": "antike", "board": "antike-west", "first": "romans", "max_rounds": 6,
            "seats": [{"nations": ["romans"], "player": "open"}, bot, bot]});
        let created = server.create("/v1/games", "", body).await;
        let path = format!("/games/{}", created["id"].as_str().unwrap());
        let organizer = created["tokens"]["organizer"].as_str().unwrap();
        browser.resize(width).await;
        browser.open(&format!("{}{path}", address(&server))).await;
        browser.run("window.unchanged = true").await;
        browser.wait_for_element(".state.open").await;
        // From here on, bots play the game to its end.
        let seat = format!("/v1{path}/seats/0");
        server.put(&seat, organizer, bot).await.ok(200);
        browser.wait_for_element("#status .state.finished").await;
        let last = server
            .wait_for(&format!("/v1{path}"), |game| game["status"] == "finished")
            .await["seq"]
            .clone();
        browser
            .wait_for(&format!(
                "window.unchanged && document.querySelector('.board svg').dataset.seq === '{last}' \
                 && document.getElementById('{last}')"
            ))
            .await;
        let turns = "[...document.querySelectorAll('.events > li')].every((event, place) => Number(event.id) === place)";
        browser.wait_for(turns).await;
        check_drawing(&browser, &path).await;
        browser.check_console().await;
    }
}

/// Returns the turns that a page lists: the number, the heading, and the events of each.
fn listed_turns(html: &str) -> Vec<(u32, String, Vec<u64>)> {
    let list = html.split("<ol id=\"turns\">").nth(1).unwrap();
    let turns = list.split("<li class=\"turn\" data-turn=\"").skip(1);
    let turn = |turn: &str| {
        let number = turn.split('"').next().unwrap().parse().unwrap();
        let heading = turn.split("<h3>").nth(1).unwrap();
        let heading = heading.split("</h3>").next().unwrap();
        let mut words = String::new();
        for part in heading.split('<') {
            words += part.split_once('>').map_or(part, |(_, text)| text);
        }
        let events = turn.split("<li id=\"").skip(1);
        let events = events.map(|event| event.split('"').next().unwrap().parse().unwrap());
        (number, words.trim().to_owned(), events.collect())
    };
    turns.map(turn).collect()
}

#[tokio::test]
async fn claims_and_undos_are_listed_in_their_turn() {
    let server = TestServer::start();
    let turns = async |path: &str| {
        let turns = listed_turns(&page(&server, path).await.text).into_iter();
        let found = turns.map(|(number, heading, events)| {
            let names = ["Setup", "Greeks", "Phoenicians"].into_iter();
            let names: Vec<&str> = names.filter(|name| heading.contains(name)).collect();
            (number, names.concat(), events)
        });
        found.collect::<Vec<_>>()
    };
    let expected = |turns: &[(u32, &str, &[u64])]| {
        let turns = turns.iter();
        let turn =
            turns.map(|(number, name, events)| (*number, (*name).to_owned(), events.to_vec()));
        turn.collect::<Vec<_>>()
    };
    let open = |nation: &str| json!({"nations": [nation], "player": "open"});
    let new = json!({"edition": "antike", "board": "antike-east", "first": "greeks",
        "seats": [open("greeks"), open("phoenicians"), open("persians"), open("arabs")]});
    let created = server.create("/v1/games", "", new).await;
    let path = format!("/games/{}", created["id"].as_str().unwrap());
    let organizer = created["tokens"]["organizer"].as_str().unwrap();
    let mut tokens = Vec::new();
    for seat in 0..4 {
        let claim = format!("/v1{path}/seats/{seat}");
        let claimed = server.create(&claim, "", json!({})).await;
        tokens.push(claimed["token"].as_str().unwrap().to_owned());
    }
    let setup: (u32, &str, &[u64]) = (0, "Setup", &[0, 1, 2, 3, 4]);
    assert_eq!(turns(&path).await, expected(&[setup]));

    let actions = format!("/v1{path}/actions");
    let turn = turn("iron");
    server.create(&actions, &tokens[0], turn.clone()).await;
    let seat = format!("/v1{path}/seats/2");
    let substitute = json!({"player": {"placeholder": "Mago"}});
    let substitute = server.put(&seat, organizer, substitute).await.ok(200);
    tokens[2] = substitute["token"].as_str().unwrap().to_owned();
    let greeks: (u32, &str, &[u64]) = (1, "Greeks", &[5, 6]);
    let phoenicians: (u32, &str, &[u64]) = (2, "Phoenicians", &[7]);
    assert_eq!(turns(&path).await, expected(&[setup, greeks, phoenicians]));
    let live = format!("{path}/live?after=6");
    assert_eq!(turns(&live).await, expected(&[phoenicians]));

    for token in &tokens {
        let undo = format!("/v1{path}/undo");
        server.post(&undo, token, json!({"to": 5})).await;
    }
    let end = json!({"type": "end_turn"});
    server.create(&actions, &tokens[0], end).await;
    let again: (u32, &str, &[u64]) = (1, "Greeks", &[8, 9]);
    let all = expected(&[setup, greeks, phoenicians, again]);
    assert_eq!(turns(&path).await, all);
    assert_eq!(turns(&format!("{path}/live")).await, all);
    let last = expected(&[(1, "Greeks", &[9])]);
    assert_eq!(turns(&format!("{path}/live?after=8")).await, last);
}

#[tokio::test]
async fn the_page_of_a_game_shows_an_undo_and_the_end_live() {
    let server = TestServer::start();
    let Some(browser) = Browser::start().await else {
        return;
    };
    let bot = json!({"player": {"bot": "random"}});
    let new = json!({"edition": "antike", "board": "antike-west", "first": "romans", "rated": true,
        "seats": [{"nations": ["romans"], "player": "open"}, bot, bot]});
    let created = server.create("/v1/games", "", new).await;
    let path = format!("/games/{}", created["id"].as_str().unwrap());
    let organizer = created["tokens"]["organizer"].as_str().unwrap();
    browser.resize(1200).await;
    browser.open(&format!("{}{path}", address(&server))).await;
    browser.click("#seat-form button").await;
    browser
        .wait_for("document.querySelector('#choices [data-action*=arming]') && document.querySelector('.board svg')")
        .await;
    // From here on the page is not loaded again, and no frame may show a blank board.
    let watch = "window.unchanged = true; window.blank = 0; const look = () => { \
        if (!document.querySelector('.board svg')) window.blank += 1; \
        requestAnimationFrame(look); }; look();";
    browser.run(watch).await;
    for action in ["arming", "end_turn"] {
        browser
            .click(&format!("#choices [data-action*={action}]"))
            .await;
    }
    browser
        .wait_for_element("#choices [data-action*=move_stone]")
        .await;
    browser.click("#undo").await;
    browser
        .wait_for("document.querySelector('#choices [data-action*=end_turn]') && document.querySelector('#turns .undone')")
        .await;
    browser
        .wait_for("document.querySelector('.board [data-field]') && document.getElementById('analysis-switch').disabled")
        .await;

    server
        .adjudicate(&format!("/v1{path}"), organizer, &[1, 2, 3])
        .await;
    browser
        .wait_for(
            "document.querySelector('#status .state.finished') && !document.getElementById('play') \
             && !document.querySelector('.board .can') && !document.getElementById('result').hidden \
             && document.querySelector('#result .winners').textContent.includes('won') \
             && !document.getElementById('analysis-switch').disabled",
        )
        .await;
    let result = browser.run("return [window.unchanged, window.blank]").await;
    assert_eq!(result, json!([true, 0]));
    check_drawing(&browser, &path).await;
    browser.check_console().await;
}

#[tokio::test]
async fn pages_are_accessible() {
    let server = TestServer::start();
    let id = finish_game(&server).await;
    let Some(browser) = Browser::start().await else {
        return;
    };
    let Some(axe) = axe() else { return };
    let open = server
        .create(
            "/v1/games",
            "",
            json!({"edition": "antike", "board": "antike-west",
        "seats": [{"player": "open"}, {"player": "open"}, {"player": "open"}]}),
        )
        .await;
    let invitation = format!("/v1/games/{}/invitation", text(&open["id"]));
    let organizer = text(&open["tokens"]["organizer"]);
    let invitation = send(server.with(Method::POST, &invitation, &organizer)).await;
    let join = format!("/join/{}", text(&invitation.ok(201)["code"]));
    let open = format!("/games/{}", text(&open["id"]));
    let table = format!("{open}/lobby");
    let game = format!("/games/{id}#57");
    let paths = [
        "/",
        "/games",
        "/play",
        "/rules",
        "/rules/antike_duellum",
        "/sign-in",
        "/sign-up?next=/games",
        "/recover",
        "/confirm-mail?token=1",
        "/unsubscribe?code=1&type=your_turn",
        "/nothing",
        &game,
        &open,
        &table,
        &join,
    ];
    for width in [1200, 390] {
        browser.resize(width).await;
        for path in paths {
            browser.open("about:blank").await;
            browser.open(&format!("{}{path}", address(&server))).await;
            browser.check_access(&axe).await;
            browser.check_width().await;
        }
    }
    // The switch is pressed once; the browser keeps its cookie. Only words differ, and so widths.
    browser.click(".languages button").await;
    browser
        .wait_for("document.documentElement.lang === 'de'")
        .await;
    for path in [
        "/",
        "/games",
        "/play",
        "/rules/antike",
        "/stats",
        "/docs",
        &game,
        &open,
        &table,
        &join,
    ] {
        browser.open("about:blank").await;
        browser.open(&format!("{}{path}", address(&server))).await;
        let language = browser.run("return document.documentElement.lang").await;
        assert_eq!(language, "de", "{path}");
        for width in [1200, 390] {
            browser.resize(width).await;
            browser.check_width().await;
        }
    }
}

#[tokio::test]
async fn rules_and_players_have_pages() {
    let server = TestServer::start();
    let editions = server.read("/v1/editions").await;
    let list = page(&server, "/rules").await.text;
    for edition in array(&editions["items"]) {
        let id = edition["edition"].as_str().unwrap();
        assert!(list.contains(&format!("/rules/{id}")), "{list}");
        let shown = page(&server, &format!("/rules/{id}")).await.text;
        let rules = server.read(&format!("/v1/editions/{id}/rules")).await;
        for rule in array(&rules["items"]) {
            assert!(shown.contains(&format!("id={}", rule["number"])), "{rule}");
        }
    }
    assert_eq!(server.get_as("/rules/moon", HTML).await.status, 404);
    let account = server
        .create("/v1/players", "", json!({"handle": "dido"}))
        .await;
    let id = account["player"]["id"].as_str().unwrap();
    let body = json!({"edition": "antike", "board": "antike-east",
        "seats": [{"player": {"id": "dido"}}, {"player": "open"}, {"player": "open"}]});
    let token = account["token"].as_str().unwrap();
    let game = server.create("/v1/games", token, body).await;
    for named in [id, "dido"] {
        let shown = page(&server, &format!("/players/{named}")).await.text;
        assert!(shown.contains("<h1>dido</h1>"), "{shown}");
        assert!(shown.contains(game["id"].as_str().unwrap()), "{shown}");
    }
    let table = page(&server, &format!("/games/{}", game["id"].as_str().unwrap()))
        .await
        .text;
    assert!(
        table.contains(&format!("href=\"/players/{id}\"")),
        "{table}"
    );
}

#[tokio::test]
async fn choices_are_actions_that_can_be_posted() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    let choices = page(
        &server,
        &format!("{}/choices", path.trim_start_matches("/v1")),
    )
    .await
    .text;
    let all = format!("{path}/legal-actions?payments=all");
    let legal = server.read(&all).await;
    let legal = array(&legal["actions"]);
    let shown = attributes(&choices, "data-action");
    assert_eq!(shown.len(), legal.len());
    for shown in shown {
        let shown: Value = serde_json::from_str(&shown.replace("&quot;", "\"")).unwrap();
        assert!(legal.contains(&shown), "{shown}");
        let tried = format!("{path}/actions?dry_run=true");
        server.post(&tried, &tokens[0], shown).await.ok(200);
    }
    assert!(choices.contains("Move to Arming"), "{choices}");
}

#[tokio::test]
async fn standing_orders_are_given_on_the_page_of_a_game() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    let Some(browser) = Browser::start().await else {
        return;
    };
    let Some(axe) = axe() else { return };
    let shown = path.trim_start_matches("/v1");
    let orders = format!("{path}/seats/0/orders");
    let given = async || {
        send(server.with(Method::GET, &orders, &tokens[0]))
            .await
            .ok(200)
    };
    for width in [1200, 390] {
        browser.resize(width).await;
        // A page without scripts, so that none runs while the browser forgets the seat.
        browser.open(&format!("{}/healthz", address(&server))).await;
        browser.run("localStorage.clear()").await;
        browser.open(&format!("{}{shown}", address(&server))).await;
        browser
            .wait_for("document.documentElement.className === 'runs'")
            .await;
        let token = format!(
            "document.querySelector('[name=token]').value = '{}'",
            tokens[0]
        );
        browser.run(&token).await;
        browser.click("#tab-play").await;
        browser.click("#token-form button").await;
        browser.wait_for_visible("orders").await;
        browser.click("#orders summary").await;
        let choose = "const form = document.getElementById('order-form'); \
            form.against.value = 'persians'; form.unit.value = 'galley'; form.battle.value = 'demand'";
        browser.run(choose).await;
        browser.click("#order-form button").await;
        browser
            .wait_for("document.querySelectorAll('#order-list li').length === 1")
            .await;
        let wanted =
            json!({"against": "persians", "unit": "galley", "region": null, "battle": "demand"});
        assert_eq!(given().await, json!([wanted]));
        let summary = browser
            .run("return document.querySelector('#order-list span').textContent")
            .await;
        assert_eq!(summary, "Persians · galleys · anywhere · fight with all");
        browser.check_access(&axe).await;
        browser.check_width().await;
        browser.click("#order-list button").await;
        browser.wait_for_visible("no-orders").await;
        assert_eq!(given().await, json!([]));
        browser.check_console().await;
    }
}
