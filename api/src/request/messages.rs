//! What readers say of a bad value, told in words of JSON.

/// The path to a bad field: what the reader has seen of it and the name in the message.
pub fn field_path(path: &str, message: &str) -> String {
    let path = if path == "." { "" } else { path };
    let named = ["unknown field", "missing field", "duplicate field"]
        .iter()
        .any(|start| message.starts_with(start));
    match quoted(message) {
        Some(name) if named && path.is_empty() => name,
        Some(name) if named && !path.ends_with(&name) => format!("{path}.{name}"),
        _ => path.to_owned(),
    }
}

/// The first word between back quotes.
fn quoted(message: &str) -> Option<String> {
    message.split('`').nth(1).map(str::to_owned)
}

/// Messages of readers of numbers and truth values, which queries are made of.
const PLAIN: &[(&str, &str)] = &[
    ("invalid digit found in string", "a whole number is needed"),
    (
        "cannot parse integer from empty string",
        "a whole number is needed",
    ),
    (
        "number too large to fit in target type",
        "the number is too large",
    ),
    (
        "number too small to fit in target type",
        "the number is too small",
    ),
    ("invalid float literal", "a number is needed"),
    (
        "provided string was not `true` or `false`",
        "`true` or `false` is needed",
    ),
];

/// What readers want, by how their messages begin.
const WANTED: &[(&str, &str)] = &[
    ("u8", "a whole number from 0 to 255"),
    ("u16", "a whole number from 0 to 65535"),
    ("u32", "a whole number from 0 to 4294967295"),
    ("u64", "a whole number from 0 to 18446744073709551615"),
    ("usize", "a whole number from 0 to 18446744073709551615"),
    ("i8", "a whole number from -128 to 127"),
    ("i16", "a whole number from -32768 to 32767"),
    ("i32", "a whole number from -2147483648 to 2147483647"),
    ("i64", "a whole number"),
    ("f32", "a number"),
    ("f64", "a number"),
    ("a boolean", "`true` or `false`"),
    ("map with a single key", "an object with one field"),
    ("struct", "an object"),
    ("internally tagged enum", "an object"),
    ("map", "an object"),
    ("a map", "an object"),
    ("a sequence", "an array"),
    ("newtype variant", "an object with this field"),
    ("unit variant", "this name alone"),
    ("variant identifier", "a name"),
    ("string or map", "a string or an object"),
];

/// A reader's message without words of Rust and without the place in the text, which the field's path
/// tells better.
pub fn plain(message: &str) -> String {
    let message = message.split(" at line ").next().unwrap_or_default();
    if let Some((_, told)) = PLAIN.iter().find(|(own, _)| *own == message) {
        return (*told).to_owned();
    }
    let Some((found, wanted)) = message.split_once(", expected ") else {
        return message.to_owned();
    };
    if let Some(name) = found.strip_prefix("unknown variant ") {
        return format!("{name} is not known here, {wanted} is needed");
    }
    if let Some(count) = found.strip_prefix("invalid length ") {
        let wanted = match wanted.starts_with("struct ") {
            true => "an object",
            false => wanted,
        };
        return format!("{wanted} is needed, not an array of {count}");
    }
    let Some((_, found)) = found
        .split_once("invalid ")
        .map(|(_, rest)| rest)
        .and_then(|rest| rest.split_once(": "))
    else {
        return message.to_owned();
    };
    let wanted_word = |word: &str| {
        wanted
            .strip_prefix(word)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let wanted = WANTED
        .iter()
        .find(|(word, _)| wanted_word(word))
        .map_or(wanted, |(_, told)| told);
    let found = match found {
        "map" => "an object",
        "sequence" => "an array",
        "unit variant" => "a name alone",
        "newtype variant" | "tuple variant" | "struct variant" => "an object",
        // The value itself stands behind its kind.
        other => match other.find(['`', '"']) {
            Some(at) => &other[at..],
            None => other,
        },
    };
    format!("{wanted} is needed, not {found}")
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn messages_are_told_in_words_of_json() {
        let cases = [
            (
                "invalid type: sequence, expected struct NewGame at line 1 column 2",
                "an object is needed, not an array",
            ),
            (
                "invalid value: integer `300`, expected u8",
                "a whole number from 0 to 255 is needed, not `300`",
            ),
            (
                "invalid type: string \"x\", expected a boolean",
                "`true` or `false` is needed, not \"x\"",
            ),
            (
                "invalid type: unit variant, expected newtype variant",
                "an object with this field is needed, not a name alone",
            ),
            (
                "unknown variant `x`, expected `a` or `b`",
                "`x` is not known here, `a` or `b` is needed",
            ),
            ("invalid digit found in string", "a whole number is needed"),
            ("missing field `board`", "missing field `board`"),
            (
                "unknown field `x`, expected one of `a`, `b`",
                "unknown field `x`, expected one of `a`, `b`",
            ),
        ];
        for (message, told) in cases {
            assert_eq!(plain(message), told);
        }
    }
}
