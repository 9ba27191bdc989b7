//! Describes why a value does not match its schema, in words for people who write clients.
//!
//! Each error of the validator becomes one fault. For a choice of schemas, the faults are those of the alternative that
//! the value comes closest to.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use crate::http::problem::member;

/// The longest string that a message repeats, in bytes.
const REPEATED: usize = 60;

/// One error in a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The place, as a JSON Pointer (RFC 6901).
    pub pointer: String,
    /// What is wrong, and what is expected.
    pub detail: String,
}

/// Converts the errors of the validator into faults.
pub fn faults<'a>(errors: impl IntoIterator<Item = ValidationError<'a>>) -> Vec<Fault> {
    errors
        .into_iter()
        .flat_map(|error| from_error(&error))
        .collect()
}

fn from_error(error: &ValidationError<'_>) -> Vec<Fault> {
    let at = error.instance_path().as_str();
    let fault = |pointer: String, detail: String| Fault { pointer, detail };
    let missing = |name: &str| fault(member(at, name), format!("`{name}` is missing"));
    let unknown = |name: &String| fault(member(at, name), format!("`{name}` is not a member here"));
    match error.kind() {
        Kind::Required { property } => vec![missing(property.as_str().unwrap_or_default())],
        Kind::AdditionalProperties { unexpected } => unexpected.iter().map(unknown).collect(),
        Kind::OneOfNotValid { context } | Kind::AnyOf { context } => {
            closest_alternative(at, error.instance(), context)
        }
        kind => {
            let detail = match expected(kind) {
                Some(expected) => unexpected(&expected, error.instance()),
                None => broken_limit(kind, error.instance()),
            };
            vec![fault(at.to_owned(), detail)]
        }
    }
}

/// Describes a value of the right type that a limit of its schema excludes.
fn broken_limit(kind: &Kind, value: &Value) -> String {
    match kind {
        Kind::Maximum { limit } => format!("{value} is too large: use at most {limit}"),
        Kind::Minimum { limit } => format!("{value} is too small: use at least {limit}"),
        Kind::ExclusiveMaximum { limit } => {
            format!("{value} is too large: use less than {limit}")
        }
        Kind::ExclusiveMinimum { limit } => {
            format!("{value} is too small: use more than {limit}")
        }
        Kind::MultipleOf { .. } => format!("{value} is not a multiple of the allowed step"),
        Kind::MaxLength { limit } => {
            format!("the text is too long: use at most {limit} characters")
        }
        Kind::MinLength { limit } => {
            format!("the text is too short: use at least {limit} characters")
        }
        Kind::MaxItems { limit } => format!("the list is too long: send at most {limit} items"),
        Kind::MinItems { limit } => format!("the list is too short: send at least {limit} items"),
        Kind::MaxProperties { limit } => {
            format!("the object has too many members: send at most {limit}")
        }
        Kind::MinProperties { limit } => {
            format!("the object has too few members: send at least {limit}")
        }
        Kind::UniqueItems => "an item is listed twice: list each item once".to_owned(),
        Kind::Pattern { pattern } => {
            let value = unexpected_value(value);
            format!("{value} does not match the pattern `{pattern}`")
        }
        Kind::Format { format } => {
            let value = unexpected_value(value);
            format!("{value} does not have the format `{format}`")
        }
        _ => format!("{} is not allowed here", unexpected_value(value)),
    }
}

/// The expected types or values, if the type or value is wrong.
fn expected(kind: &Kind) -> Option<Vec<String>> {
    Some(match kind {
        Kind::Type {
            kind: TypeKind::Single(kind),
        } => vec![type_name(*kind)],
        Kind::Type {
            kind: TypeKind::Multiple(kinds),
        } => kinds.iter().map(type_name).collect(),
        Kind::Constant { expected_value } => vec![expected_value.to_string()],
        Kind::Enum { options } => (options.as_array().into_iter().flatten())
            .map(Value::to_string)
            .collect(),
        _ => return None,
    })
}

fn type_name(kind: JsonType) -> String {
    let name = match kind {
        JsonType::Array => "an array",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "an integer",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    };
    name.to_owned()
}

fn unexpected(expected: &[String], value: &Value) -> String {
    let value = unexpected_value(value);
    format!("expected {}, not {value}", expected.join(" or "))
}

fn unexpected_value(value: &Value) -> String {
    match value {
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(_) if !is_short(value) => "a long string".to_owned(),
        value => value.to_string(),
    }
}

fn is_short(value: &Value) -> bool {
    match value {
        Value::Array(_) | Value::Object(_) => false,
        Value::String(text) => text.len() <= REPEATED,
        _ => true,
    }
}

/// Returns the faults of the alternative that the value comes closest to.
fn closest_alternative(
    at: &str,
    value: &Value,
    alternatives: &[Vec<ValidationError<'_>>],
) -> Vec<Fault> {
    let here = |detail: String| {
        vec![Fault {
            pointer: at.to_owned(),
            detail,
        }]
    };
    // Keep the alternatives that accept a value of this type.
    let is_refused = |errors: &Vec<ValidationError<'_>>| {
        let mut errors = errors.iter();
        errors.any(|error| error.instance_path().as_str() == at && expected(error.kind()).is_some())
    };
    let fitting: Vec<&Vec<_>> = alternatives.iter().filter(|one| !is_refused(one)).collect();
    if fitting.is_empty() {
        let errors = alternatives.iter().flatten();
        let mut words: Vec<String> = errors
            .filter_map(|error| expected(error.kind()))
            .flatten()
            .collect();
        words.sort();
        words.dedup();
        return here(unexpected(&words, value));
    }
    // The member that distinguishes the alternatives, and its values.
    let tag = |errors: &&Vec<ValidationError<'_>>| {
        errors.iter().find_map(|error| {
            let path = error.instance_path().as_str();
            let name = path.strip_prefix(at)?.strip_prefix('/')?;
            let word = expected(error.kind())?;
            let is_tag = matches!(error.kind(), Kind::Constant { .. }) && !name.contains('/');
            is_tag.then(|| (path.to_owned(), error.instance().clone().into_owned(), word))
        })
    };
    let tags: Vec<_> = fitting.iter().filter_map(tag).collect();
    let knows_tag = |errors: &&&Vec<ValidationError<'_>>| {
        tags.first().is_none_or(|(pointer, ..)| {
            let refuses = |fault: Fault| fault.pointer == *pointer;
            !errors.iter().flat_map(from_error).any(refuses)
        })
    };
    let tagged: Vec<&&Vec<_>> = fitting.iter().filter(knows_tag).collect();
    if let (Some((pointer, word, _)), []) = (tags.first(), tagged.as_slice()) {
        let words: Vec<String> = tags.iter().flat_map(|(.., word)| word.clone()).collect();
        return vec![Fault {
            pointer: pointer.clone(),
            detail: unexpected(&words, word),
        }];
    }
    // Counts the missing and unknown members.
    let misfits = |errors: &&&Vec<ValidationError<'_>>| {
        let own = errors
            .iter()
            .filter(|error| error.instance_path().as_str() == at);
        own.flat_map(from_error).count()
    };
    let least = tagged.iter().map(misfits).min().unwrap_or_default();
    let closest: Vec<_> = tagged.iter().filter(|one| misfits(one) == least).collect();
    let missing = |errors: &&&&Vec<ValidationError<'_>>| {
        errors.iter().find_map(|error| match error.kind() {
            Kind::Required { property } => Some(property.to_string()),
            _ => None,
        })
    };
    let members: Vec<String> = closest.iter().filter_map(missing).collect();
    match closest.as_slice() {
        // Several alternatives are equally close.
        [_, _, ..] if !members.is_empty() => here(format!(
            "one of the members {} is required",
            members.join(", ")
        )),
        _ => (closest.into_iter().min_by_key(|errors| errors.len()))
            .map(|errors| errors.iter().flat_map(from_error).collect())
            .unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fault_texts(value: Value) -> Vec<(String, String)> {
        let build = json!({"type": "object", "additionalProperties": false, "required": ["type", "region"],
            "properties": {"type": {"const": "build"}, "region": {"type": "string"}}});
        let pass = json!({"type": "object", "additionalProperties": false, "required": ["type"],
            "properties": {"type": {"const": "pass"}}});
        let list = json!({"type": "object", "additionalProperties": false, "required": ["actions"],
            "properties": {"actions": {"type": "array", "items": {"oneOf": [build, pass]}}}});
        let player = json!({"oneOf": [{"const": "open"},
            {"type": "object", "required": ["bot"], "additionalProperties": false,
                "properties": {"bot": {"type": "string"}}},
            {"type": "object", "required": ["id"], "additionalProperties": false,
                "properties": {"id": {"type": "string"}}}]});
        let schema = json!({"type": "object", "additionalProperties": false, "required": ["act"],
            "properties": {"act": {"oneOf": [build, pass, list]}, "player": player,
                "count": {"type": ["integer", "null"], "maximum": 9}, "unit": {"enum": ["legion", "galley"]}}});
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let found = faults(validator.iter_errors(&value)).into_iter();
        found.map(|fault| (fault.pointer, fault.detail)).collect()
    }

    #[test]
    fn faults_name_the_place_and_the_expected_value() {
        let fault = |pointer: &str, detail: &str| vec![(pointer.to_owned(), detail.to_owned())];
        let act = |value: Value| fault_texts(json!({"act": value}));
        assert_eq!(act(json!({"type": "pass"})), []);
        assert_eq!(
            act(json!({"type": "dance"})),
            fault("/act/type", "expected \"build\" or \"pass\", not \"dance\"")
        );
        assert_eq!(
            act(json!({"type": "build"})),
            fault("/act/region", "`region` is missing")
        );
        assert_eq!(
            act(json!({"actions": [{"type": "pass"}, {"type": "build", "region": [1]}]})),
            fault("/act/actions/1/region", "expected a string, not an array")
        );
        assert_eq!(act(json!(7)), fault("/act", "expected an object, not 7"));
        let player = |value: Value| fault_texts(json!({"act": {"type": "pass"}, "player": value}));
        assert_eq!(
            player(json!("opne")),
            fault("/player", "expected \"open\" or an object, not \"opne\"")
        );
        assert_eq!(
            player(json!({"robot": "x"})),
            fault("/player", "one of the members \"bot\", \"id\" is required")
        );
        assert_eq!(
            player(json!({"bot": 7})),
            fault("/player/bot", "expected a string, not 7")
        );
    }

    #[test]
    fn all_faults_are_reported_together() {
        let mut found = fault_texts(json!({"a/b": 1, "count": 10, "unit": "elephant"}));
        found.sort();
        let expected = [
            ("/act", "`act` is missing"),
            ("/a~1b", "`a/b` is not a member here"),
            ("/count", "10 is too large: use at most 9"),
            (
                "/unit",
                "expected \"legion\" or \"galley\", not \"elephant\"",
            ),
        ];
        let mut expected = expected.map(|(at, what)| (at.to_owned(), what.to_owned()));
        expected.sort();
        assert_eq!(found, expected);
    }
}
