//! Pictures of tables with two keys, as heat maps.

use std::collections::BTreeMap;

use charts::{HeatCell, HeatMap, HeatMaps, words};
use polars::prelude::PolarsResult;

use super::rows::{RowCells, WinRate};
use super::table::StatisticsTable;
use crate::facts::ColumnType;

/// The most rows and columns of a map; those with the most games are kept.
const ROWS: usize = 24;
const COLUMNS: usize = 8;

/// A value of a key: numbers before texts, and its label.
type Value = (Option<u32>, String);

/// A cell with the values of its keys.
struct HeatEntry {
    row: Value,
    column: Value,
    cell: HeatCell,
}

impl StatisticsTable {
    /// Draws a heat map of the pooled rates for each format.
    pub(super) fn heat_maps(&self) -> PolarsResult<HeatMaps> {
        let mut formats: Vec<(String, Vec<HeatEntry>)> = Vec::new();
        for row in 0..self.rows.height() {
            let cells = self.cells(row);
            let title = cells.title()?;
            let entry = HeatEntry {
                row: self.key(&cells, 0)?,
                column: self.key(&cells, 1)?,
                cell: heat_cell(&cells)?,
            };
            match formats.iter_mut().find(|(own, _)| *own == title) {
                Some((_, entries)) => entries.push(entry),
                None => formats.push((title, vec![entry])),
            }
        }
        let maps = formats
            .into_iter()
            .map(|(title, entries)| heat_map(title, &entries));
        Ok(HeatMaps {
            title: self.measure.title().to_owned(),
            about: self.with_filters("Wins a nation in a game, partially pooled."),
            maps: maps.collect(),
            notes: self.notes(),
            bare: false,
        })
    }

    /// Reads a key of a row, with its label.
    fn key(&self, cells: &RowCells<'_>, index: usize) -> PolarsResult<Value> {
        let key = self.measure.keys[index];
        Ok(match key.kind {
            ColumnType::Text => (None, words(cells.text(key.name)?)),
            _ => {
                let number = cells.count(key.name)?;
                (Some(number), format!("{} {number}", words(key.name)))
            }
        })
    }
}

fn heat_cell(cells: &RowCells<'_>) -> PolarsResult<HeatCell> {
    let rate = WinRate::read(cells)?;
    Ok(HeatCell {
        count: rate.nation_games.into(),
        few: rate.insufficient,
        rate: cells.number("pooled")?,
        interval: (rate.pooled_low, cells.number("pooled_high")?),
        expected: rate.expected,
    })
}

/// Selects the values with the most games, in their order. Returns also how many others there are.
fn with_most_games<'a>(
    values: impl Iterator<Item = (&'a Value, u64)>,
    most: usize,
) -> (Vec<&'a Value>, usize) {
    let mut games: BTreeMap<&Value, u64> = BTreeMap::new();
    for (value, count) in values {
        *games.entry(value).or_default() += count;
    }
    let all = games.len();
    let mut kept: Vec<(&Value, u64)> = games.into_iter().collect();
    kept.sort_by_key(|(value, count)| (std::cmp::Reverse(*count), *value));
    kept.truncate(most);
    let mut kept: Vec<&Value> = kept.into_iter().map(|(value, _)| value).collect();
    kept.sort();
    (kept, all.saturating_sub(most))
}

fn heat_map(title: String, entries: &[HeatEntry]) -> HeatMap {
    let rows = entries.iter().map(|own| (&own.row, own.cell.count));
    let columns = entries.iter().map(|own| (&own.column, own.cell.count));
    let (rows, more_rows) = with_most_games(rows, ROWS);
    let (columns, more_columns) = with_most_games(columns, COLUMNS);
    let found: BTreeMap<(&Value, &Value), HeatCell> = (entries.iter())
        .map(|own| ((&own.row, &own.column), own.cell))
        .collect();
    let of_row = |row: &Value| -> Vec<Option<HeatCell>> {
        let cells = columns.iter().map(|column| found.get(&(row, *column)));
        cells.map(|cell| cell.copied()).collect()
    };
    let labels = |values: &[&Value]| values.iter().map(|(_, label)| label.clone()).collect();
    HeatMap {
        title,
        rows: labels(&rows),
        columns: labels(&columns),
        cells: rows.iter().map(|row| of_row(row)).collect(),
        left_out: more_rows + more_columns,
    }
}
