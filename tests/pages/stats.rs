//! The pages of statistics: over HTTP, and in a headless browser.

use engine::content::Library;
use engine::setup::{Setup, SetupSeat};
use records::Record;
use serde_json::{Value, json};

use super::browser::{Browser, axe};
use super::{HTML, address, attributes, page};
use crate::http::support::{TestServer, array};

/// Returns the record of a game of greedy bots, played to its end.
fn play(edition: &str, board: &str, nations: usize, number: usize) -> Record {
    let seat = SetupSeat::bot("greedy".to_owned());
    let setup = Setup {
        edition: edition.to_owned(),
        board: board.to_owned(),
        seats: vec![seat; nations],
        seed: format!("pictures {number}"),
        max_rounds: Some(80),
        ..Setup::default()
    };
    let id = format!("01900000-0000-7000-8000-{nations:04x}{number:08x}");
    bots::play(Library::embedded(), &setup, &id, "2026-01-02T03:04:05Z").expect("a game")
}

/// Starts a server that has counted games: most of them of three nations, a few of Duellum.
pub async fn server_with_games() -> TestServer {
    let server = TestServer::start();
    let east = (0..34).map(|number| play("antike", "antike-east", 3, number));
    let duels = (0..4).map(|number| play("antike_duellum", "duellum-rome-carthage", 2, number));
    for record in east.chain(duels) {
        server.imports().import(&record).expect("a game to import");
    }
    let all = |body: &Value| body["games"] == json!(38);
    server.wait_for("/v1/stats/lengths?reason=any", all).await;
    server
}

#[tokio::test(flavor = "multi_thread")]
async fn statistics_are_pictures_with_the_numbers_of_the_api_and_links() {
    let server = server_with_games().await;
    // Without a choice in the address, the most played edition is shown.
    let overview = page(&server, "/stats").await.text;
    assert!(
        overview.contains("Antike East · 3 nations · bots: greedy"),
        "{overview}"
    );
    let path = "nations?board=antike-east&nations=3";
    let table = server.read(&format!("/v1/stats/{path}")).await;
    let shown = page(&server, &format!("/stats/{path}")).await.text;
    let rows = array(&table["rows"]);
    assert_eq!(rows.len(), 3, "{table}");
    for row in rows {
        let number = |name: &str| row[name].as_f64().unwrap();
        let percent = match number("rate") * 100.0 {
            small if small < 9.95 => format!("{small:.1}%"),
            percent => format!("{percent:.0}%"),
        };
        for shape in [&overview, &shown] {
            let words = charts::words(row["nation"].as_str().unwrap());
            assert!(
                shape.contains(&format!("{words}: {percent}")),
                "{row}: {shape}"
            );
        }
        assert!(
            shown.contains(&format!("<td class=\"figure\">{:.3}</td>", number("low"))),
            "{row}"
        );
    }
    // The answer names the row that the numbers of the API give.
    let number = |row: &Value, name: &str| row[name].as_f64().unwrap();
    let is_above =
        |row: &Value| number(row, "rate") > number(row, "expected") && number(row, "q") < 0.05;
    let enough = rows.iter().filter(|row| row["insufficient"] == false);
    let rank = |row: &&Value| (is_above(row), number(row, "pooled_low"));
    let first = enough.max_by(|one, other| rank(one).partial_cmp(&rank(other)).unwrap());
    let first = first.expect("a nation with enough games");
    let words = charts::words(first["nation"].as_str().unwrap());
    let answer = match is_above(first) {
        true => format!("More often than expected: {words}, with "),
        false => format!("clearly above what is expected. The first is {words}, with "),
    };
    assert!(shown.contains(&answer), "{answer}: {shown}");
    let lengths = page(&server, "/stats/lengths?board=antike-east&nations=3")
        .await
        .text;
    let table_of_lengths = server
        .read("/v1/stats/lengths?board=antike-east&nations=3")
        .await;
    let mut quantities = array(&table_of_lengths["rows"]).iter();
    let rounds = quantities.find(|row| row["quantity"] == "rounds").unwrap();
    let answer = format!(
        "Half of the games last at most {:.0} rounds",
        number(rounds, "median")
    );
    assert!(lengths.contains(&answer), "{answer}: {lengths}");
    // Tables of each kind of measure have their question as the head.
    let timing = page(&server, "/stats/timing").await.text;
    assert!(
        timing.contains("<h1>Who wins with how many personages by a round?</h1>"),
        "{timing}"
    );
    assert!(shown.contains(&format!("data {}", table["data_version"].as_str().unwrap())));
    assert!(shown.contains("curl -H"), "{shown}");
    for extension in ["csv", "parquet", "json", "svg"] {
        let file = format!("/stats/nations.{extension}?board=antike-east&nations=3");
        assert!(
            shown
                .replace("&amp;", "&")
                .contains(&format!("href=\"{file}\"")),
            "{file}: {shown}"
        );
    }
    let csv = server
        .get("/stats/nations.csv?board=antike-east&nations=3")
        .await;
    assert_eq!(csv.text.lines().count(), 4, "{}", csv.text);
    for theme in ["", "&theme=dark"] {
        let filters = format!("board=antike-east&nations=3{theme}");
        let file = server.get(&format!("/stats/nations.svg?{filters}")).await;
        let picture = format!("/v1/stats/nations?{filters}");
        let picture = server.get_as(&picture, "image/svg+xml").await;
        assert_eq!((file.status, &file.text), (200, &picture.text), "{theme}");
        assert!(shown.contains(&format!(
            "/stats/nations.svg?{}\"",
            filters.replace('&', "&amp;")
        )));
    }
    // Every link of these pages leads to a page.
    let pages = [
        "/stats",
        "/stats/openings",
        "/stats/personages",
        "/stats/cards?board=duellum-rome-carthage",
    ];
    let mut links = std::collections::BTreeSet::new();
    for path in pages {
        let text = page(&server, path).await.text;
        let own = attributes(&text, "href")
            .into_iter()
            .filter(|link| link.starts_with("/stats"));
        links.extend(own.map(|link| link.replace("&amp;", "&")));
    }
    assert!(links.len() > 40, "{links:?}");
    for link in links {
        assert_eq!(server.get_as(&link, HTML).await.status, 200, "{link}");
    }
    // A long table is cut, with links to the whole table.
    let long = page(&server, "/stats/income").await.text;
    assert!(long.len() < 150_000, "{} bytes", long.len());
    let table = long.split("class=\"numbers\"").nth(1).unwrap();
    let table = table.split("</table>").next().unwrap();
    assert_eq!(table.matches("<tr").count(), 26, "a head and 25 rows");
    let all = |extension: &str| {
        format!("href=\"/stats/income.{extension}?board=antike-east&amp;nations=3\"")
    };
    for (words, extension) in [("All rows as CSV", "csv"), ("The whole picture", "svg")] {
        let link = format!("{}>{words}</a>", all(extension));
        assert!(long.contains(&link), "{link}: {long}");
    }
    // Of several formats, the answer is about the one with the most games.
    for number in 0..2 {
        let record = play("antike", "antike-east", 4, number);
        server.imports().import(&record).expect("a game to import");
    }
    let both = |body: &Value| body["games"] == json!(40);
    server.wait_for("/v1/stats/lengths?reason=any", both).await;
    let mixed = page(&server, "/stats/nations?edition=antike").await.text;
    let named = "<p class=\"lead\">Antike East · 3 nations · bots: greedy: ";
    assert!(mixed.contains(named), "{mixed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_samples_are_compared_by_a_form() {
    let server = server_with_games().await;
    let form = "by=date&one=2026-11-01&other=&reason=any&board=antike-east&nations=3";
    let shown = page(&server, &format!("/stats/versus/nations?{form}"))
        .await
        .text;
    // The games are of one day, so one of the samples is empty.
    assert!(shown.contains("No row is in both samples."), "{shown}");
    assert!(!shown.contains("<figure"), "{shown}");
    let form = "by=opening&one=growth&other=military&reason=any&board=antike-east&nations=3";
    let shown = page(&server, &format!("/stats/versus/nations?{form}"))
        .await
        .text;
    // What it cites is permanent, and has the same rows.
    let rest = shown
        .split("/v1/stats/versus/nations?")
        .nth(1)
        .expect("a query");
    let query = rest.split("'</code>").next().unwrap().replace("&amp;", "&");
    assert!(query.contains("as_of="), "{query}");
    let rows = server
        .read(&format!("/v1/stats/versus/nations?{query}"))
        .await;
    let rows = array(&rows["rows"]);
    assert!(!rows.is_empty());
    let table = shown
        .split("<tbody>")
        .nth(1)
        .expect("a table")
        .split("</tbody>")
        .next()
        .unwrap();
    assert_eq!(table.matches("<tr>").count(), rows.len());
    assert!(
        shown.contains(&format!(" of {} rows differ beyond chance", rows.len())),
        "{shown}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_of_forms_are_read_and_bad_ones_refused_as_pages() {
    let server = server_with_games().await;
    let form = "board=duellum-rome-carthage&nations=&nation=romans&bots=&since=&min_games=";
    let shown = page(&server, &format!("/stats/nations?{form}")).await.text;
    assert!(
        shown.contains("Romans: ") && !shown.contains("Carthaginians: "),
        "{shown}"
    );
    assert!(
        shown.contains("Only board=duellum-rome-carthage, nation=romans."),
        "{shown}"
    );
    // Links have only the filters that their page takes, on the board that they show.
    assert!(
        shown.contains("/stats/strength?board=duellum-rome-carthage\""),
        "{shown}"
    );
    assert!(
        shown.contains("?board=antike-east&amp;nations=3\""),
        "{shown}"
    );
    let each = server.get("/v1/stats/nations?ruleset=each").await;
    assert_ne!(each.ok(200)["rows"][0]["ruleset"], "all");
    let none = page(&server, "/stats?bots=none").await.text;
    assert!(none.contains("No game matches."), "{none}");
    for (path, status) in [
        ("/stats?board=moon", 422),
        ("/stats/nations?odd=1", 422),
        ("/stats/moon", 404),
        ("/stats/moon.csv", 404),
        ("/stats/versus/moon", 404),
        ("/stats/versus/lengths", 422),
        ("/stats/versus/nations?by=weather", 422),
        (
            "/stats/versus/nations?by=opening&one=luck&other=growth",
            422,
        ),
        ("/stats/openings?path=marble,moon", 422),
    ] {
        let answer = server.get_as(path, HTML).await;
        assert_eq!(answer.status, status, "{path}: {}", answer.text);
        assert!(answer.text.contains("<h1>"), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn openings_are_explored_by_clicking_the_rondel() {
    let server = server_with_games().await;
    let Some(browser) = Browser::start().await else {
        return;
    };
    for width in [1200, 390] {
        browser.resize(width).await;
        browser
            .open(&format!("{}/stats/openings", address(&server)))
            .await;
        let links = browser
            .run("return document.querySelectorAll('.wheel a').length")
            .await;
        assert!(links.as_u64().unwrap() > 1, "{links}");
        let first = browser
            .run("return document.querySelector('.stops th a').textContent")
            .await;
        browser
            .run("document.querySelector('.wheel a').focus()")
            .await;
        browser.press("\u{e007}").await;
        browser.wait_for("location.search.includes('path=')").await;
        browser
            .wait_for("document.querySelectorAll('.path li').length === 2")
            .await;
        browser.click(".stops th a").await;
        browser
            .wait_for("document.querySelectorAll('.path li').length === 3")
            .await;
        browser.click(".wheel a[aria-label^=Back]").await;
        browser
            .wait_for("document.querySelectorAll('.path li').length === 2")
            .await;
        browser.click(".path li:first-child a").await;
        browser
            .wait_for(&format!(
                "document.querySelector('.stops th a').textContent === {first}"
            ))
            .await;
        browser.check_width().await;
        browser.check_console().await;
        browser.click(".stops td a").await;
        browser
            .wait_for("location.pathname.startsWith('/games/')")
            .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_statistics_are_accessible() {
    let server = server_with_games().await;
    let Some(browser) = Browser::start().await else {
        return;
    };
    let Some(axe) = axe() else { return };
    for width in [1200, 390] {
        browser.resize(width).await;
        for path in [
            "/stats",
            "/stats/openings?path=iron",
            "/stats/lengths",
            "/stats/personages/final",
            "/stats/cards?board=duellum-rome-carthage",
            "/docs",
            "/docs/tables",
            "/docs/quickstarts/python",
            "/docs/rules-antike",
            "/docs/api",
            "/docs/api/games",
            "/docs/api/schemas/NewGame",
        ] {
            browser.open(&format!("{}{path}", address(&server))).await;
            browser.check_access(&axe).await;
            browser.check_width().await;
        }
        browser.check_console().await;
    }
}
