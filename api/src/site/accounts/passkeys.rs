//! The parts of pages for passkeys, and the forms of the settings. A module of JavaScript calls the browser.

use actix_web::{HttpResponse, post, web};
use maud::{Markup, html};
use serde::Deserialize;
use uuid::Uuid;

use crate::accounts::names;
use crate::http::problem::Problem;
use crate::http::reply::blocking;
use crate::http::request::path::number;
use crate::sessions::passkey_model::{PasskeyBody, PasskeyChange};
use crate::site::accounts::settings::SettingsPage;
use crate::site::choice::own_page;
use crate::site::game::time;
use crate::site::texts::Texts;

/// A form that renames a passkey.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PasskeyNameForm {
    passkey: String,
    name: String,
}

/// A form that removes a passkey.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PasskeyRemovalForm {
    passkey: String,
}

/// A button that uses a passkey. The module shows it if the browser has passkeys.
pub fn passkey_button(texts: Texts, purpose: &str, label: &str, next: &str) -> Markup {
    html! {
        div id="passkey" data-purpose=(purpose) data-next=(own_page(next)) hidden {
            p class="or" { (texts.text("passkey-or")) }
            p { button type="button" { (label) } }
            p role="alert" data-refused=(texts.text("passkey-refused")) {}
        }
    }
}

/// The recovery codes of an account that a passkey has created. The module fills and shows it.
pub fn passkey_codes(texts: Texts, next: &str) -> Markup {
    html! {
        section id="passkey-codes" class="panel" aria-labelledby="passkey-codes-title" hidden {
            h2 id="passkey-codes-title" tabindex="-1" { (texts.text("sign-up-done")) }
            p { (texts.text("passkey-codes")) }
            ul class="codes" {}
            p { a class="button first" href=(own_page(next)) { (texts.text("sign-up-continue")) } }
        }
    }
}

/// The passkeys of an account, with forms to change them. `works` is true if the server has passkeys.
pub fn passkeys(texts: Texts, passkeys: &[PasskeyBody], works: bool) -> Markup {
    html! {
        section class="panel" aria-labelledby="passkeys-title" {
            h2 id="passkeys-title" { (texts.text("passkeys-title")) }
            p { (texts.text(if works { "passkeys-lead" } else { "passkeys-unavailable" })) }
            ul class="rows" {
                @for passkey in passkeys {
                    li {
                        b { (passkey.name) }
                        span class="faint" {
                            (texts.text("settings-token-created")) " " (time(texts, passkey.created_at))
                            @if let Some(at) = passkey.last_used_at { " · " (texts.text("settings-token-used")) " " (time(texts, at)) }
                            @if passkey.backed_up { " · " (texts.text("passkey-backed-up")) }
                        }
                        form method="post" action="/settings/passkeys/name" class="inline" {
                            input type="hidden" name="passkey" value=(passkey.id);
                            input name="name" value=(passkey.name) maxlength="64" required
                                aria-label={ (texts.text("passkey-name")) ": " (passkey.name) };
                            button { (texts.text("passkey-rename")) }
                        }
                        form method="post" action="/settings/passkeys/remove" {
                            button name="passkey" value=(passkey.id) aria-label={ (texts.text("passkey-remove")) ": " (passkey.name) } {
                                (texts.text("passkey-remove"))
                            }
                        }
                    }
                }
            }
            @if works {
                div id="passkey" class="fields" data-purpose="add" data-next="/settings?done=passkey" hidden {
                    label { (texts.text("passkey-name")) input name="passkey-name" maxlength="64" placeholder=(texts.text("passkey-example")); }
                    button type="button" { (texts.text("passkey-add")) }
                    p role="alert" data-refused=(texts.text("passkey-refused")) {}
                }
            }
        }
    }
}

/// Renames a passkey.
#[post("/settings/passkeys/name")]
pub async fn post_passkey_name(
    page: SettingsPage,
    web::Form(form): web::Form<PasskeyNameForm>,
) -> Result<HttpResponse, Problem> {
    let id: Uuid = number("passkey", &form.passkey)?;
    let call = page.call.clone();
    let outcome = async {
        let name = names::normalize(&form.name).map_err(|error| Problem::invalid("name", error))?;
        let change = PasskeyChange { name };
        blocking(&page.sessions, move |sessions| {
            sessions.rename_passkey(&call, id, &change)
        })
        .await
    };
    let outcome = outcome.await.map(drop);
    page.answer("passkey-name", outcome).await
}

/// Removes a passkey.
#[post("/settings/passkeys/remove")]
pub async fn post_passkey_removal(
    page: SettingsPage,
    web::Form(form): web::Form<PasskeyRemovalForm>,
) -> Result<HttpResponse, Problem> {
    let id: Uuid = number("passkey", &form.passkey)?;
    let call = page.call.clone();
    let outcome = blocking(&page.sessions, move |sessions| {
        sessions.remove_passkey(&call, id)
    })
    .await;
    page.answer("passkey-removed", outcome).await
}
