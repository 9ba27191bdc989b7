//! The specification, in both versions of OpenAPI.

use std::sync::LazyLock;

use actix_web::{HttpRequest, HttpResponse, web};

use crate::http::reply::{JSON, tag_of, versioned};

/// Serves both documents.
pub fn configure(service: &mut web::ServiceConfig) {
    /// A document, and its tag.
    type ServedText = LazyLock<(web::Bytes, String)>;
    static NEW: ServedText = LazyLock::new(|| tagged(&crate::server::docs::texts().new));
    static OLD: ServedText = LazyLock::new(|| tagged(&crate::server::docs::texts().old));
    let served: [(&str, &'static ServedText); 2] =
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
}

fn tagged(text: &web::Bytes) -> (web::Bytes, String) {
    (text.clone(), tag_of(&String::from_utf8_lossy(text)))
}
