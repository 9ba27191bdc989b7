//! Who looks through the log for what webhooks are told, and sends it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use reqwest::Client;
use tokio::runtime::Runtime;
use uuid::Uuid;

use super::post::{Answered, client, post};
use super::{DeliveredType, WebhookData, WebhookEvent, delivery, now};
use crate::games::{GameError, Games, Happened, LogFilter, Occurrence, touched};
use crate::limits::Limits;
use crate::store::{
    Attempt, AttemptEnd, LEASE, StoreError, StoredDelivery, StoredWebhook, Task, WorkKind,
};
use crate::work::Next;

/// How often it is looked for what happened and what is due.
const LOOK: Duration = Duration::from_millis(300);

/// How many events are looked through at once.
const PART: usize = 1_000;

/// To how many receivers a node sends at the same time.
const RECEIVERS: usize = 64;

/// How many deliveries a receiver gets before others have their turn.
const IN_A_ROW: usize = 10;

/// After how long a webhook is disabled to which nothing was delivered, in microseconds: 5 days.
const LONGEST_FAILURE: i64 = 5 * 24 * 60 * 60 * 1_000_000;

/// The status by which a receiver says that it is gone for good.
const GONE: u16 = 410;

/// What those who send share.
#[derive(Debug)]
struct Sender {
    games: Weak<Games>,
    client: Client,
    pauses: Vec<u32>,
    to_loopback: bool,
    /// The webhooks that are sent to, and since when this node has the lease.
    sending: Mutex<HashMap<String, Instant>>,
}

/// A webhook that is sent to, for as long as this lives: whatever ends the sending, its lease is let go.
struct Sending {
    sender: Arc<Sender>,
    webhook: String,
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.sender.sending().remove(&self.webhook);
    }
}

/// Starts the thread. It ends when the service stops or is gone.
pub fn start(games: &Arc<Games>, limits: &Limits) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("webhook")
        .enable_all()
        .build()?;
    let sender = Arc::new(Sender {
        games: Arc::downgrade(games),
        client: client(limits.webhooks_to_loopback).map_err(std::io::Error::other)?,
        pauses: limits.webhook_pauses.clone(),
        to_loopback: limits.webhooks_to_loopback,
        sending: Mutex::default(),
    });
    let step = move || -> Result<Next, GameError> {
        let Some(games) = sender.games.upgrade() else {
            return Ok(Next::End);
        };
        let next = look_through(&games)?;
        sender.send_due(&games, &runtime)?;
        Ok(next)
    };
    games.supervisor().supervise("webhooks", LOOK, step)
}

/// Looks through the next part of the log of all games, and writes the deliveries that come of it.
fn look_through(games: &Games) -> Result<Next, GameError> {
    let store = games.store();
    let Some((position, from)) = store.webhook_position()? else {
        return Ok(Next::Later);
    };
    if store.last_position()? <= from {
        return Ok(Next::Later);
    }
    let part = store.log_part(&LogFilter::default(), from.unsigned_abs(), PART)?;
    let touched = touched(&part);
    let ids: Vec<String> = touched.keys().cloned().collect();
    let mut subscribed: BTreeMap<String, Vec<StoredWebhook>> = BTreeMap::new();
    for (game, webhook) in store.webhooks_for(&ids)? {
        subscribed.entry(game).or_default().push(webhook);
    }
    let mut deliveries = Vec::new();
    for (game, mut webhooks) in subscribed {
        let (first, last, position) = touched[&game];
        webhooks.retain(|webhook| webhook.since.unsigned_abs() < position);
        let Ok(id) = game.parse::<Uuid>() else {
            continue;
        };
        if webhooks.iter().any(|webhook| webhook.game.is_some()) {
            // Who has left the table of a private game is told no more of it.
            let table = match games.table(id) {
                Err(GameError::Store(error)) => return Err(error.into()),
                found => found.ok(),
            };
            let shown = |account: &str| {
                let account = account.parse().ok();
                (table.as_ref().zip(account)).is_some_and(|(table, id)| table.is_shown_to(id))
            };
            webhooks.retain(|webhook| webhook.game.is_none() || shown(&webhook.account));
        }
        let occurrences = match games.occurrences(id, first, last) {
            Err(GameError::Store(error)) => return Err(error.into()),
            Err(error) => {
                tracing::error!(%game, %error, "webhooks are not told of it");
                continue;
            }
            Ok(occurrences) => occurrences,
        };
        for webhook in &webhooks {
            for occurrence in &occurrences {
                deliveries.extend(told(webhook, id, occurrence)?);
            }
        }
    }
    let reached = i64::try_from(part.reached).unwrap_or(i64::MAX);
    store.add_deliveries(position, reached, deliveries)?;
    Ok(if part.more { Next::Now } else { Next::Later })
}

/// The delivery of something that happened, if the webhook is told of it.
fn told(
    webhook: &StoredWebhook,
    game: Uuid,
    occurrence: &Occurrence,
) -> Result<Option<StoredDelivery>, GameError> {
    let (kind, player) = match &occurrence.happened {
        Happened::Started => (DeliveredType::GameStarted, None),
        Happened::Finished => (DeliveredType::GameFinished, None),
        Happened::Abandoned => (DeliveredType::GameAbandoned, None),
        Happened::Turn { player, .. } => (DeliveredType::TurnYours, Some(player.clone())),
        // Webhooks are for games at which the account sits.
        Happened::SeatLost { .. } => return Ok(None),
    };
    let wanted = webhook.events.split(' ').any(|event| event == kind.name());
    if !wanted || (player.is_some() && player != webhook.player) {
        return Ok(None);
    }
    let event = WebhookEvent {
        r#type: kind,
        timestamp: occurrence.at.clone(),
        data: WebhookData {
            webhook: webhook.id.parse().unwrap_or_default(),
            game: Some(game),
            seq: Some(occurrence.seq),
            player,
        },
    };
    delivery(webhook, &event).map(Some)
}

impl Sender {
    fn sending(&self) -> MutexGuard<'_, HashMap<String, Instant>> {
        // Each change is one insertion or removal.
        self.sending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins sending what is due, as far as there is room, and keeps the leases of what goes on.
    fn send_due(
        self: &Arc<Sender>,
        games: &Arc<Games>,
        runtime: &Runtime,
    ) -> Result<(), GameError> {
        let store = games.store();
        let task = |webhook: String| Task {
            kind: WorkKind::Webhook,
            subject: webhook,
        };
        let long: Vec<String> = (self.sending().iter())
            .filter(|(_, leased)| leased.elapsed() > LEASE / 2)
            .map(|(webhook, _)| webhook.clone())
            .collect();
        let room = RECEIVERS.saturating_sub(self.sending().len());
        let free = store.free_webhooks(now(), room as i64)?;
        let wanted: Vec<Task> = long.into_iter().chain(free).map(task).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let leased = Instant::now();
        for taken in store.take_work(wanted)? {
            let webhook = taken.task.subject;
            let known = self.sending().insert(webhook.clone(), leased);
            if known.is_none() {
                let own = Sending {
                    sender: self.clone(),
                    webhook,
                };
                let games = games.clone();
                runtime.spawn(async move {
                    if let Err(error) = own.sender.send_all(&games, &own.webhook).await {
                        // The lease ends, and it is found again.
                        tracing::warn!(webhook = own.webhook, %error, "deliveries are put off");
                    }
                });
            }
        }
        Ok(())
    }

    /// Sends the deliveries of a webhook that are due until one fails, some at the most.
    async fn send_all(&self, games: &Arc<Games>, id: &str) -> Result<(), StoreError> {
        for _ in 0..IN_A_ROW {
            let own = id.to_owned();
            let found = on_store(games, move |games| {
                let webhook = games.store().webhook(&own)?;
                let webhook = webhook.filter(|webhook| webhook.disabled_at.is_none());
                let due = games.store().due_delivery(&own, now())?;
                Ok(webhook.zip(due))
            });
            let Some((webhook, delivery)) = found.await? else {
                break;
            };
            let at = now();
            let answered = post(&self.client, self.to_loopback, &webhook, &delivery, at).await;
            let attempt = judge(&webhook, &delivery, &self.pauses, answered, at, now());
            let delivered = attempt.end == AttemptEnd::Delivered;
            let outcome = if delivered { "delivered" } else { "failed" };
            metrics::counter!("tabularium_webhook_attempts_total", "outcome" => outcome)
                .increment(1);
            on_store(games, move |games| {
                games.store().note_attempt(&delivery, attempt)
            })
            .await?;
            if !delivered {
                break;
            }
        }
        let own = id.to_owned();
        on_store(games, move |games| {
            games.store().settle_webhook(&own, now())
        })
        .await
    }
}

/// Does what waits for the store on a thread that may wait.
async fn on_store<T: Send + 'static>(
    games: &Arc<Games>,
    work: impl FnOnce(&Games) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let games = games.clone();
    let done = tokio::task::spawn_blocking(move || work(&games)).await;
    done.unwrap_or_else(|error| Err(StoreError::Unavailable(error.to_string())))
}

/// What follows from how an attempt was answered, that began `at` and ended `now`.
fn judge(
    webhook: &StoredWebhook,
    delivery: &StoredDelivery,
    pauses: &[u32],
    answered: Answered,
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
        Ok(status) => format!("it answered {status}"),
        Err(reason) => reason,
    };
    let pause = usize::try_from(delivery.attempts).ok();
    let pause = pause.and_then(|attempts| pauses.get(attempts));
    let since = webhook.failing_since.unwrap_or(at);
    let disable = match status {
        Some(GONE) => Some("its receiver has answered 410: it is gone".to_owned()),
        _ if now - since >= LONGEST_FAILURE => Some(format!(
            "every attempt of 5 days has failed, the last: {failure}"
        )),
        _ => None,
    };
    Attempt {
        at,
        answered: status,
        failure: Some(failure),
        end: match pause {
            Some(pause) if status != Some(GONE) => {
                AttemptEnd::Again(now + i64::from(*pause) * 1_000_000)
            }
            _ => AttemptEnd::Failed,
        },
        disable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * 60 * 60 * 1_000_000;

    fn judged(attempts: i64, failing_since: Option<i64>, answered: Answered, at: i64) -> Attempt {
        let webhook = StoredWebhook {
            id: String::new(),
            account: String::new(),
            url: String::new(),
            events: String::new(),
            player: None,
            game: None,
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
        judge(&webhook, &delivery, &[5, 60], answered, at, at)
    }

    #[test]
    fn failures_are_tried_again_after_longer_and_longer_pauses() {
        let end = |attempts, answered| judged(attempts, None, answered, 0).end;
        assert_eq!(end(0, Ok(204)), AttemptEnd::Delivered);
        assert_eq!(end(0, Ok(500)), AttemptEnd::Again(5_000_000));
        assert_eq!(end(0, Ok(302)), AttemptEnd::Again(5_000_000));
        assert_eq!(
            end(1, Err("no answer".to_owned())),
            AttemptEnd::Again(60_000_000)
        );
        assert_eq!(end(2, Ok(500)), AttemptEnd::Failed);
        assert_eq!(end(0, Ok(GONE)), AttemptEnd::Failed);
    }

    #[test]
    fn who_is_gone_or_fails_for_days_is_disabled() {
        assert!(judged(0, None, Ok(GONE), 0).disable.is_some());
        assert_eq!(judged(0, Some(0), Ok(500), 5 * DAY - 1).disable, None);
        assert!(judged(0, Some(0), Ok(500), 5 * DAY).disable.is_some());
        assert_eq!(judged(0, Some(0), Ok(200), 5 * DAY).disable, None);
    }
}
