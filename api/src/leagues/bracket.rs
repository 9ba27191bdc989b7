//! The bracket of a knock-out season, computed from its tables; a double elimination has parts of it.
//!
//! Round 1 has the members who sit it out, then its tables by number. In each later round, the first match of the round
//! before plays the last one, the second the last but one, and so on. So members who sat out meet winners of round 1.
//! If the number of matches is odd, the winner of the middle one advances.

use std::collections::BTreeSet;

use crate::leagues::league::{League, LeagueTable, TableState};

/// A match of a bracket: one game, or several until a member has won enough of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BracketMatch {
    /// The ids of the two members; `None` for a winner who is not known yet, and if there is no opponent.
    pub members: [Option<String>; 2],
    /// The ids of those who play for the two members: other ones after a replacement.
    pub players: [Option<String>; 2],
    /// Whether the first member has no opponent, and advances.
    pub bye: bool,
    /// Whether there will be neither a member nor an opponent.
    pub empty: bool,
    /// The numbers of the tables that are not void.
    pub tables: Vec<u32>,
    /// The games that each of the two has won. A game without a single winner counts for none.
    pub wins: [u8; 2],
    /// Whether one more game can be played: none, even if all running games have winners, would be too many.
    pub open: bool,
    /// The id of the member who advances, if known.
    pub winner: Option<String>,
    /// The id of the member who lost, if known.
    pub loser: Option<String>,
    /// Whether the first of the two members won, if known.
    pub first_won: Option<bool>,
}

impl BracketMatch {
    /// Returns a match without an opponent.
    pub fn bye(member: Option<String>) -> BracketMatch {
        BracketMatch {
            bye: true,
            winner: member.clone(),
            ..BracketMatch::unplayed([member, None])
        }
    }

    /// Returns a match that will have no one.
    pub fn empty() -> BracketMatch {
        BracketMatch {
            empty: true,
            ..BracketMatch::bye(None)
        }
    }

    fn unplayed(members: [Option<String>; 2]) -> BracketMatch {
        BracketMatch {
            players: members.clone(),
            members,
            bye: false,
            empty: false,
            tables: Vec::new(),
            wins: [0, 0],
            open: false,
            winner: None,
            loser: None,
            first_won: None,
        }
    }

    /// Returns a match with its tables among those of the round.
    pub fn between(members: [Option<String>; 2], round: &MatchTables<'_>) -> BracketMatch {
        let mut own = BracketMatch::unplayed(members);
        let [Some(one), Some(other)] = own.members.clone() else {
            return own;
        };
        let mut players = [one, other];
        let mut running = 0;
        for table in &round.tables {
            let Some(place) = place_of(table, &players) else {
                continue;
            };
            own.tables.push(table.number);
            match winning_seat(table) {
                Some(seat) => own.wins[seat ^ place] += 1,
                None => running += u8::from(table.state == TableState::Playing),
            }
            // Who took over a seat plays on.
            for (seat, player) in table.seats.iter().zip([place, 1 - place]) {
                if let Some(last) = seat.members.last() {
                    players[player].clone_from(last);
                }
            }
        }
        let most = own.wins[0].max(own.wins[1]);
        let [one, other] = players.map(Some);
        if most < round.wins {
            own.open = most + running < round.wins;
        } else if own.wins[0] > own.wins[1] {
            own.first_won = Some(true);
            (own.winner, own.loser) = (one.clone(), other.clone());
        } else {
            own.first_won = Some(false);
            (own.winner, own.loser) = (other.clone(), one.clone());
        }
        own.players = [one, other];
        own
    }

    /// Returns the ids of those who play, if both are known.
    pub fn pair(&self) -> Option<[&String; 2]> {
        let [one, other] = &self.players;
        Some([one.as_ref()?, other.as_ref()?])
    }
}

/// The tables of a round that are not void, in order.
#[derive(Debug)]
pub struct MatchTables<'a> {
    tables: Vec<&'a LeagueTable>,
    /// The number of games that win a match.
    wins: u8,
}

impl<'a> MatchTables<'a> {
    /// Returns those of the tables that are not void.
    pub fn valid(tables: &[&'a LeagueTable], wins: u8) -> MatchTables<'a> {
        let valid = tables
            .iter()
            .filter(|table| table.state != TableState::Void);
        MatchTables {
            tables: valid.copied().collect(),
            wins,
        }
    }
}

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

/// Returns which of two players was seated on the first seat of a table, if both were seated there.
fn place_of(table: &LeagueTable, players: &[String; 2]) -> Option<usize> {
    let both = sorted([&players[0], &players[1]]);
    let first = table.seats.first()?.members.first()?;
    (pair_of(table)? == both).then(|| usize::from(*first != players[0]))
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
    let wins = wins_of_match(league, season);
    let mut rounds = Vec::new();
    let mut matches = first_round(&of_round(1), wins);
    while !matches.is_empty() {
        let count = matches.len();
        rounds.push(matches);
        if count == 1 {
            break;
        }
        let before: &Vec<BracketMatch> = &rounds[rounds.len() - 1];
        let tables = MatchTables::valid(&of_round(rounds.len() + 1), wins);
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

/// Returns the number of games that win a match of a season.
pub fn wins_of_match(league: &League, season: u16) -> u8 {
    let season = league.season_numbered(season);
    season.map_or(1, |season| season.format.wins_of_match())
}

/// Returns the matches of round 1: the byes, and the pairs of its tables by number.
///
/// The pair of a void table keeps its place, unless one of them has another table or sits out. Byes that are listed
/// with a void table stay.
pub fn first_round(tables: &[&LeagueTable], wins: u8) -> Vec<BracketMatch> {
    let valid = MatchTables::valid(tables, wins);
    let pairs = valid.tables.iter().filter_map(|table| pair_of(table));
    let mut placed: BTreeSet<&str> = pairs.flatten().collect();
    let mut matches = Vec::new();
    for member in tables.iter().flat_map(|table| &table.byes) {
        if placed.insert(member) {
            matches.push(BracketMatch::bye(Some(member.clone())));
        }
    }
    let mut seen = BTreeSet::new();
    let mut counted = BTreeSet::new();
    for table in tables {
        let is_new = !counted.contains(&table.number);
        let Some(pair) = pair_of(table).filter(|pair| is_new && seen.insert(*pair)) else {
            continue;
        };
        let plays = valid
            .tables
            .iter()
            .any(|other| pair_of(other) == Some(pair));
        if plays || !pair.iter().any(|member| placed.contains(member)) {
            let mut members = table.seats.iter().map(|seat| seat.members.first().cloned());
            let members = [members.next().flatten(), members.next().flatten()];
            let own = BracketMatch::between(members, &valid);
            counted.extend(own.tables.iter().copied());
            matches.push(own);
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
        begin_league(rules, SeasonFormat::KnockOut { best_of: 1 }, members)
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
        assert_eq!(rounds[2][0].tables, [4]);
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
        assert_eq!(rounds[0][0].tables, Vec::<u32>::new());
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
        assert_eq!(rounds[0][0].tables, [3]);
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

    #[test]
    fn a_match_of_several_games_is_won_by_the_majority() {
        let format = SeasonFormat::KnockOut { best_of: 3 };
        let mut league = begin_league(Rules::default(), format, 3);
        let own = |league: &League| {
            let own = bracket(league, 1)[0][0].clone();
            (own.wins, own.open, own.winner)
        };
        assert!(play(&mut league, 1, &[0, 1], &[]));
        assert_eq!(own(&league), ([1, 0], true, None));
        // A shared win counts for neither.
        assert!(play(&mut league, 1, &[1, 0], &[]));
        let shared = LeagueEvent::TableAdjudicated {
            table: 2,
            ranks: vec![1, 1],
            note: None,
        };
        league.add(0, None, &shared).unwrap();
        assert!(play(&mut league, 1, &[1, 0], &[]));
        assert_eq!(own(&league), ([1, 1], true, None));
        // Who takes over a seat plays on.
        let replaced = LeagueEvent::PlayerReplaced {
            table: 3,
            seat: 0,
            member: member(2),
            note: None,
        };
        league.add(0, None, &replaced).unwrap();
        assert!(!play(&mut league, 1, &[0, 1], &[]));
        assert!(play(&mut league, 1, &[2, 0], &[]));
        assert_eq!(own(&league), ([1, 2], false, Some(member(2))));
        assert!(!play(&mut league, 1, &[2, 0], &[]), "the match is over");
        assert_eq!(bracket(&league, 1)[0][0].tables, [1, 2, 3, 4]);
        assert_eq!(bracket(&league, 1).len(), 1);
        let even = SeasonFormat::DoubleElimination { best_of: 2 };
        let season = LeagueEvent::SeasonBegan {
            season: 2,
            name: "Summer".to_owned(),
            rules: Rules::default(),
            format: even,
        };
        assert!(league.add(0, None, &season).is_err());
    }
}
