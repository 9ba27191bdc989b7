//! The specification, in both versions of OpenAPI, and its page, which the specification does not list.

use std::io::Read;
use std::sync::{Arc, LazyLock};

use actix_web::{HttpRequest, HttpResponse, web};
use flate2::read::GzDecoder;
use utoipa_swagger_ui::Config;

use crate::http::reply;
use crate::http::reply::{JSON, tag_of, versioned};

const MARKDOWN: &str = "text/markdown; charset=utf-8";

/// What else there is to read.
const PAGES: &[(&str, &str)] = &[
    ("/docs/changelog", include_str!("../../../../CHANGELOG.md")),
    (
        "/docs/versioning",
        include_str!("../../../../openapi/VERSIONING.md"),
    ),
];

/// Serves all of it. The page loads nothing from elsewhere.
pub fn configure(service: &mut web::ServiceConfig) {
    /// A document, and its tag.
    type Served = LazyLock<(web::Bytes, String)>;
    static NEW: Served = LazyLock::new(|| tagged(&crate::server::docs::texts().new));
    static OLD: Served = LazyLock::new(|| tagged(&crate::server::docs::texts().old));
    let served: [(&str, &'static Served); 2] =
        [("/openapi.json", &NEW), ("/openapi-3.0.json", &OLD)];
    for (path, served) in served {
        let text = move |request: HttpRequest| async move {
            // It is made when it is first asked for.
            let made = web::block(move || LazyLock::force(served)).await;
            match made {
                Ok((text, tag)) => versioned(&request, tag, JSON, text.clone(), "no-cache"),
                Err(error) => HttpResponse::InternalServerError().body(error.to_string()),
            }
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

fn tagged(text: &web::Bytes) -> (web::Bytes, String) {
    (text.clone(), tag_of(&String::from_utf8_lossy(text)))
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
