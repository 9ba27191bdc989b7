//! What the last release promised (`openapi/VERSIONING.md`) is not taken back. A release begins a new
//! promise by writing `openapi/released.json` anew, which is refused where it would break the old one.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi/released.json");

/// Set, the specification becomes the new promise; `break` does so even if the old one is broken.
const RELEASE: &str = "TABULARIUM_RELEASE";

/// A specification without what promises nothing.
fn promised(value: &Value) -> Value {
    const TOLD: [&str; 4] = ["description", "example", "examples", "summary"];
    match value {
        Value::Object(fields) => {
            let kept = fields.iter();
            // A member may have such a name: then its value is a schema.
            let kept = kept.filter(|(name, value)| {
                !TOLD.contains(&name.as_str()) || value.get("type").is_some_and(Value::is_string)
            });
            kept.map(|(name, value)| (name.clone(), promised(value)))
                .collect::<Map<_, _>>()
                .into()
        }
        Value::Array(values) => values.iter().map(promised).collect(),
        other => other.clone(),
    }
}

/// Which way a value goes: what is narrower breaks who sends, what is wider who reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Sent,
    Answered,
}

/// What a specification takes back of another.
struct Comparison<'a> {
    old: &'a Value,
    new: &'a Value,
    /// Pairs of components that have been compared.
    seen: BTreeSet<(String, Way)>,
    broken: Vec<String>,
}

fn items<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    value[name].as_array().into_iter().flatten()
}

fn members<'a>(
    value: &'a Value,
    name: &str,
) -> impl Iterator<Item = (&'a String, &'a Value)> + use<'a> {
    value[name].as_object().into_iter().flatten()
}

fn named<'a>(document: &'a Value, part: &'a Value) -> &'a Value {
    let path = part["$ref"].as_str();
    path.and_then(|path| document.pointer(path.trim_start_matches('#')))
        .unwrap_or(part)
}

fn kinds(schema: &Value) -> BTreeSet<&str> {
    let one = schema["type"].as_str();
    let several = items(schema, "type").filter_map(Value::as_str);
    one.into_iter().chain(several).collect()
}

/// How often a list has a value.
fn has(schema: &Value, name: &str, value: &Value) -> bool {
    items(schema, name).any(|item| item == value)
}

impl Comparison<'_> {
    fn breaks(&mut self, place: &str, what: impl std::fmt::Display) {
        self.broken.push(format!("{place}: {what}"));
    }

    fn documents(&mut self) {
        let (old, new) = (self.old, self.new);
        for (name, _) in members(&old["components"], "schemas") {
            if new["components"]["schemas"].get(name).is_none() {
                self.breaks(name, "the schema is gone");
            }
        }
        for (path, item) in members(old, "paths") {
            for (method, operation) in item.as_object().into_iter().flatten() {
                let place = format!("{method} {path}");
                match new["paths"][path].get(method) {
                    None => self.breaks(&place, "the operation is gone"),
                    Some(now) => self.operation(&place, operation, now),
                }
            }
        }
    }

    fn operation(&mut self, place: &str, old: &Value, new: &Value) {
        if old["operationId"] != new["operationId"] {
            self.breaks(place, "it has another name");
        }
        let same =
            |one: &Value, other: &Value| one["name"] == other["name"] && one["in"] == other["in"];
        let resolve = |document, operation| {
            items(operation, "parameters").map(move |part| named(document, part))
        };
        let (before, now): (Vec<_>, Vec<_>) = (
            resolve(self.old, old).collect(),
            resolve(self.new, new).collect(),
        );
        for parameter in &before {
            let place = format!("{place} {}", parameter["name"]);
            match now.iter().find(|other| same(parameter, other)) {
                None => self.breaks(&place, "the parameter is gone"),
                Some(now) => self.schema(&place, &parameter["schema"], &now["schema"], Way::Sent),
            }
        }
        for parameter in now.iter().filter(|parameter| parameter["required"] == true) {
            let known = before.iter().find(|other| same(parameter, other));
            if known.is_none_or(|known| known["required"] != true) {
                self.breaks(place, format_args!("{} is required", parameter["name"]));
            }
        }
        let (asked, asks) = (&old["requestBody"], &new["requestBody"]);
        if asks["required"] == true && asked["required"] != true {
            self.breaks(place, "a body is required");
        }
        self.contents(place, asked, asks, Way::Sent);
        for (status, response) in members(old, "responses") {
            let place = format!("{place} {status}");
            let response = named(self.old, response);
            match new["responses"].get(status) {
                None => self.breaks(&place, "the answer is gone"),
                Some(now) => self.contents(&place, response, named(self.new, now), Way::Answered),
            }
        }
    }

    fn contents(&mut self, place: &str, old: &Value, new: &Value, way: Way) {
        for (media_type, content) in members(old, "content") {
            let place = format!("{place} {media_type}");
            match new["content"].get(media_type) {
                None => self.breaks(&place, "the media type is gone"),
                Some(now) => self.schema(&place, &content["schema"], &now["schema"], way),
            }
        }
    }

    fn schema(&mut self, place: &str, old: &Value, new: &Value, way: Way) {
        if let Some(name) = old["$ref"].as_str()
            && !self.seen.insert((format!("{name} {}", new["$ref"]), way))
        {
            return;
        }
        let (old, new) = (named(self.old, old), named(self.new, new));
        let (before, now) = (kinds(old), kinds(new));
        let other = match way {
            Way::Sent => !now.is_empty() && (before.is_empty() || !now.is_superset(&before)),
            Way::Answered => !before.is_empty() && (now.is_empty() || !now.is_subset(&before)),
        };
        if other {
            self.breaks(place, format_args!("{before:?} was its type, {now:?} is"));
        }
        for word in items(old, "enum").chain(old.get("const")) {
            let free = new.get("enum").is_none() && new.get("const").is_none();
            let listed = has(new, "enum", word) || new.get("const") == Some(word);
            if !(listed || free && way == Way::Sent) {
                self.breaks(place, format_args!("the word {word} is gone"));
            }
        }
        if way == Way::Sent && old.get("enum").is_none() && new.get("enum").is_some() {
            self.breaks(place, "any word was taken");
        }
        for choice in ["oneOf", "anyOf"] {
            for variant in items(old, choice) {
                if variant["$ref"].is_string() || variant["type"] == "null" {
                    match items(new, choice).find(|other| variant["$ref"] == other["$ref"]) {
                        None => self.breaks(place, format_args!("the variant {variant} is gone")),
                        Some(now) => self.schema(place, variant, now, way),
                    }
                }
            }
        }
        let null = json!({"type": "null"});
        if way == Way::Answered && !has(old, "oneOf", &null) && has(new, "oneOf", &null) {
            self.breaks(place, "it can be null");
        }
        for (name, member) in members(old, "properties") {
            let place = format!("{place}.{name}");
            match new["properties"].get(name) {
                None => self.breaks(&place, "the member is gone"),
                Some(now) => self.schema(&place, member, now, way),
            }
        }
        let (needed, needing) = match way {
            Way::Sent => (new, old),
            Way::Answered => (old, new),
        };
        for name in items(needed, "required").filter(|name| !has(needing, "required", name)) {
            match way {
                Way::Sent => self.breaks(place, format_args!("{name} is required")),
                Way::Answered => self.breaks(place, format_args!("{name} may be left out")),
            }
        }
        if way == Way::Sent {
            self.limits(place, old, new);
        }
        for inner in ["items", "additionalProperties"] {
            if old[inner].is_object() && new[inner].is_object() {
                let place = format!("{place}[]");
                self.schema(&place, &old[inner], &new[inner], way);
            }
        }
    }

    /// Limits of what is sent are not narrower.
    fn limits(&mut self, place: &str, old: &Value, new: &Value) {
        for name in ["maximum", "maxLength", "maxItems"] {
            let (before, now) = (old[name].as_f64(), new[name].as_f64());
            if now.is_some_and(|now| before.is_none_or(|before| now < before)) {
                self.breaks(place, format_args!("{name} is narrower"));
            }
        }
        for name in ["minimum", "minLength", "minItems"] {
            let (before, now) = (old[name].as_f64(), new[name].as_f64());
            if now.is_some_and(|now| before.is_none_or(|before| now > before)) {
                self.breaks(place, format_args!("{name} is narrower"));
            }
        }
        if new.get("pattern").is_some() && new["pattern"] != old["pattern"] {
            self.breaks(place, "the pattern is another");
        }
        if new["additionalProperties"] == false && old["additionalProperties"] != false {
            self.breaks(place, "further members are refused");
        }
    }
}

fn broken(old: &Value, new: &Value) -> Vec<String> {
    let mut comparison = Comparison {
        old,
        new,
        seen: BTreeSet::new(),
        broken: Vec::new(),
    };
    comparison.documents();
    comparison.broken
}

fn document() -> Value {
    promised(&serde_json::from_str(&api::docs::text().unwrap()).unwrap())
}

#[test]
fn the_specification_takes_nothing_back() {
    let now = document();
    let release = std::env::var(RELEASE).ok();
    let released = std::fs::read_to_string(FILE).unwrap_or_default();
    let broken = match serde_json::from_str(&released) {
        Ok(old) => broken(&old, &now),
        Err(_) => vec!["there is no promise".to_owned()],
    };
    if release.as_deref() != Some("break") {
        assert!(
            broken.is_empty(),
            "see openapi/VERSIONING.md; this breaks what was promised:\n{}",
            broken.join("\n")
        );
    }
    if release.is_some() {
        let text = serde_json::to_string(&now).unwrap();
        std::fs::write(FILE, text + "\n").unwrap();
    }
}

#[test]
fn whatever_is_taken_back_is_noticed() {
    let old = document();
    assert_eq!(broken(&old, &old), [""; 0]);
    let schema = |name: &str| format!("/components/schemas/{name}");
    let act = "/paths/~1v1~1games~1{id}~1actions/post";
    let gone = |place: &str| {
        let (parent, name) = place.rsplit_once('/').unwrap();
        let mut new = old.clone();
        let parent = new.pointer_mut(parent).unwrap();
        match parent {
            Value::Object(fields) => drop(fields.remove(&name.replace("~1", "/")).unwrap()),
            Value::Array(items) => drop(items.remove(name.parse().unwrap())),
            _ => panic!("{place}"),
        }
        new
    };
    let with = |place: &str, name: &str, value: Value| {
        let mut new = old.clone();
        new.pointer_mut(place).unwrap()[name] = value;
        new
    };
    for (new, told) in [
        (gone(act), "the operation is gone"),
        (gone(&schema("Field")), "the schema is gone"),
        (
            gone(&format!("{act}/parameters/1")),
            "the parameter is gone",
        ),
        (gone(&format!("{act}/responses/201")), "the answer is gone"),
        (
            gone(&format!("{act}/responses/201/content/application~1json")),
            "the media type is gone",
        ),
        (
            gone(&schema("GameBody/properties/state")),
            "the member is gone",
        ),
        (gone(&schema("GameBody/required/0")), "may be left out"),
        (gone(&schema("Field/enum/0")), "the word"),
        (gone(&schema("Action/oneOf/3")), "the variant"),
        (
            with(&format!("{act}/parameters/1"), "required", json!(true)),
            "is required",
        ),
        (
            with(
                &schema("NewGame"),
                "required",
                json!(["edition", "board", "seats", "seed"]),
            ),
            "\"seed\" is required",
        ),
        (
            with(&schema("NewGame/properties/seed"), "maxLength", json!(10)),
            "maxLength is narrower",
        ),
        (
            with(&schema("NewGame/properties/rated"), "type", json!("string")),
            "its type",
        ),
        (
            with(
                &schema("GameSummary/properties/id"),
                "type",
                json!(["string", "null"]),
            ),
            "its type",
        ),
        (
            with(&schema("NewGame/properties/seed"), "pattern", json!("^a")),
            "the pattern",
        ),
    ] {
        let broken = broken(&old, &new);
        assert!(
            broken.iter().any(|one| one.contains(told)),
            "{told}: {broken:?}"
        );
    }
    // What is promised as possible.
    let mut more = old.clone();
    more["components"]["schemas"]["GameSummary"]["properties"]["weather"] =
        json!({"type": "string"});
    more["components"]["schemas"]["NewGame"]["properties"]["weather"] = json!({"type": "string"});
    more["paths"]["/v1/weather"] = json!({"get": {"responses": {}}});
    assert_eq!(broken(&old, &more), [""; 0]);
}
