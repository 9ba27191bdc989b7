//! Completing the specification: what operations share is told in one place, and every answer is
//! shown by one that was really given.

use analytics::{MEASURES, json_schema};
use serde_json::{Map, Value, json};

use crate::http::limits::gate::UNLIMITED_PATHS;

/// Answers and problems that a walk through the service gave; a test repeats the walk. Answers are
/// by operation, status and media type, problems by code. `with_cards` has further answers, by names
/// of their own, from a game with event cards.
const EXAMPLES: &str = include_str!("examples.json");

/// What parameters mean that many operations have, with an example.
const PARAMETERS: &[(&str, &str, &str)] = &[
    ("id", "The game", "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77"),
    ("player", "A player, by id or handle", "dido"),
    (
        "league",
        "The league",
        "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77",
    ),
    (
        "token",
        "The token's id, as the list of tokens tells it; not its text",
        "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77",
    ),
    (
        "table",
        "The number of the table in the league, from 1",
        "1",
    ),
    ("board", "The board", "antike-east"),
    ("edition", "The edition", "antike"),
    ("number", "The rule's number", "A27"),
    ("version", "The number of the version, from 1", "1"),
    ("seat", "The seat's number, from 0 in table order", "0"),
    ("from", "The event whose position is known", "0"),
    ("to", "The event whose position is wanted", "1"),
    (
        "seq",
        "The number of an event in the game's log, from 0",
        "0",
    ),
    (
        "If-Match",
        "The `ETag` of the game or league that was seen, of whichever encoding; 412 when it has gone on",
        "\"57\"",
    ),
    (
        "If-None-Match",
        "The `ETag` of an earlier answer, of whichever encoding; 304 when nothing has changed",
        "\"57\"",
    ),
    (
        "Idempotency-Key",
        "1 to 200 visible ASCII characters, best a random UUID. A repetition with the same key, caller, \
         method, path, query and body gets the first answer again and has no second effect; with another \
         query or body it is refused. Keys are kept for 24 hours. They belong to the bearer token that is \
         sent, or else to the address. An answer that holds a secret, such as a new token, is not stored: a \
         repetition is 409 `already_done` with the `location` of what was created",
        "5f0c9d1e-7a42-4b6b-9c39-0d7e1f3a8b64",
    ),
];

/// What texts parameters of a name take.
const TEXTS: &[(&str, &str)] = &[
    ("Idempotency-Key", "^[!-~]{1,200}$"),
    ("cursor", "^.+$"),
    ("ruleset", "^([1-9][0-9]*|[0-9A-Fa-f]{64})$"),
    ("since", "^[0-9]{4}-[0-9]{2}-[0-9]{2}([ Tt].+)?$"),
    ("until", "^[0-9]{4}-[0-9]{2}-[0-9]{2}([ Tt].+)?$"),
];

/// Completes a specification.
pub fn complete(document: &mut Value) -> Result<(), serde_json::Error> {
    let examples: Value = serde_json::from_str(EXAMPLES)?;
    describe_measures(document);
    mend_schemas(document);
    // Answers hold more than the files they come from, such as the file's hash.
    for name in ["BoardFile", "RulesetFile", "Setup"] {
        if let Some(schema) = document["components"]["schemas"][name].as_object_mut() {
            schema.remove("additionalProperties");
        }
    }
    // A record of a game that goes on keeps its seed secret.
    let setup = &mut document["components"]["schemas"]["Setup"];
    if let Some(required) = setup["required"].as_array_mut() {
        required.retain(|name| name != "seed");
    }
    setup["properties"]["seed_commitment"] = json!({"type": "string",
        "description": "SHA-256 of the seed, in its place while it is secret."});
    document["components"]["headers"] = json!(HEADERS.iter().map(header).collect::<Map<_, _>>());
    let paths = document["paths"].as_object_mut();
    let operations = paths.into_iter().flatten().flat_map(|(path, item)| {
        let limited = !UNLIMITED_PATHS.contains(&path.as_str());
        let operations = item.as_object_mut().into_iter().flat_map(Map::values_mut);
        operations.map(move |operation| (limited, operation))
    });
    for (limited, operation) in operations {
        let cached = operation["responses"].get("304").is_some();
        let id = operation["operationId"].clone();
        let id = id.as_str().unwrap_or_default();
        let answers = &examples["answers"][id];
        if operation.get("security").is_none() {
            operation["security"] = json!([]);
        }
        describe_parameters(operation, cached);
        describe_headers(operation, cached);
        if limited {
            describe_limits(operation);
        }
        let asked = operation.pointer_mut("/requestBody/content/application~1json");
        if let (Some(content), Some(body)) = (asked, examples["requests"].get(id))
            && content.get("example").is_none()
            && content.get("examples").is_none()
        {
            // One line of NDJSON is the same as JSON.
            let line = body["application/x-ndjson"].as_str();
            content["example"] = match line.and_then(|lines| lines.lines().next()) {
                Some(line) => serde_json::from_str(line)?,
                None => body.clone(),
            };
        }
        let asked = operation.pointer_mut("/requestBody/content");
        let asked = asked.and_then(Value::as_object_mut).into_iter().flatten();
        for (media_type, content) in asked {
            // What is no JSON stands by its media type.
            if let Some(body) = examples["requests"][id].get(media_type) {
                content["example"] = body.clone();
            }
        }
        let responses = operation["responses"].as_object_mut();
        for (status, response) in responses.into_iter().flatten() {
            let content = response.get_mut("content").and_then(Value::as_object_mut);
            for (media_type, content) in content.into_iter().flatten() {
                if let Some(answer) = answers[status].get(media_type) {
                    match examples["with_cards"][id][status][media_type].as_object() {
                        None => content["example"] = answer.clone(),
                        Some(others) => {
                            content["examples"] = json!({"antike": {"value": answer}});
                            for (name, other) in others {
                                content["examples"][name] = json!({"value": other});
                            }
                        }
                    }
                }
                let codes = content.get_mut("examples").and_then(Value::as_object_mut);
                for (code, example) in codes.into_iter().flatten() {
                    if let Some(problem) = examples["problems"].get(code) {
                        example["value"] = problem.clone();
                    }
                }
            }
        }
    }
    Ok(())
}

/// Puts an operation for each measure in the place of that for any: with its title and meaning, and the schema that
/// follows from its columns.
fn describe_measures(document: &mut Value) {
    let filters = json!({"$ref": "#/components/schemas/Filters"});
    let any = document["paths"]["/v1/stats/{measure}"].take();
    if let Some(paths) = document["paths"].as_object_mut() {
        paths.remove("/v1/stats/{measure}");
    }
    for measure in MEASURES {
        let mut item = any.clone();
        let operation = &mut item["get"];
        operation["operationId"] = json!(format!("{}_statistics", measure.name));
        operation["summary"] = json!(measure.title());
        operation["description"] = json!(measure.more());
        if let Some(parameters) = operation["parameters"].as_array_mut() {
            parameters.retain(|parameter| parameter["in"] != "path");
        }
        let words = measure.name.split('_');
        let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
        let name = format!("{}Table", words.map(capital).collect::<String>());
        operation["responses"]["200"]["content"]["application/json"]["schema"] =
            json!({"$ref": format!("#/components/schemas/{name}")});
        document["components"]["schemas"][name] = json_schema(measure, &filters);
        document["paths"][format!("/v1/stats/{}", measure.path)] = item;
    }
}

/// Headers of limits: name, what it tells, example.
const HEADERS: &[(&str, &str, &str)] = &[
    (
        "RateLimit",
        "For each rate that the request fell under, how many more requests may come at once (`r`) and in \
         how many seconds all of them again (`t`): a list of structured fields as in \
         draft-ietf-httpapi-ratelimit-headers-10; left out when the operator sets no rates",
        "\"reads\";r=599;t=1",
    ),
    (
        "RateLimit-Policy",
        "The rates that the request fell under: so many requests (`q`) in so many seconds (`w`); \
         `/v1/limits` has them all",
        "\"reads\";q=600;w=10",
    ),
    ("Retry-After", "In how many seconds to try again", "2"),
];

fn header((name, description, example): &(&str, &str, &str)) -> (String, Value) {
    let header = json!({"schema": {"type": "string"}, "description": description,
        "example": example});
    ((*name).to_owned(), header)
}

/// Refers answers to the headers that tell of limits.
fn describe_limits(operation: &mut Value) {
    let responses = operation["responses"].as_object_mut();
    for (status, response) in responses.into_iter().flatten() {
        let again = ["429", "503"].contains(&status.as_str());
        for (name, ..) in HEADERS {
            if *name != "Retry-After" || again {
                let path = format!("#/components/headers/{name}");
                response["headers"][name] = json!({ "$ref": path });
            }
        }
    }
}

/// Names the headers that answers of a kind have in common.
fn describe_headers(operation: &mut Value, cached: bool) {
    let text =
        |description: &str| json!({"schema": {"type": "string"}, "description": description});
    let shared = [
        ("200", "ETag", cached, "For `If-None-Match`"),
        (
            "401",
            "WWW-Authenticate",
            true,
            "`Bearer error=\"invalid_token\"` if the request had a bearer token, else a `Bearer` challenge without error",
        ),
    ];
    for (status, name, given, description) in shared {
        let response = operation["responses"].get_mut(status);
        if let Some(response) = response.filter(|_| given)
            && response.pointer(&format!("/headers/{name}")).is_none()
        {
            response["headers"][name] = text(description);
        }
    }
}

fn describe_parameters(operation: &mut Value, cached: bool) {
    if !operation["parameters"].is_array() {
        operation["parameters"] = json!([]);
    }
    let Some(parameters) = operation["parameters"].as_array_mut() else {
        return;
    };
    if cached && parameters.iter().all(|one| one["name"] != "If-None-Match") {
        parameters.push(
            json!({"name": "If-None-Match", "in": "header", "required": false,
            "schema": {"type": "string"}}),
        );
    }
    for parameter in parameters {
        let text = TEXTS.iter().find(|(name, _)| parameter["name"] == *name);
        if let Some((_, pattern)) = text {
            parameter["schema"]["pattern"] = json!(pattern);
        }
        let shared = PARAMETERS
            .iter()
            .find(|(name, ..)| parameter["name"] == *name);
        if let Some((_, description, example)) = shared
            && parameter.get("description").is_none()
        {
            parameter["description"] = json!(description);
            let number = parameter["schema"]["type"] == "integer";
            parameter["example"] = match example.parse::<u64>() {
                Ok(example) if number => json!(example),
                _ => json!(example),
            };
        }
    }
}

/// Says of schemas what their types in Rust do not tell: names of members are texts, even of
/// numbers; formats of numbers; Parquet and PNG are no JSON.
fn mend_schemas(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if let Some(names) = fields.get_mut("propertyNames")
                && names["type"] == "integer"
            {
                *names = json!({"type": "string", "pattern": "^[0-9]+$"});
            }
            // As the registry of formats of OpenAPI writes them.
            if let Some(Value::String(format)) = fields.get_mut("format")
                && let Some(bits) = format.strip_prefix("u-int")
            {
                *format = format!("uint{bits}");
            }
            for binary in ["application/vnd.apache.parquet", "image/png"] {
                if let Some(content) = fields.get_mut(binary) {
                    *content = json!({"schema": {"type": "string", "format": "binary"}});
                }
            }
            fields.values_mut().for_each(mend_schemas);
        }
        Value::Array(items) => items.iter_mut().for_each(mend_schemas),
        _ => {}
    }
}
