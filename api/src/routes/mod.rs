//! The routes, one module a noun. Handlers are thin: they read the request, call the games service
//! and render the answer.

pub mod actions;
pub mod boards;
pub mod editions;
pub mod engine;
pub mod events;
pub mod fallback;
pub mod games;
pub mod history;
pub mod limits;
pub mod office;
pub mod operations;
pub mod rules;
pub mod seats;
pub mod statistics;

use std::sync::Arc;

use ::engine::content::Change;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::extract;
use crate::games::{GameError, Games};
use crate::problem::{Code, Problem};

/// The media type of most answers.
const JSON: &str = "application/json";

/// Every documented route.
pub fn configure(service: &mut ServiceConfig<'_>) {
    service
        .service(editions::list_editions)
        .service(editions::get_edition)
        .service(editions::get_edition_version)
        .service(rules::list_rules)
        .service(rules::get_rule)
        .service(boards::list_boards)
        .service(boards::get_board)
        .service(boards::get_board_version)
        .service(games::create_game)
        .service(games::list_games)
        .service(games::count_games)
        .service(games::get_game)
        .service(games::abandon_game)
        .service(seats::claim_seat)
        .service(seats::replace_player)
        .service(seats::leave_seat)
        .service(seats::get_orders)
        .service(seats::set_orders)
        .service(actions::act)
        .service(actions::legal_actions)
        .service(actions::undo)
        .service(actions::adjudicate)
        .service(events::game_events)
        .service(events::all_events)
        .service(history::get_state)
        .service(history::get_record)
        .service(engine::apply_actions)
        .service(engine::position_legal_actions)
        .service(statistics::nation_statistics)
        .service(statistics::opening_statistics)
        .service(statistics::opening_tree_statistics)
        .service(statistics::personage_statistics)
        .service(statistics::seat_statistics)
        .service(statistics::length_statistics)
        .service(statistics::card_statistics)
        .service(limits::list_limits)
        .service(office::list_keys)
        .service(office::list_checkpoints)
        .service(office::get_checkpoint)
        .service(operations::health)
        .service(operations::ready)
        .service(operations::metrics);
}

/// Routes that the specification does not list: the specification itself and its page.
pub fn unlisted(service: &mut web::ServiceConfig) {
    // Null only when the specification is no JSON, which a test excludes.
    let document = crate::openapi::whole().unwrap_or_default();
    let pages = utoipa_swagger_ui::SwaggerUi::new("/docs/{_:.*}")
        .external_url_unchecked("/openapi.json", document);
    service
        .service(web::redirect("/docs", "/docs/"))
        .service(pages);
}

/// Runs what waits for the store on a thread that may wait, when its turn comes.
async fn blocking<T: Send + 'static>(
    games: &web::Data<Games>,
    work: impl FnOnce(&Games) -> Result<T, GameError> + Send + 'static,
) -> Result<T, Problem> {
    let turn = crate::limits::turn().await?;
    at_once(games, move |games| {
        let _turn = turn;
        work(games)
    })
    .await
}

/// Runs what waits for the store, without waiting for a turn.
async fn at_once<T: Send + 'static>(
    games: &web::Data<Games>,
    work: impl FnOnce(&Games) -> Result<T, GameError> + Send + 'static,
) -> Result<T, Problem> {
    let games = games.clone();
    match web::block(move || work(&games)).await {
        Ok(result) => result.map_err(Problem::from),
        Err(error) => {
            tracing::error!(%error, "a request panicked");
            Err(Problem::new(Code::Internal, "the fault has been logged"))
        }
    }
}

/// The entity tag of a game that stands at an event.
fn tag(seq: u64) -> String {
    format!("\"{seq}\"")
}

/// An answer with a game's tag.
fn tagged(mut response: HttpResponseBuilder, seq: u64) -> HttpResponseBuilder {
    response.insert_header((ETAG, tag(seq)));
    response
}

/// A text of a media type under a tag, or 304 when the caller has it.
fn versioned(
    request: &HttpRequest,
    tag: &str,
    media_type: &'static str,
    body: Arc<str>,
    cache: &'static str,
) -> HttpResponse {
    let mut response = if extract::has_version(request, tag) {
        HttpResponse::NotModified()
    } else {
        HttpResponse::Ok()
    };
    response.insert_header((ETAG, tag));
    response.insert_header((CACHE_CONTROL, cache));
    if extract::has_version(request, tag) {
        return response.finish();
    }
    response.insert_header((CONTENT_TYPE, media_type));
    response.body(body.to_string())
}

/// JSON under a tag made of its content, or 304 when the caller has it.
fn content<T: Serialize>(request: &HttpRequest, body: &T) -> Result<HttpResponse, Problem> {
    let json = serde_json::to_string(body).map_err(|error| {
        tracing::error!(%error, "an answer is no JSON");
        Problem::new(Code::Internal, "the fault has been logged")
    })?;
    Ok(text(request, JSON, json))
}

/// A text under a tag made of its content, or 304 when the caller has it.
fn text(request: &HttpRequest, media_type: &'static str, text: String) -> HttpResponse {
    let tag = format!("\"{}\"", &crate::games::hashed(&text)[..16]);
    versioned(request, &tag, media_type, text.into(), "no-cache")
}

/// Which version of a data file is asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct VersionQuery {
    /// The SHA-256 of the file of an older version, as games record it; the current version when
    /// left out
    #[param(example = "40435a719b334d3341aaa9a6f11bc29629ca15535a7a77b78dc001cee4f0e8d3")]
    hash: Option<String>,
}

/// A version of a data file.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct VersionBody {
    /// Its number, from 1.
    pub version: u32,
    /// SHA-256 of the file.
    pub hash: String,
    /// Whether new games are played by it.
    pub current: bool,
    /// What is different from the version before, and why.
    pub changes: Vec<Change>,
}
