//! The specification and its page, which the specification does not list.

use actix_web::web;
use serde_json::Value;
use utoipa_swagger_ui::{Config, SwaggerUi};

/// Serves both. The page loads nothing from elsewhere.
pub fn configure(service: &mut web::ServiceConfig, document: &Value) {
    let page = SwaggerUi::new("/docs/{_:.*}")
        .external_url_unchecked("/openapi.json", document.clone())
        .config(Config::default().validator_url("none"));
    service
        .service(web::redirect("/docs", "/docs/"))
        .service(page);
}
