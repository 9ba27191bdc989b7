//! Webhooks and their deliveries.

use diesel::dsl::{exists, min};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::db::answers::{KeptAnswer, keep_answer};
use crate::db::connection::AnyConnection;
use crate::db::jobs::WorkKind;
use crate::db::projections::offsets::Transaction;
use crate::db::schema::{accounts, deliveries, seats, webhooks, work};
use crate::db::{Store, StoreError};

/// For how long deliveries are kept that are over, in microseconds: 30 days.
const KEPT: i64 = 30 * 24 * 60 * 60 * 1_000_000;

/// A webhook. Times are microseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = webhooks)]
pub struct StoredWebhook {
    /// UUIDv7.
    pub id: String,
    /// The account whose it is.
    pub account: String,
    /// Where deliveries go.
    pub url: String,
    /// Types of events: words with a space between.
    pub events: String,
    /// Of whose games it tells.
    pub player: Option<String>,
    /// Of which game it tells.
    pub game: Option<String>,
    /// What deliveries are signed with.
    pub secret: String,
    /// What they were signed with before.
    pub old_secret: Option<String>,
    /// Until when they are signed with that too.
    pub old_secret_until: i64,
    /// Behind which position of the log of all games it tells.
    pub since: i64,
    /// When it was made.
    pub created_at: i64,
    /// Since when every attempt has failed.
    pub failing_since: Option<i64>,
    /// Since when nothing is sent.
    pub disabled_at: Option<i64>,
    /// Why nothing is sent.
    pub disabled_because: Option<String>,
}

/// What changes of a webhook; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, AsChangeset)]
#[diesel(table_name = webhooks)]
pub struct WebhookChange {
    /// Where deliveries go.
    pub url: Option<String>,
    /// Types of events.
    pub events: Option<String>,
    /// What deliveries are signed with.
    pub secret: Option<String>,
    /// What they were signed with before.
    pub old_secret: Option<Option<String>>,
    /// Until when they are signed with that too.
    pub old_secret_until: Option<i64>,
    /// Behind which position it tells.
    pub since: Option<i64>,
    /// Since when every attempt has failed.
    pub failing_since: Option<Option<i64>>,
    /// Since when nothing is sent.
    pub disabled_at: Option<Option<i64>>,
    /// Why nothing is sent.
    pub disabled_because: Option<Option<String>>,
}

/// What became of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// It is sent or tried again.
    Pending,
    /// It was answered by 2xx.
    Delivered,
    /// It is not tried again by itself.
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

    /// The status with this name.
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
    /// UUIDv7.
    pub id: String,
    /// The webhook.
    pub webhook: String,
    /// The type of its event.
    pub kind: String,
    /// The game that it is about.
    pub game: Option<String>,
    /// The event of the game.
    pub seq: Option<i64>,
    /// The body that is sent.
    pub body: String,
    /// The name of its [`DeliveryState`].
    pub status: String,
    /// How often it was sent since it was last asked for.
    pub attempts: i64,
    /// When it was made.
    pub created_at: i64,
    /// When it was sent last.
    pub attempted_at: Option<i64>,
    /// When it is sent next.
    pub next_at: Option<i64>,
    /// The status of HTTP by which it was answered last.
    pub answered: Option<i64>,
    /// Why it has failed last.
    pub failure: Option<String>,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptEnd {
    /// The receiver has it.
    Delivered,
    /// It is tried again at this time.
    Again(i64),
    /// It is not tried again.
    Failed,
}

/// An attempt to deliver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// When, in microseconds since 1970.
    pub at: i64,
    /// The status of HTTP that was answered.
    pub answered: Option<u16>,
    /// Why it failed.
    pub failure: Option<String>,
    /// What follows.
    pub end: AttemptEnd,
    /// Why nothing else is sent to this webhook.
    pub disable: Option<String>,
}

/// Lets those who send look at a webhook now, whoever has its lease.
fn wake(connection: &mut AnyConnection, webhook: &str, now: i64) -> Result<(), StoreError> {
    let key = work::table.find((WorkKind::Webhook.name(), webhook.to_owned()));
    let noted = diesel::update(key)
        .set(work::due_at.eq(now))
        .execute(connection)?;
    if noted == 0 {
        diesel::insert_into(work::table)
            .values((
                work::kind.eq(WorkKind::Webhook.name()),
                work::subject.eq(webhook.to_owned()),
                work::due_at.eq(now),
                work::leased_until.eq(0),
                work::attempts.eq(0),
            ))
            .execute(connection)?;
    }
    Ok(())
}

/// Removes a webhook, its deliveries and the work of sending them.
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

fn insert(connection: &mut AnyConnection, new: Vec<StoredDelivery>) -> Result<(), StoreError> {
    let mut told: Vec<(String, i64)> = Vec::new();
    for delivery in new {
        if told
            .last()
            .is_none_or(|(last, _)| *last != delivery.webhook)
        {
            let old = deliveries::table
                .filter(deliveries::webhook.eq(delivery.webhook.clone()))
                .filter(deliveries::next_at.is_null())
                .filter(deliveries::created_at.lt(delivery.created_at - KEPT));
            diesel::delete(old).execute(connection)?;
            told.push((delivery.webhook.clone(), delivery.created_at));
        }
        diesel::insert_into(deliveries::table)
            .values(delivery)
            .execute(connection)?;
    }
    // Always in the same order, so that two who write do not wait for each other.
    told.sort();
    told.dedup_by(|a, b| a.0 == b.0);
    for (webhook, now) in told {
        wake(connection, &webhook, now)?;
    }
    Ok(())
}

impl Transaction<'_> {
    /// Writes deliveries, and lets them be sent.
    pub(super) fn add_deliveries(&mut self, new: Vec<StoredDelivery>) -> Result<(), StoreError> {
        insert(self.0, new)
    }
}

impl Store {
    /// Writes a new webhook, unless its account has `most` already; says whether it was written.
    pub(super) fn create_webhook(
        &self,
        webhook: StoredWebhook,
        most: i64,
        answer: Option<KeptAnswer>,
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

    /// The webhooks of an account, oldest first.
    pub(super) fn webhooks_of(&self, account: Uuid) -> Result<Vec<StoredWebhook>, StoreError> {
        let connection = &mut *self.connection()?;
        let own = webhooks::table.filter(webhooks::account.eq(account.to_string()));
        Ok(own.order(webhooks::id).load(connection)?)
    }

    /// The webhook with an id.
    pub(super) fn webhook(&self, id: &str) -> Result<Option<StoredWebhook>, StoreError> {
        let connection = &mut *self.connection()?;
        let found = webhooks::table.find(id.to_owned()).first(connection);
        Ok(found.optional()?)
    }

    /// Changes a webhook, and has its deliveries sent that wait.
    pub(super) fn change_webhook(
        &self,
        id: &str,
        change: WebhookChange,
        now: i64,
        answer: Option<KeptAnswer>,
    ) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write(move |connection| {
            let changed = diesel::update(webhooks::table.find(id.clone()))
                .set(change)
                .execute(connection)?;
            match changed {
                0 => return Ok(()),
                _ => wake(connection, &id, now)?,
            }
            keep_answer(connection, answer)
        })
    }

    /// Removes a webhook with its deliveries.
    pub(super) fn remove_webhook(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write(move |connection| remove(connection, id))
    }

    /// Deliveries of a webhook, newest first, those before `before`.
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

    /// A delivery of a webhook.
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

    /// Writes a delivery that somebody has asked for.
    pub(super) fn add_delivery(
        &self,
        delivery: StoredDelivery,
        answer: Option<KeptAnswer>,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            insert(connection, vec![delivery])?;
            keep_answer(connection, answer)
        })
    }

    /// Has a delivery sent anew.
    pub(super) fn redeliver(
        &self,
        delivery: &StoredDelivery,
        now: i64,
        answer: Option<KeptAnswer>,
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
            wake(connection, &webhook, now)?;
            keep_answer(connection, answer)
        })
    }

    /// The first position of the log of all games behind which a webhook is notified of events; `None` while there is
    /// no webhook.
    pub(super) fn webhooks_since(&self) -> Result<Option<i64>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(webhooks::table
            .filter(webhooks::disabled_at.is_null())
            .select(min(webhooks::since))
            .first(connection)?)
    }

    /// The webhooks that are told of games, with the game: those for it and those for accounts that sit at it.
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
        let seated: Vec<(String, Option<String>)> = seats::table
            .filter(seats::game_id.eq_any(games.to_vec()))
            .filter(seats::player_id.is_not_null())
            .select((seats::game_id, seats::player_id))
            .load(connection)?;
        let players: Vec<String> = seated.iter().filter_map(|(_, id)| id.clone()).collect();
        let of_players: Vec<StoredWebhook> = active()
            .filter(webhooks::player.eq_any(players))
            .load(connection)?;
        let mut told: Vec<(String, StoredWebhook)> = of_games
            .into_iter()
            .filter_map(|webhook| Some((webhook.game.clone()?, webhook)))
            .collect();
        for (game, player) in &seated {
            for webhook in of_players.iter().filter(|one| one.player == *player) {
                let known =
                    |(other, one): &(String, StoredWebhook)| other == game && one.id == webhook.id;
                if !told.iter().any(known) {
                    told.push((game.clone(), webhook.clone()));
                }
            }
        }
        Ok(told)
    }

    /// Webhooks with deliveries that are due and that no node sends, what has waited longest first.
    pub(super) fn free_webhooks(&self, now: i64, limit: i64) -> Result<Vec<String>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(work::table
            .filter(work::kind.eq(WorkKind::Webhook.name()))
            .filter(work::due_at.le(now))
            .filter(work::leased_until.le(now))
            .order(work::due_at)
            .limit(limit)
            .select(work::subject)
            .load(connection)?)
    }

    /// The delivery of a webhook that has been due for longest.
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

    /// Notes an attempt to deliver.
    pub(super) fn note_attempt(
        &self,
        delivery: &StoredDelivery,
        attempt: Attempt,
    ) -> Result<(), StoreError> {
        let (id, webhook) = (delivery.id.clone(), delivery.webhook.clone());
        self.write(move |connection| {
            let (status, next_at) = match attempt.end {
                AttemptEnd::Delivered => (DeliveryState::Delivered, None),
                AttemptEnd::Again(at) => (DeliveryState::Pending, Some(at)),
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

    /// Ends sending a webhook's deliveries for now: notes when the next one is due, if there is one.
    pub(super) fn settle_webhook(&self, webhook: &str, now: i64) -> Result<(), StoreError> {
        let webhook = webhook.to_owned();
        let node = self.node().to_owned();
        self.write(move |connection| {
            let key = work::table
                .find((WorkKind::Webhook.name(), webhook.clone()))
                .filter(work::owner.eq(node));
            // First, so that whoever adds a delivery waits, or what was added is seen.
            let own = diesel::update(key.clone())
                .set((work::owner.eq(None::<String>), work::leased_until.eq(0)))
                .execute(connection)?;
            if own == 0 {
                return Ok(());
            }
            let active: i64 = webhooks::table
                .find(webhook.clone())
                .filter(webhooks::disabled_at.is_null())
                .count()
                .get_result(connection)?;
            let next: Option<i64> = deliveries::table
                .filter(deliveries::webhook.eq(webhook.clone()))
                .select(min(deliveries::next_at))
                .first(connection)?;
            let key = work::table.find((WorkKind::Webhook.name(), webhook));
            match next.filter(|_| active > 0) {
                // Behind others, if it is due already.
                Some(next) => diesel::update(key)
                    .set(work::due_at.eq(next.max(now)))
                    .execute(connection)?,
                None => diesel::delete(key).execute(connection)?,
            };
            Ok(())
        })
    }
}
