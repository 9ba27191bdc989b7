//! Editions: their rules as data.

use actix_web::{HttpRequest, HttpResponse, get, web};
use engine::content::{Library, Ruleset, RulesetFile};
use serde::Serialize;
use utoipa::ToSchema;

use crate::content::versions::{VersionBody, VersionQuery, find, find_numbered, listed};
use crate::http::answers::{LookingUp, Rendering};
use crate::http::problem::Problem;
use crate::http::reply::content;
use crate::http::request::query::Query;

/// The rules of an edition, as data.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Edition {
    /// The SHA-256 of the ruleset's file.
    pub hash: String,
    /// All versions, by number.
    pub versions: Vec<VersionBody>,
    /// The rules.
    #[serde(flatten)]
    pub ruleset: RulesetFile,
}

/// The list of editions.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Editions {
    /// The editions, by name.
    pub items: Vec<Edition>,
}

fn body(library: &Library, ruleset: &Ruleset) -> Edition {
    let version = |one: &Ruleset| VersionBody {
        version: one.data.version,
        hash: one.hash.to_string(),
        current: false,
        changes: one.data.changes.clone(),
    };
    Edition {
        hash: ruleset.hash.to_string(),
        versions: listed(library.ruleset_versions(&ruleset.data.edition), version),
        ruleset: ruleset.data.clone(),
    }
}

/// List the editions
#[utoipa::path(tag = "rules", responses(
    (status = 200, description = "The rules of all editions", body = Editions),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    Rendering,
))]
#[get("/v1/editions")]
pub async fn list_editions(
    request: HttpRequest,
    library: web::Data<Library>,
) -> Result<HttpResponse, Problem> {
    let rulesets = library.rulesets();
    let items = rulesets.map(|ruleset| body(&library, ruleset)).collect();
    content(&request, &Editions { items })
}

/// Get an edition
///
/// The version for new games; `versions` lists all versions with their changes. Games keep the version with which they
/// were created: use `hash` to get an older one.
#[utoipa::path(tag = "rules",
    params(("edition" = String, Path, example = "antike"), VersionQuery),
    responses(
        (status = 200, description = "The rules of the edition", body = Edition),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        LookingUp,
    ))]
#[get("/v1/editions/{edition}")]
pub async fn get_edition(
    request: HttpRequest,
    path: web::Path<String>,
    Query(query): Query<VersionQuery>,
    library: web::Data<Library>,
) -> Result<HttpResponse, Problem> {
    let found = find(("edition", &path), &query, library.ruleset(&path), |hash| {
        library.ruleset_version(&path, hash)
    })?;
    content(&request, &body(&library, found))
}

/// Get a version of an edition
#[utoipa::path(tag = "rules",
    params(("edition" = String, Path, example = "antike"), ("version" = u32, Path, example = 1)),
    responses(
        (status = 200, description = "The rules of the edition in that version", body = Edition),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        LookingUp,
    ))]
#[get("/v1/editions/{edition}/versions/{version}")]
pub async fn get_edition_version(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    library: web::Data<Library>,
) -> Result<HttpResponse, Problem> {
    let (id, version) = path.into_inner();
    let found = find_numbered(("an edition", &id), &version, |number| {
        library.ruleset_numbered(&id, number)
    })?;
    content(&request, &body(&library, found))
}
