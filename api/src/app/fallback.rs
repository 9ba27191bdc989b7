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
    let Some(allowed) = contract.allowed(template) else {
        let detail = format!("there is nothing at {:?}", request.path());
        return Err(Problem::new(Code::NotFound, detail));
    };
    let detail = format!("{} is not allowed here; {allowed} are", request.method());
    let allow = HeaderValue::from_str(&allowed).ok();
    Err(Problem {
        headers: allow.map(|allow| (ALLOW, allow)).into_iter().collect(),
        ..Problem::new(Code::MethodNotAllowed, detail)
    })
}
