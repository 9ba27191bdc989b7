//! Events: pages, whole logs, and live streams, by `Accept`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, get, web};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use futures_util::stream::{Stream, unfold};
use serde::{Deserialize, Serialize};
use serde_with::DeserializeFromStr;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::games::page_limit;
use crate::answers::{ListingRendered, Rendered};
use crate::games::{EventBody, Following, GameError, Games, LogFilter, Published, Reading};
use crate::limits::{Policy, StreamGuard, charge, stream};
use crate::problem::Problem;
use crate::reply::Closing;
use crate::reply::{JSON, blocking};
use crate::request::{GameId, Query, negotiate};

const NDJSON: &str = "application/x-ndjson";
const EVENT_STREAM: &str = "text/event-stream";

/// How often a comment line keeps a stream alive, whatever else it tells.
const KEEP_ALIVE: Duration = Duration::from_secs(8);

/// How many events are read from the store at once for a stream or a whole log.
const CHUNK: usize = 250;

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
    /// Only of games at whose table this account sits now, or a bot of this name.
    #[param(example = "random")]
    player: Option<String>,
    /// Only of games of this league.
    league: Option<String>,
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

/// A log that is read: one game's, or that of all games that fit.
#[derive(Clone, Debug)]
enum Log {
    Game(Uuid),
    All(Arc<LogFilter>),
}

/// A part of a log.
#[derive(Debug, Default)]
struct Part {
    events: Vec<EventBody>,
    /// The cursor up to which these are all; `None` when there is none yet.
    reached: Option<u64>,
    /// Whether there may be more behind it.
    more: bool,
    /// Whether nothing can follow.
    over: bool,
    /// Where a game's log goes on.
    reading: Option<Box<Reading>>,
}

impl Log {
    fn read(
        &self,
        games: &Games,
        after: Option<u64>,
        limit: usize,
        reading: Option<Box<Reading>>,
    ) -> Result<Part, GameError> {
        match self {
            Log::Game(id) => {
                let told = games.tell(*id, after, limit, reading)?;
                Ok(Part {
                    reached: told.events.last().map(|event| event.seq).or(after),
                    events: told.events,
                    more: told.more,
                    over: told.over,
                    reading: Some(told.reading),
                })
            }
            Log::All(filter) => {
                let told = games.tell_log(filter, after.unwrap_or(0), limit)?;
                Ok(Part {
                    events: told.events,
                    reached: Some(told.reached),
                    more: told.more,
                    ..Part::default()
                })
            }
        }
    }

    /// The last event there is.
    fn latest(&self, games: &Games) -> Result<u64, GameError> {
        match self {
            Log::Game(id) => Ok(games.table(*id)?.seq()),
            Log::All(_) => Ok(games.last_position()?.max(0) as u64),
        }
    }

    /// The cursor of an event in this log.
    fn cursor(&self, event: &EventBody) -> u64 {
        match self {
            Log::Game(_) => event.seq,
            Log::All(_) => event.position.unwrap_or(0),
        }
    }

    fn follow(&self, games: &Games) -> Following {
        match self {
            Log::Game(id) => games.follow(Some(*id)),
            Log::All(_) => games.follow(None),
        }
    }
}

/// Get a game's events
///
/// As a page, as NDJSON (one event a line), or as a live stream of server-sent events whose `id`
/// is the event's number; `Last-Event-ID` or `after` resumes without loss or repetition. A comment
/// line comes at least every 10 seconds. Whoever asks for the game once an event was told sees that
/// event. The stream ends with the last event of a game that is over; who asks for it again, with
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
    let EventQuery { after, limit } = query;
    answer(&request, games, &closing, Log::Game(id), after, limit).await
}

/// Follow the events of all games
///
/// The same three forms, for mirrors. `after`, `next` and the stream's `id` are positions in the
/// log of all games. A stream without `Last-Event-ID` and `after` begins with the first event there is;
/// with `after=latest` it begins now, and gives its position as `id` at once.
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
    closing: web::Data<Closing>,
) -> Result<HttpResponse, Problem> {
    let log = Log::All(Arc::new(LogFilter {
        player: query.player,
        league: query.league,
    }));
    answer(&request, games, &closing, log, query.after, query.limit).await
}

async fn answer(
    request: &HttpRequest,
    games: web::Data<Games>,
    closing: &Closing,
    log: Log,
    after: Option<After>,
    limit: Option<usize>,
) -> Result<HttpResponse, Problem> {
    let form = negotiate(request, &[JSON, NDJSON, EVENT_STREAM])?;
    let limit = limit.map(|limit| page_limit(Some(limit), 1)).transpose()?;
    let live = form == 2;
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
    if form == 0 {
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
    let reader = Reader::new(games, closing, log, (begin, limit), live, guard);
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

/// Where an answer begins.
#[derive(Clone, Copy, Debug)]
enum Begin {
    /// Behind an event, or with the first one.
    Behind(Option<u64>),
    /// Behind the last one there is.
    Now(u64),
}

impl Begin {
    fn after(self) -> Option<u64> {
        match self {
            Begin::Behind(after) => after,
            Begin::Now(after) => Some(after),
        }
    }
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
    let read = move |games: &Games| log.read(games, after, limit, None);
    let part = blocking(games, read).await?;
    let next = part.reached.filter(|_| part.more);
    Ok(HttpResponse::Ok().json(EventPage {
        items: part.events,
        next: next.map(|next| next.to_string()),
    }))
}

/// What was read for a stream, as it goes out.
struct Lines {
    bytes: Bytes,
    count: usize,
    reached: Option<u64>,
    more: bool,
    over: bool,
    reading: Option<Box<Reading>>,
}

/// Reads a log from the store and, when it is live, goes on with what is published. It listens before it
/// reads and passes over what it has read already, so nothing is lost or repeated; when it was too slow
/// for what is published, it reads from the store again.
struct Reader {
    games: web::Data<Games>,
    log: Log,
    after: Option<u64>,
    left: Option<usize>,
    live: Option<Live>,
    closing: watch::Receiver<bool>,
    /// What is being read; it goes on while a comment is told.
    reads: Option<LocalBoxFuture<'static, Result<Lines, Problem>>>,
    /// Where a game's log goes on, while it is read.
    reading: Option<Box<Reading>>,
    /// Whether there may be more in the store.
    behind: bool,
    /// Whether nothing can follow.
    over: bool,
    greeting: Option<Bytes>,
}

/// What only a live stream has.
struct Live {
    following: Following,
    beat: Interval,
    _counted: Counted,
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

const COMMENT: Bytes = Bytes::from_static(b":\n\n");

impl Reader {
    fn new(
        games: web::Data<Games>,
        closing: &Closing,
        log: Log,
        (begin, limit): (Begin, Option<usize>),
        live: bool,
        guard: Option<StreamGuard>,
    ) -> Reader {
        let greeting = match begin {
            Begin::Now(now) => format!("retry: 2000\nid: {now}\n\n"),
            Begin::Behind(_) => "retry: 2000\n\n".to_owned(),
        };
        let live = live.then(|| {
            let mut beat = interval_at(Instant::now() + KEEP_ALIVE, KEEP_ALIVE);
            beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
            Live {
                // Before the store is read, so that nothing falls in between.
                following: log.follow(&games),
                beat,
                _counted: Counted::new(),
                _guard: guard,
            }
        });
        Reader {
            greeting: live.is_some().then(|| Bytes::from(greeting)),
            games,
            log,
            after: begin.after(),
            left: limit,
            live,
            closing: closing.0.clone(),
            reads: None,
            reading: None,
            behind: true,
            over: false,
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
        if let Some(greeting) = self.greeting.take() {
            return Ok(Some(greeting));
        }
        loop {
            if self.left == Some(0) || *self.closing.borrow() {
                return Ok(None);
            }
            let told = if self.behind {
                self.read().await?
            } else if self.over {
                return Ok(None);
            } else if let Some(live) = &mut self.live {
                tokio::select! {
                    received = live.following.next() => self.receive(received),
                    _ = self.closing.changed() => None,
                    _ = live.beat.tick() => Some(COMMENT),
                }
            } else {
                return Ok(None);
            };
            if told.is_some() {
                return Ok(told);
            }
        }
    }

    /// Reads the next part from the store, or gives a comment when that takes long.
    async fn read(&mut self) -> Result<Option<Bytes>, Problem> {
        let mut reads = match self.reads.take() {
            Some(reads) => reads,
            None => self.begin_to_read(),
        };
        let lines = match &mut self.live {
            None => reads.await?,
            Some(live) => tokio::select! {
                lines = &mut reads => lines?,
                _ = live.beat.tick() => {
                    self.reads = Some(reads);
                    return Ok(Some(COMMENT));
                }
            },
        };
        self.after = lines.reached;
        self.left = self.left.map(|left| left.saturating_sub(lines.count));
        self.behind = lines.more;
        self.over = lines.over;
        self.reading = lines.reading.filter(|_| lines.more);
        Ok(Some(lines.bytes).filter(|bytes| !bytes.is_empty()))
    }

    fn begin_to_read(&mut self) -> LocalBoxFuture<'static, Result<Lines, Problem>> {
        let (log, after, games) = (self.log.clone(), self.after, self.games.clone());
        let (reading, is_live) = (self.reading.take(), self.live.is_some());
        let limit = self.left.map_or(CHUNK, |left| left.min(CHUNK));
        let read = move |games: &Games| {
            let part = log.read(games, after, limit, reading)?;
            let mut text = String::new();
            for event in &part.events {
                // Events are plain data with string keys, which is always JSON.
                let json = serde_json::to_string(event).unwrap_or_default();
                match is_live {
                    true => text.push_str(&line(log.cursor(event), &json)),
                    false => text.extend([json.as_str(), "\n"]),
                }
            }
            Ok(Lines {
                bytes: Bytes::from(text),
                count: part.events.len(),
                reached: part.reached,
                more: part.more,
                over: part.over,
                reading: part.reading,
            })
        };
        async move { blocking(&games, read).await }.boxed_local()
    }

    /// Takes in what was published.
    fn receive(&mut self, received: Result<Arc<Published>, RecvError>) -> Option<Bytes> {
        let event = match received {
            Ok(event) => event,
            Err(RecvError::Lagged(_)) => {
                self.behind = true;
                return None;
            }
            Err(RecvError::Closed) => {
                self.over = true;
                return None;
            }
        };
        let (cursor, shared) = match self.log {
            Log::Game(_) => (event.seq, &event.line),
            Log::All(_) => (event.position, &event.log_line),
        };
        if self.after.is_some_and(|after| cursor <= after) {
            return None;
        }
        if let Log::All(filter) = &self.log
            && !event.fits(filter)
        {
            self.after = Some(cursor);
            return None;
        }
        if let Log::Game(_) = self.log
            && self.after.map_or(0, |after| after + 1) != cursor
        {
            self.behind = true;
            return None;
        }
        self.after = Some(cursor);
        self.left = self.left.map(|left| left.saturating_sub(1));
        self.over = matches!(self.log, Log::Game(_)) && event.over;
        let told = shared.get_or_init(|| Bytes::from(line(cursor, &event.json)));
        Some(told.clone())
    }
}

/// An event as a stream tells it.
fn line(cursor: u64, json: &str) -> String {
    format!("id: {cursor}\ndata: {json}\n\n")
}
