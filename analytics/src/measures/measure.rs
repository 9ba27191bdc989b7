//! The type of measures.

use std::fmt;
use std::hash::{Hash, Hasher};

use jiff::{SignedDuration, Timestamp};
use polars::prelude::*;
use serde::{Serialize, Serializer};

use super::summary::{SEAT_BOT, Summary};
use crate::facts::{ColumnInfo, FactRow, SeatRow, columns};
use crate::question::{Filters, Inclusion, LEAGUE_WAIT, LEVELS};

/// A measure: a statistical question about facts.
pub struct Measure {
    /// The name in the API.
    pub name: &'static str,
    /// The path below `/v1/stats/`.
    pub path: &'static str,
    /// The name in navigation.
    pub label: &'static str,
    /// What the measure shows: a title, and after a full stop or a colon the details.
    pub meaning: &'static str,
    /// What the measure does not show, although readers might expect it; can be empty.
    pub caveat: &'static str,
    /// The columns that identify a row, besides the format.
    pub(crate) keys: &'static [ColumnInfo],
    /// The columns after the format.
    pub(crate) figures: &'static [&'static [ColumnInfo]],
    /// The summaries to add up, each by the format and these keys.
    /// The measure's own summary is the last one. If its rates are compared with those of all nations,
    /// [`ALL`](super::summary::ALL) comes before it.
    pub(crate) sums: &'static [(&'static Summary, &'static [&'static str])],
    /// Builds the rows of the table from the sums.
    pub(crate) finish: fn(&MeasureSums) -> PolarsResult<DataFrame>,
    /// Filters of which at least one must be given.
    pub needs: &'static [&'static str],
    /// Filters that only some measures accept, see [`super::check`].
    pub(crate) takes: &'static [&'static str],
    /// Keys whose values are separate families of tests, for `q`.
    pub(crate) families: &'static [&'static str],
    /// True if the measure compares the nations of a game. Filters on nations are then refused.
    pub(crate) is_of_whole_games: bool,
    /// How the rows are shown.
    pub(crate) shape: TableShape,
    /// The key that divides rows into groups, which are not compared with each other.
    pub(crate) group: Option<&'static str>,
    /// The value of the group key that short pictures show.
    pub sample: Option<&'static str>,
}

/// How the rows of a measure are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableShape {
    /// As rows, in charts with these figures.
    Rows(RowFigures),
    /// In pictures as curves.
    Curves(CurveColumns),
    /// In pictures as heat maps of the pooled rates: rows by the first key, columns by the second.
    Heat,
    /// As trees: each node contains the nodes that follow.
    Tree,
}

/// The columns of curves. The key `by` divides lines into panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CurveColumns {
    /// The horizontal axis: rounds, months, or numbers of first personages.
    pub along: &'static str,
    /// What each line is about.
    pub line: &'static str,
    /// The vertical axis, with the interval in `low` and `high`.
    pub value: &'static str,
    /// An explanation.
    pub about: &'static str,
}

/// The figures of a row in a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowFigures {
    /// The win rate with its interval, and the expected rate.
    Rates,
    /// The win rate at equal strength with its interval.
    EqualRates,
    /// A share of the variance of results with its interval.
    Skill,
    /// The win probability lost, with its interval.
    Losses,
    /// Quantiles of how long games are.
    Lengths,
    /// Parts of a total, for winners and for the others.
    Parts,
    /// Means, for winners and for the others.
    Means,
}

/// The sums of a measure by format and keys.
pub(crate) struct MeasureSums<'a> {
    pub measure: &'static Measure,
    pub filters: &'a Filters,
    /// The sums of all nations, if the measure compares with them; otherwise equal to `own`.
    pub all: &'a DataFrame,
    /// The sums of the measure's own summary.
    pub own: &'a DataFrame,
}

/// The names of the columns of the format.
pub(crate) const FORMAT: [&str; 9] = [
    "edition", "board", "variants", "nations", "players", "play", "bots", "bot", "ruleset",
];

/// The columns of the format.
pub(crate) static FORMAT_COLUMNS: [ColumnInfo; FORMAT.len()] = {
    let own = columns! {
        /// The variants in alphabetical order, joined by commas; empty for none.
        variants: Text, "";
        /// The bots that play, each once, by name with budget, joined by commas; empty if none.
        bots: Text, "";
        /// The bot that plays the nation, by name with budget; empty for people.
        /// The value is all in measures that do not divide rows by it.
        bot: Text, "";
        /// The number of the version of the edition's rules; all if versions are summed.
        /// By default versions are summed. The filter ruleset=each divides rows by version.
        ruleset: Text, "";
    };
    let [edition, board, nations, players, play] = select_columns(
        SeatRow::COLUMNS,
        ["edition", "board", "nations", "players", "play"],
    );
    let [variants, bots, bot, ruleset] = own;
    [
        edition, board, variants, nations, players, play, bots, bot, ruleset,
    ]
};

/// Selects columns by name.
pub(crate) const fn select_columns<const COUNT: usize>(
    columns: &[ColumnInfo],
    names: [&str; COUNT],
) -> [ColumnInfo; COUNT] {
    let mut select_columns = [columns[0]; COUNT];
    let mut place = 0;
    while place < COUNT {
        let mut index = 0;
        // An unknown name is a compile error.
        while !is_same(columns[index].name, names[place]) {
            index += 1;
        }
        select_columns[place] = columns[index];
        place += 1;
    }
    select_columns
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}

impl Measure {
    /// Returns the first part of the meaning.
    pub fn title(&self) -> &'static str {
        self.meaning
            .split(['.', ':'])
            .next()
            .unwrap_or(self.meaning)
    }

    /// Returns the rest of the meaning and the caveat; can be empty.
    pub fn more(&self) -> String {
        let more = self.meaning.trim_start_matches(self.title());
        let more = more.trim_start_matches(['.', ':', ' ']);
        let mut letters = more.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        let more: String = first.chain(letters).collect();
        [more.as_str(), self.caveat].join(" ").trim().to_owned()
    }

    /// Returns the meaning and the caveat.
    pub fn description(&self) -> String {
        [self.meaning, self.caveat].join(" ").trim_end().to_owned()
    }

    /// Returns the columns of the table.
    pub fn columns(&self) -> Vec<ColumnInfo> {
        let figures = self.figures.concat();
        [self.keys, &FORMAT_COLUMNS, &figures].concat()
    }

    /// True if rows are divided by the bot that plays the nation, as in measures of what nations do.
    /// Otherwise a habit of one bot would show the strength of that bot.
    pub(crate) fn is_by_bot(&self) -> bool {
        let own = self.sums.last();
        own.is_some_and(|(summary, _)| summary.keys.contains(&SEAT_BOT))
    }

    /// Returns the names of the key columns.
    pub fn key_names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|column| column.name).collect()
    }

    /// True if the rows are win rates with intervals.
    pub fn has_rates(&self) -> bool {
        let mut columns = self.figures.iter().copied().flatten();
        columns.any(|column| column.name == "pooled")
    }

    /// True if over-the-board results are counted under these filters.
    pub fn has_results(&self, filters: &Filters) -> bool {
        self.takes.contains(&"over_the_board") && filters.over_the_board != Inclusion::None
    }

    /// True if games with records are counted under these filters.
    pub(crate) fn has_records(&self, filters: &Filters) -> bool {
        !self.has_results(filters) || filters.over_the_board != Inclusion::Only
    }

    /// Returns the time up to which everything that it counts is known, from the same time for games.
    pub fn known_until(&self, filters: &Filters, until: Timestamp) -> Timestamp {
        let wait = match self.has_results(filters) {
            true => LEAGUE_WAIT,
            false => SignedDuration::ZERO,
        };
        until.checked_sub(wait).unwrap_or(Timestamp::MIN)
    }

    /// Returns the filters of a picture, which shows more levels than a table.
    pub fn for_picture(&self, filters: &Filters) -> Filters {
        let levels = match self.shape {
            TableShape::Tree => filters.levels.or(Some(LEVELS)),
            TableShape::Rows(_) | TableShape::Curves(_) | TableShape::Heat => filters.levels,
        };
        Filters {
            levels,
            ..filters.clone()
        }
    }
}

impl MeasureSums<'_> {
    /// Selects the columns of the measure's table.
    pub fn select(&self, frame: LazyFrame) -> LazyFrame {
        let columns = self.measure.columns();
        let columns: Vec<Expr> = columns.iter().map(|column| col(column.name)).collect();
        frame.select(columns)
    }
}

impl PartialEq for Measure {
    fn eq(&self, other: &Measure) -> bool {
        self.name == other.name
    }
}

impl Eq for Measure {}

impl Hash for Measure {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Debug for Measure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

impl Serialize for Measure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}
