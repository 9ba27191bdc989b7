//! Signing up, signing in, and the settings of an account. Forms work without JavaScript.
//!
//! - A form is accepted only from a page of this server: with a session, `accounts/authentication.rs` checks it; without
//!   one, the handler does, so that no other site can sign a browser in to an account of its own.
//! - A page that shows a secret once, such as recovery codes, is the answer to the form, and is not stored.
//! - Another way to sign in is a file here, as `passkeys.rs`, and a part of `sign_in.rs`, `sign_up.rs` and `settings.rs`.

pub mod apps;
pub mod consent;
pub mod notice_forms;
pub mod notices;
pub mod passkeys;
pub mod settings;
pub mod sign_in;
pub mod sign_up;

use actix_web::HttpRequest;
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use maud::{Markup, html};

use crate::http::problem::{Code, Problem};
use crate::sessions::model::RecoveryCodes;
use crate::sessions::passwords::SHORTEST;
use crate::site::choice::{Visit, own_page};
use crate::site::forms::{given, write_query};
use crate::site::frame::{Frame, page};
use crate::site::texts::Texts;
use crate::site::texts::phrases::sentence;

/// Says why a form was refused. Details of other problems are in English.
pub fn refusal(texts: Texts, problem: Option<&Problem>) -> Markup {
    let Some(problem) = problem else {
        return html! {};
    };
    let words = match problem.code {
        Code::WrongPassword => Some("sign-in-wrong"),
        Code::RateLimited => Some("sign-in-often"),
        Code::HandleTaken => Some("sign-up-taken"),
        Code::LastSignIn => Some("passkey-last"),
        _ => None,
    };
    let other = (texts != Texts::ENGLISH && words.is_none()).then_some(Texts::ENGLISH.0.code());
    html! {
        p id="refusal" role="alert" lang=[other] {
            @match words {
                Some(id) => (texts.text(id)),
                None => (sentence(&problem.detail)),
            }
        }
    }
}

/// A field for a password. `purpose` helps password managers: `current-password` or `new-password`.
fn password_field(name: &str, label: &str, purpose: &str) -> Markup {
    let shortest = (purpose == "new-password").then_some(SHORTEST);
    html! {
        label { (label)
            input name=(name) type="password" autocomplete=(purpose) minlength=[shortest] maxlength="256" required;
        }
    }
}

/// A field for the handle of an account.
fn handle_field(texts: Texts, value: &str, purpose: &str) -> Markup {
    html! {
        label { (texts.text("account-handle"))
            input name="handle" value=(value) autocomplete=(purpose) autocapitalize="none" spellcheck="false"
                minlength="3" maxlength="32" pattern="[A-Za-z0-9_\\-]+" required;
        }
    }
}

/// The page to show after the sign-in, as a hidden field.
fn next_field(next: &str) -> Markup {
    html! { @if let Some(next) = given(next) { input type="hidden" name="next" value=(own_page(next)); } }
}

/// The query that keeps the page to show after the sign-in.
fn next_query(next: &str) -> String {
    let next = given(next).map(|next| own_page(next).to_owned());
    let query = write_query(next.as_ref().map(|next| ("next", next)));
    if query.is_empty() {
        query
    } else {
        format!("?{query}")
    }
}

/// The codes, shown once.
fn recovery_codes(texts: Texts, codes: &RecoveryCodes) -> Markup {
    html! {
        section class="panel" aria-labelledby="codes-title" {
            h2 id="codes-title" { (texts.text("codes-title")) }
            p { (texts.text("codes-once")) }
            ul class="codes" { @for code in &codes.codes { li { code { (code) } } } }
        }
    }
}

/// The seats that this browser plays without an account. A module fills it.
fn guest_seats(texts: Texts) -> Markup {
    html! {
        section id="guest-seats" class="panel" aria-labelledby="guest-title" hidden {
            h2 id="guest-title" { (texts.text("guest-title")) }
            p { (texts.text("guest-lead")) }
            ul {}
            p { button type="button" class="first" { (texts.text("guest-move")) } }
            p role="status" data-done=(texts.text("guest-done")) data-kept=(texts.text("guest-kept")) {}
        }
    }
}

/// The answer with a page of this part, with a status.
pub(super) fn shown(
    request: &HttpRequest,
    visit: &Visit,
    (title, part): (&str, &str),
    main: &Markup,
    problem: Option<&Problem>,
) -> HttpResponse {
    let frame = Frame {
        title,
        part,
        scripts: &["account.js", "passkeys.js", "push.js"],
        class: "narrow account",
    };
    let mut answer = page(request, visit.texts, frame.around(visit, main));
    if let Some(problem) = problem {
        let status = StatusCode::from_u16(problem.status);
        *answer.status_mut() = status.unwrap_or(StatusCode::BAD_REQUEST);
    }
    if !request.method().is_safe() {
        let cache = HeaderValue::from_static("private, no-store");
        answer.headers_mut().insert(CACHE_CONTROL, cache);
    }
    answer
}
