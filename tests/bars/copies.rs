//! Makes a large database from a small one: copies the rows of every game with new ids, numbers and positions.

use std::path::Path;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    name: String,
}

fn open(file: &Path) -> SqliteConnection {
    SqliteConnection::establish(&file.display().to_string()).expect("it opens")
}

/// Executes SQL statements.
pub fn execute(file: &Path, sql: &str) {
    open(file).batch_execute(sql).expect("the statements fit");
}

/// Returns the number in the column `n` of a query's only row.
pub fn number(file: &Path, sql: &str) -> i64 {
    let rows: Vec<Number> = diesel::sql_query(sql)
        .load(&mut open(file))
        .expect("the query fits");
    rows[0].n
}

#[derive(QueryableByName)]
struct Named {
    #[diesel(sql_type = Text)]
    text: String,
}

/// Returns the text in the column `text` of a query's only row.
pub fn text(file: &Path, sql: &str) -> String {
    let rows: Vec<Named> = diesel::sql_query(sql)
        .load(&mut open(file))
        .expect("the query fits");
    rows[0].text.clone()
}

/// Copies every game this many times. A copy is a day older than the one before and has a UUIDv7 of its time.
pub fn multiply(file: &Path, times: usize) {
    let last = number(file, "SELECT position AS n FROM log_end");
    // Files of an older version have no table of versions.
    let known = "SELECT count(*) AS n FROM pragma_table_info('games') WHERE name = 'version'";
    let versions = match number(file, known) {
        0 => 0,
        _ => number(file, "SELECT version AS n FROM log_end"),
    };
    let mut connection = open(file);
    connection
        .batch_execute(&format!(
            "PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -400000; BEGIN;
            CREATE TEMP TABLE copies AS WITH RECURSIVE n (k) AS
                (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < {times} - 1) SELECT k FROM n;
            CREATE TEMP TABLE new_ids AS SELECT games.id AS old, k, games.created_at - k * 86400000000 AS born,
                printf('%08x-%04x-7%03x-8%03x-%s',
                    ((games.created_at - k * 86400000000) / 1000) >> 16,
                    ((games.created_at - k * 86400000000) / 1000) & 65535,
                    k & 4095, (k >> 12) & 4095, substr(games.id, 25)) AS id
                FROM games, copies;
            CREATE UNIQUE INDEX temp.new_ids_by_old ON new_ids (old, k);"
        ))
        .expect("the table fits");
    // All tables with rows of games, found by the names of their columns; `games` is first.
    for table in ["games", "seats", "events", "game_players"] {
        let columns = format!("SELECT name FROM pragma_table_info('{table}')");
        let columns: Vec<Column> = diesel::sql_query(columns)
            .load(&mut connection)
            .expect("columns");
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let copied = names.iter().map(|name| match (table, *name) {
            ("games", "id") | (_, "game_id") => "new_ids.id".to_owned(),
            // After the first row of a run, position and time are 0.
            ("events", "position") => {
                format!(
                    "CASE WHEN old.position > 0 THEN old.position + copies.k * {last} ELSE 0 END"
                )
            }
            ("events", "at") => {
                "CASE WHEN old.position > 0 THEN old.at - copies.k * 86400000000 ELSE old.at END"
                    .to_owned()
            }
            ("games", "number") | (_, "game" | "finished_position") => {
                format!("old.{name} + copies.k * {last}")
            }
            ("games", "version") => format!("old.version + copies.k * {versions}"),
            (_, "created_at" | "updated_at" | "ended_at") => {
                format!("old.{name} - copies.k * 86400000000")
            }
            _ => format!("old.{name}"),
        });
        let copied: Vec<String> = copied.collect();
        let ids = match table {
            "games" => "JOIN new_ids ON new_ids.old = old.id AND new_ids.k = copies.k",
            _ if names.contains(&"game_id") => {
                "JOIN new_ids ON new_ids.old = old.game_id AND new_ids.k = copies.k"
            }
            "rating_changes" => "JOIN new_ids ON new_ids.old = old.game AND new_ids.k = copies.k",
            _ => "",
        };
        let (names, copied) = (names.join(", "), copied.join(", "));
        let copy = format!(
            "CREATE TEMP TABLE old_{table} AS SELECT * FROM {table};
            INSERT INTO {table} ({names}) SELECT {copied} FROM copies CROSS JOIN old_{table} AS old {ids};"
        );
        connection.batch_execute(&copy).expect("the rows fit");
    }
    let version = match versions {
        0 => String::new(),
        versions => format!(", version = {versions} * {times}"),
    };
    let end = format!(
        "UPDATE log_end SET position = {last} * {times}{version};
        UPDATE projections SET position = {last} * {times};
        COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE);"
    );
    connection.batch_execute(&end).expect("the end fits");
}
