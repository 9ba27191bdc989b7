//! Reads a log for a response: from the store, and for a live stream also from the feed.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpResponseBuilder;
use actix_web::http::header::CONTENT_ENCODING;
use actix_web::web::{self, Bytes};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use futures_util::stream::{Stream, unfold};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::games::bodies::{EventBody, UndoRequest, UndoRequestChange, UndoRequestEnd};
use crate::games::feed::{EventSubscription, FeedMessage, PublishedEvent};
use crate::games::handlers::path::table;
use crate::games::log::Reading;
use crate::games::queries::log::LogFilter;
use crate::games::service::Games;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::limits::streams::StreamGuard;
use crate::http::problem::Problem;
use crate::http::reply::{Closing, blocking};

/// How often a comment line keeps a stream alive.
pub const KEEP_ALIVE: Duration = Duration::from_secs(8);

/// The data of the event `begin`, the first one of a stream that starts at the present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StreamBegin {
    /// The number of the last event before the stream. As `after` or `Last-Event-ID` it resumes here.
    pub after: u64,
}

/// Returns the first bytes of a stream of server-sent events.
/// These are the reconnection time and perhaps the event `begin`.
/// Without `begin`, they are the first line of the next event, because many clients mistake a block without data for
/// an event.
pub fn greeting(after: Option<u64>) -> Bytes {
    let event = after.map_or_else(String::new, |after| {
        // Plain data with string keys always serializes.
        let json = serde_json::to_string(&StreamBegin { after }).unwrap_or_default();
        format!("id: {after}\nevent: begin\ndata: {json}\n\n")
    });
    Bytes::from(format!("retry: 2000\n{event}"))
}

/// A comment that keeps a stream of server-sent events alive. It is a line of the next event.
pub const COMMENT: &str = ":\n";

/// Disables compression and buffering of a response, which would delay events.
pub fn send_at_once(response: &mut HttpResponseBuilder) {
    response.insert_header((CONTENT_ENCODING, "identity"));
    response.insert_header(("X-Accel-Buffering", "no"));
}

/// How many events are read from the store at a time.
const CHUNK: usize = 250;

/// The log that is read.
#[derive(Clone, Debug)]
pub enum Log {
    /// The log of one game.
    Game(Uuid),
    /// The log of all games that match a filter.
    All(Arc<LogFilter>),
}

/// A part of a log.
#[derive(Debug, Default)]
pub struct StreamPart {
    /// The events.
    pub events: Vec<EventBody>,
    /// The cursor up to which the part is complete; `None` before the first event.
    pub reached: Option<u64>,
    /// Whether there may be more events after it.
    pub more: bool,
    /// Whether no event can follow.
    over: bool,
    /// The reading from which a game's next part continues.
    reading: Option<Box<Reading>>,
}

impl Log {
    /// Reads events after a cursor, at most `limit`.
    pub fn read(
        &self,
        games: &Games,
        after: Option<u64>,
        limit: usize,
        reading: Option<Box<Reading>>,
    ) -> Result<StreamPart, ServiceError> {
        match self {
            Log::Game(id) => {
                let part = games.read_events(*id, after, limit, reading)?;
                Ok(StreamPart {
                    reached: part.events.last().map(|event| event.seq).or(after),
                    events: part.events,
                    more: part.more,
                    over: part.over,
                    reading: Some(part.reading),
                })
            }
            Log::All(filter) => {
                let part = games.logs.read_log(filter, after.unwrap_or(0), limit)?;
                Ok(StreamPart {
                    events: part.events,
                    reached: Some(part.reached),
                    more: part.more,
                    ..StreamPart::default()
                })
            }
        }
    }

    /// Returns the cursor of the last event.
    pub fn latest(&self, games: &Games) -> Result<u64, ServiceError> {
        match self {
            Log::Game(id) => Ok(games.table(*id)?.seq()),
            Log::All(_) => Ok(games.records.last_position()?.max(0) as u64),
        }
    }

    /// Returns the cursor of an event in this log.
    fn cursor(&self, event: &EventBody) -> u64 {
        match self {
            Log::Game(_) => event.seq,
            Log::All(_) => event.position.unwrap_or(0),
        }
    }

    fn follow(&self, games: &Games) -> EventSubscription {
        match self {
            Log::Game(id) => games.feed.follow(Some(*id)),
            Log::All(_) => games.feed.follow(None),
        }
    }
}

/// Where a response starts.
#[derive(Clone, Copy, Debug)]
pub enum Begin {
    /// After an event, or with the first one.
    Behind(Option<u64>),
    /// After the last event that exists.
    Now(u64),
}

impl Begin {
    /// Returns the event after which the response starts.
    pub fn after(self) -> Option<u64> {
        match self {
            Begin::Behind(after) => after,
            Begin::Now(after) => Some(after),
        }
    }
}

/// The format of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventForm {
    /// NDJSON, one event per line.
    Lines,
    /// Server-sent events.
    EventStream,
}

impl EventForm {
    /// Returns the bytes that keep a stream alive: a comment or an empty line.
    fn beat(self) -> Bytes {
        Bytes::from_static(match self {
            EventForm::Lines => b"\n",
            EventForm::EventStream => COMMENT.as_bytes(),
        })
    }
}

/// Events that were read for a stream, in its format.
struct Lines {
    bytes: Bytes,
    count: usize,
    reached: Option<u64>,
    more: bool,
    over: bool,
    reading: Option<Box<Reading>>,
}

/// Reads a log from the store and, for a live stream, continues with the feed.
/// It subscribes before it reads and skips what it has read, so that no event is lost or repeated. If it is too slow
/// for the feed, it reads from the store again.
pub struct Reader {
    games: web::Data<Games>,
    log: Log,
    after: Option<u64>,
    left: Option<usize>,
    form: EventForm,
    live: Option<LiveStream>,
    closing: watch::Receiver<bool>,
    /// The read in progress, which continues while a comment is sent.
    reads: Option<LocalBoxFuture<'static, Result<Lines, Problem>>>,
    /// The reading of a game's log from which the next part continues.
    reading: Option<Box<Reading>>,
    /// Whether the store may have more events.
    behind: bool,
    /// Whether no event can follow.
    over: bool,
    greeting: Option<Bytes>,
    /// The caller, whose token may be revoked.
    caller: Call,
    /// The pending undo requests that were sent, by game.
    undo_requests: HashMap<Uuid, UndoRequest>,
    /// Whether the undo requests may differ from those that were sent.
    look: bool,
}

/// The additional state of a live stream.
struct LiveStream {
    following: EventSubscription,
    beat: Interval,
    _counted: CountedStream,
    _guard: Option<StreamGuard>,
}

/// Counts a live stream in the metrics until it is dropped.
pub struct CountedStream;

impl CountedStream {
    /// Counts a stream.
    pub(crate) fn new() -> CountedStream {
        metrics::gauge!("tabularium_live_streams").increment(1.0);
        CountedStream
    }
}

impl Drop for CountedStream {
    fn drop(&mut self) {
        metrics::gauge!("tabularium_live_streams").decrement(1.0);
    }
}

impl Reader {
    /// Creates a reader of a log, from a cursor and with a limit.
    pub fn new(
        games: web::Data<Games>,
        closing: &Closing,
        log: Log,
        (begin, limit): (Begin, Option<usize>),
        form: EventForm,
        live: bool,
        guard: Option<StreamGuard>,
    ) -> Reader {
        let now = match begin {
            Begin::Now(now) => Some(now),
            Begin::Behind(_) => None,
        };
        let live = live.then(|| {
            let mut beat = interval_at(Instant::now() + KEEP_ALIVE, KEEP_ALIVE);
            beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
            LiveStream {
                // Subscribes before the store is read, so that no event is missed in between.
                following: log.follow(&games),
                beat,
                _counted: CountedStream::new(),
                _guard: guard,
            }
        });
        Reader {
            greeting: (form == EventForm::EventStream).then(|| greeting(now)),
            form,
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
            caller: Call::default(),
            undo_requests: HashMap::new(),
            look: false,
        }
    }

    /// Sets the caller. A live stream ends when the token is no longer valid, or when the caller may not see the game any
    /// more.
    pub fn with_caller(self, caller: Call) -> Reader {
        Reader { caller, ..self }
    }

    /// Returns true if the caller may still read the log.
    async fn is_allowed(&self) -> Result<bool, Problem> {
        // Without a token, the log has only what everybody may read.
        let Some(token) = self.caller.token.clone() else {
            return Ok(true);
        };
        let log = self.log.clone();
        blocking(&self.games, move |games| {
            let access = match games.accounts.holder(&token) {
                Ok(holder) => holder.access(),
                Err(ServiceError::Store(error)) => return Err(error.into()),
                Err(_) => return Ok(false),
            };
            let caller = Call {
                token: Some(token),
                access,
                ..Call::default()
            };
            match log {
                Log::Game(id) => games.access.sees(&caller, &*games.table(id)?),
                Log::All(_) => Ok(true),
            }
        })
        .await
    }

    /// Returns the events as a stream of bytes.
    pub fn stream(self) -> impl Stream<Item = Result<Bytes, Problem>> {
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
        let beat = self.form.beat();
        loop {
            if self.left == Some(0) || *self.closing.borrow() {
                return Ok(None);
            }
            let bytes = if self.behind {
                self.read().await?
            } else if self.over {
                return Ok(None);
            } else if let Some(bytes) = self.changed_undo_requests().await? {
                Some(bytes)
            } else if let Some(live) = &mut self.live {
                tokio::select! {
                    received = live.following.next() => self.receive(received),
                    _ = self.closing.changed() => None,
                    _ = live.beat.tick() => match self.is_allowed().await? {
                        true => Some(beat.clone()),
                        false => return Ok(None),
                    },
                }
            } else {
                return Ok(None);
            };
            if bytes.is_some() {
                return Ok(bytes);
            }
        }
    }

    /// Reads the next part from the store, or returns a comment if that takes long.
    async fn read(&mut self) -> Result<Option<Bytes>, Problem> {
        let mut reads = match self.reads.take() {
            Some(reads) => reads,
            None => self.start_reading(),
        };
        let lines = match &mut self.live {
            None => reads.await?,
            Some(live) => tokio::select! {
                lines = &mut reads => lines?,
                _ = live.beat.tick() => {
                    self.reads = Some(reads);
                    return Ok(Some(self.form.beat()));
                }
            },
        };
        self.after = lines.reached;
        self.left = self.left.map(|left| left.saturating_sub(lines.count));
        self.behind = lines.more;
        self.over = lines.over;
        self.reading = lines.reading.filter(|_| lines.more);
        self.look = self.live.is_some();
        Ok(Some(lines.bytes).filter(|bytes| !bytes.is_empty()))
    }

    fn start_reading(&mut self) -> LocalBoxFuture<'static, Result<Lines, Problem>> {
        let (log, after, games) = (self.log.clone(), self.after, self.games.clone());
        let (reading, form) = (self.reading.take(), self.form);
        let limit = self.left.map_or(CHUNK, |left| left.min(CHUNK));
        let read = move |games: &Games| {
            let part = log.read(games, after, limit, reading)?;
            let mut text = String::new();
            for event in &part.events {
                // Plain data with string keys always serializes.
                let json = serde_json::to_string(event).unwrap_or_default();
                match form {
                    EventForm::EventStream => text.push_str(&line(log.cursor(event), &json)),
                    EventForm::Lines => text.extend([json.as_str(), "\n"]),
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

    /// Returns the undo requests that changed, after all events before them.
    /// For one game it reads the game. For the log of all games, it checks only requests that were sent.
    async fn changed_undo_requests(&mut self) -> Result<Option<Bytes>, Problem> {
        if !self.look {
            return Ok(None);
        }
        let games = match self.log {
            Log::Game(id) => vec![id],
            Log::All(_) => self.undo_requests.keys().copied().collect(),
        };
        let mut text = String::new();
        let mut is_early = false;
        for id in games {
            let table = table(&self.games, id).await?;
            if matches!(self.log, Log::Game(_)) && Some(table.seq()) != self.after {
                // The events before the request are not sent yet.
                is_early = true;
            } else if table.undo_request().as_ref() != self.undo_requests.get(&id) {
                text.extend(self.undo_request_line(&table.undo_request_or_end()));
            }
        }
        self.look = is_early;
        Ok(Some(Bytes::from(text)).filter(|bytes| !bytes.is_empty()))
    }

    /// Formats a change of an undo request. Returns `None` for the end of a request that was not sent.
    fn undo_request_line(&mut self, change: &UndoRequestChange) -> Option<String> {
        match &change.undo_request {
            Some(request) => self.undo_requests.insert(change.game, request.clone()),
            None => Some(self.undo_requests.remove(&change.game)?),
        };
        if self.form == EventForm::Lines {
            return None;
        }
        // Plain data with string keys always serializes.
        let json = serde_json::to_string(change).unwrap_or_default();
        Some(format!("event: undo_request\ndata: {json}\n\n"))
    }

    /// Formats a message of the feed, unless it was sent already or does not match.
    fn receive(&mut self, received: Result<FeedMessage, RecvError>) -> Option<Bytes> {
        let event = match received {
            Ok(FeedMessage::Event(event)) => event,
            Ok(FeedMessage::UndoRequest(request)) => {
                let Log::All(filter) = &self.log else {
                    self.look = true;
                    return None;
                };
                let matches = request.matches(filter);
                return matches
                    .then(|| self.undo_request_line(&request.change))?
                    .map(Bytes::from);
            }
            Ok(FeedMessage::Notice(line)) => {
                return Some(line).filter(|_| self.form == EventForm::EventStream);
            }
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
            && !event.matches(filter)
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
        let text = shared.get_or_init(|| Bytes::from(line(cursor, &event.json)));
        match self.form {
            EventForm::EventStream => match self.end_overtaken_request(&event) {
                None => Some(text.clone()),
                Some(request) => Some(Bytes::from([text, request.as_bytes()].concat())),
            },
            // Only the JSON and its line feed.
            EventForm::Lines => Some(text.slice(text.len() - event.json.len() - 2..text.len() - 1)),
        }
    }

    /// Formats the end of an undo request that this event makes void.
    fn end_overtaken_request(&mut self, event: &PublishedEvent) -> Option<String> {
        let request = self.undo_requests.get(&event.game)?;
        let change = UndoRequestChange {
            game: event.game,
            undo_request: None,
            ended: Some(UndoRequestEnd::Overtaken),
            by: None,
        };
        (request.seq < event.seq).then(|| self.undo_request_line(&change))?
    }
}

/// Formats an event for a stream.
fn line(cursor: u64, json: &str) -> String {
    format!("id: {cursor}\ndata: {json}\n\n")
}
