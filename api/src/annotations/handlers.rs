//! Handlers of the annotations of a game.

use actix_web::http::header::CONTENT_TYPE;
use actix_web::{HttpRequest, HttpResponse, delete, get, put, web};

use crate::annotations::model::{AnnotationList, GameAnnotations, NewAnnotations};
use crate::annotations::service;
use crate::games::Games;
use crate::games::handlers::path::GameId;
use crate::http::answers::{Annotating, Deleting, Reading, ReadingRecord};
use crate::http::problem::Problem;
use crate::http::reply::{JSON, blocking, private};
use crate::http::request::accept::negotiate;
use crate::http::request::body::JsonRequest;
use crate::http::request::caller::Caller;

/// Get the annotations of a game
///
/// Comments, verdicts and variations by all accounts that have annotated the game. They are beside its record, which they
/// do not change.
#[utoipa::path(tag = "history", params(("game" = String, Path, format = Uuid)), responses(
    (status = 200, description = "The annotations", body = AnnotationList),
    Reading,
))]
#[get("/v1/games/{game}/annotations")]
pub async fn list_annotations(
    GameId(id): GameId,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let list = blocking(&games, move |games| service::list(games, id)).await?;
    Ok(private(HttpResponse::Ok()).json(list))
}

/// Get a player's annotations of a game
///
/// Returns JSON, or as `text/plain` the record in notation with the annotations. Without them, that text is the record.
/// The text is 403 if an administrator has hidden the texts of the game, like its record.
#[utoipa::path(tag = "history", params(("game" = String, Path, format = Uuid), ("player" = String, Path)),
    responses(
        (status = 200, description = "The annotations", content(
            (GameAnnotations = "application/json"), (String = "text/plain"))),
        ReadingRecord,
    ))]
#[get("/v1/games/{game}/annotations/{player}")]
pub async fn get_annotations(
    request: HttpRequest,
    GameId(id): GameId,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let named = request.match_info().query("player").to_owned();
    if negotiate(&request, &[JSON, "text/plain"])? == 1 {
        let read = move |games: &Games| service::read_text(games, id, &named);
        let text = blocking(&games, read).await?;
        let plain = (CONTENT_TYPE, "text/plain; charset=utf-8");
        return Ok(private(HttpResponse::Ok()).insert_header(plain).body(text));
    }
    let read = move |games: &Games| service::read(games, id, &named);
    Ok(private(HttpResponse::Ok()).json(blocking(&games, read).await?))
}

/// Annotate a game
///
/// Replaces your annotations of a finished game. `action` is the position of an action in the `actions` of the record,
/// from 0. Each variation must be legal; it begins in the position before the action. In place of comment and notes,
/// `text` can be the annotated record in notation, as `GET` returns it. 403 while an administrator hides the texts of the
/// game.
#[utoipa::path(tag = "history", security(("token" = ["play"])),
    params(("game" = String, Path, format = Uuid)),
    request_body = NewAnnotations,
    responses(
        (status = 200, description = "Your annotations", body = GameAnnotations),
        Annotating,
    ))]
#[put("/v1/games/{game}/annotations")]
pub async fn annotate(
    GameId(id): GameId,
    JsonRequest { call, body }: JsonRequest<NewAnnotations>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let write = move |games: &Games| service::write(games, &call, id, body);
    Ok(private(HttpResponse::Ok()).json(blocking(&games, write).await?))
}

/// Delete your annotations of a game
#[utoipa::path(tag = "history", security(("token" = ["play"])),
    params(("game" = String, Path, format = Uuid)),
    responses((status = 204, description = "Deleted"), Deleting))]
#[delete("/v1/games/{game}/annotations")]
pub async fn delete_annotations(
    GameId(id): GameId,
    Caller(call): Caller,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    blocking(&games, move |games| service::delete(games, &call, id)).await?;
    Ok(private(HttpResponse::NoContent()).finish())
}
