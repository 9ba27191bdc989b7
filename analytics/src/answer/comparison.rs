//! Two samples of games compared row by row.
//!
//! The interval of a difference follows from the intervals of both rates (MOVER: Zou and Donner, "Construction of
//! confidence limits about effect measures", 2008). The test is the same comparison: the interval excludes 0 if and only
//! if the p-value is below 0.05.

use std::collections::{BTreeMap, BTreeSet};

use charts::{Chart, IntervalSide, Row, RowGroup, Shape, Theme, WIDE};
use jiff::Timestamp;
use polars::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

use super::curves::Picture;
use super::json::objects;
use super::svg::MOST;
use super::table::{PROGRAM, StatisticsTable};
use super::text::{grid, text_columns};
use crate::facts::{ColumnInfo, columns, parquet};
use crate::measures::{FORMAT, FORMAT_COLUMNS, Measure};
use crate::question::{FilterError, Filters, refuse};
use crate::statistics::difference::Difference;
use crate::statistics::interval::q_values;

/// The columns of the second sample's format.
const VERSUS_FORMAT: [ColumnInfo; FORMAT.len()] = columns! {
    /// The edition of the second sample.
    versus_edition: Text, "";
    /// The board of the second sample.
    versus_board: Text, "";
    /// The variants of the second sample, joined by commas.
    versus_variants: Text, "";
    /// The number of nations in the second sample.
    versus_nations: Count, "nations";
    /// The number of players in the second sample.
    versus_players: Count, "seats";
    /// Who plays in the second sample: people, bots or mixed.
    versus_play: Text, "";
    /// The bots that play in the second sample, joined by commas.
    versus_bots: Text, "";
    /// The bot that plays the nation in the second sample.
    versus_bot: Text, "";
    /// The version of the rules in the second sample.
    versus_ruleset: Text, "";
};

/// The columns after the keys and the format of both samples.
pub(crate) const COMPARED: [ColumnInfo; 16] = columns! {
    /// Games of the first sample.
    games: Count, "games";
    /// Nations in games of the first sample.
    nation_games: Count, "nations in games";
    /// The win rate in the first sample.
    rate: Number, "wins a nation in a game";
    /// Lower end of its 95% interval.
    low: Number, "wins a nation in a game";
    /// Upper end of that interval.
    high: Number, "wins a nation in a game";
    /// Games of the second sample.
    versus_games: Count, "games";
    /// Nations in games of the second sample.
    versus_nation_games: Count, "nations in games";
    /// The win rate in the second sample.
    versus_rate: Number, "wins a nation in a game";
    /// Lower end of its 95% interval.
    versus_low: Number, "wins a nation in a game";
    /// Upper end of that interval.
    versus_high: Number, "wins a nation in a game";
    /// rate - versus_rate.
    difference: Number, "wins a nation in a game";
    /// Lower end of the 95% interval of the difference.
    difference_low: Number, "wins a nation in a game";
    /// Upper end of that interval.
    difference_high: Number, "wins a nation in a game";
    /// The p-value of the difference, if there is none in truth.
    p: Number, "";
    /// The false discovery rate if this row and all with a smaller p-value are called significant.
    q: Number, "";
    /// Whether one of the samples has too few games to rely on.
    insufficient: Flag, "";
};

/// A sample of games.
#[derive(Clone, Debug, Serialize)]
struct Sample {
    filters: Filters,
    data_version: String,
    games: u64,
    log_position: i64,
    as_of: Option<Timestamp>,
    complete: bool,
}

/// Two samples of games compared row by row: the first minus the second.
///
/// The samples should have no games in common. Nations that play against each other win at each other's expense, so
/// their difference varies more than its interval says. With common players it varies less.
#[derive(Clone, Debug)]
pub struct SampleComparison {
    /// The measure.
    pub measure: &'static Measure,
    samples: [Sample; 2],
    /// The number of games that are in both samples.
    pub common_games: u64,
    /// The format and the keys of each row, in words.
    labels: Vec<(String, String)>,
    /// The rows, with the columns of [`SampleComparison::columns`].
    pub rows: DataFrame,
}

/// The columns of the format, each with the filters that let the samples differ in it.
const MAY_DIFFER: [(&str, &[&str]); FORMAT.len()] = [
    ("edition", &["edition", "board"]),
    ("board", &["board"]),
    ("variants", &["variant"]),
    ("nations", &["nations"]),
    ("players", &["nations"]),
    ("play", PLAYERS),
    ("bots", PLAYERS),
    ("bot", PLAYERS),
    ("ruleset", &["ruleset"]),
];

/// The filters on players.
const PLAYERS: &[&str] = &["bots", "bot", "player", "opponents", "league", "rated"];

impl SampleComparison {
    /// Returns the filters of the second sample: those of the first, changed by a query such as `bots=only`.
    /// An empty value removes a filter.
    ///
    /// # Errors
    /// If the measure has no win rates, or the query is no query of filters or has one twice.
    pub fn second(
        measure: &Measure,
        first: &Filters,
        versus: &str,
    ) -> Result<Filters, FilterError> {
        if !measure.has_rates() {
            let detail = format!("{measure} has no win rates that can be compared");
            refuse("versus", detail)?;
        }
        let bad = |error: serde_urlencoded::de::Error| FilterError {
            field: "versus",
            detail: error.to_string(),
        };
        let changes: Vec<(String, String)> = serde_urlencoded::from_str(versus).map_err(bad)?;
        let mut filters: BTreeMap<String, String> = first.given().into_iter().collect();
        let mut changed = BTreeSet::new();
        for (name, value) in changes {
            if !changed.insert(name.clone()) {
                refuse("versus", format!("{name:?} is given twice: give it once"))?;
            }
            match value.is_empty() {
                true => filters.remove(&name),
                false => filters.insert(name, value),
            };
        }
        // Plain texts always convert to a query.
        let query = serde_urlencoded::to_string(&filters).unwrap_or_default();
        serde_urlencoded::from_str(&query).map_err(bad)
    }

    /// Compares two tables of a measure.
    ///
    /// A row of the first is compared with each row of the second that has the same keys and the same format, except in
    /// what the filters make different, such as the bots that play. `common_games` is the number of games in both.
    ///
    /// # Errors
    /// If the measure has no win rates, or a column has another type than the measure declares.
    pub fn new(
        first: &StatisticsTable,
        second: &StatisticsTable,
        common_games: u64,
    ) -> PolarsResult<SampleComparison> {
        let measure = first.measure;
        let (given, other) = (first.filters.given(), second.filters.given());
        let differs = |name: &&str| {
            let of = |given: &[(String, String)]| {
                let mut own = given.iter();
                own.find(|(own, _)| own == name).cloned()
            };
            of(&given) != of(&other)
        };
        let fixed: Vec<&str> = (MAY_DIFFER.iter())
            .filter(|(_, filters)| !filters.iter().any(differs))
            .map(|(column, _)| *column)
            .collect();
        let by = [&measure.key_names()[..], &fixed].concat();
        let mut rows_of_second: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for row in 0..second.rows.height() {
            let key = cells(&second.rows, &by, row)?;
            rows_of_second.entry(key).or_default().push(row);
        }
        let mut pairs: Vec<(IdxSize, IdxSize)> = Vec::new();
        let mut labels = Vec::new();
        for row in 0..first.rows.height() {
            let found = rows_of_second.get(&cells(&first.rows, &by, row)?);
            for other in found.into_iter().flatten() {
                pairs.push((row as IdxSize, *other as IdxSize));
                let (own, versus) = (first.cells(row), second.cells(*other));
                let format = match (own.title()?, versus.title()?) {
                    (own, versus) if own == versus => own,
                    (own, versus) => format!("{own} against {versus}"),
                };
                // The row of a whole tree has no rondel space.
                labels.push((format, own.label().unwrap_or_else(|_| "All".to_owned())));
            }
        }
        let (own, others): (Vec<IdxSize>, Vec<IdxSize>) = pairs.into_iter().unzip();
        let own = first.rows.take(&IdxCa::from_vec("".into(), own))?;
        let others = second.rows.take(&IdxCa::from_vec("".into(), others))?;
        let sample = |table: &StatisticsTable| Sample {
            filters: table.filters.clone(),
            data_version: table.data_version.clone(),
            games: table.games,
            log_position: table.log_position,
            as_of: table.as_of,
            complete: table.complete,
        };
        Ok(SampleComparison {
            measure,
            samples: [sample(first), sample(second)],
            common_games,
            labels,
            rows: compared(measure, &own, &others)?,
        })
    }

    /// Returns the columns of the rows: the keys, the format of each sample, and the figures.
    pub fn columns(measure: &Measure) -> Vec<ColumnInfo> {
        let versus = VERSUS_FORMAT.iter().copied();
        let own = measure.keys.iter().chain(&FORMAT_COLUMNS).copied();
        own.chain(versus).chain(COMPARED).collect()
    }

    /// The number of games in each sample.
    pub fn games(&self) -> [u64; 2] {
        [&self.samples[0], &self.samples[1]].map(|sample| sample.games)
    }

    /// Returns the comparison as JSON, with the members `measure`, `program`, `samples`, `common_games` and `rows`.
    ///
    /// # Errors
    /// If a column has a type that no measure has.
    pub fn to_json(&self) -> PolarsResult<Value> {
        Ok(json!({
            "measure": self.measure,
            "program": PROGRAM,
            "samples": self.samples,
            "common_games": self.common_games,
            "rows": objects(&self.rows)?,
        }))
    }

    /// Returns the rows as CSV. The last columns name the source, so that a file can be cited.
    ///
    /// # Errors
    /// See [`SampleComparison::to_json`].
    pub fn to_csv(&self) -> PolarsResult<String> {
        let source = self.source();
        let source = source
            .iter()
            .map(|(name, text)| lit(text.as_str()).alias(*name));
        let source: Vec<Expr> = source.collect();
        let mut rows = self.rows.clone().lazy().with_columns(source).collect()?;
        let mut bytes = Vec::new();
        CsvWriter::new(&mut bytes).finish(&mut rows)?;
        String::from_utf8(bytes).map_err(|error| polars_err!(ComputeError: "{error}"))
    }

    /// Returns the rows as a Parquet file. Its metadata have the same source as the last columns of the CSV file, and
    /// `dictionary` (JSON: type, unit and meaning of each column).
    ///
    /// # Errors
    /// See [`SampleComparison::to_json`].
    pub fn to_parquet(&self) -> PolarsResult<Vec<u8>> {
        let dictionary = serde_json::to_string(&SampleComparison::columns(self.measure));
        let dictionary = dictionary.map_err(|error| polars_err!(ComputeError: "{error}"))?;
        let source = self
            .source()
            .into_iter()
            .chain([("dictionary", dictionary)]);
        let metadata = source.map(|(name, text)| (name.to_owned(), text));
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes)
            .with_key_value_metadata(Some(parquet::metadata(self.rows.schema(), metadata)))
            .finish(&mut self.rows.clone())?;
        Ok(bytes)
    }

    /// Where the numbers come from, so that a file can be cited.
    fn source(&self) -> [(&'static str, String); 7] {
        let [first, second] = &self.samples;
        [
            ("measure", self.measure.to_string()),
            ("program", PROGRAM.to_owned()),
            ("filters", query(&first.filters)),
            ("data_version", first.data_version.clone()),
            ("versus_filters", query(&second.filters)),
            ("versus_data_version", second.data_version.clone()),
            ("common_games", self.common_games.to_string()),
        ]
    }

    /// Returns the rows as a text table, without columns that have the same value in all rows.
    ///
    /// # Errors
    /// See [`SampleComparison::to_json`].
    pub fn to_text(&self) -> PolarsResult<String> {
        let mut shown = self.rows.clone();
        for column in FORMAT_COLUMNS.iter().chain(&VERSUS_FORMAT) {
            if shown.column(column.name)?.n_unique()? <= 1 {
                shown = shown.drop(column.name)?;
            }
        }
        let samples = self.samples.iter().map(|sample| {
            format!(
                "{}: {} games; data {}",
                query(&sample.filters),
                sample.games,
                sample.data_version
            )
        });
        let common = format!("games in both samples: {}", self.common_games);
        let samples: Vec<String> = samples.chain([common]).collect();
        Ok(format!(
            "{}\n\n{}\n\n{}\n",
            self.measure,
            grid(&text_columns(&shown)?),
            samples.join("\n")
        ))
    }

    /// Draws the differences with their intervals, of the rows with the most games.
    ///
    /// # Errors
    /// See [`SampleComparison::to_json`].
    pub fn picture(&self) -> PolarsResult<Picture> {
        let number =
            |name: &str| -> PolarsResult<&Float64Chunked> { self.rows.column(name)?.f64() };
        let [at, low, high] = ["difference", "difference_low", "difference_high"].map(number);
        let (at, low, high) = (at?, low?, high?);
        let count = |name: &str| -> PolarsResult<&UInt32Chunked> { self.rows.column(name)?.u32() };
        let (counts, others) = (count("nation_games")?, count("versus_nation_games")?);
        let few = self.rows.column("insufficient")?.bool()?;
        let mut groups: Vec<RowGroup> = Vec::new();
        for (row, (format, label)) in self.labels.iter().enumerate() {
            let smaller = counts.get(row).min(others.get(row));
            let (low, high) = (
                low.get(row).unwrap_or_default(),
                high.get(row).unwrap_or_default(),
            );
            let drawn = Row {
                label: label.clone(),
                count: smaller.unwrap_or_default().into(),
                few: few.get(row).unwrap_or_default(),
                shape: Shape::Interval {
                    at: at.get(row).unwrap_or_default(),
                    low,
                    high,
                    expected: Some(0.0),
                    side: IntervalSide::of((low, high), 0.0),
                },
            };
            match groups.iter_mut().find(|group| group.title == *format) {
                Some(group) => group.rows.push(drawn),
                None => groups.push(RowGroup {
                    title: format.clone(),
                    parts: true,
                    left_out: 0,
                    rows: vec![drawn],
                }),
            }
        }
        for group in &mut groups {
            let all = group.rows.len();
            group.rows.sort_by_key(|row| std::cmp::Reverse(row.count));
            group.rows.truncate(MOST);
            group.left_out = all - group.rows.len();
        }
        let [first, second] = &self.samples;
        let chart = Chart {
            title: self.measure.title().to_owned(),
            about: format!(
                "Win rate with {} minus win rate with {}, with 95% intervals; expected: no difference; n: nations in games of the smaller sample.",
                query(&first.filters),
                query(&second.filters)
            ),
            groups,
            notes: vec![format!(
                "data {} and {}",
                first.data_version, second.data_version
            )],
            bare: false,
        };
        Ok(Picture::Rows(chart))
    }

    /// Draws the picture as SVG, 800 pixels wide.
    ///
    /// # Errors
    /// See [`SampleComparison::to_json`].
    pub fn to_svg(&self, theme: Theme) -> PolarsResult<String> {
        Ok(self.picture()?.svg(WIDE, theme))
    }
}

/// The filters as a query, or `all games`.
fn query(filters: &Filters) -> String {
    let given: Vec<String> = (filters.given().into_iter())
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    match given.is_empty() {
        true => "all games".to_owned(),
        false => given.join("&"),
    }
}

/// Returns cells of a row as texts.
fn cells(rows: &DataFrame, names: &[&str], row: usize) -> PolarsResult<Vec<String>> {
    let cell = |name: &&str| {
        let cell = rows.column(name)?.get(row)?;
        Ok(cell
            .get_str()
            .map_or_else(|| cell.to_string(), str::to_owned))
    };
    names.iter().map(cell).collect()
}

/// Builds the rows of a comparison from the paired rows of both samples.
fn compared(measure: &Measure, own: &DataFrame, others: &DataFrame) -> PolarsResult<DataFrame> {
    let numbers = |frame: &DataFrame, name: &str| -> PolarsResult<Vec<f64>> {
        Ok(frame.column(name)?.f64()?.into_no_null_iter().collect())
    };
    let of = |frame: &DataFrame| -> PolarsResult<[Vec<f64>; 3]> {
        Ok([
            numbers(frame, "rate")?,
            numbers(frame, "low")?,
            numbers(frame, "high")?,
        ])
    };
    let ([rate, low, high], [versus, versus_low, versus_high]) = (of(own)?, of(others)?);
    let differences: Vec<Difference> = (0..rate.len())
        .map(|row| {
            Difference::new(
                [rate[row], low[row], high[row]],
                [versus[row], versus_low[row], versus_high[row]],
            )
        })
        .collect();
    let p: Vec<f64> = differences.iter().map(|row| row.p).collect();
    let part = |of: fn(&Difference) -> f64| -> Vec<f64> { differences.iter().map(of).collect() };
    let few = |frame: &DataFrame| -> PolarsResult<BooleanChunked> {
        Ok(frame.column("insufficient")?.bool()?.clone())
    };
    let insufficient = &few(own)? | &few(others)?;
    let renamed = |frame: &DataFrame, name: &str, new: &str| -> PolarsResult<Column> {
        Ok(frame.column(name)?.clone().with_name(new.into()))
    };
    let mut found = Vec::new();
    for name in measure.key_names().iter().chain(&FORMAT) {
        found.push(own.column(name)?.clone());
    }
    for (name, new) in FORMAT.iter().zip(&VERSUS_FORMAT) {
        found.push(renamed(others, name, new.name)?);
    }
    for name in ["games", "nation_games", "rate", "low", "high"] {
        found.push(own.column(name)?.clone());
    }
    for name in ["games", "nation_games", "rate", "low", "high"] {
        found.push(renamed(others, name, &format!("versus_{name}"))?);
    }
    found.extend([
        Column::new("difference".into(), part(|row| row.at)),
        Column::new("difference_low".into(), part(|row| row.low)),
        Column::new("difference_high".into(), part(|row| row.high)),
        Column::new("q".into(), q_values(&p)),
        Column::new("p".into(), p),
        insufficient.with_name("insufficient".into()).into_column(),
    ]);
    let rows = DataFrame::new(rate.len(), found)?;
    let columns = SampleComparison::columns(measure);
    rows.select(columns.iter().map(|column| column.name))
}
