//! What is asked and told of webhooks.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::db::time::timestamp;
use crate::http::error::ServiceError;
use crate::webhooks::queries::{DeliveryState, StoredDelivery, StoredWebhook};

/// What a webhook can be told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum WebhookEventType {
    /// The last seat was taken.
    #[serde(rename = "game.started")]
    GameStarted,
    /// The account's turn, or another decision of its own, has come.
    #[serde(rename = "turn.yours")]
    TurnYours,
    /// The game is over with a result.
    #[serde(rename = "game.finished")]
    GameFinished,
    /// The game was given up without a result.
    #[serde(rename = "game.abandoned")]
    GameAbandoned,
}

impl WebhookEventType {
    /// Every type.
    pub const ALL: [WebhookEventType; 4] = [
        WebhookEventType::GameStarted,
        WebhookEventType::TurnYours,
        WebhookEventType::GameFinished,
        WebhookEventType::GameAbandoned,
    ];

    /// The name on the wire and in the database.
    pub fn name(self) -> &'static str {
        DeliveredType::from(self).name()
    }
}

/// The type of what is delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum DeliveredType {
    /// The last seat was taken.
    #[serde(rename = "game.started")]
    GameStarted,
    /// The account's turn, or another decision of its own, has come.
    #[serde(rename = "turn.yours")]
    TurnYours,
    /// The game is over with a result.
    #[serde(rename = "game.finished")]
    GameFinished,
    /// The game was given up without a result.
    #[serde(rename = "game.abandoned")]
    GameAbandoned,
    /// Nothing happened: somebody tries the webhook.
    #[serde(rename = "webhook.test")]
    Test,
}

impl DeliveredType {
    /// The name on the wire and in the database.
    pub fn name(self) -> &'static str {
        match self {
            DeliveredType::GameStarted => "game.started",
            DeliveredType::TurnYours => "turn.yours",
            DeliveredType::GameFinished => "game.finished",
            DeliveredType::GameAbandoned => "game.abandoned",
            DeliveredType::Test => "webhook.test",
        }
    }

    fn by_name(name: &str) -> Option<DeliveredType> {
        let events = WebhookEventType::ALL.map(DeliveredType::from);
        let mut all = events.into_iter().chain([DeliveredType::Test]);
        all.find(|one| one.name() == name)
    }
}

impl From<WebhookEventType> for DeliveredType {
    fn from(event: WebhookEventType) -> DeliveredType {
        match event {
            WebhookEventType::GameStarted => DeliveredType::GameStarted,
            WebhookEventType::TurnYours => DeliveredType::TurnYours,
            WebhookEventType::GameFinished => DeliveredType::GameFinished,
            WebhookEventType::GameAbandoned => DeliveredType::GameAbandoned,
        }
    }
}

/// Of what a webhook tells: of the games of an account, `{"player": ID}`, or of one game, `{"game": ID}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookSubject {
    /// The games at which an account sits; the caller's own.
    Player(Uuid),
    /// A game.
    Game(Uuid),
}

/// A new webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWebhook {
    /// Where deliveries go: https, to a host with public addresses only.
    #[schema(example = "https://example.org/tabularium", max_length = 2000)]
    pub url: String,
    /// What is told. `turn.yours` is for players only.
    pub events: Vec<WebhookEventType>,
    /// Of what it tells.
    #[serde(rename = "for")]
    pub subject: WebhookSubject,
}

/// A change to a webhook; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookPatch {
    /// Where deliveries go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 2000)]
    pub url: Option<String>,
    /// What is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub events: Option<Vec<WebhookEventType>>,
    /// Whether nothing is sent. What happens while it is disabled is not told later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub disabled: Option<bool>,
}

/// A webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookBody {
    /// UUIDv7.
    pub id: Uuid,
    /// Where deliveries go.
    pub url: String,
    /// What is told.
    pub events: Vec<WebhookEventType>,
    /// Of what it tells.
    #[serde(rename = "for")]
    pub subject: WebhookSubject,
    /// When it was made.
    pub created_at: Timestamp,
    /// Since when every attempt has failed; after 5 days it is disabled.
    pub failing_since: Option<Timestamp>,
    /// Since when nothing is sent.
    pub disabled_at: Option<Timestamp>,
    /// Why nothing is sent.
    pub disabled_because: Option<String>,
}

/// A webhook just made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreatedWebhook {
    /// The webhook.
    pub webhook: WebhookBody,
    /// What its deliveries are signed with, shown here only.
    pub secret: String,
}

/// The secret of a webhook that was replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookSecret {
    /// What deliveries are signed with, shown here only.
    pub secret: String,
    /// Until when they are signed with the one before too.
    pub old_until: Timestamp,
}

/// The caller's webhooks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookList {
    /// All of them, oldest first.
    pub items: Vec<WebhookBody>,
}

/// What is sent to a webhook: the body of a delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookEvent {
    /// What happened.
    pub r#type: DeliveredType,
    /// When: RFC 3339, UTC.
    pub timestamp: String,
    /// Where.
    pub data: WebhookData,
}

/// Where something happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookData {
    /// The webhook.
    pub webhook: Uuid,
    /// The game; null in a test.
    pub game: Option<Uuid>,
    /// The event of the game; null in a test.
    pub seq: Option<u64>,
    /// Of `turn.yours`, the account that is asked.
    pub player: Option<String>,
}

/// A delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeliveryBody {
    /// UUIDv7; the same in the header `webhook-id` of every attempt.
    pub id: Uuid,
    /// What it tells.
    pub r#type: DeliveredType,
    /// The game that it tells of; null in a test.
    pub game: Option<Uuid>,
    /// The event of the game; null in a test.
    pub seq: Option<u64>,
    /// What became of it.
    pub status: DeliveryState,
    /// How often it was sent since it was last asked for.
    pub attempts: u64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was sent last.
    pub attempted_at: Option<Timestamp>,
    /// When it is sent next.
    pub next_at: Option<Timestamp>,
    /// The status of HTTP by which the last attempt was answered.
    pub answered: Option<u16>,
    /// Why the last attempt failed.
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
            id: format!("of the {of} {text:?}"),
            message: error.to_string(),
        })
}

impl WebhookBody {
    /// A webhook as its owner sees it.
    pub fn of(stored: &StoredWebhook) -> Result<WebhookBody, ServiceError> {
        let subject = match (&stored.player, &stored.game) {
            (Some(player), _) => WebhookSubject::Player(id("player", player)?),
            (None, game) => WebhookSubject::Game(id("game", game.as_deref().unwrap_or(""))?),
        };
        let named = |name: &str| {
            WebhookEventType::ALL
                .into_iter()
                .find(|one| one.name() == name)
        };
        Ok(WebhookBody {
            id: id("webhook", &stored.id)?,
            url: stored.url.clone(),
            events: stored.events.split(' ').filter_map(named).collect(),
            subject,
            created_at: timestamp(stored.created_at),
            failing_since: stored.failing_since.map(timestamp),
            disabled_at: stored.disabled_at.map(timestamp),
            disabled_because: stored.disabled_because.clone(),
        })
    }
}

impl DeliveryBody {
    /// A delivery as the owner of its webhook sees it.
    pub fn of(stored: &StoredDelivery) -> Result<DeliveryBody, ServiceError> {
        let unreadable = |what: &str| ServiceError::Damaged {
            id: format!("of the delivery {:?}", stored.id),
            message: format!("its {what} is unknown"),
        };
        let game = stored.game.as_deref();
        let status = DeliveryState::by_name(&stored.status);
        Ok(DeliveryBody {
            id: id("delivery", &stored.id)?,
            r#type: DeliveredType::by_name(&stored.kind).ok_or_else(|| unreadable("type"))?,
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
