//! The measure `openings_tree`: win rates by the first rondel spaces, as a tree.
//!
//! A node contains the nations that began with the rondel spaces of its path. Its children are divided by the next rondel space.

use polars::prelude::*;

use super::measure::{FORMAT, Measure, MeasureSums, TableShape};
use super::rates::{self, RATE_COLUMNS, rates_of_one_family};
use super::summary::{
    ALL_BY_BOT, RATES, SEAT_BOT, SqlRows, Summary, SummaryRows, SummarySource, SummaryStorage,
    joined, sum_columns, union, with_nation_columns,
};
use crate::facts::{ColumnInfo, FactTable, STOP_COLUMNS, columns};
use crate::question::Filters;

/// Win rates along the first stops on the rondel.
pub static OPENINGS_TREE: Measure = Measure {
    name: "openings_tree",
    path: "openings/tree",
    label: "Openings",
    meaning: "Win rates by the first rondel spaces: a node contains the nations that began with the spaces of its path. \
        `path` lists these spaces, such as `marble,temple`. `children` contains the next spaces, with means of \
        what was done there and the id of a game as an example. With `levels=2` or `levels=3`, children have \
        `children` too. As SVG it is a tree of three levels, or as many as `levels` says. `q` compares the nodes, \
        and separately the next spaces.",
    keys: &KEYS,
    figures: &[&RATE_COLUMNS, &EXAMPLE_COLUMN, &TURN_MEANS],
    sums: &[(&ALL_BY_BOT, &[]), (&BY_STOPS, &["since", "field"])],
    finish: rows,
    takes: &["levels"],
    shape: TableShape::Tree,
    ..rates::MEASURE
};

static BY_STOPS: Summary = Summary {
    name: "stops",
    keys: &[SEAT_BOT, "since", "field"],
    sums: &names(&TURN_MEANS),
    rows: SummaryRows::Nations(stops),
    sql: Some(SqlRows::new(sql_rows)),
    storage: SummaryStorage::InMemory,
    has_example: true,
    ..RATES
};

const KEYS: [ColumnInfo; 2] = columns! {
    /// The first rondel spaces, joined by commas.
    path: Text, "";
    /// The next rondel space; null in the row of the node itself.
    field: Text, "";
};

/// The column with an example.
pub(super) const EXAMPLE_COLUMN: [ColumnInfo; 1] = columns! {
    /// The id of one of these games, as an example; a shared placeholder if none of them is public.
    example: Text, "";
};

/// Means of what the nation did in the turn of a child.
/// In the summary these are sums of columns of `turns`.
pub(crate) const TURN_MEANS: [ColumnInfo; 8] = columns! {
    /// Mean number of chips produced in the turn.
    produced: Number, "chips a nation";
    /// Mean number of temples built in the turn.
    temples: Number, "temples a nation";
    /// Mean number of town walls built in the turn.
    walls: Number, "walls a nation";
    /// Mean number of units armed in the turn.
    units: Number, "units a nation";
    /// Mean number of units recruited in the turn.
    recruited: Number, "units a nation";
    /// Mean number of know-hows developed in the turn.
    know_hows: Number, "know-hows a nation";
    /// Mean number of cities founded or conquered in the turn.
    cities: Number, "cities a nation";
    /// Mean number of extra steps paid for.
    extra_steps: Number, "fields a nation";
};

/// The columns of `turns` that each of [`TURN_MEANS`] adds up.
const ADDED: [&[&str]; TURN_MEANS.len()] = [
    &["chips_produced"],
    &["temples_built"],
    &["walls_built"],
    &["units_armed"],
    &["units_recruited"],
    &["know_hows_developed"],
    &["cities_founded", "cities_conquered"],
    &["extra_steps"],
];

const fn names<const COUNT: usize>(columns: &[ColumnInfo; COUNT]) -> [&'static str; COUNT] {
    let mut names = [""; COUNT];
    let mut index = 0;
    while index < COUNT {
        names[index] = columns[index].name;
        index += 1;
    }
    names
}

/// Returns each nation with its next space, the spaces since the path, and what it did in the turn.
fn stops(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let all_turns = source.by_nation(FactTable::Turns)?;
    let asked = source.filters.next_stops();
    let of = |place: usize| {
        let next = col(STOP_COLUMNS[place]).alias("field");
        let before = STOP_COLUMNS[asked.start..place].iter();
        let before = before.map(|name| col(*name));
        let before = before.reduce(|one, next| one + lit(",") + next);
        let since = before.unwrap_or_else(|| lit("")).alias("since");
        let turns = all_turns
            .clone()
            .filter(col("own_turn").eq(lit(place as u32 + 1)));
        let sums = TURN_MEANS.iter().zip(ADDED);
        let sums = sums.map(|(column, columns)| sum_columns(columns).alias(column.name));
        let sums: Vec<Expr> = sums.collect();
        let stops = source
            .seats
            .clone()
            .select(with_nation_columns(&[since, next]));
        let stops = stops.filter(col("field").is_not_null());
        let by = [col("game"), col("nation")];
        let turns = turns.select(with_nation_columns(&sums));
        stops.join(turns, &by, &by, JoinArgs::new(JoinType::Inner))
    };
    let stops = union(asked.clone().map(of).collect())?;
    Ok(joined(&source.seats, stops))
}

/// Returns the SQL query for the node and [`stops`]; `field` is empty in the row of the node.
fn sql_rows(filters: &Filters) -> String {
    let path = filters.path.clone().unwrap_or_default().to_string();
    let asked = filters.next_stops();
    let node = format!("SELECT game, nation, '{path}' AS path, '' AS field FROM passing");
    let stops = asked.clone().map(|place| {
        let path = (!path.is_empty()).then(|| format!("'{path}'"));
        let before = STOP_COLUMNS[asked.start..place].iter();
        let before = path.into_iter().chain(before.map(|name| (*name).to_owned()));
        let path = before.reduce(|one, next| format!("{one} || ',' || {next}"));
        let (path, stop) = (path.unwrap_or("''".to_owned()), STOP_COLUMNS[place]);
        format!("SELECT game, nation, {path} AS path, {stop} AS field FROM passing WHERE {stop} IS NOT NULL")
    });
    let all: Vec<String> = [node].into_iter().chain(stops).collect();
    all.join("\n    UNION ALL ")
}

/// Builds the rows of the node at the path in each format, each followed by its children.
/// With more levels, the children of the children follow.
fn rows(added: &MeasureSums) -> PolarsResult<DataFrame> {
    let (all, filters) = (added.all, added.filters);
    let path = filters.path.clone().unwrap_or_default();
    let nothing = TURN_MEANS.map(|column| lit(NULL).cast(DataType::Float64).alias(column.name));
    let nodes = rates_of_one_family([all, all], &[], filters)?
        .lazy()
        .with_column(lit(NULL).cast(DataType::String).alias("field"))
        .with_columns(nothing);
    let mean = |name| (col(name).cast(DataType::Float64) / col("nation_games")).alias(name);
    let means = TURN_MEANS.map(|column| mean(column.name));
    let children = rates_of_one_family([all, added.own], &["since", "field"], filters)?
        .lazy()
        .with_columns(means);
    let path = path.to_string();
    let since = match path.is_empty() {
        true => col("since"),
        false => when(col("since").eq(lit("")))
            .then(lit(path.clone()))
            .otherwise(lit(format!("{path},")) + col("since")),
    };
    let shape = |frame: LazyFrame, path: Expr| added.select(frame.with_column(path.alias("path")));
    let (nodes, children) = (shape(nodes, lit(path)), shape(children, since));
    // A path comes before the paths that continue it.
    let by = [&FORMAT[..], &["path", "field"]].concat();
    union(vec![nodes, children])?
        .sort(by, SortMultipleOptions::default().with_nulls_last(false))
        .collect()
}
