//! Differences between two JSON values, as a patch (RFC 6902).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::http::problem::member;

/// A step of a patch (RFC 6902, section 4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum PatchStep {
    /// Adds a value.
    Add {
        /// The place, as a JSON Pointer (RFC 6901).
        path: String,
        /// The new value.
        value: Value,
    },
    /// Removes a value.
    Remove {
        /// The place, as a JSON Pointer.
        path: String,
    },
    /// Replaces a value.
    Replace {
        /// The place, as a JSON Pointer.
        path: String,
        /// The new value.
        value: Value,
    },
}

/// Returns the steps that turn `from` into `to`.
///
/// Members are compared by name and items by index. Lists grow and shrink at their end.
pub fn diff(from: &Value, to: &Value) -> Vec<PatchStep> {
    let mut steps = Vec::new();
    add_steps(&mut steps, "", from, to);
    steps
}

fn add_steps(steps: &mut Vec<PatchStep>, path: &str, from: &Value, to: &Value) {
    match (from, to) {
        (Value::Object(from), Value::Object(to)) => {
            let at = |name: &str| member(path, name);
            for (name, own) in from {
                match to.get(name) {
                    Some(other) => add_steps(steps, &at(name), own, other),
                    None => steps.push(PatchStep::Remove { path: at(name) }),
                }
            }
            let new = to.iter().filter(|(name, _)| !from.contains_key(*name));
            steps.extend(new.map(|(name, value)| PatchStep::Add {
                path: at(name),
                value: value.clone(),
            }));
        }
        (Value::Array(from), Value::Array(to)) => {
            for (index, (own, other)) in from.iter().zip(to).enumerate() {
                add_steps(steps, &format!("{path}/{index}"), own, other);
            }
            // From the end, so that the remaining indices stay valid.
            for index in (to.len()..from.len()).rev() {
                let path = format!("{path}/{index}");
                steps.push(PatchStep::Remove { path });
            }
            for (index, value) in to.iter().enumerate().skip(from.len()) {
                let (path, value) = (format!("{path}/{index}"), value.clone());
                steps.push(PatchStep::Add { path, value });
            }
        }
        _ if from == to => {}
        _ => steps.push(PatchStep::Replace {
            path: path.to_owned(),
            value: to.clone(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_patch_contains_the_changes_and_nothing_else() {
        let from =
            json!({"same": [1, {"a": 1}], "gone": null, "a/b": 1, "~": [1, 2, 3], "kind": []});
        let to = json!({"same": [1, {"a": 1}], "new": {"x": 1}, "a/b": 2, "~": [1, 5], "kind": {}});
        let patch = serde_json::to_value(diff(&from, &to)).unwrap();
        let expected = [
            json!({"op": "replace", "path": "/a~1b", "value": 2}),
            json!({"op": "remove", "path": "/gone"}),
            json!({"op": "replace", "path": "/kind", "value": {}}),
            json!({"op": "replace", "path": "/~0/1", "value": 5}),
            json!({"op": "remove", "path": "/~0/2"}),
            json!({"op": "add", "path": "/new", "value": {"x": 1}}),
        ];
        assert_eq!(patch.as_array().unwrap()[..], expected);
        let grown = serde_json::to_value(diff(&json!([1]), &json!([1, 2, 3]))).unwrap();
        let expected = json!([{"op": "add", "path": "/1", "value": 2},
            {"op": "add", "path": "/2", "value": 3}]);
        assert_eq!(grown, expected);
        assert_eq!(diff(&from, &from), []);
        let whole = serde_json::to_value(diff(&json!(1), &json!("1"))).unwrap();
        assert_eq!(whole, json!([{"op": "replace", "path": "", "value": "1"}]));
    }
}
