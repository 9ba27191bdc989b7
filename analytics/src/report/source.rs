//! The input of a report.

use engine::content::Library;

use crate::question::Filters;
use crate::storage::FactsStore;

/// The input of a report.
#[derive(Clone, Copy, Debug)]
pub struct ReportSource<'a> {
    /// The facts.
    pub facts: &'a FactsStore,
    /// The facts of two halves of the same games, for comparison.
    pub halves: Option<&'a [FactsStore; 2]>,
    /// Boards and rulesets.
    pub library: &'a Library,
    /// The games and nations to include.
    pub filters: &'a Filters,
}
