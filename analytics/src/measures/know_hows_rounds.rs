//! The measure `know_hows_rounds`: win rates by know-hows at the end of a round.
//!
//! Nations that win late develop everything, so the rates of [`super::know_hows`] do not show the value of a
//! know-how. This measure therefore compares nations in games that continue, and only nations with the same number
//! of personages.

use polars::prelude::*;

use super::measure::{FORMAT, Measure, MeasureSums, select_columns};
use super::rates::{self, OTHERS, RATE_COLUMNS};
use super::summary::{
    ALL_BY_BOT, ALL_CLUSTERS, RATES, SEAT_BOT, SqlRows, Summary, SummaryRows, SummarySource,
    joined, nation, union, with_nation_columns,
};
use super::timing::{KEYS as TIMING_KEYS, one, rounds, sql_rounds};
use crate::facts::{ColumnInfo, FactRow, FactTable, KnowHowRow, columns};
use crate::question::Filters;

/// Win rates of nations that had each know-how by the end of a round.
pub static KNOW_HOWS_ROUNDS: Measure = Measure {
    name: "know_hows_rounds",
    path: "know-hows/rounds",
    label: "Know-how by round",
    meaning: "Win rates of nations that had each know-how by the end of a round, in games that continued after it. \
        `expected` is the rate of other nations that had as many personages by then and not this know-how. Numbers \
        of personages have the same weights as in the row.",
    caveat: "Nations with as many personages can differ in other ways, such as cities and income. The rates show a \
        correlation, not a cause.",
    keys: &KEYS,
    figures: &[&[COMPARED], &RATE_COLUMNS],
    sums: &[
        (&ALL_BY_BOT, &[]),
        (&BY_ROUND, &["know_how", "by_round", "personages"]),
    ],
    finish: rows,
    ..rates::MEASURE
};

static BY_ROUND: Summary = Summary {
    name: "know_hows_rounds",
    keys: &[SEAT_BOT, "know_how", "by_round", "personages"],
    rows: SummaryRows::Nations(nations_by_round),
    sql: Some(SqlRows {
        is_against_seats: false,
        ..SqlRows::new(sql_rows)
    }),
    ..RATES
};

const KEYS: [ColumnInfo; 2] = [
    select_columns(KnowHowRow::COLUMNS, ["know_how"])[0],
    TIMING_KEYS[2],
];

/// The column for the number of compared nations.
const COMPARED: ColumnInfo = columns! {
    /// The part of these nations that are compared with others that have as many personages.
    /// For the rest, `expected` is their own rate, so that they do not change the lift.
    compared: Number, "";
}[0];

/// The number of personages in rows of all nations that had a know-how.
const ANY: i32 = -1;

/// The know-how in rows of all nations with a number of personages.
const ALL_NATIONS: &str = "";

/// Returns the nations in games that continue after a round, by number of personages.
/// There are rows for all nations and for those with each know-how; the latter also for any number of personages.
fn nations_by_round(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let by_round = || with_nation_columns(&[col("by_round")]);
    let by_rounds = |table: FactTable| -> PolarsResult<LazyFrame> {
        let rows = source.by_nation(table)?.with_column(one());
        let rows = rows.inner_join(rounds()?, col("one"), col("one"));
        Ok(rows.filter(col("round").lt_eq(col("by_round"))))
    };
    let running = source
        .games
        .clone()
        .select([col("game"), col("rounds"), one()])
        .inner_join(rounds()?, col("one"), col("one"))
        .filter(col("rounds").gt(col("by_round")))
        .select([col("game"), col("by_round")]);
    let personages = by_rounds(FactTable::Awards)?.group_by(by_round());
    let personages = personages.agg([len().cast(DataType::Int32).alias("personages")]);
    let nations = source
        .seats
        .clone()
        .select(nation())
        .inner_join(running, col("game"), col("game"))
        .join(
            personages,
            by_round(),
            by_round(),
            JoinArgs::new(JoinType::Left),
        )
        .with_column(col("personages").fill_null(lit(0)));
    let know_hows = by_rounds(FactTable::KnowHows)?;
    let know_hows = know_hows.select(with_nation_columns(&[col("by_round"), col("know_how")]));
    let developed = nations.clone().join(
        know_hows,
        by_round(),
        by_round(),
        JoinArgs::new(JoinType::Inner),
    );
    let row = |frame: LazyFrame, know_how: Expr, personages: Expr| {
        frame.select(with_nation_columns(&[
            know_how.alias("know_how"),
            col("by_round"),
            personages.alias("personages"),
        ]))
    };
    let rows = union(vec![
        row(nations, lit(ALL_NATIONS), col("personages")),
        row(developed.clone(), col("know_how"), col("personages")),
        row(developed, col("know_how"), lit(ANY)),
    ])?;
    Ok(joined(&source.seats, rows))
}

/// Returns the SQL query for the nations that had each know-how.
fn sql_rows(_: &Filters) -> String {
    format!(
        "SELECT game, nation, know_how, by_round FROM know_hows JOIN games USING (game) CROSS JOIN {}\n    \
         WHERE round <= by_round AND rounds > by_round",
        sql_rounds()
    )
}

/// Builds a row for each know-how and round of each format.
fn rows(added: &MeasureSums) -> PolarsResult<DataFrame> {
    let own = added.own.clone().lazy();
    let float = |name: &str| col(name).cast(DataType::Float64);
    let by = |names: &[&str]| -> Vec<Expr> {
        let names = FORMAT.iter().chain(names);
        names.map(|name| col(*name)).collect()
    };
    let inner = || JoinArgs::new(JoinType::Inner);
    let is_of_all = || col("know_how").eq(lit(ALL_NATIONS));
    let is_of_any = || col("personages").eq(lit(ANY));
    let sums = own.clone().filter(col("cluster").eq(lit(ALL_CLUSTERS)));
    let stratum = ["by_round", "personages"];
    let all = [
        float("nation_games").alias("all_nations"),
        float("wins").alias("all_wins"),
    ];
    let all = sums
        .clone()
        .filter(is_of_all())
        .select([by(&stratum), all.to_vec()].concat());
    let others = || col("all_nations") - float("nation_games");
    let has_others = || others().gt(lit(0.0));
    let if_others = |own: Expr, otherwise: Expr| when(has_others()).then(own).otherwise(otherwise);
    let rate = (col("all_wins") - float("wins")) / others();
    let square = float("nation_games") * float("nation_games");
    // Added in a fixed order, so that the last digits are always the same. polars drops the order before `sum`.
    let sum = |part: Expr| {
        part.sort_by([col("personages")], SortMultipleOptions::default())
            .cum_sum(false)
            .last()
    };
    let compared = sums
        .filter(is_of_all().not().and(is_of_any().not()))
        .join(all, by(&stratum), by(&stratum), inner())
        .group_by(by(&["know_how", "by_round"]))
        .agg([
            sum(if_others(rate * float("nation_games"), float("wins"))).alias("others_wins"),
            sum(if_others(float("nation_games"), lit(0.0))).alias("compared"),
            sum(if_others(square / others(), lit(0.0))).alias("variance"),
        ])
        .filter(col("compared").gt(lit(0.0)));
    let keys = ["know_how", "by_round"];
    let own = own
        .filter(is_of_any())
        .join(compared, by(&keys), by(&keys), inner())
        .with_columns([
            col("others_wins").alias("expected"),
            (col("compared") / float("nation_games")).alias("compared"),
            // So many nations would have a rate with this variance.
            (float("nation_games") * float("nation_games") / col("variance")).alias(OTHERS),
        ])
        .collect()?;
    rates::rows(&MeasureSums {
        own: &own,
        ..*added
    })
}
