//! Charts of tables: rates with intervals, quantiles, or means of winners and others.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use charts::{Chart, IntervalSide, Row, RowGroup, Shape, Theme, WIDE};
use polars::prelude::PolarsResult;

use super::rows::RowCells;
use super::table::StatisticsTable;
use crate::facts::ColumnType;
use crate::measures::RowFigures;

/// The most rows of a group in a chart; those with the most games are kept.
pub const MOST: usize = 24;

impl RowFigures {
    /// Explains the figures in one sentence.
    fn about(self) -> &'static str {
        match self {
            RowFigures::Rates | RowFigures::EqualRates => {
                "Wins a nation in a game, with 95% intervals; n: nations in games."
            }
            RowFigures::Skill => {
                "The share of the variance of results, with 95% intervals; n: seats of people."
            }
            RowFigures::Losses => {
                "Mean win probability lost by a turn, with 95% intervals; n: games."
            }
            RowFigures::Lengths => "Median, with the range of 80% of the games; n: games.",
            RowFigures::Parts => "Part of all personages at the end; n: games.",
            RowFigures::Means => "Means of winners and of the others; n: nations in games.",
        }
    }

    /// Returns the value by which rows are ranked, the highest first: of rates, what they surely are at least.
    fn rank(self, cells: &RowCells<'_>) -> PolarsResult<f64> {
        cells.number(match self {
            RowFigures::Rates => "pooled_low",
            RowFigures::EqualRates => "equal_rate",
            RowFigures::Skill => "variance_share",
            RowFigures::Losses => "lost",
            RowFigures::Lengths => "median",
            RowFigures::Parts => "winners_part",
            RowFigures::Means => "winners_mean",
        })
    }

    /// Returns the row of the chart.
    fn row(self, cells: &RowCells<'_>) -> PolarsResult<Row> {
        let interval = |at: &str| -> PolarsResult<Shape> {
            Ok(Shape::Interval {
                at: cells.number(at)?,
                low: cells.number("low")?,
                high: cells.number("high")?,
                expected: None,
                side: IntervalSide::Even,
            })
        };
        let pair = |winners: &str, others: &str| -> PolarsResult<Shape> {
            Ok(Shape::Pair {
                winners: cells.number(winners)?,
                others: cells.number(others)?,
            })
        };
        let (count, shape) = match self {
            RowFigures::Rates => ("nation_games", rate(cells)?),
            RowFigures::EqualRates => ("nation_games", interval("equal_rate")?),
            RowFigures::Skill => ("seats", interval("variance_share")?),
            RowFigures::Losses => ("games", interval("lost")?),
            RowFigures::Lengths => ("games", Shape::Quantiles(cells.quantiles()?)),
            RowFigures::Parts => ("games", pair("winners_part", "others_part")?),
            RowFigures::Means => ("nation_games", pair("winners_mean", "others_mean")?),
        };
        Ok(Row {
            label: cells.label()?,
            count: cells.count(count)?.into(),
            few: self != RowFigures::Lengths && cells.flag("insufficient")?,
            shape,
        })
    }
}

/// Returns the rate of a row beside the expected one.
/// The lift decides on which side the rate is, since the expected rate can be one of few other nations.
fn rate(cells: &RowCells<'_>) -> PolarsResult<Shape> {
    let lift = [
        cells.optional_number("lift_low")?,
        cells.optional_number("lift_high")?,
    ];
    let expected = cells.number("expected")?;
    Ok(Shape::Interval {
        at: cells.number("rate")?,
        low: cells.number("low")?,
        high: cells.number("high")?,
        expected: Some(expected),
        side: match lift {
            // Others that always won are too few to tell.
            [Some(low), Some(high)] if expected < 1.0 => IntervalSide::of((low, high), 1.0),
            _ => IntervalSide::Even,
        },
    })
}

/// Returns the title of the row's group, or `None` if `only` excludes the group.
fn group_title(cells: &RowCells<'_>, only: Option<&str>) -> PolarsResult<Option<String>> {
    let key = cells.table.measure.group;
    let group = key.map(|key| cells.text(key)).transpose()?;
    Ok(match (only, group) {
        (Some(_), _) if only != group => None,
        (None, Some(group)) => Some(format!("{} · {}", cells.title()?, group.replace('_', " "))),
        _ => Some(cells.title()?),
    })
}

/// A row with the value by which it is ranked.
type RankedRow = (f64, Row);

/// Keeps the `most` rows with the most games, in their order.
fn with_most_games(rows: Vec<RankedRow>, most: usize) -> Vec<RankedRow> {
    let mut places: Vec<usize> = (0..rows.len()).collect();
    places.sort_by_key(|place| Reverse(rows[*place].1.count));
    let kept: BTreeSet<usize> = places.into_iter().take(most).collect();
    let rows = rows.into_iter().enumerate();
    rows.filter_map(|(place, row)| kept.contains(&place).then_some(row))
        .collect()
}

impl StatisticsTable {
    /// Draws the table as SVG, 800 pixels wide.
    /// Each format shows at most [`MOST`] rows, those with the most games, with intervals and numbers of games.
    /// Rates by round are curves.
    ///
    /// # Errors
    /// If a column has another type than the measure declares.
    pub fn to_svg(&self, theme: Theme) -> PolarsResult<String> {
        Ok(self.picture(MOST, None)?.svg(WIDE, theme))
    }

    /// Builds the chart: at most `most` rows of each group, and only the groups in `only` if given.
    ///
    /// # Errors
    /// See [`StatisticsTable::to_svg`].
    pub(super) fn chart(
        &self,
        figures: RowFigures,
        most: usize,
        only: Option<&str>,
    ) -> PolarsResult<Chart> {
        let mut groups: Vec<(String, Vec<RankedRow>)> = Vec::new();
        let rows = self.read(|cells| {
            let title = group_title(cells, only)?;
            title
                .map(|title| Ok((title, (figures.rank(cells)?, figures.row(cells)?))))
                .transpose()
        });
        for (title, row) in rows?.into_iter().flatten() {
            match groups.iter_mut().find(|(own, _)| *own == title) {
                Some((_, rows)) => rows.push(row),
                None => groups.push((title, vec![row])),
            }
        }
        // Rows whose last key has no natural order are ranked.
        let last = self.measure.keys.last();
        let is_ranked = last.is_some_and(|key| key.kind == ColumnType::Text);
        let groups = groups.into_iter().map(|(title, rows)| {
            let all = rows.len();
            let mut rows = with_most_games(rows, most);
            if is_ranked {
                rows.sort_by(|(one, _), (other, _)| other.total_cmp(one));
            }
            RowGroup {
                title,
                parts: !matches!(figures, RowFigures::Lengths | RowFigures::Means),
                left_out: all - rows.len(),
                rows: rows.into_iter().map(|(_, row)| row).collect(),
            }
        });
        Ok(Chart {
            title: self.measure.title().to_owned(),
            about: self.with_filters(figures.about()),
            groups: groups.collect(),
            notes: self.notes(),
            bare: false,
        })
    }

    /// Appends the filters that were given to an explanation.
    pub(super) fn with_filters(&self, what: &str) -> String {
        // The picture itself shows how many levels it has.
        let given = self.filters.given().into_iter();
        let given = given.filter(|(name, _)| name != "levels");
        let given: Vec<String> = given
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        match given.is_empty() {
            true => what.to_owned(),
            false => format!("{what} Only {}.", given.join(", ")),
        }
    }

    /// Returns the notes below a picture: games, version and time of the data.
    pub(super) fn notes(&self) -> Vec<String> {
        let as_of = self.as_of.map_or(String::new(), |time| {
            format!(", as of {}", time.strftime("%Y-%m-%d %H:%M UTC"))
        });
        let whole = if self.complete {
            ""
        } else {
            ", more are being added"
        };
        vec![format!(
            "{} games{whole} · data {}{as_of}",
            self.games, self.data_version
        )]
    }
}
