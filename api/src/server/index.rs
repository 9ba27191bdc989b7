//! The entry points of the service.

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::http::answers::{ListingRendered, Rendering};
use crate::http::problem::Problem;
use crate::http::reply::{JSON, content};
use crate::http::request::accept::negotiate;

/// The service: its name, version and entry points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Index {
    /// Always `Tabularium`.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// The paths that can be read without an id or a required parameter, sorted.
    pub links: Vec<Link>,
}

/// A path and its title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Link {
    /// The path.
    #[schema(example = "/v1/games")]
    pub href: String,
    /// What the path returns.
    #[schema(example = "List games")]
    pub title: String,
}

/// Pages about the service that are not in the specification.
const PAGES: &[(&str, &str)] = &[
    ("/docs", "The documentation"),
    ("/docs/api", "The reference of the API"),
    ("/docs/changelog", "What has changed"),
    ("/docs/versioning", "What is promised of versions"),
    ("/openapi-3.0.json", "The specification in OpenAPI 3.0"),
    ("/openapi.json", "The specification in OpenAPI 3.1"),
];

/// Paths that need query parameters.
const NEEDS_PARAMETERS: &[&str] = &["/v1/stats/head-to-head", "/v1/stats/positions"];

impl Index {
    /// Lists the readable paths of a specification, and the pages.
    pub fn from_document(document: &Value) -> Index {
        let items = document["paths"].as_object().into_iter().flatten();
        let read = items.filter_map(|(path, item)| Some((path, item["get"]["summary"].as_str()?)));
        let plain = read.filter(|(path, _)| !path.contains('{'));
        let plain = plain.filter(|(path, _)| !NEEDS_PARAMETERS.contains(&path.as_str()));
        let pages = PAGES.iter().map(|(href, title)| (*href, *title));
        let mut links: Vec<Link> = plain
            .map(|(path, title)| (path.as_str(), title))
            .chain(pages)
            .map(|(href, title)| Link {
                href: href.to_owned(),
                title: title.to_owned(),
            })
            .collect();
        links.sort_by(|one, other| one.href.cmp(&other.href));
        Index {
            name: "Tabularium".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            links,
        }
    }
}

/// List the entry points
///
/// JSON if the caller prefers it, otherwise the start page of the site.
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "The service and its entry points", content(
        (Index = "application/json"), (String = "text/html"))),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    ListingRendered,
))]
#[get("/")]
pub async fn get_root(
    request: HttpRequest,
    index: web::Data<Index>,
) -> Result<HttpResponse, Problem> {
    // Requests that prefer HTML are answered by the site.
    negotiate(&request, &["text/html", JSON])?;
    content(&request, &**index)
}

/// List the entry points of version 1
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "The service and its entry points", body = Index),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    Rendering,
))]
#[get("/v1")]
pub async fn get_index(
    request: HttpRequest,
    index: web::Data<Index>,
) -> Result<HttpResponse, Problem> {
    content(&request, &**index)
}
