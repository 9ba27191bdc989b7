//! Where everything is.

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::http::answers::{ListingRendered, Rendering};
use crate::http::problem::Problem;
use crate::http::reply::{JSON, content};
use crate::http::request::accept::negotiate;

/// The service: what it is, where it is described, and where everything begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Index {
    /// Always `Tabularium`.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// What can be read without knowing anything else, by path.
    pub links: Vec<Link>,
}

/// A path and what is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Link {
    /// Its path.
    #[schema(example = "/v1/games")]
    pub href: String,
    /// What is there.
    #[schema(example = "List games")]
    pub title: String,
}

/// What describes the service and is no part of the specification.
const PAGES: &[(&str, &str)] = &[
    ("/docs/", "The specification as a page"),
    ("/docs/changelog", "What has changed"),
    ("/docs/versioning", "What is promised of versions"),
    ("/openapi-3.0.json", "The specification in OpenAPI 3.0"),
    ("/openapi.json", "The specification in OpenAPI 3.1"),
];

/// What answers only when it is told more.
const ASKS_FOR_MORE: &[&str] = &["/v1/stats/head-to-head", "/v1/stats/positions"];

impl Index {
    /// What a whole specification lists, and its pages.
    pub fn of(document: &Value) -> Index {
        let items = document["paths"].as_object().into_iter().flatten();
        let read = items.filter_map(|(path, item)| Some((path, item["get"]["summary"].as_str()?)));
        let plain = read.filter(|(path, _)| !path.contains('{'));
        let plain = plain.filter(|(path, _)| !ASKS_FOR_MORE.contains(&path.as_str()));
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

/// Find out what is where
///
/// As JSON where that is preferred, else as the first page of the site.
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "The service and its links", content(
        (Index = "application/json"), (String = "text/html"))),
    (status = 304, description = "The caller has it"),
    ListingRendered,
))]
#[get("/")]
pub async fn get_root(
    request: HttpRequest,
    index: web::Data<Index>,
) -> Result<HttpResponse, Problem> {
    // Requests for the page have been answered by it.
    negotiate(&request, &["text/html", JSON])?;
    content(&request, &**index)
}

/// Find out what is where in version 1
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "The service and its links", body = Index),
    (status = 304, description = "The caller has it"),
    Rendering,
))]
#[get("/v1")]
pub async fn get_index(
    request: HttpRequest,
    index: web::Data<Index>,
) -> Result<HttpResponse, Problem> {
    content(&request, &**index)
}
