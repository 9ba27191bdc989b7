//! The tree of openings: a node is the nations whose first stops on the rondel were those of the
//! path, its children are their next stops.

use polars::prelude::*;

use super::measure::{Added, FORMAT, Measure, TableShape};
use super::rates::{self, RATE_COLUMNS, rated};
use super::summary::{
    ALL_BY_BOT, Kept, RATES, SEAT_BOT, SqlRows, Summary, SummaryRows, SummarySource, joined,
    of_nation, together, union,
};
use crate::facts::{ColumnInfo, FactTable, STOP_COLUMNS, columns};
use crate::question::Filters;

/// Win rates along the first stops on the rondel.
pub static OPENINGS_TREE: Measure = Measure {
    name: "openings_tree",
    path: "openings/tree",
    label: "Openings",
    meaning: "Win rates along the first stops on the rondel: a node is the nations whose first stops were those of the \
        path, its children are their next stops. `path` names the stops so far, such as `marble,temple`; `children` \
        are the next ones, with what was done there and the id of a game as an example, and have `children` of their \
        own with `levels=2` or `levels=3`. As SVG it is a tree, of three levels unless `levels` says otherwise. `q` \
        is of the nodes, and apart from them of the next stops.",
    keys: &KEYS,
    figures: &[&RATE_COLUMNS, &EXAMPLE_COLUMN, &DONE],
    sums: &[(&ALL_BY_BOT, &[]), (&BY_STOPS, &["since", "field"])],
    finish: rows,
    takes: &["levels"],
    shape: TableShape::Tree,
    ..rates::MEASURE
};

static BY_STOPS: Summary = Summary {
    name: "stops",
    keys: &[SEAT_BOT, "since", "field"],
    sums: &names(&DONE),
    rows: SummaryRows::Nations(stops),
    sql: Some(SqlRows::new(sql_rows)),
    kept: Kept::InMemory,
    has_example: true,
    ..RATES
};

const KEYS: [ColumnInfo; 2] = columns! {
    /// The first stops on the rondel, joined by commas.
    path: Text, "";
    /// A next stop; null in the row of the node itself.
    field: Text, "";
};

/// The column with a game as an example.
pub(super) const EXAMPLE_COLUMN: [ColumnInfo; 1] = columns! {
    /// The id of one of these games, as an example; another name when none of them is in lists.
    example: Text, "";
};

/// What was done at a child's stop, on average. In the summary they are sums, of these columns of `turns`.
pub(crate) const DONE: [ColumnInfo; 8] = columns! {
    /// Mean number of chips produced at the stop.
    produced: Number, "chips a nation";
    /// Mean number of temples built at the stop.
    temples: Number, "temples a nation";
    /// Mean number of town walls built at the stop.
    walls: Number, "walls a nation";
    /// Mean number of units armed at the stop.
    units: Number, "units a nation";
    /// Mean number of units recruited at the stop.
    recruited: Number, "units a nation";
    /// Mean number of know-hows developed at the stop.
    know_hows: Number, "know-hows a nation";
    /// Mean number of cities founded or conquered in the turn.
    cities: Number, "cities a nation";
    /// Mean number of steps paid for.
    extra_steps: Number, "fields a nation";
};

/// The columns of `turns` that each of [`DONE`] adds.
const ADDED: [&[&str]; DONE.len()] = [
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

/// Nations by their next stop, those before it and behind the path, and what was done there.
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
        let sums = DONE.iter().zip(ADDED);
        let sums = sums.map(|(column, columns)| together(columns).alias(column.name));
        let sums: Vec<Expr> = sums.collect();
        let stops = source.seats.clone().select(of_nation(&[since, next]));
        let stops = stops.filter(col("field").is_not_null());
        let by = [col("game"), col("nation")];
        let turns = turns.select(of_nation(&sums));
        stops.join(turns, &by, &by, JoinArgs::new(JoinType::Inner))
    };
    let stops = union(asked.clone().map(of).collect())?;
    Ok(joined(&source.seats, stops))
}

/// The node and [`stops`] in SQL; `field` is empty in the row of the node.
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

/// The node of the filters' path in each format, each followed by its children, and these by theirs where
/// more levels are asked for.
fn rows(added: &Added) -> PolarsResult<DataFrame> {
    let (all, filters) = (added.all, added.filters);
    let path = filters.path.clone().unwrap_or_default();
    let nothing = DONE.map(|column| lit(NULL).cast(DataType::Float64).alias(column.name));
    let nodes = rated([all, all], &[], filters)?
        .lazy()
        .with_column(lit(NULL).cast(DataType::String).alias("field"))
        .with_columns(nothing);
    let mean = |name| (col(name).cast(DataType::Float64) / col("nation_games")).alias(name);
    let means = DONE.map(|column| mean(column.name));
    let children = rated([all, added.own], &["since", "field"], filters)?
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
    // A path comes before those that go on from it.
    let by = [&FORMAT[..], &["path", "field"]].concat();
    union(vec![nodes, children])?
        .sort(by, SortMultipleOptions::default().with_nulls_last(false))
        .collect()
}
