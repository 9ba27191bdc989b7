//! Operations: whether the service lives, whether it is ready, and what it counts.

use std::time::Duration;

use actix_web::{HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::games::Games;
use crate::http::answers::{Counting, Watching};
use crate::http::problem::{Code, FieldError, Problem};
use crate::http::telemetry;
use crate::server::health::{Found, ServiceCondition};

/// Whether the service lives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    pub status: String,
    /// The version of the program.
    pub version: String,
}

/// How the service is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ready {
    /// Always `ok`.
    pub status: String,
    /// The version of the program.
    pub version: String,
    /// What was looked at.
    pub checks: Checks,
}

/// What was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Checks {
    /// Whether the database answers.
    pub database: Check,
    /// Whether it can be written.
    pub writable: Check,
    /// Whether the clock of this node agrees with the database's.
    pub clock: Check,
    /// Whether what the service does by itself is done.
    pub workers: WorkersCheck,
    /// Whether the files that statistics are read from are whole. The service is ready without: those that are not are
    /// made anew, and what is asked of them meanwhile is refused with 503.
    pub statistics: Check,
}

/// Whether something is as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Check {
    /// Whether it is.
    pub ok: bool,
    /// What is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub detail: Option<String>,
}

/// How the service does what it does by itself: move bots, sign records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkersCheck {
    /// Whether it does.
    pub ok: bool,
    /// What is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub detail: Option<String>,
    /// How much is due, on all nodes.
    pub due: u64,
    /// How much is set aside, because it failed in a way that trying again does not mend.
    pub quarantined: u64,
}

fn check(found: &Found) -> Check {
    Check {
        ok: found.is_ok(),
        detail: found.clone().err(),
    }
}

impl From<&ServiceCondition> for Checks {
    fn from(condition: &ServiceCondition) -> Checks {
        let Check { ok, detail } = check(&condition.workers);
        let count = |number: i64| u64::try_from(number).unwrap_or(0);
        Checks {
            database: check(&condition.database),
            writable: check(&condition.writable),
            clock: check(&condition.clock),
            workers: WorkersCheck {
                ok,
                detail,
                due: count(condition.work.due),
                quarantined: count(condition.work.quarantined),
            },
            statistics: check(&condition.statistics),
        }
    }
}

/// Is the service alive?
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "It is", body = Health),
    Watching,
))]
#[get("/healthz")]
pub async fn health() -> HttpResponse {
    HttpResponse::Ok().json(Health {
        status: "ok".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// Is the service ready?
///
/// It is when the database answers and can be written, the clock of this node is at most 5 seconds from the
/// database's, and what the service does by itself is done. The answer comes within some three seconds; a problem names each thing that is wrong in `errors`.
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "It is", body = Ready),
    Watching,
))]
#[get("/readyz")]
pub async fn ready(
    watched: web::Data<crate::server::health::HealthMonitor>,
) -> Result<HttpResponse, Problem> {
    let condition = watched.condition().await;
    let needed = [
        ("database", &condition.database),
        ("writable", &condition.writable),
        ("clock", &condition.clock),
        ("workers", &condition.workers),
    ];
    let errors: Vec<FieldError> = (needed.into_iter())
        .filter_map(|(field, found)| {
            let detail = found.clone().err()?;
            let field = field.to_owned();
            Some(FieldError {
                field,
                pointer: None,
                detail,
            })
        })
        .collect();
    if errors.is_empty() {
        return Ok(HttpResponse::Ok().json(Ready {
            status: "ok".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            checks: Checks::from(&condition),
        }));
    }
    let told = errors
        .iter()
        .map(|error| format!("{}: {}", error.field, error.detail));
    let detail = told.collect::<Vec<String>>().join("; ");
    Err(Problem {
        errors,
        ..Problem::new(Code::Unavailable, detail)
    })
}

/// For how long the counts wait for the database.
const COUNTED_WITHIN: Duration = Duration::from_secs(2);

/// Where the counts are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricsPlace {
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
    told: web::Data<MetricsPlace>,
) -> Result<HttpResponse, Problem> {
    if **told == MetricsPlace::Elsewhere {
        let detail = "the counts are told at another address";
        return Err(Problem::new(Code::NotFound, detail));
    }
    let counts = telemetry::metrics()
        .ok_or_else(|| Problem::new(Code::Unavailable, "nothing is counted here"))?;
    ::metrics::gauge!("tabularium_games_in_memory").set(games.in_memory() as f64);
    let own = games.clone();
    // What was counted before stands where the database does not answer.
    let count = web::block(move || own.workers().count());
    let _ = tokio::time::timeout(COUNTED_WITHIN, count).await;
    let work = games.workers().health().counts;
    ::metrics::gauge!("tabularium_work_due").set(work.due as f64);
    ::metrics::gauge!("tabularium_work_leased").set(work.leased as f64);
    ::metrics::gauge!("tabularium_work_quarantined").set(work.quarantined as f64);
    ::metrics::gauge!("tabularium_work_oldest_seconds").set(work.oldest as f64 / 1e6);
    Ok(HttpResponse::Ok()
        .content_type("text/plain; version=0.0.4")
        .body(counts.render()))
}
