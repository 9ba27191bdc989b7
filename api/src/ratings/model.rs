//! The answers about ratings.

use engine::setup::PlayerKind;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::model::PlayerBody;

/// The kinds of rated players; each kind is rated separately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RatingKind {
    /// A player with an account.
    #[default]
    Account,
    /// A bot, which comes with Tabularium.
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

/// A rating of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingBody {
    /// The kind of player.
    pub kind: RatingKind,
    /// The id of the account, or the name of the bot.
    #[schema(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    pub player: String,
    /// The current handle of the account; null for bots, and for accounts of another server.
    #[schema(example = "dido")]
    pub handle: Option<String>,
    /// The name of the edition; null for all editions together.
    #[schema(example = "antike")]
    pub edition: Option<String>,
    /// The mean of the estimated strength: 25 before the first game.
    #[schema(example = 28.118567)]
    pub rating: f64,
    /// The standard deviation of the estimated strength: 25/3 before the first game.
    #[schema(example = 7.728255)]
    pub uncertainty: f64,
    /// A lower bound of the strength: the rating minus three times the uncertainty.
    /// Ratings are sorted by it.
    #[schema(example = 4.933802)]
    pub ordinal: f64,
    /// The number of rated games, including over-the-board games.
    pub games: u64,
    /// Whether the rating is provisional: fewer than 10 games.
    pub provisional: bool,
    /// When the last rated game ended.
    pub updated_at: Timestamp,
}

/// A player with all ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerProfile {
    /// The player.
    #[serde(flatten)]
    pub player: PlayerBody,
    /// The ratings: first for all editions together, then by edition; empty before the first rated game.
    pub ratings: Vec<RatingBody>,
}

/// A rating before or after a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SkillBody {
    /// The mean of the estimated strength.
    #[schema(example = 25.0)]
    pub rating: f64,
    /// The standard deviation of the estimated strength.
    #[schema(example = 8.333333)]
    pub uncertainty: f64,
}

/// The change of a rating by a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingChangeBody {
    /// The id of the game; null for a game that is not public, and for an over-the-board game.
    #[schema(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    pub game: Option<Uuid>,
    /// The id of the league that entered an over-the-board result.
    /// Null for games on this server, and for leagues that are not public.
    pub league: Option<Uuid>,
    /// The number of the table in that league.
    pub table: Option<u32>,
    /// When the game ended.
    /// For an over-the-board game, when it was played, or if not given, when its result was recorded.
    pub at: Timestamp,
    /// The player's rank at the table; the mean if the player had several seats.
    #[schema(example = 1.0)]
    pub place: f64,
    /// The number of players of this kind that were compared.
    pub players: u64,
    /// The rating before the game.
    pub before: SkillBody,
    /// The rating after the game.
    pub after: SkillBody,
}

/// A page of ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingPage {
    /// The ratings, highest ordinal first.
    pub items: Vec<RatingBody>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
}

/// A page of the history of a rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingHistory {
    /// The changes, latest first.
    pub items: Vec<RatingChangeBody>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
}
