//! Who may write and switch the chat of a game.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use engine::setup::Player;
use uuid::Uuid;

use crate::accounts::service::now;
use crate::chat::model::{ChatPage, ChatSwitch, MessageBody, NewMessage};
use crate::chat::queries::StoredMessage;
use crate::db::time::timestamp;
use crate::games::Games;
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};

/// The longest text of a message, in bytes.
pub const LONGEST_TEXT: usize = 500;

/// The most messages of a game.
const MAX_MESSAGES: i64 = 2_000;

/// Returns the messages of a game after a number.
pub fn read(games: &Games, id: Uuid, after: u64, limit: usize) -> Result<ChatPage, ServiceError> {
    let table = games.table(id)?;
    let mut found = games.store().messages(id, after, limit + 1)?;
    let more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().filter(|_| more).map(|one| number(one.number));
    let mut names = BTreeMap::new();
    for player in found.iter().filter_map(|message| message.player.clone()) {
        if let Entry::Vacant(name) = names.entry(player) {
            let found = name_of(games, &table, name.key())?;
            name.insert(found);
        }
    }
    let body = |message: StoredMessage| {
        let name = message.player.as_ref().and_then(|player| names.get(player));
        let name = name.cloned().flatten();
        MessageBody::from_stored(message, name, table.stored.texts_hidden)
    };
    Ok(ChatPage {
        on: !table.stored.chat_off,
        last: table.stored.last_message,
        items: found.into_iter().map(body).collect(),
        next,
    })
}

/// Sends a message to the table.
pub fn send(
    games: &Games,
    call: &Call,
    id: Uuid,
    new: &NewMessage,
) -> Result<MessageBody, ServiceError> {
    let table = games.table(id)?;
    let seat = sender(games, call, &table)?;
    if let Some(kept) = call.stored_answer(games.store())? {
        return Ok(kept);
    }
    if !(1..=LONGEST_TEXT).contains(&new.text.len()) {
        let message = format!("the text must have 1 to {LONGEST_TEXT} bytes");
        return Err(ServiceError::invalid("text", message));
    }
    if table.stored.chat_off {
        let message = "the organizer of the game has turned the chat off";
        return Err(ServiceError::conflict(ConflictKind::ChatOff, message));
    }
    let player = match seat {
        Some(seat) => table.seat(seat)?.player.actor().map(str::to_owned),
        None => (call.access.as_deref()).map(|access| access.account.to_string()),
    };
    let name = match &player {
        Some(player) => name_of(games, &table, player)?,
        None => None,
    };
    let message = StoredMessage {
        game: id.to_string(),
        number: 0,
        seat: seat.map(i64::from),
        player,
        text: new.text.clone(),
        at: now(),
    };
    let body = MessageBody::from_stored(message.clone(), name, false);
    let (call, answer) = (call.clone(), body.clone());
    let keep = move |sent| {
        let answer = MessageBody {
            number: number(sent),
            ..answer
        };
        // A message always serializes.
        call.keep(&answer).unwrap_or_default()
    };
    let sent = games.store().add_message(message, MAX_MESSAGES, keep)?;
    let sent = sent.ok_or_else(|| {
        let message = format!("a game can have at most {MAX_MESSAGES} messages");
        ServiceError::conflict(ConflictKind::LimitReached, message)
    })?;
    games.refresh(&[id.to_string()])?;
    Ok(MessageBody {
        number: number(sent),
        ..body
    })
}

/// Turns the chat on or off, by the organizer.
pub fn switch(
    games: &Games,
    call: &Call,
    id: Uuid,
    switch: ChatSwitch,
) -> Result<ChatSwitch, ServiceError> {
    let table = games.table(id)?;
    games.access.check_organizer(call, &table)?;
    if let Some(kept) = call.stored_answer(games.store())? {
        return Ok(kept);
    }
    games
        .store()
        .switch_chat(id, switch.on, call.keep(&switch)?)?;
    games.refresh(&[id.to_string()])?;
    Ok(switch)
}

/// Returns whether the caller may send messages.
pub fn may_send(games: &Games, call: &Call, table: &Table) -> bool {
    sender(games, call, table).is_ok()
}

/// Returns the seat of the caller, or `None` for the organizer without one.
///
/// # Errors
/// 401 without a token, 403 if the caller neither plays nor organizes the game.
fn sender(games: &Games, call: &Call, table: &Table) -> Result<Option<u8>, ServiceError> {
    match call.any_seat(table) {
        Ok(seat) => Ok(Some(seat)),
        Err(refused) => match games.access.check_organizer(call, table) {
            Ok(()) => Ok(None),
            Err(_) => Err(refused),
        },
    }
}

/// Returns the present handle of an account, or the name of a guest who is still seated.
fn name_of(games: &Games, table: &Table, player: &str) -> Result<Option<String>, ServiceError> {
    if Uuid::try_parse(player).is_ok() {
        let account = games.accounts.account_named(player)?;
        let account = account.filter(|account| account.deleted_at.is_none());
        return Ok(account.map(|account| account.handle));
    }
    let mut seats = table.seats.iter();
    let seat = seats.find(|seat| seat.player.actor() == Some(player));
    let shown = seat.map(|seat| seat.display_player(table.stored.texts_hidden));
    Ok(match shown {
        Some(Player::Person { name, .. }) => name,
        _ => None,
    })
}

fn number(stored: i64) -> u64 {
    stored.unsigned_abs()
}

impl MessageBody {
    fn from_stored(message: StoredMessage, name: Option<String>, hidden: bool) -> MessageBody {
        MessageBody {
            number: number(message.number),
            at: timestamp(message.at),
            seat: message.seat.and_then(|seat| u8::try_from(seat).ok()),
            player: message.player,
            name,
            text: Some(message.text).filter(|_| !hidden),
        }
    }
}
