//! The measure `personages_final`: personages of winners and of the others at the end.

use polars::prelude::*;

use super::measure::{FORMAT, Measure, MeasureSums, RowFigures, TableShape};
use super::rates::{self, INSUFFICIENT, rates_of_one_family};
use super::summary::{
    ALL_CLUSTERS, RATES, SEAT_BOT, SHARE_PART, Summary, SummaryRows, SummarySource, union,
};
use crate::facts::{ColumnInfo, columns};

/// The measure `personages_final`.
pub static PERSONAGES_FINAL: Measure = Measure {
    name: "personages_final",
    path: "personages/final",
    label: "Final personages",
    meaning: "Personages of nations at the end: how many of each kind winners and others have, and which part of all \
        their personages.",
    caveat: "A nation with enough personages wins, so these are not win rates.",
    keys: &KEYS,
    figures: &[&FIGURES],
    sums: &[(&BY_KIND, &["kind"])],
    finish: rows,
    shape: TableShape::Rows(RowFigures::Parts),
    ..rates::MEASURE
};

static BY_KIND: Summary = Summary {
    name: "final_personages",
    keys: &[SEAT_BOT, "kind"],
    sums: &["owned", "owned_parts"],
    rows: SummaryRows::Nations(owned),
    has_rates: false,
    ..RATES
};

const KEYS: [ColumnInfo; 1] = columns! {
    /// The kind of personage.
    kind: Text, "";
};

const FIGURES: [ColumnInfo; 6] = columns! {
    /// Games that were counted.
    games: Count, "games";
    /// Mean number of personages of the kind that winners have at the end; 0, and too few games, if none has won.
    /// A nation with a share of the win counts as a winner by its share, and otherwise as one of the others.
    winners_mean: Number, "personages a winner";
    /// Mean number of personages of the kind that the others have at the end.
    others_mean: Number, "personages a nation";
    /// The part of all personages of winners that are of the kind.
    winners_part: Number, "";
    /// The part of all personages of the others that are of the kind.
    others_part: Number, "";
    ..INSUFFICIENT
};

/// Returns the number of personages of each nation at the end, by kind.
fn owned(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let kinds = ["king", "scholar", "general", "citizen", "navigator"];
    let of = |kind: &str| {
        let owned = col(kind).cast(DataType::Int64);
        source.seats.clone().with_columns([
            lit(kind).alias("kind"),
            owned.clone().alias("owned"),
            (owned * col("share_parts").cast(DataType::Int64)).alias("owned_parts"),
        ])
    };
    union(kinds.map(of).into())
}

/// Builds five rows for each format.
fn rows(added: &MeasureSums) -> PolarsResult<DataFrame> {
    let float = |name: &str| col(name).cast(DataType::Float64);
    let parts = float("nation_games") * lit(SHARE_PART);
    let winners = || float("owned_parts");
    let others = || float("owned") * lit(SHARE_PART) - float("owned_parts");
    // Sums of whole numbers, so the order makes no difference.
    let all = added
        .own
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
    let lost = parts - won.clone();
    let has_none = |of: Expr| of.lt_eq(lit(0.0));
    let or_nothing = |part: Expr, whole: Expr| {
        when(whole.clone().gt(lit(0.0)))
            .then(part / whole)
            .otherwise(lit(0.0))
    };
    let means = [
        or_nothing(winners(), won.clone()).alias("winners_mean"),
        or_nothing(others(), lost.clone()).alias("others_mean"),
        or_nothing(winners(), float("all_parts")).alias("winners_part"),
        or_nothing(others(), all_others).alias("others_part"),
        col("insufficient")
            .or(has_none(won))
            .or(has_none(lost))
            .alias("insufficient"),
    ];
    let rows = rates_of_one_family([added.own, added.own], &["kind"], added.filters)?
        .lazy()
        .join(
            all,
            FORMAT.map(col),
            FORMAT.map(col),
            JoinArgs::new(JoinType::Inner),
        )
        .with_columns(means);
    added
        .select(rows)
        .sort(
            [&FORMAT[..], &["kind"]].concat(),
            SortMultipleOptions::default(),
        )
        .collect()
}
