//! One damaged row: its game reports the damage in one way, and everything else works.

use std::collections::{BTreeMap, BTreeSet};

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use serde_json::{Value, json};

use super::support::{Client, Database, Program, figure, people, text, wait_until};

/// Changes of the rows of the game `:id`, and whether the game is still found afterwards.
const DAMAGES: [(&str, &str, bool); 7] = [
    (
        "a blob for text in an event",
        "UPDATE events SET notation = x'ff00fe' WHERE seq = 3 AND game = (SELECT number FROM games WHERE id = :id)",
        true,
    ),
    (
        "an event that says nothing",
        "UPDATE events SET notation = 'march none nowhere' WHERE seq = 3 AND game = (SELECT number FROM games WHERE id = :id)",
        true,
    ),
    (
        "an event deleted",
        "DELETE FROM events WHERE seq = 3 AND game = (SELECT number FROM games WHERE id = :id)",
        true,
    ),
    (
        "all events deleted",
        "DELETE FROM events WHERE game = (SELECT number FROM games WHERE id = :id)",
        true,
    ),
    (
        "a result that is none",
        "UPDATE games SET result = '{\"reason\": 7' WHERE id = :id",
        true,
    ),
    (
        "a setup that is none",
        "UPDATE games SET setup = '[]' WHERE id = :id",
        true,
    ),
    (
        "an id that is no UUID",
        "PRAGMA foreign_keys = OFF; UPDATE seats SET game_id = 'nonsense' WHERE game_id = :id; UPDATE games SET id = 'nonsense' WHERE id = :id",
        false,
    ),
];

/// Returns all games of the list with their last events.
async fn list_games(client: &Client) -> BTreeMap<String, u64> {
    let (mut games, mut cursor) = (BTreeMap::new(), String::new());
    loop {
        // Small pages, so that the damaged game is in the middle of one, or between two.
        let page = client
            .get(&format!("/v1/games?limit=3{cursor}"))
            .await
            .ok(200);
        for game in page["items"].as_array().expect("a list") {
            games.insert(text(&game["id"]), game["seq"].as_u64().unwrap_or(0));
        }
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return games,
        }
    }
}

/// Returns the number of events of each game in the log of all games.
async fn count_logged(client: &Client) -> BTreeMap<String, u64> {
    let mut games = BTreeMap::new();
    for event in client.get_lines("/v1/events").await.lines() {
        // The line for a damaged game is not an event of it.
        if let Some(game) = event["game"]
            .as_str()
            .filter(|_| event["notation"].is_string())
        {
            *games.entry(game.to_owned()).or_default() += 1;
        }
    }
    games
}

/// Compares an answer about a damaged game with the documentation, and returns the difference.
fn misses(answer: &super::support::Answer) -> Option<String> {
    let problem: Value = serde_json::from_str(&answer.text).unwrap_or_default();
    let says = answer.status == 500 && problem["code"] == "damaged";
    let waits = answer.headers.contains_key("Retry-After");
    (!says || waits).then(|| format!("{} {} Retry-After {waits}", answer.status, answer.text))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_row_leaves_everything_else_alone() {
    let mut wrong = Vec::new();
    for (name, damage, can_be_asked) in DAMAGES {
        let case = format!("damage: {name}");
        let database = Database::sqlite();
        database.import(8, 3, 5);
        let mut program = Program::serve(&database);
        let client = program.client();
        let (running, created) = client.create(&people()).await;
        let before = list_games(&client).await;
        program.kill();
        // Neither the first nor the last of the list.
        let id = before.keys().nth(4).expect("there are more").clone();
        let file = database.file().display().to_string();
        let mut rows = SqliteConnection::establish(&file).expect("it opens");
        let sql = damage.replace(":id", &format!("'{id}'"));
        rows.batch_execute(&sql).expect("the rows are there");
        drop(rows);

        // A restart must work too.
        let program = Program::serve(&database);
        let client = program.client();
        let mut fails = |what: &str, how: String| {
            figure(&case, what, &how);
            wrong.push(format!("{name}: {what}: {how}"));
        };
        let others: BTreeMap<_, _> = before.iter().filter(|(game, _)| **game != id).collect();

        for path in [
            "/v1/games?limit=1000",
            "/v1/games/count",
            "/readyz",
            "/v1/games?status=finished",
        ] {
            let answer = client.get(path).await;
            if answer.status != 200 {
                fails(path, format!("{} {}", answer.status, answer.text));
            }
        }
        let look = tokio::spawn({
            let client = client.clone();
            async move { list_games(&client).await }
        });
        match look.await {
            Ok(now) => {
                let gone: BTreeSet<_> = others
                    .keys()
                    .filter(|game| !now.contains_key(**game))
                    .collect();
                if !gone.is_empty() {
                    fails("games missing in the list", format!("{gone:?}"));
                }
            }
            Err(error) => fails("the list", error.to_string()),
        }
        let log = tokio::spawn({
            let client = client.clone();
            async move { count_logged(&client).await }
        });
        match log.await {
            Ok(now) => {
                let short =
                    |game: &String, seq: u64| now.get(game).is_none_or(|count| *count != seq + 1);
                let gone = others
                    .iter()
                    .filter(|(game, seq)| short(game, ***seq))
                    .count();
                if gone > 0 {
                    fails("games with events missing in /v1/events", gone.to_string());
                }
            }
            Err(error) => fails("/v1/events", error.to_string()),
        }
        let counted = async || {
            let answer = client.get("/v1/stats/nations?reason=any").await;
            answer.status == 200 && answer.json()["games"].as_u64() >= Some(7)
        };
        if wait_until(counted).await.is_none() {
            fails(
                "statistics",
                client.get("/v1/stats/nations?reason=any").await.text,
            );
        }
        for (game, seq) in &others {
            let answer = client.get(&format!("/v1/games/{game}")).await;
            if answer.status != 200 || answer.json()["seq"] != **seq {
                fails("another game", format!("{} {}", answer.status, answer.text));
            }
        }
        let turn =
            json!({"actions": [{"type": "move_stone", "field": "temple"}, {"type": "end_turn"}]});
        let token = text(&created["tokens"]["seats"]["0"]);
        let answer = client
            .post(&format!("{running}/actions"), &token, &turn)
            .await;
        if answer.status != 201 {
            fails(
                "a turn in another game",
                format!("{} {}", answer.status, answer.text),
            );
        }
        if can_be_asked {
            let game = format!("/v1/games/{id}");
            if let Some(how) = misses(&client.get(&game).await) {
                fails("the damaged game", how);
            }
            for part in ["events", "record", "legal-actions", "states/5"] {
                let answer = client.get(&format!("{game}/{part}")).await;
                // A part of the game without damage may be shown.
                if answer.status != 200
                    && let Some(how) = misses(&answer)
                {
                    fails(part, how);
                }
            }
        }
        drop(program);
        let verified = database.command("verify", &[]);
        let said =
            String::from_utf8_lossy(&verified.stderr) + String::from_utf8_lossy(&verified.stdout);
        let named = if can_be_asked {
            id.as_str()
        } else {
            "nonsense"
        };
        if verified.status.success() || !said.contains(named) {
            fails("verify", format!("{}: {said}", verified.status));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
