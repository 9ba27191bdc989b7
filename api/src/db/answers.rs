//! Stores with the changes of a request what belongs to the request, in the same transaction.
//! That is the response, for repetitions with an `Idempotency-Key`, and the act of an administrator.

use diesel::prelude::*;

use crate::db::connection::AnyConnection;
use crate::db::schema::{administrator_acts, idempotency_keys};
use crate::db::writer::conflict;
use crate::db::{Store, StoreError};

/// How long a response is stored for repeated requests, in microseconds: a day.
pub const KEPT: i64 = 24 * 60 * 60 * 1_000_000;

/// Stores the act of an administrator and the response to a request.
/// Deletes responses older than a day.
pub(crate) fn keep_answer(
    connection: &mut AnyConnection,
    kept: impl Into<Option<KeptRequest>>,
) -> Result<(), StoreError> {
    let KeptRequest { answer, act } = kept.into().unwrap_or_default();
    if let Some(act) = act {
        diesel::insert_into(administrator_acts::table)
            .values(act)
            .execute(connection)?;
    }
    let Some(answer) = answer else {
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

/// What is stored about a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeptRequest {
    /// The response, for repetitions.
    pub answer: Option<KeptAnswer>,
    /// The act, if the request was allowed only because its sender is an administrator.
    pub act: Option<StoredAct>,
}

/// An act of an administrator, as stored.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable, Insertable)]
#[diesel(table_name = administrator_acts)]
pub struct StoredAct {
    /// UUIDv7.
    pub id: String,
    /// Microseconds since 1970.
    pub at: i64,
    /// The account of the administrator.
    pub account: String,
    /// The name of the type.
    pub kind: String,
    /// The id of an account, game, league or report; of other requests the method and path.
    pub subject: String,
    /// The new handle of a renamed account.
    pub detail: Option<String>,
    /// The administrator's reason.
    pub reason: Option<String>,
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
