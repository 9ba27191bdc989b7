//! An action as a request names it.

use engine::play::{Action, Names};

/// An action with the nation that acts where that is not clear.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedAction {
    /// Where it stands in the request, such as `actions[1]`; empty when it is the request.
    pub path: String,
    /// For which nation; found out when left out.
    pub nation: Option<String>,
    /// The action.
    pub action: Action<Names>,
}

impl NamedAction {
    /// What stands before the names of its fields in problems.
    pub fn prefix(&self) -> String {
        match self.path.as_str() {
            "" => String::new(),
            path => format!("{path}."),
        }
    }
}
