//! A readable table for terminals.

use comfy_table::{CellAlignment, ContentArrangement, Table as Grid, presets};
use polars::prelude::{DataFrame, PolarsResult};
use serde_json::{Map, Value};

use super::table::Table;
use crate::measures::FORMAT;
use crate::measures::accuracy::JUDGE;

/// Columns that can be left out where there is no room, those that are missed least first. What rows are about,
/// rates and their intervals stay.
const LEAST_FIRST: [&str; 50] = [
    "always_with",
    "numbers",
    "version",
    "turning_points",
    "blunders",
    "example",
    "skill_spread",
    "skills",
    "ruleset",
    "edition",
    "variants",
    "players",
    "lift_low",
    "lift_high",
    "extra_steps",
    "recruited",
    "walls",
    "coins",
    "first",
    "given",
    "taken",
    "effect_low",
    "effect_high",
    "wins",
    "cities",
    "know_hows",
    "units",
    "temples",
    "produced",
    "chips",
    "min",
    "max",
    "times",
    "lift",
    "frequency",
    "effect",
    "round",
    "mean",
    "q",
    "insufficient",
    "expected",
    "nation_games",
    "nations",
    "play",
    "q25",
    "q75",
    "games",
    "bots",
    "board",
    "bot",
];

/// How wide the cells of each column are, with the blanks round them.
fn widths(names: &[&str], rows: &[Map<String, Value>]) -> Vec<usize> {
    let wide = |text: &str| text.chars().count() + 2;
    let column = |name: &&str| {
        let cells = rows.iter().map(|row| wide(&cell(row.get(*name))));
        cells.fold(wide(name), usize::max)
    };
    names.iter().map(column).collect()
}

/// Takes the columns away that are missed least, until the others fit; returns those. The first `keys` stay.
fn narrowed<'a>(
    names: &mut Vec<&'a str>,
    keys: usize,
    rows: &[Map<String, Value>],
    most: usize,
) -> Vec<&'a str> {
    let mut gone = Vec::new();
    let mut widths = widths(names, rows);
    for least in LEAST_FIRST {
        if widths.iter().sum::<usize>() <= most {
            break;
        }
        // Some of these names are what rows of other measures are told apart by.
        let place = names.iter().skip(keys).position(|name| *name == least);
        if let Some(place) = place {
            widths.remove(keys + place);
            gone.push(names.remove(keys + place));
        }
    }
    gone
}

/// Texts with commas between them, in lines that are no longer, if there is a most.
fn listed(texts: &[String], most: Option<usize>) -> String {
    let mut lines = vec![String::new()];
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
        let names = self.rows.get_column_names();
        let names: Vec<&str> = names.into_iter().map(|name| name.as_str()).collect();
        let rows = self.flat_rows()?;
        let is_common = |name: &&str| {
            let same = |row: &Map<String, Value>| row.get(*name) == rows[0].get(*name);
            (FORMAT.contains(name) || JUDGE.contains(name))
                && !rows.is_empty()
                && rows.iter().all(same)
        };
        let keys = names
            .iter()
            .take_while(|name| !FORMAT.contains(name))
            .count();
        let (common, mut names): (Vec<&str>, Vec<&str>) = names.into_iter().partition(is_common);
        let common = common.iter().map(|name| (name, cell(rows[0].get(*name))));
        let common = common.filter(|(_, value)| !value.is_empty());
        let common: Vec<String> = common
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        let gone = most.map_or_else(Vec::new, |most| narrowed(&mut names, keys, &rows, most));
        let gone = match gone.is_empty() {
            true => String::new(),
            false => {
                let mut gone: Vec<String> = gone.into_iter().map(str::to_owned).collect();
                gone[0] = format!("not shown, see --wide: {}", gone[0]);
                format!("{}\n\n", listed(&gone, most))
            }
        };
        let grid = grid(&self.rows, &names, &rows)?;
        let filters = serde_json::to_value(&self.filters).unwrap_or_default();
        let filters = filters.as_object().into_iter().flatten();
        let filters: Vec<String> = filters
            .map(|(name, value)| format!("{name}={}", cell(Some(value))))
            .collect();
        let place = self.log_position;
        let as_of = match self.as_of {
            None => "no games".to_owned(),
            // Results at real tables come between places of the log.
            Some(time) if self.measure.has_results(&self.filters) => format!("as of {time}"),
            Some(_) => format!("as of {place}"),
        };
        let rulesets = self.rulesets.iter().map(|ruleset| {
            // Enough digits to tell files of one number apart.
            let hash: String = ruleset.hash.chars().take(8).collect();
            let (edition, version) = (&ruleset.edition, ruleset.version);
            format!("{edition} {version} {hash} ({} games)", ruleset.games)
        });
        let rulesets: Vec<String> = rulesets.collect();
        let asked = [format!(
            "{} ({}",
            self.measure,
            filters.first().map_or("", String::as_str)
        )];
        let asked: Vec<String> = asked
            .into_iter()
            .chain(filters.into_iter().skip(1))
            .collect();
        let made_of = [
            format!("{} games; data {}", self.games, self.data_version),
            as_of,
        ];
        let rules = rulesets.first().map_or("", String::as_str);
        let rules: Vec<String> = [format!("rules: {rules}")]
            .into_iter()
            .chain(rulesets.iter().skip(1).cloned())
            .collect();
        Ok(format!(
            "{})\n{}\n\n{}\n\n{gone}{}\n{}\n",
            listed(&asked, most),
            listed(&common, most),
            grid,
            listed(&made_of, most),
            listed(&rules, most),
        ))
    }
}

/// Columns of rows side by side below their names, without blanks at the ends of lines; numbers to the right.
///
/// # Errors
/// When there is no such column.
pub(crate) fn grid(
    frame: &DataFrame,
    names: &[&str],
    rows: &[Map<String, Value>],
) -> PolarsResult<String> {
    let mut grid = Grid::new();
    grid.load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(names);
    for row in rows {
        grid.add_row(names.iter().map(|name| cell(row.get(*name))));
    }
    for (index, name) in names.iter().enumerate() {
        let is_number = frame.column(name)?.dtype().is_numeric();
        if let (true, Some(shown)) = (is_number, grid.column_mut(index)) {
            shown.set_cell_alignment(CellAlignment::Right);
        }
    }
    Ok(grid.trim_fmt())
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Bool(flag)) => if *flag { "yes" } else { "no" }.to_owned(),
        Some(Value::Number(number)) if number.is_f64() => {
            format!("{:.3}", number.as_f64().unwrap_or_default())
        }
        Some(Value::Array(values)) => {
            let texts: Vec<String> = values.iter().map(|value| cell(Some(value))).collect();
            texts.join(",")
        }
        Some(other) => other.to_string(),
    }
}
