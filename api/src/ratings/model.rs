//! What is told of ratings.

use engine::setup::PlayerKind;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::model::PlayerBody;

/// The kinds of players that are rated, each among its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RatingKind {
    /// Who has an account.
    #[default]
    Account,
    /// A program that comes with Tabularium.
    Bot,
}

impl From<RatingKind> for PlayerKind {
    fn from(kind: RatingKind) -> PlayerKind {
        match kind {
            RatingKind::Account => PlayerKind::Account,
            RatingKind::Bot => PlayerKind::Bot,
        }
    }
}

/// What a player is rated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingBody {
    /// The kind of player.
    pub kind: RatingKind,
    /// The id of the account, or the bot's name.
    #[schema(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    pub player: String,
    /// What the account is called now; null of bots, and of accounts of another office.
    #[schema(example = "dido")]
    pub handle: Option<String>,
    /// The edition; null of all of them together.
    #[schema(example = "antike")]
    pub edition: Option<String>,
    /// The mean of what is believed of the player's strength: 25 before the first game.
    #[schema(example = 28.118567)]
    pub rating: f64,
    /// Its standard deviation: 25/3 before the first game.
    #[schema(example = 7.728255)]
    pub uncertainty: f64,
    /// How strong the player is at least, as good as certainly: the rating less three times the uncertainty.
    #[schema(example = 4.933802)]
    pub ordinal: f64,
    /// How many games it is made of, those at real tables too.
    pub games: u64,
    /// Whether it is made of fewer than 10.
    pub provisional: bool,
    /// When the last of them ended.
    pub updated_at: Timestamp,
}

/// A player with ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerProfile {
    /// The player.
    #[serde(flatten)]
    pub player: PlayerBody,
    /// In all editions together, then by edition; empty before the first rated game.
    pub ratings: Vec<RatingBody>,
}

/// A rating before or after a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SkillBody {
    /// The mean of what was believed of the player's strength.
    #[schema(example = 25.0)]
    pub rating: f64,
    /// Its standard deviation.
    #[schema(example = 8.333333)]
    pub uncertainty: f64,
}

/// What a game did to a rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingChangeBody {
    /// The game; null of one that is not public, and of one at a real table.
    #[schema(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    pub game: Option<Uuid>,
    /// The league that entered the result of a game at a real table; null of games that are kept here, and of a league
    /// that is not public.
    pub league: Option<Uuid>,
    /// The table of that league.
    pub table: Option<u32>,
    /// When it ended; at a real table when it was played, or else when its result was recorded.
    pub at: Timestamp,
    /// The player's rank among all at the table; of several seats the mean.
    #[schema(example = 1.0)]
    pub place: f64,
    /// How many players of this kind were compared.
    pub players: u64,
    /// The rating before.
    pub before: SkillBody,
    /// The rating after.
    pub after: SkillBody,
}

/// A page of ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingPage {
    /// The ratings, the highest ordinal first.
    pub items: Vec<RatingBody>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
}

/// A page of what games did to a rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingHistory {
    /// What games did, the last first.
    pub items: Vec<RatingChangeBody>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
}
