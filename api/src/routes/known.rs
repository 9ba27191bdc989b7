//! Filters that name something of the library: what it does not have is refused, with what it has. Names that
//! callers make up, such as those of players and leagues, can be any.

use analytics::Filters;
use analytics::filters::{NO_VARIANT, RulesetVersion};
use engine::content::Library;

use crate::problem::Problem;

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

/// Refuses filters of statistics that name what the library does not have.
///
/// # Errors
/// 422 that names what it has.
pub fn check_filters(library: &Library, filters: &Filters) -> Result<(), Problem> {
    check_content(
        library,
        filters.edition.as_deref(),
        filters.board.as_deref(),
    )?;
    check_nation(library, "nation", filters.nation.as_deref())?;
    let variants = library
        .rulesets()
        .flat_map(|ruleset| ruleset.data.variants.keys().map(String::as_str));
    let variants = variants.chain([NO_VARIANT]);
    check("variant", filters.variant.as_deref(), variants)?;
    let of_edition = |edition: &str| filters.edition.as_deref().is_none_or(|own| own == edition);
    let editions = library
        .rulesets()
        .map(|ruleset| ruleset.data.edition.as_str());
    let versions = editions
        .filter(|edition| of_edition(edition))
        .flat_map(|edition| library.ruleset_versions(edition));
    let told: Vec<String> = versions
        .map(|ruleset| match &filters.ruleset {
            Some(RulesetVersion::Hash(_)) => ruleset.hash.to_string(),
            _ => ruleset.data.version.to_string(),
        })
        .collect();
    let version = filters.ruleset.as_ref().map(RulesetVersion::to_string);
    check(
        "ruleset",
        version.as_deref(),
        told.iter().map(String::as_str),
    )
}
