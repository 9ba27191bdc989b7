//! Handler of imported records: finished games that were played elsewhere.

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
use crate::http::answers::ImportingRecords;
use crate::http::call::Call;
use crate::http::limits::gate::charge;
use crate::http::limits::options::{Limits, bound};
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{JSON, blocking};
use crate::http::request::accept::negotiate;
use crate::http::request::body::{essence, json_error, parsed, receive};
use crate::http::request::caller::Caller;
use crate::http::request::contract::Contract;
use crate::http::scope::Scope;

const TEXT: &str = "text/plain";

/// How many records are imported in one transaction.
const TOGETHER: usize = 32;

/// The outcome of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportOutcome {
    /// The game was stored.
    Imported,
    /// The server had the same game already.
    Known,
    /// The record was refused.
    Refused,
}

/// The outcome of one of the records in a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RecordOutcome {
    /// The line of the body on which the record starts, from 1.
    pub line: usize,
    /// The id of the game; null if the line is not a record.
    pub id: Option<String>,
    /// The outcome.
    pub outcome: ImportOutcome,
    /// Why the record was refused; null otherwise.
    pub problem: Option<Problem>,
}

/// The outcomes of all records in a request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RecordOutcomes {
    /// The number of games that were stored.
    pub imported: usize,
    /// The number of games that the server had already.
    pub known: usize,
    /// The number of records that were refused.
    pub refused: usize,
    /// The outcomes, in the order of the records.
    pub items: Vec<RecordOutcome>,
}

/// The records of a body, each with its line number, or the error of the line.
type ParsedRecords = Vec<(usize, Result<Record, String>)>;

/// The body of a request that imports records.
struct RecordsBody {
    bytes: Bytes,
    media_type: &'static str,
}

impl RecordsBody {
    /// Receives a body. 415 if its media type or encoding is not supported, 413 if it is too large.
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
                let received = other.map_or("no media type was sent".to_owned(), |other| {
                    format!("the media type {other} is not supported")
                });
                let detail = format!("{received}: send {NDJSON}, {TEXT} or {JSON}");
                return Err(Problem::new(Code::UnsupportedMediaType, detail));
            }
        };
        let most = bound(limits.records_body);
        let bytes = receive(headers, payload.into_inner(), most).await?;
        Ok(RecordsBody { bytes, media_type })
    }

    /// Parses the records, at most `most`. `contract` explains errors.
    fn parse(
        &self,
        library: &Library,
        contract: &Contract,
        most: usize,
    ) -> Result<ParsedRecords, Problem> {
        let malformed = |detail: String| Problem::new(Code::InvalidBody, detail);
        let text = std::str::from_utf8(&self.bytes).map_err(|error| {
            malformed(format!(
                "the body is not UTF-8: byte {} is invalid",
                error.valid_up_to() + 1
            ))
        })?;
        if self.media_type == JSON {
            return Ok(vec![(1, Ok(parse_record(text, contract)?))]);
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
        let records: ParsedRecords = lines
            .take(most.saturating_add(1))
            .map(|(line, number)| {
                let record =
                    serde_json::from_str(line).map_err(|error| match serde_json::from_str(line) {
                        Ok(value) => contract_problem(value, contract)
                            .map_or_else(|| error.to_string(), |problem| problem.detail),
                        Err(error) => json_error(&error),
                    });
                (number, record)
            })
            .collect();
        match records.len() {
            0 => Err(malformed(
                "the body contains no record: send at least one".to_owned(),
            )),
            count if count > most => Err(Problem {
                limit: Some(most as u64),
                ..Problem::new(
                    Code::TooLarge,
                    format!("the body has more than {most} records: send several requests"),
                )
            }),
            _ => Ok(records),
        }
    }
}

/// Parses a record from JSON.
fn parse_record(text: &str, contract: &Contract) -> Result<Record, Problem> {
    let value: serde_json::Value = serde_json::from_str(text)
        .map_err(|error| Problem::new(Code::MalformedJson, json_error(&error)))?;
    if !value.is_object() {
        return Err(Problem::new(
            Code::InvalidBody,
            "a record is a JSON object: send one",
        ));
    }
    parsed(value.clone()).map_err(|problem| contract_problem(value, contract).unwrap_or(problem))
}

/// Returns the problem that the specification finds in a record.
fn contract_problem(mut value: serde_json::Value, contract: &Contract) -> Option<Problem> {
    let operation = contract.find(&Method::POST, Some("/v1/records"))?;
    operation.check_body(&mut value).err()
}

/// Checks that a caller may import records. This is the only place that decides it.
///
/// # Errors
/// 401 if the caller has no account and 403 if its token lacks the scope `admin`, unless the operator lets everybody
/// import.
fn check_may_import(call: &Call, limits: &Limits) -> Result<(), Problem> {
    if !limits.open_records {
        call.account(Scope::Admin)?;
    }
    Ok(())
}

/// Import records
///
/// Stores finished games that were played elsewhere. Needs the scope `admin`, unless the operator lets everybody
/// import. The body is NDJSON with one record per line, or one record as JSON or in notation (`text/plain`).
///
/// Each record is replayed, checked, signed and stored with its whole log, independently of the others. The outcome
/// of a game that the server has already is `known`, so an interrupted request can be repeated. Another game with the
/// same id is refused with `conflict`, which names the members that differ. If a record names a league of this
/// server, the caller must organize that league.
///
/// The response is JSON with all outcomes at the end, or NDJSON with each outcome as soon as its game is stored. The
/// status 200 only means that the records were read: check each `outcome`.
#[utoipa::path(tag = "history", security((), ("token" = ["admin"])),
    request_body(content((Record = "application/json"), (String = "application/x-ndjson"), (String = "text/plain"))),
    responses(
        (status = 200, description = "The outcome of each record", content(
            (RecordOutcomes = "application/json"), (RecordOutcome = "application/x-ndjson"))),
        ImportingRecords,
    ))]
#[post("/v1/records")]
pub async fn import_records(
    request: HttpRequest,
    Caller(call): Caller,
    limits: web::Data<Limits>,
    payload: web::Payload,
    contract: web::Data<Contract>,
    imports: web::Data<Imports>,
) -> Result<HttpResponse, Problem> {
    // The body is read only after the caller is known to be allowed.
    check_may_import(&call, &limits)?;
    charge(&request, Policy::Expensive)?;
    let body = RecordsBody::receive(request.headers(), payload, &limits).await?;
    let as_lines = negotiate(&request, &[JSON, NDJSON])? == 1;
    let most = bound(limits.records);
    let parse = move |imports: &Imports| Ok(body.parse(imports.library(), &contract, most));
    let records = blocking(&imports, parse).await??;
    if let Some(act) = call.keep_act() {
        blocking(&imports, move |imports| imports.note_act(act)).await?;
    }
    let mut rest = records.into_iter();
    if !as_lines {
        let mut outcomes = RecordOutcomes::default();
        loop {
            let part: ParsedRecords = rest.by_ref().take(TOGETHER).collect();
            if part.is_empty() {
                return Ok(HttpResponse::Ok().json(outcomes));
            }
            for outcome in import_part(&imports, &call, part).await? {
                match outcome.outcome {
                    ImportOutcome::Imported => outcomes.imported += 1,
                    ImportOutcome::Known => outcomes.known += 1,
                    ImportOutcome::Refused => outcomes.refused += 1,
                }
                outcomes.items.push(outcome);
            }
        }
    }
    let lines = unfold(Some(rest), move |rest| {
        let (imports, call) = (imports.clone(), call.clone());
        async move {
            let mut rest = rest?;
            let part: ParsedRecords = rest.by_ref().take(TOGETHER).collect();
            if part.is_empty() {
                return None;
            }
            match import_part(&imports, &call, part).await {
                Ok(outcomes) => {
                    let lines = outcomes.iter().map(|outcome| {
                        // Plain data with string keys always serializes.
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

/// Imports some of the records of a request and returns their outcomes.
async fn import_part(
    imports: &web::Data<Imports>,
    call: &Call,
    part: ParsedRecords,
) -> Result<Vec<RecordOutcome>, Problem> {
    let call = call.clone();
    let import = blocking(imports, move |imports| {
        let good = part.iter().filter_map(|(_, record)| record.as_ref().ok());
        let good: Vec<Record> = good.cloned().collect();
        let stored = imports.take_in_for(&call, &good);
        Ok(stored.map(|stored| (part, stored)).map_err(import_problem))
    });
    let (part, stored) = import.await??;
    let mut stored = stored.into_iter();
    let outcomes = part.into_iter().map(|(line, record)| {
        let refused = |id: Option<String>, problem: Problem| RecordOutcome {
            line,
            id,
            outcome: ImportOutcome::Refused,
            problem: Some(problem),
        };
        let record = match record {
            Ok(record) => record,
            Err(detail) => return refused(None, Problem::new(Code::InvalidBody, detail)),
        };
        match stored.next().expect("each record has an outcome") {
            Err(error) => refused(Some(record.id), import_problem(error)),
            Ok(stored) => RecordOutcome {
                line,
                id: Some(stored.id.to_string()),
                outcome: match stored.known {
                    true => ImportOutcome::Known,
                    false => ImportOutcome::Imported,
                },
                problem: None,
            },
        }
    });
    Ok(outcomes.collect())
}

/// Converts the error of a record, or of all records, to a problem.
fn import_problem(error: ImportError) -> Problem {
    match error {
        ImportError::Stored(error) => error.into(),
        ImportError::Store(error) => crate::http::error::ServiceError::from(error).into(),
        error @ ImportError::Another { .. } => Problem::new(Code::IdTaken, error.to_string()),
        error => Problem::new(Code::InvalidBody, error.to_string()),
    }
}
