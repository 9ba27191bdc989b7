//! Checks whether the database file is still the one that was opened.
//!
//! Writes to a deleted or replaced file are lost when the process ends.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// The identity of a database file at the time it was opened.
#[derive(Debug)]
pub struct OpenedFile {
    path: PathBuf,
    /// Device and number of the file.
    identity: (u64, u64),
    /// True for good once set: other processes may have written to the file in its place.
    gone: AtomicBool,
}

impl OpenedFile {
    /// Reads the identity of a file. Returns `None` if there is no file, as for a database in memory.
    pub fn new(path: &str) -> Option<OpenedFile> {
        let path = PathBuf::from(path);
        Some(OpenedFile {
            identity: identity(&path)?,
            path,
            gone: AtomicBool::new(false),
        })
    }

    /// Returns the free bytes of the file's disk, or `None` if the system does not report them.
    pub fn free_space(&self) -> Option<u64> {
        fs4::available_space(&self.path).ok()
    }

    /// Returns true if the file was deleted or replaced.
    pub fn is_gone(&self) -> bool {
        if identity(&self.path) != Some(self.identity) {
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
        assert!(OpenedFile::new(":memory:").is_none());
    }
}
