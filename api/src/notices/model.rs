//! Requests and answers about notices, addresses and push subscriptions.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::db::time::timestamp;
use crate::games::notifications::NotificationType;
use crate::http::language::Language;
use crate::notices::queries::{ChoiceRow, MailAddressRow, SubscriptionRow};
use crate::sessions::passwords::Password;

/// The type of a notice. The names are those of the stream `/v1/me/events`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeType {
    /// The player must act.
    YourTurn,
    /// The player must bid for a seat.
    YourBid,
    /// Another player has made an undo request, and the player has not responded.
    UndoRequest,
    /// A seat is reserved for the player, or a league has invited the account.
    Invitation,
    /// The time that the player has left is nearly over, or the deadline of a league's table is in a day.
    DeadlineNear,
    /// The player has lost the seat.
    SeatLost,
    /// A game of the player has started.
    GameStarted,
    /// A game of the player is over and has a result.
    GameFinished,
    /// A game of the player was abandoned.
    GameAbandoned,
    /// Something happened in a league of the account, such as a new round.
    LeagueNews,
}

impl NoticeType {
    /// All types.
    pub const ALL: [NoticeType; 10] = [
        NoticeType::YourTurn,
        NoticeType::YourBid,
        NoticeType::UndoRequest,
        NoticeType::Invitation,
        NoticeType::DeadlineNear,
        NoticeType::SeatLost,
        NoticeType::GameStarted,
        NoticeType::GameFinished,
        NoticeType::GameAbandoned,
        NoticeType::LeagueNews,
    ];

    /// The name in JSON and in the database.
    pub fn name(self) -> &'static str {
        match self {
            NoticeType::YourTurn => "your_turn",
            NoticeType::YourBid => "your_bid",
            NoticeType::UndoRequest => "undo_request",
            NoticeType::Invitation => "invitation",
            NoticeType::DeadlineNear => "deadline_near",
            NoticeType::SeatLost => "seat_lost",
            NoticeType::GameStarted => "game_started",
            NoticeType::GameFinished => "game_finished",
            NoticeType::GameAbandoned => "game_abandoned",
            NoticeType::LeagueNews => "league_news",
        }
    }

    /// Returns the type with this name.
    pub fn by_name(name: &str) -> Option<NoticeType> {
        NoticeType::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Returns the type of the notices about an event.
    pub fn for_event(kind: NotificationType) -> NoticeType {
        NoticeType::by_name(kind.name()).unwrap_or(NoticeType::LeagueNews)
    }
}

/// When a notice is mailed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MailTiming {
    /// Never.
    #[default]
    Never,
    /// Immediately, each in a mail.
    Each,
    /// At 6:00 UTC, all of a day in one mail.
    Daily,
}

impl MailTiming {
    /// All values.
    pub const ALL: [MailTiming; 3] = [MailTiming::Never, MailTiming::Each, MailTiming::Daily];

    /// The name in JSON and in the database.
    pub fn name(self) -> &'static str {
        match self {
            MailTiming::Never => "never",
            MailTiming::Each => "each",
            MailTiming::Daily => "daily",
        }
    }

    /// Returns the value with this name.
    pub fn by_name(name: &str) -> Option<MailTiming> {
        MailTiming::ALL.into_iter().find(|one| one.name() == name)
    }
}

/// How an account receives the notices of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoticeChoice {
    /// The type.
    pub r#type: NoticeType,
    /// When they are mailed. Nothing is mailed before the address is confirmed.
    #[serde(default)]
    pub mail: MailTiming,
    /// Whether the browsers with a push subscription receive them.
    #[serde(default)]
    pub push: bool,
}

/// The choices of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"choices": [{"type": "your_turn", "mail": "daily", "push": true}]}))]
pub struct NoticeChoices {
    /// The choices. Types that are not listed are neither mailed nor pushed.
    #[schema(max_items = 10)]
    pub choices: Vec<NoticeChoice>,
}

/// The notices of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NoticeSettings {
    /// The choice for each type.
    pub choices: Vec<NoticeChoice>,
    /// The address for mails; null if there is none.
    pub mail_address: Option<MailAddress>,
    /// Whether the server sends mail.
    pub mail_available: bool,
    /// The public key of the server, which a push subscription needs as `applicationServerKey`.
    pub push_key: String,
}

/// The e-mail address of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MailAddress {
    /// The address.
    #[schema(example = "dido@example.org")]
    pub address: String,
    /// The language of the mails.
    pub language: Language,
    /// When it was confirmed; null if it is not.
    pub confirmed_at: Option<Timestamp>,
}

/// A new e-mail address.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"address": "dido@example.org", "password": "a long walk by the sea"}))]
pub struct NewMailAddress {
    /// The address. A mail to it contains a link that confirms it.
    #[schema(max_length = 254)]
    pub address: String,
    /// The language of the mails.
    #[serde(default)]
    pub language: Language,
    /// The password of the account. Omit it if the account has none.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Password, max_length = 1024)]
    pub password: Option<Password>,
}

/// A confirmation of an e-mail address.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MailConfirmation {
    /// The token of the link in the mail.
    #[schema(max_length = 64)]
    pub token: String,
}

/// A request for a mail that helps if a password is forgotten.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"handle": "dido"}))]
pub struct PasswordRecovery {
    /// The handle of the account.
    #[schema(max_length = 32)]
    pub handle: String,
}

/// The keys of a push subscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PushKeys {
    /// The public key of the browser, in base64url.
    #[schema(max_length = 128)]
    pub p256dh: String,
    /// The secret of the browser, in base64url.
    #[schema(max_length = 64)]
    pub auth: String,
}

/// A push subscription, as `PushSubscription.toJSON()` of the browser writes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPushSubscription {
    /// The URL of the push service.
    #[schema(max_length = 2000)]
    pub endpoint: String,
    /// Is ignored.
    #[serde(default, rename = "expirationTime")]
    pub expiration_time: Option<f64>,
    /// The keys of the browser.
    pub keys: PushKeys,
    /// The language of the messages.
    #[serde(default)]
    pub language: Language,
}

/// A browser that receives push messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PushSubscription {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// The URL of the push service.
    pub endpoint: String,
    /// The browser and the system.
    #[schema(example = "Firefox, Linux")]
    pub device: String,
    /// The language of the messages.
    pub language: Language,
    /// When it was added.
    pub created_at: Timestamp,
}

/// The browsers of an account that receive push messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PushSubscriptionList {
    /// The subscriptions, oldest first.
    pub items: Vec<PushSubscription>,
}

impl From<MailAddressRow> for MailAddress {
    fn from(row: MailAddressRow) -> MailAddress {
        MailAddress {
            address: row.address,
            language: Language::of_code(&row.language).unwrap_or_default(),
            confirmed_at: row.confirmed_at.map(timestamp),
        }
    }
}

impl From<SubscriptionRow> for PushSubscription {
    fn from(row: SubscriptionRow) -> PushSubscription {
        PushSubscription {
            id: row.id.parse().unwrap_or_default(),
            endpoint: row.endpoint,
            device: row.device,
            language: Language::of_code(&row.language).unwrap_or_default(),
            created_at: timestamp(row.created_at),
        }
    }
}

/// Returns the choice for each type from the stored ones.
pub fn choices(rows: &[ChoiceRow]) -> Vec<NoticeChoice> {
    let choice = |r#type: NoticeType| {
        let row = rows.iter().find(|row| row.kind == r#type.name());
        NoticeChoice {
            r#type,
            mail: row
                .and_then(|row| MailTiming::by_name(&row.mail))
                .unwrap_or_default(),
            push: row.is_some_and(|row| row.push == 1),
        }
    };
    NoticeType::ALL.into_iter().map(choice).collect()
}
