//! What a measure is.

use std::fmt;
use std::hash::{Hash, Hasher};

use jiff::{SignedDuration, Timestamp};
use polars::prelude::*;
use serde::{Serialize, Serializer};

use super::summary::{SEAT_BOT, Summary};
use crate::facts::{ColumnInfo, FactRow, SeatRow, columns};
use crate::question::{Filters, LEAGUE_WAIT, LEVELS, Which};

/// A question to facts.
pub struct Measure {
    /// The name on the wire.
    pub name: &'static str,
    /// The path below `/v1/stats/`.
    pub path: &'static str,
    /// The name in navigation.
    pub label: &'static str,
    /// What it says: a title, and after a full stop or a colon more.
    pub meaning: &'static str,
    /// What it does not say, where readers could take it for that; empty if there is nothing.
    pub caveat: &'static str,
    /// The columns that its rows differ by, beside the format.
    pub(crate) keys: &'static [ColumnInfo],
    /// The columns after the format.
    pub(crate) figures: &'static [&'static [ColumnInfo]],
    /// What is added up for it, each summary by these keys of it and the format: its own last, before that
    /// [`ALL`](super::summary::ALL) if its rates are compared with those of all nations.
    pub(crate) sums: &'static [(&'static Summary, &'static [&'static str])],
    /// Makes the rows of the table.
    pub(crate) finish: fn(&Added) -> PolarsResult<DataFrame>,
    /// Filters of which one must be given.
    pub needs: &'static [&'static str],
    /// Filters that only some measures take, of those in [`super::check`].
    pub(crate) takes: &'static [&'static str],
    /// Keys of which each value is a question of its own, whose rows `q` compares.
    pub(crate) families: &'static [&'static str],
    /// Whether it compares the nations of a game with each other, so that no filter on nations can be given.
    pub(crate) is_of_whole_games: bool,
    /// How its rows are shown.
    pub(crate) shape: TableShape,
    /// The key that divides the rows into groups, which are not compared with each other.
    pub(crate) group: Option<&'static str>,
    /// The kind of rows that short pictures show, where a table has several kinds.
    pub sample: Option<&'static str>,
}

/// How the rows of a measure are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableShape {
    /// As rows, in pictures with these figures.
    Rows(RowFigures),
    /// In pictures as curves of this column with its interval, round by round, and what they are in words.
    Curves(&'static str, &'static str),
    /// As nodes which hold those that follow.
    Tree,
}

/// The figures that a picture has of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowFigures {
    /// The win rate with its interval, beside the expected rate.
    Rates,
    /// The win rate at equal strength with its interval.
    EqualRates,
    /// What a turn lost, with its interval, in the view of a judge.
    Losses,
    /// Quantiles of how long games are.
    Lengths,
    /// Parts of a whole, of winners and of the others.
    Parts,
    /// Means of winners and of the others.
    Means,
}

/// What was added up for a measure, by the format and keys.
pub(crate) struct Added<'a> {
    pub measure: &'static Measure,
    pub filters: &'a Filters,
    /// All nations, if the measure compares with these; else as `own`.
    pub all: &'a DataFrame,
    /// Its own summary.
    pub own: &'a DataFrame,
}

/// The columns that belong together in every measure.
pub(crate) const FORMAT: [&str; 9] = [
    "edition", "board", "variants", "nations", "players", "play", "bots", "bot", "ruleset",
];

/// The columns of the format.
pub(crate) static FORMAT_COLUMNS: [ColumnInfo; FORMAT.len()] = {
    let own = columns! {
        /// The variants in alphabetical order, joined by commas; empty for none.
        variants: Text, "";
        /// Which bots play, each once, by name with budget, joined by commas; empty without.
        bots: Text, "";
        /// The bot that plays the nation, by name with budget; empty for people, and all in measures that are not of what
        /// nations do.
        bot: Text, "";
        /// The number of the version of the edition's rules; all when versions are summed, which they are unless the
        /// filter ruleset says each.
        ruleset: Text, "";
    };
    let [edition, board, nations, players, play] = picked(
        SeatRow::COLUMNS,
        ["edition", "board", "nations", "players", "play"],
    );
    let [variants, bots, bot, ruleset] = own;
    [
        edition, board, variants, nations, players, play, bots, bot, ruleset,
    ]
};

/// The columns with these names.
pub(crate) const fn picked<const COUNT: usize>(
    columns: &[ColumnInfo],
    names: [&str; COUNT],
) -> [ColumnInfo; COUNT] {
    let mut picked = [columns[0]; COUNT];
    let mut place = 0;
    while place < COUNT {
        let mut index = 0;
        // A name that no column has does not compile.
        while !is_same(columns[index].name, names[place]) {
            index += 1;
        }
        picked[place] = columns[index];
        place += 1;
    }
    picked
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
    /// The first words of the meaning.
    pub fn title(&self) -> &'static str {
        self.meaning
            .split(['.', ':'])
            .next()
            .unwrap_or(self.meaning)
    }

    /// What [`Measure::meaning`] and the caveat say after the title; empty if nothing.
    pub fn more(&self) -> String {
        let more = self.meaning.trim_start_matches(self.title());
        let more = more.trim_start_matches(['.', ':', ' ']);
        let mut letters = more.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        let more: String = first.chain(letters).collect();
        [more.as_str(), self.caveat].join(" ").trim().to_owned()
    }

    /// Meaning and caveat.
    pub fn description(&self) -> String {
        [self.meaning, self.caveat].join(" ").trim_end().to_owned()
    }

    /// The columns of the result table.
    pub fn columns(&self) -> Vec<ColumnInfo> {
        let figures = self.figures.concat();
        [self.keys, &FORMAT_COLUMNS, &figures].concat()
    }

    /// Whether its rows are divided by the bot that plays the nation, as those of what nations do are: what one bot
    /// always does and the others never would otherwise say how good that bot is.
    pub(crate) fn is_by_bot(&self) -> bool {
        let own = self.sums.last();
        own.is_some_and(|(summary, _)| summary.keys.contains(&SEAT_BOT))
    }

    /// The names of its key columns.
    pub(crate) fn key_names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|column| column.name).collect()
    }

    /// Whether it counts results at real tables, as filters ask.
    pub fn has_results(&self, filters: &Filters) -> bool {
        self.takes.contains(&"result_only") && filters.result_only != Which::None
    }

    /// Whether it counts games of which there are records.
    pub(crate) fn has_records(&self, filters: &Filters) -> bool {
        !self.has_results(filters) || filters.result_only != Which::Only
    }

    /// Up to when all that it counts is known, when all games are up to a time.
    pub fn known_until(&self, filters: &Filters, until: Timestamp) -> Timestamp {
        let wait = match self.has_results(filters) {
            true => LEAGUE_WAIT,
            false => SignedDuration::ZERO,
        };
        until.checked_sub(wait).unwrap_or(Timestamp::MIN)
    }

    /// The filters of a picture, which shows more at once than a table.
    pub fn for_picture(&self, filters: &Filters) -> Filters {
        let levels = match self.shape {
            TableShape::Tree => filters.levels.or(Some(LEVELS)),
            TableShape::Rows(_) | TableShape::Curves(..) => filters.levels,
        };
        Filters {
            levels,
            ..filters.clone()
        }
    }
}

impl Added<'_> {
    /// These columns of the measure's table.
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
