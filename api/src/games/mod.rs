//! Games: those in memory, who may do what, and what is appended to their logs.
//!
//! A [`Table`] is an unchanging snapshot of a game. A [`Draft`] holds the events that come next. `Games::change`
//! checks the caller's terms, lets the work draft, and appends; if another writer was first, it loads the game and
//! tries again.
//!
//! - Every write to a game or its seats, also one without an event, gives the game a version that no game had before.
//!   It is made on the version that the writer read. Other nodes find what changed by the versions.
//! - State is never stored: it is folded from the log ([`records::Fold`]). `(game, seq)` is the primary key of
//!   `events`. No row is ever changed or deleted.
//! - Followers receive each event once, in the order of the log of all games, and after the snapshot of its game is
//!   replaced. Only the thread of [`follower`] publishes. What was written here is handed to it with its JSON; the
//!   rest it reads from the store. A stream subscribes before it reads, and skips what it has read.
//! - An undo request is no event. Consents are stored in the seats and are void with the next event. Streams send the
//!   request after the events before it (`handlers/reader.rs`).
//! - The order of the event deck is secret. A request ends where a card is drawn ([`play`]), a dry run omits what only
//!   the deck shows, and a draw is undone only with the consent of all others, never a bot's ([`undo`]).
//! - The seed is secret until the game is over, unless the creator gave it. Until then answers contain its SHA-256.
//! - A private game is 404 for strangers: every path of a game is read by `GameId` or `SeatId` (`handlers/path.rs`).
//! - A damaged game is never shown as a good one. The log is checked against the stored game in one place
//!   ([`log::Reading::check_end`]); a record is also checked row by row. In `/v1/records` it is a line without a
//!   record.
//! - Reading the end of a log does not replay it, and holds at most 1,000 rows at a time: [`history`] keeps a reading
//!   every 512 events, at most 96 MiB for all games.
//! - An account that lost a seat is notified by `seat_lost`, however late its stream resumes: `seats.former` names it.
//! - Every game with bots ends: a new game has `max_rounds`, and a log has a greatest length ([`GameLimits`]),
//!   counting undone events. Beyond it the organizer adjudicates; a game of bots alone is given up. The number of
//!   games in which bots are to move is limited, in all and by address.

pub mod accounts;
pub mod audit;
pub mod bodies;
pub mod call;
pub mod counts;
pub mod create;
pub mod deadlines;
pub mod due;
pub mod ending;
pub mod feed;
pub mod follower;
pub mod handlers;
pub mod history;
pub mod import;
pub mod invitations;
pub mod leagues;
pub mod listing;
pub mod log;
pub mod model;
pub mod news;
pub mod occurrences;
pub mod orders;
pub mod play;
pub mod queries;
pub mod read;
pub mod seats;
pub mod signatures;
pub mod stateless;
pub mod table;
pub mod tables;
pub mod undo;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::time::Duration;

use engine::content::Library;
use jiff::Timestamp;
use moka::sync::Cache;
use records::Signature;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

pub use bodies::*;

use crate::accounts::service::Accounts;
use crate::db::answers::KeptAnswer;
use crate::db::jobs::{Task, WorkKind};
use crate::db::projections::Projection;
use crate::db::time::timestamp;
use crate::db::work::Workers;
use crate::db::work::supervise::Supervisor;
use crate::db::{Store, StoreError};
use crate::games::feed::{Feed, Following};
use crate::games::history::Histories;
use crate::games::leagues::LeagueHooks;
use crate::games::model::{Append, Appended, Visibility};
use crate::games::table::{Draft, Table};
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::signing::service::Signing;

/// The most games kept in memory; about 20 KiB each.
const GAMES_IN_MEMORY: u64 = 2_000;

/// For how long a game that nobody asks for is kept in memory.
const IDLE: Duration = Duration::from_secs(30 * 60);

/// How often an append is tried when other writers are first.
pub(crate) const ATTEMPTS: usize = 4;

/// What games may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameLimits {
    /// The events of a game, behind which only its organizer can end it. An undo is one.
    pub events: u64,
    /// The rounds of a game: the most that can be asked for, and how many there are when nothing is.
    pub max_rounds: Option<u32>,
    /// Games at the same time in which a bot is to move; while there are so many, none with a bot is
    /// created.
    pub bot_games: usize,
    /// The same of those that an address has created.
    pub address_bot_games: usize,
    /// Playouts, or milliseconds, that a decision of a bot may take.
    pub bot_budget: u32,
    /// How long bots that play alone wait before each decision.
    pub bot_pause: Duration,
}

impl GameLimits {
    /// No limits, for games that are only read.
    pub const NONE: GameLimits = GameLimits {
        events: u64::MAX,
        max_rounds: None,
        bot_games: usize::MAX,
        address_bot_games: usize::MAX,
        bot_budget: u32::MAX,
        bot_pause: Duration::ZERO,
    };
}

/// A game in memory.
#[derive(Debug)]
pub(crate) struct Live {
    /// Held by the one who appends.
    writing: Mutex<()>,
    current: RwLock<Arc<Table>>,
}

impl Live {
    pub(crate) fn new(table: Table) -> Live {
        Live {
            writing: Mutex::new(()),
            current: RwLock::new(Arc::new(table)),
        }
    }

    pub(crate) fn current(&self) -> Arc<Table> {
        // The picture is replaced as a whole, so a panic elsewhere cannot have left half of one.
        self.current
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn replace(&self, table: Table) {
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(table);
    }

    fn write(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// As [`Live::write`], unless somebody writes.
    fn try_write(&self) -> Option<MutexGuard<'_, ()>> {
        match self.writing.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

/// The games service.
#[derive(Debug)]
pub struct Games {
    pub(crate) store: Arc<Store>,
    pub(crate) library: Arc<Library>,
    pub(crate) live: Cache<Uuid, Arc<Live>>,
    pub(crate) histories: Histories,
    pub(crate) feed: Arc<Feed>,
    /// The threads behind the games.
    pub(crate) supervisor: Supervisor,
    pub(crate) workers: Arc<Workers>,
    pub(crate) limits: GameLimits,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) signing: Arc<Signing>,
    pub(crate) leagues: LeagueHooks,
}

impl Games {
    /// The games of a store. No bot moves until [`Games::start`].
    pub fn new(
        store: Arc<Store>,
        library: Arc<Library>,
        (accounts, signing): (Arc<Accounts>, Arc<Signing>),
        leagues: LeagueHooks,
        limits: GameLimits,
    ) -> Games {
        let supervisor = Supervisor::default();
        let wakes = supervisor.clone();
        store.when_written(move || wakes.wake());
        Games {
            limits,
            workers: Arc::new(Workers::new(store.clone(), supervisor.clone())),
            supervisor,
            store,
            library,
            live: Cache::builder()
                .max_capacity(GAMES_IN_MEMORY)
                .time_to_idle(IDLE)
                .build(),
            histories: Histories::default(),
            feed: Arc::default(),
            accounts,
            signing,
            leagues,
        }
    }

    /// Starts the threads behind the games: bots play on, and what is due is signed.
    pub fn start(self: &Arc<Games>) -> Result<(), ServiceError> {
        due::start(self)?;
        follower::start(self)
    }

    /// What is derived from the logs here.
    pub fn projection(self: &Arc<Games>) -> Box<dyn Projection> {
        listing::projection(self)
    }

    /// Lets the threads behind the games end what they are at and begin nothing else.
    pub fn stop(&self) {
        self.workers.stop();
        // The follower's thread waits for it.
        self.feed.look_around();
    }

    /// Waits until what is under way is done, for so long at the most, and leaves to other nodes what is due.
    pub fn release(&self, patience: Duration) -> Result<(), ServiceError> {
        Ok(self.workers.release(patience)?)
    }

    /// The threads behind the games.
    pub fn supervisor(&self) -> &Supervisor {
        &self.supervisor
    }

    /// Who does what is due.
    pub fn workers(&self) -> &Workers {
        &self.workers
    }

    /// The boards and rulesets that can be played.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Events of a game, or of all, from now on, whoever appends them: each once and in order, when
    /// whoever looks at its game sees it.
    pub fn follow(&self, game: Option<Uuid>) -> Following {
        self.feed.follow(game)
    }

    /// The end of the log of all games; 0 when it is empty.
    pub fn last_position(&self) -> Result<i64, ServiceError> {
        Ok(self.store.last_position()?)
    }

    /// Games that have finished with their last event behind a position of the log of all games,
    /// at most `limit` and only those of some visibilities, each with the position of that event, in their order.
    /// For their records see [`Games::record`]. Their ids are as they are stored; see [`known_id`].
    pub fn finished_after(
        &self,
        position: i64,
        limit: usize,
        shown: &[Visibility],
    ) -> Result<Vec<(String, i64)>, ServiceError> {
        Ok((self.store).finished_after(position, limit as i64, shown)?)
    }

    /// The position of the last event of a public game that has finished; nothing when there is none.
    pub fn finished_at(&self, id: Uuid) -> Result<Option<i64>, ServiceError> {
        Ok(self.store.finished_at(id)?)
    }

    /// When a finished game was recorded here, which is its last event or its import, and who may see it.
    pub fn recorded(&self, id: Uuid) -> Result<(Timestamp, Visibility), ServiceError> {
        let recorded = self.store.recorded(id)?;
        let recorded = recorded.ok_or_else(|| ServiceError::NotFound(format!("game {id}")));
        recorded.map(|(at, visibility)| (timestamp(at), visibility))
    }

    /// How many games are in memory.
    pub fn in_memory(&self) -> u64 {
        self.live.entry_count()
    }

    /// Where a game stands.
    pub fn table(&self, id: Uuid) -> Result<Arc<Table>, ServiceError> {
        Ok(self.live(id)?.current())
    }

    /// Where a game stands, when it is in memory: never waits.
    pub fn table_in_memory(&self, id: Uuid) -> Option<Arc<Table>> {
        Some(self.live.get(&id)?.current())
    }

    fn live(&self, id: Uuid) -> Result<Arc<Live>, ServiceError> {
        if let Some(live) = self.live.get(&id) {
            return Ok(live);
        }
        let entry = (self.live.entry(id))
            .or_try_insert_with(|| Ok(Arc::new(Live::new(self.load(id)?))))
            .map_err(|error: Arc<ServiceError>| match Arc::try_unwrap(error) {
                Ok(error) => error,
                // Others waited for the same game; the error is told again in words.
                Err(error) => match &*error {
                    ServiceError::NotFound(what) => ServiceError::NotFound(what.clone()),
                    ServiceError::Damaged { id, message } => ServiceError::Damaged {
                        id: id.clone(),
                        message: message.clone(),
                    },
                    other => StoreError::Unavailable(other.to_string()).into(),
                },
            })?;
        if entry.is_fresh()
            && let Some(version) = self.store.version(id)?
        {
            // What was written while it was read found no game in memory to bring up to date.
            self.learn(id, |table| table.stored.version >= version)?;
        }
        Ok(entry.into_value())
    }

    fn load(&self, id: Uuid) -> Result<Table, ServiceError> {
        let stored = self.store.game(id)?;
        let (stored, seats) = stored.ok_or_else(|| ServiceError::NotFound(format!("game {id}")))?;
        let reading = self.reading(id, stored.seq + 1)?;
        Table::read(stored, seats, reading)
    }

    /// Changes a game: checks the terms of the call, lets `work` draft what happens, lets bots and
    /// standing orders answer where it says so, and appends. `work` is asked again when another
    /// writer was first.
    fn change<T: Serialize + DeserializeOwned>(
        &self,
        id: Uuid,
        call: &Call,
        work: impl Fn(&Table) -> Result<(Draft, T), ServiceError>,
    ) -> Result<T, ServiceError> {
        let live = self.live(id)?;
        let _writing = live.write();
        for _ in 0..ATTEMPTS {
            if let Some(kept) = call.kept(&self.store)? {
                return Ok(kept);
            }
            let table = live.current();
            let drafted = call.guarded(table.seq(), || work(&table));
            let (draft, answer) = match drafted {
                Ok(drafted) => drafted,
                // Another process may have written what makes it possible.
                Err(_) if self.store.version(id)? != Some(table.stored.version) => {
                    self.show(&live, self.load(id)?);
                    continue;
                }
                Err(refused) => return Err(refused),
            };
            let kept = match &draft.secret_of {
                Some(path) => call.keep_location(path.clone()),
                None => call.keep(&answer),
            };
            match self.commit(draft, kept?) {
                Ok((table, step)) => {
                    self.show(&live, table);
                    self.keep_live(id, &live);
                    self.feed.hand_in(step);
                    return Ok(answer);
                }
                Err(ServiceError::Store(StoreError::Conflict)) => self.show(&live, self.load(id)?),
                Err(other) => return Err(other),
            }
        }
        Err(ServiceError::Conflict(
            "others write to this game at the same time; try again".to_owned(),
        ))
    }

    /// Shows a picture in place of the one before, and tells followers of a wish to go back that came or
    /// went with it. Whoever writes the game or brings it up to date does so.
    fn show(&self, live: &Live, table: Table) {
        let news = (self.feed.is_followed(table.id()))
            .then(|| table.undo_wish_news(&live.current()))
            .flatten();
        let seated = news.map(|news| self.feed.wish(news, &table));
        let before = live.current();
        for token in before.tokens().filter(|token| !table.has_token(token)) {
            self.accounts.forget_holder(token);
        }
        live.replace(table);
        self.feed.has_changed(&live.current());
        if let Some(wish) = seated {
            self.feed.publish_wish(wish);
        }
    }

    /// Puts a game back that fell out of memory while it was written, so that nobody is shown an
    /// older picture.
    fn keep_live(&self, id: Uuid, live: &Arc<Live>) {
        let same = |kept: Arc<Live>| Arc::ptr_eq(&kept, live);
        if !self.live.get(&id).is_some_and(same) {
            self.live.insert(id, live.clone());
        }
    }

    /// Appends a draft. Returns the picture after it, and what followers are told when it is in place.
    fn commit(
        &self,
        draft: Draft,
        answer: Option<KeptAnswer>,
    ) -> Result<(Table, feed::WrittenStep), ServiceError> {
        let (draft, append) = self.ready(draft, answer)?;
        let signature = append.game.signature.clone();
        let appended = self.store.append(append)?;
        Ok(self.appended(draft, appended, signature))
    }

    /// What is to be written of a draft.
    pub(crate) fn ready(
        &self,
        mut draft: Draft,
        answer: Option<KeptAnswer>,
    ) -> Result<(Draft, Append), ServiceError> {
        draft.table.note_pending();
        let due = play::is_automatic(&draft.table);
        let was_automatic = std::mem::replace(&mut draft.table.stored.automatic, due);
        let seats = draft.seats.iter();
        let mut append = Append {
            game: draft.table.stored.clone(),
            seats: seats
                .filter_map(|seat| draft.table.seats.get(usize::from(*seat)).cloned())
                .collect(),
            events: std::mem::take(&mut draft.rows),
            was_automatic,
            was_due_at: draft.was_due_at,
            charged_to: draft.charged_to.take(),
            league_end: (self.leagues.end_of)(&draft.table.stored)?,
            answer,
        };
        self.sign_finished(&mut append, &draft.table.seats);
        Ok((draft, append))
    }

    /// The picture of a draft that was written, and what followers are told when it is in place.
    pub(crate) fn appended(
        &self,
        mut draft: Draft,
        appended: Appended,
        signature: Option<Signature>,
    ) -> (Table, feed::WrittenStep) {
        let Appended { position, version } = appended;
        let stored = &mut draft.table.stored;
        if stored.version == 0 {
            stored.number = position;
        }
        stored.version = version;
        stored.signature = signature;
        metrics::counter!("tabularium_events_appended_total").increment(draft.events.len() as u64);
        let step = (self.feed).step(position as u64, draft.events, &draft.table);
        if draft.table.stored.automatic {
            self.workers.push(Task {
                kind: WorkKind::Bots,
                subject: draft.table.id().to_string(),
            });
        }
        (draft.table, step)
    }
}

impl Drop for Games {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A stored game's id.
///
/// # Errors
/// [`ServiceError::Damaged`] when it is no UUID.
pub fn known_id(stored: &str) -> Result<Uuid, ServiceError> {
    stored.parse().map_err(|_| ServiceError::Damaged {
        id: stored.to_owned(),
        message: "its id is no UUID".to_owned(),
    })
}
