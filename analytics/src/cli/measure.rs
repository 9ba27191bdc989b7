//! `measure`: computes a measure from facts.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use analytics::{
    ACCURACY, Analyses, FactsStore, Filters, MEASURES, Measure, SampleComparison, StatisticsTable,
};
use anyhow::{Context, bail};
use charts::Theme;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use programs::{library, unpacked};

const EXAMPLE: &str = "Examples:
  tabularium-analytics measure nations --facts facts --board antike-east --nations 4
  tabularium-analytics measure openings --facts facts --bots only --format csv
  tabularium-analytics measure openings-tree --facts facts --path marble,temple --format json
  tabularium-analytics measure openings-tree --facts facts --board antike-east --format svg --out tree.svg
  tabularium-analytics measure positions --facts facts --digest 0123456789abcdef
  tabularium-analytics measure personages --facts facts --at 3 --out mixes.parquet \\
      --format parquet
  tabularium-analytics measure seats --facts facts --since 2026-11-01 --until 2026-12-01
  tabularium-analytics measure lengths --facts facts --reason any
  tabularium-analytics measure nations --facts facts --format svg --theme dark --out nations.svg
  tabularium-analytics measure nations --facts facts --bot greedy --opponents people
  tabularium-analytics measure cards --facts facts --board duellum-rome-carthage --min-games 30
  tabularium-analytics measure nations --facts facts --bots none --versus bots=only
  tabularium-analytics measure nations --board antike-east --sql
  tabularium-bots analyse games.ndjson --budget 400 --format ndjson > analyses.ndjson
  tabularium-analytics measure accuracy --facts facts --analyses analyses.ndjson";

/// The width of a terminal in characters.
const TERMINAL: usize = 80;

/// Compute a measure from facts
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct MeasureCommand {
    /// Name of the measure
    #[arg(value_parser = names())]
    measure: &'static Measure,
    /// Folder of facts
    #[arg(long, value_name = "DIR", required_unless_present = "sql")]
    facts: Option<PathBuf>,
    /// For accuracy: files of analyses by `tabularium-bots analyse --format ndjson`, plain or gzipped
    #[arg(long, value_name = "FILE", num_args = 1.., required_if_eq("measure", "accuracy"))]
    analyses: Vec<PathBuf>,
    /// Print the measure's SQL query, for engines that read the tables of facts.
    /// Only measures of win rates have one; it returns counts, rates and the sums that intervals need
    #[arg(long, conflicts_with = "format")]
    sql: bool,
    /// Output format
    #[arg(long, default_value = "table")]
    format: MeasureFormat,
    /// Show all columns, in lines of any length; the default shows the most important ones in 80 characters
    #[arg(long)]
    wide: bool,
    /// Colours of a picture
    #[arg(long, value_enum, default_value = "light")]
    theme: ThemeName,
    /// File to write; the default is standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Folder with additional boards and rulesets (DIR/boards, DIR/rulesets)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Compare with the games of other filters, which change those of the first: a query such as bots=only
    #[arg(long, value_name = "QUERY", conflicts_with = "sql")]
    versus: Option<String>,
    #[command(flatten)]
    filters: Filters,
}

/// Parses the name of a measure, with hyphens.
fn names() -> impl TypedValueParser<Value = &'static Measure> {
    let all = MEASURES.into_iter().chain([&ACCURACY]);
    let names =
        all.map(|measure| PossibleValue::new(measure.name.replace('_', "-")).help(measure.title()));
    PossibleValuesParser::new(names).try_map(|name| name.replace('-', "_").parse())
}

/// Output formats.
#[derive(Clone, Copy, clap::ValueEnum)]
enum MeasureFormat {
    /// Text
    Table,
    /// JSON, as the API returns it
    Json,
    /// The rows as CSV
    Csv,
    /// Parquet, which needs --out
    Parquet,
    /// A picture as SVG: figures with intervals and their source
    Svg,
}

/// Colours of a picture.
#[derive(Clone, Copy, clap::ValueEnum)]
enum ThemeName {
    /// Dark on light, also for print
    Light,
    /// Light on dark
    Dark,
}

impl From<ThemeName> for Theme {
    fn from(name: ThemeName) -> Theme {
        match name {
            ThemeName::Light => Theme::Light,
            ThemeName::Dark => Theme::Dark,
        }
    }
}

impl MeasureFormat {
    fn render(self, table: &StatisticsTable, wide: bool, theme: Theme) -> anyhow::Result<Vec<u8>> {
        let most = (!wide).then_some(TERMINAL);
        Ok(match self {
            MeasureFormat::Table => table.to_text(most)?.into_bytes(),
            MeasureFormat::Json => format!("{:#}\n", table.to_json()?).into_bytes(),
            MeasureFormat::Csv => table.to_csv()?.into_bytes(),
            MeasureFormat::Parquet => table.to_parquet()?,
            MeasureFormat::Svg => table.to_svg(theme)?.into_bytes(),
        })
    }
}

/// Computes the measure `accuracy` from files of analyses.
fn accuracy(
    store: &FactsStore,
    files: &[PathBuf],
    filters: &Filters,
) -> anyhow::Result<StatisticsTable> {
    let open = |path: &PathBuf| {
        let name = path.display().to_string();
        let lines = File::open(path).and_then(|file| unpacked(BufReader::new(file)));
        let lines = lines.with_context(|| name.clone())?;
        Ok((name, lines))
    };
    let files = files.iter().map(open);
    let files = files.collect::<anyhow::Result<Vec<_>>>()?;
    let answer = store.accuracy(&Analyses::read(files)?, filters)?;
    if answer.unknown > 0 {
        eprintln!(
            "{} analysed games are excluded because the facts do not contain them",
            answer.unknown
        );
    }
    Ok(answer.table)
}

/// Runs the command.
///
/// # Errors
/// If the facts cannot be read or the output cannot be written.
pub fn run(arguments: &MeasureCommand) -> anyhow::Result<()> {
    if matches!(arguments.format, MeasureFormat::Parquet) {
        super::check_parquet(arguments.out.as_ref())?;
    }
    let library = library(arguments.data.as_deref())?;
    if arguments.measure != &ACCURACY && !arguments.analyses.is_empty() {
        bail!(
            "--analyses: {} uses no analyses; remove this option or use the measure accuracy",
            arguments.measure
        );
    }
    arguments
        .measure
        .check(&arguments.filters, &library, None)?;
    let bytes = match (&arguments.facts, &arguments.versus) {
        (Some(facts), Some(versus)) => {
            let (measure, first) = (arguments.measure, &arguments.filters);
            let second = SampleComparison::second(measure, first, versus)?;
            measure.check(&second, &library, None)?;
            let store = FactsStore::new(facts);
            let comparison = store.compare(measure, [first, &second])?;
            match arguments.format {
                MeasureFormat::Table => comparison.to_text()?.into_bytes(),
                MeasureFormat::Json => format!("{:#}\n", comparison.to_json()?).into_bytes(),
                MeasureFormat::Csv => comparison.to_csv()?.into_bytes(),
                MeasureFormat::Svg => comparison.to_svg(arguments.theme.into())?.into_bytes(),
                MeasureFormat::Parquet => comparison.to_parquet()?,
            }
        }
        (Some(facts), None) if !arguments.sql => {
            let filters = match arguments.format {
                MeasureFormat::Svg => arguments.measure.for_picture(&arguments.filters),
                _ => arguments.filters.clone(),
            };
            let store = FactsStore::new(facts);
            let table = match arguments.measure == &ACCURACY {
                true => accuracy(&store, &arguments.analyses, &filters)?,
                false => store.measure(arguments.measure, &filters)?,
            };
            arguments
                .format
                .render(&table, arguments.wide, arguments.theme.into())?
        }
        // Without --facts, clap requires --sql.
        _ => analytics::sql(arguments.measure, &arguments.filters)?.into_bytes(),
    };
    super::write(arguments.out.as_ref(), &bytes)
}
