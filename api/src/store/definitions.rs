//! How measures were defined, and since when.

use diesel::prelude::*;

use super::schema::definitions;
use super::writer::conflict;
use super::{Store, StoreError};

/// Since when a measure is defined in a way.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = definitions)]
pub struct StoredDefinition {
    /// The measure's name.
    pub measure: String,
    /// The number of its definition.
    pub definition: i64,
    /// Where the log of all games ended then.
    pub since: i64,
    /// When that was, in microseconds since 1970.
    pub at: i64,
}

impl Store {
    /// Every definition that a program has had which gathered statistics.
    pub fn definitions(&self) -> Result<Vec<StoredDefinition>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(definitions::table
            .order((definitions::measure, definitions::definition))
            .load(connection)?)
    }

    /// Notes definitions; those that somebody else has noted to be in force stay as they are.
    pub fn note_definitions(&self, noted: Vec<StoredDefinition>) -> Result<(), StoreError> {
        self.write(move |connection| {
            for one in noted {
                let last: Option<i64> = definitions::table
                    .filter(definitions::measure.eq(&one.measure))
                    .order((definitions::since.desc(), definitions::at.desc()))
                    .select(definitions::definition)
                    .first(connection)
                    .optional()?;
                if last != Some(one.definition) {
                    diesel::insert_into(definitions::table)
                        .values(one)
                        .execute(connection)
                        .map_err(conflict)?;
                }
            }
            Ok(())
        })
    }
}
