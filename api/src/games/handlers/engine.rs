//! The engine without a game, for analysis: nothing is kept.

use actix_web::{HttpRequest, HttpResponse, post, web};
use engine::content::Library;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::games::bodies::LegalActions;
use crate::games::handlers::actions::{ActionRequest, LegalQuery, read_list};
use crate::games::stateless::{Applied, Situation};
use crate::http::answers::{Applying, Judging};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::blocking;
use crate::http::request::body::Json;
use crate::http::request::query::Query;

/// A situation and actions.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApplyRequest {
    /// Where to begin.
    situation: Situation,
    /// What to apply, in order.
    #[schema(value_type = Vec<ActionRequest>, max_items = 200)]
    actions: Vec<Value>,
}

/// Apply actions to a position
///
/// Nothing is kept. An action that names no nation is that of the nation that must act. `seq` in a
/// problem is the place of the refused action.
#[utoipa::path(tag = "engine",
    request_body(content = ApplyRequest, example = json!({
        "situation": {"edition": "antike", "board": "antike-east", "first": "greeks",
            "seats": [["greeks"], ["phoenicians"], ["persians"], ["arabs"]]},
        "actions": [{"type": "move_stone", "field": "iron"}, {"type": "end_turn"}]})),
    responses(
        (status = 200, description = "The position after them", body = Applied),
        Applying,
    ))]
#[post("/v1/engine/apply")]
pub async fn apply_actions(
    request: HttpRequest,
    Json(asked): Json<ApplyRequest>,
    library: web::Data<Library>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let actions = read_list(asked.actions)?;
    let applied = blocking(&library, move |library| {
        asked.situation.apply(library, &actions)
    })
    .await?;
    Ok(HttpResponse::Ok().json(applied))
}

/// List what may be done in a position
///
/// Nothing is kept; `seq` is 0.
#[utoipa::path(tag = "engine", params(LegalQuery),
    request_body(content = Situation, examples(
        ("the start" = (summary = "The start of a game", value = json!({
            "edition": "antike", "board": "antike-east", "first": "greeks",
            "seats": [["greeks"], ["phoenicians"], ["persians"], ["arabs"]]}))),
        ("by hand" = (summary = "A position written by hand",
            description = "What follows from the rest is left out: the bank and the supplies hold \
                what nobody has, turns are counted from the round, and the turn begins with the stone.",
            value = json!({
                "edition": "antike", "board": "antike-east", "first": "arabs",
                "seats": [["arabs"], ["persians"], ["greeks"]],
                "position": {
                    "round": 4,
                    "to_move": "persians",
                    "nations": {
                        "arabs": {"coins": 2},
                        "persians": {"iron": 3, "stone": "iron", "know_how": ["wheel"],
                            "personages": {"scholar": 1}},
                        "greeks": {}
                    },
                    "regions": {
                        "saba": {"city": {"nation": "arabs", "resource": "marble"}},
                        "ninive": {"city": {"nation": "persians", "resource": "iron"}},
                        "sparta": {
                            "city": {"nation": "greeks", "resource": "marble", "temple": true},
                            "units": {"greeks": {"legions": 2}}
                        }
                    }
                }}))),
    )),
    responses(
        (status = 200, description = "The legal actions", body = LegalActions),
        Judging,
    ))]
#[post("/v1/engine/legal-actions")]
pub async fn position_legal_actions(
    request: HttpRequest,
    Query(query): Query<LegalQuery>,
    Json(situation): Json<Situation>,
    library: web::Data<Library>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let legal = blocking(&library, move |library| {
        situation.legal_actions(library, query.payments())
    })
    .await?;
    Ok(HttpResponse::Ok().json(legal))
}
