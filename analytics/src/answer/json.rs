//! JSON of tables, as the API returns it.

use std::mem;

use jiff::Timestamp;
use polars::prelude::*;
use serde_json::{Map, Value, json};

use super::table::{PROGRAM, StatisticsTable};
use super::trees::TreeNode;
use crate::measures::openings_tree::TURN_MEANS;
use crate::measures::{FORMAT, TableShape};

impl StatisticsTable {
    /// Returns the table as JSON.
    /// Members are `measure`, `filters`, `program`, `data_version`, `log_position`, `as_of`, `complete`, `games`,
    /// `rulesets` and `rows`. The rows of `openings_tree` are nodes with their next rondel spaces in `children`.
    ///
    /// # Errors
    /// If a column has a type that no measure has.
    pub fn to_json(&self) -> PolarsResult<Value> {
        Ok(json!({
            "measure": self.measure,
            "filters": self.filters,
            "program": PROGRAM,
            "data_version": self.data_version,
            "log_position": self.log_position,
            "as_of": self.as_of,
            "complete": self.complete,
            "games": self.games,
            "rulesets": self.rulesets,
            "rows": self.json_rows()?,
        }))
    }

    /// The rows of [`StatisticsTable::to_json`].
    fn json_rows(&self) -> PolarsResult<Vec<Map<String, Value>>> {
        let mut rows = objects(&self.rows)?;
        if self.measure.shape != TableShape::Tree {
            return Ok(rows);
        }
        let nodes = self.nodes()?.into_iter().map(|node| {
            let mut object = take(&mut rows, &node, is_of_node);
            object.insert("path".to_owned(), json!(self.path()));
            object.insert("children".to_owned(), children(&mut rows, &node));
            object
        });
        Ok(nodes.collect())
    }
}

/// Returns each row of a frame as an object by column.
///
/// # Errors
/// If a time is out of range.
pub(crate) fn objects(rows: &DataFrame) -> PolarsResult<Vec<Map<String, Value>>> {
    let columns = rows.columns();
    let row = |index: usize| {
        let cell = |column: &Column| Ok((column.name().to_string(), value(&column.get(index)?)?));
        columns.iter().map(cell).collect()
    };
    (0..rows.height()).map(row).collect()
}

/// A cell of a frame as JSON.
pub(super) fn value(cell: &AnyValue<'_>) -> PolarsResult<Value> {
    Ok(match cell {
        AnyValue::Null => Value::Null,
        AnyValue::Boolean(flag) => json!(flag),
        AnyValue::UInt64(count) => json!(count),
        AnyValue::String(text) => json!(text),
        AnyValue::StringOwned(text) => json!(text.as_str()),
        AnyValue::List(cells) => cells
            .iter()
            .map(|cell| value(&cell))
            .collect::<PolarsResult<_>>()?,
        AnyValue::Datetime(microseconds, TimeUnit::Microseconds, _)
        | AnyValue::DatetimeOwned(microseconds, TimeUnit::Microseconds, _) => {
            let time = Timestamp::from_microsecond(*microseconds);
            json!(time.map_err(|error| polars_err!(ComputeError: "{error}"))?)
        }
        number if number.is_integer() => json!(number.extract::<i64>()),
        number if number.is_float() => json!(number.extract::<f64>()),
        // For example a date in the result of a query.
        other => json!(other.to_string()),
    })
}

/// Moves these columns from the row of a node to its object.
fn take(
    rows: &mut [Map<String, Value>],
    node: &TreeNode,
    is_kept: fn(&str) -> bool,
) -> Map<String, Value> {
    let row = mem::take(&mut rows[node.row]).into_iter();
    row.filter(|(name, _)| is_kept(name)).collect()
}

/// Returns the children of a node, without the columns that they share with it.
fn children(rows: &mut [Map<String, Value>], node: &TreeNode) -> Value {
    let children = node.children.iter().map(|child| {
        let mut object = take(rows, child, is_of_child);
        if !child.children.is_empty() {
            object.insert("children".to_owned(), children(rows, child));
        }
        Value::Object(object)
    });
    children.collect()
}

/// True if children of a node have the column.
pub(super) fn is_of_child(name: &str) -> bool {
    name != "path" && !FORMAT.contains(&name)
}

/// True if a node has the column. Means of what was done exist only for children.
pub(super) fn is_of_node(name: &str) -> bool {
    name != "field" && !TURN_MEANS.iter().any(|done| done.name == name)
}
