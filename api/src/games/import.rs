//! Records of finished games into the store: the log of events is built anew from the actions, or
//! taken over where the record carries it.

use engine::content::Library;
use engine::forms::digest_text;
use engine::play::Game;
use engine::record::{EventRow, Player, Record, Setup, SetupSeat, public_setup};
use engine::state::State;
use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Games;
use super::bodies::Status;
use crate::store::{Append, GameRow, SeatRow, StoreError, StoredEvent};

/// A record that cannot be taken in.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It does not replay, or its chain of hashes is broken.
    #[error(transparent)]
    Replay(#[from] engine::record::ReplayError),
    /// Its game goes on.
    #[error("the game is not over")]
    NotOver,
    /// Its id is not one.
    #[error("the id {0:?} is no UUID")]
    Id(String),
    /// A moment in it cannot be read.
    #[error("{0:?} is no time in UTC as RFC 3339 gives it, such as 2026-11-20T18:00:00Z")]
    Time(String),
    /// It cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The store fails, or has a game with this id.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Games {
    /// Takes in the record of a finished game that was played elsewhere, and returns its id.
    ///
    /// # Errors
    /// As [`append_of`]; [`StoreError::Conflict`] when a game with this id is there already; when
    /// the store fails. Nothing is stored then.
    pub fn import(&self, record: &Record) -> Result<Uuid, ImportError> {
        let mut append = append_of(record, &self.library)?;
        let id = append.game.id.parse();
        let seats = append.seats.clone();
        self.sign_finished(&mut append, &seats);
        self.store.append(append)?;
        id.map_err(|_| ImportError::Id(record.id.clone()))
    }
}

/// What the store takes in for a finished game's record, verified.
///
/// # Errors
/// When the record does not verify, its game goes on, or its id or time cannot be read.
pub fn append_of(record: &Record, library: &Library) -> Result<Append, ImportError> {
    record.verify(library)?;
    let Some(result) = &record.result else {
        return Err(ImportError::NotOver);
    };
    let id: Uuid = record
        .id
        .parse()
        .map_err(|_| ImportError::Id(record.id.clone()))?;
    let id = id.to_string();
    let played_at = micros(&record.played_at)?;
    let spelled = (record.setup)
        .spelled_out(library)
        .map_err(engine::record::ReplayError::Setup)?;
    let (game, first) = record
        .setup
        .start(library)
        .map_err(engine::record::ReplayError::Setup)?;
    let setup = serde_json::to_string(&public_setup(&spelled)?)?;
    let rows = match &record.events {
        Some(rows) => rows.clone(),
        None => rows_of(record, &game, first, &setup)?,
    };
    // A log that was taken over tells its own setup, with the players of the beginning.
    let setup = rows.first().map_or(setup, |row| row.notation.clone());
    let setup = with_decks(setup, &record.setup)?;
    let events = rows
        .into_iter()
        .map(|row| stored(&id, row))
        .collect::<Result<Vec<_>, _>>()?;
    let created_at = events.first().map_or(played_at, |row| row.at);
    let updated_at = events.last().map_or(played_at, |row| row.at);
    let seats = spelled.seats.iter().zip(0..);
    Ok(Append {
        game: GameRow {
            edition: record.setup.edition.clone(),
            board: record.setup.board.clone(),
            status: Status::Finished.name().to_owned(),
            setup,
            seed: record.setup.seed.clone(),
            seed_known: 1,
            seq: events.len() as i64 - 1,
            created_at,
            updated_at,
            result: Some(serde_json::to_string(result)?),
            rated: i64::from(record.rated),
            league: record.league.clone(),
            source: record.source.to_string(),
            organizer: None,
            bot_due: 0,
            number: 0,
            hash: (events.last()).map_or_else(String::new, |row| row.hash.clone()),
            signature: None,
            id: id.clone(),
        },
        after: None,
        seats: seats
            .map(|(seat, number)| seat_row(&id, number, &seat.player))
            .collect(),
        events,
        idempotency: None,
    })
}

/// A setup as it is stored: with the decks that the record spells out, for they need not come from
/// its seed when the cards were shuffled at a table. Row 0 of the log is without them, as that of
/// any game; the digests of the states bind them.
fn with_decks(told: String, setup: &Setup) -> Result<String, serde_json::Error> {
    if setup.deck.is_none() && setup.reshuffles.is_empty() {
        return Ok(told);
    }
    let mut value: Value = serde_json::from_str(&told)?;
    if let Value::Object(fields) = &mut value {
        if let Some(deck) = &setup.deck {
            fields.insert("deck".to_owned(), json!(deck));
        }
        fields.insert("reshuffles".to_owned(), json!(setup.reshuffles));
    }
    Ok(value.to_string())
}

fn micros(time: &str) -> Result<i64, ImportError> {
    let parsed: Result<Timestamp, _> = time.parse();
    let moment = parsed.map_err(|_| ImportError::Time(time.to_owned()))?;
    Ok(moment.as_microsecond())
}

fn stored(id: &str, row: EventRow) -> Result<StoredEvent, ImportError> {
    let at = micros(&row.at)?;
    // Its hash is over the text, which is made again from the number.
    if super::log::time_text(at) != row.at {
        return Err(ImportError::Time(row.at));
    }
    Ok(StoredEvent {
        game_id: id.to_owned(),
        seq: row.seq as i64,
        position: 0,
        turn: i64::from(row.turn),
        at,
        player: row.player,
        nation: row.nation,
        notation: row.notation,
        digest: row.digest,
        hash: row.hash,
    })
}

fn seat_row(id: &str, number: i64, player: &Player) -> SeatRow {
    let (kind, player_id, name) = match player {
        Player::Bot { name } => ("bot", None, Some(name.clone())),
        Player::Person { id, name } => ("person", Some(id.clone()), name.clone()),
        Player::Open => ("open", None, None),
    };
    SeatRow {
        game_id: id.to_owned(),
        seat: number,
        kind: kind.to_owned(),
        player_id,
        name,
        token: None,
        orders: "[]".to_owned(),
        consent: None,
    }
}

/// The log that the actions of a record make. A run of undone actions is applied and then undone by
/// an event, as it was when it was played.
fn rows_of(
    record: &Record,
    game: &Game,
    first: State,
    setup: &str,
) -> Result<Vec<EventRow>, ImportError> {
    let mut log = Log {
        game,
        seats: &record.setup.seats,
        at: micros(&record.played_at).map(super::log::time_text)?,
        rows: Vec::with_capacity(record.actions.len() + 1),
        state: first,
    };
    log.push(None, None, log.state.turn, setup.to_owned());
    // Where the run of undone actions began, and the state there.
    let mut base: Option<(usize, State)> = None;
    for text in &record.actions {
        let undone = text.strip_prefix('-');
        if undone.is_some() && base.is_none() {
            base = Some((log.rows.len() - 1, log.state.clone()));
        }
        if let Some((seq, state)) = base.take_if(|_| undone.is_none()) {
            log.undo(seq, state);
        }
        let done = log.act(undone.unwrap_or(text));
        if let (false, Some((seq, state))) = (done, &base) {
            // An undone action that does not follow the one before it was tried in its place.
            let (seq, state) = (*seq, state.clone());
            log.undo(seq, state);
            log.act(undone.unwrap_or(text));
        }
    }
    if let Some((seq, state)) = base {
        log.undo(seq, state);
    }
    if let Some(result) = record
        .result
        .as_ref()
        .filter(|_| log.state.outcome.is_none())
    {
        let result = serde_json::to_string(result)?;
        log.push(None, None, log.state.turn, format!("adjudicate {result}"));
    }
    Ok(log.rows)
}

struct Log<'a> {
    game: &'a Game,
    seats: &'a [SetupSeat],
    at: String,
    rows: Vec<EventRow>,
    state: State,
}

impl Log<'_> {
    fn push(
        &mut self,
        player: Option<String>,
        nation: Option<String>,
        turn: u32,
        notation: String,
    ) {
        let previous = self.rows.last().map(|row| row.hash.as_str());
        let row = EventRow {
            seq: self.rows.len() as u64,
            turn,
            player,
            nation,
            notation,
            digest: digest_text(self.state.digest()),
            at: self.at.clone(),
            hash: String::new(),
        };
        let row = row.chained(previous);
        self.rows.push(row);
    }

    /// Applies an action and logs it; says whether it was legal. Those that were not undone have
    /// been verified before.
    fn act(&mut self, text: &str) -> bool {
        let Ok((named, action)) = self.game.parse(text) else {
            return false;
        };
        let acts = self.game.pending(&self.state).map(|pending| pending.nation);
        let nation = named.or(acts).unwrap_or(self.state.to_move);
        let turn = self.state.turn;
        let mut effects = Vec::new();
        if self
            .game
            .apply(&mut self.state, nation, action, &mut effects)
            .is_err()
        {
            return false;
        }
        let seat = usize::from(self.game.seat_of(nation));
        let player = self.seats[seat].player.actor();
        let player = player.map(str::to_owned);
        let name = self.game.nation_name(nation).to_owned();
        self.push(player, Some(name), turn, text.to_owned());
        true
    }

    fn undo(&mut self, seq: usize, state: State) {
        self.state = state;
        self.push(None, None, self.state.turn, format!("undo {seq}"));
    }
}
