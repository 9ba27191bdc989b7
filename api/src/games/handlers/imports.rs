//! Records in: finished games that were played elsewhere.

use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse, post};
use engine::content::Library;
use futures_util::stream::unfold;
use records::Record;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::games::handlers::records::NDJSON;
use crate::games::import::{ImportError, Imports};
use crate::http::answers::TakingIn;
use crate::http::call::Call;
use crate::http::limits::gate::charge;
use crate::http::limits::options::{Limits, bound};
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{JSON, blocking};
use crate::http::request::accept::negotiate;
use crate::http::request::body::{essence, parsed, receive};
use crate::http::request::caller::Caller;
use crate::http::request::contract::Contract;
use crate::http::scope::Scope;

const TEXT: &str = "text/plain";

/// How many records are taken in together, in one transaction.
const TOGETHER: usize = 32;

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
    imports: web::Data<Imports>,
) -> Result<HttpResponse, Problem> {
    // The body is not read before it is known who may send one.
    check_may_import(&call, &limits)?;
    charge(&request, Policy::Expensive)?;
    let body = RecordsBody::receive(request.headers(), payload, &limits).await?;
    let as_lines = negotiate(&request, &[JSON, NDJSON])? == 1;
    let most = bound(limits.records);
    let read = move |imports: &Imports| Ok(body.read(imports.library(), &contract, most));
    let sent = blocking(&imports, read).await??;
    let mut rest = sent.into_iter();
    if !as_lines {
        let mut told = RecordOutcomes::default();
        loop {
            let part: Sent = rest.by_ref().take(TOGETHER).collect();
            if part.is_empty() {
                return Ok(HttpResponse::Ok().json(told));
            }
            for outcome in take_in(&imports, &call, part).await? {
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
        let (imports, call) = (imports.clone(), call.clone());
        async move {
            let mut rest = rest?;
            let part: Sent = rest.by_ref().take(TOGETHER).collect();
            if part.is_empty() {
                return None;
            }
            match take_in(&imports, &call, part).await {
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
    imports: &web::Data<Imports>,
    call: &Call,
    part: Sent,
) -> Result<Vec<RecordOutcome>, Problem> {
    let call = call.clone();
    let told = blocking(imports, move |imports| {
        let good = part.iter().filter_map(|(_, record)| record.as_ref().ok());
        let good: Vec<Record> = good.cloned().collect();
        let taken = imports.take_in_for(&call, &good);
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
