//! What games ask of leagues: who organizes and sees a table of one, and which event its end adds to the league's log.

use std::fmt;

use uuid::Uuid;

use crate::games::model::{LeagueEnd, StoredGame};
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
