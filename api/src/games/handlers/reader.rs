//! Reads a log for an answer: from the store, then, when it is live, with what is published.

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

use crate::games::bodies::{EventBody, UndoWish, UndoWishEnd, UndoWishNews};
use crate::games::feed::{Following, News, Published};
use crate::games::handlers::path::table;
use crate::games::log::Reading;
use crate::games::queries::log::LogFilter;
use crate::games::service::Games;
use crate::http::error::ServiceError;
use crate::http::limits::streams::StreamGuard;
use crate::http::problem::Problem;
use crate::http::reply::{Closing, blocking};

/// How often a comment line keeps a stream alive, whatever else it sends.
pub const KEEP_ALIVE: Duration = Duration::from_secs(8);

/// The data of the event `begin`, the first one of a stream that begins at the present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StreamBegin {
    /// The last event before the stream; as `after` or `Last-Event-ID` it resumes there.
    pub after: u64,
}

/// The first bytes of a stream of server-sent events: how soon to reconnect and, where the stream begins at the
/// present, an event with its place.
///
/// Without a place they are the first line of the event that follows: many clients take a block without data
/// for an event.
pub fn greeting(after: Option<u64>) -> Bytes {
    let event = after.map_or_else(String::new, |after| {
        // It is plain data with string keys, which is always JSON.
        let json = serde_json::to_string(&StreamBegin { after }).unwrap_or_default();
        format!("id: {after}\nevent: begin\ndata: {json}\n\n")
    });
    Bytes::from(format!("retry: 2000\n{event}"))
}

/// What keeps a stream of server-sent events alive: a comment, which is a line of the event that follows.
pub const COMMENT: &str = ":\n";

/// Lets an answer be sent as it comes about: compression would hold events back.
pub fn send_at_once(response: &mut HttpResponseBuilder) {
    response.insert_header((CONTENT_ENCODING, "identity"));
    response.insert_header(("X-Accel-Buffering", "no"));
}

/// How many events are read from the store at once for a stream or a whole log.
const CHUNK: usize = 250;

/// A log that is read: one game's, or that of all games that fit.
#[derive(Clone, Debug)]
pub enum Log {
    /// One game's.
    Game(Uuid),
    /// That of all games that fit.
    All(Arc<LogFilter>),
}

/// A part of a log.
#[derive(Debug, Default)]
pub struct LogPart {
    /// The events.
    pub events: Vec<EventBody>,
    /// The cursor up to which these are all; `None` when there is none yet.
    pub reached: Option<u64>,
    /// Whether there may be more behind it.
    pub more: bool,
    /// Whether nothing can follow.
    over: bool,
    /// Where a game's log goes on.
    reading: Option<Box<Reading>>,
}

impl Log {
    /// So many events behind one.
    pub fn read(
        &self,
        games: &Games,
        after: Option<u64>,
        limit: usize,
        reading: Option<Box<Reading>>,
    ) -> Result<LogPart, ServiceError> {
        match self {
            Log::Game(id) => {
                let told = games.read_events(*id, after, limit, reading)?;
                Ok(LogPart {
                    reached: told.events.last().map(|event| event.seq).or(after),
                    events: told.events,
                    more: told.more,
                    over: told.over,
                    reading: Some(told.reading),
                })
            }
            Log::All(filter) => {
                let told = games.logs.read_log(filter, after.unwrap_or(0), limit)?;
                Ok(LogPart {
                    events: told.events,
                    reached: Some(told.reached),
                    more: told.more,
                    ..LogPart::default()
                })
            }
        }
    }

    /// The last event there is.
    pub fn latest(&self, games: &Games) -> Result<u64, ServiceError> {
        match self {
            Log::Game(id) => Ok(games.table(*id)?.seq()),
            Log::All(_) => Ok(games.records.last_position()?.max(0) as u64),
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
            Log::Game(id) => games.feed.follow(Some(*id)),
            Log::All(_) => games.feed.follow(None),
        }
    }
}

/// Where an answer begins.
#[derive(Clone, Copy, Debug)]
pub enum Begin {
    /// Behind an event, or with the first one.
    Behind(Option<u64>),
    /// Behind the last one there is.
    Now(u64),
}

impl Begin {
    /// The event behind which it begins.
    pub fn after(self) -> Option<u64> {
        match self {
            Begin::Behind(after) => after,
            Begin::Now(after) => Some(after),
        }
    }
}

/// How events are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventForm {
    /// As NDJSON, one a line.
    Lines,
    /// As server-sent events.
    EventStream,
}

impl EventForm {
    /// What keeps a stream alive: a comment, or a line that says nothing.
    fn beat(self) -> Bytes {
        Bytes::from_static(match self {
            EventForm::Lines => b"\n",
            EventForm::EventStream => COMMENT.as_bytes(),
        })
    }
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
pub struct Reader {
    games: web::Data<Games>,
    log: Log,
    after: Option<u64>,
    left: Option<usize>,
    form: EventForm,
    live: Option<LiveStream>,
    closing: watch::Receiver<bool>,
    /// What is being read; it goes on while a comment is sent.
    reads: Option<LocalBoxFuture<'static, Result<Lines, Problem>>>,
    /// Where a game's log goes on, while it is read.
    reading: Option<Box<Reading>>,
    /// Whether there may be more in the store.
    behind: bool,
    /// Whether nothing can follow.
    over: bool,
    greeting: Option<Bytes>,
    /// The undo requests that were sent and stand, by game.
    wishes: HashMap<Uuid, UndoWish>,
    /// Whether undo requests may differ from those that were sent.
    look: bool,
}

/// What only a live stream has.
struct LiveStream {
    following: Following,
    beat: Interval,
    _counted: CountedStream,
    _guard: Option<StreamGuard>,
}

/// Counts live streams while it lives.
pub struct CountedStream;

impl CountedStream {
    /// Counts one more.
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
    /// Reads a log from a place on, so many events of it.
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
                // Before the store is read, so that nothing falls in between.
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
            wishes: HashMap::new(),
            look: false,
        }
    }

    /// What is read, as bytes of the answer.
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
            let told = if self.behind {
                self.read().await?
            } else if self.over {
                return Ok(None);
            } else if let Some(told) = self.look_at_wishes().await? {
                Some(told)
            } else if let Some(live) = &mut self.live {
                tokio::select! {
                    received = live.following.next() => self.receive(received),
                    _ = self.closing.changed() => None,
                    _ = live.beat.tick() => Some(beat.clone()),
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

    fn begin_to_read(&mut self) -> LocalBoxFuture<'static, Result<Lines, Problem>> {
        let (log, after, games) = (self.log.clone(), self.after, self.games.clone());
        let (reading, form) = (self.reading.take(), self.form);
        let limit = self.left.map_or(CHUNK, |left| left.min(CHUNK));
        let read = move |games: &Games| {
            let part = log.read(games, after, limit, reading)?;
            let mut text = String::new();
            for event in &part.events {
                // Events are plain data with string keys, which is always JSON.
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

    /// Sends the undo requests that changed, once everything before them is sent. For one game it looks at the game; for
    /// the log of all games, only at requests that were sent.
    async fn look_at_wishes(&mut self) -> Result<Option<Bytes>, Problem> {
        if !self.look {
            return Ok(None);
        }
        let looked_at = match self.log {
            Log::Game(id) => vec![id],
            Log::All(_) => self.wishes.keys().copied().collect(),
        };
        let mut told = String::new();
        let mut is_early = false;
        for id in looked_at {
            let table = table(&self.games, id).await?;
            if matches!(self.log, Log::Game(_)) && Some(table.seq()) != self.after {
                // The events that lead there are under way.
                is_early = true;
            } else if table.undo_wish().as_ref() != self.wishes.get(&id) {
                told.extend(self.wish_line(&table.undo_wish_or_end()));
            }
        }
        self.look = is_early;
        Ok(Some(Bytes::from(told)).filter(|bytes| !bytes.is_empty()))
    }

    /// An undo request as a stream sends it; nothing where one is gone that was not sent.
    fn wish_line(&mut self, news: &UndoWishNews) -> Option<String> {
        match &news.undo_wish {
            Some(wish) => self.wishes.insert(news.game, wish.clone()),
            None => Some(self.wishes.remove(&news.game)?),
        };
        if self.form == EventForm::Lines {
            return None;
        }
        // It is plain data with string keys, which is always JSON.
        let json = serde_json::to_string(news).unwrap_or_default();
        Some(format!("event: undo_wish\ndata: {json}\n\n"))
    }

    /// Takes in what was published.
    fn receive(&mut self, received: Result<News, RecvError>) -> Option<Bytes> {
        let event = match received {
            Ok(News::Event(event)) => event,
            Ok(News::Wish(wish)) => {
                let Log::All(filter) = &self.log else {
                    self.look = true;
                    return None;
                };
                let fits = wish.fits(filter);
                return fits.then(|| self.wish_line(&wish.news))?.map(Bytes::from);
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
        match self.form {
            EventForm::EventStream => match self.overtaken(&event) {
                None => Some(told.clone()),
                Some(wish) => Some(Bytes::from([told, wish.as_bytes()].concat())),
            },
            // The same bytes without what stands around the JSON but its line feed.
            EventForm::Lines => Some(told.slice(told.len() - event.json.len() - 2..told.len() - 1)),
        }
    }

    /// That an undo request that was sent is void with this event.
    fn overtaken(&mut self, event: &Published) -> Option<String> {
        let wish = self.wishes.get(&event.game)?;
        let news = UndoWishNews {
            game: event.game,
            undo_wish: None,
            ended: Some(UndoWishEnd::Overtaken),
            by: None,
        };
        (wish.seq < event.seq).then(|| self.wish_line(&news))?
    }
}

/// An event as a stream sends it.
fn line(cursor: u64, json: &str) -> String {
    format!("id: {cursor}\ndata: {json}\n\n")
}
