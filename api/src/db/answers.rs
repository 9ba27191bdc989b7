//! Stored responses of requests with an `Idempotency-Key`.

use diesel::prelude::*;

use crate::db::connection::AnyConnection;
use crate::db::schema::idempotency_keys;
use crate::db::writer::conflict;
use crate::db::{Store, StoreError};

/// How long a response is stored for repeated requests, in microseconds: a day.
pub const KEPT: i64 = 24 * 60 * 60 * 1_000_000;

/// Stores a response, if there is one, and deletes those older than a day.
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
    /// Returns the stored response for a caller's key.
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

/// The stored response of a request with an `Idempotency-Key`.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable, Insertable)]
#[diesel(table_name = idempotency_keys)]
pub struct KeptAnswer {
    /// SHA-256 of the caller: of the token, or of the address if there is no token.
    pub caller: String,
    /// SHA-256 of the method, the path and the key.
    pub key: String,
    /// SHA-256 of the request's content.
    pub request: String,
    /// The response to a repeated request, as JSON. It never contains a secret.
    pub answer: String,
    /// Microseconds since 1970.
    pub created_at: i64,
}
