//! The library: every board and ruleset that can be played, each version by its content hash.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use crate::content::{Board, LoadError, Ruleset};

/// The boards and rulesets that can be played, every version by its content hash.
#[derive(Clone, Debug, Default)]
pub struct Library {
    boards: BTreeMap<String, Vec<Arc<Board>>>,
    rulesets: BTreeMap<String, Vec<Arc<Ruleset>>>,
}

const BOARDS: &[&str] = &[
    include_str!("../../data/boards/antike-east/1.json"),
    include_str!("../../data/boards/antike-west/1.json"),
    include_str!("../../data/boards/antike-ii-mare-nostrum/1.json"),
    include_str!("../../data/boards/antike-ii-orient/1.json"),
    include_str!("../../data/boards/duellum-greece-persia/1.json"),
    include_str!("../../data/boards/duellum-rome-carthage/1.json"),
];

const RULESETS: &[&str] = &[
    include_str!("../../data/rulesets/antike/1.json"),
    include_str!("../../data/rulesets/antike_ii/1.json"),
    include_str!("../../data/rulesets/antike_duellum/1.json"),
];

static EMBEDDED: LazyLock<Library> = LazyLock::new(|| {
    let mut library = Library::default();
    for json in RULESETS {
        library.add_ruleset(Ruleset::parse(json).expect("embedded rulesets are tested"));
    }
    for json in BOARDS {
        library.add_board(Board::parse(json).expect("embedded boards are tested"));
    }
    library
});

impl Library {
    /// The boards and rulesets that come with the engine.
    pub fn embedded() -> &'static Library {
        &EMBEDDED
    }

    /// Adds a board; it becomes the current version of its id.
    pub fn add_board(&mut self, board: Board) {
        let versions = self.boards.entry(board.data.id.clone()).or_default();
        versions.retain(|other| other.hash != board.hash);
        versions.push(Arc::new(board));
    }

    /// Adds a ruleset; it becomes the current version of its edition.
    pub fn add_ruleset(&mut self, ruleset: Ruleset) {
        let versions = self
            .rulesets
            .entry(ruleset.data.edition.clone())
            .or_default();
        versions.retain(|other| other.hash != ruleset.hash);
        versions.push(Arc::new(ruleset));
    }

    /// Adds the files of an operator: `DIR/boards/*.json` and `DIR/rulesets/*.json`.
    ///
    /// # Errors
    /// When neither folder exists, a file cannot be read, or is not a valid board or ruleset. The
    /// error names the file.
    pub fn add_directory(&mut self, directory: &Path) -> Result<(), LoadError> {
        let named = |path: &Path, result: Result<(), LoadError>| {
            result.map_err(|error| LoadError::File {
                path: path.to_owned(),
                error: Box::new(error),
            })
        };
        let (boards, rulesets) = (directory.join("boards"), directory.join("rulesets"));
        if !boards.is_dir() && !rulesets.is_dir() {
            return Err(LoadError::Io {
                path: directory.to_owned(),
                error: std::io::Error::other("neither boards/ nor rulesets/ in it"),
            });
        }
        for (path, json) in json_files(&rulesets)? {
            let added = Ruleset::parse(&json).map(|ruleset| self.add_ruleset(ruleset));
            named(&path, added)?;
        }
        for (path, json) in json_files(&boards)? {
            let added = Board::parse(&json).map(|board| self.add_board(board));
            named(&path, added)?;
        }
        Ok(())
    }

    /// The current version of a board.
    pub fn board(&self, id: &str) -> Option<&Arc<Board>> {
        self.boards.get(id)?.last()
    }

    /// The version of a board with this hash.
    pub fn board_version(&self, id: &str, hash: &str) -> Option<&Arc<Board>> {
        let versions = self.boards.get(id)?;
        versions.iter().find(|board| board.hash.to_string() == hash)
    }

    /// The current version of every board, by id.
    pub fn boards(&self) -> impl Iterator<Item = &Arc<Board>> {
        self.boards.values().filter_map(|versions| versions.last())
    }

    /// The current version of an edition's ruleset.
    pub fn ruleset(&self, edition: &str) -> Option<&Arc<Ruleset>> {
        self.rulesets.get(edition)?.last()
    }

    /// The version of an edition's ruleset with this hash.
    pub fn ruleset_version(&self, edition: &str, hash: &str) -> Option<&Arc<Ruleset>> {
        let versions = self.rulesets.get(edition)?;
        versions
            .iter()
            .find(|ruleset| ruleset.hash.to_string() == hash)
    }

    /// The current version of every ruleset, by edition.
    pub fn rulesets(&self) -> impl Iterator<Item = &Arc<Ruleset>> {
        self.rulesets
            .values()
            .filter_map(|versions| versions.last())
    }
}

/// The `*.json` files of a folder in the order of their names; none when it does not exist.
fn json_files(folder: &Path) -> Result<Vec<(PathBuf, String)>, LoadError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let io = |path: &Path| {
        let path = path.to_owned();
        move |error| LoadError::Io { path, error }
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io(folder))? {
        let path = entry.map_err(io(folder))?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            paths.push(path);
        }
    }
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let json = std::fs::read_to_string(&path).map_err(io(&path))?;
            Ok((path, json))
        })
        .collect()
}
