//! Reads the events of a game, and the position after each.

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
    /// The reading after the last event, from which the next part continues.
    pub reading: Box<Reading>,
    /// True if the log has more events, as far as this node knows.
    pub more: bool,
    /// True if the game is over and these include its last event.
    pub over: bool,
}

impl Games {
    /// Returns the position after an event.
    pub fn position(&self, id: Uuid, seq: u64) -> Result<Moment, ServiceError> {
        let table = self.table(id)?;
        if seq > table.seq() {
            let missing = format!("event {seq}; the last is {}", table.seq());
            return Err(ServiceError::NotFound(missing));
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

    /// Returns what `show` makes of the position after an event.
    ///
    /// # Errors
    /// Those of [`Games::position`].
    pub fn show_position<T>(
        &self,
        id: Uuid,
        seq: u64,
        show: impl FnOnce(&Game, &View) -> T,
    ) -> Result<T, ServiceError> {
        let position = self.position(id, seq)?;
        let reading = self.logs.reading(id, seq + 1)?;
        Ok(show(reading.game(), &position.state))
    }

    /// Returns the events of a game after `after` (from the beginning for `None`), at most `limit`.
    /// `reading` is that of the previous part, if there was one.
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
        self.logs.hide_texts(&mut events)?;
        Ok(GameEvents {
            events,
            reading,
            more: to < end,
            over: to == end && table.status().is_over(),
        })
    }
}
