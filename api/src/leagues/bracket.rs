//! The bracket of a knock-out season, computed from its tables; a double elimination has parts of it.
//!
//! Round 1 has the members who sit it out, then its tables by number. In each later round, the first match of the round
//! before plays the last one, the second the last but one, and so on. So members who sat out meet winners of round 1.
//! If the number of matches is odd, the winner of the middle one advances.

use std::collections::{BTreeMap, BTreeSet};

use crate::leagues::league::{League, LeagueSeat, LeagueTable, TableState};

/// A match of a bracket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BracketMatch {
    /// The ids of the two members; `None` for a winner who is not known yet, and if there is no opponent.
    pub members: [Option<String>; 2],
    /// Whether the first member has no opponent, and advances.
    pub bye: bool,
    /// Whether there will be neither a member nor an opponent.
    pub empty: bool,
    /// The number of the table, if there is one that is not void.
    pub table: Option<u32>,
    /// The id of the member who advances, if known.
    pub winner: Option<String>,
    /// The id of the member who lost, if known.
    pub loser: Option<String>,
    /// Whether the seat of the first of the two members won, if known.
    pub first_won: Option<bool>,
}

impl BracketMatch {
    /// Returns a match without an opponent.
    pub fn bye(member: Option<String>) -> BracketMatch {
        BracketMatch {
            members: [member.clone(), None],
            bye: true,
            empty: false,
            table: None,
            winner: member,
            loser: None,
            first_won: None,
        }
    }

    /// Returns a match that will have no one.
    pub fn empty() -> BracketMatch {
        BracketMatch {
            empty: true,
            ..BracketMatch::bye(None)
        }
    }

    /// Returns a match, with its table if the tables of the round have it.
    pub fn between(members: [Option<String>; 2], tables: &PairTables<'_>) -> BracketMatch {
        let pair = match &members {
            [Some(one), Some(other)] => Some(sorted([one, other])),
            _ => None,
        };
        let table = pair.and_then(|pair| tables.get(&pair).copied());
        let decided = table.and_then(|table| Some((table, winning_seat(table)?)));
        let last = |seat: &LeagueSeat| seat.members.last().cloned();
        BracketMatch {
            bye: false,
            empty: false,
            table: table.map(|table| table.number),
            winner: decided.and_then(|(table, seat)| last(table.seats.get(seat)?)),
            loser: decided.and_then(|(table, seat)| last(table.seats.get(1 - seat)?)),
            first_won: decided.and_then(|(table, seat)| {
                Some(table.seats.get(seat)?.members.first() == members[0].as_ref())
            }),
            members,
        }
    }

    /// Returns the ids of both members, if they are known.
    pub fn pair(&self) -> Option<[&String; 2]> {
        let [one, other] = &self.members;
        Some([one.as_ref()?, other.as_ref()?])
    }
}

/// The tables of a round that are not void, by the ids of their two members.
pub type PairTables<'a> = BTreeMap<[&'a str; 2], &'a LeagueTable>;

/// Returns two ids in order.
pub fn sorted([one, other]: [&str; 2]) -> [&str; 2] {
    [one.min(other), one.max(other)]
}

/// Returns the ids of the two members who were seated at a table.
fn pair_of(table: &LeagueTable) -> Option<[&str; 2]> {
    match &*table.seats {
        [one, other] => Some(sorted([one.members.first()?, other.members.first()?])),
        _ => None,
    }
}

/// Returns the tables that are not void, by their members.
pub fn pair_tables<'a>(tables: &[&'a LeagueTable]) -> PairTables<'a> {
    let valid = tables
        .iter()
        .filter(|table| table.state != TableState::Void);
    valid
        .filter_map(|table| Some((pair_of(table)?, *table)))
        .collect()
}

/// Returns the only seat with rank 1, if the table counts and there is one.
fn winning_seat(table: &LeagueTable) -> Option<usize> {
    let result = table
        .result
        .as_ref()
        .filter(|_| table.state == TableState::Counted)?;
    let mut first = (0_usize..)
        .zip(&result.ranks)
        .filter(|(_, rank)| **rank == 1);
    match (first.next(), first.next()) {
        (Some((seat, _)), None) if seat < 2 => Some(seat),
        _ => None,
    }
}

/// Returns the tables of a round of a season.
pub fn tables_of_round(league: &League, season: u16, round: usize) -> Vec<&LeagueTable> {
    let tables = league.tables.iter().filter(|table| table.season == season);
    tables
        .filter(|table| table.round.map(usize::from) == Some(round))
        .collect()
}

/// Returns the matches of each round of a knock-out season; empty before round 1.
pub fn bracket(league: &League, season: u16) -> Vec<Vec<BracketMatch>> {
    let of_round = |round| tables_of_round(league, season, round);
    let mut rounds = Vec::new();
    let mut matches = first_round(&of_round(1));
    while !matches.is_empty() {
        let count = matches.len();
        rounds.push(matches);
        if count == 1 {
            break;
        }
        let before: &Vec<BracketMatch> = &rounds[rounds.len() - 1];
        let tables = of_round(rounds.len() + 1);
        let tables = pair_tables(&tables);
        let next = (0..count.div_ceil(2)).map(|place| {
            let one = before[place].winner.clone();
            match count - 1 - place {
                last if last == place => BracketMatch::bye(one),
                last => BracketMatch::between([one, before[last].winner.clone()], &tables),
            }
        });
        matches = next.collect();
    }
    rounds
}

/// Returns the matches of round 1: the byes, and the pairs of its tables by number.
///
/// The pair of a void table keeps its place, unless one of them has another table or sits out. Byes that are listed
/// with a void table stay.
pub fn first_round(tables: &[&LeagueTable]) -> Vec<BracketMatch> {
    let valid = pair_tables(tables);
    let mut placed: BTreeSet<&str> = valid.keys().flatten().copied().collect();
    let mut matches = Vec::new();
    for member in tables.iter().flat_map(|table| &table.byes) {
        if placed.insert(member) {
            matches.push(BracketMatch::bye(Some(member.clone())));
        }
    }
    let mut seen = BTreeSet::new();
    for table in tables {
        let Some(pair) = pair_of(table).filter(|pair| seen.insert(*pair)) else {
            continue;
        };
        if valid.contains_key(&pair) || !pair.iter().any(|member| placed.contains(member)) {
            let mut members = table.seats.iter().map(|seat| seat.members.first().cloned());
            let members = [members.next().flatten(), members.next().flatten()];
            matches.push(BracketMatch::between(members, &valid));
        }
    }
    matches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leagues::event::{
        LeagueEvent, Rules, Scoring, SeasonFormat, SeatCredit, Seating, SeatingSeat,
    };
    use crate::leagues::fixtures::{begin_league, member};
    use crate::leagues::matches::check_matches;

    fn league(members: usize) -> League {
        let rules = Rules {
            scoring: Scoring::Shares,
            tie_breaks: Vec::new(),
            replacement: SeatCredit::Split,
            ..Rules::default()
        };
        begin_league(rules, SeasonFormat::KnockOut, members)
    }

    fn entered(league: &League, round: u16, seats: &[usize], byes: &[usize]) -> LeagueEvent {
        let seat = |number: &usize| SeatingSeat {
            member: member(*number),
            nations: Vec::new(),
        };
        LeagueEvent::ResultEntered {
            table: Seating {
                table: league.tables.len() as u32 + 1,
                round: Some(round),
                game: None,
                edition: "antike".to_owned(),
                board: None,
                deadline: None,
                byes: byes.iter().map(|number| member(*number)).collect(),
                seats: seats.iter().map(seat).collect(),
            },
            played_at: None,
            reason: None,
            ranks: (1..).take(seats.len()).collect(),
            note: None,
        }
    }

    fn play(league: &mut League, round: u16, seats: &[usize], byes: &[usize]) -> bool {
        let event = entered(league, round, seats, byes);
        if let LeagueEvent::ResultEntered { table, .. } = &event
            && check_matches(league, 1, &[table]).is_err()
        {
            return false;
        }
        let mut tried = league.clone();
        match tried.add(0, None, &event) {
            Ok(_) => {
                *league = tried;
                true
            }
            Err(_) => false,
        }
    }

    fn winners(matches: &[BracketMatch]) -> Vec<Option<String>> {
        matches.iter().map(|one| one.winner.clone()).collect()
    }

    #[test]
    fn five_members_play_three_rounds() {
        let mut league = league(5);
        assert_eq!(bracket(&league, 1), Vec::<Vec<BracketMatch>>::new());
        assert!(
            !play(&mut league, 1, &[0, 1, 2], &[]),
            "a match has two members"
        );
        assert!(play(&mut league, 1, &[3, 4], &[0, 1, 2]));
        assert!(!play(&mut league, 1, &[2, 4], &[]), "each has one place");
        let rounds = bracket(&league, 1);
        assert_eq!(rounds.iter().map(Vec::len).collect::<Vec<_>>(), [4, 2, 1]);
        let known = [0, 3].map(|number| Some(member(number)));
        assert_eq!(rounds[1][0].members, known);
        assert_eq!(winners(&rounds[1]), [None, None]);
        assert!(!play(&mut league, 2, &[0, 1], &[]), "they do not meet");
        assert!(!play(&mut league, 2, &[0, 4], &[]), "this member has lost");
        assert!(play(&mut league, 2, &[3, 0], &[]));
        assert!(play(&mut league, 2, &[1, 2], &[]));
        assert!(!play(&mut league, 2, &[1, 2], &[]), "they have met");
        assert!(play(&mut league, 3, &[1, 3], &[]));
        let rounds = bracket(&league, 1);
        assert_eq!(rounds[2][0].winner, Some(member(1)));
        assert_eq!(rounds[2][0].table, Some(4));
    }

    #[test]
    fn void_tables_and_shared_wins_decide_nothing() {
        let mut league = league(4);
        play(&mut league, 1, &[0, 1], &[]);
        play(&mut league, 1, &[2, 3], &[]);
        let void = LeagueEvent::TableVoided {
            table: 1,
            note: None,
        };
        league.add(0, None, &void).unwrap();
        let rounds = bracket(&league, 1);
        assert_eq!(winners(&rounds[0]), [None, Some(member(2))]);
        assert_eq!(rounds[0][0].table, None);
        // The pair keeps its place when it plays again.
        assert!(play(&mut league, 1, &[1, 0], &[]));
        let rounds = bracket(&league, 1);
        assert_eq!(
            winners(&rounds[0]),
            [1, 2].map(|number| Some(member(number)))
        );
        let shared = LeagueEvent::TableAdjudicated {
            table: 3,
            ranks: vec![1, 1],
            note: None,
        };
        league.add(0, None, &shared).unwrap();
        let rounds = bracket(&league, 1);
        assert_eq!(winners(&rounds[0]), [None, Some(member(2))]);
        assert_eq!(rounds[0][0].table, Some(3));
        // The pair of a void table gives way to other tables of its members.
        let void = LeagueEvent::TableVoided {
            table: 3,
            note: None,
        };
        league.add(0, None, &void).unwrap();
        let void = LeagueEvent::TableVoided {
            table: 2,
            note: None,
        };
        league.add(0, None, &void).unwrap();
        assert!(play(&mut league, 1, &[0, 2], &[]));
        assert_eq!(bracket(&league, 1)[0].len(), 1);
    }
}
