//! Standings of teams: the points of their members, added up.

use crate::leagues::league::League;
use crate::leagues::standings::{Parts, StandingsRow, standings};

/// A row of the standings of teams.
#[derive(Clone, Debug, PartialEq)]
pub struct TeamRow {
    /// The rank, from 1. Teams with equal points and wins share a rank, and the following ranks are skipped.
    pub rank: u32,
    /// The number of the team, from 1.
    pub team: u16,
    /// The sum of the members' points.
    pub points: Parts,
    /// The sum of the members' wins.
    pub wins: Parts,
    /// The sum of the members' games.
    pub games: Parts,
    /// The rows of the members in the standings of the season, best first.
    pub members: Vec<StandingsRow>,
}

/// Adds parts of the same size.
fn sum(parts: impl Iterator<Item = Parts>) -> Parts {
    parts.fold(Parts { count: 0, of: 1 }, |sum, part| Parts {
        count: sum.count + part.count,
        of: part.of,
    })
}

/// Returns the standings of the teams of a season, best first.
///
/// `None` if the season has no teams. Teams are ordered by points, then by wins.
pub fn team_standings(league: &League, season: u16) -> Option<Vec<TeamRow>> {
    let groups = &league.season_numbered(season)?.groups;
    if groups.teams.is_empty() {
        return None;
    }
    let rows = standings(league, season)?;
    let mut teams: Vec<TeamRow> = (1..)
        .zip(&groups.teams)
        .map(|(number, team)| {
            let own = rows.iter().filter(|row| team.members.contains(&row.member));
            let members: Vec<StandingsRow> = own.cloned().collect();
            TeamRow {
                rank: 0,
                team: number,
                points: sum(members.iter().map(|row| row.points)),
                wins: sum(members.iter().map(|row| row.wins)),
                games: sum(members.iter().map(|row| row.games)),
                members,
            }
        })
        .collect();
    let key = |team: &TeamRow| (team.points.count, team.wins.count);
    teams.sort_by_key(|team| (std::cmp::Reverse(key(team)), team.team));
    for place in 0..teams.len() {
        teams[place].rank = match place.checked_sub(1) {
            Some(before) if key(&teams[before]) == key(&teams[place]) => teams[before].rank,
            _ => place as u32 + 1,
        };
    }
    Some(teams)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leagues::event::{
        LeagueEvent, MemberGroup, Rules, Scoring, SeasonFormat, Seating, SeatingSeat,
    };
    use crate::leagues::fixtures::{begin_league, member};

    #[test]
    fn the_points_of_members_are_added_up() {
        let rules = Rules {
            scoring: Scoring::RankPoints(vec![3, 1]),
            ..Rules::default()
        };
        let mut league = begin_league(rules, SeasonFormat::Spread, 7);
        assert_eq!(team_standings(&league, 1), None);
        let team = |name: &str, members: [usize; 2]| MemberGroup {
            name: name.to_owned(),
            members: members.map(member).to_vec(),
        };
        let teams = vec![team("A", [0, 1]), team("B", [2, 3]), team("C", [4, 5])];
        league
            .add(0, None, &LeagueEvent::TeamsSet { teams })
            .unwrap();
        for (number, seats) in (1..).zip([[0, 2], [3, 1], [6, 4]]) {
            let seat = |number: usize| SeatingSeat {
                member: member(number),
                nations: Vec::new(),
            };
            let event = LeagueEvent::ResultEntered {
                table: Seating {
                    table: number,
                    round: Some(1),
                    game: None,
                    edition: "antike".to_owned(),
                    board: None,
                    deadline: None,
                    byes: Vec::new(),
                    seats: seats.map(seat).to_vec(),
                },
                played_at: None,
                reason: None,
                ranks: vec![1, 2],
                note: None,
            };
            league.add(0, None, &event).unwrap();
        }
        let rows = team_standings(&league, 1).unwrap();
        let shown = rows.iter().map(|row| {
            let numbers = [row.points, row.wins, row.games].map(Parts::number);
            (row.rank, row.team, numbers)
        });
        let expected = [
            (1, 1, [4.0, 1.0, 2.0]),
            (1, 2, [4.0, 1.0, 2.0]),
            (3, 3, [1.0, 0.0, 1.0]),
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }
}
