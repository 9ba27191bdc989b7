//! The operations of webhooks.
//! Deliveries are signed with [Standard Webhooks](https://www.standardwebhooks.com).
//!
//! A projection of the logs of all games and leagues writes deliveries. A thread starts sending them when they are scheduled, many
//! concurrently, on a separate runtime.

use jiff::Timestamp;
use uuid::Uuid;

use crate::games::Games;
use crate::games::notifications::NotificationType;
use crate::http::call::{Access, Call};
use crate::http::error::{ConflictKind, ServiceError};
use crate::http::limits::options::Limits;
use crate::http::page::cut;
use crate::http::scope::Scope;
use crate::leagues::service::Leagues;
use crate::webhooks::address;
use crate::webhooks::model::{
    CreatedWebhook, DeliveryBody, DeliveryPage, NewWebhook, WebhookBody, WebhookData, WebhookEvent,
    WebhookList, WebhookPatch, WebhookSecret, WebhookSubject,
};
use crate::webhooks::queries::{DeliveryState, StoredDelivery, StoredWebhook, WebhookChange};
use crate::webhooks::signature::fresh_secret;

/// How long deliveries are also signed with the previous secret, in microseconds: a day.
const OVERLAP: i64 = 24 * 60 * 60 * 1_000_000;

pub(crate) fn now() -> i64 {
    Timestamp::now().as_microsecond()
}

fn event_names(events: &[NotificationType]) -> Result<String, ServiceError> {
    let mut names: Vec<&str> = events.iter().map(|event| event.name()).collect();
    names.sort_unstable();
    names.dedup();
    match names.is_empty() {
        true => Err(ServiceError::invalid(
            "events",
            "give at least one type of event",
        )),
        false => Ok(names.join(" ")),
    }
}

/// What a webhook covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coverage {
    Player,
    Game,
    League,
}

impl Coverage {
    fn of(webhook: &StoredWebhook) -> Coverage {
        match (&webhook.game, &webhook.league) {
            (_, Some(_)) => Coverage::League,
            (Some(_), None) => Coverage::Game,
            (None, None) => Coverage::Player,
        }
    }
}

/// Refuses types that a webhook of this coverage, or any webhook, does not receive.
fn check_events(coverage: Coverage, events: &[NotificationType]) -> Result<(), ServiceError> {
    let refuse = |event: NotificationType, reason: &str| {
        Err(ServiceError::invalid(
            "events",
            format!("`{}` {reason}", event.name()),
        ))
    };
    events.iter().try_for_each(|event| match event {
        NotificationType::GameFinished | NotificationType::GameAbandoned => Ok(()),
        NotificationType::GameStarted => match coverage {
            Coverage::League => refuse(*event, "is not for webhooks of a league"),
            _ => Ok(()),
        },
        NotificationType::YourTurn | NotificationType::SeatLost => match coverage {
            Coverage::Player => Ok(()),
            _ => refuse(*event, "is only for webhooks of a player"),
        },
        NotificationType::YourBid
        | NotificationType::UndoRequest
        | NotificationType::Invitation => refuse(
            *event,
            "is sent only in the stream `/v1/me/events`, not to webhooks",
        ),
        NotificationType::DeadlineNear => match coverage {
            Coverage::League => Ok(()),
            _ => refuse(
                *event,
                "is sent to webhooks of a league, and in the stream `/v1/me/events`",
            ),
        },
        NotificationType::SeasonBegan
        | NotificationType::TablesCreated
        | NotificationType::ResultEntered
        | NotificationType::TableAdjudicated
        | NotificationType::TableVoided
        | NotificationType::PlayerReplaced
        | NotificationType::DeadlineMoved
        | NotificationType::Joined
        | NotificationType::Left => match coverage {
            Coverage::League => Ok(()),
            _ => refuse(*event, "is only for webhooks of a league"),
        },
        NotificationType::WebhookTest => {
            refuse(*event, "is sent only on request, by `POST …/test`")
        }
    })
}

/// Returns a webhook of the caller.
fn own(games: &Games, access: &Access, id: Uuid) -> Result<StoredWebhook, ServiceError> {
    let account = access.account.to_string();
    let found = games.store().webhook(&id.to_string())?;
    found
        .filter(|webhook| webhook.account == account)
        .ok_or_else(|| ServiceError::NotFound(format!("webhook {id}")))
}

/// Returns the end of the log whose events a webhook receives.
fn log_end(games: &Games, webhook: &StoredWebhook) -> Result<i64, ServiceError> {
    match webhook.league {
        Some(_) => Ok(games.store().last_league_position()?),
        None => games.records.last_position(),
    }
}

/// Creates a webhook. The answer shows its secret only once.
pub fn create(
    games: &Games,
    leagues: &Leagues,
    limits: &Limits,
    call: &Call,
    new: &NewWebhook,
) -> Result<CreatedWebhook, ServiceError> {
    let access = call.account_without_app(Scope::Play)?;
    if let Some(kept) = call.stored_answer(games.store())? {
        return Ok(kept);
    }
    let events = event_names(&new.events)?;
    let (player, game, league) = match new.subject {
        WebhookSubject::Player(player) if player != access.account => {
            let message =
                "a webhook can cover only the games of your own account: use its id as `player`";
            return Err(ServiceError::Forbidden(message.to_owned()));
        }
        WebhookSubject::Player(player) => (Some(player.to_string()), None, None),
        WebhookSubject::Game(game) => match games.table(game)? {
            table if games.access.is_shown_to(access.account, &table)? => {
                (None, Some(table.id().to_string()), None)
            }
            _ => return Err(ServiceError::NotFound(format!("game {game}"))),
        },
        WebhookSubject::League(id) => match leagues.log.now(id)? {
            league if league.is_shown_to(access.account) => (None, None, Some(id.to_string())),
            _ => return Err(ServiceError::NotFound(format!("league {id}"))),
        },
    };
    address::check(&new.url, limits.webhooks_to_loopback)
        .map_err(|message| ServiceError::invalid("url", message))?;
    let mut stored = StoredWebhook {
        id: Uuid::now_v7().to_string(),
        account: access.account.to_string(),
        url: new.url.clone(),
        events,
        format: new.format.name().to_owned(),
        language: new.language.code().to_owned(),
        player,
        game,
        league,
        secret: fresh_secret()?,
        old_secret: None,
        old_secret_until: 0,
        since: 0,
        created_at: now(),
        failing_since: None,
        disabled_at: None,
        disabled_because: None,
    };
    check_events(Coverage::of(&stored), &new.events)?;
    stored.since = log_end(games, &stored)?;
    let created = CreatedWebhook {
        webhook: WebhookBody::from_stored(&stored)?,
        secret: stored.secret.clone(),
    };
    let most = i64::try_from(limits.webhooks).unwrap_or(i64::MAX);
    let most = if most == 0 { i64::MAX } else { most };
    let kept = call.keep_location(format!("/v1/webhooks/{}", stored.id))?;
    match games.store().create_webhook(stored, most, kept)? {
        true => Ok(created),
        false => Err(ServiceError::conflict(
            ConflictKind::LimitReached,
            format!("an account can have at most {most} webhooks: delete one first"),
        )),
    }
}

/// Returns the caller's webhooks, oldest first.
pub fn list(games: &Games, call: &Call) -> Result<WebhookList, ServiceError> {
    let access = call.account_without_app(Scope::Read)?;
    let stored = games.store().webhooks_of(access.account)?;
    let items: Result<_, _> = stored.iter().map(WebhookBody::from_stored).collect();
    Ok(WebhookList { items: items? })
}

/// Returns a webhook of the caller.
pub fn get(games: &Games, call: &Call, id: Uuid) -> Result<WebhookBody, ServiceError> {
    WebhookBody::from_stored(&own(games, call.account_without_app(Scope::Read)?, id)?)
}

/// Changes a webhook.
///
/// # Errors
/// The errors of [`create`]; when there is no such webhook.
pub fn change(
    games: &Games,
    limits: &Limits,
    call: &Call,
    id: Uuid,
    patch: &WebhookPatch,
) -> Result<WebhookBody, ServiceError> {
    let stored = own(games, call.account_without_app(Scope::Play)?, id)?;
    let mut change = WebhookChange {
        url: patch.url.clone(),
        events: patch.events.as_deref().map(event_names).transpose()?,
        format: patch.format.map(|format| format.name().to_owned()),
        language: patch.language.map(|language| language.code().to_owned()),
        ..WebhookChange::default()
    };
    check_events(
        Coverage::of(&stored),
        patch.events.as_deref().unwrap_or_default(),
    )?;
    if let Some(url) = &patch.url {
        address::check(url, limits.webhooks_to_loopback)
            .map_err(|message| ServiceError::invalid("url", message))?;
    }
    match patch.disabled {
        Some(true) if stored.disabled_at.is_none() => {
            change.disabled_at = Some(Some(now()));
            change.disabled_because = Some(Some("its owner disabled it".to_owned()));
        }
        Some(false) if stored.disabled_at.is_some() => {
            change.disabled_at = Some(None);
            change.disabled_because = Some(None);
            change.failing_since = Some(None);
            // Events since it was disabled are not sent.
            change.since = Some(log_end(games, &stored)?);
        }
        _ => {}
    }
    if change != WebhookChange::default() {
        games
            .store()
            .change_webhook(&stored.id, change, now(), None)?;
    }
    WebhookBody::from_stored(&own(games, call.account_without_app(Scope::Play)?, id)?)
}

/// Removes a webhook and its deliveries.
pub fn remove(games: &Games, call: &Call, id: Uuid) -> Result<(), ServiceError> {
    let stored = own(games, call.account_without_app(Scope::Play)?, id)?;
    Ok(games.store().remove_webhook(&stored.id)?)
}

/// Replaces the secret of a webhook, and returns it only once.
/// For a day, deliveries are signed with both.
pub fn replace_secret(games: &Games, call: &Call, id: Uuid) -> Result<WebhookSecret, ServiceError> {
    let stored = own(games, call.account_without_app(Scope::Play)?, id)?;
    if let Some(kept) = call.stored_answer(games.store())? {
        return Ok(kept);
    }
    let secret = fresh_secret()?;
    let old_until = now() + OVERLAP;
    let change = WebhookChange {
        secret: Some(secret.clone()),
        old_secret: Some(Some(stored.secret)),
        old_secret_until: Some(old_until),
        ..WebhookChange::default()
    };
    let answer_body = WebhookSecret {
        secret,
        old_until: crate::db::time::timestamp(old_until),
    };
    let answer = call.keep_location(format!("/v1/webhooks/{id}"))?;
    (games.store()).change_webhook(&stored.id, change, now(), answer)?;
    Ok(answer_body)
}

/// Creates a delivery that is scheduled for now.
pub(crate) fn delivery(
    webhook: &StoredWebhook,
    event: &WebhookEvent,
) -> Result<StoredDelivery, ServiceError> {
    let body = serde_json::to_string(event).map_err(|error| ServiceError::Damaged {
        id: "a delivery".to_owned(),
        message: error.to_string(),
    })?;
    let now = now();
    Ok(StoredDelivery {
        id: Uuid::now_v7().to_string(),
        webhook: webhook.id.clone(),
        kind: event.r#type.name().to_owned(),
        game: event.data.game.map(|id| id.to_string()),
        league: event.data.league.map(|id| id.to_string()),
        seq: event.data.seq.and_then(|seq| i64::try_from(seq).ok()),
        body,
        status: DeliveryState::Pending.name().to_owned(),
        attempts: 0,
        created_at: now,
        attempted_at: None,
        next_at: Some(now),
        answered: None,
        failure: None,
    })
}

fn check_enabled(webhook: StoredWebhook) -> Result<StoredWebhook, ServiceError> {
    match webhook.disabled_at {
        None => Ok(webhook),
        Some(_) => Err(ServiceError::conflict(
            ConflictKind::WebhookDisabled,
            "this webhook is disabled: enable it first by PATCH with `disabled` false",
        )),
    }
}

/// Sends a test event to a webhook.
pub fn test(games: &Games, call: &Call, id: Uuid) -> Result<DeliveryBody, ServiceError> {
    let webhook = check_enabled(own(games, call.account_without_app(Scope::Play)?, id)?)?;
    if let Some(kept) = call.stored_answer(games.store())? {
        return Ok(kept);
    }
    let event = WebhookEvent {
        r#type: NotificationType::WebhookTest,
        timestamp: crate::db::time::time_text(now()),
        data: WebhookData {
            webhook: id,
            game: None,
            league: None,
            seq: None,
            player: None,
            due_at: None,
        },
    };
    let delivery = delivery(&webhook, &event)?;
    let body = DeliveryBody::from_stored(&delivery)?;
    games.store().add_delivery(delivery, call.keep(&body)?)?;
    Ok(body)
}

/// Returns deliveries of a webhook, newest first, before an id.
pub fn deliveries(
    games: &Games,
    call: &Call,
    id: Uuid,
    before: Option<Uuid>,
    limit: usize,
) -> Result<DeliveryPage, ServiceError> {
    let webhook = own(games, call.account_without_app(Scope::Read)?, id)?;
    let stored = games
        .store()
        .deliveries(&webhook.id, before, limit as i64 + 1)?;
    let (stored, next) = cut(stored, limit, |last| last.id.clone());
    let items: Result<_, _> = stored.iter().map(DeliveryBody::from_stored).collect();
    Ok(DeliveryPage {
        items: items?,
        next,
    })
}

/// Schedules a delivery again.
pub fn redeliver(
    games: &Games,
    call: &Call,
    id: Uuid,
    delivery: Uuid,
) -> Result<DeliveryBody, ServiceError> {
    let webhook = own(games, call.account_without_app(Scope::Play)?, id)?;
    let unknown = || ServiceError::NotFound(format!("delivery {delivery}"));
    let stored = games.store().delivery(&webhook.id, delivery)?;
    let stored = stored.ok_or_else(unknown)?;
    check_enabled(webhook)?;
    if let Some(kept) = call.stored_answer(games.store())? {
        return Ok(kept);
    }
    let now = now();
    let body = DeliveryBody::from_stored(&StoredDelivery {
        status: DeliveryState::Pending.name().to_owned(),
        attempts: 0,
        next_at: Some(now),
        ..stored.clone()
    })?;
    games.store().redeliver(&stored, now, call.keep(&body)?)?;
    Ok(body)
}
