//! Caches readings of logs, so that reading the middle or the end of a log does not replay all of it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::content::Library;
use moka::sync::Cache;
use uuid::Uuid;

use crate::db::Store;
use crate::games::bodies::EventBody;
use crate::games::live::IDLE;
use crate::games::log::{Reading, hide_event_texts, stored_event};
use crate::games::model::LogRow;
use crate::games::queries::log::{LogFilter, LoggedEvent};
use crate::http::error::ServiceError;

/// The most memory of all histories, in bytes. A game of a thousand events takes about 70 KiB.
const MOST_BYTES: u64 = 96 << 20;

/// The number of rows between two checkpoints of a history, at first.
const SPACING: u64 = 512;

/// The most checkpoints of a history. Beyond it, every second one is dropped.
const MAX_CHECKPOINTS: usize = 64;

/// How many rows are read at a time.
const ROWS: u64 = 1_000;

/// A game's log as far as it was read, with checkpoints from which reading can continue.
#[derive(Debug)]
struct History {
    /// The reading before the first row.
    begin: Reading,
    /// The reading after the last row that was read.
    end: Reading,
    checkpoints: Vec<Reading>,
    spacing: u64,
}

impl History {
    fn new(begin: Reading) -> History {
        History {
            end: begin.clone(),
            begin,
            checkpoints: Vec::new(),
            spacing: SPACING,
        }
    }

    /// Stores the end as a checkpoint if it is far enough from the last one.
    fn add_checkpoint(&mut self) {
        if !self.end.next().is_multiple_of(self.spacing) {
            return;
        }
        if self.checkpoints.len() == MAX_CHECKPOINTS {
            self.spacing *= 2;
            let spacing = self.spacing;
            (self.checkpoints).retain(|reading| reading.next().is_multiple_of(spacing));
            return self.add_checkpoint();
        }
        self.checkpoints.push(self.end.clone());
    }

    /// Returns the last reading that is not after the row `next`.
    fn nearest(&self, next: u64) -> &Reading {
        if self.end.next() <= next {
            return &self.end;
        }
        let count = self
            .checkpoints
            .partition_point(|reading| reading.next() <= next);
        match count.checked_sub(1) {
            Some(index) => &self.checkpoints[index],
            None => &self.begin,
        }
    }

    fn size(&self) -> usize {
        let readings = (self.checkpoints.len() + 2) * size_of::<Reading>();
        readings + self.end.fold().size()
    }
}

/// The histories of the games that were read most recently.
#[derive(Debug)]
pub struct Histories(Cache<Uuid, (Arc<Mutex<History>>, u32)>);

impl Default for Histories {
    fn default() -> Histories {
        Histories(
            Cache::builder()
                .weigher(|_, (_, size): &(_, u32)| *size)
                .max_capacity(MOST_BYTES)
                .time_to_idle(IDLE)
                .build(),
        )
    }
}

impl Histories {
    fn keep(&self, id: Uuid, history: &Arc<Mutex<History>>, size: usize) {
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        self.0.insert(id, (history.clone(), size));
    }
}

fn locked(history: &Mutex<History>) -> MutexGuard<'_, History> {
    history.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A part of the events of all games.
#[derive(Debug, Default)]
pub struct LogEvents {
    /// Its events in order.
    pub events: Vec<EventBody>,
    /// The position up to which the part is complete.
    pub reached: u64,
    /// Whether there may be more events after it.
    pub more: bool,
}

/// Reads the logs of games, from checkpoints where possible.
#[derive(Debug)]
pub struct GameLogs {
    pub(in crate::games) store: Arc<Store>,
    library: Arc<Library>,
    histories: Histories,
}

impl GameLogs {
    /// Creates the reader of a store's logs.
    pub fn new(store: Arc<Store>, library: Arc<Library>) -> GameLogs {
        GameLogs {
            store,
            library,
            histories: Histories::default(),
        }
    }

    /// Returns the reading of a game's log before the row `next`.
    pub(crate) fn reading(&self, id: Uuid, next: u64) -> Result<Reading, ServiceError> {
        let history = match self.histories.0.get(&id) {
            Some((history, _)) => history,
            None => {
                let found = self.store.game(id)?;
                let (stored, _) =
                    found.ok_or_else(|| ServiceError::NotFound(format!("game {id}")))?;
                let begin = Reading::begin(&stored, &self.library)?;
                let history = Arc::new(Mutex::new(History::new(begin)));
                // Stored immediately, so that concurrent readers wait for it and do not read the same rows.
                self.histories.keep(id, &history, size_of::<History>());
                history
            }
        };
        let mut cached = locked(&history);
        if next < cached.end.next() {
            let mut reading = cached.nearest(next).clone();
            drop(cached);
            self.read_on(&mut reading, next, |_| ())?;
            return Ok(reading);
        }
        if cached.end.next() < next {
            let mut end = cached.end.clone();
            let read = self.read_on(&mut end, next, |end| {
                cached.end = end.clone();
                cached.add_checkpoint();
            });
            read?;
            cached.end = end;
        }
        let (end, size) = (cached.end.clone(), cached.size());
        drop(cached);
        self.histories.keep(id, &history, size);
        Ok(end)
    }

    /// Returns a game's rows from the event `from` to the event `to` inclusive, with their whole hashes.
    pub(in crate::games) fn rows_between(
        &self,
        id: Uuid,
        from: u64,
        to: u64,
    ) -> Result<Vec<LogRow>, ServiceError> {
        let mut reading = self.reading(id, from)?;
        let rows = self.store.events_between(reading.number(), from, to)?;
        rows.into_iter().map(|row| reading.complete(row)).collect()
    }

    /// Reads up to the row before `next` and calls `at` after every [`SPACING`] rows.
    fn read_on(
        &self,
        reading: &mut Reading,
        next: u64,
        mut at: impl FnMut(&Reading),
    ) -> Result<(), ServiceError> {
        while reading.next() < next {
            let from = reading.next();
            let to = next.min(from + ROWS) - 1;
            let rows = self.store.events_between(reading.number(), from, to)?;
            for row in rows {
                reading.follow(row)?;
                if reading.next().is_multiple_of(SPACING) {
                    at(reading);
                }
            }
            if reading.next() <= to {
                return Err(reading.missing());
            }
        }
        Ok(())
    }

    /// Returns events of games that match a filter, after a position of the log of all games.
    /// If few games match, a part may have fewer events and end before the log does. The events of a game that cannot
    /// be replayed are returned as stored. A row that cannot be read is skipped.
    pub fn read_log(
        &self,
        filter: &LogFilter,
        after: u64,
        limit: usize,
    ) -> Result<LogEvents, ServiceError> {
        let part = self.store.log_part(filter, after, limit)?;
        Ok(LogEvents {
            events: self.events_of(part.rows)?,
            reached: part.reached,
            more: part.more,
        })
    }

    /// Returns the events of rows of the log of all games. The rows of each game are read together.
    pub(in crate::games) fn events_of(
        &self,
        mut rows: Vec<LoggedEvent>,
    ) -> Result<Vec<EventBody>, ServiceError> {
        rows.sort_by(|a, b| (&a.game, a.position).cmp(&(&b.game, b.position)));
        let mut events = Vec::with_capacity(rows.len());
        let mut rows = rows.into_iter().peekable();
        while let Some(LoggedEvent { game, .. }) = rows.peek() {
            let game = game.clone();
            let own = std::iter::from_fn(|| rows.next_if(|row| row.game == game));
            self.add_events(&game, own, &mut events)?;
        }
        events.sort_by_key(|event| event.position);
        self.hide_texts(&mut events)?;
        Ok(events)
    }

    /// Removes the names and notes that people wrote from events of games whose texts are hidden.
    pub(in crate::games) fn hide_texts(
        &self,
        events: &mut [EventBody],
    ) -> Result<(), ServiceError> {
        let mut with_texts: Vec<&mut EventBody> = events
            .iter_mut()
            .filter(|event| event.kind.has_texts())
            .collect();
        if with_texts.is_empty() {
            return Ok(());
        }
        let games: BTreeSet<Uuid> = with_texts.iter().map(|event| event.game).collect();
        let hidden = self.store.games_with_hidden_texts(games)?;
        for event in &mut with_texts {
            if hidden.contains(&event.game.to_string()) {
                hide_event_texts(event);
            }
        }
        Ok(())
    }

    fn add_events(
        &self,
        game: &str,
        rows: impl Iterator<Item = LoggedEvent>,
        events: &mut Vec<EventBody>,
    ) -> Result<(), ServiceError> {
        let Ok(id) = game.parse::<Uuid>() else {
            tracing::error!(
                game,
                "skipped the events of a game: its stored id is not a UUID"
            );
            rows.for_each(drop);
            return Ok(());
        };
        let mut reading: Option<Reading> = None;
        let mut is_damaged = false;
        for LoggedEvent { position, row, .. } in rows {
            let row = match row {
                Ok(row) => row,
                Err(error) => {
                    tracing::error!(game, position, %error, "skipped an event that cannot be read");
                    continue;
                }
            };
            if !is_damaged {
                match self.next_event(id, &mut reading, &row) {
                    Ok(event) => {
                        events.push(event);
                        continue;
                    }
                    Err(ServiceError::Store(error)) => return Err(error.into()),
                    Err(error) => {
                        tracing::error!(game, %error, "cannot replay a game; its events are returned as stored");
                        is_damaged = true;
                    }
                }
            }
            events.extend(stored_event(id, row.position, row.row));
        }
        if let Some(reading) = reading.filter(|_| !is_damaged) {
            self.go_on_from(id, reading);
        }
        Ok(())
    }

    fn next_event(
        &self,
        id: Uuid,
        reading: &mut Option<Reading>,
        row: &LogRow,
    ) -> Result<EventBody, ServiceError> {
        let reading = match reading {
            Some(reading) => reading,
            None => reading.insert(self.reading(id, row.row.seq)?),
        };
        reading.event(row.clone())
    }

    /// Moves the end of a cached history to a reading that is further.
    fn go_on_from(&self, id: Uuid, reading: Reading) {
        if let Some((history, _)) = self.histories.0.get(&id) {
            let mut cached = locked(&history);
            // If a checkpoint lies in between, it is stored when the rows are read.
            let spacing = cached.spacing;
            let (next, end) = (reading.next(), cached.end.next());
            if next > end && next / spacing == end / spacing {
                cached.end = reading;
            }
        }
    }
}
