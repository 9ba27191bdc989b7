//! Problems as pages, for whoever looks at pages. The API's own paths always answer problems as JSON, and so
//! does what refuses a request before it gets here, under load.

use actix_web::Error;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use actix_web::middleware::Next;
use maud::{Markup, html};

use crate::http::problem::Problem;
use crate::http::request::accept::prefers;
use crate::site::choice::Visit;
use crate::site::frame::{Frame, HTML, set_language};
use crate::site::texts::Texts;
use crate::site::texts::phrases::sentence;

/// Shows problems as pages where pages are wanted.
pub async fn errors(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let of_the_api = request.path() == "/v1" || request.path().starts_with("/v1/");
    let wanted =
        !of_the_api && prefers(request.headers(), &["application/json", "text/html"]) == Some(1);
    let visit = Visit::of(request.request());
    let response = next.call(request).await?.map_into_boxed_body();
    let problem = response.response().extensions().get::<Problem>().cloned();
    let Some(problem) = problem.filter(|_| wanted) else {
        return Ok(response);
    };
    let page = page(&visit, &problem).into_string();
    let mut response = response.map_body(|_, _| BoxBody::new(page));
    let headers = response.headers_mut();
    headers.remove(CONTENT_LENGTH);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(HTML));
    set_language(visit.texts, headers);
    Ok(response)
}

/// Titles and details of problems are in English.
fn page(visit: &Visit, problem: &Problem) -> Markup {
    let texts = visit.texts;
    let other = (texts != Texts::ENGLISH).then_some(Texts::ENGLISH.0.code());
    Frame {
        title: &problem.title,
        part: "",
        scripts: &[],
        class: "narrow",
    }
    .around(
        visit,
        &html! {
            p class="status" { (problem.status) }
            h1 lang=[other] { (problem.title) }
            p lang=[other] { (sentence(&problem.detail)) }
            p { a class="button" href="/" { (texts.text("home")) } }
        },
    )
}
