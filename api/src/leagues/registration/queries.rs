//! The answers to the questions of leagues.

use diesel::prelude::*;
use uuid::Uuid;

use crate::db::connection::AnyConnection;
use crate::db::schema::league_registrations;
use crate::db::{Store, StoreError};

/// The answers of an account to the questions of a league.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = league_registrations)]
pub struct StoredRegistration {
    /// The id of the league.
    pub league: String,
    /// The id of the account.
    pub account: String,
    /// The questions and answers, as JSON.
    pub answers: String,
    /// When they were sent, in microseconds since 1970.
    pub created_at: i64,
}

fn delete(
    connection: &mut AnyConnection,
    league: &str,
    account: &str,
) -> Result<usize, diesel::result::Error> {
    let own = league_registrations::table
        .filter(league_registrations::league.eq(league))
        .filter(league_registrations::account.eq(account));
    diesel::delete(own).execute(connection)
}

impl Store {
    /// Stores answers. They replace earlier ones of the account.
    pub(in crate::leagues) fn keep_registration(
        &self,
        new: StoredRegistration,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            delete(connection, &new.league, &new.account)?;
            diesel::insert_into(league_registrations::table)
                .values(new)
                .execute(connection)?;
            Ok(())
        })
    }

    /// Deletes the answers of an account.
    pub(in crate::leagues) fn delete_registration(
        &self,
        league: Uuid,
        account: Uuid,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            delete(connection, &league.to_string(), &account.to_string())?;
            Ok(())
        })
    }

    /// Returns the answers of all accounts, the earliest first.
    pub(in crate::leagues) fn registrations(
        &self,
        league: Uuid,
    ) -> Result<Vec<StoredRegistration>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(league_registrations::table
            .filter(league_registrations::league.eq(league.to_string()))
            .order(league_registrations::created_at)
            .load(connection)?)
    }
}
