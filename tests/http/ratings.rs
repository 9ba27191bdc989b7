//! Ratings: which games count, that each counts once, and that every way to compute them agrees.

use std::sync::Arc;

use analytics::GameFacts;
use analytics::facts::Rater;
use analytics::ratings::algorithm::ALGORITHM;
use api::db::Store;
use api::db::projections::{BatchOutcome, Projection, rebuild};
use api::ratings::model::RatingKind;
use api::services::Services;
use bots::{Spec, play_with};
use engine::content::Library;
use engine::setup::{Player, PlayerKind, Setup, SetupSeat};
use records::Record;
use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::register;
use super::leagues::{full_league, league, result};
use super::program::{done, failed, tabularium};
use super::support::{
    Database, TestServer, adjudication, array, assert_contains, eventually, send, text,
};

const BOARD: &str = "antike-east";

/// A player who plays as `greedy` in this many of 100 games, and otherwise as `random`.
pub type Strength<'a> = (&'a str, u32);

/// Accounts of another server, from the weakest to the strongest.
pub const LADDER: [Strength<'_>; 6] = [
    ("00000000-0000-7000-8000-000000000001", 0),
    ("00000000-0000-7000-8000-000000000002", 20),
    ("00000000-0000-7000-8000-000000000003", 40),
    ("00000000-0000-7000-8000-000000000004", 60),
    ("00000000-0000-7000-8000-000000000005", 80),
    ("00000000-0000-7000-8000-000000000006", 100),
];

/// Returns rated games of known strength, the same in every call except for their ids: four of the players each,
/// with bots in the other seats.
pub fn corpus(players: &[Strength<'_>], count: u64, rounds: u32) -> Vec<Record> {
    let game = |number: u64| {
        let mut chance = fastrand::Rng::with_seed(number);
        let mut players = players.to_vec();
        chance.shuffle(&mut players);
        players.truncate(4);
        let mut seats = Vec::new();
        let mut bots: Vec<Spec> = Vec::new();
        for (id, of_100) in players {
            let name = match chance.u32(0..100) < of_100 {
                true => "greedy",
                false => "random",
            };
            let id = id.to_owned();
            seats.push(Player::Person { id, name: None });
            bots.push(name.parse().unwrap());
        }
        for name in ["greedy", "random", "greedy"].iter().cycle() {
            if seats.len() == 4 {
                break;
            }
            let name = (*name).to_owned();
            bots.push(name.parse().unwrap());
            seats.push(Player::Bot { name });
        }
        let seat = |player| SetupSeat {
            nations: Vec::new(),
            player,
        };
        let setup = Setup {
            edition: "antike".to_owned(),
            board: BOARD.to_owned(),
            seats: seats.into_iter().map(seat).collect(),
            seed: format!("ratings {number}"),
            max_rounds: Some(rounds),
            ..Setup::default()
        };
        let id = uuid::Uuid::now_v7().to_string();
        let played_at = "2026-01-02T03:04:05Z";
        let record = play_with(Library::embedded(), &setup, &bots, &id, played_at);
        Record {
            rated: true,
            ..record.unwrap()
        }
    };
    (0..count).map(game).collect()
}

/// Opens the services of a database without a server.
pub fn open_services(url: &str) -> Services {
    let store = Arc::new(Store::open(&url.into()).unwrap());
    Services::open(store, Arc::new(Library::embedded().clone()), None)
}

/// The projection of ratings.
fn ratings(services: &Services) -> Box<dyn Projection> {
    let mut all = services.projections().into_iter();
    all.find(|one| one.name() == "ratings").unwrap()
}

/// Reads all ratings of a list, page by page.
async fn list(server: &TestServer, query: &str, limit: usize) -> Vec<Value> {
    let path = format!("/v1/ratings?limit={limit}{query}");
    server.items(&path).await
}

/// Reads all ratings and their histories.
async fn read_ratings(server: &TestServer) -> Vec<Value> {
    let mut ratings = Vec::new();
    for kind in ["account", "bot"] {
        for edition in ["", "&edition=antike", "&edition=antike_duellum"] {
            let query = format!("&provisional=true&kind={kind}{edition}");
            for rating in list(server, &query, 100).await {
                let player = text(&rating["player"]);
                let history = format!("/v1/players/{player}/ratings/history?limit=1000{edition}");
                ratings.push(rating);
                ratings.push(server.read(&history).await);
            }
        }
    }
    ratings
}

/// Waits until this number of games of all players of a kind together count.
pub async fn counted(server: &TestServer, kind: &str, games: u64) {
    let path = format!("/v1/ratings?provisional=true&limit=1000&kind={kind}");
    let sum = |page: &Value| {
        let items = array(&page["items"]);
        let games = items.iter().map(|rating| rating["games"].as_u64().unwrap());
        games.sum::<u64>()
    };
    let page = server.wait_for(&path, |page| sum(page) >= games).await;
    assert_eq!(sum(&page), games, "none counts twice");
}

/// Plays a game of two accounts that the second loses by resigning.
async fn play_and_resign(server: &TestServer, tokens: [&str; 2], handles: [&str; 2], more: &Value) {
    let path = started(server, tokens, handles, more).await;
    let resign = json!({"type": "resign"});
    let actions = format!("{path}/actions");
    server.create(&actions, tokens[1], resign).await;
}

pub async fn started(
    server: &TestServer,
    tokens: [&str; 2],
    handles: [&str; 2],
    more: &Value,
) -> String {
    let seats = handles.map(|handle| json!({"player": {"id": handle}}));
    let mut new = json!({"edition": "antike_duellum", "board": "duellum-rome-carthage",
        "first": 0, "seats": seats, "max_rounds": 20});
    for (name, value) in more.as_object().unwrap() {
        new[name] = value.clone();
    }
    let (path, _) = server.create_game(tokens[0], new).await;
    let seat = format!("{path}/seats/1");
    server.create(&seat, tokens[1], json!({})).await;
    path
}

#[tokio::test]
async fn only_games_that_count_are_rated() {
    let server = TestServer::start();
    let (dido, didos) = register(&server, "dido").await;
    let (hanno, hannos) = register(&server, "hanno").await;
    let (tokens, handles) = ([&*didos, &*hannos], ["dido", "hanno"]);
    let none = server.read("/v1/players/dido").await;
    assert_eq!(
        (&none["handle"], &none["ratings"]),
        (&json!("dido"), &json!([]))
    );
    play_and_resign(&server, tokens, handles, &json!({})).await;
    let decided = started(&server, tokens, handles, &json!({"rated": true})).await;
    let (_, magos) = register(&server, "mago").await;
    let hand_over = json!({"id": "mago"});
    let organizer = format!("{decided}/organizer");
    server.put(&organizer, &didos, hand_over).await.ok(200);
    server.adjudicate(&decided, &magos, &[2, 1]).await;
    let unlisted = json!({"rated": true, "visibility": "unlisted"});
    play_and_resign(&server, tokens, handles, &unlisted).await;
    play_and_resign(&server, tokens, handles, &json!({"rated": true})).await;
    counted(&server, "account", 4).await;

    // Computed by hand: see the unit tests of the arithmetic.
    let path = "/v1/players/dido/ratings/history?edition=antike_duellum";
    let picture = server.get_as(path, "image/svg+xml").await;
    assert_eq!(picture.status, 200, "{}", picture.text);
    assert_eq!(picture.header("content-type"), "image/svg+xml");
    assert_contains(&picture.text, "dido: 25.0 at rated game 0");
    let dark = format!("{path}&theme=dark");
    let dark = server.get_as(&dark, "image/svg+xml").await.text;
    assert!(dark.contains("dido: 25.0 at rated game 0"), "{dark}");
    assert!(dark.contains("#1d2329") && !picture.text.contains("#1d2329"));
    let unknown = "/v1/players/zeno/ratings/history";
    let unknown = server.get_as(unknown, "image/svg+xml").await;
    unknown.not_found();
    let history = server.read(path).await;
    let changes = array(&history["items"]);
    assert_eq!(changes.len(), 2);
    assert_eq!(
        changes[1]["before"],
        json!({"rating": 25.0, "uncertainty": 8.333333})
    );
    assert_eq!(
        changes[1]["after"],
        json!({"rating": 28.118567, "uncertainty": 7.728255})
    );
    assert_eq!(changes[0]["before"], changes[1]["after"]);
    assert_eq!(
        (&changes[0]["place"], &changes[0]["players"]),
        (&json!(1.0), &json!(2))
    );
    assert_eq!(
        changes[1]["game"],
        Value::Null,
        "the history shows the id of an unlisted game"
    );
    assert!(changes[0]["game"].is_string());
    let lost = server.read("/v1/players/hanno/ratings/history").await;
    assert_eq!(
        lost["items"][1]["after"],
        json!({"rating": 21.881433, "uncertainty": 7.728255})
    );
    let page = server.get("/v1/players/dido/ratings/history?limit=1").await;
    let next = text(&page.ok(200)["next"]);
    let page = format!("/v1/players/dido/ratings/history?limit=1&cursor={next}");
    assert_eq!(server.read(&page).await["items"][0], changes[1]);

    // Ratings in the game's own edition and in total, under the id, whatever the current handle is.
    let ratings = server.read(&format!("/v1/players/{dido}")).await["ratings"].take();
    assert_eq!(array(&ratings).len(), 2);
    assert_eq!(
        (&ratings[0]["edition"], &ratings[1]["edition"]),
        (&Value::Null, &json!("antike_duellum"))
    );
    assert_eq!(ratings[0]["rating"], changes[0]["after"]["rating"]);
    assert_eq!(ratings[0]["provisional"], true);
    assert!(
        list(&server, "", 50).await.is_empty(),
        "provisional ones are left out"
    );
    let listed = list(&server, "&provisional=true", 1).await;
    assert_eq!(listed, [ratings[0].clone(), listed[1].clone()]);
    assert_eq!(
        (&listed[1]["player"], &listed[1]["handle"]),
        (&json!(hanno), &json!("hanno"))
    );
    let deleted = send(server.with(Method::DELETE, "/v1/me", &hannos)).await;
    assert_eq!(deleted.status, 204, "{}", deleted.text);
    let after = list(&server, "&provisional=true", 50).await;
    assert_eq!(after[1]["rating"], listed[1]["rating"]);
    assert!(
        text(&after[1]["handle"]).starts_with("deleted-"),
        "{after:?}"
    );

    for (path, status, code) in [
        ("/v1/ratings?edition=chess", 422, "invalid_parameter"),
        ("/v1/ratings?cursor=1", 422, "invalid_parameter"),
        ("/v1/ratings?cursor=1.zz", 422, "invalid_parameter"),
        ("/v1/ratings?kind=guest", 422, "invalid_parameter"),
        (
            "/v1/players/dido/ratings/history?cursor=x",
            422,
            "invalid_parameter",
        ),
        ("/v1/players/unknown/ratings/history", 404, "not_found"),
    ] {
        server.get(path).await.problem(status, code);
    }
    // A bot without games is still a known bot.
    let none = server.read("/v1/players/random/ratings/history").await;
    assert_eq!(none, json!({"items": [], "next": null}));
}

#[tokio::test]
async fn an_absent_player_is_rated_and_the_replacing_bot_is_not() {
    let server = TestServer::start();
    let (_, didos) = register(&server, "dido").await;
    let (_, hannos) = register(&server, "hanno").await;
    let pace = json!({"rated": true, "max_rounds": 2,
        "pace": {"turn_seconds": 1, "then": "bot"}});
    let tokens = [&*didos, &*hannos];
    let path = started(&server, tokens, ["dido", "hanno"], &pace).await;
    // No player moves: bots replace both, one after the other, and play to the end.
    counted(&server, "account", 2).await;
    let game = server.read(&path).await;
    assert_eq!(game["result"]["reason"], "round_limit");
    for seat in 0..2 {
        assert_eq!(game["seats"][seat]["player"]["kind"], "bot", "{game}");
    }
    let mut places = Vec::new();
    for handle in ["dido", "hanno"] {
        let history = format!("/v1/players/{handle}/ratings/history");
        let history = server.read(&history).await;
        assert_eq!(array(&history["items"]).len(), 1, "{history}");
        places.push(history["items"][0]["place"].clone());
    }
    let ranks = array(&game["result"]["ranks"]);
    for rank in ranks {
        let seat = rank["seat"].as_u64().unwrap() as usize;
        assert_eq!(rank["rank"].as_f64(), places[seat].as_f64());
    }
    let bots = list(&server, "&provisional=true&kind=bot", 50).await;
    assert!(bots.is_empty(), "{bots:?}");
}

/// Waits until the ratings of a run after `run` are shown.
async fn wait_for_run(server: &TestServer, run: i64) {
    eventually("ratings are not computed again", async || {
        let end = server.games().store().ratings_end().unwrap();
        (end.shown > run && end.shown == end.run).then_some(())
    })
    .await;
}

#[tokio::test]
async fn over_the_board_results_are_rated_in_order_and_with_their_corrections() {
    let one = TestServer::start();
    let (path, members) = full_league(&one, 3, 1, json!({})).await;
    // The account that enters the results plays at no table.
    let clerk = second_organizer(&one, &path, &members[0].1).await;
    let organizer = &*clerk;
    let shown = || one.games().store().ratings_end().unwrap().shown;
    let enter = async |seats: &[(usize, u8)]| {
        let results = format!("{path}/results");
        let mut new = result(&members, seats);
        // Some results are entered again with the same ranks.
        new["again"] = json!(true);
        let entered = one.post(&results, organizer, new).await;
        entered.ok(201);
    };
    let correct = async |table: u32, correction: Value| {
        let run = shown();
        let corrections = format!("{path}/tables/{table}/corrections");
        one.create(&corrections, organizer, correction).await;
        wait_for_run(&one, run).await;
    };
    // A game on the server is rated between two results. Players without an account are not rated.
    enter(&[(0, 1), (1, 2), (3, 3)]).await;
    let tokens = [&*members[0].1, &*members[1].1];
    let rated = json!({"rated": true});
    play_and_resign(&one, tokens, ["player0", "player1"], &rated).await;
    enter(&[(2, 1), (1, 1), (0, 3)]).await;
    enter(&[(1, 1), (0, 2)]).await;
    counted(&one, "account", 2 + 2 + 3 + 2).await;
    let history = "/v1/players/player0/ratings/history";
    let changes = one.read(history).await["items"].take();
    let changes = array(&changes);
    let id = path.trim_start_matches("/v1/leagues/");
    let tables: Vec<&Value> = changes.iter().map(|change| &change["table"]).collect();
    assert_eq!(tables, [&json!(3), &json!(2), &Value::Null, &json!(1)]);
    for change in changes {
        let at_table = !change["table"].is_null();
        assert_eq!(change["game"].is_null(), at_table, "{change}");
        assert_eq!(change["league"] == id, at_table, "{change}");
    }
    // Computed by hand: see the unit tests of the arithmetic.
    assert_eq!(
        changes[3]["after"],
        json!({"rating": 28.118567, "uncertainty": 7.728255})
    );
    for two in changes.windows(2) {
        assert_eq!(two[0]["before"], two[1]["after"]);
    }
    let (mut paged, mut next) = (Vec::new(), String::new());
    while paged.len() < changes.len() {
        let page = one.read(&format!("{history}?limit=1{next}")).await;
        paged.push(page["items"][0].clone());
        next = format!("&cursor={}", page["next"].as_str().unwrap_or("none"));
    }
    assert_eq!(paged, *changes);
    let first = read_ratings(&one).await;
    let two = one.another();
    let same_everywhere = async || {
        let before = read_ratings(&one).await;
        assert_eq!(read_ratings(&two).await, before);
        rebuild(&mut *ratings(two.services())).unwrap();
        assert_eq!(read_ratings(&one).await, before);
    };
    same_everywhere().await;

    let decided = |ranks: [u8; 3]| json!({"type": "adjudicate", "ranks": ranks});
    correct(1, decided([2, 1, 3])).await;
    counted(&one, "account", 9).await;
    let other = one.read(history).await;
    assert_eq!(other["items"][3]["place"], 2.0);
    assert_ne!(read_ratings(&one).await, first);
    same_everywhere().await;
    correct(1, decided([1, 2, 3])).await;
    assert_eq!(
        read_ratings(&one).await,
        first,
        "the void result still counts"
    );
    correct(2, json!({"type": "void"})).await;
    counted(&one, "account", 6).await;
    let replaced = json!({"type": "replace", "seat": 0, "member": "player2"});
    correct(3, replaced).await;
    counted(&one, "account", 6).await;
    let last = one.get("/v1/players/player2/ratings/history").await;
    let last = last.ok(200)["items"].take();
    assert_eq!(array(&last).len(), 1);
    assert_eq!(
        (&last[0]["table"], &last[0]["place"]),
        (&json!(3), &json!(1.0))
    );
    same_everywhere().await;

    // A correction that changes no player, and results of a private league, change nothing.
    let run = shown();
    let same = json!({"type": "adjudicate", "ranks": [1, 2], "note": "so it was"});
    let corrections = format!("{path}/tables/3/corrections");
    one.create(&corrections, organizer, same).await;
    let private = league(&one, organizer, json!({"visibility": "private"})).await;
    for (member, token) in [0, 1]
        .into_iter()
        .flat_map(|member| [(member, organizer), (member, &*members[member].1)])
    {
        let body = json!({"id": members[member].0});
        let add = format!("{private}/members");
        one.create(&add, token, body).await;
    }
    let results = format!("{private}/results");
    let hidden = result(&members, &[(0, 1), (1, 2)]);
    one.create(&results, organizer, hidden).await;
    enter(&[(1, 1), (0, 2)]).await;
    counted(&one, "account", 8).await;
    assert_eq!(shown(), run);
    same_everywhere().await;
}

/// Registers an account `clerk` that organizes a league as well, and plays in none of its games.
async fn second_organizer(server: &TestServer, path: &str, organizer: &str) -> String {
    let (_, clerk) = register(server, "clerk").await;
    let organizers = format!("{path}/organizers");
    let added = server.post(&organizers, organizer, json!({"id": "clerk"}));
    added.await.ok(201);
    clerk
}

#[tokio::test]
async fn over_the_board_results_are_rated_if_a_non_player_enters_them_and_the_players_agreed() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 3, 0, json!({})).await;
    let player = &*members[0].1;
    let clerk = second_organizer(&server, &path, player).await;
    let results = format!("{path}/results");
    let enter = async |token: &str, seats: &[(usize, u8)]| {
        server
            .create(&results, token, result(&members, seats))
            .await;
    };
    let correct = async |table: u32, token: &str, correction: Value| {
        let corrections = format!("{path}/tables/{table}/corrections");
        server.post(&corrections, token, correction).await
    };
    let decided = |ranks: [u8; 2]| json!({"type": "adjudicate", "ranks": ranks});
    enter(player, &[(0, 1), (1, 2)]).await;
    enter(&clerk, &[(0, 2), (1, 1)]).await;
    counted(&server, "account", 2).await;
    let history = "/v1/players/player0/ratings/history";
    let page = server.read(history).await;
    assert_eq!(array(&page["items"]).len(), 1, "{page}");
    assert_eq!(page["items"][0]["table"], 2);
    // An organizer who played cannot remove a loss or enter a win. One who did not play can.
    for correction in [json!({"type": "void"}), decided([1, 2])] {
        correct(2, player, correction).await.forbidden();
    }
    correct(1, player, decided([1, 1])).await.ok(201);
    correct(1, &clerk, decided([1, 2])).await.ok(201);
    counted(&server, "account", 4).await;
    correct(1, player, decided([1, 1])).await.forbidden();
    // A player who has left agrees to no further results.
    let left = format!("{path}/members/player2");
    let left = server.with(Method::DELETE, &left, &members[2].1);
    assert_eq!(send(left).await.status, 200);
    enter(&clerk, &[(0, 2), (1, 3), (2, 1)]).await;
    counted(&server, "account", 6).await;
    let gone = server.get("/v1/players/player2/ratings/history").await;
    assert_eq!(gone.ok(200)["items"], json!([]));
}

#[tokio::test]
async fn an_organizer_who_plays_cannot_change_the_rating_of_a_game() {
    let server = TestServer::start();
    let (_, didos) = register(&server, "dido").await;
    let (_, hannos) = register(&server, "hanno").await;
    let (_, magos) = register(&server, "mago").await;
    let tokens = [&*didos, &*hannos];
    let path = started(&server, tokens, ["dido", "hanno"], &json!({"rated": true})).await;
    let seat = |number: u8| format!("{path}/seats/{number}");
    let end = format!("{path}/adjudication");
    let bot = json!({"player": {"bot": "random"}});
    let ranks = adjudication(&[2, 1]);
    server.put(&seat(1), &didos, bot.clone()).await.forbidden();
    server.post(&end, &didos, ranks.clone()).await.forbidden();
    // The organizer may replace its own player, but for ratings the seat stays the organizer's.
    let other = json!({"player": {"placeholder": "Anna"}});
    let replaced = server.put(&seat(0), &didos, other).await.ok(200);
    server.post(&end, &didos, ranks).await.forbidden();
    server.put(&seat(1), &didos, bot.clone()).await.forbidden();
    // The organizer of this game does not play in it.
    let organizer = format!("{path}/organizer");
    let hand_over = json!({"id": "mago"});
    server.put(&organizer, &didos, hand_over).await.ok(200);
    server.put(&seat(1), &magos, bot).await.ok(200);
    let resign = json!({"type": "resign"});
    let actions = format!("{path}/actions");
    let anna = text(&replaced["token"]);
    server.create(&actions, &anna, resign).await;
    counted(&server, "account", 2).await;
    for (handle, place) in [("dido", 2.0), ("hanno", 1.0)] {
        let history = format!("/v1/players/{handle}/ratings/history");
        let history = server.read(&history).await;
        assert_eq!(history["items"][0]["place"], place, "{handle}");
    }

    // The holder of a game's own organizer token may be any player of the game.
    let new = json!({"edition": "antike_duellum", "board": "duellum-rome-carthage", "rated": true,
        "seats": [{"player": {"placeholder": "Anna"}}, {"player": "open"}]});
    let (path, created) = server.create_game("", new).await;
    let claim = format!("{path}/seats/1");
    server.create(&claim, &hannos, json!({})).await;
    let token = text(&created["tokens"]["organizer"]);
    let end = format!("{path}/adjudication");
    let answer = server.post(&end, &token, adjudication(&[1, 2])).await;
    answer.forbidden();
}

#[tokio::test]
async fn a_substitute_is_not_rated() {
    let server = TestServer::start();
    let (_, didos) = register(&server, "dido").await;
    let (_, hannos) = register(&server, "hanno").await;
    let (_, magos) = register(&server, "mago").await;
    let (_, annas) = register(&server, "anna").await;
    let tokens = [&*didos, &*hannos];
    let path = started(&server, tokens, ["dido", "hanno"], &json!({"rated": true})).await;
    let seat = format!("{path}/seats/1");
    let substitute = json!({"player": {"id": "anna"}});
    let refused = server.put(&seat, &didos, substitute.clone()).await;
    refused.forbidden();
    let organizer = format!("{path}/organizer");
    server
        .put(&organizer, &didos, json!({"id": "mago"}))
        .await
        .ok(200);
    server.put(&seat, &magos, substitute).await.ok(200);
    server.create(&seat, &annas, json!({})).await;
    let actions = format!("{path}/actions");
    server
        .create(&actions, &annas, json!({"type": "resign"}))
        .await;
    // The game counts for the player who had the seat when it began.
    counted(&server, "account", 2).await;
    for (handle, places) in [("dido", &[1.0][..]), ("hanno", &[2.0]), ("anna", &[])] {
        let history = format!("/v1/players/{handle}/ratings/history");
        let history = server.read(&history).await;
        let items = array(&history["items"]).iter();
        let found: Vec<f64> = items.map(|item| item["place"].as_f64().unwrap()).collect();
        assert_eq!(found, places, "{handle}");
    }
}

/// Checks that the facts of these records have the ratings before and after each game that the server shows.
async fn facts_have_the_ratings_of(server: &TestServer, records: &[Record]) {
    let derive = |record| GameFacts::derive(record, Library::embedded()).unwrap();
    let mut games: Vec<GameFacts> = records.iter().map(derive).collect();
    Rater::default().rate(&mut games);
    let rows: Vec<_> = games.iter().flat_map(|game| &game.ratings).collect();
    for player in LADDER.iter().map(|(id, _)| *id).chain(["greedy", "random"]) {
        let own = rows.iter().filter(|row| &*row.player == player);
        let in_facts: Vec<Value> = own
            .map(|row| json!([row.rank, row.rating, row.uncertainty, row.rating_after]))
            .collect();
        let path = format!("/v1/players/{player}/ratings/history?limit=1000&edition=antike");
        let history = server.read(&path).await;
        let shown: Vec<Value> = (array(&history["items"]).iter().rev())
            .map(|item| {
                let (before, after) = (&item["before"], &item["after"]);
                json!([
                    item["place"],
                    before["rating"],
                    before["uncertainty"],
                    after["rating"]
                ])
            })
            .collect();
        assert_eq!(in_facts, shown, "{player}");
        assert!(!shown.is_empty(), "{player} is not rated");
    }
}

#[tokio::test]
async fn restarts_at_every_step_give_the_same_ratings() {
    let mut server = TestServer::start();
    let two = [LADDER[1], LADDER[4]];
    // Accounts are compared with accounts, and bots with bots, also in games that have both.
    let records = [corpus(&LADDER, 9, 3), corpus(&two, 4, 3)].concat();
    for record in &records {
        server.imports().import(record).unwrap();
    }
    counted(&server, "account", 4 * 9 + 2 * 4).await;
    counted(&server, "bot", 2 * 4).await;
    facts_have_the_ratings_of(&server, &records).await;
    let once = read_ratings(&server).await;
    server.stop();
    let url = server.database.url();
    let open = || open_services(&url);
    for together in [1, 2, 5] {
        // The run must replace these wrong rows.
        server
            .database
            .execute("UPDATE ratings SET rating = rating + 1, games = games + 1");
        let services = open();
        let store = services.games.store();
        let end = store.ratings_end().unwrap();
        assert!(store.begin_ratings(end, ALGORITHM).unwrap());
        assert!(
            !store.begin_ratings(end, ALGORITHM).unwrap(),
            "a second run began from the same end"
        );
        drop(services);
        // The program ends after every step.
        while open().ratings.rate(together).unwrap() == BatchOutcome::More {}
        server = server.restart();
        assert_eq!(
            read_ratings(&server).await,
            once,
            "{together} games together"
        );
        server.stop();
    }
}

#[tokio::test]
async fn two_nodes_count_each_game_once_and_agree() {
    let one = TestServer::start();
    let mut two = one.another();
    let records = corpus(&LADDER, 16, 2);
    std::thread::scope(|scope| {
        let nodes = [one.services(), two.services()];
        for (node, part) in nodes.into_iter().zip(records.chunks(8)) {
            scope.spawn(move || {
                for record in part {
                    node.imports.import(record).unwrap();
                    node.ratings.rate(1).unwrap();
                }
            });
        }
    });
    counted(&one, "account", 4 * 16).await;
    let at_one = read_ratings(&one).await;
    assert_eq!(read_ratings(&two).await, at_one);
    // Ratings of an older algorithm are computed again, and shown when that is complete.
    let before = one.games().store().ratings_end().unwrap();
    one.database.execute(
        "UPDATE ratings SET rating = rating + 1, games = games + 1; \
         UPDATE projections SET version = 0 WHERE name = 'ratings'",
    );
    wait_for_run(&one, before.shown).await;
    assert_eq!(read_ratings(&one).await, at_one);
    two.stop();
    // The program does the same beside a service.
    one.database
        .execute("UPDATE ratings SET rating = rating + 1");
    let folder = tempfile::tempdir().unwrap();
    let url = one.database.url();
    let output = done(&tabularium(
        folder.path(),
        &["rebuild", "ratings", "--database", &url],
    ));
    assert!(output.starts_with("ratings: rebuilt in "), "{output}");
    assert_eq!(read_ratings(&one).await, at_one);
    // A new game is one more step, in the same run.
    let end = one.games().store().ratings_end().unwrap();
    let more = corpus(&LADDER[..4], 1, 2);
    one.imports().import(&more[0]).unwrap();
    counted(&one, "account", 4 * 17).await;
    let after = one.games().store().ratings_end().unwrap();
    assert_eq!((after.run, after.shown), (end.run, end.shown));
    assert!(after.position > end.position);
    let last = &LADDER[5].0;
    let of_last = |all: &[Value]| all.iter().find(|rating| rating["player"] == *last).cloned();
    assert_eq!(
        of_last(&read_ratings(&one).await),
        of_last(&at_one),
        "who did not play stays"
    );
    // Ratings of a later version of the program stay unchanged.
    one.database
        .execute("UPDATE projections SET version = version + 1 WHERE name = 'ratings'");
    rebuild(&mut *ratings(one.services())).unwrap_err();
    assert_eq!(one.services().ratings.rate(1).unwrap(), BatchOutcome::All);
}

/// The number of games behind the figures of the documentation.
const LADDER_GAMES: u64 = 200;

#[test]
fn ratings_find_the_stronger_players_and_forecast_better_than_even_odds() {
    // Without a service, which would apply the games too.
    let database = Database::fresh();
    let Services {
        imports, ratings, ..
    } = open_services(&database.url());
    let begun = std::time::Instant::now();
    for record in corpus(&LADDER, LADDER_GAMES, 8) {
        imports.import(&record).unwrap();
    }
    let made = begun.elapsed();
    while ratings.rate(64).unwrap() == BatchOutcome::More {}
    eprintln!(
        "{made:?} to make games, {:?} to rate them",
        begun.elapsed() - made
    );
    let found = ratings.list(RatingKind::Account, Some("antike"), false, None, 100);
    let found = found.unwrap().items;
    for rating in &found {
        let of_100 = LADDER
            .iter()
            .find(|(id, _)| *id == rating.player)
            .unwrap()
            .1;
        let of_player = (rating.rating, rating.uncertainty, rating.games);
        eprintln!("{of_100}% greedy: {of_player:?}");
    }
    let places: Vec<&str> = found.iter().map(|rating| &*rating.player).collect();
    assert_eq!(
        (places.first(), places.last()),
        (Some(&LADDER[5].0), Some(&LADDER[0].0))
    );
    assert_eq!(places.len(), LADDER.len());
    let (comparison, forecast) = ratings.forecast(PlayerKind::Account).unwrap();
    assert_eq!(forecast as u64, LADDER_GAMES);
    let [ratings, elo, _] = comparison.methods().map(|(name, forecasts)| {
        assert_eq!(forecasts.count() as u64, 6 * LADDER_GAMES / 2, "{name}");
        let (loss, slope) = (forecasts.loss().unwrap(), forecasts.slope().unwrap());
        eprintln!("{name}: loss {loss:.4}, slope {slope:.2}");
        assert!(loss < 0.95 * 2.0_f64.ln(), "{name}: {loss}");
        assert!((0.5..2.0).contains(&slope), "{name}: {slope}");
        (loss, slope)
    });
    assert!(ratings.0 < elo.0 + 0.01, "{ratings:?} {elo:?}");
    let folder = tempfile::tempdir().unwrap();
    let url = database.url();
    let output = tabularium(folder.path(), &["ratings", "forecast", "--database", &url]);
    done(&output);
    let printed = String::from_utf8(output.stdout).unwrap();
    let (loss, slope) = ratings;
    let line =
        format!("account  {LADDER_GAMES}     600      ratings        {loss:.4}  {slope:.2}\n");
    assert!(printed.contains(&line), "{printed}");
    assert!(printed.contains("bot      0       0        ratings        -       -\n"));
}

#[test]
fn simulated_games_are_forecast_without_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| {
        let line = format!("ratings forecast {line}");
        tabularium(folder.path(), &Vec::from_iter(line.split(' ')))
    };
    let printed = |line: &str| {
        let output = run(line);
        done(&output);
        String::from_utf8(output.stdout).unwrap()
    };
    let short = "--simulate 6 --games 20 --groups 2";
    let once = printed(short);
    assert_eq!(once.lines().count(), 1 + 6 * 4, "{once}");
    assert_contains(
        &once,
        "table  pairs    forecast       loss    slope   within",
    );
    // Two groups, half of the games, and fifteen pairs in a game of six.
    assert_contains(&once, "6      300      plackett-luce");
    assert_eq!(printed(short), once);
    assert_ne!(printed(&format!("{short} --seed other")), once);
    // Without differences in strength, forecasts are no better than chance.
    let even = printed(&format!("{short} --spread 0"));
    assert_contains(&even, "4      120      truth          0.6931  -       -");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    for (line, message) in [
        ("--simulate 5", "5 is not in 6..=1000"),
        ("--simulate 6 --games 1", "1 is not in 2..=10000"),
        ("--simulate 6 --spread NaN", "expected a number from 0 to 5"),
        ("--games 20", "--simulate <PLAYERS>"),
    ] {
        assert_contains(&failed(&run(line), 2), message);
    }
}
