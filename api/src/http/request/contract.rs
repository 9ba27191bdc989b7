//! The schemas of the specification, which validate queries and bodies.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::{HttpMessage, HttpRequest, web};
use jsonschema::{Draft, Registry, Validator};
use serde_json::{Map, Number, Value, json};

use crate::http::problem::{Code, FieldError, Problem, member};
use crate::http::request::faults::{Fault, faults};

/// The URI of the specification in the schema registry.
const DOCUMENT: &str = "urn:tabularium:openapi";

/// A schema of the specification cannot be compiled.
#[derive(Debug, thiserror::Error)]
#[error("the schema {pointer} of the specification cannot be used: {message}")]
pub struct SchemaError {
    pointer: String,
    message: String,
}

/// The operations of a specification.
#[derive(Debug)]
pub struct Contract {
    /// By the template of the path.
    paths: HashMap<String, Vec<(Method, OperationContract)>>,
}

/// The template of the requested path, such as `/v1/games/{game}`; `None` if no route matches.
///
/// Stored once per request, because finding it searches all routes.
#[derive(Clone, Debug, Default)]
pub struct Template(Option<Arc<str>>);

impl Template {
    /// Finds the template of a request and stores it.
    pub fn find(request: &ServiceRequest) -> Template {
        // The specification has no pattern for a path parameter that contains slashes.
        let path = request.match_pattern();
        let template = Template(path.map(|path| path.replace(":.*}", "}").into()));
        request.extensions_mut().insert(template.clone());
        template
    }

    /// Returns the stored template of a request.
    pub fn of(request: &impl HttpMessage) -> Template {
        request.extensions().get().cloned().unwrap_or_default()
    }

    /// The template as text.
    pub fn path(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// The template in logs and metrics.
    pub fn name(&self) -> Arc<str> {
        self.0.clone().unwrap_or_else(|| "none".into())
    }
}

/// An operation of the specification.
#[derive(Debug)]
pub struct OperationContract {
    /// The type of each query parameter.
    query: HashMap<String, String>,
    /// Validates all query parameters as one object.
    query_schema: Validator,
    /// The validator of its JSON body, and whether a body is required.
    body: Option<(Validator, bool)>,
    /// The request headers in `Vary`, besides the encoding.
    varies: Vec<&'static str>,
}

impl Contract {
    /// Reads a specification, as `openapi.json` contains it.
    ///
    /// # Errors
    /// When a schema cannot be compiled.
    pub fn from_document(document: &Value) -> Result<Contract, SchemaError> {
        let schemas = Schemas::new(document)?;
        let mut paths = HashMap::new();
        for (path, item) in document["paths"].as_object().into_iter().flatten() {
            let pointer = member("/paths", path);
            let mut operations = Vec::new();
            for (name, operation) in item.as_object().into_iter().flatten() {
                if let Ok(method) = name.to_uppercase().parse() {
                    let pointer = member(&pointer, name);
                    operations.push((
                        method,
                        OperationContract::new(operation, &pointer, &schemas)?,
                    ));
                }
            }
            paths.insert(path.clone(), operations);
        }
        Ok(Contract { paths })
    }

    fn at(&self, path: Option<&str>) -> &[(Method, OperationContract)] {
        let operations = path.and_then(|path| self.paths.get(path));
        operations.map_or(&[], Vec::as_slice)
    }

    /// Returns the operation of a path's template; HEAD is treated as GET.
    pub fn find(&self, method: &Method, path: Option<&str>) -> Option<&OperationContract> {
        let method = if method == Method::HEAD {
            &Method::GET
        } else {
            method
        };
        let mut operations = self.at(path).iter();
        operations.find_map(|(own, operation)| (own == method).then_some(operation))
    }

    /// Returns the methods of a path's template, for `Allow`; `None` if there is no such path.
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

    /// Returns the requested operation, if the application has a contract.
    pub fn operation(request: &HttpRequest) -> Option<&OperationContract> {
        let contract = request.app_data::<web::Data<Contract>>()?;
        contract.find(request.method(), Template::of(request).path())
    }
}

/// The schemas of a specification.
struct Schemas<'a> {
    document: &'a Value,
    registry: Registry<'a>,
}

impl<'a> Schemas<'a> {
    fn new(document: &'a Value) -> Result<Schemas<'a>, SchemaError> {
        let unusable = |error: jsonschema::ReferencingError| SchemaError {
            pointer: String::new(),
            message: error.to_string(),
        };
        let registry = Registry::new()
            .draft(Draft::Draft202012)
            .add(DOCUMENT, document);
        let registry = registry.and_then(|registry| registry.prepare());
        Ok(Schemas {
            document,
            registry: registry.map_err(unusable)?,
        })
    }

    /// Compiles the schema of an operation, with references to the document.
    fn compiled(&self, pointer: &str, schema: &Value) -> Result<Validator, SchemaError> {
        let options = jsonschema::options().with_draft(Draft::Draft202012);
        let compiled = options.with_registry(&self.registry).build(schema);
        compiled.map_err(|error| SchemaError {
            pointer: pointer.to_owned(),
            message: error.to_string(),
        })
    }

    /// Returns the type of a schema or of the schema that it references.
    fn kind(&self, schema: &Value) -> String {
        let named = schema["$ref"]
            .as_str()
            .and_then(|name| name.strip_prefix('#'));
        let named = named.and_then(|pointer| self.document.pointer(pointer));
        let kind = named.unwrap_or(schema)["type"].as_str();
        kind.unwrap_or_default().to_owned()
    }
}

/// Returns a reference to a place in the specification.
fn reference(pointer: &str) -> Value {
    // A reference is a URI, whose fragment must not contain braces.
    let pointer = pointer.replace('{', "%7B").replace('}', "%7D");
    json!({"$ref": format!("{DOCUMENT}#{pointer}")})
}

impl OperationContract {
    fn new(
        operation: &Value,
        pointer: &str,
        schemas: &Schemas<'_>,
    ) -> Result<OperationContract, SchemaError> {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let parameters = parameters.zip(0..).filter(|(one, _)| one["in"] == "query");
        let (mut query, mut properties, mut required) = (HashMap::new(), Map::new(), Vec::new());
        for (parameter, index) in parameters {
            let name = parameter["name"].as_str().unwrap_or_default();
            let schema = format!("{pointer}/parameters/{index}/schema");
            query.insert(name.to_owned(), schemas.kind(&parameter["schema"]));
            properties.insert(name.to_owned(), reference(&schema));
            if parameter["required"] == true {
                required.push(name);
            }
        }
        let all = json!({"properties": properties, "required": required});
        let body = operation.get("requestBody");
        let schema = body.and_then(|body| body.pointer("/content/application~1json/schema"));
        let body = match (body, schema) {
            (Some(body), Some(_)) => {
                let schema = format!("{pointer}/requestBody/content/application~1json/schema");
                let compiled = schemas.compiled(&schema, &reference(&schema))?;
                Some((compiled, body["required"] == true))
            }
            _ => None,
        };
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
        Ok(OperationContract {
            query,
            query_schema: schemas.compiled(pointer, &all)?,
            body,
            varies,
        })
    }

    /// The request headers in `Vary`, besides the encoding.
    pub fn varies(&self) -> &[&'static str] {
        &self.varies
    }

    /// Whether the request must have a body.
    pub fn body_is_needed(&self) -> bool {
        self.body.as_ref().is_some_and(|(_, needed)| *needed)
    }

    /// Validates a query.
    ///
    /// # Errors
    /// 422 with all errors: unknown and repeated parameters, and invalid values.
    pub fn check_query(&self, query: &str) -> Result<(), Problem> {
        let (mut values, mut found) = (Map::new(), Vec::new());
        for (name, text) in form_urlencoded::parse(query.as_bytes()) {
            if values.contains_key(&*name) {
                found.push(Fault {
                    pointer: member("", &name),
                    detail: format!("`{name}` is given twice: give it once"),
                });
            }
            match self.query.get(&*name) {
                Some(kind) => {
                    values.insert(name.into_owned(), parameter(kind, text));
                }
                None => found.push(Fault {
                    pointer: member("", &name),
                    detail: self.unknown(&name),
                }),
            }
        }
        let mut values = Value::Object(values);
        normalize(&mut values, "", &mut found);
        found.extend(faults(self.query_schema.iter_errors(&values)));
        let errors = found.into_iter().map(|fault| FieldError {
            pointer: None,
            ..FieldError::at(fault.pointer, fault.detail)
        });
        Problem::if_any(Code::InvalidParameter, errors.collect())
    }

    fn unknown(&self, name: &str) -> String {
        let mut known: Vec<&str> = self.query.keys().map(String::as_str).collect();
        known.sort_unstable();
        match known.as_slice() {
            [] => format!("`{name}` is not a parameter: this operation has none"),
            known => format!(
                "`{name}` is not a parameter of this operation; its parameters are {}",
                known.join(", ")
            ),
        }
    }

    /// Validates a body. Replaces integers written as `1.0` by `1`, because Rust's types expect that form.
    ///
    /// # Errors
    /// 422 with all errors.
    pub fn check_body(&self, value: &mut Value) -> Result<(), Problem> {
        let mut found = Vec::new();
        normalize(value, "", &mut found);
        if let Some((schema, _)) = self
            .body
            .as_ref()
            .filter(|(schema, _)| !schema.is_valid(value))
        {
            found.extend(faults(schema.iter_errors(value)));
        }
        let errors = found.into_iter();
        let errors = errors.map(|fault| FieldError::at(fault.pointer, fault.detail));
        Problem::if_any(Code::InvalidBody, errors.collect())
    }
}

/// The value of a query parameter: of the type in its schema if the text has that form, else a string.
fn parameter(kind: &str, text: Cow<'_, str>) -> Value {
    let read: Option<Value> = match kind {
        "integer" | "number" | "boolean" => serde_json::from_str(&text).ok(),
        _ => None,
    };
    read.unwrap_or_else(|| text.into_owned().into())
}

/// The largest integer up to which floating-point numbers are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The integer value of a number that JSON writes as `1.0`.
fn whole(number: &Number) -> Option<i64> {
    let value = number.as_f64().filter(|_| number.is_f64())?;
    (value.fract() == 0.0 && value.abs() <= EXACT).then_some(value as i64)
}

/// Converts numbers to integers, and reports numbers that are too large and texts with U+0000.
fn normalize(value: &mut Value, pointer: &str, found: &mut Vec<Fault>) {
    match value {
        Value::Number(number) => {
            if let Some(integer) = whole(number) {
                *number = integer.into();
            } else if number.is_f64() && number.as_f64().is_some_and(|value| value.abs() > EXACT) {
                found.push(Fault {
                    pointer: pointer.to_owned(),
                    detail: format!(
                        "the number {number} is too large: at most 9007199254740992 is allowed"
                    ),
                });
            }
        }
        Value::String(text) if text.contains('\0') => found.push(Fault {
            pointer: pointer.to_owned(),
            detail: "a text must not contain the character U+0000".to_owned(),
        }),
        Value::Array(values) => {
            for (index, value) in values.iter_mut().enumerate() {
                normalize(value, &format!("{pointer}/{index}"), found);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                normalize(value, &member(pointer, name), found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(problem: Result<(), Problem>) -> Vec<String> {
        let errors = problem.err().map(|problem| problem.errors);
        let errors = errors.into_iter().flatten();
        errors.map(|error| error.field).collect()
    }

    #[test]
    fn requests_are_validated_by_the_schemas_of_their_operation() {
        let document = json!({"paths": {"/v1/x/{id}": {"post": {
            "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1}},
                {"name": "word", "in": "query", "schema": {"$ref": "#/components/schemas/Word"}},
                {"name": "id", "in": "path", "schema": {"type": "string"}}],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {
                "type": "array", "items": {"$ref": "#/components/schemas/Price"}}}}}}}},
            "components": {"schemas": {"Word": {"type": "string", "enum": ["a", "1"]},
                "Price": {"type": "object", "properties": {"gold": {"type": "integer"}}}}}});
        let contract = Contract::from_document(&document).unwrap();
        let operation = contract.find(&Method::POST, Some("/v1/x/{id}")).unwrap();
        let query = |text: &str| fields(operation.check_query(text));
        assert_eq!(query("limit=1&word=1"), [] as [&str; 0]);
        assert_eq!(query("limit=x&word=b&id=1&=2"), ["id", "", "limit", "word"]);
        assert_eq!(query("limit=1&limit=1"), ["limit"]);
        assert_eq!(query("word=%00"), ["word", "word"]);
        let mut body = json!([{"gold": 1.0}, {"gold": 1.5}, 7, {"gold": "\0"}]);
        let found = fields(operation.check_body(&mut body));
        assert_eq!(found, ["[3].gold", "[1].gold", "[2]", "[3].gold"]);
        assert_eq!(body[0], json!({"gold": 1}));
        assert_eq!(
            fields(operation.check_body(&mut json!([]))),
            [] as [&str; 0]
        );
    }
}
