//! Records of finished games into the store: the log of events is built anew from the actions, or
//! taken over where the record carries it.

use engine::content::Library;
use engine::play::Game;
use engine::record::{Decision, Entry, EventRow, Fault, Fold, PublicSetup, Record, Setup};
use engine::state::State;
use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Games;
use super::bodies::Status;
use crate::store::{Append, Seat, StoreError, StoredGame, time_text};

/// A record that cannot be taken in.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It does not replay, or its chain of hashes is broken.
    #[error(transparent)]
    Replay(#[from] engine::record::ReplayError),
    /// Its game goes on.
    #[error("the game is not over")]
    NotOver,
    /// Its actions make no log.
    #[error("its log cannot be written: {0}")]
    Log(#[from] Fault),
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
        let id = append.game.id;
        let seats = append.seats.clone();
        self.sign_finished(&mut append, &seats);
        self.store.append(append)?;
        Ok(id)
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
    let played_at = micros(&record.played_at)?;
    let spelled = (record.setup)
        .spelled_out(library)
        .map_err(engine::record::ReplayError::Setup)?;
    let (game, first) = record
        .start(library)
        .map_err(engine::record::ReplayError::Setup)?;
    let rows = match &record.events {
        Some(rows) => rows.clone(),
        None => {
            let setup = Entry::Setup(Box::new(PublicSetup::of(&spelled)));
            rows_of(record, game, first, setup, &time_text(played_at))?
        }
    };
    // A log that was taken over tells its own setup, with the players of the beginning.
    let setup = rows
        .first()
        .map_or(String::new(), |row| row.notation.clone());
    let setup = match record.decks_come_from_seed() {
        true => setup,
        false => with_decks(setup, &record.setup)?,
    };
    let times = rows.iter().map(recorded_at);
    let times = times.collect::<Result<Vec<i64>, _>>()?;
    let last = rows.last();
    let seats = spelled.seats.iter().zip(0..);
    Ok(Append {
        game: StoredGame {
            id,
            edition: record.setup.edition.clone(),
            board: record.setup.board.clone(),
            status: Status::Finished,
            setup,
            seed: record.setup.seed.clone(),
            seed_known: true,
            seq: last.map_or(0, |row| row.seq),
            created_at: times.first().copied().unwrap_or(played_at),
            updated_at: times.last().copied().unwrap_or(played_at),
            result: Some(result.clone()),
            rated: record.rated,
            league: record.league.clone(),
            source: record.source,
            organizer: None,
            automatic: false,
            number: 0,
            hash: last.map_or_else(String::new, |row| row.hash.clone()),
            signature: None,
            version: 0,
        },
        seats: seats
            .map(|(seat, number)| Seat::new(number, seat.player.clone(), None))
            .collect(),
        events: rows,
        answer: None,
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

/// When a row was recorded, in microseconds since 1970.
fn recorded_at(row: &EventRow) -> Result<i64, ImportError> {
    let at = micros(&row.at)?;
    // Its hash is over the text, which is made again from the number.
    if time_text(at) != row.at {
        return Err(ImportError::Time(row.at.clone()));
    }
    Ok(at)
}

/// The log that the actions of a record make. A run of undone actions is applied and then undone by
/// an event, as it was when it was played; one that cannot have been played is left out.
fn rows_of(
    record: &Record,
    game: Game,
    first: State,
    setup: Entry,
    at: &str,
) -> Result<Vec<EventRow>, Fault> {
    let mut log = Log {
        fold: Fold::new(game.into(), first),
        at,
        rows: Vec::with_capacity(record.actions.len() + 1),
    };
    log.write(&setup)?;
    // Where the run of undone actions began.
    let mut base: Option<u64> = None;
    for text in &record.actions {
        let Some(undone) = text.strip_prefix('-') else {
            log.go_back(base.take())?;
            log.write(&Entry::Action(text.clone()))?;
            continue;
        };
        let base = *base.get_or_insert(log.rows.len() as u64 - 1);
        let done = log.try_out(undone);
        if !done {
            // An undone action that does not follow the one before it was tried in its place.
            log.go_back(Some(base))?;
            log.try_out(undone);
        }
    }
    log.go_back(base)?;
    if let Some(result) = record
        .result
        .as_ref()
        .filter(|_| log.fold.result().is_none())
    {
        // Nobody here decided so: the record says it.
        log.write(&Entry::Adjudicate(Box::new(Decision {
            result: result.clone(),
            note: None,
            declared: true,
        })))?;
    }
    Ok(log.rows)
}

/// A log that is written for a record without one.
struct Log<'a> {
    fold: Fold,
    at: &'a str,
    rows: Vec<EventRow>,
}

impl Log<'_> {
    fn write(&mut self, entry: &Entry) -> Result<(), Fault> {
        self.rows.push(self.fold.write(entry, None, self.at)?);
        Ok(())
    }

    /// Applies and logs an action that was undone later; says whether it could be played. One that
    /// ends the game could not be undone.
    fn try_out(&mut self, text: &str) -> bool {
        let game = self.fold.game();
        let mut state = self.fold.state().clone();
        let Ok((nation, action)) = game.read(&state, text) else {
            return false;
        };
        let applied = game.apply(&mut state, nation, action, &mut Vec::new());
        let goes_on = applied.is_ok() && state.outcome.is_none();
        goes_on && self.write(&Entry::Action(text.to_owned())).is_ok()
    }

    fn go_back(&mut self, to: Option<u64>) -> Result<(), Fault> {
        match to.filter(|to| to + 1 < self.rows.len() as u64) {
            Some(to) => self.write(&Entry::Undo(to)),
            None => Ok(()),
        }
    }
}
