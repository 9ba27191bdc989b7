//! Rows of the tables, and their conversion.

use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use engine::setup::Player;
use jiff::Timestamp;
use records::{EventRow, Source};
use uuid::Uuid;

use crate::db::StoreError;
use crate::db::schema::{events, games, seats};
use crate::db::time::time_text;
use crate::games::model::{Claims, Consent, LogRow, Seat, Status, StoredGame, Visibility};

/// A row of `games`.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = games)]
pub struct GameRow {
    id: String,
    number: i64,
    edition: String,
    board: String,
    status: String,
    visibility: String,
    claims: String,
    rated: i64,
    league: Option<String>,
    source: String,
    setup: String,
    seed: String,
    seed_known: i64,
    seq: i64,
    hash: String,
    version: i64,
    created_at: i64,
    updated_at: i64,
    pending: Option<String>,
    waiting_for: Option<String>,
    bot_due: i64,
    due_at: Option<i64>,
    organizer: Option<String>,
    organizer_account: Option<String>,
    rematch: Option<String>,
    result: Option<String>,
    signature: Option<String>,
    finished_position: Option<i64>,
    recorded_at: Option<i64>,
    /// This and the next column are written by the projection `lists`.
    rounds: Option<i64>,
    reason: Option<String>,
    /// Changed only by administrators.
    texts_hidden: i64,
}

/// The columns of `games` that a step can change.
#[derive(AsChangeset)]
#[diesel(table_name = games)]
pub struct GameChanges {
    status: String,
    seq: i64,
    updated_at: i64,
    // `None` leaves the column unchanged: a result and a signature are final.
    result: Option<String>,
    signature: Option<String>,
    bot_due: i64,
    hash: String,
    version: i64,
    finished_position: Option<i64>,
    recorded_at: Option<i64>,
    // `Some(None)` sets the column to null.
    due_at: Option<Option<i64>>,
    organizer: Option<Option<String>>,
    organizer_account: Option<Option<String>>,
    pending: Option<Option<String>>,
    waiting_for: Option<Option<String>>,
}

fn json<T: serde::Serialize>(value: &T) -> Option<String> {
    // Plain data with string keys always serializes.
    serde_json::to_string(value).ok()
}

impl GameRow {
    /// Creates the row of a new game whose last event is at `end` of the log of all games.
    pub fn new(game: StoredGame, end: i64, version: i64) -> GameRow {
        let changes = GameChanges::from_game(&game, end, version);
        GameRow {
            id: game.id.to_string(),
            edition: game.edition,
            board: game.board,
            status: changes.status,
            setup: game.setup,
            seed: game.seed,
            seed_known: i64::from(game.seed_known),
            seq: changes.seq,
            created_at: game.created_at,
            updated_at: changes.updated_at,
            result: changes.result,
            rated: i64::from(game.rated),
            league: game.league,
            source: game.source.to_string(),
            organizer: game.organizer,
            bot_due: changes.bot_due,
            number: game.number,
            hash: changes.hash,
            signature: changes.signature,
            version,
            finished_position: changes.finished_position,
            due_at: game.due_at,
            organizer_account: game.organizer_account.map(|id| id.to_string()),
            visibility: game.visibility.name().to_owned(),
            claims: game.claims.name().to_owned(),
            pending: changes.pending.flatten(),
            waiting_for: changes.waiting_for.flatten(),
            rematch: game.rematch.map(|id| id.to_string()),
            recorded_at: changes.recorded_at,
            rounds: None,
            reason: None,
            texts_hidden: i64::from(game.texts_hidden),
        }
    }

    /// Returns the number by which events name the game.
    pub fn number(&self) -> i64 {
        self.number
    }

    /// Returns the stored id of the game.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Converts the row to a game.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if a column has an invalid value.
    pub fn game(self) -> Result<StoredGame, StoreError> {
        let id = self.id.clone();
        let damaged = move |column: &str, message: String| StoreError::Damaged {
            id: id.clone(),
            message: format!("the column {column} of the game cannot be read: {message}"),
        };
        let result = self.result.as_deref().map(serde_json::from_str).transpose();
        let signature = self.signature.as_deref().map(serde_json::from_str);
        let pending = self
            .pending
            .as_deref()
            .map(serde_json::from_str)
            .transpose();
        Ok(StoredGame {
            id: (self.id.parse()).map_err(|error: uuid::Error| damaged("id", error.to_string()))?,
            edition: self.edition,
            board: self.board,
            status: Status::by_name(&self.status)
                .ok_or_else(|| damaged("status", format!("{:?}", self.status)))?,
            setup: self.setup,
            seed: self.seed,
            seed_known: self.seed_known == 1,
            seq: u64::try_from(self.seq).map_err(|error| damaged("seq", error.to_string()))?,
            created_at: self.created_at,
            updated_at: self.updated_at,
            result: result.map_err(|error| damaged("result", error.to_string()))?,
            rated: self.rated == 1,
            league: self.league,
            source: self.source.parse().unwrap_or(Source::Service),
            organizer: self.organizer,
            organizer_account: (self
                .organizer_account
                .as_deref()
                .map(str::parse)
                .transpose())
            .map_err(|error: uuid::Error| damaged("organizer_account", error.to_string()))?,
            automatic: self.bot_due == 1,
            due_at: self.due_at,
            // Another table has them.
            pauses: Vec::new(),
            number: self.number,
            hash: self.hash,
            signature: (signature.transpose())
                .map_err(|error| damaged("signature", error.to_string()))?,
            version: self.version,
            visibility: Visibility::by_name(&self.visibility)
                .ok_or_else(|| damaged("visibility", format!("{:?}", self.visibility)))?,
            claims: Claims::by_name(&self.claims)
                .ok_or_else(|| damaged("claims", format!("{:?}", self.claims)))?,
            waiting_for: self.waiting_for,
            pending: (pending.map_err(|error| damaged("pending", error.to_string()))?)
                .unwrap_or_default(),
            // An invalid id counts as none.
            rematch: self.rematch.and_then(|id| id.parse().ok()),
            texts_hidden: self.texts_hidden == 1,
            chat_off: false,
            last_message: 0,
            bidding: None,
        })
    }
}

impl GameChanges {
    /// Returns the changes of a step whose last event is at `end` of the log of all games.
    pub fn from_game(game: &StoredGame, end: i64, version: i64) -> GameChanges {
        GameChanges {
            status: game.status.name().to_owned(),
            seq: game.seq as i64,
            updated_at: game.updated_at,
            result: game.result.as_ref().and_then(json),
            signature: game.signature.as_ref().and_then(json),
            bot_due: i64::from(game.automatic),
            hash: game.hash.clone(),
            version,
            finished_position: (game.status == Status::Finished).then_some(end),
            recorded_at: (game.status == Status::Finished)
                .then(|| Timestamp::now().as_microsecond()),
            due_at: Some(game.due_at),
            organizer: Some(game.organizer.clone()),
            organizer_account: Some(game.organizer_account.map(|id| id.to_string())),
            pending: Some(json(&game.pending).filter(|_| !game.pending.is_empty())),
            waiting_for: Some(game.waiting_for.clone()),
        }
    }
}

/// A row of `seats`.
#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = seats, treat_none_as_null = true, primary_key(game_id, seat))]
pub struct SeatRow {
    game_id: String,
    seat: i64,
    kind: String,
    player_id: Option<String>,
    name: Option<String>,
    token: Option<String>,
    orders: String,
    consent: Option<String>,
    invited: Option<String>,
    former: Option<String>,
}

impl SeatRow {
    /// Creates the row of a seat.
    pub fn new(game: Uuid, seat: &Seat) -> SeatRow {
        let (kind, player_id, name) = match seat.player.clone() {
            Player::Bot { name } => ("bot", None, Some(name)),
            Player::Person { id, name } => ("person", Some(id), name),
            Player::Open => ("open", None, None),
        };
        SeatRow {
            game_id: game.to_string(),
            seat: i64::from(seat.number),
            kind: kind.to_owned(),
            player_id,
            name,
            token: seat.token.clone(),
            orders: seat.orders.clone(),
            consent: (seat.consent).map(|consent| consent.text()),
            invited: seat.invited.map(|id| id.to_string()),
            former: seat.former.map(|id| id.to_string()),
        }
    }

    /// Returns the stored id of the game.
    pub fn game_id(&self) -> &str {
        &self.game_id
    }

    /// Converts the row to a seat.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if a column has an invalid value.
    pub fn seat(self) -> Result<Seat, StoreError> {
        let damaged = |message: String| StoreError::Damaged {
            id: self.game_id.clone(),
            message,
        };
        let player = match (self.kind.as_str(), self.name, self.player_id) {
            ("bot", Some(name), _) => Player::Bot { name },
            ("person", name, Some(id)) => Player::Person { id, name },
            ("open", _, _) => Player::Open,
            (kind, _, _) => {
                let message = format!("the {kind:?} player of seat {} cannot be read", self.seat);
                return Err(damaged(message));
            }
        };
        let consent = self.consent.as_deref().and_then(Consent::read);
        Ok(Seat {
            number: u8::try_from(self.seat).map_err(|error| damaged(error.to_string()))?,
            player,
            token: self.token,
            orders: self.orders,
            consent,
            // An invalid id counts as none.
            invited: self.invited.and_then(|id| id.parse().ok()),
            former: self.former.and_then(|id| id.parse().ok()),
            handle: None,
        })
    }
}

/// The stored bytes of an event's hash.
/// They suffice to find a changed event, because the whole hash follows from the events up to its own.
const HASH_BYTES: usize = 8;

/// The most rows of a run, so that its first row is near to all of them.
const RUN: i64 = 64;

/// A row of `events`. Rows of a game that were written together are a run.
/// The first row of a run has the position, the time and a part of the hash. The others follow it in the log of all
/// games and have the same time.
#[derive(Queryable, QueryableByName, Selectable, Insertable)]
#[diesel(table_name = events)]
pub struct EventColumns {
    game: i64,
    seq: i64,
    /// 0 except in the first row of a run.
    position: i64,
    turn: i64,
    /// The player who requested an undo; `None` in all other rows, whose player follows from the log.
    player: Option<String>,
    notation: String,
    digest: Vec<u8>,
    /// Empty except in the first row of a run. The digests cover the others.
    hash_start: Vec<u8>,
    /// 0 except in the first row of a run.
    at: i64,
}

/// The first row of a run, from which the positions of the others follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Queryable)]
pub struct Place {
    /// The number in the game's log.
    pub seq: i64,
    /// The position in the log of all games; 0 before any run.
    pub position: i64,
    /// When the row was recorded, in microseconds since 1970.
    pub at: i64,
}

/// The condition that a row of `events` is the first of a run.
/// The number is a literal, because a partial index cannot be used with a parameter.
pub fn starts_run() -> SqlLiteral<Bool> {
    sql("events.position > 0")
}

impl EventColumns {
    /// Creates the rows of a game's events that are written together, the first one at `position`.
    pub fn for_step(
        game: i64,
        position: i64,
        events: &[EventRow],
    ) -> Result<Vec<EventColumns>, StoreError> {
        // Digests and hashes are hexadecimal wherever they are created or checked.
        let bytes = |digits: &str| hex::decode(digits).unwrap_or_default();
        let mut run: Option<Place> = None;
        let mut rows = Vec::with_capacity(events.len());
        for (event, position) in events.iter().zip(position..) {
            let at: Result<Timestamp, _> = event.at.parse();
            let at = at.map_err(|error| StoreError::Damaged {
                id: format!("(no id: number {game})"),
                message: format!("event {}: {error}", event.seq),
            })?;
            let (seq, at) = (event.seq as i64, at.as_microsecond());
            // No digest covers the player who requested an undo, so the hash is stored.
            let is_undo = event.notation.starts_with("undo ");
            let player = event.player.clone().filter(|_| is_undo);
            let goes_on = |run: Place| run.at == at && seq < run.seq + RUN && player.is_none();
            let follows = run.is_some_and(goes_on);
            if !follows {
                run = Some(Place { seq, position, at });
            }
            let mut hash_start = Vec::new();
            if !follows {
                hash_start = bytes(&event.hash);
                hash_start.truncate(HASH_BYTES);
            }
            rows.push(EventColumns {
                game,
                seq,
                position: if follows { 0 } else { position },
                turn: i64::from(event.turn),
                player,
                notation: event.notation.clone(),
                digest: bytes(&event.digest),
                hash_start,
                at: if follows { 0 } else { at },
            });
        }
        Ok(rows)
    }

    /// Returns the primary key: the numbers of the game and of the event.
    pub fn key(&self) -> (i64, i64) {
        (self.game, self.seq)
    }

    /// Returns true if the row is the first of a run.
    pub fn starts_run(&self) -> bool {
        self.position > 0
    }

    /// Converts the row to an event.
    /// `place` is the first row of its run, and is updated if this row is one.
    pub fn row(self, place: &mut Place) -> LogRow {
        if self.starts_run() {
            *place = Place {
                seq: self.seq,
                position: self.position,
                at: self.at,
            };
        }
        // Without a run, rows are missing.
        let offset = if place.position > 0 {
            self.seq - place.seq
        } else {
            0
        };
        let at = if self.at == 0 { place.at } else { self.at };
        LogRow {
            position: (place.position + offset) as u64,
            row: EventRow {
                seq: self.seq as u64,
                turn: self.turn as u32,
                player: self.player,
                nation: None,
                notation: self.notation,
                digest: hex::encode(self.digest),
                at: time_text(at),
                hash: hex::encode(self.hash_start),
            },
        }
    }
}

/// Converts the rows of one game, in order. `place` is the first row of the run of the first one.
pub fn log_rows(rows: Vec<EventColumns>, mut place: Place) -> Vec<LogRow> {
    rows.into_iter()
        .map(|columns| columns.row(&mut place))
        .collect()
}
