//! Records out of a database, for commands that only read.

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

/// How many games are looked up at a time.
const TOGETHER: usize = 256;

/// A database opened for reading: no bot moves.
pub fn open(database: &DatabaseUrl, library: &Library) -> anyhow::Result<Services> {
    let store =
        Store::open_for_reading(database).with_context(|| format!("cannot open {database}"))?;
    Ok(Services::open(
        Arc::new(store),
        Arc::new(library.clone()),
        None,
    ))
}

/// Hands out the records of all finished games, in the order in which they came in, or why one of
/// them cannot be read. Those of games that people ended always have their events, which prove it.
pub fn each_record(
    records: &GameRecords,
    with_events: bool,
    mut each: impl FnMut(&str, Result<Record, ServiceError>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut position = 0;
    loop {
        let finished = records.finished_after(position, TOGETHER, Visibility::ALL)?;
        for (id, last) in &finished {
            let record = known_id(id).and_then(|id| records.proven_record(id, with_events));
            each(id, record)?;
            position = *last;
        }
        if finished.len() < TOGETHER {
            return Ok(());
        }
    }
}
