//! Opens databases for commands that only read, and reads their records.

use std::sync::Arc;

use anyhow::Context;
use engine::content::Library;
use records::Record;

use crate::db::Store;
use crate::db::url::DatabaseUrl;
use crate::games::known_id;
use crate::games::model::Visibility;
use crate::games::records::GameRecords;
use crate::http::error::ServiceError;
use crate::services::Services;

/// The number of games that are looked up at a time.
const BATCH: usize = 256;

/// Opens a database for reading; bots do not move.
pub fn open(database: &DatabaseUrl, library: &Library) -> anyhow::Result<Services> {
    let store =
        Store::open_for_reading(database).with_context(|| format!("cannot open {database}"))?;
    Ok(Services::open(
        Arc::new(store),
        Arc::new(library.clone()),
        None,
    ))
}

/// Calls `each` with the record of every finished game, or the reason why it cannot be read.
///
/// The records are in the order of the log. Those of games that people ended always include their events, which prove
/// the result.
pub fn each_record(
    records: &GameRecords,
    with_events: bool,
    mut each: impl FnMut(&str, Result<Record, ServiceError>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut position = 0;
    loop {
        let finished = records.finished_after(position, BATCH, Visibility::ALL)?;
        for (id, last) in &finished {
            let record = known_id(id).and_then(|id| records.proven_record(id, with_events));
            each(id, record)?;
            position = *last;
        }
        if finished.len() < BATCH {
            return Ok(());
        }
    }
}
