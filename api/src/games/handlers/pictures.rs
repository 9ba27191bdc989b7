//! Handlers of pictures of positions.

use actix_web::{HttpRequest, HttpResponse, get, web};
use drawing::Style;
use uuid::Uuid;

use crate::content::drawings::{DrawingQuery, PNG, SVG, picture};
use crate::games::handlers::path::GameId;
use crate::games::service::Games;
use crate::http::answers::Reading;
use crate::http::problem::Problem;
use crate::http::reply::{FOR_EVER, blocking};
use crate::http::request::path::number;
use crate::http::request::query::Query;

/// Draw the position after an event as SVG
///
/// Shows the content of `states/{seq}`, without secret event cards and seeds. The drawing stays the same for one
/// version of the server. 404 if the game has no such event.
#[utoipa::path(tag = "history",
    params(("game" = String, Path, format = Uuid), ("seq" = u64, Path), DrawingQuery),
    responses(
        (status = 200, description = "The position", body = String, content_type = "image/svg+xml",
            headers(("Cache-Control" = String, description = "`immutable`: the picture never changes"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        Reading,
    ))]
#[get("/v1/games/{game}/states/{seq}.svg")]
pub async fn draw_state_svg(
    request: HttpRequest,
    GameId(id): GameId,
    path: web::Path<(String, String)>,
    Query(query): Query<DrawingQuery>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let seq = number("event", &path.1)?;
    state_picture(&request, games, (id, seq), query.style(), SVG).await
}

/// Draw the position after an event as PNG
///
/// The same picture as `.svg`, for programs that cannot show SVG, such as messengers. The request counts against the
/// rate limit of expensive requests.
#[utoipa::path(tag = "history",
    params(("game" = String, Path, format = Uuid), ("seq" = u64, Path), DrawingQuery),
    responses(
        (status = 200, description = "The position", body = Vec<u8>, content_type = "image/png",
            headers(("Cache-Control" = String, description = "`immutable`: the picture never changes"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        Reading,
    ))]
#[get("/v1/games/{game}/states/{seq}.png")]
pub async fn draw_state_png(
    request: HttpRequest,
    GameId(id): GameId,
    path: web::Path<(String, String)>,
    Query(query): Query<DrawingQuery>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let seq = number("event", &path.1)?;
    state_picture(&request, games, (id, seq), query.style(), PNG).await
}

/// Responds with a picture of the position after an event, in a media type.
pub async fn state_picture(
    request: &HttpRequest,
    games: web::Data<Games>,
    (id, seq): (Uuid, u64),
    style: Style,
    media_type: &'static str,
) -> Result<HttpResponse, Problem> {
    let key = format!("{id} {seq} {style:?}");
    let svg = blocking(&games, move |games| {
        games.show_position(id, seq, |game, view| drawing::position(game, view, &style))
    });
    picture(request, key, svg, media_type, FOR_EVER).await
}
