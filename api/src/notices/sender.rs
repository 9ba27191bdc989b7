//! Sends scheduled notices.

use std::sync::{Arc, OnceLock, Weak};

use reqwest::Client;
use serde_json::json;
use uuid::Uuid;

use crate::db::StoreError;
use crate::db::jobs::WorkKind;
use crate::db::time::timestamp;
use crate::db::work::sending::{self, SendingJob};
use crate::games::Games;
use crate::games::notifications::{NotificationType, pending_notifications};
use crate::http::error::ServiceError;
use crate::http::language::Language;
use crate::http::limits::options::Limits;
use crate::http::secret::{fresh, hashed};
use crate::leagues::log::LeagueLog;
use crate::notices::letter::{Letter, LetterWriter, NoticeLine};
use crate::notices::mail::{Mail, Mailer};
use crate::notices::model::NoticeType;
use crate::notices::push::{PushFailure, PushReceiver, push};
use crate::notices::queries::{MailAddressRow, SendingEnd, StoredNotice, SubscriptionRow};
use crate::notices::service::{CONFIRM, Notices, RECOVER};
use crate::sessions::recovery;
use crate::webhooks::content::{EventContent, game_content, league_content};
use crate::webhooks::post::client;
use crate::webhooks::sender::WebhookWords;

/// The number of mails or messages to an account before others have a turn.
const IN_A_ROW: usize = 20;

/// The most events in a daily mail.
const IN_A_MAIL: i64 = 100;

/// How long the link of a mail confirms an address, in microseconds: a day.
const CONFIRMS: i64 = 24 * 60 * 60 * 1_000_000;

/// How long a mailed code recovers a password, in microseconds: an hour.
const RECOVERS: i64 = 60 * 60 * 1_000_000;

/// What sends notices and puts them into words.
#[derive(Debug)]
pub struct Means {
    /// Sends mails; `None` if no mail server is configured.
    pub mailer: Option<Mailer>,
    /// Writes mails.
    pub letters: LetterWriter,
    /// Writes sentences, and the URL of the server.
    pub words: WebhookWords,
}

/// The shared state of sending.
struct NoticeSender {
    games: Weak<Games>,
    leagues: Arc<LeagueLog>,
    notices: Arc<Notices>,
    /// Created on first use, because it loads the certificates of all authorities.
    client: OnceLock<Client>,
    pauses: Vec<u32>,
    to_loopback: bool,
    means: Means,
}

/// Starts the thread. It ends when the server stops.
pub fn start(
    games: &Arc<Games>,
    leagues: &Arc<LeagueLog>,
    notices: &Arc<Notices>,
    limits: &Limits,
    means: Means,
) -> std::io::Result<()> {
    // The metric begins with zero, so that the first failure is an increase.
    for channel in ["mail", "push"] {
        for outcome in ["sent", "failed"] {
            metrics::counter!("tabularium_notices_total", "channel" => channel, "outcome" => outcome)
                .increment(0);
        }
    }
    if means.mailer.is_some() {
        notices.allow_mail();
    }
    let sender = NoticeSender {
        games: Arc::downgrade(games),
        leagues: leagues.clone(),
        notices: notices.clone(),
        client: OnceLock::new(),
        pauses: limits.webhook_pauses.clone(),
        to_loopback: limits.webhooks_to_loopback,
        means,
    };
    sending::start(
        sender,
        Arc::downgrade(games.shared_store()),
        games.supervisor(),
    )
}

/// What is sent next to an account.
enum Parcel {
    /// Nothing: the notices do not apply.
    Nothing,
    /// Nothing: someone asked to recover the password of an account that does not exist.
    NoAccount,
    Mail(Mail),
    Push(SubscriptionRow, String),
}

/// Notices that are sent together.
struct NoticeBatch {
    ids: Vec<String>,
    attempts: i64,
    parcel: Parcel,
}

/// How an attempt ended.
enum SendingOutcome {
    Sent,
    /// Another attempt may help.
    Failed,
    /// No other attempt can help.
    Refused,
}

impl SendingJob for NoticeSender {
    const KIND: WorkKind = WorkKind::Notice;
    const THREAD: &'static str = "notices";

    async fn send(&self, account: &str) -> Result<(), StoreError> {
        let Some(games) = self.games.upgrade() else {
            return Ok(());
        };
        for _ in 0..IN_A_ROW {
            let found = tokio::task::block_in_place(|| self.next_batch(&games, account))?;
            let Some(batch) = found else {
                break;
            };
            let (channel, outcome) = match &batch.parcel {
                Parcel::Nothing | Parcel::NoAccount => ("", SendingOutcome::Sent),
                Parcel::Mail(mail) => ("mail", self.mail(mail)),
                Parcel::Push(receiver, message) => {
                    ("push", self.push(&games, receiver, message).await?)
                }
            };
            if !channel.is_empty() {
                let outcome = match outcome {
                    SendingOutcome::Sent => "sent",
                    SendingOutcome::Failed | SendingOutcome::Refused => "failed",
                };
                metrics::counter!("tabularium_notices_total", "channel" => channel, "outcome" => outcome)
                    .increment(1);
            }
            let pause = usize::try_from(batch.attempts).ok();
            let pause = pause.and_then(|attempts| self.pauses.get(attempts));
            let end = match (outcome, pause) {
                _ if matches!(batch.parcel, Parcel::NoAccount) => SendingEnd::NoAccount,
                (SendingOutcome::Failed, Some(pause)) => {
                    SendingEnd::Retry(games.store().now() + i64::from(*pause) * 1_000_000)
                }
                _ => SendingEnd::Done,
            };
            tokio::task::block_in_place(|| games.store().note_sending(batch.ids, end))?;
        }
        tokio::task::block_in_place(|| games.store().settle_notices(account))
    }
}

impl NoticeSender {
    /// Returns what is sent next to an account; `None` if nothing is due.
    fn next_batch(&self, games: &Games, account: &str) -> Result<Option<NoticeBatch>, StoreError> {
        let store = games.store();
        let now = store.now();
        let Some(first) = store.due_notice(account, now)? else {
            return Ok(None);
        };
        let notices = match first.channel.as_str() {
            "daily" => store.daily_notices(account, now, IN_A_MAIL)?,
            _ => vec![first],
        };
        let owner = match account.parse() {
            Ok(id) => store.account_by_id(id)?,
            Err(_) => None,
        };
        let is_active = |owner: &crate::accounts::queries::StoredAccount| {
            owner.deleted_at.is_none() && owner.suspended_at.is_none()
        };
        let parcel = match owner {
            Some(owner) if is_active(&owner) => {
                self.parcel(games, owner.id, &owner.handle, &notices)?
            }
            Some(_) => Parcel::Nothing,
            None => Parcel::NoAccount,
        };
        Ok(Some(NoticeBatch {
            attempts: notices
                .iter()
                .map(|notice| notice.attempts)
                .max()
                .unwrap_or(0),
            ids: notices.into_iter().map(|notice| notice.id).collect(),
            parcel,
        }))
    }

    fn parcel(
        &self,
        games: &Games,
        account: Uuid,
        handle: &str,
        notices: &[StoredNotice],
    ) -> Result<Parcel, StoreError> {
        let store = games.store();
        let Some(first) = notices.first() else {
            return Ok(Parcel::Nothing);
        };
        if let Some(subscription) = &first.subscription {
            let own = store.subscriptions(vec![account.to_string()])?;
            let Some(receiver) = own.into_iter().find(|one| one.id == *subscription) else {
                return Ok(Parcel::Nothing);
            };
            let language = Language::of_code(&receiver.language).unwrap_or_default();
            let Some(content) = self.content(games, account, first)? else {
                return Ok(Parcel::Nothing);
            };
            // A later message about the same game replaces an earlier one on the screen.
            let message = json!({
                "title": "Tabularium",
                "body": (self.means.words.wording)(language, &content),
                "url": content.path,
                "tag": content.path,
            });
            return Ok(Parcel::Push(receiver, message.to_string()));
        }
        let Some(address) = store.mail_address(&account.to_string())? else {
            return Ok(Parcel::Nothing);
        };
        let letter = match first.kind.as_str() {
            CONFIRM if address.confirmed_at.is_none() => {
                self.confirmation(games, handle, &address)?
            }
            RECOVER if address.confirmed_at.is_some() => self.recovery(games, account, handle)?,
            CONFIRM | RECOVER => return Ok(Parcel::Nothing),
            _ if address.confirmed_at.is_none() => return Ok(Parcel::Nothing),
            _ => match self.letter(games, account, &address, notices)? {
                Some(letter) => letter,
                None => return Ok(Parcel::Nothing),
            },
        };
        let language = Language::of_code(&address.language).unwrap_or_default();
        let unsubscribe = match &letter {
            Letter::Notices { unsubscribe, .. } => Some(unsubscribe.clone()),
            _ => None,
        };
        Ok(Parcel::Mail(Mail {
            to: address.address,
            text: (self.means.letters)(language, &letter),
            unsubscribe,
            id: first.id.clone(),
        }))
    }

    fn confirmation(
        &self,
        games: &Games,
        handle: &str,
        address: &MailAddressRow,
    ) -> Result<Letter, StoreError> {
        let token = fresh().map_err(|error| StoreError::Unavailable(error.to_string()))?;
        let expires_at = games.store().now() + CONFIRMS;
        games
            .store()
            .add_mail_token(hashed(&token), address, expires_at)?;
        Ok(Letter::Confirmation {
            handle: handle.to_owned(),
            link: format!("{}/confirm-mail?token={token}", self.means.words.base),
        })
    }

    fn recovery(&self, games: &Games, account: Uuid, handle: &str) -> Result<Letter, StoreError> {
        let codes = recovery::generate();
        let codes = codes.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        let code = codes.into_iter().next().unwrap_or_default();
        let expires_at = games.store().now() + RECOVERS;
        (games.store()).add_mailed_code(account, recovery::hash(&code), expires_at)?;
        Ok(Letter::Recovery {
            handle: handle.to_owned(),
            code,
            link: format!("{}/recover", self.means.words.base),
        })
    }

    /// Returns the mail about events; `None` if none of them applies.
    fn letter(
        &self,
        games: &Games,
        account: Uuid,
        address: &MailAddressRow,
        notices: &[StoredNotice],
    ) -> Result<Option<Letter>, StoreError> {
        let base = &self.means.words.base;
        let language = Language::of_code(&address.language).unwrap_or_default();
        let mut lines: Vec<NoticeLine> = Vec::new();
        for notice in notices {
            if let Some(content) = self.content(games, account, notice)? {
                lines.push(NoticeLine {
                    sentence: (self.means.words.wording)(language, &content),
                    link: format!("{base}{}", content.path),
                });
            }
        }
        if lines.is_empty() {
            return Ok(None);
        }
        let kind = match notices {
            [one] => r#type(one).map(|one| format!("&type={}", one.name())),
            _ => None,
        };
        let code = &address.unsubscribe;
        Ok(Some(Letter::Notices {
            lines,
            settings: format!("{base}/settings"),
            unsubscribe: format!("{base}/unsubscribe?code={code}{}", kind.unwrap_or_default()),
        }))
    }

    /// Returns the content of a notice; `None` if it no longer applies or the account may not see it.
    fn content(
        &self,
        games: &Games,
        account: Uuid,
        notice: &StoredNotice,
    ) -> Result<Option<EventContent>, StoreError> {
        let Some(kind) = NotificationType::by_name(&notice.kind) else {
            return Ok(None);
        };
        let id = |text: &Option<String>| text.as_ref().and_then(|id| id.parse::<Uuid>().ok());
        let due_at = notice.due_at.map(timestamp);
        let seq = notice.seq.and_then(|seq| u64::try_from(seq).ok());
        if let Some((league, seq)) = id(&notice.league).zip(seq) {
            let sees = match self.leagues.now(league) {
                Err(ServiceError::Store(error)) => return Err(error),
                league => league.is_ok_and(|league| league.is_shown_to(account)),
            };
            return match sees {
                true => league_content(games.store(), &self.leagues, kind, (league, seq), due_at),
                false => Ok(None),
            };
        }
        let Some(game) = id(&notice.game) else {
            return Ok(None);
        };
        let table = match games.latest(game) {
            Err(ServiceError::Store(error)) => return Err(error),
            Err(_) => return Ok(None),
            Ok(table) => table,
        };
        let applies = match kind {
            NotificationType::YourTurn
            | NotificationType::YourBid
            | NotificationType::Invitation
            | NotificationType::UndoRequest
            | NotificationType::DeadlineNear => {
                let now = timestamp(games.store().now());
                let pending = pending_notifications(&table, account, now).notifications;
                let same_due =
                    kind != NotificationType::DeadlineNear || table.stored.due_at == notice.due_at;
                same_due && pending.iter().any(|one| one.r#type == kind)
            }
            _ => table.is_shown_to(account) || kind == NotificationType::SeatLost,
        };
        if !applies {
            return Ok(None);
        }
        let content = game_content(games, kind, game, None)?;
        Ok(Some(EventContent { due_at, ..content }))
    }

    /// Sends a mail.
    fn mail(&self, mail: &Mail) -> SendingOutcome {
        let Some(mailer) = &self.means.mailer else {
            return SendingOutcome::Refused;
        };
        match tokio::task::block_in_place(|| mailer.send(mail)) {
            Ok(()) => SendingOutcome::Sent,
            Err(failure) => {
                tracing::warn!(reason = failure.reason, "a mail was not accepted");
                match failure.permanent {
                    true => SendingOutcome::Refused,
                    false => SendingOutcome::Failed,
                }
            }
        }
    }

    /// Sends a push message. A subscription that is gone is removed.
    async fn push(
        &self,
        games: &Arc<Games>,
        receiver: &SubscriptionRow,
        message: &str,
    ) -> Result<SendingOutcome, StoreError> {
        let key = tokio::task::block_in_place(|| self.notices.push_key())?;
        let client = match self.client.get() {
            Some(client) => client,
            None => {
                let client = client(self.to_loopback)
                    .map_err(|error| StoreError::Unavailable(error.to_string()))?;
                self.client.get_or_init(|| client)
            }
        };
        let to = PushReceiver {
            endpoint: receiver.endpoint.clone(),
            key: receiver.key.clone(),
            auth: receiver.auth.clone(),
        };
        let contact = self.means.words.base.as_str();
        let now = games.store().now();
        let sent = push(
            client,
            self.to_loopback,
            key,
            (&to, contact),
            (message, now),
        )
        .await;
        match sent {
            Ok(()) => Ok(SendingOutcome::Sent),
            Err(PushFailure::Gone) => {
                let (account, id) = (&receiver.account, &receiver.id);
                tokio::task::block_in_place(|| games.store().remove_subscription(account, id))?;
                Ok(SendingOutcome::Refused)
            }
            Err(PushFailure::Failed(reason)) => {
                tracing::debug!(reason, "a push message is postponed");
                Ok(SendingOutcome::Failed)
            }
        }
    }
}

/// Returns the type of a notice; `None` for mails about the account itself.
fn r#type(notice: &StoredNotice) -> Option<NoticeType> {
    let kind = NotificationType::by_name(&notice.kind)?;
    Some(match (kind, &notice.league) {
        (NotificationType::DeadlineNear | NotificationType::Invitation, _) | (_, None) => {
            NoticeType::for_event(kind)
        }
        (_, Some(_)) => NoticeType::LeagueNews,
    })
}
