//! Who may see, organize and decide a game: by its own tokens and accounts, or by the rights in its league.

use std::sync::Arc;

use uuid::Uuid;

use crate::db::Store;
use crate::games::counts::has_sat;
use crate::games::leagues::{LeagueHooks, LeagueRights};
use crate::games::model::{LeagueEnd, Status, StoredGame, Visibility};
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::ServiceError;

/// Checks what a caller may do with games.
#[derive(Debug)]
pub struct GameAccess {
    store: Arc<Store>,
    leagues: LeagueHooks,
}

impl GameAccess {
    /// The rules of access to the games of a store.
    pub fn new(store: Arc<Store>, leagues: LeagueHooks) -> GameAccess {
        GameAccess { store, leagues }
    }

    /// The event that the end of a game adds to the log of its league.
    pub(in crate::games) fn league_end(
        &self,
        game: &StoredGame,
    ) -> Result<Option<LeagueEnd>, ServiceError> {
        (self.leagues.end_of)(game)
    }

    /// Whether a league is kept here that the caller may see.
    pub(in crate::games) fn sees_league(
        &self,
        call: &Call,
        id: Uuid,
    ) -> Result<bool, ServiceError> {
        let rights = (self.leagues.rights)(call, id, None)?;
        Ok(rights.is_some_and(|rights| rights.sees))
    }

    /// Whether a league that a game names is kept here, so that its games are its tables only.
    pub(in crate::games) fn is_league_here(&self, league: &str) -> Result<bool, ServiceError> {
        match Uuid::try_parse(league) {
            Ok(id) => Ok(self.store.league(id)?.is_some()),
            Err(_) => Ok(false),
        }
    }

    /// The caller organizes a league that is kept here.
    ///
    /// # Errors
    /// 401 when the caller is unknown, 403 when others organize it or the token is not for it, 404 when there is no such
    /// league; when the store fails.
    pub(in crate::games) fn check_league_organizer(
        &self,
        id: Uuid,
        call: &Call,
    ) -> Result<(), ServiceError> {
        let missing = || ServiceError::NotFound(format!("league {id}"));
        let rights = (self.leagues.rights)(call, id, None)?;
        rights.ok_or_else(missing)?.organizes
    }

    /// The rights of the caller in the league of which a game is a table; `None` for other games.
    fn rights(&self, call: &Call, table: &Table) -> Result<Option<LeagueRights>, ServiceError> {
        let named = table.stored.league.as_deref();
        match named.and_then(|id| Uuid::try_parse(id).ok()) {
            Some(league) => (self.leagues.rights)(call, league, Some(table.id())),
            None => Ok(None),
        }
    }

    /// The caller organizes a game: the organizers of its league if it is a table of one, else as [`Call::organizer`].
    ///
    /// # Errors
    /// 401 when the caller is unknown, 403 when others organize it or the token is not for it; when the store fails.
    pub(in crate::games) fn check_organizer(
        &self,
        call: &Call,
        table: &Table,
    ) -> Result<(), ServiceError> {
        match self.rights(call, table)? {
            Some(rights) => rights.organizes,
            None => call.organizer(table),
        }
    }

    /// Whether a game is a table of a league here.
    pub(in crate::games) fn is_of_league(&self, table: &Table) -> Result<bool, ServiceError> {
        Ok(self.rights(&Call::default(), table)?.is_some())
    }

    /// Whether the caller may see a game: as [`Call::sees`], and a table of a league if the caller sees the league.
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

    /// A caller who decides for others in a running rated game is not one of the players that it compares: an account that
    /// has not sat there, or the holder of the game's own token where no account sits.
    ///
    /// # Errors
    /// 403 when the caller may be one of them; when the store fails.
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
                let told = self.store.seatings(table.stored.number)?;
                has_sat(&table.stored, &told, access.account)?
            }
            None => table.seats.iter().any(|seat| seat.account().is_some()),
        };
        match may_have_sat {
            false => Ok(()),
            true => Err(ServiceError::Forbidden(
                "this game is rated: somebody decides who has an account and has not sat there"
                    .to_owned(),
            )),
        }
    }
}
