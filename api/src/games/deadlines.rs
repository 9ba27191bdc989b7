//! Deadlines: the consequences when the time of a seat runs out.

use engine::play::Action;
use engine::setup::{Player, TimeoutThen};
use records::Entry;
use uuid::Uuid;

use crate::db::time::timestamp;
use crate::db::work::TaskOutcome;
use crate::games::draft::Draft;
use crate::games::model::Seat;
use crate::games::play::reply;
use crate::games::service::Games;
use crate::http::call::Call;
use crate::http::error::ServiceError;

impl Games {
    /// Records that the time of the seat that must act has run out, and applies the consequence.
    /// Does nothing if a move came first.
    ///
    /// # Errors
    /// [`ServiceError::Damaged`] if the log has its greatest length, or the error of the store.
    pub(in crate::games) fn time_out(&self, id: Uuid) -> Result<TaskOutcome, ServiceError> {
        let timed_out = self.change(id, &Call::default(), |table| {
            let mut draft = Draft::new(table, self.store.now());
            if let Some(bidding) = table.stored.pending_bidding() {
                let now = draft.now();
                let due = bidding.due(&table.players(), &table.stored.pauses);
                if due.is_none_or(|end| end > now) {
                    return Err(ServiceError::over(table.seq()));
                }
                draft.change_bidding(|bidding, players| bidding.miss(players, now));
                reply(&mut draft);
                return Ok((draft, ()));
            }
            let due = table.clock.as_ref().filter(|_| !table.is_automatic());
            let timed_out = due.and_then(|clock| clock.timed_out(timestamp(draft.now())));
            let (Some((seat, then)), Some(clock)) = (timed_out, due) else {
                return Err(ServiceError::over(table.seq()));
            };
            let too_long = |error| ServiceError::damaged(id, error);
            self.check_length(table).map_err(too_long)?;
            draft.add_entry(&Entry::Timeout { seat, then }, None);
            match then {
                TimeoutThen::Wait => {}
                TimeoutThen::Bot => {
                    // Time limits with `bot` always name a bot.
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
            Ok(()) => Ok(TaskOutcome::Stored),
            // The player has moved, or another node has handled the deadline.
            Err(ServiceError::GameOver { .. }) => Ok(TaskOutcome::Nothing),
            Err(error) => Err(error),
        }
    }
}
