//! The pages on which a person allows an app or a device something. They work without JavaScript.
//!
//! - Only a session of a browser can allow something. Its form is checked like all forms (`accounts/authentication.rs`).
//! - The form repeats the request of the app, and the answer checks it again.
//! - A request is checked before the sign-in, so that no form of the sign-in leads to another site, which the policy of
//!   its page forbids.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use maud::{Markup, html};
use serde::Deserialize;

use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::headers::page_policy_with_form_target;
use crate::http::limits::gate::{charge, charge_name};
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::blocking;
use crate::http::request::base;
use crate::http::request::caller::identity;
use crate::http::request::query::Query;
use crate::http::scope::Scope;
use crate::oauth::parameters::Parameters;
use crate::oauth::service::{AppIntroduction, AuthorizationFault, AuthorizationRequest, OAuth};
use crate::oauth::{redirect_uris, user_codes};
use crate::site::accounts::settings::scope_words;
use crate::site::accounts::shown;
use crate::site::choice::Visit;
use crate::site::forms::{given, redirect, sign_in_address, write_query};
use crate::site::texts::Texts;

/// The parameters of a request for a code, which the form repeats.
const PARAMETERS: [&str; 7] = [
    "response_type",
    "client_id",
    "redirect_uri",
    "scope",
    "state",
    "code_challenge",
    "code_challenge_method",
];

/// Returns the caller if it is a browser that is signed in.
fn session(request: &HttpRequest) -> Option<Call> {
    let call = identity(request);
    let is_session = call
        .access
        .as_deref()
        .is_some_and(|access| access.is_session);
    is_session.then_some(call)
}

fn signed_in(request: &HttpRequest) -> Result<Call, Problem> {
    session(request).ok_or_else(|| {
        let detail = "only a person who is signed in can allow an app something: sign in";
        Problem::new(Code::Unauthenticated, detail)
    })
}

/// Checks the request of an app. An inner error is the answer of the browser.
async fn read(
    request: &HttpRequest,
    oauth: &web::Data<OAuth>,
    parameters: Parameters,
) -> Result<Result<AuthorizationRequest, HttpResponse>, Problem> {
    let issuer = base(request);
    let work = move |oauth: &OAuth| match oauth.read_authorization(&parameters, &issuer) {
        Ok(asked) => Ok(Ok(asked)),
        Err(AuthorizationFault::Redirect(address)) => Ok(Err(address)),
        Err(AuthorizationFault::Page(error)) => Err(error),
    };
    let read: Result<AuthorizationRequest, String> = blocking(oauth, work).await?;
    Ok(read.map_err(|address| redirect(&address)))
}

/// What a person is asked: who asks, and for what.
fn question(texts: Texts, asking: &AppIntroduction, handle: &str) -> Markup {
    let name = asking.app.name.clone();
    html! {
        h1 { (texts.format("consent-title", [("app", name.into())])) }
        p class="faint" {
            (texts.format("consent-owner", [("owner", asking.owner.clone().into())]))
            @if let Some(page) = &asking.app.home_page {
                " " a href=(page) rel="noopener nofollow" { (page) }
            }
        }
        p { (texts.format("consent-account", [("handle", handle.to_owned().into())])) }
        p { (texts.text("consent-scopes")) }
        ul {
            @for scope in asking.scopes.iter() { li { (scope_words(texts, scope)) } }
        }
        @if asking.scopes.allow(Scope::Account) { p class="hint" { (texts.text("consent-careful")) } }
        p class="hint" { (texts.text("consent-end")) }
    }
}

/// The two buttons of a form.
fn decision(texts: Texts) -> Markup {
    html! {
        p class="row" {
            button class="first" name="decision" value="allow" { (texts.text("consent-allow")) }
            " "
            button name="decision" value="deny" { (texts.text("consent-deny")) }
        }
    }
}

/// Marks an answer so that no cache stores it.
fn unstored(mut answer: HttpResponse) -> HttpResponse {
    let cache = HeaderValue::from_static("private, no-store");
    answer.headers_mut().insert(CACHE_CONTROL, cache);
    answer
}

/// Asks whether an app may have what it requests.
#[get("/oauth/authorize")]
pub async fn consent_page(
    request: HttpRequest,
    visit: Visit,
    oauth: web::Data<OAuth>,
) -> Result<HttpResponse, Problem> {
    let parameters = Parameters::read(request.query_string().as_bytes());
    let asked = match read(&request, &oauth, parameters.clone()).await? {
        Ok(asked) => asked,
        Err(answer) => return Ok(answer),
    };
    let Some(handle) = session(&request).and(visit.handle.as_deref()) else {
        let query = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(parameters.pairs(&PARAMETERS))
            .finish();
        return Ok(redirect(&sign_in_address(&format!(
            "/oauth/authorize?{query}"
        ))));
    };
    let texts = visit.texts;
    let target = redirect_uris::shown(&asked.redirect_uri);
    let main = html! {
        (question(texts, &asked.introduction, handle))
        p class="hint" { (texts.format("consent-return", [("host", target.into())])) }
        form method="post" action="/oauth/authorize" {
            @for (name, value) in parameters.pairs(&PARAMETERS) {
                input type="hidden" name=(name) value=(value);
            }
            (decision(texts))
        }
    };
    let title = (texts.text("consent-name"), "/settings");
    let mut answer = shown(&request, &visit, title, &main, None);
    let policy = page_policy_with_form_target(&redirect_uris::form_target(&asked.redirect_uri));
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        answer.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    Ok(unstored(answer))
}

/// Leads the browser back to the app, with a code or with the refusal.
#[post("/oauth/authorize")]
pub async fn post_consent(
    request: HttpRequest,
    web::Form(pairs): web::Form<Vec<(String, String)>>,
    oauth: web::Data<OAuth>,
) -> Result<HttpResponse, Problem> {
    let call = signed_in(&request)?;
    let parameters = Parameters::from_pairs(pairs);
    let allows = parameters.get("decision") == Some("allow");
    let asked = match read(&request, &oauth, parameters).await? {
        Ok(asked) => asked,
        Err(answer) => return Ok(answer),
    };
    if !allows {
        return Ok(redirect(&asked.refusal()));
    }
    let address = blocking(&oauth, move |oauth| oauth.allow(&call, &asked)).await?;
    Ok(redirect(&address))
}

/// The code of a device.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DeviceQuery {
    user_code: String,
}

/// The decision about a device.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceDecision {
    user_code: String,
    decision: String,
}

/// Counts an attempt to enter a code, so that no one can guess one.
fn charge_code(request: &HttpRequest, call: &Call) -> Result<(), Problem> {
    charge(request, Policy::SignIns)?;
    match &call.access {
        Some(access) => charge_name(request, Policy::UserCodes, &access.account.to_string()),
        None => Ok(()),
    }
}

/// Asks for the code of a device, or whether the device with a code may have what it requests.
#[get("/device")]
pub async fn device_page(
    request: HttpRequest,
    visit: Visit,
    Query(query): Query<DeviceQuery>,
    oauth: web::Data<OAuth>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    let title = (texts.text("device-title"), "/settings");
    let code = given(&query.user_code).map(user_codes::shown);
    let (Some(call), Some(handle)) = (session(&request), visit.handle.as_deref()) else {
        let query = write_query(code.as_ref().map(|code| ("user_code", code)));
        return Ok(redirect(&sign_in_address(&format!("/device?{query}"))));
    };
    let Some(code) = code else {
        let main = code_form(texts, "", false);
        return Ok(unstored(shown(&request, &visit, title, &main, None)));
    };
    charge_code(&request, &call)?;
    let own = code.clone();
    let asking = blocking(&oauth, move |oauth| oauth.find_device(&own)).await?;
    let main = match asking {
        None => code_form(texts, &code, true),
        Some(asking) => html! {
            (question(texts, &asking, handle))
            p { (texts.text("device-compare")) " " b class="code" { (code) } }
            form method="post" action="/device" {
                input type="hidden" name="user_code" value=(code);
                (decision(texts))
            }
        },
    };
    Ok(unstored(shown(&request, &visit, title, &main, None)))
}

fn code_form(texts: Texts, code: &str, is_unknown: bool) -> Markup {
    html! {
        h1 { (texts.text("device-title")) }
        p { (texts.text("device-lead")) }
        @if is_unknown { p id="refusal" role="alert" { (texts.text("device-unknown")) } }
        form method="get" action="/device" class="fields" {
            label { (texts.text("device-code"))
                input name="user_code" value=(code) autocomplete="off" autocapitalize="characters" spellcheck="false"
                    maxlength="16" required;
            }
            button class="first" { (texts.text("device-next")) }
        }
    }
}

/// Stores the decision about a device.
#[post("/device")]
pub async fn post_device(
    request: HttpRequest,
    visit: Visit,
    web::Form(form): web::Form<DeviceDecision>,
    oauth: web::Data<OAuth>,
) -> Result<HttpResponse, Problem> {
    let call = signed_in(&request)?;
    charge_code(&request, &call)?;
    let texts = visit.texts;
    let allows = form.decision == "allow";
    let code = form.user_code.clone();
    let work = move |oauth: &OAuth| -> Result<bool, ServiceError> {
        oauth.decide_device(&call, &code, allows)
    };
    let main = match (blocking(&oauth, work).await?, allows) {
        (false, _) => code_form(texts, &user_codes::shown(&form.user_code), true),
        (true, allows) => html! {
            h1 { (texts.text("device-title")) }
            p class="good" role="status" {
                @if allows { (texts.text("device-allowed")) } @else { (texts.text("device-denied")) }
            }
            p { a class="button" href="/settings/apps" { (texts.text("apps-title")) } }
        },
    };
    let title = (texts.text("device-title"), "/settings");
    Ok(unstored(shown(&request, &visit, title, &main, None)))
}
