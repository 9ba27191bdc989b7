//! Requests and answers about webhooks.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::db::time::timestamp;
use crate::games::notifications::NotificationType;
use crate::http::error::ServiceError;
use crate::webhooks::queries::{DeliveryState, StoredDelivery, StoredWebhook};

/// The games of a webhook: those of an account, `{"player": ID}`, or one game, `{"game": ID}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookSubject {
    /// The games in which the account has a seat. Only the caller's own account is allowed.
    Player(Uuid),
    /// A single game, by id.
    Game(Uuid),
}

/// A new webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWebhook {
    /// The URL for deliveries: https, to a host with only public addresses.
    #[schema(example = "https://example.org/tabularium", max_length = 2000)]
    pub url: String,
    /// The types of events to send. `your_turn` and `seat_lost` are only for players;
    /// `undo_request`, `invitation` and `deadline_near` are only in streams.
    pub events: Vec<NotificationType>,
    /// The games whose events are sent.
    #[serde(rename = "for")]
    pub subject: WebhookSubject,
}

/// A change of a webhook; omitted members keep their values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookPatch {
    /// The URL for deliveries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 2000)]
    pub url: Option<String>,
    /// The types of events to send.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub events: Option<Vec<NotificationType>>,
    /// Whether the webhook is disabled. Events that happen while it is disabled are not sent later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub disabled: Option<bool>,
}

/// A webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookBody {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// The URL for deliveries.
    pub url: String,
    /// The types of events that are sent.
    pub events: Vec<NotificationType>,
    /// The games whose events are sent.
    #[serde(rename = "for")]
    pub subject: WebhookSubject,
    /// When the webhook was created.
    pub created_at: Timestamp,
    /// When the current series of failed attempts began; null if the last attempt succeeded.
    /// After 5 days, the webhook is disabled.
    pub failing_since: Option<Timestamp>,
    /// When the webhook was disabled; null if it is enabled.
    pub disabled_at: Option<Timestamp>,
    /// Why the webhook is disabled; null if it is enabled.
    pub disabled_because: Option<String>,
}

/// A new webhook with its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreatedWebhook {
    /// The webhook.
    pub webhook: WebhookBody,
    /// The secret that signs deliveries. It is shown only in this answer.
    pub secret: String,
}

/// The new secret of a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookSecret {
    /// The secret that signs deliveries. It is shown only in this answer.
    pub secret: String,
    /// Until when deliveries are also signed with the old secret.
    pub old_until: Timestamp,
}

/// The caller's webhooks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookList {
    /// The webhooks, oldest first.
    pub items: Vec<WebhookBody>,
}

/// The body of a delivery: an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookEvent {
    /// The type of the event.
    pub r#type: NotificationType,
    /// When the event happened, as RFC 3339 in UTC.
    pub timestamp: String,
    /// The webhook, game and player of the event.
    pub data: WebhookData,
}

/// The webhook, game and player of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookData {
    /// The id of the webhook.
    pub webhook: Uuid,
    /// The id of the game; null in a test.
    pub game: Option<Uuid>,
    /// The sequence number of the event in the game's log; null in a test.
    pub seq: Option<u64>,
    /// For `your_turn` and `seat_lost`, the id of the account; null for other types.
    pub player: Option<String>,
}

/// A delivery to a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeliveryBody {
    /// The id, a UUIDv7; each attempt has it in the header `webhook-id`.
    pub id: Uuid,
    /// The type of the event.
    pub r#type: NotificationType,
    /// The id of the game; null in a test.
    pub game: Option<Uuid>,
    /// The sequence number of the event in the game's log; null in a test.
    pub seq: Option<u64>,
    /// The status of the delivery.
    pub status: DeliveryState,
    /// The number of attempts since it was created or last redelivered.
    pub attempts: u64,
    /// When the delivery was created.
    pub created_at: Timestamp,
    /// When it was last attempted; null before the first attempt.
    pub attempted_at: Option<Timestamp>,
    /// When it is attempted next; null if it is completed.
    pub next_at: Option<Timestamp>,
    /// The HTTP status of the last answer; null if there was none.
    pub answered: Option<u16>,
    /// Why the last attempt failed; null if it succeeded.
    pub failure: Option<String>,
}

/// A page of deliveries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeliveryPage {
    /// The deliveries, newest first.
    pub items: Vec<DeliveryBody>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
}

fn id(of: &str, text: &str) -> Result<Uuid, ServiceError> {
    text.parse()
        .map_err(|error: uuid::Error| ServiceError::Damaged {
            id: format!("{of} {text:?}"),
            message: error.to_string(),
        })
}

impl WebhookBody {
    /// Converts a stored webhook into an answer.
    pub fn from_stored(stored: &StoredWebhook) -> Result<WebhookBody, ServiceError> {
        let subject = match (&stored.player, &stored.game) {
            (Some(player), _) => WebhookSubject::Player(id("player", player)?),
            (None, game) => WebhookSubject::Game(id("game", game.as_deref().unwrap_or(""))?),
        };
        Ok(WebhookBody {
            id: id("webhook", &stored.id)?,
            url: stored.url.clone(),
            events: stored
                .events
                .split(' ')
                .filter_map(NotificationType::by_name)
                .collect(),
            subject,
            created_at: timestamp(stored.created_at),
            failing_since: stored.failing_since.map(timestamp),
            disabled_at: stored.disabled_at.map(timestamp),
            disabled_because: stored.disabled_because.clone(),
        })
    }
}

impl DeliveryBody {
    /// Converts a stored delivery into an answer.
    pub fn from_stored(stored: &StoredDelivery) -> Result<DeliveryBody, ServiceError> {
        let unreadable = |what: &str| ServiceError::Damaged {
            id: format!("delivery {:?}", stored.id),
            message: format!("its {what} is unknown"),
        };
        let game = stored.game.as_deref();
        let status = DeliveryState::by_name(&stored.status);
        Ok(DeliveryBody {
            id: id("delivery", &stored.id)?,
            r#type: NotificationType::by_name(&stored.kind).ok_or_else(|| unreadable("type"))?,
            game: game.map(|game| id("game", game)).transpose()?,
            seq: stored.seq.map(i64::unsigned_abs),
            status: status.ok_or_else(|| unreadable("status"))?,
            attempts: stored.attempts.unsigned_abs(),
            created_at: timestamp(stored.created_at),
            attempted_at: stored.attempted_at.map(timestamp),
            next_at: stored.next_at.map(timestamp),
            answered: stored
                .answered
                .and_then(|status| u16::try_from(status).ok()),
            failure: stored.failure.clone(),
        })
    }
}
