//! Changes the organizer of a game.

use uuid::Uuid;

use crate::games::bodies::{GameBody, NewOrganizer};
use crate::games::draft::Draft;
use crate::games::service::Games;
use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};

impl Games {
    /// Makes another account the organizer.
    /// The previous organizer and the game's own organizer token lose the right.
    pub fn change_organizer(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewOrganizer,
    ) -> Result<GameBody, ServiceError> {
        let found = self.accounts.account_named(&new.id)?;
        let account = found.filter(|account| account.deleted_at.is_none());
        self.change(id, call, |table| {
            self.access.check_organizer(call, table)?;
            if self.access.is_of_league(table)? {
                let message =
                    "this game belongs to a league: the organizers of the league organize it";
                return Err(ServiceError::conflict(
                    ConflictKind::OrganizedByLeague,
                    message,
                ));
            }
            let account = account.as_ref().ok_or_else(|| {
                ServiceError::invalid("id", "no account has this id or handle: check the spelling")
            })?;
            if table.status().is_over() {
                return Err(ServiceError::over(table.seq()));
            }
            let mut draft = Draft::new(table, self.store.now());
            draft.table.stored.organizer = None;
            draft.table.stored.organizer_account = Some(account.id);
            let body = draft.table.body()?;
            Ok((draft, body))
        })
    }
}
