//! Files of records: NDJSON with one record on each line, or one record as text; gzip is decompressed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::Context;
use engine::content::Library;
use flate2::bufread::MultiGzDecoder;
use records::{AnnotatedRecord, Record};

/// Reads the records of a file in order, and passes each with its line to `each`.
///
/// For a line that is not a record, it passes the reason and continues with the next line.
///
/// # Errors
/// If the file cannot be read; those of `each`.
pub fn read_records(
    path: &Path,
    library: &Library,
    mut each: impl FnMut(usize, Result<Record, String>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let context = || format!("cannot read {}", path.display());
    let mut reader = open(path).with_context(context)?;
    let is_text = reader.fill_buf().with_context(context)?.first() == Some(&b'[');
    if is_text {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).with_context(context)?;
        return match utf8(&bytes) {
            Err((line, message)) => each(line, Err(message)),
            Ok(text) => match AnnotatedRecord::from_text(text, library) {
                Ok(AnnotatedRecord { record, .. }) => each(1, Ok(record)),
                Err(error) => each(error.line, Err(error.message)),
            },
        };
    }
    for (index, line) in reader.split(b'\n').enumerate() {
        let line = line.with_context(context)?;
        if !line.trim_ascii().is_empty() {
            let text = utf8(&line).map_err(|(_, message)| message);
            let record = text.and_then(|text| serde_json::from_str(text).map_err(json_error));
            each(index + 1, record)?;
        }
    }
    Ok(())
}

/// Describes why a line is not a record.
fn json_error(error: serde_json::Error) -> String {
    match error.is_data() {
        true => error.to_string(),
        false => format!("the line is not JSON: see column {}", error.column()),
    }
}

/// Returns the content, decompressed if it begins like gzip [RFC 1952].
///
/// # Errors
/// If its first bytes cannot be read.
pub fn unpacked<'a>(mut packed: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    match packed.fill_buf()? {
        [0x1f, 0x8b, ..] => Ok(Box::new(BufReader::new(MultiGzDecoder::new(packed)))),
        _ => Ok(Box::new(packed)),
    }
}

/// Opens a file and decompresses it if needed.
fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    unpacked(BufReader::new(File::open(path)?))
}

/// Returns bytes as text, or the line, from 1, of the first byte that is not UTF-8 and a message.
fn utf8(bytes: &[u8]) -> Result<&str, (usize, String)> {
    std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let lines = before.split(|byte| *byte == b'\n');
        let column = lines.clone().next_back().map_or(0, <[u8]>::len) + 1;
        (
            lines.count(),
            format!("it is not UTF-8 from byte {column} on"),
        )
    })
}

/// Returns an upper bound for the number of records in a file, to show progress.
///
/// # Errors
/// If the file cannot be read.
pub fn count_records(path: &Path) -> anyhow::Result<u64> {
    let context = || format!("cannot read {}", path.display());
    let mut reader = open(path).with_context(context)?;
    if reader.fill_buf().with_context(context)?.first() == Some(&b'[') {
        return Ok(1);
    }
    let lines = reader.split(b'\n');
    let count = lines.filter(|line| line.as_ref().is_ok_and(|line| !line.is_empty()));
    Ok(count.count() as u64)
}
