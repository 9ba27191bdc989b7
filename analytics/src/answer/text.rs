//! A readable table for terminals.

use comfy_table::{CellAlignment, ContentArrangement, Table as Grid, presets};
use polars::prelude::{DataFrame, PolarsResult};
use serde_json::Value;

use super::json::value;
use super::table::Table;
use crate::measures::FORMAT;
use crate::measures::accuracy::JUDGE;

/// Columns that can be left out where there is no room, those that are missed least first. What rows are about,
/// rates and their intervals stay.
const LEAST_FIRST: &str = "\
    always_with numbers version turning_points blunders example skill_spread skills ruleset edition variants \
    players lift_low lift_high extra_steps recruited walls coins first given taken effect_low effect_high wins \
    cities know_hows units temples produced chips min max times lift frequency effect round mean q insufficient \
    expected nation_games nations play q25 q75 games bots board bot";

/// A column as texts.
pub(super) struct TextColumn<'a> {
    name: &'a str,
    cells: Vec<String>,
    /// How wide name and cells are, with the blanks round them.
    width: usize,
    is_number: bool,
}

/// The columns of a frame as texts.
///
/// # Errors
/// When a cell has no JSON.
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

/// Removes the columns that are missed least, until the others fit; returns their names. The first `keys` stay.
fn narrow(columns: &mut Vec<TextColumn<'_>>, keys: usize, most: usize) -> Vec<String> {
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

/// Texts with commas between them after a lead, in lines that are no longer, if there is a most.
fn listed(lead: &str, texts: &[String], most: Option<usize>) -> String {
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

impl Table {
    /// The table for people: a line on what was asked and one on what all rows have in common of the
    /// format, the rows with numbers to three places, and two lines on what the numbers are made of. With a most of
    /// characters in a line, columns are left out until the others fit, and named below.
    ///
    /// # Errors
    /// When a column has a type that no measure gives.
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
        let gone = most.map_or_else(Vec::new, |most| narrow(&mut columns, keys, most));
        let gone = match gone.is_empty() {
            true => String::new(),
            false => listed("not shown, see --wide: ", &gone, most) + "\n\n",
        };
        let filters = serde_json::to_value(&self.filters).unwrap_or_default();
        let filters = filters.as_object().into_iter().flatten();
        let filters: Vec<String> = filters
            .map(|(name, value)| format!("{name}={}", cell(value)))
            .collect();
        let place = self.log_position;
        let as_of = match self.as_of {
            None => "no games".to_owned(),
            // Results at real tables come between places of the log.
            Some(time) if self.measure.has_results(&self.filters) => format!("as of {time}"),
            Some(_) => format!("as of {place}"),
        };
        let rulesets = self.rulesets.iter().map(|ruleset| {
            let (edition, version, hash) = (&ruleset.edition, ruleset.version, &ruleset.hash);
            // Enough digits to distinguish files of one number.
            format!("{edition} {version} {hash:.8} ({} games)", ruleset.games)
        });
        let rulesets: Vec<String> = rulesets.collect();
        let made_of = [
            format!("{} games; data {}", self.games, self.data_version),
            as_of,
        ];
        Ok(format!(
            "{})\n{}\n\n{}\n\n{gone}{}\n{}\n",
            listed(&format!("{} (", self.measure), &filters, most),
            listed("", &common, most),
            grid(&columns),
            listed("", &made_of, most),
            listed("rules: ", &rulesets, most),
        ))
    }
}

/// Columns side by side below their names, without blanks at the ends of lines; numbers to the right.
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

/// A value for people.
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
