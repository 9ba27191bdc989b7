//! Parts of work that several machines share.

use std::fmt;
use std::str::FromStr;

/// A part of numbered work for one of several machines: `1/4` to `4/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of the part, from 1.
    part: u64,
    /// The number of parts, at least `part`.
    parts: u64,
}

impl Shard {
    /// Returns the numbers below `count` that belong to the part, in order.
    pub fn numbers(self, count: u64) -> impl Iterator<Item = u64> {
        let parts = usize::try_from(self.parts).unwrap_or(usize::MAX);
        (self.part - 1..count).step_by(parts)
    }
}

impl Default for Shard {
    /// The whole.
    fn default() -> Shard {
        Shard { part: 1, parts: 1 }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.parts)
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Shard, &'static str> {
        let numbers = text
            .split_once('/')
            .and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
        match numbers {
            Some((part, parts)) if (1..=parts).contains(&part) => Ok(Shard { part, parts }),
            _ => Err("a part must be PART/PARTS, such as 1/4 to 4/4"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_share_all_numbers() {
        let mut all: Vec<u64> = Vec::new();
        for part in ["1/3", "2/3", "3/3"] {
            let shard: Shard = part.parse().expect("a part is read");
            assert_eq!(shard.to_string(), part);
            all.extend(shard.numbers(10));
        }
        all.sort_unstable();
        assert_eq!(all, (0..10).collect::<Vec<u64>>());
        for wrong in ["", "1", "0/3", "4/3", "1/0", "-1/2", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
