//! Splits schemas by their use: requests are strict, answers are open to future extensions.
//!
//! * A component of both becomes two: `Action` in answers, `ActionInput` in requests.
//! * Requests: objects have only the listed members, numbers have the limits of their types.
//! * Answers: objects may have further members, and an enumeration becomes a text with its known values. A choice of
//!   objects has one more variant, such as `OtherAction`, for future kinds. A member that can be null is always
//!   present, except in components of both; a member that may be absent has `nullable = false` in Rust.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::server::docs::shape::{
    SCHEMAS, each_schema, is_null, list, named, operations, reference, takes_null, without_null,
};

/// The keyword for the known values of an open text, which other tools use too.
pub const KNOWN_WORDS: &str = "x-extensible-enum";

/// Splits the components of a specification.
pub fn split(document: &mut Value) {
    let schemas = document["components"]["schemas"].take();
    let requested = reached(document, &schemas, "paths", &["parameters", "requestBody"]);
    let answered = answered(document, &schemas);
    let mut tags = BTreeMap::new();
    let mut parted = Map::new();
    for choice in schemas.as_object().into_iter().flat_map(Map::values) {
        if let Some(tag) = choice["discriminator"]["propertyName"].as_str() {
            let variants = choice["oneOf"].as_array().into_iter().flatten();
            tags.extend(variants.filter_map(named).map(|name| (name, tag)));
        }
    }
    for (name, schema) in schemas.as_object().into_iter().flatten() {
        let both = requested.contains(name) && answered.contains(name);
        if requested.contains(name) {
            let mut strict = schema.clone();
            each_schema(&mut strict, &mut close);
            rename_inputs(&mut strict, &answered);
            parted.insert(input(name, both), strict);
        }
        if answered.contains(name) {
            let mut open = schema.clone();
            open_choice(&mut open, name, &schemas, &mut parted);
            each_schema(&mut open, &mut |schema| open_schema(schema, !both));
            // The constant that identifies the variant stays.
            if let Some(tag) = tags.get(name.as_str()) {
                open["properties"][tag] = schema["properties"][tag].clone();
            }
            parted.insert(name.clone(), open);
        }
    }
    document["components"]["schemas"] = Value::Object(parted);
    for operation in operations(document) {
        for parameter in list(operation, "parameters") {
            if let Some(schema) = parameter.get_mut("schema") {
                close_request(schema, &answered);
            }
        }
        let bodies = operation.pointer_mut("/requestBody/content");
        let bodies = bodies.and_then(Value::as_object_mut).into_iter();
        for body in bodies.flat_map(Map::values_mut) {
            if let Some(schema) = body.get_mut("schema") {
                close_request(schema, &answered);
            }
        }
    }
}

fn input(name: &str, both: bool) -> String {
    let ending = if both { "Input" } else { "" };
    format!("{name}{ending}")
}

/// Makes the schema of a parameter or body strict: an optional one is omitted, not null.
fn close_request(schema: &mut Value, answered: &BTreeSet<String>) {
    without_null(schema);
    each_schema(schema, &mut close);
    rename_inputs(schema, answered);
}

/// Refers to the components of requests where answers have others.
fn rename_inputs(schema: &mut Value, answered: &BTreeSet<String>) {
    let rename = |path: &mut Value| {
        let name = path.as_str().and_then(|path| path.strip_prefix(SCHEMAS));
        if let Some(name) = name.filter(|name| answered.contains(*name)) {
            *path = json!(format!("{SCHEMAS}{}", input(name, true)));
        }
    };
    each_schema(schema, &mut |schema| {
        schema.get_mut("$ref").into_iter().for_each(rename);
        let mapping = schema.get_mut("mapping").and_then(Value::as_object_mut);
        (mapping.into_iter().flat_map(Map::values_mut)).for_each(rename);
    });
}

/// Turns a choice into `anyOf`, and adds a variant for future kinds to a choice of objects.
fn open_choice(choice: &mut Value, name: &str, schemas: &Value, parted: &mut Map<String, Value>) {
    let Some(mut variants) = choice["oneOf"].as_array().cloned() else {
        return;
    };
    if variants.iter().any(is_null) {
        return;
    }
    let names = variants.iter().filter_map(named);
    let objects: Vec<&Value> = names.map(|name| &schemas[name]).collect();
    if !objects.is_empty() {
        let other = format!("Other{name}");
        parted.insert(other.clone(), other_kind(choice, &objects));
        variants.push(reference(&other));
    }
    if let Some(choice) = choice.as_object_mut() {
        choice.remove("oneOf");
        // Readers with a discriminator would refuse unknown values of the tag.
        choice.remove("discriminator");
        choice.insert("anyOf".to_owned(), Value::Array(variants));
    }
}

/// Returns the schema of future kinds, with the members that all known kinds share.
fn other_kind(choice: &Value, objects: &[&Value]) -> Value {
    let tag = choice["discriminator"]["propertyName"].as_str();
    let mut other = json!({"type": "object", "additionalProperties": true,
        "description": "A kind that this specification does not describe yet."});
    let members = objects[0]["properties"].as_object().into_iter().flatten();
    let shared = members.filter(|(name, member)| {
        let same = |object: &&Value| {
            let required = object["required"].as_array();
            let required = required.is_some_and(|names| names.contains(&json!(name)));
            required && undescribed(&object["properties"][*name]) == undescribed(member)
        };
        objects.iter().all(same)
    });
    let shared: Map<String, Value> = shared.map(|(n, m)| (n.clone(), m.clone())).collect();
    let mut required: Vec<String> = shared.keys().cloned().collect();
    other["properties"] = Value::Object(shared);
    if let Some(tag) = tag {
        let words = objects
            .iter()
            .map(|object| &object["properties"][tag]["const"]);
        let words: Vec<&Value> = words.collect();
        other["properties"][tag] = json!({"type": "string", "not": {"enum": words},
            "description": "The kind."});
        required.push(tag.to_owned());
    } else {
        let required = objects.iter().map(|object| &object["required"]);
        let known: Vec<Value> = required.map(|names| json!({"required": names})).collect();
        other["not"] = json!({"anyOf": known});
    }
    if !required.is_empty() {
        other["required"] = json!(required);
    }
    other
}

/// Returns a schema without its description, for comparison.
pub fn undescribed(schema: &Value) -> Value {
    let mut schema = schema.clone();
    schema
        .as_object_mut()
        .map(|schema| schema.remove("description"));
    schema
}

/// Opens a schema of answers; with `always`, nullable members become required.
fn open_schema(schema: &mut Map<String, Value>, always: bool) {
    if schema.get("additionalProperties") == Some(&json!(false)) {
        schema.remove("additionalProperties");
    }
    // A default is for requests only.
    schema.remove("default");
    open_words(schema);
    if !is_object(schema) || !always {
        return;
    }
    let members = schema["properties"].as_object().into_iter().flatten();
    let always = members.filter(|(_, member)| takes_null(member));
    let always: Vec<Value> = always.map(|(name, _)| json!(name)).collect();
    if always.is_empty() {
        return;
    }
    let required = schema.entry("required").or_insert_with(|| json!([]));
    if let Some(required) = required.as_array_mut() {
        for name in always {
            if !required.contains(&name) {
                required.push(name);
            }
        }
    }
}

/// Turns an enumeration into a text with its known values.
fn open_words(schema: &mut Map<String, Value>) {
    if !is_text(schema) {
        return;
    }
    let words = match (schema.remove("enum"), schema.remove("const")) {
        (Some(Value::Array(words)), _) => words,
        (_, Some(word)) => vec![word],
        _ => return,
    };
    list_words(
        schema,
        &words.iter().filter_map(Value::as_str).collect::<Vec<_>>(),
    );
}

/// Adds the known values of an open text.
pub fn list_words(schema: &mut Map<String, Value>, words: &[&str]) {
    let shown: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    let description = match schema.get("description").and_then(Value::as_str) {
        Some(text) => format!("{text} "),
        None => String::new(),
    };
    let shown = shown.join(", ");
    let description = format!("{description}Known values: {shown}. Others may be added.");
    schema.insert("description".to_owned(), json!(description));
    schema.insert(KNOWN_WORDS.to_owned(), json!(words));
}

fn is_text(schema: &Map<String, Value>) -> bool {
    let kinds = schema.get("type");
    let nullable = kinds.and_then(Value::as_array);
    kinds == Some(&json!("string"))
        || nullable.is_some_and(|kinds| kinds.contains(&json!("string")))
}

/// Makes a schema of requests strict.
fn close(schema: &mut Map<String, Value>) {
    if is_object(schema) && !schema.contains_key("additionalProperties") {
        schema.insert("additionalProperties".to_owned(), json!(false));
    }
    let format = schema.get("format").and_then(Value::as_str);
    let greatest = GREATEST.iter().find(|(own, _)| Some(*own) == format);
    if let Some((_, greatest)) = greatest {
        schema.entry("maximum").or_insert(json!(greatest));
    }
}

/// The maximum of each format; those of 64 bits exceed what many readers can represent.
const GREATEST: &[(&str, u64)] = &[
    ("uint8", u8::MAX as u64),
    ("uint16", u16::MAX as u64),
    ("uint32", u32::MAX as u64),
];

fn is_object(schema: &Map<String, Value>) -> bool {
    schema.get("type") == Some(&json!("object"))
        && schema.get("properties").is_some_and(Value::is_object)
}

/// Returns the components that occur in answers.
fn answered(document: &Value, schemas: &Value) -> BTreeSet<String> {
    let mut answered = reached(document, schemas, "paths", &["responses"]);
    // The receiver of a webhook reads the request as clients read answers.
    answered.extend(reached(document, schemas, "webhooks", &["requestBody"]));
    // Only descriptions can name the schemas of stream events.
    let described = document["paths"].to_string();
    let named: BTreeSet<&str> = described.split('`').collect();
    for name in schemas.as_object().into_iter().flat_map(Map::keys) {
        if named.contains(name.as_str()) {
            walk(&reference(name), schemas, &mut answered);
        }
    }
    answered
}

/// Returns the components that parts of the operations in a section refer to.
fn reached(document: &Value, schemas: &Value, section: &str, parts: &[&str]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let items = document[section].as_object().into_iter();
    let items = items.flat_map(Map::values).filter_map(Value::as_object);
    for operation in items.flat_map(Map::values) {
        for part in parts {
            if let Some(part) = operation.get(*part) {
                walk(part, schemas, &mut found);
            }
        }
    }
    found
}

/// Collects the components that a value refers to.
pub fn walk(value: &Value, schemas: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            let item = fields.get("x-item").and_then(Value::as_str);
            let item = item.and_then(|item| item.strip_prefix(SCHEMAS));
            for name in named(value).into_iter().chain(item) {
                if found.insert(name.to_owned()) {
                    walk(&schemas[name], schemas, found);
                }
            }
            let inner = fields.iter();
            inner
                .filter(|(name, _)| !["example", "examples"].contains(&name.as_str()))
                .for_each(|(_, inner)| walk(inner, schemas, found));
        }
        Value::Array(values) => values.iter().for_each(|value| walk(value, schemas, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splits a specification in which one operation has the same schema in request and answer.
    fn parted(schemas: Value, name: &str) -> Value {
        let content = json!({"application/json": {"schema": reference(name)}});
        let mut document = json!({"components": {"schemas": schemas}, "paths": {"/": {"post": {
            "requestBody": {"content": content}, "responses": {"200": {"content": content}}}}}});
        split(&mut document);
        let body = document.pointer("/paths/~1/post/requestBody/content/application~1json/schema");
        assert_eq!(body, Some(&reference(&format!("{name}Input"))));
        document["components"]["schemas"].take()
    }

    fn kind(word: &str) -> Value {
        json!({"type": "object", "required": ["type"], "properties": {
            "type": {"type": "string", "const": word}, "unit": reference("Unit")}})
    }

    #[test]
    fn only_answers_allow_future_kinds() {
        let mapping = json!({"go": reference("Go")["$ref"], "end": reference("End")["$ref"]});
        let schemas = json!({
            "Step": {"oneOf": [reference("Go"), reference("End")],
                "discriminator": {"propertyName": "type", "mapping": mapping}},
            "Go": kind("go"), "End": kind("end"),
            "Unit": {"type": "string", "enum": ["legion", "galley"], "description": "A unit."},
        });
        let parted = parted(schemas, "Step");
        let open = json!([reference("Go"), reference("End"), reference("OtherStep")]);
        assert_eq!(parted["Step"], json!({"anyOf": open}));
        let other = &parted["OtherStep"]["properties"]["type"];
        assert_eq!(other["not"], json!({"enum": ["go", "end"]}));
        assert_eq!(parted["Go"]["properties"]["type"]["const"], "go");
        assert!(parted["Go"].get("additionalProperties").is_none());
        let words = json!(["legion", "galley"]);
        let description = "A unit. Known values: `legion`, `galley`. Others may be added.";
        assert_eq!(
            parted["Unit"],
            json!({"type": "string", "description": description, KNOWN_WORDS: words})
        );
        let strict = &parted["StepInput"];
        assert_eq!(strict["oneOf"][1], reference("EndInput"));
        let mapping = &strict["discriminator"]["mapping"];
        assert_eq!(mapping["go"], reference("GoInput")["$ref"]);
        assert_eq!(parted["GoInput"]["additionalProperties"], false);
        assert_eq!(
            parted["GoInput"]["properties"]["unit"],
            reference("UnitInput")
        );
        assert_eq!(parted["UnitInput"]["enum"], words);
    }

    #[test]
    fn a_choice_without_a_tag_distinguishes_kinds_by_members() {
        let order =
            |name: &str| json!({"type": "object", "required": [name], "properties": {name: {}}});
        let schemas = json!({"Order": {"oneOf": [reference("Battle"), reference("Fortress")]},
            "Battle": order("battle"), "Fortress": order("fortress")});
        let parted = parted(schemas, "Order");
        let known = json!([{"required": ["battle"]}, {"required": ["fortress"]}]);
        assert_eq!(parted["OtherOrder"]["not"], json!({"anyOf": known}));
        assert!(parted.get("OtherOrderInput").is_none());
    }
}
