//! The settings of an account: handle, password, passkeys, recovery codes, devices and tokens.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, HttpResponse, get, post, web};
use jiff::{Timestamp, ToSpan};
use maud::{Markup, html};
use serde::Deserialize;
use uuid::Uuid;

use crate::accounts::model::{NewToken, PlayerChange, TokenBody};
use crate::accounts::names;
use crate::accounts::service::Accounts;
use crate::http::call::Call;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::blocking;
use crate::http::request::caller::identity;
use crate::http::request::path::number;
use crate::http::request::query::Query;
use crate::http::scope::Scope;
use crate::notices::model::{NoticeSettings, PushSubscription};
use crate::notices::service::Notices;
use crate::sessions::handlers::{charge_proof, with_password};
use crate::sessions::model::{PasswordChange, SessionBody};
use crate::sessions::passkey_handlers::has_passkeys;
use crate::sessions::passkey_model::{PasskeyBody, PasskeyChange};
use crate::sessions::passwords::Password;
use crate::sessions::service::{Sessions, SignInState};
use crate::site::accounts::notices::sections;
use crate::site::accounts::passkeys::passkeys;
use crate::site::accounts::{
    guest_seats, handle_field, password_field, recovery_codes, refusal, shown,
};
use crate::site::choice::Visit;
use crate::site::forms::redirect;
use crate::site::frame::time;
use crate::site::texts::Texts;

/// What has just been done.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SettingsQuery {
    done: String,
}

/// A form with a new handle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandleForm {
    handle: String,
}

/// A form that says what others see. The box is present if it is ticked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrivacyForm {
    #[serde(default)]
    hides_strengths: Option<String>,
}

/// A form with a new password.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PasswordForm {
    #[serde(default)]
    current: Option<Password>,
    password: Password,
}

/// A form with the password.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofForm {
    password: Password,
}

/// A form that ends a session, or all others.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionForm {
    session: String,
}

/// A form that revokes a token.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenRevocationForm {
    token: String,
}

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

/// A form that creates a token. A scope is present if it is ticked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewTokenForm {
    name: String,
    #[serde(default)]
    read: Option<String>,
    #[serde(default)]
    play: Option<String>,
    #[serde(default)]
    organize: Option<String>,
    #[serde(default)]
    account: Option<String>,
    /// Days until the token expires; 0 for never.
    days: u16,
}

/// The scopes that a form offers.
const SCOPES: [Scope; 4] = [Scope::Read, Scope::Play, Scope::Organize, Scope::Account];

/// Days until a token expires that a form offers; 0 for never.
const DAYS: [u16; 4] = [30, 90, 365, 0];

/// A scope in plain words.
pub(super) fn scope_words(texts: Texts, scope: Scope) -> &'static str {
    match scope {
        Scope::Read => texts.text("scope-read"),
        Scope::Play => texts.text("scope-play"),
        Scope::Organize => texts.text("scope-organize"),
        Scope::Account => texts.text("scope-account"),
        Scope::Admin => texts.text("scope-admin"),
    }
}

/// What the page shows.
struct SettingsContent {
    handle: String,
    hides_strengths: bool,
    state: SignInState,
    passkeys: Vec<PasskeyBody>,
    sessions: Vec<SessionBody>,
    tokens: Vec<TokenBody>,
    notices: NoticeSettings,
    browsers: Vec<PushSubscription>,
}

/// A request of an account that is signed in, and the services of the page.
#[derive(Debug)]
pub struct SettingsPage {
    pub(super) request: HttpRequest,
    pub(super) visit: Visit,
    pub(super) call: Call,
    accounts: web::Data<Accounts>,
    pub(super) sessions: web::Data<Sessions>,
    pub(super) notices: web::Data<Notices>,
}

impl FromRequest for SettingsPage {
    type Error = Problem;
    type Future = Ready<Result<SettingsPage, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let services = (
            request.app_data::<web::Data<Accounts>>().cloned(),
            request.app_data::<web::Data<Sessions>>().cloned(),
            request.app_data::<web::Data<Notices>>().cloned(),
        );
        let call = identity(request);
        ready(match services {
            _ if call.access.is_none() => {
                let detail = "the settings belong to an account: sign in";
                Err(Problem::new(Code::Unauthenticated, detail))
            }
            (Some(accounts), Some(sessions), Some(notices)) => Ok(SettingsPage {
                request: request.clone(),
                visit: Visit::of(request),
                call,
                accounts,
                sessions,
                notices,
            }),
            _ => Err(Problem::internal()),
        })
    }
}

impl SettingsPage {
    async fn read(&self) -> Result<SettingsContent, Problem> {
        let call = self.call.clone();
        let own = self.call.clone();
        let (state, passkeys, sessions) = blocking(&self.sessions, move |sessions| {
            let passkeys = sessions.passkeys(&own)?.items;
            Ok((sessions.state(&own)?, passkeys, sessions.list(&own)?.items))
        })
        .await?;
        let own = self.call.clone();
        let (notices, browsers) = blocking(&self.notices, move |notices| {
            Ok((notices.settings(&own)?, notices.subscriptions(&own)?.items))
        })
        .await?;
        blocking(&self.accounts, move |accounts| {
            let player = accounts.me(&call)?.player;
            Ok(SettingsContent {
                notices,
                browsers,
                handle: player.handle,
                hides_strengths: player.hides_strengths,
                tokens: accounts.tokens(&call)?.items,
                state,
                passkeys,
                sessions,
            })
        })
        .await
    }

    /// Shows the page with something on top.
    async fn shown(
        &self,
        top: &Markup,
        problem: Option<&Problem>,
    ) -> Result<HttpResponse, Problem> {
        let content = self.read().await?;
        let texts = self.visit.texts;
        let main = html! {
            h1 { (texts.text("settings-title")) }
            (refusal(texts, problem))
            (top)
            (guest_seats(texts))
            (profile(texts, &content))
            (password(texts, content.state))
            (passkeys(texts, &content.passkeys, has_passkeys(&self.request)))
            (codes(texts, content.state))
            (sections(texts, &content.notices, &content.browsers, content.state.has_password))
            (devices(texts, &content.sessions))
            (apps(texts))
            (tokens(texts, &content.tokens))
        };
        let title = (texts.text("settings-title"), "/settings");
        Ok(shown(&self.request, &self.visit, title, &main, problem))
    }

    /// Changes the account.
    async fn change(&self, done: &str, change: PlayerChange) -> Result<HttpResponse, Problem> {
        let call = self.call.clone();
        let outcome = async {
            charge(&self.request, Policy::Games)?;
            blocking(&self.accounts, move |accounts| {
                accounts.change(&call, &change)
            })
            .await
        };
        let outcome = outcome.await.map(drop);
        self.answer(done, outcome).await
    }

    /// Leads back to the page, or shows why something was refused.
    pub(super) async fn answer(
        &self,
        done: &str,
        outcome: Result<(), Problem>,
    ) -> Result<HttpResponse, Problem> {
        match outcome {
            Ok(()) => Ok(redirect(&format!("/settings?done={done}"))),
            Err(problem) if problem.code == Code::Unauthenticated => Err(problem),
            Err(problem) => self.shown(&html! {}, Some(&problem)).await,
        }
    }
}

fn profile(texts: Texts, content: &SettingsContent) -> Markup {
    let handle = &content.handle;
    html! {
        section class="panel" aria-labelledby="profile-title" {
            h2 id="profile-title" { (texts.text("settings-profile")) }
            p { a href={ "/players/" (handle) } { (texts.text("settings-public")) } }
            form method="post" action="/settings/handle" class="fields" {
                (handle_field(texts, handle, "username"))
                button { (texts.text("settings-rename")) }
            }
            form method="post" action="/settings/privacy" class="fields" {
                label class="tick" {
                    input type="checkbox" name="hides_strengths" value="yes" checked[content.hides_strengths];
                    " " (texts.text("settings-hide-strengths"))
                }
                p class="hint" { (texts.text("settings-hide-strengths-hint")) }
                button { (texts.text("settings-privacy-save")) }
            }
        }
    }
}

fn password(texts: Texts, state: SignInState) -> Markup {
    html! {
        section class="panel" aria-labelledby="password-title" {
            h2 id="password-title" { (texts.text("account-password")) }
            p { (texts.text("settings-password-lead")) }
            form method="post" action="/settings/password" class="fields" {
                @if state.has_password {
                    (password_field("current", texts.text("account-current-password"), "current-password"))
                }
                (password_field("password", texts.text("account-new-password"), "new-password"))
                button { (texts.text("settings-password-do")) }
            }
        }
    }
}

fn codes(texts: Texts, state: SignInState) -> Markup {
    html! {
        section class="panel" aria-labelledby="recovery-title" {
            h2 id="recovery-title" { (texts.text("settings-codes")) }
            p { (texts.format("settings-codes-left", [("count", state.recovery_codes.into())])) }
            @if state.has_password {
                form method="post" action="/settings/recovery-codes" class="fields" {
                    (password_field("password", texts.text("account-password"), "current-password"))
                    button { (texts.text("settings-codes-do")) }
                }
            }
        }
    }
}

fn devices(texts: Texts, sessions: &[SessionBody]) -> Markup {
    html! {
        section class="panel" aria-labelledby="devices-title" {
            h2 id="devices-title" { (texts.text("settings-devices")) }
            ul class="rows" {
                @for session in sessions {
                    li {
                        span { b { (session.device) } @if session.current { " " span class="tag" { (texts.text("settings-this-device")) } } }
                        span class="faint" {
                            (texts.format("settings-device-times", [
                                ("seen", texts.date(session.last_seen_at).into()),
                                ("since", texts.date(session.created_at).into()),
                            ]))
                        }
                        @if !session.current {
                            form method="post" action="/settings/sessions" {
                                button name="session" value=(session.id) aria-label={ (texts.text("settings-device-end")) ": " (session.device) } {
                                    (texts.text("settings-device-end"))
                                }
                            }
                        }
                    }
                }
            }
            @if sessions.iter().any(|session| !session.current) {
                form method="post" action="/settings/sessions" {
                    button name="session" value="others" { (texts.text("settings-devices-end")) }
                }
            }
        }
    }
}

/// The way to the apps, which are on a page of their own.
fn apps(texts: Texts) -> Markup {
    html! {
        section class="panel" aria-labelledby="apps-title" {
            h2 id="apps-title" { (texts.text("apps-title")) }
            p { (texts.text("settings-apps-lead")) }
            p { a class="button" href="/settings/apps" { (texts.text("settings-apps")) } }
        }
    }
}

fn tokens(texts: Texts, tokens: &[TokenBody]) -> Markup {
    html! {
        section class="panel" aria-labelledby="tokens-title" {
            h2 id="tokens-title" { (texts.text("settings-tokens")) }
            p { (texts.text("settings-tokens-lead")) " " a href="/docs/accounts-and-tokens" { (texts.text("settings-tokens-docs")) } }
            ul class="rows" {
                @for token in tokens {
                    li {
                        b { (token.name) }
                        span class="faint" {
                            @for scope in &token.scopes { (scope_words(texts, *scope)) " · " }
                            (texts.text("settings-token-created")) " " (time(texts, token.created_at))
                            @if let Some(at) = token.last_used_at { " · " (texts.text("settings-token-used")) " " (time(texts, at)) }
                            @if let Some(at) = token.expires_at { " · " (texts.text("settings-token-expires")) " " (time(texts, at)) }
                        }
                        form method="post" action="/settings/tokens/revoke" {
                            button name="token" value=(token.id) aria-label={ (texts.text("settings-token-revoke")) ": " (token.name) } {
                                (texts.text("settings-token-revoke"))
                            }
                        }
                    }
                }
            }
            h3 { (texts.text("settings-token-new")) }
            form method="post" action="/settings/tokens" class="fields" {
                label { (texts.text("settings-token-name")) input name="name" maxlength="64" required; }
                fieldset {
                    legend { (texts.text("settings-token-allows")) }
                    @for scope in SCOPES {
                        label class="tick" {
                            input type="checkbox" name=(scope.name()) value="yes" checked[matches!(scope, Scope::Read | Scope::Play)];
                            " " (scope_words(texts, scope))
                        }
                    }
                }
                label { (texts.text("settings-token-lasts"))
                    select name="days" {
                        @for days in DAYS {
                            option value=(days) selected[days == 90] {
                                @if days == 0 { (texts.text("settings-token-endless")) }
                                @else { (texts.format("settings-token-days", [("count", days.into())])) }
                            }
                        }
                    }
                }
                button { (texts.text("settings-token-do")) }
            }
        }
    }
}

/// The settings of the reader's account.
#[get("/settings")]
pub async fn settings_page(
    page: SettingsPage,
    Query(query): Query<SettingsQuery>,
) -> Result<HttpResponse, Problem> {
    let texts = page.visit.texts;
    let done = match query.done.as_str() {
        "handle" => Some("settings-done-handle"),
        "password" => Some("settings-done-password"),
        "privacy" => Some("settings-done-privacy"),
        "passkey" => Some("passkey-done-added"),
        "passkey-name" => Some("passkey-done-renamed"),
        "passkey-removed" => Some("passkey-done-removed"),
        "session" => Some("settings-done-session"),
        "revoked" => Some("settings-done-revoked"),
        "mail" => Some("settings-done-mail"),
        "mail-removed" => Some("settings-done-mail-removed"),
        "notices" => Some("settings-done-notices"),
        _ => None,
    };
    let top =
        html! { @if let Some(done) = done { p class="good" role="status" { (texts.text(done)) } } };
    page.shown(&top, None).await
}

/// Changes the handle.
#[post("/settings/handle")]
pub async fn post_handle(
    page: SettingsPage,
    web::Form(form): web::Form<HandleForm>,
) -> Result<HttpResponse, Problem> {
    let change = PlayerChange {
        handle: Some(form.handle.trim().to_owned()),
        ..PlayerChange::default()
    };
    page.change("handle", change).await
}

/// Changes what others see.
#[post("/settings/privacy")]
pub async fn post_privacy(
    page: SettingsPage,
    web::Form(form): web::Form<PrivacyForm>,
) -> Result<HttpResponse, Problem> {
    let change = PlayerChange {
        hides_strengths: Some(form.hides_strengths.is_some()),
        ..PlayerChange::default()
    };
    page.change("privacy", change).await
}

/// Changes the password.
#[post("/settings/password")]
pub async fn post_password(
    page: SettingsPage,
    web::Form(form): web::Form<PasswordForm>,
) -> Result<HttpResponse, Problem> {
    let call = page.call.clone();
    let change = PasswordChange {
        current: form.current,
        password: form.password,
    };
    let outcome = async {
        charge_proof(&page.request)?;
        with_password(&page.sessions, move |sessions| {
            sessions.change_password(&call, &change)
        })
        .await
    };
    page.answer("password", outcome.await).await
}

/// Replaces the recovery codes and shows them.
#[post("/settings/recovery-codes")]
pub async fn post_recovery_codes(
    page: SettingsPage,
    web::Form(form): web::Form<ProofForm>,
) -> Result<HttpResponse, Problem> {
    let call = page.call.clone();
    let outcome = async {
        charge_proof(&page.request)?;
        let work = move |sessions: &Sessions| sessions.new_recovery_codes(&call, &form.password);
        with_password(&page.sessions, work).await
    };
    match outcome.await {
        Ok(codes) => {
            page.shown(&recovery_codes(page.visit.texts, &codes), None)
                .await
        }
        Err(problem) => page.answer("codes", Err(problem)).await,
    }
}

/// Ends a session, or all others.
#[post("/settings/sessions")]
pub async fn post_session(
    page: SettingsPage,
    web::Form(form): web::Form<SessionForm>,
) -> Result<HttpResponse, Problem> {
    let call = page.call.clone();
    let outcome = match form.session.as_str() {
        "others" => blocking(&page.sessions, move |sessions| sessions.end_others(&call)).await,
        id => {
            let id: Uuid = number("session", id)?;
            blocking(&page.sessions, move |sessions| sessions.end(&call, id)).await
        }
    };
    page.answer("session", outcome).await
}

/// Creates a token and shows it.
#[post("/settings/tokens")]
pub async fn post_token(
    page: SettingsPage,
    web::Form(form): web::Form<NewTokenForm>,
) -> Result<HttpResponse, Problem> {
    let call = page.call.clone();
    let texts = page.visit.texts;
    let outcome = async {
        let new = new_token(&form)?;
        blocking(&page.accounts, move |accounts| {
            accounts.create_token(&call, &new)
        })
        .await
    };
    match outcome.await {
        Ok(created) => {
            let top = html! {
                section class="panel" aria-labelledby="token-title" {
                    h2 id="token-title" { (created.about.name) }
                    p { (texts.text("settings-token-once")) }
                    p { code { (created.token) } }
                }
            };
            page.shown(&top, None).await
        }
        Err(problem) => page.answer("token", Err(problem)).await,
    }
}

fn new_token(form: &NewTokenForm) -> Result<NewToken, Problem> {
    let ticked = [&form.read, &form.play, &form.organize, &form.account];
    let scopes = SCOPES.into_iter().zip(ticked);
    let scopes = scopes.filter_map(|(scope, ticked)| ticked.as_ref().map(|_| scope));
    let name = names::normalize(&form.name).map_err(|error| Problem::invalid("name", error))?;
    let hours = i64::from(form.days) * 24;
    let end = Timestamp::now().checked_add(hours.hours());
    Ok(NewToken {
        name,
        scopes: scopes.collect(),
        expires_at: end.ok().filter(|_| form.days > 0),
    })
}

/// Revokes a token.
#[post("/settings/tokens/revoke")]
pub async fn post_revocation(
    page: SettingsPage,
    web::Form(form): web::Form<TokenRevocationForm>,
) -> Result<HttpResponse, Problem> {
    let call = page.call.clone();
    let id: Uuid = number("token", &form.token)?;
    let outcome = blocking(&page.accounts, move |accounts| {
        accounts.revoke_token(&call, id)
    })
    .await;
    page.answer("revoked", outcome).await
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
