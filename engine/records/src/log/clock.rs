//! The time that seats have left, as it follows from the times of a log's rows.

use engine::play::Game;
use engine::setup::{Pace, Player, TimeoutThen};
use engine::state::State;
use jiff::Timestamp;

use super::Entry;

/// Why a seat has not timed out as a log says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeoutFault {
    /// The setup tells no pace.
    #[error("the game has no pace")]
    NoPace,
    /// Another seat was waited for, or none, or its time stood still.
    #[error("no time of seat {0} ran")]
    NotWaitedFor(u8),
    /// It had time left.
    #[error("seat {seat} had time until {until}")]
    Early {
        /// The seat.
        seat: u8,
        /// When its time was up.
        until: Timestamp,
    },
    /// The pace says otherwise what happens then.
    #[error("by the game's pace {} happens then, not {}", expected.name(), found.name())]
    Then {
        /// As the pace says.
        expected: TimeoutThen,
        /// As in the row.
        found: TimeoutThen,
    },
    /// What happens with a time-out stands in the rows behind it.
    #[error("what seat {0} has timed out to is missing: a bot on it, or that its nations resign")]
    Missing(u8),
}

/// What a seat has used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Spent {
    /// Of the reserve, in microseconds.
    reserve: i64,
    timeouts: u32,
}

/// A seat that is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wait {
    seat: u8,
    /// With another turn another wait begins.
    turn: u32,
    since: Timestamp,
}

/// The time that the seats of a game have, after one of its rows. It follows from the rows and their times
/// alone, so it is the same wherever and whenever the log is read.
///
/// Time that was used is gone: an undo gives none back. A new player on a seat begins with the whole reserve
/// and no time-outs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatClocks {
    pace: Pace,
    seats: Vec<Spent>,
    wait: Option<Wait>,
}

const SECOND: i64 = 1_000_000;

impl SeatClocks {
    /// The clock of a game with so many seats, before its first row.
    pub fn new(pace: Pace, seats: usize) -> SeatClocks {
        SeatClocks {
            pace,
            seats: vec![Spent::default(); seats],
            wait: None,
        }
    }

    /// The pace.
    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    /// How often each seat has timed out, and what it has left of its reserve when its turn time is up, in
    /// whole seconds.
    pub fn seats(&self) -> impl Iterator<Item = (u32, u32)> {
        let left = |spent: &Spent| {
            let seconds = (self.reserve() - spent.reserve) / SECOND;
            (spent.timeouts, u32::try_from(seconds).unwrap_or(0))
        };
        self.seats.iter().map(left)
    }

    fn reserve(&self) -> i64 {
        i64::from(self.pace.reserve_seconds) * SECOND
    }

    fn turn(&self) -> i64 {
        i64::from(self.pace.turn_seconds) * SECOND
    }

    /// The seat whose time runs, and when it is up.
    pub fn due(&self) -> Option<(u8, Timestamp)> {
        let wait = self.wait?;
        let spent = self.seats.get(usize::from(wait.seat))?;
        if spent.timeouts >= self.pace.timeouts {
            return None;
        }
        let left = self.turn() + self.reserve() - spent.reserve;
        let until = wait.since.as_microsecond().saturating_add(left);
        let until = Timestamp::from_microsecond(until).unwrap_or(Timestamp::MAX);
        Some((wait.seat, until))
    }

    /// The seat that has timed out at a moment, and what happens with that.
    pub fn timed_out(&self, at: Timestamp) -> Option<(u8, TimeoutThen)> {
        let (seat, _) = self.due().filter(|(_, until)| *until <= at)?;
        Some((seat, self.then(seat)))
    }

    fn then(&self, seat: u8) -> TimeoutThen {
        let spent = self.seats.get(usize::from(seat)).copied();
        let is_last = spent.unwrap_or_default().timeouts + 1 >= self.pace.timeouts;
        match is_last {
            true => self.pace.then,
            false => TimeoutThen::Wait,
        }
    }

    /// Whether a seat has timed out at a moment, with this to follow.
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

    /// Takes the next row; `game`, `state` and `players` are as they are after it.
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
            _ => waited_for(game, state, players),
        };
        let anew = match entry {
            Entry::Timeout { seat, .. } | Entry::Seat { seat, .. } => Some(*seat),
            _ => None,
        };
        if let Some(wait) = self.wait {
            let goes_on = now == Some((wait.seat, wait.turn)) && anew != Some(wait.seat);
            if !goes_on {
                let (turn, reserve) = (self.turn(), self.reserve());
                let waited = at.as_microsecond() - wait.since.as_microsecond();
                if let Some(spent) = self.seats.get_mut(usize::from(wait.seat)) {
                    spent.reserve = (spent.reserve + (waited - turn).max(0)).min(reserve);
                }
                self.wait = None;
            }
        }
        let spent = anew.and_then(|seat| self.seats.get_mut(usize::from(seat)));
        match (entry, spent) {
            (Entry::Timeout { .. }, Some(spent)) => spent.timeouts += 1,
            (_, Some(spent)) => *spent = Spent::default(),
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

/// The seat of a person who must act, and the turn in which that is.
fn waited_for(game: &Game, state: &State, players: &[Player]) -> Option<(u8, u32)> {
    if players.contains(&Player::Open) {
        return None;
    }
    let seat = game.seat_of(game.question(state)?.asked());
    match players.get(usize::from(seat))? {
        Player::Person { .. } => Some((seat, state.turn)),
        Player::Bot { .. } | Player::Open => None,
    }
}
