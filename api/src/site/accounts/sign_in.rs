//! Signing in with a password, signing out, and recovering an account with a code.

use actix_web::http::header::SET_COOKIE;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use maud::{Markup, html};
use serde::Deserialize;

use crate::http::cookie::{check_own_page, new_cookie, removal};
use crate::http::problem::Problem;
use crate::http::reply::blocking;
use crate::http::request::caller::identity;
use crate::http::request::query::Query;
use crate::notices::service::Notices;
use crate::sessions::handlers::sign_in;
use crate::sessions::model::NewSession;
use crate::sessions::passwords::Password;
use crate::sessions::service::Sessions;
use crate::site::accounts::notices::recovery_by_mail;
use crate::site::accounts::{handle_field, next_field, next_query, password_field, refusal, shown};
use crate::site::choice::{Visit, own_page};
use crate::site::forms::redirect;

/// The page to show after the sign-in.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NextQuery {
    pub(super) next: String,
}

/// What the forms send.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignInForm {
    handle: String,
    password: Password,
    #[serde(default)]
    recovery_code: Option<String>,
    #[serde(default)]
    next: String,
}

/// The form to sign in.
#[get("/sign-in")]
pub async fn sign_in_page(
    request: HttpRequest,
    visit: Visit,
    Query(query): Query<NextQuery>,
) -> HttpResponse {
    match visit.handle {
        Some(_) => redirect(own_page(&query.next)),
        None => sign_in_form(&request, &visit, ("", &query.next), None),
    }
}

fn sign_in_form(
    request: &HttpRequest,
    visit: &Visit,
    (handle, next): (&str, &str),
    problem: Option<&Problem>,
) -> HttpResponse {
    let texts = visit.texts;
    let main = html! {
        h1 { (texts.text("sign-in-title")) }
        (refusal(texts, problem))
        form method="post" action="/sign-in" class="fields" {
            (next_field(next))
            (handle_field(texts, handle, "username"))
            (password_field("password", texts.text("account-password"), "current-password"))
            button class="first" { (texts.text("reader-sign-in")) }
        }
        p { (texts.text("sign-in-new")) " " a href={ "/sign-up" (next_query(next)) } { (texts.text("sign-up-do")) } }
        p { a href={ "/recover" (next_query(next)) } { (texts.text("recover-link")) } }
    };
    let title = (texts.text("sign-in-title"), "/sign-in");
    shown(request, visit, title, &main, problem)
}

/// The page to show after the recovery, and whether a code was mailed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecoveryQuery {
    next: String,
    sent: String,
}

/// The form to set a new password with a recovery code.
#[get("/recover")]
pub async fn recovery_page(
    request: HttpRequest,
    visit: Visit,
    Query(query): Query<RecoveryQuery>,
    notices: web::Data<Notices>,
) -> HttpResponse {
    let by_mail = recovery_by_mail(visit.texts, &notices, query.sent == "yes");
    recovery_form(&request, &visit, ("", &query.next), &by_mail, None)
}

fn recovery_form(
    request: &HttpRequest,
    visit: &Visit,
    (handle, next): (&str, &str),
    by_mail: &Markup,
    problem: Option<&Problem>,
) -> HttpResponse {
    let texts = visit.texts;
    let main = html! {
        h1 { (texts.text("recover-title")) }
        p { (texts.text("recover-lead")) }
        (refusal(texts, problem))
        form method="post" action="/recover" class="fields" {
            (next_field(next))
            (handle_field(texts, handle, "username"))
            label { (texts.text("recover-code"))
                input name="recovery_code" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="64" required;
            }
            (password_field("password", texts.text("account-new-password"), "new-password"))
            button class="first" { (texts.text("recover-do")) }
        }
        (by_mail)
    };
    let title = (texts.text("recover-title"), "/sign-in");
    shown(request, visit, title, &main, problem)
}

async fn enter(
    request: &HttpRequest,
    sessions: &web::Data<Sessions>,
    form: SignInForm,
) -> Result<HttpResponse, Problem> {
    let new = NewSession {
        handle: form.handle.trim().to_owned(),
        password: form.password,
        recovery_code: form.recovery_code,
    };
    let signed_in = sign_in(request, sessions, new).await?;
    let mut answer = redirect(own_page(&form.next));
    answer
        .add_cookie(&new_cookie(request, &signed_in.cookie))
        .map_err(|_| Problem::internal())?;
    Ok(answer)
}

/// Signs in, and goes to the page that wanted it.
#[post("/sign-in")]
pub async fn post_sign_in(
    request: HttpRequest,
    visit: Visit,
    web::Form(form): web::Form<SignInForm>,
    sessions: web::Data<Sessions>,
) -> Result<HttpResponse, Problem> {
    check_own_page(&request)?;
    let (handle, next) = (form.handle.clone(), form.next.clone());
    // Only the form to recover an account has a code.
    let form = SignInForm {
        recovery_code: None,
        ..form
    };
    match enter(&request, &sessions, form).await {
        Ok(answer) => Ok(answer),
        Err(problem) => Ok(sign_in_form(
            &request,
            &visit,
            (&handle, &next),
            Some(&problem),
        )),
    }
}

/// Sets a new password with a recovery code, and signs in.
#[post("/recover")]
pub async fn post_recovery(
    request: HttpRequest,
    visit: Visit,
    web::Form(form): web::Form<SignInForm>,
    sessions: web::Data<Sessions>,
    notices: web::Data<Notices>,
) -> Result<HttpResponse, Problem> {
    check_own_page(&request)?;
    let (handle, next) = (form.handle.clone(), form.next.clone());
    // An empty code is a wrong one, not a sign-in with a password.
    let code = form.recovery_code.filter(|code| !code.trim().is_empty());
    let form = SignInForm {
        recovery_code: Some(code.unwrap_or_else(|| "none".to_owned())),
        ..form
    };
    match enter(&request, &sessions, form).await {
        Ok(answer) => Ok(answer),
        Err(problem) => Ok(recovery_form(
            &request,
            &visit,
            (&handle, &next),
            &recovery_by_mail(visit.texts, &notices, false),
            Some(&problem),
        )),
    }
}

/// Ends the session of this browser.
#[post("/sign-out")]
pub async fn post_sign_out(
    request: HttpRequest,
    sessions: web::Data<Sessions>,
) -> Result<HttpResponse, Problem> {
    let call = identity(&request);
    let session = call.access.as_deref().filter(|access| access.is_session);
    if let Some(id) = session.map(|access| access.token) {
        blocking(&sessions, move |sessions| sessions.end(&call, id)).await?;
    }
    let mut answer = redirect("/");
    if let Some(cookie) = removal(&request) {
        answer.headers_mut().insert(SET_COOKIE, cookie);
    }
    Ok(answer)
}
