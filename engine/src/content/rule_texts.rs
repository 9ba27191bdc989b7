//! The text of the rules: digests of the rule books, with rules that can be found by number.
//!
//! A digest is Markdown. A rule is a list item that begins with its number, `- [A27] …`, under the heading of its
//! chapter. Items below it note decisions where the book is silent, `  - **Ruling**: …`, and values that no available
//! text contains, `  - **Assumed**: …`.

use std::fmt::Write as _;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// The digests by edition. Each builds on the ones before it.
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

/// The text of a numbered rule. All texts are Markdown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RuleText {
    /// Its number, such as `A27`.
    pub number: String,
    /// The edition whose digest contains it. Later editions build on it.
    pub edition: String,
    /// The heading of its chapter.
    pub heading: String,
    /// The rule of the book, in our own words.
    pub text: String,
    /// Decisions where the book is silent or unclear.
    pub rulings: Vec<String>,
    /// Assumed values that no available text contains.
    pub assumed: Vec<String>,
}

impl RuleText {
    /// Returns the rule as a page of Markdown.
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

/// Returns the number of digests that apply in an edition: its own and those that it builds on.
///
/// An operator's edition without a digest may cite all of them.
fn digests_of(edition: &str) -> usize {
    let own = DIGESTS.iter().position(|(name, _)| *name == edition);
    own.map_or(DIGESTS.len(), |own| own + 1)
}

/// Returns the rules of an edition.
/// Those of its own digest come first, then those of the editions that it builds on, nearest first.
pub fn rule_texts(edition: &str) -> impl Iterator<Item = &'static RuleText> {
    RULES[..digests_of(edition)].iter().rev().flatten()
}

/// Returns the rule with this number in an edition.
pub fn rule_text(edition: &str, number: &str) -> Option<&'static RuleText> {
    rule_texts(edition).find(|rule| rule.number == number)
}

/// Returns the digest of an edition and those that it builds on, as one page of Markdown.
pub fn rule_page(edition: &str) -> String {
    let digests = DIGESTS[..digests_of(edition)].iter().rev();
    let mut page = String::new();
    for (index, (_, digest)) in digests.enumerate() {
        let parting = if index == 0 { "" } else { "\n---\n\n" };
        // Writing to a string does not fail.
        let _ = write!(page, "{parting}{digest}");
    }
    page
}

/// Parses the numbered rules of a digest, in order.
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
            // A table belongs to the rule above it.
            rule.text.push('\n');
            rule.text.push_str(line);
        }
    }
    for rule in &mut rules {
        rule.text.truncate(rule.text.trim_end().len());
    }
    rules
}

/// Returns number and text of `- [A27] …`.
fn numbered(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("- [")?.split_once("] ")
}

/// Returns the text of `  - **MARK**: …` or `  - **MARK (date)**: …`.
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
