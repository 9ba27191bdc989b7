//! Files of records: NDJSON with one record a line, or one record as text; either may be packed by gzip.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::Context;
use engine::content::Library;
use flate2::bufread::MultiGzDecoder;
use records::Record;

/// Reads the records of a file one after another and hands each out with its line, or why the line
/// is no record; what follows a bad line is read all the same.
///
/// # Errors
/// When the file cannot be read, or as `each`.
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
            Ok(text) => match Record::from_text_with_turns(text, library) {
                Ok(record) => each(1, Ok(record)),
                Err(error) => each(error.line, Err(error.message)),
            },
        };
    }
    for (index, line) in reader.split(b'\n').enumerate() {
        let line = line.with_context(context)?;
        if !line.trim_ascii().is_empty() {
            let text = utf8(&line).map_err(|(_, message)| message);
            let record =
                text.and_then(|text| serde_json::from_str(text).map_err(|error| error.to_string()));
            each(index + 1, record)?;
        }
    }
    Ok(())
}

/// What is read, unpacked when it begins as gzip does [RFC 1952].
///
/// # Errors
/// When its first bytes cannot be read.
pub fn unpacked<'a>(mut packed: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    match packed.fill_buf()? {
        [0x1f, 0x8b, ..] => Ok(Box::new(BufReader::new(MultiGzDecoder::new(packed)))),
        _ => Ok(Box::new(packed)),
    }
}

/// A file to be read, unpacked if it is packed.
fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    unpacked(BufReader::new(File::open(path)?))
}

/// Bytes as text, or the line of the first byte that is none, from 1, and what is wrong.
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

/// How many records a file has at most, for showing progress.
///
/// # Errors
/// When the file cannot be read.
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
