//! Counts and logs requests.

use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::{Error, web};
use metrics::Label;

use crate::http::log::RequestLog;
use crate::http::request::contract::Template;
use crate::http::traces::shown_path;

/// The label of a method in metrics: callers may invent any number of other methods.
fn label(method: &Method) -> &'static str {
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        .into_iter()
        .find(|name| *name == method.as_str())
        .unwrap_or("other")
}

/// Counts requests and their duration by route, and logs them.
pub async fn count(
    log: web::Data<RequestLog>,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let start = Instant::now();
    let method = request.method().clone();
    let path = shown_path(&request);
    let route = Template::of(&request).name();
    let answered = next.call(request).await;
    let status = match &answered {
        Ok(response) => response.status(),
        Err(error) => error.as_response_error().status_code(),
    };
    let seconds = start.elapsed().as_secs_f64();
    if log.take(status.as_u16()) {
        let game = answered.as_ref().ok().map(|answer| answer.request());
        tracing::info!(
            %method,
            path,
            game = game.and_then(|request| request.match_info().get("game")),
            status = status.as_u16(),
            milliseconds = seconds * 1000.0,
            "request"
        );
    }
    let labels = [
        Label::from_static_parts("method", label(&method)),
        Label::new("route", route),
        Label::new("status", status.as_str().to_owned()),
    ];
    metrics::histogram!("tabularium_request_seconds", labels[..2].to_vec()).record(seconds);
    metrics::counter!("tabularium_requests_total", labels.to_vec()).increment(1);
    answered
}
