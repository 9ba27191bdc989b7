//! JSON, the form of the wire.

use jiff::Timestamp;
use polars::prelude::*;
use serde_json::{Map, Value, json};

use super::table::{PROGRAM, Table};
use crate::measures::openings_tree::DONE;
use crate::measures::{FORMAT, TableShape};

impl Table {
    /// The table as JSON: `measure`, `filters`, `program`, `data_version`, `log_position`, `as_of`, `complete`,
    /// `games`, `rulesets` and `rows`. Rows of `openings_tree` are nodes that hold their next stops in
    /// `children`.
    ///
    /// # Errors
    /// When a column has a type that no measure gives.
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

    /// The rows of [`Table::to_json`].
    ///
    /// # Errors
    /// As [`Table::to_json`].
    pub fn json_rows(&self) -> PolarsResult<Vec<Map<String, Value>>> {
        let rows = self.flat_rows()?;
        Ok(match self.measure.shape {
            TableShape::Tree => nodes(rows),
            TableShape::Rows | TableShape::Curves => rows,
        })
    }

    /// Each row as an object by column.
    pub(super) fn flat_rows(&self) -> PolarsResult<Vec<Map<String, Value>>> {
        objects(&self.rows)
    }
}

/// Each row of a frame as an object by column.
///
/// # Errors
/// When a time is none that there is.
pub(crate) fn objects(rows: &DataFrame) -> PolarsResult<Vec<Map<String, Value>>> {
    let columns = rows.columns();
    let row = |index: usize| {
        let cell = |column: &Column| Ok((column.name().to_string(), value(&column.get(index)?)?));
        columns.iter().map(cell).collect()
    };
    (0..rows.height()).map(row).collect()
}

fn value(cell: &AnyValue<'_>) -> PolarsResult<Value> {
    Ok(match cell {
        AnyValue::Null => Value::Null,
        AnyValue::Boolean(flag) => json!(flag),
        AnyValue::UInt32(count) => json!(count),
        AnyValue::UInt64(count) => json!(count),
        AnyValue::Int32(count) => json!(count),
        AnyValue::Int64(count) => json!(count),
        AnyValue::Float64(number) => json!(number),
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
        // Such as a date that a query gives.
        other => json!(other.to_string()),
    })
}

/// A node for each row without a field; the rows behind it are its children, and theirs.
fn nodes(rows: Vec<Map<String, Value>>) -> Vec<Map<String, Value>> {
    // Each with how many stops its path has.
    let mut nodes: Vec<(Map<String, Value>, usize)> = Vec::new();
    for row in rows {
        let path = row.get("path").and_then(Value::as_str).unwrap_or_default();
        let path: Vec<String> = stops(path).map(str::to_owned).collect();
        let is_child = row.get("field").is_some_and(|field| !field.is_null());
        match nodes.last_mut() {
            Some((node, depth)) if is_child => add(node, &path[*depth..], child(row)),
            _ => {
                let mut node = node(row);
                node.insert("children".to_owned(), json!([]));
                nodes.push((node, path.len()));
            }
        }
    }
    nodes.into_iter().map(|(node, _)| node).collect()
}

/// The stops of a path, as a row tells it.
pub(super) fn stops(path: &str) -> impl Iterator<Item = &str> {
    path.split(',').filter(|stop| !stop.is_empty())
}

/// Puts a child in its place, so many stops from a node. A stop has no fewer games than those behind it, so that
/// it is there.
fn add(node: &mut Map<String, Value>, path: &[String], child: Map<String, Value>) {
    let children = node.entry("children").or_insert_with(|| json!([]));
    let Some(children) = children.as_array_mut() else {
        return;
    };
    let Some((stop, rest)) = path.split_first() else {
        return children.push(Value::Object(child));
    };
    let mut nodes = children.iter_mut().filter_map(Value::as_object_mut);
    let next = nodes.find(|node| node.get("field").and_then(Value::as_str) == Some(stop));
    if let Some(node) = next {
        add(node, rest, child);
    }
}

/// The path as a list.
fn node(row: Map<String, Value>) -> Map<String, Value> {
    let kept = row.into_iter().filter(|(name, _)| is_of_node(name));
    let listed = kept.map(|(name, value)| match value.as_str() {
        Some(path) if name == "path" => {
            let stops: Vec<&str> = stops(path).collect();
            (name, json!(stops))
        }
        _ => (name, value),
    });
    listed.collect()
}

/// What a child does not share with its node.
fn child(row: Map<String, Value>) -> Map<String, Value> {
    let own = |(name, _): &(String, Value)| is_of_child(name);
    row.into_iter().filter(own).collect()
}

/// Whether the children of a node have a column.
pub(super) fn is_of_child(name: &str) -> bool {
    name != "path" && !FORMAT.contains(&name)
}

/// Whether a node has a column: what was done is known of children's stops only.
pub(super) fn is_of_node(name: &str) -> bool {
    name != "field" && !DONE.iter().any(|done| done.name == name)
}
