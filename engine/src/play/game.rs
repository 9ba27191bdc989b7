//! A game: everything that does not change while it is played.

use std::sync::Arc;

use crate::content::{Board, GameRules, Ruleset, Site};
use crate::ids::{Card, MAX_NATIONS, MAX_REGIONS, Nation, Nations, Region, Regions};
use crate::play::Effect;
use crate::state::{Bank, Cards, NationState, Question, State, TurnState};
use crate::words::{Phase, Resource, SpecialUnit, Unit};

/// A nation that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// Name on the wire.
    pub name: String,
    /// Its seat, from 0.
    pub seat: u8,
}

/// Everything that does not change during a game: rules, board and nations.
#[derive(Clone, Debug)]
pub struct Game {
    /// The edition.
    pub ruleset: Arc<Ruleset>,
    /// The board.
    pub board: Arc<Board>,
    /// The edition's rules with the game's variants.
    pub rules: GameRules,
    /// The nations in turn order.
    pub nations: Vec<Participant>,
    /// The nation that starts the rounds.
    pub first: Nation,
    /// The special unit of each nation that has one [D50].
    pub special_units: [Option<SpecialUnit>; MAX_NATIONS],
    /// The last round of the game; no limit if absent [A34].
    pub(crate) max_rounds: Option<u32>,
    /// The source of all chance.
    pub seed: String,
    /// Decks of event cards that do not come from the seed.
    pub(crate) decks: Decks,
}

/// Decks of event cards that are given instead of drawn from the seed, the last card drawn first.
///
/// An over-the-board game and a finished one have them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decks {
    /// The deck at the start.
    pub first: Option<Vec<Card>>,
    /// The decks after each reshuffle, in order. An empty one is drawn.
    pub reshuffled: Vec<Vec<Card>>,
}

impl Game {
    /// Returns the same game with another seed and without given decks.
    pub fn with_seed(&self, seed: &str) -> Game {
        Game {
            seed: seed.to_owned(),
            decks: Decks::default(),
            ..self.clone()
        }
    }

    /// Returns a state before the set-up: nothing on the board, and no possessions.
    pub(crate) fn empty_state(&self) -> State {
        State {
            round: 0,
            turn: 0,
            to_move: self.first,
            phase: Phase::Setup,
            bank: Bank {
                coins: self.rules.data.bank.coins,
                temples: self.rules.data.bank.temples,
                personages: self.rules.personages,
            },
            nations: [NationState::default(); MAX_NATIONS],
            units: [[[0; Unit::COUNT]; MAX_NATIONS]; MAX_REGIONS],
            produces: [Regions::EMPTY; Resource::COUNT],
            temples: Regions::EMPTY,
            neutral_temples: Regions::EMPTY,
            walls: Regions::EMPTY,
            cards: Cards::default(),
            bellona: None,
            turn_state: TurnState::NEW,
            question: None,
            drawn: 0,
            outcome: None,
        }
    }

    /// The three start cities of a nation on the board [A7].
    pub(crate) fn start_cities(&self, nation: Nation) -> Option<[Region; Resource::COUNT]> {
        let name = &self.nations[nation.index()].name;
        self.board.start_cities(self.nations.len() as u8, name)
    }

    /// Every nation in turn order.
    pub fn all_nations(&self) -> impl Iterator<Item = Nation> + use<> {
        (0..self.nations.len() as u8).map(Nation)
    }

    /// The nations clockwise from the one after `nation`, ending with `nation`.
    pub(crate) fn clockwise_after(&self, nation: Nation) -> impl Iterator<Item = Nation> + use<> {
        let count = self.nations.len() as u8;
        (1..=count).map(move |step| Nation((nation.0 + step) % count))
    }

    /// The nation before `nation` in turn order.
    pub(crate) fn counter_clockwise(&self, nation: Nation) -> Nation {
        let count = self.nations.len() as u8;
        Nation((nation.0 + count - 1) % count)
    }

    /// The site of a region in this game [B42].
    pub fn site(&self, region: Region) -> Site {
        match self.board.site(region) {
            Site::None => Site::None,
            _ if self.rules.free_city_types => Site::Any,
            site => site,
        }
    }

    /// The opponent in a game of two: the next remaining nation, clockwise.
    pub fn opponent(&self, state: &State, nation: Nation) -> Nation {
        let mut others = self.clockwise_after(nation);
        let next = others.find(|other| !state.nation(*other).resigned);
        next.unwrap_or(nation)
    }

    /// The number of places by which `nation` is behind the starting nation.
    pub(crate) fn order_in_round(&self, nation: Nation) -> u8 {
        let count = self.nations.len() as u8;
        (nation.0 + count - self.first.0) % count
    }

    /// The first nation of a set, clockwise after `from`, which comes last.
    pub(crate) fn next_of(&self, set: Nations, from: Nation) -> Option<Nation> {
        self.clockwise_after(from).find(|n| set.contains(*n))
    }

    /// The nation with this name.
    pub fn nation_by_name(&self, name: &str) -> Option<Nation> {
        let position = self.nations.iter().position(|nation| nation.name == name)?;
        Some(Nation(position as u8))
    }

    /// The name of a nation.
    pub fn nation_name(&self, nation: Nation) -> &str {
        &self.nations[nation.index()].name
    }

    /// The seat of a nation, from 0.
    pub fn seat_of(&self, nation: Nation) -> u8 {
        self.nations[nation.index()].seat
    }

    /// The number of seats.
    pub fn seats(&self) -> usize {
        let last = self.nations.iter().map(|nation| nation.seat).max();
        last.map_or(0, |seat| usize::from(seat) + 1)
    }

    /// The nations of a seat in turn order.
    pub fn nations_of(&self, seat: u8) -> impl Iterator<Item = Nation> {
        self.all_nations()
            .filter(move |nation| self.seat_of(*nation) == seat)
    }

    /// The points of a nation: its personages by their value [A32] [A45].
    pub fn points(&self, state: &State, nation: Nation) -> u32 {
        let owned = &state.nation(nation).personages;
        let pairs = owned.iter().zip(&self.rules.points);
        pairs
            .map(|(n, worth)| u32::from(*n) * u32::from(*worth))
            .sum()
    }

    /// The open question; `None` if the game is over.
    #[inline]
    pub fn question(&self, state: &State) -> Option<Question> {
        if state.outcome.is_some() {
            return None;
        }
        let asked = state.to_move;
        Some(match state.question {
            Some(question) => question,
            None if state.phase == Phase::Setup => Question::StartCity { asked },
            None => Question::Turn { asked },
        })
    }

    /// The most pairs that can be lost in a battle with the nation to move [A25].
    pub fn most_pairs(&self, state: &State, region: Region, unit: Unit, against: Nation) -> u8 {
        let theirs = state.units(region, against, unit);
        theirs.min(state.units(region, state.to_move, unit))
    }
}

/// The list to which effects are appended.
pub(crate) type Effects = Vec<Effect>;
