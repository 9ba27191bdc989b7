//! Every released version of a board or ruleset is embedded and unchanged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use engine::content::{ContentHash, Library};
use serde::Deserialize;

/// `data/released.json`, to which lines are only ever added.
#[derive(Deserialize)]
struct Released {
    rulesets: Vec<File>,
    boards: Vec<File>,
}

/// A version of a board or ruleset.
#[derive(Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct File {
    id: String,
    version: u32,
    sha256: String,
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files `KIND/ID/N.json`.
fn files(kind: &str) -> Vec<File> {
    let entries = |path: &Path| {
        let entries = std::fs::read_dir(path).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path())
    };
    let stem = |path: &Path| {
        path.file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned()
    };
    let folders = entries(&data().join(kind));
    let files = folders.flat_map(|folder| entries(&folder).collect::<Vec<PathBuf>>());
    let mut found: Vec<File> = files
        .map(|path| File {
            id: stem(path.parent().expect("a folder")),
            version: stem(&path).parse().expect("the number of a version"),
            sha256: ContentHash::compute(&read(&path)).to_string(),
        })
        .collect();
    found.sort();
    found
}

#[test]
fn every_released_file_is_there_unaltered_and_embedded_and_every_new_one_is_listed() {
    let released = read(&data().join("released.json"));
    let mut released: Released = serde_json::from_str(&released).expect("it reads");
    released.rulesets.sort();
    released.boards.sort();
    assert_eq!(files("rulesets"), released.rulesets);
    assert_eq!(files("boards"), released.boards);
    let library = Library::embedded();
    let mut newest = BTreeMap::new();
    for File {
        id,
        version,
        sha256,
    } in &released.rulesets
    {
        let ruleset = library.ruleset_version(id, sha256).expect("it is embedded");
        assert_eq!(
            (&ruleset.data.edition, ruleset.data.version),
            (id, *version)
        );
        newest.insert(id, sha256);
    }
    for (id, hash) in newest {
        let current = library.ruleset(id).expect("it is embedded");
        assert_eq!(current.hash.to_string(), *hash, "{id}");
    }
    for File {
        id,
        version,
        sha256,
    } in &released.boards
    {
        let board = library.board_version(id, sha256).expect("it is embedded");
        assert_eq!((&board.data.id, board.data.version), (id, *version));
    }
}

#[test]
fn versions_count_up_from_1_and_list_their_changes() {
    let library = Library::embedded();
    for current in library.rulesets() {
        let versions = library.ruleset_versions(&current.data.edition);
        let numbers: Vec<u32> = versions.iter().map(|each| each.data.version).collect();
        let counted: Vec<u32> = (1..).take(versions.len()).collect();
        assert_eq!(numbers, counted, "{}", current.data.edition);
        assert!(
            versions[1..]
                .iter()
                .all(|each| !each.data.changes.is_empty())
        );
    }
    for current in library.boards() {
        let versions = library.board_versions(&current.data.id);
        let numbers: Vec<u32> = versions.iter().map(|each| each.data.version).collect();
        let counted: Vec<u32> = (1..).take(versions.len()).collect();
        assert_eq!(numbers, counted, "{}", current.data.id);
    }
}
