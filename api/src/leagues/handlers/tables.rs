//! Tables of leagues: set up, listed, entered, corrected, moved and paired.

use actix_web::{HttpRequest, HttpResponse, get, post, web};
use engine::content::Library;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::games::handlers::known::{check_content, check_nation};
use crate::http::answers::{ChangingLeague, ReadingOneOfMine};
use crate::http::limits::gate::{charge, charge_as};
use crate::http::limits::rates::Policy;
use crate::http::page::PageQuery;
use crate::http::problem::Problem;
use crate::http::reply::{blocking, linked, tagged};
use crate::http::request::caller::Caller;
use crate::http::request::path::number;
use crate::http::request::query::Query;
use crate::leagues::handlers::path::{LeagueId, LeagueRequest};
use crate::leagues::handlers::reply::{created, league_content};
use crate::leagues::model::{
    ChangedTable, ChangedTables, Correction, CreatedTables, LeagueTablePage, NewDeadline,
    NewPairing, NewResult, NewTables, PairingBody,
};
use crate::leagues::service::Leagues;

/// Which tables.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LeagueTableQuery {
    /// The season, from 1; all when left out.
    #[param(minimum = 1)]
    season: Option<u16>,
}

/// Set up tables of a league
///
/// As games here, all of them or none, by an organizer (scope `organize`). Members with accounts sit at once, for they
/// have agreed by joining; for others the answer has tokens, this once. The games carry the league's id as `league`,
/// are seen by whom the league is seen, and organized by whoever organizes the league. When one is over, its result is in the log of the league at once.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ("If-Match" = Option<String>, Header),
        ("Idempotency-Key" = Option<String>, Header)),
    request_body = NewTables,
    responses(
        (status = 201, description = "The tables", body = CreatedTables, headers(
            ("ETag" = String, description = "The last event of the league, for `If-Match`"))),
        ChangingLeague,
    ))]
#[post("/v1/leagues/{league}/tables")]
pub async fn create_tables(
    request: HttpRequest,
    LeagueRequest { id, call, body }: LeagueRequest<NewTables>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge_as(&request, Policy::Games, body.tables.len())?;
    let tables = blocking(&leagues, move |leagues| {
        leagues.create_tables(id, &call, &body)
    })
    .await?;
    Ok(created(tables.seq, &tables))
}

/// List the tables of a league
///
/// In the order in which they were set up or entered, with who sat where, results and points.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), LeagueTableQuery, PageQuery),
    responses(
        (status = 200, description = "A page of tables", body = LeagueTablePage, headers(
            ("Link" = String, description = "The next page"),
            ("ETag" = String, description = "The last event of the league, with a mark of what is told"))),
        (status = 304, description = "The caller has it"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}/tables")]
pub async fn list_tables(
    request: HttpRequest,
    Query(query): Query<LeagueTableQuery>,
    Query(asked): Query<PageQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let behind = asked.cursor()?;
    let page = blocking(&leagues, move |leagues| {
        leagues.tables(id, &call, query.season, behind, asked.limit())
    });
    let (page, seq) = page.await?;
    let response = league_content(&request, seq, &page)?;
    Ok(linked(&request, page.next.as_deref(), response))
}

/// Enter a result in a league
///
/// Of a finished game that is kept here, such as an imported record, or of one at a real table: who sat where with
/// which nation and rank. By an organizer (scope `organize`). It is a new table of the season that goes on. A result at
/// a real table counts for the ratings of members with accounts, unless who enters it sits at the table, and for its
/// nations where `result_only` asks for it, unless the league is private; a game that is kept here counts by itself, if
/// it is rated. A member's account must be on the member's own seat there, and a bot is nobody's.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ("If-Match" = Option<String>, Header),
        ("Idempotency-Key" = Option<String>, Header)),
    request_body = NewResult,
    responses(
        (status = 201, description = "The table", body = ChangedTable, headers(
            ("ETag" = String, description = "The last event of the league, for `If-Match`"))),
        ChangingLeague,
    ))]
#[post("/v1/leagues/{league}/results")]
pub async fn enter_result(
    request: HttpRequest,
    LeagueRequest { id, call, body }: LeagueRequest<NewResult>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    check_result(leagues.games.library(), &body)?;
    let entered = blocking(&leagues, move |leagues| {
        leagues.enter_result(id, &call, &body)
    })
    .await?;
    Ok(created(entered.seq, &entered))
}

/// Refuses a result that names an edition, a board or a nation that the library does not have.
fn check_result(library: &Library, result: &NewResult) -> Result<(), Problem> {
    check_content(library, result.edition.as_deref(), result.board.as_deref())?;
    for (number, seat) in result.seats.iter().enumerate() {
        for nation in &seat.nations {
            let field = format!("seats[{number}].nations");
            check_nation(library, &field, Some(nation))?;
        }
    }
    Ok(())
}

/// Correct a table of a league
///
/// By an organizer (scope `organize`): decide the result, declare the table void, or let another member play a seat
/// on (who claims the seat of a game that goes on when an organizer has kept it: see `PUT` of the game's seat). It is an
/// event as any other: the standings before it are still there by `as_of`. The result of a game whose table
/// is void can be entered again. What counts for ratings is corrected by who has not sat at the table (403).
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ("table" = u32, Path),
        ("If-Match" = Option<String>, Header), ("Idempotency-Key" = Option<String>, Header)),
    request_body(content = Correction, example = json!({"type": "adjudicate", "ranks": [1, 2, 2, 4],
        "note": "the game was given up in the last round"})),
    responses(
        (status = 201, description = "The table", body = ChangedTable, headers(
            ("ETag" = String, description = "The last event of the league, for `If-Match`"))),
        ChangingLeague,
    ))]
#[post("/v1/leagues/{league}/tables/{table}/corrections")]
pub async fn correct_table(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    LeagueRequest { id, call, body }: LeagueRequest<Correction>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let table = number("table", &path.1)?;
    let changed = blocking(&leagues, move |leagues| {
        leagues.correct_table(id, &call, table, &body)
    })
    .await?;
    Ok(created(changed.seq, &changed))
}

/// Move a deadline of a league
///
/// Of the tables of a round that are being played, or of one table, by an organizer (scope `organize`), who says why. It
/// is an event as any other; schedule and calendar tell the new one at once. Nothing ends at a deadline by itself. That
/// of a table is moved at most 50 times.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ("If-Match" = Option<String>, Header),
        ("Idempotency-Key" = Option<String>, Header)),
    request_body = NewDeadline,
    responses(
        (status = 201, description = "The tables", body = ChangedTables, headers(
            ("ETag" = String, description = "The last event of the league, for `If-Match`"))),
        ChangingLeague,
    ))]
#[post("/v1/leagues/{league}/deadlines")]
pub async fn move_deadline(
    request: HttpRequest,
    LeagueRequest { id, call, body }: LeagueRequest<NewDeadline>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let changed = blocking(&leagues, move |leagues| {
        leagues.move_deadline(id, &call, &body)
    })
    .await?;
    Ok(created(changed.seq, &changed))
}

/// Pair coming rounds of a league
///
/// Who sits where with which nation, by an organizer (scope `organize`). No two meet twice where that can be found;
/// places and nations are balanced over the season, what was played counted; `figures` tells how well. It writes
/// nothing: each round's `tables` is what `POST /v1/leagues/{league}/tables` takes, with the `ETag` of the pairing as
/// `If-Match`, so that nothing has come between. The same seed gives the same pairing, as long as no table is added.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ("If-Match" = Option<String>, Header)),
    request_body = NewPairing,
    responses(
        (status = 200, description = "The pairing", body = PairingBody, headers(
            ("ETag" = String, description = "The last event of the league, for `If-Match`"))),
        ChangingLeague,
    ))]
#[post("/v1/leagues/{league}/pairing")]
pub async fn pair_league(
    request: HttpRequest,
    LeagueRequest { id, call, body }: LeagueRequest<NewPairing>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    for nation in &body.nations {
        check_nation(leagues.games.library(), "nations", Some(nation))?;
    }
    let paired = blocking(&leagues, move |leagues| leagues.pair(id, &call, &body)).await?;
    Ok(tagged(HttpResponse::Ok(), paired.seq).json(paired))
}
