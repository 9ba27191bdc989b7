//! The games service: the games in memory, and how changes are made and published.
//!
//! `change` checks the conditions of the call, lets its work create a draft, and appends the draft. If another writer
//! was first, it loads the game and tries again. What callers may do with games is in other files.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use engine::content::Library;
use moka::sync::Cache;
use records::Signature;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::accounts::service::Accounts;
use crate::db::answers::KeptRequest;
use crate::db::backup::schedule::ScheduledBackups;
use crate::db::jobs::{Task, WorkKind};
use crate::db::work::Workers;
use crate::db::work::supervise::Supervisor;
use crate::db::{Store, StoreError};
use crate::games::access::GameAccess;
use crate::games::draft::Draft;
use crate::games::feed::{BiddingChange, ChatChange, Feed, WrittenStep};
use crate::games::history::GameLogs;
use crate::games::leagues::LeagueHooks;
use crate::games::limits::GameLimits;
use crate::games::live::{IDLE, Live};
use crate::games::model::{Append, AppendedEvents};
use crate::games::records::GameRecords;
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};
use crate::signing::service::Signing;

/// The most games in memory, about 20 KiB each.
const GAMES_IN_MEMORY: u64 = 2_000;

/// How often a change is tried when other writers are first.
const ATTEMPTS: usize = 4;

/// How long a thread waits between two tries to lock a game that another thread writes.
const BETWEEN_TRIES: Duration = Duration::from_micros(200);

/// The games service.
#[derive(Debug)]
pub struct Games {
    /// Checks what callers may do.
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
    /// The threads of the games.
    pub(in crate::games) supervisor: Supervisor,
    pub(in crate::games) workers: Arc<Workers>,
    pub(in crate::games) limits: GameLimits,
    pub(crate) accounts: Arc<Accounts>,
    pub(in crate::games) signing: Arc<Signing>,
    /// The scheduled backups; empty if this node makes none.
    pub(in crate::games) backups: OnceLock<ScheduledBackups>,
}

impl Games {
    /// Creates the service. No bot moves before [`Games::start`].
    pub fn new(
        store: Arc<Store>,
        library: Arc<Library>,
        (accounts, signing): (Arc<Accounts>, Arc<Signing>),
        leagues: LeagueHooks,
        limits: GameLimits,
    ) -> Games {
        let supervisor = Supervisor::default();
        let wakes = supervisor.clone();
        store.on_commit(move || wakes.wake());
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
            backups: OnceLock::new(),
        }
    }

    /// Lets the threads of the games finish their present steps and start no others.
    pub fn stop(&self) {
        self.workers.stop();
        // The follower's thread waits for a wake-up.
        self.feed.request_check();
    }

    /// Waits at most for `patience` until running work is done, and releases the rest to other nodes.
    pub fn release(&self, patience: Duration) -> Result<(), ServiceError> {
        Ok(self.workers.release(patience)?)
    }

    /// Returns the threads of the games.
    pub fn supervisor(&self) -> &Supervisor {
        &self.supervisor
    }

    /// Returns the threads that do scheduled work.
    pub fn workers(&self) -> &Workers {
        &self.workers
    }

    /// Returns the library of boards and rulesets.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Returns the store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Returns the store, to share it.
    pub fn shared_store(&self) -> &Arc<Store> {
        &self.store
    }

    /// Returns games whose version is greater, each with its version, in order.
    pub(crate) fn changed_after(
        &self,
        version: i64,
        limit: usize,
    ) -> Result<Vec<(String, i64)>, StoreError> {
        self.store.changed_after(version, limit as i64)
    }

    /// Returns the number of games in memory.
    pub fn in_memory(&self) -> u64 {
        self.live.entry_count()
    }

    /// Returns the snapshot of a game, from memory or the store.
    pub fn table(&self, id: Uuid) -> Result<Arc<Table>, ServiceError> {
        Ok(self.live(id)?.current())
    }

    /// Returns the snapshot of a game with all that was stored before the call.
    ///
    /// The snapshot in memory may lack what this node or another has just stored. What is done once for each stored
    /// change must not miss that.
    pub fn latest(&self, id: Uuid) -> Result<Arc<Table>, ServiceError> {
        self.learn_stored(id)?;
        self.table(id)
    }

    /// Returns the snapshot of a game if it is in memory. Never waits.
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
                // Several callers waited for the same game, and each needs an error of its own.
                Err(error) => match &*error {
                    ServiceError::NotFound(what) => ServiceError::NotFound(what.clone()),
                    ServiceError::Damaged { id, message } => ServiceError::Damaged {
                        id: id.clone(),
                        message: message.clone(),
                    },
                    other => StoreError::Unavailable(other.to_string()).into(),
                },
            })?;
        if entry.is_fresh() {
            // A write during the load did not find the game in memory, so it must be checked again.
            self.learn_stored(id)?;
        }
        Ok(entry.into_value())
    }

    pub(in crate::games) fn load(&self, id: Uuid) -> Result<Table, ServiceError> {
        let stored = self.store.game(id)?;
        let (stored, seats) = stored.ok_or_else(|| ServiceError::NotFound(format!("game {id}")))?;
        let reading = self.logs.reading(id, stored.seq + 1)?;
        let clock = self.logs.clocks(&stored, &reading)?;
        Table::read(stored, seats, reading, clock)
    }

    /// Loads a game in memory again unless it has all that is stored.
    pub(in crate::games) fn learn_stored(&self, id: Uuid) -> Result<(), ServiceError> {
        match self.store.version(id)? {
            Some(version) => self.learn(id, |table| table.stored.version >= version),
            None => Ok(()),
        }
    }

    /// Loads a game in memory again unless it is up to date.
    /// A game that cannot be read is removed from memory.
    pub(in crate::games) fn learn(
        &self,
        id: Uuid,
        is_known: impl Fn(&Table) -> bool,
    ) -> Result<(), ServiceError> {
        let Some(live) = self.live.get(&id) else {
            return Ok(());
        };
        while !is_known(&live.current()) {
            // A writer of this node replaces the snapshot before it unlocks. So a missing change without a writer is
            // another node's.
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
                    tracing::error!(game = %id, %error, "cannot load a changed game; it is removed from memory");
                    self.live.invalidate(&id);
                }
            }
            break;
        }
        Ok(())
    }

    /// Changes a game: checks the conditions of the call, lets `work` create a draft, and appends it.
    /// `work` is called again if another writer was first.
    pub(in crate::games) fn change<T: Serialize + DeserializeOwned>(
        &self,
        id: Uuid,
        call: &Call,
        work: impl Fn(&Table) -> Result<(Draft, T), ServiceError>,
    ) -> Result<T, ServiceError> {
        let live = self.live(id)?;
        let _writing = live.write();
        for _ in 0..ATTEMPTS {
            let kept = call.stored_answer(&self.store);
            // What was done before may be unknown here: another node did it, or the connection was lost after the commit.
            if !matches!(kept, Ok(None))
                && self.store.version(id)? != Some(live.current().stored.version)
            {
                self.show(&live, self.load(id)?);
            }
            if let Some(kept) = kept? {
                return Ok(kept);
            }
            let table = live.current();
            let (draft, answer) = match call.guarded(table.seq(), || work(&table)) {
                Ok(drafted) => drafted,
                // Another process may have written what makes the request valid.
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
                    self.show_step(&live, table, step);
                    return Ok(answer);
                }
                Err(ServiceError::Store(StoreError::Conflict)) => self.show(&live, self.load(id)?),
                Err(other) => return Err(other),
            }
        }
        Err(ServiceError::conflict(
            ConflictKind::ConcurrentChange,
            "other requests change this game at the same time: retry",
        ))
    }

    /// Shows a written step, and then publishes it. The caller must hold the lock of the game.
    fn show_step(&self, live: &Arc<Live>, table: Table, step: WrittenStep) {
        self.show(live, table);
        let table = live.current();
        self.keep_live(table.id(), live);
        self.feed.enqueue(step, &table);
    }

    /// Replaces a snapshot, and then notifies followers of what changed without an event.
    /// The caller must hold the lock of the game.
    fn show(&self, live: &Live, table: Table) {
        let before = live.current();
        for token in before.tokens().filter(|token| !table.has_token(token)) {
            self.accounts.forget_holder(token);
        }
        live.replace(table);
        let table = live.current();
        let chat = ChatChange::of(&table);
        if chat != ChatChange::of(&before) {
            self.feed.publish_notice(chat.game, "chat", &chat);
        }
        if let Some(bidding) = &table.stored.bidding
            && before.stored.bidding.as_ref() != Some(bidding)
        {
            let change = BiddingChange {
                game: table.id(),
                missing: bidding.missing(&table.players()),
            };
            self.feed.publish_notice(change.game, "bidding", &change);
        }
        self.feed.notify_accounts(&table);
        if self.feed.is_followed(table.id())
            && let Some(change) = table.undo_request_change(&before)
        {
            let request = self.feed.prepare_undo_request(change, &table);
            self.feed.publish_undo_request(request);
        }
    }

    /// Puts a game back that was evicted from memory during a write, so that no snapshot gets older.
    fn keep_live(&self, id: Uuid, live: &Arc<Live>) {
        let same = |kept: Arc<Live>| Arc::ptr_eq(&kept, live);
        if !self.live.get(&id).is_some_and(same) {
            self.live.insert(id, live.clone());
        }
    }

    /// Appends a draft.
    /// Returns the snapshot after it, and the step to publish when the snapshot is in place.
    pub(in crate::games) fn commit(
        &self,
        draft: Draft,
        answer: Option<KeptRequest>,
    ) -> Result<(Table, WrittenStep), ServiceError> {
        let (draft, append) = self.prepare_append(draft, answer)?;
        let signature = append.game.signature.clone();
        let appended = self.store.append(append)?;
        Ok(self.finish_append(draft, appended, signature))
    }

    /// Prepares a draft for writing.
    pub(in crate::games) fn prepare_append(
        &self,
        mut draft: Draft,
        answer: Option<KeptRequest>,
    ) -> Result<(Draft, Append), ServiceError> {
        draft.table.store_pending();
        let due = draft.table.is_automatic();
        let was_automatic = std::mem::replace(&mut draft.table.stored.automatic, due);
        let seats = draft.seats.iter();
        let mut append = Append {
            game: draft.table.stored.clone(),
            seats: seats
                .filter_map(|seat| draft.table.seats.get(usize::from(*seat)).cloned())
                .collect(),
            events: std::mem::take(&mut draft.rows),
            bidding_changed: draft.bidding_changed,
            was_automatic,
            was_due_at: draft.was_due_at,
            charged_to: draft.charged_to.take(),
            league_event: self
                .access
                .league_event(&draft.table.stored, draft.bidding_changed)?,
            answer,
        };
        let seats = &draft.table.seats;
        (self.records).sign_finished(&self.signing, &mut append, seats);
        Ok((draft, append))
    }

    /// Returns the snapshot of a written draft, and the step to publish when the snapshot is in place.
    pub(in crate::games) fn finish_append(
        &self,
        mut draft: Draft,
        appended: AppendedEvents,
        signature: Option<Signature>,
    ) -> (Table, WrittenStep) {
        let AppendedEvents { position, version } = appended;
        let stored = &mut draft.table.stored;
        if stored.version == 0 {
            stored.number = position;
        }
        stored.version = version;
        stored.signature = signature;
        metrics::counter!("tabularium_events_appended_total").increment(draft.events.len() as u64);
        let step = WrittenStep {
            position: position as u64,
            events: draft.events,
        };
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

#[cfg(test)]
mod tests {
    use engine::play::Payments;
    use futures_util::FutureExt;
    use serde_json::json;

    use super::*;
    use crate::games::bodies::NewGame;
    use crate::games::feed::FeedMessage;
    use crate::services::Services;

    /// It reads the game before the step, so the feed must send the step.
    #[test]
    fn a_follower_that_comes_between_the_commit_of_a_step_and_its_snapshot_receives_it() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("a.db").display());
        let store = Arc::new(Store::open(&url.into()).unwrap());
        let library = Arc::new(Library::embedded().clone());
        let games = Services::open(store, library, None).games;
        let new: NewGame = serde_json::from_value(json!({
            "edition": "antike_duellum", "board": "duellum-rome-carthage",
            "seats": [{"player": {"placeholder": "Dido"}}, {"player": {"placeholder": "Scipio"}}],
        }))
        .unwrap();
        let created = games.create(&Call::default(), &new).unwrap();
        let id = created.game.summary.id;
        let live = games.live(id).unwrap();
        let before = live.current();
        let question = before.game.question(&before.state).unwrap();
        let mut actions = Vec::new();
        (before.game).legal_actions(&before.state, Payments::Default, &mut actions);
        let mut draft = Draft::new(&before, games.store.now());
        draft.act(question.nation(), actions[0]).unwrap();
        let (table, step) = games.commit(draft, None).unwrap();

        let mut following = games.feed.follow(Some(id));
        assert_eq!(games.table(id).unwrap().seq(), 0);
        games.show_step(&live, table, step);
        assert_eq!(games.feed.publish_steps(0), 2);
        let received = following.next().now_or_never();
        let Some(Ok(FeedMessage::Event(event))) = received else {
            panic!("{received:?}");
        };
        assert_eq!(event.seq, 1);
    }
}
