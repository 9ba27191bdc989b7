//! Whole files: written beside their place, moved there, and kept if the machine loses power afterwards.

use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::{PathPersistError, TempPath};

/// Returns the folder of a file; `None` if the path has no file name.
pub fn folder_of(file: &Path) -> Option<&Path> {
    match file.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Some(Path::new(".")),
        folder => folder,
    }
}

/// Moves a finished file to its place, where nothing may be, and waits until it is on disk.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`], or another error of the system.
pub fn create(finished: TempPath, place: &Path) -> io::Result<()> {
    put(finished, place, |finished| {
        finished.persist_noclobber(place)
    })
}

/// Moves a finished file to its place, instead of what is there, and waits until it is on disk.
///
/// # Errors
/// Those of the system.
pub fn replace(finished: TempPath, place: &Path) -> io::Result<()> {
    put(finished, place, |finished| finished.persist(place))
}

fn put(
    finished: TempPath,
    place: &Path,
    persist: impl FnOnce(TempPath) -> Result<(), PathPersistError>,
) -> io::Result<()> {
    File::open(&finished)?.sync_all()?;
    persist(finished).map_err(|error| error.error)?;
    // The new name is in the folder. Only Unix can open folders.
    #[cfg(unix)]
    if let Some(folder) = folder_of(place) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}
