//! The projection `webhooks`: creates deliveries from the log of all games.

use std::collections::BTreeMap;
use std::sync::Arc;

use uuid::Uuid;

use crate::db::projections::offsets::{Offset, Transaction};
use crate::db::projections::{BatchOutcome, Projection, ProjectionError};
use crate::db::{Store, StoreError};
use crate::games::Games;
use crate::games::notifications::NotificationType;
use crate::games::occurrences::{Occurrence, OccurrenceKind, affected_games};
use crate::games::queries::log::{LogFilter, LogPart};
use crate::http::error::ServiceError;
use crate::webhooks::model::{WebhookData, WebhookEvent};
use crate::webhooks::queries::{StoredDelivery, StoredWebhook};
use crate::webhooks::service::delivery;

/// The name of the projection.
const NAME: &str = "webhooks";

/// The maximum number of events in a batch.
const PART: usize = 1_000;

/// The projection that creates deliveries.
struct Deliveries(Arc<Games>);

/// Returns the projection of deliveries.
pub fn projection(games: &Arc<Games>) -> Box<dyn Projection> {
    Box::new(Deliveries(games.clone()))
}

impl Projection for Deliveries {
    fn name(&self) -> &'static str {
        NAME
    }

    fn batch(&self) -> usize {
        PART
    }

    fn apply(&mut self, limit: usize) -> Result<BatchOutcome, ProjectionError> {
        let Some(Unread { offset, part }) = unread(self.0.store(), limit)? else {
            return Ok(BatchOutcome::All);
        };
        let new = deliveries_of(&self.0, &part)?;
        let add = |transaction: &mut Transaction<'_>| transaction.add_deliveries(new);
        (self.0.store()).advance(NAME, offset, behind(offset, &part), add)?;
        Ok(match part.more {
            true => BatchOutcome::More,
            false => BatchOutcome::All,
        })
    }

    fn skip(&mut self) -> Result<Option<String>, ProjectionError> {
        let store = self.0.store();
        let Some(Unread { offset, part }) = unread(store, 1)? else {
            return Ok(None);
        };
        store.advance(NAME, offset, behind(offset, &part), |_| Ok(()))?;
        Ok(part.rows.into_iter().next().map(|row| row.game))
    }

    fn restart(&mut self) -> Result<(), ProjectionError> {
        let message =
            "receivers would receive all deliveries again: redeliver single deliveries instead";
        Err(ProjectionError::new(message))
    }
}

/// A part of the log of all games for which webhooks may need deliveries.
struct Unread {
    /// The offset from which it was read.
    offset: Offset,
    part: LogPart,
}

/// Returns the next part of the log; `None` if there is none, or no webhook.
fn unread(store: &Store, limit: usize) -> Result<Option<Unread>, StoreError> {
    let offset = store.offset(NAME)?;
    let Some(since) = store.webhooks_since()? else {
        return Ok(None);
    };
    // A webhook receives only events after its creation.
    let from = offset.position.max(since);
    if store.last_position()? <= from {
        return Ok(None);
    }
    let part = store.log_part(&LogFilter::default(), from.unsigned_abs(), limit)?;
    Ok(Some(Unread { offset, part }))
}

fn behind(offset: Offset, part: &LogPart) -> Offset {
    Offset {
        position: i64::try_from(part.reached).unwrap_or(i64::MAX),
        ..offset
    }
}

/// Returns the deliveries for a part of the log.
fn deliveries_of(games: &Games, part: &LogPart) -> Result<Vec<StoredDelivery>, ProjectionError> {
    let store = games.store();
    let affected = affected_games(part);
    let ids: Vec<String> = affected.keys().cloned().collect();
    let mut subscribed: BTreeMap<String, Vec<StoredWebhook>> = BTreeMap::new();
    for (game, webhook) in store.webhooks_for(&ids)? {
        subscribed.entry(game).or_default().push(webhook);
    }
    let mut deliveries = Vec::new();
    for (game, mut webhooks) in subscribed {
        let (first, last, position) = affected[&game];
        webhooks.retain(|webhook| webhook.since.unsigned_abs() < position);
        let Ok(id) = game.parse::<Uuid>() else {
            continue;
        };
        if webhooks.iter().any(|webhook| webhook.game.is_some()) {
            // An account that has left the table of a private game receives no more events of it.
            let table = match games.table(id) {
                Err(ServiceError::Store(error)) => return Err(ProjectionError::at(game, error)),
                found => found.ok(),
            };
            let shown = |account: &str| {
                let account = account.parse().ok();
                (table.as_ref().zip(account)).is_some_and(|(table, id)| table.is_shown_to(id))
            };
            webhooks.retain(|webhook| webhook.game.is_none() || shown(&webhook.account));
        }
        let occurrences = match games.logs.occurrences(id, first, last) {
            Err(ServiceError::Store(error)) => return Err(ProjectionError::at(game, error)),
            Err(error) => {
                tracing::error!(%game, %error, "webhooks receive no events of a damaged game");
                continue;
            }
            Ok(occurrences) => occurrences,
        };
        for webhook in &webhooks {
            for occurrence in &occurrences {
                deliveries.extend(delivery_of(webhook, id, occurrence)?);
            }
        }
    }
    Ok(deliveries)
}

/// Returns the delivery of an occurrence, if the webhook receives it.
fn delivery_of(
    webhook: &StoredWebhook,
    game: Uuid,
    occurrence: &Occurrence,
) -> Result<Option<StoredDelivery>, ServiceError> {
    let (kind, player) = match &occurrence.kind {
        OccurrenceKind::Started => (NotificationType::GameStarted, None),
        OccurrenceKind::Finished => (NotificationType::GameFinished, None),
        OccurrenceKind::Abandoned => (NotificationType::GameAbandoned, None),
        OccurrenceKind::Turn { player, .. } => (NotificationType::YourTurn, Some(player)),
        OccurrenceKind::SeatLost { player, .. } => (NotificationType::SeatLost, Some(player)),
    };
    let is_sent = match (&webhook.player, player) {
        (owner, Some(player)) => owner.as_ref() == Some(player),
        // An account that has lost its seat receives no more events of the game.
        (Some(owner), None) => occurrence.seat_of(owner).is_some(),
        (None, None) => true,
    };
    if !is_sent || !webhook.events.split(' ').any(|event| event == kind.name()) {
        return Ok(None);
    }
    let event = WebhookEvent {
        r#type: kind,
        timestamp: occurrence.at.clone(),
        data: WebhookData {
            webhook: webhook.id.parse().unwrap_or_default(),
            game: Some(game),
            seq: Some(occurrence.seq),
            player: player.cloned(),
        },
    };
    delivery(webhook, &event).map(Some)
}
