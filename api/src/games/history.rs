//! Where reading a log can go on: so that no question about its middle or end replays the whole.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::content::Library;
use moka::sync::Cache;
use uuid::Uuid;

use crate::db::Store;
use crate::games::bodies::EventBody;
use crate::games::live::IDLE;
use crate::games::log::{Reading, stored_event};
use crate::games::model::LogRow;
use crate::games::queries::log::{LogFilter, Logged};
use crate::http::error::ServiceError;

/// The most memory that all histories take, in bytes; about 70 KiB for a game of a thousand events.
const MOST_BYTES: u64 = 96 << 20;

/// How many rows lie between two places from which reading can go on, at first.
const SPACING: u64 = 512;

/// The most such places of a game. With more of them every second one is given up.
const PLACES: usize = 64;

/// How many rows are read at once.
const ROWS: u64 = 1_000;

/// A log as far as it was read, and places in it.
#[derive(Debug)]
struct History {
    /// Before the first row.
    begin: Reading,
    /// How far it was read.
    end: Reading,
    places: Vec<Reading>,
    spacing: u64,
}

impl History {
    fn new(begin: Reading) -> History {
        History {
            end: begin.clone(),
            begin,
            places: Vec::new(),
            spacing: SPACING,
        }
    }

    /// Keeps the end as a place when it is far enough from the last one.
    fn note_place(&mut self) {
        if !self.end.next().is_multiple_of(self.spacing) {
            return;
        }
        if self.places.len() == PLACES {
            self.spacing *= 2;
            let spacing = self.spacing;
            (self.places).retain(|place| place.next().is_multiple_of(spacing));
            return self.note_place();
        }
        self.places.push(self.end.clone());
    }

    /// The last place that is not behind the row `next`.
    fn nearest(&self, next: u64) -> &Reading {
        if self.end.next() <= next {
            return &self.end;
        }
        let behind = self.places.partition_point(|place| place.next() <= next);
        match behind.checked_sub(1) {
            Some(place) => &self.places[place],
            None => &self.begin,
        }
    }

    fn size(&self) -> usize {
        let places = (self.places.len() + 2) * size_of::<Reading>();
        places + self.end.fold().size()
    }
}

/// The histories of the games that were read last.
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
    /// The position up to which these are all.
    pub reached: u64,
    /// Whether there may be more behind it.
    pub more: bool,
}

/// Reads the logs of games, not always from their beginnings.
#[derive(Debug)]
pub struct GameLogs {
    pub(in crate::games) store: Arc<Store>,
    library: Arc<Library>,
    histories: Histories,
}

impl GameLogs {
    /// The logs of the games of a store.
    pub fn new(store: Arc<Store>, library: Arc<Library>) -> GameLogs {
        GameLogs {
            store,
            library,
            histories: Histories::default(),
        }
    }

    /// A game's log, read up to and without the row `next`, and not from its beginning.
    pub(crate) fn reading(&self, id: Uuid, next: u64) -> Result<Reading, ServiceError> {
        let history = match self.histories.0.get(&id) {
            Some((history, _)) => history,
            None => {
                let found = self.store.game(id)?;
                let (stored, _) =
                    found.ok_or_else(|| ServiceError::NotFound(format!("game {id}")))?;
                let begin = Reading::begin(&stored, &self.library)?;
                let history = Arc::new(Mutex::new(History::new(begin)));
                // At once, so that others wait for it and do not read the same rows.
                self.histories.keep(id, &history, size_of::<History>());
                history
            }
        };
        let mut kept = locked(&history);
        if next < kept.end.next() {
            let mut reading = kept.nearest(next).clone();
            drop(kept);
            self.read_on(&mut reading, next, |_| ())?;
            return Ok(reading);
        }
        if kept.end.next() < next {
            let mut end = kept.end.clone();
            let read = self.read_on(&mut end, next, |end| {
                kept.end = end.clone();
                kept.note_place();
            });
            read?;
            kept.end = end;
        }
        let (end, size) = (kept.end.clone(), kept.size());
        drop(kept);
        self.histories.keep(id, &history, size);
        Ok(end)
    }

    /// A game's rows from the event `from` up to and with `to`, with all that follows.
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

    /// Reads on up to and without the row `next`, `at` each spacing.
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

    /// Events of the games that fit a filter behind a position of the log of all games, at most `limit`.
    /// Where few games fit, a part may hold less and end before the log does. The events of a game that
    /// does not replay are returned as they are stored; a row that cannot even be read is left out.
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

    /// The events of rows of the log of all games, each game's read together.
    pub(in crate::games) fn events_of(
        &self,
        mut rows: Vec<Logged>,
    ) -> Result<Vec<EventBody>, ServiceError> {
        rows.sort_by(|a, b| (&a.game, a.position).cmp(&(&b.game, b.position)));
        let mut events = Vec::with_capacity(rows.len());
        let mut rows = rows.into_iter().peekable();
        while let Some(Logged { game, .. }) = rows.peek() {
            let game = game.clone();
            let own = std::iter::from_fn(|| rows.next_if(|row| row.game == game));
            self.add_events(&game, own, &mut events)?;
        }
        events.sort_by_key(|event| event.position);
        Ok(events)
    }

    fn add_events(
        &self,
        game: &str,
        rows: impl Iterator<Item = Logged>,
        events: &mut Vec<EventBody>,
    ) -> Result<(), ServiceError> {
        let Ok(id) = game.parse::<Uuid>() else {
            tracing::error!(game, "its events are left out: its id is no UUID");
            rows.for_each(drop);
            return Ok(());
        };
        let mut reading: Option<Reading> = None;
        let mut is_damaged = false;
        for Logged { position, row, .. } in rows {
            let row = match row {
                Ok(row) => row,
                Err(error) => {
                    tracing::error!(game, position, %error, "an event is left out");
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
                        tracing::error!(game, %error, "its events are returned as they are stored");
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

    /// Lets what is kept of a game's log go on from here, if that is further.
    fn go_on_from(&self, id: Uuid, reading: Reading) {
        if let Some((history, _)) = self.histories.0.get(&id) {
            let mut kept = locked(&history);
            // Places in between are kept when the rows are read on.
            let spacing = kept.spacing;
            let (next, end) = (reading.next(), kept.end.next());
            if next > end && next / spacing == end / spacing {
                kept.end = reading;
            }
        }
    }
}
