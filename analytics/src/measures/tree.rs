//! The tree of openings: a node is the nations whose first stops on the rondel were those of the
//! path, its children are their next stops.

use polars::prelude::*;

use super::rates::{RATE_COLUMNS, rate_by, seat_columns};
use super::{FORMAT, seats};
use crate::facts::{ColumnInfo, Kind, LazyFacts, STOP_COLUMNS};
use crate::filters::Filters;

/// What was done at a child's stop, on average: the column here, the columns of `turns` that are
/// summed, unit, meaning.
pub(crate) const DONE: [(&str, &[&str], &str, &str); 8] = [
    (
        "produced",
        &["chips_produced"],
        "chips a game",
        "Mean number of chips produced at the stop.",
    ),
    (
        "temples",
        &["temples_built"],
        "temples a game",
        "Mean number of temples built at the stop.",
    ),
    (
        "walls",
        &["walls_built"],
        "walls a game",
        "Mean number of town walls built at the stop.",
    ),
    (
        "units",
        &["units_armed"],
        "units a game",
        "Mean number of units armed at the stop.",
    ),
    (
        "recruited",
        &["units_recruited"],
        "units a game",
        "Mean number of units recruited at the stop.",
    ),
    (
        "know_hows",
        &["know_hows_developed"],
        "know-hows a game",
        "Mean number of know-hows developed at the stop.",
    ),
    (
        "cities",
        &["cities_founded", "cities_conquered"],
        "cities a game",
        "Mean number of cities founded or conquered in the turn.",
    ),
    (
        "extra_steps",
        &["extra_steps"],
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
    let done = DONE.iter().map(|(name, _, unit, meaning)| ColumnInfo {
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
pub(super) fn rows(facts: &LazyFacts, filters: &Filters) -> PolarsResult<DataFrame> {
    let path = filters.path.clone().unwrap_or_default();
    let depth = path.fields().len();
    // A path leaves room for one more stop.
    let next = STOP_COLUMNS[depth];
    let nations = seats(facts, filters);

    let nodes = rate_by(nations.clone(), &[], &[], filters)?.lazy();
    let nothing = DONE.map(|(name, ..)| lit(NULL).cast(DataType::Float64).alias(name));
    let nodes = nodes
        .with_column(lit(NULL).cast(DataType::String).alias("field"))
        .with_columns(nothing);

    let done = DONE.map(|(name, columns, ..)| {
        let sum = columns
            .iter()
            .map(|column| col(*column))
            .reduce(|a, b| a + b);
        sum.unwrap_or(lit(0u32)).alias(name)
    });
    let turns = facts
        .turns
        .clone()
        .filter(col("own_turn").eq(lit(depth as u32 + 1)))
        .select([&[col("game"), col("nation")], &done[..]].concat());
    // Only what is needed: `seats` has columns of the same names as the sums.
    let needed = ["game", "nation", "share", "expected", next];
    let needed = FORMAT.iter().chain(&needed).map(|name| col(*name));
    let nations = nations.select(needed.collect::<Vec<Expr>>());
    let children = nations.filter(col(next).is_not_null()).join(
        turns,
        [col("game"), col("nation")],
        [col("game"), col("nation")],
        JoinArgs::new(JoinType::Inner),
    );
    let sums = DONE.map(|(name, ..)| col(name).sum());
    let children = rate_by(children, &[next], &sums, filters)?.lazy();
    let means =
        DONE.map(|(name, ..)| (col(name).cast(DataType::Float64) / col("games")).alias(name));
    let children = children.with_columns(means).rename([next], ["field"], true);

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
