//! The queries of annotations.

use diesel::prelude::*;
use uuid::Uuid;

use crate::db::connection::AnyConnection;
use crate::db::schema::{accounts, annotations};
use crate::db::{Store, StoreError};

/// Annotations of a game by an account, as stored.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = annotations)]
pub struct StoredAnnotations {
    /// The id of the game.
    pub game: String,
    /// The id of the account.
    pub account: String,
    /// The annotations as JSON.
    pub content: String,
    /// Microseconds since 1970.
    pub updated_at: i64,
}

/// Deletes the annotations of an account.
pub(crate) fn remove_annotations_of(
    connection: &mut AnyConnection,
    account: &str,
) -> Result<(), StoreError> {
    let own = annotations::table.filter(annotations::account.eq(account.to_owned()));
    diesel::delete(own).execute(connection)?;
    Ok(())
}

impl Store {
    /// Returns the annotations of a game with the handles of their accounts, the earliest changed first.
    pub(super) fn annotations(
        &self,
        game: Uuid,
    ) -> Result<Vec<(StoredAnnotations, String)>, StoreError> {
        Ok(annotations::table
            .inner_join(accounts::table.on(accounts::id.eq(annotations::account)))
            .filter(annotations::game.eq(game.to_string()))
            .order((annotations::updated_at, annotations::account))
            .select((StoredAnnotations::as_select(), accounts::handle))
            .load(&mut *self.connection()?)?)
    }

    /// Stores the annotations of a game by an account in place of earlier ones.
    /// Returns false, without a change, if `most` other accounts have annotated the game.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if the account was deleted, or the error of the database.
    pub(super) fn set_annotations(
        &self,
        own: StoredAnnotations,
        most: i64,
    ) -> Result<bool, StoreError> {
        self.write(move |connection| {
            let account = accounts::table.find(own.account.clone());
            let account = account.filter(accounts::deleted_at.is_null());
            if account.count().get_result::<i64>(connection)? == 0 {
                return Err(StoreError::Conflict);
            }
            let of_game = annotations::table.filter(annotations::game.eq(own.game.clone()));
            let others: i64 = of_game
                .filter(annotations::account.ne(own.account.clone()))
                .count()
                .get_result(connection)?;
            if others >= most {
                return Ok(false);
            }
            let before = annotations::table.find((own.game.clone(), own.account.clone()));
            diesel::delete(before).execute(connection)?;
            diesel::insert_into(annotations::table)
                .values(own)
                .execute(connection)?;
            Ok(true)
        })
    }

    /// Deletes the annotations of a game by an account. Returns whether there were any.
    pub(super) fn remove_annotations(&self, game: Uuid, account: Uuid) -> Result<bool, StoreError> {
        self.write(move |connection| {
            let own = annotations::table.find((game.to_string(), account.to_string()));
            Ok(diesel::delete(own).execute(connection)? > 0)
        })
    }
}
