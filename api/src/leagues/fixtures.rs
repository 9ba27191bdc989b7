//! Leagues for unit tests.

use uuid::Uuid;

use crate::games::model::Visibility;
use crate::leagues::event::{Joining, LeagueEvent, Rules, SeasonFormat, Seating, SeatingSeat};
use crate::leagues::league::League;

/// Returns the id of a member, by number from 0.
pub fn member(number: usize) -> String {
    Uuid::from_u128(number as u128 + 100).to_string()
}

/// Creates a league with members and a first season.
pub fn begin_league(rules: Rules, format: SeasonFormat, members: usize) -> League {
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
        format,
    };
    league.add(0, None, &season).unwrap();
    league
}

/// Returns the next table of a league, with a match of two members.
pub fn next_match(league: &League, round: u16, seats: [&str; 2], byes: &[String]) -> Seating {
    let seat = |member: &str| SeatingSeat {
        member: member.to_owned(),
        nations: Vec::new(),
    };
    Seating {
        table: league.tables.len() as u32 + 1,
        round: Some(round),
        game: None,
        edition: "antike".to_owned(),
        board: None,
        deadline: None,
        byes: byes.to_vec(),
        seats: seats.map(seat).to_vec(),
    }
}

/// Returns the result of a match that the first or the second member wins.
pub fn match_result(table: Seating, first_wins: bool) -> LeagueEvent {
    LeagueEvent::ResultEntered {
        table,
        played_at: None,
        reason: None,
        ranks: if first_wins { vec![1, 2] } else { vec![2, 1] },
        note: None,
    }
}
