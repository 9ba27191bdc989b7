//! Tests of the texts: they know all pages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use analytics::MEASURES;
use bots::{BOTS, LEVELS};
use engine::content::Library;
use engine::words::{Field, Personage, Resource};
use fluent_syntax::ast::{Entry, Resource as Messages};
use fluent_syntax::{parser, serializer};

use super::texts::{Language, Texts, message_id, source};

/// The messages of a language with the names of their arguments.
fn messages(language: Language) -> BTreeMap<String, BTreeSet<String>> {
    let read = parser::parse(source(language)).expect("a file without errors");
    let mut messages = BTreeMap::new();
    for entry in read.body {
        let Some(id) = message_id(&entry) else {
            let is_comment = !matches!(entry, Entry::Term(_) | Entry::Junk { .. });
            assert!(is_comment, "{entry:?}");
            continue;
        };
        let text = serializer::serialize(&Messages { body: vec![entry] });
        let names = text.split('$').skip(1).map(|rest| {
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
            rest[..end.unwrap_or(rest.len())].to_owned()
        });
        let previous = messages.insert(id.clone(), names.collect());
        assert!(previous.is_none(), "{id} is defined twice");
    }
    messages
}

/// The source code of the pages without tests of texts.
fn sources(folder: &Path, all: &mut String) {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|file| file.expect("a file").path())
        .collect();
    files.sort();
    for path in files {
        let is_code = path.extension().is_some_and(|end| end == "rs");
        if path.is_dir() {
            sources(&path, all);
        } else if is_code && path.file_name().is_some_and(|name| name != "tests.rs") {
            all.push_str(&std::fs::read_to_string(&path).expect("a text"));
        }
    }
}

/// The messages that are named for names of the game.
fn named() -> BTreeSet<String> {
    let library = Library::embedded();
    let mut ids = BTreeSet::new();
    let mut add = |family: &str, name: &str| {
        ids.insert(format!("{family}-{}", name.replace(['_', '/'], "-")));
    };
    for board in library.boards() {
        add("board", &board.data.id);
        add("short-board", &board.data.id);
        for nation in board.nations() {
            add("nation", nation);
        }
    }
    for ruleset in library.rulesets() {
        for know_how in &ruleset.data.know_how {
            add("know-how", &know_how.id);
        }
        for variant in ruleset.data.variants.keys() {
            add("variant", variant);
        }
        for card in ruleset.data.cards.iter().flat_map(|cards| &cards.deck) {
            add("card", &card.id);
        }
    }
    for personage in Personage::ALL {
        add("personage", personage.name());
    }
    for resource in Resource::ALL {
        add("chip", resource.name());
    }
    for field in Field::ALL {
        add("field", field.name());
        if field.is_maneuver() {
            add("stop", field.name());
        }
    }
    for bot in BOTS {
        add("bot", bot.name);
    }
    for level in LEVELS {
        add("level", level.name);
    }
    for measure in MEASURES {
        add("measure", measure.path);
        add("question", measure.path);
    }
    for (_, class) in crate::site::stats::wheel::COLOURS {
        add("lift", class);
    }
    for column in crate::site::stats::explorer::DONE {
        add("done", column);
    }
    for difference in crate::site::stats::versus::DIFFERENCES {
        add("versus", difference);
    }
    for opening in crate::site::stats::filter::OPENINGS {
        add("opening", opening);
    }
    for control in crate::site::stats::filter::TIME_CONTROLS {
        add("time-control", control);
    }
    for verdict in records::ActionVerdict::ALL {
        add("verdict", verdict.name());
    }
    for kind in ACTIONS {
        add("kind", kind);
    }
    ids
}

/// The kinds of actions, except resigning.
const ACTIONS: [&str; 19] = [
    "move_stone",
    "build_temple",
    "build_wall",
    "arm",
    "develop",
    "recruit",
    "march",
    "battle",
    "answer_battle",
    "conquer",
    "found",
    "trade",
    "choose_chip",
    "choose_personage",
    "choose_city",
    "take_card",
    "play_card",
    "pass",
    "end_turn",
];

#[test]
fn both_languages_have_the_same_messages_with_the_same_arguments() {
    assert_eq!(messages(Language::English), messages(Language::German));
}

#[test]
fn every_message_is_used_and_every_used_message_is_defined() {
    let defined: BTreeSet<String> = messages(Language::English).into_keys().collect();
    let named = named();
    let mut code = String::new();
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/site"));
    sources(folder, &mut code);
    let used = |id: &&String| code.contains(&format!("\"{id}\"")) || named.contains(*id);
    let unused: Vec<&String> = defined.iter().filter(|id| !used(id)).collect();
    assert_eq!(unused, Vec::<&String>::new(), "unused");
    // Cells of tables are read by a method of the same name.
    let code = code.replace("cells.text(", "");
    let called = [".text(", ".format("].iter().flat_map(|call| {
        let calls = code.split(call).skip(1).map(str::trim_start);
        calls.filter_map(|rest| rest.strip_prefix('"')?.split('"').next())
    });
    let called = called.map(str::to_owned).chain(named.iter().cloned());
    let missing: BTreeSet<String> = called.filter(|id| !defined.contains(id)).collect();
    assert_eq!(missing, BTreeSet::new(), "not defined");
}

#[test]
fn numbers_and_lists_follow_the_language() {
    let (english, german) = (Texts::ENGLISH, Texts(Language::German));
    assert_eq!(english.part(0.0712), "7.1%");
    assert_eq!(german.part(0.0712), "7,1 %");
    assert_eq!(english.span(0.05, 0.5), "5.0 to 50%");
    assert_eq!(german.nations(1), "1 Nation");
    assert_eq!(german.nations(4), "4 Nationen");
    assert_eq!(english.place(2), "2nd");
    let names = ["Dido", "Mago", "Hanno"].map(str::to_owned);
    assert_eq!(english.listed(&names), "Dido, Mago and Hanno");
    assert_eq!(german.listed(&names), "Dido, Mago und Hanno");
}
