//! The followers' thread: takes in events that other processes have written to the same database, so
//! that games in memory and live streams here keep up with them.

use std::sync::{Arc, Weak};

use uuid::Uuid;

use super::{GameError, Games, Published};

/// How many events are taken at once.
const CHUNK: i64 = 1_000;

/// Starts the thread. It ends when the service stops or is gone.
///
/// # Errors
/// When the store fails or the system gives no thread.
pub fn start(games: &Arc<Games>) -> Result<(), GameError> {
    let mut changes = games.store.changes();
    let mut position = games.store.last_position()?;
    let games = Arc::downgrade(games);
    let spawned = std::thread::Builder::new()
        .name("follower".to_owned())
        .spawn(move || {
            loop {
                changes.wait();
                let Some(games) = still_running(&games) else {
                    return;
                };
                match games.catch_up(position) {
                    Ok(end) => position = end,
                    Err(error) => tracing::warn!(%error, "cannot follow other processes"),
                }
            }
        });
    spawned.map_err(|error| crate::store::StoreError::Unavailable(error.to_string()))?;
    Ok(())
}

fn still_running(games: &Weak<Games>) -> Option<Arc<Games>> {
    games.upgrade().filter(|games| !games.driver.is_stopped())
}

impl Games {
    /// Takes in the events behind a position and returns the new one.
    fn catch_up(&self, mut position: i64) -> Result<i64, GameError> {
        while self.store.last_position()? > position {
            for row in self.store.events_after(position, CHUNK)? {
                position = row.position;
                let Ok(id) = row.game_id.parse() else {
                    continue;
                };
                let seq = row.seq as u64;
                if self.learn(id, seq)? {
                    // Nobody may have stayed to listen.
                    let _ = self.published.send(Arc::new(Published {
                        game: id,
                        seq,
                        position: row.position as u64,
                        json: None,
                    }));
                }
            }
        }
        Ok(position)
    }

    /// Brings a game in memory up to an event. Says whether the event was news here.
    fn learn(&self, id: Uuid, seq: u64) -> Result<bool, GameError> {
        let Some(live) = self.live.get(&id) else {
            return Ok(true);
        };
        if live.current().seq() >= seq {
            return Ok(false);
        }
        {
            // A writer here shows its picture before it lets go, so what is missing then is not
            // its own.
            let _writing = live.write();
            if live.current().seq() >= seq {
                return Ok(false);
            }
            live.replace(self.load(id)?);
        }
        Ok(true)
    }
}
