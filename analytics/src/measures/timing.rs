//! The measure `timing`: win rates by personages at the end of a round.

use polars::prelude::*;

use super::measure::{CurveColumns, Measure, TableShape};
use super::rates;
use super::summary::{
    ALL_BY_BOT, RATES, SEAT_BOT, SqlRows, Summary, SummaryRows, SummarySource, integer, joined,
    union, with_nation_columns,
};
use crate::facts::{ColumnInfo, FactTable, columns};
use crate::question::Filters;

/// Win rates of nations that had a number or a kind of personages at the end of a round.
pub static TIMING: Measure = Measure {
    name: "timing",
    path: "timing",
    label: "Timing",
    meaning: "Win rates of nations that had a number or a kind of personages by the end of a round. Only games that \
        continued after the round count, and only numbers below the goal, because the last personage wins the \
        game.",
    keys: &KEYS,
    sums: &[
        (&ALL_BY_BOT, &[]),
        (&BY_ROUND, &["by", "personages", "by_round"]),
    ],
    families: &["by"],
    shape: TableShape::Curves(CurveColumns {
        along: "by_round",
        line: "personages",
        value: "rate",
        about: "Win rates of nations that had a number or a kind of personages by the end of a round",
    }),
    ..rates::MEASURE
};

static BY_ROUND: Summary = Summary {
    name: "timing",
    keys: &[SEAT_BOT, "by", "personages", "by_round"],
    rows: SummaryRows::Nations(awards),
    sql: Some(SqlRows::new(sql_rows)),
    ..RATES
};

pub(super) const KEYS: [ColumnInfo; 3] = columns! {
    /// What nations had: number (of personages) or kind (one of it or more).
    by: Text, "";
    /// The number, or the kind.
    personages: Text, "";
    /// The round at whose end they had it.
    by_round: Count, "rounds";
};

/// The rounds at which nations are compared.
pub(super) const BY_ROUNDS: [u32; 10] = [4, 6, 8, 10, 12, 15, 20, 25, 30, 40];

/// Returns the rounds of [`BY_ROUNDS`] in `by_round`, with the column `one` for a cross join.
pub(super) fn rounds() -> PolarsResult<LazyFrame> {
    let by_round = UInt32Chunked::from_slice("by_round".into(), &BY_ROUNDS);
    let rounds = DataFrame::new(BY_ROUNDS.len(), vec![by_round.into_column()])?;
    Ok(rounds.lazy().with_column(one()))
}

/// Returns a column with the same number in each row, for cross joins.
pub(super) fn one() -> Expr {
    integer(1).alias("one")
}

/// Returns each personage with each later round, whether the game was over (`is_over`), and whether the personage was the
/// last one of the goal (`is_win`). Personages are listed by number and by kind.
pub(super) fn awards_by_round(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let awards = source.by_nation(FactTable::Awards)?.with_column(one());
    let games = source.facts.table(FactTable::Games)?;
    let games = games.select([col("game"), col("goal"), col("rounds")]);
    let awards = awards
        .inner_join(rounds()?, col("one"), col("one"))
        .inner_join(games, col("game"), col("game"))
        .filter(col("round").lt_eq(col("by_round")));
    let of = |awards: LazyFrame, by: &str, personages: Expr| {
        awards.select(with_nation_columns(&[
            lit(by).alias("by"),
            personages.alias("personages"),
            col("by_round"),
            col("rounds").lt_eq(col("by_round")).alias("is_over"),
            col("nth").gt_eq(col("goal")).alias("is_win"),
        ]))
    };
    let first = awards.clone().filter(col("nth_of_kind").eq(lit(1u32)));
    union(vec![
        of(awards, "number", col("nth").cast(DataType::String)),
        of(first, "kind", col("personage")),
    ])
}

/// Returns personages in games that continue after the round, except wins.
fn awards(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let running = awards_by_round(source)?.filter(col("is_over").or(col("is_win")).not());
    Ok(joined(&source.seats, running))
}

/// [`rounds`] in SQL.
pub(super) fn sql_rounds() -> String {
    let rounds = BY_ROUNDS.map(|round| format!("({round})"));
    format!("(VALUES {}) AS all_rounds(by_round)", rounds.join(", "))
}

/// [`awards`] in SQL.
fn sql_rows(_: &Filters) -> String {
    let won = format!(
        "FROM awards JOIN games USING (game) CROSS JOIN {}\n    \
         WHERE round <= by_round AND rounds > by_round AND nth < goal",
        sql_rounds()
    );
    format!(
        "SELECT game, nation, 'number' AS \"by\", CONCAT(nth, '') AS personages, by_round\n    {won}\n    \
         UNION ALL SELECT game, nation, 'kind' AS \"by\", personage AS personages, by_round\n    {won} AND nth_of_kind = 1"
    )
}
