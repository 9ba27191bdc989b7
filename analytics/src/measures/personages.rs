//! Personages: how nations fare by their first ones and by when they had them, and what winners have
//! at the end beside the others. Rates by what nations have at the *end* would say only that who has
//! enough has won.

use polars::prelude::*;

use super::rates::{self, rated};
use super::{FORMAT, INSUFFICIENT, format_columns};
use crate::facts::{ALL_CLUSTERS, ColumnInfo, SHARE_PART, columns};
use crate::filters::Filters;

/// What rows of the first personages are told apart by.
pub(super) const KEYS: [ColumnInfo; 2] = columns! {
    /// What nations are told apart by: all (not at all), mix (the counts of the first personages), leading (the kind of
    /// which there are most, or even), kinds (how many kinds), order (the kinds in the order in which each came first).
    by: Text, "";
    /// The mix, the leading kind, the number of kinds, or the order of kinds.
    personages: Text, "";
};

/// What rows of timing are told apart by.
pub(super) const TIMING_KEYS: [ColumnInfo; 3] = columns! {
    /// What nations had: number (of personages) or kind (one of it or more).
    by: Text, "";
    /// The number, or the kind.
    personages: Text, "";
    /// The round by whose end they had it.
    by_round: Count, "rounds";
};

/// Rates by the first personages: expected is the rate of all nations of the format that won so many.
pub(super) fn rows(
    sums: &DataFrame,
    columns: &[ColumnInfo],
    filters: &Filters,
) -> PolarsResult<DataFrame> {
    let all = sums.clone().lazy().filter(col("by").eq(lit("all")));
    let rate = col("wins").cast(DataType::Float64) / col("nation_games");
    let reached = all.clone().filter(col("cluster").eq(lit(ALL_CLUSTERS)));
    let reached = reached.select([&FORMAT.map(col)[..], &[rate.alias("reached")]].concat());
    let expected = (col("reached") * col("nation_games")).alias("expected");
    let inner = JoinArgs::new(JoinType::Inner);
    let sums = sums
        .clone()
        .lazy()
        .join(reached, FORMAT.map(col), FORMAT.map(col), inner)
        .with_column(expected)
        .collect()?;
    let sums = [&all.collect()?, &sums];
    rates::rows(sums, &["by", "personages"], columns, filters)
}

/// The columns of the final mixes.
pub(super) fn final_columns() -> Vec<ColumnInfo> {
    let own = columns! {
        /// Games that were counted.
        games: Count, "games";
        /// How many of the kind winners have at the end, on average; a nation that shares the win is a winner by its
        /// share and one of the others by the rest.
        winners_mean: Number, "personages a winner";
        /// How many of the kind the others have at the end, on average.
        others_mean: Number, "personages a nation";
        /// What part of all personages of winners is of the kind.
        winners_part: Number, "";
        /// What part of all personages of the others is of the kind.
        others_part: Number, "";
        ..INSUFFICIENT
    };
    let kind = columns! {
        /// The kind of personage.
        kind: Text, "";
    }[0];
    [&[kind][..], &format_columns(), &own].concat()
}

/// Five rows a format.
pub(super) fn final_rows(sums: &DataFrame, filters: &Filters) -> PolarsResult<DataFrame> {
    let float = |name: &str| col(name).cast(DataType::Float64);
    let parts = float("nation_games") * lit(SHARE_PART);
    let winners = || float("owned_parts");
    let others = || float("owned") * lit(SHARE_PART) - float("owned_parts");
    // Added up in whole numbers, so that the order does not matter.
    let all = sums
        .clone()
        .lazy()
        .filter(col("cluster").eq(lit(ALL_CLUSTERS)))
        .group_by(FORMAT.map(col))
        .agg([
            col("owned").sum().alias("all_owned"),
            col("owned_parts").sum().alias("all_parts"),
        ]);
    let all_others = float("all_owned") * lit(SHARE_PART) - float("all_parts");
    let won = float("wins") * lit(SHARE_PART);
    let or_nothing = |part: Expr, whole: Expr| {
        when(whole.clone().gt(lit(0.0)))
            .then(part / whole)
            .otherwise(lit(0.0))
    };
    let means = [
        or_nothing(winners(), won.clone()).alias("winners_mean"),
        or_nothing(others(), parts - won).alias("others_mean"),
        or_nothing(winners(), float("all_parts")).alias("winners_part"),
        or_nothing(others(), all_others).alias("others_part"),
    ];
    let names: Vec<Expr> = final_columns()
        .iter()
        .map(|column| col(column.name))
        .collect();
    rated([sums, sums], &["kind"], filters)?
        .lazy()
        .join(
            all,
            FORMAT.map(col),
            FORMAT.map(col),
            JoinArgs::new(JoinType::Inner),
        )
        .with_columns(means)
        .select(names)
        .sort(
            [&FORMAT[..], &["kind"]].concat(),
            SortMultipleOptions::default(),
        )
        .collect()
}
