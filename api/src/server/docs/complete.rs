//! Completes the specification: describes what operations share, and adds recorded examples of answers.

use analytics::{MEASURES, json_schema};
use serde_json::{Map, Value, json};

use crate::accounts::scope_check::OWNERS_SCOPES;
use crate::http::limits::gate::UNLIMITED_PATHS;
use crate::http::scope::Scope;

/// Answers and problems recorded by a test that calls the service; the test repeats the calls.
///
/// Answers are by operation, status and media type, problems by code. `with_cards` contains further named answers, from
/// a game with event cards.
const EXAMPLES: &str = include_str!("examples.json");

/// Parameters of many operations: name, description and example.
const PARAMETERS: &[(&str, &str, &str)] = &[
    (
        "game",
        "The id of the game",
        "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77",
    ),
    (
        "code",
        "The invitation code; case and dashes do not matter",
        "7KQM-2V9D-XHT4",
    ),
    ("player", "The id or handle of a player", "dido"),
    (
        "league",
        "The id of the league",
        "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77",
    ),
    (
        "token",
        "The id of the token, from the list of tokens; not the secret text",
        "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77",
    ),
    (
        "table",
        "The number of the table in the league, from 1",
        "1",
    ),
    ("board", "The name of the board", "antike-east"),
    ("edition", "The name of the edition", "antike"),
    ("number", "The number of the rule", "A27"),
    ("version", "The number of the version, from 1", "1"),
    ("seat", "The number of the seat, from 0 in table order", "0"),
    (
        "from",
        "The sequence number of the event from whose position the changes start",
        "0",
    ),
    (
        "to",
        "The sequence number of the event up to whose position the changes go",
        "1",
    ),
    (
        "seq",
        "The sequence number of an event in the game's log, from 0",
        "0",
    ),
    (
        "If-Match",
        "The `ETag` of the version of the game or league that you have read, in any encoding; 412 if it has changed",
        "\"57\"",
    ),
    (
        "If-None-Match",
        "The `ETag` of an earlier answer, in any encoding; 304 if nothing has changed",
        "\"57\"",
    ),
    (
        "Idempotency-Key",
        "1 to 200 visible ASCII characters, preferably a random UUID. A repetition with the same key, caller, \
         method, path, query and body receives the first answer again and has no second effect. With another \
         query or body, it is refused with 422. Keys are valid for 24 hours. They belong to the bearer token, or \
         without a token to the address. An answer that contains a secret, such as a new token, is not stored: a \
         repetition is 409 `already_done`, with the path of the created resource in `location`",
        "5f0c9d1e-7a42-4b6b-9c39-0d7e1f3a8b64",
    ),
];

/// Headers of requests, and where the answers of an operation show that it obeys them.
const CONDITIONS: [(&str, &str); 3] = [
    ("If-None-Match", "/304"),
    ("If-Match", "/412"),
    (
        "Idempotency-Key",
        "/422/content/application~1problem+json/examples/idempotency_conflict",
    ),
];

/// The patterns of parameters with a text value.
const TEXTS: &[(&str, &str)] = &[
    ("Idempotency-Key", "^[!-~]{1,200}$"),
    ("cursor", "^.+$"),
    ("ruleset", "^(each|[1-9][0-9]*|[0-9A-Fa-f]{64})$"),
    ("since", "^[0-9]{4}-[0-9]{2}-[0-9]{2}([ Tt].+)?$"),
    ("until", "^[0-9]{4}-[0-9]{2}-[0-9]{2}([ Tt].+)?$"),
];

/// Completes a specification.
pub fn complete(document: &mut Value) -> Result<(), serde_json::Error> {
    let examples: Value = serde_json::from_str(EXAMPLES)?;
    describe_measures(document);
    describe_sign_ins(document);
    mend_schemas(document);
    // Answers contain more members than the files, such as the file's hash.
    for name in ["BoardFile", "RulesetFile", "Setup"] {
        if let Some(schema) = document["components"]["schemas"][name].as_object_mut() {
            schema.remove("additionalProperties");
        }
    }
    // The record of a running game keeps its seed secret.
    let setup = &mut document["components"]["schemas"]["Setup"];
    if let Some(required) = setup["required"].as_array_mut() {
        required.retain(|name| name != "seed");
    }
    setup["properties"]["seed_commitment"] = json!({"type": "string",
        "description": "The SHA-256 of the seed, instead of the seed while it is secret."});
    document["components"]["headers"] = json!(HEADERS.iter().map(header).collect::<Map<_, _>>());
    let paths = document["paths"].as_object_mut();
    let operations = paths.into_iter().flatten().flat_map(|(path, item)| {
        let limited = !UNLIMITED_PATHS.contains(&path.as_str());
        let operations = item.as_object_mut().into_iter().flat_map(Map::values_mut);
        operations.map(move |operation| (limited, operation))
    });
    for (limited, operation) in operations {
        let id = operation["operationId"].clone();
        let id = id.as_str().unwrap_or_default();
        let answers = &examples["answers"][id];
        if operation.get("security").is_none() {
            operation["security"] = json!([]);
        }
        describe_parameters(operation);
        describe_headers(operation);
        if limited {
            describe_limits(operation);
        }
        let content = operation.pointer_mut("/requestBody/content/application~1json");
        if let (Some(content), Some(body)) = (content, examples["requests"].get(id))
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
        let content = operation.pointer_mut("/requestBody/content");
        let content = content.and_then(Value::as_object_mut).into_iter().flatten();
        for (media_type, content) in content {
            // Examples of other formats than JSON are by media type.
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

/// Replaces the operation for any measure by one for each, with its title, description and schema.
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

/// What a scope allows, in the security scheme of apps.
fn scope_description(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "Read private data of the account",
        Scope::Play => "Play the account's seats",
        Scope::Organize => "Create games and leagues, and organize them",
        Scope::Account => "Rename or delete the account",
        Scope::Admin => "Everything",
    }
}

/// The beginnings of the paths of operations that refuse apps: see `Call::account_without_app`.
const WITHOUT_APPS: [&str; 10] = [
    "/v1/apps",
    "/v1/me/export",
    "/v1/me/mail-address",
    "/v1/me/notices",
    "/v1/me/passkeys",
    "/v1/me/password",
    "/v1/me/push-subscriptions",
    "/v1/me/recovery-codes",
    "/v1/me/sessions",
    "/v1/webhooks",
];

/// Adds the sign-in of apps and of browsers as other ways to authenticate an operation.
/// Operations for administrators have neither, because no app and no browser has their scope.
fn describe_sign_ins(document: &mut Value) {
    let scopes =
        OWNERS_SCOPES.map(|scope| (scope.name().to_owned(), json!(scope_description(scope))));
    let schemes = &mut document["components"]["securitySchemes"];
    schemes["oauth2"] = json!({"type": "oauth2",
        "description": "The token of an app, which a person has allowed. PKCE with `S256` is required. \
            `/.well-known/oauth-authorization-server` has the metadata, also of the device flow.",
        "flows": {"authorizationCode": {"authorizationUrl": "/oauth/authorize", "tokenUrl": "/oauth/token",
            "refreshUrl": "/oauth/token", "scopes": Map::from_iter(scopes)}}});
    schemes["session"] = json!({"type": "apiKey", "in": "cookie", "name": "__Host-session",
        "description": "The cookie of a browser that is signed in (`POST /v1/sessions`). A request that changes \
            something must come from a page of this server."});
    let items = document["paths"].as_object_mut().into_iter().flatten();
    let operations = items.flat_map(|(path, item)| {
        let for_apps = !WITHOUT_APPS.iter().any(|begin| path.starts_with(begin));
        let operations = item.as_object_mut().into_iter().flat_map(Map::values_mut);
        operations.map(move |operation| (for_apps, operation))
    });
    for (for_apps, operation) in operations {
        let Some(choices) = operation.get_mut("security").and_then(Value::as_array_mut) else {
            continue;
        };
        let of_tokens = choices
            .iter()
            .filter_map(|choice| choice.get("token").cloned());
        let is_admin = |scopes: &Value| {
            scopes
                .as_array()
                .is_some_and(|all| all.contains(&json!("admin")))
        };
        let others: Vec<Value> = of_tokens
            .filter(|scopes| !is_admin(scopes))
            .flat_map(|scopes| {
                let app = for_apps.then(|| json!({"oauth2": scopes}));
                app.into_iter().chain([json!({"session": []})])
            })
            .collect();
        choices.extend(others);
    }
}

/// The headers about limits: name, description, example.
const HEADERS: &[(&str, &str, &str)] = &[
    (
        "RateLimit",
        "For each rate that applies to the request, how many more requests may come immediately (`r`) and in \
         how many seconds the quota is full again (`t`): a list of structured fields as in \
         draft-ietf-httpapi-ratelimit-headers-10; absent if the operator sets no rates",
        "\"reads\";r=599;t=1",
    ),
    (
        "RateLimit-Policy",
        "The rates that apply to the request: the quota (`q`) in a window of seconds (`w`); \
         `/v1/limits` lists all rates",
        "\"reads\";q=600;w=10",
    ),
    (
        "Retry-After",
        "The number of seconds to wait before a retry",
        "2",
    ),
];

fn header((name, description, example): &(&str, &str, &str)) -> (String, Value) {
    let header = json!({"schema": {"type": "string"}, "description": description,
        "example": example});
    ((*name).to_owned(), header)
}

/// Refers all answers to the headers about limits.
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

/// Describes the headers that many answers share.
fn describe_headers(operation: &mut Value) {
    let responses = &mut operation["responses"];
    let (is_cached, is_conditional) = ["304", "412"]
        .map(|one| responses.get(one).is_some())
        .into();
    for (status, response) in responses.as_object_mut().into_iter().flatten() {
        // Lists, such as those of standing orders, have no version.
        let is_resource = response
            .pointer("/content/application~1json/schema/$ref")
            .is_some();
        let (name, description) = match status.as_str() {
            "200" if is_cached => ("ETag", "The version of the content, for `If-None-Match`"),
            "200" | "201" if is_conditional && is_resource => (
                "ETag",
                "The number of the last event of the game or league, for `If-Match`",
            ),
            "401" => (
                "WWW-Authenticate",
                "`Bearer error=\"invalid_token\"` if the request had a bearer token, else a `Bearer` challenge without error",
            ),
            _ => continue,
        };
        if response.pointer(&format!("/headers/{name}")).is_none() {
            response["headers"][name] =
                json!({"schema": {"type": "string"}, "description": description});
        }
    }
}

fn describe_parameters(operation: &mut Value) {
    let obeyed = CONDITIONS
        .iter()
        .filter(|(_, place)| operation["responses"].pointer(place).is_some());
    let conditions: Vec<Value> = obeyed
        .map(|(name, _)| json!({"name": name, "in": "header", "required": false, "schema": {"type": "string"}}))
        .collect();
    if !operation["parameters"].is_array() {
        operation["parameters"] = json!([]);
    }
    let Some(parameters) = operation["parameters"].as_array_mut() else {
        return;
    };
    parameters.extend(conditions);
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

/// Corrects schemas where Rust's types are not exact.
/// These are names of members, formats of numbers and binary media types.
fn mend_schemas(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if let Some(names) = fields.get_mut("propertyNames")
                && names["type"] == "integer"
            {
                *names = json!({"type": "string", "pattern": "^[0-9]+$"});
            }
            // As the OpenAPI registry of formats spells them.
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
