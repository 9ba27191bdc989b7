//! Calendars of leagues (iCalendar, RFC 5545).

use actix_web::{HttpRequest, HttpResponse, get, web};
use ics::components::Property;
use ics::properties::{Description, DtStart, Sequence, Status, Summary, URL};
use ics::{Event, ICalendar, escape_text};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::http::answers::ReadingOneOfMine;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::{blocking, text};
use crate::http::request::base;
use crate::http::request::caller::Caller;
use crate::http::request::query::Query;
use crate::leagues::handlers::path::LeagueId;
use crate::leagues::league::TableState;
use crate::leagues::model::{LeagueBody, LeagueTableBody};
use crate::leagues::service::Leagues;

/// The media type of calendars.
const CALENDAR: &str = "text/calendar; charset=utf-8";

/// The product identifier in calendars.
const PRODUCT: &str = "-//Tabularium//Tabularium//EN";

/// Filters the calendar.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CalendarQuery {
    /// Only tables where this member, named by id or handle, plays; all tables by default.
    #[param(example = "dido")]
    member: Option<String>,
}

/// Get the calendar of a league
///
/// For calendar programs, which can subscribe to it (iCalendar, RFC 5545). It contains the deadlines of the tables of
/// all seasons, and the end of the thinking time in running games with a time control. `SEQUENCE` counts how often a
/// deadline was moved.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), CalendarQuery),
    responses(
        (status = 200, description = "The calendar", body = String, content_type = "text/calendar"),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}/calendar.ics")]
pub async fn get_league_calendar(
    request: HttpRequest,
    Query(query): Query<CalendarQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let (league, tables) = blocking(&leagues, move |leagues| {
        leagues.schedule(id, &call, query.member.as_deref())
    })
    .await?;
    let calendar = calendar(&base(&request), &league, &tables);
    Ok(text(&request, CALENDAR, calendar.to_string()))
}

/// Formats a time for calendars, in UTC.
fn stamp(at: jiff::Timestamp) -> String {
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn calendar<'a>(base: &str, league: &LeagueBody, tables: &[LeagueTableBody]) -> ICalendar<'a> {
    let mut calendar = ICalendar::new("2.0", PRODUCT);
    let name = escape_text(league.summary.name.clone()).into_owned();
    calendar.push(Property::new("X-WR-CALNAME", name));
    for table in tables {
        let goes_on = table.state == TableState::Playing;
        for (kind, at) in [
            ("deadline", table.deadline),
            ("turn", table.due_at.filter(|_| goes_on)),
        ] {
            if let Some(at) = at {
                calendar.add_event(event(base, league, table, (kind, at)));
            }
        }
    }
    calendar
}

/// Creates an event without duration: a deadline, or the end of a player's thinking time.
fn event<'a>(
    base: &str,
    league: &LeagueBody,
    table: &LeagueTableBody,
    (kind, at): (&str, jiff::Timestamp),
) -> Event<'a> {
    let id = format!("{}-{}-{kind}@tabularium", league.summary.id, table.table);
    let mut event = Event::new(id, stamp(league.summary.updated_at));
    event.push(DtStart::new(stamp(at)));
    if kind == "deadline" {
        event.push(Sequence::new(table.deadline_moves.to_string()));
    }
    let round = (table.round).map_or(String::new(), |round| format!(", round {round}"));
    let what = match kind {
        "deadline" => ": deadline",
        _ => ": the thinking time runs out",
    };
    let summary = format!(
        "{}{round}, table {}{what}",
        league.summary.name, table.table
    );
    event.push(Summary::new(escape_text(summary).into_owned()));
    let seats = table.seats.iter().map(|seat| {
        let names: Vec<&str> = seat.members.iter().map(|member| &*member.name).collect();
        match seat.nations.is_empty() {
            true => names.join(", then "),
            false => format!("{} ({})", names.join(", then "), seat.nations.join(", ")),
        }
    });
    let seats = seats.collect::<Vec<_>>().join("\n");
    event.push(Description::new(escape_text(seats).into_owned()));
    let page = match table.game {
        Some(game) => format!("{base}/games/{game}"),
        None => format!("{base}/leagues/{}", league.summary.id),
    };
    event.push(URL::new(page));
    event.push(match table.state {
        TableState::Void | TableState::Abandoned => Status::cancelled(),
        TableState::Playing | TableState::Counted => Status::confirmed(),
    });
    event
}
