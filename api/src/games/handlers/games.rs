//! Games: creating one, looking at it, handing it on, giving it up and playing it again.

use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, delete, get, post, put, web};

use crate::games::bodies::{Created, GameBody, NewGame, NewOrganizer};
use crate::games::handlers::path::{GameId, table};
use crate::games::service::Games;
use crate::http::answers::{Changing, ChangingBare, Creating, Reading};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::{JSON, blocking, tagged, versioned};
use crate::http::request::body::Sent;
use crate::http::request::caller::Caller;

/// An answer with a game that was created, and its path.
fn created_game(response: HttpResponseBuilder, created: &Created) -> HttpResponse {
    let summary = &created.game.summary;
    tagged(response, summary.seq)
        .insert_header((LOCATION, format!("/v1/games/{}", summary.id)))
        .json(created)
}

/// Let another account organize a game
///
/// For the organizer (an account with the scope `organize`), while the game is not over. Whoever organized it does so
/// no more, and a token of the game's own for that is void. A table of a league is organized by whoever organizes the
/// league.
#[utoipa::path(tag = "games", security(("token" = ["organize"])), params(("id" = String, Path, format = Uuid),
        ("If-Match" = Option<String>, Header), ("Idempotency-Key" = Option<String>, Header)),
    request_body = NewOrganizer,
    responses(
        (status = 200, description = "The game", body = GameBody),
        Changing,
    ))]
#[put("/v1/games/{id}/organizer")]
pub async fn change_organizer(
    GameId(id): GameId,
    Sent { call, body }: Sent<NewOrganizer>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let game = blocking(&games, move |games| {
        games.change_organizer(id, &call, &body)
    })
    .await?;
    Ok(tagged(HttpResponse::Ok(), game.summary.seq).json(game))
}

/// Play again
///
/// By whoever sat at the table of a game that is over: another one of the same edition, board, variants and
/// first nation, each player a seat further. The caller's account and bots sit, other accounts are invited, all other seats are open; an
/// account needs the scopes `play` and `organize`. There is one such game of each, which the body of the game that is
/// over tells as `rematch`: who asks again is shown it, without tokens.
#[utoipa::path(tag = "games", security(("token" = ["play", "organize"])),
    params(("id" = String, Path, format = Uuid)),
    responses(
        (status = 201, description = "The new game", body = Created, headers(
            ("Location" = String, description = "The game's path"),
            ("ETag" = String, description = "Its last event"))),
        (status = 200, description = "It is there already", body = Created, headers(
            ("ETag" = String, description = "Its last event"))),
        ChangingBare,
    ))]
#[post("/v1/games/{id}/rematch")]
pub async fn rematch(
    request: HttpRequest,
    GameId(id): GameId,
    Caller(call): Caller,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Games)?;
    let (created, is_new) = blocking(&games, move |games| games.rematch(id, &call)).await?;
    Ok(match is_new {
        true => created_game(HttpResponse::Created(), &created),
        false => created_game(HttpResponse::Ok(), &created),
    })
}

/// Create a game
///
/// It starts at once when no seat is open. With a token of an account (scope `organize`) that account organizes the
/// game; without, the answer shows a token for the organizer. It shows those of placeholders too, this once. Nations
/// that are left out are drawn.
#[utoipa::path(tag = "games", security((), ("token" = ["organize"])),
    request_body(content = NewGame, examples(
        ("antike" = (summary = "A person, a placeholder and two bots", value = json!({
            "edition": "antike", "board": "antike-east", "first": 0, "max_rounds": 60,
                "pace": {"turn_seconds": 86400, "reserve_seconds": 259200, "timeouts": 2, "then": "bot"},
            "seats": [
                {"nations": ["greeks"], "player": "open"},
                {"nations": ["phoenicians"], "player": {"placeholder": "Dido"}},
                {"nations": ["persians"], "player": {"bot": "greedy"}},
                {"nations": ["arabs"], "player": {"bot": "random"}}]}))),
        ("antike_ii" = (summary = "Antike II with a variant; nations are drawn", value = json!({
            "edition": "antike_ii", "board": "antike-ii-orient", "variants": ["nine_scholars"],
            "seats": [
                {"player": "open"}, {"player": {"bot": "greedy"}},
                {"player": {"bot": "greedy"}}]}))),
        ("antike_duellum" = (summary = "Antike Duellum with its special units", value = json!({
            "edition": "antike_duellum", "board": "duellum-rome-carthage",
            "variants": ["special_units"],
            "seats": [{"nations": ["romans"], "player": "open"},
                {"nations": ["carthaginians"], "player": {"bot": "greedy"}}]}))))),
    params(("Idempotency-Key" = Option<String>, Header)),
    responses(
        (status = 201, description = "The game", body = Created, headers(
            ("Location" = String, description = "The game's path"),
            ("ETag" = String, description = "Its last event"))),
        Creating,
    ))]
#[post("/v1/games")]
pub async fn create_game(
    request: HttpRequest,
    Sent { call, body }: Sent<NewGame>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Games)?;
    let created = blocking(&games, move |games| games.create(&call, &body)).await?;
    Ok(created_game(HttpResponse::Created(), &created))
}

/// Get a game
///
/// Its strong `ETag` is the last event's number, while there is a wish to go back with a dot and a mark of
/// that wish behind; with `If-None-Match` an unchanged game is 304.
#[utoipa::path(tag = "games", params(("id" = String, Path, format = Uuid),
        ("If-None-Match" = Option<String>, Header)),
    responses(
        (status = 200, description = "The game", body = GameBody, headers(
            ("ETag" = String, description = "Its last event"))),
        (status = 304, description = "The caller has this view"),
        Reading,
    ))]
#[get("/v1/games/{id}")]
pub async fn get_game(
    request: HttpRequest,
    GameId(id): GameId,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let table = table(&games, id).await?;
    let json = table.json()?;
    Ok(versioned(
        &request,
        &format!("\"{}\"", table.tag()),
        JSON,
        json,
        "no-cache",
    ))
}

/// Give up a game that has not started
///
/// For the organizer (an account with the scope `organize`). The game stays in the list as `abandoned`.
#[utoipa::path(tag = "games", security(("token" = ["organize"])), params(("id" = String, Path, format = Uuid),
        ("If-Match" = Option<String>, Header), ("Idempotency-Key" = Option<String>, Header)),
    responses(
        (status = 200, description = "The game", body = GameBody),
        ChangingBare,
    ))]
#[delete("/v1/games/{id}")]
pub async fn abandon_game(
    GameId(id): GameId,
    Caller(call): Caller,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let game = blocking(&games, move |games| games.abandon(id, &call)).await?;
    Ok(tagged(HttpResponse::Ok(), game.summary.seq).json(game))
}
