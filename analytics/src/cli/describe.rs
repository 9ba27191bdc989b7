//! `describe`: the dictionary of facts and measures, from the code that makes them.

use std::io::Write;

use analytics::Measure;
use analytics::facts::{ColumnInfo, FactTable};
use anyhow::bail;
use serde_json::{Map, Value, json};

const EXAMPLE: &str = "Examples:
  tabularium-analytics describe
  tabularium-analytics describe nations
  tabularium-analytics describe seats --kind facts
  tabularium-analytics describe --format json";

/// Tell every column of facts and measures: type, unit and meaning
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// A table of facts or a measure; all of them when left out
    name: Option<String>,
    /// Only tables of facts, or only measures
    #[arg(long)]
    kind: Option<Kind>,
    /// The form of the answer
    #[arg(long, default_value = "table")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// What happened in games, as `facts` writes it
    Facts,
    /// What `measure` answers
    Measures,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// To read
    Table,
    /// JSON: for each kind its tables by name
    Json,
}

struct Described {
    kind: Kind,
    name: &'static str,
    meaning: &'static str,
    columns: Vec<ColumnInfo>,
}

fn all() -> impl Iterator<Item = Described> {
    let facts = FactTable::ALL.iter().map(|table| Described {
        kind: Kind::Facts,
        name: table.name(),
        meaning: table.meaning(),
        columns: table.columns().to_vec(),
    });
    let measures = Measure::ALL.iter().map(|measure| Described {
        kind: Kind::Measures,
        name: measure.name(),
        meaning: measure.meaning(),
        columns: measure.columns(),
    });
    facts.chain(measures)
}

/// Runs the command.
///
/// # Errors
/// When there is no such table, or the answer cannot be written.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let of_kind = |table: &Described| arguments.kind.is_none_or(|kind| kind == table.kind);
    // Measures are typed with hyphens too.
    let asked = arguments.name.as_ref().map(|name| name.replace('-', "_"));
    let named = |table: &Described| asked.as_ref().is_none_or(|name| name == table.name);
    let tables: Vec<Described> = all().filter(of_kind).filter(named).collect();
    if let (Some(name), true) = (&arguments.name, tables.is_empty()) {
        let names: Vec<&str> = all().filter(of_kind).map(|table| table.name).collect();
        bail!("there is no table {name:?}; there are {}", names.join(", "));
    }
    let text = match arguments.format {
        Format::Table => tables.iter().map(in_words).collect(),
        Format::Json => format!("{:#}\n", in_json(&tables)),
    };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

fn in_words(table: &Described) -> String {
    let kind = match table.kind {
        Kind::Facts => "facts",
        Kind::Measures => "measure",
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
    format!("{kind} {}: {}\n{columns}\n", table.name, table.meaning)
}

fn in_json(tables: &[Described]) -> Value {
    let of = |kind: Kind| -> Value {
        let tables = tables.iter().filter(|table| table.kind == kind);
        let tables = tables.map(|table| {
            let told = json!({"meaning": table.meaning, "columns": table.columns});
            (table.name.to_owned(), told)
        });
        tables.collect::<Map<String, Value>>().into()
    };
    json!({"facts": of(Kind::Facts), "measures": of(Kind::Measures)})
}
