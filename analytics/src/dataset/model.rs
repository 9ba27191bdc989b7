//! The description of a dataset.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::storage::FactsStoreError;
use crate::storage::writer::PUBLISHED;

/// The file that describes a dataset.
pub const DESCRIPTOR: &str = PUBLISHED[0];

/// The file with the SHA-256 and the path of each other file, for `sha256sum --check`.
pub const CHECKSUMS: &str = PUBLISHED[1];

/// The resource with the ids of all games.
pub(super) const INDEX: &str = "index";

/// The profile of Data Packages, version 2.
pub(super) const PROFILE: &str = "https://datapackage.org/profiles/2.0/datapackage.json";

/// A dataset: a Data Package and the version of its facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Dataset {
    /// The URL of the JSON Schema of Data Packages, version 2.
    #[serde(rename = "$schema")]
    pub profile: String,
    /// The name: lower-case letters, digits, points and hyphens.
    pub name: String,
    /// The title, in a few words.
    pub title: String,
    /// What a reader must know of it.
    pub description: String,
    /// The time of publication.
    pub created: Timestamp,
    /// The version of its facts: the number of games and the sum of their hashes in 16 hexadecimal digits.
    /// A table that counts all games has the same `data_version`.
    pub version: String,
    /// The licenses.
    pub licenses: Vec<License>,
    /// The number of games.
    pub games: u64,
    /// The offset in the log of the last game; 0 without games.
    pub log_position: i64,
    /// The time when that game was recorded; null without games.
    pub as_of: Option<Timestamp>,
    /// The dataset contains everything recorded up to this time.
    pub complete_until: Timestamp,
    /// The version of the program that published it.
    pub program: String,
    /// The number of rows of each table, by name.
    pub tables: BTreeMap<String, u64>,
    /// Errors that were found after publication.
    pub errata: Vec<Erratum>,
    /// The files.
    pub resources: Vec<Resource>,
}

/// A license.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = DatasetLicense))]
pub struct License {
    /// The SPDX identifier, such as CC-BY-4.0.
    pub name: String,
    /// The URL of its text.
    pub path: String,
}

/// An error in a dataset that was found after publication.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Erratum {
    /// The time when the erratum was added.
    pub at: Timestamp,
    /// What is wrong, and what readers should do.
    pub text: String,
}

/// A file of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = DatasetFile))]
pub struct Resource {
    /// The name, unique in the dataset.
    pub name: String,
    /// `table` for a table of facts and for the index.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub kind: Option<String>,
    /// The path, relative to the dataset.
    pub path: String,
    /// The format: `parquet` for a table, or `json`, `txt`, `binary`.
    pub format: String,
    /// The media type.
    pub mediatype: String,
    /// The size in bytes.
    /// The standard calls this `bytes`. But `frictionless` does not count the bytes of Parquet files, and reports
    /// any number as an error.
    pub size: u64,
    /// `sha256:` and the SHA-256 of the content, 64 hexadecimal digits.
    pub hash: String,
    /// The number of rows of a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub rows: Option<u64>,
    /// The path of the Table Schema of a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub schema: Option<String>,
}

impl Resource {
    /// Returns the SHA-256 in hexadecimal digits, or `None` for another kind of hash.
    pub fn sha256(&self) -> Option<&str> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let digits = self.hash.strip_prefix("sha256:");
        digits.filter(|digits| digits.len() == 64 && digits.bytes().all(is_digit))
    }
}

/// The reason why a dataset cannot be published or read.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// A file or folder cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The description is not valid.
    #[error("{path}: {source}")]
    Descriptor {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: serde_json::Error,
    },
    /// The facts cannot be read or written.
    #[error(transparent)]
    Facts(#[from] FactsStoreError),
    /// A dataset with this name exists already.
    #[error("{0}: a dataset with this name exists, and datasets never change; use another name")]
    Exists(PathBuf),
    /// The name is not allowed.
    #[error(
        "{0:?} is not a valid dataset name: use 1 to 64 lower-case letters, digits, points and hyphens, \
         beginning with a letter or a digit"
    )]
    Name(String),
}

impl DatasetError {
    pub(super) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> DatasetError {
        let path = path.to_owned();
        move |source| DatasetError::Io { path, source }
    }
}

/// True if the name is allowed for a dataset. It becomes a part of paths.
pub fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (1..=64).contains(&name.len())
        && name.bytes().next().is_some_and(is_plain)
        && name
            .bytes()
            .all(|byte| is_plain(byte) || byte == b'.' || byte == b'-')
}

impl Dataset {
    /// Reads the dataset in a folder; `None` if there is none.
    ///
    /// # Errors
    /// If its description cannot be read.
    pub fn read(folder: &Path) -> Result<Option<Dataset>, DatasetError> {
        let path = folder.join(DESCRIPTOR);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if is_not_found(&error) => return Ok(None),
            Err(error) => return Err(DatasetError::io(&path)(error)),
        };
        let read = serde_json::from_slice(&bytes);
        read.map(Some)
            .map_err(|source| DatasetError::Descriptor { path, source })
    }

    /// True if the name, the paths and the hashes are such as [`publish`] writes them.
    /// A server checks this before it serves a dataset that another program has written.
    pub fn is_sound(&self) -> bool {
        let mut files = self.resources.iter();
        is_name(&self.name) && files.all(|file| is_inside(&file.path) && file.sha256().is_some())
    }

    /// Returns the file at a path.
    pub fn file(&self, path: &str) -> Option<&Resource> {
        self.resources.iter().find(|file| file.path == path)
    }
}

/// Returns the format and the media type of a file, by its path.
pub fn format_of(path: &str) -> (&'static str, &'static str) {
    const PARQUET: &str = "application/vnd.apache.parquet";
    match () {
        // With the format `parquet`, `frictionless` would read it as a table.
        () if path.starts_with("summaries/") => ("binary", PARQUET),
        () if path.ends_with(".parquet") => ("parquet", PARQUET),
        () if path == CHECKSUMS => ("txt", "text/plain; charset=utf-8"),
        () => ("json", "application/json"),
    }
}

/// True if a file does not exist, also because its folder is a file.
fn is_not_found(error: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// True if a path stays inside the folder, as a path and as a relative URL (RFC 3986, section 4.2).
fn is_inside(path: &str) -> bool {
    let mut components = Path::new(path).components();
    let inside = components.all(|component| matches!(component, Component::Normal(_)));
    inside && !path.is_empty() && !path.contains(['\\', ':', '?', '#', '%'])
}

/// Returns the SHA-256 of a file in hexadecimal digits.
pub(super) fn sha256_of(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex::encode(hash.finalize())),
            count => hash.update(&buffer[..count]),
        }
    }
}

/// Lists the files below a folder by relative path with `/`, sorted.
pub(super) fn files(folder: &Path) -> Result<Vec<String>, DatasetError> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(within) = folders.pop() {
        let path = folder.join(&within);
        for entry in std::fs::read_dir(&path).map_err(DatasetError::io(&path))? {
            let entry = entry.map_err(DatasetError::io(&path))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let name = match within.as_str() {
                "" => name,
                within => format!("{within}/{name}"),
            };
            let kind = entry.file_type().map_err(DatasetError::io(&path))?;
            match kind.is_dir() {
                true => folders.push(name),
                false => found.push(name),
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_out_of_the_folder() {
        for good in ["manifest.json", "games/edition=antike/part-1.parquet"] {
            assert!(is_inside(good), "{good}");
        }
        for bad in [
            "",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "./x",
            "a\\b",
            "a/..",
        ] {
            assert!(!is_inside(bad), "{bad}");
        }
    }

    #[test]
    fn names_are_parts_of_paths() {
        for good in ["antike-2026-11", "v1.2", "7"] {
            assert!(is_name(good), "{good}");
        }
        for bad in ["", ".hidden", "-x", "A", "a/b", "a b", "ä", &"x".repeat(65)] {
            assert!(!is_name(bad), "{bad}");
        }
    }
}
