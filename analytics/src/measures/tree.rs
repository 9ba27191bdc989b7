//! The tree of openings: a node is the nations whose first stops on the rondel were those of the
//! path, its children are their next stops.

use polars::prelude::*;

use super::FORMAT;
use super::rates::{RATE_COLUMNS, rated, seat_columns};
use crate::facts::{ColumnInfo, Kind};
use crate::filters::Filters;

/// What was done at a child's stop, on average: a column, which is a sum of
/// `STOP_SUMS` before, its unit and meaning.
pub(crate) const DONE: [(&str, &str, &str); 8] = [
    (
        "produced",
        "chips a game",
        "Mean number of chips produced at the stop.",
    ),
    (
        "temples",
        "temples a game",
        "Mean number of temples built at the stop.",
    ),
    (
        "walls",
        "walls a game",
        "Mean number of town walls built at the stop.",
    ),
    (
        "units",
        "units a game",
        "Mean number of units armed at the stop.",
    ),
    (
        "recruited",
        "units a game",
        "Mean number of units recruited at the stop.",
    ),
    (
        "know_hows",
        "know-hows a game",
        "Mean number of know-hows developed at the stop.",
    ),
    (
        "cities",
        "cities a game",
        "Mean number of cities founded or conquered in the turn.",
    ),
    (
        "extra_steps",
        "fields a game",
        "Mean number of steps paid for.",
    ),
];

/// The columns of the flat form.
pub(super) fn columns() -> Vec<ColumnInfo> {
    let text = |name, meaning| ColumnInfo {
        name,
        kind: Kind::Text,
        unit: "",
        meaning,
    };
    let own = [
        text("path", "The first stops on the rondel, joined by commas."),
        text("field", "A next stop; null in the row of the node itself."),
    ];
    let done = DONE.iter().map(|(name, unit, meaning)| ColumnInfo {
        name,
        kind: Kind::Number,
        unit,
        meaning,
    });
    own.into_iter()
        .chain(seat_columns(&FORMAT))
        .chain(RATE_COLUMNS)
        .chain(done)
        .collect()
}

/// The node of the filters' path in each format, each followed by its children.
pub(super) fn rows(sums: Vec<DataFrame>, filters: &Filters) -> PolarsResult<DataFrame> {
    let path = filters.path.clone().unwrap_or_default();
    let nothing = DONE.map(|(name, ..)| lit(NULL).cast(DataType::Float64).alias(name));
    let nodes = rated(&sums[0], filters)?
        .lazy()
        .with_column(lit(NULL).cast(DataType::String).alias("field"))
        .with_columns(nothing);
    let means =
        DONE.map(|(name, ..)| (col(name).cast(DataType::Float64) / col("games")).alias(name));
    let children = rated(&sums[1], filters)?.lazy().with_columns(means);
    let names: Vec<Expr> = columns().iter().map(|column| col(column.name)).collect();
    let shape = |frame: LazyFrame| {
        let path = lit(path.to_string()).alias("path");
        frame.with_column(path).select(names.clone())
    };
    let by = [&FORMAT[..], &["field"]].concat();
    concat([shape(nodes), shape(children)], UnionArgs::default())?
        .sort(by, SortMultipleOptions::default().with_nulls_last(false))
        .collect()
}
