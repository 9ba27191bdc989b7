//! What a record says is true for ever: every file that was ever released is embedded as it was, and
//! records of earlier days verify.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use engine::content::{ContentHash, Library};
use engine::record::Record;
use serde::Deserialize;

/// The frozen records with the SHA-256 and the number of lines of each file.
const FROZEN: &[(&str, &str, usize)] = &[
    (
        "antike.ndjson",
        "f6ce0ca058f184e035b7cb07c686a79fa8971d555f2bcbebc4d589a443d11a68",
        34,
    ),
    (
        "antike_duellum.ndjson",
        "74fe827b2d4026a5477738bb7d42b714df7ae52c7ff83b31d09c4c4ff71565bc",
        28,
    ),
    (
        "antike_ii.ndjson",
        "5e10261986ced5c6da4358c9d7d0e508a6f9c1b9b3e1d77bb844f4537f256985",
        24,
    ),
    (
        "with_events.ndjson",
        "bb5b10e0964a70d718f58504fde73dec9a44fc7df80f444f094a32c2bc27217e",
        5,
    ),
];

/// `data/released.json`: lines are added to it, none is ever altered or taken away.
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
            sha256: ContentHash::of(&read(&path)).to_string(),
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
fn versions_count_up_from_1_and_say_what_changed() {
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

#[test]
fn frozen_records_are_as_they_were_and_verify() {
    let folder = data().join("../../tests/records/frozen");
    for (name, sha256, count) in FROZEN {
        let text = read(&folder.join(name));
        assert_eq!(ContentHash::of(&text).to_string(), *sha256, "{name}");
        assert_eq!(text.lines().count(), *count, "{name}");
        for (line, json) in text.lines().enumerate() {
            let record: Record = serde_json::from_str(json)
                .unwrap_or_else(|error| panic!("{name}:{}: {error}", line + 1));
            assert!(record.setup.ruleset_hash.is_some() && record.setup.board_hash.is_some());
            record
                .verify(Library::embedded())
                .unwrap_or_else(|error| panic!("{name}:{}: {error}", line + 1));
        }
    }
    let listed: Vec<&str> = FROZEN.iter().map(|(name, ..)| *name).collect();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let name = entry.expect("a file").file_name();
        let name = name.to_string_lossy();
        assert!(name == "README.md" || listed.contains(&&*name), "{name}");
    }
}

#[test]
fn golden_records_name_the_versions_that_they_were_made_with() {
    let folder = data().join("../../tests/records");
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        let record = match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => serde_json::from_str(&read(&path)).expect("a record"),
            Some("txt") => Record::from_text(&read(&path)).expect("a record"),
            _ => continue,
        };
        let named = [record.setup.ruleset_hash, record.setup.board_hash];
        assert!(named.iter().all(Option::is_some), "{}", path.display());
    }
}
