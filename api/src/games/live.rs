//! A game in memory: its newest snapshot, and a lock for its writer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::time::Duration;

use crate::games::table::Table;

/// How long an unused game stays in memory.
pub(in crate::games) const IDLE: Duration = Duration::from_secs(30 * 60);

/// A game in memory.
#[derive(Debug)]
pub(in crate::games) struct Live {
    /// Held while the game is written.
    writing: Mutex<()>,
    current: RwLock<Arc<Table>>,
}

impl Live {
    pub(in crate::games) fn new(table: Table) -> Live {
        Live {
            writing: Mutex::new(()),
            current: RwLock::new(Arc::new(table)),
        }
    }

    pub(in crate::games) fn current(&self) -> Arc<Table> {
        // The snapshot is replaced as a whole, so a panic elsewhere cannot leave half of one.
        self.current
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(in crate::games) fn replace(&self, table: Table) {
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(table);
    }

    pub(in crate::games) fn write(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the lock like [`Live::write`], but returns `None` if it is held.
    pub(in crate::games) fn try_write(&self) -> Option<MutexGuard<'_, ()>> {
        match self.writing.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}
