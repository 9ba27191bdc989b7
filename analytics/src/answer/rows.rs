//! Typed access to the rows of a table.

use charts::{titled, words};
use polars::prelude::{Column, PolarsResult, polars_err};

use super::table::StatisticsTable;
use crate::facts::ColumnType;
use crate::measures::accuracy::JUDGE;
use crate::measures::{Measure, RowFigures, TableShape};

impl StatisticsTable {
    /// Reads all rows with `read`.
    ///
    /// # Errors
    /// The first error of `read`.
    pub fn read<'a, T>(
        &'a self,
        read: impl Fn(&RowCells<'a>) -> PolarsResult<T>,
    ) -> PolarsResult<Vec<T>> {
        (0..self.rows.height())
            .map(|row| read(&self.cells(row)))
            .collect()
    }

    /// Returns the cells of a row.
    pub fn cells(&self, row: usize) -> RowCells<'_> {
        RowCells { table: self, row }
    }
}

/// The cells of a row. Each method fails if the column has another type or the cell is null.
#[derive(Clone, Copy, Debug)]
pub struct RowCells<'a> {
    pub(super) table: &'a StatisticsTable,
    row: usize,
}

impl<'a> RowCells<'a> {
    /// Returns the measure.
    pub fn measure(&self) -> &'static Measure {
        self.table.measure
    }

    fn column(&self, name: &str) -> PolarsResult<&'a Column> {
        self.table.rows.column(name)
    }

    fn value<T>(&self, column: &str, cell: Option<T>) -> PolarsResult<T> {
        let (measure, row) = (self.table.measure, self.row);
        cell.ok_or_else(|| polars_err!(ComputeError: "{measure}: row {row} has no {column}"))
    }

    /// Reads a text.
    ///
    /// # Errors
    /// See [`RowCells`].
    pub fn text(&self, column: &str) -> PolarsResult<&'a str> {
        self.value(column, self.optional_text(column)?)
    }

    /// Reads a text that can be null.
    ///
    /// # Errors
    /// See [`RowCells`].
    pub fn optional_text(&self, column: &str) -> PolarsResult<Option<&'a str>> {
        Ok(self.column(column)?.str()?.get(self.row))
    }

    /// Reads a whole number.
    ///
    /// # Errors
    /// See [`RowCells`].
    pub fn count(&self, column: &str) -> PolarsResult<u32> {
        self.value(column, self.column(column)?.u32()?.get(self.row))
    }

    /// Reads a floating-point number.
    ///
    /// # Errors
    /// See [`RowCells`].
    pub fn number(&self, column: &str) -> PolarsResult<f64> {
        self.value(column, self.column(column)?.f64()?.get(self.row))
    }

    /// Reads a floating-point number that can be null.
    ///
    /// # Errors
    /// See [`RowCells`].
    pub fn optional_number(&self, column: &str) -> PolarsResult<Option<f64>> {
        Ok(self.column(column)?.f64()?.get(self.row))
    }

    /// Reads a boolean.
    ///
    /// # Errors
    /// See [`RowCells`].
    pub fn flag(&self, column: &str) -> PolarsResult<bool> {
        self.value(column, self.column(column)?.bool()?.get(self.row))
    }

    /// Reads the quantiles for 10%, 25%, 50%, 75% and 90% of the games.
    pub(crate) fn quantiles(&self) -> PolarsResult<[f64; 5]> {
        let quantiles = ["q10", "q25", "median", "q75", "q90"].map(|name| self.number(name));
        let [q10, q25, median, q75, q90] = quantiles;
        Ok([q10?, q25?, median?, q75?, q90?])
    }

    /// Returns the keys of the row in words, except the key that divides rows into groups.
    ///
    /// # Errors
    /// See [`RowCells`].
    pub fn label(&self) -> PolarsResult<String> {
        let (keys, group) = (self.table.measure.keys, self.table.measure.group);
        let own = keys
            .iter()
            .filter(|key| Some(key.name) != group || keys.len() == 1);
        let parts = own.map(|key| {
            let text = match key.kind {
                ColumnType::Text => self.text(key.name)?.to_owned(),
                _ => self.count(key.name)?.to_string(),
            };
            Ok(match key.name {
                "place" => format!("Place {text}"),
                "by_round" => format!("by round {text}"),
                "by_turn" => format!("by turn {text}"),
                "know_hows" if text.is_empty() => "Without know-how".to_owned(),
                _ => words(&text.replace(", ", ",").replace(',', ", ")),
            })
        });
        Ok(parts.collect::<PolarsResult<Vec<_>>>()?.join(", "))
    }

    /// Returns the format in words, as a title.
    ///
    /// # Errors
    /// See [`RowCells`].
    pub fn title(&self) -> PolarsResult<String> {
        let (board, players, rules) = (self.board()?, self.players()?, self.rules()?);
        Ok(format!("{board} · {players}{rules}"))
    }

    /// Returns the format in words, without the players.
    pub(crate) fn game(&self) -> PolarsResult<String> {
        Ok(self.board()? + &self.rules()?)
    }

    /// Returns the board, the numbers of nations and players, and the variants, in words.
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

    /// Returns who plays in the games, and the bot of the row if the row is about one.
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

    /// Returns the version of the rules and the judge in words, if rows are divided by them.
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
    /// Wins divided by nations in games.
    pub rate: f64,
    /// The lower end of the 95% interval of the rate.
    pub low: f64,
    /// The upper end of that interval.
    pub high: f64,
    /// The lower end of the interval of the pooled rate, by which rows are ranked.
    pub pooled_low: f64,
    /// The expected rate.
    pub expected: f64,
    /// The false discovery rate if this rate is called significant (Benjamini-Hochberg).
    pub q: f64,
    /// True if there are too few games to rely on.
    pub insufficient: bool,
}

impl WinRate {
    /// Reads the win rate of a row.
    ///
    /// # Errors
    /// See [`RowCells`].
    pub fn read(cells: &RowCells<'_>) -> PolarsResult<WinRate> {
        Ok(WinRate {
            nation_games: cells.count("nation_games")?,
            rate: cells.number("rate")?,
            low: cells.number("low")?,
            high: cells.number("high")?,
            pooled_low: cells.number("pooled_low")?,
            expected: cells.number("expected")?,
            q: cells.number("q")?,
            insufficient: cells.flag("insufficient")?,
        })
    }
}
