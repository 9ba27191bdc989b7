//! The tree of openings: a node is the nations whose first stops on the rondel were those of the
//! path, its children are their next stops.

use polars::prelude::*;

use super::rates::{RATE_COLUMNS, rated};
use super::{FORMAT, format_columns};
use crate::facts::{ColumnInfo, EXAMPLE, Kind};
use crate::filters::Filters;

/// What was done at a child's stop, on average: a column, which is a sum of
/// `STOP_SUMS` before, its unit and meaning.
pub(crate) const DONE: [(&str, &str, &str); 8] = [
    (
        "produced",
        "chips a nation",
        "Mean number of chips produced at the stop.",
    ),
    (
        "temples",
        "temples a nation",
        "Mean number of temples built at the stop.",
    ),
    (
        "walls",
        "walls a nation",
        "Mean number of town walls built at the stop.",
    ),
    (
        "units",
        "units a nation",
        "Mean number of units armed at the stop.",
    ),
    (
        "recruited",
        "units a nation",
        "Mean number of units recruited at the stop.",
    ),
    (
        "know_hows",
        "know-hows a nation",
        "Mean number of know-hows developed at the stop.",
    ),
    (
        "cities",
        "cities a nation",
        "Mean number of cities founded or conquered in the turn.",
    ),
    (
        "extra_steps",
        "fields a nation",
        "Mean number of steps paid for.",
    ),
];

/// The column with a game as an example.
pub(super) const EXAMPLE_COLUMN: ColumnInfo = ColumnInfo {
    name: EXAMPLE,
    kind: Kind::Text,
    unit: "",
    meaning: "The id of one of these games, as an example; another name when none of them is in lists.",
};

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
        .chain(format_columns())
        .chain(RATE_COLUMNS)
        .chain([EXAMPLE_COLUMN])
        .chain(done)
        .collect()
}

/// The node of the filters' path in each format, each followed by its children, and these by theirs where
/// more levels are asked for.
pub(super) fn rows([all, sums]: [&DataFrame; 2], filters: &Filters) -> PolarsResult<DataFrame> {
    let path = filters.path.clone().unwrap_or_default();
    let nothing = DONE.map(|(name, ..)| lit(NULL).cast(DataType::Float64).alias(name));
    let nodes = rated([all, all], &[], filters)?
        .lazy()
        .with_column(lit(NULL).cast(DataType::String).alias("field"))
        .with_columns(nothing);
    let means = DONE
        .map(|(name, ..)| (col(name).cast(DataType::Float64) / col("nation_games")).alias(name));
    let children = rated([all, sums], &["since", "field"], filters)?
        .lazy()
        .with_columns(means);
    let names: Vec<Expr> = columns().iter().map(|column| col(column.name)).collect();
    let path = path.to_string();
    let since = match path.is_empty() {
        true => col("since"),
        false => when(col("since").eq(lit("")))
            .then(lit(path.clone()))
            .otherwise(lit(format!("{path},")) + col("since")),
    };
    let shape = |frame: LazyFrame, path: Expr| {
        let path = path.alias("path");
        frame.with_column(path).select(names.clone())
    };
    let (nodes, children) = (shape(nodes, lit(path)), shape(children, since));
    // A path comes before those that go on from it.
    let by = [&FORMAT[..], &["path", "field"]].concat();
    concat([nodes, children], UnionArgs::default())?
        .sort(by, SortMultipleOptions::default().with_nulls_last(false))
        .collect()
}
