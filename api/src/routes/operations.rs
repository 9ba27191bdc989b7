//! Operations: whether the service lives, whether it is ready, and what it counts.

use actix_web::{HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::at_once;
use crate::games::Games;
use crate::openapi::{Counting, Watching};
use crate::problem::{Code, Problem};
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

/// What the service counts
///
/// In the text format of Prometheus.
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "The counts", body = String, content_type = "text/plain"),
    Counting,
))]
#[get("/metrics")]
pub async fn metrics(games: web::Data<Games>) -> Result<HttpResponse, Problem> {
    let counts = telemetry::metrics()
        .ok_or_else(|| Problem::new(Code::Unavailable, "nothing is counted here"))?;
    ::metrics::gauge!("tabularium_games_in_memory").set(games.in_memory() as f64);
    Ok(HttpResponse::Ok()
        .content_type("text/plain; version=0.0.4")
        .body(counts.render()))
}
