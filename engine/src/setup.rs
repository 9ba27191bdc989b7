//! Setups: what a game starts from, and the drawing of what a setup leaves open.

use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::chance::Chance;
use crate::content::Library;
use crate::game::Game;
use crate::ruleset::{FirstNationPolicy, Rules, Ruleset, StartPick, Topic, VariantData};
use crate::state::State;
use crate::wire::StateBody;

/// Who plays a seat, as a record tells it. The engine only passes it on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case", tag = "kind", deny_unknown_fields)]
pub enum Player {
    /// A program that comes with Tabularium.
    Bot {
        /// Its name, with its temperament if it has one.
        name: String,
    },
    /// A person or a program of somebody's, known by an account.
    Person {
        /// The account.
        id: String,
        /// A name to show.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// Nobody yet.
    Open,
}

impl Player {
    /// Who acts, as event logs name it: a bot by its name, a person by the account.
    pub fn actor(&self) -> Option<&str> {
        match self {
            Player::Bot { name } => Some(name),
            Player::Person { id, .. } => Some(id),
            Player::Open => None,
        }
    }
}

/// A seat at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SetupSeat {
    /// The nations of the seat: one, or two in the two-player game [A41]. Empty means drawn.
    #[serde(default)]
    pub nations: Vec<String>,
    /// Who plays it.
    pub player: Player,
}

/// What a game starts from. A setup read from a finished record has everything filled in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The edition.
    pub edition: String,
    /// The board.
    pub board: String,
    /// SHA-256 of the ruleset's file; the current version when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruleset_hash: Option<String>,
    /// SHA-256 of the board's file; the current version when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board_hash: Option<String>,
    /// The variants.
    #[serde(default)]
    pub variants: Vec<String>,
    /// The seats in table order, clockwise.
    pub seats: Vec<SetupSeat>,
    /// Where all chance comes from; empty for a game played at a table, whose record spells out what
    /// was drawn.
    #[serde(default)]
    pub seed: String,
    /// Words already drawn from the seed's stream: 0 for a new game; in a setup that spells its
    /// choices out, the words that drew them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub drawn: u32,
    /// The nation that starts; decided by the rules when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The last round that is played; no limit when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_rounds: Option<u32>,
    /// The event deck as it was shuffled, the last card drawn first; from the seed when absent. Only
    /// finished games tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deck: Option<Vec<String>>,
    /// The decks that used cards became later, in the same form and in the order of the reshuffles,
    /// those before a position included; from the seed where absent or empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reshuffles: Vec<Vec<String>>,
    /// The position to start from, in place of the edition's set-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Box<StateBody>>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A setup from which no game can start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SetupError {
    /// What is wrong.
    pub message: String,
    /// The field of the setup to blame, as a path such as `seats[1].nations`.
    pub field: String,
    /// The number of the rule that it offends, if a rule does.
    pub rule: Option<String>,
}

impl SetupError {
    pub(crate) fn new(field: impl Into<String>, message: impl Into<String>) -> SetupError {
        SetupError {
            message: message.into(),
            field: field.into(),
            rule: None,
        }
    }

    fn by(mut self, rule: impl ToString) -> SetupError {
        self.rule = Some(rule.to_string());
        self
    }
}

impl Setup {
    /// Starts the game: finds board and ruleset, draws what is left open in the order nations,
    /// first nation, and builds the first state. The game's own setup has every choice and both
    /// hashes spelled out.
    ///
    /// # Errors
    /// When edition, board, variants, seats or position do not make a game.
    pub fn start(&self, library: &Library) -> Result<(Game, State), SetupError> {
        let (ruleset, board) = self.find(library)?;
        let variants = self.variants(&ruleset)?;
        let free_sites = variants
            .iter()
            .any(|variant| variant.start_pick == Some(StartPick::FreeSites));
        if self.max_rounds == Some(0) {
            return Err(SetupError::new(
                "max_rounds",
                "at least one round is played",
            ));
        }
        let participants = ruleset.rule(Topic::Participants);
        let unplayable = || {
            let seats = self.seats.len();
            let plural = if seats == 1 { "" } else { "s" };
            let message = format!("the board has no set-up for {seats} seat{plural}");
            SetupError::new("seats", message).by(participants)
        };
        let pairs = board.data.two_players.as_ref();
        let pairs = pairs.filter(|_| self.seats.len() == 2 && !free_sites);
        let nations = match u8::try_from(self.seats.len()) {
            _ if pairs.is_some() => 4,
            Ok(seats) => seats,
            Err(_) => return Err(unplayable()),
        };
        for (name, variant) in self.variants.iter().zip(&variants) {
            if variant
                .nations
                .as_ref()
                .is_some_and(|n| !n.contains(&nations))
            {
                let message = format!("{name} is not for {nations} nations");
                return Err(SetupError::new("variants", message).by(&variant.rule));
            }
        }
        let rules = Rules::new(&ruleset, nations, &variants).ok_or_else(unplayable)?;
        let mut chance = Chance::after(&self.seed, self.drawn);
        let seats = if free_sites {
            let all = board
                .nations()
                .into_iter()
                .map(|name| vec![name.to_owned()]);
            self.seat_nations(all.collect(), participants, &mut chance)?
        } else if let Some(pairs) = pairs {
            let pairs = pairs.iter().map(|pair| pair.to_vec()).collect();
            self.seat_nations(pairs, ruleset.rule(Topic::TwoPlayers), &mut chance)?
        } else {
            let starts = board.data.starts.get(&nations).ok_or_else(unplayable)?;
            let single = starts.keys().map(|name| vec![name.clone()]).collect();
            self.seat_nations(single, participants, &mut chance)?
        };
        let order = turn_order(&seats);
        let by_board = ruleset.data.first_nation == FirstNationPolicy::Board;
        let first = match &self.first {
            Some(name) => name.clone(),
            None => match board.data.first_nation.get(&nations) {
                Some(name) if by_board && name != "random" => name.clone(),
                _ => order[chance.below(order.len() as u32) as usize].0.clone(),
            },
        };
        if !order.iter().any(|(name, _)| *name == first) {
            let message = format!("{first} does not take part");
            return Err(SetupError::new("first", message).by(ruleset.rule(Topic::FirstNation)));
        }
        let mut setup = self.clone();
        setup.ruleset_hash = Some(ruleset.hash.to_string());
        setup.board_hash = Some(board.hash.to_string());
        setup.first = Some(first);
        setup.drawn = chance.drawn();
        for (seat, nations) in setup.seats.iter_mut().zip(seats) {
            seat.nations = nations;
        }
        Game::start(setup, ruleset, board, rules, order)
    }

    fn find<'a>(
        &self,
        library: &'a Library,
    ) -> Result<(std::sync::Arc<Ruleset>, std::sync::Arc<Board>), SetupError>
    where
        Self: 'a,
    {
        let Some(current) = library.ruleset(&self.edition) else {
            let message = format!("there is no edition {:?}", self.edition);
            return Err(SetupError::new("edition", message));
        };
        let ruleset = match &self.ruleset_hash {
            None => current,
            Some(hash) => library
                .ruleset_version(&self.edition, hash)
                .ok_or_else(|| {
                    SetupError::new("ruleset_hash", format!("no ruleset has the hash {hash}"))
                })?,
        };
        let Some(current) = library.board(&self.board) else {
            let message = format!("there is no board {:?}", self.board);
            return Err(SetupError::new("board", message));
        };
        let board = match &self.board_hash {
            None => current,
            Some(hash) => library.board_version(&self.board, hash).ok_or_else(|| {
                SetupError::new("board_hash", format!("no board has the hash {hash}"))
            })?,
        };
        if board.data.edition != self.edition {
            let message = format!("{} is a board of {}", self.board, board.data.edition);
            return Err(SetupError::new("board", message));
        }
        Ok((ruleset.clone(), board.clone()))
    }

    fn variants<'a>(&self, ruleset: &'a Ruleset) -> Result<Vec<&'a VariantData>, SetupError> {
        let mut found: Vec<&VariantData> = Vec::new();
        for (index, name) in self.variants.iter().enumerate() {
            let field = format!("variants[{index}]");
            let Some(variant) = ruleset.data.variants.get(name) else {
                let message = format!("{} has no variant {name:?}", self.edition);
                return Err(SetupError::new(field, message));
            };
            for other in &self.variants[..index] {
                let clash = variant.excludes.contains(other)
                    || ruleset.data.variants[other].excludes.contains(name);
                if clash || other == name {
                    let message = if other == name {
                        format!("{name} is named twice")
                    } else {
                        format!("{name} does not go with {other}")
                    };
                    let rule = ruleset.rule(Topic::Variants);
                    return Err(SetupError::new(field, message).by(rule));
                }
            }
            found.push(variant);
        }
        Ok(found)
    }

    /// The nations of each seat: those named, and the groups that are left in random order for
    /// the others.
    fn seat_nations(
        &self,
        mut groups: Vec<Vec<String>>,
        rule: impl ToString + Copy,
        chance: &mut Chance,
    ) -> Result<Vec<Vec<String>>, SetupError> {
        let mut seats = vec![Vec::new(); self.seats.len()];
        for (index, seat) in self.seats.iter().enumerate() {
            if seat.nations.is_empty() {
                continue;
            }
            let same = |group: &Vec<String>| {
                group.len() == seat.nations.len()
                    && group.iter().all(|name| seat.nations.contains(name))
            };
            let Some(place) = groups.iter().position(same) else {
                let options: Vec<String> = groups.iter().map(|group| group.join(" + ")).collect();
                let message = format!(
                    "{} cannot take this seat; left are: {}",
                    seat.nations.join(" + "),
                    options.join(", ")
                );
                return Err(SetupError::new(format!("seats[{index}].nations"), message).by(rule));
            };
            groups.remove(place);
            seats[index] = seat.nations.clone();
        }
        if seats.iter().any(Vec::is_empty) {
            chance.shuffle(&mut groups);
            let empty = seats.iter_mut().filter(|seat| seat.is_empty());
            for (seat, group) in empty.zip(groups) {
                *seat = group;
            }
        }
        Ok(seats)
    }
}

/// The nations in turn order with their seats: clockwise, where the nations of a seat with two
/// alternate with the other seat's [A41].
fn turn_order(seats: &[Vec<String>]) -> Vec<(String, u8)> {
    let rounds = seats.iter().map(Vec::len).max().unwrap_or(0);
    (0..rounds)
        .flat_map(|round| {
            seats.iter().enumerate().filter_map(move |(seat, nations)| {
                let nation = nations.get(round)?;
                Some((nation.clone(), seat as u8))
            })
        })
        .collect()
}
