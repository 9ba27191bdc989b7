//! The commands of `tabularium-analytics`, one file each.

use std::fs;
use std::io::{IsTerminal, Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, bail};

pub mod describe;
pub mod facts;
pub mod measure;
pub mod publish;
#[cfg(feature = "sql")]
pub mod query;
pub mod report;

/// Refuses to write a Parquet file to a terminal.
///
/// # Errors
/// If standard output is a terminal and there is no output file.
fn check_parquet(out: Option<&PathBuf>) -> anyhow::Result<()> {
    if out.is_none() && stdout().is_terminal() {
        bail!("--format parquet writes binary data, which a terminal cannot show; add --out FILE");
    }
    Ok(())
}

/// Writes bytes to a file, or to standard output without one.
///
/// # Errors
/// If they cannot be written.
fn write(out: Option<&PathBuf>, bytes: &[u8]) -> anyhow::Result<()> {
    match out {
        None => Ok(stdout().write_all(bytes)?),
        Some(path) => fs::write(path, bytes).with_context(|| path.display().to_string()),
    }
}
