//! Records of games, and which games have finished.

use std::sync::Arc;

use engine::content::Library;
use jiff::Timestamp;
use records::{Entry, RECORD_FORMAT, Record, ReplayError};
use uuid::Uuid;

use crate::db::Store;
use crate::db::time::{time_text, timestamp};
use crate::games::log::{self, Reading, WHOLE_HASH};
use crate::games::model::{LogRow, Seat, StoredGame, Visibility};
use crate::games::setup::stored_setup;
use crate::http::error::ServiceError;

/// A game's record. If its seed is secret, `setup.seed` is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The record.
    pub record: Record,
    /// SHA-256 of the seed, if the seed is secret.
    pub seed_commitment: Option<String>,
    /// The number of the last event.
    pub seq: u64,
}

/// Reads the records of games from the store.
#[derive(Debug)]
pub struct GameRecords {
    pub(in crate::games) store: Arc<Store>,
    pub(in crate::games) library: Arc<Library>,
}

impl GameRecords {
    /// Creates the reader of a store's records.
    pub fn new(store: Arc<Store>, library: Arc<Library>) -> GameRecords {
        GameRecords { store, library }
    }

    /// Returns the end of the log of all games; 0 if it is empty.
    pub fn last_position(&self) -> Result<i64, ServiceError> {
        Ok(self.store.last_position()?)
    }

    /// Returns finished games after a position of the log of all games, in order, at most `limit`.
    /// Only games with some visibilities are included. Each has its stored id (see
    /// [`known_id`](crate::games::model::known_id)) and the position of its last event.
    pub fn finished_after(
        &self,
        position: i64,
        limit: usize,
        shown: &[Visibility],
    ) -> Result<Vec<(String, i64)>, ServiceError> {
        Ok((self.store).finished_after(position, limit as i64, shown)?)
    }

    /// Returns the position of the last event of a finished public game; `None` if there is no such game.
    pub fn finished_at(&self, id: Uuid) -> Result<Option<i64>, ServiceError> {
        Ok(self.store.finished_at(id)?)
    }

    /// Returns when a finished game was recorded (at its last event or its import), and who may see it.
    pub fn recorded(&self, id: Uuid) -> Result<(Timestamp, Visibility), ServiceError> {
        let recorded = self.store.recorded(id)?;
        let recorded = recorded.ok_or_else(|| ServiceError::NotFound(format!("game {id}")));
        recorded.map(|(at, visibility)| (timestamp(at), visibility))
    }

    /// Checks that no administrator has hidden the texts of a game.
    /// Records contain the texts, and signatures cover them.
    ///
    /// # Errors
    /// [`ServiceError::TextsHidden`], or the error of the store.
    pub fn check_texts_shown(&self, id: Uuid) -> Result<(), ServiceError> {
        match self.store.games_with_hidden_texts([id])?.is_empty() {
            true => Ok(()),
            false => Err(ServiceError::TextsHidden),
        }
    }

    /// Returns the record of a game, optionally with its log of events.
    /// When the game is over, its setup includes the decks of event cards.
    ///
    /// # Errors
    /// [`ServiceError::Damaged`] if the stored game does not match its log, [`ServiceError::NotFound`], or the error
    /// of the store.
    pub fn record(&self, id: Uuid, with_events: bool) -> Result<GameRecord, ServiceError> {
        let mut found = self.stored_record(id, |_| with_events)?;
        if found.seed_commitment.is_some() {
            found.record.setup.seed.clear();
        }
        Ok(found)
    }

    /// Returns the record of a game like [`GameRecords::record`].
    /// The log of events is always included if people decided the result, because only the log proves such a result.
    ///
    /// # Errors
    /// Those of [`GameRecords::record`].
    pub fn proven_record(&self, id: Uuid, with_events: bool) -> Result<Record, ServiceError> {
        self.proven(id, |_| with_events)
    }

    fn proven(
        &self,
        id: Uuid,
        with_events: impl Fn(&StoredGame) -> bool,
    ) -> Result<Record, ServiceError> {
        let by_people = |stored: &StoredGame| {
            let result = stored.result.as_ref();
            result.is_some_and(|result| result.reason.is_decision())
        };
        let mut found =
            self.stored_record(id, |stored| with_events(stored) || by_people(stored))?;
        if found.seed_commitment.is_some() {
            found.record.setup.seed.clear();
        }
        Ok(found.record)
    }

    /// Returns the record of a game like [`GameRecords::proven_record`], also with the log if the game is rated: only the
    /// log names the players at its start.
    ///
    /// # Errors
    /// Those of [`GameRecords::record`].
    pub fn rated_record(&self, id: Uuid) -> Result<Record, ServiceError> {
        self.proven(id, |stored| stored.rated)
    }

    /// Returns the record of a game in notation, and its source. Its seed may be secret.
    ///
    /// # Errors
    /// Those of [`GameRecords::record`].
    pub fn record_text(&self, id: Uuid) -> Result<(String, GameRecord), ServiceError> {
        let found = self.stored_record(id, |_| false)?;
        let text = match found.seed_commitment {
            None => found.record.to_text(&self.library),
            Some(_) => found.record.to_text_without_seed(&self.library),
        };
        let damaged = |error: ReplayError| ServiceError::damaged(id, error);
        Ok((text.map_err(damaged)?, found))
    }

    /// Reads a game's record with its seed, secret or not, and checks every row.
    fn stored_record(
        &self,
        id: Uuid,
        with_events: impl Fn(&StoredGame) -> bool,
    ) -> Result<GameRecord, ServiceError> {
        let stored = self.store.game(id)?;
        let (stored, seats) = stored.ok_or_else(|| ServiceError::NotFound(format!("game {id}")))?;
        let mut reading = Reading::begin(&stored, &self.library)?;
        let rows = self.store.events(id, Some(stored.seq))?.into_iter();
        let rows: Vec<LogRow> = rows
            .map(|row| reading.complete(row))
            .collect::<Result<_, ServiceError>>()?;
        reading.check_end(&stored, &seats)?;
        check_rows(&stored, &rows)?;
        let record = build_record(&stored, &seats, &rows, with_events(&stored), &self.library)?;
        let secret = !stored.seed_known && !stored.status.is_over();
        Ok(GameRecord {
            seed_commitment: secret.then(|| engine::chance::seed_commitment(&record.setup.seed)),
            record,
            seq: stored.seq,
        })
    }
}

/// Checks the parts of a game's rows that neither their fold nor the last hash covers.
fn check_rows(stored: &StoredGame, rows: &[LogRow]) -> Result<(), ServiceError> {
    let damaged = |message: String| ServiceError::damaged(stored.id, message);
    if let Some(event) = rows.iter().find(|event| event.row.hash.len() != WHOLE_HASH) {
        let message = "its hash does not follow from the events before it";
        return Err(damaged(format!("event {}: {message}", event.row.seq)));
    }
    let setup = stored_setup(stored).map_err(|error| damaged(error.to_string()))?;
    let setup_entry = rows.first().map(|first| first.row.notation.parse());
    if !matches!(setup_entry, Some(Ok(Entry::Setup(entry))) if entry.matches(&setup)) {
        return Err(damaged(
            "event 0 has another setup than the game".to_owned(),
        ));
    }
    let ended = rows.last().map(|last| last.row.at.clone());
    if ended != Some(time_text(stored.updated_at)) {
        return Err(damaged(
            "its last event has another time than the game".to_owned(),
        ));
    }
    let signature = stored.signature.as_ref();
    if signature.is_some_and(|one| (one.seq, &one.hash) != (stored.seq, &stored.hash)) {
        return Err(damaged("its signature belongs to another log".to_owned()));
    }
    Ok(())
}

/// Builds the record of a stored game with its seed, secret or not.
/// `rows` are its log. If the record includes them, they must be complete.
pub fn build_record(
    stored: &StoredGame,
    seats: &[Seat],
    rows: &[LogRow],
    with_events: bool,
    library: &Library,
) -> Result<Record, ServiceError> {
    let damaged = |message: String| ServiceError::damaged(stored.id, message);
    let last = rows
        .last()
        .ok_or_else(|| damaged("the game has no events".to_owned()))?;
    let mut setup = stored_setup(stored).map_err(|error| damaged(error.to_string()))?;
    for (seat, seated) in setup.seats.iter_mut().zip(seats) {
        seat.player = seated.player.clone();
    }
    let mut record = Record {
        format: RECORD_FORMAT.to_owned(),
        id: stored.id.to_string(),
        setup,
        actions: log::actions(rows),
        events: with_events.then(|| rows.iter().map(|event| event.row.clone()).collect()),
        result: stored.result.clone(),
        digest: last.row.digest.clone(),
        played_at: time_text(stored.updated_at),
        source: stored.source,
        rated: stored.rated,
        league: stored.league.clone(),
        signature: stored.signature.clone(),
    };
    if stored.status.is_over() {
        // If this fails, the game is damaged, and its record stays as stored.
        let _ = record.spell_out(library);
    }
    Ok(record)
}
