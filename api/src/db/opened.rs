//! Whether the file of a database is still the one that was opened: what is written to a file that was
//! deleted or replaced is gone with the process.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// The file of a database as it was when it was opened.
#[derive(Debug)]
pub struct OpenedFile {
    path: PathBuf,
    /// Device and number of the file.
    identity: (u64, u64),
    /// It does not come back: others have written to the one in its place.
    gone: AtomicBool,
}

impl OpenedFile {
    /// The file at a path; `None` where there is none, as in memory.
    pub fn new(path: &str) -> Option<OpenedFile> {
        let path = PathBuf::from(path);
        Some(OpenedFile {
            identity: identity(&path)?,
            path,
            gone: AtomicBool::new(false),
        })
    }

    /// How many bytes may still be written where it is; `None` where the system does not say.
    pub fn free_space(&self) -> Option<u64> {
        fs4::available_space(&self.path).ok()
    }

    /// Whether it was deleted or replaced.
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

/// An open file can be neither deleted nor replaced elsewhere.
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
