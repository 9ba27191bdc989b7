//! The rows of an account as JSON.
//! The database writes each row as an object, so that one query serves all tables.

use diesel::prelude::*;
use diesel::sql_types::Text;
use jiff::Timestamp;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::db::connection::AnyConnection;
use crate::db::{Store, StoreError};
use crate::personal_data::tables::{ExportedRows, Shown};

/// A row as the text of a JSON object, or an id.
#[derive(QueryableByName)]
struct RowText {
    #[diesel(sql_type = Text)]
    content: String,
}

/// The games whose records an account receives: those that it plays or organizes.
const GAMES: &str = "SELECT id AS content FROM games WHERE organizer_account = $1 \
    UNION SELECT games.id FROM game_players JOIN games ON games.number = game_players.game \
    WHERE game_players.player = $1 ORDER BY content";

/// Writes the query for rows of a table.
fn query(table: &str, rows: &ExportedRows, function: &str) -> String {
    let columns = rows.columns.iter();
    let columns: Vec<String> = columns
        .map(|(name, _)| format!("'{name}', \"{name}\""))
        .collect();
    format!(
        "SELECT CAST({function}({}) AS TEXT) AS content FROM {table} WHERE {} ORDER BY {}",
        columns.join(", "),
        rows.condition,
        rows.order
    )
}

/// Converts a stored value. A value of another form stays as it is stored.
fn convert(value: Value, shown: Shown) -> Value {
    let converted = match (shown, &value) {
        (Shown::Time, Value::Number(number)) => number
            .as_i64()
            .and_then(|at| Timestamp::from_microsecond(at).ok())
            .map(|at| Value::from(at.to_string())),
        (Shown::Json, Value::String(text)) => serde_json::from_str(text).ok(),
        (Shown::Flag, Value::Number(number)) => number.as_i64().map(|flag| Value::from(flag != 0)),
        (Shown::Millionths, Value::Number(number)) => {
            number.as_f64().map(|number| Value::from(number / 1e6))
        }
        _ => None,
    };
    converted.unwrap_or(value)
}

/// Reads a row with its values converted. Members are in the order of the columns.
fn read(rows: &ExportedRows, text: &str) -> Result<Value, StoreError> {
    let damaged = |message: String| StoreError::Damaged {
        id: format!("(no id: a row of {})", rows.name),
        message,
    };
    let row: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| damaged(error.to_string()))?;
    let mut converted = Map::new();
    for (name, shown) in rows.columns {
        let value = row.get(*name).cloned().unwrap_or_default();
        converted.insert((*name).to_owned(), convert(value, *shown));
    }
    Ok(Value::Object(converted))
}

impl Store {
    /// Returns the rows of a table that concern an account, as JSON objects.
    pub(super) fn rows_of_account(
        &self,
        table: &str,
        rows: &ExportedRows,
        account: Uuid,
    ) -> Result<Vec<Value>, StoreError> {
        let connection = &mut *self.connection()?;
        let function = match connection {
            AnyConnection::Sqlite(_) => "json_object",
            AnyConnection::Postgres(_) => "json_build_object",
        };
        let found: Vec<RowText> = diesel::sql_query(query(table, rows, function))
            .bind::<Text, _>(account.to_string())
            .load(connection)?;
        found
            .iter()
            .map(|found| read(rows, &found.content))
            .collect()
    }

    /// Returns the ids of the games whose records an account receives.
    pub(super) fn games_of_account(&self, account: Uuid) -> Result<Vec<String>, StoreError> {
        let connection = &mut *self.connection()?;
        let found: Vec<RowText> = diesel::sql_query(GAMES)
            .bind::<Text, _>(account.to_string())
            .load(connection)?;
        Ok(found.into_iter().map(|found| found.content).collect())
    }
}
