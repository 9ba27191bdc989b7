//! Standings and head-to-head results of a season.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::RangeInclusive;

use sha2::{Digest, Sha256};

use crate::leagues::event::{CountedResults, Rules, SeasonFormat, TieBreak};
use crate::leagues::ladder::LadderOrder;
use crate::leagues::league::{League, LeagueTable, Season, TableState};
use crate::leagues::limits::LAST_ROUND;
use crate::leagues::matches::progress;
use crate::leagues::scoring::{CREDIT_PARTS, SEAT_PARTS, credits, pay, points};

/// The parts of a win of a member.
const WIN_PARTS: i64 = SEAT_PARTS * CREDIT_PARTS;
/// The parts of a point of a member; weights of rounds are in percent.
const POINT_PARTS: i64 = WIN_PARTS * 100;
/// The parts of a meeting: several members may have played either seat.
const MEETING_PARTS: i64 = CREDIT_PARTS * CREDIT_PARTS;
/// The parts of the average of points per game.
const AVERAGE_PARTS: i64 = 1_000_000;

/// A number as a whole count of equal parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The number of parts.
    pub count: i64,
    /// The number of parts in one.
    pub of: i64,
}

impl Parts {
    /// Returns the value as a floating-point number.
    pub fn number(self) -> f64 {
        self.count as f64 / self.of as f64
    }
}

/// A row of the standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandingsRow {
    /// The rank, from 1.
    /// Members who are equal in everything share a rank, and the following ranks are skipped.
    pub rank: u32,
    /// The id of the member.
    pub member: String,
    /// The games that count; a fraction of a game if several members played the seat.
    pub games: Parts,
    /// The points.
    pub points: Parts,
    /// The wins; a shared win counts its share.
    pub wins: Parts,
    /// The values of the tie-breaks, in their order.
    pub tie_breaks: Vec<Parts>,
    /// The results of the member, in the order of the tables.
    pub results: Vec<ResultPoints>,
}

/// The points of a member at a table, or for a round without a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultPoints {
    /// The number of the table; for a bye that of the table with which it is listed.
    pub table: u32,
    /// The round.
    pub round: Option<u16>,
    /// Whether the member sat out.
    pub bye: bool,
    /// The points, with the weight of the round.
    pub points: Parts,
    /// The games: 1, or a fraction if several members played the seat, or 0 for a bye.
    pub games: Parts,
    /// Whether the points count.
    pub counted: bool,
}

/// The results of two members against each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The id of the member who joined the league first.
    pub one: String,
    /// The id of the other member.
    pub other: String,
    /// The games; a fraction of a game if several members played a seat.
    pub games: Parts,
    /// The games in which `one` had the better rank.
    pub ahead: Parts,
    /// The games in which both had the same rank.
    pub equal: Parts,
    /// The games in which `other` had the better rank.
    pub behind: Parts,
}

/// The ranks of the best members of a season after each of its rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundPlaces {
    /// The ids of these members, best first.
    pub members: Vec<String>,
    /// The number of other members.
    pub left_out: usize,
    /// The ranks of these members after each round. `None` before a member has a counted game.
    pub rounds: Vec<(u16, Vec<Option<u32>>)>,
}

/// The sums of a member's results.
#[derive(Clone, Debug, Default)]
struct MemberSums {
    /// The points of the results that count.
    points: i64,
    /// The games of the results that count.
    counted_games: i64,
    games: i64,
    wins: i64,
    seconds: i64,
}

/// The results of one member against another, in parts of games.
#[derive(Clone, Copy, Debug, Default)]
struct MeetingCount {
    games: i64,
    ahead: i64,
    equal: i64,
}

/// A row of the standings; the member is an index in the league's list.
struct StandingLine {
    rank: u32,
    member: usize,
    tie_breaks: Vec<Parts>,
}

/// Adds up the tables of a season, one after the other. Members are indices in the league's list.
struct SeasonTally<'a> {
    league: &'a League,
    rules: &'a Rules,
    /// The points of a member who sits out a round.
    bye_points: i64,
    places: HashMap<&'a str, usize>,
    sums: Vec<MemberSums>,
    /// The results of each member.
    results: Vec<Vec<ResultPoints>>,
    /// The rounds with a table.
    rounds: BTreeSet<u16>,
    /// The order of a ladder.
    ladder: Option<LadderOrder>,
    /// How far each member has come in a bracket; empty in other formats.
    progress: Vec<i64>,
    met: BTreeMap<(usize, usize), MeetingCount>,
    /// The lot of each member, from 1, if a tie-break needs it.
    lots: Vec<i64>,
}

/// Returns the tables of a season that count.
fn counted(league: &League, season: u16) -> impl Iterator<Item = &LeagueTable> {
    league.tables.iter().filter(move |table| {
        table.season == season && table.state == TableState::Counted && table.result.is_some()
    })
}

impl<'a> SeasonTally<'a> {
    /// Creates a tally without tables; `None` if there is no such season.
    fn new(league: &'a League, season: u16) -> Option<SeasonTally<'a>> {
        let Season { rules, format, .. } = league.season_numbered(season)?;
        let drawn = rules.tie_breaks.contains(&TieBreak::Lot);
        Some(SeasonTally {
            league,
            rules,
            bye_points: match format {
                SeasonFormat::Swiss { bye_points } => i64::from(*bye_points),
                SeasonFormat::Spread
                | SeasonFormat::RoundRobin { .. }
                | SeasonFormat::KnockOut { .. }
                | SeasonFormat::DoubleElimination { .. }
                | SeasonFormat::Ladder { .. } => 0,
            },
            places: (league.members.iter().enumerate())
                .map(|(place, member)| (member.id.as_str(), place))
                .collect(),
            sums: vec![MemberSums::default(); league.members.len()],
            results: vec![Vec::new(); league.members.len()],
            rounds: BTreeSet::new(),
            ladder: match format {
                SeasonFormat::Ladder { .. } => Some(LadderOrder::first(league, season)),
                SeasonFormat::Spread
                | SeasonFormat::RoundRobin { .. }
                | SeasonFormat::Swiss { .. }
                | SeasonFormat::KnockOut { .. }
                | SeasonFormat::DoubleElimination { .. } => None,
            },
            progress: Vec::new(),
            met: BTreeMap::new(),
            lots: if drawn {
                lots(league, season)
            } else {
                Vec::new()
            },
        })
    }

    /// Creates a tally with all tables of a season that count.
    fn with_all_tables(league: &'a League, season: u16) -> Option<SeasonTally<'a>> {
        let mut tally = SeasonTally::new(league, season)?;
        counted(league, season).for_each(|table| tally.add_table(table));
        tally.end_rounds(season, 0..=u16::MAX);
        Some(tally)
    }

    /// Ends these rounds, whose tables were added: adds the byes of void tables, and decides what counts.
    fn end_rounds(&mut self, season: u16, rounds: RangeInclusive<u16>) {
        let until = *rounds.end();
        self.add_byes_of_void(season, rounds);
        let format = self.league.season_numbered(season).map(|one| one.format);
        if format.is_some_and(SeasonFormat::has_bracket) {
            self.progress = progress(self.league, season, until);
        }
        self.count_results();
    }

    /// Adds the points for sitting out that are listed with void tables.
    /// Members who have a seat in the round, or sit it out with another table, receive none.
    fn add_byes_of_void(&mut self, season: u16, rounds: RangeInclusive<u16>) {
        let is_in = |table: &&LeagueTable| {
            table.season == season && table.round.is_some_and(|round| rounds.contains(&round))
        };
        let tables = self.league.tables.iter().filter(is_in);
        let (void, valid): (Vec<_>, Vec<_>) =
            tables.partition(|table| table.state == TableState::Void);
        let mut placed: BTreeSet<(Option<u16>, &str)> = BTreeSet::new();
        for table in valid {
            let seated = table.seats.iter().flat_map(|seat| &seat.members);
            placed.extend(seated.chain(&table.byes).map(|id| (table.round, &**id)));
        }
        for table in void {
            for id in table
                .byes
                .iter()
                .filter(|id| placed.insert((table.round, id)))
            {
                if let Some(member) = self.places.get(&**id).copied() {
                    self.add_points(member, table, self.bye_points * WIN_PARTS, 0);
                }
            }
        }
    }

    /// Adds the points that a member receives with a table.
    fn add_points(&mut self, member: usize, table: &LeagueTable, points: i64, credit: i64) {
        let percent = i64::from(self.rules.percent(table.round));
        self.results[member].push(ResultPoints {
            table: table.number,
            round: table.round,
            bye: credit == 0 && table.byes.contains(&self.league.members[member].id),
            points: Parts {
                count: points * percent,
                of: POINT_PARTS,
            },
            games: Parts {
                count: credit,
                of: CREDIT_PARTS,
            },
            counted: true,
        });
    }

    /// Decides which results count, and adds up their points.
    fn count_results(&mut self) {
        for (results, sums) in self.results.iter_mut().zip(&mut self.sums) {
            results.sort_by_key(|result| result.table);
            // The best first; of equal ones, the earlier.
            let mut order: Vec<usize> = (0..results.len()).collect();
            order.sort_by_key(|index| std::cmp::Reverse(results[*index].points.count));
            let kept = match self.rules.counted {
                CountedResults::All => results.len(),
                CountedResults::Best(count) => usize::from(count),
                CountedResults::AllBut(count) => {
                    let own: BTreeSet<u16> = results.iter().filter_map(|one| one.round).collect();
                    let missed = self.rounds.difference(&own).count();
                    let dropped = usize::from(count).saturating_sub(missed);
                    results.len().saturating_sub(dropped).max(1)
                }
            };
            (sums.points, sums.counted_games) = (0, 0);
            for (place, index) in order.into_iter().enumerate() {
                let result = &mut results[index];
                result.counted = place < kept;
                if result.counted {
                    sums.points += result.points.count;
                    sums.counted_games += result.games.count;
                }
            }
        }
    }

    /// Adds a table, if it has a result.
    fn add_table(&mut self, table: &LeagueTable) {
        let Some(result) = &table.result else {
            return;
        };
        self.rounds.extend(table.round);
        if let Some(ladder) = &mut self.ladder {
            ladder.add(table, &self.places);
        }
        for id in &table.byes {
            if let Some(member) = self.places.get(&**id).copied() {
                self.add_points(member, table, self.bye_points * WIN_PARTS, 0);
            }
        }
        let worth = table_points(self.rules, table, &result.ranks);
        let wins = points(&crate::leagues::event::Scoring::Shares, &result.ranks);
        // For each seat, the members who played it, each with their credit.
        let mut played: Vec<Vec<(usize, i64)>> = Vec::new();
        for seat in &table.seats {
            let credits = credits(self.rules.replacement, seat.members.len());
            let known = seat.members.iter().zip(credits);
            let known = known.filter_map(|(id, credit)| Some((*self.places.get(&**id)?, credit)));
            played.push(known.collect());
        }
        for (seat, played_by) in played.iter().enumerate() {
            let rank = result.ranks[seat];
            let better = result.ranks.iter().filter(|other| **other < rank).count();
            for (member, credit) in played_by {
                self.add_points(*member, table, worth[seat] * credit, *credit);
                let sums = &mut self.sums[*member];
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
                        if weight == 0 {
                            continue;
                        }
                        let met = self.met.entry((*one, *another)).or_default();
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

    /// Returns the members that a member has met.
    fn met_by(&self, member: usize) -> impl Iterator<Item = (usize, &MeetingCount)> {
        let of_member = self.met.range((member, 0)..(member + 1, 0));
        of_member.map(|((_, other), met)| (*other, met))
    }

    /// Returns the rows of the standings, best first.
    ///
    /// With `all_values`, every row has its tie-breaks; otherwise they are computed only where they separate members.
    /// With `among`, only these members have rows.
    fn lines(&self, all_values: bool, among: Option<&[String]>) -> Vec<StandingLine> {
        let members = &self.league.members;
        let counts = |member: &usize| {
            let one = &members[*member];
            (one.active || self.sums[*member].games > 0)
                && among.is_none_or(|among| among.contains(&one.id))
        };
        let all: Vec<usize> = (0..members.len()).filter(counts).collect();
        let mut values: Vec<Vec<Parts>> = vec![Vec::new(); members.len()];
        let mut groups = match &self.ladder {
            None => {
                let reached = |member: usize| self.progress.get(member).copied().unwrap_or(0);
                split(split(vec![all], reached), |member| self.sums[member].points)
            }
            Some(ladder) => (ladder.members().iter().copied())
                .filter(counts)
                .map(|member| vec![member])
                .collect(),
        };
        // The number of the group of each member.
        let mut grouped = vec![usize::MAX; members.len()];
        for tie_break in &self.rules.tie_breaks {
            for (number, group) in groups.iter().enumerate() {
                group.iter().for_each(|member| grouped[*member] = number);
            }
            for group in groups.iter().filter(|group| all_values || group.len() > 1) {
                for member in group {
                    values[*member].push(self.value(*tie_break, *member, &grouped));
                }
            }
            groups = split(groups, |member| {
                values[member].last().map_or(0, |value| value.count)
            });
        }
        let mut lines = Vec::new();
        for group in groups {
            let rank = lines.len() as u32 + 1;
            for member in group {
                lines.push(StandingLine {
                    rank,
                    member,
                    tie_breaks: std::mem::take(&mut values[member]),
                });
            }
        }
        lines
    }

    /// Returns the value of a tie-break for a member.
    /// Members of the same group are equal in everything before it.
    fn value(&self, tie_break: TieBreak, member: usize, grouped: &[usize]) -> Parts {
        let sums = &self.sums[member];
        let parts = |count, of| Parts { count, of };
        match tie_break {
            TieBreak::Wins => parts(sums.wins, WIN_PARTS),
            TieBreak::Seconds => parts(sums.seconds, CREDIT_PARTS),
            TieBreak::Games => parts(sums.games, CREDIT_PARTS),
            TieBreak::Average => {
                // A point has 72,000 parts, a game 12.
                let of = POINT_PARTS / CREDIT_PARTS * sums.counted_games.max(1);
                parts(sums.points * AVERAGE_PARTS / of, AVERAGE_PARTS)
            }
            TieBreak::HeadToHead => {
                let met = self.met_by(member);
                let equals = met.filter(|(other, _)| grouped[*other] == grouped[member]);
                let halves = equals.map(|(_, met)| 2 * met.ahead + met.equal).sum();
                parts(halves, 2 * MEETING_PARTS)
            }
            TieBreak::Opponents => {
                let met = self.met_by(member);
                let sum = met.map(|(other, met)| met.games * self.sums[other].points);
                parts(sum.sum(), MEETING_PARTS * POINT_PARTS)
            }
            TieBreak::Lot => parts(self.lots[member], 1),
        }
    }
}

/// Returns the lot of each member: the place in an order that is drawn for the season.
/// The last place is the best.
fn lots(league: &League, season: u16) -> Vec<i64> {
    let mut order: Vec<usize> = (0..league.members.len()).collect();
    order.sort_by_cached_key(|member| {
        let id = &league.members[*member].id;
        (drawn_number(league, season, id), id.as_str())
    });
    let mut lots = vec![0; order.len()];
    for (member, place) in order.into_iter().zip(1..) {
        lots[member] = place;
    }
    lots
}

/// Draws a number from the ids of league and member and the season's number.
fn drawn_number(league: &League, season: u16, member: &str) -> i64 {
    let hash = Sha256::digest(format!("lot {} {season} {member}", league.id));
    i64::from(u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]]))
}

/// Returns the points of each seat of a table without the weight of its round, less what its player pays for the seat.
fn table_points(rules: &Rules, table: &LeagueTable, ranks: &[u8]) -> Vec<i64> {
    let mut worth = points(&rules.scoring, ranks);
    pay(&mut worth, &table.prices);
    worth
}

/// Returns the points of each seat of a table; `None` if the table does not count.
pub fn seat_points(league: &League, table: &LeagueTable) -> Option<Vec<Parts>> {
    let rules = &league.season_numbered(table.season)?.rules;
    let result = (table.result.as_ref()).filter(|_| table.state == TableState::Counted)?;
    let percent = i64::from(rules.percent(table.round));
    let parts = |count| Parts {
        count: count * percent,
        of: SEAT_PARTS * 100,
    };
    let worth = table_points(rules, table, &result.ranks);
    Some(worth.into_iter().map(parts).collect())
}

/// Returns the standings of a season, best first, or `None` if there is no such season.
///
/// Members who have left without a counted game are omitted.
pub fn standings(league: &League, season: u16) -> Option<Vec<StandingsRow>> {
    standings_of(league, season, None)
}

/// Returns the standings of a season like [`standings`], among some members or all.
pub fn standings_of(
    league: &League,
    season: u16,
    among: Option<&[String]>,
) -> Option<Vec<StandingsRow>> {
    let mut tally = SeasonTally::with_all_tables(league, season)?;
    let lines = tally.lines(true, among).into_iter();
    let mut all = std::mem::take(&mut tally.results);
    let row = |line: StandingLine| {
        let sums = &tally.sums[line.member];
        let results = std::mem::take(&mut all[line.member]);
        StandingsRow {
            results,
            wins: Parts {
                count: sums.wins,
                of: WIN_PARTS,
            },
            rank: line.rank,
            member: league.members[line.member].id.clone(),
            games: Parts {
                count: sums.games,
                of: CREDIT_PARTS,
            },
            points: Parts {
                count: sums.points,
                of: POINT_PARTS,
            },
            tie_breaks: line.tie_breaks,
        }
    };
    Some(lines.map(row).collect())
}

/// Returns the ranks of the best members after each round with a counted table.
///
/// `None` if there is no such season.
///
/// At most the last [`LAST_ROUND`] rounds are included. Tables without a round are added with the last round.
pub fn places_by_round(league: &League, season: u16, best: usize) -> Option<RoundPlaces> {
    let mut tally = SeasonTally::new(league, season)?;
    let mut tables: Vec<&LeagueTable> = counted(league, season).collect();
    let last = tables.iter().filter_map(|table| table.round).max();
    let round = |table: &LeagueTable| table.round.or(last).unwrap_or(1);
    tables.sort_by_key(|table| round(table));
    let rounds: Vec<&[&LeagueTable]> = tables
        .chunk_by(|one, other| round(one) == round(other))
        .collect();
    // Older logs may contain more rounds.
    let passed = rounds.len().saturating_sub(usize::from(LAST_ROUND));
    let mut ranks: Vec<(u16, Vec<Option<u32>>)> = Vec::with_capacity(rounds.len() - passed);
    let mut now = Vec::new();
    let mut begin = 0;
    for (index, tables) in rounds.into_iter().enumerate() {
        tables.iter().for_each(|table| tally.add_table(table));
        let of = round(tables[0]);
        tally.end_rounds(season, begin..=of);
        begin = of.saturating_add(1);
        if index >= passed {
            now = tally.lines(false, None);
            let mut own = vec![None; league.members.len()];
            for line in &now {
                own[line.member] = Some(line.rank);
            }
            ranks.push((of, own));
        }
    }
    let left_out = now.len().saturating_sub(best);
    now.truncate(best);
    for (_, own) in &mut ranks {
        *own = now.iter().map(|line| own[line.member]).collect();
    }
    let members = now
        .iter()
        .map(|line| league.members[line.member].id.clone());
    Some(RoundPlaces {
        members: members.collect(),
        left_out,
        rounds: ranks,
    })
}

/// Splits groups into members with equal keys, the greatest key first.
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

/// Returns each pair of members who met in a season once, in the order of the members.
/// `None` if there is no such season.
pub fn meetings(league: &League, season: u16) -> Option<Vec<Meeting>> {
    let tally = SeasonTally::with_all_tables(league, season)?;
    let once = tally.met.iter().filter(|((one, other), _)| one < other);
    let parts = |count| Parts {
        count,
        of: MEETING_PARTS,
    };
    let pair = |((one, other), met): (&(usize, usize), &MeetingCount)| Meeting {
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
    use super::*;
    use crate::leagues::event::{
        LeagueEvent, RoundWeight, Scoring, SeatCredit, Seating, SeatingSeat,
    };
    use crate::leagues::fixtures::{begin_league, match_result, member, next_match};

    /// Creates a league whose members have played tables with the given ranks.
    fn league(rules: Rules, members: usize, tables: &[(&[usize], &[u8])]) -> League {
        let mut league = begin_league(rules, SeasonFormat::Spread, members);
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
                    deadline: None,
                    byes: Vec::new(),
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
            ..Rules::default()
        }
    }

    fn ranks(rows: &[StandingsRow]) -> Vec<(u32, usize)> {
        let number = |row: &StandingsRow| (0..20).find(|number| member(*number) == row.member);
        rows.iter()
            .map(|row| (row.rank, number(row).unwrap()))
            .collect()
    }

    #[test]
    fn members_who_come_further_in_a_bracket_are_ranked_first() {
        let mut league = begin_league(rules(&[]), SeasonFormat::KnockOut { best_of: 1 }, 4);
        let mut play = |round, [winner, loser]: [usize; 2], byes: &[usize]| {
            let byes: Vec<String> = byes.iter().map(|number| member(*number)).collect();
            let table = next_match(&league, round, [&member(winner), &member(loser)], &byes);
            league.add(0, None, &match_result(table, true)).unwrap();
            standings(&league, 1).unwrap()
        };
        // Member 3 has no place in the bracket.
        let first = play(1, [2, 1], &[0]);
        assert_eq!(ranks(&first), [(1, 2), (2, 0), (3, 1), (4, 3)]);
        let last = play(2, [0, 2], &[]);
        assert_eq!(ranks(&last), [(1, 0), (2, 2), (3, 1), (4, 3)]);
        assert!(last[0].points.number() < last[1].points.number());
        let places = places_by_round(&league, 1, 3).unwrap();
        assert_eq!(places.members, [0, 2, 1].map(member));
        let [one, two, three] = [Some(1), Some(2), Some(3)];
        assert_eq!(
            places.rounds,
            [(1, vec![two, one, three]), (2, vec![one, two, three])]
        );
    }

    #[test]
    fn members_who_sit_out_keep_their_points_if_the_table_becomes_void() {
        let mut league = begin_league(rules(&[]), SeasonFormat::Swiss { bye_points: 3 }, 3);
        let points = |league: &League| {
            let rows = standings(league, 1).unwrap();
            let of = |number| {
                rows.iter()
                    .find(|row| row.member == member(number))
                    .unwrap()
            };
            [0, 1, 2].map(|number| of(number).points.number())
        };
        let table = next_match(&league, 1, [&member(0), &member(1)], &[member(2)]);
        league.add(0, None, &match_result(table, true)).unwrap();
        assert_eq!(points(&league), [4.0, 2.0, 3.0]);
        let void = LeagueEvent::TableVoided {
            table: 1,
            note: None,
        };
        league.add(0, None, &void).unwrap();
        assert_eq!(points(&league), [0.0, 0.0, 3.0]);
        let table = next_match(&league, 1, [&member(1), &member(0)], &[]);
        league.add(0, None, &match_result(table, true)).unwrap();
        assert_eq!(points(&league), [2.0, 4.0, 3.0]);
        // Who plays in the round after all does not sit it out.
        league
            .add(
                0,
                None,
                &LeagueEvent::TableVoided {
                    table: 2,
                    note: None,
                },
            )
            .unwrap();
        let table = next_match(&league, 1, [&member(2), &member(0)], &[]);
        league.add(0, None, &match_result(table, true)).unwrap();
        assert_eq!(points(&league), [2.0, 0.0, 4.0]);
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
    fn tie_breaks_separate_equals_in_their_order() {
        // 0 and 1 have 6 points each: 0 with a win and two last places, 1 with three second places and a better rank
        // than 0.
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
        let met = [0, 1].map(|number| of(&rows, number).1[0]);
        assert_eq!(met, [0.0, 1.0], "only their games against each other count");
        assert!(place(&rows, 1) < place(&rows, 0));
        let rows = by(&[TieBreak::Seconds]);
        assert_eq!(of(&rows, 1), (6.0, vec![3.0]));
        assert!(place(&rows, 1) < place(&rows, 0));
        let rows = by(&[TieBreak::Average]);
        assert_eq!(of(&rows, 1), (6.0, vec![2.0]));
        let rows = by(&[TieBreak::Lot]);
        let ranks: Vec<u32> = rows.iter().map(|row| row.rank).collect();
        assert_eq!(ranks, [1, 2, 3, 4, 5], "a lot leaves no ties");
        let lots = rows.iter().map(|row| row.tie_breaks[0].count);
        let mut lots: Vec<i64> = lots.collect();
        lots.sort_unstable();
        assert_eq!(lots, [1, 2, 3, 4, 5]);
        let rows = by(&[TieBreak::Opponents]);
        let points: Vec<f64> = (0..5).map(|number| of(&rows, number).0).collect();
        // 0 has met 2 and 3, 2 and 1, 3 and 4.
        let met = 2.0 * points[2] + 2.0 * points[3] + points[1] + points[4];
        assert_eq!(of(&rows, 0).1, [met]);
    }

    /// Creates a league with tables of three in rounds: 1, 2 and so on.
    fn played_in_rounds(rules: Rules, tables: &[(&[usize], &[u8])]) -> League {
        let mut league = league(rules, 5, tables);
        for (table, round) in league.tables.iter_mut().zip(1..) {
            table.round = Some(round);
        }
        league
    }

    #[test]
    fn rounds_have_weights_and_the_worst_results_are_dropped() {
        // Points of member 0: 4, 2, 1; of member 1: 2, 1; of member 4: 4.
        let tables: &[(&[usize], &[u8])] = &[
            (&[0, 1, 2], &[1, 2, 3]),
            (&[3, 0, 1], &[1, 2, 3]),
            (&[4, 2, 0], &[1, 2, 3]),
        ];
        let points = |rules: Rules| {
            let league = played_in_rounds(rules, tables);
            let rows = standings(&league, 1).unwrap();
            [0, 1, 4].map(|number| {
                let row = rows.iter().find(|row| row.member == member(number));
                row.unwrap().points.number()
            })
        };
        let counted = |counted| Rules {
            counted,
            ..rules(&[])
        };
        assert_eq!(points(rules(&[])), [7.0, 3.0, 4.0]);
        assert_eq!(points(counted(CountedResults::Best(2))), [6.0, 3.0, 4.0]);
        assert_eq!(points(counted(CountedResults::Best(1))), [4.0, 2.0, 4.0]);
        // Member 1 has missed a round, member 4 two: these are the worst.
        assert_eq!(points(counted(CountedResults::AllBut(1))), [6.0, 3.0, 4.0]);
        assert_eq!(points(counted(CountedResults::AllBut(2))), [4.0, 2.0, 4.0]);
        assert_eq!(points(counted(CountedResults::AllBut(9))), [4.0, 2.0, 4.0]);
        let weights = |weights: &[(u16, u16)]| Rules {
            round_weights: (weights.iter())
                .map(|(round, percent)| RoundWeight {
                    round: *round,
                    percent: *percent,
                })
                .collect(),
            ..counted(CountedResults::AllBut(1))
        };
        // The third round counts three times: member 0 drops the second.
        assert_eq!(points(weights(&[(3, 300)])), [7.0, 3.0, 12.0]);
        assert_eq!(points(weights(&[(2, 150), (1, 0)])), [4.0, 1.5, 4.0]);
        let league = played_in_rounds(weights(&[(3, 300)]), tables);
        let rows = standings(&league, 1).unwrap();
        let row = rows.iter().find(|row| row.member == member(0)).unwrap();
        let results = row.results.iter();
        let results = results.map(|one| (one.table, one.points.number(), one.counted));
        let expected = [(1, 4.0, true), (2, 2.0, false), (3, 3.0, true)];
        assert_eq!(results.collect::<Vec<_>>(), expected);
        assert_eq!(
            seat_points(&league, &league.tables[2]).unwrap()[0].number(),
            12.0
        );
        // After each round, the results of that time count.
        let places = places_by_round(&league, 1, 5).unwrap();
        let of_first = places
            .members
            .iter()
            .position(|id| *id == member(0))
            .unwrap();
        let ranks = places.rounds.iter().map(|(_, ranks)| ranks[of_first]);
        assert_eq!(ranks.collect::<Vec<_>>(), [Some(1), Some(1), Some(2)]);
    }

    #[test]
    fn a_division_has_standings_of_its_own() {
        let tables: &[(&[usize], &[u8])] = &[(&[0, 1, 2], &[1, 2, 3]), (&[3, 4], &[1, 2])];
        let league = league(rules(&[TieBreak::HeadToHead]), 5, tables);
        let among = [1, 2, 4].map(member);
        let rows = standings_of(&league, 1, Some(&among)).unwrap();
        assert_eq!(ranks(&rows), [(1, 1), (1, 4), (3, 2)]);
    }

    #[test]
    fn a_season_counts_only_its_own_tables() {
        let tables: &[(&[usize], &[u8])] = &[(&[0, 1], &[1, 2]), (&[1, 0], &[1, 2])];
        let mut league = league(rules(&[]), 2, tables);
        let season = LeagueEvent::SeasonBegan {
            season: 2,
            name: "Summer".to_owned(),
            rules: rules(&[]),
            format: SeasonFormat::Spread,
        };
        league.add(0, None, &season).unwrap();
        league.tables[1].season = 2;
        for (season, first) in [(1, 0), (2, 1)] {
            let rows = standings(&league, season).unwrap();
            assert_eq!(ranks(&rows), [(1, first), (2, 1 - first)]);
            assert_eq!(rows[0].games.number(), 1.0);
        }
    }

    #[test]
    fn replaced_players_share_points_and_void_tables_give_none() {
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
            assert_eq!(games, 3.0, "each pair of the three seats counts once");
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
        let places = places_by_round(&league, 1, 2).unwrap();
        let now = standings(&league, 1).unwrap();
        let best: Vec<&str> = now.iter().map(|row| &*row.member).collect();
        assert_eq!(places.members, best[..2]);
        assert_eq!((best[0], places.left_out), (&*member(1), 1));
        let expected = [
            (1, vec![Some(2), Some(1)]),
            (3, vec![Some(1), Some(now[1].rank)]),
        ];
        assert_eq!(places.rounds, expected);
        assert!(places_by_round(&league, 2, 2).is_none());
        league.tables.clear();
        assert!(places_by_round(&league, 1, 2).unwrap().rounds.is_empty());
    }

    #[test]
    fn only_the_last_rounds_are_included() {
        let tables = vec![(&[0_usize, 1][..], &[1_u8, 2][..]); 500];
        let mut league = league(rules(&[TieBreak::HeadToHead, TieBreak::Lot]), 60, &tables);
        for (table, round) in league.tables.iter_mut().zip(1..) {
            table.round = Some(round);
        }
        let places = places_by_round(&league, 1, 32).unwrap();
        let rounds: Vec<u16> = places.rounds.iter().map(|(round, _)| *round).collect();
        assert_eq!(rounds, Vec::from_iter(301..=500));
        assert_eq!((places.members.len(), places.left_out), (32, 28));
        assert_eq!(
            places.rounds[0].1[0],
            Some(1),
            "this member has won every game"
        );
    }

    #[test]
    fn meetings_count_better_and_equal_ranks() {
        let tables: &[(&[usize], &[u8])] = &[(&[0, 1, 2], &[1, 2, 2]), (&[1, 0], &[1, 2])];
        let league = league(rules(&[]), 3, tables);
        let met = meetings(&league, 1).unwrap();
        let numbers =
            |met: &Meeting| [met.games, met.ahead, met.equal, met.behind].map(Parts::number);
        assert_eq!(met.len(), 3);
        assert_eq!(numbers(&met[0]), [2.0, 1.0, 0.0, 1.0]);
        assert_eq!(numbers(&met[1]), [1.0, 1.0, 0.0, 0.0]);
        assert_eq!(numbers(&met[2]), [1.0, 0.0, 1.0, 0.0]);
        assert!(meetings(&league, 0).is_none());
    }
}
