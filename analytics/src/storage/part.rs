//! A part of the facts on disk.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::facts::Version;
use crate::question::{AsOf, Filters, InstantFilter};

/// Which columns the tables and summaries have and what their rows say. Count it up with every
/// change to `facts/` or to a measure's summary that alters either, so that facts of different
/// forms are never read together; the service computes those of another form again.
pub const FORM: u32 = 16;

/// A part: some games of one edition and month, with a file in each table and summary. Parts are
/// never altered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The edition.
    pub edition: String,
    /// The month, such as 2026-11.
    pub month: String,
    /// What is in it.
    pub version: Version,
    /// When its first game ended.
    pub first: Option<Timestamp>,
    /// When its last game ended.
    pub last: Option<Timestamp>,
    /// The first place in the log of its games.
    pub first_position: i64,
    /// When the first of them was recorded.
    pub first_recorded: Option<Timestamp>,
    /// How many rows it has of results at real tables.
    pub results: u64,
    /// The checksums (XXH3, 64 bits) of its files: those of the tables, then those of the summaries.
    pub sums: Vec<u64>,
}

impl Part {
    /// The path of its file below a table's folder. The name depends on the games in it only.
    pub fn path(&self) -> PathBuf {
        let Version { games, content, .. } = self.version;
        PathBuf::from(format!("edition={}", self.edition))
            .join(format!("month={}", self.month))
            .join(format!("part-{games:08}-{content:016x}.v{FORM}.parquet"))
    }

    /// Whether all of its games pass filters by when they ended and were recorded, none, or some may.
    pub(crate) fn passing(&self, filters: &Filters) -> Passing {
        let both = [self.passing_by_end(filters), self.passing_by_place(filters)];
        match () {
            () if both.contains(&Passing::None) => Passing::None,
            () if both.contains(&Passing::Some) => Passing::Some,
            () => Passing::All,
        }
    }

    /// That by when they were recorded.
    pub(crate) fn passing_by_place(&self, filters: &Filters) -> Passing {
        let begun_and_over = match filters.as_of {
            None => return Passing::All,
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
            (false, _) => Passing::None,
            (true, true) => Passing::All,
            (true, false) => Passing::Some,
        }
    }

    /// That by when they ended.
    fn passing_by_end(&self, filters: &Filters) -> Passing {
        if filters.since.is_none() && filters.until.is_none() {
            return Passing::All;
        }
        let (Some(first), Some(last)) = (self.first, self.last) else {
            return Passing::Some;
        };
        // As facts hold times.
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
            () if !begun(last) || over(first) => Passing::None,
            () if begun(first) && !over(last) => Passing::All,
            () => Passing::Some,
        }
    }
}

/// How many of some games pass a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// Every one.
    All,
    /// Perhaps some of them.
    Some,
    /// Not one.
    None,
}
