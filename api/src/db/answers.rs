//! Kept answers of requests that may be repeated.

use diesel::prelude::*;

use crate::db::StoreError;
use crate::db::connection::AnyConnection;
use crate::db::schema::idempotency_keys;
use crate::db::writer::conflict;

/// For how long answers are kept for repeated requests, in microseconds: a day.
pub const KEPT: i64 = 24 * 60 * 60 * 1_000_000;

/// Keeps an answer, if there is one, and forgets those that are too old.
pub(crate) fn keep_answer(
    connection: &mut AnyConnection,
    answer: impl Into<Option<KeptAnswer>>,
) -> Result<(), StoreError> {
    let Some(answer) = answer.into() else {
        return Ok(());
    };
    let old = idempotency_keys::created_at.lt(answer.created_at - KEPT);
    diesel::delete(idempotency_keys::table.filter(old)).execute(connection)?;
    diesel::insert_into(idempotency_keys::table)
        .values(AnswerRow::from(answer))
        .execute(connection)
        .map_err(conflict)?;
    Ok(())
}

/// A row of `idempotency_keys`.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = idempotency_keys)]
pub struct AnswerRow {
    caller: String,
    key: String,
    request: String,
    answer: String,
    created_at: i64,
}

impl From<KeptAnswer> for AnswerRow {
    fn from(kept: KeptAnswer) -> AnswerRow {
        AnswerRow {
            caller: kept.caller,
            key: kept.key,
            request: kept.request,
            answer: kept.answer,
            created_at: kept.created_at,
        }
    }
}

impl From<AnswerRow> for KeptAnswer {
    fn from(row: AnswerRow) -> KeptAnswer {
        KeptAnswer {
            caller: row.caller,
            key: row.key,
            request: row.request,
            answer: row.answer,
            created_at: row.created_at,
        }
    }
}

/// The kept answer of a request that may be repeated.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptAnswer {
    /// SHA-256 of who calls: of the token, or of the address without one.
    pub caller: String,
    /// SHA-256 of method, path and key.
    pub key: String,
    /// SHA-256 of what is asked.
    pub request: String,
    /// What a repetition receives, as JSON; never a secret.
    pub answer: String,
    /// Microseconds since 1970.
    pub created_at: i64,
}
