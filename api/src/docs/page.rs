//! The specification, in both versions of OpenAPI, and its page, which the specification does not list.

use std::sync::LazyLock;

use actix_web::http::header::ContentType;
use actix_web::{HttpResponse, web};
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
pub fn configure(service: &mut web::ServiceConfig) {
    static TEXTS: LazyLock<[(&str, web::Bytes); 2]> = LazyLock::new(|| {
        let document = super::whole_or_null();
        [
            ("/openapi.json", document.to_string().into()),
            (
                "/openapi-3.0.json",
                super::older(document).to_string().into(),
            ),
        ]
    });
    for (path, text) in TEXTS.iter() {
        let text = move || async move {
            HttpResponse::Ok()
                .content_type(ContentType::json())
                .body(text.clone())
        };
        service.route(path, web::get().to(text));
    }
    for (path, text) in PAGES {
        let page = move || async move { HttpResponse::Ok().content_type(MARKDOWN).body(*text) };
        service.route(path, web::get().to(page));
    }
    let page = Config::new(["/openapi.json"]).validator_url("none");
    service.service(SwaggerUi::new("/docs/{_:.*}").config(page));
}
