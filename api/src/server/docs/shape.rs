//! Shapes the schemas by general rules, for generators of clients.
//!
//! The rules contain no names of types, so they also apply to new types:
//!
//! * members of a flattened type become members of the containing type; if the flattened type is a choice, of each
//!   variant;
//! * each object variant of a choice becomes a component, named for its tag, title or only member; a common tag becomes
//!   the choice's `discriminator`;
//! * a choice of choices becomes one choice;
//! * `description` moves out of a nullable reference; tuples become arrays of a fixed length.

use serde_json::{Map, Value, json};

/// The prefix of references to schemas.
pub const SCHEMAS: &str = "#/components/schemas/";

/// Shapes the schemas of a specification.
pub fn shape(document: &mut Value) {
    each_schema(document, &mut simplify);
    flatten_all(document);
    name_variants(document);
    type_other_formats(document);
    merge_choices(document);
}

/// Iterates over all operations of a specification.
pub fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    let items = document["paths"].as_object_mut().into_iter();
    let items = items.flat_map(Map::values_mut);
    items
        .flat_map(|item| item.as_object_mut())
        .flat_map(Map::values_mut)
}

pub fn list<'a>(value: &'a mut Value, name: &str) -> impl Iterator<Item = &'a mut Value> + use<'a> {
    let list = value.get_mut(name).and_then(Value::as_array_mut);
    list.into_iter().flatten()
}

/// Calls `change` for every schema in a value, the innermost first; examples are skipped.
pub fn each_schema(value: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(fields) => {
            let inner = fields.iter_mut();
            let inner = inner.filter(|(name, _)| !["example", "examples"].contains(&name.as_str()));
            inner.for_each(|(_, inner)| each_schema(inner, change));
            change(fields);
        }
        Value::Array(values) => values
            .iter_mut()
            .for_each(|value| each_schema(value, change)),
        _ => {}
    }
}

/// Simplifies tuples, unrestricted names of members, and descriptions within a nullable reference.
fn simplify(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(items)) = schema.remove("prefixItems") {
        let count = items.len();
        let mut kinds: Vec<Value> = items;
        kinds.dedup();
        schema["items"] = match kinds.as_slice() {
            [one] => one.clone(),
            _ => json!({ "anyOf": kinds }),
        };
        schema.insert("minItems".to_owned(), json!(count));
        schema.insert("maxItems".to_owned(), json!(count));
    }
    if schema.get("propertyNames") == Some(&json!({"type": "string"})) {
        schema.remove("propertyNames");
    }
    if let Some(Value::Array(others)) = schema.get_mut("oneOf")
        && others.iter().any(is_null)
    {
        let description = others.iter_mut().find_map(|other| {
            let other = other
                .as_object_mut()
                .filter(|other| other.contains_key("$ref"))?;
            other.remove("description")
        });
        if let Some(description) = description {
            schema.entry("description").or_insert(description);
        }
    }
    if let Some(word) = only_word(schema) {
        schema.remove("enum");
        schema.insert("const".to_owned(), word);
    }
}

/// The value of a schema that allows only one text.
fn only_word(schema: &Map<String, Value>) -> Option<Value> {
    let words = schema.get("enum")?.as_array()?;
    (schema.get("type") == Some(&json!("string")) && words.len() == 1).then(|| words[0].clone())
}

pub fn is_null(schema: &Value) -> bool {
    schema["type"] == "null"
}

/// Whether a schema allows null.
pub fn takes_null(schema: &Value) -> bool {
    let kinds = schema["type"].as_array();
    let others = ["oneOf", "anyOf"]
        .iter()
        .filter_map(|name| schema[name].as_array());
    kinds.is_some_and(|kinds| kinds.contains(&json!("null"))) || others.flatten().any(is_null)
}

pub fn without_null(schema: &mut Value) {
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [one] = kinds.as_slice() {
            schema["type"] = one.clone();
        }
    }
    let Some(Value::Array(others)) = schema.get_mut("oneOf") else {
        return;
    };
    others.retain(|other| !is_null(other));
    if let [one] = others.as_slice() {
        *schema = one.clone();
    }
}

pub fn named(reference: &Value) -> Option<&str> {
    reference["$ref"].as_str()?.strip_prefix(SCHEMAS)
}

pub fn reference(name: &str) -> Value {
    json!({"$ref": format!("{SCHEMAS}{name}")})
}

/// Moves the members of flattened types to the containing types, as serde writes them.
fn flatten_all(document: &mut Value) {
    let names: Vec<String> = match document["components"]["schemas"].as_object() {
        Some(schemas) => schemas.keys().cloned().collect(),
        None => return,
    };
    for name in names {
        flatten(document, &name);
    }
}

/// Returns the name of the flattened component and the own members of a schema that is `allOf` of both.
fn flattened(schema: &Value) -> Option<(String, Value)> {
    let [held, own] = schema["allOf"].as_array()?.as_slice() else {
        return None;
    };
    // The reference may be first or second: serde writes members in the order of the type.
    let (held, own) = match named(held) {
        Some(_) => (held, own),
        None => (own, held),
    };
    Some((named(held)?.to_owned(), own.clone()))
}

/// Flattens one component, or the variants of a choice that contain another component and a tag.
fn flatten(document: &mut Value, name: &str) {
    let mut schema = document["components"]["schemas"][name].clone();
    for variant in list(&mut schema, "oneOf") {
        let Some((inner, own)) = flattened(variant) else {
            continue;
        };
        flatten(document, &inner);
        let mut whole = document["components"]["schemas"][&inner].clone();
        // It lacks the tag.
        whole.as_object_mut().map(|whole| whole.remove("example"));
        add_members(&mut whole, &own);
        copy_description(&mut whole, variant);
        *variant = whole;
    }
    let Some((inner, own)) = flattened(&schema) else {
        document["components"]["schemas"][name] = schema;
        return;
    };
    flatten(document, &inner);
    let held = document["components"]["schemas"][&inner].clone();
    let schemas = &mut document["components"]["schemas"];
    if held["oneOf"].is_array() {
        let optional = own["required"].as_array().is_none_or(Vec::is_empty);
        let mut choice = held;
        list(&mut choice, "oneOf").for_each(|variant| add_members(variant, &own));
        if optional {
            // If all added members are optional, the choice itself is extended.
            schemas[&inner] = choice;
            schemas.as_object_mut().map(|schemas| schemas.remove(name));
            rename(document, name, &inner);
        } else {
            copy_description(&mut choice, &schema);
            schemas[name] = choice;
        }
    } else {
        let mut whole = held;
        add_members(&mut whole, &own);
        copy_description(&mut whole, &schema);
        schemas[name] = whole;
    }
}

/// Copies the description of another schema.
fn copy_description(schema: &mut Value, other: &Value) {
    if let Some(description) = other.get("description") {
        schema["description"] = description.clone();
    }
}

/// Adds the members of an object to another one.
fn add_members(schema: &mut Value, other: &Value) {
    if let Some(members) = other["properties"].as_object() {
        for (name, member) in members {
            schema["properties"][name] = member.clone();
        }
    }
    if let Some(more) = other["required"].as_array() {
        let mut required = schema["required"].as_array().cloned().unwrap_or_default();
        required.extend(more.iter().cloned());
        schema["required"] = json!(required);
    }
}

/// Replaces references to a component by references to another.
fn rename(document: &mut Value, from: &str, to: &str) {
    let (from, to) = (reference(from), reference(to));
    each_schema(document, &mut |schema| {
        if schema.get("$ref") == Some(&from["$ref"]) {
            schema.insert("$ref".to_owned(), to["$ref"].clone());
        }
    });
}

/// Turns each object variant of a component into a component.
fn name_variants(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else {
        return;
    };
    let mut found = Map::new();
    for (choice, schema) in schemas.iter_mut() {
        let Some(Value::Array(variants)) = schema.get_mut("oneOf") else {
            continue;
        };
        let tag = common_tag(variants);
        let mut mapping = Map::new();
        for variant in variants.iter_mut() {
            let Some(name) = variant_name(variant, tag.as_deref()) else {
                continue;
            };
            let name = match variant["title"].as_str() {
                Some(title) => title.to_owned(),
                None => format!("{}{choice}", capitals(&name)),
            };
            if let Some(tag) = &tag
                && let Some(word) = variant["properties"][tag]["const"].as_str()
            {
                mapping.insert(word.to_owned(), json!(format!("{SCHEMAS}{name}")));
            }
            let whole = std::mem::replace(variant, reference(&name));
            found.insert(name, whole);
        }
        if let Some(tag) = tag {
            schema["discriminator"] = json!({"propertyName": tag, "mapping": mapping});
        }
    }
    schemas.extend(found);
}

/// Returns the member that has a constant in each variant.
fn common_tag(variants: &[Value]) -> Option<String> {
    let first = variants.first()?["properties"].as_object()?;
    let names = first.keys();
    let mut tags = names.filter(|name| {
        variants.iter().all(|variant| {
            let needed = variant["required"].as_array();
            variant["properties"][*name]["const"].is_string()
                && needed.is_some_and(|needed| needed.contains(&json!(name)))
        })
    });
    tags.next().cloned()
}

/// Returns the name of a variant: its title, the value of its tag, or its only required member.
fn variant_name(variant: &Value, tag: Option<&str>) -> Option<String> {
    let members = variant["properties"].as_object()?;
    if let Some(title) = variant["title"].as_str() {
        return Some(title.to_owned());
    }
    if let Some(tag) = tag {
        return members[tag]["const"].as_str().map(str::to_owned);
    }
    match variant["required"].as_array()?.as_slice() {
        [one] => one.as_str().map(str::to_owned),
        _ => None,
    }
}

/// Converts `move_stone` into `MoveStone`.
pub fn capitals(name: &str) -> String {
    let words = name.split(['_', '-', ' ']).filter(|word| !word.is_empty());
    words
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect()
}

/// Replaces a variant that refers to a choice by the variants of that choice.
///
/// The descriptions of variants stay with their components: some generators give a described reference no name.
fn merge_choices(document: &mut Value) {
    let schemas = &mut document["components"]["schemas"];
    let choices = schemas.clone();
    for schema in schemas
        .as_object_mut()
        .into_iter()
        .flat_map(Map::values_mut)
    {
        let Some(Value::Array(variants)) = schema.get_mut("oneOf") else {
            continue;
        };
        if variants.iter().any(is_null) {
            continue;
        }
        let whole = std::mem::take(variants);
        variants.extend(whole.into_iter().flat_map(|variant| {
            let Some(name) = named(&variant) else {
                return vec![variant];
            };
            match choices[name]["oneOf"].as_array() {
                Some(inner) => inner.clone(),
                None => vec![reference(name)],
            }
        }));
    }
}

/// Declares answers in other formats than JSON as texts or bytes.
fn type_other_formats(document: &mut Value) {
    for operation in operations(document) {
        let answers = operation
            .get_mut("responses")
            .and_then(Value::as_object_mut);
        for response in answers.into_iter().flat_map(Map::values_mut) {
            let content = response.get_mut("content").and_then(Value::as_object_mut);
            for (media_type, content) in content.into_iter().flatten() {
                if !media_type.ends_with("json") || media_type.ends_with("ndjson") {
                    let bytes = content["schema"]["format"] == "binary";
                    let item = content["schema"].get("$ref").cloned();
                    content["schema"] = match (bytes, item) {
                        (true, _) => json!({"type": "string", "format": "binary"}),
                        (false, None) => json!({"type": "string"}),
                        (false, Some(item)) => json!({"type": "string", "x-item": item}),
                    };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::docs::split::split;

    /// Shapes a specification in which one operation has a request and an answer of the given schemas.
    fn shaped(schemas: Value, request: &str, answer: &str) -> Value {
        let content = |name| json!({"application/json": {"schema": reference(name)}});
        let mut document = json!({"components": {"schemas": schemas}, "paths": {"/": {"post": {
            "requestBody": {"content": content(request)},
            "responses": {"200": {"content": content(answer)}}}}}});
        shape(&mut document);
        split(&mut document);
        document["components"]["schemas"].take()
    }

    fn variant(word: &str) -> Value {
        json!({"type": "object", "required": ["type"],
            "properties": {"type": {"type": "string", "enum": [word]}}})
    }

    #[test]
    fn variants_get_names_and_a_discriminator() {
        let schemas = json!({
            "Step": {"oneOf": [variant("go_on"), variant("end")]},
            "Sent": {"allOf": [reference("Step"),
                {"type": "object", "properties": {"who": {"type": "string"}}}]},
            "Answer": {"allOf": [reference("Step"),
                {"type": "object", "required": ["at"], "properties": {"at": {"type": "string"}}}]},
        });
        let schemas = shaped(schemas, "Sent", "Answer");
        // Optional members extend the choice; required ones create another.
        assert!(schemas.get("Sent").is_none());
        assert_eq!(schemas["Step"]["oneOf"][0], reference("GoOnStep"));
        let mapping = &schemas["Step"]["discriminator"]["mapping"];
        assert_eq!(mapping["go_on"], reference("GoOnStep")["$ref"]);
        let step = &schemas["GoOnStep"];
        assert_eq!(step["properties"]["type"]["const"], "go_on");
        assert_eq!(step["properties"]["who"]["type"], "string");
        assert_eq!(step["additionalProperties"], false);
        let answer = &schemas["GoOnAnswer"];
        assert_eq!(answer["required"], json!(["type", "at"]));
        assert!(answer.get("additionalProperties").is_none());
    }

    #[test]
    fn a_variant_has_the_members_of_the_type_that_it_contains() {
        let schemas = json!({
            "Settings": {"type": "object", "example": {"name": "Cup"}, "required": ["name"],
                "properties": {"name": {"type": "string"}}},
            "Answer": {"oneOf": [variant("end"),
                {"allOf": [reference("Settings"), variant("settings_changed")], "description": "Changed."}]},
        });
        let schemas = shaped(schemas, "Settings", "Answer");
        let choice = &schemas["Answer"]["anyOf"];
        assert_eq!(choice[1], reference("SettingsChangedAnswer"));
        assert_eq!(choice[2], reference("OtherAnswer"));
        let variant = &schemas["SettingsChangedAnswer"];
        assert_eq!(variant["required"], json!(["name", "type"]));
        assert_eq!(variant["properties"]["type"]["const"], "settings_changed");
        assert_eq!(variant["description"], "Changed.");
        assert!(variant.get("example").is_none() && variant.get("allOf").is_none());
    }

    #[test]
    fn nullable_members_are_required_in_answers_only() {
        let schema = json!({"type": "object", "additionalProperties": false, "properties": {
            "note": {"type": ["string", "null"]}, "left_out": {"type": "string"},
            "pair": {"type": "array", "items": false, "prefixItems": [{"type": "string"}, {"type": "string"}]},
            "count": {"type": "integer", "format": "uint8"}}});
        let schemas = shaped(
            json!({"Request": schema, "Answer": schema}),
            "Request",
            "Answer",
        );
        let (request, answer) = (&schemas["Request"], &schemas["Answer"]);
        assert!(request.get("required").is_none());
        assert_eq!(answer["required"], json!(["note"]));
        assert_eq!(request["additionalProperties"], false);
        assert!(answer.get("additionalProperties").is_none());
        assert_eq!(request["properties"]["count"]["maximum"], 255);
        assert!(answer["properties"]["count"].get("maximum").is_none());
        let pair =
            json!({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2});
        assert_eq!(answer["properties"]["pair"], pair);
    }

    #[test]
    fn a_choice_of_choices_is_one_choice() {
        let schemas = json!({
            "Request": {"oneOf": [
                {"$ref": reference("Step")["$ref"], "description": "One."}, reference("List")]},
            "Step": {"oneOf": [variant("go_on"), variant("end")]},
            "List": {"type": "object", "properties": {}}, "Answer": {"type": "object"}});
        let schemas = shaped(schemas, "Request", "Answer");
        let variants = json!([
            reference("GoOnStep"),
            reference("EndStep"),
            reference("List")
        ]);
        assert_eq!(schemas["Request"]["oneOf"], variants);
    }
}
