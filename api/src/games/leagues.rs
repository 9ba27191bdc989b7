//! What games need from leagues: the rights of callers, and the events of its tables.

use std::fmt;

use uuid::Uuid;

use crate::games::model::{AddedLeagueEvent, StoredGame};
use crate::http::call::Call;
use crate::http::error::ServiceError;

/// The rights of a caller in a league and in the games that are its tables.
pub struct LeagueRights {
    /// Whether the caller organizes the league; otherwise the error that says why not.
    pub organizes: Result<(), ServiceError>,
    /// Whether the caller organizes it only as an administrator.
    pub as_administrator: bool,
    /// Whether the caller may see the league.
    pub sees: bool,
}

impl LeagueRights {
    /// Checks that the caller organizes the league.
    ///
    /// # Errors
    /// The error that says why not.
    pub fn check_organizer(self, call: &Call) -> Result<(), ServiceError> {
        self.organizes?;
        if self.as_administrator {
            call.act_as_administrator();
        }
        Ok(())
    }
}

/// Returns the rights of a caller in the league with an id.
/// `None` if this server has no such league, or if a game is given that is not one of its tables.
pub type FindRights = Box<
    dyn Fn(&Call, Uuid, Option<Uuid>) -> Result<Option<LeagueRights>, ServiceError> + Send + Sync,
>;

/// What is due for a game because of the deadline of its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DueEnd {
    /// Nothing ends the game.
    Never,
    /// It may end at a time in microseconds since 1970.
    At(i64),
    /// It ends now.
    Now {
        /// Whether those who must act are last.
        forfeit: bool,
        /// Why it ends.
        note: String,
    },
}

/// Returns what is due for a game of a league at a time in microseconds since 1970.
pub type FindDueEnd = Box<dyn Fn(Uuid, Uuid, i64) -> Result<DueEnd, ServiceError> + Send + Sync>;

/// Functions that leagues provide for their games.
pub struct LeagueHooks {
    /// Returns the rights of a caller.
    pub rights: FindRights,
    /// Returns what is due because of a deadline.
    pub due_end: FindDueEnd,
    /// Returns the event for the league of a game that is over, or whose bidding has changed and is over.
    pub event_of: fn(&StoredGame, bool) -> Result<Option<AddedLeagueEvent>, ServiceError>,
}

impl fmt::Debug for LeagueHooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LeagueHooks")
    }
}
