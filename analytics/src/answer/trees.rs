//! Pictures of the tree of openings.

use std::cmp::Reverse;

use charts::{Branch, Forest, Tree, words};
use polars::prelude::PolarsResult;
use serde_json::Value;

use super::json::stops;
use super::svg::{Cells, format, number, shown};
use super::table::Table;

impl Table {
    /// Its nodes as trees, one for each format, with so many branches at most: those that most nations took.
    pub(super) fn forest(&self, most: usize) -> PolarsResult<Forest> {
        let what = "Wins of nations by where they stopped first on the rondel, from left to right, with 95% \
                    intervals; n: nations in games.";
        Ok(Forest {
            title: self.measure.title().to_owned(),
            about: self.with_filters(what),
            trees: trees(&self.flat_rows()?, most),
            notes: self.notes(),
            bare: false,
        })
    }
}

/// A tree for each node that has no stop of its own, of the rows behind it.
fn trees(rows: &[Cells], most: usize) -> Vec<Tree> {
    let is_root = |row: &Cells| row.get("field").is_none_or(Value::is_null);
    let parts = rows.chunk_by(|_, next| !is_root(next));
    let trees = parts.filter_map(|part| {
        let (first, behind) = part.split_first()?;
        let mut behind: Vec<&Cells> = behind.iter().collect();
        let all = behind.len();
        // None has more than the one that it goes on from, which comes first where they are equal.
        behind.sort_by_key(|row| (Reverse(count(row)), depth(row)));
        behind.truncate(most);
        let path = shown(first, "path");
        let start = stops(&path).last().map_or("All of them".to_owned(), words);
        Some(Tree {
            title: format(first),
            root: branch(first, &path, start, &behind)?,
            left_out: all - behind.len(),
        })
    });
    trees.collect()
}

fn depth(row: &Cells) -> usize {
    stops(&shown(row, "path")).count()
}

fn count(row: &Cells) -> u64 {
    let count = row.get("nation_games").and_then(Value::as_u64);
    count.unwrap_or_default()
}

/// A row with those behind it, which have its path. In the order of the rows.
fn branch(row: &Cells, path: &str, label: String, rows: &[&Cells]) -> Option<Branch> {
    let next = rows.iter().filter(|row| shown(row, "path") == path);
    let next = next.filter_map(|next| {
        let field = shown(next, "field");
        let path = match path {
            "" => field.clone(),
            path => format!("{path},{field}"),
        };
        branch(next, &path, words(&field), rows)
    });
    Some(Branch {
        label,
        count: count(row),
        few: row.get("insufficient") == Some(&Value::Bool(true)),
        rate: number(row, "rate")?,
        interval: (number(row, "low")?, number(row, "high")?),
        expected: number(row, "expected")?,
        next: next.collect(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(board: &str, path: &str, field: Option<&str>, count: u64) -> Cells {
        let told = json!({"path": path, "field": field, "board": board, "nations": 4, "players": 4,
            "variants": "", "play": "people", "bots": "", "bot": "", "ruleset": "all", "nation_games": count,
            "rate": 0.3, "low": 0.2, "high": 0.4, "expected": 0.25, "insufficient": count < 30});
        told.as_object().cloned().expect("an object")
    }

    #[test]
    fn rows_are_branches_of_what_they_go_on_from_and_those_with_most_are_drawn() {
        let rows = [
            row("antike-east", "gold", None, 100),
            row("antike-east", "gold", Some("iron"), 20),
            row("antike-east", "gold", Some("marble"), 80),
            row("antike-east", "gold,iron", Some("arming"), 19),
            row("antike-east", "gold,marble", Some("temple"), 80),
            row("antike-east", "gold,marble,temple", Some("gold"), 2),
            row("antike-west", "gold", None, 5),
        ];
        let all = trees(&rows, 24);
        assert_eq!(all.len(), 2);
        let root = &all[0].root;
        assert_eq!(
            (root.label.as_str(), root.count, root.len()),
            ("Gold", 100, 5)
        );
        let first = &root.next[0];
        assert_eq!((first.label.as_str(), first.few), ("Marble", false));
        assert_eq!(first.next[0].label, "Temple");
        assert_eq!(first.next[0].next[0].label, "Gold");
        assert_eq!(root.next[1].next[0].label, "Arming");
        assert!(all[1].root.is_empty());

        let some = trees(&rows, 2);
        assert_eq!((some[0].root.len(), some[0].left_out), (2, 3));
        assert_eq!(some[0].root.next[0].next.len(), 1);
        assert_eq!(some[0].root.next.len(), 1);
    }
}
