//! The datasets that the operator has published: folders that `tabularium-analytics publish` wrote.

use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};

use analytics::dataset::{Dataset, DatasetError, is_name};

/// A folder of datasets, each in a folder by its name; it need not be there.
#[derive(Clone, Debug)]
pub struct Datasets {
    folder: PathBuf,
}

impl Datasets {
    /// The datasets beside a folder of facts: in the folder of the same name that ends in `.datasets`.
    pub fn beside(facts: &Path) -> Datasets {
        Datasets {
            folder: facts.with_extension("datasets"),
        }
    }

    /// All of them that can be read, the newest first.
    pub fn list(&self) -> Result<Vec<Dataset>, DatasetError> {
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => {
                let path = self.folder.clone();
                return Err(DatasetError::Io { path, source });
            }
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut found = Vec::new();
        for name in names {
            match self.get(&name) {
                Ok(dataset) => found.extend(dataset),
                Err(error) => tracing::error!(%error, "a dataset is left out of the list"),
            }
        }
        found.sort_by(|one: &Dataset, other| {
            (other.created, &one.name).cmp(&(one.created, &other.name))
        });
        Ok(found)
    }

    /// The dataset of a name. One that calls itself otherwise, or tells of files elsewhere, is none: such a
    /// description comes from somebody else.
    pub fn get(&self, name: &str) -> Result<Option<Dataset>, DatasetError> {
        // What is being written has no such name.
        if !is_name(name) {
            return Ok(None);
        }
        let found = Dataset::read(&self.folder.join(name))?;
        Ok(found.filter(|dataset| {
            let is_sound = dataset.name == name && dataset.is_sound();
            if !is_sound {
                tracing::warn!(
                    name,
                    "a folder of datasets has a description that is of none"
                );
            }
            is_sound
        }))
    }

    /// Opens a file of a dataset that [`Datasets::get`] has given, from a byte on.
    pub fn open(&self, dataset: &Dataset, file: &str, begin: u64) -> Result<File, DatasetError> {
        let path = self.folder.join(&dataset.name).join(file);
        let open = || {
            let mut opened = File::open(&path)?;
            opened.seek(SeekFrom::Start(begin))?;
            Ok(opened)
        };
        open().map_err(|source| DatasetError::Io {
            path: path.clone(),
            source,
        })
    }
}
