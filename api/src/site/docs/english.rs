//! The texts around the pages of the documentation.

pub const DOCS_TITLE: &str = "Documentation";
pub const DOCS_CONTENTS: &str = "Contents";
pub const DOCS_ON_PAGE: &str = "On this page";
pub const DOCS_NEIGHBOURS: &str = "Previous and next page";
pub const DOCS_PREVIOUS: &str = "Previous:";
pub const DOCS_NEXT: &str = "Next:";
pub const DOCS_SEARCH: &str = "Search the documentation";
pub const DOCS_FOUND: &str = "Sections that match";
pub const DOCS_FOUND_NONE: &str = "Nothing found.";
pub const DOCS_FOUND_SOME: &str = "Results: ";
pub const DOCS_RULES: &str = "Rules by number";

pub const API_ROOT: &str = "/docs/api";
pub const API_TITLE: &str = "API reference";
pub const API_SCHEMAS: &str = "Schemas";
pub const API_SCHEMAS_LEAD: &str = "Every object of a request or an answer, by name.";
pub const API_OR: &str = " or ";
pub const API_OBJECT: &str = "object";
pub const API_ANY: &str = "any value";
pub const API_ARRAY: &str = "list of";
pub const API_MAP: &str = "object with values of type";
pub const API_REQUIRED: &str = "required";
pub const API_KNOWN: &str = "Known values, to which others may be added:";
pub const API_ONE_OF: &str = "One of:";
pub const API_TYPE: &str = "Type:";
pub const API_STRICT: &str = "Other members are refused.";
pub const API_PATTERN: &str = "pattern";
pub const API_DEFAULT: &str = "default";
pub const API_DEPRECATED: &str = "Deprecated.";
pub const API_PARAMETERS: &str = "Parameters";
pub const API_BODY: &str = "Request body";
pub const API_ANSWERS: &str = "Answers";
pub const API_MEMBERS: &str = "Members";
pub const API_HEADER: &str = "Header";
pub const API_EXAMPLE: &str = "Example:";
pub const API_USED: &str = "Used by";
pub const API_NO_TOKEN: &str = "No token is needed.";
pub const API_OPTIONAL_TOKEN: &str = "A token is optional.";
pub const API_TOKEN: &str = "A token is required.";
pub const API_SCOPE: &str = "Scope of a token of an account:";

/// Keywords of JSON Schema that bound a value, in words.
pub const API_BOUNDS: &[(&str, &str)] = &[
    ("minimum", "at least"),
    ("maximum", "at most"),
    ("minLength", "characters at least"),
    ("maxLength", "characters at most"),
    ("minItems", "items at least"),
    ("maxItems", "items at most"),
];

/// The title of the operations of a tag.
pub fn api_tag(tag: &str) -> String {
    let mut letters = tag.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
