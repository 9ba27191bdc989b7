//! What callers may ask how often, and how much may go on.

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::db::answers::KEPT;
use crate::games::play::MOST_ACTIONS;
use crate::http::answers::Rendering;
use crate::http::limits::gate::Gate;
use crate::http::limits::options::Limit;
use crate::http::page::MOST;
use crate::http::problem::Problem;
use crate::http::reply::content;

/// A limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LimitBody {
    /// Its name, in `RateLimit` and `RateLimit-Policy` too.
    pub name: String,
    /// What it bounds. An address is one of IPv4 or a /64 network of IPv6.
    pub bounds: String,
    /// How much at most; null when there is no limit.
    pub quantity: Option<u64>,
    /// What the quantity counts, such as `requests`, `bytes` or `milliseconds`.
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
    let constant = |name: &str, bounds: &str, quantity: u64, unit: &str| LimitBody {
        name: name.to_owned(),
        bounds: bounds.to_owned(),
        quantity: Some(quantity),
        unit: unit.to_owned(),
        window: None,
    };
    let kept = KEPT.unsigned_abs() / 1_000_000;
    let known = "For how long a request is known by its Idempotency-Key";
    let constants = [
        constant("idempotency", known, kept, "seconds"),
        constant("page", "A page of a list", MOST as u64, "items"),
        constant(
            "actions",
            "The actions of one request",
            MOST_ACTIONS as u64,
            "actions",
        ),
    ];
    let limits = gate.limits.holding().map(LimitBody::from);
    let items = limits.chain(constants).collect();
    content(&request, &LimitList { items })
}

impl From<Limit> for LimitBody {
    fn from(limit: Limit) -> LimitBody {
        // What is not limited may be as much as can be counted.
        let quantity = Some(limit.quantity).filter(|quantity| ![0, u64::MAX].contains(quantity));
        LimitBody {
            name: limit.name(),
            bounds: limit.bounds,
            quantity,
            unit: limit.unit.to_owned(),
            window: limit.window.filter(|_| quantity.is_some()),
        }
    }
}
