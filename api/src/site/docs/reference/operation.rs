//! Operations: what they need, what they return, with examples.

use maud::{Markup, html};
use serde_json::Value;

use crate::site::docs::contents::ROOT;
use crate::site::docs::english;
use crate::site::docs::reference::schema::{about, kind, parts, strings};
use crate::site::markdown::{blocks, inline, permalink};

/// How many lines of an example are shown.
const LONGEST: usize = 60;

/// An operation of the specification.
#[derive(Clone, Copy, Debug)]
pub struct Operation<'a> {
    /// Its method in capitals.
    pub method: &'a str,
    /// Its path.
    pub path: &'a str,
    /// Its name, which is its anchor too.
    pub id: &'a str,
    /// Its tag.
    pub tag: &'a str,
    /// What the specification says of it.
    pub value: &'a Value,
}

impl Operation<'_> {
    /// The first line.
    pub fn summary(&self) -> &str {
        self.value["summary"].as_str().unwrap_or(self.id)
    }

    /// Where it is described.
    pub fn address(&self) -> String {
        format!("{ROOT}/api/{}#{}", self.tag, self.id)
    }
}

/// Every operation, in the order of the paths.
pub fn operations(document: &Value) -> Vec<Operation<'_>> {
    const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];
    const NAMES: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
    let paths = document["paths"].as_object().into_iter().flatten();
    let all = paths.flat_map(|(path, item)| {
        let own = METHODS.iter().zip(NAMES);
        own.filter_map(move |(key, method)| {
            let value = item.get(*key)?;
            Some(Operation {
                method,
                path,
                id: value["operationId"].as_str()?,
                tag: strings(&value["tags"]).first().copied()?,
                value,
            })
        })
    });
    all.collect()
}

/// A component of the specification in place of a reference to it.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str();
    let pointer = target.and_then(|target| target.strip_prefix('#'));
    pointer
        .and_then(|pointer| document.pointer(pointer))
        .unwrap_or(value)
}

/// An operation with everything that the specification says of it.
pub fn section(document: &Value, operation: &Operation<'_>) -> Markup {
    let value = operation.value;
    let parameters = value["parameters"].as_array();
    html! {
        section class="operation" id=(operation.id) {
            h2 { (operation.summary()) (permalink(operation.id, operation.summary())) }
            p class="request" { b { (operation.method) } " " code { (operation.path) } }
            @if value["deprecated"] == Value::Bool(true) { p { b { (english::API_DEPRECATED) } } }
            @if let Some(text) = value["description"].as_str() { (blocks(text)) }
            p { (security(&value["security"])) }
            @if let Some(parameters) = parameters.filter(|list| !list.is_empty()) {
                h3 { (english::API_PARAMETERS) }
                dl class="properties" { @for one in parameters { (parameter(resolved(document, one))) } }
            }
            @if !value["requestBody"].is_null() {
                h3 { (english::API_BODY) }
                (content(document, &resolved(document, &value["requestBody"])["content"], true))
            }
            h3 { (english::API_ANSWERS) }
            dl class="properties" {
                @for (status, answer) in value["responses"].as_object().into_iter().flatten() {
                    (response(document, status, resolved(document, answer)))
                }
            }
        }
    }
}

/// Which token an operation needs.
fn security(value: &Value) -> Markup {
    let choices: Vec<&Value> = value.as_array().into_iter().flatten().collect();
    let is_optional = choices
        .iter()
        .any(|choice| choice.as_object().is_some_and(|map| map.is_empty()));
    let mut scopes: Vec<&str> = choices
        .iter()
        .flat_map(|choice| strings(&choice["token"]))
        .collect();
    scopes.dedup();
    let needs_token = choices.iter().any(|choice| !choice["token"].is_null());
    html! {
        @match (needs_token, is_optional) {
            (false, _) => (english::API_NO_TOKEN),
            (true, true) => (english::API_OPTIONAL_TOKEN),
            (true, false) => (english::API_TOKEN),
        }
        @if !scopes.is_empty() {
            " " (english::API_SCOPE)
            @for scope in &scopes { " " code { (scope) } }
            "."
        }
    }
}

fn parameter(one: &Value) -> Markup {
    let schema = &one["schema"];
    html! {
        dt {
            code { (one["name"].as_str().unwrap_or_default()) } " "
            span class="faint" { (one["in"].as_str().unwrap_or_default()) ", " (kind(schema)) }
            @if one["required"] == Value::Bool(true) { " " span class="tag" { (english::API_REQUIRED) } }
        }
        dd {
            (about(one["description"].as_str().or(schema["description"].as_str()), schema))
            @if let Some(example) = one.get("example") {
                p class="faint" { (english::API_EXAMPLE) " " code {
                    @match example.as_str() { Some(text) => (text), None => (example.to_string()) }
                } }
            }
        }
    }
}

fn response(document: &Value, status: &str, answer: &Value) -> Markup {
    // Problems have the same form everywhere, and one page describes them.
    let is_problem = answer["content"]["application/problem+json"].is_object();
    let headers = answer["headers"].as_object().into_iter().flatten();
    let own: Vec<(&String, &Value)> = headers
        .filter(|(name, _)| !name.starts_with("RateLimit"))
        .collect();
    html! {
        dt { code { (status) } " " span class="faint" { (inline(answer["description"].as_str().unwrap_or_default())) } }
        dd {
            @if !is_problem {
                (content(document, &answer["content"], false))
                @for (name, header) in own {
                    @let header = resolved(document, header);
                    p { (english::API_HEADER) " " code { (name) } ": "
                        (inline(header["description"].as_str().unwrap_or_default())) }
                }
            }
        }
    }
}

/// The media types of a body, each with its schema and examples.
fn content(document: &Value, content: &Value, is_request: bool) -> Markup {
    html! {
        @for (media_type, body) in content.as_object().into_iter().flatten() {
            @let schema = &body["schema"];
            p { code { (media_type) } @if !schema.is_null() { ": " (kind(schema)) } }
            @if is_request && media_type == "application/json" {
                @let whole = resolved(document, schema);
                details open[whole["properties"].is_object()] {
                    summary { (english::API_MEMBERS) }
                    (parts(whole))
                }
            }
            @for (name, example) in body["examples"].as_object().into_iter().flatten() {
                @let example = resolved(document, example);
                details {
                    summary { (english::API_EXAMPLE) " " (example["summary"].as_str().unwrap_or(name)) }
                    pre tabindex="0" { code { (shortened(&example["value"])) } }
                }
            }
        }
    }
}

/// An example, cut off after some lines.
fn shortened(value: &Value) -> String {
    let text = match value.as_str() {
        Some(text) => text.to_owned(),
        None => format!("{value:#}"),
    };
    let mut lines: Vec<&str> = text.lines().take(LONGEST + 1).collect();
    if lines.len() > LONGEST {
        lines.truncate(LONGEST);
        lines.push("…");
    }
    lines.join("\n")
}
