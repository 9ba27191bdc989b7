//! What no route takes: unknown paths, and known paths with other methods.

use actix_web::http::header::{ALLOW, HeaderValue};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};

use crate::problem::{Code, Problem};
use crate::request::{Contract, Template};

/// Says whether the path or the method is wrong.
///
/// # Errors
/// Always.
pub async fn fallback(
    request: HttpRequest,
    contract: web::Data<Contract>,
) -> Result<HttpResponse, Problem> {
    let extensions = request.extensions();
    let template = extensions.get::<Template>();
    let template = template.and_then(|Template(path)| path.as_deref());
    let allowed = contract.allowed(template);
    // The pages of the specification, which it does not list.
    let allowed = allowed.or_else(|| template.map(|_| "GET, HEAD".to_owned()));
    let Some(allowed) = allowed else {
        let detail = format!("there is nothing at {:?}", request.path());
        return Err(Problem::new(Code::NotFound, detail));
    };
    Err(not_allowed(&request, &allowed))
}

fn not_allowed(request: &HttpRequest, allowed: &str) -> Problem {
    let detail = format!("{} is not allowed here; {allowed} are", request.method());
    let allow = HeaderValue::from_str(allowed).ok();
    Problem {
        headers: allow.map(|allow| (ALLOW, allow)).into_iter().collect(),
        ..Problem::new(Code::MethodNotAllowed, detail)
    }
}

/// The same where only the counts are told.
///
/// # Errors
/// Always.
pub async fn nothing_but_counts(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let problem = match request.path() {
        "/metrics" => not_allowed(&request, "GET, HEAD"),
        path => Problem::new(Code::NotFound, format!("there is nothing at {path:?}")),
    };
    Err(Problem {
        instance: request.path().to_owned(),
        ..problem
    })
}
