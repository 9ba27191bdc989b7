//! The reference of the API: pages for each tag and each schema, rendered from the specification.

pub mod operation;
pub mod schema;

use std::collections::BTreeMap;

use actix_web::web::Bytes;
use maud::{Markup, html};
use serde_json::Value;

use crate::site::docs::english;
use crate::site::docs::reference::operation::{Operation, operations, section};
use crate::site::docs::reference::schema::{about, parts, references};
use crate::site::markdown::blocks;

/// Loads the specification. It is made by a folder above this one.
#[derive(Clone, Copy, Debug)]
pub struct Specification(pub fn() -> Bytes);

/// A page of the reference.
#[derive(Clone, Debug)]
pub struct ReferencePage {
    /// Its title.
    pub title: String,
    /// Its main part.
    pub html: Markup,
}

/// The reference, rendered.
#[derive(Clone, Debug, Default)]
pub struct Reference {
    /// What is added to the page `api`: tags with their operations.
    pub overview: Markup,
    /// The other pages by the end of their address.
    pub pages: BTreeMap<String, ReferencePage>,
    /// The operations for the search: the end of the address, title, page and text.
    pub found: Vec<(String, String, String, String)>,
}

impl Reference {
    /// Renders a specification; nothing if it is no JSON.
    pub fn new(specification: Specification) -> Reference {
        let document = serde_json::from_slice(&(specification.0)()).unwrap_or_default();
        Reference::of(&document)
    }

    fn of(document: &Value) -> Reference {
        let operations = operations(document);
        let mut pages = BTreeMap::new();
        for (tag, about) in tags(document) {
            let own = of_tag(&operations, tag);
            let html = tag_page(document, tag, about, &own);
            let title = english::api_tag(tag);
            pages.insert(format!("api/{tag}"), ReferencePage { title, html });
        }
        let users = users(document, &operations);
        let schemas = document["components"]["schemas"].as_object();
        for (name, schema) in schemas.into_iter().flatten() {
            let html = schema_page(name, schema, users.get(name.as_str()));
            let title = name.clone();
            pages.insert(format!("api/schemas/{name}"), ReferencePage { title, html });
        }
        let names: Vec<&String> = schemas
            .into_iter()
            .flatten()
            .map(|(name, _)| name)
            .collect();
        let html = html! {
            h1 { (english::API_SCHEMAS) }
            p { (english::API_SCHEMAS_LEAD) }
            ul class="names" { @for name in names { li { a href=(schema::address(name)) { (name) } } } }
        };
        let title = english::API_SCHEMAS.to_owned();
        pages.insert("api/schemas".to_owned(), ReferencePage { title, html });
        let found = operations.iter().map(|operation| {
            let at = format!("api/{}#{}", operation.tag, operation.id);
            let title = format!(
                "{}: {} {}",
                operation.summary(),
                operation.method,
                operation.path
            );
            let text = operation.value["description"].as_str().unwrap_or_default();
            (at, title, english::API_TITLE.to_owned(), text.to_owned())
        });
        Reference {
            overview: overview(document, &operations),
            found: found.collect(),
            pages,
        }
    }
}

/// The tags with their descriptions, in the order of the specification.
fn tags(document: &Value) -> impl Iterator<Item = (&str, &str)> {
    let tags = document["tags"].as_array().into_iter().flatten();
    tags.filter_map(|tag| {
        Some((
            tag["name"].as_str()?,
            tag["description"].as_str().unwrap_or_default(),
        ))
    })
}

fn of_tag<'a>(operations: &[Operation<'a>], tag: &str) -> Vec<Operation<'a>> {
    let own = operations.iter().filter(|operation| operation.tag == tag);
    own.copied().collect()
}

fn overview(document: &Value, operations: &[Operation<'_>]) -> Markup {
    html! {
        @for (tag, about) in tags(document) {
            h2 id=(tag) { a href={ (english::API_ROOT) "/" (tag) } { (english::api_tag(tag)) } }
            p { (about) "." }
            (list(&of_tag(operations, tag)))
        }
        h2 id="schemas" { a href={ (english::API_ROOT) "/schemas" } { (english::API_SCHEMAS) } }
        p { (english::API_SCHEMAS_LEAD) }
    }
}

fn list(operations: &[Operation<'_>]) -> Markup {
    html! {
        ul class="operations" {
            @for operation in operations {
                li {
                    a href=(operation.address()) { (operation.summary()) } " "
                    span class="request" { b { (operation.method) } " " code { (operation.path) } }
                }
            }
        }
    }
}

fn tag_page(document: &Value, tag: &str, about: &str, operations: &[Operation<'_>]) -> Markup {
    html! {
        p class="path" { a href=(english::API_ROOT) { (english::API_TITLE) } }
        h1 { (english::api_tag(tag)) }
        p { (about) "." }
        (list(operations))
        @for operation in operations { (section(document, operation)) }
    }
}

/// What refers to a schema.
#[derive(Default)]
struct Users<'a> {
    operations: Vec<Operation<'a>>,
    schemas: Vec<&'a str>,
}

/// What refers to each schema.
fn users<'a>(document: &'a Value, operations: &[Operation<'a>]) -> BTreeMap<&'a str, Users<'a>> {
    let mut users: BTreeMap<&str, Users<'_>> = BTreeMap::new();
    for operation in operations {
        for name in unique(operation.value) {
            users.entry(name).or_default().operations.push(*operation);
        }
    }
    let schemas = document["components"]["schemas"].as_object();
    for (user, schema) in schemas.into_iter().flatten() {
        for name in unique(schema).into_iter().filter(|name| *name != user) {
            users.entry(name).or_default().schemas.push(user);
        }
    }
    users
}

fn unique(value: &Value) -> Vec<&str> {
    let mut names = Vec::new();
    references(value, &mut names);
    names.sort_unstable();
    names.dedup();
    names
}

fn schema_page(name: &str, schema: &Value, users: Option<&Users<'_>>) -> Markup {
    html! {
        p class="path" {
            a href=(english::API_ROOT) { (english::API_TITLE) } " › "
            a href={ (english::API_ROOT) "/schemas" } { (english::API_SCHEMAS) }
        }
        h1 { (name) }
        @if let Some(text) = schema["description"].as_str() { (blocks(text)) }
        (about(None, schema))
        (parts(schema))
        @if let Some(example) = schema.get("example") {
            h2 { (english::API_EXAMPLE) }
            pre tabindex="0" { code { (format!("{example:#}")) } }
        }
        @if let Some(users) = users {
            h2 { (english::API_USED) }
            ul class="points" {
                @for operation in &users.operations { li { a href=(operation.address()) { (operation.summary()) } } }
                @for name in &users.schemas { li { a href=(schema::address(name)) { (name) } } }
            }
        }
    }
}
