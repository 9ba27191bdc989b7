//! The library: all boards and rulesets, with all versions by number and content hash.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crate::content::{Board, ContentHash, Ruleset};

/// The available boards and rulesets, in all versions.
#[derive(Clone, Debug, Default)]
pub struct Library {
    boards: BTreeMap<String, Vec<Arc<Board>>>,
    rulesets: BTreeMap<String, Vec<Arc<Ruleset>>>,
}

/// Every released version of every board.
/// None is ever altered or removed, since records name them by their hashes.
const BOARDS: &[&str] = &[
    include_str!("../../data/boards/antike-east/1.json"),
    include_str!("../../data/boards/antike-west/1.json"),
    include_str!("../../data/boards/antike-ii-mare-nostrum/1.json"),
    include_str!("../../data/boards/antike-ii-orient/1.json"),
    include_str!("../../data/boards/duellum-greece-persia/1.json"),
    include_str!("../../data/boards/duellum-rome-carthage/1.json"),
];

/// Every released version of every ruleset. None is ever altered or removed.
const RULESETS: &[&str] = &[
    include_str!("../../data/rulesets/antike/1.json"),
    include_str!("../../data/rulesets/antike/2.json"),
    include_str!("../../data/rulesets/antike_ii/1.json"),
    include_str!("../../data/rulesets/antike_duellum/1.json"),
    include_str!("../../data/rulesets/antike_duellum/2.json"),
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

/// The common interface of boards and rulesets.
trait VersionedContent {
    /// The board's id or the edition.
    fn id(&self) -> &str;
    fn version(&self) -> u32;
    fn hash(&self) -> ContentHash;
}

impl VersionedContent for Board {
    fn id(&self) -> &str {
        &self.data.id
    }

    fn version(&self) -> u32 {
        self.data.version
    }

    fn hash(&self) -> ContentHash {
        self.hash
    }
}

impl VersionedContent for Ruleset {
    fn id(&self) -> &str {
        &self.data.edition
    }

    fn version(&self) -> u32 {
        self.data.version
    }

    fn hash(&self) -> ContentHash {
        self.hash
    }
}

/// Inserts a version after those with a lower or equal number.
fn add<T: VersionedContent>(shelf: &mut BTreeMap<String, Vec<Arc<T>>>, item: T) {
    let versions = shelf.entry(item.id().to_owned()).or_default();
    versions.retain(|other| other.hash() != item.hash());
    let index = versions.partition_point(|other| other.version() <= item.version());
    versions.insert(index, Arc::new(item));
}

/// Returns every version of an id, the current one last.
fn versions<'a, T>(shelf: &'a BTreeMap<String, Vec<Arc<T>>>, id: &str) -> &'a [Arc<T>] {
    shelf.get(id).map_or(&[], Vec::as_slice)
}

fn by_hash<'a, T: VersionedContent>(versions: &'a [Arc<T>], hash: &str) -> Option<&'a Arc<T>> {
    let mut newest_first = versions.iter().rev();
    newest_first.find(|item| item.hash().to_string() == hash)
}

fn by_number<T: VersionedContent>(versions: &[Arc<T>], number: u32) -> Option<&Arc<T>> {
    let mut newest_first = versions.iter().rev();
    newest_first.find(|item| item.version() == number)
}

impl Library {
    /// Returns the boards and rulesets that are part of the engine.
    pub fn embedded() -> &'static Library {
        &EMBEDDED
    }

    /// Adds a version of a board.
    ///
    /// The version with the highest number is the current one; of several with the same number, the last one added.
    pub fn add_board(&mut self, board: Board) {
        add(&mut self.boards, board);
    }

    /// Adds a version of an edition's ruleset.
    ///
    /// The version with the highest number is the current one; of several with the same number, the last one added.
    pub fn add_ruleset(&mut self, ruleset: Ruleset) {
        add(&mut self.rulesets, ruleset);
    }

    /// The current version of a board.
    pub fn board(&self, id: &str) -> Option<&Arc<Board>> {
        self.board_versions(id).last()
    }

    /// Every version of a board by number, the current one last; empty for an unknown board.
    pub fn board_versions(&self, id: &str) -> &[Arc<Board>] {
        versions(&self.boards, id)
    }

    /// The version of a board with this hash.
    pub fn board_version(&self, id: &str, hash: &str) -> Option<&Arc<Board>> {
        by_hash(self.board_versions(id), hash)
    }

    /// The version of a board with this number; of several, the one for new games.
    pub fn board_numbered(&self, id: &str, number: u32) -> Option<&Arc<Board>> {
        by_number(self.board_versions(id), number)
    }

    /// The current version of every board, by id.
    pub fn boards(&self) -> impl Iterator<Item = &Arc<Board>> {
        self.boards.values().filter_map(|versions| versions.last())
    }

    /// The current version of an edition's ruleset.
    pub fn ruleset(&self, edition: &str) -> Option<&Arc<Ruleset>> {
        self.ruleset_versions(edition).last()
    }

    /// Every version of an edition's ruleset by number, the current one last; empty for an unknown edition.
    pub fn ruleset_versions(&self, edition: &str) -> &[Arc<Ruleset>] {
        versions(&self.rulesets, edition)
    }

    /// The version of an edition's ruleset with this hash.
    pub fn ruleset_version(&self, edition: &str, hash: &str) -> Option<&Arc<Ruleset>> {
        by_hash(self.ruleset_versions(edition), hash)
    }

    /// The version of an edition's ruleset with this number; of several, the one for new games.
    pub fn ruleset_numbered(&self, edition: &str, number: u32) -> Option<&Arc<Ruleset>> {
        by_number(self.ruleset_versions(edition), number)
    }

    /// The current version of every ruleset, by edition.
    pub fn rulesets(&self) -> impl Iterator<Item = &Arc<Ruleset>> {
        self.rulesets
            .values()
            .filter_map(|versions| versions.last())
    }
}
