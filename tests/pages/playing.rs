//! A game played on its page: by mouse, by touch and by keyboard.

use serde_json::{Value, json};

use super::browser::{Browser, axe};
use super::{HTML, address, check_drawing, page};
use crate::http::support::{TestServer, array, eventually};

/// The windows in which a game must be visible with its controls.
const WINDOWS: [(u32, u32); 2] = [(1280, 800), (390, 844)];

const ENTER: &str = "\u{e007}";

/// A visible choice whose action has this type or field.
fn choice(action: &str) -> String {
    format!("#choices .choice[data-action*='\"{action}\"']:not([hidden])")
}

/// Creates a game of one person against bots, opens it, takes the seat and returns its path.
async fn sit_down(server: &TestServer, browser: &Browser, rounds: u32) -> String {
    let bot = json!({"player": {"bot": "random"}});
    let body = json!({"edition": "antike", "board": "antike-west", "first": "romans", "seed": "clicks",
        "max_rounds": rounds, "seats": [{"nations": ["romans"], "player": "open"}, bot, bot]});
    let created = server.create("/v1/games", "", body).await;
    let path = format!("/games/{}", created["id"].as_str().expect("an id"));
    browser.open(&format!("{}{path}", address(server))).await;
    browser.click("#seat-form button").await;
    browser.wait_for_element(&choice("arming")).await;
    browser.wait_for_element(".board [data-field].can").await;
    path
}

#[tokio::test]
async fn board_and_controls_are_in_one_view() {
    let server = TestServer::start();
    let Some(browser) = Browser::start().await else {
        return;
    };
    for (width, height) in WINDOWS {
        browser.resize_to(width, height).await;
        sit_down(&server, &browser, 4).await;
        let outside = browser
            .run(
                "return ['.board', '.board svg', '.steps', '#tab-play', '#choices .choice'].filter((selector) => { \
                 const box = document.querySelector(selector).getBoundingClientRect(); \
                 return box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight || box.height < 1; })",
            )
            .await;
        assert_eq!(outside, json!([]), "{width}");
        // Two fingers zoom the board, and each of its corners can be reached.
        let touch = "const board = document.querySelector('.board'); const box = board.getBoundingClientRect(); \
            const at = (identifier, x) => new Touch({identifier, target: board, clientX: box.left + x, clientY: box.top + 50}); \
            const send = (name, touches) => board.dispatchEvent(new TouchEvent(name, {touches, cancelable: true, bubbles: true})); \
            send('touchstart', [at(1, 50), at(2, 100)]); \
            for (const x of [100, 150, 200]) send('touchmove', [at(1, 50), at(2, x)]); \
            send('touchend', []); \
            board.scrollTo(99999, 99999); \
            const drawing = document.querySelector('.board svg').getBoundingClientRect(); \
            return [drawing.width / box.width > 1.4, drawing.right <= box.right + 2, drawing.bottom <= box.bottom + 2]";
        assert_eq!(browser.run(touch).await, json!([true, true, true]));
        browser.click("[data-zoom='0']").await;
        let fits = "document.querySelector('.board svg').getBoundingClientRect().width <= document.querySelector('.board').clientWidth";
        browser.wait_for(fits).await;
        browser.check_width().await;
        browser.check_console().await;
    }
}

#[tokio::test]
async fn a_turn_is_played_on_the_board() {
    let server = TestServer::start();
    let Some(browser) = Browser::start().await else {
        return;
    };
    let Some(axe) = axe() else { return };
    for (width, height) in WINDOWS {
        browser.resize_to(width, height).await;
        let path = sit_down(&server, &browser, 4).await;
        // A rondel space moves the stone, by keyboard too.
        browser
            .run("document.querySelector('.board [data-field=arming]').focus()")
            .await;
        browser.press(ENTER).await;
        browser.wait_for_element(".board [data-region].can").await;
        // A region with two kinds of units asks which one; the list shows only these.
        let all = "[...document.querySelectorAll('#choices .group')].filter((group) => !group.hidden && group.offsetParent).length";
        let before = browser.run(&format!("return {all}")).await;
        let click = "document.querySelector('.board [data-region].can').dispatchEvent(new MouseEvent('click', {bubbles: true}))";
        browser.run(click).await;
        browser.wait_for_visible("narrowed").await;
        browser
            .wait_for(&format!("{all} > 0 && {all} < {before}"))
            .await;
        browser.check_access(&axe).await;
        browser.click("#widen").await;
        // What is paid can be chosen, with steppers.
        browser
            .click("#choices .group:has([data-action*='\"arm\"']) .vary")
            .await;
        browser.wait_for_visible("confirm").await;
        browser
            .click("#amounts [data-by='1']:not([aria-disabled=true])")
            .await;
        let words = browser
            .run("return document.getElementById('confirm-words').textContent")
            .await;
        assert!(words.as_str().expect("words").contains("coin"), "{words}");
        browser.check_access(&axe).await;
        browser.click("#send").await;
        let armed = "[...document.querySelectorAll('#turns .words')].some((words) => /set up .* for 1 coin/.test(words.textContent))";
        browser.wait_for(armed).await;
        browser.check_console().await;
        // An action that the list does not offer is refused by a rule. A click does nothing while the last action is on
        // its way, so the click is repeated.
        let altered = format!(
            "const choice = document.querySelector({}); \
            if (choice) {{ choice.dataset.action = JSON.stringify({{type: 'move_stone', field: 'gold'}}); choice.click(); }} \
            return document.querySelector('#refusal a[href*=\"/rules/\"]') !== null",
            json!(choice("end_turn"))
        );
        eventually("the action was not refused", async || {
            (browser.run(&altered).await == true).then_some(())
        })
        .await;
        browser.forget_console().await;
        browser
            .run("document.dispatchEvent(new CustomEvent('tabularium:changed'))")
            .await;
        browser.click(&choice("end_turn")).await;
        // The others have moved, and the page says what they did.
        browser.wait_for_visible("since").await;
        // A rondel space says what its steps cost.
        let costs = "[...document.querySelectorAll('.board [data-field].can')].some((field) => \
            / for /.test(field.ariaLabel) && field.ariaLabel === field.querySelector('title').textContent)";
        browser.wait_for(costs).await;
        browser
            .wait_for("document.title.startsWith('● ') && document.querySelector('link[rel=icon]').href.endsWith('turn.svg')")
            .await;
        browser.click("#since-step").await;
        browser
            .wait_for(
                "document.getElementById('slider').value !== document.getElementById('slider').max \
                 && document.querySelector('.board svg').dataset.seq === document.getElementById('slider').value",
            )
            .await;
        check_drawing(&browser, &path).await;
        browser.check_access(&axe).await;
        browser.click("[data-step=last]").await;
        // One click takes the turn back.
        browser.click("#undo").await;
        browser.wait_for_element("#turns .undone").await;
        browser.check_width().await;
        browser.check_console().await;
        let text = page(&server, &format!("{path}/regions?at=0")).await.text;
        assert!(
            text.contains("<b>Roma</b>: City of the Romans for"),
            "{text}"
        );
        assert!(text.contains("Next to: "), "{text}");
        let beyond = server.get_as(&format!("{path}/regions?at=999"), HTML).await;
        assert_eq!(beyond.status, 404);
    }
}

/// Returns what is to be clicked next in the page of a game: a selector, `wait` or `over`.
const NEXT: &str = "
    if (document.querySelector('#status .finished')) return 'over';
    const mine = Number(document.querySelector('#choices')?.dataset.seat ?? -1) === seat;
    const isNew = document.querySelector('.board svg')?.dataset.seq === document.querySelector('#choices')?.dataset.seq;
    if (!mine || !isNew) return 'wait';
    const groups = [...document.querySelectorAll('#choices .group')];
    if (groups.length === 1 && document.getElementById('auto').checked) return 'wait';
    for (const marked of document.querySelectorAll('.next')) marked.classList.remove('next');
    const isEnd = (group) => group.firstElementChild.dataset.action.includes('end_turn');
    const other = groups.filter((group) => !isEnd(group));
    const end = groups.find(isEnd);
    const acts = window.acts ?? 0;
    const group = acts > 4 && end ? end : (other[((window.done ??= 0) * 5 + 1) % other.length] ?? end);
    if (!group) return 'wait';
    window.acts = end ? acts + 1 : 0;
    window.done += 1;
    const { field } = group.dataset;
    if (field) return `.board [data-field=${field}] text`;
    group.firstElementChild.classList.add('next');
    return '.next';";

/// Clicks what is next on the page of a person, and returns `wait`, `over` or what was clicked.
async fn click_next(browser: &Browser, seat: usize) -> String {
    let next = browser.run(&format!("const seat = {seat}; {NEXT}")).await;
    let next = next.as_str().expect("a selector").to_owned();
    if !["over", "wait"].contains(&next.as_str()) {
        let state = "JSON.stringify([document.querySelector('#choices').dataset.seq, document.getElementById('confirm').hidden])";
        let before = browser.run(&format!("return {state}")).await;
        browser.click(&next).await;
        let changed =
            format!("document.querySelector('#status .finished') || {state} !== {before}");
        browser.wait_for(&changed).await;
    }
    next
}

/// Two people play a whole game against a bot, on a computer and on a phone.
/// By mouse they need fewer clicks than actions; a list with confirmations needs two clicks for each action.
#[tokio::test]
async fn two_people_play_a_whole_game_with_few_clicks() {
    let server = TestServer::start();
    let (Some(computer), Some(phone)) = (Browser::start().await, Browser::start().await) else {
        return;
    };
    computer.resize_to(1280, 800).await;
    phone.resize_to(390, 844).await;
    let open = |nation: &str| json!({"nations": [nation], "player": "open"});
    let body = json!({"edition": "antike", "board": "antike-west", "first": "romans", "seed": "clicks",
        "max_rounds": 7, "seats": [open("romans"), open("greeks"), {"player": {"bot": "random"}}]});
    let created = server.create("/v1/games", "", body).await;
    let path = format!("/games/{}", created["id"].as_str().expect("an id"));
    let people = [&computer, &phone];
    for (seat, browser) in people.iter().enumerate() {
        browser.open(&format!("{}{path}", address(&server))).await;
        browser
            .click(&format!("#seat-form button[value='{seat}']"))
            .await;
        // Among people, turns do not end by themselves unless the player wants it.
        browser.wait_for_visible("auto").await;
        browser.click("#auto").await;
    }
    let mut clicks = [0, 0];
    loop {
        let mut over = 0;
        for (seat, browser) in people.iter().enumerate() {
            match click_next(browser, seat).await.as_str() {
                "over" => over += 1,
                "wait" => {
                    browser
                        .run_until("requestAnimationFrame(() => arguments[0]())")
                        .await;
                }
                _ => clicks[seat] += 1,
            }
        }
        if over == people.len() {
            break;
        }
    }
    let events = server.read(&format!("/v1{path}/events?limit=1000")).await;
    for (seat, clicks) in clicks.iter().enumerate() {
        let own = |event: &&Value| event["kind"] == "action" && event["seat"] == seat;
        let actions = array(&events["items"]).iter().filter(own).count();
        assert!(actions > 12, "{actions}");
        assert!(*clicks < actions, "{clicks} clicks for {actions} actions");
    }
    for browser in people {
        browser
            .wait_for(
                "document.querySelector('#result .winners') \
                 && document.querySelector('.board svg').dataset.seq === document.getElementById('slider').max",
            )
            .await;
        check_drawing(browser, &path).await;
        browser.check_console().await;
    }
    // The rematch is one click away.
    computer.click("#rematch").await;
    computer
        .wait_for(&format!(
            "location.pathname.startsWith('/games/') && location.pathname !== '{path}'"
        ))
        .await;
}
