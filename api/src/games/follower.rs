//! The followers' thread: takes in events that other processes have written to the same database, so
//! that games in memory and live streams here keep up with them.

use std::sync::{Arc, Weak};
use std::time::Duration;

use uuid::Uuid;

use super::table::Table;
use super::{GameError, Games, Published};
use crate::store::LogRow;
use crate::work::Next;

/// How many events are taken at once.
const CHUNK: i64 = 1_000;

/// Starts the thread. It ends when the service stops or is gone.
///
/// # Errors
/// When the store fails or the system gives no thread.
pub fn start(games: &Arc<Games>) -> Result<(), GameError> {
    let mut changes = games.store.changes();
    let mut known = Known {
        position: games.store.last_position()?,
        version: games.store.last_version()?,
    };
    let weak = Arc::downgrade(games);
    let step = move || {
        changes.wait();
        match Weak::upgrade(&weak) {
            Some(games) => games.catch_up(&mut known).map(|()| Next::Now),
            None => Ok(Next::End),
        }
    };
    let spawned = (games.supervisor).supervise("follower", Duration::ZERO, step);
    spawned.map_err(|error| crate::store::StoreError::Unavailable(error.to_string()))?;
    Ok(())
}

/// What a node has taken in of what is written.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The last event, by its position in the log of all games.
    position: i64,
    /// The last version of any game.
    version: i64,
}

impl Games {
    /// Takes in the events behind a position, and games that were changed without an event.
    fn catch_up(&self, known: &mut Known) -> Result<(), GameError> {
        while self.store.last_position()? > known.position {
            for (id, LogRow { position, row }) in self.store.events_after(known.position, CHUNK)? {
                known.position = position as i64;
                let Ok(id) = id.parse() else {
                    continue;
                };
                if self.learn(id, |table| table.seq() >= row.seq)? {
                    // Nobody may have stayed to listen.
                    let _ = self.published.send(Arc::new(Published {
                        game: id,
                        seq: row.seq,
                        position,
                        json: None,
                    }));
                }
            }
        }
        loop {
            // Asked first: what comes in meanwhile is left for the next time.
            let last = self.store.last_version()?;
            if last <= known.version {
                return Ok(());
            }
            let changed = self.store.changed_after(known.version, CHUNK)?;
            if changed.is_empty() {
                // What had these versions has later ones by now.
                known.version = last;
            }
            for (id, version) in changed {
                known.version = version;
                if let Ok(id) = id.parse() {
                    self.learn(id, |table| table.stored.version >= version)?;
                }
            }
        }
    }

    /// Brings a game in memory up to date unless it is. Says whether there was news here; of games that
    /// are not in memory everything is.
    fn learn(&self, id: Uuid, is_known: impl Fn(&Table) -> bool) -> Result<bool, GameError> {
        let Some(live) = self.live.get(&id) else {
            return Ok(true);
        };
        if is_known(&live.current()) {
            return Ok(false);
        }
        {
            // A writer here shows its picture before it lets go, so what is missing then is not
            // its own.
            let _writing = live.write();
            if is_known(&live.current()) {
                return Ok(false);
            }
            live.replace(self.load(id)?);
        }
        Ok(true)
    }
}
