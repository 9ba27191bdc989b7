//! Events: pages, whole logs, and live streams, by `Accept`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use serde_with::DeserializeFromStr;
use utoipa::{IntoParams, ToSchema};

use crate::games::bodies::EventBody;
use crate::games::handlers::known::KnownNames;
use crate::games::handlers::path::GameId;
use crate::games::handlers::reader::{Begin, EventForm, Log, Reader, send_at_once};
use crate::games::lists::GameLists;
use crate::games::queries::log::LogFilter;
use crate::games::service::Games;
use crate::http::answers::{ListingRendered, Rendered};
use crate::http::limits::gate::{charge, stream};
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::{Closing, JSON, blocking};
use crate::http::request::accept::negotiate;
use crate::http::request::query::Query;

const NDJSON: &str = "application/x-ndjson";
/// The media type of server-sent events.
pub const EVENT_STREAM: &str = "text/event-stream";

/// Behind which event one asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeserializeFromStr)]
enum After {
    Event(u64),
    /// The last one there is.
    Latest,
}

impl FromStr for After {
    type Err = NoEvent;

    fn from_str(text: &str) -> Result<After, NoEvent> {
        match text {
            "latest" => Ok(After::Latest),
            number => number.parse().map(After::Event).map_err(|_| NoEvent),
        }
    }
}

/// What names no event.
#[derive(Debug)]
struct NoEvent;

impl fmt::Display for NoEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is the number of an event, or latest")
    }
}

/// Which events of a game are asked for.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventQuery {
    /// The last event that is known; those behind it follow. `latest`: only what is to come.
    #[param(value_type = Option<String>, example = "57")]
    after: Option<After>,
    /// How many, from 1 to 1000; in a page 200 when left out, else all.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Of NDJSON: go on with what is to come, as a stream of server-sent events always does. Empty lines keep it
    /// alive.
    #[serde(default)]
    follow: bool,
}

/// A page of events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventPage {
    /// The events in order.
    pub items: Vec<EventBody>,
    /// The `after` of the next page; null when this one ends at the present. Where few games fit what is
    /// asked for, a page may hold less than its limit, even nothing, and have a next one.
    pub next: Option<String>,
}

/// Get a game's events
///
/// As a page, as NDJSON (one event a line), or as a live stream of server-sent events whose `id`
/// is the event's number; `Last-Event-ID` or `after` resumes without loss or repetition. With `after=latest` the
/// first event is one named `begin`, whose `id` is the last number and whose data are `StreamBegin`. A comment
/// line comes at least every 10 seconds. A wish to go back is told as an event named `undo_wish`, without an
/// `id`, whose data are `UndoWishNews`: at the beginning if there is one, when it changes and when it is
/// gone. Whoever asks for the game once an event was told sees that event. NDJSON goes on in the same way
/// with `follow=true`, with an empty line in place of the comment and without wishes.
/// The stream ends with the last event of a game that is over; who asks for it again, with
/// nothing left to tell, is answered 204, so that browsers do not come back.
#[utoipa::path(tag = "events", params(("id" = String, Path, format = Uuid), EventQuery,
        ("Last-Event-ID" = Option<u64>, Header, description = "The last event that is known")),
    responses(
        (status = 200, description = "The events", content(
            (EventPage = "application/json"), (EventBody = "application/x-ndjson"),
            (String = "text/event-stream"))),
        (status = 204, description = "Of a stream: the game is over, and all of it is known"),
        Rendered,
    ))]
#[get("/v1/games/{id}/events")]
pub async fn game_events(
    request: HttpRequest,
    GameId(id): GameId,
    Query(query): Query<EventQuery>,
    games: web::Data<Games>,
    closing: web::Data<Closing>,
) -> Result<HttpResponse, Problem> {
    // An unknown game is refused before a stream begins.
    blocking(&games, move |games| games.table(id)).await?;
    let asked = (query.after, query.limit, query.follow);
    answer(&request, games, &closing, Log::Game(id), asked).await
}

/// Which events of all games are asked for.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LogQuery {
    /// The last position that is known; events behind it follow. `latest`: only what is to come. When it
    /// is left out, also in a stream, the log is told from its beginning.
    #[param(value_type = Option<String>, example = "1204")]
    after: Option<After>,
    /// How many, from 1 to 1000; in a page 200 when left out, else all.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Of NDJSON: go on with what is to come, as a stream of server-sent events always does. Empty lines keep it
    /// alive.
    #[serde(default)]
    follow: bool,
    /// Only of games at whose table this account sits now, or a bot of this name.
    #[param(example = "random")]
    player: Option<String>,
    /// Only of games of this league.
    league: Option<String>,
}

/// Follow the events of all games
///
/// The same three forms, for mirrors. `after`, `next` and the stream's `id` are positions in the
/// log of all games. A stream without `Last-Event-ID` and `after` begins with the first event there is;
/// with `after=latest` it begins now, with an event named `begin` whose `id` is its position and whose data are
/// `StreamBegin`. Wishes to go back are told by
/// events named `undo_wish` without an `id`, as they come and go while one listens. NDJSON goes on with
/// `follow=true`, without wishes, and each event tells its `position`.
///
/// Games that are not public are left out.
///
/// A damaged game does not hold up the others: its events are told as they are stored, those of actions
/// with `action` null, no effects, round 0, and of the hash the first 16 digits. An event that cannot even
/// be read is left out.
#[utoipa::path(tag = "events", params(LogQuery,
        ("Last-Event-ID" = Option<u64>, Header, description = "The last position that is known")),
    responses(
        (status = 200, description = "The events", content(
            (EventPage = "application/json"), (EventBody = "application/x-ndjson"),
            (String = "text/event-stream"))),
        ListingRendered,
    ))]
#[get("/v1/events")]
pub async fn all_events(
    request: HttpRequest,
    Query(query): Query<LogQuery>,
    games: web::Data<Games>,
    lists: web::Data<GameLists>,
    closing: web::Data<Closing>,
) -> Result<HttpResponse, Problem> {
    let names = KnownNames {
        players: vec![("player", query.player.clone())],
        league: query.league.clone(),
    };
    blocking(&lists, move |lists| names.check(lists)).await?;
    let log = Log::All(Arc::new(LogFilter {
        player: query.player,
        league: query.league,
        only_public: true,
        or_former: false,
    }));
    let asked = (query.after, query.limit, query.follow);
    answer(&request, games, &closing, log, asked).await
}

async fn answer(
    request: &HttpRequest,
    games: web::Data<Games>,
    closing: &Closing,
    log: Log,
    (after, limit, follow): (Option<After>, Option<usize>, bool),
) -> Result<HttpResponse, Problem> {
    // A page cannot go on.
    let offered: &[&'static str] = match follow {
        true => &[NDJSON, EVENT_STREAM],
        false => &[JSON, NDJSON, EVENT_STREAM],
    };
    let media_type = offered[negotiate(request, offered)?];
    let form = match media_type {
        EVENT_STREAM => EventForm::EventStream,
        _ => EventForm::Lines,
    };
    let live = follow || media_type == EVENT_STREAM;
    let known = last_event_id(request)?.filter(|_| live);
    let begin = match (known, after) {
        (Some(known), _) => Begin::Behind(Some(known)),
        (None, Some(After::Latest)) => {
            let asked = log.clone();
            Begin::Now(blocking(&games, move |games| asked.latest(games)).await?)
        }
        (None, Some(After::Event(after))) => Begin::Behind(Some(after)),
        (None, None) => Begin::Behind(None),
    };
    if media_type == JSON {
        return page(&games, log, begin.after(), limit.unwrap_or(200)).await;
    }
    if live && let Log::Game(id) = log {
        let table = blocking(&games, move |games| games.table(id)).await?;
        if table.status().is_over() && begin.after() >= Some(table.seq()) {
            return Ok(HttpResponse::NoContent().finish());
        }
    }
    let guard = match live {
        true => stream(request, matches!(log, Log::All(_)))?,
        false => {
            charge(request, Policy::Expensive)?;
            None
        }
    };
    let reader = Reader::new(games, closing, log, (begin, limit), form, live, guard);
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, media_type));
    response.insert_header((CACHE_CONTROL, "no-cache"));
    if live {
        send_at_once(&mut response);
    }
    Ok(response.streaming(reader.stream()))
}

/// The last event that a client of server-sent events knows.
pub fn last_event_id(request: &HttpRequest) -> Result<Option<u64>, Problem> {
    let Some(value) = request.headers().get("Last-Event-ID") else {
        return Ok(None);
    };
    let text = value.to_str().unwrap_or_default();
    let bad = |_| Problem::invalid("Last-Event-ID", "it is the number of an event");
    text.trim().parse().map(Some).map_err(bad)
}

async fn page(
    games: &web::Data<Games>,
    log: Log,
    after: Option<u64>,
    limit: usize,
) -> Result<HttpResponse, Problem> {
    let read = move |games: &Games| log.read(games, after, limit, None);
    let part = blocking(games, read).await?;
    let next = part.reached.filter(|_| part.more);
    Ok(HttpResponse::Ok().json(EventPage {
        items: part.events,
        next: next.map(|next| next.to_string()),
    }))
}
