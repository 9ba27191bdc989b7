//! The handler of the export.

use std::collections::BTreeMap;

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse, get};
use futures_util::stream::{Stream, unfold};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::watch;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::games::Games;
use crate::games::handlers::records::{RecordLine, record_line};
use crate::http::answers::ReadingMine;
use crate::http::error::ServiceError;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{Closing, JSON, blocking, not_json, private};
use crate::http::request::caller::Caller;
use crate::http::scope::Scope;
use crate::personal_data::tables::{ExportedRows, TABLES};

/// The version of the form of the export.
const FORMAT: &str = "tabularium-personal-data/1";

/// How many records are read at a time.
const TOGETHER: usize = 16;

/// Everything that the server stores of an account.
#[derive(Debug, Serialize, ToSchema)]
pub struct PersonalData {
    /// Always `tabularium-personal-data/1`.
    #[schema(example = "tabularium-personal-data/1")]
    pub format: String,
    /// The id of the account.
    pub account: Uuid,
    /// When the export began.
    pub exported_at: Timestamp,
    /// The stored rows by table, without secrets. More tables may be added.
    #[schema(value_type = BTreeMap<String, Vec<Object>>)]
    pub tables: BTreeMap<String, Vec<Value>>,
    /// The records of the games that the account plays or organizes, with their events.
    pub records: Vec<RecordLine>,
}

/// Export all data of the caller's account
///
/// Returns one JSON document with everything that the server stores of the account, except secrets: the account, its
/// tokens, games, seats, leagues, ratings and webhooks, and the record of each game that it plays or organizes. A
/// record with the members `id` and `damaged` replaces that of a damaged game. The document can be long. It is sent
/// while it is read: if the transfer ends early, it is no JSON. Needs the scope `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    responses(
        (status = 200, description = "The data", body = PersonalData, headers(
            ("Content-Disposition" = String, description = "The suggested name of a file"))),
        ReadingMine,
    ))]
#[get("/v1/me/export")]
pub async fn export_me(
    request: HttpRequest,
    Caller(call): Caller,
    games: web::Data<Games>,
    closing: web::Data<Closing>,
) -> Result<HttpResponse, Problem> {
    let account = call.account_without_app(Scope::Account)?.account;
    charge(&request, Policy::Exports)?;
    let ids = blocking(&games, move |games| {
        Ok(games.store().games_of_account(account)?)
    })
    .await?;
    let Closing(closing) = Closing::clone(&closing);
    let name = format!("attachment; filename=\"tabularium-{account}.json\"");
    Ok(private(HttpResponse::Ok())
        .insert_header((CONTENT_TYPE, JSON))
        .insert_header((CONTENT_DISPOSITION, name))
        .streaming(document(games, account, ids, closing)))
}

/// The rows that are exported, with their tables.
fn exported() -> impl Iterator<Item = (&'static str, &'static ExportedRows)> {
    let tables = TABLES.iter();
    tables.flat_map(|table| table.exported.iter().map(|rows| (table.name, rows)))
}

/// A part of the document that is still to be sent.
#[derive(Clone, Copy, Debug)]
enum ExportPart {
    /// The members before the tables.
    Begin,
    /// The rows with this index in [`exported`].
    Rows(usize),
    /// The records of the games from this index.
    Records(usize),
}

/// Streams the document in parts.
/// When the service stops or a part cannot be read, the stream ends with an error, so that the document is cut off.
fn document(
    games: web::Data<Games>,
    account: Uuid,
    ids: Vec<String>,
    closing: watch::Receiver<bool>,
) -> impl Stream<Item = Result<Bytes, Problem>> {
    unfold(Some((ExportPart::Begin, ids)), move |next| {
        let (games, closing) = (games.clone(), closing.clone());
        async move {
            let (part, ids) = next?;
            if *closing.borrow() {
                let problem =
                    Problem::new(Code::Unavailable, "the server is stopping: retry later");
                return Some((Err(problem), None));
            }
            match read(&games, account, part, &ids).await {
                Ok((text, next)) => Some((Ok(text.into()), next.map(|next| (next, ids)))),
                Err(problem) => Some((Err(problem), None)),
            }
        }
    })
}

/// Returns the text of a part, and the next part.
async fn read(
    games: &web::Data<Games>,
    account: Uuid,
    part: ExportPart,
    ids: &[String],
) -> Result<(String, Option<ExportPart>), Problem> {
    match part {
        ExportPart::Begin => {
            let (format, now) = (json(&FORMAT)?, json(&Timestamp::now())?);
            let text = format!(
                "{{\"format\":{format},\"account\":\"{account}\",\"exported_at\":{now},\"tables\":{{"
            );
            Ok((text, Some(ExportPart::Rows(0))))
        }
        ExportPart::Rows(index) => {
            let Some((table, rows)) = exported().nth(index) else {
                return Ok(("},\"records\":[".to_owned(), Some(ExportPart::Records(0))));
            };
            let found = blocking(games, move |games| {
                Ok(games.store().rows_of_account(table, rows, account)?)
            })
            .await?;
            let comma = if index > 0 { "," } else { "" };
            let text = format!("{comma}\"{}\":{}", rows.name, json(&found)?);
            Ok((text, Some(ExportPart::Rows(index + 1))))
        }
        ExportPart::Records(first) => {
            let batch: Vec<String> = ids.iter().skip(first).take(TOGETHER).cloned().collect();
            let next = first + batch.len();
            let lines = blocking(games, move |games| {
                let records = &games.records;
                let lines = batch.iter().map(|id| record_line(records, id, true));
                lines.collect::<Result<Vec<RecordLine>, ServiceError>>()
            })
            .await?;
            let mut text = String::new();
            for (place, line) in lines.iter().enumerate() {
                if first + place > 0 {
                    text.push(',');
                }
                text.push_str(&json(line)?);
            }
            match next < ids.len() {
                true => Ok((text, Some(ExportPart::Records(next)))),
                false => Ok((text + "]}", None)),
            }
        }
    }
}

fn json<T: Serialize>(value: &T) -> Result<String, Problem> {
    serde_json::to_string(value).map_err(not_json)
}
