//! Calendars of leagues (iCalendar, RFC 5545).

use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse, get, web};
use ics::components::Property;
use ics::properties::{Description, DtEnd, DtStart, Sequence, Status, Summary, Trigger, URL};
use ics::{Alarm, Event, ICalendar, escape_text};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::http::answers::ReadingOneOfMine;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
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

/// How long an event lasts. Calendar programs do not show events without a length well.
const LENGTH: SignedDuration = SignedDuration::from_mins(15);

/// How many hours before a deadline the alarm is by default, and at most.
const ALARM_HOURS: u16 = 24;
const MOST_ALARM_HOURS: u16 = 336;

/// What each deadline in the calendar belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CalendarEvents {
    /// A table.
    #[default]
    Table,
    /// A round, at the last deadline of its tables.
    Round,
}

/// Filters the calendar.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CalendarQuery {
    /// Only tables where this member, named by id or handle, plays; all tables by default.
    #[param(example = "dido")]
    member: Option<String>,
    /// Whether each table or each round is an event; tables by default.
    #[serde(default)]
    #[param(inline)]
    by: CalendarEvents,
    /// How many hours before a deadline the alarm is; 24 by default, and 0 for no alarm.
    #[param(maximum = 336)]
    alarm_hours: Option<u16>,
}

/// Get the calendar of a league
///
/// For calendar programs, which can subscribe to it (iCalendar, RFC 5545). It contains the deadlines of the tables of
/// all seasons, and the end of the thinking time in running games with a time control. With `by=round`, it has one event
/// for each round instead, at the last deadline of its tables.
///
/// An event begins at the deadline and lasts 15 minutes. An alarm precedes it while a game is running. `SEQUENCE` grows
/// when a deadline is moved and when a game ends. The events of void and abandoned tables are cancelled.
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
    let alarm = query.alarm_hours.unwrap_or(ALARM_HOURS);
    if alarm > MOST_ALARM_HOURS {
        let message =
            format!("the alarm can be at most {MOST_ALARM_HOURS} hours before a deadline");
        return Err(Problem::invalid_parameter("alarm_hours", message));
    }
    let (league, tables) = blocking(&leagues, move |leagues| {
        leagues.schedule(id, &call, query.member.as_deref())
    })
    .await
    .map_err(|problem| match problem.code {
        Code::InvalidBody => Problem::invalid_parameter("member", problem.detail),
        _ => problem,
    })?;
    let page = CalendarPage {
        base: &base(&request),
        league: &league,
        alarm,
    };
    let calendar = page.calendar(&tables, query.by);
    Ok(text(&request, CALENDAR, calendar.to_string()))
}

/// Formats a time for calendars, in UTC.
fn stamp(at: Timestamp) -> String {
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// An entry of the calendar.
struct CalendarEntry {
    /// The end of the id, which is unique in the league.
    id: String,
    at: Timestamp,
    sequence: u64,
    /// What the entry is about, such as `round 2, table 7: deadline`.
    title: String,
    description: String,
    /// The path of the page.
    path: String,
    is_cancelled: bool,
    has_alarm: bool,
}

/// The calendar of a league.
struct CalendarPage<'a> {
    base: &'a str,
    league: &'a LeagueBody,
    /// How many hours before a deadline the alarm is; 0 for none.
    alarm: u16,
}

/// Whether the table will not be played.
fn is_cancelled(table: &LeagueTableBody) -> bool {
    matches!(table.state, TableState::Void | TableState::Abandoned)
}

/// Returns a number that grows when the deadline of a table is moved and when its game ends.
fn sequence(table: &LeagueTableBody) -> u64 {
    u64::from(table.deadline_moves) + u64::from(table.state != TableState::Playing)
}

/// Describes the seats of a table: a line for each.
fn seats(table: &LeagueTableBody) -> String {
    let seats = table.seats.iter().map(|seat| {
        let names: Vec<&str> = seat.members.iter().map(|member| &*member.name).collect();
        match seat.nations.is_empty() {
            true => names.join(", then "),
            false => format!("{} ({})", names.join(", then "), seat.nations.join(", ")),
        }
    });
    seats.collect::<Vec<_>>().join("\n")
}

impl CalendarPage<'_> {
    fn calendar<'b>(&self, tables: &[LeagueTableBody], by: CalendarEvents) -> ICalendar<'b> {
        let mut calendar = ICalendar::new("2.0", PRODUCT);
        let name = escape_text(self.league.summary.name.clone()).into_owned();
        calendar.push(Property::new("X-WR-CALNAME", name));
        let mut rounds: BTreeMap<(u16, u16), Vec<&LeagueTableBody>> = BTreeMap::new();
        for table in tables {
            match table.round {
                Some(round) if by == CalendarEvents::Round => {
                    let of_round = rounds.entry((table.season, round)).or_default();
                    of_round.push(table);
                }
                _ => self.add_table(&mut calendar, table, by),
            }
        }
        for ((season, round), tables) in rounds {
            if let Some(entry) = self.round(season, round, &tables) {
                calendar.add_event(self.event(entry));
            }
        }
        calendar
    }

    /// Adds the deadline of a table, and the end of a player's thinking time.
    fn add_table(&self, calendar: &mut ICalendar<'_>, table: &LeagueTableBody, by: CalendarEvents) {
        let goes_on = table.state == TableState::Playing;
        let round = (table.round).map_or(String::new(), |round| format!(", round {round}"));
        let entry = |kind: &str, at, sequence, what| CalendarEntry {
            id: format!("{}-{kind}", table.table),
            at,
            sequence,
            title: format!("{round}, table {}: {what}", table.table),
            description: seats(table),
            path: match table.game {
                Some(game) => format!("/games/{game}"),
                None => format!("/leagues/{}", self.league.summary.id),
            },
            is_cancelled: is_cancelled(table),
            has_alarm: goes_on,
        };
        if let Some(at) = table.deadline {
            calendar.add_event(self.event(entry("deadline", at, sequence(table), "deadline")));
        }
        let due = table
            .due_at
            .filter(|_| goes_on && by == CalendarEvents::Table);
        if let Some(at) = due {
            // The time moves on with each turn, so its minutes grow.
            let sequence = u64::try_from(at.as_second() / 60).unwrap_or_default();
            calendar.add_event(self.event(entry(
                "turn",
                at,
                sequence,
                "the thinking time runs out",
            )));
        }
    }

    /// Returns the entry of a round; `None` if no table has a deadline.
    fn round(&self, season: u16, round: u16, tables: &[&LeagueTableBody]) -> Option<CalendarEntry> {
        let last = tables.iter().filter_map(|table| table.deadline).max()?;
        let describe = |table: &&LeagueTableBody| {
            let own = table.deadline.filter(|at| *at != last);
            let own = own.map_or(String::new(), |at| format!(", deadline {at}"));
            format!("Table {}{own}\n{}", table.table, seats(table))
        };
        Some(CalendarEntry {
            id: format!("{season}-{round}-round"),
            at: last,
            sequence: tables.iter().map(|table| sequence(table)).sum(),
            title: format!(", round {round}: deadline"),
            description: tables.iter().map(describe).collect::<Vec<_>>().join("\n\n"),
            path: format!("/leagues/{}?season={season}", self.league.summary.id),
            is_cancelled: tables.iter().all(|table| is_cancelled(table)),
            has_alarm: tables
                .iter()
                .any(|table| table.state == TableState::Playing),
        })
    }

    fn event<'b>(&self, entry: CalendarEntry) -> Event<'b> {
        let league = &self.league.summary;
        let id = format!("{}-{}@tabularium", league.id, entry.id);
        let mut event = Event::new(id, stamp(league.updated_at));
        event.push(DtStart::new(stamp(entry.at)));
        let end = entry.at.checked_add(LENGTH).unwrap_or(entry.at);
        event.push(DtEnd::new(stamp(end)));
        event.push(Sequence::new(entry.sequence.to_string()));
        let summary = escape_text(format!("{}{}", league.name, entry.title)).into_owned();
        event.push(Summary::new(summary.clone()));
        event.push(Description::new(
            escape_text(entry.description).into_owned(),
        ));
        event.push(URL::new(format!("{}{}", self.base, entry.path)));
        event.push(match entry.is_cancelled {
            true => Status::cancelled(),
            false => Status::confirmed(),
        });
        if self.alarm > 0 && entry.has_alarm {
            let trigger = Trigger::new(format!("-PT{}H", self.alarm));
            event.add_alarm(Alarm::display(trigger, Description::new(summary)));
        }
        event
    }
}
