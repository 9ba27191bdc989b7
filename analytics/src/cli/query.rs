//! `query`: asks facts in SQL.

use std::io::Read;
use std::path::PathBuf;

use analytics::{Answer, Store, query};
use anyhow::Context;

const EXAMPLE: &str = "Examples:
  tabularium-analytics query --facts facts \\
      \"SELECT board, COUNT(*) AS games, AVG(rounds) AS rounds FROM games GROUP BY board ORDER BY board\"
  tabularium-analytics query --facts facts --format csv --out bought.csv \\
      \"SELECT know_how, AVG(turn) AS turn FROM know_hows GROUP BY know_how ORDER BY turn\"
  tabularium-analytics query --facts facts - < question.sql

`describe` lists the tables and their columns.";

/// Ask the tables of facts in SQL
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// The query, as polars understands SQL; - reads it from standard input
    query: String,
    /// The folder of facts
    #[arg(long, value_name = "DIR")]
    facts: PathBuf,
    /// The form of the answer
    #[arg(long, default_value = "table")]
    format: QueryFormat,
    /// Where to write it; standard output when left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Forms of an answer.
#[derive(Clone, Copy, clap::ValueEnum)]
enum QueryFormat {
    /// A table to read
    Table,
    /// An object a row, in a list
    Json,
    /// CSV with a header line
    Csv,
    /// A Parquet file
    Parquet,
}

impl QueryFormat {
    fn render(self, answer: &Answer) -> anyhow::Result<Vec<u8>> {
        Ok(match self {
            QueryFormat::Table => answer.to_text()?.into_bytes(),
            QueryFormat::Json => {
                format!("{}\n", serde_json::to_string_pretty(&answer.to_json()?)?).into_bytes()
            }
            QueryFormat::Csv => answer.to_csv()?.into_bytes(),
            QueryFormat::Parquet => answer.to_parquet()?,
        })
    }
}

/// How often a query is tried again when parts were merged meanwhile.
const TRIES: usize = 5;

/// Runs the command.
///
/// # Errors
/// When the query cannot be answered, the facts cannot be read or the answer cannot be written.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if matches!(arguments.format, QueryFormat::Parquet) {
        super::check_parquet(arguments.out.as_ref())?;
    }
    let mut sql = arguments.query.clone();
    if sql == "-" {
        sql.clear();
        let read = std::io::stdin().read_to_string(&mut sql);
        read.context("standard input")?;
    }
    let store = Store::new(&arguments.facts);
    let mut tries = 0;
    let answer = loop {
        let before = store.manifest()?.parts;
        tries += 1;
        match query(&store.scan()?, &sql) {
            // Parts that were merged with others are removed, as by a service that runs.
            Err(_) if tries < TRIES && store.manifest()?.parts != before => {}
            answer => break answer?,
        }
    };
    let bytes = arguments.format.render(&answer)?;
    super::write(arguments.out.as_ref(), &bytes)
}
