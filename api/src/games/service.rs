//! The games service: which games are in memory, and how a change is made and shown.
//!
//! `change` checks the caller's terms, lets the work draft, and appends; if another writer was first, it loads the game
//! and tries again. What callers may do with games stands in the files that use it.

use std::sync::Arc;
use std::time::Duration;

use engine::content::Library;
use moka::sync::Cache;
use records::Signature;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::accounts::service::Accounts;
use crate::db::answers::KeptAnswer;
use crate::db::jobs::{Task, WorkKind};
use crate::db::work::Workers;
use crate::db::work::supervise::Supervisor;
use crate::db::{Store, StoreError};
use crate::games::access::GameAccess;
use crate::games::draft::Draft;
use crate::games::feed::{Feed, WrittenStep};
use crate::games::history::GameLogs;
use crate::games::leagues::LeagueHooks;
use crate::games::limits::GameLimits;
use crate::games::live::{IDLE, Live};
use crate::games::model::{Append, Appended};
use crate::games::records::GameRecords;
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::signing::service::Signing;

/// The most games kept in memory; about 20 KiB each.
const GAMES_IN_MEMORY: u64 = 2_000;

/// How often an append is tried when other writers are first.
const ATTEMPTS: usize = 4;

/// How long the thread waits for a writer here to show what it has written.
const BETWEEN_TRIES: Duration = Duration::from_micros(200);

/// The games service.
#[derive(Debug)]
pub struct Games {
    /// Checks who may do what.
    pub access: Arc<GameAccess>,
    /// Reads the logs.
    pub logs: Arc<GameLogs>,
    /// Reads the records.
    pub records: Arc<GameRecords>,
    /// Publishes what is written.
    pub feed: Arc<Feed>,
    pub(in crate::games) store: Arc<Store>,
    pub(in crate::games) library: Arc<Library>,
    pub(in crate::games) live: Cache<Uuid, Arc<Live>>,
    /// The threads behind the games.
    pub(in crate::games) supervisor: Supervisor,
    pub(in crate::games) workers: Arc<Workers>,
    pub(in crate::games) limits: GameLimits,
    pub(in crate::games) accounts: Arc<Accounts>,
    pub(in crate::games) signing: Arc<Signing>,
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
            access: Arc::new(GameAccess::new(store.clone(), leagues)),
            logs: Arc::new(GameLogs::new(store.clone(), library.clone())),
            records: Arc::new(GameRecords::new(store.clone(), library.clone())),
            feed: Arc::default(),
            live: Cache::builder()
                .max_capacity(GAMES_IN_MEMORY)
                .time_to_idle(IDLE)
                .build(),
            workers: Arc::new(Workers::new(store.clone(), supervisor.clone())),
            supervisor,
            store,
            library,
            limits,
            accounts,
            signing,
        }
    }

    /// Lets the threads behind the games end what they are at and begin nothing else.
    pub fn stop(&self) {
        self.workers.stop();
        // The follower's thread waits for it.
        self.feed.look_around();
    }

    /// Waits until what is under way is done, for so long at the most, and leaves to other nodes what is scheduled.
    pub fn release(&self, patience: Duration) -> Result<(), ServiceError> {
        Ok(self.workers.release(patience)?)
    }

    /// The threads behind the games.
    pub fn supervisor(&self) -> &Supervisor {
        &self.supervisor
    }

    /// The threads that do scheduled work.
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
                // Others waited for the same game; they receive the error in words.
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
        let reading = self.logs.reading(id, stored.seq + 1)?;
        Table::read(stored, seats, reading)
    }

    /// Brings a game in memory up to date unless it is. One that cannot be read is not kept in memory.
    pub(in crate::games) fn learn(
        &self,
        id: Uuid,
        is_known: impl Fn(&Table) -> bool,
    ) -> Result<(), ServiceError> {
        let Some(live) = self.live.get(&id) else {
            return Ok(());
        };
        while !is_known(&live.current()) {
            // A writer here replaces the snapshot before it lets go, so what is missing when nobody
            // writes is not its own.
            let Some(_writing) = live.try_write() else {
                std::thread::sleep(BETWEEN_TRIES);
                continue;
            };
            if is_known(&live.current()) {
                break;
            }
            match self.load(id) {
                Ok(table) => self.show(&live, table),
                Err(ServiceError::Store(error)) => return Err(error.into()),
                Err(error) => {
                    tracing::error!(game = %id, %error, "it cannot be followed");
                    self.live.invalidate(&id);
                }
            }
            break;
        }
        Ok(())
    }

    /// Changes a game: checks the terms of the call, lets `work` draft what happens, lets bots and
    /// standing orders answer where it says so, and appends. `work` is asked again when another
    /// writer was first.
    pub(in crate::games) fn change<T: Serialize + DeserializeOwned>(
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

    /// Replaces a snapshot, and notifies followers of an undo request that came or went with it. Called by the one that
    /// writes the game or brings it up to date.
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

    /// Puts a game back that fell out of memory while it was written, so that nobody sees an
    /// older snapshot.
    fn keep_live(&self, id: Uuid, live: &Arc<Live>) {
        let same = |kept: Arc<Live>| Arc::ptr_eq(&kept, live);
        if !self.live.get(&id).is_some_and(same) {
            self.live.insert(id, live.clone());
        }
    }

    /// Appends a draft. Returns the snapshot after it, and what followers receive when that is in place.
    pub(in crate::games) fn commit(
        &self,
        draft: Draft,
        answer: Option<KeptAnswer>,
    ) -> Result<(Table, WrittenStep), ServiceError> {
        let (draft, append) = self.ready(draft, answer)?;
        let signature = append.game.signature.clone();
        let appended = self.store.append(append)?;
        Ok(self.appended(draft, appended, signature))
    }

    /// What is to be written of a draft.
    pub(in crate::games) fn ready(
        &self,
        mut draft: Draft,
        answer: Option<KeptAnswer>,
    ) -> Result<(Draft, Append), ServiceError> {
        draft.table.note_pending();
        let due = draft.table.is_automatic();
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
            league_end: self.access.league_end(&draft.table.stored)?,
            answer,
        };
        let seats = &draft.table.seats;
        (self.records).sign_finished(&self.signing, &mut append, seats);
        Ok((draft, append))
    }

    /// The snapshot of a draft that was written, and what followers receive when that is in place.
    pub(in crate::games) fn appended(
        &self,
        mut draft: Draft,
        appended: Appended,
        signature: Option<Signature>,
    ) -> (Table, WrittenStep) {
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
