//! How long games are.

use std::collections::BTreeMap;

use polars::prelude::*;

use super::FORMAT;
use super::rates::seat_columns;
use crate::facts::{ColumnInfo, Kind, QUANTITIES};
use crate::filters::Filters;

/// Quantiles shown, by the name of their column.
const QUANTILES: [(&str, f64); 5] = [
    ("q10", 0.1),
    ("q25", 0.25),
    ("median", 0.5),
    ("q75", 0.75),
    ("q90", 0.9),
];

/// The columns of the result table.
pub(super) fn columns() -> Vec<ColumnInfo> {
    let number = |name, meaning| ColumnInfo {
        name,
        kind: Kind::Number,
        unit: "of the quantity",
        meaning,
    };
    let quantity = ColumnInfo {
        name: "quantity",
        kind: Kind::Text,
        unit: "",
        meaning: "What is counted in a game: rounds, turns or actions.",
    };
    let count = ColumnInfo {
        name: "games",
        kind: Kind::Count,
        unit: "games",
        meaning: "Number of games.",
    };
    let numbers = [
        number("mean", "Mean."),
        number("min", "The shortest game."),
        number(
            "q10",
            "10% of games are no longer (between two games interpolated).",
        ),
        number("q25", "25% of games are no longer."),
        number("median", "Half of the games are no longer."),
        number("q75", "75% of games are no longer."),
        number("q90", "90% of games are no longer."),
        number("max", "The longest game."),
    ];
    [quantity]
        .into_iter()
        .chain(seat_columns(&FORMAT))
        .chain([count])
        .chain(numbers)
        .collect()
}

/// What was counted in games of a format, each value with how many games had it, from the shortest.
type Lengths = BTreeMap<(String, String, u32), [BTreeMap<u32, u32>; QUANTITIES.len()]>;

/// Three rows a format.
pub(super) fn rows(sums: Vec<DataFrame>, filters: &Filters) -> PolarsResult<DataFrame> {
    let formats = lengths(&sums[0])?;
    let rows: Vec<_> = formats
        .iter()
        .flat_map(|(format, quantities)| {
            let quantities = QUANTITIES.into_iter().zip(quantities);
            quantities.map(move |(quantity, values)| (format, quantity, values))
        })
        .filter(|(.., values)| number_of_games(values) >= filters.min_games.unwrap_or(0))
        .collect();
    let texts = |name: &str, text: fn(&(String, String, u32)) -> &str| {
        let texts = rows.iter().map(|(format, ..)| text(format));
        StringChunked::from_iter_values(name.into(), texts).into_column()
    };
    let counts = |name: &str, count: &dyn Fn(u32, &BTreeMap<u32, u32>) -> u32| {
        let counts = rows
            .iter()
            .map(|(format, _, values)| count(format.2, values));
        UInt32Chunked::from_iter_values(name.into(), counts).into_column()
    };
    let numbers = |name: &str, number: &dyn Fn(&BTreeMap<u32, u32>) -> f64| {
        let numbers = rows.iter().map(|(.., values)| number(values));
        Float64Chunked::from_iter_values(name.into(), numbers).into_column()
    };
    let quantity = rows.iter().map(|(_, quantity, _)| *quantity);
    let mut columns = vec![
        StringChunked::from_iter_values("quantity".into(), quantity).into_column(),
        texts("edition", |format| &format.0),
        texts("board", |format| &format.1),
        counts("nations", &|nations, _| nations),
        counts("games", &|_, values| number_of_games(values)),
        numbers("mean", &mean),
        numbers("min", &|values| quantile(values, 0.0)),
        numbers("max", &|values| quantile(values, 1.0)),
    ];
    columns.extend(QUANTILES.map(|(name, part)| numbers(name, &|values| quantile(values, part))));
    let names: Vec<&str> = self::columns().iter().map(|column| column.name).collect();
    DataFrame::new(rows.len(), columns)?.select(names)
}

fn lengths(sums: &DataFrame) -> PolarsResult<Lengths> {
    let text = |name: &str| sums.column(name)?.str();
    let number = |name: &str| sums.column(name)?.u32();
    let (editions, boards, nations) = (text("edition")?, text("board")?, number("nations")?);
    let (quantities, values) = (text("quantity")?, number("value")?);
    let games = number("games")?;
    let mut lengths = Lengths::new();
    for row in 0..sums.height() {
        let quantity = QUANTITIES
            .iter()
            .position(|name| quantities.get(row) == Some(name));
        let format = (editions.get(row), boards.get(row), nations.get(row));
        let (Some(quantity), (Some(edition), Some(board), Some(nations))) = (quantity, format)
        else {
            continue;
        };
        let format = (edition.to_owned(), board.to_owned(), nations);
        let values_of = &mut lengths.entry(format).or_default()[quantity];
        let value = values.get(row).unwrap_or_default();
        *values_of.entry(value).or_default() += games.get(row).unwrap_or_default();
    }
    Ok(lengths)
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

/// The value below which a part of the games is; between two games interpolated.
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
