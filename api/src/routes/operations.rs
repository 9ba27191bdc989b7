//! Operations: whether the service lives, whether it is ready, and what it counts.

use actix_web::{HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::answers::{Counting, Rendering, Watching};
use crate::games::Games;
use crate::problem::{Code, Problem};
use crate::reply::at_once;
use crate::telemetry;

/// How the service is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    pub status: String,
    /// The version of the program.
    pub version: String,
}

fn ok() -> HttpResponse {
    HttpResponse::Ok().json(Health {
        status: "ok".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// Is the service alive?
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "It is", body = Health),
    Rendering,
))]
#[get("/healthz")]
pub async fn health() -> HttpResponse {
    ok()
}

/// Is the service ready?
///
/// It is when the database answers.
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "It is", body = Health),
    Watching,
))]
#[get("/readyz")]
pub async fn ready(games: web::Data<Games>) -> Result<HttpResponse, Problem> {
    at_once(&games, |games| Ok(games.store().last_position()?)).await?;
    Ok(ok())
}

/// Where the counts are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// At this address.
    Here,
    /// At another, which the operator has named.
    Elsewhere,
}

/// What the service counts
///
/// In the text format of Prometheus. Not found where the operator has put it on an address of its own.
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "The counts", body = String, content_type = "text/plain"),
    Counting,
))]
#[get("/metrics")]
pub async fn metrics(
    games: web::Data<Games>,
    told: web::Data<Counts>,
) -> Result<HttpResponse, Problem> {
    if **told == Counts::Elsewhere {
        let detail = "the counts are told at another address";
        return Err(Problem::new(Code::NotFound, detail));
    }
    let counts = telemetry::metrics()
        .ok_or_else(|| Problem::new(Code::Unavailable, "nothing is counted here"))?;
    ::metrics::gauge!("tabularium_games_in_memory").set(games.in_memory() as f64);
    Ok(HttpResponse::Ok()
        .content_type("text/plain; version=0.0.4")
        .body(counts.render()))
}
