//! What a dataset is.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::storage::StoreError;
use crate::storage::writer::PUBLISHED;

/// The file that describes a dataset.
pub const DESCRIPTOR: &str = PUBLISHED[0];

/// The file with the SHA-256 and the path of each other file, as `sha256sum --check` reads it.
pub const CHECKSUMS: &str = PUBLISHED[1];

/// The resource with the ids of all games.
pub(super) const INDEX: &str = "index";

/// The profile of Data Packages in version 2.
pub(super) const PROFILE: &str = "https://datapackage.org/profiles/2.0/datapackage.json";

/// A dataset: a Data Package with what it is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Dataset {
    /// The address of the JSON Schema of Data Packages in version 2.
    #[serde(rename = "$schema")]
    pub profile: String,
    /// Its name, of small letters, digits, points and hyphens.
    pub name: String,
    /// What it is, in a few words.
    pub title: String,
    /// What a reader has to know of it.
    pub description: String,
    /// When it was published.
    pub created: Timestamp,
    /// What it is made of: how many games, and the sum of their hashes in 16 hexadecimal digits: the
    /// `data_version` of a table that counts all of them.
    pub version: String,
    /// Under which terms it may be used.
    pub licenses: Vec<License>,
    /// How many games.
    pub games: u64,
    /// The place in the log up to which it goes; 0 without games.
    pub log_position: i64,
    /// When the game there was recorded; null without games.
    pub as_of: Option<Timestamp>,
    /// All that was recorded up to then is in it.
    pub whole_until: Timestamp,
    /// The version of the program that published it.
    pub program: String,
    /// How many rows each table has, by name.
    pub tables: BTreeMap<String, u64>,
    /// What was found to be wrong since.
    pub errata: Vec<Erratum>,
    /// Its files.
    pub resources: Vec<Resource>,
}

/// Terms of use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = DatasetLicense))]
pub struct License {
    /// Its identifier by SPDX, such as CC-BY-4.0.
    pub name: String,
    /// Where it can be read.
    pub path: String,
}

/// Something that was found to be wrong in a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Erratum {
    /// When it was added.
    pub at: Timestamp,
    /// What is wrong, and what to do about it.
    pub text: String,
}

/// A file of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = DatasetFile))]
pub struct Resource {
    /// A name of its own.
    pub name: String,
    /// `table` for a table of facts and for the index.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub kind: Option<String>,
    /// Where it is, below the dataset.
    pub path: String,
    /// `parquet` for a table, `json`, `txt`, or `binary`.
    pub format: String,
    /// Its media type.
    pub mediatype: String,
    /// How many bytes it has. The standard calls this `bytes`; but `frictionless` counts no bytes of Parquet files, and
    /// reports every number of them as an error.
    pub size: u64,
    /// `sha256:` and the SHA-256 of what is in it, 64 hexadecimal digits.
    pub hash: String,
    /// How many rows a table has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub rows: Option<u64>,
    /// The file with the Table Schema of a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub schema: Option<String>,
}

impl Resource {
    /// The SHA-256 in hexadecimal digits; nothing when the hash is of another kind.
    pub fn sha256(&self) -> Option<&str> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let digits = self.hash.strip_prefix("sha256:");
        digits.filter(|digits| digits.len() == 64 && digits.bytes().all(is_digit))
    }
}

/// A dataset that cannot be published or read.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// A file or folder cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The description cannot be understood.
    #[error("{path}: {source}")]
    Descriptor {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The facts cannot be read or written.
    #[error(transparent)]
    Facts(#[from] StoreError),
    /// There is one with this name.
    #[error(
        "{0}: there is a dataset already, and datasets never change; publish it under another name"
    )]
    Exists(PathBuf),
    /// A name that no dataset can have.
    #[error(
        "{0:?} is no name of a dataset: give 1 to 64 small letters, digits, points and hyphens, of which the \
         first is a letter or a digit"
    )]
    Name(String),
}

impl DatasetError {
    pub(super) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> DatasetError {
        let path = path.to_owned();
        move |source| DatasetError::Io { path, source }
    }
}

/// Whether a dataset can have this name, which is a part of paths.
pub fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (1..=64).contains(&name.len())
        && name.bytes().next().is_some_and(is_plain)
        && name
            .bytes()
            .all(|byte| is_plain(byte) || byte == b'.' || byte == b'-')
}

impl Dataset {
    /// The dataset in a folder; nothing when there is none.
    ///
    /// # Errors
    /// When its description cannot be read.
    pub fn read(folder: &Path) -> Result<Option<Dataset>, DatasetError> {
        let path = folder.join(DESCRIPTOR);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if is_nothing(&error) => return Ok(None),
            Err(error) => return Err(DatasetError::io(&path)(error)),
        };
        let read = serde_json::from_slice(&bytes);
        read.map(Some)
            .map_err(|source| DatasetError::Descriptor { path, source })
    }

    /// Whether its name, the paths of its files and their hashes are such as [`publish`] writes them: who hands out
    /// what somebody else has described asks first.
    pub fn is_sound(&self) -> bool {
        let mut files = self.resources.iter();
        is_name(&self.name) && files.all(|file| is_inside(&file.path) && file.sha256().is_some())
    }

    /// Its file at a path; nothing when it has none there.
    pub fn file(&self, path: &str) -> Option<&Resource> {
        self.resources.iter().find(|file| file.path == path)
    }
}

/// What a file of a dataset is, by its path: its format and its media type.
pub fn format_of(path: &str) -> (&'static str, &'static str) {
    const PARQUET: &str = "application/vnd.apache.parquet";
    match () {
        // Not `parquet`, or `frictionless` would read it as a table.
        () if path.starts_with("summaries/") => ("binary", PARQUET),
        () if path.ends_with(".parquet") => ("parquet", PARQUET),
        () if path == CHECKSUMS => ("txt", "text/plain; charset=utf-8"),
        () => ("json", "application/json"),
    }
}

/// Whether a file cannot be read because there is none: also where its folder is a file.
fn is_nothing(error: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Whether a path leads neither out of the folder that it is below, nor, as an address beside others, to elsewhere
/// (RFC 3986, section 4.2).
fn is_inside(path: &str) -> bool {
    let mut components = Path::new(path).components();
    let inside = components.all(|component| matches!(component, Component::Normal(_)));
    inside && !path.is_empty() && !path.contains(['\\', ':', '?', '#', '%'])
}

/// The SHA-256 of a file in hexadecimal digits.
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

/// All files below a folder, by their paths in it with `/` between, in their order.
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
