//! Table Schemas (<https://datapackage.org/standard/table-schema/>) of the tables of a dataset.
//!
//! `frictionless validate` accepts them. It reads Parquet with pandas, where a list is a NumPy array and a missing
//! whole number is the float `nan`. So the type of a list is `any`, and `nan` is a missing value in columns of whole
//! numbers.

use std::collections::{BTreeMap, BTreeSet};

use bots::BOTS;
use engine::content::Library;
use engine::setup::PlayerKind;
use engine::words::{EndReason, Field, Personage};
use polars::prelude::{ChunkUnique, PolarsResult};
use records::Source;
use serde_json::{Value, json};
use strum::VariantArray;

use super::model::INDEX;
use crate::facts::counter::{Act, Cause, CityAct, EVEN};
use crate::facts::derive::NO_OPPONENTS;

use crate::facts::{
    ColumnInfo, ColumnType, FactTable, Facts, Opening, Opponents, STOP_COLUMNS, TimeControl,
};
use crate::storage::store::PARTITIONS;

/// The profile of Table Schemas, version 2.
const PROFILE: &str = "https://datapackage.org/profiles/2.0/tableschema.json";

/// The columns of the index.
pub(super) const INDEX_COLUMNS: [&str; 3] = ["edition", "month", "game"];

/// Columns with names from boards and rulesets. An operator can add boards and rulesets.
const CONTENT: [&str; 7] = [
    "edition",
    "board",
    "nation",
    "owner_before",
    "region",
    "know_how",
    "card",
];

/// The values of these columns: those of the library and those found in facts.
pub(super) struct ContentWords(BTreeMap<&'static str, BTreeSet<String>>);

impl ContentWords {
    /// Collects the values in a library.
    pub(super) fn new(library: &Library) -> ContentWords {
        let boards = || library.boards().map(|board| &board.data);
        let nations = || library.boards().flat_map(|board| board.nations());
        let rulesets = || library.rulesets().map(|ruleset| &ruleset.data);
        let regions = boards().flat_map(|board| &board.regions);
        let know_hows = rulesets().flat_map(|ruleset| &ruleset.know_how);
        let decks = rulesets().filter_map(|ruleset| ruleset.cards.as_ref());
        let cards = decks.flat_map(|cards| &cards.deck);
        let words = CONTENT.iter().zip([
            rulesets().map(|ruleset| ruleset.edition.clone()).collect(),
            boards().map(|board| board.id.clone()).collect(),
            nations().map(str::to_owned).collect(),
            nations().map(str::to_owned).collect(),
            regions.map(|region| region.id.clone()).collect(),
            know_hows.map(|know_how| know_how.id.clone()).collect(),
            cards.map(|card| card.id.clone()).collect(),
        ]);
        ContentWords(words.map(|(column, words)| (*column, words)).collect())
    }

    /// Adds the values in facts, which can come from an operator's boards and rulesets.
    ///
    /// # Errors
    /// If a column does not contain texts.
    pub(super) fn add(&mut self, facts: &Facts) -> PolarsResult<()> {
        for (_, frame) in facts.tables() {
            for (name, words) in &mut self.0 {
                if let Ok(column) = frame.column(name) {
                    let found = column.str()?.unique()?;
                    words.extend(found.iter().flatten().map(str::to_owned));
                }
            }
        }
        Ok(())
    }

    /// Returns the values of a column; none for other columns.
    fn get(&self, column: &str) -> Vec<&str> {
        let words = self.0.get(column).into_iter().flatten();
        words.map(String::as_str).collect()
    }
}

/// Returns the Table Schema of a table. The columns of the partitions are in the paths.
pub(super) fn table_schema(table: FactTable, content: &ContentWords) -> Value {
    let columns = table.columns().iter().zip(table.optional());
    let own = columns.filter(|(column, _)| !PARTITIONS.contains(&column.name));
    let fields = own.map(|(column, is_optional)| {
        let words = [content.get(column.name), words(table, column.name)].concat();
        field(column, *is_optional, words)
    });
    let mut schema = schema(table.meaning(), fields.collect(), table.primary_key());
    schema["partitions"] = json!(PARTITIONS);
    // Over-the-board results have no row in `games`.
    if table != FactTable::Results {
        let reference = json!({"resource": INDEX, "fields": ["game"]});
        schema["foreignKeys"] = json!([{"fields": ["game"], "reference": reference}]);
    }
    schema
}

/// Returns the Table Schema of the index.
pub(super) fn index_schema(content: &ContentWords) -> Value {
    let fields = index_columns().map(|column| field(column, false, content.get(column.name)));
    let meaning = "One row a game, to which the foreign keys of all tables refer.";
    schema(meaning, fields.collect(), &["game"])
}

/// Lists the columns of the index.
pub(super) fn index_columns() -> impl Iterator<Item = &'static ColumnInfo> {
    let columns = FactTable::Games.columns().iter();
    columns.filter(|column| INDEX_COLUMNS.contains(&column.name))
}

fn schema(description: &str, fields: Vec<Value>, primary_key: &[&str]) -> Value {
    let mut schema = json!({
        "$schema": PROFILE,
        "description": description,
        "fields": fields,
        // Parquet has nulls, and an empty text is a value.
        "missingValues": [],
    });
    if !primary_key.is_empty() {
        schema["primaryKey"] = json!(primary_key);
    }
    schema
}

fn field(column: &ColumnInfo, is_optional: bool, words: Vec<&str>) -> Value {
    let kind = match column.kind {
        ColumnType::Text => "string",
        ColumnType::Count | ColumnType::Offset => "integer",
        ColumnType::Number => "number",
        ColumnType::Flag => "boolean",
        ColumnType::Time => "datetime",
        ColumnType::Texts => "any",
    };
    let mut constraints = json!({});
    if !is_optional {
        constraints["required"] = json!(true);
    }
    if kind == "integer" {
        constraints["minimum"] = json!(0);
    }
    if !words.is_empty() {
        constraints["enum"] = json!(words);
    }
    let mut field = json!({
        "name": column.name,
        "type": kind,
        "description": column.meaning,
        "constraints": constraints,
    });
    if !column.unit.is_empty() {
        field["unit"] = json!(column.unit);
    }
    if is_optional && kind == "integer" {
        field["missingValues"] = json!(["nan"]);
    }
    field
}

/// Returns the values of a column with a fixed set of values; none for other columns.
fn words(table: FactTable, column: &str) -> Vec<&'static str> {
    match column {
        "reason" => names(EndReason::ALL),
        "field" => names(Field::ALL),
        stop if STOP_COLUMNS.contains(&stop) => names(Field::ALL),
        "personage" => names(Personage::ALL),
        "leading_kind" => [names(Personage::ALL), vec![EVEN]].concat(),
        "opening" => names(Opening::VARIANTS),
        "source" => names(Source::VARIANTS),
        "play" => names(Opponents::VARIANTS),
        "time_control" => names(TimeControl::VARIANTS),
        "opponents" => [names(Opponents::VARIANTS), vec![NO_OPPONENTS]].concat(),
        "player_kind" => PlayerKind::VARIANTS
            .iter()
            .map(|kind| kind.name())
            .collect(),
        "temperament" => {
            let temperaments = BOTS.iter().filter_map(|bot| bot.temperament);
            temperaments
                .map(|(_, temperament)| temperament.name())
                .collect()
        }
        "cause" => names(Cause::VARIANTS),
        "act" if table == FactTable::Cards => names(Act::VARIANTS),
        "act" => names(CityAct::VARIANTS),
        _ => Vec::new(),
    }
}

fn names<T: Copy + Into<&'static str>>(all: &[T]) -> Vec<&'static str> {
    all.iter().map(|word| (*word).into()).collect()
}
