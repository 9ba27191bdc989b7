//! The documentation: pages, the reference of the API, and search; also as static files.
//!
//! - All of it is in English; only the frame around it is in the language of the reader.
//! - The pages are in `api/docs`. `api/docs/SUMMARY.md` says their order, titles and navigation.
//! - Some pages end in a part that the program derives: columns of tables, rules by number, operations.
//! - Each page can be read without scripts. The search needs one.

pub mod contents;
pub mod english;
pub mod export;
pub mod layout;
pub mod pages;
pub mod reference;
pub mod search;
pub mod site;
pub mod tables;

use actix_web::http::header::{CONTENT_TYPE, LOCATION};
use actix_web::{HttpRequest, HttpResponse, get, web};
use maud::Markup;

use crate::http::problem::{Code, Problem};
use crate::http::reply::{self, JSON};
use crate::site::choice::Visit;
use crate::site::docs::contents::{FILES, ROOT};
use crate::site::docs::reference::Specification;
use crate::site::docs::site::DocsSite;
use crate::site::frame::page;

const TEXT: &str = "text/plain; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// The media type of a file for download.
pub fn media_type(path: &str) -> &'static str {
    match path.ends_with(".svg") {
        true => SVG,
        false => TEXT,
    }
}

/// The first page of the documentation.
#[get("/docs")]
pub async fn docs_page(
    request: HttpRequest,
    visit: Visit,
    specification: web::Data<Specification>,
) -> Result<HttpResponse, Problem> {
    shown(&request, visit, specification, String::new()).await
}

/// The index of the search.
#[get("/docs/search.json")]
pub async fn search_index(
    request: HttpRequest,
    specification: web::Data<Specification>,
) -> Result<HttpResponse, Problem> {
    let index = in_background(specification, |site| site.search_index()).await?;
    Ok(reply::text(&request, JSON, index))
}

/// A file that pages link to.
#[get("/docs/files/{path:.*}")]
pub async fn docs_file(path: web::Path<String>) -> Result<HttpResponse, Problem> {
    let file = FILES.iter().find(|file| file.path == path.as_str());
    let Some(file) = file else {
        let detail = format!("there is no file {:?} in the documentation", path.as_str());
        return Err(Problem::new(Code::NotFound, detail));
    };
    let content_type = (CONTENT_TYPE, media_type(file.path));
    Ok(HttpResponse::Ok()
        .insert_header(content_type)
        .body(file.text))
}

/// A page of the documentation or of the reference.
#[get("/docs/{page:.*}")]
pub async fn docs_page_by_name(
    request: HttpRequest,
    visit: Visit,
    name: web::Path<String>,
    specification: web::Data<Specification>,
) -> Result<HttpResponse, Problem> {
    let name = name.into_inner();
    match name.strip_suffix('/') {
        Some(name) => Ok(moved(name)),
        None if name.is_empty() => Ok(moved("")),
        None => shown(&request, visit, specification, name).await,
    }
}

/// Pages have addresses without a slash at the end.
fn moved(name: &str) -> HttpResponse {
    let location = contents::address(name);
    HttpResponse::PermanentRedirect()
        .insert_header((LOCATION, location))
        .finish()
}

async fn shown(
    request: &HttpRequest,
    visit: Visit,
    specification: web::Data<Specification>,
    name: String,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    let detail = format!("there is no page {name:?} in the documentation; {ROOT} lists all");
    let found: Option<Markup> =
        in_background(specification, move |site| site.page(&visit, &name)).await?;
    match found {
        Some(found) => Ok(page(request, texts, found)),
        None => Err(Problem::new(Code::NotFound, detail)),
    }
}

/// Reads the rendered documentation, which the first caller renders.
async fn in_background<T: Send + 'static>(
    specification: web::Data<Specification>,
    read: impl FnOnce(&'static DocsSite) -> T + Send + 'static,
) -> Result<T, Problem> {
    let read = web::block(move || read(DocsSite::rendered(**specification))).await;
    read.map_err(|error| {
        tracing::error!(%error, "the documentation cannot be rendered");
        Problem::internal()
    })
}
