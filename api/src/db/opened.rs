//! Checks whether the database file and its write-ahead log are still those that were opened.
//!
//! Writes to a deleted or replaced file are lost when the process ends. Another program deletes the log if this
//! process has lost its locks: closing any descriptor of the database file releases them, so this process never opens
//! the file but through SQLite. <https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_>

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The identity of a database file at the time it was opened.
#[derive(Debug)]
pub struct OpenedFile {
    path: PathBuf,
    /// Device and number of the file.
    identity: (u64, u64),
    /// Those of the write-ahead log, once it is watched.
    log: OnceLock<(u64, u64)>,
    /// True for good once set: other processes may have written to the file in its place.
    gone: AtomicBool,
}

impl OpenedFile {
    /// Reads the identity of a file. Returns `None` if there is no file.
    pub fn new(path: &str) -> Option<OpenedFile> {
        let path = PathBuf::from(path);
        Some(OpenedFile {
            identity: identity(&path)?,
            path,
            log: OnceLock::new(),
            gone: AtomicBool::new(false),
        })
    }

    /// Watches the write-ahead log too. From now on, a connection to the file must stay open: SQLite deletes the log
    /// when the last one closes.
    pub fn watch_log(&self) {
        if let Some(identity) = self.log_identity() {
            self.log.get_or_init(|| identity);
        }
    }

    fn log_identity(&self) -> Option<(u64, u64)> {
        let mut path = self.path.clone().into_os_string();
        path.push("-wal");
        identity(path.as_ref())
    }

    /// Returns the free bytes of the file's disk, or `None` if the system does not report them.
    pub fn free_space(&self) -> Option<u64> {
        fs4::available_space(&self.path).ok()
    }

    /// Returns true if the log may be moved into the file: the file is still the one that was opened, and no other log
    /// belongs to it. A watched log that was deleted is still open, with commits that may be nowhere else.
    pub fn owns_log(&self) -> bool {
        let log = self.log_identity();
        identity(&self.path) == Some(self.identity)
            && log.is_none_or(|log| self.log.get() == Some(&log))
    }

    /// Returns true if the file or its watched log was deleted or replaced.
    pub fn is_gone(&self) -> bool {
        let log = self.log.get().copied();
        if identity(&self.path) != Some(self.identity)
            || (log.is_some() && log != self.log_identity())
        {
            self.gone.store(true, Ordering::Relaxed);
        }
        self.gone.load(Ordering::Relaxed)
    }
}

#[cfg(unix)]
fn identity(path: &std::path::Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// Other systems do not let an open file be deleted or replaced.
#[cfg(not(unix))]
fn identity(_: &std::path::Path) -> Option<(u64, u64)> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_deleted_or_replaced_is_gone_for_good() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let other = folder.path().join("b.db");
        std::fs::write(&path, "one").unwrap();
        std::fs::write(&other, "two").unwrap();
        let open = || OpenedFile::new(&path.display().to_string()).unwrap();
        let (replaced, first) = (open(), std::fs::File::open(&path).unwrap());
        assert!(!replaced.is_gone());
        std::fs::rename(&other, &path).unwrap();
        assert!(replaced.is_gone());
        drop(first);
        let deleted = open();
        assert!(!deleted.is_gone());
        std::fs::remove_file(&path).unwrap();
        assert!(deleted.is_gone());
        assert!(OpenedFile::new(&path.display().to_string()).is_none());
    }

    #[test]
    fn a_watched_log_that_is_deleted_is_gone_and_may_be_emptied() {
        let folder = tempfile::tempdir().unwrap();
        let (path, log) = (folder.path().join("a.db"), folder.path().join("a.db-wal"));
        std::fs::write(&path, "file").unwrap();
        std::fs::write(&log, "log").unwrap();
        let open = || OpenedFile::new(&path.display().to_string()).unwrap();
        let (unwatched, watched) = (open(), open());
        // While the log is open, another file cannot get its number.
        let _open = std::fs::File::open(&log).unwrap();
        watched.watch_log();
        assert!(!watched.is_gone());
        assert!(watched.owns_log() && !unwatched.owns_log());
        std::fs::remove_file(&log).unwrap();
        assert!(watched.is_gone() && !unwatched.is_gone());
        assert!(watched.owns_log());
        std::fs::write(&log, "another").unwrap();
        assert!(!watched.owns_log());
    }
}
