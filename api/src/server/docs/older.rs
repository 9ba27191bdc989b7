//! Converts the specification to OpenAPI 3.0.3, for generators that do not support 3.1.
//!
//! These generators expect one kind of body, one successful answer and one format of errors for each operation. So a
//! body is JSON or text, several successful answers become a choice, and an answer without a body is omitted beside one
//! with a body.
//!
//! Many of them fail on a choice of objects: they find several variants or none, drop members, or stop at null. So such
//! a choice becomes one object with the members of all variants.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::server::docs::shape::{each_schema, is_null, named, operations, without_null};
use crate::server::docs::split::{KNOWN_WORDS, list_words, undescribed, walk};

/// Returns the same specification in OpenAPI 3.0.3.
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
    merge_choices(&mut document);
    for operation in operations(&mut document) {
        one_success(operation);
        one_error_format(operation);
    }
    let schemas = document["components"]["schemas"].clone();
    each_schema(&mut document, &mut |schema| reword(schema, &schemas));
    document
}

/// Merges each choice of objects into one object, and removes components that are not used afterwards.
///
/// A choice of objects and texts becomes any value in answers (`anyOf`), and stays in requests (`oneOf`).
fn merge_choices(document: &mut Value) {
    let components = document["components"]["schemas"].clone();
    each_schema(document, &mut |schema| {
        let variants = ["oneOf", "anyOf"].into_iter().find_map(|choice| {
            let variants = schema.get(choice)?.as_array()?.clone();
            Some((choice, variants))
        });
        let Some((choice, variants)) = variants else {
            return;
        };
        let several = variants.iter().filter(|variant| !is_null(variant)).count() > 1;
        if let Value::Object(merged) = merge(&variants, &components)
            && several
            && (merged.contains_key("type") || choice == "anyOf")
        {
            let description = schema
                .get("description")
                .or(merged.get("description"))
                .cloned();
            schema.remove(choice);
            schema.remove("discriminator");
            schema.extend(merged);
            schema.extend(description.map(|text| ("description".to_owned(), text)));
        }
    });
    let mut used = BTreeSet::new();
    let schemas = document["components"]["schemas"].take();
    walk(document, &schemas, &mut used);
    let schemas = schemas.as_object().cloned().into_iter().flatten();
    let schemas = schemas.filter(|(name, _)| used.contains(name));
    document["components"]["schemas"] = schemas.collect();
}

/// Returns a schema that accepts every value that one of the variants accepts.
///
/// Objects have all members of the variants; other values have the common type, or any.
fn merge(variants: &[Value], components: &Value) -> Value {
    if let [first, others @ ..] = variants
        && others
            .iter()
            .all(|other| undescribed(other) == undescribed(first))
    {
        return first.clone();
    }
    let mut values = Vec::new();
    (variants.iter()).for_each(|variant| resolve(variant, components, &mut values));
    let kinds: BTreeSet<&str> = values.iter().flat_map(types).collect();
    let mut others = kinds.iter().filter(|kind| **kind != "null");
    let any = values.iter().any(|value| value.get("type").is_none());
    let (Some(kind), None, false) = (others.next(), others.next(), any) else {
        return with_descriptions(json!({}), variants);
    };
    let mut merged = match *kind {
        "object" => merge_objects(&values, components),
        "array" => {
            let items = values.iter().filter_map(|value| value.get("items"));
            json!({"items": merge(&items.cloned().collect::<Vec<_>>(), components)})
        }
        _ => json!({}),
    };
    merged["type"] = match kinds.contains("null") {
        true => json!([kind, "null"]),
        false => json!(kind),
    };
    let mut merged = with_descriptions(merged, variants);
    let texts = values.iter().filter(|value| !is_null(value));
    let strict = texts
        .clone()
        .all(|text| text.get("const").or(text.get("enum")).is_some());
    let words: BTreeSet<&str> = texts.flat_map(words).collect();
    if strict {
        merged["enum"] = json!(words);
    } else if let Some(merged) = merged.as_object_mut().filter(|_| !words.is_empty()) {
        list_words(merged, &words.into_iter().collect::<Vec<_>>());
    }
    merged
}

/// Adds the descriptions of several schemas to one.
fn with_descriptions(mut schema: Value, others: &[Value]) -> Value {
    let descriptions: BTreeSet<&str> = others
        .iter()
        .filter_map(|other| other["description"].as_str())
        .collect();
    if !descriptions.is_empty() {
        let descriptions: Vec<&str> = descriptions.into_iter().collect();
        schema["description"] = json!(descriptions.join(" Or: "));
    }
    schema
}

fn merge_objects(objects: &[Value], components: &Value) -> Value {
    let objects = objects.iter().filter(|object| !is_null(object));
    let objects: Vec<&Value> = objects.collect();
    let members = objects
        .iter()
        .flat_map(|object| object["properties"].as_object());
    let names: BTreeSet<&String> = members.flat_map(Map::keys).collect();
    let mut properties = Map::new();
    for name in &names {
        let members = objects
            .iter()
            .filter_map(|object| object["properties"].get(*name));
        let members: Vec<Value> = members.cloned().collect();
        properties.insert((*name).clone(), merge(&members, components));
    }
    let needed = |name: &&&String| {
        let needs = |object: &&Value| {
            let required = object["required"].as_array();
            required.is_some_and(|required| required.contains(&json!(name)))
        };
        objects.iter().all(needs)
    };
    let required: Vec<&&String> = names.iter().filter(needed).collect();
    let mut merged = json!({"properties": properties});
    if !required.is_empty() {
        merged["required"] = json!(required);
    }
    if objects
        .iter()
        .all(|object| object["additionalProperties"] == false)
    {
        merged["additionalProperties"] = json!(false);
        // Clients send null for a member that can be null, but a variant without the member would refuse it.
        let members = merged["properties"].as_object_mut();
        (members.into_iter().flat_map(Map::values_mut)).for_each(without_null);
    }
    merged
}

/// Collects the schemas that a schema stands for, without references and choices.
fn resolve(schema: &Value, components: &Value, found: &mut Vec<Value>) {
    let variants = ["oneOf", "anyOf"]
        .iter()
        .find_map(|choice| schema[choice].as_array());
    match (named(schema), variants) {
        (Some(name), _) => resolve(&components[name], components, found),
        (None, Some(variants)) => {
            (variants.iter()).for_each(|variant| resolve(variant, components, found));
        }
        (None, None) => found.push(schema.clone()),
    }
}

fn types(schema: &Value) -> impl Iterator<Item = &str> {
    let several = schema["type"].as_array().into_iter().flatten();
    let types = several.chain(schema.get("type"));
    types.map_while(Value::as_str)
}

fn words(schema: &Value) -> impl Iterator<Item = &str> {
    let lists = [KNOWN_WORDS, "enum"].into_iter();
    let listed = lists.filter_map(|name| schema[name].as_array()).flatten();
    listed.chain(schema.get("const")).filter_map(Value::as_str)
}

/// The pointer of the schema in a JSON answer.
const SCHEMA: &str = "/content/application~1json/schema";

/// The media types that generators support best, the best first.
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

/// Omits errors in other formats beside errors in JSON, which the endpoints of OAuth have.
fn one_error_format(operation: &mut Value) {
    let Some(answers) = operation["responses"].as_object_mut() else {
        return;
    };
    let bad = |status: &str| status.starts_with(['4', '5']);
    let has_json = |answer: &Value| answer.pointer(SCHEMA).is_some();
    if answers
        .iter()
        .any(|(status, answer)| bad(status) && has_json(answer))
    {
        answers.retain(|status, answer| !bad(status) || has_json(answer));
    }
}

/// Returns the type of the referenced schema; choices are choices of objects.
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

/// Rewrites a schema in the words of OpenAPI 3.0.
/// Null becomes `nullable`, a constant becomes `enum`, and a reference beside a description becomes `allOf`. An
/// enumeration of signs becomes a pattern, because generators cannot name constants after signs.
fn reword(schema: &mut Map<String, Value>, schemas: &Value) {
    // A referenced parameter or answer has no other members beside the reference.
    let reference = schema.get("$ref").is_some_and(Value::is_string);
    if reference && schema.len() > 1 {
        let path = schema.remove("$ref");
        schema.insert("allOf".to_owned(), json!([{ "$ref": path }]));
    }
    if let Some(word) = schema.remove("const") {
        schema.insert("enum".to_owned(), json!([word]));
    }
    if let Some(pattern) = schema.get("enum").and_then(pattern_of_signs) {
        schema.remove("enum");
        schema.insert("pattern".to_owned(), json!(pattern));
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

/// Returns a pattern for an enumeration of texts without letters; `None` for any other.
fn pattern_of_signs(words: &Value) -> Option<String> {
    let words: Option<Vec<&str>> = words.as_array()?.iter().map(Value::as_str).collect();
    let words = words.filter(|words| !words.concat().contains(char::is_alphanumeric))?;
    let quoted = |word: &&str| word.chars().map(|sign| format!("[{sign}]")).collect();
    let quoted: Vec<String> = words.iter().map(quoted).collect();
    Some(format!("^({})$", quoted.join("|")))
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
    fn keywords_of_3_1_are_rewritten() {
        let schema = json!({"properties": {
            "word": {"type": "string", "const": "open"},
            "sign": {"type": "string", "enum": ["!", "?!"]},
            "name": {"type": ["string", "null"]},
            "other": {"oneOf": [{"$ref": "#/components/schemas/Other"}, {"type": "null"}]},
            "text": {"$ref": "#/components/schemas/Other", "description": "A text."}}});
        let body = json!({"content": {"application/x-ndjson": {}, "text/plain": {}}});
        let one = json!({"schema": {"$ref": "#/components/schemas/One"}});
        let document = json!({"openapi": "3.1.0", "paths": {"/": {"get": {
            "parameters": [one], "requestBody": body, "responses": {
                "200": {"content": {"application/json": {"schema": {"type": "string"}}}},
                "202": {"content": {"application/json": {"schema": {"type": "integer"}}}},
                "204": {"description": "No content."},
                "400": {"content": {"application/json": {"schema": {"type": "boolean"}}}},
                "429": {"$ref": "#/components/responses/Slow"}}}}},
            "components": {"schemas": {"One": schema, "Other": {"type": "object"}}}});
        let older = older(&document);
        assert_eq!(older["openapi"], "3.0.3");
        let other = json!([{"$ref": "#/components/schemas/Other"}]);
        assert_eq!(
            older["components"]["schemas"]["One"]["properties"],
            json!({
                "word": {"type": "string", "enum": ["open"]},
                "sign": {"type": "string", "pattern": "^([!]|[?][!])$"},
                "name": {"type": "string", "nullable": true},
                "other": {"type": "object", "nullable": true, "allOf": other},
                "text": {"allOf": other, "description": "A text."}})
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
        assert!(answers.get("400").is_some() && answers.get("429").is_none());
    }

    #[test]
    fn a_choice_of_objects_is_one_object() {
        let named = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
        let kind = |word: Value, members: Value| {
            let mut kind = json!({"type": "object", "required": ["type", "unit"],
                "properties": {"type": word}});
            kind["properties"]
                .as_object_mut()
                .unwrap()
                .extend(members.as_object().unwrap().clone());
            kind
        };
        let word = |word: &str| json!({"type": "string", "const": word});
        let count = json!({"type": "integer", "description": "The number."});
        let schemas = json!({
            "Answer": {"description": "A step.", "anyOf": [named("Go"), named("Stay"), named("OtherStep")]},
            "Go": kind(word("go"), json!({"unit": named("Unit"), "to": {"type": "string"}})),
            "Stay": kind(word("stay"), json!({"unit": {"type": ["string", "null"]}, "to": count})),
            "OtherStep": {"type": "object", "required": ["type"], "additionalProperties": true,
                "properties": {"type": {"type": "string", "not": {"enum": ["go", "stay"]}}}},
            "Unit": {"type": "string", "description": "A unit."},
            "Request": {"oneOf": [named("Go"), {"type": "string"}]}});
        let content = |name: &str| json!({"application/json": {"schema": named(name)}});
        let document = json!({"components": {"schemas": schemas}, "paths": {"/": {"post": {
            "requestBody": {"content": content("Request")},
            "responses": {"200": {"content": content("Answer")}}}}}});
        let older = older(&document);
        let schemas = older["components"]["schemas"].as_object().unwrap();
        let names: Vec<&String> = schemas.keys().collect();
        assert_eq!(names, ["Answer", "Go", "Request", "Unit"]);
        let answer = &schemas["Answer"];
        assert_eq!(answer["description"], "A step.");
        assert_eq!(answer["required"], json!(["type"]));
        let members = &answer["properties"];
        assert_eq!(members["type"][KNOWN_WORDS], json!(["go", "stay"]));
        assert_eq!(members["unit"], json!({"type": "string", "nullable": true}));
        assert_eq!(members["to"], json!({"description": "The number."}));
        // A choice of objects and texts has no members to merge.
        assert_eq!(schemas["Request"]["oneOf"].as_array().unwrap().len(), 2);
    }
}
