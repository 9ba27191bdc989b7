//! Tables of leagues: creating, listing, results, corrections, deadlines and pairing.

use actix_web::{HttpRequest, HttpResponse, get, post, web};
use engine::content::Library;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::games::handlers::known::{check_content, check_nation};
use crate::http::answers::{
    CorrectingTable, CreatingTables, EnteringResult, MovingDeadline, Pairing, ReadingOneOfMine,
};
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

/// Filters the tables.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LeagueTableQuery {
    /// The number of the season, from 1; all seasons by default.
    #[param(minimum = 1)]
    season: Option<u16>,
}

/// Create tables of a league
///
/// Creates games on this server, all of them or none. For organizers (scope `organize`). Members with accounts are
/// seated immediately, because they agreed by joining. For other members, the answer contains tokens, which are shown
/// only once. The games have the league's id as `league`. Everyone who may see the league sees them, and
/// the organizers of the league organize them. When a game ends, its result is added to the log of the league.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = NewTables,
    responses(
        (status = 201, description = "The tables", body = CreatedTables),
        CreatingTables,
    ))]
#[post("/v1/leagues/{league}/tables")]
pub async fn create_league_tables(
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
/// In the order in which they were created or entered, with seats, results and points.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), LeagueTableQuery, PageQuery),
    responses(
        (status = 200, description = "A page of tables", body = LeagueTablePage, headers(
            ("Link" = String, description = "The next page"),
            ("ETag" = String, description = "The last event of the league and a mark of the content"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}/tables")]
pub async fn list_league_tables(
    request: HttpRequest,
    Query(query): Query<LeagueTableQuery>,
    Query(paging): Query<PageQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let behind = paging.cursor()?;
    let page = blocking(&leagues, move |leagues| {
        leagues.tables(id, &call, query.season, behind, paging.limit())
    });
    let (page, seq) = page.await?;
    let response = league_content(&request, seq, &page)?;
    Ok(linked(&request, page.next.as_deref(), response))
}

/// Enter a result in a league
///
/// Adds a table with the result of a finished game on this server, such as an imported record, or of an over-the-board
/// game, to the current season. For organizers (scope `organize`).
///
/// An over-the-board result counts for the ratings of members with accounts, except if the organizer who enters it
/// plays at the table. It counts for statistics with `over_the_board`. Both do not apply to private leagues. A game on
/// this server counts by itself, if it is rated. A member's account must be on the member's own seat of the game, and a
/// bot's seat cannot be assigned to a member.
///
/// The same over-the-board result is refused the second time (409 `already_counted`), unless `again` says that the
/// members have played again.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = NewResult,
    responses(
        (status = 201, description = "The table", body = ChangedTable),
        EnteringResult,
    ))]
#[post("/v1/leagues/{league}/results")]
pub async fn enter_league_result(
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

/// Checks that the library has the edition, board and nations of a result, and that the seats fit the board.
pub(crate) fn check_result(library: &Library, result: &NewResult) -> Result<(), Problem> {
    check_content(library, result.edition.as_deref(), result.board.as_deref())?;
    for (number, seat) in result.seats.iter().enumerate() {
        for nation in &seat.nations {
            let field = format!("seats[{number}].nations");
            check_nation(library, &field, Some(nation))?;
        }
    }
    let mut boards = library.boards();
    let Some(board) = boards.find(|board| Some(&board.data.id) == result.board.as_ref()) else {
        return Ok(());
    };
    let most = board
        .data
        .starts
        .keys()
        .max()
        .map_or(0, |count| usize::from(*count));
    if result.seats.len() > most {
        let message = format!("the board has at most {most} seats");
        return Err(Problem::invalid("seats", message));
    }
    let nations = board.nations();
    for (number, seat) in result.seats.iter().enumerate() {
        let strange = |name: &&String| !nations.contains(&name.as_str());
        if let Some(nation) = seat.nations.iter().find(strange) {
            let message = format!("the board does not have the nation {nation:?}");
            return Err(Problem::invalid(
                format!("seats[{number}].nations"),
                message,
            ));
        }
    }
    Ok(())
}

/// Correct a table of a league
///
/// Decides the result, voids the table, or lets another member take over a seat. For organizers (scope `organize`). In
/// a running game, an organizer must also reserve the seat: see `PUT` of the game's seat. A correction is an event like
/// any other: `as_of` still returns the earlier standings. The result of a game whose table is void can be entered
/// again. An official who plays at a table can correct neither its rated result nor a disputed one (403).
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ("table" = u32, Path)),
    request_body(content = Correction, example = json!({"type": "adjudicate", "ranks": [1, 2, 2, 4],
        "note": "the game was given up in the last round"})),
    responses(
        (status = 201, description = "The table", body = ChangedTable),
        CorrectingTable,
    ))]
#[post("/v1/leagues/{league}/tables/{table}/corrections")]
pub async fn correct_league_table(
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
/// Sets the deadline of the running tables of a round, or of one table, with a reason. For organizers (scope
/// `organize`). Schedule and calendar show it immediately. Games do not end automatically at a deadline. The deadline
/// of a table can be moved at most 50 times.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = NewDeadline,
    responses(
        (status = 201, description = "The tables", body = ChangedTables),
        MovingDeadline,
    ))]
#[post("/v1/leagues/{league}/deadlines")]
pub async fn move_league_deadline(
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

/// Pair the next rounds of a league
///
/// Assigns members to tables and nations. For organizers (scope `organize`). No two members meet twice where that is
/// possible. Places, nations, small tables and rounds without a seat are balanced over the season, including earlier
/// tables. `figures` shows the quality, with a proven bound.
///
/// In a season with the format `round_robin`, the next rounds of a schedule are returned in which each pair of members
/// plays the games of the format. The schedule follows from the league and the season; the seed draws only nations. If
/// members have joined or left, it has the games that remain.
///
/// A `swiss` season pairs one round: members with about equal points meet, and `reasons` explains each table. A
/// `knock_out` season pairs the next round of the bracket. Send the `byes` of a round with its tables or a result.
///
/// Nothing is stored: send the `tables` of a round to `POST /v1/leagues/{league}/tables`, with the `ETag` of the
/// pairing as `If-Match`, so that a change of the league in between is noticed. The same seed gives the same pairing
/// until a table is added.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = NewPairing,
    responses(
        (status = 200, description = "The pairing", body = PairingBody),
        Pairing,
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
