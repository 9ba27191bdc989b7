//! The folders of the service: each uses only those below it in [`LAYERS`].

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src");

/// The folders from the lowest to the highest. Folders of one layer do not use each other.
const LAYERS: [&[&str]; 10] = [
    &["db"],
    &["http"],
    &["accounts", "content", "signing"],
    &["games"],
    &["analysis", "datasets", "leagues", "webhooks"],
    &["ratings", "statistics"],
    &["services"],
    &["site"],
    &["server"],
    &["cli"],
];

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let below = paths.flat_map(|path| match path.is_dir() {
        true => files(&path),
        false => vec![path],
    });
    below
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// The folders that a text uses, but for its tests. Only `crate::` leads to another: `super::super::` is not written.
fn used(text: &str) -> BTreeSet<String> {
    let text = text.split("#[cfg(test)]\nmod").next().unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split("//").next());
    let code: Vec<&str> = lines.collect();
    let code = code.join("\n");
    assert!(!code.contains("super::super::"), "{code}");
    let mut used = BTreeSet::new();
    for behind in code.split("crate::").skip(1) {
        let group = behind
            .strip_prefix('{')
            .map(|group| group.split('}').next());
        // Of a group the first names alone count: none holds another in braces.
        let paths = group.map_or(vec![behind], |group| {
            group.unwrap_or_default().split(',').collect()
        });
        for path in paths {
            let name: String = path.trim().chars().take_while(|c| is_of_name(*c)).collect();
            used.insert(name);
        }
    }
    used.retain(|name| !name.is_empty());
    used
}

#[test]
fn each_folder_uses_only_those_below_it() {
    let layer = |name: &str| LAYERS.iter().position(|layer| layer.contains(&name));
    let mut broken = Vec::new();
    for file in files(Path::new(SOURCE)) {
        let inside = file.strip_prefix(SOURCE).unwrap();
        let own = inside.iter().next().unwrap().to_str().unwrap();
        if own.ends_with(".rs") {
            continue;
        }
        let rank = layer(own).unwrap_or_else(|| panic!("{own} is in no layer"));
        for name in used(&std::fs::read_to_string(&file).unwrap()) {
            match layer(&name) {
                Some(used) if used < rank || name == own => {}
                _ => broken.push(format!("{} uses {name}", inside.display())),
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn the_reader_of_paths_finds_them_all() {
    let found = |text: &str| used(text).into_iter().collect::<Vec<_>>();
    assert_eq!(found("use crate::games::Games;"), ["games"]);
    assert_eq!(found("let x: crate::store::Store = y;"), ["store"]);
    assert_eq!(found("use crate::{docs, routes};"), ["docs", "routes"]);
    assert!(found("// crate::games\nuse super::Reply;").is_empty());
}
