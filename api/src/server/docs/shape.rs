//! The shape of schemas, made by rule from what the handlers' types tell: whatever generator reads them
//! finds a name for each variant, what tells variants apart, and which members are always there.
//!
//! The rules know no names, so types to come fall into shape by themselves:
//!
//! * members of a flattened type stand beside those of the type that holds it; where it is a choice, in each
//!   of its variants;
//! * each object that is a variant of a choice is a component of its own, named for its tag, title or only
//!   member; a common tag is the choice's `discriminator`;
//! * a choice among choices is one choice;
//! * `description` stands beside a reference that can be null, not in it; tuples are arrays of so many items.

use serde_json::{Map, Value, json};

/// Where schemas are.
pub const SCHEMAS: &str = "#/components/schemas/";

/// Gives the schemas of a specification their shape.
pub fn shape(document: &mut Value) {
    each_schema(document, &mut simplify);
    flatten_all(document);
    name_variants(document);
    tell_texts(document);
    merge_choices(document);
}

/// All operations of a specification.
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

/// Every schema in a value, from the innermost out; examples are none.
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

/// What is told in a roundabout way: tuples, names of members that are any text, and descriptions and
/// examples within a reference that can be null.
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
        let told = others.iter_mut().find_map(|other| {
            let other = other
                .as_object_mut()
                .filter(|other| other.contains_key("$ref"))?;
            other.remove("description")
        });
        if let Some(told) = told {
            schema.entry("description").or_insert(told);
        }
    }
    if let Some(word) = only_word(schema) {
        schema.remove("enum");
        schema.insert("const".to_owned(), word);
    }
}

/// The word of a schema that takes no other.
fn only_word(schema: &Map<String, Value>) -> Option<Value> {
    let words = schema.get("enum")?.as_array()?;
    (schema.get("type") == Some(&json!("string")) && words.len() == 1).then(|| words[0].clone())
}

pub fn is_null(schema: &Value) -> bool {
    schema["type"] == "null"
}

/// Whether a schema takes null.
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

/// Puts members of flattened types where they are on the wire.
fn flatten_all(document: &mut Value) {
    let names: Vec<String> = match document["components"]["schemas"].as_object() {
        Some(schemas) => schemas.keys().cloned().collect(),
        None => return,
    };
    for name in names {
        flatten(document, &name);
    }
}

/// Flattens one component: `allOf` a reference and an object.
fn flatten(document: &mut Value, name: &str) {
    let schema = document["components"]["schemas"][name].clone();
    let Some([held, own]) = schema["allOf"].as_array().map(Vec::as_slice) else {
        return;
    };
    // Whatever stands first: serde writes members in the order of the type.
    let (held, own) = match named(held) {
        Some(_) => (held, own),
        None => (own, held),
    };
    let Some(inner) = named(held).map(str::to_owned) else {
        return;
    };
    flatten(document, &inner);
    let held = document["components"]["schemas"][&inner].clone();
    let schemas = &mut document["components"]["schemas"];
    if held["oneOf"].is_array() {
        let optional = own["required"].as_array().is_none_or(Vec::is_empty);
        let mut choice = held;
        list(&mut choice, "oneOf").for_each(|variant| add_members(variant, own));
        if optional {
            // What may be left out everywhere does not make another choice.
            schemas[&inner] = choice;
            schemas.as_object_mut().map(|schemas| schemas.remove(name));
            rename(document, name, &inner);
        } else {
            retell(&mut choice, &schema);
            schemas[name] = choice;
        }
    } else {
        let mut whole = held;
        add_members(&mut whole, own);
        retell(&mut whole, &schema);
        schemas[name] = whole;
    }
}

/// Describes a schema as another does.
fn retell(schema: &mut Value, other: &Value) {
    if let Some(told) = other.get("description") {
        schema["description"] = told.clone();
    }
}

/// Adds the members of an object to another.
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

/// Refers to another component instead.
fn rename(document: &mut Value, from: &str, to: &str) {
    let (from, to) = (reference(from), reference(to));
    each_schema(document, &mut |schema| {
        if schema.get("$ref") == Some(&from["$ref"]) {
            schema.insert("$ref".to_owned(), to["$ref"].clone());
        }
    });
}

/// Makes each object among the variants of a component a component of its own.
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

/// The member that has a word of its own in each variant.
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

/// What tells a variant from others: its title, the word of its tag, or its only member that is needed.
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

/// `MoveStone` of `move_stone`.
pub fn capitals(name: &str) -> String {
    let words = name.split(['_', '-', ' ']).filter(|word| !word.is_empty());
    words
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect()
}

/// Puts the variants of a choice in place of a variant that refers to the choice. What a variant is, its
/// component describes: some generators give a reference with a description no name.
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

/// Answers that are no JSON are texts or bytes as a whole, whatever their lines hold.
fn tell_texts(document: &mut Value) {
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

    /// A specification with schemas, of which one operation asks one and answers another.
    fn shaped(schemas: Value, asked: &str, answered: &str) -> Value {
        let content = |name| json!({"application/json": {"schema": reference(name)}});
        let mut document = json!({"components": {"schemas": schemas}, "paths": {"/": {"post": {
            "requestBody": {"content": content(asked)},
            "responses": {"200": {"content": content(answered)}}}}}});
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
            "Told": {"allOf": [reference("Step"),
                {"type": "object", "required": ["at"], "properties": {"at": {"type": "string"}}}]},
        });
        let schemas = shaped(schemas, "Sent", "Told");
        // Members that may be left out go into the choice, others make another one.
        assert!(schemas.get("Sent").is_none());
        assert_eq!(schemas["Step"]["oneOf"][0], reference("GoOnStep"));
        let mapping = &schemas["Step"]["discriminator"]["mapping"];
        assert_eq!(mapping["go_on"], reference("GoOnStep")["$ref"]);
        let step = &schemas["GoOnStep"];
        assert_eq!(step["properties"]["type"]["const"], "go_on");
        assert_eq!(step["properties"]["who"]["type"], "string");
        assert_eq!(step["additionalProperties"], false);
        let told = &schemas["GoOnTold"];
        assert_eq!(told["required"], json!(["type", "at"]));
        assert!(told.get("additionalProperties").is_none());
    }

    #[test]
    fn answers_have_what_can_be_null_and_requests_need_not() {
        let schema = json!({"type": "object", "additionalProperties": false, "properties": {
            "note": {"type": ["string", "null"]}, "left_out": {"type": "string"},
            "pair": {"type": "array", "items": false, "prefixItems": [{"type": "string"}, {"type": "string"}]},
            "count": {"type": "integer", "format": "uint8"}}});
        let schemas = shaped(json!({"Asked": schema, "Told": schema}), "Asked", "Told");
        let (asked, told) = (&schemas["Asked"], &schemas["Told"]);
        assert!(asked.get("required").is_none());
        assert_eq!(told["required"], json!(["note"]));
        assert_eq!(asked["additionalProperties"], false);
        assert!(told.get("additionalProperties").is_none());
        assert_eq!(asked["properties"]["count"]["maximum"], 255);
        assert!(told["properties"]["count"].get("maximum").is_none());
        let pair =
            json!({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2});
        assert_eq!(told["properties"]["pair"], pair);
    }

    #[test]
    fn a_choice_among_choices_is_one() {
        let schemas = json!({
            "Asked": {"oneOf": [
                {"$ref": reference("Step")["$ref"], "description": "One."}, reference("List")]},
            "Step": {"oneOf": [variant("go_on"), variant("end")]},
            "List": {"type": "object", "properties": {}}, "Told": {"type": "object"}});
        let schemas = shaped(schemas, "Asked", "Told");
        let variants = json!([
            reference("GoOnStep"),
            reference("EndStep"),
            reference("List")
        ]);
        assert_eq!(schemas["Asked"]["oneOf"], variants);
    }
}
