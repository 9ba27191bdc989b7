//! Imports into leagues and exports from leagues.

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::web::{self, Data};
use actix_web::{FromRequest, HttpRequest, HttpResponse, get, post};
use uuid::Uuid;

use crate::http::answers::{ImportingLeague, ReadingLeagueRendered};
use crate::http::call::Call;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{JSON, blocking, not_json, tagged, text};
use crate::http::request::accept::negotiate;
use crate::http::request::body::{Reading, essence, receive};
use crate::http::request::caller::{Bearer, Caller, call};
use crate::http::request::query::Query;
use crate::leagues::exchange::bgg::{self, XML};
use crate::leagues::exchange::export::results_sheet;
use crate::leagues::exchange::model::{ExportQuery, ImportQuery, ImportReport};
use crate::leagues::exchange::rows::ImportRows;
use crate::leagues::exchange::sheet::CSV;
use crate::leagues::exchange::{bgstats, comma};
use crate::leagues::handlers::path::LeagueId;
use crate::leagues::service::Leagues;

/// The longest file, in bytes, measured uncompressed.
pub const LONGEST_FILE: usize = 4 * 1024 * 1024;

/// A file that is sent to a league.
///
/// The problems come in the order of [`Bearer`], the file, [`LeagueId`], as those of a JSON body do.
#[derive(Clone, Debug)]
pub struct LeagueFile {
    id: Uuid,
    call: Call,
    rows: ImportRows,
}

/// Returns the media type of a file.
fn media_type(headers: &HeaderMap) -> Result<&'static str, Problem> {
    match essence(headers).as_deref() {
        Some(CSV) => Ok(CSV),
        Some(XML | "text/xml") => Ok(XML),
        Some(JSON) => Ok(JSON),
        other => {
            let sent = other.map_or("no media type was sent".to_owned(), |other| {
                format!("the media type {other} is not supported")
            });
            let detail = format!("{sent}: send {CSV}, {XML} or {JSON}");
            Err(Problem::new(Code::UnsupportedMediaType, detail))
        }
    }
}

/// Reads the rows of a file.
///
/// # Errors
/// 422 when the file does not have the format of its media type.
pub fn read_rows(text: &str, media_type: &str, leagues: &Leagues) -> Result<ImportRows, Problem> {
    let library = leagues.games.library();
    let rows = match media_type {
        XML => bgg::read(text, library),
        JSON => bgstats::read(text, library),
        _ => comma::read(text),
    };
    rows.map_err(|error| Problem::invalid("", error.to_string()))
}

/// Reads the rows of a file that should be UTF-8.
fn read(bytes: &[u8], media_type: &str, leagues: &Leagues) -> Result<ImportRows, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let byte = error.valid_up_to() + 1;
        Problem::invalid("", format!("the file is not UTF-8: byte {byte} is invalid"))
    })?;
    read_rows(text, media_type, leagues)
}

impl FromRequest for LeagueFile {
    type Error = Problem;
    type Future = Reading<LeagueFile>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bearer = Bearer::from_request(request, payload);
        let body = receive(request.headers(), payload.take(), LONGEST_FILE);
        let league = LeagueId::from_request(request, payload);
        let leagues = request.app_data::<Data<Leagues>>().cloned();
        let request = request.clone();
        Box::pin(async move {
            bearer.await?;
            let media_type = media_type(request.headers())?;
            let body = body.await?;
            let call = call(&request, &body)?;
            let leagues = leagues.ok_or_else(Problem::internal)?;
            let parse = move |leagues: &Leagues| Ok(read(&body, media_type, leagues));
            let rows = blocking(&leagues, parse).await??;
            let LeagueId(id) = league.await?;
            Ok(LeagueFile { id, call, rows })
        })
    }
}

/// Import members or results into a league
///
/// For organizers (scope `organize`). The file is CSV with members or results, the XML of plays of BoardGameGeek, or an
/// export of BG Stats as JSON. The columns of CSV decide what it contains:
///
/// - members: `name` of a person without an account, or `handle` of an account to invite
/// - results: `season`, `round`, `table`, `date`, `player`, `nation`, `place`, `points`, `edition`, `board`, `note`; a row
///   for each player. `table`, `player` and `place` are needed. Rows with the same season, round and table are one result.
///
/// Results are over-the-board results. Unknown players become members without an account. A season that the league does
/// not have begins with the rules of the season before, in the order of the file; results of a season that is over are
/// refused. Points are compared with the rules but not stored. Plays of other games are skipped.
///
/// The answer reports what happens to each row. With `dry_run`, nothing is stored. Otherwise all rows are imported, or none
/// if one is refused. What the league has already is not added again, so an import can be repeated.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ImportQuery),
    request_body(content((String = "text/csv"), (String = "application/xml"), (Object = "application/json"))),
    responses(
        (status = 200, description = "What would happen to each row, after a dry run", body = ImportReport),
        (status = 201, description = "What happened to each row", body = ImportReport),
        ImportingLeague,
    ))]
#[post("/v1/leagues/{league}/import")]
pub async fn import_into_league(
    request: HttpRequest,
    Query(query): Query<ImportQuery>,
    LeagueFile { id, call, rows }: LeagueFile,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let report = blocking(&leagues, move |leagues| {
        leagues.import(id, &call, &rows, &query)
    })
    .await?;
    let status = match report.imported {
        true => StatusCode::CREATED,
        false => StatusCode::OK,
    };
    Ok(tagged(HttpResponse::build(status), report.seq).json(report))
}

/// Export the results of a league
///
/// The results that count, of one season or of all: as CSV in the columns of an import, as the XML of plays of
/// BoardGameGeek, or as an export of BG Stats in JSON. A seat that several members played is shown with the last one. The
/// date of a result without `played_at` is when it was recorded.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), ExportQuery),
    responses(
        (status = 200, description = "The results", content(
            (String = "text/csv"), (String = "application/xml"), (Object = "application/json"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingLeagueRendered,
    ))]
#[get("/v1/leagues/{league}/export")]
pub async fn export_league(
    request: HttpRequest,
    Query(query): Query<ExportQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let media_types = [CSV, XML, JSON];
    let media_type = media_types[negotiate(&request, &media_types)?];
    export(&request, &leagues, call, (id, query.season), media_type).await
}

/// Returns the results of a league in a format.
///
/// # Errors
/// 404 when the caller sees no such league or season.
pub async fn export(
    request: &HttpRequest,
    leagues: &Data<Leagues>,
    call: Call,
    (id, season): (Uuid, Option<u16>),
    media_type: &'static str,
) -> Result<HttpResponse, Problem> {
    let tables = blocking(leagues, move |leagues| leagues.exported(id, &call, season)).await?;
    let content = match media_type {
        XML => bgg::write(&tables),
        JSON => bgstats::write(id, &tables).map_err(not_json)?,
        _ => results_sheet(&tables).csv()?,
    };
    Ok(text(request, media_type, content))
}
