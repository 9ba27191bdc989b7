//! Checks of names in filters: an unknown name is refused.

use analytics::{Filters, Measure};
use bots::BOTS;
use engine::content::Library;

use crate::games::lists::GameLists;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::problem::{Code, FieldError, Problem};

/// Refuses a value that is not one of the known ones.
///
/// # Errors
/// 422 with a list of the known ones.
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
    let detail = format!("{value:?} is unknown: use one of {}", known.join(", "));
    Err(Problem::invalid_parameter(field, detail))
}

/// Refuses an unknown edition or board.
///
/// # Errors
/// 422 with a list of the known ones.
pub fn check_content(
    library: &Library,
    edition: Option<&str>,
    board: Option<&str>,
) -> Result<(), Problem> {
    let editions = library
        .rulesets()
        .map(|ruleset| ruleset.data.edition.as_str());
    let boards = library.boards().map(|board| board.data.id.as_str());
    check_all([
        check("edition", edition, editions),
        check("board", board, boards),
    ])
}

/// Combines the outcomes of checks of parameters, so that one answer lists everything that is unknown.
///
/// # Errors
/// The only problem, or 422 with all of them as `errors`.
pub fn check_all(checks: impl IntoIterator<Item = Result<(), Problem>>) -> Result<(), Problem> {
    let mut problems: Vec<Problem> = checks.into_iter().filter_map(Result::err).collect();
    match problems.pop() {
        None => Ok(()),
        Some(only) if problems.is_empty() => Err(only),
        Some(last) => {
            problems.push(last);
            let errors = problems
                .into_iter()
                .flat_map(|problem| match problem.errors.is_empty() {
                    false => problem.errors,
                    true => vec![FieldError {
                        field: problem.field.unwrap_or_default(),
                        pointer: None,
                        detail: problem.detail,
                    }],
                });
            Problem::if_any(Code::InvalidParameter, errors.collect())
        }
    }
}

/// Refuses a nation that is on no board.
///
/// # Errors
/// 422 with a list of the known ones.
pub fn check_nation(library: &Library, field: &str, nation: Option<&str>) -> Result<(), Problem> {
    let nations = library.boards().flat_map(|board| board.nations());
    check(field, nation, nations)
}

/// The players and the league in a query.
#[derive(Clone, Debug, Default)]
pub struct KnownNames {
    /// The players, each with the name of its parameter.
    pub players: Vec<(&'static str, Option<String>)>,
    /// The league.
    pub league: Option<String>,
}

impl KnownNames {
    /// Returns the names in filters of statistics.
    pub fn of(filters: &Filters) -> KnownNames {
        KnownNames {
            players: vec![("player", filters.player.clone())],
            league: filters.league.clone(),
        }
    }

    /// Checks the names, unless games were found: then they are known.
    ///
    /// # Errors
    /// Those of [`KnownNames::check`].
    pub fn check_unless(&self, found: bool, lists: &GameLists) -> Result<(), ServiceError> {
        if found { Ok(()) } else { self.check(lists) }
    }

    /// Refuses unknown names.
    ///
    /// # Errors
    /// [`ServiceError::Invalid`] for the first unknown name, or the error of the store.
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

/// Refuses filters of a measure that name unknown things or contradict each other.
///
/// # Errors
/// 422 with the possible values.
pub fn check_filters(
    library: &Library,
    measure: &Measure,
    filters: &Filters,
) -> Result<(), Problem> {
    let bots: Vec<&str> = BOTS.iter().map(|bot| bot.name).collect();
    let checked = measure.check(filters, library, Some(&bots));
    checked.map_err(|bad| Problem::invalid_parameter(bad.field, bad.detail))
}
