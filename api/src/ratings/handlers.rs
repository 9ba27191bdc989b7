//! Ratings.

use actix_web::{HttpRequest, HttpResponse, get, web};
use engine::content::Library;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::content::drawings::{SVG, ThemeQuery, Themed};
use crate::games::handlers::known::check_content;
use crate::http::answers::{Listing, Reading, Rendered};
use crate::http::page::PageQuery;
use crate::http::problem::Problem;
use crate::http::reply::{JSON, blocking, listed, text};
use crate::http::request::accept::negotiate;
use crate::http::request::query::Query;
use crate::ratings::model::{PlayerProfile, RatingBody, RatingChangeBody, RatingKind};
use crate::ratings::pictures::rating_curves;
use crate::ratings::service::Ratings;

/// How many games a picture of a rating shows, the last ones.
pub const DRAWN: usize = 1_000;

/// Which ratings are asked for.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RatingQuery {
    /// The edition; all of them together when left out.
    #[param(example = "antike")]
    edition: Option<String>,
    /// `account`, people and programs with an account, when left out; or `bot`.
    #[param(inline)]
    kind: Option<RatingKind>,
    /// Whether ratings of fewer than 10 games are listed too.
    #[serde(default)]
    provisional: bool,
}

/// A page of ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingPage {
    /// The ratings, the highest ordinal first.
    pub items: Vec<RatingBody>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
}

/// Which part of a history is asked for.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RatingHistoryQuery {
    /// The edition; all of them together when left out.
    #[param(example = "antike")]
    edition: Option<String>,
}

/// A page of what games did to a rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingHistory {
    /// What games did, the last first.
    pub items: Vec<RatingChangeBody>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
}

/// List ratings
///
/// By Weng and Lin's method, the highest ordinal first; accounts and bots are rated apart, each by their places
/// among their own. Rated are games with `rated` that are not private, began from the start of their edition and were
/// ended by the rules, some moments after their end; and results at real tables of leagues that are not private, as the
/// league has them now: when one is corrected, all ratings are computed anew. Pages are found by `next`, which is also
/// in the `Link` header.
#[utoipa::path(tag = "ratings", params(RatingQuery, PageQuery), responses(
    (status = 200, description = "A page of ratings", body = RatingPage, headers(
        ("Link" = String, description = "The next page"))),
    (status = 304, description = "The caller has it"),
    Listing,
))]
#[get("/v1/ratings")]
pub async fn list_ratings(
    request: HttpRequest,
    Query(query): Query<RatingQuery>,
    Query(asked): Query<PageQuery>,
    library: web::Data<Library>,
    ratings: web::Data<Ratings>,
) -> Result<HttpResponse, Problem> {
    check_content(&library, query.edition.as_deref(), None)?;
    let page = blocking(&ratings, move |ratings| {
        ratings.list(
            query.kind.unwrap_or_default(),
            query.edition.as_deref(),
            query.provisional,
            asked.cursor.as_deref(),
            asked.limit(),
        )
    })
    .await?;
    let page = RatingPage {
        items: page.items,
        next: page.next,
    };
    listed(&request, page.next.as_deref(), &page)
}

/// Get the history of a rating
///
/// Of an account, by id or handle, or of a bot, by its name: what each game did to it, the last first. As SVG it is a
/// picture of the last 1000 games: the rating after each, with twice its uncertainty to both sides.
#[utoipa::path(tag = "ratings", params(("player" = String, Path), RatingHistoryQuery, PageQuery, ThemeQuery), responses(
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
    Themed(query, theme): Themed<RatingHistoryQuery>,
    Query(asked): Query<PageQuery>,
    library: web::Data<Library>,
    ratings: web::Data<Ratings>,
) -> Result<HttpResponse, Problem> {
    check_content(&library, query.edition.as_deref(), None)?;
    let named = path.into_inner();
    if negotiate(&request, &[JSON, SVG])? == 1 {
        let drawn = blocking(&ratings, move |ratings| {
            let edition = query.edition.as_deref();
            let (player, all) = ratings.rated(&named, edition)?;
            let history = ratings.history(&named, edition, None, DRAWN)?;
            Ok(rating_curves(&player, edition, all, &history.items))
        });
        let picture = charts::curves(&drawn.await?, charts::WIDE, theme);
        return Ok(text(&request, SVG, picture));
    }
    let page = blocking(&ratings, move |ratings| {
        let (edition, cursor) = (query.edition.as_deref(), asked.cursor.as_deref());
        ratings.history(&named, edition, cursor, asked.limit())
    })
    .await?;
    let page = RatingHistory {
        items: page.items,
        next: page.next,
    };
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
