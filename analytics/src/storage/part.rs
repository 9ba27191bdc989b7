//! A part of the facts on disk.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::facts::Version;
use crate::question::{AsOf, Filters, InstantFilter};

/// The format version of facts: the columns of tables and summaries and their meaning.
/// Increase it with each change to `facts/` or to a measure's summary that alters either, so that facts of different
/// versions are never read together. The server computes facts of another version again.
pub const FORM: u32 = 21;

/// A part: games of one edition and month, with a file for each table and summary. It never changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The edition.
    pub edition: String,
    /// The month, such as 2026-11.
    pub month: String,
    /// The version of its games.
    pub version: Version,
    /// The time when its first game ended.
    pub first: Option<Timestamp>,
    /// The time when its last game ended.
    pub last: Option<Timestamp>,
    /// The first offset in the log of its games.
    pub first_position: i64,
    /// The time when the first of them was recorded.
    pub first_recorded: Option<Timestamp>,
    /// The number of rows of over-the-board results.
    pub results: u64,
    /// The checksums (XXH3, 64 bits) of its files: first those of the tables, then those of the summaries.
    pub sums: Vec<u64>,
}

impl Part {
    /// Returns the path of its file in the folder of a table. The name depends only on its games.
    pub fn path(&self) -> PathBuf {
        let Version { games, content, .. } = self.version;
        PathBuf::from(format!("edition={}", self.edition))
            .join(format!("month={}", self.month))
            .join(format!("part-{games:08}-{content:016x}.v{FORM}.parquet"))
    }

    /// Checks how many of its games can pass the filters on the times of ending and recording.
    pub(crate) fn filter_match(&self, filters: &Filters) -> FilterMatch {
        let both = [self.match_ended(filters), self.match_recorded(filters)];
        match () {
            () if both.contains(&FilterMatch::None) => FilterMatch::None,
            () if both.contains(&FilterMatch::Some) => FilterMatch::Some,
            () => FilterMatch::All,
        }
    }

    /// Checks only the filter on the time of recording.
    pub(crate) fn match_recorded(&self, filters: &Filters) -> FilterMatch {
        let begun_and_over = match filters.as_of {
            None => return FilterMatch::All,
            Some(AsOf::Position(place)) => (
                self.first_position <= place,
                self.version.log_position <= place,
            ),
            Some(AsOf::Time(time)) => {
                let by = |recorded: Option<Timestamp>| recorded.is_some_and(|at| at <= time);
                (by(self.first_recorded), by(self.version.as_of))
            }
        };
        match begun_and_over {
            (false, _) => FilterMatch::None,
            (true, true) => FilterMatch::All,
            (true, false) => FilterMatch::Some,
        }
    }

    /// Checks only the filters on the time of ending.
    fn match_ended(&self, filters: &Filters) -> FilterMatch {
        if filters.since.is_none() && filters.until.is_none() {
            return FilterMatch::All;
        }
        let (Some(first), Some(last)) = (self.first, self.last) else {
            return FilterMatch::Some;
        };
        // Facts store times in microseconds.
        let micros = |moment: InstantFilter| moment.0.as_microsecond();
        let begun = |time: Timestamp| {
            let since = filters.since.map(micros);
            since.is_none_or(|since| since <= time.as_microsecond())
        };
        let over = |time: Timestamp| {
            let until = filters.until.map(micros);
            until.is_some_and(|until| until <= time.as_microsecond())
        };
        match () {
            () if !begun(last) || over(first) => FilterMatch::None,
            () if begun(first) && !over(last) => FilterMatch::All,
            () => FilterMatch::Some,
        }
    }
}

/// How many games of a part can pass a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilterMatch {
    /// All games.
    All,
    /// Some games, or possibly none.
    Some,
    /// No game.
    None,
}
