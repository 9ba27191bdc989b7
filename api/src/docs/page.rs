//! The specification, in both versions of OpenAPI, and its page, which the specification does not list.

use std::io::Read;
use std::sync::{Arc, LazyLock};

use actix_web::{HttpRequest, HttpResponse, web};
use flate2::read::GzDecoder;
use utoipa_swagger_ui::Config;

use crate::reply::{self, JSON, tag_of, versioned};

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
    static TEXTS: LazyLock<[(&str, String, web::Bytes); 2]> = LazyLock::new(|| {
        let document = super::whole_or_null();
        let documents = [
            ("/openapi.json", document.to_string()),
            ("/openapi-3.0.json", super::older(document).to_string()),
        ];
        documents.map(|(path, text)| (path, tag_of(&text), text.into()))
    });
    for (path, tag, text) in TEXTS.iter() {
        let text = move |request: HttpRequest| async move {
            versioned(&request, tag, JSON, text.clone(), "no-cache")
        };
        service.route(path, web::get().to(text));
    }
    for (path, text) in PAGES {
        let page = move |request: HttpRequest| async move {
            reply::text(&request, MARKDOWN, (*text).to_owned())
        };
        service.route(path, web::get().to(page));
    }
    service.route("/docs/{file:.*}", web::get().to(page));
}

/// A file of the page. It is kept packed, as it is four megabytes else.
async fn page(file: web::Path<String>) -> HttpResponse {
    // The bar that other layouts have at the top holds a style, which the policy of pages refuses.
    static CONFIG: LazyLock<Arc<Config<'_>>> = LazyLock::new(|| {
        let config = Config::new(["/openapi.json"]).validator_url("none");
        Arc::new(config.use_base_layout())
    });
    let found = match utoipa_swagger_ui::serve(&file, CONFIG.clone()) {
        Ok(found) => found,
        Err(error) => return HttpResponse::InternalServerError().body(error.to_string()),
    };
    let Some(found) = found else {
        return HttpResponse::NotFound().finish();
    };
    let mut bytes = Vec::new();
    let read = match found.gzpipped {
        true => GzDecoder::new(&found.bytes[..]).read_to_end(&mut bytes),
        false => (&found.bytes[..]).read_to_end(&mut bytes),
    };
    match read {
        Ok(_) => HttpResponse::Ok()
            .content_type(found.content_type)
            .body(bytes),
        Err(error) => HttpResponse::InternalServerError().body(error.to_string()),
    }
}
