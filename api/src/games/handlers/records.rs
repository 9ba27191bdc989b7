//! Records in: finished games that were played elsewhere. Records out: all that have finished here.

use std::future::Future;

use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse, get, post};
use engine::content::Library;
use futures_util::stream::{Stream, unfold};
use records::Record;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::games::import::ImportError;
use crate::games::model::Visibility;
use crate::games::{Games, known_id};
use crate::http::answers::{ListingRendered, TakingIn};
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::limits::gate::charge;
use crate::http::limits::options::{Limits, bound};
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, DAMAGED, Problem};
use crate::http::reply::{Closing, JSON, blocking};
use crate::http::request::accept::negotiate;
use crate::http::request::body::{essence, parsed, receive};
use crate::http::request::caller::Caller;
use crate::http::request::contract::Contract;
use crate::http::request::query::Query;
use crate::http::scope::Scope;

const NDJSON: &str = "application/x-ndjson";
const TEXT: &str = "text/plain";

/// How many records are taken in together, in one transaction.
const TOGETHER: usize = 32;

/// How many bytes of records are in memory for each caller that reads them; a record may be longer.
const PART: usize = 256 << 10;

/// What became of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Its game is in the office now.
    Imported,
    /// The same game was there already.
    Known,
    /// It cannot be taken in.
    Refused,
}

/// What became of one of the records that were sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RecordOutcome {
    /// The line of the body on which it stands, from 1.
    pub line: usize,
    /// Its game; null when the line is no record.
    pub id: Option<String>,
    /// What became of it.
    pub outcome: Outcome,
    /// Why it was refused; null otherwise.
    pub problem: Option<Problem>,
}

/// What became of all records that were sent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RecordOutcomes {
    /// How many games are in the office now that were not before.
    pub imported: usize,
    /// How many were there already.
    pub known: usize,
    /// How many cannot be taken in.
    pub refused: usize,
    /// Each, in the order in which they were sent.
    pub items: Vec<RecordOutcome>,
}

/// Records as they were sent: each with its line, or what is wrong with the line.
type Sent = Vec<(usize, Result<Record, String>)>;

/// A body of records.
struct RecordsBody {
    bytes: Bytes,
    media_type: &'static str,
}

impl RecordsBody {
    /// Takes a body in. 415 when it is of another type or encoding, 413 when it is too large.
    async fn receive(
        headers: &HeaderMap,
        payload: web::Payload,
        limits: &Limits,
    ) -> Result<RecordsBody, Problem> {
        let media_type = match essence(headers).as_deref() {
            Some(NDJSON) => NDJSON,
            Some(TEXT) => TEXT,
            Some(JSON) => JSON,
            other => {
                let detail = format!(
                    "{} cannot be read; send {NDJSON}, {TEXT} or {JSON}",
                    other.unwrap_or("nothing")
                );
                return Err(Problem::new(Code::UnsupportedMediaType, detail));
            }
        };
        let most = bound(limits.records_body);
        let bytes = receive(headers, payload.into_inner(), most).await?;
        Ok(RecordsBody { bytes, media_type })
    }

    /// The records in it, at most so many. `contract` says what is wrong with one that cannot be read.
    fn read(&self, library: &Library, contract: &Contract, most: usize) -> Result<Sent, Problem> {
        let malformed = |detail: String| Problem::new(Code::InvalidBody, detail);
        let text = std::str::from_utf8(&self.bytes).map_err(|error| {
            malformed(format!(
                "it is not UTF-8 from byte {} on",
                error.valid_up_to() + 1
            ))
        })?;
        if self.media_type == JSON {
            return Ok(vec![(1, Ok(one(text, contract)?))]);
        }
        if self.media_type == TEXT {
            let read = Record::from_text_with_turns(text, library);
            return Ok(vec![match read {
                Ok(record) => (1, Ok(record)),
                Err(error) => (error.line, Err(error.message)),
            }]);
        }
        let lines = text
            .lines()
            .zip(1..)
            .filter(|(line, _)| !line.trim().is_empty());
        let records: Sent = lines
            .take(most.saturating_add(1))
            .map(|(line, number)| {
                let record =
                    serde_json::from_str(line).map_err(|error| match serde_json::from_str(line) {
                        Ok(value) => explained(value, contract)
                            .map_or_else(|| error.to_string(), |problem| problem.detail),
                        Err(error) => error.to_string(),
                    });
                (number, record)
            })
            .collect();
        match records.len() {
            0 => Err(malformed("there is no record in it".to_owned())),
            count if count > most => Err(Problem {
                limit: Some(most as u64),
                ..Problem::new(Code::TooLarge, format!("a body has at most {most} records"))
            }),
            _ => Ok(records),
        }
    }
}

/// The record that a text of JSON is.
fn one(text: &str, contract: &Contract) -> Result<Record, Problem> {
    let value: serde_json::Value = serde_json::from_str(text)
        .map_err(|error| Problem::new(Code::MalformedJson, error.to_string()))?;
    if !value.is_object() {
        return Err(Problem::new(Code::InvalidBody, "an object is needed"));
    }
    parsed(value.clone()).map_err(|problem| explained(value, contract).unwrap_or(problem))
}

/// What the specification says is wrong with a record that cannot be read.
fn explained(mut value: serde_json::Value, contract: &Contract) -> Option<Problem> {
    let operation = contract.find(&Method::POST, Some("/v1/records"))?;
    operation.check_body(&mut value).err()
}

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
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    negotiate(&request, &[NDJSON])?;
    charge(&request, Policy::Expensive)?;
    if query.limit == Some(0) {
        return Err(Problem::invalid("limit", "at least 1 is needed"));
    }
    let begin = match query.after {
        None => 0,
        Some(id) => {
            let place = blocking(&games, move |games| games.finished_at(id)).await?;
            let unknown = || format!("no public game {id} has finished");
            place.ok_or_else(|| Problem::invalid("after", unknown()))?
        }
    };
    let left = query.limit.unwrap_or(usize::MAX);
    let Closing(closing) = Closing::clone(&closing);
    let read = move |position: i64, some: usize| {
        let games = games.clone();
        async move {
            let read = move |games: &Games| written(games, position, some, query.events);
            blocking(&games, read).await
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
    games: &Games,
    position: i64,
    limit: usize,
    events: bool,
) -> Result<RecordBatch, ServiceError> {
    let finished = games.finished_after(position, limit, &[Visibility::Public])?;
    let mut lines = Vec::new();
    let mut read = 0;
    for (id, _) in &finished {
        let line = match known_id(id).and_then(|id| games.proven_record(id, events)) {
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

/// Refuses who may not bring records in: the one place that knows.
///
/// # Errors
/// 401 when no account calls, 403 when its token has not the scope `admin`, unless the operator lets everybody.
fn check_may_import(call: &Call, limits: &Limits) -> Result<(), Problem> {
    if !limits.open_records {
        call.account(Scope::Admin)?;
    }
    Ok(())
}

/// Take records in
///
/// With the scope `admin`, or for everybody where the operator has opened it. Finished games that were played
/// elsewhere, as NDJSON, one record a line, or one record, as JSON or in notation as `text/plain`. Each is replayed
/// and checked by itself, signed and stored with its whole log. A game that is there
/// already is `known`, so what was cut off can be sent again; another game with a known id is refused with
/// `conflict`, which names the fields that differ. Who names a league that is kept here must organize it. As JSON the answer tells all of them at the end; as NDJSON
/// each as soon as it is stored. The status says only that the records were read: look at each `outcome`.
#[utoipa::path(tag = "history", security((), ("token" = ["admin"])),
    request_body(content((Record = "application/json"), (String = "application/x-ndjson"), (String = "text/plain"))),
    responses(
        (status = 200, description = "What became of each", content(
            (RecordOutcomes = "application/json"), (RecordOutcome = "application/x-ndjson"))),
        TakingIn,
    ))]
#[post("/v1/records")]
pub async fn take_in_records(
    request: HttpRequest,
    Caller(call): Caller,
    limits: web::Data<Limits>,
    payload: web::Payload,
    contract: web::Data<Contract>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    // The body is not read before it is known who may send one.
    check_may_import(&call, &limits)?;
    charge(&request, Policy::Expensive)?;
    let body = RecordsBody::receive(request.headers(), payload, &limits).await?;
    let as_lines = negotiate(&request, &[JSON, NDJSON])? == 1;
    let most = bound(limits.records);
    let read = move |games: &Games| Ok(body.read(games.library(), &contract, most));
    let sent = blocking(&games, read).await??;
    let mut rest = sent.into_iter();
    if !as_lines {
        let mut told = RecordOutcomes::default();
        loop {
            let part: Sent = rest.by_ref().take(TOGETHER).collect();
            if part.is_empty() {
                return Ok(HttpResponse::Ok().json(told));
            }
            for outcome in take_in(&games, &call, part).await? {
                match outcome.outcome {
                    Outcome::Imported => told.imported += 1,
                    Outcome::Known => told.known += 1,
                    Outcome::Refused => told.refused += 1,
                }
                told.items.push(outcome);
            }
        }
    }
    let lines = unfold(Some(rest), move |rest| {
        let (games, call) = (games.clone(), call.clone());
        async move {
            let mut rest = rest?;
            let part: Sent = rest.by_ref().take(TOGETHER).collect();
            if part.is_empty() {
                return None;
            }
            match take_in(&games, &call, part).await {
                Ok(outcomes) => {
                    let lines = outcomes.iter().map(|outcome| {
                        // Plain data with string keys, which is always JSON.
                        serde_json::to_string(outcome).unwrap_or_default() + "\n"
                    });
                    Some((Ok(Bytes::from(lines.collect::<String>())), Some(rest)))
                }
                Err(problem) => Some((Err(problem), None)),
            }
        }
    });
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, NDJSON))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .streaming(lines))
}

/// Takes in a part of what was sent.
async fn take_in(
    games: &web::Data<Games>,
    call: &Call,
    part: Sent,
) -> Result<Vec<RecordOutcome>, Problem> {
    let call = call.clone();
    let told = blocking(games, move |games| {
        let good = part.iter().filter_map(|(_, record)| record.as_ref().ok());
        let good: Vec<Record> = good.cloned().collect();
        let taken = games.take_in_for(&call, &good);
        Ok(taken.map(|taken| (part, taken)).map_err(problem_of))
    });
    let (part, taken) = told.await??;
    let mut taken = taken.into_iter();
    let outcomes = part.into_iter().map(|(line, record)| {
        let refused = |id: Option<String>, problem: Problem| RecordOutcome {
            line,
            id,
            outcome: Outcome::Refused,
            problem: Some(problem),
        };
        let record = match record {
            Ok(record) => record,
            Err(detail) => return refused(None, Problem::new(Code::InvalidBody, detail)),
        };
        match taken.next().expect("each record has an answer") {
            Err(error) => refused(Some(record.id), problem_of(error)),
            Ok(taken) => RecordOutcome {
                line,
                id: Some(taken.id.to_string()),
                outcome: match taken.known {
                    true => Outcome::Known,
                    false => Outcome::Imported,
                },
                problem: None,
            },
        }
    });
    Ok(outcomes.collect())
}

/// Why a record, or all of them, cannot be taken in.
fn problem_of(error: ImportError) -> Problem {
    match error {
        ImportError::Stored(error) => error.into(),
        ImportError::Store(error) => crate::http::error::ServiceError::from(error).into(),
        error @ ImportError::Another { .. } => Problem::new(Code::Conflict, error.to_string()),
        error => Problem::new(Code::InvalidBody, error.to_string()),
    }
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
