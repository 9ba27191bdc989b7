//! Compares facts on disk with facts that were derived again.

use polars::prelude::*;

use super::error::FactsStoreError;
use super::part::Part;
use super::store::FactsStore;
use crate::facts::{ColumnType, FactTable, Facts};

impl FactsStore {
    /// Compares all rows of some games and over-the-board results with the stored ones.
    /// Returns a sentence for each game and table that differ.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn differences(&self, facts: &Facts) -> Result<Vec<String>, FactsStoreError> {
        let failed = || FactsStoreError::table(self.directory());
        let parts = self.manifest()?.parts;
        let positions = facts.games().column("log_position")?.i64()?;
        let (first, last) = (positions.min().unwrap_or(0), positions.max().unwrap_or(-1));
        let of_games: Vec<Part> = (parts.iter())
            .filter(|part| part.first_position <= last && part.version.log_position >= first)
            .cloned()
            .collect();
        let of_results: Vec<Part> = (parts.into_iter())
            .filter(|part| part.results > 0)
            .collect();
        let mut differences = Vec::new();
        for (table, (name, derived)) in FactTable::ALL.iter().zip(facts.tables()) {
            let (parts, all) = match table {
                FactTable::Results => (&of_results, facts.results()),
                _ => (&of_games, facts.games()),
            };
            let games = all.column("game")?.unique_stable()?;
            let columns: Vec<Expr> = table.columns().iter().map(|own| col(own.name)).collect();
            let stored = match parts.is_empty() {
                true => derived.clear(),
                false => {
                    let games = DataFrame::new(games.len(), vec![games.clone()])?.lazy();
                    let semi = JoinArgs::new(JoinType::Semi);
                    let stored = self.scan_table(*table, parts)?;
                    let stored = stored.join(games, [col("game")], [col("game")], semi);
                    stored.select(columns).collect().map_err(failed())?
                }
            };
            let (stored, derived) = (sorted(&stored, *table)?, sorted(derived, *table)?);
            if stored.equals_missing(&derived) {
                continue;
            }
            for game in games.str()?.iter().flatten() {
                let of_game = |frame: &DataFrame| -> PolarsResult<DataFrame> {
                    frame.filter(&frame.column("game")?.str()?.equal(game))
                };
                if !of_game(&stored)?.equals_missing(&of_game(&derived)?) {
                    differences.push(format!("{game}: its rows in the facts table {name} differ"));
                }
            }
        }
        Ok(differences)
    }
}

/// Sorts rows by all columns but those with lists.
fn sorted(frame: &DataFrame, table: FactTable) -> PolarsResult<DataFrame> {
    let columns = table.columns().iter();
    let columns = columns.filter(|column| column.kind != ColumnType::Texts);
    let names: Vec<&str> = columns.map(|column| column.name).collect();
    frame.sort(names, SortMultipleOptions::default())
}
