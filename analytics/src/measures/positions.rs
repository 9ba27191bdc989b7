//! The measure `positions`: win rates of nations whose turn began in a position.

use polars::prelude::*;

use super::measure::{FORMAT, Measure, MeasureSums, select_columns};
use super::openings_tree::EXAMPLE_COLUMN;
use super::rates::{self, RATE_COLUMNS, rates_of_one_family};
use super::summary::{
    ALL_BY_BOT, RATES, SEAT_BOT, SqlRows, Summary, SummaryRows, SummarySource, SummaryStorage,
    joined, union, with_nation_columns,
};
use super::sums::by_format;
use crate::facts::{ColumnInfo, FactRow, FactTable, TurnRow, columns};
use crate::question::Filters;
use crate::question::condition::Condition;

/// The measure `positions`.
pub static POSITIONS: Measure = Measure {
    name: "positions",
    path: "positions",
    label: "Positions",
    meaning: "Win rates of nations whose turn began in a position, by the next rondel space. `digest` selects the \
        position, as in states and events. Rows show how often it was reached, at which turn, the nation to move, \
        and for each next space (`field`; `all` for the total) the rate and a game as an example. Positions are \
        known from the first eight turns of each nation. A digest includes the round, the turn and everything that \
        is open. In Antike Duellum it includes the open event cards, so few games share a position. `q` compares \
        the positions, and separately the next spaces.",
    keys: &KEYS,
    figures: &[&RATE_COLUMNS, &EXAMPLE_COLUMN],
    sums: &[(&ALL_BY_BOT, &[]), (&BY_STOP, &STOP)],
    finish: rows,
    needs: &["digest"],
    takes: &["digest"],
    ..rates::MEASURE
};

static BY_STOP: Summary = Summary {
    name: "positions",
    keys: &[SEAT_BOT, "nation", "turn", "field"],
    rows: SummaryRows::Nations(turns),
    sql: Some(SqlRows::new(sql_rows)),
    storage: SummaryStorage::Nowhere,
    has_example: true,
    ..RATES
};

const KEYS: [ColumnInfo; 3] = {
    let field = columns! {
        /// The rondel space that the nation moved to in this turn; all in the row of the position itself.
        field: Text, "";
    }[0];
    let [nation, turn] = select_columns(TurnRow::COLUMNS, POSITION);
    [nation, turn, field]
};

/// The columns that identify a position, besides the format.
const POSITION: [&str; 2] = ["nation", "turn"];

/// The columns that identify a next space.
const STOP: [&str; 3] = ["nation", "turn", "field"];

/// The value of `field` for all next spaces together.
const ALL_STOPS: &str = "all";

/// Returns the turns that began in the position, with their rondel spaces.
fn turns(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let digest = source.filters.digest.clone().unwrap_or_default();
    // There are few such turns. Without any, no other table is read.
    let turns = source
        .facts
        .table(FactTable::Turns)?
        .filter(col("digest").eq(lit(digest)))
        .select(with_nation_columns(&[col("turn"), col("field")]))
        .collect()?;
    let nations = turns.column("nation")?.str()?.unique()?;
    let is_one = nations
        .iter()
        .flatten()
        .map(|nation| col("nation").eq(lit(nation)));
    let seats = match is_one.reduce(Expr::or) {
        Some(is_one) => source.seats.clone().filter(is_one),
        None => source.seats.clone().limit(0),
    };
    Ok(joined(&seats, turns.lazy()))
}

/// Returns the SQL query for the turns, once by space and once for all spaces together.
fn sql_rows(filters: &Filters) -> String {
    let digest = filters.digest.as_deref().unwrap_or_default();
    let digest = Condition::text("digest", digest).sql();
    let of = |field: &str| {
        format!("SELECT game, nation, turn, {field} AS field FROM turns WHERE {digest}")
    };
    format!("{}\n    UNION ALL {}", of("field"), of("'all'"))
}

/// Builds the row of the position in each format, followed by its next spaces.
fn rows(added: &MeasureSums) -> PolarsResult<DataFrame> {
    let (all, filters) = (added.all, added.filters);
    // A nation moves to one space in a turn, so sums by space can be added up.
    let whole = by_format(added.own.clone().lazy(), &BY_STOP, &POSITION).collect()?;
    let whole = rates_of_one_family([all, &whole], &POSITION, filters)?.lazy();
    let whole = whole.with_column(lit(ALL_STOPS).alias("field"));
    let stops = rates_of_one_family([all, added.own], &STOP, filters)?.lazy();
    // `all` comes before each space except arming.
    let is_stop = col("field").neq(lit(ALL_STOPS)).alias("is_stop");
    let by = [&FORMAT[..], &POSITION, &["is_stop", "field"]].concat();
    let both = [whole, stops].map(|frame| added.select(frame));
    let both = union(both.into())?.with_column(is_stop);
    added
        .select(both.sort(by, SortMultipleOptions::default()))
        .collect()
}
