//! Filters that name something: a name that stands for nothing here is refused.

use analytics::{Filters, Measure};
use bots::BOTS;
use engine::content::Library;

use crate::games::lists::GameLists;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::problem::Problem;

/// Refuses a value that is not one of the known ones.
///
/// # Errors
/// 422 that names them.
fn check<'a>(
    field: &str,
    value: Option<&str>,
    known: impl Iterator<Item = &'a str>,
) -> Result<(), Problem> {
    let Some(value) = value else {
        return Ok(());
    };
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    known.dedup();
    if known.contains(&value) {
        return Ok(());
    }
    let detail = format!("{value:?} is unknown; there are {}", known.join(", "));
    Err(Problem::invalid(field, detail))
}

/// Refuses an edition or a board that the library does not have.
///
/// # Errors
/// 422 that names those that it has.
pub fn check_content(
    library: &Library,
    edition: Option<&str>,
    board: Option<&str>,
) -> Result<(), Problem> {
    let editions = library
        .rulesets()
        .map(|ruleset| ruleset.data.edition.as_str());
    check("edition", edition, editions)?;
    let boards = library.boards().map(|board| board.data.id.as_str());
    check("board", board, boards)
}

/// Refuses a nation that no board has.
///
/// # Errors
/// 422 that names those that there are.
pub fn check_nation(library: &Library, field: &str, nation: Option<&str>) -> Result<(), Problem> {
    let nations = library.boards().flat_map(|board| board.nations());
    check(field, nation, nations)
}

/// The players and the league that a query names.
#[derive(Clone, Debug, Default)]
pub struct KnownNames {
    /// Players with the parameter that names each.
    pub players: Vec<(&'static str, Option<String>)>,
    /// The league.
    pub league: Option<String>,
}

impl KnownNames {
    /// Refuses names that are unknown, unless games were found: then they are known.
    ///
    /// # Errors
    /// As [`KnownNames::check`].
    pub fn check_unless(&self, found: bool, lists: &GameLists) -> Result<(), ServiceError> {
        if found { Ok(()) } else { self.check(lists) }
    }

    /// Refuses names that are unknown.
    ///
    /// # Errors
    /// [`ServiceError::Invalid`] that says which; when the store fails.
    pub fn check(&self, lists: &GameLists) -> Result<(), ServiceError> {
        for (field, player) in &self.players {
            if let Some(player) = player {
                lists.check_player(field, player)?;
            }
        }
        match &self.league {
            Some(league) => lists.check_league(&Call::default(), league),
            None => Ok(()),
        }
    }
}

/// Refuses filters of a measure that name what the library does not have, or that contradict each other.
///
/// # Errors
/// 422 that names what can be asked for.
pub fn check_filters(
    library: &Library,
    measure: &Measure,
    filters: &Filters,
) -> Result<(), Problem> {
    let bots: Vec<&str> = BOTS.iter().map(|bot| bot.name).collect();
    let checked = measure.check(filters, library, Some(&bots));
    checked.map_err(|bad| Problem::invalid(bad.field, bad.detail))
}
