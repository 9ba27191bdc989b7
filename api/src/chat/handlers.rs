//! Handlers of the chat of a game.

use actix_web::{HttpResponse, get, patch, post, web};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::chat::model::{ChatPage, ChatSwitch, MessageBody, NewMessage};
use crate::chat::service;
use crate::games::Games;
use crate::games::handlers::path::GameId;
use crate::http::answers::{Reading, SendingMessage, SwitchingChat};
use crate::http::page::{MOST, USUAL};
use crate::http::problem::Problem;
use crate::http::reply::{blocking, private};
use crate::http::request::body::JsonRequest;
use crate::http::request::query::Query;

/// Selects messages.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ChatQuery {
    /// The number of the message after which the page starts; from the beginning if omitted.
    #[param(example = 12)]
    after: Option<u64>,
    /// The maximum number of messages, from 1 to 1000; 50 by default.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
}

/// Get the chat of a game
///
/// Everyone who can see the game can read its chat. A live stream of the game's events has an event named `chat`, without
/// an `id`, for each change; its data are `ChatChange`.
///
/// Messages are neither in the game's log nor in its record. Those of a deleted account are deleted.
#[utoipa::path(tag = "games", params(("game" = String, Path, format = Uuid), ChatQuery),
    responses(
        (status = 200, description = "A page of messages", body = ChatPage),
        Reading,
    ))]
#[get("/v1/games/{game}/chat")]
pub async fn get_chat(
    GameId(id): GameId,
    Query(query): Query<ChatQuery>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let (after, limit) = (query.after.unwrap_or(0), query.limit.unwrap_or(USUAL));
    let read = move |games: &Games| service::read(games, id, after, limit.min(MOST));
    Ok(private(HttpResponse::Ok()).json(blocking(&games, read).await?))
}

/// Send a message to the table
///
/// For the players of the game and its organizer, also before it starts and after its end. A game has at most 2000
/// messages. To report a message, send its number in a report of the game.
#[utoipa::path(tag = "games", security(("token" = ["play"])),
    params(("game" = String, Path, format = Uuid)),
    request_body = NewMessage,
    responses(
        (status = 201, description = "The message", body = MessageBody),
        SendingMessage,
    ))]
#[post("/v1/games/{game}/chat")]
pub async fn send_message(
    GameId(id): GameId,
    JsonRequest { call, body }: JsonRequest<NewMessage>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let send = move |games: &Games| service::send(games, &call, id, &body);
    Ok(private(HttpResponse::Created()).json(blocking(&games, send).await?))
}

/// Turn the chat of a game on or off
///
/// For the organizer. Earlier messages stay readable. An administrator can hide them with the act `hide_texts`.
#[utoipa::path(tag = "games", security(("token" = ["organize"])),
    params(("game" = String, Path, format = Uuid)),
    request_body = ChatSwitch,
    responses(
        (status = 200, description = "Whether messages can be sent", body = ChatSwitch),
        SwitchingChat,
    ))]
#[patch("/v1/games/{game}/chat")]
pub async fn switch_chat(
    GameId(id): GameId,
    JsonRequest { call, body }: JsonRequest<ChatSwitch>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let switch = move |games: &Games| service::switch(games, &call, id, body);
    Ok(private(HttpResponse::Ok()).json(blocking(&games, switch).await?))
}
