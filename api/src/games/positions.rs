//! Reading a game: its events, and the position after each.

use engine::forms::View;
use engine::play::Game;
use uuid::Uuid;

use crate::games::bodies::{EventBody, Moment};
use crate::games::log::Reading;
use crate::games::service::Games;
use crate::http::error::ServiceError;

/// A part of a game's events.
#[derive(Debug)]
pub struct GameEvents {
    /// Its events in order.
    pub events: Vec<EventBody>,
    /// Where it ends: the next part is read from there.
    pub reading: Box<Reading>,
    /// Whether the log goes on behind it, as far as it is known here.
    pub more: bool,
    /// Whether the game is over with the last of them.
    pub over: bool,
}

impl Games {
    /// The position after an event.
    pub fn position(&self, id: Uuid, seq: u64) -> Result<Moment, ServiceError> {
        let table = self.table(id)?;
        if seq > table.seq() {
            let what = format!("event {seq}; the last is {}", table.seq());
            return Err(ServiceError::NotFound(what));
        }
        let reading = self.logs.reading(id, seq + 1)?;
        let (game, state) = (reading.game(), reading.state());
        Ok(Moment {
            game: id,
            seq,
            pending: game.questions(state),
            state: View::from_state(game, state),
        })
    }

    /// What `show` makes of the position after an event.
    ///
    /// # Errors
    /// As [`Games::position`].
    pub fn shown<T>(
        &self,
        id: Uuid,
        seq: u64,
        show: impl FnOnce(&Game, &View) -> T,
    ) -> Result<T, ServiceError> {
        let position = self.position(id, seq)?;
        let reading = self.logs.reading(id, seq + 1)?;
        Ok(show(reading.game(), &position.state))
    }

    /// The events of a game behind `after`, all of them for `None`, at most `limit`; `reading` is where
    /// the part before has ended, if there was one.
    pub fn read_events(
        &self,
        id: Uuid,
        after: Option<u64>,
        limit: usize,
        reading: Option<Box<Reading>>,
    ) -> Result<GameEvents, ServiceError> {
        let table = self.table(id)?;
        let end = table.seq() + 1;
        let from = after.map_or(0, |after| after.saturating_add(1)).min(end);
        let to = from.saturating_add(limit as u64).min(end);
        let mut reading = match reading.filter(|reading| reading.next() == from) {
            Some(reading) => reading,
            None => Box::new(self.logs.reading(id, from)?),
        };
        let mut events = Vec::with_capacity((to - from) as usize);
        if from < to {
            let rows = (self.store).events_between(reading.number(), from, to - 1)?;
            for row in rows {
                events.push(reading.event(row)?);
            }
        }
        if reading.next() < to {
            return Err(reading.missing());
        }
        Ok(GameEvents {
            events,
            reading,
            more: to < end,
            over: to == end && table.status().is_over(),
        })
    }
}
