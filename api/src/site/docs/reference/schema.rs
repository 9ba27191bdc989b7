//! Schemas as tables of their members.

use maud::{Markup, html};
use serde_json::Value;

use crate::site::docs::contents::ROOT;
use crate::site::docs::english;
use crate::site::markdown::{blocks, inline};

/// The address of a schema's page.
pub fn address(name: &str) -> String {
    format!("{ROOT}/api/schemas/{name}")
}

/// The name of the component that a schema refers to.
pub fn reference(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

/// The first member that has choices.
fn choices(schema: &Value) -> Option<&Vec<Value>> {
    let names = ["oneOf", "anyOf", "allOf"];
    names.iter().find_map(|name| schema[*name].as_array())
}

/// A JSON value as it is written in a request.
fn literal(value: &Value) -> Markup {
    html! { code { (value.to_string()) } }
}

fn list(items: Vec<Markup>, between: &str) -> Markup {
    html! {
        @for (place, item) in items.into_iter().enumerate() {
            @if place > 0 { (between) }
            (item)
        }
    }
}

/// The type of a value in a few words, with links to schemas.
pub fn kind(schema: &Value) -> Markup {
    if let Some(name) = reference(schema) {
        return html! { a href=(address(name)) { (name) } };
    }
    if let Some(choices) = choices(schema) {
        return list(choices.iter().map(kind).collect(), english::API_OR);
    }
    if let Some(value) = schema.get("const") {
        return literal(value);
    }
    if let Some(values) = schema["enum"].as_array() {
        return list(values.iter().map(literal).collect(), english::API_OR);
    }
    match &schema["type"] {
        Value::String(name) => of_type(schema, name),
        Value::Array(names) => {
            let names = names.iter().filter_map(Value::as_str);
            list(
                names.map(|name| of_type(schema, name)).collect(),
                english::API_OR,
            )
        }
        _ if schema["properties"].is_object() => html! { (english::API_OBJECT) },
        _ => html! { (english::API_ANY) },
    }
}

fn of_type(schema: &Value, name: &str) -> Markup {
    match name {
        "array" => html! { (english::API_ARRAY) " " (kind(&schema["items"])) },
        "object" if schema["additionalProperties"].is_object() => {
            html! { (english::API_MAP) " " (kind(&schema["additionalProperties"])) }
        }
        name => html! {
            (name)
            @if let Some(format) = schema["format"].as_str().filter(|_| name != "null") { " (" (format) ")" }
        },
    }
}

/// The bounds of a value, such as `at least 1`.
fn bounds(schema: &Value) -> Vec<String> {
    let mut bounds = Vec::new();
    for (name, words) in english::API_BOUNDS {
        if !schema[*name].is_null() {
            bounds.push(format!("{words} {}", schema[*name]));
        }
    }
    if let Some(pattern) = schema["pattern"].as_str() {
        bounds.push(format!("{} `{pattern}`", english::API_PATTERN));
    }
    if let Some(default) = schema.get("default") {
        bounds.push(format!("{} `{default}`", english::API_DEFAULT));
    }
    bounds
}

/// The known words of a list that can grow.
fn words(schema: &Value) -> Option<Markup> {
    let words = schema["x-extensible-enum"].as_array()?;
    Some(html! { p { (english::API_KNOWN) " " (list(words.iter().map(literal).collect(), ", ")) } })
}

/// The description, the bounds and the known words of a value.
pub fn about(description: Option<&str>, schema: &Value) -> Markup {
    let bounds = bounds(schema);
    html! {
        @if let Some(text) = description { (blocks(text)) }
        @if !bounds.is_empty() { p class="faint" { (inline(&bounds.join("; "))) } }
        @if let Some(words) = words(schema) { (words) }
    }
}

/// What a schema consists of: members, variants or values.
pub fn parts(schema: &Value) -> Markup {
    if reference(schema).is_some() {
        return html! { p { (kind(schema)) } };
    }
    let required: Vec<&str> = strings(&schema["required"]);
    html! {
        @if let Some(members) = schema["properties"].as_object() {
            dl class="properties" {
                @for (name, member) in members {
                    dt {
                        code { (name) } " "
                        span class="faint" { (kind(member)) }
                        @if required.contains(&name.as_str()) { " " span class="tag" { (english::API_REQUIRED) } }
                    }
                    dd { (about(member["description"].as_str(), member)) }
                }
            }
        } @else if let Some(variants) = choices(schema) {
            p { (english::API_ONE_OF) }
            ul class="points" { @for variant in variants { li {
                @if variant["properties"].is_object() { (about(variant["description"].as_str(), variant)) (parts(variant)) }
                @else { (kind(variant)) @if let Some(text) = variant["description"].as_str() { ": " (inline(text)) } }
            } } }
        } @else {
            p { (english::API_TYPE) " " (kind(schema)) }
        }
        @if schema["additionalProperties"] == Value::Bool(false) { p class="faint" { (english::API_STRICT) } }
    }
}

/// The texts of an array.
pub fn strings(value: &Value) -> Vec<&str> {
    let items = value.as_array().into_iter().flatten();
    items.filter_map(Value::as_str).collect()
}

/// Adds the names of all schemas that a value refers to.
pub fn references<'a>(value: &'a Value, names: &mut Vec<&'a str>) {
    match value {
        Value::Object(members) => {
            let target = members.get("$ref").and_then(Value::as_str);
            names.extend(target.and_then(|target| target.strip_prefix("#/components/schemas/")));
            members.values().for_each(|value| references(value, names));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, names)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn types_are_said_in_words_with_links() {
        let cases = [
            (json!({"type": "string", "format": "uuid"}), "string (uuid)"),
            (
                json!({"type": ["integer", "null"], "format": "uint8"}),
                "integer (uint8) or null",
            ),
            (
                json!({"type": "array", "items": {"$ref": "#/components/schemas/Seat"}}),
                "list of <a href=\"/docs/api/schemas/Seat\">Seat</a>",
            ),
            (
                json!({"enum": ["a", "b"]}),
                "<code>\"a\"</code> or <code>\"b\"</code>",
            ),
            (
                json!({"oneOf": [{"const": 1}, {"type": "null"}]}),
                "<code>1</code> or null",
            ),
        ];
        for (schema, expected) in cases {
            let html = kind(&schema).into_string().replace("&quot;", "\"");
            assert_eq!(html, expected, "{schema}");
        }
    }
}
