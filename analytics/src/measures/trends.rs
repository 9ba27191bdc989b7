//! The measure `trends`: win rates by month, with tests of change.

use std::collections::BTreeMap;

use polars::prelude::*;

use super::measure::{CurveColumns, FORMAT, Measure, MeasureSums, TableShape};
use super::rates::{self, OTHERS_OF_OTHER_GAMES, RATE_COLUMNS, numbers};
use super::summary::{
    ALL_BY_BOT, ALL_CLUSTERS, RATES, SEAT_BOT, SqlRows, Summary, SummaryRows, SummarySource, union,
};
use crate::facts::{ColumnInfo, columns};
use crate::question::Filters;
use crate::statistics::interval::q_values;
use crate::statistics::trend::{Month, Trend};

/// Win rates by month of nations, places and opening strategies.
pub static TRENDS: Measure = Measure {
    name: "trends",
    path: "trends",
    label: "Trends",
    meaning: "Win rates by month: those of nations, places and opening strategies. `expected` is the rate in all other \
        months, so `q` says whether a month differs from the others. `trend` is the change of the rate in a year along \
        a straight line through the months, and `trend_q` says whether there is one.",
    caveat: "A change can have many causes: players, opponents and rules can differ from month to month. Filters can \
        hold some of them equal.",
    keys: &KEYS,
    figures: &[&TREND, &RATE_COLUMNS],
    sums: &[(&ALL_BY_BOT, &[]), (&BY_MONTH, &["by", "level", "month"])],
    finish: rows,
    families: &["by"],
    shape: TableShape::Curves(CurveColumns {
        along: "month",
        line: "level",
        value: "rate",
        about: "Win rates by month",
    }),
    group: Some("by"),
    sample: Some("nation"),
    ..rates::MEASURE
};

static BY_MONTH: Summary = Summary {
    name: "trends",
    keys: &[SEAT_BOT, "by", "level", "month"],
    rows: SummaryRows::Nations(by_month),
    sql: Some(SqlRows {
        is_against_seats: false,
        ..SqlRows::new(sql_rows)
    }),
    ..RATES
};

const KEYS: [ColumnInfo; 3] = columns! {
    /// How nations in games are grouped: by nation, place or opening.
    by: Text, "";
    /// The nation, the place in the seat order, or the opening strategy.
    level: Text, "";
    /// The month in which the games were played (UTC), such as 2026-11.
    month: Text, "";
};

const TREND: [ColumnInfo; 4] = columns! {
    /// The change of the rate in a year, along the straight line that is nearest to the rates of all months.
    /// Months count by their independent games. The value is the same in all rows of a level; null with one month.
    trend: Number, "";
    /// Lower end of its 95% interval (the test of Armitage, 1955); null with one month.
    trend_low: Number, "";
    /// Upper end of that interval; null with one month.
    trend_high: Number, "";
    /// The false discovery rate if the trend is called significant, among the levels of the same kind; null with one month.
    trend_q: Number, "";
};

/// What nations in games are grouped by, and the column with the level.
const KINDS: [(&str, &str); 3] = [
    ("nation", "nation"),
    ("place", "place"),
    ("opening", "opening"),
];

/// Returns the nations in games, once for each kind of level.
fn by_month(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let each = KINDS.map(|(by, column)| {
        source.seats.clone().with_columns([
            lit(by).alias("by"),
            col(column).cast(DataType::String).alias("level"),
        ])
    });
    union(each.into())
}

/// [`by_month`] in SQL.
fn sql_rows(_: &Filters) -> String {
    let each = KINDS.map(|(by, column)| {
        format!("SELECT game, nation, '{by}' AS \"by\", CONCAT({column}, '') AS level, month FROM passing")
    });
    each.join("\n    UNION ALL ")
}

/// Builds the rows. The expected rate is that of the same level in its other months.
fn rows(added: &MeasureSums) -> PolarsResult<DataFrame> {
    let own = added.own.clone().lazy();
    let float = |name: &str| col(name).cast(DataType::Float64);
    let level: Vec<Expr> = (FORMAT.iter().chain(&["by", "level"]))
        .map(|name| col(*name))
        .collect();
    let total = |name: &str| {
        col(name)
            .sum()
            .cast(DataType::Float64)
            .alias(format!("all_{name}"))
    };
    let all = own.clone().filter(col("cluster").eq(lit(ALL_CLUSTERS)));
    let all = all
        .group_by(&level)
        .agg(["wins", "nation_games"].map(total));
    let other = |name: &str| col(format!("all_{name}")) - float(name);
    let has_others = || other("nation_games").gt(lit(0.0));
    let rate = other("wins") / other("nation_games");
    // A level with one month does not differ from itself.
    let expected = when(has_others())
        .then(rate * float("nation_games"))
        .otherwise(float("wins"));
    let others = when(has_others())
        .then(other("nation_games"))
        .otherwise(lit(NULL));
    let own = own
        .join(all, &level, &level, JoinArgs::new(JoinType::Inner))
        .with_columns([
            expected.alias("expected"),
            others.alias(OTHERS_OF_OTHER_GAMES),
        ])
        .collect()?;
    // Months with few games count for trends, although they are not shown.
    let keys = added.measure.key_names();
    let all_months = Filters {
        min_games: None,
        ..added.filters.clone()
    };
    let sums = [added.all, &own];
    let mut frame = rates::rates_by_family(sums, &keys, added.measure.families, &all_months)?;
    for column in trends(&frame)? {
        frame.with_column(column)?;
    }
    let enough = col("games").gt_eq(lit(added.filters.min_games.unwrap_or(0)));
    let by = [&FORMAT[..], &keys].concat();
    added
        .select(frame.lazy().filter(enough))
        .sort(by, SortMultipleOptions::default())
        .collect()
}

/// Returns the months since the beginning of the calendar, of a month such as 2026-11.
pub(crate) fn months_of_calendar(month: &str) -> f64 {
    let (year, month) = month.split_once('-').unwrap_or((month, "1"));
    let number = |text: &str| text.parse::<f64>().unwrap_or_default();
    number(year) * 12.0 + number(month) - 1.0
}

/// Computes the columns of [`TREND`] for the rows of all months.
fn trends(frame: &DataFrame) -> PolarsResult<[Column; 4]> {
    let (rate, games) = (
        numbers(frame, "rate")?,
        numbers(frame, "independent_games")?,
    );
    let months = frame.column("month")?.str()?;
    let names = FORMAT.iter().chain(&["by", "level"]);
    let texts = names.map(|name| frame.column(name)?.cast(&DataType::String));
    let texts: Vec<Column> = texts.collect::<PolarsResult<_>>()?;
    let names: Vec<&StringChunked> =
        (texts.iter().map(|text| text.str())).collect::<PolarsResult<_>>()?;
    let mut levels: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
    for row in 0..frame.height() {
        let level = names.iter().map(|name| name.get(row).unwrap_or_default());
        levels.entry(level.collect()).or_default().push(row);
    }
    let of_levels = levels.iter().filter_map(|(level, rows)| {
        let mut months: Vec<Month> = (rows.iter())
            .map(|row| Month {
                years: months_of_calendar(months.get(*row).unwrap_or_default()) / 12.0,
                rate: rate[*row],
                games: games[*row],
            })
            .collect();
        // The same order gives the same last digits.
        months.sort_by(|one, other| one.years.total_cmp(&other.years));
        Some((level[FORMAT.len()], rows, Trend::fit(&months)?))
    });
    let mut families: BTreeMap<&str, Vec<(&Vec<usize>, Trend)>> = BTreeMap::new();
    for (by, rows, trend) in of_levels {
        families.entry(by).or_default().push((rows, trend));
    }
    let mut found = [const { Vec::new() }; 4].map(|_: Vec<Option<f64>>| vec![None; frame.height()]);
    for family in families.values() {
        let p_values: Vec<f64> = family.iter().map(|(_, trend)| trend.p_value).collect();
        for ((rows, trend), q) in family.iter().zip(q_values(&p_values)) {
            let values = [trend.slope, trend.low, trend.high, q];
            for (column, value) in found.iter_mut().zip(values) {
                rows.iter().for_each(|row| column[*row] = Some(value));
            }
        }
    }
    let mut names = TREND.iter();
    Ok(found.map(|values| Column::new(names.next().map_or("", |own| own.name).into(), values)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_counted_from_the_year_0() {
        let months = ["0000-01", "2026-01", "2026-11"].map(months_of_calendar);
        assert_eq!(months, [0.0, 24_312.0, 24_322.0]);
    }
}
