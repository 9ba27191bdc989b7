//! Work that several machines share.

use std::fmt;
use std::str::FromStr;

/// A part of numbered work, so that several machines can share it: `1/4` to `4/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1.
    part: u64,
    /// Of how many, at least `part`.
    parts: u64,
}

impl Shard {
    /// The numbers of the part among those below `count`, in order.
    pub fn of(self, count: u64) -> impl Iterator<Item = u64> {
        let parts = usize::try_from(self.parts).unwrap_or(usize::MAX);
        (self.part - 1..count).step_by(parts)
    }
}

impl Default for Shard {
    /// All of it.
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
            _ => Err("a part is named PART/PARTS, such as 1/4 to 4/4"),
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
            all.extend(shard.of(10));
        }
        all.sort_unstable();
        assert_eq!(all, (0..10).collect::<Vec<u64>>());
        for wrong in ["", "1", "0/3", "4/3", "1/0", "-1/2", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
