//! Text tables for terminals.

use comfy_table::{CellAlignment, ContentArrangement, Table as Grid, presets};
use polars::prelude::{DataFrame, PolarsResult};
use serde_json::Value;

use super::json::value;
use super::table::StatisticsTable;
use crate::measures::FORMAT;
use crate::measures::accuracy::JUDGE;

/// Columns to omit when a line is too long, the least important first.
/// Keys, rates and their intervals are always shown.
const LEAST_FIRST: &str = "\
    games_for_power games_for_width trend_high trend_low independent_games borrowed pooled_high pooled_low pooled \
    always_with numbers version turning_points blunders example skill_spread skills ruleset edition variants \
    players lift_low lift_high extra_steps recruited walls coins first given taken effect_low effect_high wins \
    cities know_hows units temples produced chips min max times lift frequency effect round mean q insufficient \
    expected nation_games nations play q25 q75 games bots board bot";

/// A column as texts.
pub(super) struct TextColumn<'a> {
    name: &'a str,
    cells: Vec<String>,
    /// The width of the column, with the blanks around it.
    width: usize,
    is_number: bool,
}

/// Returns the columns of a frame as texts.
///
/// # Errors
/// If a cell cannot be shown as JSON.
pub(super) fn text_columns(rows: &DataFrame) -> PolarsResult<Vec<TextColumn<'_>>> {
    let columns = rows.columns().iter().map(|column| {
        let name = column.name().as_str();
        let cells = (0..rows.height()).map(|row| Ok(cell(&value(&column.get(row)?)?)));
        let cells = cells.collect::<PolarsResult<Vec<String>>>()?;
        let texts = cells.iter().map(String::as_str).chain([name]);
        let widths = texts.map(|text| text.chars().count() + 2);
        Ok(TextColumn {
            name,
            width: widths.max().unwrap_or(0),
            is_number: column.dtype().is_numeric(),
            cells,
        })
    });
    columns.collect()
}

/// Removes the least important columns until a line fits, but never the first `keys`.
/// Returns the names of the removed columns.
fn fit_columns(columns: &mut Vec<TextColumn<'_>>, keys: usize, most: usize) -> Vec<String> {
    let mut gone = Vec::new();
    for least in LEAST_FIRST.split(' ') {
        if columns.iter().map(|column| column.width).sum::<usize>() <= most {
            break;
        }
        // Some of these names are keys of other measures.
        let mut own = columns.iter().skip(keys);
        if let Some(place) = own.position(|column| column.name == least) {
            gone.push(columns.remove(keys + place).name.to_owned());
        }
    }
    gone
}

/// Joins texts by commas after a heading, in lines of at most `most` characters.
fn join_lines(lead: &str, texts: &[String], most: Option<usize>) -> String {
    let mut lines = vec![lead.to_owned()];
    for (place, text) in texts.iter().enumerate() {
        let last = lines.len() - 1;
        let comma = if place > 0 { ", " } else { "" };
        let long = lines[last].chars().count() + 2 + text.chars().count() + 1;
        if place > 0 && most.is_some_and(|most| long > most) {
            lines[last].push(',');
            lines.push(text.clone());
        } else {
            lines[last] = format!("{}{comma}{text}", lines[last]);
        }
    }
    lines.join("\n")
}

impl StatisticsTable {
    /// Returns the table as text: filters, common values of the format, rows, and source.
    /// Numbers have three decimals. If lines have at most `most` characters, columns are omitted until the others
    /// fit, and listed below.
    ///
    /// # Errors
    /// If a column has a type that no measure has.
    pub fn to_text(&self, most: Option<usize>) -> PolarsResult<String> {
        let is_common = |column: &TextColumn<'_>| {
            (FORMAT.contains(&column.name) || JUDGE.contains(&column.name))
                && !column.cells.is_empty()
                && column.cells.iter().all(|cell| *cell == column.cells[0])
        };
        let columns = text_columns(&self.rows)?.into_iter();
        let (common, mut columns): (Vec<_>, Vec<_>) = columns.partition(is_common);
        let common = common
            .iter()
            .map(|column| (column.name, column.cells[0].as_str()))
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| format!("{name} {value}"));
        let common: Vec<String> = common.collect();
        let keys = self.measure.keys.len();
        let gone = most.map_or_else(Vec::new, |most| fit_columns(&mut columns, keys, most));
        let gone = match gone.is_empty() {
            true => String::new(),
            false => join_lines("not shown, see --wide: ", &gone, most) + "\n\n",
        };
        let filters = serde_json::to_value(&self.filters).unwrap_or_default();
        let filters = filters.as_object().into_iter().flatten();
        let filters: Vec<String> = filters
            .map(|(name, value)| format!("{name}={}", cell(value)))
            .collect();
        let place = self.log_position;
        let as_of = match self.as_of {
            None => "no games".to_owned(),
            // Over-the-board results are recorded between two offsets of the log.
            Some(time) if self.measure.has_results(&self.filters) => format!("as of {time}"),
            Some(_) => format!("as of {place}"),
        };
        let rulesets = self.rulesets.iter().map(|ruleset| {
            let (edition, version, hash) = (&ruleset.edition, ruleset.version, &ruleset.hash);
            // Enough digits to distinguish files with the same number.
            format!("{edition} {version} {hash:.8} ({} games)", ruleset.games)
        });
        let rulesets: Vec<String> = rulesets.collect();
        let made_of = [
            format!("{} games; data {}", self.games, self.data_version),
            as_of,
        ];
        Ok(format!(
            "{})\n{}\n\n{}\n\n{gone}{}\n{}\n",
            join_lines(&format!("{} (", self.measure), &filters, most),
            join_lines("", &common, most),
            grid(&columns),
            join_lines("", &made_of, most),
            join_lines("rules: ", &rulesets, most),
        ))
    }
}

/// Aligns columns below their names, numbers to the right.
pub(super) fn grid(columns: &[TextColumn<'_>]) -> String {
    let mut grid = Grid::new();
    grid.load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(columns.iter().map(|column| column.name));
    let height = columns.first().map_or(0, |column| column.cells.len());
    for row in 0..height {
        grid.add_row(columns.iter().map(|column| &column.cells[row]));
    }
    for (index, column) in columns.iter().enumerate() {
        if let (true, Some(shown)) = (column.is_number, grid.column_mut(index)) {
            shown.set_cell_alignment(CellAlignment::Right);
        }
    }
    grid.trim_fmt()
}

/// Formats a value for people.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(number) => format!("{number:.3}"),
            None => number.to_string(),
        },
        Value::Array(values) => values.iter().map(cell).collect::<Vec<_>>().join(","),
        Value::Object(_) => value.to_string(),
    }
}
