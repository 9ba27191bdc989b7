//! The folders of the service and of analytics: each uses only folders in lower layers, and files of one folder
//! do not use each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A crate: the place of its files, and its folders from the lowest layer to the highest. Folders of one layer
/// do not use each other.
struct Crate {
    source: &'static str,
    layers: &'static [&'static [&'static str]],
}

const CRATES: [Crate; 2] = [
    Crate {
        source: concat!(env!("CARGO_MANIFEST_DIR"), "/src"),
        layers: &[
            &["db"],
            &["http"],
            &["accounts", "content", "signing"],
            &["oauth", "sessions"],
            &["games"],
            &[
                "analysis",
                "annotations",
                "chat",
                "datasets",
                "leagues",
                "personal_data",
            ],
            &["moderation", "ratings", "statistics", "webhooks"],
            &["notices"],
            &["services"],
            &["site"],
            &["server"],
            &["cli"],
        ],
    },
    Crate {
        source: concat!(env!("CARGO_MANIFEST_DIR"), "/../analytics/src"),
        layers: &[
            &["ratings"],
            &["analyses", "facts", "statistics"],
            &["question"],
            &["measures"],
            &["storage"],
            &["answer"],
            &["dataset", "report", "snapshot"],
            &["cli"],
            &["main"],
        ],
    },
];

/// Files and folders that are allowed to be in a circle.
const EXCEPTIONS: [&str; 0] = [];

/// The names on the path from the root of the crate to a module or an item.
type Names = Vec<String>;

/// The items of its own crate that a file uses and re-exports.
#[derive(Default)]
struct Module {
    uses: BTreeSet<Names>,
    exports: BTreeMap<String, Names>,
}

/// The files of a crate by the names of their modules.
struct Modules(BTreeMap<Names, Module>);

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Splits code into words and signs, without comments and tests.
fn tokens(text: &str) -> Vec<&str> {
    let code = text.split("mod tests {").next().unwrap_or_default();
    let mut tokens = Vec::new();
    for line in code.lines() {
        let mut rest = line.split("//").next().unwrap_or_default().trim_start();
        while let Some(first) = rest.chars().next() {
            let length = match first {
                _ if rest.starts_with("::") => 2,
                _ if is_of_name(first) => rest.find(|c| !is_of_name(c)).unwrap_or(rest.len()),
                _ => first.len_utf8(),
            };
            let (token, behind) = rest.split_at(length);
            tokens.push(token);
            rest = behind.trim_start();
        }
    }
    tokens
}

/// Reads a path with its groups. Adds each path and its alias, and returns the tokens after it.
fn read_path<'a, 'b>(
    mut tokens: &'b [&'a str],
    mut path: Vec<&'a str>,
    paths: &mut Vec<(Vec<&'a str>, Option<&'a str>)>,
) -> &'b [&'a str] {
    while let [name, "::", rest @ ..] = tokens {
        path.push(name);
        tokens = rest;
    }
    let ["{", group @ ..] = tokens else {
        path.extend(tokens.first());
        let (alias, rest) = match tokens {
            [_, "as", alias, rest @ ..] => (Some(*alias), rest),
            tokens => (None, tokens.get(1..).unwrap_or_default()),
        };
        paths.push((path, alias));
        return rest;
    };
    tokens = group;
    loop {
        tokens = match tokens {
            [] => return tokens,
            ["}", rest @ ..] => return rest,
            [",", rest @ ..] => rest,
            tokens => read_path(tokens, path.clone(), paths),
        };
    }
}

/// Returns the path from the root, for a path in a module.
fn absolute(module: &[String], path: &[&str]) -> Names {
    let mut names = module.to_vec();
    for name in path {
        match *name {
            "crate" => names.clear(),
            "self" => {}
            "super" => drop(names.pop()),
            name => names.push(name.to_owned()),
        }
    }
    names
}

impl Module {
    fn read(name: &[String], text: &str, children: &BTreeSet<&str>) -> Module {
        let tokens = tokens(text);
        let mut module = Module::default();
        let mut rest = tokens.as_slice();
        while let [first, behind @ ..] = rest {
            let before = &tokens[..tokens.len() - rest.len()];
            let begins = ["crate", "self", "super"].contains(first) || children.contains(first);
            // The next token continues the path, or is a visibility.
            let is_other = matches!(before, [.., "::" | "."] | [.., "(", "in"]);
            if !begins || is_other || behind.first() != Some(&"::") {
                rest = behind;
                continue;
            }
            let mut paths = Vec::new();
            rest = read_path(rest, Vec::new(), &mut paths);
            let is_export = matches!(before, [.., "pub" | ")", "use"]);
            for (path, alias) in paths {
                let target = absolute(name, &path);
                let own = alias.or(path.last().copied()).unwrap_or_default();
                if is_export {
                    module.exports.insert(own.to_owned(), target.clone());
                }
                let count = tokens.iter().filter(|token| **token == own).count();
                // A `mod.rs` that only re-exports an item does not use it.
                if !is_export || children.is_empty() || count > 1 {
                    module.uses.insert(target);
                }
            }
        }
        module
    }
}

impl Modules {
    /// Reads files from their paths and texts.
    fn read<F: AsRef<Path>, T: AsRef<str>>(files: impl IntoIterator<Item = (F, T)>) -> Modules {
        let named = files.into_iter().map(|(file, text)| {
            let path = file.as_ref().with_extension("");
            let names = path.iter().map(|name| name.to_string_lossy().into_owned());
            let mut names: Names = names.collect();
            if names.last().is_some_and(|name| name == "mod") || names == ["lib"] {
                names.pop();
            }
            (names, text)
        });
        let files: BTreeMap<Names, T> = named.collect();
        let module = |(name, text): (&Names, &T)| {
            let children = files.keys().filter_map(|other| match other.split_last() {
                Some((child, folder)) if folder == name => Some(child.as_str()),
                _ => None,
            });
            let module = Module::read(name, text.as_ref(), &children.collect());
            (name.clone(), module)
        };
        Modules(files.iter().map(module).collect())
    }

    /// Returns the module that defines an item.
    fn defining(&self, item: &[String]) -> Names {
        let mut module = Names::new();
        for (place, name) in item.iter().enumerate() {
            module.push(name.clone());
            if self.0.contains_key(&module) {
                continue;
            }
            module.pop();
            let exports = self.0.get(&module).map(|module| &module.exports);
            return match exports.and_then(|exports| exports.get(name)) {
                Some(target) => self.defining(&[target, &item[place + 1..]].concat()),
                None => module,
            };
        }
        module
    }

    /// Returns each module with each module that it uses.
    fn uses(&self) -> impl Iterator<Item = (&Names, Names)> {
        self.0.iter().flat_map(move |(name, module)| {
            let used = module.uses.iter();
            used.map(move |item| (name, self.defining(item)))
        })
    }

    /// Returns the files and folders of one folder that use each other in circles, except for exceptions.
    fn circles(&self, exceptions: &[&str]) -> Vec<String> {
        let parents = self.0.keys().filter_map(|name| name.split_last());
        let folders: BTreeSet<&[String]> = parents.map(|(_, parent)| parent).collect();
        let mut found = Vec::new();
        for folder in folders.into_iter().filter(|folder| !folder.is_empty()) {
            let part = |module: &[String]| {
                let inside = module.strip_prefix(folder)?;
                let name = inside.first().map_or("mod", String::as_str);
                let path = format!("{}/{name}", folder.join("/"));
                (!exceptions.contains(&path.as_str())).then_some(path)
            };
            let uses = self.uses();
            let uses = uses.filter_map(|(user, used)| part(user).zip(part(&used)));
            let mut uses: BTreeSet<(String, String)> = uses.filter(|(a, b)| a != b).collect();
            // A file that no file uses is in no circle, nor is a file that uses no other.
            loop {
                let before = uses.len();
                let (users, used): (BTreeSet<_>, BTreeSet<_>) = uses.iter().cloned().unzip();
                uses.retain(|(a, b)| used.contains(a) && users.contains(b));
                if uses.len() == before {
                    break;
                }
            }
            found.extend(uses.iter().map(|(a, b)| format!("{a} uses {b}")));
        }
        found
    }
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

impl Crate {
    fn modules(&self) -> Modules {
        Modules::read(files(Path::new(self.source)).iter().map(|file| {
            let text = std::fs::read_to_string(file).unwrap();
            (file.strip_prefix(self.source).unwrap(), text)
        }))
    }

    /// Returns the uses of folders that are not in a lower layer.
    fn violations(&self) -> BTreeSet<String> {
        let layer = |name: &str| self.layers.iter().position(|layer| layer.contains(&name));
        let modules = self.modules();
        let mut violations = BTreeSet::new();
        for (user, used) in modules.uses() {
            let ([own, ..], [name, ..]) = (user.as_slice(), used.as_slice()) else {
                continue;
            };
            let rank = layer(own).unwrap_or_else(|| panic!("{own} is in no layer"));
            if name != own && layer(name).is_none_or(|used| used >= rank) {
                violations.insert(format!("{} uses {name}", user.join("/")));
            }
        }
        violations
    }
}

#[test]
fn each_folder_uses_only_those_below_it() {
    for each in CRATES {
        let violations = each.violations();
        assert!(violations.is_empty(), "{violations:#?}");
    }
}

#[test]
fn files_of_a_folder_do_not_use_each_other_in_a_circle() {
    for each in CRATES {
        let circles = each.modules().circles(&EXCEPTIONS);
        assert!(circles.is_empty(), "{circles:#?}");
    }
}

#[test]
fn the_reader_of_paths_finds_them_all() {
    let used = |text: &str| {
        let module = Module::read(&["a".to_owned(), "b".to_owned()], text, &["c"].into());
        let names = module.uses.iter().map(|names| names.join("::"));
        names.collect::<Vec<_>>()
    };
    assert_eq!(used("use crate::games::Games;"), ["games::Games"]);
    assert_eq!(used("let x: crate::db::Store = y;"), ["db::Store"]);
    let group = "use crate::{docs::{self, page as shown}, routes};";
    assert_eq!(used(group), ["docs", "docs::page", "routes"]);
    assert_eq!(used("use super::d::*;"), ["a::d::*"]);
    assert_eq!(used("c::work(); other.c::<u8>();"), ["a::b::c::work"]);
    assert!(used("// crate::games\npub(in crate::a) fn f() {}").is_empty());
    assert!(used("pub use c::Item;\nmod tests { use crate::d; }").is_empty());
    assert_eq!(used("pub use c::Item; fn f(_: Item) {}"), ["a::b::c::Item"]);
}

#[test]
fn circles_are_found_also_behind_re_exports_and_in_folders() {
    let circles = |two: &str, folder: &str, exceptions: &[&str]| {
        Modules::read([
            ("lib.rs", "pub mod a;"),
            ("a/mod.rs", folder),
            ("a/one.rs", "use crate::a::Two;"),
            ("a/two.rs", two),
            ("a/b/mod.rs", ""),
            ("a/b/inner.rs", "use super::super::two::Two;"),
        ])
        .circles(exceptions)
    };
    let folder = "pub mod one; mod two; pub mod b; pub use two::Two;";
    assert!(circles("use crate::d::One;", folder, &[]).is_empty());
    let two = "use super::one::One;";
    let found = ["a/one uses a/two", "a/two uses a/one"];
    assert_eq!(circles(two, folder, &[]), found);
    assert!(circles(two, folder, &["a/one"]).is_empty());
    let found = ["a/b uses a/two", "a/two uses a/b"];
    assert_eq!(circles("use super::b::inner::f;", folder, &[]), found);
    let folder = "pub mod one; mod two; pub mod b; use self::one::One; pub struct Two(One);";
    let found = ["a/mod uses a/one", "a/one uses a/mod"];
    assert_eq!(circles("", folder, &[]), found);
}
