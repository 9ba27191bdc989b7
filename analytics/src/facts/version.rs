//! Which facts these are.

use jiff::Timestamp;
use polars::prelude::*;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// What a set of facts is made of: the same games give the same version in whatever order and
/// form they are kept. Versions of disjoint sets merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// How many games.
    pub games: u64,
    /// Sum of the hashes of the games, wrapping: of each its id, a line feed and its digest.
    pub(super) content: u64,
    /// When the last of them was played.
    pub as_of: Option<Timestamp>,
}

impl Version {
    /// The version of a `games` table.
    ///
    /// # Errors
    /// When the columns `game`, `digest` or `played_at` are missing.
    pub fn of(games: &DataFrame) -> PolarsResult<Version> {
        let (ids, digests) = (games.column("game")?.str()?, games.column("digest")?.str()?);
        let content = ids.iter().zip(digests.iter()).fold(0, |sum: u64, pair| {
            let line = format!("{}\n{}", pair.0.unwrap_or(""), pair.1.unwrap_or(""));
            sum.wrapping_add(xxh3_64(line.as_bytes()))
        });
        let newest = games.column("played_at")?.datetime()?.physical().max();
        Ok(Version {
            games: games.height() as u64,
            content,
            as_of: newest.and_then(|micros| Timestamp::from_microsecond(micros).ok()),
        })
    }

    /// The version of two disjoint sets together.
    pub fn merge(self, other: Version) -> Version {
        Version {
            games: self.games + other.games,
            content: self.content.wrapping_add(other.content),
            as_of: self.as_of.max(other.as_of),
        }
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{:016x}", self.games, self.content)
    }
}
