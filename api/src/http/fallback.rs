//! Requests that no route matches: unknown paths, and other methods of known paths.

use actix_web::http::Method;
use actix_web::http::header::{ALLOW, HeaderValue, LOCATION};
use actix_web::{HttpRequest, HttpResponse, web};

use crate::http::problem::{Code, Problem};
use crate::http::request::contract::{Contract, Template};

/// The methods of pages and files, which the specification does not list.
const READING: &str = "GET, HEAD, OPTIONS";

/// Answers `OPTIONS`, redirects pages with a trailing slash, and reports a wrong path or method.
///
/// # Errors
/// 404 when the path is unknown, 405 when it has other methods.
pub async fn fallback(
    request: HttpRequest,
    contract: web::Data<Contract>,
) -> Result<HttpResponse, Problem> {
    let template = Template::of(&request);
    let allowed = contract.allowed(template.path());
    let allowed = allowed.or_else(|| template.path().map(|_| READING.to_owned()));
    match allowed {
        Some(allowed) => other_method(&request, &allowed),
        None => other_path(&request),
    }
}

fn other_method(request: &HttpRequest, allowed: &str) -> Result<HttpResponse, Problem> {
    let allow = HeaderValue::from_str(allowed).ok();
    let allow = allow.map(|allow| (ALLOW, allow));
    if request.method() == Method::OPTIONS {
        let mut response = HttpResponse::NoContent();
        allow.map(|allow| response.insert_header(allow));
        return Ok(response.finish());
    }
    let detail = format!(
        "this path does not support {}; it supports {allowed}",
        request.method()
    );
    Err(Problem {
        headers: allow.into_iter().collect(),
        ..Problem::new(Code::MethodNotAllowed, detail)
    })
}

fn other_path(request: &HttpRequest) -> Result<HttpResponse, Problem> {
    let path = request.path();
    let bare = path.strip_suffix('/');
    let bare = bare.filter(|bare| request.resource_map().has_resource(bare));
    let Some(bare) = bare else {
        return Err(nothing(path));
    };
    // A program that is redirected would not notice its mistake.
    if bare.starts_with("/v1") {
        let detail = format!("there is nothing at {path:?}; remove the slash at the end: {bare:?}");
        return Err(Problem::new(Code::NotFound, detail));
    }
    let target = match request.query_string() {
        "" => bare.to_owned(),
        query => format!("{bare}?{query}"),
    };
    Ok(HttpResponse::PermanentRedirect()
        .insert_header((LOCATION, target))
        .finish())
}

fn nothing(path: &str) -> Problem {
    Problem::new(Code::NotFound, format!("there is nothing at {path:?}"))
}

/// The same as [`fallback`], for a server that has only metrics.
///
/// # Errors
/// As [`fallback`].
pub async fn metrics_only(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let answer = match request.path() {
        "/metrics" => other_method(&request, READING),
        path => Err(nothing(path)),
    };
    answer.map_err(|problem| Problem {
        instance: request.path().to_owned(),
        ..problem
    })
}
