//! The specification and its page, which the specification does not list.

use actix_web::web;

/// Serves both.
pub fn configure(service: &mut web::ServiceConfig) {
    // Null only when the specification is no JSON, which a test excludes.
    let document = super::whole().unwrap_or_default();
    let pages = utoipa_swagger_ui::SwaggerUi::new("/docs/{_:.*}")
        .external_url_unchecked("/openapi.json", document);
    service
        .service(web::redirect("/docs", "/docs/"))
        .service(pages);
}
