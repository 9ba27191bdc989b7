//! Texts inside the documentation, which is in English only.

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

pub const TABLES_MEASURES: &str = "Statistics";
pub const TABLES_FACTS: &str = "Facts";
pub const TABLES_FACTS_LEAD: &str = "Parquet files that tabularium-analytics writes from records. Use them for questions \
    that the tables above do not answer.";
pub const TABLES_LOOK: &str = "open the page";

/// The number of columns of a table.
pub fn columns(count: usize) -> String {
    format!("{count} columns")
}
