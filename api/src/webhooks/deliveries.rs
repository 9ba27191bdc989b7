//! The projection `webhooks`: creates deliveries from the logs of all games and of all leagues.

use std::collections::BTreeMap;
use std::sync::Arc;

use uuid::Uuid;

use crate::db::projections::offsets::{Offset, Transaction};
use crate::db::projections::{BatchOutcome, Projection, ProjectionError};
use crate::db::time::time_text;
use crate::db::{Store, StoreError};
use crate::games::Games;
use crate::games::notifications::NotificationType;
use crate::games::occurrences::{Occurrence, OccurrenceKind, affected_games};
use crate::games::queries::log::{LogFilter, LogPart};
use crate::http::error::ServiceError;
use crate::leagues::event::LeagueEvent;
use crate::leagues::log::LeagueLog;
use crate::leagues::queries::PlacedEvent;
use crate::webhooks::content::{deadlines_of, kind_of, member_of};
use crate::webhooks::model::{WebhookData, WebhookEvent};
use crate::webhooks::queries::{StoredDelivery, StoredWebhook};
use crate::webhooks::service::delivery;

/// The name of the projection.
const NAME: &str = "webhooks";

/// The maximum number of events in a batch.
const PART: usize = 1_000;

/// How long before its deadline the tables of a league have the event `deadline_near`, in microseconds: a day.
pub(crate) const NEAR: i64 = 24 * 60 * 60 * 1_000_000;

/// The projection that creates deliveries.
struct Deliveries {
    games: Arc<Games>,
    leagues: Arc<LeagueLog>,
}

/// Returns the projection of deliveries.
pub fn projection(games: &Arc<Games>, leagues: &Arc<LeagueLog>) -> Box<dyn Projection> {
    Box::new(Deliveries {
        games: games.clone(),
        leagues: leagues.clone(),
    })
}

impl Projection for Deliveries {
    fn name(&self) -> &'static str {
        NAME
    }

    fn batch(&self) -> usize {
        PART
    }

    fn apply(&mut self, limit: usize) -> Result<BatchOutcome, ProjectionError> {
        let store = self.games.store();
        let Some(unread) = unread(store, limit)? else {
            return Ok(BatchOutcome::All);
        };
        let mut new = match &unread.part {
            Some(part) => deliveries_of(&self.games, part)?,
            None => Vec::new(),
        };
        for event in &unread.league_events {
            new.extend(deliveries_of_league(store, &self.leagues, event)?);
        }
        let more = unread.part.as_ref().is_some_and(|part| part.more)
            || unread.league_events.len() >= limit;
        let add = |transaction: &mut Transaction<'_>| transaction.add_deliveries(new);
        store.advance(NAME, unread.offset, unread.end(), add)?;
        Ok(match more {
            true => BatchOutcome::More,
            false => BatchOutcome::All,
        })
    }

    fn skip(&mut self) -> Result<Option<String>, ProjectionError> {
        let store = self.games.store();
        let Some(mut unread) = unread(store, 1)? else {
            return Ok(None);
        };
        let game = unread.part.as_ref().and_then(|part| part.rows.first());
        let name = match game {
            Some(row) => {
                let name = row.game.clone();
                unread.league_events.clear();
                Some(name)
            }
            None => unread
                .league_events
                .first()
                .map(|event| event.league.clone()),
        };
        store.advance(NAME, unread.offset, unread.end(), |_| Ok(()))?;
        Ok(name)
    }

    fn restart(&mut self) -> Result<(), ProjectionError> {
        let message =
            "receivers would receive all deliveries again: redeliver single deliveries instead";
        Err(ProjectionError::new(message))
    }
}

/// A part of the logs for which webhooks may need deliveries.
struct Unread {
    /// The offset from which it was read.
    offset: Offset,
    /// The part of the log of all games; `None` if it has nothing new, or no webhook covers games.
    part: Option<LogPart>,
    /// The events of all leagues; none if no webhook covers a league.
    league_events: Vec<PlacedEvent>,
}

impl Unread {
    /// Returns the offset at its end.
    fn end(&self) -> Offset {
        let reached = self.part.as_ref().map(|part| part.reached);
        let reached = reached.map(|reached| i64::try_from(reached).unwrap_or(i64::MAX));
        let last = self.league_events.last().map(|event| event.position);
        Offset {
            position: reached.unwrap_or(self.offset.position),
            league_position: last.unwrap_or(self.offset.league_position),
            ..self.offset
        }
    }
}

/// Returns the next part of the logs; `None` if there is none, or no webhook.
fn unread(store: &Store, limit: usize) -> Result<Option<Unread>, StoreError> {
    let offset = store.offset(NAME)?;
    let (of_games, of_leagues) = store.webhooks_since()?;
    // A webhook receives only events after its creation.
    let part = match of_games.map(|since| since.max(offset.position)) {
        Some(from) if store.last_position()? > from => {
            Some(store.log_part(&LogFilter::default(), from.unsigned_abs(), limit)?)
        }
        _ => None,
    };
    let league_events = match of_leagues.map(|since| since.max(offset.league_position)) {
        Some(from) => store.placed_league_events(from, limit as i64)?,
        None => Vec::new(),
    };
    let is_empty = part.is_none() && league_events.is_empty();
    Ok((!is_empty).then_some(Unread {
        offset,
        part,
        league_events,
    }))
}

/// Returns the deliveries for an event of a league.
fn deliveries_of_league(
    store: &Store,
    leagues: &LeagueLog,
    placed: &PlacedEvent,
) -> Result<Vec<StoredDelivery>, ProjectionError> {
    let at_league = |error: ServiceError| ProjectionError::at(placed.league.clone(), error);
    let mut webhooks = store.webhooks_of_leagues(vec![placed.league.clone()])?;
    webhooks.retain(|webhook| webhook.since < placed.position);
    let (Ok(id), Ok(event)) = (
        placed.league.parse::<Uuid>(),
        serde_json::from_str::<LeagueEvent>(&placed.text),
    ) else {
        return Ok(Vec::new());
    };
    let kind = kind_of(&event);
    let deadlines = deadlines_of(&event);
    if webhooks.is_empty() || (kind.is_none() && deadlines.is_empty()) {
        return Ok(Vec::new());
    }
    let league = match leagues.now(id) {
        Err(ServiceError::Store(error)) => return Err(at_league(error.into())),
        Err(error) => {
            tracing::error!(league = %id, %error, "webhooks receive no events of a damaged league");
            return Ok(Vec::new());
        }
        Ok(league) => league,
    };
    let seq = u64::try_from(placed.seq).unwrap_or_default();
    let row = store.league_events(id, seq.checked_sub(1), 1)?;
    let at = row.first().map_or(0, |row| row.at);
    let mut deliveries = Vec::new();
    for webhook in &webhooks {
        // An account that may not see a private league any more receives no events of it.
        let account = webhook.account.parse().unwrap_or_default();
        if !league.is_shown_to(account) {
            continue;
        }
        let moved = match &event {
            LeagueEvent::DeadlineMoved { deadline, .. } => Some(*deadline),
            _ => None,
        };
        let mut add = |kind: NotificationType, due_at, next_at: Option<i64>| {
            if !webhook.events.split(' ').any(|event| event == kind.name()) {
                return Ok(());
            }
            let event = WebhookEvent {
                r#type: kind,
                timestamp: time_text(at),
                data: WebhookData {
                    webhook: webhook.id.parse().unwrap_or_default(),
                    game: None,
                    league: Some(id),
                    seq: Some(seq),
                    player: member_of(&event).map(str::to_owned),
                    due_at,
                },
            };
            let mut delivery = delivery(webhook, &event).map_err(at_league)?;
            if let Some(next_at) = next_at {
                delivery.next_at = Some(next_at.max(delivery.created_at));
            }
            deliveries.push(delivery);
            Ok::<(), ProjectionError>(())
        };
        if let Some(kind) = kind {
            add(kind, moved, None)?;
        }
        for deadline in &deadlines {
            let near = deadline.as_microsecond() - NEAR;
            add(NotificationType::DeadlineNear, Some(*deadline), Some(near))?;
        }
    }
    Ok(deliveries)
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
            let table = match games.latest(id) {
                Err(ServiceError::Store(error)) => return Err(ProjectionError::at(game, error)),
                found => found.ok(),
            };
            let mut shown = Vec::new();
            for webhook in webhooks {
                let account = webhook.account.parse().unwrap_or_default();
                let is_shown = match &table {
                    Some(table) => games.access.is_shown_to(account, table),
                    None => Ok(false),
                };
                if let Err(ServiceError::Store(error)) = is_shown {
                    return Err(ProjectionError::at(game, error));
                }
                if webhook.game.is_none() || matches!(is_shown, Ok(true)) {
                    shown.push(webhook);
                }
            }
            webhooks = shown;
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
            league: None,
            seq: Some(occurrence.seq),
            player: player.cloned(),
            due_at: None,
        },
    };
    delivery(webhook, &event).map(Some)
}
