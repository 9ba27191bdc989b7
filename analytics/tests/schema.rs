//! The schema of each table's JSON, compared with real tables.

use crate::support;
use analytics::question::EndFilter;
use analytics::{Facts, Filters, GameFacts, json_schema, measure};
use engine::content::Library;
use serde_json::{Value, json};

/// Checks a value: every property is documented and has the documented type.
fn check(value: &Value, schema: &Value, at: &str) {
    let fits = |kind: &str| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("no type {other}"),
    };
    let fits = match &schema["type"] {
        Value::String(kind) => fits(kind),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).any(fits),
        other => panic!("{at}: no type but {other}"),
    };
    assert!(fits, "{at}: {value} is no {}", schema["type"]);
    if let (Some(fields), Some(properties)) = (value.as_object(), schema["properties"].as_object())
    {
        let mut found: Vec<&String> = fields.keys().collect();
        let mut documented: Vec<&String> = properties.keys().collect();
        found.sort();
        documented.sort();
        // Only the last stop has no children.
        let is_leaf = at.ends_with(".children[]") && !found.iter().any(|name| *name == "children");
        documented.retain(|name| !is_leaf || *name != "children");
        assert_eq!(found, documented, "{at}");
        let mut required: Vec<&str> = schema["required"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        required.sort_unstable();
        documented.retain(|name| !at.ends_with(".children[]") || *name != "children");
        assert_eq!(required, documented, "{at}");
        for (name, field) in fields {
            check(field, &properties[name], &format!("{at}.{name}"));
        }
    }
    for item in value.as_array().into_iter().flatten() {
        check(item, &schema["items"], &format!("{at}[]"));
    }
}

#[test]
fn every_table_agrees_with_its_schema() {
    let records = [
        support::records(10),
        support::duellum(4),
        support::greedy(4),
    ]
    .concat();
    let library = Library::embedded();
    let mut games: Vec<GameFacts> = records
        .iter()
        .map(|record| GameFacts::derive(record, library).expect("it replays"))
        .collect();
    // As if people had played one of the games.
    games[0]
        .seats
        .iter_mut()
        .for_each(|row| row.cluster = row.seat);
    // Such bots win less than half the goal.
    let filters = Filters {
        reason: EndFilter::Any,
        at: Some(1),
        ..Filters::default()
    };
    let filters = Filters {
        digest: games[0].turns[0].digest.as_deref().map(str::to_owned),
        levels: Some(2),
        ..filters
    };
    let facts = Facts::from_games(games).expect("frames");
    for asked in analytics::MEASURES {
        let table = measure(&facts.lazy(), asked, &filters).expect("a table");
        let answer = table.to_json().expect("json");
        assert_ne!(answer["rows"], json!([]), "{asked}");
        check(
            &answer,
            &json_schema(asked, &json!({"type": "object"})),
            asked.name,
        );
    }
    let none = Facts::from_games(Vec::new()).expect("frames");
    for asked in analytics::MEASURES {
        let table = measure(&none.lazy(), asked, &filters).expect("a table");
        check(
            &table.to_json().expect("json"),
            &json_schema(asked, &json!({"type": "object"})),
            asked.name,
        );
    }
}
