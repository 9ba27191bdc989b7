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

/// The media type.
const CALENDAR: &str = "text/calendar; charset=utf-8";

/// Who made it.
const PRODUCT: &str = "-//Tabularium//Tabularium//EN";

/// Whose calendar.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CalendarQuery {
    /// A member, by id or handle: only tables where it sits. All when left out.
    #[param(example = "dido")]
    member: Option<String>,
}

/// Get the calendar of a league
///
/// For programs that keep calendars (iCalendar, RFC 5545), to subscribe to: by when the tables of all seasons are to be
/// over, where the organizers said so (`SEQUENCE` counts how often they have moved it), and when the time of who is to act runs out in games with a pace that go on.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), CalendarQuery),
    responses(
        (status = 200, description = "The calendar", body = String, content_type = "text/calendar"),
        (status = 304, description = "The caller has it"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}/calendar.ics")]
pub async fn league_calendar(
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

/// A moment as calendars write it, in UTC.
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

/// An event of no length: a deadline, or the end of somebody's time.
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
        "deadline" => " is to be over",
        _ => ": the time of who is to act is up",
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
