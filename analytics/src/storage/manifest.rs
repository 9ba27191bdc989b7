//! The manifest of a folder of facts: which parts count, and how far they reach.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::part::{FORM, Part};
use crate::facts::Version;
use crate::question::settled;

/// The file, below the folder.
const FILE: &str = "manifest.json";

/// Which parts of a folder count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// See [`FORM`].
    pub form: u32,
    /// Up to where a log's finished games are in the parts; nothing for facts from files.
    pub reached: Option<Reached>,
    /// All that was recorded up to then is in the parts; nothing for facts from files.
    pub whole_until: Option<Timestamp>,
    /// How many finished games of that log gave no facts.
    pub set_aside: u64,
    /// The parts, in the order in which they came in.
    pub parts: Vec<Part>,
}

/// A place in the log of all games: the last event of a finished game. The game's id tells whether
/// it is still the same log. Results at real tables stand in the log of all leagues.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    /// Position in the log of all games; 0 before the first finished game.
    pub position: i64,
    /// The id of the game that ended there; empty before the first one.
    pub game: String,
    /// Up to where the log of all leagues was looked through, if there was anything in it.
    pub leagues: Option<ReachedLeagues>,
}

/// A place in the log of all leagues. The hash tells whether it is still the same log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachedLeagues {
    /// Position in the log of all leagues, from 1.
    pub position: i64,
    /// The chained hash of the event there.
    pub hash: String,
}

impl Default for Manifest {
    fn default() -> Manifest {
        Manifest {
            form: FORM,
            reached: None,
            whole_until: None,
            set_aside: 0,
            parts: Vec::new(),
        }
    }
}

impl Manifest {
    /// The manifest of a folder; `None` when it has none.
    ///
    /// # Errors
    /// When it cannot be read, or is of another form.
    pub(super) fn read(folder: &Path) -> Result<Option<Manifest>, StoreError> {
        /// What every form has.
        #[derive(Deserialize)]
        struct Form {
            form: u32,
        }
        let path = folder.join(FILE);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StoreError::io(&path)(error)),
        };
        let bad = |source| StoreError::Manifest {
            path: path.clone(),
            source,
        };
        let Form { form } = serde_json::from_slice(&bytes).map_err(bad)?;
        if form != FORM {
            return Err(StoreError::Form(path));
        }
        serde_json::from_slice(&bytes).map(Some).map_err(bad)
    }

    /// Puts it in the place of the one before.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write(&self, folder: &Path) -> Result<(), StoreError> {
        let path = folder.join(FILE);
        let bad = |source| StoreError::Manifest {
            path: path.clone(),
            source,
        };
        let text = serde_json::to_vec_pretty(self).map_err(bad)?;
        write_whole(&path, |file| {
            file.write_all(&text).map_err(StoreError::io(&path))
        })
    }

    /// Up to when all that was recorded is in the parts, as is known at a moment.
    pub fn whole_until(&self, now: Timestamp) -> Timestamp {
        match (self.whole_until, &self.reached) {
            (Some(until), _) => until,
            // Until the service has read its whole log once, its last game is known to be there.
            (None, Some(_)) => self.version().as_of.map_or(Timestamp::MIN, settled),
            // Games from files are recorded when they are taken in.
            (None, None) => settled(now),
        }
    }

    /// What all parts hold together.
    pub fn version(&self) -> Version {
        let versions = self.parts.iter().map(|part| part.version);
        versions.fold(Version::default(), Version::merge)
    }
}

/// Writes a file beside its place, and moves it there when it is whole and on disk.
pub(crate) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let beside = path.with_extension("partial");
    let mut file = File::create(&beside).map_err(StoreError::io(&beside))?;
    write(&mut file)?;
    file.sync_all().map_err(StoreError::io(&beside))?;
    std::fs::rename(&beside, path).map_err(StoreError::io(path))?;
    // The new name is on disk when the folder is. Only Unix opens folders.
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        synced.map_err(StoreError::io(folder))?;
    }
    Ok(())
}
