//! Converts leagues, events, members and tables into answers.

use std::collections::HashMap;

use uuid::Uuid;

use crate::db::time::timestamp;
use crate::http::error::ServiceError;
use crate::leagues::league::{League, LeagueTable, TableState};
use crate::leagues::model::{
    LeagueEventBody, LeagueSeatBody, LeagueSummary, LeagueTableBody, MemberBody,
};
use crate::leagues::queries::{LeagueRow, StoredLeague};
use crate::leagues::standings::seat_points;

/// Returns a member as in answers.
pub(in crate::leagues) fn member_body(
    league: &League,
    id: &str,
    names: &HashMap<String, String>,
) -> MemberBody {
    MemberBody {
        id: id.to_owned(),
        name: names.get(id).cloned().unwrap_or_default(),
        active: league.member(id).is_some_and(|member| member.active),
    }
}

pub(in crate::leagues) fn table_body(
    league: &League,
    table: &LeagueTable,
    names: &HashMap<String, String>,
    due: &DueTimes,
) -> LeagueTableBody {
    let result = table.result.as_ref();
    let points = seat_points(league, table);
    let seat = |(number, seat): (u8, &crate::leagues::league::LeagueSeat)| LeagueSeatBody {
        seat: number,
        members: (seat.members.iter())
            .map(|id| member_body(league, id, names))
            .collect(),
        nations: seat.nations.clone(),
        rank: result.and_then(|result| result.ranks.get(usize::from(number)).copied()),
        points: (points.as_ref())
            .and_then(|points| Some(points.get(usize::from(number))?.number())),
        price: (table.prices.get(usize::from(number))).map(|tenths| f64::from(*tenths) / 10.0),
    };
    LeagueTableBody {
        table: table.number,
        season: table.season,
        round: table.round,
        game: table.game,
        edition: table.edition.clone(),
        board: table.board.clone(),
        state: table.state,
        reason: result.and_then(|result| result.reason),
        adjudicated: result.is_some_and(|result| result.adjudicated),
        ended_at: (result.filter(|_| table.state != TableState::Playing))
            .map(|result| timestamp(result.at)),
        deadline: table.deadline,
        deadline_moves: table.deadline_moves,
        due_at: table
            .game
            .and_then(|game| due.get(&game).copied())
            .map(timestamp),
        played_at: table.played_at,
        note: table.shown_note().cloned(),
        byes: (table.byes.iter())
            .map(|id| member_body(league, id, names))
            .collect(),
        seats: (0..).zip(&table.seats).map(seat).collect(),
    }
}

/// When the time of the player to move runs out, in microseconds since 1970, by game.
pub(in crate::leagues) type DueTimes = HashMap<Uuid, i64>;

impl From<StoredLeague> for LeagueSummary {
    fn from(league: StoredLeague) -> LeagueSummary {
        LeagueSummary {
            id: league.id,
            name: league.name,
            visibility: league.visibility,
            seq: league.seq,
            created_at: timestamp(league.created_at),
            updated_at: timestamp(league.updated_at),
        }
    }
}

impl From<&LeagueEventBody> for LeagueRow {
    fn from(event: &LeagueEventBody) -> LeagueRow {
        LeagueRow {
            seq: event.seq,
            at: event.at_microseconds,
            by: event.by.clone(),
            text: event.text.clone(),
            hash: event.hash.clone(),
            position: event.position,
            log_position: event.log_position,
        }
    }
}

/// Returns an event of a league as in answers.
pub(in crate::leagues) fn event_body(
    league: Uuid,
    row: LeagueRow,
) -> Result<LeagueEventBody, ServiceError> {
    let event = serde_json::from_str(&row.text);
    let event = event.map_err(|error| ServiceError::Damaged {
        id: format!("league {league}"),
        message: error.to_string(),
    })?;
    Ok(LeagueEventBody {
        seq: row.seq,
        position: row.position,
        log_position: row.log_position,
        at_microseconds: row.at,
        at: timestamp(row.at),
        by: row.by,
        event,
        text: row.text,
        hash: row.hash,
    })
}
