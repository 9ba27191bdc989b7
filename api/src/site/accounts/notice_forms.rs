//! The forms of the settings about mail and notices.

use actix_web::{HttpResponse, post, web};
use serde::Deserialize;

use crate::http::problem::Problem;
use crate::http::reply::blocking;
use crate::http::request::path::number;
use crate::notices::handlers::change_address;
use crate::notices::model::{MailTiming, NewMailAddress, NoticeChoice, NoticeChoices, NoticeType};
use crate::sessions::passwords::Password;
use crate::site::accounts::settings::SettingsPage;

/// A form with an e-mail address.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailForm {
    #[serde(default)]
    address: String,
    #[serde(default)]
    password: Option<Password>,
    #[serde(default)]
    remove: Option<String>,
}

/// A form that ends a push subscription.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PushForm {
    subscription: String,
}

/// Replaces or removes the e-mail address.
#[post("/settings/mail")]
pub async fn post_mail(
    page: SettingsPage,
    web::Form(form): web::Form<MailForm>,
) -> Result<HttpResponse, Problem> {
    if form.remove.is_some() {
        let call = page.call.clone();
        let removed = blocking(&page.notices, move |notices| notices.remove_address(&call)).await;
        return page.answer("mail-removed", removed).await;
    }
    let new = NewMailAddress {
        address: form.address,
        language: page.visit.texts.0,
        password: form.password,
    };
    let changed = change_address(&page.request, &page.sessions, &page.notices, new).await;
    page.answer("mail", changed.map(drop)).await
}

/// Replaces the choices of notices.
#[post("/settings/notices")]
pub async fn post_notices(
    page: SettingsPage,
    web::Form(fields): web::Form<Vec<(String, String)>>,
) -> Result<HttpResponse, Problem> {
    let value = |prefix: &str, r#type: NoticeType| {
        let name = format!("{prefix}-{}", r#type.name());
        let found = fields.iter().find(|(own, _)| *own == name);
        found.map(|(_, value)| value.as_str())
    };
    let choices = NoticeType::ALL.into_iter().map(|r#type| NoticeChoice {
        r#type,
        mail: (value("mail", r#type).and_then(MailTiming::by_name)).unwrap_or_default(),
        push: value("push", r#type).is_some(),
    });
    let new = NoticeChoices {
        choices: choices.collect(),
    };
    let call = page.call.clone();
    let chosen = blocking(&page.notices, move |notices| notices.choose(&call, &new)).await;
    page.answer("notices", chosen.map(drop)).await
}

/// Ends a push subscription.
#[post("/settings/push")]
pub async fn post_push(
    page: SettingsPage,
    web::Form(form): web::Form<PushForm>,
) -> Result<HttpResponse, Problem> {
    let call = page.call.clone();
    let id = number("push subscription", &form.subscription)?;
    let ended = blocking(&page.notices, move |notices| {
        notices.end_subscription(&call, id)
    })
    .await;
    page.answer("notices", ended).await
}
