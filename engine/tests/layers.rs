//! The layers of the engine: each uses only those above it in the list of `src/lib.rs`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn engine() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The layers from the first to the last, as `src/lib.rs` lists them.
fn layers() -> Vec<String> {
    let text = read(&engine().join("src/lib.rs"));
    let rows = text.lines().filter_map(|line| {
        let row = line.strip_prefix("//! | [`")?;
        Some(row.split_once("`]")?.0.to_owned())
    });
    rows.collect()
}

/// Every file of Rust in a folder and those below it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The module of a file below `src`: `forms/position/turn.rs` is `["forms", "position", "turn"]`.
fn module(path: &Path) -> Vec<String> {
    let path = path.with_extension("");
    let parts = path.iter().map(|part| part.to_string_lossy().into_owned());
    parts
        .filter(|part| part != "mod" && part != "lib")
        .collect()
}

/// Returns a text without comments and without the tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let uncommented = text.lines().map(|line| line.split("//").next());
    uncommented.flatten().collect::<Vec<&str>>().join("\n")
}

/// Whether a character can be part of a name.
fn of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the first name of a path.
fn first_name(path: &str) -> String {
    let path = path.trim_start();
    path.chars().take_while(|letter| of_name(*letter)).collect()
}

/// Returns the names after a prefix such as `crate::`: one, or those of a group in braces.
fn names(behind: &str) -> Vec<String> {
    let Some(group) = behind.strip_prefix('{') else {
        return vec![first_name(behind)];
    };
    let mut names = vec![first_name(group)];
    let mut depth = 1;
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => names.push(first_name(&group[at + 1..])),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Returns the modules of the crate that a text uses by `crate::` or `super::`.
/// `depth` is that of its own module.
fn used_modules(text: &str, depth: usize) -> BTreeSet<String> {
    let text = code(text);
    let mut used = BTreeSet::new();
    let mut rest = &*text;
    while let Some(at) = rest.find("::") {
        let before = &rest[..at];
        rest = &rest[at + 2..];
        let word = before
            .rfind(|letter| !of_name(letter))
            .map_or(0, |at| at + 1);
        match &before[word..] {
            "crate" => used.extend(names(rest)),
            "super" => {
                let mut climbed = 1;
                while let Some(behind) = rest.strip_prefix("super::") {
                    (rest, climbed) = (behind, climbed + 1);
                }
                if climbed == depth {
                    used.extend(names(rest));
                }
            }
            _ => {}
        }
    }
    used
}

#[test]
fn the_reader_of_paths_finds_them_all() {
    let found =
        |text: &str, depth: usize| used_modules(text, depth).into_iter().collect::<Vec<_>>();
    assert_eq!(found("use crate::play::Game;", 1), ["play"]);
    assert_eq!(found("let x: $crate::forms::View = y;", 1), ["forms"]);
    let group = "use crate::{forms::{View, Position}, play::Game,\n    words};";
    assert_eq!(found(group, 1), ["forms", "play", "words"]);
    assert_eq!(found("pub(in crate::setup) fn f() {}", 1), ["setup"]);
    assert_eq!(found("use super::super::setup::Setup;", 2), ["setup"]);
    assert_eq!(
        found("use super::{play, state::State};", 1),
        ["play", "state"]
    );
    assert!(found("use super::super::setup::Setup;", 3).is_empty());
    assert!(found("use super::Game; // crate::setup\n/// [`crate::forms`]", 2).is_empty());
    assert!(
        found(
            "fn f() {}\n#[cfg(test)]\nmod tests { use crate::setup::Setup; }",
            1
        )
        .is_empty()
    );
}

#[test]
fn each_layer_uses_only_those_above_it() {
    let layers = layers();
    let rank = |name: &str| layers.iter().position(|layer| layer == name);
    let src = engine().join("src");
    let files = files(&src);
    assert!(files.len() > 50, "the files are found");
    let mut broken = Vec::new();
    for file in files {
        let inside = file.strip_prefix(&src).expect("it is in the folder");
        let module = module(inside);
        let Some(layer) = module.first() else {
            continue;
        };
        let own = rank(layer).unwrap_or_else(|| panic!("{layer} is missing in the list of layers"));
        for name in used_modules(&read(&file), module.len()) {
            if rank(&name).is_none_or(|used| used > own) {
                broken.push(format!("{} uses {name}", inside.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn the_list_of_layers_is_whole() {
    let text = read(&engine().join("src/lib.rs"));
    let modules = text.lines().filter_map(|line| {
        let name = line
            .strip_prefix("pub mod ")
            .or(line.strip_prefix("mod "))?;
        name.strip_suffix(';')
    });
    let modules: BTreeSet<String> = modules.map(str::to_owned).collect();
    assert_eq!(modules, layers().into_iter().collect());
    assert_eq!(modules.len(), layers().len());
}

/// Tests and benches of the engine need no records, bots, service or statistics.
#[test]
fn the_engine_depends_on_no_other_crate_of_this_workspace() {
    let manifest = read(&engine().join("Cargo.toml"));
    for line in manifest.lines() {
        let name = first_name(line);
        let ours = [
            "records",
            "charts",
            "programs",
            "bots",
            "drawing",
            "analytics",
            "api",
        ]
        .contains(&&*name);
        assert!(!ours, "{line}");
    }
}
