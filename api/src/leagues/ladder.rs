//! The order of a ladder, and its challenges.
//!
//! A ladder begins with the order of the members in the league, or with the last order of the season before if that was
//! a ladder too. A member who joins is added at the bottom. If the lower one of two members wins, they exchange places.
//!
//! The order follows from the tables by their numbers. A member has only one running table, so results in any order give
//! the same ladder.

use std::collections::HashMap;

use crate::leagues::event::{SeasonFormat, Seating};
use crate::leagues::fold::{LeagueEventError, invalid};
use crate::leagues::league::{Challenge, League, LeagueTable, TableState};

/// The order of a ladder. Members are indices in the league's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LadderOrder {
    /// The members, the highest first.
    order: Vec<usize>,
}

impl LadderOrder {
    /// Returns the order at the beginning of a season.
    pub fn first(league: &League, season: u16) -> LadderOrder {
        let before = season.checked_sub(1).filter(|before| {
            let format = league.season_numbered(*before).map(|season| season.format);
            matches!(format, Some(SeasonFormat::Ladder { .. }))
        });
        let mut order = match before {
            Some(before) => LadderOrder::last(league, before).order,
            None => Vec::new(),
        };
        let new = (0..league.members.len()).filter(|member| !order.contains(member));
        let new: Vec<usize> = new.collect();
        order.extend(new);
        LadderOrder { order }
    }

    /// Returns the order after all tables of a season that count.
    pub fn last(league: &League, season: u16) -> LadderOrder {
        let mut ladder = LadderOrder::first(league, season);
        let members: HashMap<&str, usize> = (league.members.iter().enumerate())
            .map(|(number, member)| (member.id.as_str(), number))
            .collect();
        for table in league.tables.iter().filter(|table| table.season == season) {
            ladder.add(table, &members);
        }
        ladder
    }

    /// Lets the members of a table exchange places if it counts and the lower one has won.
    pub fn add(&mut self, table: &LeagueTable, members: &HashMap<&str, usize>) {
        let result = table
            .result
            .as_ref()
            .filter(|_| table.state == TableState::Counted);
        let ranks = result.map(|result| &*result.ranks);
        let (Some(&[one, other]), [first, second]) = (ranks, &*table.seats) else {
            return;
        };
        let (winner, loser) = match one.cmp(&other) {
            std::cmp::Ordering::Less => (first, second),
            std::cmp::Ordering::Greater => (second, first),
            std::cmp::Ordering::Equal => return,
        };
        let place = |seat: &crate::leagues::league::LeagueSeat| {
            let member = members.get(seat.members.last()?.as_str())?;
            self.order.iter().position(|own| own == member)
        };
        if let (Some(winner), Some(loser)) = (place(winner), place(loser))
            && winner > loser
        {
            self.order.swap(winner, loser);
        }
    }

    /// Returns the members, the highest first.
    pub fn members(&self) -> &[usize] {
        &self.order
    }
}

/// Returns the place of an active member of a ladder among the active ones, from 1.
fn place_of(league: &League, ladder: &LadderOrder, id: &str) -> Option<usize> {
    let active = ladder.members().iter();
    let mut active = active.filter(|member| league.members[**member].active);
    let found = active.position(|member| league.members[*member].id == id);
    found.map(|place| place + 1)
}

/// Checks that a member of the current season's ladder can play another one.
///
/// Returns the ids with the lower one of the two first, or the reason why they cannot play.
pub fn check_reach<'a>(
    league: &League,
    season: u16,
    [one, other]: [&'a str; 2],
) -> Result<[&'a str; 2], String> {
    let format = league.season_numbered(season).map(|season| season.format);
    let Some(SeasonFormat::Ladder { reach }) = format else {
        return Err("the season is not a ladder".to_owned());
    };
    let ladder = LadderOrder::last(league, season);
    let place = |id: &str| {
        place_of(league, &ladder, id)
            .ok_or_else(|| format!("{id:?} is not an active member of the league"))
    };
    let (first, second) = (place(one)?, place(other)?);
    let apart = first.abs_diff(second);
    if apart == 0 || apart > usize::from(reach) {
        return Err(format!(
            "these members have the places {first} and {second}: a member can challenge up to {reach} places above"
        ));
    }
    let is_busy = |id: &&str| {
        league.tables.iter().any(|table| {
            table.season == season
                && table.state == TableState::Playing
                && (table.seats.iter()).any(|seat| seat.members.iter().any(|member| member == id))
        })
    };
    if let Some(busy) = [one, other].iter().find(|id| is_busy(id)) {
        return Err(format!("{busy:?} has a running game of the ladder"));
    }
    Ok(match first > second {
        true => [one, other],
        false => [other, one],
    })
}

/// Checks new tables of a ladder.
///
/// Returns the number of the first table that is not possible, and the reason.
pub fn check_ladder_tables(
    league: &League,
    season: u16,
    tables: &[&Seating],
) -> Result<(), (usize, String)> {
    let mut seated = Vec::new();
    for (number, table) in tables.iter().enumerate() {
        let [one, other] = &*table.seats else {
            return Err((number, "a table of a ladder has 2 seats".to_owned()));
        };
        let pair = [&*one.member, &*other.member];
        check_reach(league, season, pair).map_err(|message| (number, message))?;
        for id in pair {
            if seated.contains(&id) {
                return Err((number, format!("{id:?} can play one game at a time")));
            }
            seated.push(id);
        }
    }
    Ok(())
}

impl League {
    /// Adds a challenge. Whether the places allow it is checked before, with [`check_reach`].
    pub(in crate::leagues) fn challenge(
        &mut self,
        at: i64,
        member: String,
        opponent: String,
    ) -> Result<(), LeagueEventError> {
        let number = self.season()?;
        let format = self.season_numbered(number).map(|season| season.format);
        if !matches!(format, Some(SeasonFormat::Ladder { .. })) {
            return Err(invalid("opponent", "only a ladder has challenges"));
        }
        for id in [&member, &opponent] {
            if !self.is_active(id) {
                let message = format!("{id:?} is not an active member of the league");
                return Err(invalid("opponent", message));
            }
        }
        if member == opponent {
            return Err(invalid("opponent", "name another member"));
        }
        let Some(season) = self.seasons.last_mut() else {
            return Ok(());
        };
        for id in [&member, &opponent] {
            if season
                .challenges
                .iter()
                .any(|open| [&open.member, &open.opponent].contains(&id))
            {
                let message = format!("{id:?} has a challenge already: play or withdraw it first");
                return Err(invalid("opponent", message));
            }
        }
        season.challenges.push(Challenge {
            member,
            opponent,
            at,
        });
        Ok(())
    }

    /// Removes the challenge of a member.
    pub(in crate::leagues) fn withdraw_challenge(
        &mut self,
        member: &str,
    ) -> Result<(), LeagueEventError> {
        self.season()?;
        let missing = || LeagueEventError::Missing(format!("challenge of {member:?}"));
        let season = self.seasons.last_mut().ok_or_else(missing)?;
        let found = season
            .challenges
            .iter()
            .position(|open| open.member == member);
        season.challenges.remove(found.ok_or_else(missing)?);
        Ok(())
    }

    /// Removes the challenges that a new table fulfils.
    pub(in crate::leagues) fn close_challenges(&mut self, season: u16, table: &Seating) {
        let index = usize::from(season).checked_sub(1);
        let season = index.and_then(|index| self.seasons.get_mut(index));
        let sits = |id: &String| table.seats.iter().any(|seat| seat.member == *id);
        if let Some(season) = season {
            season
                .challenges
                .retain(|open| !sits(&open.member) || !sits(&open.opponent));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::leagues::event::{LeagueEvent, Rules, SeatingSeat};
    use crate::leagues::fixtures::{begin_league, member};

    fn ladder(members: usize, reach: u8) -> League {
        begin_league(Rules::default(), SeasonFormat::Ladder { reach }, members)
    }

    fn seating(league: &League, seats: [usize; 2]) -> Seating {
        let seat = |number: usize| SeatingSeat {
            member: member(number),
            nations: Vec::new(),
        };
        Seating {
            table: league.tables.len() as u32 + 1,
            round: None,
            game: None,
            edition: "antike".to_owned(),
            board: None,
            deadline: None,
            byes: Vec::new(),
            seats: seats.map(seat).to_vec(),
        }
    }

    fn enter(league: &mut League, seats: [usize; 2], ranks: [u8; 2]) -> bool {
        let table = seating(league, seats);
        if check_ladder_tables(league, league.seasons.len() as u16, &[&table]).is_err() {
            return false;
        }
        let event = LeagueEvent::ResultEntered {
            table,
            played_at: None,
            reason: None,
            ranks: ranks.to_vec(),
            note: None,
        };
        league.add(0, None, &event).unwrap();
        true
    }

    #[test]
    fn a_lower_member_who_wins_exchanges_places() {
        let mut league = ladder(5, 2);
        let order = |league: &League| LadderOrder::last(league, league.seasons.len() as u16).order;
        assert!(
            !enter(&mut league, [0, 3], [2, 1]),
            "three places are too many"
        );
        assert!(enter(&mut league, [2, 0], [1, 2]));
        assert_eq!(order(&league), [2, 1, 0, 3, 4]);
        assert!(enter(&mut league, [2, 1], [1, 2]), "the higher one has won");
        assert!(enter(&mut league, [3, 0], [1, 1]), "nobody has won");
        assert_eq!(order(&league), [2, 1, 0, 3, 4]);
        let void = LeagueEvent::TableVoided {
            table: 1,
            note: None,
        };
        let mut voided = league.clone();
        voided.add(0, None, &void).unwrap();
        // The first result is gone, and the second one makes an exchange now.
        assert_eq!(order(&voided), [0, 2, 1, 3, 4]);
        // A member who has left keeps the place, but is not counted.
        league
            .add(0, None, &LeagueEvent::Left { member: member(1) })
            .unwrap();
        assert!(enter(&mut league, [3, 2], [1, 2]));
        assert_eq!(order(&league), [3, 1, 0, 2, 4]);
        let season = LeagueEvent::SeasonBegan {
            season: 2,
            name: "Summer".to_owned(),
            rules: Rules::default(),
            format: SeasonFormat::Ladder { reach: 1 },
        };
        league.add(0, None, &season).unwrap();
        assert_eq!(order(&league), [3, 1, 0, 2, 4], "the next ladder goes on");
    }

    #[test]
    fn a_challenge_ends_with_its_table() {
        let mut league = ladder(4, 2);
        let challenged = |one: usize, other: usize| LeagueEvent::Challenged {
            member: member(one),
            opponent: member(other),
        };
        let withdrawn = |one: usize| LeagueEvent::ChallengeWithdrawn {
            member: member(one),
        };
        assert!(league.clone().add(0, None, &challenged(1, 1)).is_err());
        assert!(league.clone().add(0, None, &challenged(1, 9)).is_err());
        league.add(0, None, &challenged(2, 1)).unwrap();
        for (one, other) in [(2, 0), (3, 1), (1, 0)] {
            assert!(
                league
                    .clone()
                    .add(0, None, &challenged(one, other))
                    .is_err()
            );
        }
        assert!(league.clone().add(0, None, &withdrawn(1)).is_err());
        let mut other = league.clone();
        other.add(0, None, &withdrawn(2)).unwrap();
        other.add(0, None, &challenged(3, 1)).unwrap();
        assert!(enter(&mut league, [1, 2], [1, 2]));
        assert!(league.seasons[0].challenges.is_empty());
        let spread = begin_league(Rules::default(), SeasonFormat::Spread, 3);
        assert!(spread.clone().add(0, None, &challenged(1, 0)).is_err());
    }

    #[test]
    fn a_member_plays_one_game_at_a_time() {
        let mut league = ladder(4, 3);
        let mut table = seating(&league, [0, 1]);
        table.game = Some(uuid::Uuid::from_u128(9));
        let tables = vec![table];
        league
            .add(0, None, &LeagueEvent::TablesCreated { tables })
            .unwrap();
        assert!(!enter(&mut league, [1, 2], [1, 2]));
        assert!(enter(&mut league, [2, 3], [2, 1]));
        let both = [seating(&league, [2, 3]), seating(&league, [3, 2])];
        assert!(check_ladder_tables(&league, 1, &[&both[0], &both[1]]).is_err());
    }

    proptest! {
        #[test]
        fn the_ladder_has_every_member_once(games in proptest::collection::vec((0_usize..8, 0_usize..8, any::<bool>()), 0..40),
            reach in 1_u8..6) {
            let mut league = ladder(8, reach);
            for (one, other, first) in games {
                let before = LadderOrder::last(&league, 1).order;
                let place = |order: &[usize], member| order.iter().position(|own| *own == member).unwrap();
                let ranks = if first { [1, 2] } else { [2, 1] };
                let (winner, loser) = if first { (one, other) } else { (other, one) };
                if one != other && enter(&mut league, [one, other], ranks) {
                    let after = LadderOrder::last(&league, 1).order;
                    prop_assert!(place(&after, winner) < place(&after, loser));
                    let moved = before.iter().zip(&after).filter(|(one, other)| one != other).count();
                    prop_assert!(moved == 0 || moved == 2);
                }
                let mut all = LadderOrder::last(&league, 1).order;
                all.sort_unstable();
                prop_assert_eq!(all, (0..8).collect::<Vec<_>>());
            }
        }
    }
}
