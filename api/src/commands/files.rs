//! Files of records: NDJSON with one record a line, or one record as text.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::Context;
use engine::record::Record;

/// Reads the records of a file one after another and hands each out with its line, or why the line
/// is no record.
///
/// # Errors
/// When the file cannot be read, or `each` fails.
pub fn read_records(
    path: &Path,
    mut each: impl FnMut(usize, Result<Record, String>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let context = || format!("cannot read {}", path.display());
    let mut reader = BufReader::new(File::open(path).with_context(context)?);
    let is_text = reader.fill_buf().with_context(context)?.first() == Some(&b'[');
    if is_text {
        let text = std::fs::read_to_string(path).with_context(context)?;
        return each(
            1,
            Record::from_text(&text).map_err(|error| error.to_string()),
        );
    }
    for (index, line) in reader.lines().enumerate() {
        let line = line.with_context(context)?;
        if !line.trim().is_empty() {
            let record = serde_json::from_str(&line).map_err(|error| error.to_string());
            each(index + 1, record)?;
        }
    }
    Ok(())
}

/// How many records a file has at most, for showing progress.
///
/// # Errors
/// When the file cannot be read.
pub fn count_records(path: &Path) -> anyhow::Result<u64> {
    let context = || format!("cannot read {}", path.display());
    let mut reader = BufReader::new(File::open(path).with_context(context)?);
    if reader.fill_buf().with_context(context)?.first() == Some(&b'[') {
        return Ok(1);
    }
    let lines = reader.split(b'\n');
    let count = lines.filter(|line| line.as_ref().is_ok_and(|line| !line.is_empty()));
    Ok(count.count() as u64)
}
