//! The pages of players: over HTTP, and in a headless browser.

use bots::{Spec, play_with};
use engine::content::Library;
use engine::setup::{Player, Setup, SetupSeat};
use records::Record;
use reqwest::Method;
use serde_json::{Value, json};

use super::browser::{Browser, axe};
use super::{HTML, address, attributes, page};
use crate::http::support::{TestServer, array, send};

/// The number of games that people play.
pub const MEETINGS: u32 = 14;

/// The players. Each plays as `greedy` in this many of 100 games, and otherwise as `random`.
const PEOPLE: [(&str, u32); 4] = [("dido", 90), ("hanno", 60), ("sophonisba", 30), ("mago", 0)];

/// Returns the record of a rated game of these four players.
fn record_of_people(ids: &[String], number: u32) -> Record {
    let mut chance = fastrand::Rng::with_seed(u64::from(number));
    let mut people: Vec<(&String, u32)> =
        ids.iter().zip(PEOPLE.map(|(_, of_100)| of_100)).collect();
    chance.shuffle(&mut people);
    let bots = people
        .iter()
        .map(|(_, of_100)| match chance.u32(0..100) < *of_100 {
            true => "greedy",
            false => "random",
        });
    let bots: Vec<Spec> = bots.map(|name| name.parse().expect("a bot")).collect();
    let seats = people.into_iter().map(|(id, _)| SetupSeat {
        nations: Vec::new(),
        player: Player::Person {
            id: id.clone(),
            name: None,
        },
    });
    let setup = Setup {
        edition: "antike".to_owned(),
        board: "antike-east".to_owned(),
        seats: seats.collect(),
        seed: format!("people {number}"),
        max_rounds: Some(60),
        ..Setup::default()
    };
    let id = format!("01900000-0000-7000-8001-{number:012x}");
    let played_at = format!("2026-01-{:02}T20:00:00Z", 1 + number % 28);
    let record = play_with(Library::embedded(), &setup, &bots, &id, &played_at);
    Record {
        rated: true,
        ..record.expect("a game")
    }
}

/// Registers people with accounts who play rated games, and waits until they are rated. Returns their tokens.
pub async fn people_play(server: &TestServer) -> Vec<String> {
    people_play_games(server, MEETINGS).await
}

async fn people_play_games(server: &TestServer, games: u32) -> Vec<String> {
    let (mut ids, mut tokens) = (Vec::new(), Vec::new());
    for (handle, _) in PEOPLE {
        let account = server
            .post("/v1/players", "", json!({"handle": handle}))
            .await;
        let account = account.ok(201);
        ids.push(account["player"]["id"].as_str().expect("an id").to_owned());
        tokens.push(account["token"].as_str().expect("a token").to_owned());
    }
    for number in 0..games {
        let record = record_of_people(&ids, number);
        server.imports().import(&record).expect("a game to import");
    }
    let rated = |page: &Value| {
        let all = page["items"].as_array().expect("ratings");
        all.len() == PEOPLE.len() && all.iter().all(|rating| rating["games"] == json!(games))
    };
    server.wait_for("/v1/ratings", rated).await;
    let counted = |body: &Value| body["games"].as_u64() >= Some(u64::from(games));
    server
        .wait_for("/v1/stats/lengths?reason=any", counted)
        .await;
    tokens
}

#[tokio::test]
async fn players_are_compared_with_others_unless_they_hide_it() {
    let server = TestServer::start();
    let tokens = people_play_games(&server, 100).await;
    let (dido, mago) = ("/v1/players/dido/strengths", "/v1/players/mago/strengths");
    let strengths = server.read(dido).await;
    let id = strengths["player"].as_str().expect("an id");
    let table = async |query: &str| server.read(&format!("/v1/stats/nations{query}")).await;
    let (own, all) = (table(&format!("?player={id}")).await, table("").await);
    let number = |row: &Value, name: &str| row[name].as_f64().expect("a number");
    let rows = array(&strengths["items"]);
    let mut nations = 0;
    for row in rows.iter().filter(|row| row["by"] == "nation") {
        let find = |table: &Value| {
            let mut rows = array(&table["rows"]).iter();
            rows.find(|other| other["nation"] == row["level"]).cloned()
        };
        let (own, all) = (find(&own).expect("a row"), find(&all).expect("a row"));
        let (games, wins) = (
            number(&all, "nation_games") - number(&own, "nation_games"),
            number(&all, "wins") - number(&own, "wins"),
        );
        assert_eq!(number(row, "rate"), number(&own, "rate"));
        let close = |name: &str, value: f64| (number(row, name) - value).abs() < 1e-9;
        assert!(close("others_rate", wins / games), "{row}");
        assert!(
            close("difference", number(&own, "rate") - wins / games),
            "{row}"
        );
        nations += 1;
    }
    assert_eq!(nations, 4);
    // Dido plays better than Mago, so she has personages sooner.
    let early = |rows: &Value| {
        let mut rows = array(&rows["items"]).iter();
        let early = rows.find(|row| row["level"] == "2 personages by round 8");
        number(early.expect("a row"), "difference")
    };
    assert!(early(&strengths) > 0.0 && early(&server.read(mago).await) < 0.0);
    let title = "Compared with others";
    let shown = page(&server, "/players/dido").await.text;
    assert!(
        shown.contains(title) && shown.contains("personages by round"),
        "{shown}"
    );

    let hidden = server
        .request(Method::PATCH, "/v1/me")
        .bearer_auth(&tokens[0])
        .json(&json!({"hides_strengths": true}));
    assert_eq!(
        send(hidden).await.ok(200)["player"]["hides_strengths"],
        true
    );
    server.get(dido).await.not_found();
    let own = server.request(Method::GET, dido).bearer_auth(&tokens[0]);
    assert_eq!(send(own).await.ok(200)["items"], strengths["items"]);
    let other = server.request(Method::GET, dido).bearer_auth(&tokens[1]);
    send(other).await.not_found();
    let shown = page(&server, "/players/dido").await.text;
    assert!(!shown.contains(title), "{shown}");
    assert!(page(&server, "/players/mago").await.text.contains(title));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_of_players_agree_with_the_api() {
    let server = TestServer::start();
    let empty = page(&server, "/players").await.text;
    assert!(empty.contains("No rated game has ended yet."), "{empty}");
    people_play(&server).await;
    let list = page(&server, "/players").await.text;
    let ratings = server.read("/v1/ratings").await;
    let mut behind = 0;
    for rating in array(&ratings["items"]) {
        let (id, handle) = (
            rating["player"].as_str().unwrap(),
            rating["handle"].as_str().unwrap(),
        );
        let link = format!("<a href=\"/players/{id}\">{handle}</a>");
        let place = list.find(&link).unwrap_or_else(|| panic!("{link}: {list}"));
        assert!(place > behind, "in the order of the API");
        behind = place;
    }
    let found = page(&server, "/players?name=so").await.text;
    assert!(
        found.contains(">sophonisba</a>") && !found.contains(">dido</a>"),
        "{found}"
    );
    let none = page(&server, "/players?name=zeno").await.text;
    assert!(none.contains("No player with this name."), "{none}");
    for (path, status) in [
        ("/players?edition=moon", 422),
        ("/players?cursor=moon", 422),
        ("/players?odd=1", 422),
        ("/players/zeno", 404),
        ("/players/dido?edition=moon", 422),
    ] {
        let answer = server.get_as(path, HTML).await;
        assert_eq!(answer.status, status, "{path}: {}", answer.text);
    }

    let shown = page(&server, "/players/dido").await.text;
    let dido = server.read("/v1/players/dido").await;
    let id = dido["id"].as_str().unwrap();
    for rating in array(&dido["ratings"]) {
        let number = rating["rating"].as_f64().unwrap();
        assert!(
            shown.contains(&format!("<b>{number:.1}</b>")),
            "{rating}: {shown}"
        );
    }
    let changes = server.read("/v1/players/dido/ratings/history").await;
    let last = changes["items"][0]["after"]["rating"].as_f64().unwrap();
    let title = format!("rated game 0, {last:.1} at rated game {MEETINGS}");
    assert!(shown.contains(&title), "{title}: {shown}");
    let met = server
        .read(&format!("/v1/stats/head-to-head?player={id}"))
        .await;
    let rows = array(&met["rows"]);
    assert_eq!(rows.len(), PEOPLE.len() - 1, "{met}");
    for row in rows {
        let link = format!("href=\"/players/{}\"", row["opponent"].as_str().unwrap());
        assert!(shown.contains(&link), "{link}: {shown}");
    }
    let one = page(&server, "/players/dido?edition=antike").await.text;
    assert!(one.contains("Rating of dido, Antike"), "{one}");
    let other = page(&server, "/players/dido?edition=antike_duellum")
        .await
        .text;
    assert!(
        other.contains("No rated game of this player has ended yet."),
        "{other}"
    );
    // Every link leads to a page.
    let links = attributes(&shown, "href").into_iter();
    let own = links.filter(|link| link.starts_with("/players/") || link.starts_with("/stats/"));
    for link in own.map(|link| link.replace("&amp;", "&")) {
        assert_eq!(server.get_as(&link, HTML).await.status, 200, "{link}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_players_are_accessible() {
    let server = TestServer::start();
    people_play(&server).await;
    let Some(browser) = Browser::start().await else {
        return;
    };
    let Some(axe) = axe() else { return };
    for width in [1200, 390] {
        browser.resize(width).await;
        for path in ["/players", "/players?name=d", "/players/dido"] {
            browser.open(&format!("{}{path}", address(&server))).await;
            browser.check_access(&axe).await;
            browser.check_width().await;
        }
        browser.check_console().await;
    }
}
