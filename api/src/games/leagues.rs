//! Games that are tables of leagues: the league decides who organizes and sees them, and its log receives their ends.

use std::fmt;

use uuid::Uuid;

use crate::db::StoreError;
use crate::db::connection::AnyConnection;
use crate::db::writer::Writing;
use crate::games::Games;
use crate::games::model::{StoredGame, Visibility};
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::ServiceError;

/// What a caller may do in a league, and with the games that are its tables.
pub struct LeagueRights {
    /// Whether the caller organizes the league: if not, why not.
    pub organizes: Result<(), ServiceError>,
    /// Whether the caller sees the league.
    pub sees: bool,
}

/// The rights of a caller in the league with an id; `None` when there is no such league here, or when a game is named
/// that is not one of its tables.
pub type FindRights = Box<
    dyn Fn(&Call, Uuid, Option<Uuid>) -> Result<Option<LeagueRights>, ServiceError> + Send + Sync,
>;

/// An event that the end of a game adds to the log of its league.
#[derive(Clone, Debug)]
pub struct LeagueEnd {
    /// The event.
    pub text: String,
    /// Adds it, in the transaction that ends the game, if the league waits for this.
    pub add: fn(&mut AnyConnection, &Writing, Uuid, String) -> Result<(), StoreError>,
}

/// What leagues do for their games.
pub struct LeagueHooks {
    /// Finds the rights of a caller.
    pub rights: FindRights,
    /// The event for the league of a game that is over.
    pub end_of: fn(&StoredGame) -> Result<Option<LeagueEnd>, ServiceError>,
}

impl fmt::Debug for LeagueHooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LeagueHooks")
    }
}

impl Games {
    /// Whether a league that a game names is kept here, so that its games are its tables only.
    pub(crate) fn is_league_here(&self, league: &str) -> Result<bool, ServiceError> {
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
    pub(crate) fn check_league_organizer(&self, id: Uuid, call: &Call) -> Result<(), ServiceError> {
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
    pub(crate) fn check_organizer(&self, call: &Call, table: &Table) -> Result<(), ServiceError> {
        match self.rights(call, table)? {
            Some(rights) => rights.organizes,
            None => call.organizer(table),
        }
    }

    /// Whether a game is a table of a league here.
    pub(crate) fn is_of_league(&self, table: &Table) -> Result<bool, ServiceError> {
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
}
