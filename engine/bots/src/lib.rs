//! Bots: programs that play. They are deterministic from a seed.

mod cards;
mod evaluation;
mod greedy;
mod maneuver;
mod temperament;

use std::fmt;
use std::str::FromStr;

use engine::chance::Chance;
use engine::content::Library;
use engine::forms::{SetupError, digest_text};
use engine::ids::Nation;
use engine::play::{Action, Game, Payments};
use engine::record::{FORMAT, Player, Record, Setup, Source};
use engine::state::State;

pub use temperament::Temperament;

/// A program that plays a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bot {
    /// Takes any legal action, each equally likely.
    Random,
    /// Plays each turn for what it brings, by its temperament.
    Greedy(Temperament),
}

/// A name that no bot has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no bot {0:?}; there are: {names}", names = Bot::names())]
pub struct UnknownBot(pub String);

impl FromStr for Bot {
    type Err = UnknownBot;

    fn from_str(name: &str) -> Result<Bot, UnknownBot> {
        let found = Bot::ALL.iter().find(|bot| bot.name() == name);
        found.copied().ok_or_else(|| UnknownBot(name.to_owned()))
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Bot {
    /// Every bot.
    pub const ALL: &'static [Bot] = &[
        Bot::Random,
        Bot::Greedy(Temperament::Mixed),
        Bot::Greedy(Temperament::Growth),
        Bot::Greedy(Temperament::Military),
        Bot::Greedy(Temperament::Progress),
    ];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Bot::Random => "random",
            Bot::Greedy(Temperament::Mixed) => "greedy",
            Bot::Greedy(Temperament::Growth) => "greedy_growth",
            Bot::Greedy(Temperament::Military) => "greedy_military",
            Bot::Greedy(Temperament::Progress) => "greedy_progress",
        }
    }

    /// How it plays, in a line.
    pub const fn description(self) -> &'static str {
        match self {
            Bot::Random => "takes any legal action, each equally likely",
            Bot::Greedy(Temperament::Mixed) => {
                "plays for points; growth, military or progress is drawn from the game's seed"
            }
            Bot::Greedy(Temperament::Growth) => "plays for points, temples and cities first",
            Bot::Greedy(Temperament::Military) => "plays for points, units and conquests first",
            Bot::Greedy(Temperament::Progress) => "plays for points, know-how first",
        }
    }

    fn names() -> String {
        let names: Vec<&str> = Bot::ALL.iter().map(|bot| bot.name()).collect();
        names.join(", ")
    }

    /// What the bot does for the nation that must act; nothing when the game is over. The same
    /// position and the same chance give the same action, in canonical form.
    pub fn choose(&self, game: &Game, state: &State, chance: &mut Chance) -> Option<Action> {
        match self {
            Bot::Random => {
                let mut actions = Vec::new();
                game.legal_actions(state, Payments::Default, &mut actions);
                let last = actions.len().checked_sub(1)?;
                Some(actions[chance.below(last as u32 + 1) as usize])
            }
            Bot::Greedy(temperament) => greedy::choose(*temperament, game, state, chance),
        }
    }
}

/// The source of chance of a bot's decision: it depends on the game's seed, the seat and the number
/// of the decision only, so that a game goes on in the same way after a restart.
pub fn decision_chance(seed: &str, seat: u8, decision: u64) -> Chance {
    Chance::new(&format!("{seed} seat {seat} decision {decision}"))
}

/// A game that bots cannot play.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlayError {
    /// The setup does not start a game.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A seat is played by no bot that there is.
    #[error("seat {0} is not played by a bot")]
    Seat(usize),
    /// A bot chose an action that is refused.
    #[error("{bot} chose {text}, which is refused: {source}")]
    Refused {
        /// The bot.
        bot: String,
        /// The action.
        text: String,
        /// Why it is refused.
        source: engine::play::Illegal,
    },
}

/// Plays a game whose seats are all bots to its end and returns its record. A game without
/// `max_rounds` may go on for very long.
///
/// # Errors
/// When the setup does not start a game or a seat has no bot.
pub fn play(
    library: &Library,
    setup: &Setup,
    id: &str,
    played_at: &str,
) -> Result<Record, PlayError> {
    let bots = setup
        .seats
        .iter()
        .enumerate()
        .map(|(index, seat)| match &seat.player {
            Player::Bot { name } => name.parse().map_err(|_| PlayError::Seat(index)),
            _ => Err(PlayError::Seat(index)),
        })
        .collect::<Result<Vec<Bot>, PlayError>>()?;
    let (game, mut state) = setup.start(library)?;
    let mut actions = Vec::new();
    let mut effects = Vec::new();
    let bot_of = |nation: Nation| bots[usize::from(game.seat_of(nation))];
    while let Some(pending) = game.pending(&state) {
        let bot = bot_of(pending.nation);
        let seat = game.seat_of(pending.nation);
        let mut chance = decision_chance(&setup.seed, seat, actions.len() as u64);
        let Some(action) = bot.choose(&game, &state, &mut chance) else {
            break;
        };
        let text = game.print_by(&state, pending.nation, &action);
        effects.clear();
        if let Err(source) = game.apply(&mut state, pending.nation, action, &mut effects) {
            return Err(PlayError::Refused {
                bot: bot.to_string(),
                text,
                source,
            });
        }
        actions.push(text);
    }
    Ok(Record {
        format: FORMAT.to_owned(),
        id: id.to_owned(),
        result: game.result_body(&state),
        digest: digest_text(state.digest()),
        setup: setup.spelled_out(library)?,
        actions,
        events: None,
        played_at: played_at.to_owned(),
        source: Source::Simulation,
        rated: false,
        league: None,
        signature: None,
    })
}
