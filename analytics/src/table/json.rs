//! JSON, the form of the wire.

use polars::prelude::*;
use serde_json::{Map, Value, json};

use super::Table;
use crate::measures::Measure;

/// The columns that a row of `personages` holds in its `mix`.
const MIX: [&str; 5] = ["king", "scholar", "general", "citizen", "navigator"];

impl Table {
    /// The table as JSON: `measure`, `filters`, `data_version`, `as_of`, `games` and `rows`. Rows
    /// of `personages` hold the five counts in `mix`; rows of `openings_tree` are nodes that hold
    /// their next stops in `children`.
    ///
    /// # Errors
    /// When a column has a type that no measure gives.
    pub fn to_json(&self) -> PolarsResult<Value> {
        let rows = self.flat_rows()?;
        let rows = match self.measure {
            Measure::Personages => rows.into_iter().map(with_mix).collect(),
            Measure::OpeningsTree => nodes(rows),
            _ => rows,
        };
        Ok(json!({
            "measure": self.measure,
            "filters": self.filters,
            "data_version": self.data_version,
            "as_of": self.as_of,
            "games": self.games,
            "rows": rows,
        }))
    }

    /// Each row as an object by column.
    pub(super) fn flat_rows(&self) -> PolarsResult<Vec<Map<String, Value>>> {
        let columns = self.rows.columns();
        let row = |index: usize| {
            let cell =
                |column: &Column| Ok((column.name().to_string(), value(&column.get(index)?)?));
            columns.iter().map(cell).collect()
        };
        (0..self.rows.height()).map(row).collect()
    }
}

fn value(cell: &AnyValue<'_>) -> PolarsResult<Value> {
    Ok(match cell {
        AnyValue::Null => Value::Null,
        AnyValue::Boolean(flag) => json!(flag),
        AnyValue::UInt32(count) => json!(count),
        AnyValue::Float64(number) => json!(number),
        AnyValue::String(text) => json!(text),
        AnyValue::StringOwned(text) => json!(text.as_str()),
        other => polars_bail!(ComputeError: "no JSON for {}", other.dtype()),
    })
}

/// The five counts gathered in `mix`, which comes first.
fn with_mix(mut row: Map<String, Value>) -> Map<String, Value> {
    let mix = MIX
        .into_iter()
        .filter_map(|kind| row.remove_entry(kind))
        .collect();
    let mut nested = Map::new();
    nested.insert("mix".to_owned(), Value::Object(mix));
    nested.append(&mut row);
    nested
}

/// A node for each row without a field; the rows behind it are its children.
fn nodes(rows: Vec<Map<String, Value>>) -> Vec<Map<String, Value>> {
    let mut nodes: Vec<(Map<String, Value>, Vec<Value>)> = Vec::new();
    for mut row in rows {
        let path = row.remove("path");
        let field = row.remove("field").unwrap_or(Value::Null);
        match (field, nodes.last_mut()) {
            (Value::Null, _) | (_, None) => {
                let path = path.as_ref().and_then(Value::as_str).unwrap_or("");
                let stops: Vec<&str> = path.split(',').filter(|stop| !stop.is_empty()).collect();
                let mut node = Map::new();
                node.insert("path".to_owned(), json!(stops));
                // What was done is known of the children's stops only.
                node.extend(row.into_iter().filter(|(_, value)| !value.is_null()));
                nodes.push((node, Vec::new()));
            }
            (field, Some((_, children))) => {
                for format in crate::measures::FORMAT {
                    row.remove(format);
                }
                let mut child = Map::new();
                child.insert("field".to_owned(), field);
                child.append(&mut row);
                children.push(Value::Object(child));
            }
        }
    }
    let whole = nodes.into_iter().map(|(mut node, children)| {
        node.insert("children".to_owned(), Value::Array(children));
        node
    });
    whole.collect()
}
