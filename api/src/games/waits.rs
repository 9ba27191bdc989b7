//! The time for which a game waited for its players.

use std::collections::BTreeMap;

use jiff::Timestamp;
use records::Entry;
use uuid::Uuid;

use crate::games::clocks::{ClockPause, paused_time};
use crate::games::service::Games;
use crate::http::error::ServiceError;

/// How often and how long games waited for a player. Times are in microseconds, without pauses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatWaits {
    /// How often games waited.
    pub turns: u32,
    /// The sum of the times.
    pub total: i64,
    /// The longest time.
    pub longest: i64,
    /// The number of time-outs.
    pub timeouts: u32,
    /// The number of games that wait now.
    pub waiting: u32,
    /// Since when the game waits that has waited longest, in microseconds since 1970.
    pub since: Option<i64>,
}

impl SeatWaits {
    /// Adds the times of another game.
    pub fn add(&mut self, other: &SeatWaits) {
        self.turns += other.turns;
        self.total += other.total;
        self.longest = self.longest.max(other.longest);
        self.timeouts += other.timeouts;
        self.waiting += other.waiting;
        self.since = self.since.into_iter().chain(other.since).min();
    }

    fn note(&mut self, time: i64) {
        self.turns += 1;
        self.total += time;
        self.longest = self.longest.max(time);
    }
}

impl Games {
    /// Returns how often and how long a game waited for each of its players, by the player's id.
    ///
    /// `pauses` are those of the league, because a game that is over has no pauses.
    pub fn waits(
        &self,
        game: Uuid,
        pauses: &[ClockPause],
    ) -> Result<BTreeMap<String, SeatWaits>, ServiceError> {
        let table = self.table(game)?;
        let stored = &table.stored;
        let mut reading = self.logs.reading(game, 0)?;
        let mut waits: BTreeMap<String, SeatWaits> = BTreeMap::new();
        // The player and the seat that the game waits for, the turn, and since when.
        let mut waited: Option<(String, u8, u32, i64)> = None;
        for row in self.store.events(game, Some(stored.seq))? {
            let at: Result<Timestamp, _> = row.row.at.parse();
            let at = at.map_err(|error| ServiceError::damaged(game, error))?;
            let at = at.as_microsecond();
            let entry: Result<Entry, _> = row.row.notation.parse();
            reading.follow(row)?;
            let fold = reading.fold();
            let state = fold.state();
            let is_open = fold.players().contains(&engine::setup::Player::Open);
            let question = fold
                .game()
                .question(state)
                .filter(|_| !is_open && fold.result().is_none() && !fold.is_abandoned());
            let next = question.and_then(|question| {
                let seat = fold.game().seat_of(question.nation());
                let player = fold.players().get(usize::from(seat))?.actor()?.to_owned();
                Some((player, seat, state.turn))
            });
            if let Ok(Entry::Timeout { seat, .. }) = entry
                && let Some((player, own, ..)) = &waited
                && *own == seat
            {
                waits.entry(player.clone()).or_default().timeouts += 1;
            }
            let goes_on = waited
                .as_ref()
                .map(|(player, seat, turn, _)| (player, *seat, *turn))
                == next
                    .as_ref()
                    .map(|(player, seat, turn)| (player, *seat, *turn));
            if goes_on {
                continue;
            }
            if let Some((player, seat, _, since)) = waited.take() {
                let time = at - since - paused_time(pauses, seat, since, at);
                waits.entry(player).or_default().note(time);
            }
            waited = next.map(|(player, seat, turn)| (player, seat, turn, at));
        }
        if let Some((player, seat, _, since)) = waited {
            let now = self.store.now();
            let time = now - since - paused_time(pauses, seat, since, now);
            let own = waits.entry(player).or_default();
            own.note(time.max(0));
            (own.waiting, own.since) = (1, Some(since));
        }
        Ok(waits)
    }
}
