//! The pace of a game: how much time players have, and what happens when it has run out.

use serde::{Deserialize, Serialize};

use super::check_name;

/// The longest turn time, in seconds: 30 days.
pub const LONGEST_TURN: u32 = 30 * 24 * 60 * 60;

/// The longest reserve, in seconds: a year.
const LONGEST_RESERVE: u32 = 365 * 24 * 60 * 60;

/// The most time-outs that a pace may allow.
const MOST_TIMEOUTS: u32 = 100;

/// How much time the players of a game have, and what happens when it has run out.
///
/// Each time the game waits for a seat, the seat has its turn time; after that its reserve runs. When both are used up,
/// the seat has timed out: the log records this, and its turn time starts again. Bots have unlimited time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// Seconds that a seat has each time the game waits for it.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 2592000))]
    pub turn_seconds: u32,
    /// Seconds that a seat has beyond that, for the whole game; 0 if omitted.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(maximum = 31536000))]
    pub reserve_seconds: u32,
    /// The number of time-outs after which `then` applies. Earlier ones are only recorded. 1 if omitted.
    #[serde(default = "once")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 100))]
    pub timeouts: u32,
    /// The consequence of the seat's last time-out.
    pub then: TimeoutThen,
    /// The bot that takes the seat over; present exactly if `then` is `bot`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
}

fn once() -> u32 {
    1
}

/// The consequence of a time-out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TimeoutThen {
    /// The time-out is only recorded.
    /// After the last one the seat's clock stops, and its organizer can replace the player.
    Wait,
    /// A bot takes the seat over.
    Bot,
    /// The seat's nations resign.
    Resign,
}

impl TimeoutThen {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            TimeoutThen::Wait => "wait",
            TimeoutThen::Bot => "bot",
            TimeoutThen::Resign => "resign",
        }
    }
}

impl Pace {
    /// Checks that a game can have this pace.
    ///
    /// # Errors
    /// The name of a wrong field, and what it must be.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        let within = |field: &'static str, found: u32, least: u32, most: u32| match (least..=most)
            .contains(&found)
        {
            true => Ok(()),
            false => Err((field, format!("{least} to {most} is needed"))),
        };
        within("turn_seconds", self.turn_seconds, 1, LONGEST_TURN)?;
        within("reserve_seconds", self.reserve_seconds, 0, LONGEST_RESERVE)?;
        within("timeouts", self.timeouts, 1, MOST_TIMEOUTS)?;
        match (&self.bot, self.then) {
            (Some(name), TimeoutThen::Bot) => check_name(name).map_err(|message| ("bot", message)),
            (None, TimeoutThen::Bot) => {
                Err(("bot", "must name the bot that takes over".to_owned()))
            }
            (Some(_), _) => Err((
                "bot",
                "must be absent unless \"then\" is \"bot\"".to_owned(),
            )),
            (None, _) => Ok(()),
        }
    }
}
