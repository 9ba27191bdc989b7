//! Reads an operator's own boards and rulesets from a folder.

use std::path::{Path, PathBuf};

use engine::content::{Board, ContentHash, Library, LoadError, Ruleset};

/// The boards and rulesets to use.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct DataOption {
    /// A folder with boards/*.json and rulesets/*.json of your own.
    #[arg(long, env = "TABULARIUM_DATA")]
    pub data: Option<PathBuf>,
}

impl DataOption {
    /// Returns the boards and rulesets of the engine and of the folder.
    ///
    /// # Errors
    /// Those of [`library`].
    pub fn library(&self) -> Result<Library, LibraryError> {
        library(self.data.as_deref())
    }
}

/// A folder with boards and rulesets that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// A file or folder cannot be read.
    #[error("{path}: {error}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file is not a valid board or ruleset.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// The fault.
        error: LoadError,
    },
}

/// Returns the boards and rulesets of the engine and those of a folder.
///
/// The folder has `DIR/boards/*.json` and `DIR/rulesets/*.json` with any names. Each file states its version. A file
/// replaces a version with the same number for new games; existing games keep theirs.
///
/// # Errors
/// If neither folder exists, a file cannot be read or is not a valid board or ruleset, or two files differ but have the
/// same version. The error names the file.
pub fn library(folder: Option<&Path>) -> Result<Library, LibraryError> {
    let mut library = Library::embedded().clone();
    let Some(folder) = folder else {
        return Ok(library);
    };
    let (boards, rulesets) = (folder.join("boards"), folder.join("rulesets"));
    if !boards.is_dir() && !rulesets.is_dir() {
        return Err(LibraryError::Io {
            path: folder.to_owned(),
            error: std::io::Error::other("neither boards/ nor rulesets/ in it"),
        });
    }
    let version = |ruleset: &Ruleset| FileVersion {
        id: ruleset.data.edition.clone(),
        number: ruleset.data.version,
        hash: ruleset.hash,
    };
    for ruleset in read_folder(&rulesets, Ruleset::parse, version)? {
        library.add_ruleset(ruleset);
    }
    let version = |board: &Board| FileVersion {
        id: board.data.id.clone(),
        number: board.data.version,
        hash: board.hash,
    };
    for board in read_folder(&boards, Board::parse, version)? {
        library.add_board(board);
    }
    Ok(library)
}

/// The board or edition of a file, with its version.
struct FileVersion {
    id: String,
    number: u32,
    hash: ContentHash,
}

/// Reads every `*.json` file of a folder in the order of names; none if it does not exist.
fn read_folder<T>(
    folder: &Path,
    parse: fn(&str) -> Result<T, LoadError>,
    version: impl Fn(&T) -> FileVersion,
) -> Result<Vec<T>, LibraryError> {
    let mut items = Vec::new();
    let mut versions: Vec<FileVersion> = Vec::new();
    for path in json_files(folder)? {
        let json = std::fs::read_to_string(&path).map_err(io(&path))?;
        let file = |error| LibraryError::File {
            path: path.clone(),
            error,
        };
        let item = parse(&json).map_err(file)?;
        let FileVersion { id, number, hash } = version(&item);
        let same =
            |other: &FileVersion| other.id == id && other.number == number && other.hash != hash;
        if versions.iter().any(same) {
            let message = format!(
                "another file is also version {number}: raise \"version\" in the newer one"
            );
            return Err(file(LoadError::Content { id, message }));
        }
        versions.push(FileVersion { id, number, hash });
        items.push(item);
    }
    Ok(items)
}

fn json_files(folder: &Path) -> Result<Vec<PathBuf>, LibraryError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io(folder))? {
        let path = entry.map_err(io(folder))?.path();
        if path.extension().is_some_and(|end| end == "json") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> LibraryError {
    let path = path.to_owned();
    move |error| LibraryError::Io { path, error }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns Antike's ruleset as a file, with another version and number of coins.
    fn antike_with(version: u32, coins: u8) -> String {
        let embedded = Library::embedded().ruleset("antike").unwrap();
        let mut data = embedded.data.clone();
        data.version = version;
        data.bank.coins = coins;
        serde_json::to_string(&data).unwrap()
    }

    fn library_with(files: &[(&str, String)]) -> Result<Library, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("rulesets")).unwrap();
        for (name, json) in files {
            std::fs::write(folder.path().join("rulesets").join(name), json).unwrap();
        }
        library(Some(folder.path())).map_err(|error| error.to_string())
    }

    #[test]
    fn a_folders_files_join_the_embedded_ones() {
        let files = [
            ("a.json", antike_with(4, 34)),
            ("b.json", antike_with(3, 33)),
        ];
        let library = library_with(&files).unwrap();
        let current = library.ruleset("antike").unwrap();
        assert_eq!((current.data.version, current.data.bank.coins), (4, 34));
        assert_eq!(library.ruleset_versions("antike").len(), 4);
    }

    #[test]
    fn two_different_files_with_one_number_are_refused() {
        let files = [
            ("a.json", antike_with(3, 33)),
            ("b.json", antike_with(3, 34)),
        ];
        let error = library_with(&files).unwrap_err();
        assert!(error.contains("b.json"), "{error}");
        assert!(error.contains("raise \"version\""), "{error}");
        // An identical second file is the same version.
        let files = [
            ("a.json", antike_with(3, 33)),
            ("b.json", antike_with(3, 33)),
        ];
        let library = library_with(&files).unwrap();
        assert_eq!(library.ruleset_versions("antike").len(), 3);
    }

    #[test]
    fn an_error_names_the_file_that_is_not_a_ruleset() {
        let error = library_with(&[("a.json", "{}".to_owned())]).unwrap_err();
        assert!(error.contains("a.json"), "{error}");
        let error = library(Some(Path::new("/nowhere"))).unwrap_err();
        assert!(error.to_string().contains("/nowhere"), "{error}");
    }
}
