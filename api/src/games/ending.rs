//! Ends a game by decision of its organizer.

use engine::forms::DecisionError;
use engine::words::EndReason;
use records::{Decision, Entry};
use uuid::Uuid;

use crate::db::work::TaskOutcome;
use crate::games::bodies::{ActionOutcome, Adjudication, GameBody};
use crate::games::draft::Draft;
use crate::games::leagues::DueEnd;
use crate::games::model::Status;
use crate::games::play::check_running;
use crate::games::service::Games;
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};

impl Games {
    /// Ends a game with the ranks that its organizer gives.
    pub fn adjudicate(
        &self,
        id: Uuid,
        call: &Call,
        adjudication: &Adjudication,
    ) -> Result<ActionOutcome, ServiceError> {
        let note = adjudication.note.as_deref();
        let checked = note.map_or(Ok(()), records::check_note);
        checked.map_err(|message| ServiceError::invalid("note", message))?;
        let reason = adjudication.reason.unwrap_or(EndReason::Adjudication);
        self.change(id, call, |table| {
            self.access.check_organizer(call, table)?;
            check_running(table)?;
            self.access.check_impartial(call, table)?;
            let ranks = adjudication.ranks.iter().map(|r| (r.seat, r.rank));
            let result = table.game.decide(&table.state, reason, ranks);
            let result = result.map_err(|error| {
                let field = match error {
                    DecisionError::Reason(_) => "reason",
                    _ => "ranks",
                };
                ServiceError::invalid(field, error)
            })?;
            let mut draft = Draft::new(table, self.store.now());
            draft.finish(Some(&result));
            let decision = Decision {
                result,
                note: adjudication.note.clone(),
                declared: false,
            };
            draft.add_entry(&Entry::Adjudicate(Box::new(decision)), None);
            let acted = draft.response()?;
            Ok((draft, acted))
        })
    }

    /// Ends a game of a league if the deadline of its table has passed, by the rules of the season.
    /// A game that has not started is abandoned.
    ///
    /// # Errors
    /// [`ServiceError::Damaged`] if the game or its league cannot be read, or the error of the store.
    pub(in crate::games) fn end_by_deadline(&self, id: Uuid) -> Result<TaskOutcome, ServiceError> {
        let due_end = |table: &Table| self.access.due_end(&table.stored, self.store.now());
        let ended = self.change(id, &Call::default(), |table| {
            let (forfeit, note) = match due_end(table)? {
                DueEnd::Now { forfeit, note } if !table.status().is_over() => (forfeit, note),
                _ => return Err(ServiceError::over(table.seq())),
            };
            let mut draft = Draft::new(table, self.store.now());
            if table.status() == Status::Open {
                draft.add_entry(&Entry::Abandon, None);
                draft.finish(None);
                return Ok((draft, ()));
            }
            let ranks = ranks_by_points(table, forfeit);
            let result = (table.game).decide(&table.state, EndReason::Adjudication, ranks);
            let result = result.map_err(|error| ServiceError::damaged(id, error))?;
            draft.finish(Some(&result));
            let decision = Decision {
                result,
                note: Some(note),
                declared: false,
            };
            draft.add_entry(&Entry::Adjudicate(Box::new(decision)), None);
            Ok((draft, ()))
        });
        match ended {
            Ok(()) => Ok(TaskOutcome::Nothing),
            // It is over, or may end later only.
            Err(ServiceError::GameOver { .. }) => {
                let table = self.table(id)?;
                Ok(match due_end(&table)? {
                    DueEnd::At(at) if !table.status().is_over() => TaskOutcome::Later(at),
                    _ => TaskOutcome::Nothing,
                })
            }
            Err(error) => Err(error),
        }
    }

    /// Abandons a game that has not started, for the organizer. Its log remains.
    pub fn abandon(&self, id: Uuid, call: &Call) -> Result<GameBody, ServiceError> {
        self.change(id, call, |table| {
            self.access.check_organizer(call, table)?;
            match table.status() {
                Status::Open => {}
                Status::Running => {
                    let message =
                        "the game has started: the organizer can only end it by adjudication";
                    return Err(ServiceError::conflict(
                        ConflictKind::AlreadyStarted,
                        message,
                    ));
                }
                _ => return Err(ServiceError::over(table.seq())),
            }
            let mut draft = Draft::new(table, self.store.now());
            draft.add_entry(&Entry::Abandon, None);
            draft.finish(None);
            let body = draft.table.body()?;
            Ok((draft, body))
        })
    }
}

/// Returns the rank of each seat by its points; if they forfeit, those who must act come last.
/// Resigned nations come after the others.
fn ranks_by_points(table: &Table, forfeit: bool) -> Vec<(u8, u8)> {
    let (game, state) = (&table.game, &table.state);
    let awaited: Vec<u8> = table.pending().iter().map(|asked| asked.seat).collect();
    let key = |seat: u8| {
        let left = game
            .nations_of(seat)
            .filter(|nation| !state.nation(*nation).resigned);
        let points = left.map(|nation| game.points(state, nation)).max();
        (!(forfeit && awaited.contains(&seat)), points)
    };
    let keys: Vec<_> = table.seats.iter().map(|seat| key(seat.number)).collect();
    let better = |own| keys.iter().filter(|other| *other > own).count() as u8;
    (0..).zip(keys.iter().map(|own| 1 + better(own))).collect()
}
