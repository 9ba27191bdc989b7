//! Choices, addresses and push subscriptions of accounts.

use std::sync::{Arc, OnceLock};

use uuid::Uuid;

use crate::db::{Store, StoreError};
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::limits::options::Limits;
use crate::http::scope::Scope;
use crate::http::secret::{fresh, hashed};
use crate::notices::mail::check_address;
use crate::notices::model::{
    MailAddress, NewMailAddress, NewPushSubscription, NoticeChoices, NoticeSettings, NoticeType,
    PushSubscription, PushSubscriptionList, choices,
};
use crate::notices::push::{PushKey, check_keys};
use crate::notices::queries::{ChoiceRow, MailAddressRow, StoredNotice, SubscriptionRow};
use crate::webhooks::address;

/// The type of the mail that confirms an address.
pub(super) const CONFIRM: &str = "confirm_address";

/// The type of the mail that recovers a password.
pub(super) const RECOVER: &str = "recover_password";

/// The shortest time between two such mails to an account, in microseconds: 2 minutes.
const PAUSE: i64 = 2 * 60 * 1_000_000;

/// The notices of accounts.
#[derive(Debug)]
pub struct Notices {
    store: Arc<Store>,
    /// Read on first use.
    push_key: OnceLock<PushKey>,
    /// Set if the server sends mail.
    mail: OnceLock<()>,
}

impl Notices {
    /// Creates the service.
    pub fn new(store: Arc<Store>) -> Notices {
        Notices {
            store,
            push_key: OnceLock::new(),
            mail: OnceLock::new(),
        }
    }

    /// Allows addresses, because the server sends mail.
    pub fn allow_mail(&self) {
        // A second call has no effect.
        let _ = self.mail.set(());
    }

    /// Returns true if the server sends mail.
    pub fn has_mail(&self) -> bool {
        self.mail.get().is_some()
    }

    fn check_mail(&self) -> Result<(), ServiceError> {
        match self.has_mail() {
            true => Ok(()),
            false => Err(ServiceError::Forbidden(
                "this server sends no mail: its operator has not configured a mail server"
                    .to_owned(),
            )),
        }
    }

    /// Returns the key for push messages, which is created once for all nodes.
    pub fn push_key(&self) -> Result<&PushKey, StoreError> {
        if let Some(key) = self.push_key.get() {
            return Ok(key);
        }
        let unavailable = |error: getrandom::Error| StoreError::Unavailable(error.to_string());
        let secret = self.store.push_secret(&fresh().map_err(unavailable)?)?;
        let key = PushKey::read(&secret).ok_or_else(|| {
            StoreError::Unavailable("the key for push messages is unreadable".to_owned())
        })?;
        Ok(self.push_key.get_or_init(|| key))
    }

    /// Returns the choices of the caller's account.
    pub fn settings(&self, call: &Call) -> Result<NoticeSettings, ServiceError> {
        let account = call.account_without_app(Scope::Account)?.account;
        let address = self.store.mail_address(&account.to_string())?;
        Ok(NoticeSettings {
            choices: choices(&self.store.notice_choices(account)?),
            mail_address: address.map(MailAddress::from),
            mail_available: self.has_mail(),
            push_key: self.push_key()?.public(),
        })
    }

    /// Replaces the choices of the caller's account.
    pub fn choose(&self, call: &Call, new: &NoticeChoices) -> Result<NoticeSettings, ServiceError> {
        let account = call.account_without_app(Scope::Account)?.account;
        let since = self.store.last_position()?;
        let league_since = self.store.last_league_position()?;
        let created_at = self.store.now();
        let mut rows: Vec<ChoiceRow> = Vec::new();
        for (index, choice) in new.choices.iter().enumerate() {
            let kind = choice.r#type.name().to_owned();
            if rows.iter().any(|row| row.kind == kind) {
                let message = format!("`{kind}` is listed twice: list each type once");
                return Err(ServiceError::invalid(
                    format!("choices/{index}/type"),
                    message,
                ));
            }
            rows.push(ChoiceRow {
                account: account.to_string(),
                kind,
                mail: choice.mail.name().to_owned(),
                push: i64::from(choice.push),
                since,
                league_since,
                created_at,
            });
        }
        self.store.set_notice_choices(account, rows)?;
        self.settings(call)
    }

    /// Ends the mails of a type, or of all types.
    pub fn unsubscribe(&self, code: &str, r#type: Option<NoticeType>) -> Result<(), ServiceError> {
        match self.store.unsubscribe(code, r#type.map(NoticeType::name))? {
            true => Ok(()),
            false => Err(ServiceError::NotFound(
                "subscription with this code".to_owned(),
            )),
        }
    }

    /// Returns the address of the caller's account.
    pub fn address(&self, call: &Call) -> Result<MailAddress, ServiceError> {
        let account = call.account_without_app(Scope::Account)?.account;
        let found = self.store.mail_address(&account.to_string())?;
        found
            .map(MailAddress::from)
            .ok_or_else(|| ServiceError::NotFound("e-mail address of the account".to_owned()))
    }

    /// Replaces the address of the caller's account. A mail asks to confirm it.
    /// The caller has proved the password.
    pub fn set_address(
        &self,
        call: &Call,
        new: &NewMailAddress,
    ) -> Result<MailAddress, ServiceError> {
        let account = call.account_without_app(Scope::Account)?.account;
        self.check_mail()?;
        let address = new.address.trim();
        check_address(address).map_err(|message| ServiceError::invalid("address", message))?;
        let now = self.store.now();
        let row = MailAddressRow {
            account: account.to_string(),
            address: address.to_owned(),
            language: new.language.code().to_owned(),
            confirmed_at: None,
            unsubscribe: fresh().map_err(|error| StoreError::Unavailable(error.to_string()))?,
            created_at: now,
        };
        let occasion = format!("{account} {CONFIRM} {address} {}", now / PAUSE);
        let notice = system_notice(account, CONFIRM, occasion, now);
        self.store.set_mail_address(row.clone(), notice)?;
        Ok(row.into())
    }

    /// Removes the address of the caller's account.
    pub fn remove_address(&self, call: &Call) -> Result<(), ServiceError> {
        let account = call.account_without_app(Scope::Account)?.account;
        Ok(self.store.remove_mail_address(account)?)
    }

    /// Confirms an address by the token of a mail.
    pub fn confirm(&self, token: &str) -> Result<(), ServiceError> {
        let confirmed = self
            .store
            .confirm_address(hashed(token), self.store.now())?;
        match confirmed {
            true => Ok(()),
            false => Err(ServiceError::invalid(
                "token",
                "the link is used, expired or of another address: set the address again",
            )),
        }
    }

    /// Sends a mail to the account with a handle, if it has a confirmed address.
    ///
    /// Whether it has one is only checked when the mail is sent, and a notice is stored for any handle. So neither the
    /// answer nor its time shows whether the account or its address exists.
    pub fn recover(&self, handle: &str) -> Result<(), ServiceError> {
        self.check_mail()?;
        let found = self.store.account_called(handle)?;
        let account = found.map_or_else(Uuid::now_v7, |account| account.id);
        let now = self.store.now();
        let occasion = format!("{account} {RECOVER} {}", now / PAUSE);
        let notice = system_notice(account, RECOVER, occasion, now);
        Ok(self.store.add_notices(vec![notice])?)
    }

    /// Returns the push subscriptions of the caller's account.
    pub fn subscriptions(&self, call: &Call) -> Result<PushSubscriptionList, ServiceError> {
        let account = call.account_without_app(Scope::Account)?.account;
        let rows = self.store.subscriptions(vec![account.to_string()])?;
        let items = rows.into_iter().map(PushSubscription::from).collect();
        Ok(PushSubscriptionList { items })
    }

    /// Adds a browser that receives push messages.
    pub fn subscribe(
        &self,
        limits: &Limits,
        call: &Call,
        new: NewPushSubscription,
        device: String,
    ) -> Result<PushSubscription, ServiceError> {
        let account = call.account_without_app(Scope::Account)?.account;
        address::check(&new.endpoint, limits.webhooks_to_loopback)
            .map_err(|message| ServiceError::invalid("endpoint", message))?;
        check_keys(&new.keys.p256dh, &new.keys.auth)
            .map_err(|message| ServiceError::invalid("keys", message))?;
        let row = SubscriptionRow {
            id: Uuid::now_v7().to_string(),
            account: account.to_string(),
            endpoint: new.endpoint,
            key: new.keys.p256dh,
            auth: new.keys.auth,
            device,
            language: new.language.code().to_owned(),
            created_at: self.store.now(),
        };
        self.store.add_subscription(row.clone())?;
        Ok(row.into())
    }

    /// Removes a push subscription of the caller's account.
    pub fn end_subscription(&self, call: &Call, id: Uuid) -> Result<(), ServiceError> {
        let account = call
            .account_without_app(Scope::Account)?
            .account
            .to_string();
        match self.store.remove_subscription(&account, &id.to_string())? {
            true => Ok(()),
            false => Err(ServiceError::NotFound(format!("push subscription {id}"))),
        }
    }
}

/// Returns the notice of a mail about the account itself.
fn system_notice(account: Uuid, kind: &str, occasion: String, now: i64) -> StoredNotice {
    StoredNotice {
        id: Uuid::now_v7().to_string(),
        account: account.to_string(),
        channel: "mail".to_owned(),
        kind: kind.to_owned(),
        occasion,
        subscription: None,
        game: None,
        league: None,
        seq: None,
        due_at: None,
        created_at: now,
        next_at: Some(now),
        attempts: 0,
    }
}
