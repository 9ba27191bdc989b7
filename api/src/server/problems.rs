//! Converts errors into problems, and checks what all routes have in common.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::CONTENT_TYPE;
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest, ResponseError, web};

use crate::accounts::authentication::authenticate;
use crate::http::limits::gate::UNLIMITED_PATHS;
use crate::http::limits::options::{Limits, time_bound};
use crate::http::problem::{Code, Problem};
use crate::http::request::contract::Contract;
use crate::http::request::query::check_utf8;
use crate::oauth::handlers::ENDPOINTS_OF_APPS;

/// Checks the token and the query, turns every error into a problem, and aborts slow requests.
///
/// # Errors
/// When the request was aborted or another middleware failed; always a [`Problem`].
pub async fn problems(
    limits: web::Data<Limits>,
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    // HEAD is handled as GET; the server omits the body.
    if request.method() == Method::HEAD {
        request.head_mut().method = Method::GET;
    }
    let path = request.path().to_owned();
    let at_path = |problem| Problem {
        instance: path.clone(),
        ..problem
    };
    let answer = async {
        if let Err(problem) = check(request.request()).await {
            return Ok(request.into_response(at_path(problem).error_response()));
        }
        let response = next.call(request).await?;
        Ok(response.map_into_boxed_body())
    };
    match tokio::time::timeout(time_bound(limits.request_time), answer).await {
        Ok(Ok(response)) => match response.response().error().map(Problem::from_framework) {
            None if is_bare_error(&response) => {
                let problem = match response.status() {
                    StatusCode::NOT_FOUND => {
                        Problem::new(Code::NotFound, format!("there is nothing at {path:?}"))
                    }
                    _ => Problem::internal(),
                };
                let answer = at_path(problem).error_response();
                Ok(response.into_response(answer))
            }
            None => Ok(response),
            Some(problem) => {
                let answer = at_path(problem).error_response();
                Ok(response.into_response(answer))
            }
        },
        Ok(Err(error)) => Err(at_path(Problem::from_framework(&error)).into()),
        Err(_) => Err(at_path(Problem::new(
            Code::Unavailable,
            "the request took too long: retry later, or ask for less",
        ))
        .into()),
    }
}

/// Checks what all routes have in common. Monitoring paths need no valid token. At the endpoints of OAuth, apps do not
/// authenticate by a token, and unknown parameters are ignored (RFC 6749, section 3.2).
async fn check(request: &HttpRequest) -> Result<(), Problem> {
    if ENDPOINTS_OF_APPS.contains(&request.path()) {
        return Ok(());
    }
    if !UNLIMITED_PATHS.contains(&request.path()) {
        authenticate(request).await?;
    }
    check_utf8(request.query_string())?;
    match Contract::operation(request) {
        Some(operation) => operation.check_query(request.query_string()),
        None => Ok(()),
    }
}

/// Whether this is an error without a body, as other libraries return it.
fn is_bare_error(response: &ServiceResponse) -> bool {
    let status = response.status();
    let is_error = status.is_client_error() || status.is_server_error();
    is_error && !response.headers().contains_key(CONTENT_TYPE)
}
