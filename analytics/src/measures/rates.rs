//! Win rates: one table, by different keys.

use std::collections::BTreeMap;

use polars::prelude::*;

use super::measure::{Added, FORMAT, Measure, RowFigures, TableShape};
use super::summary::{ALL_CLUSTERS, SHARE_PART};
use crate::facts::{ColumnInfo, columns};
use crate::question::Filters;
use crate::statistics::interval::{Evidence, PersonSums, SkillVariance, Squares, q_values};

/// Rows with fewer games than this are marked `insufficient`.
pub const INSUFFICIENT_BELOW: u32 = 30;

/// Rows that say no more than so many independent games are marked too.
const LEAST_INDEPENDENT: f64 = 20.0;

/// The column that says whether a row is of fewer games.
pub(crate) const INSUFFICIENT: ColumnInfo = columns! {
    /// Whether there are fewer than 30 games, or of a rate games of so few players that they say no more than 20
    /// independent games.
    insufficient: Flag, "";
}[0];

/// What measures of win rates have in common.
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

/// The numbers of [`RATE_COLUMNS`] that can be null.
pub(crate) const NULLABLE: [&str; 3] = ["lift", "lift_low", "lift_high"];

/// The columns that every table of win rates ends with.
pub(super) const RATE_COLUMNS: [ColumnInfo; 12] = columns! {
    /// Games that have a nation that belongs to the row.
    games: Count, "games";
    /// Nations in games: a game counts once for each nation in it that belongs to the row.
    nation_games: Count, "nations in games";
    /// Sum of their parts of the win: 1/k for each of k winning seats, split evenly between the nations of a seat.
    wins: Number, "wins";
    /// wins / nation_games.
    rate: Number, "wins a nation in a game";
    /// Lower end of the 95% interval of the rate: that of Clopper and Pearson with mid-p, for as many independent games
    /// as would vary so much. It says how sure the rate is among such games of such players, not why it is so.
    low: Number, "wins a nation in a game";
    /// Upper end of that interval.
    high: Number, "wins a nation in a game";
    /// What the rate is compared with: the rate if every seat were as likely to win, which is the mean of 1 / (seats *
    /// nations of the seat), unless the measure says otherwise.
    expected: Number, "wins a nation in a game";
    /// rate / expected; null where expected is 0.
    lift: Number, "";
    /// Lower end of the 95% interval of the lift: low / expected; lower where expected is a rate of other games; null as
    /// the lift is.
    lift_low: Number, "";
    /// Upper end of that interval; null as the lift is.
    lift_high: Number, "";
    /// What part of the rows of this table whose rate is as far from expected, or farther, would be so by chance alone
    /// (Benjamini and Hochberg), rows that min_games leaves out included. In a table of many rows some stand out by
    /// chance: look at those whose q is small.
    q: Number, "";
    ..INSUFFICIENT
};

/// The result table of a measure of win rates, by format and keys.
pub(super) fn rows(added: &Added) -> PolarsResult<DataFrame> {
    let keys = added.measure.key_names();
    let sums = [added.all, added.own];
    let frame = rated_in(sums, &keys, added.measure.families, added.filters)?;
    let by = [&FORMAT[..], &keys].concat();
    added
        .select(frame.lazy())
        .sort(by, SortMultipleOptions::default())
        .collect()
}

/// Whole numbers of a column, as numbers.
pub(super) fn numbers(frame: &DataFrame, name: &str) -> PolarsResult<Vec<f64>> {
    let column = frame.column(name)?.cast(&DataType::Float64)?;
    let numbers = column.f64()?.iter();
    Ok(numbers.map(Option::unwrap_or_default).collect())
}

/// Sums of squares of a frame, row by row.
fn squares(frame: &DataFrame) -> PolarsResult<Vec<Squares>> {
    let [nn, nw, ww] = ["nn", "nw", "ww"].map(|name| numbers(frame, name));
    let rows = nn?.into_iter().zip(nw?).zip(ww?);
    let rows = rows.map(|((nn, nw), ww)| Squares {
        nn,
        nw: nw / SHARE_PART,
        ww: ww / (SHARE_PART * SHARE_PART),
    });
    Ok(rows.collect())
}

/// The number of a row in another frame.
const ROW: &str = "row";

/// The persons of sums, each with the number of the row of `rows` that has the same values in these columns, in
/// order.
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

/// What the skill of persons adds to each row, which is one of the formats of `all` by keys.
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
        SkillVariance::of_row(persons.iter().map(|(cluster, person)| PersonSums {
            in_row: in_row.get(cluster).copied().unwrap_or_default(),
            ..*person
        }))
    });
    Ok(skills.collect())
}

/// The column with the part that the nations of `expected` are of these and the row's together; left out where
/// `expected` follows from the rules and not from games.
pub(super) const OTHERS: &str = "others";

/// [`rated_in`] one family.
pub(super) fn rated(
    sums: [&DataFrame; 2],
    keys: &[&str],
    filters: &Filters,
) -> PolarsResult<DataFrame> {
    rated_in(sums, keys, &[], filters)
}

/// The columns of [`RATE_COLUMNS`] in the place of sums by format and keys, beside these and the other
/// sums; rows with too few games are left out. The sums are of all nations, and by keys. Each value of `families`
/// is a question of its own, for `q`.
pub(super) fn rated_in(
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
    let others = match frame.column(OTHERS) {
        Ok(_) => numbers(&frame, OTHERS)?,
        Err(_) => vec![1.0; frame.height()],
    };
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
    let beside = beside.map(|(row, others)| row.interval_beside(*others));
    let (lift_low, lift_high): (Vec<f64>, Vec<f64>) = beside.unzip();
    let p_values = evidence.iter().zip(&expected).zip(&others);
    let p_values: Vec<f64> = p_values
        .map(|((row, expected), others)| row.p_value_beside(*expected, *others))
        .collect();
    let counts =
        |numbers: &[f64]| -> Vec<u32> { numbers.iter().map(|number| *number as u32).collect() };
    let insufficient: Vec<bool> = evidence.iter().map(is_insufficient).collect();
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
        Column::new("expected".into(), expected),
        Column::new("q".into(), q_in(&frame, families, &p_values)?),
        Column::new("insufficient".into(), insufficient),
    ] {
        frame.with_column(column)?;
    }
    // What is not shown counts for q too.
    let enough = col("games").gt_eq(lit(filters.min_games.unwrap_or(0)));
    frame.lazy().filter(enough).collect()
}

/// Whether a row is of too few games, or of so few players that they say too little.
pub(super) fn is_insufficient(row: &Evidence) -> bool {
    row.games < f64::from(INSUFFICIENT_BELOW) || row.independent_games() < LEAST_INDEPENDENT
}

/// The `q` of each row among those with the same values in some columns.
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
