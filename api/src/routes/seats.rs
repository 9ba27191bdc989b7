//! Seats: claiming, leaving, replacing players, standing orders.

use actix_web::{HttpResponse, delete, get, post, put, web};

use crate::answers::{Changing, ChangingBare, Claiming, ReadingOwn};
use crate::games::{Claim, Claimed, GameBody, Games, Replaced, Replacement, StandingOrder};
use crate::problem::Problem;
use crate::reply::{blocking, tagged};
use crate::request::{Caller, SeatId, Sent};

/// Claim an open seat
///
/// With a token of an account (scope `play`) the account sits, which it does once at a table. Without, where guests
/// are let in, the answer shows the seat's token, this once. A seat that is kept for an account is claimed by it alone.
/// The game starts when the last seat is claimed. The body may be left out.
#[utoipa::path(tag = "seats", security((), ("token" = ["play"])),
    params(("id" = String, Path, format = Uuid), ("seat" = u8, Path),
        ("If-Match" = Option<String>, Header), ("Idempotency-Key" = Option<String>, Header),
        ("Idempotency-Secret" = Option<String>, Header)),
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
/// placeholder is shown, this once. Before the game has started a seat can be kept for an account. In a rated game that
/// goes on an organizer who sits or has sat there gives away no seat but its own, nor does the game's own token where
/// accounts sit: another account has to organize it. While bots are to move in as many games as they may, none sits
/// down.
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
/// it.
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
