//! Background work of the service, and its shutdown under difficult conditions.

use std::process::Command;
use std::time::{Duration, Instant};

use api::http::limits::options::Limits;
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, SqliteConnection};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use super::support::{
    Database, PATIENCE, Program, TestServer, array, eventually, tamper, text, turn,
};

/// A long game of bots.
fn long_game() -> Value {
    let bot = json!({"player": {"bot": "random"}});
    json!({"edition": "antike", "board": "antike-east", "max_rounds": 200,
        "seats": [bot, bot, bot, bot, bot, bot]})
}

/// Prevents all writes until it is dropped.
enum Lock {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Lock {
    fn acquire(database: &Database) -> Lock {
        let url = database.url();
        match url.strip_prefix("sqlite:") {
            Some(file) => {
                let mut connection = SqliteConnection::establish(file).unwrap();
                connection
                    .batch_execute("PRAGMA busy_timeout = 60000; BEGIN IMMEDIATE")
                    .unwrap();
                Lock::Sqlite(connection)
            }
            None => {
                let mut connection = PgConnection::establish(&url).unwrap();
                connection
                    .batch_execute("BEGIN; LOCK TABLE log_end, probe IN EXCLUSIVE MODE")
                    .unwrap();
                Lock::Postgres(connection)
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        match self {
            Lock::Sqlite(connection) => connection.batch_execute("ROLLBACK").unwrap(),
            Lock::Postgres(connection) => connection.batch_execute("ROLLBACK").unwrap(),
        }
    }
}

async fn create_long_game(server: &TestServer) -> String {
    let created = server.create("/v1/games", "", long_game()).await;
    format!("/v1/games/{}", text(&created["id"]))
}

async fn wait_for_progress(server: &TestServer, path: &str) {
    let seen = server.read(path).await["seq"].as_u64();
    let is_further = |game: &Value| game["status"] == "finished" || game["seq"].as_u64() > seen;
    server.wait_for(path, is_further).await;
}

#[tokio::test]
async fn unreadable_games_are_set_aside_and_the_others_continue() {
    let mut server = TestServer::start();
    let damaged = create_long_game(&server).await;
    let good = create_long_game(&server).await;
    // There is an event to damage.
    wait_for_progress(&server, &damaged).await;
    server.stop();
    let database = server.database.url();
    let id = damaged.rsplit('/').next().unwrap();
    let alter = |notation: &str| {
        format!(
            "UPDATE events SET notation = '{notation}' || notation WHERE seq = 1 AND \
             game = (SELECT number FROM games WHERE id = '{id}')"
        )
    };
    tamper(&database, &alter("x"));
    let mut server = server.restart();
    wait_for_progress(&server, &good).await;
    let quarantined = async |server: &TestServer| {
        let ready = server.read("/readyz").await;
        ready["checks"]["workers"]["quarantined"].as_u64().unwrap()
    };
    let counts = async |server: &TestServer, wanted: u64| {
        let look = async || (quarantined(server).await == wanted).then_some(());
        eventually(&format!("never {wanted} games were set aside"), look).await;
    };
    counts(&server, 1).await;
    let metrics = server.get("/metrics").await.text;
    assert!(metrics.contains("tabularium_work_quarantined"), "{metrics}");
    assert_eq!(server.get(&damaged).await.status, 500);
    // The damage is repaired, and the game is tried again at its time.
    server.stop();
    tamper(
        &database,
        &format!(
            "UPDATE events SET notation = substr(notation, 2) WHERE seq = 1 AND \
             game = (SELECT number FROM games WHERE id = '{id}')"
        ),
    );
    tamper(&database, "UPDATE work SET due_at = 0");
    let server = server.restart();
    wait_for_progress(&server, &damaged).await;
    counts(&server, 0).await;
}

#[tokio::test]
async fn readiness_fails_when_writes_fail() {
    let server = TestServer::start();
    let ready = server.read("/readyz").await;
    for check in ["database", "writable", "workers"] {
        assert_eq!(ready["checks"][check]["ok"], true, "{ready}");
    }
    let lock = Lock::acquire(&server.database);
    // A successful probe is valid for some seconds.
    let problem = eventually("readiness did not fail", async || {
        let answer = server.get("/readyz").await;
        (answer.status != 200).then(|| answer.problem(503, "unavailable"))
    })
    .await;
    assert_eq!(problem["errors"][0]["field"], "writable", "{problem}");
    assert_eq!(array(&problem["errors"]).len(), 1, "{problem}");
    drop(lock);
    eventually("readiness did not return", async || {
        (server.get("/readyz").await.status == 200).then_some(())
    })
    .await;
}

fn signal(name: &str, pid: &str) {
    let sent = Command::new("kill").args([name, pid]).status().unwrap();
    assert!(sent.success(), "kill {name} {pid}");
}

/// Waits for the program to end and returns its exit code.
fn wait_for_exit(program: &mut Program) -> Option<i32> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Some(status) = program.child.try_wait().unwrap() {
            return Some(status.code().unwrap_or(-1));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    None
}

/// `tests/faults` does the same with PostgreSQL.
#[test]
fn the_program_stops_while_its_file_is_locked() {
    let database = Database::Sqlite(tempfile::tempdir().unwrap());
    let mut program = Program::serve(&database, &[]);
    let pid = program.child.id().to_string();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let url = format!("{}/v1/games", program.address);
    let asked = Client::new().post(url).json(&long_game());
    let answer = runtime.block_on(asked.send()).unwrap();
    assert_eq!(answer.status(), StatusCode::CREATED);
    let lock = Lock::acquire(&database);
    signal("-TERM", &pid);
    let code = wait_for_exit(&mut program);
    drop(lock);
    assert!(code.is_some(), "it does not end");
}

#[tokio::test]
async fn bots_move_in_a_limited_number_of_games() {
    let of_all = Limits {
        bot_games_running: 1,
        ..Limits::unmetered()
    };
    let of_address = Limits {
        address_bot_games: 1,
        ..Limits::default()
    };
    for limits in [of_all, of_address] {
        let server = TestServer::with_limits(limits);
        create_long_game(&server).await;
        let refused = server.post("/v1/games", "", long_game()).await;
        refused.problem(429, "rate_limited");
        assert_eq!(refused.header("retry-after"), "10");
        server.game_of_people().await;
    }
}

#[tokio::test]
async fn bots_that_take_seats_later_count_too() {
    let server = TestServer::with_limits(Limits {
        address_bot_games: 1,
        delay: 0,
        ..Limits::default()
    });
    let bot = json!({"player": {"bot": "random"}});
    let mut game = long_game();
    for seat in 0..6 {
        game["seats"][seat] = json!({"player": {"placeholder": "Livia"}});
    }
    let of_people = async || {
        let (path, created) = server.create_game("", game.clone()).await;
        (path, text(&created["tokens"]["organizer"]))
    };
    let (first, organizer) = of_people().await;
    for seat in 0..6 {
        // While the bots of the first seats move, the limit of games is reached.
        let seat = format!("{first}/seats/{seat}");
        eventually("the limit of games stays reached", async || {
            let answer = server.put(&seat, &organizer, bot.clone()).await;
            if answer.status != 200 {
                answer.problem(429, "rate_limited");
                return None;
            }
            Some(())
        })
        .await;
    }
    let (second, organizer) = of_people().await;
    let seat = format!("{second}/seats/0");
    let refused = server.put(&seat, &organizer, bot).await;
    refused.problem(429, "rate_limited");
    assert_eq!(refused.header("retry-after"), "10");
    let game = server.read(&second).await;
    assert_eq!(game["seats"][0]["player"]["kind"], "person");
}

/// A game of Duellum of two bots.
fn thinking(bots: [&str; 2]) -> Value {
    let seats = bots.map(|bot| json!({"player": {"bot": bot}}));
    json!({"edition": "antike_duellum", "board": "duellum-rome-carthage", "max_rounds": 2,
        "seats": seats})
}

#[tokio::test]
async fn bots_that_search_play_within_the_budget() {
    let server = TestServer::with_limits(Limits {
        bot_budget: 3,
        ..Limits::unmetered()
    });
    for over in ["search:4", "search@4ms", "search", "intermediate", "expert"] {
        let refused = server
            .post("/v1/games", "", thinking(["greedy", over]))
            .await;
        refused.invalid("seats[1].player.bot");
        let mut game = thinking(["greedy", "greedy"]);
        game["seats"][0] = json!({"player": "open"});
        game["pace"] = json!({"turn_seconds": 60, "then": "bot", "bot": over});
        server.post("/v1/games", "", game).await.invalid("pace.bot");
    }
    let game = thinking(["search:3", "beginner"]);
    let created = server.create("/v1/games", "", game).await;
    // The game stores the meaning of a level at its creation.
    assert_eq!(created["seats"][1]["player"]["name"], "search:2");
    let path = format!("/v1/games/{}", text(&created["id"]));
    let over = server.wait_for(&path, |game| game["status"] == "finished");
    assert_eq!(over.await["seats"][0]["player"]["name"], "search:3");
}

#[tokio::test]
async fn bots_that_search_move_after_the_answer_is_sent() {
    let server = TestServer::with_limits(Limits::unmetered());
    let mut game = thinking(["greedy", "search:1"]);
    game["seats"][0] = json!({"nations": ["romans"], "player": {"placeholder": "Livia"}});
    game["first"] = json!("romans");
    let (path, created) = server.create_game("", game).await;
    let token = text(&created["tokens"]["seats"]["0"]);
    let acted = server.act(&path, &token, turn("gold")).await;
    assert_eq!(array(&acted["events"]).len(), 2);
    let asked = |game: &Value| game["pending"][0]["nation"] == "romans" && game["round"] != 1;
    server.wait_for(&path, asked).await;
}

#[tokio::test]
async fn a_game_of_bots_that_search_counts_as_ten() {
    let server = TestServer::with_limits(Limits {
        bot_games_running: 10,
        ..Limits::unmetered()
    });
    create_long_game(&server).await;
    let refused = server
        .post("/v1/games", "", thinking(["search:1", "greedy"]))
        .await;
    refused.problem(429, "rate_limited");
    create_long_game(&server).await;
}

#[tokio::test]
async fn the_number_of_rounds_is_limited() {
    let server = TestServer::with_limits(Limits {
        max_rounds: 7,
        ..Limits::unmetered()
    });
    let refused = server.post("/v1/games", "", long_game()).await;
    refused.invalid("max_rounds");
    let mut game = long_game();
    game.as_object_mut().unwrap().remove("max_rounds");
    let created = server.create("/v1/games", "", game).await;
    assert_eq!(created["max_rounds"], 7);
    let path = format!("/v1/games/{}", text(&created["id"]));
    let over = server.wait_for(&path, |game| game["status"] == "finished");
    assert_eq!(over.await["max_rounds"], 7);
}

#[tokio::test]
async fn the_number_of_events_is_limited() {
    let server = TestServer::with_limits(Limits {
        events: 30,
        ..Limits::unmetered()
    });
    let path = create_long_game(&server).await;
    let over = server.wait_for(&path, |game| game["status"] == "abandoned");
    assert_eq!(over.await["result"], Value::Null);

    let (path, tokens, organizer) = server.game_of_people().await;
    let act = json!({"actions": [{"type": "move_stone", "field": "iron"}]});
    let mut last = None;
    for _ in 0..20 {
        let acted = server
            .post(&format!("{path}/actions"), &tokens[0], act.clone())
            .await;
        if acted.status != 201 {
            last = Some(acted);
            break;
        }
        let undo = format!("{path}/undo");
        let undone = server.post(&undo, &tokens[0], json!({"to": 0})).await;
        undone.ok(201);
    }
    let problem = last.unwrap().problem(409, "limit_reached");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("at most 30"), "{detail}");
    server.adjudicate(&path, &organizer, &[1, 1, 1, 1]).await;
}
