//! The offsets of the projections in the logs.

use diesel::prelude::*;

use crate::db::connection::AnyConnection;
use crate::db::schema::projections;
use crate::db::{Store, StoreError};

/// The offset of a projection in the logs. Before its first batch all numbers are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Queryable)]
pub struct Offset {
    /// The version of the projection that computed the run.
    pub version: i64,
    /// How often the projection started at the beginning of the logs.
    pub run: i64,
    /// The last applied event of the log of all games.
    pub position: i64,
    /// The last applied event of the log of all leagues.
    pub league_position: i64,
}

impl Offset {
    /// Returns the beginning of the logs, in a new run of the given version.
    pub fn restart(self, version: i64) -> Offset {
        Offset {
            version,
            run: self.run + 1,
            position: 0,
            league_position: 0,
        }
    }
}

/// The transaction in which a projection writes its data and its offset.
pub struct Transaction<'a>(pub(crate) &'a mut AnyConnection);

/// Reads the offset of a projection.
pub(crate) fn offset(connection: &mut AnyConnection, name: &str) -> Result<Offset, StoreError> {
    let found = projections::table
        .find(name)
        .select((
            projections::version,
            projections::run,
            projections::position,
            projections::league_position,
        ))
        .first(connection)
        .optional()?;
    Ok(found.unwrap_or_default())
}

impl Store {
    /// Reads the offset of a projection.
    pub(crate) fn offset(&self, projection: &str) -> Result<Offset, StoreError> {
        offset(&mut *self.connection()?, projection)
    }

    /// Moves the offset of a projection and runs `apply` in the same transaction.
    /// Returns false, and does neither, if another node has moved the offset since `from` was read.
    pub(crate) fn advance(
        &self,
        projection: &'static str,
        from: Offset,
        to: Offset,
        apply: impl FnOnce(&mut Transaction<'_>) -> Result<(), StoreError> + Send + 'static,
    ) -> Result<bool, StoreError> {
        // The transaction starts with a write lock, so no other node can move the offset after this read.
        self.write(move |connection| {
            if offset(connection, projection)? != from {
                return Ok(false);
            }
            let values = || {
                (
                    projections::version.eq(to.version),
                    projections::run.eq(to.run),
                    projections::position.eq(to.position),
                    projections::league_position.eq(to.league_position),
                )
            };
            let moved = diesel::update(projections::table.find(projection))
                .set(values())
                .execute(connection)?;
            if moved == 0 {
                diesel::insert_into(projections::table)
                    .values((projections::name.eq(projection), values()))
                    .execute(connection)?;
            }
            apply(&mut Transaction(connection))?;
            Ok(true)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_moves_only_once_and_together_with_the_applied_data() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("a.db").display()).into();
        let (one, two) = (Store::open(&url).unwrap(), Store::open(&url).unwrap());
        let from = one.offset("test").unwrap();
        assert_eq!(from, Offset::default());
        let to = Offset {
            position: 5,
            ..from
        };
        // A failure leaves the offset unchanged.
        let failed = one.advance("test", from, to, |_| Err(StoreError::Conflict));
        assert!(matches!(failed, Err(StoreError::Conflict)));
        assert_eq!(two.offset("test").unwrap(), from);
        assert!(one.advance("test", from, to, |_| Ok(())).unwrap());
        let twice = two.advance("test", from, to, |_| panic!("it was applied already"));
        assert!(!twice.unwrap());
        // A batch read before the restart is not applied to the new run.
        let restarted = to.restart(2);
        assert!(two.advance("test", to, restarted, |_| Ok(())).unwrap());
        let behind = Offset {
            position: 5,
            ..restarted
        };
        assert!(two.advance("test", restarted, behind, |_| Ok(())).unwrap());
        assert!(!one.advance("test", to, to, |_| Ok(())).unwrap());
        assert_eq!(one.offset("test").unwrap(), behind);
    }
}
