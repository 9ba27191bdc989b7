//! Editions: the rules as data.

use actix_web::{HttpRequest, HttpResponse, get, web};
use engine::content::{Ruleset, RulesetFile};
use serde::Serialize;
use utoipa::ToSchema;

use super::content;
use crate::games::Games;
use crate::openapi::{LookingUp, Rendering};
use crate::problem::{Code, Problem};

/// An edition's rules as data.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Edition {
    /// SHA-256 of the ruleset's file.
    pub hash: String,
    /// The rules.
    #[serde(flatten)]
    pub ruleset: RulesetFile,
}

/// The editions.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Editions {
    /// By name.
    pub items: Vec<Edition>,
}

fn body(ruleset: &Ruleset) -> Edition {
    Edition {
        hash: ruleset.hash.to_string(),
        ruleset: ruleset.data.clone(),
    }
}

/// List the editions
#[utoipa::path(tag = "rules", responses(
    (status = 200, description = "The rules of every edition", body = Editions),
    (status = 304, description = "The caller has it"),
    Rendering,
))]
#[get("/v1/editions")]
pub async fn list_editions(
    request: HttpRequest,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let rulesets = games.library().rulesets();
    let items = rulesets.map(|ruleset| body(ruleset)).collect();
    content(&request, &Editions { items })
}

/// Get an edition
#[utoipa::path(tag = "rules", params(("edition" = String, Path, example = "antike")), responses(
    (status = 200, description = "The edition's rules", body = Edition),
    (status = 304, description = "The caller has it"),
    LookingUp,
))]
#[get("/v1/editions/{edition}")]
pub async fn get_edition(
    request: HttpRequest,
    path: web::Path<String>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let ruleset = games
        .library()
        .ruleset(&path)
        .ok_or_else(|| Problem::new(Code::NotFound, format!("there is no edition {:?}", *path)))?;
    content(&request, &body(ruleset))
}
