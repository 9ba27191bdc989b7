//! Helpers that all handlers use to answer requests.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue, LINK};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use serde::Serialize;
use tokio::sync::watch;

use crate::db::STEP;
use crate::http::error::ServiceError;
use crate::http::limits;
use crate::http::limits::load::LoadKind;
use crate::http::problem::Problem;
use crate::http::request::tags::has_version;

/// The media type of most answers.
pub const JSON: &str = "application/json";

/// `Cache-Control` of content that never changes.
pub const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// Whether the server is shutting down; long answers end then.
#[derive(Clone, Debug)]
pub struct Closing(pub watch::Receiver<bool>);

/// Runs blocking work on a worker thread, as soon as a slot is free.
pub async fn blocking<S: Send + Sync + 'static, T: Send + 'static>(
    service: &web::Data<S>,
    work: impl FnOnce(&S) -> Result<T, ServiceError> + Send + 'static,
) -> Result<T, Problem> {
    let slot = limits::load::slot(LoadKind::Job).await?;
    at_once(service, move |service| {
        let _slot = slot;
        work(service)
    })
    .await
}

/// Runs blocking work on a worker thread, without waiting for a slot.
pub async fn at_once<S: Send + Sync + 'static, T: Send + 'static>(
    service: &web::Data<S>,
    work: impl FnOnce(&S) -> Result<T, ServiceError> + Send + 'static,
) -> Result<T, Problem> {
    let service = service.clone();
    // What the work logs names the request.
    let request = tracing::Span::current();
    let work = move || {
        let _request = request.enter();
        let _step = tracing::info_span!(target: STEP, "service").entered();
        work(&service)
    };
    match web::block(work).await {
        Ok(result) => result.map_err(Problem::from),
        Err(error) => {
            tracing::error!(%error, "a request panicked");
            Err(Problem::internal())
        }
    }
}

/// The entity tag of a game at an event.
pub fn tag(seq: u64) -> String {
    format!("\"{seq}\"")
}

/// Adds the game's entity tag to an answer.
pub fn tagged(mut response: HttpResponseBuilder, seq: u64) -> HttpResponseBuilder {
    response.insert_header((ETAG, tag(seq)));
    response
}

/// Marks an answer as private: no cache stores it.
pub fn private(mut response: HttpResponseBuilder) -> HttpResponseBuilder {
    response.insert_header((CACHE_CONTROL, "private, no-store"));
    response
}

/// Returns 304 if the caller has the version with this tag.
pub fn not_modified(request: &HttpRequest, tag: &str, cache: &'static str) -> Option<HttpResponse> {
    has_version(request, tag).then(|| {
        HttpResponse::NotModified()
            .insert_header((ETAG, tag))
            .insert_header((CACHE_CONTROL, cache))
            .finish()
    })
}

/// Returns a text with a tag, or 304 if the caller has it.
pub fn versioned(
    request: &HttpRequest,
    tag: &str,
    media_type: &'static str,
    body: Bytes,
    cache: &'static str,
) -> HttpResponse {
    not_modified(request, tag, cache).unwrap_or_else(|| {
        HttpResponse::Ok()
            .insert_header((ETAG, tag))
            .insert_header((CACHE_CONTROL, cache))
            .insert_header((CONTENT_TYPE, media_type))
            .body(body)
    })
}

/// The problem of an answer that cannot be serialized as JSON.
pub fn not_json(error: serde_json::Error) -> Problem {
    tracing::error!(%error, "an answer cannot be serialized");
    Problem::internal()
}

/// Returns JSON with a tag computed from its content, or 304 if the caller has it.
pub fn content<T: Serialize>(request: &HttpRequest, body: &T) -> Result<HttpResponse, Problem> {
    let json = serde_json::to_string(body).map_err(not_json)?;
    Ok(text(request, JSON, json))
}

/// Returns a page of a list as [`content`] does, with its `Link`.
pub fn listed<T: Serialize>(
    request: &HttpRequest,
    next: Option<&str>,
    page: &T,
) -> Result<HttpResponse, Problem> {
    Ok(linked(request, next, content(request, page)?))
}

/// Adds the `Link` (RFC 8288) to the next page of a list: the same query with the next cursor.
pub fn linked(
    request: &HttpRequest,
    next: Option<&str>,
    mut response: HttpResponse,
) -> HttpResponse {
    if let Some(next) = next {
        let others = request.query_string().split('&');
        let others = others.filter(|part| !part.is_empty() && !part.starts_with("cursor="));
        let query: String = others.map(|part| format!("{part}&")).collect();
        let link = format!("<{}?{query}cursor={next}>; rel=\"next\"", request.path());
        if let Ok(link) = HeaderValue::from_str(&link) {
            response.headers_mut().insert(LINK, link);
        }
    }
    response
}

/// The entity tag of a text.
pub fn tag_of(text: &str) -> String {
    format!("\"{}\"", &crate::http::secret::hashed(text)[..16])
}

/// Returns a text with a tag computed from its content, or 304 if the caller has it.
pub fn text(request: &HttpRequest, media_type: &'static str, text: String) -> HttpResponse {
    versioned(request, &tag_of(&text), media_type, text.into(), "no-cache")
}
