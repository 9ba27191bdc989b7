//! Records out: those of all games that have finished here.

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

/// The media type of records, one a line.
pub const NDJSON: &str = "application/x-ndjson";

/// How many records are read together.
const TOGETHER: usize = 32;

/// How many bytes of records are in memory for each caller that reads them; a record may be longer.
const PART: usize = 256 << 10;

/// Which records are asked for.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RecordsQuery {
    /// The id of the last game that the caller has; those that finished behind it are given.
    after: Option<Uuid>,
    /// How many at the most; all of them when left out.
    #[param(minimum = 1)]
    limit: Option<usize>,
    /// Whether with their logs of events; games that people ended always have theirs, which proves the result.
    #[serde(default)]
    events: bool,
}

/// A line of the records of all finished games.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum RecordLine {
    /// A game.
    Record(Box<Record>),
    /// A damaged game.
    Damaged(DamagedRecord),
}

/// Stands in the place of the record of a game whose stored data are damaged.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DamagedRecord {
    /// The id of the game.
    pub id: String,
    /// Why there is no record, and what to do.
    pub damaged: String,
}

/// Get the records of all finished games
///
/// Those of public games, as NDJSON, one record a line, in the order in which they finished or were imported here. Who
/// was cut off goes on behind the last whole line: its id is the next `after`, and what came once comes always in the
/// same order. In place of the record of a damaged game there is a line with its `id` and the member `damaged`, which
/// says what to do: no record has that member. Skip such lines, and ask for these games again when they were repaired.
#[utoipa::path(tag = "history", params(RecordsQuery), responses(
    (status = 200, description = "The records, a line each", content((RecordLine = "application/x-ndjson"))),
    ListingRendered,
))]
#[get("/v1/records")]
pub async fn all_records(
    request: HttpRequest,
    Query(query): Query<RecordsQuery>,
    closing: web::Data<Closing>,
    records: web::Data<GameRecords>,
) -> Result<HttpResponse, Problem> {
    negotiate(&request, &[NDJSON])?;
    charge(&request, Policy::Expensive)?;
    if query.limit == Some(0) {
        return Err(Problem::invalid("limit", "at least 1 is needed"));
    }
    let begin = match query.after {
        None => 0,
        Some(id) => {
            let place = blocking(&records, move |records| records.finished_at(id)).await?;
            let unknown = || format!("no public game {id} has finished");
            place.ok_or_else(|| Problem::invalid("after", unknown()))?
        }
    };
    let left = query.limit.unwrap_or(usize::MAX);
    let Closing(closing) = Closing::clone(&closing);
    let read = move |position: i64, some: usize| {
        let records = records.clone();
        async move {
            let read = move |records: &GameRecords| written(records, position, some, query.events);
            blocking(&records, read).await
        }
    };
    let lines = parts((begin, left), closing, read);
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, NDJSON))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .streaming(lines))
}

/// Records that are read together.
struct RecordBatch {
    lines: Bytes,
    /// How many games they are, with those that are left out as damaged.
    games: usize,
    /// The place of the last one; nothing when there are no more.
    reached: Option<i64>,
}

/// What is read behind a place, so much at the most, part by part. When the service comes down it breaks off with an
/// error, so that the caller does not take what has come for all there is.
fn parts<R, F>(
    begin: (i64, usize),
    closing: watch::Receiver<bool>,
    read: R,
) -> impl Stream<Item = Result<Bytes, Problem>>
where
    R: Fn(i64, usize) -> F + Clone,
    F: Future<Output = Result<RecordBatch, Problem>>,
{
    unfold(Some(begin), move |place| {
        let (read, closing) = (read.clone(), closing.clone());
        async move {
            let (mut position, mut left) = place?;
            while left > 0 {
                if *closing.borrow() {
                    let problem = Problem::new(Code::Unavailable, "the service is stopping");
                    return Some((Err(problem), None));
                }
                let some = left.min(TOGETHER);
                let part = match read(position, some).await {
                    Ok(part) => part,
                    Err(problem) => return Some((Err(problem), None)),
                };
                let next = part.reached.map(|reached| (reached, left - part.games));
                if !part.lines.is_empty() {
                    return Some((Ok(part.lines), next));
                }
                // An empty part would end the answer.
                (position, left) = next?;
            }
            None
        }
    })
}

/// Records of games that finished behind a place, so many at the most, and fewer when they are long.
fn written(
    records: &GameRecords,
    position: i64,
    limit: usize,
    events: bool,
) -> Result<RecordBatch, ServiceError> {
    let finished = records.finished_after(position, limit, &[Visibility::Public])?;
    let mut lines = Vec::new();
    let mut read = 0;
    for (id, _) in &finished {
        let line = match known_id(id).and_then(|id| records.proven_record(id, events)) {
            Ok(record) => RecordLine::Record(Box::new(record)),
            Err(error @ (ServiceError::Damaged { .. } | ServiceError::NotFound(_))) => {
                tracing::error!(game = %id, %error, "a game has no record");
                RecordLine::Damaged(DamagedRecord {
                    id: id.clone(),
                    damaged: DAMAGED.to_owned(),
                })
            }
            Err(error) => return Err(error),
        };
        // Plain data with string keys, which is always JSON.
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

    /// What is cut off must not look like the end.
    #[tokio::test]
    async fn records_break_off_when_the_service_comes_down() {
        let (close, closing) = watch::channel(false);
        // A line for each place up to 100.
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
        let all = parts((0, usize::MAX), closing.clone(), read);
        let all: Vec<Result<Bytes, Problem>> = all.collect().await;
        let all = all.into_iter().collect::<Result<Vec<Bytes>, Problem>>();
        assert_eq!(all.expect("whole").iter().map(count).sum::<usize>(), 100);

        let mut cut = Box::pin(parts((0, usize::MAX), closing.clone(), read));
        let mut enough = Box::pin(parts((0, TOGETHER), closing, read));
        for some in [&mut cut.next().await, &mut enough.next().await] {
            let some = some.take().expect("a part").expect("lines");
            assert_eq!(count(&some), TOGETHER);
        }
        close.send(true).expect("they listen");
        assert!(cut.next().await.expect("told").is_err());
        assert!(cut.next().await.is_none());
        assert!(enough.next().await.is_none(), "nothing was missing");
    }
}
