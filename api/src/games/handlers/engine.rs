//! Handlers of the engine without a game, for analysis. Nothing is stored.

use actix_web::{HttpRequest, HttpResponse, post, web};
use engine::content::Library;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::games::bodies::LegalActions;
use crate::games::handlers::actions::{ActionRequest, LegalQuery, read_list};
use crate::games::stateless::{ApplyOutcome, Situation};
use crate::http::answers::{Applying, Judging};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::blocking;
use crate::http::request::body::Json;
use crate::http::request::query::Query;

/// A position and the actions to apply to it.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApplyRequest {
    /// The start position and its rules.
    situation: Situation,
    /// The actions, in order.
    #[schema(value_type = Vec<ActionRequest>, max_items = 200)]
    actions: Vec<Value>,
}

/// Apply actions to a position
///
/// Nothing is stored. An action without `nation` is that of the nation that must act. In a problem, `seq` is the
/// index of the refused action.
#[utoipa::path(tag = "engine",
    request_body(content = ApplyRequest, example = json!({
        "situation": {"edition": "antike", "board": "antike-east", "first": "greeks",
            "seats": [["greeks"], ["phoenicians"], ["persians"], ["arabs"]]},
        "actions": [{"type": "move_stone", "field": "iron"}, {"type": "end_turn"}]})),
    responses(
        (status = 200, description = "The position after the actions", body = ApplyOutcome),
        Applying,
    ))]
#[post("/v1/engine/apply")]
pub async fn apply_actions(
    request: HttpRequest,
    Json(apply): Json<ApplyRequest>,
    library: web::Data<Library>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let actions = read_list(apply.actions)?;
    let applied = blocking(&library, move |library| {
        apply.situation.apply(library, &actions)
    })
    .await?;
    Ok(HttpResponse::Ok().json(applied))
}

/// List the legal actions in a position
///
/// Nothing is stored. `seq` in the response is 0.
#[utoipa::path(tag = "engine", params(LegalQuery),
    request_body(content = Situation, examples(
        ("the start" = (summary = "The start of a game", value = json!({
            "edition": "antike", "board": "antike-east", "first": "greeks",
            "seats": [["greeks"], ["phoenicians"], ["persians"], ["arabs"]]}))),
        ("by hand" = (summary = "A position written by hand",
            description = "Values that follow from the rest are omitted: the bank and the supplies contain \
                the rest, turns are counted from the round, and the turn starts with moving the stone.",
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
pub async fn list_position_legal_actions(
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
