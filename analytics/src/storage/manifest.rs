//! The manifest of a folder of facts: the valid parts, and the offset in the log that they cover.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::error::FactsStoreError;
use super::part::{FORM, Part};
use crate::facts::Version;
use crate::question::settled_time;

/// The name of the file in the folder.
const FILE: &str = "manifest.json";

/// The valid parts of a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactsManifest {
    /// The format version, see [`FORM`].
    pub form: u32,
    /// The end of the log that the parts cover; `None` for facts from files.
    pub cursor: Option<LogCursor>,
    /// The parts contain everything recorded up to this time; `None` for facts from files.
    pub complete_until: Option<Timestamp>,
    /// The number of finished games in the log without facts.
    pub without_facts: u64,
    /// The parts, in the order in which they were added.
    pub parts: Vec<Part>,
}

/// An offset in the log of all games: the last event of a finished game.
/// The id of the game shows whether it is still the same log. Over-the-board results are in the log of all leagues.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogCursor {
    /// The offset in the log of all games; 0 before the first finished game.
    pub position: i64,
    /// The id of the game that ended there; empty before the first one.
    pub game: String,
    /// The offset in the log of all leagues, if it has events.
    pub leagues: Option<LeagueLogCursor>,
}

/// An offset in the log of all leagues. The hash shows whether it is still the same log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeagueLogCursor {
    /// The offset in the log of all leagues, from 1.
    pub position: i64,
    /// The chained hash of the event there.
    pub hash: String,
}

impl Default for FactsManifest {
    fn default() -> FactsManifest {
        FactsManifest {
            form: FORM,
            cursor: None,
            complete_until: None,
            without_facts: 0,
            parts: Vec::new(),
        }
    }
}

impl FactsManifest {
    /// Reads the manifest of a folder; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be read, or if its format version differs.
    pub(super) fn read(folder: &Path) -> Result<Option<FactsManifest>, FactsStoreError> {
        /// The part that all format versions share.
        #[derive(Deserialize)]
        struct Form {
            form: u32,
        }
        let path = folder.join(FILE);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(FactsStoreError::io(&path)(error)),
        };
        let bad = |source| FactsStoreError::Manifest {
            path: path.clone(),
            source,
        };
        let Form { form } = serde_json::from_slice(&bytes).map_err(bad)?;
        if form != FORM {
            return Err(FactsStoreError::Form(path));
        }
        serde_json::from_slice(&bytes).map(Some).map_err(bad)
    }

    /// Replaces the manifest on disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&self, folder: &Path) -> Result<(), FactsStoreError> {
        let path = folder.join(FILE);
        let bad = |source| FactsStoreError::Manifest {
            path: path.clone(),
            source,
        };
        let text = serde_json::to_vec_pretty(self).map_err(bad)?;
        write_whole(&path, |file| {
            file.write_all(&text).map_err(FactsStoreError::io(&path))
        })
    }

    /// Returns the time up to which the parts are complete.
    pub fn complete_until(&self, now: Timestamp) -> Timestamp {
        match (self.complete_until, &self.cursor) {
            (Some(until), _) => until,
            // Until the server has read its whole log once, only its last game is known to be included.
            (None, Some(_)) => self.version().as_of.map_or(Timestamp::MIN, settled_time),
            // Games from files are recorded when they are added.
            (None, None) => settled_time(now),
        }
    }

    /// Returns the version of all parts together.
    pub fn version(&self) -> Version {
        let versions = self.parts.iter().map(|part| part.version);
        versions.fold(Version::default(), Version::merge)
    }
}

/// Writes a file under a temporary name and renames it when it is on disk.
pub(crate) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), FactsStoreError>,
) -> Result<(), FactsStoreError> {
    let beside = path.with_extension("partial");
    let mut file = File::create(&beside).map_err(FactsStoreError::io(&beside))?;
    write(&mut file)?;
    file.sync_all().map_err(FactsStoreError::io(&beside))?;
    std::fs::rename(&beside, path).map_err(FactsStoreError::io(path))?;
    // The rename is durable only after the folder is synced. Only Unix can open folders.
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        synced.map_err(FactsStoreError::io(folder))?;
    }
    Ok(())
}
