//! The rules in words: the numbered digests of the rule books, parsed so that each rule can be looked
//! up by its number.
//!
//! A digest is Markdown. A rule is an item of a list that begins with its number, `- [A27] …`, under
//! the heading of its chapter; what was decided where the book is silent, and what is printed in no
//! text at hand, stands in items below it: `  - **Ruling**: …` and `  - **Assumed**: …`.

use std::fmt::Write as _;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// The digests by edition; each builds on those before it.
const DIGESTS: [(&str, &str); 3] = [
    ("antike", include_str!("../../data/rules/antike.md")),
    ("antike_ii", include_str!("../../data/rules/antike_ii.md")),
    (
        "antike_duellum",
        include_str!("../../data/rules/antike_duellum.md"),
    ),
];

static RULES: LazyLock<[Vec<RuleText>; 3]> =
    LazyLock::new(|| DIGESTS.map(|(edition, digest)| parse(edition, digest)));

/// A numbered rule in words. All texts are Markdown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RuleText {
    /// Its number, such as `A27`.
    pub number: String,
    /// The edition in whose digest it stands; later editions build on it.
    pub edition: String,
    /// The heading of its chapter.
    pub heading: String,
    /// What the rule book says, in words of our own.
    pub text: String,
    /// What was decided where the book is silent or unclear.
    pub rulings: Vec<String>,
    /// What is printed in no text at hand and was assumed.
    pub assumed: Vec<String>,
}

impl RuleText {
    /// The rule as a page to read.
    pub fn to_markdown(&self) -> String {
        let mut page = format!("# {}: {}\n\n{}\n", self.number, self.heading, self.text);
        let marked = |mark: &'static str, notes: &[String]| -> String {
            let lines = notes.iter().map(|note| format!("\n**{mark}**: {note}\n"));
            lines.collect()
        };
        page += &marked("Ruling", &self.rulings);
        page += &marked("Assumed", &self.assumed);
        page
    }
}

/// How many digests an edition has: its own and those that it builds on. One that has none, as an
/// operator may add, may cite them all.
fn digests_of(edition: &str) -> usize {
    let own = DIGESTS.iter().position(|(name, _)| *name == edition);
    own.map_or(DIGESTS.len(), |own| own + 1)
}

/// The rules in words that hold in an edition: those of its own digest, then those of the editions
/// it builds on, the nearest first.
pub fn rule_texts(edition: &str) -> impl Iterator<Item = &'static RuleText> {
    RULES[..digests_of(edition)].iter().rev().flatten()
}

/// The rule with this number in an edition.
pub fn rule_text(edition: &str, number: &str) -> Option<&'static RuleText> {
    rule_texts(edition).find(|rule| rule.number == number)
}

/// The digest of an edition, and those that it builds on, as one Markdown page to read.
pub fn rule_page(edition: &str) -> String {
    let digests = DIGESTS[..digests_of(edition)].iter().rev();
    let mut page = String::new();
    for (index, (_, digest)) in digests.enumerate() {
        let parting = if index == 0 { "" } else { "\n---\n\n" };
        // Writing to a text does not fail.
        let _ = write!(page, "{parting}{digest}");
    }
    page
}

/// The numbered rules of a digest, in its order.
fn parse(edition: &str, digest: &str) -> Vec<RuleText> {
    let mut rules: Vec<RuleText> = Vec::new();
    let (mut heading, mut in_rule) = ("", false);
    for line in digest.lines() {
        if let Some(text) = line.strip_prefix("## ") {
            (heading, in_rule) = (text, false);
            continue;
        }
        if line.starts_with("- ") {
            let rule = numbered(line);
            in_rule = rule.is_some();
            rules.extend(rule.map(|(number, text)| RuleText {
                number: number.to_owned(),
                edition: edition.to_owned(),
                heading: heading.to_owned(),
                text: text.to_owned(),
                rulings: Vec::new(),
                assumed: Vec::new(),
            }));
            continue;
        }
        let Some(rule) = rules.last_mut().filter(|_| in_rule) else {
            continue;
        };
        if let Some(note) = noted(line, "Ruling") {
            rule.rulings.push(note.to_owned());
        } else if let Some(note) = noted(line, "Assumed") {
            rule.assumed.push(note.to_owned());
        } else {
            // A table below the rule.
            rule.text.push('\n');
            rule.text.push_str(line);
        }
    }
    for rule in &mut rules {
        rule.text.truncate(rule.text.trim_end().len());
    }
    rules
}

/// The number and the text of `- [A27] …`.
fn numbered(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("- [")?.split_once("] ")
}

/// The text of `  - **MARK**: …` or `  - **MARK (date)**: …`.
fn noted<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let rest = line.strip_prefix("  - **")?.strip_prefix(mark)?;
    rest.split_once("**: ").map(|(_, note)| note)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_rule_has_its_heading_notes_and_table_and_other_items_are_passed_over() {
        let digest = "# Digest\n\n## Terms\n- A word.\n\n## One\n- [X1] First, [X2].\n  \
            - **Ruling**: yes.\n  - **Ruling (2026-11-21)**: no.\n- [X2] Second:\n\n| a |\n| - |\n\n  \
            - **Assumed**: b.\n\n## Two\n\nMore.\n- No rule.\n- [X30] Third.\n";
        let rules = parse("own", digest);
        let numbers: Vec<&str> = rules.iter().map(|rule| &*rule.number).collect();
        assert_eq!(numbers, ["X1", "X2", "X30"]);
        let headings: Vec<&str> = rules.iter().map(|rule| &*rule.heading).collect();
        assert_eq!(headings, ["One", "One", "Two"]);
        assert_eq!(rules[0].text, "First, [X2].");
        assert_eq!(rules[0].rulings, ["yes.", "no."]);
        assert_eq!(rules[1].text, "Second:\n\n| a |\n| - |");
        assert_eq!(rules[1].assumed, ["b."]);
        assert_eq!((&*rules[2].text, &*rules[2].edition), ("Third.", "own"));
        assert_eq!(
            rules[0].to_markdown(),
            "# X1: One\n\nFirst, [X2].\n\n**Ruling**: yes.\n\n**Ruling**: no.\n"
        );
    }
}
