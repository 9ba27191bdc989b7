//! Moves committed pages from SQLite's write-ahead log into the database file, beside the writer.
//!
//! Otherwise the writer does this within a commit, which then takes about ten times as long and delays the writes
//! behind it. <https://sqlite.org/wal.html#ckpt>

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use diesel::connection::SimpleConnection;
use diesel::r2d2::ManageConnection;

use crate::db::StoreError;
use crate::db::connection::{AnyConnection, Manager};

/// The number of commits between two runs.
const COMMITS: usize = 64;

/// The thread that moves pages. Dropping this ends the thread.
#[derive(Debug)]
pub(crate) struct Backfill {
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    commits: usize,
}

impl Backfill {
    /// Starts the thread. Returns `None` if the database is not a file.
    pub(crate) fn start(manager: &Manager) -> Result<Option<Backfill>, StoreError> {
        let connection = match manager.file() {
            Some(_) => manager
                .connect()
                .map_err(|error| StoreError::Unavailable(error.to_string()))?,
            None => return Ok(None),
        };
        let (wake, waiting) = sync_channel(1);
        let thread = std::thread::Builder::new()
            .name("backfill".to_owned())
            .spawn(move || move_all(connection, &waiting))
            .map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(Some(Backfill {
            wake: Some(wake),
            thread: Some(thread),
            commits: 0,
        }))
    }

    /// Counts a commit and wakes the thread after every [`COMMITS`] of them.
    pub(crate) fn note_commit(&mut self) {
        self.commits += 1;
        if self.commits < COMMITS {
            return;
        }
        self.commits = 0;
        if let Some(Err(TrySendError::Disconnected(()))) =
            self.wake.as_ref().map(|wake| wake.try_send(()))
        {
            // SQLite moves the pages in a commit when the log has grown.
            self.wake = None;
        }
    }
}

impl Drop for Backfill {
    fn drop(&mut self) {
        self.wake = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn move_all(mut connection: AnyConnection, waiting: &Receiver<()>) {
    while waiting.recv().is_ok() {
        // PASSIVE moves only the pages that no reader needs, and does not block the writer.
        if let Err(error) = connection.batch_execute("PRAGMA wal_checkpoint(PASSIVE)") {
            tracing::debug!(%error, "cannot move the write-ahead log into the database file; trying again later");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use diesel::connection::SimpleConnection;

    use super::*;
    use crate::db::Store;

    #[test]
    fn committed_pages_reach_the_database_file_beside_the_writer() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.db");
        let url = format!("sqlite:{}", file.display()).into();
        let store = Store::open(&url).unwrap();
        let write = |statement: &'static str| {
            let written = store.write(move |connection| Ok(connection.batch_execute(statement)?));
            written.unwrap();
        };
        write("CREATE TABLE test (bytes BLOB)");
        let length = || std::fs::metadata(&file).unwrap().len();
        let before = length();
        // Too few pages for the writer to move them itself.
        for _ in 0..2 * COMMITS {
            write("INSERT INTO test VALUES (zeroblob(4000))");
        }
        let begun = Instant::now();
        while length() < before + 4000 * COMMITS as u64 {
            assert!(begun.elapsed() < Duration::from_secs(30), "{before}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
