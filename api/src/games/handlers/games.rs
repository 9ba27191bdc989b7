//! Handlers of games: create, read, hand over, abandon, play again.

use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, delete, get, post, put, web};

use crate::games::bodies::{CreatedGame, GameBody, NewGame, NewOrganizer};
use crate::games::handlers::path::{GameId, table};
use crate::games::service::Games;
use crate::http::answers::{Abandoning, Creating, CreatingRematch, Reading, SettingOrganizer};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::{JSON, blocking, tagged, versioned};
use crate::http::request::body::JsonRequest;
use crate::http::request::caller::Caller;

/// Responds with a created game and its path.
fn created_game(response: HttpResponseBuilder, created: &CreatedGame) -> HttpResponse {
    let summary = &created.game.summary;
    tagged(response, summary.seq)
        .insert_header((LOCATION, format!("/v1/games/{}", summary.id)))
        .json(created)
}

/// Change the organizer of a game
///
/// Makes another account the organizer. Needs the present organizer's token (an account's with the scope `organize`,
/// or the game's own). The previous organizer loses the right, and the game's own organizer token becomes void. 409
/// if the game is over, or if it is a table of a league, whose organizers also organize its games.
#[utoipa::path(tag = "games", security(("token" = ["organize"])), params(("game" = String, Path, format = Uuid)),
    request_body = NewOrganizer,
    responses(
        (status = 200, description = "The game", body = GameBody),
        SettingOrganizer,
    ))]
#[put("/v1/games/{game}/organizer")]
pub async fn set_organizer(
    GameId(id): GameId,
    JsonRequest { call, body }: JsonRequest<NewOrganizer>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let game = blocking(&games, move |games| {
        games.change_organizer(id, &call, &body)
    })
    .await?;
    Ok(tagged(HttpResponse::Ok(), game.summary.seq).json(game))
}

/// Create a rematch
///
/// Creates another game with the same edition, board, variants, pace and players after a game is over. Each player
/// moves one seat further. The caller and bots take their seats at once, other accounts are invited, and all other
/// seats are open. The caller must play a seat of the game; an account needs the scopes `play` and `organize`. A
/// caller without an account becomes a guest of the new game, and `tokens.seats` contains the token of its seat. A
/// game has at most one rematch, which its member `rematch` names. A repeated request returns it with 200 and without
/// tokens.
#[utoipa::path(tag = "games", security(("token" = ["play", "organize"])),
    params(("game" = String, Path, format = Uuid)),
    responses(
        (status = 201, description = "The new game", body = CreatedGame, headers(
            ("Location" = String, description = "The path of the new game"),
            ("ETag" = String, description = "The number of the game's last event"))),
        (status = 200, description = "The rematch that exists already", body = CreatedGame, headers(
            ("Location" = String, description = "The path of the game"),
            ("ETag" = String, description = "The number of the game's last event"))),
        CreatingRematch,
    ))]
#[post("/v1/games/{game}/rematch")]
pub async fn create_rematch(
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
/// The game starts immediately if no seat is open. With the token of an account (scope `organize`) this account is
/// the organizer. Without a token, the response contains a token for the organizer. It also contains the tokens of
/// placeholder seats. Tokens are shown only once, so store them. If a seat names no nations, they are drawn.
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
    responses(
        (status = 201, description = "The new game", body = CreatedGame, headers(
            ("Location" = String, description = "The path of the new game"),
            ("ETag" = String, description = "The number of the game's last event"))),
        Creating,
    ))]
#[post("/v1/games")]
pub async fn create_game(
    request: HttpRequest,
    JsonRequest { call, body }: JsonRequest<NewGame>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Games)?;
    let created = blocking(&games, move |games| games.create(&call, &body)).await?;
    Ok(created_game(HttpResponse::Created(), &created))
}

/// Get a game
///
/// The strong `ETag` is the number of the last event. A dot and a hash follow the number
/// while an undo request is pending or a seat is reserved, and when the game has a rematch. With `If-None-Match`, an unchanged game is answered 304.
#[utoipa::path(tag = "games", params(("game" = String, Path, format = Uuid)),
    responses(
        (status = 200, description = "The game", body = GameBody, headers(
            ("ETag" = String, description = "The number of the game's last event"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        Reading,
    ))]
#[get("/v1/games/{game}")]
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

/// Abandon a game that has not started
///
/// Only for the organizer (an account with the scope `organize`). The game stays in lists as `abandoned`. 409 if it
/// has started.
#[utoipa::path(tag = "games", security(("token" = ["organize"])), params(("game" = String, Path, format = Uuid)),
    responses(
        (status = 200, description = "The game", body = GameBody),
        Abandoning,
    ))]
#[delete("/v1/games/{game}")]
pub async fn abandon_game(
    GameId(id): GameId,
    Caller(call): Caller,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let game = blocking(&games, move |games| games.abandon(id, &call)).await?;
    Ok(tagged(HttpResponse::Ok(), game.summary.seq).json(game))
}
