//! Mutations of records: every field, and every column of each kind of row of the log.
//!
//! Values are altered, removed, exchanged and repeated, with the old and with new hashes, and rows are inserted. Each
//! forgery is rejected, or its result is reported as declared. [`ONLY_SIGNED`] lists exactly those that only a
//! signature reveals, with reasons.

use crate::support::golden;

use std::collections::{BTreeMap, BTreeSet};

use engine::content::Library;
use records::{EventRow, PublicKeys, Record, ReplayError, SecretKey, SignatureStatus};
use serde_json::{Value, json};

/// Forgeries that only a signature reveals, with the reason. `*` matches anything.
const ONLY_SIGNED: &[(&str, &str)] = &[
    // Not decided by rules and not in rows: the server declares it.
    ("* id altered", "the server chooses the id"),
    (
        "* league added",
        "the server that keeps the game decides it",
    ),
    ("* rated added", "the server that keeps the game decides it"),
    (
        "* source altered",
        "the server that keeps the game decides it",
    ),
    // With a log, the last row has it.
    (
        "declared played_at altered",
        "no action depends on the time of day",
    ),
    // With a log, its rows have the players.
    (
        "bare setup.seats[].player.*",
        "no action depends on the player",
    ),
    (
        "declared setup.seats[].player.*",
        "no action depends on the player",
    ),
    // With a log, row 0 has it.
    ("bare setup.max_rounds *", "the game ended before"),
    ("declared setup.max_rounds *", "the game ended before"),
    ("bare setup.pace *", "no action depends on the clock"),
    ("declared setup.pace *", "no action depends on the clock"),
    ("declared result *", "a game without a result goes on"),
    // Row 0 has the hash of the seed. With cards, the decks follow from the seed.
    ("* setup.seed altered", "nothing was drawn from it"),
    ("* setup.seed left out", "an over-the-board game has none"),
    ("bare setup.drawn added", "nothing was drawn from the seed"),
    // The removed value follows from the rest: it is the same game.
    (
        "* setup.first *",
        "it follows from the board or the seed, and the digest is right",
    ),
    (
        "* setup.seats[].nations*",
        "it follows from the board or the seed, and the digest is right",
    ),
    ("* setup.deck *", "the seed gives it"),
    ("bare setup.reshuffles*left out", "the seed gives it"),
    (
        "bare setup.position.*left out",
        "it follows from the other parts",
    ),
    (
        "bare setup.position.*null",
        "it follows from the other parts",
    ),
    ("bare setup.position.digest altered", "it is ignored"),
    ("bare setup.position.goal altered", "it is ignored"),
    (
        "bare setup.position.*cards[] exchanged",
        "a hand has no order",
    ),
    (
        "bare actions[] exchanged",
        "their order makes no difference, or both were undone",
    ),
    // With new hashes.
    (
        "rechained *.at altered",
        "a time between those of its neighbours",
    ),
    (
        "rechained seat twice",
        "servers seat the same player again, for a new token",
    ),
    (
        "rechained undo twice",
        "servers and imports have written undos after undos",
    ),
    (
        "rechained undo.player altered",
        "another player of the game may have requested it",
    ),
];

/// Whether a text matches a pattern in which `*` matches anything.
fn matches_pattern(form: &str, text: &str) -> bool {
    let mut parts = form.split('*');
    let Some(mut rest) = parts.next().and_then(|start| text.strip_prefix(start)) else {
        return false;
    };
    let Some(end) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(end)
}

/// A forged record: its class, the changed row, and the record as JSON.
struct Forgery {
    class: String,
    row: Option<usize>,
    json: Value,
}

/// The result of checking a forgery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// It is not a record.
    Unreadable,
    /// An event is rejected.
    Event,
    /// The record is rejected.
    Record,
    /// Its result is reported as declared.
    Declared,
    /// Only its signature is wrong.
    OnlySigned,
}

/// Records with their logs (`logged`) and without (`bare`).
fn originals() -> Vec<(&'static str, Value)> {
    let path = golden::folder().join("frozen/with_events.ndjson");
    let lines = std::fs::read_to_string(path).expect("the frozen records");
    let read = |line| serde_json::from_str(line).expect("JSON");
    let frozen: Vec<Value> = lines.lines().map(read).collect();
    let mut adjudicated = frozen[4].clone();
    fields(&mut adjudicated).remove("events");
    let golden = golden::records();
    let golden = |name: &str| serde_json::to_value(&golden[name]).expect("it is JSON");
    vec![
        // Antike Duellum with its deck; Antike with a bot that took a seat over; one adjudicated.
        ("logged", frozen[0].clone()),
        ("logged", frozen[2].clone()),
        ("logged", frozen[4].clone()),
        ("declared", adjudicated),
        ("bare", golden("east_4_undone")),
        ("bare", golden("rome_carthage_2_goal_reshuffle")),
        (
            "bare",
            golden("rome_carthage_2_fortress_from_position_round_limit"),
        ),
    ]
}

fn fields(json: &mut Value) -> &mut serde_json::Map<String, Value> {
    json.as_object_mut().expect("an object")
}

fn rows(json: &mut Value) -> &mut Vec<Value> {
    json["events"].as_array_mut().expect("a log")
}

/// The first, middle and last index.
fn some_of(count: usize) -> BTreeSet<usize> {
    match count {
        0 => BTreeSet::new(),
        _ => [0, count / 2, count - 1].into(),
    }
}

/// Other values for a field, by its name.
fn alterations(name: &str, value: &Value) -> Vec<Value> {
    let plausible = match name {
        "id" => json!("01a1fd6b-2967-74f3-b82f-165bbead6251"),
        "at" | "played_at" => json!(value.as_str().map(|at| at.replace("2026", "2025"))),
        "ruleset_hash" => json!("40435a719b334d3341aaa9a6f11bc29629ca15535a7a77b78dc001cee4f0e8d3"),
        "nation" | "first" => json!("greeks"),
        "player" => json!("hanno"),
        "source" => json!("import"),
        "kind" => json!("open"),
        "reason" => json!("agreement"),
        "turn" | "seat" => json!(0),
        "hash" | "digest" => json!(value.as_str().map(|hash| "0".repeat(hash.len()))),
        _ => Value::Null,
    };
    let next = match value {
        Value::Bool(value) => json!(!value),
        Value::String(text) => json!(format!("{text}x")),
        Value::Number(number) => match number.as_u64() {
            Some(number) => json!(number + 1),
            None => json!(0.5),
        },
        _ => Value::Null,
    };
    // Another player of the game; a slightly later time.
    let subtle = match (name, value) {
        ("player", _) => json!("greedy"),
        ("at" | "played_at", Value::String(at)) => json!(at.replace('Z', "1Z")),
        _ => Value::Null,
    };
    let mut altered = vec![plausible, next, subtle];
    altered.retain(|other| !other.is_null() && other != value);
    altered
}

/// A position within JSON, and its name with `[]` for any index.
#[derive(Clone, Default)]
struct Place {
    pointer: String,
    name: String,
}

impl Place {
    fn field(&self, name: &str) -> Place {
        let dot = if self.name.is_empty() { "" } else { "." };
        Place {
            pointer: format!("{}/{name}", self.pointer),
            name: format!("{}{dot}{name}", self.name),
        }
    }

    fn item(&self, index: usize) -> Place {
        Place {
            pointer: format!("{}/{index}", self.pointer),
            name: format!("{}[]", self.name),
        }
    }
}

/// Returns the record with a change at a place.
fn with(whole: &Value, place: &Place, change: impl FnOnce(&mut Value)) -> Value {
    let mut whole = whole.clone();
    change(whole.pointer_mut(&place.pointer).expect("a place"));
    whole
}

/// Changes of everything at a place and below it.
fn change_all(whole: &Value, place: &Place, made: &mut Vec<(String, Value)>) {
    let value = whole.pointer(&place.pointer).expect("a place");
    let name = place.name.as_str();
    match value {
        Value::Object(named) => {
            for (field, value) in named {
                if place.name.is_empty() && field == "events" {
                    continue;
                }
                let below = place.field(field);
                let left_out = with(whole, place, |value| {
                    fields(value).remove(field);
                });
                made.push((format!("{} left out", below.name), left_out));
                if !value.is_null() {
                    let null = with(whole, &below, |value| *value = Value::Null);
                    made.push((format!("{} null", below.name), null));
                }
                change_all(whole, &below, made);
            }
        }
        Value::Array(items) => {
            for index in some_of(items.len()) {
                let left_out = with(whole, place, |value| {
                    value.as_array_mut().expect("items").remove(index);
                });
                made.push((format!("{name}[] left out"), left_out));
                let twice = with(whole, place, |value| {
                    let items = value.as_array_mut().expect("items");
                    items.insert(index, items[index].clone());
                });
                made.push((format!("{name}[] twice"), twice));
                if index + 1 < items.len() {
                    let exchanged = with(whole, place, |value| {
                        value.as_array_mut().expect("items").swap(index, index + 1);
                    });
                    made.push((format!("{name}[] exchanged"), exchanged));
                }
                change_all(whole, &place.item(index), made);
            }
        }
        plain => {
            let field = name.rsplit(['.', '[']).next().unwrap_or(name);
            for other in alterations(field, plain) {
                let altered = with(whole, place, |value| *value = other);
                made.push((format!("{name} altered"), altered));
            }
        }
    }
}

/// Adds optional fields that the record does not have.
fn additions(whole: &Value) -> Vec<(String, Value)> {
    let all = [
        ("", "league", json!("cup")),
        ("", "rated", json!(true)),
        ("", "result", json!({"reason": "goal", "ranks": []})),
        ("/setup", "max_rounds", json!(200)),
        ("/setup", "drawn", json!(1)),
        (
            "/setup",
            "pace",
            json!({"turn_seconds": 60, "timeouts": 1, "then": "wait"}),
        ),
        ("/setup", "deck", json!(["academy"])),
        ("/setup", "reshuffles", json!([["academy"]])),
        ("/setup/variants", "", json!("growth")),
        ("", "comment", json!("?")),
    ];
    let mut made = Vec::new();
    for (at, field, value) in all {
        let mut whole = whole.clone();
        let inside = whole.pointer_mut(at).expect("a place");
        match inside {
            Value::Array(items) => items.push(value),
            inside if inside.get(field).is_none() => {
                drop(fields(inside).insert(field.into(), value))
            }
            _ => continue,
        }
        let name = format!("{at}/{field}").replace('/', ".");
        made.push((format!("{} added", name.trim_matches('.')), whole));
    }
    made
}

/// The kind of a row.
fn kind(row: &Value) -> &'static str {
    match row["notation"].as_str().unwrap_or_default() {
        text if text.starts_with('{') => "setup",
        text if text.starts_with("undo ") => "undo",
        text if text.starts_with("seat ") => "seat",
        text if text.starts_with("adjudicate ") => "adjudicate",
        text if text.starts_with("timeout ") => "timeout",
        _ => "action",
    }
}

/// Computes numbers and hashes again, as a forger can. Undos keep their target rows.
fn renumbered(mut json: Value) -> Value {
    let old: Vec<Option<u64>> = rows(&mut json)
        .iter()
        .map(|row| row["seq"].as_u64())
        .collect();
    for (seq, row) in rows(&mut json).iter_mut().enumerate() {
        row["seq"] = json!(seq);
        let text = row["notation"].as_str().unwrap_or_default();
        let to: Option<u64> = text.strip_prefix("undo ").and_then(|to| to.parse().ok());
        if let Some(to) = old.iter().position(|seq| to.is_some() && *seq == to) {
            row["notation"] = json!(format!("undo {to}"));
        }
    }
    rechained(json)
}

/// Computes all hashes again.
fn rechained(mut json: Value) -> Value {
    let mut previous: Option<String> = None;
    for row in rows(&mut json) {
        // A value that is not a row has no hash.
        if let Ok(read) = serde_json::from_value::<EventRow>(row.clone()) {
            let hash = read.chained_hash(previous.as_deref());
            row["hash"] = json!(hash);
            previous = Some(hash);
        }
    }
    json
}

/// Changes of rows and their columns.
fn change_rows(whole: &Value) -> Vec<Forgery> {
    let mut made = Vec::new();
    let log = whole["events"].as_array().expect("a log");
    let mut add = |what: String, row: usize, json: Value| {
        made.push(Forgery {
            class: format!("row {what}"),
            row: Some(row),
            json: json.clone(),
        });
        made.push(Forgery {
            class: format!("rechained {what}"),
            row: None,
            json: renumbered(json),
        });
    };
    let mut sampled: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (seq, row) in log.iter().enumerate() {
        sampled.entry(kind(row)).or_default().push(seq);
    }
    for (kind, all) in sampled {
        for seq in some_of(all.len()).into_iter().map(|index| all[index]) {
            let place = Place::default().field("events").item(seq);
            let mut columns = Vec::new();
            change_all(whole, &place, &mut columns);
            for (what, json) in columns {
                let what = what.trim_start_matches("events[].");
                add(format!("{kind}.{what}"), seq, json);
            }
            for column in ["turn", "player", "nation", "notation", "digest", "at"] {
                if seq + 1 < log.len() && log[seq][column] != log[seq + 1][column] {
                    let mut json = whole.clone();
                    let (one, next) = rows(&mut json).split_at_mut(seq + 1);
                    std::mem::swap(&mut one[seq][column], &mut next[0][column]);
                    add(format!("{kind}.{column} exchanged"), seq, json);
                }
            }
            let mut json = whole.clone();
            rows(&mut json).remove(seq);
            add(format!("{kind} left out"), seq.min(log.len() - 2), json);
            let mut json = whole.clone();
            let row = log[seq].clone();
            rows(&mut json).insert(seq + 1, row);
            add(format!("{kind} twice"), seq + 1, json);
            if seq + 1 < log.len() {
                let mut json = whole.clone();
                rows(&mut json).swap(seq, seq + 1);
                add(format!("{kind} exchanged"), seq, json);
            }
        }
    }
    for seq in some_of(log.len()) {
        let seq = seq + 1;
        let before = &log[seq - 1];
        // The requester of an undo has a seat.
        let players = log.iter().filter(|row| kind(row) == "undo");
        let player = players.map(|row| &row["player"]).next_back();
        let player = player.cloned().unwrap_or_default();
        let ranks = &whole["result"]["ranks"];
        let decision = format!(
            "{}",
            json!({"reason": "agreement", "ranks": ranks, "note": "x"})
        );
        for (what, notation, player) in [
            (
                "undo to the row before",
                format!("undo {}", seq - 1),
                player.clone(),
            ),
            (
                "undo to the row before without player",
                format!("undo {}", seq - 1),
                Value::Null,
            ),
            (
                "undo of a row",
                format!("undo {}", seq.saturating_sub(2)),
                player,
            ),
            ("decision", format!("adjudicate {decision}"), Value::Null),
            ("abandoning", "adjudicate null".to_owned(), Value::Null),
        ] {
            let mut row = before.clone();
            row["notation"] = json!(notation);
            row["player"] = player;
            row["nation"] = Value::Null;
            // Rows have the turn in which they begin.
            row["turn"] = log
                .get(seq)
                .map_or(&before["turn"], |next| &next["turn"])
                .clone();
            let mut json = whole.clone();
            rows(&mut json).insert(seq, row);
            add(format!("{what} put in"), seq, json);
        }
    }
    made
}

fn forgeries(kind: &str, whole: &Value) -> Vec<Forgery> {
    let mut changed = additions(whole);
    change_all(whole, &Place::default(), &mut changed);
    let of_record = |(what, json)| Forgery {
        class: format!("{kind} {what}"),
        row: None,
        json,
    };
    let mut made: Vec<Forgery> = changed.into_iter().map(of_record).collect();
    if !whole["events"].is_null() {
        made.extend(change_rows(whole));
        let mut json = whole.clone();
        fields(&mut json).remove("events");
        made.push(Forgery {
            class: "logged events left out".to_owned(),
            row: None,
            json,
        });
    }
    made
}

/// Checks a forgery that has the signature of the original.
fn outcome(original: &Record, declared: bool, forgery: &Forgery) -> Option<Outcome> {
    let Ok(mut forged) = serde_json::from_value::<Record>(forgery.json.clone()) else {
        return Some(Outcome::Unreadable);
    };
    if forged == *original {
        return None;
    }
    let class = &forgery.class;
    match forged.verify(Library::embedded()) {
        Err(ReplayError::Event { seq, .. }) => {
            if let Some(row) = forgery.row {
                assert_eq!(seq, row as u64, "{class}");
            }
            return Some(Outcome::Event);
        }
        Err(_) => return Some(Outcome::Record),
        Ok(verified) if verified.declared && (!declared || forged.result != original.result) => {
            return Some(Outcome::Declared);
        }
        Ok(_) => {}
    }
    let key = SecretKey::from_seed(&[7; 32]);
    let mut keys = PublicKeys::default();
    keys.add(key.public());
    let last = original.events.as_ref().and_then(|events| events.last());
    let (seq, hash) = last.map_or((9, "0".repeat(64)), |row| (row.seq, row.hash.clone()));
    let signature = original.sign(&key, seq, &hash).expect("it is JSON");
    forged.signature = Some(signature);
    let signed = forged.check_signature(&keys).expect("it is JSON");
    let wrong = matches!(signed, SignatureStatus::Invalid { .. });
    let log_left_out = forged.events.is_none() && original.events.is_some();
    assert!(wrong || log_left_out, "nothing shows it: {class}");
    (wrong).then_some(Outcome::OnlySigned)
}

/// The number of forgeries of a record by outcome, and those that only a signature reveals.
fn try_all(kind: &str, json: &Value) -> (BTreeMap<Outcome, usize>, BTreeSet<String>) {
    let original: Record = serde_json::from_value(json.clone()).expect("a record");
    let verified = original.verify(Library::embedded()).expect("it holds");
    let mut counts = BTreeMap::new();
    let mut only_signed = BTreeSet::new();
    for forgery in forgeries(kind, json) {
        let Some(outcome) = outcome(&original, verified.declared, &forgery) else {
            continue;
        };
        *counts.entry(outcome).or_default() += 1;
        if outcome == Outcome::OnlySigned {
            only_signed.insert(forgery.class);
        }
    }
    (counts, only_signed)
}

#[test]
fn each_forgery_is_rejected_declared_or_revealed_by_a_signature() {
    let originals = originals();
    let tried: Vec<_> = std::thread::scope(|scope| {
        let threads = originals.iter();
        let threads = threads.map(|(kind, json)| scope.spawn(|| try_all(kind, json)));
        let threads: Vec<_> = threads.collect();
        let joined = threads.into_iter();
        joined.map(|one| one.join().expect("it ends")).collect()
    });
    let mut counts: BTreeMap<Outcome, usize> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for (some, only_signed) in tried {
        for (outcome, count) in some {
            *counts.entry(outcome).or_default() += count;
        }
        found.extend(only_signed);
    }
    println!("{counts:?}");
    assert!(counts.values().sum::<usize>() > 3_000, "{counts:?}");
    let is_listed = |class: &&String| {
        ONLY_SIGNED
            .iter()
            .any(|(form, _)| matches_pattern(form, class))
    };
    let unlisted: Vec<_> = found.iter().filter(|class| !is_listed(class)).collect();
    assert!(unlisted.is_empty(), "accepted: {unlisted:#?}");
    let forms = ONLY_SIGNED.iter().map(|(form, _)| *form);
    let closed: Vec<_> = forms
        .filter(|form| !found.iter().any(|class| matches_pattern(form, class)))
        .collect();
    assert!(closed.is_empty(), "no longer accepted: {closed:#?}");
}
