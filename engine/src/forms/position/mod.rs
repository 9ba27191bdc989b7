//! Positions written by hand: reads them and checks them.
//! An accepted position is a possible state of a game.

mod cards;
mod pieces;
mod turn;

use crate::forms::Position;
use crate::ids::{KnowHows, Nation, Region};
use crate::play::{DeckMismatch, Game};
use crate::state::State;
use crate::words::Phase;

/// One fault of a setup.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct PositionFault {
    /// The path of the field, such as `seats[1].nations`.
    pub field: String,
    /// What is wrong.
    pub message: String,
    /// The number of the rule that it violates, if any.
    pub rule: Option<String>,
}

/// A setup from which no game can start, with all its faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    first: PositionFault,
    others: Vec<PositionFault>,
}

impl std::error::Error for SetupError {}

/// Prints the first fault and the number of others.
impl std::fmt::Display for SetupError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.first.fmt(f)?;
        match self.others.len() {
            0 => Ok(()),
            1 => f.write_str(" (and another fault)"),
            more => write!(f, " (and {more} other faults)"),
        }
    }
}

impl From<DeckMismatch> for SetupError {
    fn from(other: DeckMismatch) -> SetupError {
        SetupError::new("deck", other.to_string())
    }
}

impl From<PositionFault> for SetupError {
    fn from(fault: PositionFault) -> SetupError {
        SetupError {
            first: fault,
            others: Vec::new(),
        }
    }
}

impl SetupError {
    /// Returns a setup error with one fault.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> SetupError {
        SetupError::from(PositionFault {
            message: message.into(),
            field: field.into(),
            rule: None,
        })
    }

    pub(crate) fn by(mut self, rule: impl ToString) -> SetupError {
        self.first.rule = Some(rule.to_string());
        self
    }

    /// The first fault.
    pub fn first(&self) -> &PositionFault {
        &self.first
    }

    /// All faults, the first one first.
    pub fn faults(&self) -> impl Iterator<Item = &PositionFault> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

/// The highest round, turn, number of chips or number of words drawn with which a game starts.
/// A game that continues from it never overflows.
pub(crate) const MOST: u32 = 1_000_000_000;

type Checked<T> = Result<T, PositionFault>;

/// Returns a fault of a field of the position.
fn fault(field: impl AsRef<str>, message: impl Into<String>) -> PositionFault {
    PositionFault {
        field: format!("position.{}", field.as_ref()),
        message: message.into(),
        rule: None,
    }
}

fn fail<T>(field: impl AsRef<str>, message: impl Into<String>) -> Checked<T> {
    Err(fault(field, message))
}

/// The faults found so far.
#[derive(Default)]
struct Faults(Vec<PositionFault>);

impl Faults {
    /// Adds a fault.
    fn add(&mut self, field: impl AsRef<str>, message: impl Into<String>) {
        self.0.push(fault(field, message));
    }

    /// Returns the value, or adds its fault.
    fn check<T>(&mut self, checked: Checked<T>) -> Option<T> {
        checked.map_err(|fault| self.0.push(fault)).ok()
    }

    /// Whether there is no fault so far.
    fn none(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the state if there is no fault.
    fn unless_any(self, state: State) -> Result<State, SetupError> {
        let mut faults = self.0.into_iter();
        match faults.next() {
            None => Ok(state),
            Some(first) => Err(SetupError {
                first,
                others: faults.collect(),
            }),
        }
    }
}

fn bounded(field: &str, number: u32) -> Checked<u32> {
    match number {
        0..=MOST => Ok(number),
        _ => fail(field, format!("must be at most {MOST}")),
    }
}

impl Position {
    /// Returns the state that this position describes in `game`.
    ///
    /// It first finds everything that the position names, then checks how these things fit together, and finally that
    /// the position can occur in a game. Each step needs the ones before, so no fault follows from another.
    ///
    /// # Errors All faults: names that the game does not have, wrong numbers of pieces, or a position that cannot
    /// occur in a running game.
    pub(crate) fn to_state(&self, game: &Game) -> Result<State, SetupError> {
        let mut faults = Faults::default();
        let mut state = game.empty_state();
        state.phase = self.phase;
        if let Some(nation) = faults.check(nation(game, "to_move", &self.to_move)) {
            state.to_move = nation;
        }
        self.count(game, &mut state, &mut faults);
        self.bellona(game, &mut state, &mut faults);
        self.nations(game, &mut state, &mut faults);
        self.boxes(game, &mut state, &mut faults);
        self.regions(game, &mut state, &mut faults);
        let known = faults.none();
        self.bank(game, &mut state, &mut faults);
        if !known {
            return faults.unless_any(state);
        }
        self.temples(game, &mut state, &mut faults);
        self.check_pieces(game, &state, &mut faults);
        self.check_board(game, &state, &mut faults);
        faults.check(self.cards(game, &mut state));
        self.turn(game, &mut state, &mut faults);
        if faults.none() {
            faults.check(self.check_phase(game, &state));
        }
        faults.unless_any(state)
    }

    /// Reads round, turn and words drawn.
    /// An omitted round is 1; an omitted turn is counted as if no nation had resigned.
    fn count(&self, game: &Game, state: &mut State, faults: &mut Faults) {
        let in_game = u32::from(self.phase != Phase::Setup);
        let round = self.round.unwrap_or(in_game);
        state.round = faults.check(bounded("round", round)).unwrap_or_default();
        let turns = u64::from(state.round.saturating_sub(1)) * game.nations.len() as u64
            + u64::from(game.order_in_round(state.to_move) + 1);
        // Beyond the limit, it is rejected below.
        let counted = u32::try_from(turns).unwrap_or(u32::MAX) * in_game;
        let turn = self.turn.unwrap_or(counted);
        state.turn = faults.check(bounded("turn", turn)).unwrap_or_default();
        state.drawn = faults
            .check(bounded("drawn", self.drawn))
            .unwrap_or_default();
    }

    /// Reads the nation with the Bellona card [B10].
    fn bellona(&self, game: &Game, state: &mut State, faults: &mut Faults) {
        let Some(name) = &self.bellona else {
            if game.rules.data.bellona {
                faults.add(
                    "bellona",
                    "must name a nation, since the edition has the Bellona card",
                );
            }
            return;
        };
        if !game.rules.data.bellona {
            faults.add("bellona", "this edition has no Bellona card");
        } else if let Some(holder) = faults.check(nation(game, "bellona", name)) {
            state.bellona = Some(holder);
            if self.nations.get(name).is_some_and(|body| body.resigned) {
                faults.add("bellona", "must not be a nation that has resigned");
            }
        }
    }
}

fn nation(game: &Game, field: &str, name: &str) -> Checked<Nation> {
    match game.nation_by_name(name) {
        Some(nation) => Ok(nation),
        None => fail(field, format!("no nation {name:?} plays")),
    }
}

fn region(game: &Game, field: &str, name: &str) -> Checked<Region> {
    match game.board.region(name) {
        Some(region) => Ok(region),
        None => fail(field, format!("the board has no region {name:?}")),
    }
}

fn know_how(game: &Game, field: &str, names: &[String]) -> Checked<KnowHows> {
    let mut set = KnowHows::EMPTY;
    for name in names {
        match game.ruleset.know_how_by_name(name) {
            Some(know_how) => set.insert(know_how),
            None => return fail(field, format!("the edition has no know-how {name:?}")),
        }
    }
    Ok(set)
}
