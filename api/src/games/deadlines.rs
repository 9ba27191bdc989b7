//! Time: whose runs, and what happens when it is up.

use engine::play::Action;
use engine::setup::{Player, TimeoutThen};
use records::Entry;
use uuid::Uuid;

use crate::db::time::timestamp;
use crate::db::work::Done;
use crate::games::Games;
use crate::games::bodies::SeatClock;
use crate::games::model::Seat;
use crate::games::play::{is_automatic, reply};
use crate::games::table::{Draft, Table};
use crate::http::call::Call;
use crate::http::error::ServiceError;

impl Table {
    /// Lets the clock of a game with a pace take an event that was recorded at a moment, in microseconds since
    /// 1970. Where a standing order answers, nobody's time runs.
    pub(crate) fn run_clock(&mut self, entry: &Entry, at: i64) {
        let Some(clock) = &mut self.clock else {
            return;
        };
        let players: Vec<Player> = self.seats.iter().map(|seat| seat.player.clone()).collect();
        clock.note(entry, timestamp(at), &self.game, &self.state, &players);
        let due = clock.due().map(|(_, until)| until.as_microsecond());
        self.stored.due_at = due.filter(|_| !is_automatic(self));
    }

    /// What the seats have left of their time; empty in a game without a pace.
    pub(crate) fn clocks(&self) -> Vec<SeatClock> {
        let seats = self.clock.iter().flat_map(|clock| clock.seats()).zip(0..);
        let told = seats.map(|((timeouts, reserve_seconds), seat)| SeatClock {
            seat,
            reserve_seconds,
            timeouts,
        });
        told.collect()
    }
}

impl Games {
    /// Notes in the log that the time of the seat that is waited for is up, and does what follows from that,
    /// unless a move came first.
    ///
    /// # Errors
    /// [`ServiceError::Damaged`] when the game goes no further; when the store fails.
    pub(crate) fn time_out(&self, id: Uuid) -> Result<Done, ServiceError> {
        let timed_out = self.change(id, &Call::default(), |table| {
            let mut draft = Draft::new(table, self.store.now());
            let due = table.clock.as_ref().filter(|_| !is_automatic(table));
            let timed_out = due.and_then(|clock| clock.timed_out(timestamp(draft.now())));
            let (Some((seat, then)), Some(clock)) = (timed_out, due) else {
                return Err(ServiceError::over(table.seq()));
            };
            let too_long = |error| ServiceError::damaged(id, error);
            self.check_length(table).map_err(too_long)?;
            draft.note(&Entry::Timeout { seat, then }, None);
            match then {
                TimeoutThen::Wait => {}
                TimeoutThen::Bot => {
                    // A pace is checked to name one.
                    let name = clock.pace().bot.clone().unwrap_or_default();
                    let bot = Seat {
                        invited: table.seat(seat)?.invited,
                        ..Seat::new(seat, Player::Bot { name }, None)
                    };
                    draft.seat_player(bot);
                }
                TimeoutThen::Resign => {
                    let nations: Vec<_> = table.game.nations_of(seat).collect();
                    for nation in nations {
                        let state = &draft.table.state;
                        if state.nation(nation).resigned || state.outcome.is_some() {
                            continue;
                        }
                        let resigned = draft.act(nation, Action::Resign);
                        resigned.map_err(|error| ServiceError::damaged(id, error))?;
                    }
                }
            }
            reply(&mut draft);
            Ok((draft, ()))
        });
        match timed_out {
            Ok(()) => Ok(Done::Stored),
            // Somebody has moved, or another node has done it.
            Err(ServiceError::GameOver { .. }) => Ok(Done::Nothing),
            Err(error) => Err(error),
        }
    }
}
