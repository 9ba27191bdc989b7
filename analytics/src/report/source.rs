//! What a report is made of.

use engine::content::Library;

use crate::question::Filters;
use crate::storage::Store;

/// What a report is made of.
#[derive(Clone, Copy, Debug)]
pub struct ReportSource<'a> {
    /// The facts.
    pub facts: &'a Store,
    /// The facts of two halves of the same games, to compare them.
    pub halves: Option<&'a [Store; 2]>,
    /// Boards and rulesets.
    pub library: &'a Library,
    /// Which games and nations are counted.
    pub filters: &'a Filters,
}
