//! The queries of webhooks and deliveries.

use diesel::dsl::{exists, min};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::db::answers::{KeptRequest, keep_answer};
use crate::db::connection::AnyConnection;
use crate::db::jobs::{WorkKind, wake_work};
use crate::db::projections::offsets::Transaction;
use crate::db::schema::{accounts, deliveries, seats, webhooks, work};
use crate::db::{Store, StoreError};

/// How long completed deliveries are kept, in microseconds: 30 days.
const KEPT: i64 = 30 * 24 * 60 * 60 * 1_000_000;

/// A webhook. Times are microseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = webhooks)]
pub struct StoredWebhook {
    /// The id, a UUIDv7.
    pub id: String,
    /// The account that owns it.
    pub account: String,
    /// The URL for deliveries.
    pub url: String,
    /// The types of events, separated by spaces.
    pub events: String,
    /// The name of its [`WebhookFormat`](crate::webhooks::model::WebhookFormat).
    pub format: String,
    /// The code of the language of its sentences.
    pub language: String,
    /// The account whose games it covers.
    pub player: Option<String>,
    /// The single game that it covers.
    pub game: Option<String>,
    /// The league that it covers.
    pub league: Option<String>,
    /// The secret that signs deliveries.
    pub secret: String,
    /// The previous secret.
    pub old_secret: Option<String>,
    /// Until when deliveries are also signed with the previous secret.
    pub old_secret_until: i64,
    /// The position after which events are sent: in the log of all games, or of all leagues if it covers a league.
    pub since: i64,
    /// When it was created.
    pub created_at: i64,
    /// When the current series of failed attempts began.
    pub failing_since: Option<i64>,
    /// When it was disabled.
    pub disabled_at: Option<i64>,
    /// Why it is disabled.
    pub disabled_because: Option<String>,
}

/// A change of a webhook; `None` keeps a value.
#[derive(Clone, Debug, Default, PartialEq, Eq, AsChangeset)]
#[diesel(table_name = webhooks)]
pub struct WebhookChange {
    /// The URL for deliveries.
    pub url: Option<String>,
    /// The types of events.
    pub events: Option<String>,
    /// The name of the format.
    pub format: Option<String>,
    /// The code of the language.
    pub language: Option<String>,
    /// The secret that signs deliveries.
    pub secret: Option<String>,
    /// The previous secret.
    pub old_secret: Option<Option<String>>,
    /// Until when deliveries are also signed with the previous secret.
    pub old_secret_until: Option<i64>,
    /// The position after which events are sent.
    pub since: Option<i64>,
    /// When the current series of failed attempts began.
    pub failing_since: Option<Option<i64>>,
    /// When it was disabled.
    pub disabled_at: Option<Option<i64>>,
    /// Why it is disabled.
    pub disabled_because: Option<Option<String>>,
}

/// The status of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// It will be attempted, or attempted again.
    Pending,
    /// The receiver answered with 2xx.
    Delivered,
    /// It is not attempted again automatically.
    Failed,
}

impl DeliveryState {
    /// The name in the database.
    pub fn name(self) -> &'static str {
        match self {
            DeliveryState::Pending => "pending",
            DeliveryState::Delivered => "delivered",
            DeliveryState::Failed => "failed",
        }
    }

    /// Returns the status with this name.
    pub fn by_name(name: &str) -> Option<DeliveryState> {
        let all = [
            DeliveryState::Pending,
            DeliveryState::Delivered,
            DeliveryState::Failed,
        ];
        all.into_iter().find(|status| status.name() == name)
    }
}

/// A delivery. Times are microseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = deliveries)]
pub struct StoredDelivery {
    /// The id, a UUIDv7.
    pub id: String,
    /// The id of the webhook.
    pub webhook: String,
    /// The type of its event.
    pub kind: String,
    /// The id of the game.
    pub game: Option<String>,
    /// The id of the league.
    pub league: Option<String>,
    /// The sequence number of the event in the log of the game or league.
    pub seq: Option<i64>,
    /// The body of the request.
    pub body: String,
    /// The name of its [`DeliveryState`].
    pub status: String,
    /// The number of attempts since it was created or last redelivered.
    pub attempts: i64,
    /// When it was created.
    pub created_at: i64,
    /// When it was last attempted.
    pub attempted_at: Option<i64>,
    /// When it is attempted next.
    pub next_at: Option<i64>,
    /// The HTTP status of the last answer.
    pub answered: Option<i64>,
    /// Why the last attempt failed.
    pub failure: Option<String>,
}

/// The result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptEnd {
    /// The receiver accepted the delivery.
    Delivered,
    /// It is attempted again at this time.
    Retry(i64),
    /// It is not attempted again.
    Failed,
}

/// An attempt to deliver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// When it was made, in microseconds since 1970.
    pub at: i64,
    /// The HTTP status of the answer.
    pub answered: Option<u16>,
    /// Why it failed.
    pub failure: Option<String>,
    /// The result.
    pub end: AttemptEnd,
    /// Why the webhook is disabled after this attempt.
    pub disable: Option<String>,
}

/// Removes a webhook, its deliveries and its scheduled work.
fn remove(connection: &mut AnyConnection, id: String) -> Result<(), StoreError> {
    diesel::delete(webhooks::table.find(id.clone())).execute(connection)?;
    let own = deliveries::table.filter(deliveries::webhook.eq(id.clone()));
    diesel::delete(own).execute(connection)?;
    let key = work::table.find((WorkKind::Webhook.name(), id));
    diesel::delete(key).execute(connection)?;
    Ok(())
}

/// Removes the webhooks of an account.
pub(crate) fn remove_webhooks_of(
    connection: &mut AnyConnection,
    account: &str,
) -> Result<(), StoreError> {
    let own = webhooks::table.filter(webhooks::account.eq(account.to_owned()));
    let own: Vec<String> = own.select(webhooks::id).load(connection)?;
    own.into_iter().try_for_each(|id| remove(connection, id))
}

/// Disables the webhooks of a suspended account. Their owner can enable them again.
pub(crate) fn disable_webhooks_of(
    connection: &mut AnyConnection,
    account: &str,
) -> Result<(), StoreError> {
    let own = webhooks::table.filter(webhooks::account.eq(account.to_owned()));
    diesel::update(own.filter(webhooks::disabled_at.is_null()))
        .set((
            webhooks::disabled_at.eq(jiff::Timestamp::now().as_microsecond()),
            webhooks::disabled_because.eq("an administrator suspended the account"),
        ))
        .execute(connection)?;
    Ok(())
}

fn insert(connection: &mut AnyConnection, new: Vec<StoredDelivery>) -> Result<(), StoreError> {
    let mut woken: Vec<(String, i64)> = Vec::new();
    for delivery in new {
        if woken
            .last()
            .is_none_or(|(last, _)| *last != delivery.webhook)
        {
            let old = deliveries::table
                .filter(deliveries::webhook.eq(delivery.webhook.clone()))
                .filter(deliveries::next_at.is_null())
                .filter(deliveries::created_at.lt(delivery.created_at - KEPT));
            diesel::delete(old).execute(connection)?;
            woken.push((delivery.webhook.clone(), delivery.created_at));
        }
        diesel::insert_into(deliveries::table)
            .values(delivery)
            .execute(connection)?;
    }
    // The fixed order prevents deadlocks between writers.
    woken.sort();
    woken.dedup_by(|a, b| a.0 == b.0);
    for (webhook, now) in woken {
        wake_work(connection, WorkKind::Webhook, &webhook, now)?;
    }
    Ok(())
}

impl Transaction<'_> {
    /// Stores deliveries, and schedules sending them.
    pub(super) fn add_deliveries(&mut self, new: Vec<StoredDelivery>) -> Result<(), StoreError> {
        insert(self.0, new)
    }
}

impl Store {
    /// Stores a new webhook, unless its account has `most` already. Returns whether it was stored.
    pub(super) fn create_webhook(
        &self,
        webhook: StoredWebhook,
        most: i64,
        answer: Option<KeptRequest>,
    ) -> Result<bool, StoreError> {
        self.write(move |connection| {
            let own: i64 = webhooks::table
                .filter(webhooks::account.eq(webhook.account.clone()))
                .count()
                .get_result(connection)?;
            if own >= most {
                return Ok(false);
            }
            diesel::insert_into(webhooks::table)
                .values(webhook)
                .execute(connection)?;
            keep_answer(connection, answer)?;
            Ok(true)
        })
    }

    /// Returns the webhooks of an account, oldest first.
    pub(super) fn webhooks_of(&self, account: Uuid) -> Result<Vec<StoredWebhook>, StoreError> {
        let connection = &mut *self.connection()?;
        let own = webhooks::table.filter(webhooks::account.eq(account.to_string()));
        Ok(own.order(webhooks::id).load(connection)?)
    }

    /// Returns the webhook with an id.
    pub(super) fn webhook(&self, id: &str) -> Result<Option<StoredWebhook>, StoreError> {
        let connection = &mut *self.connection()?;
        let found = webhooks::table.find(id.to_owned()).first(connection);
        Ok(found.optional()?)
    }

    /// Changes a webhook, and schedules its pending deliveries.
    pub(super) fn change_webhook(
        &self,
        id: &str,
        change: WebhookChange,
        now: i64,
        answer: Option<KeptRequest>,
    ) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write(move |connection| {
            let changed = diesel::update(webhooks::table.find(id.clone()))
                .set(change)
                .execute(connection)?;
            match changed {
                0 => return Ok(()),
                _ => wake_work(connection, WorkKind::Webhook, &id, now)?,
            }
            keep_answer(connection, answer)
        })
    }

    /// Removes a webhook with its deliveries.
    pub(super) fn remove_webhook(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write(move |connection| remove(connection, id))
    }

    /// Returns deliveries of a webhook, newest first, before an id.
    pub(super) fn deliveries(
        &self,
        webhook: &str,
        before: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<StoredDelivery>, StoreError> {
        let connection = &mut *self.connection()?;
        let own = deliveries::table.filter(deliveries::webhook.eq(webhook.to_owned()));
        let mut query = own.order(deliveries::id.desc()).limit(limit).into_boxed();
        if let Some(before) = before {
            query = query.filter(deliveries::id.lt(before.to_string()));
        }
        Ok(query.load(connection)?)
    }

    /// Returns a delivery of a webhook.
    pub(super) fn delivery(
        &self,
        webhook: &str,
        id: Uuid,
    ) -> Result<Option<StoredDelivery>, StoreError> {
        let connection = &mut *self.connection()?;
        let found = deliveries::table
            .find(id.to_string())
            .filter(deliveries::webhook.eq(webhook.to_owned()));
        Ok(found.first(connection).optional()?)
    }

    /// Stores a requested delivery.
    pub(super) fn add_delivery(
        &self,
        delivery: StoredDelivery,
        answer: Option<KeptRequest>,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            insert(connection, vec![delivery])?;
            keep_answer(connection, answer)
        })
    }

    /// Schedules a delivery again.
    pub(super) fn redeliver(
        &self,
        delivery: &StoredDelivery,
        now: i64,
        answer: Option<KeptRequest>,
    ) -> Result<(), StoreError> {
        let (id, webhook) = (delivery.id.clone(), delivery.webhook.clone());
        self.write(move |connection| {
            diesel::update(deliveries::table.find(id))
                .set((
                    deliveries::status.eq(DeliveryState::Pending.name()),
                    deliveries::attempts.eq(0),
                    deliveries::next_at.eq(Some(now)),
                ))
                .execute(connection)?;
            wake_work(connection, WorkKind::Webhook, &webhook, now)?;
            keep_answer(connection, answer)
        })
    }

    /// Returns the smallest position after which a webhook receives events of games, and of leagues.
    /// `None` if there is no such webhook.
    pub(super) fn webhooks_since(&self) -> Result<(Option<i64>, Option<i64>), StoreError> {
        let connection = &mut *self.connection()?;
        let enabled = || webhooks::table.filter(webhooks::disabled_at.is_null());
        let of_games = enabled()
            .filter(webhooks::league.is_null())
            .select(min(webhooks::since))
            .first(connection)?;
        let of_leagues = enabled()
            .filter(webhooks::league.is_not_null())
            .select(min(webhooks::since))
            .first(connection)?;
        Ok((of_games, of_leagues))
    }

    /// Returns the enabled webhooks of these leagues.
    pub(super) fn webhooks_of_leagues(
        &self,
        leagues: Vec<String>,
    ) -> Result<Vec<StoredWebhook>, StoreError> {
        let connection = &mut *self.connection()?;
        let owner = accounts::table
            .filter(accounts::id.eq(webhooks::account))
            .filter(accounts::deleted_at.is_null());
        Ok(webhooks::table
            .filter(webhooks::disabled_at.is_null())
            .filter(exists(owner))
            .filter(webhooks::league.eq_any(leagues))
            .load(connection)?)
    }

    /// Removes a delivery whose event no longer applies.
    pub(super) fn remove_delivery(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write(move |connection| {
            diesel::delete(deliveries::table.find(id)).execute(connection)?;
            Ok(())
        })
    }

    /// Returns the webhooks that receive events of these games, each with its game.
    /// These are webhooks of the game, of accounts with a seat, and of accounts that lost one.
    pub(super) fn webhooks_for(
        &self,
        games: &[String],
    ) -> Result<Vec<(String, StoredWebhook)>, StoreError> {
        let connection = &mut *self.connection()?;
        let active = || {
            let owner = accounts::table
                .filter(accounts::id.eq(webhooks::account))
                .filter(accounts::deleted_at.is_null());
            webhooks::table
                .filter(webhooks::disabled_at.is_null())
                .filter(exists(owner))
        };
        let of_games: Vec<StoredWebhook> = active()
            .filter(webhooks::game.eq_any(games.to_vec()))
            .load(connection)?;
        let seats: Vec<(String, Option<String>, Option<String>)> = seats::table
            .filter(seats::game_id.eq_any(games.to_vec()))
            .select((seats::game_id, seats::player_id, seats::former))
            .load(connection)?;
        let accounts = || {
            seats.iter().flat_map(|(game, player, former)| {
                let accounts = player.iter().chain(former);
                accounts.map(move |account| (game, account))
            })
        };
        let players: Vec<String> = accounts().map(|(_, id)| id.clone()).collect();
        let of_players: Vec<StoredWebhook> = active()
            .filter(webhooks::player.eq_any(players))
            .load(connection)?;
        let mut found: Vec<(String, StoredWebhook)> = of_games
            .into_iter()
            .filter_map(|webhook| Some((webhook.game.clone()?, webhook)))
            .collect();
        for (game, account) in accounts() {
            for webhook in (of_players.iter()).filter(|one| one.player.as_ref() == Some(account)) {
                let known =
                    |(other, one): &(String, StoredWebhook)| other == game && one.id == webhook.id;
                if !found.iter().any(known) {
                    found.push((game.clone(), webhook.clone()));
                }
            }
        }
        Ok(found)
    }

    /// Returns the delivery of a webhook that has waited longest.
    pub(super) fn due_delivery(
        &self,
        webhook: &str,
        now: i64,
    ) -> Result<Option<StoredDelivery>, StoreError> {
        let connection = &mut *self.connection()?;
        let due = deliveries::table
            .filter(deliveries::webhook.eq(webhook.to_owned()))
            .filter(deliveries::next_at.le(now))
            .order((deliveries::next_at, deliveries::id));
        Ok(due.first(connection).optional()?)
    }

    /// Stores the result of an attempt.
    pub(super) fn note_attempt(
        &self,
        delivery: &StoredDelivery,
        attempt: Attempt,
    ) -> Result<(), StoreError> {
        let (id, webhook) = (delivery.id.clone(), delivery.webhook.clone());
        self.write(move |connection| {
            let (status, next_at) = match attempt.end {
                AttemptEnd::Delivered => (DeliveryState::Delivered, None),
                AttemptEnd::Retry(at) => (DeliveryState::Pending, Some(at)),
                AttemptEnd::Failed => (DeliveryState::Failed, None),
            };
            diesel::update(deliveries::table.find(id))
                .set((
                    deliveries::status.eq(status.name()),
                    deliveries::attempts.eq(deliveries::attempts + 1),
                    deliveries::attempted_at.eq(Some(attempt.at)),
                    deliveries::next_at.eq(next_at),
                    deliveries::answered.eq(attempt.answered.map(i64::from)),
                    deliveries::failure.eq(attempt.failure),
                ))
                .execute(connection)?;
            let own = webhooks::table.find(webhook);
            if attempt.end == AttemptEnd::Delivered {
                diesel::update(own.clone())
                    .set(webhooks::failing_since.eq(None::<i64>))
                    .execute(connection)?;
            } else {
                diesel::update(own.clone().filter(webhooks::failing_since.is_null()))
                    .set(webhooks::failing_since.eq(Some(attempt.at)))
                    .execute(connection)?;
            }
            if let Some(because) = attempt.disable {
                diesel::update(own.filter(webhooks::disabled_at.is_null()))
                    .set((
                        webhooks::disabled_at.eq(Some(attempt.at)),
                        webhooks::disabled_because.eq(Some(because)),
                    ))
                    .execute(connection)?;
            }
            Ok(())
        })
    }

    /// Ends sending to a webhook for now, and schedules its next delivery, if there is one.
    pub(super) fn settle_webhook(&self, webhook: &str) -> Result<(), StoreError> {
        let own = webhook.to_owned();
        self.settle_work(WorkKind::Webhook, webhook, move |connection| {
            let active: i64 = webhooks::table
                .find(own.clone())
                .filter(webhooks::disabled_at.is_null())
                .count()
                .get_result(connection)?;
            let next: Option<i64> = deliveries::table
                .filter(deliveries::webhook.eq(own))
                .select(min(deliveries::next_at))
                .first(connection)?;
            Ok(next.filter(|_| active > 0))
        })
    }
}
