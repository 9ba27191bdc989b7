//! Handler of the records of all finished games.

use std::future::Future;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse, get};
use futures_util::stream::{Stream, unfold};
use records::Record;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::games::model::{Visibility, known_id};
use crate::games::records::GameRecords;
use crate::http::answers::ListingRendered;
use crate::http::error::ServiceError;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, DAMAGED, Problem};
use crate::http::reply::{Closing, blocking};
use crate::http::request::accept::negotiate;
use crate::http::request::query::Query;

/// The media type of records, one per line.
pub const NDJSON: &str = "application/x-ndjson";

/// How many records are read at a time.
const TOGETHER: usize = 32;

/// The size in bytes after which a batch of records is sent. One record may be longer.
const PART: usize = 256 << 10;

/// The range and content of the records.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RecordsQuery {
    /// The id of the game after which the records start, such as the last one that you have.
    after: Option<Uuid>,
    /// The most records to return, at least 1; all if omitted.
    #[param(minimum = 1)]
    limit: Option<usize>,
    /// Whether to include the logs of events.
    /// Games that an organizer ended always include theirs, which proves the result.
    #[serde(default)]
    events: bool,
}

/// A line of the records of all finished games.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum RecordLine {
    /// The record of a game.
    Record(Box<Record>),
    /// A game whose record cannot be read.
    Damaged(DamagedRecord),
}

/// Replaces the record of a game with damaged data or hidden texts.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DamagedRecord {
    /// The id of the game.
    pub id: String,
    /// Why there is no record, and what to do.
    pub damaged: String,
}

/// Get the records of all finished games
///
/// Returns the records of public games as NDJSON, one per line, in the order in which they finished or were imported.
/// The order never changes. To resume an interrupted download, send the id of the last complete line as `after`. A
/// line with the members `id` and `damaged` replaces the record of a damaged game, and of one whose texts an
/// administrator has hidden; `damaged` describes what to do. Skip such lines and request these games again after the
/// repair.
#[utoipa::path(tag = "history", params(RecordsQuery), responses(
    (status = 200, description = "The records, one per line", content((RecordLine = "application/x-ndjson"))),
    ListingRendered,
))]
#[get("/v1/records")]
pub async fn export_records(
    request: HttpRequest,
    Query(query): Query<RecordsQuery>,
    closing: web::Data<Closing>,
    records: web::Data<GameRecords>,
) -> Result<HttpResponse, Problem> {
    negotiate(&request, &[NDJSON])?;
    charge(&request, Policy::Expensive)?;
    if query.limit == Some(0) {
        return Err(Problem::invalid_parameter(
            "limit",
            "the limit must be at least 1",
        ));
    }
    let begin = match query.after {
        None => 0,
        Some(id) => {
            let position = blocking(&records, move |records| records.finished_at(id)).await?;
            let unknown = || format!("no finished public game has the id {id}");
            position.ok_or_else(|| Problem::invalid_parameter("after", unknown()))?
        }
    };
    let left = query.limit.unwrap_or(usize::MAX);
    let Closing(closing) = Closing::clone(&closing);
    let read = move |position: i64, count: usize| {
        let records = records.clone();
        async move {
            let read =
                move |records: &GameRecords| read_batch(records, position, count, query.events);
            blocking(&records, read).await
        }
    };
    let lines = stream_batches((begin, left), closing, read);
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, NDJSON))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .streaming(lines))
}

/// Records that are read and sent together.
struct RecordBatch {
    lines: Bytes,
    /// The number of games, including the damaged ones.
    games: usize,
    /// The position of the last game; `None` if there are no more games.
    reached: Option<i64>,
}

/// Streams batches of records after a position, at most a number of games.
/// When the service stops, the stream ends with an error, so that the caller does not mistake the part for the whole.
fn stream_batches<R, F>(
    begin: (i64, usize),
    closing: watch::Receiver<bool>,
    read: R,
) -> impl Stream<Item = Result<Bytes, Problem>>
where
    R: Fn(i64, usize) -> F + Clone,
    F: Future<Output = Result<RecordBatch, Problem>>,
{
    unfold(Some(begin), move |next| {
        let (read, closing) = (read.clone(), closing.clone());
        async move {
            let (mut position, mut left) = next?;
            while left > 0 {
                if *closing.borrow() {
                    let problem =
                        Problem::new(Code::Unavailable, "the server is stopping: retry later");
                    return Some((Err(problem), None));
                }
                let count = left.min(TOGETHER);
                let part = match read(position, count).await {
                    Ok(part) => part,
                    Err(problem) => return Some((Err(problem), None)),
                };
                let next = part.reached.map(|reached| (reached, left - part.games));
                if !part.lines.is_empty() {
                    return Some((Ok(part.lines), next));
                }
                // An empty part would end the stream.
                (position, left) = next?;
            }
            None
        }
    })
}

/// Reads the record of a game by its stored id, or what replaces it if it is damaged.
pub fn record_line(
    records: &GameRecords,
    id: &str,
    events: bool,
) -> Result<RecordLine, ServiceError> {
    let shown = |id| {
        records.check_texts_shown(id)?;
        records.proven_record(id, events)
    };
    match known_id(id).and_then(shown) {
        Ok(record) => Ok(RecordLine::Record(Box::new(record))),
        Err(error @ (ServiceError::Damaged { .. } | ServiceError::NotFound(_))) => {
            tracing::error!(game = %id, %error, "cannot read the record of a game");
            Ok(RecordLine::Damaged(DamagedRecord {
                id: id.to_owned(),
                damaged: DAMAGED.to_owned(),
            }))
        }
        Err(error @ ServiceError::TextsHidden) => Ok(RecordLine::Damaged(DamagedRecord {
            id: id.to_owned(),
            damaged: error.to_string(),
        })),
        Err(error) => Err(error),
    }
}

/// Reads records of games that finished after a position, at most `limit`, and fewer if they are long.
fn read_batch(
    records: &GameRecords,
    position: i64,
    limit: usize,
    events: bool,
) -> Result<RecordBatch, ServiceError> {
    let finished = records.finished_after(position, limit, &[Visibility::Public])?;
    let mut lines = Vec::new();
    let mut read = 0;
    for (id, _) in &finished {
        let line = record_line(records, id, events)?;
        // Plain data with string keys always serializes.
        lines.extend(serde_json::to_vec(&line).unwrap_or_default());
        lines.push(b'\n');
        read += 1;
        if lines.len() >= PART {
            break;
        }
    }
    let last = finished[..read].last().map(|(_, last)| *last);
    let more = read < finished.len() || read == limit;
    Ok(RecordBatch {
        lines: lines.into(),
        games: read,
        reached: last.filter(|_| more),
    })
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;

    use super::*;

    /// An interrupted download must not look complete.
    #[tokio::test]
    async fn records_end_with_an_error_when_the_service_stops() {
        let (close, closing) = watch::channel(false);
        // One line for each position up to 100.
        let read = |position: i64, some: usize| async move {
            let last = (position + some as i64).min(100);
            let games = (last - position) as usize;
            Ok(RecordBatch {
                lines: "line\n".repeat(games).into(),
                games,
                reached: Some(last).filter(|last| *last < 100),
            })
        };
        let count = |lines: &Bytes| lines.iter().filter(|byte| **byte == b'\n').count();
        let all = stream_batches((0, usize::MAX), closing.clone(), read);
        let all: Vec<Result<Bytes, Problem>> = all.collect().await;
        let all = all.into_iter().collect::<Result<Vec<Bytes>, Problem>>();
        assert_eq!(all.expect("whole").iter().map(count).sum::<usize>(), 100);

        let mut cut = Box::pin(stream_batches((0, usize::MAX), closing.clone(), read));
        let mut enough = Box::pin(stream_batches((0, TOGETHER), closing, read));
        for some in [&mut cut.next().await, &mut enough.next().await] {
            let some = some.take().expect("a part").expect("lines");
            assert_eq!(count(&some), TOGETHER);
        }
        close.send(true).expect("the streams listen");
        assert!(cut.next().await.expect("an item").is_err());
        assert!(cut.next().await.is_none());
        assert!(enough.next().await.is_none(), "the stream was complete");
    }
}
