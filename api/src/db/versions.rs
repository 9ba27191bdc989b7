//! Versions of games, and positions in the log of all games.

use diesel::prelude::*;

use crate::db::StoreError;
use crate::db::connection::AnyConnection;
use crate::db::schema::log_end;

/// Returns the next version of a game.
/// The row with the last version stays locked until the commit, so versions become visible in order.
pub(crate) fn next_version(connection: &mut AnyConnection) -> Result<i64, StoreError> {
    diesel::update(log_end::table.find(1))
        .set(log_end::version.eq(log_end::version + 1))
        .execute(connection)?;
    let end = log_end::table.find(1).select(log_end::version);
    Ok(end.first(connection)?)
}

/// Reserves `count` positions in the log of all games and a version.
/// Returns the last position and the version. The row with the end of the log stays locked until the commit, so
/// positions become visible in order.
pub(crate) fn reserve_positions(
    connection: &mut AnyConnection,
    count: i64,
) -> Result<(i64, i64), StoreError> {
    diesel::update(log_end::table.find(1))
        .set((
            log_end::position.eq(log_end::position + count),
            log_end::version.eq(log_end::version + 1),
        ))
        .execute(connection)?;
    let end = log_end::table
        .find(1)
        .select((log_end::position, log_end::version));
    Ok(end.first(connection)?)
}
