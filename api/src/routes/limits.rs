//! What callers may ask how often, and how much may go on.

use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::games::MOST;
use crate::answers::Rendering;
use crate::games::MOST_ACTIONS;
use crate::limits::{Gate, Policy};
use crate::problem::Problem;
use crate::reply::content;
use crate::store::KEPT;

/// A limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LimitBody {
    /// Its name, in `RateLimit` and `RateLimit-Policy` too.
    pub name: String,
    /// What it bounds. An address is one of IPv4 or a /64 network of IPv6.
    pub bounds: String,
    /// How much at most; null when there is no limit.
    pub quantity: Option<u64>,
    /// What the quantity counts, such as `requests`, `bytes` or `seconds`.
    pub unit: String,
    /// The seconds over which a quantity that was used up comes back, evenly; null for what is bounded at any
    /// time.
    pub window: Option<u32>,
}

/// The limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LimitList {
    /// All that hold.
    pub items: Vec<LimitBody>,
}

/// List the limits
///
/// Answers tell in `RateLimit-Policy` which rates a request fell under, and in `RateLimit` how many more
/// requests may come at once (`r`) and in how many seconds all of them again (`t`). One too many is 429
/// with `Retry-After`; what the service as a whole cannot take is 503.
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "The limits", body = LimitList),
    (status = 304, description = "The caller has it"),
    Rendering,
))]
#[get("/v1/limits")]
pub async fn list_limits(
    request: HttpRequest,
    gate: web::Data<Gate>,
) -> Result<HttpResponse, Problem> {
    let rates = Policy::ALL.map(|policy| {
        let (name, bounds) = policy.told();
        let rate = policy.rate(&gate.limits);
        let quantity = u64::from(rate.quantity) * u64::from(!gate.limits.unmetered);
        LimitBody {
            window: (quantity > 0).then_some(rate.seconds),
            ..limit(name, bounds, quantity, "requests")
        }
    });
    let items = rates.into_iter().chain(quantities(&gate)).collect();
    content(&request, &LimitList { items })
}

/// A quantity of something at any time; 0 and all that can be counted are no limit.
fn limit(name: &str, bounds: &str, quantity: u64, unit: &str) -> LimitBody {
    LimitBody {
        name: name.to_owned(),
        bounds: bounds.to_owned(),
        quantity: Some(quantity).filter(|quantity| ![0, u64::MAX].contains(quantity)),
        unit: unit.to_owned(),
        window: None,
    }
}

fn quantities(gate: &Gate) -> Vec<LimitBody> {
    let limits = &gate.limits;
    let of_address = |quantity: usize| quantity as u64 * u64::from(!limits.unmetered);
    let request_time = match limits.request_time {
        Duration::MAX => 0,
        time => time.as_secs(),
    };
    vec![
        limit("body", "The body of a request", limits.body as u64, "bytes"),
        limit(
            "records_body",
            "The body of a request that brings records in",
            limits.records_body as u64,
            "bytes",
        ),
        limit(
            "records",
            "The records of one request",
            limits.records as u64,
            "records",
        ),
        limit(
            "time",
            "A request until its answer begins",
            request_time,
            "seconds",
        ),
        limit(
            "idempotency",
            "For how long a request is known by its Idempotency-Key",
            KEPT.unsigned_abs() / 1_000_000,
            "seconds",
        ),
        limit("page", "A page of a list", MOST as u64, "items"),
        limit(
            "actions",
            "The actions of one request",
            MOST_ACTIONS as u64,
            "actions",
        ),
        limit(
            "address_requests",
            "Requests of an address under way at the same time",
            of_address(limits.address_requests),
            "requests",
        ),
        limit(
            "address_jobs",
            "Requests of an address that work on the database or compute at the same time; others of it wait",
            of_address(limits.address_jobs),
            "requests",
        ),
        limit(
            "address_pictures",
            "Pictures in pixels of an address drawn at the same time; others of it wait",
            of_address(limits.address_pictures),
            "pictures",
        ),
        limit(
            "pictures",
            "Pictures in pixels drawn at the same time, of everybody together; others wait",
            limits.pictures as u64,
            "pictures",
        ),
        limit(
            "address_streams",
            "Live streams of an address",
            of_address(limits.address_streams),
            "streams",
        ),
        limit(
            "log_streams",
            "Live streams of the log of all games, of everybody together",
            limits.log_streams as u64,
            "streams",
        ),
        limit(
            "streams",
            "Live streams of everybody together; fewer where the system allows few open files",
            limits.streams as u64,
            "streams",
        ),
        limit(
            "rounds",
            "A game, which ends after them",
            limits.max_rounds.into(),
            "rounds",
        ),
        limit(
            "events",
            "A game's log; an undo is an event",
            limits.events,
            "events",
        ),
        limit(
            "webhooks",
            "Webhooks of an account",
            limits.webhooks as u64,
            "webhooks",
        ),
        limit(
            "address_bot_games",
            "Running games in which a bot is to move and that an address has created",
            of_address(limits.address_bot_games),
            "games",
        ),
        limit(
            "bot_games",
            "Running games in which a bot is to move, of everybody together",
            limits.bot_games_running as u64,
            "games",
        ),
        limit(
            "bot_budget",
            "Playouts, or milliseconds, that a decision of a bot may take",
            limits.bot_budget.into(),
            "playouts",
        ),
        limit(
            "address_analyses",
            "Analyses of an address at the same time",
            of_address(limits.address_analyses),
            "analyses",
        ),
        limit(
            "analyses",
            "Analyses at the same time, of everybody together",
            limits.analyses as u64,
            "analyses",
        ),
        limit(
            "analysis_budget",
            "Playouts, or milliseconds, that an analysis may take",
            limits.analysis_budget.into(),
            "playouts",
        ),
    ]
}
