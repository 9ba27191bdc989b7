//! Passkeys (WebAuthn): signing up and in with them, and those of an account.
//!
//! - A ceremony has two requests: the first returns options for the browser, the second sends its credential. What the
//!   server must remember between them is a row that expires, so that any node can finish the ceremony, once.
//! - A passkey belongs to the origin of the server. Behind a proxy this is the configured public URL.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;
use webauthn_rs::prelude::{
    DiscoverableAuthentication, Passkey, PasskeyRegistration, PublicKeyCredential,
    RegisterPublicKeyCredential, Url, Webauthn, WebauthnBuilder, WebauthnError,
};

use crate::accounts::queries::StoredAccount;
use crate::accounts::service::{check_handle, handle_is_taken, new_account, now};
use crate::db::StoreError;
use crate::db::time::timestamp;
use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};
use crate::http::scope::Scope;
use crate::http::secret::{fresh, hashed};
use crate::sessions::passkey_model::{
    CeremonyBody, CeremonyEnd, CeremonyPurpose, NewCeremony, NewPasskey, PasskeyBody,
    PasskeyChange, PasskeyList, PasskeySession,
};
use crate::sessions::passkey_queries::{MOST, StoredPasskey};
use crate::sessions::service::{Sessions, new_codes, new_session, no_random, started};

/// How long a ceremony can be finished, in microseconds: the time that browsers have.
const LASTS: i64 = 5 * 60 * 1_000_000;

const NO_CEREMONY: &str =
    "the ceremony is unknown, was finished or has expired: begin another one for this purpose";

const NO_PASSKEY: &str = "the passkey belongs to no account, or its answer is wrong: use another one, or sign in with the \
     password";

const HAS_PASSKEY: &str = "this passkey is already in use: create another one";

/// What the server remembers of a ceremony.
#[derive(Serialize, Deserialize)]
enum Ceremony {
    SignIn {
        state: DiscoverableAuthentication,
    },
    SignUp {
        account: Uuid,
        handle: String,
        state: PasskeyRegistration,
    },
    Add {
        account: Uuid,
        state: PasskeyRegistration,
    },
}

/// A session that has started with a passkey.
pub struct PasskeySignIn {
    /// The value of the cookie.
    pub cookie: String,
    /// The account, the session and the codes of a new account.
    pub body: PasskeySession,
}

/// Returns the verifier of passkeys for an origin, such as `https://games.example.org`.
///
/// # Errors
/// If browsers have no passkeys for this origin: it must use HTTPS and a name, or be `localhost`.
pub fn verifier(origin: &str) -> Result<Webauthn, ServiceError> {
    let unavailable = || {
        let message = format!(
            "browsers have no passkeys for {origin}: the public URL of the server must be HTTPS with a name, or localhost"
        );
        ServiceError::conflict(ConflictKind::PasskeysUnavailable, message)
    };
    let url = Url::parse(origin).map_err(|_| unavailable())?;
    let domain = url.domain().ok_or_else(unavailable)?;
    if url.scheme() != "https" && domain != "localhost" {
        return Err(unavailable());
    }
    let builder = WebauthnBuilder::new(domain, &url).map_err(|_| unavailable())?;
    let builder = builder.rp_name("Tabularium");
    builder.build().map_err(|_| unavailable())
}

/// The error of an answer that does not prove the passkey.
fn wrong(error: WebauthnError) -> ServiceError {
    tracing::debug!(%error, "a passkey was refused");
    ServiceError::WrongPasskey(NO_PASSKEY)
}

/// The error of options that cannot be created.
fn not_created(error: WebauthnError) -> StoreError {
    StoreError::Unavailable(error.to_string())
}

fn to_json(value: &impl Serialize) -> Result<String, ServiceError> {
    serde_json::to_string(value).map_err(|error| ServiceError::damaged(Uuid::nil(), error))
}

fn to_value(value: &impl Serialize) -> Result<Value, ServiceError> {
    serde_json::to_value(value).map_err(|error| ServiceError::damaged(Uuid::nil(), error))
}

/// Reads the credential of a request.
fn credential<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, ServiceError> {
    serde_json::from_value(value).map_err(|error| ServiceError::invalid("credential", error))
}

/// Returns the row of a new passkey.
fn stored(account: Uuid, passkey: &Passkey, name: &str) -> Result<StoredPasskey, ServiceError> {
    let content = to_json(passkey)?;
    Ok(StoredPasskey {
        id: Uuid::now_v7(),
        account,
        credential: hex::encode(passkey.cred_id()),
        backed_up: is_backed_up(&content),
        content,
        name: name.to_owned(),
        created_at: now(),
        used_at: None,
    })
}

/// Reads the backup state, which the library does not return, from the stored passkey.
fn is_backed_up(content: &str) -> bool {
    let content: Value = serde_json::from_str(content).unwrap_or_default();
    content["cred"]["backup_state"] == true
}

impl Sessions {
    /// Begins a ceremony.
    pub fn begin_ceremony(
        &self,
        call: &Call,
        origin: &str,
        new: &NewCeremony,
    ) -> Result<CeremonyBody, ServiceError> {
        let verifier = verifier(origin)?;
        if new.handle.is_some() != (new.purpose == CeremonyPurpose::SignUp) {
            let message = "the handle is needed to sign up, and only then";
            return Err(ServiceError::invalid("handle", message));
        }
        let create = |account: Uuid, handle: &str, others: Option<Vec<Vec<u8>>>| {
            let created = verifier.start_passkey_registration(account, handle, handle, others);
            let (options, state) = created.map_err(not_created)?;
            let mut options = to_value(&options)?;
            // Only a passkey that the browser can find replaces the handle.
            let selection = &mut options["publicKey"]["authenticatorSelection"];
            selection["residentKey"] = "required".into();
            selection["requireResidentKey"] = true.into();
            Ok::<_, ServiceError>((options, state))
        };
        let (options, ceremony) = match new.purpose {
            CeremonyPurpose::SignIn => {
                let begun = verifier.start_discoverable_authentication();
                let (options, state) = begun.map_err(not_created)?;
                (to_value(&options)?, Ceremony::SignIn { state })
            }
            CeremonyPurpose::SignUp => {
                let handle = new.handle.clone().unwrap_or_default();
                self.check_new_handle(&handle)?;
                let account = new_account(&handle).id;
                let (options, state) = create(account, &handle, None)?;
                let ceremony = Ceremony::SignUp {
                    account,
                    handle,
                    state,
                };
                (options, ceremony)
            }
            CeremonyPurpose::Add => {
                let access = call.account_without_app(Scope::Account)?;
                let own = self.store.passkeys(access.account)?;
                let own = own.iter().map(|own| hex::decode(&own.credential));
                let own = own.filter_map(Result::ok).collect();
                let account = access.account;
                let (options, state) = create(account, &access.handle, Some(own))?;
                (options, Ceremony::Add { account, state })
            }
        };
        let secret = fresh().map_err(no_random)?;
        let expires_at = now() + LASTS;
        (self.store).begin_ceremony(hashed(&secret), to_json(&ceremony)?, expires_at)?;
        Ok(CeremonyBody {
            ceremony: secret,
            options,
            expires_at: timestamp(expires_at),
        })
    }

    fn check_new_handle(&self, handle: &str) -> Result<(), ServiceError> {
        if !self.is_open() {
            let message = "registration is closed on this server: ask its operator for an account";
            return Err(ServiceError::Forbidden(message.to_owned()));
        }
        check_handle(handle).map_err(|message| ServiceError::invalid("handle", message))?;
        match self.store.account_called(handle)? {
            Some(_) => Err(handle_is_taken(handle)),
            None => Ok(()),
        }
    }

    fn take_ceremony(&self, secret: &str) -> Result<Ceremony, ServiceError> {
        let state = self.store.take_ceremony(hashed(secret))?;
        let state = state.ok_or(ServiceError::WrongPasskey(NO_CEREMONY))?;
        serde_json::from_str(&state).map_err(|error| ServiceError::damaged(Uuid::nil(), error))
    }

    /// Finishes a ceremony with a session: signs in, or creates the account and signs it in.
    pub fn start_session_with_passkey(
        &self,
        origin: &str,
        end: CeremonyEnd,
        device: String,
    ) -> Result<PasskeySignIn, ServiceError> {
        let verifier = verifier(origin)?;
        match self.take_ceremony(&end.ceremony)? {
            Ceremony::SignIn { state } => {
                self.sign_in_with_passkey(&verifier, state, credential(end.credential)?, device)
            }
            Ceremony::SignUp {
                account,
                handle,
                state,
            } => {
                self.check_new_handle(&handle)?;
                let credential = credential(end.credential)?;
                let passkey = verifier.finish_passkey_registration(&credential, &state);
                let passkey = passkey.map_err(wrong)?;
                let account = StoredAccount {
                    id: account,
                    ..new_account(&handle)
                };
                self.sign_up_with_passkey(account, &passkey, device)
            }
            Ceremony::Add { .. } => Err(ServiceError::WrongPasskey(NO_CEREMONY)),
        }
    }

    fn sign_up_with_passkey(
        &self,
        account: StoredAccount,
        passkey: &Passkey,
        device: String,
    ) -> Result<PasskeySignIn, ServiceError> {
        let (codes, hashes) = new_codes()?;
        let passkey = stored(account.id, passkey, &device)?;
        let (cookie, session) = new_session(account.id, device)?;
        let created =
            (self.store).sign_up_with_passkey(account.clone(), passkey, hashes, session.clone());
        match created {
            Ok(()) => {}
            Err(StoreError::Conflict) => return Err(handle_is_taken(&account.handle)),
            Err(error) => return Err(error.into()),
        }
        let body = started(cookie.clone(), account, session).body;
        Ok(PasskeySignIn {
            cookie,
            body: PasskeySession {
                player: body.player,
                session: body.session,
                recovery_codes: Some(codes),
            },
        })
    }

    fn sign_in_with_passkey(
        &self,
        verifier: &Webauthn,
        state: DiscoverableAuthentication,
        credential: PublicKeyCredential,
        device: String,
    ) -> Result<PasskeySignIn, ServiceError> {
        let identified = verifier.identify_discoverable_authentication(&credential);
        let (account, id) = identified.map_err(wrong)?;
        let found = self.store.passkey(hex::encode(id))?;
        let found = found.filter(|found| found.account == account);
        let found = found.ok_or(ServiceError::WrongPasskey(NO_PASSKEY))?;
        let mut passkey: Passkey = serde_json::from_str(&found.content)
            .map_err(|error| ServiceError::damaged(found.id, error))?;
        let proof = verifier.finish_discoverable_authentication_v2(&credential, state, &passkey);
        passkey.update_credential(&proof.map_err(wrong)?);
        let account = self.store.account_by_id(account)?;
        let account = account.filter(|account| account.deleted_at.is_none());
        let account = account.ok_or(ServiceError::WrongPasskey(NO_PASSKEY))?;
        if account.suspended_at.is_some() {
            return Err(ServiceError::Suspended);
        }
        let (cookie, session) = new_session(account.id, device)?;
        let content = to_json(&passkey)?;
        let previous = found.content;
        let used = StoredPasskey {
            backed_up: is_backed_up(&content),
            content,
            ..found
        };
        if !(self.store).start_session_with_passkey(session.clone(), used, previous)? {
            return Err(ServiceError::WrongPasskey(NO_PASSKEY));
        }
        let body = started(cookie.clone(), account, session).body;
        Ok(PasskeySignIn {
            cookie,
            body: PasskeySession {
                player: body.player,
                session: body.session,
                recovery_codes: None,
            },
        })
    }

    /// Finishes a ceremony by adding the passkey to the caller's account.
    pub fn add_passkey(
        &self,
        call: &Call,
        origin: &str,
        new: NewPasskey,
    ) -> Result<PasskeyBody, ServiceError> {
        let access = call.account_without_app(Scope::Account)?;
        let verifier = verifier(origin)?;
        let Ceremony::Add { account, state } = self.take_ceremony(&new.ceremony)? else {
            return Err(ServiceError::WrongPasskey(NO_CEREMONY));
        };
        if account != access.account {
            return Err(ServiceError::WrongPasskey(NO_CEREMONY));
        }
        let credential: RegisterPublicKeyCredential = credential(new.credential)?;
        let passkey = verifier.finish_passkey_registration(&credential, &state);
        let passkey = stored(account, &passkey.map_err(wrong)?, &new.name)?;
        match self.store.add_passkey(passkey.clone()) {
            Ok(true) => Ok(passkey.into()),
            Ok(false) => {
                let message = format!(
                    "an account has at most {MOST} passkeys: remove one that you do not use"
                );
                Err(ServiceError::conflict(ConflictKind::LimitReached, message))
            }
            Err(StoreError::Conflict) => Err(ServiceError::WrongPasskey(HAS_PASSKEY)),
            Err(error) => Err(error.into()),
        }
    }

    /// Lists the passkeys of the caller's account.
    pub fn passkeys(&self, call: &Call) -> Result<PasskeyList, ServiceError> {
        let access = call.account_without_app(Scope::Read)?;
        let passkeys = self.store.passkeys(access.account)?.into_iter();
        Ok(PasskeyList {
            items: passkeys.map(PasskeyBody::from).collect(),
        })
    }

    /// Renames a passkey of the caller's account.
    pub fn rename_passkey(
        &self,
        call: &Call,
        id: Uuid,
        change: &PasskeyChange,
    ) -> Result<PasskeyBody, ServiceError> {
        let access = call.account_without_app(Scope::Account)?;
        let no_passkey = || ServiceError::NotFound(format!("passkey {id}"));
        if !(self.store).rename_passkey(access.account, id, change.name.clone())? {
            return Err(no_passkey());
        }
        let own = self.store.passkeys(access.account)?.into_iter();
        let found = own.map(PasskeyBody::from).find(|own| own.id == id);
        found.ok_or_else(no_passkey)
    }

    /// Removes a passkey of the caller's account.
    pub fn remove_passkey(&self, call: &Call, id: Uuid) -> Result<(), ServiceError> {
        let access = call.account_without_app(Scope::Account)?;
        match self.store.remove_passkey(access.account, id)? {
            Some(true) => Ok(()),
            Some(false) => {
                let message = "this passkey is the only way to sign in to the account: set a password or add another passkey first";
                Err(ServiceError::conflict(ConflictKind::LastSignIn, message))
            }
            None => Err(ServiceError::NotFound(format!("passkey {id}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_need_https_and_a_name_or_localhost() {
        for (origin, works) in [
            ("https://games.example.org", true),
            ("https://games.example.org:8443", true),
            ("http://localhost:8080", true),
            ("http://games.example.org", false),
            ("https://192.0.2.1", false),
            ("http://127.0.0.1:8080", false),
            ("http://[::1]", false),
            ("nothing", false),
        ] {
            assert_eq!(verifier(origin).is_ok(), works, "{origin}");
        }
    }
}
