//! The common table of measures of win rates.

use std::collections::BTreeMap;

use polars::prelude::*;

use super::measure::{FORMAT, Measure, MeasureSums, RowFigures, TableShape};
use super::summary::{ALL_CLUSTERS, SHARE_PART};
use crate::facts::{ColumnInfo, columns};
use crate::question::Filters;
use crate::statistics::interval::{
    Evidence, Others, PersonSums, SkillVariance, Squares, games_for_power, games_for_width,
    q_values,
};
use crate::statistics::pooled::{PooledRate, RawRate, pool};

/// Rows with fewer games than this are marked `insufficient`.
pub const INSUFFICIENT_BELOW: u32 = 30;

/// Rows that are equivalent to fewer independent games than this are marked too.
const LEAST_INDEPENDENT: f64 = 20.0;

/// The column that marks rows with too few games.
pub(crate) const INSUFFICIENT: ColumnInfo = columns! {
    /// Whether there are too few games to rely on a rate.
    /// That is fewer than 30 games, games of so few players that a rate is equivalent to fewer than 20 independent
    /// games, or an expected rate that comes from fewer than 20 other nations in games.
    insufficient: Flag, "";
}[0];

/// The default values of measures of win rates.
pub(super) const MEASURE: Measure = Measure {
    name: "",
    path: "",
    label: "",
    meaning: "",
    caveat: "",
    keys: &[],
    figures: &[&RATE_COLUMNS],
    sums: &[],
    finish: rows,
    needs: &[],
    takes: &[],
    families: &[],
    is_of_whole_games: false,
    shape: TableShape::Rows(RowFigures::Rates),
    group: None,
    sample: None,
};

/// The columns of measures of win rates that can be null.
pub(crate) const NULLABLE: [&str; 8] = [
    "lift",
    "lift_low",
    "lift_high",
    "games_for_power",
    "trend",
    "trend_low",
    "trend_high",
    "trend_q",
];

/// The keys whose values are separate families of pooled rates. So are formats.
const POOLED_WITHIN: [&str; 3] = ["by", "act", "since"];

/// More games than this are not a plan.
const MOST_NEEDED: f64 = 1e9;

/// The half-width of the interval for `games_for_width`: 5 points of a hundred.
const HALF_WIDTH: f64 = 0.05;

/// The columns at the end of each table of win rates.
pub(super) const RATE_COLUMNS: [ColumnInfo; 19] = columns! {
    /// Games with a nation of the row.
    games: Count, "games";
    /// Nations in games: a game counts once for each of its nations that belongs to the row.
    nation_games: Count, "nations in games";
    /// Sum of the nations' shares of the win.
    /// A share is 1/k for each of k winning seats, split evenly between the nations of a seat.
    wins: Number, "wins";
    /// wins / nation_games.
    rate: Number, "wins a nation in a game";
    /// Lower end of the 95% interval of the rate (Clopper-Pearson with mid-p).
    /// It is computed for the number of independent games with the same variance. It shows how certain the rate is for
    /// such games of such players, not its cause.
    low: Number, "wins a nation in a game";
    /// Upper end of that interval.
    high: Number, "wins a nation in a game";
    /// The rate to compare with: the mean of 1 / (seats * nations of the seat).
    /// This is the rate if each seat were equally likely to win. A measure that compares with another rate says so.
    expected: Number, "wins a nation in a game";
    /// rate / expected; null where expected is 0.
    lift: Number, "";
    /// Lower end of the 95% interval of the lift; null if the lift is null.
    /// It is low / expected, or lower if expected is a rate of other nations.
    lift_low: Number, "";
    /// Upper end of that interval; null if the lift is null.
    lift_high: Number, "";
    /// The false discovery rate if this row is called significant (Benjamini-Hochberg).
    /// All rows with a smaller p-value are then significant too. It also counts the rows that min_games excludes. In a
    /// table with many rows some differ from expected by chance: use the rows with a small q.
    q: Number, "";
    /// The partially pooled rate: near what is expected unless the row's games say otherwise.
    /// The more the rows of the table differ beyond chance, and the more games a row has, the nearer it is to the rate.
    /// Compare and rank rows with few games by this rate and its interval.
    pooled: Number, "wins a nation in a game";
    /// Lower end of the 95% interval of the pooled rate.
    pooled_low: Number, "wins a nation in a game";
    /// Upper end of that interval.
    pooled_high: Number, "wins a nation in a game";
    /// How much the pooled rate is borrowed from what is expected, from 0 (nothing) to 1.
    borrowed: Number, "";
    /// The number of independent games with the same variance as the row.
    /// It is smaller than nation_games if few players of different skill have the row's games, and larger if wins are
    /// shared.
    independent_games: Number, "nations in games";
    /// How many nations in games of this kind the interval needs to be 5 points of a hundred wide on each side.
    games_for_width: Number, "nations in games";
    /// How many nations in games of this kind a test needs to find the difference between the pooled and the expected
    /// rate with a probability of 80%; null for more than a billion, and without a difference.
    games_for_power: Number, "nations in games";
    ..INSUFFICIENT
};

/// Builds the table of a measure of win rates, by format and keys.
pub(super) fn rows(added: &MeasureSums) -> PolarsResult<DataFrame> {
    let keys = added.measure.key_names();
    let sums = [added.all, added.own];
    let frame = rates_by_family(sums, &keys, added.measure.families, added.filters)?;
    let by = [&FORMAT[..], &keys].concat();
    added
        .select(frame.lazy())
        .sort(by, SortMultipleOptions::default())
        .collect()
}

/// Converts a column of whole numbers to floating-point numbers.
pub(super) fn numbers(frame: &DataFrame, name: &str) -> PolarsResult<Vec<f64>> {
    let column = frame.column(name)?.cast(&DataType::Float64)?;
    let numbers = column.f64()?.iter();
    Ok(numbers.map(Option::unwrap_or_default).collect())
}

/// Reads the sums of squares of each row.
pub(super) fn squares(frame: &DataFrame) -> PolarsResult<Vec<Squares>> {
    let [nn, nw, ww] = ["nn", "nw", "ww"].map(|name| numbers(frame, name));
    let rows = nn?.into_iter().zip(nw?).zip(ww?);
    let rows = rows.map(|((nn, nw), ww)| Squares {
        nn,
        nw: nw / SHARE_PART,
        ww: ww / (SHARE_PART * SHARE_PART),
    });
    Ok(rows.collect())
}

/// The column with the number of a row in another frame.
const ROW: &str = "row";

/// Adds to the sums of persons the number of the row in `rows` with the same values in `by`.
fn persons_of(sums: &DataFrame, rows: &DataFrame, by: &[&str]) -> PolarsResult<DataFrame> {
    let by: Vec<Expr> = by.iter().map(|name| col(*name)).collect();
    let rows = rows.clone().lazy().select(&by).with_row_index(ROW, None);
    sums.clone()
        .lazy()
        .filter(col("cluster").neq(lit(ALL_CLUSTERS)))
        .join(rows, &by, &by, JoinArgs::new(JoinType::Inner))
        .sort([ROW, "cluster"], SortMultipleOptions::default())
        .collect()
}

/// Computes the variance from player skill for each row of a format by keys.
fn skill(
    rows: &DataFrame,
    [all, sums]: [&DataFrame; 2],
    keys: &[&str],
) -> PolarsResult<Vec<SkillVariance>> {
    let formats = all.clone().lazy().select(FORMAT.map(col));
    let formats = formats
        .unique_stable(None, UniqueKeepStrategy::First)
        .collect()?;
    let whole = persons_of(all, &formats, &FORMAT)?;
    let mut persons = vec![BTreeMap::new(); formats.height()];
    let (of, clusters) = (whole.column(ROW)?.idx()?, whole.column("cluster")?.u32()?);
    let (nations, wins) = (numbers(&whole, "nation_games")?, numbers(&whole, "wins")?);
    let by_seat = squares(&whole)?;
    for (index, (format, cluster)) in of.iter().zip(clusters.iter()).enumerate() {
        let (Some(format), Some(cluster)) = (format, cluster) else {
            continue;
        };
        let person = PersonSums {
            in_row: 0.0,
            nations: nations[index],
            wins: wins[index] / SHARE_PART,
            by_seat: by_seat[index],
        };
        persons[format as usize].insert(cluster, person);
    }

    let own = persons_of(sums, rows, &[&FORMAT[..], keys].concat())?;
    let mut in_rows = vec![BTreeMap::new(); rows.height()];
    let (of, clusters) = (own.column(ROW)?.idx()?, own.column("cluster")?.u32()?);
    let nations = numbers(&own, "nation_games")?;
    for ((row, cluster), nations) in of.iter().zip(clusters.iter()).zip(nations) {
        if let (Some(row), Some(cluster)) = (row, cluster) {
            in_rows[row as usize].insert(cluster, nations);
        }
    }

    let formats = formats.lazy().with_row_index("format", None);
    let by_format = rows.clone().lazy().select(FORMAT.map(col));
    let by_format = by_format.with_row_index(ROW, None);
    let by_format = by_format
        .join(
            formats,
            FORMAT.map(col),
            FORMAT.map(col),
            JoinArgs::new(JoinType::Left),
        )
        .sort([ROW], SortMultipleOptions::default())
        .collect()?;
    let formats = by_format.column("format")?.idx()?;
    let none = BTreeMap::new();
    let skills = formats.iter().zip(&in_rows).map(|(format, in_row)| {
        let persons = format.map_or(&none, |format| &persons[format as usize]);
        SkillVariance::for_row(persons.iter().map(|(cluster, person)| PersonSums {
            in_row: in_row.get(cluster).copied().unwrap_or_default(),
            ..*person
        }))
    });
    Ok(skills.collect())
}

/// The column with the number of other nations of the same games behind `expected`.
/// It is absent, or null, if `expected` follows from the rules.
pub(super) const OTHERS: &str = "others";

/// The same, if the nations are those of other games.
pub(super) const OTHERS_OF_OTHER_GAMES: &str = "others_of_other_games";

/// Calls [`rates_by_family`] with a single family.
pub(super) fn rates_of_one_family(
    sums: [&DataFrame; 2],
    keys: &[&str],
    filters: &Filters,
) -> PolarsResult<DataFrame> {
    rates_by_family(sums, keys, &[], filters)
}

/// Replaces sums by the columns of [`RATE_COLUMNS`]; rows with too few games are removed.
/// The sums are of all nations, and by keys. Each value of `families` is a separate family of tests for `q`.
pub(super) fn rates_by_family(
    [all, sums]: [&DataFrame; 2],
    keys: &[&str],
    families: &[&str],
    filters: &Filters,
) -> PolarsResult<DataFrame> {
    let rows = sums.clone().lazy();
    let rows = rows.filter(col("cluster").eq(lit(ALL_CLUSTERS)));
    let mut frame = rows.collect()?;
    let skills = skill(&frame, [all, sums], keys)?;
    let (games, nation_games) = (numbers(&frame, "games")?, numbers(&frame, "nation_games")?);
    let (wins, expected) = (numbers(&frame, "wins")?, numbers(&frame, "expected")?);
    let others = others_of(&frame)?;
    let by_game = squares(&frame)?;
    let evidence: Vec<Evidence> = (0..frame.height())
        .map(|row| Evidence {
            games: games[row],
            nation_games: nation_games[row],
            wins: wins[row] / SHARE_PART,
            by_game: by_game[row],
            skill: skills[row],
        })
        .collect();
    let expected: Vec<f64> = expected
        .iter()
        .zip(&nation_games)
        .map(|(expected, games)| expected / SHARE_PART / games)
        .collect();
    let over = |numbers: &[f64]| -> Vec<Option<f64>> {
        let pairs = numbers.iter().zip(&expected);
        pairs
            .map(|(number, expected)| (*expected > 0.0).then(|| number / expected))
            .collect()
    };
    let rate: Vec<f64> = evidence.iter().map(Evidence::rate).collect();
    let (low, high): (Vec<f64>, Vec<f64>) = evidence.iter().map(Evidence::interval).unzip();
    let beside = evidence.iter().zip(&others);
    let beside = beside.map(|(row, others)| row.interval_against(*others));
    let (lift_low, lift_high): (Vec<f64>, Vec<f64>) = beside.unzip();
    let p_values = evidence.iter().zip(&expected).zip(&others);
    let p_values: Vec<f64> = p_values
        .map(|((row, expected), others)| row.p_value_against(*expected, *others))
        .collect();
    let independent: Vec<f64> = (evidence.iter()).map(Evidence::independent_games).collect();
    let raw: Vec<RawRate> = (0..frame.height())
        .map(|row| RawRate {
            rate: rate[row],
            games: independent[row],
            expected: expected[row],
        })
        .collect();
    let pooled = pooled_in(&frame, keys, &raw)?;
    let needed = |games: &dyn Fn(usize) -> f64| -> Vec<Option<f64>> {
        let of_kind = |row: usize| games(row) * nation_games[row] / independent[row];
        let rows = (0..frame.height()).map(of_kind);
        rows.map(|games| (games < MOST_NEEDED).then(|| games.ceil()))
            .collect()
    };
    let for_width = needed(&|row| games_for_width(pooled[row].rate, HALF_WIDTH));
    let for_power = needed(&|row| games_for_power(pooled[row].rate, expected[row]));
    let part = |of: fn(&PooledRate) -> f64| -> Vec<f64> { pooled.iter().map(of).collect() };
    let counts =
        |numbers: &[f64]| -> Vec<u32> { numbers.iter().map(|number| *number as u32).collect() };
    let insufficient: Vec<bool> = (evidence.iter().zip(&others))
        .map(|(row, others)| is_insufficient(row) || others.nations() < LEAST_INDEPENDENT)
        .collect();
    let wins: Vec<f64> = evidence.iter().map(|row| row.wins).collect();
    for column in [
        Column::new("games".into(), counts(&games)),
        Column::new("nation_games".into(), counts(&nation_games)),
        Column::new("wins".into(), wins),
        Column::new("lift".into(), over(&rate)),
        Column::new("lift_low".into(), over(&lift_low)),
        Column::new("lift_high".into(), over(&lift_high)),
        Column::new("rate".into(), rate),
        Column::new("low".into(), low),
        Column::new("high".into(), high),
        Column::new("expected".into(), &expected),
        Column::new("pooled".into(), part(|own| own.rate)),
        Column::new("pooled_low".into(), part(|own| own.low)),
        Column::new("pooled_high".into(), part(|own| own.high)),
        Column::new("borrowed".into(), part(|own| own.borrowed)),
        Column::new("independent_games".into(), &independent),
        Column::new("games_for_width".into(), for_width),
        Column::new("games_for_power".into(), for_power),
        Column::new("q".into(), q_in(&frame, families, &p_values)?),
        Column::new("insufficient".into(), insufficient),
    ] {
        frame.with_column(column)?;
    }
    // Rows that are not shown also count for `q`.
    let enough = col("games").gt_eq(lit(filters.min_games.unwrap_or(0)));
    frame.lazy().filter(enough).collect()
}

/// Returns whose rate each row is compared with.
fn others_of(frame: &DataFrame) -> PolarsResult<Vec<Others>> {
    let read = |name: &str, kind: fn(f64) -> Others| -> PolarsResult<Vec<Others>> {
        let numbers = frame.column(name)?.f64()?.iter();
        Ok(numbers
            .map(|number| number.map_or(Others::None, kind))
            .collect())
    };
    let has = |name: &str| frame.get_column_index(name).is_some();
    match (has(OTHERS), has(OTHERS_OF_OTHER_GAMES)) {
        (true, _) => read(OTHERS, Others::OfTheseGames),
        (_, true) => read(OTHERS_OF_OTHER_GAMES, Others::OfOtherGames),
        _ => Ok(vec![Others::None; frame.height()]),
    }
}

/// True if a row has too few games, or games of too few players.
pub(super) fn is_insufficient(row: &Evidence) -> bool {
    row.games < f64::from(INSUFFICIENT_BELOW) || row.independent_games() < LEAST_INDEPENDENT
}

/// Computes pooled rates among the rows of a format that have the same values in [`POOLED_WITHIN`].
fn pooled_in(frame: &DataFrame, keys: &[&str], raw: &[RawRate]) -> PolarsResult<Vec<PooledRate>> {
    let within = keys.iter().filter(|key| POOLED_WITHIN.contains(key));
    let within: Vec<Expr> = FORMAT.iter().chain(within).map(|name| col(*name)).collect();
    let families = frame.clone().lazy().with_row_index(ROW, None);
    let families = families.group_by_stable(within).agg([col(ROW)]).collect()?;
    let mut pooled = vec![None; raw.len()];
    for rows in families.column(ROW)?.list()?.amortized_iter().flatten() {
        let rows: Vec<usize> = (rows.as_ref().idx()?.into_no_null_iter())
            .map(|row| row as usize)
            .collect();
        let own: Vec<RawRate> = rows.iter().map(|row| raw[*row]).collect();
        for (row, own) in rows.iter().zip(pool(&own)) {
            pooled[*row] = Some(own);
        }
    }
    // Each row is in one family.
    Ok(pooled.into_iter().flatten().collect())
}

/// Computes `q` among the rows that have the same values in the columns `families`.
fn q_in(frame: &DataFrame, families: &[&str], p_values: &[f64]) -> PolarsResult<Vec<f64>> {
    let mut by_family: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    let columns = families.iter().map(|name| frame.column(name)?.str());
    let columns = columns.collect::<PolarsResult<Vec<_>>>()?;
    for row in 0..frame.height() {
        let family = columns.iter();
        let family = family.map(|column| column.get(row).unwrap_or_default().to_owned());
        by_family.entry(family.collect()).or_default().push(row);
    }
    let mut q = vec![1.0; p_values.len()];
    for rows in by_family.values() {
        let own: Vec<f64> = rows.iter().map(|row| p_values[*row]).collect();
        for (row, own) in rows.iter().zip(q_values(&own)) {
            q[*row] = own;
        }
    }
    Ok(q)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: within a family of two, the smaller p-value counts twice unless the other one is as small.
    #[test]
    fn each_family_has_its_own_q() {
        let by = Column::new("by".into(), ["mix", "kinds", "mix", "kinds"]);
        let frame = DataFrame::new(4, vec![by]).unwrap();
        let p_values = [0.01, 0.04, 0.5, 0.04];
        let by_family = q_in(&frame, &["by"], &p_values).unwrap();
        assert_eq!(by_family, [0.02, 0.04, 0.5, 0.04]);
        let together = q_in(&frame, &[], &p_values).unwrap();
        assert_eq!(together, [0.04, 0.04 * 4.0 / 3.0, 0.5, 0.04 * 4.0 / 3.0]);
    }
}
