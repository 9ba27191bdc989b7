//! Pauses of games: what leagues set, and when the clocks run on.

use jiff::Timestamp;
use uuid::Uuid;

use crate::games::clocks::{ClockPause, GameClocks};
use crate::games::draft::Draft;
use crate::games::history::GameLogs;
use crate::games::log::Reading;
use crate::games::model::{Append, AppendedEvents, StoredGame};
use crate::games::service::Games;
use crate::games::table::Table;
use crate::http::error::ServiceError;

impl Games {
    /// Sets the pauses of a new game, which another feature writes.
    pub fn set_new_pauses(draft: &mut Draft, append: &mut Append, pauses: Vec<ClockPause>) {
        draft.table.set_pauses(pauses);
        append.game = draft.table.stored.clone();
    }

    /// Prepares the pauses of a game for writing, by another feature.
    ///
    /// `None` if the game is over, has no time limits and no bids, or has these pauses already.
    pub fn prepare_pauses(
        &self,
        game: Uuid,
        pauses: Vec<ClockPause>,
    ) -> Result<Option<(Draft, Append)>, ServiceError> {
        // Another node may have changed the game since it was read.
        let table = self.load(game)?;
        let is_same = table.stored.pauses == pauses;
        let has_time = table.clock.is_some() || table.stored.pending_bidding().is_some();
        if table.status().is_over() || !has_time || is_same {
            return Ok(None);
        }
        let mut draft = Draft::new(&table, self.store.now());
        draft.table.set_pauses(pauses);
        self.prepare_append(draft, None).map(Some)
    }

    /// Shows a game whose pauses another feature has written.
    pub fn show_paused(&self, game: Uuid, appended: &AppendedEvents) {
        let shown = self.learn(game, |table| table.stored.version >= appended.version);
        if let Err(error) = shown {
            tracing::error!(%game, %error, "cannot load a paused game; it is loaded when it is used");
        }
    }
}

impl Table {
    /// Replaces the pauses. Before now, they must be as they were.
    pub(in crate::games) fn set_pauses(&mut self, pauses: Vec<ClockPause>) {
        self.stored.pauses.clone_from(&pauses);
        if let Some(clock) = &mut self.clock {
            clock.set_pauses(pauses);
            let due = clock.due().map(|(_, until)| until.as_microsecond());
            self.stored.due_at = due.filter(|_| !self.is_automatic());
        }
        if let Some(bidding) = self.stored.pending_bidding() {
            self.stored.due_at = bidding.due(&self.players(), &self.stored.pauses);
        }
    }
}

impl GameLogs {
    /// Returns the clocks of a game after its last event.
    ///
    /// A game with pauses is read again, because its reading in memory has the clocks of its record.
    pub(in crate::games) fn clocks(
        &self,
        stored: &StoredGame,
        reading: &Reading,
    ) -> Result<Option<GameClocks>, ServiceError> {
        let Some(record) = reading.fold().clock() else {
            return Ok(None);
        };
        if stored.pauses.is_empty() {
            return Ok(Some(GameClocks::without_pauses(record)));
        }
        let seats = reading.fold().players().len();
        let mut clocks = GameClocks::new(record.pace().clone(), seats, stored.pauses.clone());
        let mut again = self.reading(stored.id, 0)?;
        for row in self.store.events(stored.id, Some(stored.seq))? {
            let at: Result<Timestamp, _> = row.row.at.parse();
            let at = at.map_err(|error| ServiceError::damaged(stored.id, error))?;
            let notation = row.row.notation.clone();
            again.follow(row)?;
            let entry = notation.parse();
            let entry = entry
                .map_err(|error: records::EntryError| ServiceError::damaged(stored.id, error))?;
            let fold = again.fold();
            clocks.note(&entry, at, fold.game(), fold.state(), fold.players());
        }
        Ok(Some(clocks))
    }
}
