//! Errors of facts on disk.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use polars::prelude::PolarsError;

use crate::question::{AsOf, Filters};

/// The reason why facts cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FactsStoreError {
    /// A file or folder cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A file is not a table of facts.
    #[error("{path}: {source}")]
    Table {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: PolarsError,
    },
    /// A file of a part was changed, cannot be read, or is missing.
    #[error(
        "{0}: this file is damaged or missing. A server repairs its own folder while it runs. Otherwise derive the facts \
         from the records again, in another folder (`tabularium-analytics facts`), or download the dataset again"
    )]
    Damaged(PathBuf),
    /// The manifest is not valid.
    #[error("{path}: {source}")]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// The cause.
        source: serde_json::Error,
    },
    /// There are no facts in the folder.
    #[error(
        "{0}: this folder has no facts; create them with `tabularium-analytics facts --from FILE --to DIR`"
    )]
    Empty(PathBuf),
    /// The facts were written in another format version.
    #[error(
        "{0}: written by another version of this program; derive the facts from the records again, in another \
         folder"
    )]
    Form(PathBuf),
    /// Another process writes to the folder.
    #[error(
        "{0}: another process is writing to this folder; wait until it ends, or use another folder"
    )]
    Locked(PathBuf),
    /// The folder is a published dataset.
    #[error("{0}: this folder is a published dataset, which cannot be changed; use another folder")]
    Published(PathBuf),
    /// `as_of` is later than the known end of the log.
    #[error(
        "as_of: {asked} is not in the past yet; the last offset of the log is {end}, and it is complete up to \
         {until}: use an offset or a time up to these"
    )]
    NotYet {
        /// The given value.
        asked: String,
        /// The last offset of the log.
        end: i64,
        /// The time up to which everything is known.
        until: Timestamp,
    },
    /// Frames do not match.
    #[error(transparent)]
    Frame(PolarsError),
}

impl From<PolarsError> for FactsStoreError {
    fn from(error: PolarsError) -> FactsStoreError {
        match damaged_file(&error) {
            Some(path) => FactsStoreError::Damaged(path.clone()),
            None => FactsStoreError::Frame(error),
        }
    }
}

/// Returns the damaged file that caused an error.
fn damaged_file(error: &PolarsError) -> Option<&PathBuf> {
    match error {
        PolarsError::Context { error, .. } => damaged_file(error),
        PolarsError::IO { error, .. } => match error.get_ref()?.downcast_ref()? {
            FactsStoreError::Damaged(path) => Some(path),
            _ => None,
        },
        _ => None,
    }
}

impl FactsStoreError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> FactsStoreError {
        let path = path.to_owned();
        move |source| FactsStoreError::Io { path, source }
    }

    pub(crate) fn table(path: &Path) -> impl FnOnce(PolarsError) -> FactsStoreError {
        let path = path.to_owned();
        move |source| match damaged_file(&source) {
            Some(path) => FactsStoreError::Damaged(path.clone()),
            None => FactsStoreError::Table { path, source },
        }
    }
}

impl Filters {
    /// Refuses an `as_of` up to which games can still be recorded.
    /// The log ends at the offset `end`. Everything recorded up to the time `until` is known.
    ///
    /// # Errors
    /// [`FactsStoreError::NotYet`].
    pub fn check_as_of(&self, end: i64, until: Timestamp) -> Result<(), FactsStoreError> {
        let settled = match self.as_of {
            None => true,
            Some(AsOf::Position(place)) => place <= end,
            Some(AsOf::Time(time)) => time <= until,
        };
        let asked = || self.as_of.map_or(String::new(), |as_of| as_of.to_string());
        match settled {
            true => Ok(()),
            false => Err(FactsStoreError::NotYet {
                asked: asked(),
                end,
                until,
            }),
        }
    }
}
