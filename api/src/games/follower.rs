//! The follower's thread: takes in all that is written, here and by other processes, in the order of the
//! log of all games, so that games in memory keep up with it, and publishes each event once.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use uuid::Uuid;

use crate::db::StoreError;
use crate::db::changes::WakeReason;
use crate::db::work::supervise::Next;
use crate::games::bodies::EventBody;
use crate::games::queries::log::{LogFilter, LogPart, Logged};
use crate::games::service::Games;
use crate::http::error::ServiceError;

/// How many events are taken at once.
const CHUNK: usize = 1_000;

/// Starts the thread, and one that wakes it when other processes may have written. They end when the
/// service stops or is gone.
pub fn start(games: &Arc<Games>) -> Result<(), ServiceError> {
    let Some(poked) = games.feed.poked() else {
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
            games.feed.look_around();
            games.supervisor.wake();
        }
        Ok(Next::Now)
    };
    let follow = move || match poked.recv().ok().and_then(|()| games_weak.upgrade()) {
        Some(games) => games.catch_up(&mut known).map(|()| Next::Now),
        None => Ok(Next::End),
    };
    let supervisor = &games.supervisor;
    let spawned = (supervisor.supervise("changes", Duration::ZERO, wake))
        .and_then(|()| supervisor.supervise("follower", Duration::ZERO, follow));
    spawned.map_err(|error| StoreError::Unavailable(error.to_string()))?;
    Ok(())
}

/// What a node has taken in of what is written.
#[derive(Clone, Copy, Debug)]
struct NodePosition {
    /// The last event, by its position in the log of all games.
    position: u64,
    /// The last version of any game.
    version: i64,
}

impl Games {
    /// Takes in what was written behind what is known. What was written here has been handed in; the
    /// store is asked for what comes between, and when others may have written.
    fn catch_up(&self, known: &mut NodePosition) -> Result<(), ServiceError> {
        let look_around = self.feed.is_to_look_around();
        known.position = self.feed.publish_steps(known.position);
        if look_around || self.feed.has_steps() {
            self.take_events(known)?;
        }
        if look_around {
            self.take_versions(known)?;
        }
        Ok(())
    }

    fn take_events(&self, known: &mut NodePosition) -> Result<(), ServiceError> {
        let all = LogFilter::default();
        loop {
            known.position = self.feed.publish_steps(known.position);
            let LogPart {
                mut rows,
                reached,
                more,
            } = self.store.log_part(&all, known.position, CHUNK)?;
            // From where on it was handed in, the store need not be asked.
            let handed_in = |row: &Logged| self.feed.has_step(row.position);
            let until = rows.iter().position(handed_in);
            rows.truncate(until.unwrap_or(rows.len()));
            let places: Vec<EventPlace> = rows.iter().map(EventPlace::of).collect();
            rows.retain(|row| {
                EventPlace::of(row)
                    .game
                    .is_some_and(|id| self.feed.is_followed(id))
            });
            let told = self.logs.events_of(rows)?.into_iter();
            let mut told: HashMap<u64, EventBody> = told
                .filter_map(|event| Some((event.position?, event)))
                .collect();
            let mut all_taken = until.is_none();
            for place in places {
                if let EventPlace {
                    game: Some(id),
                    seq: Some(seq),
                    ..
                } = place
                {
                    self.learn(id, |table| table.seq() >= seq)?;
                }
                if self.feed.has_step(place.position) {
                    // It was written here and has been handed in meanwhile.
                    all_taken = false;
                    break;
                }
                if let Some(event) = told.remove(&place.position) {
                    let table = self.table(event.game).ok();
                    let published = self.feed.published(&event, table.as_deref());
                    self.feed.publish(published);
                }
                known.position = place.position;
            }
            if all_taken {
                known.position = known.position.max(reached);
                if !more {
                    return Ok(());
                }
            }
        }
    }

    /// Takes in games that were changed without an event.
    fn take_versions(&self, known: &mut NodePosition) -> Result<(), ServiceError> {
        loop {
            // Asked first: what comes in meanwhile is left for the next time.
            let last = self.store.last_version()?;
            if last <= known.version {
                return Ok(());
            }
            let changed = self.store.changed_after(known.version, CHUNK as i64)?;
            if changed.is_empty() {
                // What had these versions has later ones by now.
                known.version = last;
            }
            // Who listens need not have the game in memory.
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
                    self.feed.concerns(account, game);
                }
            }
        }
    }
}

/// Where an event stands.
#[derive(Clone, Copy, Debug)]
struct EventPlace {
    game: Option<Uuid>,
    /// In the game's log, where that can be read.
    seq: Option<u64>,
    position: u64,
}

impl EventPlace {
    fn of(row: &Logged) -> EventPlace {
        EventPlace {
            game: row.game.parse().ok(),
            seq: row.row.as_ref().ok().map(|row| row.row.seq),
            position: row.position,
        }
    }
}
