//! The published datasets: folders that `tabularium-analytics publish` wrote.

use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};

use analytics::dataset::{Dataset, DatasetError, is_name};

/// A folder of datasets, each in a subfolder with its name. It need not exist.
#[derive(Clone, Debug)]
pub struct Datasets {
    folder: PathBuf,
}

impl Datasets {
    /// Returns the datasets next to a folder of facts: in the folder with the ending `.datasets`.
    pub fn beside(facts: &Path) -> Datasets {
        Datasets {
            folder: facts.with_extension("datasets"),
        }
    }

    /// Returns the folder of all datasets.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Lists all readable datasets, newest first.
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
                Err(error) => {
                    tracing::error!(%error, "a dataset cannot be read and is omitted from the list")
                }
            }
        }
        found.sort_by(|one: &Dataset, other| {
            (other.created, &one.name).cmp(&(one.created, &other.name))
        });
        Ok(found)
    }

    /// Returns the dataset with a name.
    ///
    /// A description with another name, or with files in other folders, is rejected as untrusted.
    pub fn get(&self, name: &str) -> Result<Option<Dataset>, DatasetError> {
        // A dataset that is being written has a name of another form.
        if !is_name(name) {
            return Ok(None);
        }
        let found = Dataset::read(&self.folder.join(name))?;
        Ok(found.filter(|dataset| {
            let is_sound = dataset.name == name && dataset.is_sound();
            if !is_sound {
                tracing::warn!(
                    name,
                    "a dataset is ignored, because its description does not match its folder"
                );
            }
            is_sound
        }))
    }

    /// Opens a file of a dataset from [`Datasets::get`], at a byte.
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
