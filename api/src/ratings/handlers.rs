//! Ratings of players, and their history.

use actix_web::{HttpRequest, HttpResponse, get, web};
use engine::content::Library;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::content::drawings::{SVG, ThemeQuery, ThemedQuery};
use crate::games::handlers::known::check_content;
use crate::http::answers::{Listing, Reading, Rendered};
use crate::http::page::PageQuery;
use crate::http::problem::Problem;
use crate::http::reply::{JSON, blocking, listed, text};
use crate::http::request::accept::negotiate;
use crate::http::request::query::Query;
use crate::ratings::model::{PlayerProfile, RatingHistory, RatingKind, RatingPage};
use crate::ratings::service::Ratings;

/// Selects the edition of ratings.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RatingEditionQuery {
    /// The name of the edition; all editions together by default.
    #[param(example = "antike")]
    edition: Option<String>,
}

/// Filters the ratings.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RatingQuery {
    /// `account` for players with an account, which is the default; or `bot`.
    #[param(inline)]
    kind: Option<RatingKind>,
    /// Whether to include provisional ratings, of fewer than 10 games.
    #[serde(default)]
    provisional: bool,
}

/// List ratings
///
/// By Weng and Lin's method, highest ordinal first. Accounts and bots are rated separately, each by their places among
/// players of the same kind.
///
/// A game counts if it has `rated`, is not private, started from the initial position of its edition and was ended by
/// the rules. It is rated shortly after its end. Over-the-board results in leagues that are not private count too, with
/// all corrections; a correction causes all ratings to be recomputed. `next` is the `cursor` of the next page; the
/// `Link` header has its URL.
#[utoipa::path(tag = "ratings", params(RatingEditionQuery, RatingQuery, PageQuery), responses(
    (status = 200, description = "A page of ratings", body = RatingPage, headers(
        ("Link" = String, description = "The next page"))),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    Listing,
))]
#[get("/v1/ratings")]
pub async fn list_ratings(
    request: HttpRequest,
    Query(RatingEditionQuery { edition }): Query<RatingEditionQuery>,
    Query(query): Query<RatingQuery>,
    Query(paging): Query<PageQuery>,
    library: web::Data<Library>,
    ratings: web::Data<Ratings>,
) -> Result<HttpResponse, Problem> {
    check_content(&library, edition.as_deref(), None)?;
    let page = blocking(&ratings, move |ratings| {
        ratings.list(
            query.kind.unwrap_or_default(),
            edition.as_deref(),
            query.provisional,
            paging.cursor.as_deref(),
            paging.limit(),
        )
    })
    .await?;
    listed(&request, page.next.as_deref(), &page)
}

/// Get the history of a rating
///
/// The changes of a rating by each game, latest first, of an account (by id or handle) or a bot (by name). As SVG, a
/// picture of the last 1000 games: the rating after each game, with a band of twice its uncertainty on both sides.
#[utoipa::path(tag = "ratings", params(("player" = String, Path), RatingEditionQuery, PageQuery, ThemeQuery), responses(
    (status = 200, description = "A page of changes", headers(
        ("Link" = String, description = "The next page")),
        content(
            (RatingHistory = "application/json"),
            (String = "image/svg+xml"))),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    Rendered,
))]
#[get("/v1/players/{player}/ratings/history")]
pub async fn get_rating_history(
    request: HttpRequest,
    path: web::Path<String>,
    ThemedQuery(RatingEditionQuery { edition }, theme): ThemedQuery<RatingEditionQuery>,
    Query(paging): Query<PageQuery>,
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
        let cursor = paging.cursor.as_deref();
        ratings.history(&named, edition.as_deref(), cursor, paging.limit())
    })
    .await?;
    listed(&request, page.next.as_deref(), &page)
}

/// Get a player
#[utoipa::path(tag = "players", params(("player" = String, Path)), responses(
    (status = 200, description = "The player with the ratings", body = PlayerProfile),
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
