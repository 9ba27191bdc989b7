//! Published datasets: their rows agree with their schemas, also with an operator's own boards.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;

use crate::support::{game, nation};
use analytics::dataset::{Dataset, Publication, Resource, publish};
use analytics::facts::{TableResult, TableResultSeat};
use analytics::{Facts, FactsStore, FactsWriter};
use engine::content::Library;
use engine::setup::Player;
use jiff::Timestamp;
use polars::prelude::*;
use records::Record;
use serde_json::Value;

/// Publishes facts in a folder.
fn publish_facts(folder: &Path, facts: &Facts) -> Dataset {
    let store = FactsStore::new(folder.join("facts"));
    let mut writer = FactsWriter::open(&store).expect("ours");
    writer.append(facts, None, 0).expect("written");
    publish(&Publication {
        facts: &store,
        to: folder,
        name: "dataset",
        title: "",
        description: "",
        license: "CC0-1.0",
        as_of: None,
    })
    .expect("published")
}

/// Reads the golden records and adds an over-the-board result.
fn golden() -> Facts {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/records");
    let paths = fs::read_dir(folder).expect("the golden records");
    let paths = paths.map(|entry| entry.expect("an entry").path());
    let records: Vec<Record> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .map(|path| serde_json::from_slice(&fs::read(path).expect("a record")).expect("a record"))
        .collect();
    let (mut facts, _) = Facts::from_records(&records, Library::embedded()).expect("frames");
    assert!(facts.len() > 10, "{}", facts.len());
    let seat = |nation: &str, rank| TableResultSeat {
        player: Player::Person {
            id: format!("placeholder:{nation}"),
            name: None,
        },
        nations: vec![nation.to_owned()],
        rank,
    };
    let result = TableResult {
        game: "cup/1".to_owned(),
        revision: 1,
        counts: true,
        log_position: 1,
        recorded_at: Timestamp::UNIX_EPOCH,
        played_at: Timestamp::UNIX_EPOCH,
        edition: "antike".to_owned(),
        board: None,
        rated: true,
        league: None,
        seats: vec![seat("greeks", 1), seat("romans", 2)],
    };
    let rows = result.rows(Library::embedded());
    assert_eq!(rows.len(), 2);
    facts
        .append(&Facts::from_results(rows).expect("frames"))
        .expect("appended");
    facts
}

fn names(value: &Value) -> Vec<&str> {
    let names = value.as_array().into_iter().flatten();
    names.filter_map(Value::as_str).collect()
}

/// Reads the rows of a file and its schema.
fn table(folder: &Path, file: &Resource) -> Option<(DataFrame, Value)> {
    let folder = folder.join("dataset");
    let schema = fs::read(folder.join(file.schema.as_ref()?)).expect("a schema");
    let rows = File::open(folder.join(&file.path)).expect("a file");
    let rows = ParquetReader::new(rows).finish().expect("rows");
    Some((rows, serde_json::from_slice(&schema).expect("JSON")))
}

fn texts(rows: &DataFrame, column: &str) -> BTreeSet<String> {
    let texts = rows.column(column).expect("a column").str().expect("texts");
    texts.iter().flatten().map(str::to_owned).collect()
}

#[test]
fn rows_agree_with_their_schemas() {
    let folder = tempfile::tempdir().expect("a folder");
    let dataset = publish_facts(folder.path(), &golden());
    let index = dataset.file("index.parquet").expect("an index");
    let (index, _) = table(folder.path(), index).expect("a table");
    let games = texts(&index, "game");
    assert_eq!(games.len(), index.height());
    let (mut tables, mut closed) = (BTreeSet::new(), BTreeSet::new());
    for file in &dataset.resources {
        let Some((rows, schema)) = table(folder.path(), file) else {
            assert!(file.kind.is_none() && file.rows.is_none(), "{file:?}");
            continue;
        };
        let path = &file.path;
        assert_eq!(file.rows, Some(rows.height() as u64), "{path}");
        let key = names(&schema["primaryKey"]);
        if !key.is_empty() {
            let columns: Vec<String> = key.iter().map(|name| (*name).to_owned()).collect();
            let unique = rows.unique_stable(Some(&columns), UniqueKeepStrategy::First, None);
            assert_eq!(
                unique.expect("rows").height(),
                rows.height(),
                "{path}: {key:?}"
            );
        }
        if schema["foreignKeys"].is_array() {
            assert!(texts(&rows, "game").is_subset(&games), "{path}");
        }
        for field in schema["fields"].as_array().expect("fields") {
            let name = field["name"].as_str().expect("a name");
            let constraints = &field["constraints"];
            let column = rows.column(name).expect("a column");
            assert!(
                constraints["required"] != true || column.null_count() == 0,
                "{path}: {name}"
            );
            if constraints["enum"].is_array() {
                let words = names(&constraints["enum"]).into_iter().map(str::to_owned);
                let words: BTreeSet<String> = words.collect();
                let found = texts(&rows, name);
                assert!(found.is_subset(&words), "{path}: {name}: {found:?}");
                closed.insert(name.to_owned());
            }
        }
        if rows.height() > 0 {
            tables.insert(path.split('/').next().unwrap_or_default().to_owned());
        }
    }
    // Besides the tables there is the index, and no golden record is rated.
    let all = dataset.tables.keys().cloned();
    let all = all.filter(|name| name != "ratings");
    let all: BTreeSet<String> = all.chain(["index.parquet".to_owned()]).collect();
    assert_eq!(tables, all);
    for name in [
        "nation",
        "reason",
        "card",
        "act",
        "cause",
        "leading_kind",
        "region",
        "stop_8",
    ] {
        assert!(closed.contains(name), "{closed:?}");
    }
}

#[test]
fn schemas_list_the_nations_of_an_operators_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let nations = [nation("atlanteans", 0, 1.0), nation("greeks", 1, 0.0)];
    let facts = Facts::from_games(vec![game("own", &nations)]).expect("frames");
    let dataset = publish_facts(folder.path(), &facts);
    let seats = dataset
        .resources
        .iter()
        .find(|file| file.path.starts_with("seats/"));
    let (_, schema) = table(folder.path(), seats.expect("a file")).expect("a table");
    let mut fields = schema["fields"].as_array().expect("fields").iter();
    let nation = fields
        .find(|field| field["name"] == "nation")
        .expect("nation");
    let words = names(&nation["constraints"]["enum"]);
    assert!(
        words.contains(&"atlanteans") && words.contains(&"romans"),
        "{words:?}"
    );
}
