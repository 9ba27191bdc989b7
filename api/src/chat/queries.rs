//! The queries of messages.

use diesel::prelude::*;
use uuid::Uuid;

use crate::db::answers::{KeptRequest, keep_answer};
use crate::db::connection::AnyConnection;
use crate::db::schema::{chats, games, messages};
use crate::db::versions::next_version;
use crate::db::{Store, StoreError};

/// A message, as stored.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = messages)]
pub struct StoredMessage {
    /// The id of the game.
    pub game: String,
    /// From 1, within the game.
    pub number: i64,
    /// The seat of the sender; `None` for an organizer without a seat.
    pub seat: Option<i64>,
    /// The account or guest; `None` for an organizer without an account.
    pub player: Option<String>,
    /// The text.
    pub text: String,
    /// Microseconds since 1970.
    pub at: i64,
}

/// Raises the version of a game, so that all nodes read its chat again, and creates the row of its chat.
/// All writers of games wait for each other here.
fn raise_version(connection: &mut AnyConnection, game: &str) -> Result<(), StoreError> {
    let version = next_version(connection)?;
    diesel::update(games::table.find(game.to_owned()))
        .set(games::version.eq(version))
        .execute(connection)?;
    let chats = chats::table.find(game.to_owned());
    let count: i64 = chats.count().get_result(connection)?;
    if count == 0 {
        diesel::insert_into(chats::table)
            .values((
                chats::game.eq(game.to_owned()),
                chats::is_off.eq(0),
                chats::last_message.eq(0),
            ))
            .execute(connection)?;
    }
    Ok(())
}

/// Deletes the messages of an account.
pub(crate) fn remove_messages_of(
    connection: &mut AnyConnection,
    account: &str,
) -> Result<(), StoreError> {
    let own = messages::table.filter(messages::player.eq(account.to_owned()));
    diesel::delete(own).execute(connection)?;
    Ok(())
}

impl Store {
    /// Returns messages of a game after a number, in order.
    pub(super) fn messages(
        &self,
        game: Uuid,
        after: u64,
        limit: usize,
    ) -> Result<Vec<StoredMessage>, StoreError> {
        let connection = &mut *self.connection()?;
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        Ok(messages::table
            .filter(messages::game.eq(game.to_string()))
            .filter(messages::number.gt(after))
            .order(messages::number)
            .limit(limit as i64)
            .load(connection)?)
    }

    /// Stores a message of a chat with less than `most`, and returns its number; `None` if the chat is full.
    /// `answer` returns what is kept for repeated requests.
    pub(super) fn add_message(
        &self,
        mut message: StoredMessage,
        most: i64,
        answer: impl FnOnce(i64) -> Option<KeptRequest> + Send + 'static,
    ) -> Result<Option<i64>, StoreError> {
        self.write(move |connection| {
            let game = message.game.clone();
            raise_version(connection, &game)?;
            message.number = 1 + chats::table
                .find(game.clone())
                .select(chats::last_message)
                .first::<i64>(connection)?;
            if message.number > most {
                return Ok(None);
            }
            diesel::update(chats::table.find(game))
                .set(chats::last_message.eq(message.number))
                .execute(connection)?;
            let number = message.number;
            diesel::insert_into(messages::table)
                .values(message)
                .execute(connection)?;
            keep_answer(connection, answer(number))?;
            Ok(Some(number))
        })
    }

    /// Turns the chat of a game on or off.
    pub(super) fn switch_chat(
        &self,
        game: Uuid,
        on: bool,
        kept: Option<KeptRequest>,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            raise_version(connection, &game.to_string())?;
            diesel::update(chats::table.find(game.to_string()))
                .set(chats::is_off.eq(i64::from(!on)))
                .execute(connection)?;
            keep_answer(connection, kept)
        })
    }
}
