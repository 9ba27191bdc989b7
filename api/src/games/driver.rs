//! The bots' thread: games in which the next decision is a bot's go on by themselves, each for a
//! stretch at a time, so that a long game does not hold up the others.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use uuid::Uuid;

use super::Games;

/// Where games are handed in.
#[derive(Debug, Default)]
pub struct Driver {
    queue: Mutex<Option<Sender<Uuid>>>,
}

impl Driver {
    /// Starts the thread. It ends with [`Driver::stop`] or when the service is gone.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(&self, games: &Arc<Games>) -> std::io::Result<()> {
        let (sender, queue) = channel();
        *self.lock() = Some(sender);
        let games = Arc::downgrade(games);
        std::thread::Builder::new()
            .name("bots".to_owned())
            .spawn(move || drive(&games, &queue))?;
        Ok(())
    }

    /// Hands in a game.
    pub fn push(&self, id: Uuid) {
        if let Some(queue) = &*self.lock() {
            // After the stop the game waits for the next start.
            let _ = queue.send(id);
        }
    }

    /// Takes no more games.
    pub fn stop(&self) {
        *self.lock() = None;
    }

    /// Whether no more games are taken.
    pub fn is_stopped(&self) -> bool {
        self.lock().is_none()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Sender<Uuid>>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn drive(games: &Weak<Games>, queue: &Receiver<Uuid>) {
    while let Ok(id) = queue.recv() {
        let Some(games) = games.upgrade() else {
            return;
        };
        if games.driver.is_stopped() {
            return;
        }
        // A game that goes on is handed in again by its append.
        if let Err(error) = games.advance(id) {
            tracing::error!(game = %id, %error, "the bots cannot go on");
        }
    }
}
