//! Queries of invitation codes.

use diesel::prelude::*;
use uuid::Uuid;

use crate::db::answers::{KeptRequest, keep_answer};
use crate::db::schema::invitation_codes as codes;
use crate::db::{Store, StoreError};

impl Store {
    /// Replaces the code of a game, given as its hash, or deletes it for `None`.
    pub(in crate::games) fn set_invitation_code(
        &self,
        game: Uuid,
        code: Option<String>,
        answer: Option<KeptRequest>,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            diesel::delete(codes::table.find(game.to_string())).execute(connection)?;
            if let Some(code) = code {
                diesel::insert_into(codes::table)
                    .values((codes::game.eq(game.to_string()), codes::code.eq(code)))
                    .execute(connection)?;
            }
            keep_answer(connection, answer)
        })
    }

    /// Returns the id of the game whose code has this hash.
    pub(in crate::games) fn invited_by(&self, code: &str) -> Result<Option<String>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(codes::table
            .filter(codes::code.eq(code.to_owned()))
            .select(codes::game)
            .first(connection)
            .optional()?)
    }
}
