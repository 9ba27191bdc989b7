//! Reading: lists, logs, old positions, records.

use engine::content::Library;
use engine::forms::View;
use engine::record::{RECORD_FORMAT, Record, ReplayError, Source};
use uuid::Uuid;

use super::bodies::{EventBody, GameSummary, Moment, Status};
use super::log::{self, event_row, time_text};
use super::table::{self, Table};
use super::{GameError, Games};
use crate::store::{GameFilter, GameRow, SeatRow, StoredEvent};

/// A part of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<T> {
    /// The entries.
    pub items: Vec<T>,
    /// Where the next part begins; `None` at the end.
    pub next: Option<String>,
}

/// A game's record. While its seed is secret the record's `setup.seed` is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The record.
    pub record: Record,
    /// SHA-256 of the seed, where the seed itself is still secret.
    pub seed_commitment: Option<String>,
    /// The last event that it tells.
    pub seq: u64,
}

impl Games {
    /// Games that fit a filter, newest first, those older than `before`.
    ///
    /// # Errors
    /// When the store fails.
    pub fn list(
        &self,
        filter: &GameFilter,
        before: Option<&str>,
        limit: usize,
    ) -> Result<Page<GameSummary>, GameError> {
        let mut found = self.store.games(filter, before, limit as i64 + 1)?;
        let more = found.len() > limit;
        found.truncate(limit);
        let next = found.last().filter(|_| more).map(|(row, _)| row.id.clone());
        let items = found.iter().map(|(row, seats)| table::summary(row, seats));
        Ok(Page {
            items: items.collect::<Result<_, _>>()?,
            next,
        })
    }

    /// How many games fit a filter.
    ///
    /// # Errors
    /// When the store fails.
    pub fn count(&self, filter: &GameFilter) -> Result<u64, GameError> {
        Ok(self.store.count_games(filter)? as u64)
    }

    /// The events of a game behind `after`, all of them for `None`, at most `limit`.
    ///
    /// # Errors
    /// When there is no such game, or the store fails.
    pub fn events(
        &self,
        id: Uuid,
        after: Option<u64>,
        limit: usize,
    ) -> Result<Vec<EventBody>, GameError> {
        let table = self.table(id)?;
        let from = after.map_or(0, |after| after.saturating_add(1));
        if from > table.seq() {
            return Ok(Vec::new());
        }
        let last = from.saturating_add(limit as u64 - 1).min(table.seq());
        let rows = self.log(&table.row.id, Some(last as i64))?;
        self.tell(&table, &rows, from as usize)
    }

    fn tell(
        &self,
        table: &Table,
        rows: &[StoredEvent],
        from: usize,
    ) -> Result<Vec<EventBody>, GameError> {
        let (game, first) = table::start(&table.row, &self.library)?;
        log::events(table.id, &game, &first, rows, from)
    }

    /// Events of all games behind a position of the log of all games, at most `limit`.
    ///
    /// # Errors
    /// When the store fails.
    pub fn all_events(&self, after: u64, limit: usize) -> Result<Vec<EventBody>, GameError> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let mut rows = self.store.events_after(after, limit as i64)?;
        rows.sort_by(|a, b| (&a.game_id, a.seq).cmp(&(&b.game_id, b.seq)));
        let mut events = Vec::with_capacity(rows.len());
        for part in rows.chunk_by(|a, b| a.game_id == b.game_id) {
            let id = part[0].game_id.parse().map_err(|_| GameError::Damaged {
                id: part[0].game_id.clone(),
                message: "its id is no UUID".to_owned(),
            })?;
            // What followed from an event is known by playing the game up to it.
            let last = part[part.len() - 1].seq;
            let rows = self.log(&part[0].game_id, Some(last))?;
            let (row, _) = self
                .store
                .game(&part[0].game_id)?
                .ok_or_else(|| GameError::NotFound(format!("game {id}")))?;
            let (game, first) = table::start(&row, &self.library)?;
            let from = part[0].seq as usize;
            events.extend(log::events(id, &game, &first, &rows, from)?);
        }
        events.sort_by_key(|event| event.position);
        Ok(events)
    }

    /// The position after an event.
    ///
    /// # Errors
    /// When there is no such game or event, or the store fails.
    pub fn position(&self, id: Uuid, seq: u64) -> Result<Moment, GameError> {
        let table = self.table(id)?;
        if seq > table.seq() {
            let what = format!("event {seq}; the last is {}", table.seq());
            return Err(GameError::NotFound(what));
        }
        let rows = self.log(&table.row.id, Some(seq as i64))?;
        let (game, first) = table::start(&table.row, &self.library)?;
        let state = log::fold(&game, &first, &rows)?.into_state();
        Ok(Moment {
            game: id,
            seq,
            pending: game.questions(&state),
            state: View::from_state(&game, &state),
        })
    }

    /// The record of a game, with its event log when that is asked for. It is put together as it is
    /// stored: [`Record::verify`] finds what is damaged. When the game is over, its setup spells
    /// out the decks of event cards.
    ///
    /// # Errors
    /// When there is no such game, the store fails, or what is stored cannot be read.
    pub fn record(&self, id: Uuid, with_events: bool) -> Result<GameRecord, GameError> {
        let mut found = self.stored_record(id, with_events)?;
        if found.seed_commitment.is_some() {
            found.record.setup.seed.clear();
        }
        Ok(found)
    }

    /// As [`Games::record`], with the event log also where nothing else proves the result: that of a
    /// game that people ended.
    ///
    /// # Errors
    /// As [`Games::record`].
    pub fn proven_record(&self, id: Uuid, with_events: bool) -> Result<Record, GameError> {
        let record = self.record(id, with_events)?.record;
        let result = record.result.as_ref();
        match result.is_some_and(|result| result.reason.is_decision()) && !with_events {
            true => Ok(self.record(id, true)?.record),
            false => Ok(record),
        }
    }

    /// The record of a game as text, and what it was made of; its seed may be secret.
    ///
    /// # Errors
    /// When there is no such game, the store fails, or what is stored cannot be read.
    pub fn record_text(&self, id: Uuid) -> Result<(String, GameRecord), GameError> {
        let found = self.stored_record(id, false)?;
        let text = match found.seed_commitment {
            None => found.record.to_text(&self.library),
            Some(_) => found.record.to_text_without_seed(&self.library),
        };
        let damaged = |error: ReplayError| GameError::Damaged {
            id: id.to_string(),
            message: error.to_string(),
        };
        Ok((text.map_err(damaged)?, found))
    }

    /// A game's record with its seed, secret or not.
    fn stored_record(&self, id: Uuid, with_events: bool) -> Result<GameRecord, GameError> {
        let stored = self.store.game(&id.to_string())?;
        let (row, seats) = stored.ok_or_else(|| GameError::NotFound(format!("game {id}")))?;
        let mut rows = self.log(&row.id, Some(row.seq))?;
        // The whole hash of the last event is stored, not found anew.
        if let Some(last) = rows.last_mut() {
            last.hash.clone_from(&row.hash);
        }
        let record = record_of(&row, &seats, &rows, with_events, &self.library)?;
        let secret = row.seed_known == 0 && !is_over(&row);
        Ok(GameRecord {
            seed_commitment: secret.then(|| engine::chance::seed_commitment(&record.setup.seed)),
            record,
            seq: row.seq as u64,
        })
    }
}

fn is_over(row: &GameRow) -> bool {
    Status::by_name(&row.status).is_some_and(Status::is_over)
}

/// The record of a stored game with its seed, secret or not; `rows` are its log with whole hashes.
///
/// # Errors
/// When what is stored cannot be read.
pub fn record_of(
    row: &GameRow,
    seats: &[SeatRow],
    rows: &[StoredEvent],
    with_events: bool,
    library: &Library,
) -> Result<Record, GameError> {
    let damaged = |message: String| GameError::Damaged {
        id: row.id.clone(),
        message,
    };
    let unreadable = |error: serde_json::Error| damaged(error.to_string());
    let last = rows
        .last()
        .ok_or_else(|| damaged("it has no events".to_owned()))?;
    let mut setup = table::stored_setup(row).map_err(unreadable)?;
    for (seat, row) in setup.seats.iter_mut().zip(seats) {
        seat.player = table::player(row);
    }
    let result = row.result.as_deref().map(serde_json::from_str).transpose();
    let signature = row.signature.as_deref().map(serde_json::from_str);
    let mut record = Record {
        format: RECORD_FORMAT.to_owned(),
        id: row.id.clone(),
        setup,
        actions: log::actions(rows),
        events: with_events.then(|| rows.iter().map(event_row).collect()),
        result: result.map_err(unreadable)?,
        digest: last.digest.clone(),
        played_at: time_text(row.updated_at),
        source: row.source.parse().unwrap_or(Source::Service),
        rated: row.rated == 1,
        league: row.league.clone(),
        signature: signature.transpose().map_err(unreadable)?,
    };
    if is_over(row) {
        // A damaged game is told as it is stored.
        let _ = record.spell_out(library);
    }
    Ok(record)
}
