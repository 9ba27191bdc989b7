//! How nations fare by when they had know-hows. Nations that win late develop everything, so that [`super::know_hows`]
//! says little of what a know-how is worth: here games are looked at while they go on, and nations that are equally far
//! are compared.

use polars::prelude::*;

use super::measure::{Added, FORMAT, Measure, picked};
use super::rates::{self, OTHERS, RATE_COLUMNS};
use super::summary::{
    ALL_BY_BOT, ALL_CLUSTERS, RATES, SEAT_BOT, SqlRows, Summary, SummaryRows, SummarySource,
    joined, nation, of_nation, union,
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
        `expected` is the rate of the other nations that had as many personages by then and not this know-how, each \
        number of personages counted as often as among the nations of the row.",
    caveat: "Nations with as many personages can differ in other ways, such as cities and income: the rates are no \
        experiment.",
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
    rows: SummaryRows::Nations(developed),
    sql: Some(SqlRows {
        is_beside_seats: false,
        ..SqlRows::new(sql_rows)
    }),
    ..RATES
};

const KEYS: [ColumnInfo; 2] = [picked(KnowHowRow::COLUMNS, ["know_how"])[0], TIMING_KEYS[2]];

/// How many of the nations of a row are compared.
const COMPARED: ColumnInfo = columns! {
    /// The part of these nations for which there are others with as many personages; the rest counts as expected.
    compared: Number, "";
}[0];

/// The number of personages in rows of all nations that had a know-how.
const ANY: i32 = -1;

/// The know-how in rows of all nations with so many personages.
const ALL_NATIONS: &str = "";

/// Nations of games that continue after a round by how many personages they had then, all of them and those that had
/// each know-how; the latter also for any number of personages.
fn developed(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let by_round = || of_nation(&[col("by_round")]);
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
    let know_hows = know_hows.select(of_nation(&[col("by_round"), col("know_how")]));
    let developed = nations.clone().join(
        know_hows,
        by_round(),
        by_round(),
        JoinArgs::new(JoinType::Inner),
    );
    let row = |frame: LazyFrame, know_how: Expr, personages: Expr| {
        frame.select(of_nation(&[
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

/// The nations that had each know-how in SQL.
fn sql_rows(_: &Filters) -> String {
    format!(
        "SELECT game, nation, know_how, by_round FROM know_hows JOIN games USING (game) CROSS JOIN {}\n    \
         WHERE round <= by_round AND rounds > by_round",
        sql_rounds()
    )
}

/// A row for each know-how and round of each format.
fn rows(added: &Added) -> PolarsResult<DataFrame> {
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
    // In this order everywhere, so that the sums have the same last digits.
    let sum = |part: Expr| {
        part.sort_by([col("personages")], SortMultipleOptions::default())
            .sum()
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
            (float("nation_games") / (float("nation_games") + col("variance"))).alias(OTHERS),
        ])
        .collect()?;
    rates::rows(&Added {
        own: &own,
        ..*added
    })
}
