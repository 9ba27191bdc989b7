//! Handlers of invitation codes.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, delete, get, post, web};

use crate::games::bodies::{ClaimOutcome, GameBody, GameSummary, InvitationCode, InvitedClaim};
use crate::games::handlers::path::GameId;
use crate::games::invitations::Invitations;
use crate::http::answers::{
    AcceptingInvitation, ClaimingByCode, CreatingInvitation, Deleting, ReadingInvitation,
};
use crate::http::problem::Problem;
use crate::http::reply::{blocking, private, tagged};
use crate::http::request::body::JsonRequest;
use crate::http::request::caller::{Bearer, Caller};

/// Create an invitation code
///
/// For the organizer (an account with the scope `organize`) of an open game. Everyone who knows the code can claim a
/// seat with it, also a guest and also in a private game: see `claim_invitation`. An account that sends the code to
/// `/v1/me/invitations` gets a reserved seat. The page `/join/CODE` invites people. The code is shown only once, so
/// store it. A new code replaces the previous one.
#[utoipa::path(tag = "seats", security(("token" = ["organize"])),
    params(("game" = String, Path, format = Uuid)),
    responses(
        (status = 201, description = "The code", body = InvitationCode),
        CreatingInvitation,
    ))]
#[post("/v1/games/{game}/invitation")]
pub async fn create_invitation(
    GameId(id): GameId,
    Caller(call): Caller,
    invitations: web::Data<Invitations>,
) -> Result<HttpResponse, Problem> {
    let code = blocking(&invitations, move |all| all.make_code(id, &call)).await?;
    Ok(HttpResponse::Created()
        .insert_header((CACHE_CONTROL, "private, no-store"))
        .json(code))
}

/// Delete an invitation code
///
/// For the organizer (an account with the scope `organize`). Seats that were reserved with the code stay reserved.
#[utoipa::path(tag = "seats", security(("token" = ["organize"])),
    params(("game" = String, Path, format = Uuid)),
    responses(
        (status = 204, description = "The game has no code"),
        Deleting,
    ))]
#[delete("/v1/games/{game}/invitation")]
pub async fn delete_invitation(
    GameId(id): GameId,
    Caller(call): Caller,
    invitations: web::Data<Invitations>,
) -> Result<HttpResponse, Problem> {
    blocking(&invitations, move |all| all.withdraw_code(id, &call)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Get the game of an invitation code
///
/// The game that the code invites to, also if it is private. Case and dashes of the code do not matter. 404 if the
/// code is unknown, 409 if the game has started.
#[utoipa::path(tag = "seats", params(("code" = String, Path)),
    responses(
        (status = 200, description = "The game", body = GameSummary),
        ReadingInvitation,
    ))]
#[get("/v1/invitations/{code}")]
pub async fn get_invitation(
    path: web::Path<String>,
    invitations: web::Data<Invitations>,
) -> Result<HttpResponse, Problem> {
    let code = path.into_inner();
    let game = blocking(&invitations, move |all| all.open_game(&code)).await?;
    Ok(private(HttpResponse::Ok()).json(game))
}

/// Claim a seat with an invitation code
///
/// Seats the caller in the game of the code, also if only invited players may claim its seats. With the token of an
/// account (scope `play`), the account takes the seat. Without a token, if the server has guests, the response
/// contains the token of the seat. It is shown only once, so store it. Without `seat`, this is the seat reserved for
/// the account, or else the first free one. The game starts when no seat is open. The body can be omitted. 404 if the
/// code is unknown, 409 if the game has started or the seat is taken.
#[utoipa::path(tag = "seats", security((), ("token" = ["play"])),
    params(("code" = String, Path)),
    request_body(content = Option<InvitedClaim>, example = json!({"name": "Hanno"})),
    responses(
        (status = 201, description = "The claimed seat", body = ClaimOutcome, headers(
            ("ETag" = String, description = "The number of the game's last event"))),
        ClaimingByCode,
    ))]
#[post("/v1/invitations/{code}")]
pub async fn claim_invitation(
    path: web::Path<String>,
    JsonRequest { call, body }: JsonRequest<Option<InvitedClaim>>,
    invitations: web::Data<Invitations>,
) -> Result<HttpResponse, Problem> {
    let code = path.into_inner();
    let claim = body.unwrap_or_default();
    let claimed = blocking(&invitations, move |all| all.claim(&code, &call, &claim)).await?;
    Ok(tagged(HttpResponse::Created(), claimed.game.summary.seq).json(claimed))
}

/// Accept an invitation code
///
/// Reserves the first free seat of the game with this code for the caller's account, unless it has a seat there
/// already. The account can see the game from then on. It claims or declines the seat like any reserved seat. Needs
/// the scope `play`. 404 if the code is unknown.
#[utoipa::path(tag = "players", security(("token" = ["play"])),
    responses(
        (status = 200, description = "The game, with the reserved seat", body = GameBody, headers(
            ("ETag" = String, description = "The number of the game's last event"))),
        AcceptingInvitation,
    ))]
#[post("/v1/me/invitations")]
pub async fn accept_invitation(
    _: Bearer,
    JsonRequest { call, body }: JsonRequest<InvitationCode>,
    invitations: web::Data<Invitations>,
) -> Result<HttpResponse, Problem> {
    let game = blocking(&invitations, move |all| all.take_up(&call, &body)).await?;
    Ok(tagged(HttpResponse::Ok(), game.summary.seq).json(game))
}
