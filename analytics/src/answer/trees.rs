//! The tree of openings: its nodes and its picture.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use charts::{Branch, Forest, Tree, words};
use polars::prelude::{PolarsResult, polars_err};

use super::rows::WinRate;
use super::table::StatisticsTable;

/// A node of a table that is a tree.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// The number of its row in the table.
    pub row: usize,
    /// The last rondel space on the path to this node; `None` for the root.
    pub stop: Option<String>,
    /// The nodes of the next rondel spaces.
    pub children: Vec<TreeNode>,
}

impl TreeNode {
    /// Lists the nodes below this one, those with shorter paths first.
    fn descendants(&self) -> Vec<&TreeNode> {
        let mut nodes: Vec<&TreeNode> = self.children.iter().collect();
        let mut next = 0;
        while let Some(node) = nodes.get(next).copied() {
            nodes.extend(&node.children);
            next += 1;
        }
        nodes
    }

    /// Returns the node as a drawn tree with at most `most` branches, those with the most nations.
    fn tree(&self, title: String, rates: &[WinRate], most: usize) -> Tree {
        let mut drawn = self.descendants();
        let all = drawn.len();
        // A node never has more nations than its parent, and the parent comes first in a tie.
        drawn.sort_by_key(|node| Reverse(rates[node.row].nation_games));
        drawn.truncate(most);
        let drawn: BTreeSet<usize> = drawn.into_iter().map(|node| node.row).collect();
        Tree {
            title,
            root: self.branch(rates, &drawn),
            left_out: all - drawn.len(),
        }
    }

    /// Returns the node as a branch, with its drawn children sorted by size.
    fn branch(&self, rates: &[WinRate], drawn: &BTreeSet<usize>) -> Branch {
        let children = self.children.iter();
        let mut next: Vec<&TreeNode> = children.filter(|node| drawn.contains(&node.row)).collect();
        next.sort_by_key(|node| Reverse(rates[node.row].nation_games));
        let rate = rates[self.row];
        let stop = self.stop.as_deref();
        Branch {
            label: stop.map_or("All".to_owned(), words),
            count: rate.nation_games.into(),
            few: rate.insufficient,
            rate: rate.rate,
            interval: (rate.low, rate.high),
            expected: rate.expected,
            next: next.iter().map(|node| node.branch(rates, drawn)).collect(),
        }
    }
}

/// Builds the nodes from paths and next spaces. A row without a next space is a root.
fn nodes(start: &[&str], rows: &[(&str, Option<&str>)]) -> PolarsResult<Vec<TreeNode>> {
    let mut roots: Vec<TreeNode> = Vec::new();
    for (row, (path, field)) in rows.iter().enumerate() {
        let node = |stop: Option<&&str>| TreeNode {
            row,
            stop: stop.map(|stop| (*stop).to_owned()),
            children: Vec::new(),
        };
        if field.is_none() {
            roots.push(node(start.last()));
            continue;
        }
        // Rows are sorted by path, so a parent comes before its children.
        let stops = path.split(',').filter(|stop| !stop.is_empty());
        let parent = stops
            .skip(start.len())
            .fold(roots.last_mut(), |node, stop| {
                let mut children = node?.children.iter_mut();
                children.find(|child| child.stop.as_deref() == Some(stop))
            });
        let parent = parent.ok_or_else(|| polars_err!(ComputeError: "no row for {path}"))?;
        parent.children.push(node(field.as_ref()));
    }
    Ok(roots)
}

impl StatisticsTable {
    /// Returns the root node of each format, at the path of the filters.
    ///
    /// # Errors
    /// If the measure is not a tree.
    pub fn nodes(&self) -> PolarsResult<Vec<TreeNode>> {
        let rows = self.read(|cells| Ok((cells.text("path")?, cells.optional_text("field")?)))?;
        nodes(&self.path(), &rows)
    }

    /// Returns the rondel spaces of the filter `path`.
    pub(super) fn path(&self) -> Vec<&'static str> {
        let fields = self.filters.path.iter().flat_map(|path| path.fields());
        fields.map(|field| field.name()).collect()
    }

    /// Returns a drawn tree for each format, each with at most `most` branches.
    pub(super) fn forest(&self, most: usize) -> PolarsResult<Forest> {
        let what = "Win rates by the first rondel spaces, from left to right, with 95% intervals; n: nations in games.";
        let rates = self.read(WinRate::read)?;
        let trees = self.nodes()?.into_iter().map(|root| {
            let title = self.cells(root.row).title()?;
            Ok(root.tree(title, &rates, most))
        });
        Ok(Forest {
            title: self.measure.title().to_owned(),
            about: self.with_filters(what),
            trees: trees.collect::<PolarsResult<_>>()?,
            notes: self.notes(),
            bare: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_branches_of_what_they_go_on_from_and_those_with_most_are_drawn() {
        let rows = [
            ("gold", None, 100),
            ("gold", Some("iron"), 20),
            ("gold", Some("marble"), 80),
            ("gold,iron", Some("arming"), 19),
            ("gold,marble", Some("temple"), 80),
            ("gold,marble,temple", Some("gold"), 2),
            ("gold", None, 5),
        ];
        let rates = rows.map(|(.., nation_games)| WinRate {
            nation_games,
            insufficient: nation_games < 30,
            ..WinRate::default()
        });
        let roots = nodes(&["gold"], &rows.map(|(path, field, _)| (path, field)));
        let roots = roots.expect("each path has a row");
        let tree = |root: usize, most: usize| roots[root].tree(String::new(), &rates, most);
        assert_eq!(roots.len(), 2);
        let root = tree(0, 24).root;
        assert_eq!(
            (root.label.as_str(), root.count, root.len()),
            ("Gold", 100, 5)
        );
        let first = &root.next[0];
        assert_eq!((first.label.as_str(), first.few), ("Marble", false));
        assert_eq!(first.next[0].label, "Temple");
        assert_eq!(first.next[0].next[0].label, "Gold");
        assert_eq!(root.next[1].next[0].label, "Arming");
        assert!(tree(1, 24).root.is_empty());

        let some = tree(0, 2);
        assert_eq!((some.root.len(), some.left_out), (2, 3));
        assert_eq!(some.root.next[0].next.len(), 1);
        assert_eq!(some.root.next.len(), 1);
    }
}
