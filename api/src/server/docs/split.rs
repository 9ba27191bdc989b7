//! Splits schemas by where they stand. Requests are strict. Answers are open: a client that knows only today's
//! words reads an answer with new ones.
//!
//! * A component of both is two: `Action` in answers, `ActionInput` in requests.
//! * Requests: objects have no other members than those listed, numbers have the limits of their types.
//! * Answers: objects may get further members, a list of words is a text with the known words listed, and a
//!   choice of objects has one more variant, `OtherAction`, for kinds to come. A member that can be null is
//!   always there, but for components of both; one that is left out instead says `nullable = false` in Rust.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::server::docs::shape::{
    SCHEMAS, each_schema, is_null, list, named, operations, reference, takes_null, without_null,
};

/// Where the known words of an open text are listed, as other tools write it.
pub const KNOWN_WORDS: &str = "x-extensible-enum";

/// Splits the components of a specification.
pub fn split(document: &mut Value) {
    let schemas = document["components"]["schemas"].take();
    let asked = reached(document, &schemas, "paths", &["parameters", "requestBody"]);
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
        let both = asked.contains(name) && answered.contains(name);
        if asked.contains(name) {
            let mut strict = schema.clone();
            each_schema(&mut strict, &mut close);
            rename_inputs(&mut strict, &answered);
            parted.insert(input(name, both), strict);
        }
        if answered.contains(name) {
            let mut open = schema.clone();
            open_choice(&mut open, name, &schemas, &mut parted);
            each_schema(&mut open, &mut |schema| open_schema(schema, !both));
            // The word by which variants are told apart is theirs for ever.
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

/// The schema of a parameter or body: what may be left out need not be null.
fn close_request(schema: &mut Value, answered: &BTreeSet<String>) {
    without_null(schema);
    each_schema(schema, &mut close);
    rename_inputs(schema, answered);
}

/// Refers to the components of requests, where answers have their own.
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

/// Makes a choice `anyOf`, and adds the variant for kinds to come to a choice of objects.
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
        // Readers that know a discriminator refuse words that it does not have.
        choice.remove("discriminator");
        choice.insert("anyOf".to_owned(), Value::Array(variants));
    }
}

/// A kind to come: it has the members that all known kinds have.
fn other_kind(choice: &Value, objects: &[&Value]) -> Value {
    let tag = choice["discriminator"]["propertyName"].as_str();
    let mut other = json!({"type": "object", "additionalProperties": true,
        "description": "A kind that this specification does not have yet."});
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
            "description": "Which kind."});
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

/// A schema without its description, to compare it.
pub fn undescribed(schema: &Value) -> Value {
    let mut schema = schema.clone();
    schema
        .as_object_mut()
        .map(|schema| schema.remove("description"));
    schema
}

/// Opens a schema of answers; with `always`, members that can be null are always there.
fn open_schema(schema: &mut Map<String, Value>, always: bool) {
    if schema.get("additionalProperties") == Some(&json!(false)) {
        schema.remove("additionalProperties");
    }
    // What stands for a member that is left out is the reader's.
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

/// Makes a list of words a text that names the known ones.
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

/// Lists the known words of an open text.
pub fn list_words(schema: &mut Map<String, Value>, words: &[&str]) {
    let shown: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    let told = schema.get("description").and_then(Value::as_str);
    let told = told.map_or(String::new(), |told| format!("{told} "));
    let told = format!("{told}Known words: {}. More may come.", shown.join(", "));
    schema.insert("description".to_owned(), json!(told));
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

/// The greatest numbers of formats; those of 64 bits are greater than many readers can say.
const GREATEST: &[(&str, u64)] = &[
    ("uint8", u8::MAX as u64),
    ("uint16", u16::MAX as u64),
    ("uint32", u32::MAX as u64),
];

fn is_object(schema: &Map<String, Value>) -> bool {
    schema.get("type") == Some(&json!("object"))
        && schema.get("properties").is_some_and(Value::is_object)
}

/// The components of answers.
fn answered(document: &Value, schemas: &Value) -> BTreeSet<String> {
    let mut answered = reached(document, schemas, "paths", &["responses"]);
    // What the service asks others is read by them as answers are.
    answered.extend(reached(document, schemas, "webhooks", &["requestBody"]));
    // So are the data of streams' events, which only descriptions can name.
    let described = document["paths"].to_string();
    let named: BTreeSet<&str> = described.split('`').collect();
    for name in schemas.as_object().into_iter().flat_map(Map::keys) {
        if named.contains(name.as_str()) {
            walk(&reference(name), schemas, &mut answered);
        }
    }
    answered
}

/// The components that parts of the operations in a section lead to.
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

/// Finds the components that a value leads to.
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

    /// The components of a specification of which one operation asks and answers the same.
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
    fn a_choice_takes_kinds_to_come_in_answers_only() {
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
        let told = "A unit. Known words: `legion`, `galley`. More may come.";
        assert_eq!(
            parted["Unit"],
            json!({"type": "string", "description": told, KNOWN_WORDS: words})
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
    fn a_choice_without_a_tag_knows_its_kinds_by_their_members() {
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
