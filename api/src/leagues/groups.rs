//! Divisions and teams of a season.
//!
//! Both divide members into groups. A division plays among itself and has its own standings. A team plays together:
//! pairing keeps team-mates apart, and the points of its members are added up.
//!
//! The groups are set before the season has a table. Later, only members without a table can be placed.

use std::collections::BTreeSet;

use engine::setup::check_name;

use crate::http::error::ConflictKind;
use crate::leagues::event::{MemberGroup, SeasonFormat, Seating};
use crate::leagues::fold::{LeagueEventError, conflict, invalid};
use crate::leagues::league::{League, Season, SeasonGroups, TableState};
use crate::leagues::limits::{LAST_ROUND, MOST_GROUPS, MOST_MOVED};

/// Returns the number of the group of a member, from 1.
fn number_of(groups: &[MemberGroup], member: &str) -> Option<u16> {
    let found = groups
        .iter()
        .position(|group| group.members.iter().any(|id| id == member));
    found.map(|index| index as u16 + 1)
}

/// Returns the group with a number, from 1.
fn numbered(groups: &[MemberGroup], number: u16) -> Option<&MemberGroup> {
    groups.get(usize::from(number).checked_sub(1)?)
}

impl SeasonGroups {
    /// Returns the number of the division of a member, from 1.
    pub fn division_of(&self, member: &str) -> Option<u16> {
        number_of(&self.divisions, member)
    }

    /// Returns the division with a number, from 1.
    pub fn division(&self, number: u16) -> Option<&MemberGroup> {
        numbered(&self.divisions, number)
    }

    /// Returns the number of the team of a member, from 1.
    pub fn team_of(&self, member: &str) -> Option<u16> {
        number_of(&self.teams, member)
    }

    /// Whether a member plays in a round: true unless the line-up of the member's team has others.
    pub fn is_lined_up(&self, member: &str, round: u16) -> bool {
        let team = self.team_of(member);
        let line_up = team.and_then(|team| self.line_ups.get(&(round, team)));
        line_up.is_none_or(|members| members.iter().any(|id| id == member))
    }
}

impl League {
    fn current_season(&mut self) -> Result<&mut Season, LeagueEventError> {
        self.season()?;
        let missing = || LeagueEventError::Missing("season".to_owned());
        self.seasons.last_mut().ok_or_else(missing)
    }

    /// Checks that the current season has no table that is not void.
    fn check_not_played(&self) -> Result<(), LeagueEventError> {
        let season = self.season()?;
        let mut tables = self.tables.iter();
        match tables.any(|table| table.season == season && table.state != TableState::Void) {
            false => Ok(()),
            true => Err(conflict(
                ConflictKind::AlreadyStarted,
                "the season has tables, so its divisions and teams are settled: place new members one by one",
            )),
        }
    }

    /// Checks names and members of groups.
    fn check_group_list(
        &self,
        field: &str,
        groups: &[MemberGroup],
    ) -> Result<(), LeagueEventError> {
        if groups.len() > MOST_GROUPS {
            return Err(invalid(field, format!("list at most {MOST_GROUPS}")));
        }
        let (mut names, mut members) = (BTreeSet::new(), BTreeSet::new());
        for (number, group) in groups.iter().enumerate() {
            let own = format!("{field}[{number}]");
            check_name(&group.name).map_err(|message| invalid(format!("{own}.name"), message))?;
            if !names.insert(&group.name) {
                return Err(invalid(
                    format!("{own}.name"),
                    "give each a name of its own",
                ));
            }
            for (place, member) in group.members.iter().enumerate() {
                let at = format!("{own}.members[{place}]");
                if !self.is_active(member) {
                    let message = format!("{member:?} is not an active member of the league");
                    return Err(invalid(at, message));
                }
                if !members.insert(member) {
                    return Err(invalid(at, "name each member only once"));
                }
            }
        }
        Ok(())
    }

    pub(in crate::leagues) fn set_divisions(
        &mut self,
        divisions: Vec<MemberGroup>,
        moves: u8,
    ) -> Result<(), LeagueEventError> {
        self.check_not_played()?;
        self.check_group_list("divisions", &divisions)?;
        if moves > MOST_MOVED {
            let message = format!("at most {MOST_MOVED} members of a division move");
            return Err(invalid("moves", message));
        }
        let season = self.current_season()?;
        if !divisions.is_empty() && !has_groups(season.format) {
            let message = "a season with a bracket or a ladder has no divisions";
            return Err(invalid("divisions", message));
        }
        season.groups.divisions = divisions;
        season.groups.moves = moves;
        Ok(())
    }

    pub(in crate::leagues) fn set_teams(
        &mut self,
        teams: Vec<MemberGroup>,
    ) -> Result<(), LeagueEventError> {
        self.check_not_played()?;
        self.check_group_list("teams", &teams)?;
        let season = self.current_season()?;
        let is_paired_freely = matches!(
            season.format,
            SeasonFormat::Spread | SeasonFormat::Swiss { .. }
        );
        if !teams.is_empty() && !is_paired_freely {
            return Err(invalid("teams", "only a spread or Swiss season has teams"));
        }
        season.groups.teams = teams;
        season.groups.line_ups.clear();
        Ok(())
    }

    pub(in crate::leagues) fn place_member(
        &mut self,
        member: &str,
        division: Option<u16>,
        team: Option<u16>,
    ) -> Result<(), LeagueEventError> {
        let number = self.season()?;
        if !self.is_active(member) {
            return Err(LeagueEventError::Missing(format!(
                "active member {member:?}"
            )));
        }
        let sits = |table: &crate::leagues::league::LeagueTable| {
            table.season == number
                && table.state != TableState::Void
                && (table.seats.iter()).any(|seat| seat.members.iter().any(|id| id == member))
        };
        let has_table = self.tables.iter().any(sits);
        let groups = &mut self.current_season()?.groups;
        let (field, list, to) = match (division, team) {
            (Some(to), None) => ("division", &mut groups.divisions, to),
            (None, Some(to)) => ("team", &mut groups.teams, to),
            _ => return Err(invalid("division", "give either `division` or `team`")),
        };
        if numbered(list, to).is_none() {
            let message = format!("the season has no {field} with the number {to}");
            return Err(invalid(field, message));
        }
        let before = number_of(list, member);
        if before == Some(to) {
            return Err(invalid(
                field,
                format!("the member is in this {field} already"),
            ));
        }
        if before.is_some() && has_table {
            let message =
                format!("the member has a table in this season, and so keeps the {field}");
            return Err(conflict(ConflictKind::AlreadyStarted, message));
        }
        for group in list.iter_mut() {
            group.members.retain(|id| id != member);
        }
        if let Some(group) = list.get_mut(usize::from(to) - 1) {
            group.members.push(member.to_owned());
        }
        if team.is_some() {
            groups
                .line_ups
                .values_mut()
                .for_each(|members| members.retain(|id| id != member));
        }
        Ok(())
    }

    pub(in crate::leagues) fn set_line_up(
        &mut self,
        team: u16,
        round: u16,
        members: Vec<String>,
    ) -> Result<(), LeagueEventError> {
        let number = self.season()?;
        if !(1..=LAST_ROUND).contains(&round) {
            let message = format!("a round must be a number from 1 to {LAST_ROUND}");
            return Err(invalid("round", message));
        }
        let groups = &self.current_season()?.groups;
        let own = numbered(&groups.teams, team).cloned();
        let own = own.ok_or_else(|| invalid("team", format!("the season has no team {team}")))?;
        let mut seen = BTreeSet::new();
        for (place, member) in members.iter().enumerate() {
            let field = format!("members[{place}]");
            if !own.members.contains(member) {
                return Err(invalid(
                    field,
                    format!("this member is not in {:?}", own.name),
                ));
            }
            if !seen.insert(member) {
                return Err(invalid(field, "name each member only once"));
            }
        }
        let plays = self.tables.iter().any(|table| {
            (table.season, table.round) == (number, Some(round))
                && table.state != TableState::Void
                && (table.seats.iter().filter_map(|seat| seat.members.first()))
                    .any(|id| own.members.contains(id))
        });
        if plays {
            let message = "the team has a table in this round, so its line-up is settled: substitute a member at the table";
            return Err(conflict(ConflictKind::AlreadyStarted, message));
        }
        let line_ups = &mut self.current_season()?.groups.line_ups;
        line_ups.insert((round, team), members);
        Ok(())
    }

    /// Checks that the members of a new table are in one division, and in the line-ups of their teams.
    pub(in crate::leagues) fn check_groups(
        &self,
        season: u16,
        table: &Seating,
        seats: &str,
    ) -> Result<(), LeagueEventError> {
        let Some(season) = self.season_numbered(season) else {
            return Ok(());
        };
        let groups = &season.groups;
        let mut first = None;
        for (number, seat) in table.seats.iter().enumerate() {
            let field = || format!("{seats}[{number}].member");
            if !groups.divisions.is_empty() {
                let Some(division) = groups.division_of(&seat.member) else {
                    let message = "this member is in no division: put the member into one first";
                    return Err(invalid(field(), message));
                };
                if *first.get_or_insert(division) != division {
                    let message = "this member is in another division than the first one: a table has members of one division";
                    return Err(invalid(field(), message));
                }
            }
            if let Some(round) = table.round
                && !groups.is_lined_up(&seat.member, round)
            {
                let message =
                    format!("this member is not in the line-up of the team for round {round}");
                return Err(invalid(field(), message));
            }
        }
        Ok(())
    }
}

/// Whether a season of a format can have divisions.
fn has_groups(format: SeasonFormat) -> bool {
    match format {
        SeasonFormat::Spread | SeasonFormat::Swiss { .. } | SeasonFormat::RoundRobin { .. } => true,
        SeasonFormat::KnockOut { .. }
        | SeasonFormat::DoubleElimination { .. }
        | SeasonFormat::Ladder { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leagues::event::{LeagueEvent, Rules, SeatingSeat};
    use crate::leagues::fixtures::{begin_league, member};
    use uuid::Uuid;

    fn group(name: &str, members: &[usize]) -> MemberGroup {
        MemberGroup {
            name: name.to_owned(),
            members: members.iter().map(|number| member(*number)).collect(),
        }
    }

    fn divisions(groups: Vec<MemberGroup>) -> LeagueEvent {
        LeagueEvent::DivisionsSet {
            divisions: groups,
            moves: 1,
        }
    }

    fn entered(league: &League, round: u16, seats: &[usize]) -> LeagueEvent {
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
                byes: Vec::new(),
                seats: seats.iter().map(seat).collect(),
            },
            played_at: None,
            reason: None,
            ranks: (1..).take(seats.len()).collect(),
            note: None,
        }
    }

    fn placed(number: usize, division: Option<u16>, team: Option<u16>) -> LeagueEvent {
        LeagueEvent::MemberPlaced {
            member: member(number),
            division,
            team,
        }
    }

    #[test]
    fn a_table_has_members_of_one_division() {
        let mut league = begin_league(Rules::default(), SeasonFormat::Spread, 6);
        let wrong = [
            vec![group("A", &[0, 1]), group("A", &[2])],
            vec![group("A", &[0, 1]), group("B", &[1])],
            vec![group("A", &[9])],
            vec![group("", &[1])],
        ];
        for groups in wrong {
            assert!(league.clone().add(0, None, &divisions(groups)).is_err());
        }
        let set = divisions(vec![group("A", &[0, 1]), group("B", &[2, 3])]);
        league.add(0, None, &set).unwrap();
        // The organizers may change their mind until the first table.
        league.add(0, None, &set).unwrap();
        for seats in [&[0, 2][..], &[0, 4], &[4, 5]] {
            let event = entered(&league, 1, seats);
            assert!(league.clone().add(0, None, &event).is_err(), "{seats:?}");
        }
        let event = entered(&league, 1, &[0, 1]);
        league.add(0, None, &event).unwrap();
        assert!(league.clone().add(0, None, &set).is_err());
        assert!(
            league
                .clone()
                .add(0, None, &placed(0, Some(2), None))
                .is_err()
        );
        assert!(
            league
                .clone()
                .add(0, None, &placed(4, Some(3), None))
                .is_err()
        );
        assert!(
            league
                .clone()
                .add(0, None, &placed(4, None, Some(1)))
                .is_err()
        );
        league.add(0, None, &placed(4, Some(2), None)).unwrap();
        league.add(0, None, &placed(3, Some(1), None)).unwrap();
        assert_eq!(league.seasons[0].groups.division_of(&member(4)), Some(2));
        let event = entered(&league, 1, &[2, 4]);
        league.add(0, None, &event).unwrap();
        let void = LeagueEvent::TableVoided {
            table: 1,
            note: None,
        };
        league.add(0, None, &void).unwrap();
        assert!(league.clone().add(0, None, &set).is_err());
    }

    #[test]
    fn brackets_have_no_divisions_and_round_robins_no_teams() {
        let groups = || vec![group("A", &[0, 1]), group("B", &[2, 3])];
        let teams = || LeagueEvent::TeamsSet { teams: groups() };
        for (format, has_divisions, has_teams) in [
            (SeasonFormat::Spread, true, true),
            (SeasonFormat::Swiss { bye_points: 1 }, true, true),
            (SeasonFormat::RoundRobin { games: 1 }, true, false),
            (SeasonFormat::KnockOut { best_of: 1 }, false, false),
            (SeasonFormat::DoubleElimination { best_of: 1 }, false, false),
            (SeasonFormat::Ladder { reach: 2 }, false, false),
        ] {
            let league = begin_league(Rules::default(), format, 4);
            let set = league.clone().add(0, None, &divisions(groups()));
            assert_eq!(set.is_ok(), has_divisions, "{format:?}");
            let set = league.clone().add(0, None, &teams());
            assert_eq!(set.is_ok(), has_teams, "{format:?}");
        }
    }

    #[test]
    fn a_placeholder_that_becomes_an_account_keeps_its_places() {
        let mut league = begin_league(Rules::default(), SeasonFormat::Spread, 4);
        let placeholder = format!("placeholder:{}", Uuid::from_u128(7));
        let joined = LeagueEvent::Joined {
            member: placeholder.clone(),
            name: Some("Hanno".to_owned()),
        };
        league.add(0, None, &joined).unwrap();
        let mut first = group("A", &[0, 1]);
        first.members.push(placeholder.clone());
        let set = divisions(vec![first, group("B", &[2])]);
        league.add(0, None, &set).unwrap();
        // One account has no place yet, one has a place in the other division.
        for (number, expected) in [(3, [vec![0, 1, 3], vec![2]]), (2, [vec![0, 1], vec![2]])] {
            let claimed = LeagueEvent::PlaceholderClaimed {
                placeholder: placeholder.clone(),
                account: Uuid::parse_str(&member(number)).unwrap(),
                tables: Vec::new(),
            };
            let mut after = league.clone();
            after.add(0, None, &claimed).unwrap();
            let places = after.seasons[0].groups.divisions.iter();
            let places: Vec<Vec<String>> = places.map(|group| group.members.clone()).collect();
            let expected: Vec<Vec<String>> = (expected.into_iter())
                .map(|numbers| numbers.into_iter().map(member).collect())
                .collect();
            assert_eq!(places, expected);
        }
    }

    #[test]
    fn only_the_line_up_of_a_team_plays() {
        let mut league = begin_league(Rules::default(), SeasonFormat::Spread, 6);
        let teams = vec![group("A", &[0, 1, 2]), group("B", &[3, 4])];
        league
            .add(0, None, &LeagueEvent::TeamsSet { teams })
            .unwrap();
        let line_up = |round, members: &[usize]| LeagueEvent::LineUpSet {
            team: 1,
            round,
            members: members.iter().map(|number| member(*number)).collect(),
        };
        for (round, members) in [(0, &[0][..]), (1, &[3]), (1, &[0, 0])] {
            assert!(
                league
                    .clone()
                    .add(0, None, &line_up(round, members))
                    .is_err()
            );
        }
        league.add(0, None, &line_up(1, &[0, 1])).unwrap();
        let event = entered(&league, 1, &[2, 3]);
        assert!(league.clone().add(0, None, &event).is_err());
        league.add(0, None, &line_up(1, &[2])).unwrap();
        league.add(0, None, &event).unwrap();
        assert!(league.clone().add(0, None, &line_up(1, &[0])).is_err());
        league.add(0, None, &line_up(2, &[0])).unwrap();
        // Members of no team play as well.
        let event = entered(&league, 2, &[0, 5]);
        league.add(0, None, &event).unwrap();
    }
}
