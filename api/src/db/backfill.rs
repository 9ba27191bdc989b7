//! Moves what is committed from SQLite's write-ahead log into the database beside the writer, who else does it
//! within a commit, which then takes some ten times as long and makes those behind it wait.
//! <https://sqlite.org/wal.html#ckpt>

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use diesel::connection::SimpleConnection;
use diesel::r2d2::ManageConnection;

use crate::db::StoreError;
use crate::db::connection::{AnyConnection, Manager};

/// After how many commits the log is looked at again.
const COMMITS: usize = 64;

/// The hand that moves. Dropping it ends the thread.
#[derive(Debug)]
pub(crate) struct Backfill {
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    commits: usize,
}

impl Backfill {
    /// Starts the thread; nothing for a database that is no file.
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

    /// Something was committed.
    pub(crate) fn committed(&mut self) {
        self.commits += 1;
        if self.commits < COMMITS {
            return;
        }
        self.commits = 0;
        if let Some(Err(TrySendError::Disconnected(()))) =
            self.wake.as_ref().map(|wake| wake.try_send(()))
        {
            // The writer does it itself, when the log has grown.
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
        // As far as no reader needs the log, and without keeping the writer from it.
        if let Err(error) = connection.batch_execute("PRAGMA wal_checkpoint(PASSIVE)") {
            tracing::debug!(%error, "the write-ahead log is left as it is");
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
    fn what_is_committed_gets_into_the_database_beside_the_writer() {
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
