//! Ends a game by decision of its organizer.

use engine::forms::DecisionError;
use engine::words::EndReason;
use records::{Decision, Entry};
use uuid::Uuid;

use crate::games::bodies::{ActionOutcome, Adjudication, GameBody};
use crate::games::draft::Draft;
use crate::games::model::Status;
use crate::games::play::check_running;
use crate::games::service::Games;
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
