//! The parts of the settings about mail and notices, and the pages that links in mails open.

use actix_web::{HttpRequest, HttpResponse, get, post, web};
use maud::{Markup, html};
use serde::Deserialize;

use crate::http::cookie::check_own_page;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::blocking;
use crate::http::request::path::not_found;
use crate::http::request::query::Query;
use crate::notices::handlers::request_recovery;
use crate::notices::model::{MailTiming, NoticeSettings, NoticeType, PushSubscription};
use crate::notices::service::Notices;
use crate::site::accounts::{handle_field, password_field, refusal, shown};
use crate::site::assets;
use crate::site::choice::Visit;
use crate::site::forms::{given, redirect};
use crate::site::texts::Texts;

/// The token of the link that confirms an address.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TokenQuery {
    token: String,
}

/// The code of the link that ends mails, and the type of the mails.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct UnsubscribeQuery {
    code: String,
    r#type: String,
}

/// A form with the handle of an account.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecoveryForm {
    handle: String,
}

/// The type of a notice in words.
fn type_words(texts: Texts, r#type: NoticeType) -> &'static str {
    texts.text(match r#type {
        NoticeType::YourTurn => "notice-type-your-turn",
        NoticeType::YourBid => "notice-type-your-bid",
        NoticeType::UndoRequest => "notice-type-undo-request",
        NoticeType::Invitation => "notice-type-invitation",
        NoticeType::DeadlineNear => "notice-type-deadline-near",
        NoticeType::SeatLost => "notice-type-seat-lost",
        NoticeType::GameStarted => "notice-type-game-started",
        NoticeType::GameFinished => "notice-type-game-finished",
        NoticeType::GameAbandoned => "notice-type-game-abandoned",
        NoticeType::LeagueNews => "notice-type-league-news",
    })
}

fn timing_words(texts: Texts, timing: MailTiming) -> &'static str {
    texts.text(match timing {
        MailTiming::Never => "mail-timing-never",
        MailTiming::Each => "mail-timing-each",
        MailTiming::Daily => "mail-timing-daily",
    })
}

/// The sections of the settings.
pub(super) fn sections(
    texts: Texts,
    settings: &NoticeSettings,
    browsers: &[PushSubscription],
    has_password: bool,
) -> Markup {
    html! {
        (mail(texts, settings, has_password))
        (choices(texts, settings))
        (push(texts, settings, browsers))
    }
}

fn mail(texts: Texts, settings: &NoticeSettings, has_password: bool) -> Markup {
    let address = settings.mail_address.as_ref();
    html! {
        section class="panel" aria-labelledby="mail-title" {
            h2 id="mail-title" { (texts.text("settings-mail")) }
            @if settings.mail_available {
                p { (texts.text("settings-mail-lead")) }
                @match address {
                    None => p { (texts.text("settings-mail-none")) },
                    Some(own) => p {
                        @let id = if own.confirmed_at.is_some() { "settings-mail-confirmed" } else { "settings-mail-unconfirmed" };
                        (texts.format(id, [("address", own.address.as_str().into())]))
                    },
                }
                form method="post" action="/settings/mail" class="fields" {
                    label { (texts.text("settings-mail-address"))
                        input name="address" type="email" autocomplete="email" maxlength="254" required;
                    }
                    @if has_password {
                        (password_field("password", texts.text("account-password"), "current-password"))
                    }
                    button { (texts.text("settings-mail-do")) }
                }
                @if address.is_some() {
                    form method="post" action="/settings/mail" {
                        button name="remove" value="yes" { (texts.text("settings-mail-remove")) }
                    }
                }
            } @else {
                p { (texts.text("settings-mail-unavailable")) }
            }
        }
    }
}

fn choices(texts: Texts, settings: &NoticeSettings) -> Markup {
    html! {
        section class="panel" aria-labelledby="notices-title" {
            h2 id="notices-title" { (texts.text("settings-notices")) }
            p { (texts.text("settings-notices-lead")) }
            form method="post" action="/settings/notices" {
                ul class="rows" {
                    @for choice in &settings.choices {
                        @let name = choice.r#type.name();
                        @let words = type_words(texts, choice.r#type);
                        li {
                            b { (words) }
                            select name={ "mail-" (name) } aria-label={ (words) ": " (texts.text("settings-notices-mail")) } {
                                @for timing in MailTiming::ALL {
                                    option value=(timing.name()) selected[timing == choice.mail] { (timing_words(texts, timing)) }
                                }
                            }
                            label {
                                input type="checkbox" name={ "push-" (name) } value="yes" checked[choice.push]
                                    aria-label={ (words) ": " (texts.text("settings-notices-push")) };
                                " " (texts.text("settings-notices-push"))
                            }
                        }
                    }
                }
                p { button { (texts.text("settings-notices-do")) } }
            }
        }
    }
}

/// The browsers that show notices. A module adds this one.
fn push(texts: Texts, settings: &NoticeSettings, browsers: &[PushSubscription]) -> Markup {
    html! {
        section class="panel" aria-labelledby="push-title" {
            h2 id="push-title" { (texts.text("push-title")) }
            p { (texts.text("push-lead")) }
            @if browsers.is_empty() { p { (texts.text("push-none")) } }
            ul class="rows" {
                @for browser in browsers {
                    li {
                        b { (browser.device) }
                        span class="faint" { (texts.date(browser.created_at)) }
                        form method="post" action="/settings/push" {
                            button name="subscription" value=(browser.id) aria-label={ (texts.text("push-end")) ": " (browser.device) } {
                                (texts.text("push-end"))
                            }
                        }
                    }
                }
            }
            div id="push" data-key=(settings.push_key) data-language=(texts.0.code()) hidden {
                button type="button" { (texts.text("push-do")) }
                p role="status" data-done=(texts.text("push-done")) data-refused=(texts.text("push-refused")) {}
            }
        }
    }
}

/// A page with a sentence, or with a form whose address has all that it needs.
fn simple(
    request: &HttpRequest,
    visit: &Visit,
    title: &str,
    main: &Markup,
    problem: Option<&Problem>,
) -> HttpResponse {
    let content = html! {
        h1 { (title) }
        (refusal(visit.texts, problem))
        (main)
    };
    shown(request, visit, (title, "/settings"), &content, problem)
}

/// The page that the link of a mail opens: a button that confirms the address.
///
/// Programs that scan mails open links, so that the link alone confirms nothing.
#[get("/confirm-mail")]
pub async fn confirmation_page(
    request: HttpRequest,
    visit: Visit,
    Query(query): Query<TokenQuery>,
) -> HttpResponse {
    let main = confirmation_form(visit.texts, &query.token);
    simple(
        &request,
        &visit,
        visit.texts.text("confirm-mail-title"),
        &main,
        None,
    )
}

fn confirmation_form(texts: Texts, token: &str) -> Markup {
    html! {
        form method="post" action="/confirm-mail" class="fields" {
            input type="hidden" name="token" value=(token);
            button class="first" { (texts.text("confirm-mail-do")) }
        }
    }
}

/// Confirms an address.
#[post("/confirm-mail")]
pub async fn post_confirmation(
    request: HttpRequest,
    visit: Visit,
    web::Form(form): web::Form<TokenQuery>,
    notices: web::Data<Notices>,
) -> Result<HttpResponse, Problem> {
    check_own_page(&request)?;
    let token = form.token.clone();
    let confirmed = async {
        charge(&request, Policy::SignIns)?;
        blocking(&notices, move |notices| notices.confirm(&token)).await
    };
    let texts = visit.texts;
    let title = texts.text("confirm-mail-title");
    Ok(match confirmed.await {
        Ok(()) => {
            let main = html! {
                p class="good" role="status" { (texts.text("confirm-mail-done")) }
                p { a href="/settings" { (texts.text("settings-title")) } }
            };
            simple(&request, &visit, title, &main, None)
        }
        Err(problem) => simple(
            &request,
            &visit,
            title,
            &confirmation_form(texts, &form.token),
            Some(&problem),
        ),
    })
}

/// The type of mails in a query; `None` for all.
fn wanted_type(query: &UnsubscribeQuery) -> Result<Option<NoticeType>, Problem> {
    match given(&query.r#type) {
        None => Ok(None),
        Some(name) => match NoticeType::by_name(name) {
            Some(r#type) => Ok(Some(r#type)),
            None => Err(not_found("type of notice", name)),
        },
    }
}

/// The page that ends mails, without signing in.
#[get("/unsubscribe")]
pub async fn unsubscribe_page(
    request: HttpRequest,
    visit: Visit,
    Query(query): Query<UnsubscribeQuery>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    let r#type = wanted_type(&query)?;
    let main = html! {
        p { (texts.text("unsubscribe-lead")) }
        @if let Some(r#type) = r#type {
            form method="post" action={ "/unsubscribe?code=" (query.code) "&type=" (r#type.name()) } {
                button class="first" { (texts.format("unsubscribe-type", [("type", type_words(texts, r#type).into())])) }
            }
        }
        form method="post" action={ "/unsubscribe?code=" (query.code) } {
            button { (texts.text("unsubscribe-all")) }
        }
    };
    let title = texts.text("unsubscribe-title");
    Ok(simple(&request, &visit, title, &main, None))
}

/// Ends mails. Mail programs send this too (RFC 8058); the code in the address is enough.
#[post("/unsubscribe")]
pub async fn post_unsubscribe(
    request: HttpRequest,
    visit: Visit,
    Query(query): Query<UnsubscribeQuery>,
    notices: web::Data<Notices>,
) -> Result<HttpResponse, Problem> {
    let r#type = wanted_type(&query)?;
    blocking(&notices, move |notices| {
        notices.unsubscribe(&query.code, r#type)
    })
    .await?;
    let texts = visit.texts;
    let main = html! {
        p class="good" role="status" { (texts.text("unsubscribe-done")) }
        p { a href="/settings" { (texts.text("settings-title")) } }
    };
    let title = texts.text("unsubscribe-title");
    Ok(simple(&request, &visit, title, &main, None))
}

/// The form that asks for a code by mail; nothing if the server sends none.
pub(super) fn recovery_by_mail(texts: Texts, notices: &Notices, done: bool) -> Markup {
    html! {
        @if notices.has_mail() {
            section class="panel" aria-labelledby="recover-mail-title" {
                h2 id="recover-mail-title" { (texts.text("recover-mail-title")) }
                @if done { p class="good" role="status" { (texts.text("recover-mail-done")) } }
                p { (texts.text("recover-mail-lead")) }
                form method="post" action="/recover/mail" class="fields" {
                    (handle_field(texts, "", "username"))
                    button { (texts.text("recover-mail-do")) }
                }
            }
        }
    }
}

/// Sends a code by mail. The answer is the same for any handle.
#[post("/recover/mail")]
pub async fn post_recovery_mail(
    request: HttpRequest,
    visit: Visit,
    web::Form(form): web::Form<RecoveryForm>,
    notices: web::Data<Notices>,
) -> Result<HttpResponse, Problem> {
    check_own_page(&request)?;
    match request_recovery(&request, &notices, form.handle.trim().to_owned()).await {
        Ok(()) => Ok(redirect("/recover?sent=yes")),
        Err(problem) => {
            let title = visit.texts.text("recover-mail-title");
            let main = recovery_by_mail(visit.texts, &notices, false);
            Ok(simple(&request, &visit, title, &main, Some(&problem)))
        }
    }
}

/// The program that shows push messages. Its path is fixed, because browsers keep it by its path.
#[get("/push-worker.js")]
pub async fn push_worker(request: HttpRequest) -> HttpResponse {
    let content = assets::content("push-worker.js").unwrap_or_default();
    let media_type = "text/javascript; charset=utf-8";
    crate::http::reply::text(&request, media_type, content.to_owned())
}
