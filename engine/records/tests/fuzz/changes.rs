//! Small changes of an input, so that it passes the first checks.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::Value;

use super::run::Shape;

/// One change: numbers that select positions in any text.
#[derive(Clone, Debug)]
pub struct Change {
    kind: u8,
    place: u32,
    other: u32,
    word: u32,
}

/// Any change.
pub fn change() -> impl Strategy<Value = Change> {
    let numbers = (any::<u8>(), any::<u32>(), any::<u32>(), any::<u32>());
    numbers.prop_map(|(kind, place, other, word)| Change {
        kind,
        place,
        other,
        word,
    })
}

/// Numbers at the edges of what is allowed.
const NUMBERS: &[u64] = &[
    0,
    1,
    2,
    3,
    5,
    7,
    9,
    63,
    64,
    127,
    128,
    200,
    254,
    255,
    256,
    65535,
    65536,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    u64::MAX,
];

/// Values of other types or with a special meaning.
const STRANGE: &[&str] = &[
    "18446744073709551616",
    "-1",
    "0.5",
    "1e400",
    "null",
    "true",
    "false",
    "[]",
    "{}",
    "\"\"",
    "\"",
    "\\",
    "é",
    "\u{0}",
    "-",
    ";",
    ":",
    "; ",
    " ",
    "\n",
    "\r",
    "\r\n",
];

/// The words of a corpus and unusual ones.
pub fn words(corpus: &[String]) -> Vec<String> {
    let of_corpus = corpus.iter().flat_map(|text| {
        let tokens = tokens(text).into_iter();
        tokens.map(|(from, to)| &text[from..to])
    });
    let all: BTreeSet<&str> = of_corpus.collect();
    // Hashes and times would give many meaningless pieces.
    let meant = all.into_iter().filter(|word| word.len() > 3);
    let mut words: Vec<String> = meant.map(str::to_owned).collect();
    words.extend(STRANGE.iter().map(ToString::to_string));
    words
}

/// The ranges of the words, numbers and punctuation marks of a text.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let class = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '_' => 0,
        '0'..='9' => 1,
        _ if c.is_whitespace() => 2,
        _ => 3,
    };
    let mut tokens: Vec<(usize, usize)> = Vec::new();
    let mut before = 2;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match tokens.last_mut() {
            Some(last) if class(c) == before && before < 2 => last.1 = end,
            _ if class(c) == 2 => {}
            _ => tokens.push((at, end)),
        }
        before = class(c);
    }
    tokens
}

fn pick<T>(items: &[T], number: u32) -> Option<&T> {
    let count = u32::try_from(items.len()).ok()?;
    items.get(number.checked_rem(count)? as usize)
}

/// Returns a text with one change; `corpus` provides parts of other inputs.
pub fn changed(
    text: String,
    change: &Change,
    shape: Shape,
    words: &[String],
    corpus: &[String],
) -> String {
    // One in eight JSON inputs is changed as plain text.
    if shape == Shape::Json
        && change.kind >= 32
        && let Ok(mut json) = serde_json::from_str(&text)
    {
        change_json(&mut json, change, words, corpus);
        return json.to_string();
    }
    match change.kind % 12 {
        0 => changed_bytes(text, change),
        1..=4 => changed_lines(&text, change, corpus),
        _ => changed_words(text, change, words),
    }
}

/// Replaces, removes or adds one byte, or removes everything after it.
fn changed_bytes(text: String, change: &Change) -> String {
    let mut bytes = text.into_bytes();
    let at = (change.place as usize)
        .checked_rem(bytes.len())
        .unwrap_or(0);
    let [byte, ..] = change.word.to_le_bytes();
    match change.other % 4 {
        0 if at < bytes.len() => bytes[at] = byte,
        1 if at < bytes.len() => drop(bytes.remove(at)),
        2 => bytes.truncate(at),
        _ => bytes.insert(at, byte),
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Removes, repeats or moves one line, or replaces it by one of another input.
fn changed_lines(text: &str, change: &Change, corpus: &[String]) -> String {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let [from, to] = [change.place, change.other].map(|place| place as usize % lines.len());
    match change.kind % 12 {
        1 => drop(lines.remove(from)),
        2 => lines.insert(to, lines[from]),
        3 => lines.swap(from, to),
        _ => {
            let other = pick(corpus, change.word).map(String::as_str);
            let theirs: Vec<&str> = other.unwrap_or_default().split('\n').collect();
            lines[from] = pick(&theirs, change.other).copied().unwrap_or_default();
        }
    }
    lines.join("\n")
}

/// A number one higher or lower, or one at an edge.
fn near(number: u64, change: &Change) -> u64 {
    match change.other % 4 {
        0 => number.saturating_add(1),
        1 => number.saturating_sub(1),
        _ => pick(NUMBERS, change.word).copied().unwrap_or_default(),
    }
}

/// Removes one word, or replaces it by a known one, another one of the text, or a near number.
fn changed_words(mut text: String, change: &Change, words: &[String]) -> String {
    // Selects a line first, so that headers are changed as often as other lines.
    let lines: Vec<&str> = text.split('\n').collect();
    let line = change.place as usize % lines.len();
    let begin: usize = lines[..line].iter().map(|line| line.len() + 1).sum();
    let tokens = tokens(lines[line]);
    let place = change.place / lines.len() as u32;
    let Some((from, to)) = pick(&tokens, place).copied() else {
        return text;
    };
    let old = &lines[line][from..to];
    let known = pick(words, change.word).map_or("", String::as_str);
    let new = match change.kind % 12 {
        5 => String::new(),
        6 => format!("{known} {old}"),
        7 => {
            let other = pick(&tokens, change.other).copied();
            other.map_or(String::new(), |(from, to)| lines[line][from..to].to_owned())
        }
        8 | 9 => match old.parse::<u64>() {
            Ok(number) => near(number, change).to_string(),
            Err(_) => pick(STRANGE, change.word).map_or(String::new(), ToString::to_string),
        },
        _ => known.to_owned(),
    };
    text.replace_range(begin + from..begin + to, &new);
    text
}

/// The members of a value with their keys as in a pointer.
fn members(json: &Value) -> Vec<(String, &Value)> {
    let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
    match json {
        Value::Object(map) => map.iter().map(|(k, v)| (escaped(k), v)).collect(),
        Value::Array(items) => (0..).map(|n: u32| n.to_string()).zip(items).collect(),
        _ => Vec::new(),
    }
}

/// The number of parts of a value, including itself.
fn size(json: &Value) -> u32 {
    let sizes: u32 = match json {
        Value::Object(map) => map.values().map(size).sum(),
        Value::Array(items) => items.iter().map(size).sum(),
        _ => 0,
    };
    1 + sizes
}

/// Returns a pointer to a part of a value.
/// Half of the time each part is equally likely, otherwise each member is as likely as its siblings of any size.
fn part(json: &Value, number: u32) -> String {
    let (any, mut number) = (number.is_multiple_of(2), number / 2);
    if any {
        number %= size(json);
    }
    let (mut path, mut here) = (String::new(), json);
    loop {
        let members = members(here);
        let stops = match any {
            true => number == 0,
            false => !path.is_empty() && number.is_multiple_of(5),
        };
        if stops || members.is_empty() {
            return path;
        }
        let (key, value) = match any {
            true => {
                number -= 1;
                let mut within = members.into_iter();
                let found = within.find(|(_, value)| {
                    let size = size(value);
                    let here = number < size;
                    number -= if here { 0 } else { size };
                    here
                });
                found.expect("the number is below the size")
            }
            false => {
                let place = number as usize % members.len();
                number = number.wrapping_mul(0x9E37_79B1).rotate_left(15);
                members[place].clone()
            }
        };
        path = format!("{path}/{key}");
        here = value;
    }
}

/// Whether two values are of the same type.
fn is_like(one: &Value, other: &Value) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}

/// Removes, repeats or exchanges one part, or replaces it by another value.
fn change_json(json: &mut Value, change: &Change, words: &[String], corpus: &[String]) {
    let path = part(json, change.place);
    let (above, key) = path.rsplit_once('/').unwrap_or_default();
    let key = key.replace("~1", "/").replace("~0", "~");
    let kind = change.kind % 16;
    if kind == 0 || kind == 1 {
        let known = pick(words, change.word).cloned().unwrap_or_default();
        match json.pointer_mut(above) {
            Some(Value::Object(map)) if kind == 0 => drop(map.remove(&key)),
            Some(Value::Object(map)) => {
                let value = map.get(&key).cloned().unwrap_or_default();
                map.insert(known, value);
            }
            Some(Value::Array(items)) => {
                let at = key.parse::<usize>().unwrap_or(0).min(items.len());
                match items.get(at).cloned() {
                    Some(_) if kind == 0 => drop(items.remove(at)),
                    Some(value) => items.insert(change.other as usize % items.len(), value),
                    None => {}
                }
            }
            _ => {}
        }
        return;
    }
    // Another part of the same type, if a few attempts find one.
    let here = json.pointer(&path).unwrap_or(&Value::Null);
    let mut others = (0..8).map(|turn| part(json, change.other.rotate_left(4 * turn)));
    let same = |path: &String| json.pointer(path).is_some_and(|it| is_like(it, here));
    let other = others.find(same).unwrap_or_else(|| path.clone());
    let theirs = json.pointer(&other).cloned().unwrap_or_default();
    let Some(place) = json.pointer_mut(&path) else {
        return;
    };
    let strange = || {
        let text = pick(STRANGE, change.word).copied().unwrap_or_default();
        serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
    };
    match kind {
        2..=4 => *place = theirs,
        5 | 6 => {
            let ours = std::mem::replace(place, theirs);
            if let Some(other) = json.pointer_mut(&other) {
                *other = ours;
            }
        }
        7 | 8 => {
            let input = pick(corpus, change.word).map_or("", String::as_str);
            let input: Value = serde_json::from_str(input).unwrap_or_default();
            *place = input.pointer(&path).cloned().unwrap_or_else(strange);
        }
        _ => {
            *place = match place {
                Value::Number(number) if kind < 15 => match number.as_u64() {
                    Some(number) => Value::from(near(number, change)),
                    None => strange(),
                },
                Value::Bool(yes) => Value::from(!*yes),
                Value::String(text) if kind < 14 && text.contains(' ') => {
                    Value::from(changed_words(std::mem::take(text), change, words))
                }
                Value::String(_) if kind < 11 => {
                    Value::from(pick(words, change.word).cloned().unwrap_or_default())
                }
                _ => strange(),
            };
        }
    }
}
