//! Signing up with a handle and a password.

use actix_web::{HttpRequest, HttpResponse, get, post, web};
use maud::html;
use serde::Deserialize;

use crate::http::cookie::{check_own_page, new_cookie};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::request::query::Query;
use crate::sessions::handlers::{device_of, with_password};
use crate::sessions::passkey_handlers::has_passkeys;
use crate::sessions::passwords::Password;
use crate::sessions::service::Sessions;
use crate::site::accounts::passkeys::{passkey_button, passkey_codes};
use crate::site::accounts::sign_in::NextQuery;
use crate::site::accounts::{
    guest_seats, handle_field, next_field, next_query, password_field, recovery_codes, refusal,
    shown,
};
use crate::site::choice::{Visit, own_page};
use crate::site::forms::redirect;

/// What the form sends.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignUpForm {
    handle: String,
    password: Password,
    #[serde(default)]
    next: String,
}

/// The form to sign up.
#[get("/sign-up")]
pub async fn sign_up_page(
    request: HttpRequest,
    visit: Visit,
    Query(query): Query<NextQuery>,
    sessions: web::Data<Sessions>,
) -> HttpResponse {
    match visit.handle {
        Some(_) => redirect(own_page(&query.next)),
        None => sign_up_form(&request, &visit, &sessions, ("", &query.next), None),
    }
}

fn sign_up_form(
    request: &HttpRequest,
    visit: &Visit,
    sessions: &Sessions,
    (handle, next): (&str, &str),
    problem: Option<&Problem>,
) -> HttpResponse {
    let texts = visit.texts;
    let main = html! {
        h1 { (texts.text("sign-up-title")) }
        (refusal(texts, problem))
        @if sessions.is_open() {
            form method="post" action="/sign-up" class="fields" {
                (next_field(next))
                (handle_field(texts, handle, "username"))
                p class="hint" { (texts.text("sign-up-handle")) }
                (password_field("password", texts.text("account-password"), "new-password"))
                p class="hint" { (texts.text("sign-up-password")) }
                button class="first" { (texts.text("sign-up-do")) }
            }
            @if has_passkeys(request) {
                (passkey_button(texts, "sign_up", texts.text("passkey-sign-up"), next))
                (passkey_codes(texts, next))
            }
        } @else {
            p { (texts.text("sign-up-closed")) }
        }
        p { (texts.text("sign-up-known")) " " a href={ "/sign-in" (next_query(next)) } { (texts.text("reader-sign-in")) } }
    };
    let title = (texts.text("sign-up-title"), "/sign-in");
    shown(request, visit, title, &main, problem)
}

/// Creates the account, signs in, and shows the recovery codes.
#[post("/sign-up")]
pub async fn post_sign_up(
    request: HttpRequest,
    visit: Visit,
    web::Form(form): web::Form<SignUpForm>,
    sessions: web::Data<Sessions>,
) -> Result<HttpResponse, Problem> {
    check_own_page(&request)?;
    let SignUpForm {
        handle,
        password,
        next,
    } = form;
    let handle = handle.trim().to_owned();
    let device = device_of(&request);
    let created = async {
        charge(&request, Policy::Games)?;
        let name = handle.clone();
        let work = move |sessions: &Sessions| sessions.sign_up(&name, &password, device);
        with_password(&sessions, work).await
    };
    let (signed_in, codes) = match created.await {
        Ok(created) => created,
        Err(problem) => {
            let kept = (handle.as_str(), next.as_str());
            return Ok(sign_up_form(
                &request,
                &visit,
                &sessions,
                kept,
                Some(&problem),
            ));
        }
    };
    let texts = visit.texts;
    let visit = Visit {
        handle: Some(signed_in.body.player.handle),
        ..visit
    };
    let main = html! {
        h1 { (texts.text("sign-up-done")) }
        (recovery_codes(texts, &codes))
        (guest_seats(texts))
        p { a class="button first" href=(own_page(&next)) { (texts.text("sign-up-continue")) } }
    };
    let title = (texts.text("sign-up-done"), "/settings");
    let mut answer = shown(&request, &visit, title, &main, None);
    answer
        .add_cookie(&new_cookie(&request, &signed_in.cookie))
        .map_err(|_| Problem::internal())?;
    Ok(answer)
}
