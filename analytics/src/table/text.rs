//! A readable table for terminals.

use comfy_table::{CellAlignment, ContentArrangement, Table as Grid, presets};
use polars::prelude::PolarsResult;
use serde_json::{Map, Value};

use super::Table;
use crate::measures::FORMAT;

impl Table {
    /// The table for people: a line on what was asked and one on what all rows have in common of the
    /// format, the rows with numbers to three places, and two lines on what the numbers are made of.
    ///
    /// # Errors
    /// When a column has a type that no measure gives.
    pub fn to_text(&self) -> PolarsResult<String> {
        let names = self.rows.get_column_names();
        let names: Vec<&str> = names.into_iter().map(|name| name.as_str()).collect();
        let rows = self.flat_rows()?;
        let is_common = |name: &&str| {
            let same = |row: &Map<String, Value>| row.get(*name) == rows[0].get(*name);
            FORMAT.contains(name) && !rows.is_empty() && rows.iter().all(same)
        };
        let (common, names): (Vec<&str>, Vec<&str>) = names.into_iter().partition(is_common);
        let common = common.iter().map(|name| (name, cell(rows[0].get(*name))));
        let common = common.filter(|(_, value)| !value.is_empty());
        let common: Vec<String> = common
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        let mut grid = Grid::new();
        grid.load_preset(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(names.clone());
        for row in &rows {
            grid.add_row(names.iter().map(|name| cell(row.get(*name))));
        }
        for (index, name) in names.iter().enumerate() {
            let is_number = self.rows.column(name)?.dtype().is_numeric();
            if let (true, Some(shown)) = (is_number, grid.column_mut(index)) {
                shown.set_cell_alignment(CellAlignment::Right);
            }
        }
        let filters = serde_json::to_value(&self.filters).unwrap_or_default();
        let filters = filters.as_object().into_iter().flatten();
        let filters: Vec<String> = filters
            .map(|(name, value)| format!("{name}={}", cell(Some(value))))
            .collect();
        let place = self.log_position;
        let as_of = match self.as_of {
            None => "no games".to_owned(),
            Some(_) => format!("as of {place}"),
        };
        let rulesets = self.rulesets.iter().map(|ruleset| {
            // Enough digits to tell files of one number apart.
            let hash: String = ruleset.hash.chars().take(8).collect();
            let (edition, version) = (&ruleset.edition, ruleset.version);
            format!("{edition} {version} {hash} ({} games)", ruleset.games)
        });
        let rulesets: Vec<String> = rulesets.collect();
        Ok(format!(
            "{} ({})\n{}\n\n{}\n\n{} games; data {}, {as_of}\nrules: {}\n",
            self.measure,
            filters.join(", "),
            common.join(", "),
            grid.trim_fmt(),
            self.games,
            self.data_version,
            rulesets.join(", "),
        ))
    }
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Bool(flag)) => if *flag { "yes" } else { "no" }.to_owned(),
        Some(Value::Number(number)) if number.is_f64() => {
            format!("{:.3}", number.as_f64().unwrap_or_default())
        }
        Some(other) => other.to_string(),
    }
}
