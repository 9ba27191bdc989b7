//! What the specification says of requests, which they are held to: the names in their queries, and
//! what kind of value stands where in their bodies. Readers of Rust's types are laxer: they take an
//! array for an object, its members by place.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::http::Method;
use actix_web::{HttpMessage, HttpRequest, web};
use serde_json::{Map, Number, Value};

use crate::problem::Problem;

/// The operations of a specification.
#[derive(Debug)]
pub struct Contract {
    /// By path, as templates that name parameters.
    paths: HashMap<String, Vec<(Method, Operation)>>,
}

/// The template of the path that is asked for, such as `/v1/games/{id}`; `None` when no route has it. What
/// every request passes notes it once, for it is found by looking through all routes.
#[derive(Clone, Debug)]
pub struct Template(pub Option<String>);

/// An operation of the specification.
#[derive(Debug)]
pub struct Operation {
    query: Vec<String>,
    /// The schema of its JSON body, and whether that must be there.
    body: Option<(Value, bool)>,
    schemas: Arc<Map<String, Value>>,
    /// The request headers that decide which answer is given, beside the encoding.
    varies: Vec<&'static str>,
}

/// A value that does not fit: where it stands and what is wrong with it.
struct Misfit {
    field: String,
    detail: String,
}

impl Contract {
    /// What a whole specification says, as `openapi.json` holds it.
    pub fn of(document: &Value) -> Contract {
        let schemas = document.pointer("/components/schemas");
        let schemas = schemas.and_then(Value::as_object).cloned();
        let schemas = Arc::new(schemas.unwrap_or_default());
        let items = document["paths"].as_object().into_iter().flatten();
        let paths = items.map(|(path, item)| {
            let operations = item.as_object().into_iter().flatten();
            let operations = operations.filter_map(|(method, operation)| {
                let method = method.to_uppercase().parse().ok()?;
                Some((method, Operation::of(operation, schemas.clone())))
            });
            (path.clone(), operations.collect())
        });
        Contract {
            paths: paths.collect(),
        }
    }

    fn at(&self, path: Option<&str>) -> &[(Method, Operation)] {
        let operations = path.and_then(|path| self.paths.get(path));
        operations.map_or(&[], Vec::as_slice)
    }

    /// The operation of a path's template, if there is one; HEAD is as GET.
    pub fn find(&self, method: &Method, path: Option<&str>) -> Option<&Operation> {
        let method = if method == Method::HEAD {
            &Method::GET
        } else {
            method
        };
        let mut operations = self.at(path).iter();
        operations.find_map(|(own, operation)| (own == method).then_some(operation))
    }

    /// The methods of a path's template, for `Allow`; `None` when there is no such path.
    pub fn allowed(&self, path: Option<&str>) -> Option<String> {
        let operations = self.at(path);
        let all = [
            Method::GET,
            Method::HEAD,
            Method::POST,
            Method::PUT,
            Method::PATCH,
            Method::DELETE,
        ];
        let has = |method: &Method| {
            let own = if method == Method::HEAD {
                &Method::GET
            } else {
                method
            };
            operations.iter().any(|(other, _)| other == own)
        };
        let methods = all.iter().filter(|method| has(method));
        let names: Vec<&str> = methods.map(Method::as_str).collect();
        (!names.is_empty()).then(|| [&names[..], &["OPTIONS"]].concat().join(", "))
    }

    /// The operation that is asked for, where the application has a contract.
    pub fn operation(request: &HttpRequest) -> Option<&Operation> {
        let contract = request.app_data::<web::Data<Contract>>()?;
        let extensions = request.extensions();
        let Template(path) = extensions.get()?;
        contract.find(request.method(), path.as_deref())
    }
}

impl Operation {
    fn of(operation: &Value, schemas: Arc<Map<String, Value>>) -> Operation {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let query = parameters.filter(|parameter| parameter["in"] == "query");
        let name = |parameter: &Value| parameter["name"].as_str().map(str::to_owned);
        let body = operation.get("requestBody").map(|body| {
            let schema = body.pointer("/content/application~1json/schema");
            (
                schema.cloned().unwrap_or_default(),
                body["required"] == true,
            )
        });
        let forms = operation.pointer("/responses/200/content");
        let negotiated = forms
            .and_then(Value::as_object)
            .is_some_and(|forms| forms.len() > 1);
        let mut varies = Vec::new();
        if negotiated {
            varies.push("Accept");
        }
        let security = operation["security"].as_array();
        if security.is_some_and(|security| !security.is_empty()) {
            varies.push("Authorization");
        }
        Operation {
            query: query.filter_map(name).collect(),
            body,
            schemas,
            varies,
        }
    }

    /// The request headers that decide which answer is given, beside the encoding: for `Vary`.
    pub fn varies(&self) -> &[&'static str] {
        &self.varies
    }

    /// Whether a request without a body is none.
    pub fn body_is_needed(&self) -> bool {
        self.body.as_ref().is_some_and(|(_, needed)| *needed)
    }

    /// Looks at the names in a query.
    ///
    /// # Errors
    /// 422 when a parameter is unknown, is given twice, or has the character U+0000.
    pub fn check_query(&self, query: &str) -> Result<(), Problem> {
        let mut seen = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let detail = if !self.query.iter().any(|known| *known == name) {
                match self.query.is_empty() {
                    true => "there are no parameters here".to_owned(),
                    false => format!("unknown parameter; there are {}", self.query.join(", ")),
                }
            } else if seen.contains(&name) {
                "the parameter is given twice".to_owned()
            } else if value.contains('\0') {
                NUL.to_owned()
            } else {
                seen.push(name);
                continue;
            };
            return Err(Problem::invalid(name, detail));
        }
        Ok(())
    }

    /// Looks at the kinds of values in a body.
    ///
    /// # Errors
    /// 422 when one is of another kind than the specification says.
    pub fn check_body(&self, value: &Value) -> Result<(), Problem> {
        let Some((schema, _)) = &self.body else {
            return Ok(());
        };
        match self.misfit(schema, value, "") {
            None => Ok(()),
            Some(Misfit { field, detail }) => Err(Problem::invalid(field, detail)),
        }
    }

    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let name = schema["$ref"]
            .as_str()
            .and_then(|reference| reference.rsplit('/').next());
        let named = name.and_then(|name| self.schemas.get(name));
        named.map_or(schema, |named| self.resolved(named))
    }

    fn misfit(&self, schema: &Value, value: &Value, path: &str) -> Option<Misfit> {
        let schema = self.resolved(schema);
        let here = |detail: String| {
            let field = path.to_owned();
            Some(Misfit { field, detail })
        };
        if !self.is_of_kind(schema, value) {
            return here(format!(
                "{} is needed, not {}",
                self.wanted(schema),
                given(value)
            ));
        }
        let mut parts = items(schema, "allOf");
        if let Some(misfit) = parts.find_map(|part| self.misfit(part, value, path)) {
            return Some(misfit);
        }
        let fitting = alternatives(schema).filter(|other| self.fits(other, value));
        let mut misfits = fitting.map(|other| self.misfit(other, value, path));
        // One that takes it is enough.
        if let Some(first) = misfits.next().flatten()
            && misfits.all(|misfit| misfit.is_some())
        {
            return Some(first);
        }
        match value {
            Value::String(text) if text.contains('\0') => here(NUL.to_owned()),
            Value::Array(values) => values.iter().zip(0..).find_map(|(value, index)| {
                self.misfit(&schema["items"], value, &format!("{path}[{index}]"))
            }),
            Value::Object(fields) => fields.iter().find_map(|(name, value)| {
                let own = schema["properties"].get(name);
                let schema = own.unwrap_or(&schema["additionalProperties"]);
                let path = match path {
                    "" => name.clone(),
                    path => format!("{path}.{name}"),
                };
                self.misfit(schema, value, &path)
            }),
            _ => None,
        }
    }

    /// Whether a value is of a kind that a schema takes, whatever it holds.
    fn is_of_kind(&self, schema: &Value, value: &Value) -> bool {
        let schema = self.resolved(schema);
        let mut kinds = kinds(schema).peekable();
        let own = kinds.peek().is_none() || kinds.any(|kind| is_of(kind, value));
        let mut others = alternatives(schema).peekable();
        let any = others.peek().is_none() || others.any(|other| self.is_of_kind(other, value));
        own && any && items(schema, "allOf").all(|part| self.is_of_kind(part, value))
    }

    /// Whether a value is what an alternative is for: it has the members that must be there, and
    /// those that tell alternatives apart say so.
    fn fits(&self, schema: &Value, value: &Value) -> bool {
        let schema = self.resolved(schema);
        let mut required = items(schema, "required").filter_map(Value::as_str);
        let tagged = |(name, member): (&String, &Value)| {
            let told = value.get(name);
            told.is_none_or(|told| {
                let word = member.get("const").is_none_or(|word| word == told);
                let words = member["enum"].as_array();
                word && words.is_none_or(|words| words.contains(told))
            })
        };
        let mut others = alternatives(schema).peekable();
        self.is_of_kind(schema, value)
            && required.all(|name| value.get(name).is_some())
            && schema["properties"]
                .as_object()
                .into_iter()
                .flatten()
                .all(tagged)
            && (others.peek().is_none() || others.any(|other| self.fits(other, value)))
            && items(schema, "allOf").all(|part| self.fits(part, value))
    }

    /// What a schema takes, in words.
    fn wanted(&self, schema: &Value) -> String {
        let schema = self.resolved(schema);
        let mut words: Vec<String> = kinds(schema)
            .filter(|kind| *kind != "null")
            .map(in_words)
            .collect();
        let others = alternatives(schema).chain(items(schema, "allOf"));
        words.extend(
            others
                .map(|other| self.wanted(other))
                .filter(|other| !other.is_empty()),
        );
        words.sort();
        words.dedup();
        words.join(" or ")
    }
}

/// What is wrong with a text that no database holds.
const NUL: &str = "a text cannot have the character U+0000";

fn items<'a>(schema: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    schema[name].as_array().into_iter().flatten()
}

fn alternatives(schema: &Value) -> impl Iterator<Item = &Value> {
    items(schema, "oneOf").chain(items(schema, "anyOf"))
}

/// The kinds that a schema names itself; none when it takes any.
fn kinds(schema: &Value) -> impl Iterator<Item = &str> {
    let one = schema["type"].as_str();
    one.into_iter()
        .chain(items(schema, "type").filter_map(Value::as_str))
}

fn is_of(kind: &str, value: &Value) -> bool {
    match value {
        Value::Null => kind == "null",
        Value::Bool(_) => kind == "boolean",
        Value::Number(number) => kind == "number" || kind == "integer" && is_whole(number),
        Value::String(_) => kind == "string",
        Value::Array(_) => kind == "array",
        Value::Object(_) => kind == "object",
    }
}

/// Whether a number is an integer as JSON Schema has it (2020-12, section 6.1.1): `3.0` and `3e0` are 3.
fn is_whole(number: &Number) -> bool {
    !number.is_f64() || whole(number).is_some()
}

/// The integer that a number with a point or an exponent is, as far as doubles tell integers apart.
fn whole(number: &Number) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let value = number.as_f64().filter(|_| number.is_f64())?;
    (value.fract() == 0.0 && value.abs() <= EXACT).then_some(value as i64)
}

/// Writes integers as integers, which is how Rust's types read them; whether any was written otherwise.
pub fn whole_numbers(value: &mut Value) -> bool {
    match value {
        Value::Number(number) => match whole(number) {
            Some(integer) => {
                *number = integer.into();
                true
            }
            None => false,
        },
        // Each of them, so without a shortcut.
        Value::Array(values) => values
            .iter_mut()
            .fold(false, |any, value| whole_numbers(value) | any),
        Value::Object(fields) => {
            (fields.values_mut()).fold(false, |any, value| whole_numbers(value) | any)
        }
        _ => false,
    }
}

fn in_words(kind: &str) -> String {
    let words = match kind {
        "boolean" => "`true` or `false`",
        "integer" => "a whole number",
        "number" => "a number",
        "array" => "an array",
        "object" => "an object",
        _ => "a string",
    };
    words.to_owned()
}

fn given(value: &Value) -> String {
    match value {
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(_) => "a string".to_owned(),
        other => format!("`{other}`"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn operation(schema: Value) -> Operation {
        let schemas =
            json!({"Price": {"type": "object", "properties": {"gold": {"type": "integer"}}}});
        let operation = json!({"requestBody": {"required": true,
            "content": {"application/json": {"schema": schema}}},
            "parameters": [{"name": "limit", "in": "query"}, {"name": "id", "in": "path"}]});
        Operation::of(&operation, Arc::new(schemas.as_object().unwrap().clone()))
    }

    #[test]
    fn values_are_held_to_their_kinds() {
        let price = json!({"oneOf": [{"$ref": "#/components/schemas/Price"}, {"type": "null"}]});
        let tagged = |word: &str| {
            json!({"type": "object", "required": ["type"],
            "properties": {"type": {"const": word}}})
        };
        let mut build = tagged("build");
        build["properties"]["pay"] = price;
        let actions = json!({"oneOf": [
            {"oneOf": [build, tagged("pass")]},
            {"type": "object", "required": ["actions"], "properties": {
                "actions": {"type": "array", "items": build}}}]});
        let operation = operation(actions);
        let fault = |value: Value| {
            operation
                .check_body(&value)
                .map_err(|p| (p.field.unwrap_or_default(), p.detail))
        };
        let misfit = |field: &str, detail: &str| Err((field.to_owned(), detail.to_owned()));
        assert_eq!(fault(json!({"type": "build", "pay": {"gold": 1}})), Ok(()));
        assert_eq!(fault(json!({"type": "build", "pay": null})), Ok(()));
        // What has no place in the specification is the reader's to refuse.
        assert_eq!(fault(json!({"type": "dance", "pay": [1]})), Ok(()));
        assert_eq!(
            fault(json!(["build"])),
            misfit("", "an object is needed, not an array")
        );
        assert_eq!(
            fault(json!({"type": "build", "pay": [1]})),
            misfit("pay", "an object is needed, not an array")
        );
        assert_eq!(
            fault(json!({"actions": [{"type": "build", "pay": {"gold": 1.5}}]})),
            misfit("actions[0].pay.gold", "a whole number is needed, not `1.5`")
        );
    }

    #[test]
    fn queries_are_held_to_their_names() {
        let operation = operation(json!({}));
        assert!(operation.check_query("").is_ok());
        assert!(operation.check_query("limit=1").is_ok());
        for query in ["id=1", "limit=1&limit=1", "limit=%00", "x", "&&=1"] {
            assert!(operation.check_query(query).is_err(), "{query}");
        }
    }
}
