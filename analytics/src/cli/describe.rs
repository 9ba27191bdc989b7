//! `describe`: prints the dictionary of facts and measures.

use std::io::Write;

use analytics::facts::FactTable;
use analytics::{ACCURACY, Dictionary, MEASURES, TableDescription};
use anyhow::bail;

const EXAMPLE: &str = "Examples:
  tabularium-analytics describe
  tabularium-analytics describe nations
  tabularium-analytics describe seats --kind facts
  tabularium-analytics describe --format json";

/// List the columns of facts and measures with type, unit and meaning
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct DescribeCommand {
    /// Name of a table of facts or of a measure; without it, all are listed
    name: Option<String>,
    /// List only tables of facts, or only measures
    #[arg(long)]
    kind: Option<DescriptionKind>,
    /// Output format
    #[arg(long, default_value = "table")]
    format: DescriptionFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DescriptionKind {
    /// Tables of facts, as the command `facts` writes them
    Facts,
    /// Tables of measures, as the command `measure` prints them
    Measures,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum DescriptionFormat {
    /// Text
    Table,
    /// JSON: the tables of facts and of measures by name
    Json,
}

/// Lists all tables with their kind, in a fixed order.
fn all(dictionary: &Dictionary) -> Vec<(DescriptionKind, &'static str, &TableDescription)> {
    let names = FactTable::ALL.iter().map(|table| table.name());
    let facts = names.map(|name| (DescriptionKind::Facts, name, &dictionary.facts[name]));
    let measures = MEASURES.into_iter().chain([&ACCURACY]);
    let names = measures.map(|measure| measure.name);
    let measures = names.map(|name| (DescriptionKind::Measures, name, &dictionary.measures[name]));
    facts.chain(measures).collect()
}

/// Runs the command.
///
/// # Errors
/// If no table has this name, or if the output cannot be written.
pub fn run(arguments: &DescribeCommand) -> anyhow::Result<()> {
    // The command `measure` accepts names with hyphens.
    let asked = arguments.name.as_ref().map(|name| name.replace('-', "_"));
    let of_kind = |kind: DescriptionKind| arguments.kind.is_none_or(|asked| asked == kind);
    let named = |name: &str| asked.as_ref().is_none_or(|asked| asked == name);
    let mut dictionary = Dictionary::with_analyses();
    let known: Vec<&str> = all(&dictionary)
        .iter()
        .filter(|(kind, ..)| of_kind(*kind))
        .map(|(_, name, _)| *name)
        .collect();
    if let Some(name) = &arguments.name
        && !known.iter().any(|known| named(known))
    {
        bail!(
            "{name:?} is not a table; the tables are {}",
            known.join(", ")
        );
    }
    let text = match arguments.format {
        DescriptionFormat::Table => all(&dictionary)
            .into_iter()
            .filter(|(kind, name, _)| of_kind(*kind) && named(name))
            .map(|(kind, name, table)| describe(kind, name, table))
            .collect(),
        DescriptionFormat::Json => {
            let facts = &mut dictionary.facts;
            facts.retain(|name, _| of_kind(DescriptionKind::Facts) && named(name));
            let measures = &mut dictionary.measures;
            measures.retain(|name, _| of_kind(DescriptionKind::Measures) && named(name));
            format!("{:#}\n", serde_json::to_value(&dictionary)?)
        }
    };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

fn describe(kind: DescriptionKind, name: &str, table: &TableDescription) -> String {
    let of_kind = match kind {
        DescriptionKind::Facts => "facts",
        DescriptionKind::Measures => "measure",
    };
    let columns = table.columns.iter().map(|column| {
        let unit = match column.unit {
            "" => String::new(),
            unit => format!(", {unit}"),
        };
        let kind = serde_json::to_value(column.kind).unwrap_or_default();
        let kind = kind.as_str().unwrap_or_default().to_owned();
        format!("  {} ({kind}{unit}): {}\n", column.name, column.meaning)
    });
    let columns: String = columns.collect();
    format!("{of_kind} {name}: {}\n{columns}\n", table.meaning)
}
