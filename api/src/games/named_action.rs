//! An action as named in a request.

use engine::play::{Action, Names};

/// An action, with the nation that acts if the request names it.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedAction {
    /// Its path in the request, such as `actions[1]`; empty if it is the whole request.
    pub path: String,
    /// The nation that acts; derived from the position if omitted.
    pub nation: Option<String>,
    /// The action.
    pub action: Action<Names>,
}

impl NamedAction {
    /// Returns the prefix of its members' paths in problems.
    pub fn prefix(&self) -> String {
        match self.path.as_str() {
            "" => String::new(),
            path => format!("{path}."),
        }
    }
}
