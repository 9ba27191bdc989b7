//! Records of older versions still verify.

use engine::content::{ContentHash, Library};
use records::Record;

use crate::support::golden;

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

#[test]
fn frozen_records_are_as_they_were_and_verify() {
    let folder = golden::folder().join("frozen");
    for (name, sha256, count) in FROZEN {
        let text = std::fs::read_to_string(folder.join(name)).expect("a readable file");
        assert_eq!(ContentHash::compute(&text).to_string(), *sha256, "{name}");
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
    for (name, record) in golden::records() {
        let named = [record.setup.ruleset_hash, record.setup.board_hash];
        assert!(named.iter().all(Option::is_some), "{name}");
    }
}
