//! The measure `personages`: win rates by a nation's first personages.
//!
//! Rates by the personages at the *end* would only show that nations with enough personages have won.

use polars::prelude::*;

use super::measure::{FORMAT, Measure, MeasureSums};
use super::rates::{self, OTHERS};
use super::summary::{
    ALL_CLUSTERS, RATES, SEAT_BOT, SqlRows, Summary, SummaryRows, SummarySource, SummaryStorage,
    joined, union, with_nation_columns,
};
use crate::facts::{ColumnInfo, FactTable, columns};
use crate::question::Filters;

/// Win rates by a nation's first personages.
pub static PERSONAGES: Measure = Measure {
    name: "personages",
    path: "personages",
    label: "Personages",
    meaning: "Win rates by a nation's first personages: nations that won at least `at` of them (half the goal by \
        default), by the mix of these, the leading kind, the number of kinds and the order of kinds. `expected` is \
        the rate of all other nations that won as many. In the row `all`, it is the rate of equally likely seats.",
    keys: &KEYS,
    sums: &[(&BY_FIRST, &["by", "personages"])],
    finish: rows,
    takes: &["at"],
    families: &["by"],
    sample: Some("leading"),
    group: Some("by"),
    ..rates::MEASURE
};

static BY_FIRST: Summary = Summary {
    name: "personages",
    keys: &[SEAT_BOT, "nth", "is_half", "by", "personages"],
    rows: SummaryRows::Nations(first_personages),
    storage: SummaryStorage::InMemory,
    asked: Some(|filters| match filters.at {
        Some(at) => col("nth").eq(lit(at)),
        None => col("is_half"),
    }),
    sql: Some(SqlRows {
        rows: sql_rows,
        all: "(SELECT * FROM counted WHERE \"by\" = 'all') AS reached",
        is_against_seats: false,
    }),
    ..RATES
};

const KEYS: [ColumnInfo; 2] = columns! {
    /// How nations are grouped: all, mix, leading, kinds or order.
    /// All together (all); by the counts of the first personages (mix); by the kind with the most, or even (leading);
    /// by the number of kinds (kinds); by the kinds in the order of their first personages (order).
    by: Text, "";
    /// The mix, the leading kind, the number of kinds, or the order of kinds.
    personages: Text, "";
};

/// Returns the nations by their first personages, with a row for each number of personages.
fn first_personages(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let half = (col("goal") + lit(1u32)).floor_div(lit(2u32));
    let goals = source.facts.table(FactTable::Games)?;
    let goals = goals.select([col("game"), half.alias("half")]);
    let awards = source.by_nation(FactTable::Awards)?;
    let awards = awards.inner_join(goals, col("game"), col("game"));
    let kinds = || col("kinds").list();
    let each = [
        ("all", lit("all")),
        ("mix", col("mix")),
        ("leading", col("leading_kind")),
        ("kinds", kinds().len().cast(DataType::String)),
        ("order", kinds().join(lit(", "), false)),
    ];
    let each = each.map(|(by, personages)| {
        awards.clone().select(with_nation_columns(&[
            col("nth"),
            col("nth").eq(col("half")).alias("is_half"),
            lit(by).alias("by"),
            personages.alias("personages"),
        ]))
    });
    Ok(joined(&source.seats, union(each.into())?))
}

/// [`first_personages`] in SQL.
fn sql_rows(filters: &Filters) -> String {
    // Half the goal, rounded up, without integer division, which differs between engines.
    let nth = match filters.at {
        Some(at) => format!("nth = {at}"),
        None => "nth * 2 BETWEEN goal AND goal + 1".to_owned(),
    };
    let kinds = ["king", "scholar", "general", "citizen", "navigator"];
    let kinds = kinds.map(|kind| format!("CASE WHEN {kind} > 0 THEN 1 ELSE 0 END"));
    let each = [
        ("all", "'all'"),
        ("mix", "mix"),
        ("leading", "leading_kind"),
        ("kinds", &format!("CONCAT({}, '')", kinds.join(" + "))),
        ("order", "array_to_string(kinds, ', ')"),
    ];
    let each = each.map(|(by, personages)| {
        format!(
            "SELECT game, nation, '{by}' AS \"by\", {personages} AS personages \
             FROM awards JOIN games USING (game) WHERE {nth}"
        )
    });
    each.join("\n    UNION ALL ")
}

/// Builds the rows.
/// The expected rate is that of all other nations of the format that won as many personages.
fn rows(added: &MeasureSums) -> PolarsResult<DataFrame> {
    let own = added.own.clone().lazy();
    let all = own.clone().filter(col("by").eq(lit("all")));
    let float = |name: &str| col(name).cast(DataType::Float64);
    let reached = all.clone().filter(col("cluster").eq(lit(ALL_CLUSTERS)));
    let sums = ["wins", "nation_games"].map(|name| float(name).alias(format!("all_{name}")));
    let reached = reached.select([&FORMAT.map(col)[..], &sums].concat());
    let other = |name: &str| col(format!("all_{name}")) - float(name);
    let has_others = || other("nation_games").gt(lit(0.0));
    let rate = other("wins") / other("nation_games");
    let expected = when(has_others())
        .then(rate * float("nation_games"))
        .otherwise(float("expected"));
    let others = when(has_others())
        .then(other("nation_games"))
        .otherwise(lit(NULL));
    let inner = JoinArgs::new(JoinType::Inner);
    let own = own
        .join(reached, FORMAT.map(col), FORMAT.map(col), inner)
        .with_columns([expected.alias("expected"), others.alias(OTHERS)])
        .collect()?;
    rates::rows(&MeasureSums {
        all: &all.collect()?,
        own: &own,
        ..*added
    })
}
