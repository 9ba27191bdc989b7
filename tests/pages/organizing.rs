//! Leagues that are organized through the pages only: with forms over HTTP, and in a headless browser.

use serde_json::{Value, json};

use super::browser::{Browser, axe};
use super::{address, attributes};
use crate::http::sessions::Browser as Reader;
use crate::http::support::{Answer, TestServer, array, assert_contains, text};

/// Returns the hidden fields of a page, in their order.
pub fn hidden(html: &str) -> Vec<(String, String)> {
    let inputs = html.split("<input type=\"hidden\" ").skip(1);
    let part = |input: &str, name: &str| {
        let value = input.split(&format!("{name}=\"")).nth(1)?;
        Some(value.split('"').next()?.replace("&quot;", "\""))
    };
    let fields = inputs.map(|input| {
        let input = input.split('>').next().unwrap();
        Some((part(input, "name")?, part(input, "value")?))
    });
    fields.flatten().collect()
}

/// Sends a form, and checks that the browser is led on.
pub async fn send(reader: &mut Reader, path: &str, fields: &[(&str, &str)]) -> Answer {
    let answer = reader.form(path, fields).await;
    assert_eq!(answer.status, 303, "{path} {fields:?}: {}", answer.text);
    answer
}

/// The fields of a new league.
const LEAGUE: [(&str, &str); 9] = [
    ("name", "Punic Cup"),
    ("description", "A game a month."),
    ("visibility", "private"),
    ("joining", "approval"),
    ("season", "Spring"),
    ("format", "swiss"),
    ("bye_points", "3"),
    ("points", "5, 3 2"),
    ("tie_break", "wins"),
];

/// Creates a league and returns its path, and the browser of its owner.
async fn create_league(server: &TestServer) -> (Reader, String) {
    let mut owner = Reader::of(server);
    owner.sign_up("dido").await;
    let created = send(&mut owner, "/leagues/new", &LEAGUE).await;
    let path = created.header("location").to_owned();
    let path = path.strip_suffix("/organize/members").unwrap().to_owned();
    (owner, path)
}

#[tokio::test]
async fn a_season_is_run_through_the_pages_only() {
    let server = TestServer::start();
    let (mut dido, path) = create_league(&server).await;
    let id = path.rsplit('/').next().unwrap().to_owned();
    let at = |part: &str| format!("{path}{part}");
    let members = at("/organize/members");
    // Strangers do not see the private league; a link admits them after they have answered.
    let mut readers = Vec::new();
    for handle in ["hanno", "mago"] {
        let mut reader = Reader::of(&server);
        reader.sign_up(handle).await;
        assert_eq!(reader.page(&path).await.status, 404);
        assert_eq!(reader.page(&members).await.status, 404);
        readers.push(reader);
    }
    let settings = [
        ("action", "save"),
        ("name", "Punic Cup"),
        ("joining", "approval"),
        ("question-0", "Which evenings?"),
        ("required-0", "yes"),
    ];
    send(&mut dido, &at("/organize/settings"), &settings).await;
    let shown = dido.form(&members, &[("action", "link")]).await;
    assert_eq!(shown.status, 200);
    let link = shown.text.split("/join?code=").nth(1).expect("a link");
    let code = link.split('<').next().unwrap().to_owned();
    for reader in &mut readers {
        let page = reader.page(&format!("{path}/join?code={code}")).await;
        assert_contains(&page.text, "Which evenings?");
        let join = at("/join");
        let none = reader
            .form(&join, &[("action", "join"), ("code", &code)])
            .await;
        assert_eq!(none.status, 422, "{}", none.text);
        let fields = [
            ("action", "join"),
            ("code", &*code),
            ("answer-0", "Fridays"),
        ];
        send(reader, &join, &fields).await;
        assert_eq!(
            reader.page(&path).await.status,
            200,
            "members read a private league"
        );
    }
    send(
        &mut dido,
        &at("/join"),
        &[("action", "join"), ("answer-0", "Mondays")],
    )
    .await;
    for name in ["Elissa", "Sophonisba"] {
        send(
            &mut dido,
            &members,
            &[("action", "placeholder"), ("name", name)],
        )
        .await;
    }
    let listed = dido.page(&members).await.text;
    assert_contains(&listed, "Fridays");
    let twice = dido
        .form(&members, &[("action", "invite"), ("player", "hanno")])
        .await;
    assert_eq!(twice.status, 409);
    assert_contains(&twice.text, "already a member");

    // A round of five at one table of four: pairing, exchange, creation.
    let round = at("/organize/round");
    let wanted = [
        ("action", "preview"),
        ("round", "1"),
        ("board", "antike-east"),
        ("size", "4"),
        ("nations", "balanced"),
        ("deadline", "2099-12-31"),
    ];
    let preview = dido.form(&round, &wanted).await;
    assert_eq!(preview.status, 200, "{}", preview.text);
    let fields = hidden(&preview.text);
    let seats = |fields: &[(String, String)]| {
        let seats = fields.iter().filter(|(name, _)| name == "seat");
        seats.map(|(_, value)| value.clone()).collect::<Vec<_>>()
    };
    let before = seats(&fields);
    assert_eq!(before.len(), 5);
    let member = |seat: &String| seat.split('.').nth(1).unwrap().to_owned();
    let form = |fields: &[(String, String)], more: &[(&str, &str)]| {
        let fields = fields
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()));
        let more = more
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        fields.chain(more).collect::<Vec<(String, String)>>()
    };
    let first_and_bye = [member(&before[0]), member(&before[4])];
    let one = dido
        .form(
            &round,
            &borrowed(&form(
                &fields,
                &[("action", "swap"), ("swap", &first_and_bye[0])],
            )),
        )
        .await;
    assert_eq!(one.status, 422);
    let marked = [
        ("action", "swap"),
        ("swap", &*first_and_bye[0]),
        ("swap", &*first_and_bye[1]),
    ];
    let swapped = dido.form(&round, &borrowed(&form(&fields, &marked))).await;
    assert_eq!(swapped.status, 200, "{}", swapped.text);
    let fields = hidden(&swapped.text);
    let after = seats(&fields);
    assert_eq!([member(&after[4]), member(&after[0])], first_and_bye);
    let create = form(&fields, &[("action", "create")]);
    let created = dido.form(&round, &borrowed(&create)).await;
    assert_eq!(created.status, 200, "{}", created.text);
    assert_contains(&created.text, "1 table is created");
    // The same form again is late.
    assert_eq!(dido.form(&round, &borrowed(&create)).await.status, 412);

    // A deadline, a substitute, a dispute, and decisions at the table.
    let moved = [
        ("action", "deadline"),
        ("of_round", "1"),
        ("until", "2100-01-31"),
        ("note", "a voyage"),
    ];
    send(&mut dido, &round, &moved).await;
    let table = at("/tables/1");
    let page = dido.page(&table).await.text;
    assert_contains(&page, "a voyage");
    let out = member(&after[4]);
    let names = ["hanno", "mago", "dido", "Elissa", "Sophonisba"];
    let out = names[out.parse::<usize>().unwrap()];
    let substitute = [
        ("action", "substitute"),
        ("seat", "0"),
        ("member", out),
        ("note", "ill"),
    ];
    let done = dido.form(&table, &substitute).await;
    // Who has no account receives a token, which is shown once.
    let has_account = ["hanno", "mago", "dido"].contains(&out);
    assert_eq!(done.status, if has_account { 303 } else { 200 });
    assert_eq!(done.text.contains("tabularium_"), !has_account);
    let decided = [
        ("action", "decide"),
        ("rank", "1"),
        ("rank", "2"),
        ("rank", "3"),
        ("rank", "4"),
    ];
    send(&mut dido, &table, &decided).await;
    let shown = dido.page(&path).await.text;
    assert_contains(&shown, "decided by the organizers");

    // Two members report, confirm and dispute a game on a real board.
    let results = at("/results");
    let reported = |round: &'static str| {
        let seat = [("member", "hanno"), ("nation", "greeks"), ("rank", "1")];
        let other = [("member", "mago"), ("nation", ""), ("rank", "2")];
        let mut fields = vec![
            ("action", "report"),
            ("round", round),
            ("board", "antike-east"),
        ];
        fields.extend(seat.into_iter().chain(other));
        fields
    };
    let [hanno, mago] = &mut readers[..] else {
        panic!("two readers");
    };
    send(hanno, &results, &reported("2")).await;
    send(mago, &results, &[("action", "accept"), ("report", "1")]).await;
    send(hanno, &results, &reported("3")).await;
    let dispute = [
        ("action", "dispute"),
        ("report", "2"),
        ("text", "I was first."),
    ];
    send(mago, &results, &dispute).await;
    let late = mago
        .form(&results, &[("action", "accept"), ("report", "2")])
        .await;
    assert_eq!(late.status, 403);
    let decided = [
        ("action", "reject"),
        ("report", "2"),
        ("note", "Play again."),
    ];
    send(&mut dido, &results, &decided).await;
    let shown = mago.page(&results).await.text;
    for words in ["I was first.", "Play again.", "Answered reports"] {
        assert_contains(&shown, words);
    }
    let about = [
        ("action", "dispute"),
        ("table", "2"),
        ("text", "It was a draw."),
    ];
    send(hanno, &at("/tables/2"), &about).await;
    send(
        &mut dido,
        &members,
        &[("action", "role"), ("player", "mago"), ("role", "scorer")],
    )
    .await;
    let answer = [
        ("action", "answer"),
        ("dispute", "2"),
        ("text", "It was not."),
    ];
    let refused = mago.form(&at("/tables/2"), &answer).await;
    assert_eq!(refused.status, 403, "a scorer does not decide");
    send(&mut dido, &at("/tables/2"), &answer).await;
    send(
        &mut dido,
        &members,
        &[("action", "unrole"), ("player", "mago")],
    )
    .await;
    send(
        &mut dido,
        &at("/organize/season"),
        &[("action", "close"), ("number", "1")],
    )
    .await;
    let next = [("action", "begin"), ("season", "Autumn"), ("same", "yes")];
    send(&mut dido, &at("/organize/season"), &next).await;
    let ladder = [
        ("action", "begin"),
        ("season", "Winter"),
        ("format", "ladder"),
        ("reach", "2"),
        ("best", "4"),
        ("holiday_days", "5"),
    ];
    send(&mut dido, &at("/organize/season"), &ladder).await;
    let league = dido.page(&format!("/v1{path}")).await.ok(200);
    let season = array(&league["seasons"]).last().unwrap().clone();
    assert_eq!(season["format"], json!({"type": "ladder", "reach": 2}));
    assert_eq!(season["rules"]["counted"], json!({"best": 4}));
    assert_eq!(season["rules"]["holiday_days"], 5);
    send(hanno, &at("/join"), &[("action", "leave")]).await;
    let faults = server.faults(&server.services().signing.public_keys().unwrap());
    assert!(
        !faults.iter().any(|fault| fault.contains(&id)),
        "{faults:?}"
    );
}

/// Borrows the fields of a form.
pub fn borrowed(fields: &[(String, String)]) -> Vec<(&str, &str)> {
    fields
        .iter()
        .map(|(name, value)| (&**name, &**value))
        .collect()
}

#[tokio::test]
async fn the_pages_of_organizers_are_for_them_and_their_own_site() {
    let server = TestServer::start();
    let (mut dido, path) = create_league(&server).await;
    let open = [("action", "save"), ("name", "Cup"), ("joining", "open")];
    send(&mut dido, &format!("{path}/organize/settings"), &open).await;
    let mut public = LEAGUE.to_vec();
    public[2] = ("visibility", "public");
    let created = send(&mut dido, "/leagues/new", &public).await;
    let path = created.header("location").replace("/organize/members", "");
    let mut hanno = Reader::of(&server);
    hanno.sign_up("hanno").await;
    for part in ["members", "settings", "season", "round"] {
        let page = format!("{path}/organize/{part}");
        assert_eq!(hanno.page(&page).await.status, 403, "{part}");
        assert_eq!(
            hanno.form(&page, &[("action", "link")]).await.status,
            403,
            "{part}"
        );
        assert_eq!(dido.page(&page).await.status, 200, "{part}");
        let signed_out = Reader::of(&server).page(&page).await;
        assert_contains(signed_out.header("location"), "/sign-in");
    }
    let other_site = dido
        .foreign_form(&format!("{path}/organize/members"), &[("action", "link")])
        .await;
    assert_eq!(other_site.status, 403);
    let bad = dido
        .form(
            "/leagues/new",
            &[("name", ""), ("season", "x"), ("format", "moon")],
        )
        .await;
    assert_eq!(bad.status, 422);
    assert_contains(&bad.text, "id=\"refusal\"");
    for part in ["/results", "/join"] {
        assert_eq!(hanno.page(&format!("{path}{part}")).await.status, 200);
    }
    assert_eq!(hanno.page(&format!("{path}/tables/1")).await.status, 404);
}

/// The pages of a league with 200 members are small, and complete.
#[tokio::test]
async fn pages_of_a_large_league_are_small() {
    let server = TestServer::start();
    let (mut dido, path) = create_league(&server).await;
    let members = format!("{path}/organize/members");
    for number in 0..200 {
        let name = format!("Member {number}");
        send(
            &mut dido,
            &members,
            &[("action", "placeholder"), ("name", &name)],
        )
        .await;
    }
    let round = format!("{path}/organize/round");
    let mut size = 0;
    for number in ["1", "2"] {
        let wanted = [
            ("action", "preview"),
            ("round", number),
            ("board", "antike-east"),
            ("size", "4"),
            ("nations", "drawn"),
        ];
        let preview = dido.form(&round, &wanted).await;
        size = size.max(preview.text.len());
        let mut fields = hidden(&preview.text);
        let sent: usize = fields
            .iter()
            .map(|(name, value)| name.len() + value.len() + 2)
            .sum();
        assert!(sent < 8_000, "{sent} of 16 KiB");
        fields.push(("action".to_owned(), "create".to_owned()));
        let created = dido.form(&round, &borrowed(&fields)).await;
        assert_contains(&created.text, "50 tables are created");
    }
    assert!(size < 100_000, "{size}");
    for part in ["", "/results", "/organize/round", "/organize/members"] {
        let began = std::time::Instant::now();
        let page = dido.page(&format!("{path}{part}")).await;
        let (bytes, time) = (page.text.len(), began.elapsed());
        println!("{part:20} {bytes:>8} bytes {time:?}");
        assert!(bytes < 500_000, "{part}: {bytes}");
        assert!(attributes(&page.text, "href").len() < 2_000, "{part}");
    }
}

/// Sets the fields of a form in a page.
async fn fill(browser: &Browser, fields: &[(&str, &str)]) {
    for (selector, value) in fields {
        let script = format!(
            "document.querySelector({}).value = {}",
            json!(selector),
            json!(value)
        );
        browser.run(&script).await;
    }
}

#[tokio::test]
async fn a_round_is_organized_in_a_browser() {
    let server = TestServer::start();
    let (Some(browser), Some(axe)) = (Browser::start().await, axe()) else {
        return;
    };
    let host = address(&server);
    let check = async || {
        for width in [1200, 390] {
            browser.resize(width).await;
            browser.check_access(&axe).await;
            browser.check_width().await;
        }
    };
    browser
        .open(&format!("{host}/sign-up?next=/leagues/new"))
        .await;
    fill(
        &browser,
        &[
            ("main [name=handle]", "dido"),
            ("main [name=password]", "elephants over the Alps"),
        ],
    )
    .await;
    browser.click("main form button").await;
    browser.click("main a.button.first").await;
    browser
        .wait_for("location.pathname === '/leagues/new'")
        .await;
    check().await;
    fill(
        &browser,
        &[("[name=name]", "Punic Cup"), ("[name=season]", "Spring")],
    )
    .await;
    browser.click("main button.first").await;
    browser.wait_for_element("#requests").await;
    for name in ["Hanno", "Mago", "Elissa", "Gisgo"] {
        fill(&browser, &[("[name=name]", name)]).await;
        browser.click("[value=placeholder]").await;
        browser
            .wait_for(&format!(
                "document.querySelector('#members ~ .rows')?.textContent.includes('{name}')"
            ))
            .await;
    }
    check().await;
    let league = text(
        &browser
            .run("return location.pathname.split('/').slice(0, 3).join('/')")
            .await,
    );
    for part in [
        "/organize/season",
        "/organize/settings",
        "/groups",
        "/pauses",
        "/join",
        "/results",
    ] {
        if let Ok(folder) = std::env::var("TABULARIUM_PICTURES") {
            browser.open(&format!("{host}{league}{part}")).await;
            let file = part.replace('/', "-");
            let file = std::path::Path::new(&folder).join(format!("league{file}.png"));
            std::fs::write(file, browser.picture(1000, 1800, 1.0).await).unwrap();
        }
        browser.open(&format!("{host}{league}{part}")).await;
        check().await;
    }
    browser.open(&format!("{host}{league}")).await;
    browser.click("a[href$='/organize/round']").await;
    browser.wait_for_element("[value=preview]").await;
    browser.click("[value=preview]").await;
    browser.wait_for_element("#preview").await;
    let seats =
        "return [...document.querySelectorAll('.draft li')].map((seat) => seat.innerText.trim())";
    let before = browser.run(seats).await;
    browser.run("for (const place of [0, 1]) document.querySelectorAll('[name=swap]')[place].checked = true").await;
    browser.click("[value=swap]").await;
    browser.wait_for_element("#preview").await;
    let after = browser.run(seats).await;
    assert_eq!((&before[0], &before[1]), (&after[1], &after[0]));
    check().await;
    browser.click("[value=create]").await;
    browser.wait_for_element("#tokens").await;
    check().await;
    browser.open(&format!("{host}{league}/tables/1")).await;
    browser.click("#decide ~ details summary").await;
    let ranks = "document.querySelectorAll('#decide ~ details [name=rank]').forEach((field, place) => { field.value = place + 1; })";
    browser.run(ranks).await;
    check().await;
    browser.click("[value=decide]").await;
    browser.wait_for_element("[role=status].good").await;
    for language in ["de", "en"] {
        browser
            .open(&format!(
                "{host}/language?language={language}&back={league}/organize/round"
            ))
            .await;
        check().await;
    }
    browser.open(&format!("{host}{league}")).await;
    let points: Value = browser.run("return [...document.querySelectorAll('.standings .points')].map((cell) => cell.innerText)").await;
    assert_eq!(array(&points)[0], "5");
    check().await;
    browser.check_console().await;
}
