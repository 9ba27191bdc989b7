//! The input of a report.

use engine::content::Library;

use crate::question::Filters;
use crate::storage::Store;

/// The input of a report.
#[derive(Clone, Copy, Debug)]
pub struct ReportSource<'a> {
    /// The facts.
    pub facts: &'a Store,
    /// The facts of two halves of the same games, for comparison.
    pub halves: Option<&'a [Store; 2]>,
    /// Boards and rulesets.
    pub library: &'a Library,
    /// The games and nations to include.
    pub filters: &'a Filters,
}
