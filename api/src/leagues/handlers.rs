//! Leagues.

use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, delete, get, post, web};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::content::drawings::{SVG, ThemeQuery, Themed};
use crate::games::bodies::NewOrganizer;
use crate::games::handlers::known::{check_content, check_nation};
use crate::http::answers::{
    ChangingLeague, ChangingLeagueBare, Creating, Listing, ReadingLeagueRendered, ReadingOneOfMine,
};
use crate::http::limits::gate::{charge, charge_as};
use crate::http::limits::rates::Policy;
use crate::http::page::PageQuery;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{JSON, blocking, linked, listed, not_json, tagged, text, versioned};
use crate::http::request::accept::negotiate;
use crate::http::request::body::Sent;
use crate::http::request::caller::{Bearer, Caller};
use crate::http::request::path::number;
use crate::http::request::query::{Query, moment};
use crate::leagues::log::Until;
use crate::leagues::model::{
    ChangedTable, ChangedTables, Correction, CreatedTables, HeadToHeadBody, LeagueBody,
    LeagueEventPage, LeaguePage, LeagueTablePage, NewDeadline, NewLeague, NewMember, NewPairing,
    NewResult, NewSeason, NewTables, PairingBody, StandingsBody,
};
use crate::leagues::pictures::{MEMBERS, place_curves};
use crate::leagues::service::Leagues;

/// The media type of tables of text.
pub const CSV: &str = "text/csv";

/// The league that a path names.
fn league(text: &str) -> Result<Uuid, Problem> {
    number("league", text)
}

/// The tag of what is told of a league that stands at an event: names and times of games change without one.
fn league_tag(seq: u64, told: &str) -> String {
    format!("\"{seq}.{}\"", &crate::http::secret::hashed(told)[..8])
}

/// Create a league
///
/// The caller's account organizes it (scope `organize`). What happens in it is a log of events, chained by hashes as
/// those of games are; all else follows from these.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("Idempotency-Key" = Option<String>, Header)),
    request_body(content = NewLeague),
    responses(
        (status = 201, description = "The league", body = LeagueBody, headers(
            ("Location" = String, description = "The league's path"))),
        Creating,
    ))]
#[post("/v1/leagues")]
pub async fn create_league(
    _: Bearer,
    request: HttpRequest,
    Sent { call, body }: Sent<NewLeague>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Games)?;
    let created = blocking(&leagues, move |leagues| leagues.create(&call, &body)).await?;
    Ok(HttpResponse::Created()
        .insert_header((LOCATION, format!("/v1/leagues/{}", created.summary.id)))
        .json(created))
}

/// List leagues
///
/// Those that everybody may see, the newest first. Pages are found by `next`, which is also in the `Link` header.
#[utoipa::path(tag = "leagues", params(PageQuery), responses(
    (status = 200, description = "A page of leagues", body = LeaguePage, headers(
        ("Link" = String, description = "The next page"))),
    (status = 304, description = "The caller has it"),
    Listing,
))]
#[get("/v1/leagues")]
pub async fn list_leagues(
    request: HttpRequest,
    Query(asked): Query<PageQuery>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let before = asked.cursor()?;
    let page = blocking(&leagues, move |leagues| leagues.list(before, asked.limit())).await?;
    listed(&request, page.next.as_deref(), &page)
}

/// Get a league
///
/// With its organizers, members and seasons. A private league is there for its organizers, its members and who is
/// invited. Its `ETag` begins with the number of its last event: with it, or with that number alone, as `If-Match`
/// nothing happens in a league that has gone on.
#[utoipa::path(tag = "leagues", security((), ("token" = [])), params(("league" = String, Path, format = Uuid)),
    responses(
        (status = 200, description = "The league", body = LeagueBody, headers(
            ("ETag" = String, description = "The last event, with a mark of what else is told"))),
        (status = 304, description = "The caller has it"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}")]
pub async fn get_league(
    request: HttpRequest,
    path: web::Path<String>,
    Caller(call): Caller,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let id = league(&path)?;
    let body = blocking(&leagues, move |leagues| leagues.get(id, &call)).await?;
    let json = serde_json::to_string(&body).map_err(not_json)?;
    let tag = league_tag(body.summary.seq, &json);
    Ok(versioned(&request, &tag, JSON, json.into(), "no-cache"))
}

/// List the events of a league
///
/// In order, from the first on. The hash of each is chained to the one before, over the bytes of `text`;
/// `openapi/record-format.md` says how.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), PageQuery),
    responses(
        (status = 200, description = "A page of events", body = LeagueEventPage, headers(
            ("Link" = String, description = "The next page"))),
        (status = 304, description = "The caller has it"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}/events")]
pub async fn league_events(
    request: HttpRequest,
    path: web::Path<String>,
    Query(asked): Query<PageQuery>,
    Caller(call): Caller,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let id = league(&path)?;
    let behind = asked.cursor()?;
    let page = blocking(&leagues, move |leagues| {
        leagues.events(id, &call, behind, asked.limit())
    })
    .await?;
    listed(&request, page.next.as_deref(), &page)
}

/// Add a member to a league
///
/// The caller's own account becomes a member at once (scope `play`) where the league is open to all, it is invited or
/// organizes the league: that is to agree to play at the tables that organizers set up. Who has left comes back when it
/// is invited. Any other account is invited, and somebody without an account is added by name, by an organizer (scope
/// `organize`).
#[utoipa::path(tag = "leagues", security(("token" = ["play"]), ("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ("If-Match" = Option<String>, Header),
        ("Idempotency-Key" = Option<String>, Header)),
    request_body(content = NewMember, example = json!({"id": "dido"})),
    responses(
        (status = 201, description = "The league", body = LeagueBody, headers(
            ("ETag" = String, description = "The last event of the league, for `If-Match`"))),
        ChangingLeague,
    ))]
#[post("/v1/leagues/{league}/members")]
pub async fn add_member(
    _: Bearer,
    path: web::Path<String>,
    Sent { call, body }: Sent<NewMember>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let id = league(&path)?;
    let changed = blocking(&leagues, move |leagues| {
        leagues.add_member(id, &call, &body)
    })
    .await?;
    Ok(tagged(HttpResponse::Created(), changed.summary.seq).json(changed))
}

/// Remove a member of a league
///
/// Or take an invitation back; by the account itself (scope `play`) or an organizer (scope `organize`). What was played
/// counts.
#[utoipa::path(tag = "leagues", security(("token" = ["play"]), ("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid),
        ("member" = String, Path, description = "The member, by id or handle", example = "dido"),
        ("If-Match" = Option<String>, Header), ("Idempotency-Key" = Option<String>, Header)),
    responses(
        (status = 200, description = "The league", body = LeagueBody, headers(
            ("ETag" = String, description = "The last event of the league, for `If-Match`"))),
        ChangingLeagueBare,
    ))]
#[delete("/v1/leagues/{league}/members/{member}")]
pub async fn remove_member(
    path: web::Path<(String, String)>,
    Caller(call): Caller,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let (id, member) = path.into_inner();
    let id = league(&id)?;
    let changed = blocking(&leagues, move |leagues| {
        leagues.remove_member(id, &call, &member)
    })
    .await?;
    Ok(tagged(HttpResponse::Ok(), changed.summary.seq).json(changed))
}

/// Add an organizer to a league
///
/// By an organizer (scope `organize`).
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ("If-Match" = Option<String>, Header),
        ("Idempotency-Key" = Option<String>, Header)),
    request_body = NewOrganizer,
    responses(
        (status = 201, description = "The league", body = LeagueBody, headers(
            ("ETag" = String, description = "The last event of the league, for `If-Match`"))),
        ChangingLeague,
    ))]
#[post("/v1/leagues/{league}/organizers")]
pub async fn add_league_organizer(
    _: Bearer,
    path: web::Path<String>,
    Sent { call, body }: Sent<NewOrganizer>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let id = league(&path)?;
    let changed = blocking(&leagues, move |leagues| {
        leagues.add_organizer(id, &call, &body)
    });
    let changed = changed.await?;
    Ok(tagged(HttpResponse::Created(), changed.summary.seq).json(changed))
}

/// Remove an organizer of a league
///
/// By an organizer (scope `organize`); the last one stays.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ("player" = String, Path),
        ("If-Match" = Option<String>, Header), ("Idempotency-Key" = Option<String>, Header)),
    responses(
        (status = 200, description = "The league", body = LeagueBody, headers(
            ("ETag" = String, description = "The last event of the league, for `If-Match`"))),
        ChangingLeagueBare,
    ))]
#[delete("/v1/leagues/{league}/organizers/{player}")]
pub async fn remove_league_organizer(
    path: web::Path<(String, String)>,
    Caller(call): Caller,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let (id, player) = path.into_inner();
    let id = league(&id)?;
    let changed = blocking(&leagues, move |leagues| {
        leagues.remove_organizer(id, &call, &player)
    });
    let changed = changed.await?;
    Ok(tagged(HttpResponse::Ok(), changed.summary.seq).json(changed))
}

/// Begin a season of a league
///
/// By an organizer (scope `organize`). Tables from now on belong to it; its rules stay.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ("If-Match" = Option<String>, Header),
        ("Idempotency-Key" = Option<String>, Header)),
    request_body = NewSeason,
    responses(
        (status = 201, description = "The league", body = LeagueBody, headers(
            ("ETag" = String, description = "The last event of the league, for `If-Match`"))),
        ChangingLeague,
    ))]
#[post("/v1/leagues/{league}/seasons")]
pub async fn begin_season(
    _: Bearer,
    path: web::Path<String>,
    Sent { call, body }: Sent<NewSeason>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let id = league(&path)?;
    let changed = blocking(&leagues, move |leagues| {
        leagues.begin_season(id, &call, &body)
    })
    .await?;
    Ok(tagged(HttpResponse::Created(), changed.summary.seq).json(changed))
}

/// Which tables.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LeagueTableQuery {
    /// The season, from 1; all when left out.
    #[param(minimum = 1)]
    season: Option<u16>,
}

/// Which standings.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StandingsQuery {
    /// The season, from 1; the one that goes on when left out.
    #[param(minimum = 1)]
    season: Option<u16>,
    /// As they were after an event of the league, by its number, or at a moment: an RFC 3339 time or a date. As they
    /// are when left out.
    #[param(
        example = "57",
        pattern = "^([0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2}([ Tt].+)?)$"
    )]
    as_of: Option<String>,
}

/// Up to where a league is read: an event's number, a moment or a date; to its end when nothing is told.
///
/// # Errors
/// 422 when it is none of these.
pub fn until(as_of: Option<&str>) -> Result<Until, Problem> {
    match as_of {
        None => Ok(Until::Now),
        Some(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            let seq = text
                .parse()
                .map_err(|_| Problem::invalid("as_of", "there is no such event"));
            Ok(Until::Event(seq?))
        }
        Some(text) => Ok(Until::Moment(moment("as_of", text)?)),
    }
}

/// Rows as CSV (RFC 4180, line feeds).
fn csv(rows: impl IntoIterator<Item = Vec<String>>) -> Result<String, Problem> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let failed = |error: &dyn std::fmt::Display| {
        tracing::error!(%error, "a table is no CSV");
        Problem::new(Code::Internal, "the fault has been logged")
    };
    for row in rows {
        writer.write_record(&row).map_err(|error| failed(&error))?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}

/// A name as a cell: programs that calculate take one that begins so for a formula.
fn name_cell(name: &str) -> String {
    match name.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => format!("'{name}"),
        false => name.to_owned(),
    }
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
    _: Bearer,
    request: HttpRequest,
    path: web::Path<String>,
    Sent { call, body }: Sent<NewTables>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let id = league(&path)?;
    charge_as(&request, Policy::Games, body.tables.len())?;
    let created = blocking(&leagues, move |leagues| {
        leagues.create_tables(id, &call, &body)
    })
    .await?;
    Ok(tagged(HttpResponse::Created(), created.seq).json(created))
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
    path: web::Path<String>,
    Query(query): Query<LeagueTableQuery>,
    Query(asked): Query<PageQuery>,
    Caller(call): Caller,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let id = league(&path)?;
    charge(&request, Policy::Expensive)?;
    let behind = asked.cursor()?;
    let page = blocking(&leagues, move |leagues| {
        leagues.tables(id, &call, query.season, behind, asked.limit())
    });
    let (page, seq) = page.await?;
    let json = serde_json::to_string(&page).map_err(not_json)?;
    let tag = league_tag(seq, &json);
    let response = versioned(&request, &tag, JSON, json.into(), "no-cache");
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
    _: Bearer,
    request: HttpRequest,
    path: web::Path<String>,
    Sent { call, body }: Sent<NewResult>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let id = league(&path)?;
    check_content(
        leagues.games.library(),
        body.edition.as_deref(),
        body.board.as_deref(),
    )?;
    for (number, seat) in body.seats.iter().enumerate() {
        for nation in &seat.nations {
            let field = format!("seats[{number}].nations");
            check_nation(leagues.games.library(), &field, Some(nation))?;
        }
    }
    let entered = blocking(&leagues, move |leagues| {
        leagues.enter_result(id, &call, &body)
    })
    .await?;
    Ok(tagged(HttpResponse::Created(), entered.seq).json(entered))
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
    _: Bearer,
    request: HttpRequest,
    path: web::Path<(String, String)>,
    Sent { call, body }: Sent<Correction>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let (id, table) = path.into_inner();
    let (id, table) = (league(&id)?, number("table", &table)?);
    let changed = blocking(&leagues, move |leagues| {
        leagues.correct_table(id, &call, table, &body)
    });
    let changed = changed.await?;
    Ok(tagged(HttpResponse::Created(), changed.seq).json(changed))
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
    _: Bearer,
    request: HttpRequest,
    path: web::Path<String>,
    Sent { call, body }: Sent<NewDeadline>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let id = league(&path)?;
    let changed = blocking(&leagues, move |leagues| {
        leagues.move_deadline(id, &call, &body)
    })
    .await?;
    Ok(tagged(HttpResponse::Created(), changed.seq).json(changed))
}

/// Get the standings of a league
///
/// Of a season, as they are, or as they were after any event or at any moment, which stays the same for ever. In CSV
/// each tie-break is a column, and a name that a spreadsheet would take for a formula has an apostrophe before it; SVG
/// is a picture of the places after each round.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), StandingsQuery, ThemeQuery),
    responses(
        (status = 200, description = "The standings", content(
            (StandingsBody = "application/json"),
            (String = "text/csv"),
            (String = "image/svg+xml"))),
        (status = 304, description = "The caller has it"),
        ReadingLeagueRendered,
    ))]
#[get("/v1/leagues/{league}/standings")]
pub async fn league_standings(
    request: HttpRequest,
    path: web::Path<String>,
    Themed(query, theme): Themed<StandingsQuery>,
    Caller(call): Caller,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let id = league(&path)?;
    charge(&request, Policy::Expensive)?;
    let until = until(query.as_of.as_deref())?;
    let format = negotiate(&request, &[JSON, CSV, SVG])?;
    if format == 2 {
        let rounds = blocking(&leagues, move |leagues| {
            leagues.rounds_of(id, &call, query.season, until, MEMBERS)
        });
        let picture = charts::curves(&place_curves(&rounds.await?), charts::WIDE, theme);
        return Ok(text(&request, SVG, picture));
    }
    let body = blocking(&leagues, move |leagues| {
        leagues.standings(id, &call, query.season, until)
    });
    let body = body.await?;
    if format == 0 {
        let json = serde_json::to_string(&body).map_err(not_json)?;
        return Ok(text(&request, JSON, json));
    }
    Ok(text(&request, CSV, standings_csv(&body)?))
}

/// Standings as CSV.
///
/// # Errors
/// 500 when they cannot be written.
pub fn standings_csv(body: &StandingsBody) -> Result<String, Problem> {
    let columns = ["rank", "member", "name", "games", "points"];
    let tie_breaks = body
        .rules
        .tie_breaks
        .iter()
        .map(|tie_break| tie_break.name());
    // A tie-break of a name that is a column already is told once more.
    let head: Vec<String> = (columns.into_iter().map(str::to_owned))
        .chain(tie_breaks.map(|name| format!("by_{name}")))
        .collect();
    let line = |row: &crate::leagues::model::StandingBody| {
        let known = [
            row.rank.to_string(),
            row.member.id.clone(),
            name_cell(&row.member.name),
            row.games.to_string(),
            row.points.to_string(),
        ];
        let tie_breaks = row.tie_breaks.iter().map(f64::to_string);
        known.into_iter().chain(tie_breaks).collect()
    };
    csv(std::iter::once(head).chain(body.rows.iter().map(line)))
}

/// Get who came out ahead of whom in a league
///
/// Each pair of members who met in a season, as it is or was. In CSV names are written as in the standings.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), StandingsQuery),
    responses(
        (status = 200, description = "The pairs", content(
            (HeadToHeadBody = "application/json"),
            (String = "text/csv"))),
        (status = 304, description = "The caller has it"),
        ReadingLeagueRendered,
    ))]
#[get("/v1/leagues/{league}/head-to-head")]
pub async fn head_to_head(
    request: HttpRequest,
    path: web::Path<String>,
    Query(query): Query<StandingsQuery>,
    Caller(call): Caller,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let id = league(&path)?;
    charge(&request, Policy::Expensive)?;
    let until = until(query.as_of.as_deref())?;
    let format = negotiate(&request, &[JSON, CSV])?;
    let body = blocking(&leagues, move |leagues| {
        leagues.head_to_head(id, &call, query.season, until)
    });
    let body = body.await?;
    if format == 0 {
        let json = serde_json::to_string(&body).map_err(not_json)?;
        return Ok(text(&request, JSON, json));
    }
    Ok(text(&request, CSV, head_to_head_csv(&body)?))
}

/// Who met whom as CSV.
///
/// # Errors
/// 500 when it cannot be written.
pub fn head_to_head_csv(body: &HeadToHeadBody) -> Result<String, Problem> {
    let head = [
        "one",
        "one_name",
        "other",
        "other_name",
        "games",
        "ahead",
        "equal",
        "behind",
    ];
    let lines = body.rows.iter().map(|row| {
        let numbers = [row.games, row.ahead, row.equal, row.behind];
        let members = [&row.one, &row.other].into_iter();
        members
            .flat_map(|member| [member.id.clone(), name_cell(&member.name)])
            .chain(numbers.map(|number| number.to_string()))
            .collect()
    });
    let head = head.map(str::to_owned).to_vec();
    csv(std::iter::once(head).chain(lines))
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
    _: Bearer,
    request: HttpRequest,
    path: web::Path<String>,
    Sent { call, body }: Sent<NewPairing>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let id = league(&path)?;
    charge(&request, Policy::Expensive)?;
    for nation in &body.nations {
        check_nation(leagues.games.library(), "nations", Some(nation))?;
    }
    let paired = blocking(&leagues, move |leagues| leagues.pair(id, &call, &body)).await?;
    Ok(tagged(HttpResponse::Ok(), paired.seq).json(paired))
}
