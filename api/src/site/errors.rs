//! Problems as pages, for browsers.
//! Paths of the API always answer problems as JSON, and so does a refusal under load. A page that needs an account
//! leads to the sign-in.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, SET_COOKIE,
};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage};
use maud::{Markup, html};

use crate::http::cookie::{EndedSession, removal};
use crate::http::problem::{Code, Problem};
use crate::http::request::accept::prefers;
use crate::site::choice::Visit;
use crate::site::forms::{redirect, sign_in_address};
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
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let without_token = !request.headers().contains_key(AUTHORIZATION);
    let response = next.call(request).await?.map_into_boxed_body();
    // Only behind the authentication is it known who reads the page.
    let visit = Visit::of(response.request());
    let ended = response
        .request()
        .extensions()
        .get::<EndedSession>()
        .is_some();
    let problem = response.response().extensions().get::<Problem>().cloned();
    let mut response = match problem.filter(|_| wanted) {
        None => response,
        Some(problem) if problem.code == Code::Unauthenticated && without_token => {
            let next = visit.here.filter(|_| is_read).unwrap_or_default();
            response.into_response(redirect(&sign_in_address(&next)))
        }
        Some(problem) => {
            let page = page(&visit, &problem).into_string();
            let mut response = response.map_body(|_, _| BoxBody::new(page));
            let headers = response.headers_mut();
            headers.remove(CONTENT_LENGTH);
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(HTML));
            set_language(visit.texts, headers);
            response
        }
    };
    // An answer that starts a session replaces the cookie.
    if ended
        && !response.headers().contains_key(SET_COOKIE)
        && let Some(cookie) = removal(response.request())
    {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
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
