//! Sends scheduled deliveries.

use std::sync::{Arc, OnceLock, Weak};

use reqwest::Client;
use tokio::task::block_in_place;

use crate::db::StoreError;
use crate::db::jobs::WorkKind;
use crate::db::work::sending::{self, SendingJob};
use crate::games::Games;
use crate::games::notifications::NotificationType;
use crate::http::language::Language;
use crate::http::limits::options::Limits;
use crate::leagues::log::LeagueLog;
use crate::webhooks::content::{EventContent, Wording, game_content, league_content};
use crate::webhooks::model::{WebhookEvent, WebhookFormat};
use crate::webhooks::post::{AttemptResponse, client, post};
use crate::webhooks::queries::{Attempt, AttemptEnd, StoredDelivery, StoredWebhook};
use crate::webhooks::sentence;
use crate::webhooks::service::now;

/// The number of deliveries to a receiver before others have a turn.
const IN_A_ROW: usize = 10;

/// How long all deliveries may fail before a webhook is disabled, in microseconds: 5 days.
const LONGEST_FAILURE: i64 = 5 * 24 * 60 * 60 * 1_000_000;

/// The status with which a receiver asks to be disabled.
const GONE: u16 = 410;

/// The status of Discord and Slack for a webhook that was deleted there.
const NOT_FOUND: u16 = 404;

/// The shared state of sending.
#[derive(Debug)]
struct Sender {
    games: Weak<Games>,
    /// Created on first use, because it loads the certificates of all authorities.
    client: OnceLock<Client>,
    leagues: Arc<LeagueLog>,
    pauses: Vec<u32>,
    to_loopback: bool,
    words: WebhookWords,
}

/// How events are put into words.
#[derive(Clone, Debug)]
pub struct WebhookWords {
    /// Writes sentences.
    pub wording: Wording,
    /// The URL of the server, before the paths of links.
    pub base: String,
}

/// Starts the thread. It ends when the server stops.
pub fn start(
    games: &Arc<Games>,
    leagues: &Arc<LeagueLog>,
    limits: &Limits,
    words: WebhookWords,
) -> std::io::Result<()> {
    // The metric begins with zero, so that the first failure is an increase.
    for outcome in ["delivered", "failed"] {
        metrics::counter!("tabularium_webhook_attempts_total", "outcome" => outcome).increment(0);
    }
    let sender = Sender {
        games: Arc::downgrade(games),
        client: OnceLock::new(),
        leagues: leagues.clone(),
        words,
        pauses: limits.webhook_pauses.clone(),
        to_loopback: limits.webhooks_to_loopback,
    };
    sending::start(
        sender,
        Arc::downgrade(games.shared_store()),
        games.supervisor(),
    )
}

impl Sender {
    fn client(&self) -> Result<&Client, StoreError> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let client =
            client(self.to_loopback).map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(self.client.get_or_init(|| client))
    }

    /// Returns the body of a delivery in the form of its webhook; `None` if the event no longer applies.
    fn body(
        &self,
        games: &Games,
        webhook: &StoredWebhook,
        delivery: &StoredDelivery,
    ) -> Result<Option<String>, StoreError> {
        let event: Option<WebhookEvent> = serde_json::from_str(&delivery.body).ok();
        let format = WebhookFormat::by_name(&webhook.format).unwrap_or_default();
        let Some(event) = event else {
            return Ok(Some(delivery.body.clone()));
        };
        let (kind, data) = (event.r#type, &event.data);
        let place = data.league.zip(data.seq);
        if format == WebhookFormat::Standard && kind != NotificationType::DeadlineNear {
            return Ok(Some(delivery.body.clone()));
        }
        let content = match (data.game, place) {
            (Some(game), _) => game_content(games, kind, game, data.player.as_deref())?,
            (None, Some(place)) => {
                match league_content(games.store(), &self.leagues, kind, place, data.due_at)? {
                    Some(content) => content,
                    None => return Ok(None),
                }
            }
            (None, None) => EventContent::new(kind, "/".to_owned()),
        };
        let language = Language::of_code(&webhook.language).unwrap_or_default();
        let sentence = (self.words.wording)(language, &content);
        let link = format!("{}{}", self.words.base, content.path);
        let body = sentence::body(format, &sentence, &link);
        Ok(Some(body.map_or_else(
            || delivery.body.clone(),
            |body| body.to_string(),
        )))
    }
}

impl SendingJob for Sender {
    const KIND: WorkKind = WorkKind::Webhook;
    const THREAD: &'static str = "webhooks";

    /// Sends scheduled deliveries of a webhook until one fails, and at most some.
    async fn send(&self, id: &str) -> Result<(), StoreError> {
        let Some(games) = self.games.upgrade() else {
            return Ok(());
        };
        let store = games.store();
        for _ in 0..IN_A_ROW {
            let found = block_in_place(|| {
                let webhook = store.webhook(id)?;
                let webhook = webhook.filter(|webhook| webhook.disabled_at.is_none());
                Ok::<_, StoreError>(webhook.zip(store.due_delivery(id, now())?))
            });
            let Some((webhook, delivery)) = found? else {
                break;
            };
            let body = block_in_place(|| self.body(&games, &webhook, &delivery))?;
            let Some(body) = body else {
                block_in_place(|| store.remove_delivery(&delivery.id))?;
                continue;
            };
            let at = now();
            let to_loopback = self.to_loopback;
            let answered = post(self.client()?, to_loopback, &webhook, &delivery, body, at).await;
            let attempt = evaluate(&webhook, &delivery, &self.pauses, answered, at, now());
            let delivered = attempt.end == AttemptEnd::Delivered;
            let outcome = if delivered { "delivered" } else { "failed" };
            metrics::counter!("tabularium_webhook_attempts_total", "outcome" => outcome)
                .increment(1);
            block_in_place(|| store.note_attempt(&delivery, attempt))?;
            if !delivered {
                break;
            }
        }
        block_in_place(|| store.settle_webhook(id))
    }
}

/// Evaluates the response to an attempt that began at `at` and ended at `now`.
fn evaluate(
    webhook: &StoredWebhook,
    delivery: &StoredDelivery,
    pauses: &[u32],
    answered: AttemptResponse,
    at: i64,
    now: i64,
) -> Attempt {
    let status = answered.as_ref().ok().copied();
    if status.is_some_and(|status| (200..300).contains(&status)) {
        return Attempt {
            at,
            answered: status,
            failure: None,
            end: AttemptEnd::Delivered,
            disable: None,
        };
    }
    let failure = match answered {
        Ok(status) => format!("the receiver answered {status}"),
        Err(reason) => reason,
    };
    let pause = usize::try_from(delivery.attempts).ok();
    let pause = pause.and_then(|attempts| pauses.get(attempts));
    let since = webhook.failing_since.unwrap_or(at);
    let is_standard = webhook.format == WebhookFormat::Standard.name();
    let is_gone = status == Some(GONE) || (status == Some(NOT_FOUND) && !is_standard);
    let disable = match status {
        Some(status) if is_gone => Some(format!("the receiver is gone: it answered {status}")),
        _ if now - since >= LONGEST_FAILURE => Some(format!(
            "all attempts of 5 days failed; the last: {failure}"
        )),
        _ => None,
    };
    Attempt {
        at,
        answered: status,
        failure: Some(failure),
        end: match pause {
            Some(pause) if !is_gone => AttemptEnd::Retry(now + i64::from(*pause) * 1_000_000),
            _ => AttemptEnd::Failed,
        },
        disable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * 60 * 60 * 1_000_000;

    fn judged(
        attempts: i64,
        failing_since: Option<i64>,
        answered: AttemptResponse,
        at: i64,
    ) -> Attempt {
        let webhook = StoredWebhook {
            id: String::new(),
            account: String::new(),
            url: String::new(),
            events: String::new(),
            format: WebhookFormat::Standard.name().to_owned(),
            language: String::new(),
            player: None,
            game: None,
            league: None,
            secret: String::new(),
            old_secret: None,
            old_secret_until: 0,
            since: 0,
            created_at: 0,
            failing_since,
            disabled_at: None,
            disabled_because: None,
        };
        let delivery = StoredDelivery {
            id: String::new(),
            webhook: String::new(),
            kind: String::new(),
            game: None,
            league: None,
            seq: None,
            body: String::new(),
            status: String::new(),
            attempts,
            created_at: 0,
            attempted_at: None,
            next_at: None,
            answered: None,
            failure: None,
        };
        evaluate(&webhook, &delivery, &[5, 60], answered, at, at)
    }

    #[test]
    fn failures_are_retried_after_increasing_pauses() {
        let end = |attempts, answered| judged(attempts, None, answered, 0).end;
        assert_eq!(end(0, Ok(204)), AttemptEnd::Delivered);
        assert_eq!(end(0, Ok(500)), AttemptEnd::Retry(5_000_000));
        assert_eq!(end(0, Ok(302)), AttemptEnd::Retry(5_000_000));
        assert_eq!(
            end(1, Err("no answer".to_owned())),
            AttemptEnd::Retry(60_000_000)
        );
        assert_eq!(end(2, Ok(500)), AttemptEnd::Failed);
        assert_eq!(end(0, Ok(GONE)), AttemptEnd::Failed);
    }

    #[test]
    fn receivers_that_are_gone_or_fail_for_days_are_disabled() {
        assert!(judged(0, None, Ok(GONE), 0).disable.is_some());
        assert_eq!(judged(0, Some(0), Ok(500), 5 * DAY - 1).disable, None);
        assert!(judged(0, Some(0), Ok(500), 5 * DAY).disable.is_some());
        assert_eq!(judged(0, Some(0), Ok(200), 5 * DAY).disable, None);
    }
}
