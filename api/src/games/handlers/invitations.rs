//! Invitations by a code.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, delete, post, web};

use crate::games::bodies::{GameBody, InvitationCode};
use crate::games::handlers::path::GameId;
use crate::games::invitations::Invitations;
use crate::http::answers::{ChangingBare, ReplacingSecret, TakingUp};
use crate::http::problem::Problem;
use crate::http::reply::{blocking, tagged};
use crate::http::request::body::Sent;
use crate::http::request::caller::{Bearer, Caller};

/// Make an invitation code
///
/// For the organizer (an account with the scope `organize`), while the game is open. Whoever sends the code to
/// `/v1/me/invitations` has a seat kept. It is shown this once; another takes the place of the one before.
#[utoipa::path(tag = "seats", security(("token" = ["organize"])),
    params(("id" = String, Path, format = Uuid), ("Idempotency-Key" = Option<String>, Header)),
    responses(
        (status = 201, description = "The code", body = InvitationCode),
        ReplacingSecret,
    ))]
#[post("/v1/games/{id}/invitation")]
pub async fn make_invitation_code(
    GameId(id): GameId,
    Caller(call): Caller,
    invitations: web::Data<Invitations>,
) -> Result<HttpResponse, Problem> {
    let made = blocking(&invitations, move |all| all.make_code(id, &call)).await?;
    Ok(HttpResponse::Created()
        .insert_header((CACHE_CONTROL, "private, no-store"))
        .json(made))
}

/// Withdraw an invitation code
///
/// For the organizer (an account with the scope `organize`). Seats that are kept by it stay kept.
#[utoipa::path(tag = "seats", security(("token" = ["organize"])),
    params(("id" = String, Path, format = Uuid)),
    responses(
        (status = 204, description = "There is none"),
        ChangingBare,
    ))]
#[delete("/v1/games/{id}/invitation")]
pub async fn withdraw_invitation_code(
    GameId(id): GameId,
    Caller(call): Caller,
    invitations: web::Data<Invitations>,
) -> Result<HttpResponse, Problem> {
    blocking(&invitations, move |all| all.withdraw_code(id, &call)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Take up an invitation
///
/// Keeps a seat for the caller's account, the first that is free, in the game with this code, unless it has one
/// there; the game is seen from then on. The seat is claimed or declined like any that is kept. Needs the scope
/// `play`.
#[utoipa::path(tag = "players", security(("token" = ["play"])),
    params(("Idempotency-Key" = Option<String>, Header)),
    responses(
        (status = 200, description = "The game, with the seat kept", body = GameBody, headers(
            ("ETag" = String, description = "The game's version"))),
        TakingUp,
    ))]
#[post("/v1/me/invitations")]
pub async fn take_up_invitation(
    _: Bearer,
    Sent { call, body }: Sent<InvitationCode>,
    invitations: web::Data<Invitations>,
) -> Result<HttpResponse, Problem> {
    let game = blocking(&invitations, move |all| all.take_up(&call, &body)).await?;
    Ok(tagged(HttpResponse::Ok(), game.summary.seq).json(game))
}
