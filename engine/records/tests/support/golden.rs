//! Reads the golden records.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use records::Record;

/// The folder of the golden records, from any crate of the workspace.
pub fn folder() -> PathBuf {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut folders = above.map(|folder| folder.join("tests/records"));
    folders
        .find(|folder| folder.is_dir())
        .expect("the folder of the golden records")
}

/// Every golden record by its name: the files `NAME.json` and `NAME.txt` of the folder.
#[allow(dead_code, reason = "the program that writes records reads none")]
pub fn records() -> BTreeMap<String, Record> {
    let entries = std::fs::read_dir(folder()).expect("the folder of the golden records");
    let mut records = BTreeMap::new();
    for entry in entries {
        let path = entry.expect("a file").path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        let read = || std::fs::read_to_string(&path).expect("a readable file");
        let record = match extension {
            Some("json") => serde_json::from_str(&read()).expect("a record as JSON"),
            Some("txt") => Record::from_text(&read()).expect("a record as text"),
            _ => continue,
        };
        let name = path.file_stem().expect("a name").to_string_lossy();
        let before = records.insert(name.into_owned(), record);
        assert!(before.is_none(), "two records have the name of {path:?}");
    }
    records
}
