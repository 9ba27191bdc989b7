//! The measures of the golden records do not change unintentionally. An intended change belongs into the
//! changelog.

use crate::support;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use analytics::facts::DeriveError;
use analytics::{Analyses, Facts, Filters, GameFacts, Measure, accuracy, measure};
use engine::content::Library;
use records::Record;
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_128;

/// The hashes of the answers on the golden records, by question.
const FILE: &str = "tests/golden.json";

/// If this variable is set, the test writes the file.
const WRITE: &str = "TABULARIUM_WRITE_GOLDEN";

/// Removes the last digits of numbers, which another version of a library may round differently.
fn round_numbers(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            json!(format!("{:.6e}", number.as_f64().unwrap_or(f64::NAN)))
        }
        Value::Array(items) => items.iter().map(round_numbers).collect(),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| (name.clone(), round_numbers(value)));
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

#[test]
fn the_measures_of_the_golden_records_do_not_change() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/records");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the golden records")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    paths.sort();
    assert!(paths.len() > 20);
    let records = paths.iter().map(|path| {
        let text = fs::read_to_string(path).expect("a record");
        serde_json::from_str(&text).expect("a record")
    });
    let records: Vec<Record> = records.collect();
    let (facts, left_out) = Facts::from_records(&records, Library::embedded()).expect("frames");
    let goes_on = |error: &DeriveError| matches!(error, DeriveError::Unfinished);
    assert!(
        left_out.iter().all(|one| goes_on(&one.error)),
        "{left_out:?}"
    );

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let text = fs::read_to_string(&path).unwrap_or("{}".to_owned());
    let known: BTreeMap<String, String> = serde_json::from_str(&text).expect("hashes");
    let mut found = BTreeMap::new();
    let first = records.iter().find(|record| record.result.is_some());
    let first = GameFacts::derive(first.expect("a game"), Library::embedded()).expect("facts");
    let digest = first.turns[2].digest.as_deref().unwrap_or_default();
    let position = format!("digest={digest}");
    let games = records.iter().filter(|record| record.result.is_some());
    let games = games.map(|record| GameFacts::derive(record, Library::embedded()).expect("facts"));
    let lines: Vec<Value> = games
        .take(8)
        .flat_map(|game| support::analysis_of(&game, "search:1"))
        .collect();
    let analyses = [("made up".to_owned(), support::ndjson(&lines))];
    let analyses = analyses
        .iter()
        .map(|(name, lines)| (name.clone(), lines.as_bytes()));
    let analyses = Analyses::read(analyses).expect("analyses");
    // For all games, and for the default filters.
    let all = |asked: &'static Measure| {
        let query = match asked.name {
            "positions" => &position,
            "head_to_head" => "bot=greedy",
            "personages" => "at=2",
            _ => "",
        };
        let query = format!("{query}&reason=any&declared=any&from_position=any");
        (asked, asked.name.to_owned(), query)
    };
    let by_default = |asked: &'static Measure| {
        let query = match asked.name {
            "positions" => &position,
            "head_to_head" => "bot=greedy",
            _ => "",
        };
        let name = format!("{}, by default", asked.name);
        (asked, name, query.to_owned())
    };
    let measures = analytics::MEASURES
        .into_iter()
        .chain([&analytics::ACCURACY]);
    let questions = measures.flat_map(|asked| [all(asked), by_default(asked)]);
    for (asked, name, query) in questions {
        let filters: Filters = serde_urlencoded::from_str(&query).expect("filters");
        let table = match asked.name {
            "accuracy" => {
                let answer = accuracy(&facts.lazy(), &analyses, &filters);
                answer.expect("analyses of these games").table
            }
            _ => measure(&facts.lazy(), asked, &filters).expect("a table"),
        };
        let content = json!({
            "columns": asked.columns(),
            "rows": round_numbers(&table.to_json().expect("JSON")["rows"]),
        });
        let hash = format!("{:032x}", xxh3_128(content.to_string().as_bytes()));
        found.insert(name, hash);
    }
    if std::env::var_os(WRITE).is_some() {
        let text = serde_json::to_string_pretty(&found).expect("JSON");
        fs::write(&path, text + "\n").expect("written");
        return;
    }
    let changed: Vec<&String> = (found.iter())
        .filter(|(name, hash)| known.get(*name) != Some(hash))
        .map(|(name, _)| name)
        .collect();
    assert!(
        changed.is_empty(),
        "{changed:?} changed. If this is intended, run the test with {WRITE}=1 and describe it in the changelog"
    );
    assert_eq!(known.len(), found.len(), "{FILE} has more");
}
