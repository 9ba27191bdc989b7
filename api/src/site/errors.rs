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
use crate::site::english;
use crate::site::frame::{Frame, HTML};

/// Shows problems as pages where pages are wanted.
pub async fn errors(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let of_the_api = request.path() == "/v1" || request.path().starts_with("/v1/");
    let wanted =
        !of_the_api && prefers(request.headers(), &["application/json", "text/html"]) == Some(1);
    let response = next.call(request).await?.map_into_boxed_body();
    let problem = response.response().extensions().get::<Problem>().cloned();
    let Some(problem) = problem.filter(|_| wanted) else {
        return Ok(response);
    };
    let page = page(&problem).into_string();
    let mut response = response.map_body(|_, _| BoxBody::new(page));
    let headers = response.headers_mut();
    headers.remove(CONTENT_LENGTH);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(HTML));
    Ok(response)
}

fn page(problem: &Problem) -> Markup {
    Frame {
        title: &problem.title,
        part: "",
        scripts: &[],
        class: "narrow",
    }
    .around(&html! {
        p class="status" { (problem.status) }
        h1 { (problem.title) }
        p { (english::sentence(&problem.detail)) }
        p { a class="button" href="/" { (english::HOME) } }
    })
}
