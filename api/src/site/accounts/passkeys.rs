//! The parts of pages for passkeys. A module of JavaScript calls the browser.

use maud::{Markup, html};

use crate::sessions::passkey_model::PasskeyBody;
use crate::site::choice::own_page;
use crate::site::frame::time;
use crate::site::texts::Texts;

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
