//! Shares repeated parts of the specification.
//! Problems become shared answers, and contents with the same schema share an example.
//!
//! Long examples are shortened.

use serde_json::{Map, Value, json};

use crate::server::docs::shape::{capitals, operations};

/// The number of items shown of a list.
const SHOWN: usize = 3;
/// The number of lines shown of a text.
const LINES: usize = 12;

/// Shares the repeated parts and shortens the examples.
pub fn share(document: &mut Value) {
    let mut responses = Map::new();
    let mut examples = Map::new();
    for operation in operations(document) {
        let answers = operation["responses"].as_object_mut();
        for response in answers.into_iter().flat_map(Map::values_mut) {
            let content = response.get_mut("content").and_then(Value::as_object_mut);
            for (media_type, content) in content.into_iter().flatten() {
                if media_type == "application/problem+json" {
                    share_problems(content, &mut examples);
                } else {
                    shorten_shown(content);
                    share_example(content, &mut examples);
                }
            }
            share_response(response, &mut responses);
        }
    }
    document["components"]["examples"] = Value::Object(examples);
    document["components"]["responses"] = Value::Object(responses);
}

/// Replaces the examples of problems by references: each code has one example.
fn share_problems(content: &mut Value, shared: &mut Map<String, Value>) {
    let shown = content.get_mut("examples").and_then(Value::as_object_mut);
    for (code, example) in shown.into_iter().flatten() {
        let path = format!("#/components/examples/{code}");
        shared.insert(
            code.clone(),
            std::mem::replace(example, json!({"$ref": path})),
        );
    }
}

/// Replaces the example of a named schema by a reference to its first example.
fn share_example(content: &mut Value, shared: &mut Map<String, Value>) {
    let name = content.pointer("/schema/$ref").and_then(Value::as_str);
    let name = name
        .and_then(|path| path.rsplit('/').next())
        .map(str::to_owned);
    if let (Some(name), Some(content)) = (name, content.as_object_mut())
        && let Some(example) = content.remove("example")
    {
        let path = format!("#/components/examples/{name}");
        shared.entry(&name).or_insert(json!({"value": example}));
        content.insert("examples".to_owned(), json!({name: {"$ref": path}}));
    }
}

/// Shares an answer that is only a problem, under the names of its codes.
///
/// If the same codes have other descriptions, the answer stays in place.
fn share_response(response: &mut Value, shared: &mut Map<String, Value>) {
    let Some(content) = response.get("content").and_then(Value::as_object) else {
        return;
    };
    let codes = content.get("application/problem+json");
    let codes = codes.and_then(|problem| problem["examples"].as_object());
    let Some(codes) = codes.filter(|_| content.len() == 1) else {
        return;
    };
    let names: Vec<String> = codes.keys().map(|code| capitals(code)).collect();
    let name = names.join("Or");
    if shared.get(&name).is_none_or(|same| same == response) {
        let path = format!("#/components/responses/{name}");
        shared.insert(name, std::mem::replace(response, json!({"$ref": path})));
    }
}

fn shorten_shown(content: &mut Value) {
    if let Some(example) = content.get_mut("example") {
        shorten(example);
    }
    let several = content.get_mut("examples").and_then(Value::as_object_mut);
    for example in several.into_iter().flat_map(Map::values_mut) {
        shorten(&mut example["value"]);
    }
}

/// Keeps the first items of long lists and the first lines of long texts.
fn shorten(example: &mut Value) {
    match example {
        Value::Array(items) => {
            items.truncate(SHOWN);
            items.iter_mut().for_each(shorten);
        }
        Value::Object(fields) => fields.values_mut().for_each(shorten),
        Value::String(text) => {
            if let Some((end, _)) = text.match_indices('\n').nth(LINES) {
                text.truncate(end + 1);
            }
        }
        _ => {}
    }
}
