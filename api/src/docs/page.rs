//! The specification, in both versions of OpenAPI, and its page, which the specification does not list.

use actix_web::{HttpResponse, web};
use serde_json::Value;
use utoipa_swagger_ui::{Config, SwaggerUi};

const MARKDOWN: &str = "text/markdown; charset=utf-8";

/// What else there is to read.
const PAGES: &[(&str, &str)] = &[
    ("/docs/changelog", include_str!("../../../CHANGELOG.md")),
    (
        "/docs/versioning",
        include_str!("../../../openapi/VERSIONING.md"),
    ),
];

/// Serves all of it. The page loads nothing from elsewhere.
pub fn configure(service: &mut web::ServiceConfig, document: &Value) {
    let page = SwaggerUi::new("/docs/{_:.*}")
        .external_url_unchecked("/openapi.json", document.clone())
        .config(Config::default().validator_url("none"));
    let older = web::Bytes::from(super::older(document).to_string());
    let older = move || {
        let older = older.clone();
        async move {
            HttpResponse::Ok()
                .content_type("application/json")
                .body(older)
        }
    };
    for (path, text) in PAGES {
        let page = move || async move { HttpResponse::Ok().content_type(MARKDOWN).body(*text) };
        service.route(path, web::get().to(page));
    }
    service
        .route("/openapi-3.0.json", web::get().to(older))
        .service(page);
}
