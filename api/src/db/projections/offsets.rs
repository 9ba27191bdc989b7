//! How far each projection has come in the logs.

use diesel::prelude::*;

use crate::db::connection::AnyConnection;
use crate::db::schema::projections;
use crate::db::{Store, StoreError};

/// How far a projection has come. Before its first batch all numbers are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Queryable)]
pub struct Offset {
    /// The version of the projection that the run is of.
    pub version: i64,
    /// Counts how often the projection was begun from the start of the log.
    pub run: i64,
    /// Up to which event of the log of all games it is applied.
    pub position: i64,
    /// Up to which event of the log of all leagues it is applied.
    pub league_position: i64,
}

impl Offset {
    /// The start of the log, in another run of a version.
    pub fn restarted(self, version: i64) -> Offset {
        Offset {
            version,
            run: self.run + 1,
            position: 0,
            league_position: 0,
        }
    }
}

/// The transaction in which a projection writes what it keeps.
pub struct Transaction<'a>(pub(crate) &'a mut AnyConnection);

/// How far a projection has come.
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
    /// How far a projection has come.
    pub(crate) fn offset(&self, projection: &str) -> Result<Offset, StoreError> {
        offset(&mut *self.connection()?, projection)
    }

    /// Moves the offset of a projection and does `apply` in the same transaction, unless another node has moved it
    /// since `from` was read. Returns whether it was moved.
    pub(crate) fn advance(
        &self,
        projection: &'static str,
        from: Offset,
        to: Offset,
        apply: impl FnOnce(&mut Transaction<'_>) -> Result<(), StoreError> + Send + 'static,
    ) -> Result<bool, StoreError> {
        // Writers wait for each other at the begin of a transaction, so nobody moves it after it was read here.
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
    fn an_offset_moves_together_with_what_is_applied_and_only_once() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("a.db").display()).into();
        let (one, two) = (Store::open(&url).unwrap(), Store::open(&url).unwrap());
        let from = one.offset("test").unwrap();
        assert_eq!(from, Offset::default());
        let to = Offset {
            position: 5,
            ..from
        };
        // What fails leaves the offset where it is.
        let failed = one.advance("test", from, to, |_| Err(StoreError::Conflict));
        assert!(matches!(failed, Err(StoreError::Conflict)));
        assert_eq!(two.offset("test").unwrap(), from);
        assert!(one.advance("test", from, to, |_| Ok(())).unwrap());
        let twice = two.advance("test", from, to, |_| panic!("it was applied already"));
        assert!(!twice.unwrap());
        // A batch that was read before the projection was restarted does not count in the new run.
        let restarted = to.restarted(2);
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
