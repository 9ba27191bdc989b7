//! The apps that may use an account, and those that it has registered.

use actix_web::{HttpRequest, HttpResponse, get, post, web};
use maud::{Markup, html};
use serde::Deserialize;
use uuid::Uuid;

use crate::accounts::names;
use crate::http::problem::{Code, Problem};
use crate::http::reply::blocking;
use crate::http::request::caller::{Bearer, identity};
use crate::http::request::path::number;
use crate::http::request::query::Query;
use crate::oauth::model::{AppBody, ConnectedApp, NewApp};
use crate::oauth::service::OAuth;
use crate::site::accounts::settings::scope_words;
use crate::site::accounts::{refusal, shown};
use crate::site::choice::Visit;
use crate::site::forms::{given, redirect};
use crate::site::frame::time;
use crate::site::texts::Texts;

/// What has just been done.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AppsQuery {
    done: String,
}

/// A form that registers an app.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AppForm {
    name: String,
    /// One on each line.
    redirect_uris: String,
    home_page: String,
}

/// A form that disconnects an app.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConnectionForm {
    connection: String,
}

/// A form that deletes an app.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeletionForm {
    app: String,
}

/// Shows the page with what was done or refused.
async fn show(
    request: &HttpRequest,
    visit: &Visit,
    oauth: &web::Data<OAuth>,
    top: &Markup,
    (form, problem): (&AppForm, Option<&Problem>),
) -> Result<HttpResponse, Problem> {
    let call = identity(request);
    let (connected, own) = blocking(oauth, move |oauth| {
        Ok((oauth.connected_apps(&call)?.items, oauth.apps(&call)?.items))
    })
    .await?;
    let texts = visit.texts;
    let main = html! {
        h1 { (texts.text("apps-title")) }
        (refusal(texts, problem))
        (top)
        (connections(texts, &connected))
        (registered(texts, &own, form))
        p { a href="/settings" { (texts.text("settings-title")) } }
    };
    let title = (texts.text("apps-title"), "/settings");
    Ok(shown(request, visit, title, &main, problem))
}

fn connections(texts: Texts, connected: &[ConnectedApp]) -> Markup {
    html! {
        section class="panel" aria-labelledby="connected-title" {
            h2 id="connected-title" { (texts.text("apps-connected")) }
            @if connected.is_empty() { p { (texts.text("apps-none")) } }
            @else { p { (texts.text("apps-connected-lead")) } }
            ul class="rows" {
                @for one in connected {
                    li {
                        b { (one.app.name) }
                        span class="faint" {
                            @for scope in &one.scopes { (scope_words(texts, *scope)) " · " }
                            (texts.text("apps-since")) " " (time(texts, one.connected_at))
                            " · " (texts.text("settings-token-used")) " " (time(texts, one.last_used_at))
                        }
                        form method="post" action="/settings/apps/disconnect" {
                            button name="connection" value=(one.id) aria-label={ (texts.text("apps-disconnect")) ": " (one.app.name) } {
                                (texts.text("apps-disconnect"))
                            }
                        }
                    }
                }
            }
        }
    }
}

fn registered(texts: Texts, own: &[AppBody], form: &AppForm) -> Markup {
    html! {
        section class="panel" aria-labelledby="own-apps-title" {
            h2 id="own-apps-title" { (texts.text("apps-own")) }
            p { (texts.text("apps-own-lead")) " " a href="/docs/apps-and-oauth" { (texts.text("apps-docs")) } }
            ul class="rows" {
                @for app in own {
                    li {
                        b { (app.name) }
                        span { (texts.text("apps-client-id")) " " code { (app.id) } }
                        span class="faint" { (app.redirect_uris.join(" · ")) }
                        form method="post" action="/settings/apps/delete" {
                            button name="app" value=(app.id) aria-label={ (texts.text("apps-delete")) ": " (app.name) } {
                                (texts.text("apps-delete"))
                            }
                        }
                    }
                }
            }
            h3 { (texts.text("apps-new")) }
            form method="post" action="/settings/apps" class="fields" {
                label { (texts.text("apps-name")) input name="name" value=(form.name) maxlength="64" required; }
                label { (texts.text("apps-redirect-uris"))
                    textarea name="redirect_uris" rows="3" spellcheck="false" { (form.redirect_uris) }
                }
                label { (texts.text("apps-home-page")) input name="home_page" type="url" value=(form.home_page) maxlength="500"; }
                button { (texts.text("apps-register")) }
            }
        }
    }
}

/// The apps of the reader's account.
#[get("/settings/apps")]
pub async fn apps_page(
    request: HttpRequest,
    visit: Visit,
    Query(query): Query<AppsQuery>,
    oauth: web::Data<OAuth>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    let done = match query.done.as_str() {
        "disconnected" => Some("apps-done-disconnected"),
        "registered" => Some("apps-done-registered"),
        "deleted" => Some("apps-done-deleted"),
        _ => None,
    };
    let top =
        html! { @if let Some(done) = done { p class="good" role="status" { (texts.text(done)) } } };
    show(&request, &visit, &oauth, &top, (&AppForm::default(), None)).await
}

/// Leads back to the page, or shows why something was refused.
async fn answer(
    (request, visit): (&HttpRequest, &Visit),
    oauth: &web::Data<OAuth>,
    done: &str,
    (form, outcome): (&AppForm, Result<(), Problem>),
) -> Result<HttpResponse, Problem> {
    match outcome {
        Ok(()) => Ok(redirect(&format!("/settings/apps?done={done}"))),
        Err(problem) if problem.code == Code::Unauthenticated => Err(problem),
        Err(problem) => show(request, visit, oauth, &html! {}, (form, Some(&problem))).await,
    }
}

/// Disconnects an app.
#[post("/settings/apps/disconnect")]
pub async fn post_disconnection(
    _: Bearer,
    request: HttpRequest,
    visit: Visit,
    web::Form(form): web::Form<ConnectionForm>,
    oauth: web::Data<OAuth>,
) -> Result<HttpResponse, Problem> {
    let id: Uuid = number("connection", &form.connection)?;
    let call = identity(&request);
    let outcome = blocking(&oauth, move |oauth| oauth.disconnect(&call, id)).await;
    let form = AppForm::default();
    answer((&request, &visit), &oauth, "disconnected", (&form, outcome)).await
}

/// Deletes an app that the account has registered.
#[post("/settings/apps/delete")]
pub async fn post_app_deletion(
    _: Bearer,
    request: HttpRequest,
    visit: Visit,
    web::Form(form): web::Form<DeletionForm>,
    oauth: web::Data<OAuth>,
) -> Result<HttpResponse, Problem> {
    let id: Uuid = number("app", &form.app)?;
    let call = identity(&request);
    let outcome = blocking(&oauth, move |oauth| oauth.delete_app(&call, id)).await;
    let form = AppForm::default();
    answer((&request, &visit), &oauth, "deleted", (&form, outcome)).await
}

/// Registers an app.
#[post("/settings/apps")]
pub async fn post_app(
    _: Bearer,
    request: HttpRequest,
    visit: Visit,
    web::Form(form): web::Form<AppForm>,
    oauth: web::Data<OAuth>,
) -> Result<HttpResponse, Problem> {
    let call = identity(&request);
    let outcome = async {
        let name = names::normalize(&form.name).map_err(|error| Problem::invalid("name", error))?;
        let lines = form.redirect_uris.lines().filter_map(given);
        let new = NewApp {
            name,
            redirect_uris: lines.map(str::to_owned).collect(),
            home_page: given(&form.home_page).map(str::to_owned),
        };
        blocking(&oauth, move |oauth| oauth.create_app(&call, &new)).await
    };
    let outcome = outcome.await.map(drop);
    answer((&request, &visit), &oauth, "registered", (&form, outcome)).await
}
