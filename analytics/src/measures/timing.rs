//! How nations fare by when they had personages.

use polars::prelude::*;

use super::measure::{Measure, TableShape};
use super::rates;
use super::summary::{
    ALL_BY_BOT, RATES, SEAT_BOT, Summary, SummaryRows, SummarySource, joined, of_nation, union,
    whole_number,
};
use crate::facts::{ColumnInfo, FactTable, columns};

/// Win rates of nations that had so many personages, or one of a kind, by the end of a round.
pub static TIMING: Measure = Measure {
    name: "timing",
    path: "timing",
    label: "Timing",
    meaning: "Win rates of nations that had so many personages, or one of a kind, by the end of a round. It counts the \
        games that continued after that round, and fewer personages than the goal, because the last one wins the \
        game.",
    keys: &KEYS,
    sums: &[
        (&ALL_BY_BOT, &[]),
        (&BY_ROUND, &["by", "personages", "by_round"]),
    ],
    families: &["by"],
    shape: TableShape::Curves,
    ..rates::MEASURE
};

static BY_ROUND: Summary = Summary {
    name: "timing",
    keys: &[SEAT_BOT, "by", "personages", "by_round"],
    rows: SummaryRows::Nations(awards),
    ..RATES
};

const KEYS: [ColumnInfo; 3] = columns! {
    /// What nations had: number (of personages) or kind (one of it or more).
    by: Text, "";
    /// The number, or the kind.
    personages: Text, "";
    /// The round by whose end they had it.
    by_round: Count, "rounds";
};

/// The rounds by which nations are looked at.
const BY_ROUNDS: [u32; 10] = [4, 6, 8, 10, 12, 15, 20, 25, 30, 40];

/// Each award with each round by which it was won and after which the game went on: at its end, having won is the same
/// as having the last personage.
fn awards(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let one = || whole_number(1).alias("one");
    let by_round = UInt32Chunked::from_slice("by_round".into(), &BY_ROUNDS);
    let rounds = DataFrame::new(BY_ROUNDS.len(), vec![by_round.into_column()])?;
    let awards = source.facts.table(FactTable::Awards)?.with_column(one());
    let games = source.facts.table(FactTable::Games)?;
    let games = games.select([col("game"), col("goal"), col("rounds")]);
    let awards = awards
        .inner_join(rounds.lazy().with_column(one()), col("one"), col("one"))
        .inner_join(games, col("game"), col("game"))
        .filter(col("round").lt_eq(col("by_round")))
        .filter(col("rounds").gt(col("by_round")))
        .filter(col("nth").lt(col("goal")));
    let of = |awards: LazyFrame, by: &str, personages: Expr| {
        let by = lit(by).alias("by");
        awards.select(of_nation(&[
            by,
            personages.alias("personages"),
            col("by_round"),
        ]))
    };
    let first = awards.clone().filter(col("nth_of_kind").eq(lit(1u32)));
    let each = vec![
        of(awards, "number", col("nth").cast(DataType::String)),
        of(first, "kind", col("personage")),
    ];
    Ok(joined(&source.seats, union(each)?))
}
