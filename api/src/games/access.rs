//! Who may see, organize and adjudicate a game, by tokens and accounts or by rights in its league.

use std::sync::Arc;

use uuid::Uuid;

use crate::db::Store;
use crate::games::counts::has_sat;
use crate::games::leagues::{DueEnd, LeagueHooks, LeagueRights};
use crate::games::model::{AddedLeagueEvent, Status, StoredGame, Visibility};
use crate::games::table::Table;
use crate::http::call::{Access, Call};
use crate::http::error::ServiceError;

/// Checks what a caller may do with games.
#[derive(Debug)]
pub struct GameAccess {
    store: Arc<Store>,
    leagues: LeagueHooks,
}

impl GameAccess {
    /// Creates the access rules of the games of a store.
    pub fn new(store: Arc<Store>, leagues: LeagueHooks) -> GameAccess {
        GameAccess { store, leagues }
    }

    /// Returns the event that a change of a game adds to the log of its league.
    pub(in crate::games) fn league_event(
        &self,
        game: &StoredGame,
        bidding_changed: bool,
    ) -> Result<Option<AddedLeagueEvent>, ServiceError> {
        (self.leagues.event_of)(game, bidding_changed)
    }

    /// Returns what is due for a game because of the deadline of its table.
    pub(in crate::games) fn due_end(
        &self,
        game: &StoredGame,
        now: i64,
    ) -> Result<DueEnd, ServiceError> {
        let league = game.league.as_deref().map(Uuid::try_parse);
        match league {
            Some(Ok(league)) => (self.leagues.due_end)(league, game.id, now),
            _ => Ok(DueEnd::Never),
        }
    }

    /// Returns true if this server has the league and the caller may see it.
    pub(in crate::games) fn sees_league(
        &self,
        call: &Call,
        id: Uuid,
    ) -> Result<bool, ServiceError> {
        let rights = (self.leagues.rights)(call, id, None)?;
        Ok(rights.is_some_and(|rights| rights.sees))
    }

    /// Returns true if a game names a league of this server.
    /// The games of such a league are only its tables.
    pub(in crate::games) fn is_league_here(&self, league: &str) -> Result<bool, ServiceError> {
        match Uuid::try_parse(league) {
            Ok(id) => Ok(self.store.league(id)?.is_some()),
            Err(_) => Ok(false),
        }
    }

    /// Checks that the caller organizes a league of this server.
    ///
    /// # Errors
    /// 401 if the caller is unknown, 403 if it is not an organizer or the token lacks the scope, 404 if there is no
    /// such league, or the error of the store.
    pub(in crate::games) fn check_league_organizer(
        &self,
        id: Uuid,
        call: &Call,
    ) -> Result<(), ServiceError> {
        let missing = || ServiceError::NotFound(format!("league {id}"));
        let rights = (self.leagues.rights)(call, id, None)?;
        rights.ok_or_else(missing)?.check_organizer(call)
    }

    /// Returns the caller's rights in the league of which a game is a table; `None` for other games.
    fn rights(&self, call: &Call, table: &Table) -> Result<Option<LeagueRights>, ServiceError> {
        let named = table.stored.league.as_deref();
        match named.and_then(|id| Uuid::try_parse(id).ok()) {
            Some(league) => (self.leagues.rights)(call, league, Some(table.id())),
            None => Ok(None),
        }
    }

    /// Checks that the caller organizes a game, by the rights in its league or else by [`Call::organizer`].
    ///
    /// # Errors
    /// 401 if the caller is unknown, 403 if it is not an organizer or the token lacks the scope, or the error of the
    /// store.
    pub fn check_organizer(&self, call: &Call, table: &Table) -> Result<(), ServiceError> {
        match self.rights(call, table)? {
            Some(rights) => rights.check_organizer(call),
            None => call.organizer(table),
        }
    }

    /// Returns true if a game is a table of a league of this server.
    pub(in crate::games) fn is_of_league(&self, table: &Table) -> Result<bool, ServiceError> {
        Ok(self.rights(&Call::default(), table)?.is_some())
    }

    /// Returns true if the caller may see a game, by [`Call::sees`] or as a table of a visible league.
    pub fn sees(&self, call: &Call, table: &Table) -> Result<bool, ServiceError> {
        let sees = call.sees(table);
        let Some(access) = call.access.as_deref() else {
            return Ok(sees);
        };
        // The account that created a table sees it only while it organizes the league.
        let by_account =
            table.stored.organizer_account == Some(access.account) && !table.is_at(access.account);
        if sees && (table.stored.visibility != Visibility::Private || !by_account) {
            return Ok(true);
        }
        let rights = self.rights(call, table)?;
        Ok(rights.map_or(sees, |rights| rights.sees))
    }

    /// Whether the game is shown to an account that is not an administrator.
    ///
    /// # Errors
    /// Those of [`GameAccess::sees`].
    pub fn is_shown_to(&self, account: Uuid, table: &Table) -> Result<bool, ServiceError> {
        let call = Call {
            access: Some(Arc::new(Access::of_account(account))),
            ..Call::default()
        };
        self.sees(&call, table)
    }

    /// Checks that a caller who decides for others in a running rated game is not one of its players.
    /// It must be an account that has never played in the game, or hold the game's own token if no account plays.
    ///
    /// # Errors
    /// 403 if the caller may be a player, or the error of the store.
    pub(in crate::games) fn check_impartial(
        &self,
        call: &Call,
        table: &Table,
    ) -> Result<(), ServiceError> {
        if !table.stored.rated || table.status() != Status::Running {
            return Ok(());
        }
        let may_have_sat = match call.access.as_deref() {
            Some(access) => {
                let seat_entries = self.store.seatings(table.stored.number)?;
                has_sat(&table.stored, &seat_entries, access.account)?
            }
            None => table.seats.iter().any(|seat| seat.account().is_some()),
        };
        match may_have_sat {
            false => Ok(()),
            true => Err(ServiceError::Forbidden(
                "the game is rated: only an account that has never played in it may decide this"
                    .to_owned(),
            )),
        }
    }
}
