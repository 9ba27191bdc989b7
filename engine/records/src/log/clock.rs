//! Clocks: the time that each seat has left, computed from the times of a log's rows.

use engine::play::Game;
use engine::setup::{Pace, Player, TimeoutThen};
use engine::state::State;
use jiff::Timestamp;

use super::Entry;

/// Why a row `timeout` of a log is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeoutFault {
    /// The setup has no pace.
    #[error("the game has no pace, so no seat can time out")]
    NoPace,
    /// The clock of the seat was not running.
    #[error("the clock of seat {0} was not running")]
    NotWaitedFor(u8),
    /// The seat had time left.
    #[error("seat {seat} had time left until {until}")]
    Early {
        /// The seat.
        seat: u8,
        /// When its time would have run out.
        until: Timestamp,
    },
    /// The pace has another consequence.
    #[error("the consequence is {}; by the game's pace it must be {}", found.name(), expected.name())]
    Then {
        /// The consequence by the pace.
        expected: TimeoutThen,
        /// The consequence in the row.
        found: TimeoutThen,
    },
    /// The consequence must be in the rows after a time-out.
    #[error(
        "seat {0} has timed out: the next event must seat the pace's bot there or resign its nations"
    )]
    Missing(u8),
}

/// The time that a seat has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct UsedTime {
    /// Used from the reserve, in microseconds.
    reserve: i64,
    timeouts: u32,
}

/// A seat whose clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wait {
    seat: u8,
    /// The turn. A new turn starts a new wait.
    turn: u32,
    since: Timestamp,
}

/// The clocks of the seats after a row of a log.
///
/// They follow from the rows and their times alone, so they are the same wherever and whenever the log is read. An
/// undo returns no time. A new player on a seat starts with the whole reserve and no time-outs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatClocks {
    pace: Pace,
    seats: Vec<UsedTime>,
    wait: Option<Wait>,
}

const SECOND: i64 = 1_000_000;

impl SeatClocks {
    /// Returns the clocks of a game with this many seats, before its first row.
    pub fn new(pace: Pace, seats: usize) -> SeatClocks {
        SeatClocks {
            pace,
            seats: vec![UsedTime::default(); seats],
            wait: None,
        }
    }

    /// Returns the pace.
    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    /// Returns for each seat its number of time-outs and the rest of its reserve in whole seconds.
    ///
    /// The reserve is used after the turn time.
    pub fn seats(&self) -> impl Iterator<Item = (u32, u32)> {
        let left = |used: &UsedTime| {
            let seconds = (self.reserve() - used.reserve) / SECOND;
            (used.timeouts, u32::try_from(seconds).unwrap_or(0))
        };
        self.seats.iter().map(left)
    }

    fn reserve(&self) -> i64 {
        i64::from(self.pace.reserve_seconds) * SECOND
    }

    fn turn(&self) -> i64 {
        i64::from(self.pace.turn_seconds) * SECOND
    }

    /// Returns the seat whose clock runs, and when its time runs out.
    pub fn due(&self) -> Option<(u8, Timestamp)> {
        let wait = self.wait?;
        let used = self.seats.get(usize::from(wait.seat))?;
        if used.timeouts >= self.pace.timeouts {
            return None;
        }
        let left = self.turn() + self.reserve() - used.reserve;
        let until = wait.since.as_microsecond().saturating_add(left);
        let until = Timestamp::from_microsecond(until).unwrap_or(Timestamp::MAX);
        Some((wait.seat, until))
    }

    /// Returns the seat that has timed out by `at`, and the consequence.
    pub fn timed_out(&self, at: Timestamp) -> Option<(u8, TimeoutThen)> {
        let (seat, _) = self.due().filter(|(_, until)| *until <= at)?;
        Some((seat, self.then(seat)))
    }

    fn then(&self, seat: u8) -> TimeoutThen {
        let used = self.seats.get(usize::from(seat)).copied();
        let is_last = used.unwrap_or_default().timeouts + 1 >= self.pace.timeouts;
        match is_last {
            true => self.pace.then,
            false => TimeoutThen::Wait,
        }
    }

    /// Checks that a seat has timed out by `at` with the consequence `found`.
    ///
    /// # Errors
    /// Why it has not.
    pub fn check(&self, seat: u8, found: TimeoutThen, at: Timestamp) -> Result<(), TimeoutFault> {
        let due = self.due().filter(|(waited, _)| *waited == seat);
        let (_, until) = due.ok_or(TimeoutFault::NotWaitedFor(seat))?;
        if at < until {
            return Err(TimeoutFault::Early { seat, until });
        }
        let expected = self.then(seat);
        match expected == found {
            true => Ok(()),
            false => Err(TimeoutFault::Then { expected, found }),
        }
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
        let now = match entry {
            Entry::Adjudicate(_) | Entry::Abandon => None,
            _ => awaited_seat(game, state, players),
        };
        let restarted = match entry {
            Entry::Timeout { seat, .. } | Entry::Seat { seat, .. } => Some(*seat),
            _ => None,
        };
        if let Some(wait) = self.wait {
            let goes_on = now == Some((wait.seat, wait.turn)) && restarted != Some(wait.seat);
            if !goes_on {
                let (turn, reserve) = (self.turn(), self.reserve());
                let waited = at.as_microsecond() - wait.since.as_microsecond();
                if let Some(used) = self.seats.get_mut(usize::from(wait.seat)) {
                    used.reserve = (used.reserve + (waited - turn).max(0)).min(reserve);
                }
                self.wait = None;
            }
        }
        let used = restarted.and_then(|seat| self.seats.get_mut(usize::from(seat)));
        match (entry, used) {
            (Entry::Timeout { .. }, Some(used)) => used.timeouts += 1,
            (_, Some(used)) => *used = UsedTime::default(),
            (_, None) => {}
        }
        if self.wait.is_none() {
            self.wait = now.map(|(seat, turn)| Wait {
                seat,
                turn,
                since: at,
            });
        }
    }
}

/// Returns the seat of the person who must act, and the turn.
fn awaited_seat(game: &Game, state: &State, players: &[Player]) -> Option<(u8, u32)> {
    if players.contains(&Player::Open) {
        return None;
    }
    let seat = game.seat_of(game.question(state)?.nation());
    match players.get(usize::from(seat))? {
        Player::Person { .. } => Some((seat, state.turn)),
        Player::Bot { .. } | Player::Open => None,
    }
}
