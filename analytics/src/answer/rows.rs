//! The rows of a table, read with the types that the measure declares for its columns.

use charts::{titled, words};
use polars::prelude::{Column, PolarsResult, polars_err};

use super::table::Table;
use crate::facts::Kind;
use crate::measures::accuracy::JUDGE;
use crate::measures::{RowFigures, TableShape};

impl Table {
    /// The rows, each read from its cells.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn read<'a, T>(
        &'a self,
        read: impl Fn(&RowCells<'a>) -> PolarsResult<T>,
    ) -> PolarsResult<Vec<T>> {
        (0..self.rows.height())
            .map(|row| read(&self.cells(row)))
            .collect()
    }

    /// The cells of a row.
    pub fn cells(&self, row: usize) -> RowCells<'_> {
        RowCells { table: self, row }
    }
}

/// The cells of a row. Each method fails if the column has another type or the cell has no value.
#[derive(Clone, Copy, Debug)]
pub struct RowCells<'a> {
    pub(super) table: &'a Table,
    row: usize,
}

impl<'a> RowCells<'a> {
    fn column(&self, name: &str) -> PolarsResult<&'a Column> {
        self.table.rows.column(name)
    }

    fn value<T>(&self, column: &str, cell: Option<T>) -> PolarsResult<T> {
        let (measure, row) = (self.table.measure, self.row);
        cell.ok_or_else(|| polars_err!(ComputeError: "{measure}: row {row} has no {column}"))
    }

    /// A text.
    ///
    /// # Errors
    /// See [`RowCells`].
    pub fn text(&self, column: &str) -> PolarsResult<&'a str> {
        self.value(column, self.optional_text(column)?)
    }

    /// A text that can be missing.
    ///
    /// # Errors
    /// See [`RowCells`].
    pub fn optional_text(&self, column: &str) -> PolarsResult<Option<&'a str>> {
        Ok(self.column(column)?.str()?.get(self.row))
    }

    /// A whole number.
    ///
    /// # Errors
    /// See [`RowCells`].
    pub fn count(&self, column: &str) -> PolarsResult<u32> {
        self.value(column, self.column(column)?.u32()?.get(self.row))
    }

    /// A number.
    ///
    /// # Errors
    /// See [`RowCells`].
    pub fn number(&self, column: &str) -> PolarsResult<f64> {
        self.value(column, self.column(column)?.f64()?.get(self.row))
    }

    /// A flag.
    ///
    /// # Errors
    /// See [`RowCells`].
    pub fn flag(&self, column: &str) -> PolarsResult<bool> {
        self.value(column, self.column(column)?.bool()?.get(self.row))
    }

    /// The quantiles for 10%, 25%, 50%, 75% and 90% of the games.
    pub(crate) fn quantiles(&self) -> PolarsResult<[f64; 5]> {
        let quantiles = ["q10", "q25", "median", "q75", "q90"].map(|name| self.number(name));
        let [q10, q25, median, q75, q90] = quantiles;
        Ok([q10?, q25?, median?, q75?, q90?])
    }

    /// What the row is about: its keys in words, except the key that divides rows into groups.
    pub(crate) fn label(&self) -> PolarsResult<String> {
        let (keys, group) = (self.table.measure.keys, self.table.measure.group);
        let own = keys
            .iter()
            .filter(|key| Some(key.name) != group || keys.len() == 1);
        let parts = own.map(|key| {
            let text = match key.kind {
                Kind::Text => self.text(key.name)?.to_owned(),
                _ => self.count(key.name)?.to_string(),
            };
            Ok(match key.name {
                "place" => format!("Place {text}"),
                "by_round" => format!("by round {text}"),
                "by_turn" => format!("by turn {text}"),
                "know_hows" if text.is_empty() => "Without know-how".to_owned(),
                _ => words(&text.replace(',', ", ")),
            })
        });
        Ok(parts.collect::<PolarsResult<Vec<_>>>()?.join(", "))
    }

    /// The format, as the title of what is shown of the row.
    pub(super) fn title(&self) -> PolarsResult<String> {
        let (board, players, rules) = (self.board()?, self.players()?, self.rules()?);
        Ok(format!("{board} · {players}{rules}"))
    }

    /// What was played: the format without the players.
    pub(crate) fn game(&self) -> PolarsResult<String> {
        Ok(self.board()? + &self.rules()?)
    }

    /// The board with the numbers of nations and players and the variants.
    fn board(&self) -> PolarsResult<String> {
        let board = titled(&self.text("board")?.replace('-', "_"));
        let (nations, players) = (self.count("nations")?, self.count("players")?);
        let mut parts = vec![board, format!("{nations} nations")];
        if players != nations {
            parts.push(format!("{players} players"));
        }
        let variants = self.text("variants")?;
        if !variants.is_empty() {
            parts.push(variants.replace(',', ", ").replace('_', " "));
        }
        Ok(parts.join(" · "))
    }

    /// Who plays in the games of the row, and which of them the row is about if not all.
    pub(crate) fn players(&self) -> PolarsResult<String> {
        let (play, bots, bot) = (self.text("play")?, self.text("bots")?, self.text("bot")?);
        let all = match play {
            "bots" => format!("bots: {}", bots.replace(',', ", ")),
            "mixed" => format!("people and bots: {}", bots.replace(',', ", ")),
            play => play.to_owned(),
        };
        Ok(match (play, bot) {
            ("mixed", "") => format!("{all} · people"),
            (_, "" | "all") => all,
            ("bots", bot) if bot == bots => all,
            (_, bot) => format!("{all} · {bot}"),
        })
    }

    /// The rules and the judge, each after a separator, where rows are divided by them.
    fn rules(&self) -> PolarsResult<String> {
        let rules = match self.text("ruleset")? {
            "" | "all" => String::new(),
            ruleset => format!(" · rules {ruleset}"),
        };
        if self.table.measure.shape != TableShape::Rows(RowFigures::Losses) {
            return Ok(rules);
        }
        let [judge, numbers, version] = JUDGE.map(|name| self.text(name));
        let (judge, numbers, version) = (judge?, numbers?, version?);
        // Enough digits to distinguish files.
        Ok(format!(
            "{rules} · judged by {judge}, version {version}, numbers {numbers:.8}"
        ))
    }
}

/// The figures of a row of win rates.
#[derive(Clone, Copy, Debug, Default)]
pub struct WinRate {
    /// Nations in games.
    pub nation_games: u32,
    /// Wins a nation in a game.
    pub rate: f64,
    /// The lower end of the 95% interval of the rate.
    pub low: f64,
    /// The upper end of that interval.
    pub high: f64,
    /// The rate that is expected.
    pub expected: f64,
    /// The false discovery rate if this rate is called significant (Benjamini-Hochberg).
    pub q: f64,
    /// True if there are too few games to rely on.
    pub insufficient: bool,
}

impl WinRate {
    /// The win rate of a row.
    ///
    /// # Errors
    /// See [`RowCells`].
    pub fn read(cells: &RowCells<'_>) -> PolarsResult<WinRate> {
        Ok(WinRate {
            nation_games: cells.count("nation_games")?,
            rate: cells.number("rate")?,
            low: cells.number("low")?,
            high: cells.number("high")?,
            expected: cells.number("expected")?,
            q: cells.number("q")?,
            insufficient: cells.flag("insufficient")?,
        })
    }
}
