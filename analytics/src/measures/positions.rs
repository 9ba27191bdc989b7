//! What nations did whose turn began in a position, whichever way it came about.

use polars::prelude::*;

use super::rates::{self, rated};
use super::sums::by_format;
use super::{FORMAT, named, tree};
use crate::facts::{ColumnInfo, FactRow, Summary, TurnRow, columns};
use crate::filters::Filters;

/// What a position is told by, beside the format.
pub(super) const POSITION: [&str; 2] = ["nation", "turn"];

/// What its next stops are told apart by.
pub(super) const STOP: [&str; 3] = ["nation", "turn", "field"];

/// What stands for all next stops together.
const ALL: &str = "all";

/// The columns of the result table.
pub(super) fn columns() -> Vec<ColumnInfo> {
    let field = columns! {
        /// The rondel field that the nation moved to in this turn; all in the row of the position itself.
        field: Text, "";
    }[0];
    let keys = named(TurnRow::COLUMNS, &POSITION);
    let keys = [&keys[..], &[field]].concat();
    [rates::columns(&keys, &[]), vec![tree::EXAMPLE_COLUMN]].concat()
}

/// The position in each format, and behind it the next stops.
pub(super) fn rows(
    [all, sums]: [&DataFrame; 2],
    columns: &[ColumnInfo],
    filters: &Filters,
) -> PolarsResult<DataFrame> {
    let names: Vec<Expr> = columns.iter().map(|column| col(column.name)).collect();
    // A nation makes one stop in a turn, so that what was added up by stops adds up further.
    let whole = by_format(sums.clone().lazy(), Summary::Positions, &POSITION).collect()?;
    let whole = rated([all, &whole], &POSITION, filters)?.lazy();
    let whole = whole.with_column(lit(ALL).alias("field"));
    let stops = rated([all, sums], &STOP, filters)?.lazy();
    // `all` stands before every field but arming.
    let is_stop = col("field").neq(lit(ALL)).alias("is_stop");
    let by = [&FORMAT[..], &POSITION, &["is_stop", "field"]].concat();
    let both = [whole, stops].map(|frame| frame.select(names.clone()));
    concat(both, UnionArgs::default())?
        .with_column(is_stop)
        .sort(by, SortMultipleOptions::default())
        .select(names)
        .collect()
}
