//! What is done around every request.

use std::time::Instant;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, HeaderValue, ORIGIN, VARY,
};
use actix_web::middleware::Next;
use actix_web::{Error, HttpResponse, ResponseError, web};

use crate::limits::Limits;
use crate::problem::{Code, Problem};

/// Renders every error as a problem that names the path, and gives up requests that take too long.
///
/// # Errors
/// When the request was given up, or another middleware failed; always a [`Problem`].
pub async fn problems(
    limits: web::Data<Limits>,
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    // HEAD is answered as GET; the server leaves out the body.
    if request.method() == Method::HEAD {
        request.head_mut().method = Method::GET;
    }
    let path = request.path().to_owned();
    let told = |problem| Problem {
        instance: path.clone(),
        ..problem
    };
    let answered = tokio::time::timeout(limits.request_time, next.call(request)).await;
    match answered {
        Ok(Ok(response)) => match response.response().error().map(Problem::from_framework) {
            None => Ok(response.map_into_boxed_body()),
            Some(problem) => {
                let answer = told(problem).error_response();
                Ok(response.into_response(answer))
            }
        },
        Ok(Err(error)) => Err(told(Problem::from_framework(&error)).into()),
        Err(_) => Err(told(Problem::new(Code::Unavailable, "the request took too long")).into()),
    }
}

/// Counts requests and their time by route, and logs them.
///
/// # Errors
/// Those of the request.
pub async fn count(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let start = Instant::now();
    let method = request.method().clone();
    let response = next.call(request).await?;
    let (asked, status) = (response.request(), response.status());
    let route = asked.match_pattern();
    let route = route.unwrap_or_else(|| "none".to_owned());
    let seconds = start.elapsed().as_secs_f64();
    tracing::info!(
        %method,
        path = asked.path(),
        game = asked.match_info().get("id"),
        status = status.as_u16(),
        milliseconds = seconds * 1000.0,
        "request"
    );
    let labels = [
        ("method", method.as_str().to_owned()),
        ("route", route),
        ("status", status.as_str().to_owned()),
    ];
    metrics::histogram!("tabularium_request_seconds", &labels[..2]).record(seconds);
    metrics::counter!("tabularium_requests_total", &labels).increment(1);
    Ok(response)
}

/// Lets pages of any origin call the service: it knows no cookies, so nothing can be borrowed.
///
/// # Errors
/// Those of the request.
pub async fn cors(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if !request.headers().contains_key(ORIGIN) {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    let mut response = if request.method() == Method::OPTIONS {
        request
            .into_response(HttpResponse::NoContent())
            .map_into_boxed_body()
    } else {
        next.call(request).await?.map_into_boxed_body()
    };
    let headers = response.headers_mut();
    let pairs = [
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST, PUT, DELETE"),
        (
            ACCESS_CONTROL_ALLOW_HEADERS,
            "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID",
        ),
        (
            ACCESS_CONTROL_EXPOSE_HEADERS,
            "ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
        ),
        (ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    for (name, value) in pairs {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.append(VARY, HeaderValue::from_static("Origin"));
    Ok(response)
}

/// The request's id, also for the caller.
///
/// # Errors
/// Those of the request.
pub async fn request_id(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    use actix_web::HttpMessage;
    let id = request
        .extensions()
        .get::<tracing_actix_web::RequestId>()
        .copied();
    let mut response = next.call(request).await?;
    if let Some(id) = id
        && let Ok(value) = HeaderValue::from_str(&id.to_string())
    {
        let name = actix_web::http::header::HeaderName::from_static("x-request-id");
        response.headers_mut().insert(name, value);
    }
    Ok(response)
}
