//! The version of a set of facts.

use jiff::Timestamp;
use polars::prelude::*;
use serde::{Deserialize, Serialize};

/// The version of a set of facts: the same games have the same number of games and content hash.
/// The order and the storage of games make no difference. Versions of disjoint sets can be merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// The number of games.
    pub games: u64,
    /// Wrapping sum of the hashes of the games and of over-the-board results.
    /// They are `content_1` and `content_2` of games, and the hashes of the rows and revisions of results.
    pub(crate) content: u64,
    /// The offset in the log of the last game; 0 without games.
    pub log_position: i64,
    /// The time when that game was recorded.
    pub as_of: Option<Timestamp>,
}

impl Version {
    /// Computes the version of the tables `games` and `results`.
    ///
    /// # Errors
    /// If a column is missing.
    pub fn from_tables(games: &DataFrame, results: &DataFrame) -> PolarsResult<Version> {
        let sum = |name: &str| -> PolarsResult<i64> {
            let both = [games.column(name)?.u32()?, results.column(name)?.u32()?];
            let halves = both.into_iter().flat_map(|column| column.iter());
            Ok(halves.map(|half| i64::from(half.unwrap_or(0))).sum())
        };
        // A revision with the same content as an earlier one still changes the version.
        let revisions = results.column("revision")?.u32()?.iter();
        let revisions: i64 = revisions.map(|number| i64::from(number.unwrap_or(0))).sum();
        let (position, recorded) = (games.column("log_position")?, games.column("recorded_at")?);
        let newest = recorded.datetime()?.physical().max();
        Ok(Version {
            games: games.height() as u64,
            content: content(sum("content_1")?, sum("content_2")? + revisions),
            log_position: position.i64()?.max().unwrap_or(0),
            as_of: newest.and_then(|micros| Timestamp::from_microsecond(micros).ok()),
        })
    }

    /// Returns the version of the union of two disjoint sets.
    pub fn merge(self, other: Version) -> Version {
        Version {
            games: self.games + other.games,
            content: self.content.wrapping_add(other.content),
            log_position: self.log_position.max(other.log_position),
            as_of: self.as_of.max(other.as_of),
        }
    }
}

/// Combines sums of the upper and lower halves of hashes.
pub(crate) fn content(first: i64, second: i64) -> u64 {
    (first as u64).wrapping_shl(32).wrapping_add(second as u64)
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{:016x}", self.games, self.content)
    }
}
