//! Handlers of events: pages, whole logs and live streams, by `Accept`.

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
use crate::http::request::caller::identity;
use crate::http::request::query::Query;

const NDJSON: &str = "application/x-ndjson";
/// The media type of server-sent events.
pub const EVENT_STREAM: &str = "text/event-stream";

/// The event after which a response starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeserializeFromStr)]
enum After {
    Event(u64),
    /// The last event that exists.
    Latest,
}

impl FromStr for After {
    type Err = AfterError;

    fn from_str(text: &str) -> Result<After, AfterError> {
        match text {
            "latest" => Ok(After::Latest),
            number => number.parse().map(After::Event).map_err(|_| AfterError),
        }
    }
}

/// A text that is neither a number nor `latest`.
#[derive(Debug)]
struct AfterError;

impl fmt::Display for AfterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("give the number of an event, or `latest`")
    }
}

/// The range of a game's events.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventQuery {
    /// The number of the event after which the response starts; from the beginning if omitted.
    /// `latest`: only future events.
    #[param(value_type = Option<String>, example = "57")]
    after: Option<After>,
    /// The most events, from 1 to 1000. If omitted: 200 in a page, otherwise no limit.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// For NDJSON: whether to continue with future events, like a stream of server-sent events.
    /// Empty lines keep the connection alive.
    #[serde(default)]
    follow: bool,
}

/// A page of events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventPage {
    /// The events, in order.
    pub items: Vec<EventBody>,
    /// The `after` of the next page; null if there are no more events.
    /// With a filter, a page may have fewer events than its limit, even none, and still a next page.
    pub next: Option<String>,
}

/// Get a game's events
///
/// The `Accept` header selects a page (JSON), the whole log (NDJSON, one event per line), or a live stream of
/// server-sent events.
///
/// In a stream, the `id` of an event is its number. `Last-Event-ID` or `after` resumes the stream without loss or
/// repetition. With `after=latest`, the first event is named `begin`; its `id` is the number of the last event and
/// its data are `StreamBegin`. A comment line is sent at least every 10 seconds. Changes of the undo request are
/// events named `undo_request` without an `id`, whose data are `UndoRequestChange`: at the beginning if a request is pending,
/// and whenever it changes or ends. New messages of the chat are events named `chat` without an `id`, whose data are
/// `ChatChange`; changes of the bidding for seats are named `bidding`, with `BiddingChange`. A game that is read after an event was received includes this event. The stream
/// ends with the last event of a game that is over, and when the caller's token is revoked or its account suspended.
/// If there is nothing more to send, the response is 204, so that browsers do not reconnect.
///
/// NDJSON with `follow=true` works in the same way, with an empty line instead of the comment and without undo
/// requests.
#[utoipa::path(tag = "events", params(("game" = String, Path, format = Uuid), EventQuery,
        ("Last-Event-ID" = Option<u64>, Header, description = "The number of the last event that was received")),
    responses(
        (status = 200, description = "The events", content(
            (EventPage = "application/json"), (EventBody = "application/x-ndjson"),
            (String = "text/event-stream"))),
        (status = 204, description = "For a stream: the game is over and has no more events"),
        Rendered,
    ))]
#[get("/v1/games/{game}/events")]
pub async fn list_game_events(
    request: HttpRequest,
    GameId(id): GameId,
    Query(query): Query<EventQuery>,
    games: web::Data<Games>,
    closing: web::Data<Closing>,
) -> Result<HttpResponse, Problem> {
    // An unknown game must be refused before a stream starts.
    blocking(&games, move |games| games.table(id)).await?;
    let range = (query.after, query.limit, query.follow);
    answer(&request, games, &closing, Log::Game(id), range).await
}

/// The range and filter of the events of all games.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LogQuery {
    /// The position after which the response starts.
    /// If omitted, it starts at the beginning of the log, also in a stream. `latest`: only future events.
    #[param(value_type = Option<String>, example = "1204")]
    after: Option<After>,
    /// The most events, from 1 to 1000. If omitted: 200 in a page, otherwise no limit.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// For NDJSON: whether to continue with future events, like a stream of server-sent events.
    /// Empty lines keep the connection alive.
    #[serde(default)]
    follow: bool,
    /// Only events of games in which this account, by id, or bot, by name, plays at present.
    #[param(example = "random")]
    player: Option<String>,
    /// Only events of games of this league.
    league: Option<String>,
}

/// Get the events of all games
///
/// Returns the log of all public games in the same three forms as the events of one game, for mirrors. `after`,
/// `next` and the `id` in a stream are positions in the log of all games.
///
/// A stream without `Last-Event-ID` and `after` starts with the first event of the log. With `after=latest` it starts
/// with an event named `begin`, whose `id` is the present position and whose data are `StreamBegin`. Changes of undo
/// requests are sent as events named `undo_request` without an `id` while a client is connected. NDJSON with
/// `follow=true` continues without undo requests; each event includes its `position`.
///
/// A damaged game does not stop the log. Its events are returned as stored: those of actions have a null `action`, no
/// effects, round 0, and only the first 16 digits of the hash. An event that cannot be read is skipped.
#[utoipa::path(tag = "events", params(LogQuery,
        ("Last-Event-ID" = Option<u64>, Header, description = "The position of the last event that was received")),
    responses(
        (status = 200, description = "The events", content(
            (EventPage = "application/json"), (EventBody = "application/x-ndjson"),
            (String = "text/event-stream"))),
        ListingRendered,
    ))]
#[get("/v1/events")]
pub async fn list_events(
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
    let range = (query.after, query.limit, query.follow);
    answer(&request, games, &closing, log, range).await
}

async fn answer(
    request: &HttpRequest,
    games: web::Data<Games>,
    closing: &Closing,
    log: Log,
    (after, limit, follow): (Option<After>, Option<usize>, bool),
) -> Result<HttpResponse, Problem> {
    // A page cannot be followed.
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
            let log = log.clone();
            Begin::Now(blocking(&games, move |games| log.latest(games)).await?)
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
    let reader = Reader::new(games, closing, log, (begin, limit), form, live, guard)
        .with_caller(identity(request));
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, media_type));
    response.insert_header((CACHE_CONTROL, "no-cache"));
    if live {
        send_at_once(&mut response);
    }
    Ok(response.streaming(reader.stream()))
}

/// Reads the number of the last event that a client of server-sent events has received.
pub fn last_event_id(request: &HttpRequest) -> Result<Option<u64>, Problem> {
    let Some(value) = request.headers().get("Last-Event-ID") else {
        return Ok(None);
    };
    let text = value.to_str().unwrap_or_default();
    let bad = |_| {
        Problem::invalid_header(
            "Last-Event-ID",
            "send the `id` of an event, which is a whole number",
        )
    };
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
