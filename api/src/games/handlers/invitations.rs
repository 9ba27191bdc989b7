//! Handlers of invitation codes.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, delete, post, web};

use crate::games::bodies::{GameBody, InvitationCode};
use crate::games::handlers::path::GameId;
use crate::games::invitations::Invitations;
use crate::http::answers::{AcceptingInvitation, CreatingInvitation, DeletingInvitation};
use crate::http::problem::Problem;
use crate::http::reply::{blocking, tagged};
use crate::http::request::body::JsonRequest;
use crate::http::request::caller::{Bearer, Caller};

/// Create an invitation code
///
/// For the organizer (an account with the scope `organize`) of an open game. An account that sends the code to
/// `/v1/me/invitations` gets a reserved seat. The code is shown only once, so store it. A new code replaces the
/// previous one.
#[utoipa::path(tag = "seats", security(("token" = ["organize"])),
    params(("game" = String, Path, format = Uuid), ("Idempotency-Key" = Option<String>, Header)),
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
        DeletingInvitation,
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

/// Accept an invitation code
///
/// Reserves the first free seat of the game with this code for the caller's account, unless it has a seat there
/// already. The account can see the game from then on. It claims or declines the seat like any reserved seat. Needs
/// the scope `play`. 404 if the code is unknown.
#[utoipa::path(tag = "players", security(("token" = ["play"])),
    params(("Idempotency-Key" = Option<String>, Header)),
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
