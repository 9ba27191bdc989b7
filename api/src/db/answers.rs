//! Kept answers of requests that may be repeated.

use diesel::prelude::*;

use crate::db::connection::AnyConnection;
use crate::db::schema::idempotency_keys;
use crate::db::writer::conflict;
use crate::db::{Store, StoreError};

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
        .values(answer)
        .execute(connection)
        .map_err(conflict)?;
    Ok(())
}

impl Store {
    /// The kept answer for a caller's key.
    pub(crate) fn kept_answer(
        &self,
        caller: &str,
        key: &str,
    ) -> Result<Option<KeptAnswer>, StoreError> {
        let connection = &mut *self.connection()?;
        let found = idempotency_keys::table.find((caller, key));
        Ok(found.first(connection).optional()?)
    }
}

/// The kept answer of a request that may be repeated.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable, Insertable)]
#[diesel(table_name = idempotency_keys)]
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
