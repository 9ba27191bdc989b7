//! Every cited rule exists.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use engine::content::{Library, rule_page, rule_text, rule_texts};

const EDITIONS: [&str; 3] = ["antike", "antike_ii", "antike_duellum"];

#[test]
fn every_rule_number_of_every_version_of_every_ruleset_can_be_looked_up() {
    let library = Library::embedded();
    for edition in EDITIONS {
        for ruleset in library.ruleset_versions(edition) {
            let variants = ruleset.data.variants.values().map(|variant| &variant.rule);
            for number in ruleset.data.rules.values().chain(variants) {
                let rule = rule_text(edition, number);
                let rule = rule.unwrap_or_else(|| panic!("{edition} has no rule {number}"));
                assert_eq!(rule.number, *number);
            }
        }
    }
}

#[test]
fn a_rule_has_its_rulings_and_assumptions() {
    let conquest = rule_text("antike", "A27").expect("it is there");
    assert_eq!(conquest.heading, "`maneuver`");
    assert!(conquest.text.starts_with("**Conquest** of a foreign city"));
    assert!(conquest.rulings.is_empty() && conquest.assumed.is_empty());
    let know_how = rule_text("antike_duellum", "D17").expect("it is there");
    assert_eq!((know_how.rulings.len(), know_how.assumed.len()), (0, 1));
    let deck = rule_text("antike_duellum", "D43").expect("it is there");
    assert!(
        deck.text
            .lines()
            .last()
            .is_some_and(|line| line.starts_with("| SETTLERS"))
    );
    assert_eq!(deck.assumed.len(), 1);
    assert_eq!(
        rule_text("antike", "A34")
            .expect("it is there")
            .rulings
            .len(),
        3
    );
}

#[test]
fn an_edition_has_the_rules_that_it_builds_on_after_its_own_and_none_of_later_ones() {
    let editions = |edition: &str| {
        let mut editions: Vec<&str> = rule_texts(edition).map(|rule| &*rule.edition).collect();
        editions.dedup();
        editions
    };
    assert_eq!(editions("antike"), ["antike"]);
    assert_eq!(editions("antike_ii"), ["antike_ii", "antike"]);
    assert_eq!(
        editions("antike_duellum"),
        ["antike_duellum", "antike_ii", "antike"]
    );
    assert!(rule_text("antike", "B27").is_none());
    // An operator's edition can cite any rule.
    assert!(rule_text("house", "D50").is_some());
    assert!(rule_text("antike", "A99").is_none());
}

#[test]
fn the_parser_misses_nothing() {
    let page = rule_page("antike_duellum");
    let begins = |start: &str| page.lines().filter(|line| line.starts_with(start)).count();
    let rules: Vec<_> = rule_texts("antike_duellum").collect();
    assert_eq!(rules.len(), begins("- ["));
    let numbers: BTreeSet<&str> = rules.iter().map(|rule| &*rule.number).collect();
    assert_eq!(numbers.len(), rules.len(), "a number is given twice");
    let notes = rules
        .iter()
        .map(|rule| rule.rulings.len() + rule.assumed.len());
    assert_eq!(notes.sum::<usize>(), begins("  - **"));
    for rule in rules {
        assert!(
            !rule.heading.is_empty() && !rule.text.is_empty(),
            "{}",
            rule.number
        );
        assert!(!rule.text.contains("**Ruling"), "{}", rule.number);
        let cited = cited(&rule.to_markdown());
        assert!(
            cited.iter().all(|number| known(number)),
            "{}: {cited:?}",
            rule.number
        );
    }
}

fn known(number: &str) -> bool {
    rule_text("antike_duellum", number).is_some()
}

/// The numbers in brackets in a text: a capital and one or two digits.
fn cited(text: &str) -> BTreeSet<String> {
    let parts = text
        .split('[')
        .skip(1)
        .filter_map(|part| part.split_once(']'));
    let is_number = |number: &&str| {
        let mut letters = number.chars();
        letters
            .next()
            .is_some_and(|letter| letter.is_ascii_uppercase())
            && (2..=3).contains(&number.len())
            && letters.all(|digit| digit.is_ascii_digit())
    };
    let numbers = parts.map(|(number, _)| number).filter(is_number);
    numbers.map(str::to_owned).collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_rule_cited_in_the_sources_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in [
        "src",
        "tests",
        "records/src",
        "records/tests",
        "bots/src",
        "examples",
        "../analytics/src",
        "../api/src",
    ] {
        sources(&root.join(folder), &mut paths);
    }
    let mut count = 0;
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a text");
        for number in cited(&text) {
            // The examples of a parser.
            let example = number.starts_with('X');
            assert!(
                example || known(&number),
                "{} cites [{number}]",
                path.display()
            );
            count += 1;
        }
    }
    assert!(count > 100, "only {count} citations found");
}

#[test]
fn every_rule_test_is_named_after_a_rule_that_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut paths = Vec::new();
    for folder in ["rules", "rules_antike_ii", "rules_antike_duellum"] {
        sources(&root.join(folder), &mut paths);
    }
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a text");
        let names = text.lines().filter_map(|line| line.strip_prefix("fn "));
        for name in names {
            let number = name.split('_').next().unwrap_or_default().to_uppercase();
            // Numbers below 10 are written with two digits, which sorts the names.
            let number = number.replacen('0', "", usize::from(number.get(1..2) == Some("0")));
            if !cited(&format!("[{number}]")).is_empty() {
                assert!(known(&number), "{}: {name}", path.display());
            }
        }
    }
}
