//! The games in memory: of each the newest snapshot, and whether somebody writes it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::time::Duration;

use crate::games::table::Table;

/// For how long a game that nobody asks for is kept in memory.
pub(in crate::games) const IDLE: Duration = Duration::from_secs(30 * 60);

/// A game in memory.
#[derive(Debug)]
pub(in crate::games) struct Live {
    /// Held by the one who appends.
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
        // The snapshot is replaced as a whole, so a panic elsewhere cannot have left half of one.
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

    /// As [`Live::write`], unless somebody writes.
    pub(in crate::games) fn try_write(&self) -> Option<MutexGuard<'_, ()>> {
        match self.writing.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}
