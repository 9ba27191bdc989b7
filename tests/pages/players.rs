//! The pages of players: over HTTP, and in a headless browser.

use bots::{Spec, play_with};
use engine::content::Library;
use engine::setup::{Player, Setup, SetupSeat};
use records::Record;
use serde_json::{Value, json};

use super::browser::{Browser, axe};
use super::{HTML, address, attributes, page};
use crate::http::support::{TestServer, array};

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
    let played_at = format!("2026-01-{:02}T20:00:00Z", 1 + number);
    let record = play_with(Library::embedded(), &setup, &bots, &id, &played_at);
    Record {
        rated: true,
        ..record.expect("a game")
    }
}

/// Registers people with accounts who play rated games, and waits until they are rated.
pub async fn people_play(server: &TestServer) {
    let mut ids = Vec::new();
    for (handle, _) in PEOPLE {
        let account = server
            .post("/v1/players", "", json!({"handle": handle}))
            .await;
        let id = account.ok(201)["player"]["id"].clone();
        ids.push(id.as_str().expect("an id").to_owned());
    }
    for number in 0..MEETINGS {
        let record = record_of_people(&ids, number);
        server.imports().import(&record).expect("a game to import");
    }
    let rated = |page: &Value| {
        let all = page["items"].as_array().expect("ratings");
        all.len() == PEOPLE.len() && all.iter().all(|rating| rating["games"] == json!(MEETINGS))
    };
    server.wait_for("/v1/ratings", rated).await;
    let counted = |body: &Value| body["games"].as_u64() >= Some(u64::from(MEETINGS));
    server
        .wait_for("/v1/stats/lengths?reason=any", counted)
        .await;
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
