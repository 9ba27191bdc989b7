//! Standings of a season, and who came out ahead of whom.

use std::collections::{BTreeMap, HashMap};

use sha2::{Digest, Sha256};

use super::event::{Rules, TieBreak};
use super::fold::{League, TableState, Tabled};
use super::scoring::{CREDIT_PARTS, SEAT_PARTS, credits, points};

/// How many parts a point of a member has.
const POINT_PARTS: i64 = SEAT_PARTS * CREDIT_PARTS;
/// How many parts a meeting has: both seats may have been played by several.
const MEETING_PARTS: i64 = CREDIT_PARTS * CREDIT_PARTS;
/// In what parts points a game are told.
const AVERAGE_PARTS: i64 = 1_000_000;

/// A whole number of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// How many.
    pub count: i64,
    /// How many make one.
    pub of: i64,
}

impl Parts {
    /// As a floating-point number.
    pub fn number(self) -> f64 {
        self.count as f64 / self.of as f64
    }
}

/// A line of the standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandingsRow {
    /// From 1; those equal in everything share a rank, and as many are passed over.
    pub rank: u32,
    /// The member's id.
    pub member: String,
    /// Games that count, in parts where a seat was played by several.
    pub games: Parts,
    /// Points.
    pub points: Parts,
    /// The tie-breaks, in their order.
    pub tie_breaks: Vec<Parts>,
}

/// How two members did where they met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The member with the smaller number.
    pub one: String,
    /// The other.
    pub other: String,
    /// Games, in parts where a seat was played by several.
    pub games: Parts,
    /// In how many of them the one was ahead.
    pub ahead: Parts,
    /// In how many they were equal.
    pub equal: Parts,
    /// In how many the other was ahead.
    pub behind: Parts,
}

/// What a member has come to.
#[derive(Clone, Debug, Default)]
struct Sums {
    points: i64,
    games: i64,
    wins: i64,
    seconds: i64,
}

/// In how many parts of games two have met, and in how many the first was ahead or equal.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    games: i64,
    ahead: i64,
    equal: i64,
}

/// What a season comes to, by the places of members in the league's list.
struct Tally {
    sums: Vec<Sums>,
    met: BTreeMap<(usize, usize), Met>,
}

fn tally(league: &League, season: u16, rules: &Rules) -> Tally {
    let places: HashMap<&str, usize> = (league.members.iter().enumerate())
        .map(|(place, member)| (member.id.as_str(), place))
        .collect();
    let mut tally = Tally {
        sums: vec![Sums::default(); league.members.len()],
        met: BTreeMap::new(),
    };
    let of_season = league.tables.iter().filter(|table| table.season == season);
    for table in of_season.filter(|table| table.state == TableState::Counted) {
        let Some(result) = &table.result else {
            continue;
        };
        let worth = points(&rules.scoring, &result.ranks);
        let wins = points(&super::Scoring::Shares, &result.ranks);
        // Of each seat who played it, to what part it counts to them, and its rank.
        let mut played: Vec<Vec<(usize, i64)>> = Vec::new();
        for seat in &table.seats {
            let credits = credits(rules.replacement, seat.members.len());
            let known = seat.members.iter().zip(credits);
            let known = known.filter_map(|(id, credit)| Some((*places.get(&**id)?, credit)));
            played.push(known.collect());
        }
        for (seat, played_by) in played.iter().enumerate() {
            let rank = result.ranks[seat];
            let better = result.ranks.iter().filter(|other| **other < rank).count();
            for (member, credit) in played_by {
                let sums = &mut tally.sums[*member];
                sums.points += worth[seat] * credit;
                sums.wins += wins[seat] * credit;
                sums.games += credit;
                sums.seconds += if better == 1 { *credit } else { 0 };
            }
            for (other, others) in played
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != seat)
            {
                for (one, credit) in played_by {
                    for (another, other_credit) in others {
                        let weight = credit * other_credit;
                        let met = tally.met.entry((*one, *another)).or_default();
                        met.games += weight;
                        match rank.cmp(&result.ranks[other]) {
                            std::cmp::Ordering::Less => met.ahead += weight,
                            std::cmp::Ordering::Equal => met.equal += weight,
                            std::cmp::Ordering::Greater => {}
                        }
                    }
                }
            }
        }
    }
    tally.met.retain(|_, met| met.games > 0);
    tally
}

impl Tally {
    /// What a tie-break comes to of a member among those who are equal in all before it.
    fn value(&self, tie_break: TieBreak, member: usize, group: &[usize], lot: i64) -> Parts {
        let sums = &self.sums[member];
        let parts = |count, of| Parts { count, of };
        match tie_break {
            TieBreak::Wins => parts(sums.wins, POINT_PARTS),
            TieBreak::Seconds => parts(sums.seconds, CREDIT_PARTS),
            TieBreak::Games => parts(sums.games, CREDIT_PARTS),
            TieBreak::Average => {
                // Points of 720 parts by games of 12.
                let of = POINT_PARTS / CREDIT_PARTS * sums.games.max(1);
                parts(sums.points * AVERAGE_PARTS / of, AVERAGE_PARTS)
            }
            TieBreak::HeadToHead => {
                let met = group
                    .iter()
                    .filter_map(|other| self.met.get(&(member, *other)));
                let halves = met.map(|met| 2 * met.ahead + met.equal).sum();
                parts(halves, 2 * MEETING_PARTS)
            }
            TieBreak::Opponents => {
                let of_member = self.met.range((member, 0)..(member + 1, 0));
                let sum = of_member.map(|((_, other), met)| met.games * self.sums[*other].points);
                parts(sum.sum(), MEETING_PARTS * POINT_PARTS)
            }
            TieBreak::Lot => parts(lot, 1),
        }
    }
}

/// A number drawn from the ids of league and member and the season's number.
fn lot(league: &League, season: u16, member: &str) -> i64 {
    let hash = Sha256::digest(format!("lot {} {season} {member}", league.id));
    i64::from(u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]]))
}

/// What each seat of a table that counts is worth, whoever played it; `None` of one that does not count.
pub fn seat_points(league: &League, table: &Tabled) -> Option<Vec<Parts>> {
    let rules = &league.season_of(table.season)?.rules;
    let result = (table.result.as_ref()).filter(|_| table.state == TableState::Counted)?;
    let parts = |count| Parts {
        count,
        of: SEAT_PARTS,
    };
    let worth = points(&rules.scoring, &result.ranks);
    Some(worth.into_iter().map(parts).collect())
}

/// The standings of a season, best first; nobody who has left and not played. `None` without such a season.
pub fn standings(league: &League, season: u16) -> Option<Vec<StandingsRow>> {
    let rules = &league.season_of(season)?.rules;
    let tally = tally(league, season, rules);
    let counts = |member: &usize| league.members[*member].active || tally.sums[*member].games > 0;
    let all: Vec<usize> = (0..league.members.len()).filter(counts).collect();
    let mut values: Vec<Vec<Parts>> = vec![Vec::new(); league.members.len()];
    let by_points = |member: usize| tally.sums[member].points;
    let mut groups = split(vec![all], by_points);
    for tie_break in &rules.tie_breaks {
        for group in &groups {
            for member in group {
                let lot = lot(league, season, &league.members[*member].id);
                values[*member].push(tally.value(*tie_break, *member, group, lot));
            }
        }
        groups = split(groups, |member| {
            values[member].last().map_or(0, |value| value.count)
        });
    }
    let mut rows = Vec::new();
    for group in groups {
        let rank = rows.len() as u32 + 1;
        for member in group {
            let sums = &tally.sums[member];
            rows.push(StandingsRow {
                rank,
                member: league.members[member].id.clone(),
                games: Parts {
                    count: sums.games,
                    of: CREDIT_PARTS,
                },
                points: Parts {
                    count: sums.points,
                    of: POINT_PARTS,
                },
                tie_breaks: std::mem::take(&mut values[member]),
            });
        }
    }
    Some(rows)
}

/// The standings of a season after each of its rounds of which a table counts, and the number of the round; tables of
/// no round count from the last on. `None` without such a season.
pub fn standings_by_round(league: &League, season: u16) -> Option<Vec<(u16, Vec<StandingsRow>)>> {
    let counted = league.tables.iter().filter(|table| {
        table.season == season && table.state == TableState::Counted && table.result.is_some()
    });
    let mut rounds: Vec<u16> = counted.map(|table| table.round.unwrap_or(1)).collect();
    rounds.sort_unstable();
    rounds.dedup();
    let last = rounds.last().copied();
    let after = |round: u16| {
        let mut then = league.clone();
        if Some(round) != last {
            let had = |table: &Tabled| table.round.is_some_and(|own| own <= round);
            then.tables
                .retain(|table| table.season == season && had(table));
        }
        Some((round, standings(&then, season)?))
    };
    league.season_of(season)?;
    rounds.into_iter().map(after).collect()
}

/// Splits groups into those of equal keys, the greatest key first.
fn split(groups: Vec<Vec<usize>>, key: impl Fn(usize) -> i64) -> Vec<Vec<usize>> {
    let mut parts = Vec::new();
    for group in groups {
        let mut keyed: Vec<(i64, usize)> =
            group.iter().map(|member| (key(*member), *member)).collect();
        keyed.sort_by_key(|(key, member)| (std::cmp::Reverse(*key), *member));
        for equal in keyed.chunk_by(|one, other| one.0 == other.0) {
            parts.push(equal.iter().map(|(_, member)| *member).collect());
        }
    }
    parts
}

/// Who met in a season and came out ahead, each pair once, in the order of the members. `None` without such a season.
pub fn meetings(league: &League, season: u16) -> Option<Vec<Meeting>> {
    let tally = tally(league, season, &league.season_of(season)?.rules);
    let once = tally.met.iter().filter(|((one, other), _)| one < other);
    let parts = |count| Parts {
        count,
        of: MEETING_PARTS,
    };
    let pair = |((one, other), met): (&(usize, usize), &Met)| Meeting {
        one: league.members[*one].id.clone(),
        other: league.members[*other].id.clone(),
        games: parts(met.games),
        ahead: parts(met.ahead),
        equal: parts(met.equal),
        behind: parts(met.games - met.ahead - met.equal),
    };
    Some(once.map(pair).collect())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::leagues::{Joining, LeagueEvent, Scoring, SeatCredit, Seating, SeatingSeat};
    use crate::store::Visibility;

    fn member(number: usize) -> String {
        Uuid::from_u128(number as u128 + 100).to_string()
    }

    /// A league in which so many members have sat at tables with such ranks.
    fn league(rules: Rules, members: usize, tables: &[(&[usize], &[u8])]) -> League {
        let organizer = Uuid::from_u128(1);
        let created = LeagueEvent::Created {
            name: "Cup".to_owned(),
            description: None,
            visibility: Visibility::Public,
            joining: Joining::Open,
            organizer,
        };
        let (mut league, _) = League::begin(Uuid::from_u128(2), 0, organizer, &created).unwrap();
        for number in 0..members {
            let joined = LeagueEvent::Joined {
                member: member(number),
                name: None,
            };
            league.add(0, None, &joined).unwrap();
        }
        let season = LeagueEvent::SeasonBegan {
            season: 1,
            name: "Spring".to_owned(),
            rules,
        };
        league.add(0, None, &season).unwrap();
        for (number, (seats, ranks)) in (1..).zip(tables) {
            let seat = |number: &usize| SeatingSeat {
                member: member(*number),
                nations: Vec::new(),
            };
            let result = LeagueEvent::ResultEntered {
                table: Seating {
                    table: number,
                    round: None,
                    game: None,
                    edition: "antike".to_owned(),
                    board: None,
                    seats: seats.iter().map(seat).collect(),
                },
                played_at: None,
                reason: None,
                ranks: ranks.to_vec(),
                note: None,
            };
            league.add(0, None, &result).unwrap();
        }
        league
    }

    fn rules(tie_breaks: &[TieBreak]) -> Rules {
        Rules {
            scoring: Scoring::RankPoints(vec![4, 2, 1]),
            tie_breaks: tie_breaks.to_vec(),
            replacement: SeatCredit::Split,
        }
    }

    fn ranks(rows: &[StandingsRow]) -> Vec<(u32, usize)> {
        let number = |row: &StandingsRow| (0..20).find(|number| member(*number) == row.member);
        rows.iter()
            .map(|row| (row.rank, number(row).unwrap()))
            .collect()
    }

    #[test]
    fn points_come_first_and_equals_share_a_rank() {
        let tables: &[(&[usize], &[u8])] = &[(&[0, 1, 2], &[1, 2, 3]), (&[1, 0, 3], &[1, 2, 3])];
        let league = league(rules(&[]), 5, tables);
        let rows = standings(&league, 1).unwrap();
        assert_eq!(ranks(&rows), [(1, 0), (1, 1), (3, 2), (3, 3), (5, 4)]);
        assert_eq!(rows[0].points.number(), 6.0);
        assert_eq!(rows[0].games.number(), 2.0);
        assert_eq!(standings(&league, 2), None);
    }

    #[test]
    fn tie_breaks_tell_equals_apart_in_their_order() {
        // 0 and 1 have 6 points each: 0 with a win and twice last, 1 with three second places; 1 was ahead of 0.
        let tables: &[(&[usize], &[u8])] = &[
            (&[0, 2, 3], &[1, 2, 3]),
            (&[2, 1, 0], &[1, 2, 3]),
            (&[3, 1, 4], &[1, 2, 3]),
            (&[4, 1, 2], &[1, 2, 3]),
            (&[3, 4, 0], &[1, 2, 3]),
        ];
        let by =
            |tie_breaks: &[TieBreak]| standings(&league(rules(tie_breaks), 5, tables), 1).unwrap();
        let of = |rows: &[StandingsRow], number: usize| {
            let row = rows
                .iter()
                .find(|row| row.member == member(number))
                .unwrap();
            (
                row.points.number(),
                row.tie_breaks
                    .iter()
                    .map(|value| value.number())
                    .collect::<Vec<f64>>(),
            )
        };
        let rows = by(&[TieBreak::Wins]);
        assert_eq!(of(&rows, 0), (6.0, vec![1.0]));
        assert_eq!(of(&rows, 1), (6.0, vec![0.0]));
        let place = |rows: &[StandingsRow], number: usize| {
            rows.iter()
                .position(|row| row.member == member(number))
                .unwrap()
        };
        assert!(place(&rows, 0) < place(&rows, 1));
        let rows = by(&[TieBreak::HeadToHead, TieBreak::Wins]);
        assert!(
            place(&rows, 1) < place(&rows, 0),
            "1 was ahead where they met"
        );
        let rows = by(&[TieBreak::Seconds]);
        assert_eq!(of(&rows, 1), (6.0, vec![3.0]));
        assert!(place(&rows, 1) < place(&rows, 0));
        let rows = by(&[TieBreak::Average]);
        assert_eq!(of(&rows, 1), (6.0, vec![2.0]));
        let rows = by(&[TieBreak::Lot]);
        let ranks: Vec<u32> = rows.iter().map(|row| row.rank).collect();
        assert_eq!(ranks, [1, 2, 3, 4, 5], "a lot leaves no ties");
        let rows = by(&[TieBreak::Opponents]);
        let points: Vec<f64> = (0..5).map(|number| of(&rows, number).0).collect();
        // 0 has met 2 and 3, 2 and 1, 3 and 4.
        let met = 2.0 * points[2] + 2.0 * points[3] + points[1] + points[4];
        assert_eq!(of(&rows, 0).1, [met]);
    }

    #[test]
    fn a_replaced_player_has_a_part_and_a_void_table_none() {
        let tables: &[(&[usize], &[u8])] = &[(&[0, 1, 2], &[1, 2, 3]), (&[2, 1, 0], &[1, 2, 3])];
        for (replacement, first, last) in [
            (SeatCredit::Split, 2.0, 2.0),
            (SeatCredit::First, 4.0, 0.0),
            (SeatCredit::Last, 0.0, 4.0),
        ] {
            let rules = Rules {
                replacement,
                ..rules(&[TieBreak::Games])
            };
            let mut league = league(rules, 4, tables);
            let void = LeagueEvent::TableVoided {
                table: 2,
                note: None,
            };
            league.add(0, None, &void).unwrap();
            let replaced = LeagueEvent::PlayerReplaced {
                table: 1,
                seat: 0,
                member: member(3),
                note: None,
            };
            league.add(0, None, &replaced).unwrap();
            let rows = standings(&league, 1).unwrap();
            let points = |number: usize| {
                let row = rows.iter().find(|row| row.member == member(number));
                row.unwrap().points.number()
            };
            assert_eq!((points(0), points(3)), (first, last), "{replacement:?}");
            assert_eq!((points(1), points(2)), (2.0, 1.0));
            let games: f64 = meetings(&league, 1)
                .unwrap()
                .iter()
                .map(|met| met.games.number())
                .sum();
            assert_eq!(games, 3.0, "three seats met, each counts once");
        }
    }

    #[test]
    fn rounds_add_up_to_the_standings() {
        let tables: &[(&[usize], &[u8])] =
            &[(&[0, 1], &[1, 2]), (&[1, 0], &[1, 2]), (&[1, 2], &[1, 2])];
        let mut league = league(rules(&[]), 3, tables);
        for (table, round) in league.tables.iter_mut().zip([Some(1), Some(3), None]) {
            table.round = round;
        }
        let rounds = standings_by_round(&league, 1).unwrap();
        let told: Vec<u16> = rounds.iter().map(|(round, _)| *round).collect();
        assert_eq!(told, [1, 3]);
        assert_eq!(rounds[1].1, standings(&league, 1).unwrap());
        let first: Vec<&str> = rounds[0].1.iter().map(|row| &*row.member).collect();
        assert_eq!(
            first[0],
            member(0),
            "who won the only table of the first round"
        );
        assert_eq!(rounds[1].1[0].member, member(1));
        assert!(standings_by_round(&league, 2).is_none());
        league.tables.clear();
        assert!(standings_by_round(&league, 1).unwrap().is_empty());
    }

    #[test]
    fn meetings_tell_who_was_ahead() {
        let tables: &[(&[usize], &[u8])] = &[(&[0, 1, 2], &[1, 2, 2]), (&[1, 0], &[1, 2])];
        let league = league(rules(&[]), 3, tables);
        let met = meetings(&league, 1).unwrap();
        let told = |met: &Meeting| [met.games, met.ahead, met.equal, met.behind].map(Parts::number);
        assert_eq!(met.len(), 3);
        assert_eq!(told(&met[0]), [2.0, 1.0, 0.0, 1.0]);
        assert_eq!(told(&met[1]), [1.0, 1.0, 0.0, 0.0]);
        assert_eq!(told(&met[2]), [1.0, 0.0, 1.0, 0.0]);
        assert!(meetings(&league, 0).is_none());
    }
}
