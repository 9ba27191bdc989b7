//! Bars of a large database, which is made by copying rows.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Client, Database, Program, Times, program, text, wait_until};
use crate::{Row, copies, number};

/// Measures starts with some ten thousand games that have no facts yet.
pub async fn measure_start(seed: u64) -> Vec<Row> {
    let games = number("BARS_WHOLE_GAMES", 20_000);
    let database = Database::sqlite();
    database.import(games, 200, seed);
    let begun = Instant::now();
    let server = Program::serve(&database);
    let client = server.client();
    let ready = wait_until(async || client.is_ready().await).await;
    ready.expect("the service never was ready");
    let ready = begun.elapsed().as_secs_f64();
    let complete = whole(&client, games as u64, begun).await;
    let of = format!("start with {games} whole games");
    vec![
        Row::new(format!("{of}: ready"), 2.0, ready, "s"),
        Row::without_bar(
            format!("{of}: statistics whole, all facts rebuilt"),
            complete,
            "s",
        ),
        Row::without_bar(format!("{of}: resident"), server.resident() as f64, "MiB"),
    ]
}

/// Returns the seconds from the start until all games count, at most ten minutes.
pub async fn whole(client: &Client, games: u64, begun: Instant) -> f64 {
    while begun.elapsed() < Duration::from_secs(600) {
        let answer = client.try_get("/v1/stats/nations?reason=any").await;
        if answer.is_ok_and(|answer| answer.status == 200 && answer.json()["games"] == games) {
            return begun.elapsed().as_secs_f64();
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    f64::INFINITY
}

/// Kinds of games: edition, board, seats.
const GAMES: [(&str, &str, usize); 3] = [
    ("antike", "antike-east", 4),
    ("antike_ii", "antike-ii-orient", 3),
    ("antike_duellum", "duellum-rome-carthage", 2),
];

/// The number of games that are copied.
const ORIGINALS: usize = 1000;

/// The number of accounts that play the games.
const PEOPLE: usize = 400;

/// Creates short games of people: most are over, some are running, open or cancelled.
async fn create_originals(database: &Database) {
    let mut server = Program::serve(database);
    let client = server.client();
    let mut people = Vec::with_capacity(PEOPLE);
    for number in 0..PEOPLE {
        let new = json!({"handle": format!("person-{number}")});
        let made = client.post("/v1/players", "", &new).await.ok(201);
        people.push(text(&made["token"]));
    }
    for number in 0..ORIGINALS {
        let (edition, board, seats) = GAMES[number % GAMES.len()];
        let seats = vec![json!({"player": "open"}); seats];
        let mut game = json!({"edition": edition, "board": board, "seats": seats});
        if !number.is_multiple_of(3) {
            game["league"] = json!(format!("league-{}", number % 20));
        }
        let (path, created) = client.create(&game).await;
        let organizer = text(&created["tokens"]["organizer"]);
        let first = usize::from(number % 50 == 1);
        for seat in first..seats.len() {
            let token = &people[(number * 7 + seat * 13) % PEOPLE];
            let path = format!("{path}/seats/{seat}");
            client.post(&path, token, &json!({})).await.ok(201);
        }
        match number % 50 {
            0 => {}
            1 => {
                let abandon = client
                    .request(reqwest::Method::DELETE, &path)
                    .bearer_auth(organizer);
                if number % 100 == 1 {
                    client.send(abandon).await.expect("an answer");
                }
            }
            _ => {
                let ranks = (0..seats.len()).map(|seat| json!({"seat": seat, "rank": seat + 1}));
                let ranks: Vec<Value> = ranks.collect();
                let path = format!("{path}/adjudication");
                client
                    .post(&path, &organizer, &json!({"ranks": ranks}))
                    .await
                    .ok(201);
            }
        }
    }
    // The rows by which lists find games are copied too.
    let all = "SELECT max(finished_position) AS n FROM games";
    let all = copies::number(&database.file(), all);
    let written = "SELECT position AS n FROM projections WHERE name = 'lists'";
    while copies::number(&database.file(), written) < all {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let (status, _) = server.terminate().expect("it ends when asked");
    assert!(status.success(), "SIGTERM: {status}");
}

/// Returns the large database. A folder can keep it for the next run.
async fn prepare(games: usize) -> Database {
    let database = match std::env::var_os("BARS_FOLDER") {
        Some(folder) => Database::Permanent(folder.into()),
        None => Database::sqlite(),
    };
    if !database.file().exists() {
        std::fs::create_dir_all(database.folder()).expect("a folder");
        create_originals(&database).await;
        std::fs::remove_dir_all(database.facts()).expect("facts");
        copies::multiply(&database.file(), games / ORIGINALS);
        make_facts(&database, "make", count_finished(&database));
    }
    database
}

/// Makes facts of so many games as `examples/many_games` does, which stand for those of all games of the database.
fn make_facts(database: &Database, kind: &str, games: u64) {
    let file = database.file();
    let reached = "SELECT max(finished_position) AS n FROM games";
    let reached = copies::number(&file, reached);
    let last = format!("SELECT id AS text FROM games WHERE finished_position = {reached}");
    let status = Command::new(program().with_file_name("examples/many_games"))
        .args([kind, &database.facts().display().to_string()])
        .args([&games.to_string(), "8"])
        .arg(format!("{reached}:{}", copies::text(&file, &last)))
        .status();
    assert!(status.expect("it is built").success(), "many_games");
}

/// Returns the number of finished games.
fn count_finished(database: &Database) -> u64 {
    let count = "SELECT count(*) AS n FROM games WHERE status = 'finished'";
    copies::number(&database.file(), count) as u64
}

/// Measures lists with every filter, and starts and statistics.
pub async fn measure_large() -> Vec<Row> {
    let games = number("BARS_GAMES", 1_000_000);
    let of = format!("{games} games");
    let begun = Instant::now();
    let database = prepare(games).await;
    println!("(made in {:.0} s)", begun.elapsed().as_secs_f64());
    let begun = Instant::now();
    let server = Program::serve(&database);
    let client = server.client();
    wait_until(async || client.is_ready().await)
        .await
        .expect("the service never was ready");
    let ready = begun.elapsed().as_secs_f64();
    let mut rows = vec![Row::new(format!("{of}: ready"), 2.0, ready, "s")];
    rows.push(Row::new(
        format!("{of}: statistics whole"),
        10.0,
        whole(&client, count_finished(&database), begun).await,
        "s",
    ));
    rows.extend(lists(&client, &of).await);
    rows.extend(measures(&client, &of).await);
    rows.push(Row::new(
        format!("{of}: resident"),
        600.0,
        server.resident() as f64,
        "MiB",
    ));
    rows
}

/// Measures the tables of leagues of 100 games, which all last the whole year.
pub async fn measure_leagues(seed: u64) -> Vec<Row> {
    let games = number("BARS_GAMES", 1_000_000);
    let leagues = games / 100;
    let of = format!("{games} games in {leagues} leagues");
    let database = Database::sqlite();
    database.import(1, 200, seed);
    make_facts(&database, "leagues", games as u64);
    let begun = Instant::now();
    let server = Program::serve(&database);
    let client = server.client();
    let whole = whole(&client, games as u64, begun).await;
    let mut rows = vec![Row::without_bar(
        format!("{of}: statistics whole"),
        whole,
        "s",
    )];
    for measure in ["nations", "seats", "openings", "income"] {
        let mut times = Vec::new();
        for number in 0..100 {
            // No league is asked twice for the same.
            let league = number * 7 % leagues;
            let begun = Instant::now();
            let answer = client
                .get(&format!(
                    "/v1/stats/{measure}?reason=any&league=league-{league}"
                ))
                .await
                .ok(200);
            times.push(begun.elapsed());
            assert_eq!(answer["games"], 100, "{measure}");
        }
        let times = Times::sorted(times);
        let what = format!("{of}: {measure} of a league, median");
        rows.push(Row::new(what, 100.0, times.quantile(0.5), "ms").with(times));
    }
    let resident = server.resident() as f64;
    rows.push(Row::new(format!("{of}: resident"), 800.0, resident, "MiB"));
    rows
}

/// Returns the first day of a month in the years of the copies.
fn month(number: usize) -> String {
    let month = number % 36;
    format!("20{}-{:02}-01", 24 + month / 12, 1 + month % 12)
}

/// Builds a query from a counter and the ids of the people.
type Query = fn(usize, &[String]) -> String;

/// The nations of several boards.
const NATIONS: [&str; 5] = ["greeks", "romans", "persians", "arabs", "carthaginians"];

const OPENINGS: [&str; 3] = ["growth", "military", "progress"];

/// Measures each filter of the list, alone and together, with values that many, some and no games have.
async fn lists(client: &Client, of: &str) -> Vec<Row> {
    let players = client
        .get("/v1/players?name=person-&limit=1000")
        .await
        .ok(200);
    let players = players["items"].as_array().expect("players").iter();
    let people: Vec<String> = players.map(|player| text(&player["id"])).collect();
    let filters: [(&str, Query); 33] = [
        ("none", |_, _| String::new()),
        ("edition", |n, _| format!("edition={}", GAMES[n % 3].0)),
        ("board", |n, _| format!("board={}", GAMES[n % 3].1)),
        ("a board without games", |_, _| {
            "board=antike-west".to_owned()
        }),
        ("status", |n, _| {
            format!(
                "status={}",
                ["finished", "running", "open", "abandoned"][n % 4]
            )
        }),
        ("player", |n, people| {
            format!("player={}", people[n % people.len()])
        }),
        ("unknown", |n, _| format!("player=unknown-{n}")),
        ("league", |n, _| format!("league=league-{}", n % 20)),
        ("no league", |n, _| format!("league=none-{n}")),
        ("since", |n, _| format!("since={}", month(n))),
        ("until", |n, _| format!("until={}", month(n))),
        ("since and until", |n, _| {
            format!("since={}&until={}", month(n), month(n + 1))
        }),
        ("edition, status, league", |n, _| {
            format!(
                "edition={}&status=running&league=league-{}",
                GAMES[n % 3].0,
                n % 20
            )
        }),
        ("player, status, board", |n, people| {
            format!(
                "player={}&status=open&board={}",
                people[n % people.len()],
                GAMES[n % 3].1
            )
        }),
        ("ended", |_, _| "sort=updated".to_owned()),
        ("length", |_, _| "sort=length".to_owned()),
        ("edition, ended", |n, _| {
            format!("edition={}&sort=updated", GAMES[n % 3].0)
        }),
        ("board, length", |n, _| {
            format!("board={}&sort=length", GAMES[n % 3].1)
        }),
        ("league, length", |n, _| {
            format!("league=league-{}&sort=length", n % 20)
        }),
        ("player, ended", |n, people| {
            format!("player={}&sort=updated", people[n % people.len()])
        }),
        ("bot, length", |_, _| "player=greedy&sort=length".to_owned()),
        ("winner", |n, people| {
            format!("winner={}", people[n % people.len()])
        }),
        ("nation", |n, _| format!("nation={}", NATIONS[n % 5])),
        ("nation, ended", |n, _| {
            format!("nation={}&sort=updated", NATIONS[n % 5])
        }),
        ("winning nation, length", |n, _| {
            format!("winning_nation={}&sort=length", NATIONS[n % 5])
        }),
        ("opening", |n, _| format!("opening={}", OPENINGS[n % 3])),
        ("nation and opening, length", |n, _| {
            let (nation, opening) = (NATIONS[n % 5], OPENINGS[n % 3]);
            format!("nation={nation}&opening={opening}&sort=length")
        }),
        ("reason, ended", |n, _| {
            format!("reason={}&sort=updated", ["goal", "round_limit"][n % 2])
        }),
        ("rounds", |n, _| format!("min_rounds={}", n % 60)),
        ("few rounds, length", |n, _| {
            format!("max_rounds={}&sort=length", n % 10)
        }),
        ("nation, edition that has none", |_, _| {
            "nation=greeks&edition=antike_duellum".to_owned()
        }),
        ("player, winning nation, reason, ended", |n, people| {
            let (player, nation) = (&people[n % people.len()], NATIONS[n % 5]);
            format!("player={player}&winning_nation={nation}&reason=goal&sort=updated")
        }),
        ("two nations, opening, board, ended", |n, _| {
            let (nation, board) = (NATIONS[n % 5], GAMES[n % 3].1);
            format!(
                "nation={nation}&opening=military&winning_nation=romans&board={board}&sort=updated"
            )
        }),
    ];
    let mut rows = Vec::new();
    for (what, filter) in filters {
        for (form, path) in [
            ("list", "/v1/games?limit=50&"),
            ("count", "/v1/games/count?"),
        ] {
            let mut times = Vec::new();
            let began = Instant::now();
            for number in 0..200 {
                let begun = Instant::now();
                let path = format!("{path}{}", filter(number, &people));
                let answer = client.get(path.trim_end_matches(['&', '?'])).await;
                // A filter with an unknown name is refused.
                assert!([200, 422].contains(&answer.status), "{path}");
                times.push(begun.elapsed());
                // A filter without an index counts fewer games.
                if began.elapsed() > Duration::from_secs(20) {
                    break;
                }
            }
            let times = Times::sorted(times);
            rows.push(
                Row::new(
                    format!("{of}: {form} by {what}, p99"),
                    if what.contains(", ") { 100.0 } else { 20.0 },
                    times.quantile(0.99),
                    "ms",
                )
                .with(times),
            );
        }
    }
    rows
}

/// Measures statistics with new filters while five games finish each second.
async fn measures(client: &Client, of: &str) -> Vec<Row> {
    let playing = tokio::spawn({
        let client = client.clone();
        async move {
            let mut clock = tokio::time::interval(Duration::from_millis(200));
            loop {
                clock.tick().await;
                let (path, tokens) = client.game_of_people().await;
                for token in &tokens[..2] {
                    let resign = json!({"type": "resign"});
                    client
                        .post(&format!("{path}/actions"), token, &resign)
                        .await;
                }
            }
        }
    });
    let mut times = Vec::new();
    let began = Instant::now();
    for number in 0..300 {
        if began.elapsed() > Duration::from_secs(60) {
            break;
        }
        let measure = ["nations", "openings", "seats", "lengths"][number % 4];
        let (edition, ..) = GAMES[number % 3];
        let begun = Instant::now();
        let answer = client
            .get(&format!("/v1/stats/{measure}?reason=any&edition={edition}"))
            .await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        times.push(begun.elapsed());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    playing.abort();
    let times = Times::sorted(times);
    vec![
        Row::new(
            format!("{of}: a measure while 5 a second finish, p99"),
            50.0,
            times.quantile(0.99),
            "ms",
        )
        .with(times),
    ]
}
