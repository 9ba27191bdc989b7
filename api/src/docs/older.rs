//! The specification in the words of OpenAPI 3.0.3, for generators that read no other. These also want one
//! kind of body and of successful answer of an operation: where there are several, a body is JSON or text, an
//! answer a choice, and what has no body is left out beside what has.

use serde_json::{Map, Value, json};

use super::shape::{each_schema, operations};

/// The same specification in the older version.
pub fn older(document: &Value) -> Value {
    let mut document = document.clone();
    document["openapi"] = json!("3.0.3");
    if let Some(license) = document
        .pointer_mut("/info/license")
        .and_then(Value::as_object_mut)
    {
        license.remove("identifier");
    }
    operations(&mut document).for_each(one_body);
    if let Some(parts) = document.as_object_mut() {
        parts.remove("webhooks");
    }
    operations(&mut document).for_each(one_success);
    let schemas = document["components"]["schemas"].clone();
    each_schema(&mut document, &mut |schema| reword(schema, &schemas));
    document
}

/// Where the schema of an answer in JSON stands.
const SCHEMA: &str = "/content/application~1json/schema";

/// The media types that generators know best, best first.
const KNOWN: [&str; 2] = ["application/json", "text/plain"];

fn one_body(operation: &mut Value) {
    let content = operation.pointer_mut("/requestBody/content");
    let Some(content) = content.and_then(Value::as_object_mut) else {
        return;
    };
    let known = KNOWN.iter().find(|name| content.contains_key(**name));
    if let Some(known) = known {
        content.retain(|name, _| name == known);
    }
}

fn one_success(operation: &mut Value) {
    let Some(answers) = operation["responses"].as_object_mut() else {
        return;
    };
    let good = |status: &String| status.starts_with('2');
    let schemas = answers.iter().filter(|(status, _)| good(status));
    let mut schemas: Vec<Value> = schemas
        .filter_map(|(_, answer)| answer.pointer(SCHEMA).cloned())
        .collect();
    schemas.dedup();
    if schemas.is_empty() {
        return;
    }
    answers.retain(|status, answer| !good(status) || answer.pointer(SCHEMA).is_some());
    if schemas.len() > 1 {
        let choice = json!({ "anyOf": schemas });
        for (_, answer) in answers.iter_mut().filter(|(status, _)| good(status)) {
            if let Some(schema) = answer.pointer_mut(SCHEMA) {
                *schema = choice.clone();
            }
        }
    }
}

/// The type of what a schema refers to; a choice is one of objects.
fn kind(schema: &Value, schemas: &Value) -> Value {
    let name = schema["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next());
    match name.map(|name| &schemas[name]) {
        Some(named) => kind(named, schemas),
        None if schema["type"].is_string() => schema["type"].clone(),
        None => json!("object"),
    }
}

/// Says in the older words: null by `nullable`, one word by `enum`, a description beside a reference by
/// `allOf`.
fn reword(schema: &mut Map<String, Value>, schemas: &Value) {
    // A parameter or answer that refers elsewhere has no schema's members beside it.
    let reference = schema.get("$ref").is_some_and(Value::is_string);
    if reference && schema.len() > 1 {
        let path = schema.remove("$ref");
        schema.insert("allOf".to_owned(), json!([{ "$ref": path }]));
    }
    if let Some(word) = schema.remove("const") {
        schema.insert("enum".to_owned(), json!([word]));
    }
    schema.remove("propertyNames");
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        let before = kinds.len();
        kinds.retain(|kind| kind != "null");
        let (null, kinds) = (kinds.len() < before, kinds.clone());
        if let [one] = kinds.as_slice() {
            schema.insert("type".to_owned(), one.clone());
        }
        if null {
            nullable(schema);
        }
    }
    if let Some(Value::Array(others)) = schema.get_mut("oneOf") {
        let before = others.len();
        others.retain(|other| other["type"] != "null" && *other != json!({"nullable": true}));
        if others.len() < before {
            let kind = others.first().map_or(Value::Null, |one| kind(one, schemas));
            if others.len() == 1
                && let Some(one) = schema.remove("oneOf")
            {
                schema.insert("allOf".to_owned(), one);
            }
            schema.insert("type".to_owned(), kind);
            nullable(schema);
        }
    }
}

fn nullable(schema: &mut Map<String, Value>) {
    schema.insert("nullable".to_owned(), json!(true));
    if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut)
        && !words.contains(&Value::Null)
    {
        words.push(Value::Null);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_in_3_1_is_said_otherwise() {
        let schema = json!({"properties": {
            "word": {"type": "string", "const": "open"},
            "name": {"type": ["string", "null"]},
            "other": {"oneOf": [{"$ref": "#/components/schemas/Other"}, {"type": "null"}]},
            "told": {"$ref": "#/components/schemas/Other", "description": "Told."}}});
        let body = json!({"content": {"application/x-ndjson": {}, "text/plain": {}}});
        let document = json!({"openapi": "3.1.0", "paths": {"/": {"get": {
            "requestBody": body, "responses": {
                "200": {"content": {"application/json": {"schema": {"type": "string"}}}},
                "202": {"content": {"application/json": {"schema": {"type": "integer"}}}},
                "204": {"description": "Nothing."}}}}},
            "components": {"schemas": {"One": schema, "Other": {"type": "object"}}}});
        let older = older(&document);
        assert_eq!(older["openapi"], "3.0.3");
        let other = json!([{"$ref": "#/components/schemas/Other"}]);
        assert_eq!(
            older["components"]["schemas"]["One"]["properties"],
            json!({
                "word": {"type": "string", "enum": ["open"]},
                "name": {"type": "string", "nullable": true},
                "other": {"type": "object", "nullable": true, "allOf": other},
                "told": {"allOf": other, "description": "Told."}})
        );
        let operation = &older["paths"]["/"]["get"];
        assert_eq!(
            operation["requestBody"]["content"],
            json!({"text/plain": {}})
        );
        let answers = &operation["responses"];
        assert!(answers.get("204").is_none());
        let schema = answers["200"].pointer(SCHEMA);
        assert_eq!(schema, answers["202"].pointer(SCHEMA));
        assert_eq!(schema.unwrap()["anyOf"].as_array().unwrap().len(), 2);
    }
}
