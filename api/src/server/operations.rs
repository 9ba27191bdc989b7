//! Operations for operators: liveness, readiness and metrics.

use std::time::Duration;

use ::metrics::gauge;
use actix_web::{HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::games::Games;
use crate::http::answers::{Counting, Watching};
use crate::http::problem::{Code, FieldError, Problem};
use crate::http::telemetry;
use crate::server::health::{CheckResult, HealthMonitor, ServiceCondition};

/// The liveness of the service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    pub status: String,
    /// The version of the program.
    pub version: String,
}

/// The readiness of the service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ready {
    /// Always `ok`.
    pub status: String,
    /// The version of the program.
    pub version: String,
    /// The results of the checks.
    pub checks: Checks,
}

/// The results of the readiness checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Checks {
    /// Whether the database answers.
    pub database: Check,
    /// Whether the database can be written.
    pub writable: Check,
    /// Whether the clock of this node agrees with the clocks of the database and of other nodes.
    /// It also fails if the clock was set while the service ran. The service is ready unless the clock differs from the
    /// database's.
    pub clock: Check,
    /// Whether scheduled work is carried out, such as bot moves and signatures.
    pub workers: WorkersCheck,
    /// Whether the files behind the statistics are intact.
    /// If not, the service is still ready: it rebuilds the files, and statistics that need them receive 503 until then.
    pub statistics: Check,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Check {
    /// Whether the check passed.
    pub ok: bool,
    /// What is wrong; absent if the check passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub detail: Option<String>,
}

/// The state of scheduled work, such as bot moves and signatures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkersCheck {
    /// Whether the work is carried out.
    pub ok: bool,
    /// What is wrong; absent if the check passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub detail: Option<String>,
    /// The number of jobs whose time has come, on all nodes.
    pub due: u64,
    /// The number of jobs that are set aside, because they failed in a way that retrying does not fix.
    pub quarantined: u64,
}

fn check(result: &CheckResult) -> Check {
    Check {
        ok: result.is_ok(),
        detail: result.clone().err(),
    }
}

impl From<&ServiceCondition> for Checks {
    fn from(condition: &ServiceCondition) -> Checks {
        let Check { ok, detail } = check(&condition.workers);
        let count = |number: i64| u64::try_from(number).unwrap_or(0);
        Checks {
            database: check(&condition.database),
            writable: check(&condition.writable),
            clock: check(&condition.clock.clone().and(condition.clocks.clone())),
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

/// Check that the service is alive
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "The service is alive", body = Health),
    Watching,
))]
#[get("/healthz")]
pub async fn get_health() -> HttpResponse {
    HttpResponse::Ok().json(Health {
        status: "ok".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// Check that the service is ready
///
/// The service is ready when the database can be read and written, and scheduled work is carried out. The clock of this
/// node must differ by at most 5 seconds from the database's. The answer comes within about three seconds. If a check
/// fails, the answer is 503, and `errors` names each failed check.
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "The service is ready", body = Ready),
    Watching,
))]
#[get("/readyz")]
pub async fn get_readiness(monitor: web::Data<HealthMonitor>) -> Result<HttpResponse, Problem> {
    let condition = monitor.condition().await;
    let errors: Vec<FieldError> = (condition.needed().into_iter())
        .filter_map(|(field, result)| {
            let detail = result.clone().err()?;
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
    let detail = errors
        .iter()
        .map(|error| format!("{}: {}", error.field, error.detail))
        .collect::<Vec<String>>()
        .join("; ");
    Err(Problem {
        errors,
        ..Problem::new(Code::Unavailable, detail)
    })
}

/// How long the metrics wait for the database.
const COUNTED_WITHIN: Duration = Duration::from_secs(2);

/// The address at which the metrics are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricsPlace {
    /// At the address of the service.
    Here,
    /// At a separate address, which the operator has set.
    Elsewhere,
}

/// Read the metrics
///
/// In the text format of Prometheus. 404 if the operator serves the metrics at a separate address.
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "The metrics", body = String, content_type = "text/plain"),
    Counting,
))]
#[get("/metrics")]
pub async fn get_metrics(
    games: web::Data<Games>,
    monitor: web::Data<HealthMonitor>,
    place: web::Data<MetricsPlace>,
) -> Result<HttpResponse, Problem> {
    if **place == MetricsPlace::Elsewhere {
        let detail = "this server serves its metrics at another address: see `--metrics-listen`";
        return Err(Problem::new(Code::NotFound, detail));
    }
    let counts = telemetry::metrics()
        .ok_or_else(|| Problem::new(Code::Unavailable, "this process does not collect metrics"))?;
    telemetry::measure_process();
    gauge!("tabularium_games_in_memory").set(games.in_memory() as f64);
    let own = games.clone();
    // If the database does not answer in time, the previous counts are returned.
    let count = web::block(move || own.workers().count());
    let count = tokio::time::timeout(COUNTED_WITHIN, count);
    let (condition, _) = tokio::join!(monitor.condition(), count);
    for (check, result) in condition.checks() {
        let ok = f64::from(u8::from(result.is_ok()));
        gauge!("tabularium_check_ok", "check" => check).set(ok);
    }
    if let Some(free) = games.store().free_space() {
        gauge!("tabularium_disk_free_bytes").set(free as f64);
    }
    let work = games.workers().health().counts;
    gauge!("tabularium_work_due").set(work.due as f64);
    gauge!("tabularium_work_leased").set(work.leased as f64);
    gauge!("tabularium_work_quarantined").set(work.quarantined as f64);
    gauge!("tabularium_work_oldest_seconds").set(work.oldest as f64 / 1e6);
    Ok(HttpResponse::Ok()
        .content_type("text/plain; version=0.0.4")
        .body(counts.render()))
}
