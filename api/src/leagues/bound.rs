//! Lower bounds for repeated meetings in pairings.
//!
//! Two rounds share meetings by the pigeonhole principle: if six players of a table come from four tables of another
//! round, at least two pairs of them have met there. Over all rounds there are at least as many repeated meetings as
//! meetings beyond the number of pairs.

/// How a round divides the players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    /// The number of players at each table.
    pub tables: Vec<usize>,
    /// The number of players without a table.
    pub byes: usize,
}

impl Grouping {
    /// Returns the number of pairs that meet.
    fn meetings(&self) -> usize {
        self.tables.iter().map(|size| pairs_of(*size)).sum()
    }

    /// Returns the least number of pairs that meet in this round and in another.
    fn shared(&self, other: &Grouping) -> usize {
        self.pairs_within(other).max(other.pairs_within(self))
    }

    /// Returns the least number of pairs that meet in this round and were at one table of another round.
    ///
    /// The tables of the other round have no limit here, which can only lower the number. Its players without a table
    /// are best spread over the largest tables, because each more player of a table shares at least as many pairs.
    fn pairs_within(&self, other: &Grouping) -> usize {
        let mut sizes = self.tables.clone();
        for _ in 0..other.byes {
            if let Some(largest) = sizes.iter_mut().max() {
                *largest = largest.saturating_sub(1);
            }
        }
        let parts = other.tables.len().max(1);
        let pairs = sizes.iter().map(|size| {
            let (each, more) = (size / parts, size % parts);
            more * pairs_of(each + 1) + (parts - more) * pairs_of(each)
        });
        pairs.sum()
    }
}

/// Returns the number of pairs of so many players.
fn pairs_of(players: usize) -> usize {
    players * players.saturating_sub(1) / 2
}

/// How often each pair of players has met.
#[derive(Clone, Debug)]
pub struct Meetings {
    players: usize,
    /// By both numbers; only the smaller one first.
    often: Vec<usize>,
}

impl Meetings {
    /// Creates a count without meetings.
    pub fn new(players: usize) -> Meetings {
        Meetings {
            players,
            often: vec![0; players * players],
        }
    }

    /// Adds a table.
    pub fn add(&mut self, table: &[usize]) {
        for (index, one) in table.iter().enumerate() {
            for other in &table[..index] {
                self.often[one.min(other) * self.players + one.max(other)] += 1;
            }
        }
    }

    /// Returns how often two players have met.
    pub fn between(&self, one: usize, other: usize) -> usize {
        self.often[one.min(other) * self.players + one.max(other)]
    }

    /// Returns the numbers of pairs that have met never, once, twice and so on.
    pub fn pairs(&self) -> Vec<u32> {
        let mut pairs = vec![0];
        for one in 0..self.players {
            for often in &self.often[one * self.players + one + 1..(one + 1) * self.players] {
                pairs.resize(pairs.len().max(often + 1), 0);
                pairs[*often] += 1;
            }
        }
        pairs
    }

    /// Returns the number of meetings in the rounds after the earlier ones.
    pub fn new_meetings(&self, rounds: &[Grouping], earlier: usize) -> usize {
        rounds[earlier..].iter().map(Grouping::meetings).sum()
    }

    /// Returns the least cost of all meetings after so many more.
    ///
    /// `cost` is that of one more meeting of a pair that has met so often.
    ///
    /// The cost must not fall with the number of meetings: then it is best to choose the pair with the fewest.
    pub fn least_cost(&self, mut more: usize, cost: impl Fn(usize) -> i64) -> i64 {
        let mut pairs = self.pairs();
        let mut sum = 0;
        let mut often = 0;
        while often < pairs.len() {
            let moved = more.min(pairs[often] as usize);
            more -= moved;
            if moved > 0 && often + 1 == pairs.len() {
                pairs.push(0);
            }
            pairs[often] -= moved as u32;
            if let Some(next) = pairs.get_mut(often + 1) {
                *next += moved as u32;
            }
            let before: i64 = (0..often).map(&cost).sum();
            sum += i64::from(pairs[often]) * before;
            often += 1;
        }
        sum
    }

    /// Returns the least number of pairs of meetings of the same players.
    ///
    /// These are the pairs of rounds in which two players meet, added up over all players.
    pub fn least_pairs_of_meetings(&self, rounds: &[Grouping], earlier: usize) -> usize {
        let before = (0..).zip(self.pairs());
        let before: usize = before
            .map(|(often, pairs)| pairs as usize * pairs_of(often))
            .sum();
        let later = (earlier..rounds.len()).map(|round| {
            let shared = rounds[..round].iter();
            shared
                .map(|other| rounds[round].shared(other))
                .sum::<usize>()
        });
        let spread = self.least_cost(self.new_meetings(rounds, earlier), |often| often as i64);
        (before + later.sum::<usize>()).max(usize::try_from(spread).unwrap_or(0))
    }
}

/// Returns a lower bound of the repeated meetings after rounds, of which some are earlier ones.
///
/// It applies to all pairings in which no two players meet more than `most` times.
pub fn least_repeats(
    met: &Meetings,
    (rounds, earlier): &(Vec<Grouping>, usize),
    most: usize,
) -> u32 {
    let repeats = |often: usize| i64::from(often > 0);
    let before = usize::try_from(met.least_cost(0, repeats)).unwrap_or(0);
    let later = (*earlier..rounds.len()).map(|round| {
        let shared = rounds[..round].iter();
        shared
            .map(|other| rounds[round].shared(other))
            .max()
            .unwrap_or(0)
    });
    let in_rounds = before + later.sum::<usize>();
    let spread = met.least_cost(met.new_meetings(rounds, *earlier), repeats);
    // A pair that meets k times has k - 1 repeated meetings and k(k - 1)/2 pairs of meetings.
    let of_pairs = match most {
        0 | 1 => 0,
        most => (2 * met.least_pairs_of_meetings(rounds, *earlier)).div_ceil(most),
    };
    let bound = in_rounds
        .max(of_pairs)
        .max(usize::try_from(spread).unwrap_or(0));
    u32::try_from(bound).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(players: usize, sizes: &[usize], count: usize) -> (Vec<Grouping>, usize) {
        let grouping = Grouping {
            tables: sizes.to_vec(),
            byes: players - sizes.iter().sum::<usize>(),
        };
        (vec![grouping; count], 0)
    }

    #[test]
    fn bounds_of_small_cases_are_those_computed_by_hand() {
        let bound = |players, sizes: &[usize], count, most| {
            least_repeats(
                &Meetings::new(players),
                &rounds(players, sizes, count),
                most,
            )
        };
        // Two players of each table of six come from the same table twice.
        assert_eq!(bound(24, &[6; 4], 2, 2), 8);
        // Each later round repeats eight meetings of the first, and 48 if no pair meets three times.
        assert_eq!(bound(24, &[6; 4], 4, 4), 24);
        assert_eq!(bound(24, &[6; 4], 4, 2), 48);
        assert_eq!(bound(24, &[4; 6], 5, 2), 0);
        assert_eq!(bound(4, &[4], 3, 3), 12);
        // Fifteen pairs have met in five rounds, and three meet again.
        assert_eq!(bound(6, &[2; 3], 6, 2), 3);
        // The one who sat out is another one.
        assert_eq!(bound(5, &[4], 2, 2), 3);
        assert_eq!(bound(5, &[2; 2], 5, 1), 0);
    }

    #[test]
    fn earlier_meetings_count() {
        let mut met = Meetings::new(4);
        met.add(&[0, 1]);
        met.add(&[1, 0]);
        assert_eq!(met.pairs(), [5, 0, 1]);
        assert_eq!(met.between(1, 0), 2);
        let earlier = Grouping {
            tables: vec![2],
            byes: 2,
        };
        let next = Grouping {
            tables: vec![2; 2],
            byes: 0,
        };
        let rounds = (vec![earlier.clone(), earlier, next], 2);
        assert_eq!(least_repeats(&met, &rounds, 2), 1);
    }
}
