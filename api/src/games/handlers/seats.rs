//! Seats: claiming, leaving, replacing players, standing orders.

use actix_web::{HttpResponse, delete, get, post, put, web};

use crate::games::bodies::{Claim, Claimed, GameBody, Replaced, Replacement};
use crate::games::handlers::path::SeatId;
use crate::games::orders::StandingOrder;
use crate::games::service::Games;
use crate::http::answers::{Changing, ChangingBare, Claiming, ReadingOwn};
use crate::http::problem::Problem;
use crate::http::reply::{blocking, tagged};
use crate::http::request::body::Sent;
use crate::http::request::caller::Caller;

/// Claim an open seat
///
/// With a token of an account (scope `play`) the account sits, which it does once at a table. Without, where guests
/// are let in, the answer shows the seat's token, this once. A seat that is kept for an account is claimed by it alone,
/// also in a game that has started: it takes the place of the player there, whose token is void for the seat and whose
/// standing orders are gone; 409 when the seat is taken and not kept for the caller. The game starts when the last
/// open seat is claimed. The body may be left out.
#[utoipa::path(tag = "seats", security((), ("token" = ["play"])),
    params(("id" = String, Path, format = Uuid), ("seat" = u8, Path),
        ("If-Match" = Option<String>, Header), ("Idempotency-Key" = Option<String>, Header)),
    request_body(content = Option<Claim>, example = json!({"name": "Hanno"})),
    responses(
        (status = 201, description = "The seat is claimed", body = Claimed, headers(
            ("ETag" = String, description = "The last event"))),
        Claiming,
    ))]
#[post("/v1/games/{id}/seats/{seat}")]
pub async fn claim_seat(
    SeatId { game, seat }: SeatId,
    Sent { call, body }: Sent<Option<Claim>>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let claim = body.unwrap_or_default();
    let claimed = blocking(&games, move |games| games.claim(game, &call, seat, &claim)).await?;
    Ok(tagged(HttpResponse::Created(), claimed.game.summary.seq).json(claimed))
}

/// Put another player or a bot on a seat
///
/// For the organizer (an account with the scope `organize`). The token of the player before is void; that of a
/// placeholder is shown, this once.
///
/// The caller's own account sits at once. For any other account the seat is kept, before and after the start of the
/// game: the answer has it as `invited`, and the account claims the seat (`POST`) or declines it (`DELETE`). In a game
/// that has started the player there plays on until then, so the change of player is an event only when the seat is
/// claimed; naming the account that plays the seat ends an invitation. 409 when the account sits at this table already
/// or has an invitation to another seat, when the seat has resigned, and when a seat is to be open after the start.
///
/// Ratings count a seat to the account that sat there when the game began: a substitute is not rated by it. In a league
/// the correction `replace` of the table says to whom the seat counts.
///
/// In a rated game that goes on an organizer who sits or has sat there gives away no seat but its own, nor does the
/// game's own token where accounts sit: another account has to organize it. While bots are to move in as many games as
/// they may, none sits down.
#[utoipa::path(tag = "seats", security(("token" = ["organize"])),
    params(("id" = String, Path, format = Uuid), ("seat" = u8, Path),
        ("If-Match" = Option<String>, Header), ("Idempotency-Key" = Option<String>, Header)),
    request_body = Replacement,
    responses(
        (status = 200, description = "The seat has its new player", body = Replaced),
        Changing,
    ))]
#[put("/v1/games/{id}/seats/{seat}")]
pub async fn replace_player(
    SeatId { game, seat }: SeatId,
    Sent { call, body }: Sent<Replacement>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let replaced = blocking(&games, move |games| games.replace(game, &call, seat, &body)).await?;
    Ok(tagged(HttpResponse::Ok(), replaced.game.summary.seq).json(replaced))
}

/// Leave a seat
///
/// Only before the game has started; the seat is open again. Also how an account declines a seat that is kept for
/// it, and how the organizer withdraws such an invitation: before and after the start. In a game that has started its
/// player plays on then.
#[utoipa::path(tag = "seats", security(("token" = ["play"])),
    params(("id" = String, Path, format = Uuid), ("seat" = u8, Path),
        ("If-Match" = Option<String>, Header), ("Idempotency-Key" = Option<String>, Header)),
    responses(
        (status = 200, description = "The game", body = GameBody),
        ChangingBare,
    ))]
#[delete("/v1/games/{id}/seats/{seat}")]
pub async fn leave_seat(
    SeatId { game, seat }: SeatId,
    Caller(call): Caller,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let game = blocking(&games, move |games| games.leave(game, &call, seat)).await?;
    Ok(tagged(HttpResponse::Ok(), game.summary.seq).json(game))
}

/// Get a seat's standing orders
///
/// For its player.
#[utoipa::path(tag = "seats", security(("token" = ["play"])),
    params(("id" = String, Path, format = Uuid), ("seat" = u8, Path)),
    responses(
        (status = 200, description = "The orders", body = Vec<StandingOrder>),
        ReadingOwn,
    ))]
#[get("/v1/games/{id}/seats/{seat}/orders")]
pub async fn get_orders(
    SeatId { game, seat }: SeatId,
    Caller(call): Caller,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let orders = blocking(&games, move |games| games.orders(game, &call, seat)).await?;
    Ok(HttpResponse::Ok().json(orders))
}

/// Replace a seat's standing orders
///
/// What a seat says ahead, so that a march through its units, or a conquest that an event card may
/// be played against, need not wait for a person. Private and no part of the log. For a battle the
/// most specific order wins: nation, then region, then unit. `fortress` plays the card that defends
/// a city, or passes.
#[utoipa::path(tag = "seats", security(("token" = ["play"])),
    params(("id" = String, Path, format = Uuid), ("seat" = u8, Path),
        ("If-Match" = Option<String>, Header), ("Idempotency-Key" = Option<String>, Header)),
    request_body(content = Vec<StandingOrder>, example = json!([
        {"battle": "allow"}, {"against": "greeks", "unit": "galley", "battle": "demand"},
        {"fortress": "play"}])),
    responses(
        (status = 200, description = "The orders", body = Vec<StandingOrder>),
        Changing,
    ))]
#[put("/v1/games/{id}/seats/{seat}/orders")]
pub async fn set_orders(
    SeatId { game, seat }: SeatId,
    Sent { call, body }: Sent<Vec<StandingOrder>>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let orders = blocking(&games, move |games| {
        games.set_orders(game, &call, seat, &body)
    })
    .await?;
    Ok(HttpResponse::Ok().json(orders))
}
