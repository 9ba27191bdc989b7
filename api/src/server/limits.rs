//! Lists the limits of the service.

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
    /// The name of the limit, also in `RateLimit` and `RateLimit-Policy`.
    pub name: String,
    /// What the limit counts. An address is an IPv4 address or a /64 network of IPv6.
    pub bounds: String,
    /// The maximum; null when there is no limit.
    pub quantity: Option<u64>,
    /// The unit of the quantity, such as `requests`, `bytes` or `milliseconds`.
    pub unit: String,
    /// For a rate, the seconds in which a used-up quota refills evenly; null for other limits.
    pub window: Option<u32>,
}

/// The list of limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LimitList {
    /// All limits in force.
    pub items: Vec<LimitBody>,
}

/// List the limits
///
/// Answers name in `RateLimit-Policy` the rates that apply to the request. `RateLimit` shows how many more requests may
/// come immediately (`r`), and in how many seconds the quota is full again (`t`). A request above a rate receives 429
/// with `Retry-After`; a request that the service cannot serve in total receives 503.
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "The limits", body = LimitList),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
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
    let known = "How long an Idempotency-Key is valid";
    let constants = [
        constant("idempotency", known, kept, "seconds"),
        constant("page", "Items on a page of a list", MOST as u64, "items"),
        constant(
            "actions",
            "Actions in one request",
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
        // Both values mean that there is no limit.
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
