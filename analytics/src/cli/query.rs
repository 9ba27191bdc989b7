//! `query`: runs an SQL query on facts.

use std::io::Read;
use std::path::PathBuf;

use analytics::{Answer, FactsStore, query};
use anyhow::Context;

const EXAMPLE: &str = "Examples:
  tabularium-analytics query --facts facts \\
      \"SELECT board, COUNT(*) AS games, AVG(rounds) AS rounds FROM games GROUP BY board ORDER BY board\"
  tabularium-analytics query --facts facts --format csv --out bought.csv \\
      \"SELECT know_how, AVG(turn) AS turn FROM know_hows GROUP BY know_how ORDER BY turn\"
  tabularium-analytics query --facts facts - < question.sql

`describe` lists the tables and their columns.";

/// Run an SQL query on the tables of facts
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct QueryCommand {
    /// SQL query in the dialect of polars; - reads it from standard input
    query: String,
    /// Folder of facts
    #[arg(long, value_name = "DIR")]
    facts: PathBuf,
    /// Output format
    #[arg(long, default_value = "table")]
    format: QueryFormat,
    /// File to write; the default is standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Output formats.
#[derive(Clone, Copy, clap::ValueEnum)]
enum QueryFormat {
    /// Text
    Table,
    /// JSON: a list with an object for each row
    Json,
    /// CSV with a header line
    Csv,
    /// Parquet, which needs --out
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

/// How often a query is retried when parts were merged while it ran.
const TRIES: usize = 5;

/// Runs the command.
///
/// # Errors
/// If the query is invalid, the facts cannot be read or the output cannot be written.
pub fn run(arguments: &QueryCommand) -> anyhow::Result<()> {
    if matches!(arguments.format, QueryFormat::Parquet) {
        super::check_parquet(arguments.out.as_ref())?;
    }
    let mut sql = arguments.query.clone();
    if sql == "-" {
        sql.clear();
        let read = std::io::stdin().read_to_string(&mut sql);
        read.context("standard input")?;
    }
    let store = FactsStore::new(&arguments.facts);
    let mut tries = 0;
    let answer = loop {
        let before = store.manifest()?.parts;
        tries += 1;
        match query(&store.scan()?, &sql) {
            // A running server removes parts after it has merged them.
            Err(_) if tries < TRIES && store.manifest()?.parts != before => {}
            answer => break answer?,
        }
    };
    let bytes = arguments.format.render(&answer)?;
    super::write(arguments.out.as_ref(), &bytes)
}
