//! Events: pages, whole logs, and live streams, by `Accept`.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, get, web};
use futures_util::stream::{Stream, unfold};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::games::page_limit;
use crate::answers::{ListingRendered, Rendered};
use crate::games::{EventBody, Games, Published};
use crate::limits::{Policy, StreamGuard, charge, stream};
use crate::problem::Problem;
use crate::reply::Closing;
use crate::reply::{JSON, blocking};
use crate::request::{GameId, Query, negotiate};

const NDJSON: &str = "application/x-ndjson";
const EVENT_STREAM: &str = "text/event-stream";

/// How often a comment line keeps a stream alive.
const KEEP_ALIVE: Duration = Duration::from_secs(8);

/// How many events a stream reads from the store at once.
const CHUNK: usize = 500;

/// Which events are asked for.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventQuery {
    /// The last event that is known; those behind it follow.
    after: Option<u64>,
    /// How many, from 1 to 1000; in a page 200 when left out, else all.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
}

/// A page of events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventPage {
    /// The events in order.
    pub items: Vec<EventBody>,
    /// The `after` of the next page; null when this one ends at the present.
    pub next: Option<String>,
}

/// A log that is read: one game's, or that of all games.
#[derive(Clone, Copy, Debug)]
enum Log {
    Game(Uuid),
    All,
}

impl Log {
    fn read(
        self,
        games: &Games,
        after: Option<u64>,
        limit: usize,
    ) -> Result<Vec<EventBody>, crate::games::GameError> {
        match self {
            Log::Game(id) => games.events(id, after, limit),
            Log::All => games.all_events(after.unwrap_or(0), limit),
        }
    }

    /// The cursor of an event in this log.
    fn cursor(self, event: &EventBody) -> u64 {
        match self {
            Log::Game(_) => event.seq,
            Log::All => event.position.unwrap_or(0),
        }
    }

    /// The cursor of a published event, when it belongs to this log.
    fn published(self, event: &Published) -> Option<u64> {
        match self {
            Log::Game(id) => (event.game == id).then_some(event.seq),
            Log::All => Some(event.position),
        }
    }
}

/// Get a game's events
///
/// As a page, as NDJSON (one event a line), or as a live stream of server-sent events whose `id`
/// is the event's number; `Last-Event-ID` or `after` resumes without loss or repetition. A comment
/// line comes at least every 10 seconds.
#[utoipa::path(tag = "events", params(("id" = String, Path, format = Uuid), EventQuery,
        ("Last-Event-ID" = Option<u64>, Header, description = "The last event that is known")),
    responses(
        (status = 200, description = "The events", content(
            (EventPage = "application/json"), (EventBody = "application/x-ndjson"),
            (String = "text/event-stream"))),
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
    answer(&request, query, games, &closing, Log::Game(id)).await
}

/// Follow the events of all games
///
/// The same three forms, for mirrors. `after`, `next` and the stream's `id` are positions in the
/// log of all games.
#[utoipa::path(tag = "events", params(EventQuery,
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
    Query(query): Query<EventQuery>,
    games: web::Data<Games>,
    closing: web::Data<Closing>,
) -> Result<HttpResponse, Problem> {
    answer(&request, query, games, &closing, Log::All).await
}

async fn answer(
    request: &HttpRequest,
    query: EventQuery,
    games: web::Data<Games>,
    closing: &Closing,
    log: Log,
) -> Result<HttpResponse, Problem> {
    let form = negotiate(request, &[JSON, NDJSON, EVENT_STREAM])?;
    let limit = query.limit.map(|limit| page_limit(Some(limit), 1));
    let limit = limit.transpose()?;
    let known = last_event_id(request)?;
    if form == 0 {
        return page(&games, log, query.after, limit.unwrap_or(200)).await;
    }
    let live = form == 2;
    let after = if live {
        known.or(query.after)
    } else {
        query.after
    };
    let guard = match live {
        true => stream(request, matches!(log, Log::All))?,
        false => {
            charge(request, Policy::Expensive)?;
            None
        }
    };
    let reader = Reader::new(games, closing, log, (after, limit), live, guard);
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, [NDJSON, EVENT_STREAM][usize::from(live)]));
    response.insert_header((CACHE_CONTROL, "no-cache"));
    if live {
        // Compression would hold events back.
        response.insert_header((CONTENT_ENCODING, "identity"));
        response.insert_header(("X-Accel-Buffering", "no"));
    }
    Ok(response.streaming(reader.stream()))
}

fn last_event_id(request: &HttpRequest) -> Result<Option<u64>, Problem> {
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
    let mut items = blocking(games, move |games| log.read(games, after, limit + 1)).await?;
    let more = items.len() > limit;
    items.truncate(limit);
    let next = items.last().filter(|_| more);
    let next = next.map(|event| log.cursor(event).to_string());
    Ok(HttpResponse::Ok().json(EventPage { items, next }))
}

/// Reads a log from the store and, when it is live, goes on with what is published. What is
/// published serves only where it follows without a gap; else the store is read again, so nothing
/// is lost or repeated.
struct Reader {
    games: web::Data<Games>,
    log: Log,
    after: Option<u64>,
    left: Option<usize>,
    published: Option<Receiver<Arc<Published>>>,
    closing: watch::Receiver<bool>,
    waiting: VecDeque<(u64, Bytes)>,
    /// Whether there may be more in the store.
    behind: bool,
    greeted: bool,
    counted: Option<Counted>,
    _guard: Option<StreamGuard>,
}

/// Counts live streams while it lives.
struct Counted;

impl Counted {
    fn new() -> Counted {
        metrics::gauge!("tabularium_live_streams").increment(1.0);
        Counted
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        metrics::gauge!("tabularium_live_streams").decrement(1.0);
    }
}

impl Reader {
    fn new(
        games: web::Data<Games>,
        closing: &Closing,
        log: Log,
        (after, limit): (Option<u64>, Option<usize>),
        live: bool,
        guard: Option<StreamGuard>,
    ) -> Reader {
        Reader {
            // Before the store is read, so that nothing falls in between.
            published: live.then(|| games.follow()),
            games,
            log,
            after,
            left: limit,
            closing: closing.0.clone(),
            waiting: VecDeque::new(),
            behind: true,
            greeted: !live,
            counted: live.then(Counted::new),
            _guard: guard,
        }
    }

    fn stream(self) -> impl Stream<Item = Result<Bytes, Problem>> {
        unfold(Some(self), |reader| async move {
            let mut reader = reader?;
            match reader.next().await {
                Ok(Some(bytes)) => Some((Ok(bytes), Some(reader))),
                Ok(None) => None,
                Err(problem) => Some((Err(problem), None)),
            }
        })
    }

    async fn next(&mut self) -> Result<Option<Bytes>, Problem> {
        if !self.greeted {
            self.greeted = true;
            return Ok(Some(Bytes::from_static(b"retry: 2000\n\n")));
        }
        loop {
            if self.left == Some(0) || *self.closing.borrow() {
                return Ok(None);
            }
            if let Some((cursor, bytes)) = self.waiting.pop_front() {
                self.after = Some(cursor);
                self.left = self.left.map(|left| left - 1);
                return Ok(Some(bytes));
            }
            if self.behind {
                self.read().await?;
            } else if self.published.is_none() {
                return Ok(None);
            } else if let Some(comment) = self.listen().await {
                return Ok(Some(comment));
            }
        }
    }

    async fn read(&mut self) -> Result<(), Problem> {
        let (log, after) = (self.log, self.after);
        let events = blocking(&self.games, move |games| log.read(games, after, CHUNK)).await?;
        self.behind = events.len() == CHUNK;
        for event in events {
            let cursor = log.cursor(&event);
            // Events are plain data with string keys, which is always JSON.
            let json = serde_json::to_string(&event).unwrap_or_default();
            self.waiting.push_back((cursor, self.line(cursor, &json)));
        }
        Ok(())
    }

    /// Waits for what is published, the end of the service, or the time for a comment, which it
    /// gives back.
    async fn listen(&mut self) -> Option<Bytes> {
        // A caller may name any number as the last that is known.
        let expected = self.after.map_or(0, |after| after.saturating_add(1));
        let published = self.published.as_mut()?;
        tokio::select! {
            received = published.recv() => match received {
                Ok(event) => match (self.log.published(&event), &event.json) {
                    (Some(cursor), Some(json)) if cursor == expected => {
                        let line = self.line(cursor, json);
                        self.waiting.push_back((cursor, line));
                    }
                    (Some(cursor), _) if cursor >= expected => self.behind = true,
                    _ => {}
                },
                Err(RecvError::Lagged(_)) => self.behind = true,
                Err(RecvError::Closed) => self.published = None,
            },
            _ = self.closing.changed() => {}
            () = tokio::time::sleep(KEEP_ALIVE) => {
                return Some(Bytes::from_static(b":\n\n"));
            }
        }
        None
    }

    fn line(&self, cursor: u64, json: &str) -> Bytes {
        if self.counted.is_some() {
            Bytes::from(format!("id: {cursor}\ndata: {json}\n\n"))
        } else {
            Bytes::from(format!("{json}\n"))
        }
    }
}
