//! JSON Schema (2020-12, as in OpenAPI 3.1) of the JSON of a measure's table.

use serde_json::{Map, Value, json};

use super::json::{is_of_child, is_of_node};
use crate::facts::{ColumnInfo, ColumnType};
use crate::measures::{Measure, NULLABLE, TableShape};

/// Returns the schema of a table's JSON; `filters` is the schema of the filters.
pub fn json_schema(measure: &Measure, filters: &Value) -> Value {
    let columns = measure.columns();
    let row = match measure.shape {
        TableShape::Tree => node(&columns),
        TableShape::Rows(_) | TableShape::Curves(_) | TableShape::Heat => {
            object(columns.iter().map(property))
        }
    };
    let text = |meaning: &str| json!({"type": "string", "description": meaning});
    let mut as_of = text("When the last available game was recorded; null without games.");
    as_of["type"] = json!(["string", "null"]);
    as_of["format"] = json!("date-time");
    let place = json!({"type": "integer", "format": "int64", "minimum": 0, "description":
        "The place in the log of that game; 0 without games. Asked with `as_of` this, the same program \
         returns the same table for ever."});
    let complete = json!({"type": "boolean", "description":
        "Whether all games that have finished are counted; false while the service still gathers \
         some."});
    let mut name = text("The name of the measure.");
    name["const"] = json!(measure.name);
    object([
        ("measure", name),
        ("filters", filters.clone()),
        (
            "program",
            text("The version of the program that computed the table."),
        ),
        (
            "data_version",
            text(
                "What the table is made of: how many games were counted, and a sum of the hashes of what \
                     their records say. Equal where all of it is.",
            ),
        ),
        ("log_position", place),
        ("as_of", as_of),
        ("complete", complete),
        (
            "games",
            count("The number of games that passed the filters."),
        ),
        ("rulesets", rulesets()),
        ("rows", json!({"type": "array", "items": row})),
    ])
}

/// Returns the schema of the list of rulesets.
fn rulesets() -> Value {
    let text = |meaning: &str| json!({"type": "string", "description": meaning});
    let item = object([
        ("edition", text("The edition.")),
        ("version", count("The number of the version, from 1.")),
        ("hash", text("SHA-256 of the ruleset's file.")),
        ("games", count("The number of games.")),
    ]);
    json!({"type": "array", "items": item, "description":
        "The versions of the rules by which the games were played. The table adds them up."})
}

fn node(columns: &[ColumnInfo]) -> Value {
    let child = columns.iter().filter(|column| is_of_child(column.name));
    let mut child = object(child.map(property));
    child["properties"]["children"] = json!({"type": "array", "items": {"type": "object"},
        "description": "The next rondel spaces with the same members, up to the depth of `levels`."});
    let path = json!({"type": "array", "items": {"type": "string"},
        "description": "The first rondel spaces."});
    let own = columns.iter().filter(|column| is_of_node(column.name));
    let own = own.map(|column| match column.name {
        "path" => ("path", path.clone()),
        _ => property(column),
    });
    let children =
        json!({"type": "array", "items": child, "description": "The next rondel spaces."});
    object(own.chain([("children", children)]))
}

/// Returns an object schema in which all properties are required.
fn object<'a>(properties: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let properties = properties.into_iter();
    let properties: Map<String, Value> = properties
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect();
    let required: Vec<&String> = properties.keys().collect();
    json!({"type": "object", "required": required, "properties": properties})
}

fn count(meaning: &str) -> Value {
    json!({"type": "integer", "format": "uint32", "minimum": 0, "description": meaning})
}

fn property(column: &ColumnInfo) -> (&'static str, Value) {
    let meaning = match column.unit {
        "" => column.meaning.to_owned(),
        unit => format!("{} Unit: {unit}.", column.meaning),
    };
    let mut schema = match column.kind {
        ColumnType::Count => return (column.name, count(&meaning)),
        ColumnType::Text => json!({"type": "string"}),
        ColumnType::Offset => json!({"type": "integer", "format": "int64", "minimum": 0}),
        ColumnType::Number if NULLABLE.contains(&column.name) => {
            json!({"type": ["number", "null"], "format": "double"})
        }
        ColumnType::Number => json!({"type": "number", "format": "double"}),
        ColumnType::Flag => json!({"type": "boolean"}),
        ColumnType::Texts => json!({"type": "array", "items": {"type": "string"}}),
        ColumnType::Time => json!({"type": "string", "format": "date-time"}),
    };
    schema["description"] = json!(meaning);
    (column.name, schema)
}
