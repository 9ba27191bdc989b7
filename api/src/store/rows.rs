//! Rows of the tables.

use diesel::prelude::*;

use super::schema::{events, games, idempotency_keys, seats};

/// A game.
#[derive(Clone, Debug, PartialEq, Queryable, Insertable)]
#[diesel(table_name = games)]
pub struct GameRow {
    /// UUIDv7, so that ids sort by creation.
    pub id: String,
    /// The edition.
    pub edition: String,
    /// The board.
    pub board: String,
    /// `open`, `running`, `finished` or `abandoned`.
    pub status: String,
    /// The setup as JSON, with `seed_commitment` in place of the seed; of a game that was taken in,
    /// with the decks of event cards that its record spells out.
    pub setup: String,
    /// The seed; secret while the game goes on unless `seed_known`.
    pub seed: String,
    /// 1 when the creator gave the seed.
    pub seed_known: i64,
    /// The last event.
    pub seq: i64,
    /// Microseconds since 1970.
    pub created_at: i64,
    /// Microseconds since 1970.
    pub updated_at: i64,
    /// The result as JSON when the game is over.
    pub result: Option<String>,
    /// 1 when it counts for ratings.
    pub rated: i64,
    /// The league.
    pub league: Option<String>,
    /// `service`, `simulation` or `import`.
    pub source: String,
    /// SHA-256 of the organizer's token.
    pub organizer: Option<String>,
    /// 1 when the next decision is a bot's or a standing order's.
    pub bot_due: i64,
    /// By what events name the game: the position of its first one, given when that is appended.
    pub number: i64,
    /// The chained hash of the last event, 64 hexadecimal digits.
    pub hash: String,
    /// The office's signature of the finished game's record, as JSON; `None` until it is signed.
    pub signature: Option<String>,
}

/// A seat of a game.
#[derive(Clone, Debug, PartialEq, Queryable, Insertable)]
#[diesel(table_name = seats)]
pub struct SeatRow {
    /// The game.
    pub game_id: String,
    /// The seat, from 0.
    pub seat: i64,
    /// `bot`, `person` or `open`.
    pub kind: String,
    /// The account of a person.
    pub player_id: Option<String>,
    /// The bot's name, or a name to show.
    pub name: Option<String>,
    /// SHA-256 of the token that plays the seat.
    pub token: Option<String>,
    /// Standing orders, a JSON list.
    pub orders: String,
    /// The undo that the player agrees to, as `SEQ:TO`.
    pub consent: Option<String>,
}

/// Bytes that are kept of an event's hash: enough to find the event that was altered, for the whole
/// hash follows from the events up to its own.
const KEPT_OF_HASH: usize = 8;

/// An event of a game as it stands in the table.
#[derive(Clone, Debug, PartialEq, Queryable, Insertable)]
#[diesel(table_name = events)]
pub(super) struct EventColumns {
    game: i64,
    seq: i64,
    position: i64,
    turn: i64,
    player: Option<String>,
    nation: Option<String>,
    notation: String,
    digest: Vec<u8>,
    hash: Vec<u8>,
    at: i64,
}

impl EventColumns {
    /// The columns of an event of the game with this number.
    pub fn new(game: i64, position: i64, event: &StoredEvent) -> EventColumns {
        // Digests and hashes are hexadecimal digits wherever they are made or checked.
        let bytes = |digits: &str| hex::decode(digits).unwrap_or_default();
        let mut hash = bytes(&event.hash);
        hash.truncate(KEPT_OF_HASH);
        EventColumns {
            game,
            seq: event.seq,
            position,
            turn: event.turn,
            player: event.player.clone(),
            nation: event.nation.clone(),
            notation: event.notation.clone(),
            digest: bytes(&event.digest),
            hash,
            at: event.at,
        }
    }

    /// The number of its game.
    pub fn game(&self) -> i64 {
        self.game
    }

    /// The event of the game with this id.
    pub fn event(self, game_id: String) -> StoredEvent {
        StoredEvent {
            game_id,
            seq: self.seq,
            position: self.position,
            turn: self.turn,
            player: self.player,
            nation: self.nation,
            notation: self.notation,
            digest: hex::encode(self.digest),
            hash: hex::encode(self.hash),
            at: self.at,
        }
    }
}

/// An event of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredEvent {
    /// The game.
    pub game_id: String,
    /// Position in the game's log, from 0.
    pub seq: i64,
    /// Position in the log of all games, from 1; given when it is appended.
    pub position: i64,
    /// The turn in which it happened.
    pub turn: i64,
    /// The account or bot that acted.
    pub player: Option<String>,
    /// The nation that acted.
    pub nation: Option<String>,
    /// The action, or what else happened.
    pub notation: String,
    /// Digest of the state after it, 16 hexadecimal digits.
    pub digest: String,
    /// The chained hash, 64 hexadecimal digits; as it comes from the store, the first 16 of them.
    pub hash: String,
    /// Microseconds since 1970.
    pub at: i64,
}

/// The kept answer of a request that may be repeated.
#[derive(Clone, Debug, PartialEq, Queryable, Insertable)]
#[diesel(table_name = idempotency_keys)]
pub struct IdempotencyRow {
    /// SHA-256 of the caller's token; empty without one.
    pub caller: String,
    /// SHA-256 of the key.
    pub key: String,
    /// SHA-256 of method, path and body.
    pub request: String,
    /// The answer as JSON, sealed with the key.
    pub answer: Vec<u8>,
    /// Microseconds since 1970.
    pub created_at: i64,
}

/// What is written at once: a new game or a step of one that is there.
#[derive(Clone, Debug)]
pub struct Append {
    /// The game as it is after the events.
    pub game: GameRow,
    /// The last event before this step; `None` creates the game.
    pub after: Option<i64>,
    /// Seats that changed; all of them for a new game.
    pub seats: Vec<SeatRow>,
    /// The events, in order. Their positions are given by the store.
    pub events: Vec<StoredEvent>,
    /// The answer to keep for a repeated request.
    pub idempotency: Option<IdempotencyRow>,
}
