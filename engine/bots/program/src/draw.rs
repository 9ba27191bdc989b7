//! `tabularium-bots draw`: draws a board, or a position of a record.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use charts::Theme;
use drawing::Style;
use engine::content::Library;
use engine::forms::View;
use programs::{DataOption, read_records};
use records::Record;

/// Draw a board, or a position of a record, as SVG or PNG.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    tabularium-bots draw --board antike-east --out east.svg\n  \
    tabularium-bots draw game.txt --at 40 --theme dark --out game.png")]
pub struct Draw {
    /// A file with a record, as JSON or text. Of several records, the first one.
    #[arg(required_unless_present = "board", conflicts_with = "board")]
    record: Option<PathBuf>,
    /// The id of a board, drawn empty.
    #[arg(long, value_name = "NAME", conflicts_with = "at")]
    board: Option<String>,
    /// The number of actions of the record before the position, without undone ones; all by default.
    #[arg(long, value_name = "SEQ")]
    at: Option<usize>,
    /// The file to write: PNG if its name ends in .png, else SVG. Standard output by default.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The colours: light or dark.
    #[arg(long, value_enum, default_value = "light")]
    theme: ThemeChoice,
    /// The width in pixels.
    #[arg(long, value_name = "PIXELS", default_value_t = Style::default().width)]
    size: u32,
    /// Regions to highlight: ids, separated by commas.
    #[arg(long, value_name = "REGIONS", value_delimiter = ',')]
    highlight: Vec<String>,
    #[command(flatten)]
    data: DataOption,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ThemeChoice {
    Light,
    Dark,
}

impl Draw {
    /// Draws to the file or to standard output.
    pub fn run(&self) -> anyhow::Result<()> {
        let library = self.data.library()?;
        let style = Style {
            theme: match self.theme {
                ThemeChoice::Light => Theme::Light,
                ThemeChoice::Dark => Theme::Dark,
            },
            width: self.size,
            highlight: self.highlight.clone(),
        };
        let svg = match (&self.board, &self.record) {
            (Some(id), _) => {
                let board = library.board(id);
                let board = board.with_context(|| format!("there is no board {id:?}"))?;
                drawing::board(board, &style)?
            }
            (None, Some(file)) => draw(&first_record(file, &library)?, self.at, &library, &style)?,
            (None, None) => bail!("name a file with a record, or a board with --board"),
        };
        let Some(out) = &self.out else {
            return Ok(std::io::stdout().write_all(svg.as_bytes())?);
        };
        let pixels = out.extension().is_some_and(|end| end == "png");
        let bytes = match pixels {
            true => drawing::png(&svg)?,
            false => svg.into_bytes(),
        };
        std::fs::write(out, bytes).with_context(|| format!("cannot write {}", out.display()))
    }
}

fn first_record(file: &Path, library: &Library) -> anyhow::Result<Record> {
    let mut first = None;
    read_records(file, library, |line, record| {
        if first.is_none() {
            first = Some(record.map_err(|message| anyhow::anyhow!("line {line}: {message}")));
        }
        Ok(())
    })?;
    let place = || format!("{}", file.display());
    first
        .with_context(|| format!("{} has no record", place()))?
        .with_context(place)
}

/// Draws the position of a record after this many actions.
fn draw(
    record: &Record,
    at: Option<usize>,
    library: &Library,
    style: &Style,
) -> anyhow::Result<String> {
    let (game, mut shown) = record.start(library)?;
    let mut played = 0;
    record.replay(library, |step| {
        if at.is_none_or(|at| played < at) {
            shown.clone_from(step.state);
        }
        played += 1;
    })?;
    if let Some(at) = at.filter(|at| *at > played) {
        bail!("--at {at} is too high: the record has {played} actions");
    }
    Ok(drawing::position(
        &game,
        &View::from_state(&game, &shown),
        style,
    )?)
}
