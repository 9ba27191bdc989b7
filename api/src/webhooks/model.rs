//! Requests and answers about webhooks.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::db::time::timestamp;
use crate::games::notifications::NotificationType;
use crate::http::error::ServiceError;
use crate::http::language::Language;
use crate::webhooks::queries::{DeliveryState, StoredDelivery, StoredWebhook};

/// What a webhook covers: the games of an account, `{"player": ID}`, one game, `{"game": ID}`, or a league,
/// `{"league": ID}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookSubject {
    /// The games in which the account has a seat. Only the caller's own account is allowed.
    Player(Uuid),
    /// A single game, by id.
    Game(Uuid),
    /// A league, by id.
    League(Uuid),
}

/// The form of a webhook's requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookFormat {
    /// A `WebhookEvent`, for programs.
    #[default]
    Standard,
    /// A sentence and a link, as incoming webhooks of Discord accept them.
    Discord,
    /// A sentence and a link, as incoming webhooks of Slack accept them.
    Slack,
}

impl WebhookFormat {
    /// The name in JSON and in the database.
    pub fn name(self) -> &'static str {
        match self {
            WebhookFormat::Standard => "standard",
            WebhookFormat::Discord => "discord",
            WebhookFormat::Slack => "slack",
        }
    }

    /// Returns the format with this name.
    pub fn by_name(name: &str) -> Option<WebhookFormat> {
        let all = [
            WebhookFormat::Standard,
            WebhookFormat::Discord,
            WebhookFormat::Slack,
        ];
        all.into_iter().find(|format| format.name() == name)
    }
}

/// A new webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWebhook {
    /// The URL for deliveries: https, to a host with only public addresses.
    #[schema(example = "https://example.org/tabularium", max_length = 2000)]
    pub url: String,
    /// The types of events to send. `your_turn` and `seat_lost` are only for players; `your_bid`, `undo_request` and
    /// `invitation` are only in streams. A league has `deadline_near` and the types that its log names.
    pub events: Vec<NotificationType>,
    /// The games or the league whose events are sent.
    #[serde(rename = "for")]
    pub subject: WebhookSubject,
    /// The form of the requests.
    #[serde(default)]
    pub format: WebhookFormat,
    /// The language of the sentences for Discord and Slack.
    #[serde(default)]
    pub language: Language,
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
    /// The form of the requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub format: Option<WebhookFormat>,
    /// The language of the sentences for Discord and Slack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub language: Option<Language>,
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
    /// The games or the league whose events are sent.
    #[serde(rename = "for")]
    pub subject: WebhookSubject,
    /// The form of the requests.
    pub format: WebhookFormat,
    /// The language of the sentences for Discord and Slack.
    pub language: Language,
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
    /// The webhook, game or league, and player of the event.
    pub data: WebhookData,
}

/// The webhook, game or league, and player of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookData {
    /// The id of the webhook.
    pub webhook: Uuid,
    /// The id of the game; null for a league and in a test.
    pub game: Option<Uuid>,
    /// The id of the league; null for a game and in a test.
    pub league: Option<Uuid>,
    /// The sequence number of the event in the log of the game or league; null in a test.
    pub seq: Option<u64>,
    /// For `your_turn` and `seat_lost`, the id of the account; for `joined` and `left`, of the member. Otherwise null.
    pub player: Option<String>,
    /// For `deadline_near` and `deadline_moved`, the deadline. Otherwise null.
    pub due_at: Option<Timestamp>,
}

/// A delivery to a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeliveryBody {
    /// The id, a UUIDv7; each attempt has it in the header `webhook-id`.
    pub id: Uuid,
    /// The type of the event.
    pub r#type: NotificationType,
    /// The id of the game; null for a league and in a test.
    pub game: Option<Uuid>,
    /// The id of the league; null for a game and in a test.
    pub league: Option<Uuid>,
    /// The sequence number of the event in the log of the game or league; null in a test.
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
            (None, Some(game)) => WebhookSubject::Game(id("game", game)?),
            (None, None) => {
                WebhookSubject::League(id("league", stored.league.as_deref().unwrap_or(""))?)
            }
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
            format: WebhookFormat::by_name(&stored.format).unwrap_or_default(),
            language: Language::of_code(&stored.language).unwrap_or_default(),
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
        let (game, league) = (stored.game.as_deref(), stored.league.as_deref());
        let status = DeliveryState::by_name(&stored.status);
        Ok(DeliveryBody {
            id: id("delivery", &stored.id)?,
            r#type: NotificationType::by_name(&stored.kind).ok_or_else(|| unreadable("type"))?,
            game: game.map(|game| id("game", game)).transpose()?,
            league: league.map(|league| id("league", league)).transpose()?,
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
