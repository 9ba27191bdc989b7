//! Ratings.

use actix_web::{HttpRequest, HttpResponse, get, web};
use engine::content::Library;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::content::drawings::{SVG, ThemeQuery, Themed};
use crate::games::handlers::known::check_content;
use crate::http::answers::{Listing, Reading, Rendered};
use crate::http::page::PageQuery;
use crate::http::problem::Problem;
use crate::http::reply::{JSON, blocking, listed, text};
use crate::http::request::accept::negotiate;
use crate::http::request::query::Query;
use crate::ratings::model::{PlayerProfile, RatingHistory, RatingKind, RatingPage};
use crate::ratings::service::Ratings;

/// In which edition ratings are asked for.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RatingEditionQuery {
    /// The edition; all of them together when left out.
    #[param(example = "antike")]
    edition: Option<String>,
}

/// Which ratings are asked for.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RatingQuery {
    /// `account`, people and programs with an account, when left out; or `bot`.
    #[param(inline)]
    kind: Option<RatingKind>,
    /// Whether ratings of fewer than 10 games are listed too.
    #[serde(default)]
    provisional: bool,
}

/// List ratings
///
/// By Weng and Lin's method, the highest ordinal first; accounts and bots are rated apart, each by their places
/// among their own. Rated are games with `rated` that are not private, began from the start of their edition and were
/// ended by the rules, some moments after their end; and results at real tables of leagues that are not private, as the
/// league has them now: when one is corrected, all ratings are computed anew. Pages are found by `next`, which is also
/// in the `Link` header.
#[utoipa::path(tag = "ratings", params(RatingEditionQuery, RatingQuery, PageQuery), responses(
    (status = 200, description = "A page of ratings", body = RatingPage, headers(
        ("Link" = String, description = "The next page"))),
    (status = 304, description = "The caller has it"),
    Listing,
))]
#[get("/v1/ratings")]
pub async fn list_ratings(
    request: HttpRequest,
    Query(RatingEditionQuery { edition }): Query<RatingEditionQuery>,
    Query(query): Query<RatingQuery>,
    Query(asked): Query<PageQuery>,
    library: web::Data<Library>,
    ratings: web::Data<Ratings>,
) -> Result<HttpResponse, Problem> {
    check_content(&library, edition.as_deref(), None)?;
    let page = blocking(&ratings, move |ratings| {
        ratings.list(
            query.kind.unwrap_or_default(),
            edition.as_deref(),
            query.provisional,
            asked.cursor.as_deref(),
            asked.limit(),
        )
    })
    .await?;
    listed(&request, page.next.as_deref(), &page)
}

/// Get the history of a rating
///
/// Of an account, by id or handle, or of a bot, by its name: what each game did to it, the last first. As SVG it is a
/// picture of the last 1000 games: the rating after each, with twice its uncertainty to both sides.
#[utoipa::path(tag = "ratings", params(("player" = String, Path), RatingEditionQuery, PageQuery, ThemeQuery), responses(
    (status = 200, description = "A page of changes", headers(
        ("Link" = String, description = "The next page")),
        content(
            (RatingHistory = "application/json"),
            (String = "image/svg+xml"))),
    (status = 304, description = "The caller has it"),
    Rendered,
))]
#[get("/v1/players/{player}/ratings/history")]
pub async fn rating_history(
    request: HttpRequest,
    path: web::Path<String>,
    Themed(RatingEditionQuery { edition }, theme): Themed<RatingEditionQuery>,
    Query(asked): Query<PageQuery>,
    library: web::Data<Library>,
    ratings: web::Data<Ratings>,
) -> Result<HttpResponse, Problem> {
    check_content(&library, edition.as_deref(), None)?;
    let named = path.into_inner();
    if negotiate(&request, &[JSON, SVG])? == 1 {
        let curves = blocking(&ratings, move |ratings| {
            ratings.curves(&named, edition.as_deref())
        });
        let picture = charts::curves(&curves.await?, charts::WIDE, theme);
        return Ok(text(&request, SVG, picture));
    }
    let page = blocking(&ratings, move |ratings| {
        let cursor = asked.cursor.as_deref();
        ratings.history(&named, edition.as_deref(), cursor, asked.limit())
    })
    .await?;
    listed(&request, page.next.as_deref(), &page)
}

/// Get a player
#[utoipa::path(tag = "players", params(("player" = String, Path)), responses(
    (status = 200, description = "The player, with the ratings", body = PlayerProfile),
    Reading,
))]
#[get("/v1/players/{player}")]
pub async fn get_player(
    path: web::Path<String>,
    ratings: web::Data<Ratings>,
) -> Result<HttpResponse, Problem> {
    let named = path.into_inner();
    let player = blocking(&ratings, move |ratings| ratings.profile(&named)).await?;
    Ok(HttpResponse::Ok().json(player))
}
