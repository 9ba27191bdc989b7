//! The measure `lengths`: rounds, turns and actions of games.

use std::collections::BTreeMap;

use polars::prelude::*;

use super::measure::{FORMAT, Measure, MeasureSums, RowFigures, TableShape};
use super::rates;
use super::summary::{
    RATES, Summary, SummaryRows, SummarySource, SummaryStorage, integer, union, with_game_columns,
};
use crate::facts::{ColumnInfo, columns};

/// The quantiles, by column.
const QUANTILES: [(&str, f64); 5] = [
    ("q10", 0.1),
    ("q25", 0.25),
    ("median", 0.5),
    ("q75", 0.75),
    ("q90", 0.9),
];

/// The measure `lengths`.
pub static LENGTHS: Measure = Measure {
    name: "lengths",
    path: "lengths",
    label: "Lengths",
    meaning: "How long games are: rounds, turns and actions.",
    keys: &KEYS,
    figures: &[&FIGURES],
    sums: &[(&BY_VALUE, &["quantity", "value"])],
    finish: rows,
    sample: Some("rounds"),
    shape: TableShape::Rows(RowFigures::Lengths),
    group: Some("quantity"),
    ..rates::MEASURE
};

/// Games by length, with the sums of the hashes of their records.
pub(super) static BY_VALUE: Summary = Summary {
    name: "lengths",
    keys: &["quantity", "value"],
    sums: &["games", "content_1", "content_2"],
    rows: SummaryRows::Games(values),
    storage: SummaryStorage::InMemory,
    has_rates: false,
    ..RATES
};

/// The quantities: columns of `games`.
const QUANTITIES: [&str; 3] = ["rounds", "turns", "actions"];

fn values(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let of = |quantity: &str| {
        let half = |name: &str| col(name).cast(DataType::Int64);
        source.games.clone().select(with_game_columns([
            lit(quantity).alias("quantity"),
            col(quantity).alias("value"),
            integer(1).alias("games"),
            half("content_1"),
            half("content_2"),
        ]))
    };
    union(QUANTITIES.map(of).into())
}

const KEYS: [ColumnInfo; 1] = columns! {
    /// The quantity: rounds, turns or actions.
    quantity: Text, "";
};

const OWN: &str = "of the quantity";

const FIGURES: [ColumnInfo; 9] = columns! {
    /// Number of games.
    games: Count, "games";
    /// Mean.
    mean: Number, OWN;
    /// The shortest game.
    min: Number, OWN;
    /// 10% of the games are not longer (interpolated between two games).
    q10: Number, OWN;
    /// 25% of the games are not longer.
    q25: Number, OWN;
    /// Half of the games are not longer.
    median: Number, OWN;
    /// 75% of the games are not longer.
    q75: Number, OWN;
    /// 90% of the games are not longer.
    q90: Number, OWN;
    /// The longest game.
    max: Number, OWN;
};

/// Values, each with the number of games that have it, in ascending order.
type Values = BTreeMap<u32, u32>;

/// Builds three rows for each format.
fn rows(added: &MeasureSums) -> PolarsResult<DataFrame> {
    let by = [&FORMAT[..], &["quantity_index", "value"]].concat();
    let index = QUANTITIES
        .iter()
        .zip(0u32..)
        .fold(lit(0u32), |index, (name, number)| {
            when(col("quantity").eq(lit(*name)))
                .then(lit(number))
                .otherwise(index)
        });
    let sums = added.own.clone().lazy();
    let sums = sums.with_column(index.alias("quantity_index"));
    let sums = sums.sort(by, SortMultipleOptions::default()).collect()?;
    let keys = [&FORMAT[..], &["quantity"]].concat();
    let (values, games) = (sums.column("value")?.u32()?, sums.column("games")?.i64()?);
    // Rows of one format and quantity are adjacent; each group begins at one of these rows.
    let mut groups: Vec<(IdxSize, Values)> = Vec::new();
    let mut firsts = first_rows(&sums, &keys)?.into_iter().peekable();
    for row in 0..sums.height() {
        if firsts.next_if_eq(&row).is_some() {
            groups.push((row as IdxSize, Values::new()));
        }
        let count = games.get(row).unwrap_or_default() as u32;
        if let Some((_, own)) = groups.last_mut() {
            *own.entry(values.get(row).unwrap_or_default()).or_default() += count;
        }
    }
    groups.retain(|(_, values)| number_of_games(values) >= added.filters.min_games.unwrap_or(0));
    let firsts = groups.iter().map(|(row, _)| *row);
    let mut frame = sums.select(keys.iter().copied())?;
    frame = frame.take(&IdxCa::from_vec("row".into(), firsts.collect()))?;
    let numbers = |name: &str, number: &dyn Fn(&Values) -> f64| {
        let numbers = groups.iter().map(|(_, values)| number(values));
        Float64Chunked::from_iter_values(name.into(), numbers).into_column()
    };
    let counts = groups.iter().map(|(_, values)| number_of_games(values));
    let mut columns = vec![
        UInt32Chunked::from_iter_values("games".into(), counts).into_column(),
        numbers("mean", &mean),
        numbers("min", &|values| quantile(values, 0.0)),
        numbers("max", &|values| quantile(values, 1.0)),
    ];
    columns.extend(QUANTILES.map(|(name, part)| numbers(name, &|values| quantile(values, part))));
    for column in columns {
        frame.with_column(column)?;
    }
    added.select(frame.lazy()).collect()
}

/// Returns the numbers of the rows at which the values of these columns change.
fn first_rows(frame: &DataFrame, keys: &[&str]) -> PolarsResult<Vec<usize>> {
    let columns = keys.iter().map(|key| frame.column(key));
    let columns = columns.collect::<PolarsResult<Vec<&Column>>>()?;
    let mut firsts = Vec::new();
    for row in 0..frame.height() {
        let mut same = row > 0;
        for column in &columns {
            same = same && column.get(row - 1)? == column.get(row)?;
        }
        if !same {
            firsts.push(row);
        }
    }
    Ok(firsts)
}

fn number_of_games(values: &BTreeMap<u32, u32>) -> u32 {
    values.values().sum()
}

fn mean(values: &BTreeMap<u32, u32>) -> f64 {
    let each = values
        .iter()
        .map(|(value, games)| u64::from(*value) * u64::from(*games));
    each.sum::<u64>() as f64 / f64::from(number_of_games(values))
}

/// Returns the quantile, interpolated between two games.
fn quantile(values: &BTreeMap<u32, u32>, part: f64) -> f64 {
    let place = f64::from(number_of_games(values).saturating_sub(1)) * part;
    let value_at = |place: f64| {
        let mut before = 0.0;
        let value = values.iter().find(|(_, games)| {
            before += f64::from(**games);
            place < before
        });
        value.map_or(0.0, |(value, _)| f64::from(*value))
    };
    let (low, high) = (value_at(place.floor()), value_at(place.ceil()));
    low + (high - low) * place.fract()
}
