//! The list of bots, and parsing of a bot's name with its budget.

use std::fmt;
use std::str::FromStr;

use engine::chance::Chance;

use crate::{Bot, Budget, Greedy, Random, Search, Temperament};

/// A kind of bot, as data.
#[derive(Clone, Copy, Debug)]
pub struct BotEntry {
    /// The name on the wire, without a budget.
    pub name: &'static str,
    /// How it plays, in one line.
    pub description: &'static str,
    /// Its bot and fixed temperament; `None` if it draws a temperament or has none.
    pub temperament: Option<(&'static str, Temperament)>,
    /// Its default budget; `None` if it uses none.
    pub budget: Option<Budget>,
    /// Creates the bot for a seat of a game.
    /// The chance is the seat's and always the same for that game. Whatever lasts for a game, such as a temperament,
    /// is drawn from it.
    pub seat: fn(&mut Chance) -> Box<dyn Bot>,
}

/// Every bot of the crate. All of them play every edition, board and number of nations.
pub const BOTS: &[BotEntry] = &[
    BotEntry {
        name: "random",
        description: "takes any legal action, each equally likely",
        temperament: None,
        budget: None,
        seat: |_| Box::new(Random::default()),
    },
    BotEntry {
        name: "greedy",
        description: "plays for points; growth, military or progress is drawn from the game's seed",
        temperament: None,
        budget: None,
        seat: |chance| Box::new(Greedy::new(Temperament::drawn(chance))),
    },
    BotEntry {
        name: "greedy_growth",
        description: "plays for points, temples and cities first",
        temperament: Some(("greedy", Temperament::Growth)),
        budget: None,
        seat: |_| Box::new(Greedy::new(Temperament::Growth)),
    },
    BotEntry {
        name: "greedy_military",
        description: "plays for points, units and conquests first",
        temperament: Some(("greedy", Temperament::Military)),
        budget: None,
        seat: |_| Box::new(Greedy::new(Temperament::Military)),
    },
    BotEntry {
        name: "greedy_progress",
        description: "plays for points, know-how first",
        temperament: Some(("greedy", Temperament::Progress)),
        budget: None,
        seat: |_| Box::new(Greedy::new(Temperament::Progress)),
    },
    BotEntry {
        name: "search",
        description: "looks ahead; a budget says how far, in playouts or milliseconds a decision",
        temperament: None,
        budget: Some(Budget::Playouts(200)),
        seat: |_| Box::new(Search::default()),
    },
];

/// A name for a bot with a budget, for people who choose an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The name.
    pub name: &'static str,
    /// The bot.
    pub bot: &'static str,
    /// Its budget for each decision.
    pub budget: Budget,
}

/// The levels, weakest first.
///
/// Records contain the bot and its budget in place of the level, so they stay valid when a level changes. Each level
/// should clearly beat the one before, and `expert` must answer within a second: it takes about half a second on one
/// core, and is the most that a service allows by default. [STRENGTH.md](../STRENGTH.md) has the results of matches
/// between them. With one playout, `search` is as strong as `greedy`.
pub const LEVELS: &[Level] = &[
    Level {
        name: "beginner",
        bot: "search",
        budget: Budget::Playouts(2),
    },
    Level {
        name: "intermediate",
        bot: "search",
        budget: Budget::Playouts(20),
    },
    Level {
        name: "advanced",
        bot: "search",
        budget: Budget::Playouts(150),
    },
    Level {
        name: "expert",
        bot: "search",
        budget: Budget::Playouts(1000),
    },
];

/// A bot with its budget, as a seat names it.
///
/// The text is `greedy`, or `NAME:PLAYOUTS` or `NAME@MILLISECONDSms` for a bot with a budget, or one of [`LEVELS`].
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// The bot.
    pub named: BotEntry,
    /// Its budget for each decision.
    pub budget: Budget,
}

/// An unknown name, or a budget that the bot cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is no such bot.
    #[error("there is no bot {name:?}; choose one of {names}")]
    Unknown {
        /// The name given.
        name: String,
        /// The existing names.
        names: String,
    },
    /// The bot uses no playouts.
    #[error("{0} takes no budget: name it without one")]
    NoBudget(&'static str),
    /// The budget cannot be parsed.
    #[error(
        "{0:?} is not a budget: use playouts from 1 (NAME:800) or milliseconds from 1 (NAME@500ms)"
    )]
    Budget(String),
}

impl Spec {
    /// Whether its time depends on its budget.
    pub fn thinks(&self) -> bool {
        self.named.budget.is_some()
    }

    /// Returns the bot with its default budget.
    pub fn new(named: BotEntry) -> Spec {
        let budget = named.budget.unwrap_or(Budget::NONE);
        Spec { named, budget }
    }

    /// Parses the name of one of `bots`, with its budget.
    ///
    /// # Errors
    /// If none of them has the name, or it cannot have the budget.
    pub fn among(bots: &[BotEntry], text: &str) -> Result<Spec, SpecError> {
        let name = without_budget(text);
        let budget = &text[name.len()..];
        let there_is = |name: &str| bots.iter().find(|named| named.name == name).copied();
        let levels = || {
            LEVELS
                .iter()
                .filter_map(|level| Some((level, there_is(level.bot)?)))
        };
        if let Some((level, named)) = levels().find(|(level, _)| level.name == name) {
            return match budget {
                "" => Ok(Spec {
                    named,
                    budget: level.budget,
                }),
                _ => Err(SpecError::NoBudget(level.name)),
            };
        }
        let named = there_is(name).ok_or_else(|| {
            let names = bots.iter().map(|named| named.name);
            let names: Vec<&str> = names.chain(levels().map(|(level, _)| level.name)).collect();
            SpecError::Unknown {
                name: text.to_owned(),
                names: names.join(", "),
            }
        })?;
        match budget {
            "" => Ok(Spec::new(named)),
            _ if named.budget.is_none() => Err(SpecError::NoBudget(named.name)),
            _ => {
                let budget = read_budget(budget);
                let budget = budget.ok_or_else(|| SpecError::Budget(text.to_owned()))?;
                Ok(Spec { named, budget })
            }
        }
    }
}

/// Returns a bot's name without its budget.
pub fn without_budget(name: &str) -> &str {
    &name[..name.find([':', '@']).unwrap_or(name.len())]
}

/// Parses the text of a [`Budget`].
fn read_budget(text: &str) -> Option<Budget> {
    let budget = text.get(1..)?.parse().ok()?;
    let mark = match budget {
        Budget::Playouts(_) => ":",
        Budget::Time(_) => "@",
    };
    text.starts_with(mark).then_some(budget)
}

impl FromStr for Spec {
    type Err = SpecError;

    /// Parses the name of one of [`BOTS`], with its budget.
    fn from_str(text: &str) -> Result<Spec, SpecError> {
        Spec::among(BOTS, text)
    }
}

/// Prints the name, with the budget if the bot takes one, so that a record contains it.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.named.name)?;
        match self.named.budget {
            Some(_) => write!(f, "{}", self.budget),
            None => Ok(()),
        }
    }
}
