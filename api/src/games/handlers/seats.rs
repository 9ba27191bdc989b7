//! Handlers of seats: claim, leave, replace the player, standing orders.

use actix_web::{HttpResponse, delete, get, post, put, web};

use crate::games::bidding::NewBids;
use crate::games::bodies::{
    AdoptedSeat, Claim, ClaimOutcome, GameBody, Replacement, ReplacementOutcome, SeatProof,
};
use crate::games::handlers::path::SeatId;
use crate::games::orders::StandingOrder;
use crate::games::service::Games;
use crate::http::answers::{
    AdoptingSeat, Bidding, Claiming, LeavingSeat, ReadingOwn, ReplacingPlayer, SettingOrders,
};
use crate::http::problem::Problem;
use crate::http::reply::{blocking, private, tagged};
use crate::http::request::body::JsonRequest;
use crate::http::request::caller::{Bearer, Caller};

/// Claim a seat
///
/// With the token of an account (scope `play`), the account takes the seat; an account can have one seat of a game.
/// Without a token, if the server has guests, the response contains the token of the seat. It is shown only once, so
/// store it.
///
/// Only the invited account can claim a reserved seat. In a running game it replaces the present player, whose token
/// for the seat becomes void and whose standing orders are deleted. 409 if the seat is taken and not reserved for the
/// caller. The game starts when no seat is open. The body can be omitted.
#[utoipa::path(tag = "seats", security((), ("token" = ["play"])),
    params(("game" = String, Path, format = Uuid), ("seat" = u8, Path)),
    request_body(content = Option<Claim>, example = json!({"name": "Hanno"})),
    responses(
        (status = 201, description = "The claimed seat", body = ClaimOutcome),
        Claiming,
    ))]
#[post("/v1/games/{game}/seats/{seat}")]
pub async fn claim_seat(
    SeatId { game, seat }: SeatId,
    JsonRequest { call, body }: JsonRequest<Option<Claim>>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let claim = body.unwrap_or_default();
    let claimed = blocking(&games, move |games| games.claim(game, &call, seat, &claim)).await?;
    Ok(tagged(HttpResponse::Created(), claimed.game.summary.seq).json(claimed))
}

/// Move a guest's seat to the caller's account
///
/// A person who played as a guest and then signed up keeps the game. The body has the token of the seat, which becomes
/// void; standing orders stay. In a running game this is an event. A game that is over keeps its players, because its
/// record is signed. 404 if the token is of no seat of the game. 409 if the account already has a seat of this game.
/// Needs the scope `play`.
#[utoipa::path(tag = "seats", security(("token" = ["play"])),
    request_body = SeatProof,
    responses(
        (status = 200, description = "The seat", body = AdoptedSeat),
        AdoptingSeat,
    ))]
#[post("/v1/me/seats")]
pub async fn adopt_seat(
    _: Bearer,
    JsonRequest { call, body }: JsonRequest<SeatProof>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let adopted = blocking(&games, move |games| games.adopt_seat(&call, &body)).await?;
    Ok(private(HttpResponse::Ok()).json(adopted))
}

/// Replace the player of a seat
///
/// For the organizer (an account with the scope `organize`). The previous player's token becomes void. The response
/// contains the token of a placeholder. It is shown only once, so store it.
///
/// The caller's own account takes the seat immediately. For any other account the seat is reserved, before and after
/// the start of the game: the response names it as `invited`, and the account claims the seat (`POST`) or declines it
/// (`DELETE`). In a running game, the present player plays on until then, and only the claim is an event. Naming the
/// account that plays the seat ends an invitation. 409 if the account already has a seat of this game or an
/// invitation to another one, if the seat has resigned, or if the seat would be open after the start.
///
/// For ratings, a seat counts to the account that had it at the start of the game, so substitutes are not rated. In a
/// league, the correction `replace` of the table sets to whom the seat counts.
///
/// In a running rated game, an organizer who plays or has played in it can replace only itself. The same holds for
/// the game's own organizer token if accounts play. Another account must organize the game first. A bot cannot take a
/// seat while bots have to move in too many games.
#[utoipa::path(tag = "seats", security(("token" = ["organize"])),
    params(("game" = String, Path, format = Uuid), ("seat" = u8, Path)),
    request_body = Replacement,
    responses(
        (status = 200, description = "The game, and the token of a placeholder", body = ReplacementOutcome),
        ReplacingPlayer,
    ))]
#[put("/v1/games/{game}/seats/{seat}")]
pub async fn replace_player(
    SeatId { game, seat }: SeatId,
    JsonRequest { call, body }: JsonRequest<Replacement>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let replaced = blocking(&games, move |games| games.replace(game, &call, seat, &body)).await?;
    Ok(tagged(HttpResponse::Ok(), replaced.game.summary.seq).json(replaced))
}

/// Leave or decline a seat
///
/// A player leaves a seat before the start of the game; the seat becomes open. An account declines a reserved seat,
/// and an organizer withdraws an invitation, before or after the start; in a running game the present player plays
/// on. 409 if a player leaves a running game.
#[utoipa::path(tag = "seats", security(("token" = ["play"])),
    params(("game" = String, Path, format = Uuid), ("seat" = u8, Path)),
    responses(
        (status = 200, description = "The game", body = GameBody),
        LeavingSeat,
    ))]
#[delete("/v1/games/{game}/seats/{seat}")]
pub async fn leave_seat(
    SeatId { game, seat }: SeatId,
    Caller(call): Caller,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let game = blocking(&games, move |games| games.leave(game, &call, seat)).await?;
    Ok(tagged(HttpResponse::Ok(), game.summary.seq).json(game))
}

/// Bid for the seats of a game
///
/// For the player of a seat, if the game has a bidding. A seat means its nations and its place in the turn order. With
/// sealed bids, the request has what each seat is worth to the player; it replaces earlier bids, is possible as soon as
/// the player has a seat, and nobody else sees it before the game starts. With open bids, it has one bid, and it must be
/// the player's turn to bid: `missing` in the game's `bidding` says whose it is.
///
/// When no bid is missing, the players take the seats, and the game starts: the answer then has other players on the
/// seats. A token of a seat goes with its player.
#[utoipa::path(tag = "seats", security(("token" = ["play"])),
    params(("game" = String, Path, format = Uuid), ("seat" = u8, Path)),
    request_body = NewBids,
    responses(
        (status = 200, description = "The game", body = GameBody),
        Bidding,
    ))]
#[put("/v1/games/{game}/seats/{seat}/bids")]
pub async fn bid(
    SeatId { game, seat }: SeatId,
    JsonRequest { call, body }: JsonRequest<NewBids>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let game = blocking(&games, move |games| games.bid(game, &call, seat, &body)).await?;
    Ok(tagged(HttpResponse::Ok(), game.summary.seq).json(game))
}

/// Get the standing orders of a seat
///
/// Only for the player of the seat.
#[utoipa::path(tag = "seats", security(("token" = ["play"])),
    params(("game" = String, Path, format = Uuid), ("seat" = u8, Path)),
    responses(
        (status = 200, description = "The standing orders", body = Vec<StandingOrder>),
        ReadingOwn,
    ))]
#[get("/v1/games/{game}/seats/{seat}/orders")]
pub async fn get_orders(
    SeatId { game, seat }: SeatId,
    Caller(call): Caller,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let orders = blocking(&games, move |games| games.orders(game, &call, seat)).await?;
    Ok(HttpResponse::Ok().json(orders))
}

/// Replace the standing orders of a seat
///
/// Standing orders answer questions in advance, so that the game need not wait for the player: when units enter a
/// region with own units, or when an event card could prevent a conquest. They are private and not in the log. For a
/// battle the most specific order applies: one that names a nation before one that names a region, and that before
/// one that names a unit. `fortress` plays the card that defends a city, or passes. 422 for unknown names or more
/// than 200 orders.
#[utoipa::path(tag = "seats", security(("token" = ["play"])),
    params(("game" = String, Path, format = Uuid), ("seat" = u8, Path)),
    request_body(content = Vec<StandingOrder>, example = json!([
        {"battle": "allow"}, {"against": "greeks", "unit": "galley", "battle": "demand"},
        {"fortress": "play"}])),
    responses(
        (status = 200, description = "The standing orders", body = Vec<StandingOrder>),
        SettingOrders,
    ))]
#[put("/v1/games/{game}/seats/{seat}/orders")]
pub async fn set_orders(
    SeatId { game, seat }: SeatId,
    JsonRequest { call, body }: JsonRequest<Vec<StandingOrder>>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let orders = blocking(&games, move |games| {
        games.set_orders(game, &call, seat, &body)
    })
    .await?;
    Ok(HttpResponse::Ok().json(orders))
}
