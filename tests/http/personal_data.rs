//! The export of the data of an account.

use std::collections::{BTreeMap, BTreeSet};

use api::http::limits::options::{Limits, Rate};
use api::personal_data::tables::TABLES;
use diesel::sql_types::Text;
use diesel::{Connection, QueryableByName, RunQueryDsl, SqliteConnection};
use serde_json::{Value, json};

use super::accounts::register;
use super::ratings::started;
use super::support::{TestServer, array, assert_contains, text, turn};

const EXPORT: &str = "/v1/me/export";

const DOCS: &str = include_str!("../../api/docs/personal-data.md");

#[derive(QueryableByName)]
struct ColumnName {
    #[diesel(sql_type = Text)]
    owner: String,
    #[diesel(sql_type = Text)]
    name: String,
}

/// The columns of each table of a SQLite file.
fn columns(file: &str) -> BTreeMap<String, BTreeSet<String>> {
    let connection = &mut SqliteConnection::establish(file).unwrap();
    let found: Vec<ColumnName> = diesel::sql_query(
        "SELECT tables.name AS owner, columns.name AS name FROM sqlite_master AS tables, \
         pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' \
         AND tables.name NOT LIKE 'sqlite%' AND tables.name NOT LIKE '\\_\\_diesel%' ESCAPE '\\'",
    )
    .load(connection)
    .unwrap();
    let mut columns: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for ColumnName { owner, name } in found {
        columns.entry(owner).or_default().insert(name);
    }
    columns
}

/// A new column must be exported, or excluded with a reason, in `api/src/personal_data/tables.rs`.
#[test]
fn every_column_is_exported_or_excluded_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.db").display().to_string();
    api::db::migrate(&format!("sqlite:{file}").as_str().into()).unwrap();
    let mut listed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut names = BTreeSet::new();
    for table in TABLES {
        let own = listed.entry(table.name.to_owned()).or_default();
        for rows in table.exported {
            assert!(names.insert(rows.name), "{} is exported twice", rows.name);
            assert_contains(DOCS, &format!("`{}`", rows.name));
            own.extend(rows.columns.iter().map(|(name, _)| (*name).to_owned()));
        }
        let excluded = table.excluded.iter();
        for (columns, reason) in excluded {
            assert!(!reason.is_empty(), "{}", table.name);
            for name in *columns {
                let is_new = own.insert((*name).to_owned());
                assert!(is_new, "{}.{name} is listed twice", table.name);
            }
        }
        assert_contains(DOCS, &format!("`{}`", table.name));
    }
    assert_eq!(listed, columns(&file));
}

#[tokio::test]
async fn an_export_has_everything_of_an_account_and_no_secret() {
    let server = TestServer::with_limits(Limits {
        webhooks_to_loopback: true,
        ..Limits::unmetered()
    });
    let (dido, of_dido) = register(&server, "dido").await;
    let (hanno, of_hanno) = register(&server, "hanno").await;
    let token = json!({"name": "my bot", "scopes": ["read"]});
    let reader = server.create("/v1/tokens", &of_dido, token).await;
    let bot = |nation: &str| json!({"nations": [nation], "player": {"bot": "random"}});
    let person = |nation: &str, id: &str| json!({"nations": [nation], "player": {"id": id}});
    let game = |visibility: &str| {
        json!({"edition": "antike", "board": "antike-east", "first": 0, "visibility": visibility,
            "seats": [person("greeks", "dido"), person("phoenicians", "hanno"), bot("persians"), bot("arabs")]})
    };
    let (running, _) = server.create_game(&of_dido, game("private")).await;
    let code = server
        .post(&format!("{running}/invitation"), &of_dido, json!({}))
        .await;
    server
        .create(&format!("{running}/seats/1"), &of_hanno, json!({}))
        .await;
    server.act(&running, &of_dido, turn("iron")).await;
    let orders = json!([{"fortress": "never"}]);
    server
        .put(&format!("{running}/seats/0/orders"), &of_dido, orders)
        .await
        .ok(200);
    // A game of others, and one in which a seat is reserved.
    let (others, _) = server
        .create_game(
            &of_hanno,
            json!({"edition": "antike", "board": "antike-east",
        "seats": [person("greeks", "hanno"), bot("phoenicians"), bot("persians"), bot("arabs")]}),
        )
        .await;
    let (reserved, _) = server.create_game(&of_hanno, game("public")).await;
    let league = json!({"name": "Cup of Carthage", "visibility": "private"});
    let league = server.create("/v1/leagues", &of_hanno, league).await;
    let members = format!("/v1/leagues/{}/members", text(&league["id"]));
    server
        .create(&members, &of_hanno, json!({"id": "dido"}))
        .await;
    let webhook = json!({"url": "http://127.0.0.1:9999/hook", "events": ["your_turn"],
        "for": {"player": dido}});
    let webhook = server.create("/v1/webhooks", &of_dido, webhook).await;

    let answer = server.get_with(EXPORT, &of_dido).await;
    assert_eq!(answer.header("cache-control"), "private, no-store");
    assert_contains(answer.header("content-disposition"), &dido);
    let export = answer.ok(200);
    assert_eq!(export["format"], "tabularium-personal-data/1");
    assert_eq!(export["account"], *dido);
    let tables = &export["tables"];
    let values = |table: &str, column: &str| -> BTreeSet<String> {
        let rows = array(&tables[table]).iter();
        rows.map(|row| row[column].as_str().expect(column).to_owned())
            .collect()
    };
    let id = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    assert_eq!(
        values("account", "handle"),
        BTreeSet::from(["dido".to_owned()])
    );
    let since = tables["account"][0]["created_at"].as_str().unwrap();
    assert!(since.parse::<jiff::Timestamp>().is_ok(), "{since}");
    let tokens = BTreeSet::from(["registration", "my bot"].map(str::to_owned));
    assert_eq!(values("tokens", "name"), tokens);
    let games = BTreeSet::from([id(&running), id(&reserved)]);
    assert_eq!(values("games", "id"), games);
    assert_eq!(
        values("organized_games", "id"),
        BTreeSet::from([id(&running)])
    );
    let seats = array(&tables["seats"]);
    assert_eq!(seats.len(), 2, "{seats:?}");
    let own = seats
        .iter()
        .find(|seat| seat["game_id"] == *id(&running))
        .unwrap();
    assert_eq!(own["player_id"], *dido);
    assert_eq!(own["orders"][0]["fortress"], "never");
    let invited = seats
        .iter()
        .find(|seat| seat["game_id"] == *id(&reserved))
        .unwrap();
    assert_eq!(invited["invited"], *dido);
    assert_eq!(
        values("leagues", "name"),
        BTreeSet::from(["Cup of Carthage".to_owned()])
    );
    let events = array(&tables["league_events"]);
    assert!(
        events.iter().all(|event| event["text"].is_object()),
        "{events:?}"
    );
    assert!(
        events.iter().any(|event| event["account"] == *hanno),
        "{events:?}"
    );
    assert_eq!(
        values("webhooks", "url"),
        BTreeSet::from(["http://127.0.0.1:9999/hook".to_owned()])
    );
    let records = array(&export["records"]);
    let ids: Vec<&Value> = records.iter().map(|record| &record["id"]).collect();
    assert_eq!(ids, [&json!(id(&running))]);
    assert!(!array(&records[0]["actions"]).is_empty(), "{}", records[0]);
    assert!(!array(&records[0]["events"]).is_empty(), "{}", records[0]);

    // Neither secrets, nor the seed of a running game, nor a game of others.
    let whole = export.to_string();
    for secret in [
        &of_dido,
        &of_hanno,
        &text(&reader["token"]),
        &text(&webhook["secret"]),
    ] {
        assert!(!whole.contains(secret.as_str()));
    }
    // Records prove their events by hashes.
    let mut rows = export.clone();
    rows["records"] = Value::Null;
    let rows = rows.to_string();
    for name in ["hash", "secret", "token"] {
        let member = format!("\"{name}\":\"");
        assert!(!rows.contains(&member), "{name}: {rows}");
    }
    assert_eq!(records[0]["setup"]["seed"], "");
    assert!(!whole.contains(&id(&others)));
    if let Some(code) = code.json()["code"].as_str() {
        assert!(!whole.contains(code));
    }

    // Ratings, and the result of a game.
    server.adjudicate(&running, &of_dido, &[1, 2, 3, 4]).await;
    let export = server.get_with(EXPORT, &of_dido).await.ok(200);
    assert_eq!(export["records"][0]["result"]["reason"], "adjudication");
    let own = array(&export["tables"]["games"])
        .iter()
        .find(|game| game["id"] == *id(&running));
    assert!(own.unwrap()["result"].is_object(), "{own:?}");
    assert_eq!(own.unwrap()["rated"], false);
}

#[tokio::test]
async fn ratings_are_exported_as_they_are_shown() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let (_, of_hanno) = register(&server, "hanno").await;
    let (tokens, handles) = ([&*of_dido, &*of_hanno], ["dido", "hanno"]);
    let path = started(&server, tokens, handles, &json!({"rated": true})).await;
    let resign = json!({"type": "resign"});
    server.act(&path, &of_hanno, resign).await;
    let rated = |profile: &Value| !array(&profile["ratings"]).is_empty();
    let profile = server.wait_for("/v1/players/dido", rated).await;
    let tables = server.get_with(EXPORT, &of_dido).await.ok(200)["tables"].clone();
    let rows = array(&tables["ratings"]);
    assert_eq!(rows.len(), array(&profile["ratings"]).len(), "{rows:?}");
    let shown = profile["ratings"][0]["rating"].as_f64().unwrap();
    assert!(
        rows.iter()
            .any(|row| (row["rating"].as_f64().unwrap() - shown).abs() < 0.01),
        "{rows:?} {profile}"
    );
    assert!(!array(&tables["rating_changes"]).is_empty());
}

#[tokio::test]
async fn an_export_needs_the_scope_account_and_is_limited() {
    let server = TestServer::with_limits(Limits {
        exports: Rate {
            quantity: 2,
            seconds: 3_600,
        },
        loopback: 1,
        ..Limits::default()
    });
    let (_, of_dido) = register(&server, "dido").await;
    server.get(EXPORT).await.unauthenticated();
    let token = json!({"name": "reader", "scopes": ["read", "play", "organize"]});
    let reader = server.create("/v1/tokens", &of_dido, token).await;
    let refused = server.get_with(EXPORT, &text(&reader["token"])).await;
    refused.forbidden();
    for _ in 0..2 {
        server.get_with(EXPORT, &of_dido).await.ok(200);
    }
    server
        .get_with(EXPORT, &of_dido)
        .await
        .problem(429, "rate_limited");
}
