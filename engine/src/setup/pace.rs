//! How much time players have for their decisions, and what happens when it is up.

use serde::{Deserialize, Serialize};

use super::check_name;

/// The longest turn time, in seconds: 30 days.
pub const LONGEST_TURN: u32 = 30 * 24 * 60 * 60;

/// The longest reserve, in seconds: a year.
const LONGEST_RESERVE: u32 = 365 * 24 * 60 * 60;

/// The most time-outs that a seat can have.
const MOST_TIMEOUTS: u32 = 100;

/// How much time the players of a game have, and what happens when it is up. Each time a seat is waited for
/// it has its turn time, and when that is up its reserve runs. When that is gone too the seat has timed out,
/// which the log tells, and its turn time begins anew. Bots have all the time they need.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// Seconds that a seat has each time it is waited for.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 2592000))]
    pub turn_seconds: u32,
    /// Seconds that a seat has beyond that, for the whole game; none when left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(maximum = 31536000))]
    pub reserve_seconds: u32,
    /// How often a seat's time may run out: with the last of these time-outs happens what `then` says, those
    /// before are only noted. 1 when left out.
    #[serde(default = "once")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 100))]
    pub timeouts: u32,
    /// What happens with a seat's last time-out.
    pub then: TimeoutThen,
    /// The bot that takes a seat over; told where `then` is `bot` and nowhere else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
}

fn once() -> u32 {
    1
}

/// What happens when a seat has timed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TimeoutThen {
    /// Nothing but that it is noted. With the last time-out the seat's time stands still: its organizer can
    /// put another player there.
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
    /// Whether a game can be played so.
    ///
    /// # Errors
    /// The field that cannot be, and what is needed of it.
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
                Err(("bot", "the bot that takes over is needed".to_owned()))
            }
            (Some(_), _) => Err((
                "bot",
                "a bot takes over with \"then\": \"bot\" only".to_owned(),
            )),
            (None, _) => Ok(()),
        }
    }
}
