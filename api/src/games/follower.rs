//! The follower: a thread that reads everything that any process has written, and publishes it.
//!
//! It processes the log of all games in order, keeps the games in memory up to date, and publishes each event once.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use uuid::Uuid;

use crate::db::StoreError;
use crate::db::changes::WakeReason;
use crate::db::work::supervise::Next;
use crate::games::bodies::EventBody;
use crate::games::queries::log::{LogFilter, LogPart, LoggedEvent};
use crate::games::service::Games;
use crate::http::error::ServiceError;

/// How many events are read at a time.
const CHUNK: usize = 1_000;

/// Starts the thread, and one that wakes it when other processes may have written.
/// They end when the service stops or is dropped.
pub fn start(games: &Arc<Games>) -> Result<(), ServiceError> {
    let Some(wakeups) = games.feed.take_wakeups() else {
        return Ok(());
    };
    let mut changes = games.store.changes();
    let mut known = NodePosition {
        position: games.store.last_position()?.max(0) as u64,
        version: games.store.last_version()?,
    };
    let (waker, games_weak) = (Arc::downgrade(games), Arc::downgrade(games));
    let wake = move || {
        let change = changes.wait();
        let Some(games) = Weak::upgrade(&waker) else {
            return Ok::<Next, ServiceError>(Next::End);
        };
        if change != WakeReason::None {
            games.feed.request_check();
            games.supervisor.wake();
        }
        Ok(Next::Now)
    };
    let follow = move || match wakeups.recv().ok().and_then(|()| games_weak.upgrade()) {
        Some(games) => games.catch_up(&mut known).map(|()| Next::Now),
        None => Ok(Next::End),
    };
    let supervisor = &games.supervisor;
    let spawned = (supervisor.supervise("changes", Duration::ZERO, wake))
        .and_then(|()| supervisor.supervise("follower", Duration::ZERO, follow));
    spawned.map_err(|error| StoreError::Unavailable(error.to_string()))?;
    Ok(())
}

/// How far a node has processed what is written.
#[derive(Clone, Copy, Debug)]
struct NodePosition {
    /// The position of the last event in the log of all games.
    position: u64,
    /// The greatest version of any game.
    version: i64,
}

impl Games {
    /// Processes what was written since the last call.
    /// Steps of this node are in the feed. The store is read for the gaps between them, and when other processes may
    /// have written.
    fn catch_up(&self, known: &mut NodePosition) -> Result<(), ServiceError> {
        let check_store = self.feed.take_check_request();
        known.position = self.feed.publish_steps(known.position);
        if check_store || self.feed.has_steps() {
            self.catch_up_events(known)?;
        }
        if check_store {
            self.catch_up_versions(known)?;
        }
        Ok(())
    }

    fn catch_up_events(&self, known: &mut NodePosition) -> Result<(), ServiceError> {
        let all = LogFilter::default();
        loop {
            known.position = self.feed.publish_steps(known.position);
            let LogPart {
                mut rows,
                reached,
                more,
            } = self.store.log_part(&all, known.position, CHUNK)?;
            // From the first event that is in the feed on, the store is not needed.
            let is_queued = |row: &LoggedEvent| self.feed.has_step(row.position);
            let until = rows.iter().position(is_queued);
            rows.truncate(until.unwrap_or(rows.len()));
            let places: Vec<EventPlace> = rows.iter().map(EventPlace::from_row).collect();
            // Before followers are looked for: who follows later reads these games.
            for place in &places {
                if let (Some(id), Some(seq)) = (place.game, place.seq) {
                    self.learn(id, |table| table.seq() >= seq)?;
                }
            }
            rows.retain(|row| {
                EventPlace::from_row(row)
                    .game
                    .is_some_and(|id| self.feed.is_followed(id))
            });
            let mut events: HashMap<u64, EventBody> = (self.logs.events_of(rows)?.into_iter())
                .filter_map(|event| Some((event.position?, event)))
                .collect();
            let mut all_read = until.is_none();
            for place in places {
                if self.feed.has_step(place.position) {
                    // This node wrote it and has queued it since.
                    all_read = false;
                    break;
                }
                if let Some(event) = events.remove(&place.position) {
                    let table = self.table(event.game).ok();
                    let event = self.feed.prepare_event(&event, table.as_deref());
                    self.feed.publish(event);
                }
                known.position = place.position;
            }
            if all_read {
                known.position = known.position.max(reached);
                if !more {
                    return Ok(());
                }
            }
        }
    }

    /// Processes games that were changed without an event.
    fn catch_up_versions(&self, known: &mut NodePosition) -> Result<(), ServiceError> {
        loop {
            // Read first, so that later changes are left for the next time.
            let last = self.store.last_version()?;
            if last <= known.version {
                return Ok(());
            }
            let changed = self.store.changed_after(known.version, CHUNK as i64)?;
            if changed.is_empty() {
                // The games with these versions have greater ones since.
                known.version = last;
            }
            // A listening account is notified even if the game is not in memory.
            let concerned = match self.feed.has_listeners() {
                true => self
                    .store
                    .accounts_at(changed.iter().map(|(id, _)| id.as_str()))?,
                false => Vec::new(),
            };
            for (id, version) in changed {
                if let Ok(id) = id.parse() {
                    self.learn(id, |table| table.stored.version >= version)?;
                }
                known.version = version;
            }
            for (game, account) in concerned {
                if let (Ok(game), Ok(account)) = (game.parse(), account.parse()) {
                    self.feed.notify_account(account, game);
                }
            }
        }
    }
}

/// The place of an event in the logs.
#[derive(Clone, Copy, Debug)]
struct EventPlace {
    game: Option<Uuid>,
    /// The number in the game's log, if the row can be read.
    seq: Option<u64>,
    position: u64,
}

impl EventPlace {
    fn from_row(row: &LoggedEvent) -> EventPlace {
        EventPlace {
            game: row.game.parse().ok(),
            seq: row.row.as_ref().ok().map(|row| row.row.seq),
            position: row.position,
        }
    }
}
