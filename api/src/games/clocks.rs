//! The clocks of a game, which stand still during pauses.
//!
//! The record of a game knows no pauses: its clocks run on. So a seat never times out here before it could by its record,
//! and the record stays valid.
//!
//! A seat's clock is fed with the time of the game: the time on the wall without the pauses of the seat. Pauses begin now
//! or later, so what a clock has counted before stays.

use engine::play::Game;
use engine::setup::{Pace, Player, TimeoutThen};
use engine::state::State;
use jiff::Timestamp;
use records::{Entry, SeatClocks};
use serde::{Deserialize, Serialize};

use crate::db::time::timestamp;

/// A time in which the clock of one seat or of all seats stands still. Times are in microseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockPause {
    /// The seat; `None` for all seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// When it begins.
    pub from: i64,
    /// When it ends; `None` until someone ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
}

/// The clocks of the seats of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameClocks {
    /// The clocks of the record, without pauses.
    record: SeatClocks,
    /// For each seat, clocks that are fed with the time of the seat.
    seats: Vec<SeatClocks>,
    pauses: Vec<ClockPause>,
}

/// Returns the pauses of a seat without overlaps, in order.
fn pauses_of(pauses: &[ClockPause], seat: u8) -> Vec<(i64, Option<i64>)> {
    let own = pauses
        .iter()
        .filter(|pause| pause.seat.is_none_or(|own| own == seat));
    let mut own: Vec<(i64, Option<i64>)> = own.map(|pause| (pause.from, pause.until)).collect();
    own.retain(|(from, until)| until.is_none_or(|until| until > *from));
    own.sort_unstable_by_key(|(from, _)| *from);
    let mut merged: Vec<(i64, Option<i64>)> = Vec::new();
    for (from, until) in own {
        match merged.last_mut() {
            Some((_, None)) => {}
            Some((_, end @ Some(_))) if end.is_some_and(|end| from <= end) => {
                *end = until.and_then(|until| end.map(|end| end.max(until)));
            }
            _ => merged.push((from, until)),
        }
    }
    merged
}

/// Returns the time of the game at a time on the wall.
fn game_time(pauses: &[(i64, Option<i64>)], at: i64) -> i64 {
    let paused = pauses.iter().map(|(from, until)| {
        let end = until.map_or(at, |until| until.min(at));
        (end - from).max(0)
    });
    at - paused.sum::<i64>()
}

/// Returns for how long the clock of a seat stood still between two times.
pub fn paused_time(pauses: &[ClockPause], seat: u8, from: i64, until: i64) -> i64 {
    let pauses = pauses_of(pauses, seat);
    (until - from) - (game_time(&pauses, until) - game_time(&pauses, from))
}

/// Returns when a seat has had some time since `from`, without its pauses; `None` if a pause without an end comes before.
pub fn time_after(pauses: &[ClockPause], seat: u8, from: i64, time: i64) -> Option<i64> {
    let pauses = pauses_of(pauses, seat);
    wall_time(&pauses, game_time(&pauses, from).saturating_add(time))
}

/// Returns the first time on the wall with a time of the game; `None` if a pause without an end comes before.
fn wall_time(pauses: &[(i64, Option<i64>)], at: i64) -> Option<i64> {
    let mut wall = at;
    for (from, until) in pauses {
        if *from >= wall {
            break;
        }
        wall = wall.saturating_add((*until)? - from);
    }
    Some(wall)
}

impl GameClocks {
    /// Creates the clocks of a new game.
    pub fn new(pace: Pace, seats: usize, pauses: Vec<ClockPause>) -> GameClocks {
        let record = SeatClocks::new(pace, seats);
        GameClocks {
            seats: vec![record.clone(); seats],
            record,
            pauses,
        }
    }

    /// Creates the clocks of a game without pauses so far.
    pub fn without_pauses(clocks: &SeatClocks) -> GameClocks {
        GameClocks {
            record: clocks.clone(),
            seats: vec![clocks.clone(); clocks.seats().count()],
            pauses: Vec::new(),
        }
    }

    /// Replaces the pauses. Before now, they must be as they were.
    pub fn set_pauses(&mut self, pauses: Vec<ClockPause>) {
        self.pauses = pauses;
    }

    /// Returns the pace.
    pub fn pace(&self) -> &Pace {
        self.record.pace()
    }

    /// Returns for each seat its number of time-outs and the rest of its reserve in whole seconds.
    pub fn seats(&self) -> impl Iterator<Item = (u32, u32)> {
        let clocks = self.seats.iter().enumerate();
        clocks.filter_map(|(seat, clock)| clock.seats().nth(seat))
    }

    /// Returns the seat whose clock runs, and when its time runs out.
    ///
    /// `None` while the clock stands still without a known end.
    pub fn due(&self) -> Option<(u8, Timestamp)> {
        let (seat, by_record) = self.record.due()?;
        let (_, until) = self.seats.get(usize::from(seat))?.due()?;
        let pauses = pauses_of(&self.pauses, seat);
        let wall = wall_time(&pauses, until.as_microsecond())?;
        let wall = Timestamp::from_microsecond(wall).unwrap_or(Timestamp::MAX);
        Some((seat, wall.max(by_record)))
    }

    /// Returns the seat that has timed out by `at`, and the consequence.
    pub fn timed_out(&self, at: Timestamp) -> Option<(u8, TimeoutThen)> {
        self.due().filter(|(_, until)| *until <= at)?;
        self.record.timed_out(at)
    }

    /// Applies the next row; `game`, `state` and `players` are those after it.
    pub fn note(
        &mut self,
        entry: &Entry,
        at: Timestamp,
        game: &Game,
        state: &State,
        players: &[Player],
    ) {
        self.record.note(entry, at, game, state, players);
        for (seat, clock) in (0..).zip(&mut self.seats) {
            let own = game_time(&pauses_of(&self.pauses, seat), at.as_microsecond());
            clock.note(entry, timestamp(own), game, state, players);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pause(seat: Option<u8>, from: i64, until: Option<i64>) -> ClockPause {
        ClockPause { seat, from, until }
    }

    #[test]
    fn pauses_of_a_seat_are_merged() {
        let pauses = [
            pause(None, 50, Some(60)),
            pause(Some(1), 10, Some(20)),
            pause(None, 15, Some(30)),
            pause(Some(0), 0, None),
            pause(None, 40, Some(40)),
        ];
        assert_eq!(pauses_of(&pauses, 1), [(10, Some(30)), (50, Some(60))]);
        assert_eq!(pauses_of(&pauses, 0), [(0, None)]);
        assert_eq!(pauses_of(&pauses, 2), [(15, Some(30)), (50, Some(60))]);
    }

    #[test]
    fn a_clock_stands_still_during_a_pause() {
        let pauses = [(10, Some(20)), (30, None)];
        let times = [5, 10, 15, 20, 25, 30, 99].map(|at| game_time(&pauses, at));
        assert_eq!(times, [5, 10, 10, 10, 15, 20, 20]);
        let walls = [5, 10, 11, 20, 21].map(|at| wall_time(&pauses, at));
        assert_eq!(walls, [Some(5), Some(10), Some(21), Some(30), None]);
    }

    proptest! {
        #[test]
        fn the_times_fit_each_other(ends in proptest::collection::vec((0_i64..200, 1_i64..30), 0..6), at in 0_i64..400) {
            let pauses: Vec<ClockPause> = ends.iter().map(|(from, length)| pause(None, *from, Some(from + length))).collect();
            let pauses = pauses_of(&pauses, 0);
            let is_paused = |time: &i64| ends.iter().any(|(from, length)| (*from..from + length).contains(time));
            prop_assert_eq!(game_time(&pauses, at), (0..at).filter(|time| !is_paused(time)).count() as i64);
            let wall = wall_time(&pauses, at).unwrap();
            prop_assert!(wall >= at);
            prop_assert_eq!(game_time(&pauses, wall), at);
            prop_assert!(wall == 0 || game_time(&pauses, wall - 1) < at);
        }
    }
}
