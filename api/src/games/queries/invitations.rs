//! Codes by which players get a seat of a game.

use diesel::prelude::*;
use uuid::Uuid;

use crate::db::answers::{KeptAnswer, keep_answer};
use crate::db::schema::invitation_codes as codes;
use crate::db::{Store, StoreError};

impl Store {
    /// Gives a game a code, by its hash, in place of the one that it has; none with `None`.
    pub(in crate::games) fn set_invitation_code(
        &self,
        game: Uuid,
        code: Option<String>,
        answer: Option<KeptAnswer>,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            diesel::delete(codes::table.find(game.to_string())).execute(connection)?;
            if let Some(code) = code {
                diesel::insert_into(codes::table)
                    .values((codes::game.eq(game.to_string()), codes::code.eq(code)))
                    .execute(connection)?;
            }
            match answer {
                Some(answer) => keep_answer(connection, answer),
                None => Ok(()),
            }
        })
    }

    /// The game whose code has this hash.
    pub(in crate::games) fn invited_by(&self, code: &str) -> Result<Option<String>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(codes::table
            .filter(codes::code.eq(code.to_owned()))
            .select(codes::game)
            .first(connection)
            .optional()?)
    }
}
