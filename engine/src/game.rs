//! A game: what stays the same while it is played. States are plain values beside it.

use std::sync::Arc;

use crate::board::{Board, Region, Site};
use crate::cards::Cards;
use crate::effect::Effect;
use crate::ruleset::{Rules, Ruleset, StartPick};
use crate::setup::{Setup, SetupError};
use crate::state::{
    Bank, MAX_NATIONS, Nation, NationState, Question, SpecialPlace, State, TurnState,
};
use crate::vocabulary::{Phase, Resource, SpecialUnit, Unit};

/// A nation that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// Name on the wire.
    pub name: String,
    /// Its seat, from 0.
    pub seat: u8,
}

/// Who must act, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The nation.
    pub nation: Nation,
    /// What for.
    pub kind: PendingKind,
}

/// Why somebody must act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PendingKind {
    /// It is the nation's turn.
    Turn,
    /// A start city must be chosen.
    CityChoice,
    /// A chip must be chosen for lack of coins.
    ChipChoice,
    /// Units have entered that may be fought.
    BattleAnswer {
        /// Where.
        region: Region,
        /// Which kind.
        unit: Unit,
        /// Whose.
        against: Nation,
        /// How many pairs can be lost at most.
        most: u8,
    },
    /// A personage must be chosen among these, a set.
    PersonageChoice {
        /// The kinds, as a set by [`crate::Personage`].
        options: u8,
    },
    /// Event cards of the open row must be taken.
    CardChoice {
        /// The kinds that lie open, as a set by [`crate::Card`].
        options: u32,
        /// How many are taken, this one included.
        due: u8,
    },
    /// A conquest was declared that an event card may be played against.
    FortressAnswer {
        /// The city's region.
        region: Region,
        /// Who wants to conquer it.
        against: Nation,
        /// The units that the conqueror offers, by [`Unit`].
        lost: [u8; Unit::COUNT],
    },
}

/// What stays the same in a game: rules, board, who takes part.
#[derive(Clone, Debug)]
pub struct Game {
    /// The setup with every choice spelled out.
    pub setup: Setup,
    /// The edition.
    pub ruleset: Arc<Ruleset>,
    /// The board.
    pub board: Arc<Board>,
    /// The edition's rules with the game's variants.
    pub rules: Rules,
    /// The nations in turn order.
    pub nations: Vec<Participant>,
    /// The nation that starts the rounds.
    pub first: Nation,
    /// The special unit of each nation that has one [D50].
    pub special_units: [Option<SpecialUnit>; MAX_NATIONS],
}

impl Game {
    pub(crate) fn start(
        setup: Setup,
        ruleset: Arc<Ruleset>,
        board: Arc<Board>,
        rules: Rules,
        order: Vec<(String, u8)>,
    ) -> Result<(Game, State), SetupError> {
        let nations: Vec<Participant> = order
            .into_iter()
            .map(|(name, seat)| Participant { name, seat })
            .collect();
        let is_first = |nation: &Participant| Some(&nation.name) == setup.first.as_ref();
        let first = nations.iter().position(is_first).map_or(0, |i| i as u8);
        let mut special_units = [None; MAX_NATIONS];
        if let Some(data) = &rules.special_units {
            for (special, nation) in special_units.iter_mut().zip(&nations) {
                *special = data.units.get(&nation.name).copied();
            }
        }
        let game = Game {
            setup,
            ruleset,
            board,
            rules,
            nations,
            first: Nation(first),
            special_units,
        };
        game.check_decks()?;
        let position = game.setup.position.clone();
        let state = match position {
            Some(position) => position.to_state(&game)?,
            None => game.first_state()?,
        };
        Ok((game, state))
    }

    fn first_state(&self) -> Result<State, SetupError> {
        let mut state = self.empty_state();
        state.drawn = self.setup.drawn;
        for nation in self.all_nations() {
            let holdings = &mut state.nation_mut(nation).holdings;
            holdings.chips = self.rules.start.chips().map(u32::from);
            holdings.coins = u16::from(self.rules.start.coins);
            // A ruleset is checked to have coins enough.
            state.bank.coins -= self.rules.start.coins;
        }
        state.neutral_temples = self.board.neutral_temples(self.nations.len() as u8);
        // A board has 64 regions at most.
        let neutral = state.neutral_temples.count_ones() as u8;
        state.bank.temples = (state.bank.temples.checked_sub(neutral)).ok_or_else(|| {
            SetupError::new(
                "board",
                "it has more neutral temples than the game has temples",
            )
        })?;
        if self.rules.bellona {
            state.bellona = Some(self.counter_clockwise(self.first));
        }
        for nation in self.all_nations().filter(|nation| *nation != self.first) {
            state.nation_mut(nation).holdings.coins += u16::from(self.rules.compensation_coins);
            // A ruleset is checked to have coins enough.
            state.bank.coins -= self.rules.compensation_coins;
        }
        for nation in self.all_nations() {
            let special = self.special_units[nation.index()];
            let owned = state.nation_mut(nation);
            owned.boxed = self.rules.boxed_at_start();
            owned.special = special.map(|_| SpecialPlace::Boxed);
        }
        self.lay_out_cards(&mut state)?;
        if self.rules.start_pick.is_none() {
            for nation in self.all_nations() {
                let cities = self.start_cities(nation).ok_or_else(|| {
                    let name = &self.nations[nation.index()].name;
                    SetupError::new("seats", format!("the board has no start cities for {name}"))
                })?;
                for (resource, region) in Resource::ALL.iter().zip(cities) {
                    state.add_city(region, nation, *resource);
                }
            }
            self.begin_round(&mut state, &mut Vec::new());
        }
        Ok(state)
    }

    /// A state in set-up: nothing on the board, nobody owns anything.
    pub(crate) fn empty_state(&self) -> State {
        State {
            round: 0,
            turn: 0,
            to_move: self.first,
            phase: Phase::Setup,
            bank: Bank {
                coins: self.rules.coins,
                temples: self.rules.temples,
                personages: self.rules.personages,
            },
            nations: [NationState::default(); MAX_NATIONS],
            units: [[[0; Unit::COUNT]; MAX_NATIONS]; crate::board::MAX_REGIONS],
            produces: [0; Resource::COUNT],
            temples: 0,
            neutral_temples: 0,
            walls: 0,
            cards: Cards::default(),
            bellona: None,
            turn_state: TurnState::NEW,
            question: None,
            drawn: 0,
            outcome: None,
        }
    }

    /// The three start cities that the board gives a nation [A7].
    pub(crate) fn start_cities(&self, nation: Nation) -> Option<[Region; Resource::COUNT]> {
        let name = &self.nations[nation.index()].name;
        self.board.start_cities(self.nations.len() as u8, name)
    }

    /// Every nation in turn order.
    pub fn all_nations(&self) -> impl Iterator<Item = Nation> + use<> {
        (0..self.nations.len() as u8).map(Nation)
    }

    /// The nations clockwise from the one after `nation`, ending with itself.
    pub(crate) fn clockwise_after(&self, nation: Nation) -> impl Iterator<Item = Nation> + use<> {
        let count = self.nations.len() as u8;
        (1..=count).map(move |step| Nation((nation.0 + step) % count))
    }

    /// The nation before `nation` in turn order.
    pub(crate) fn counter_clockwise(&self, nation: Nation) -> Nation {
        let count = self.nations.len() as u8;
        Nation((nation.0 + count - 1) % count)
    }

    /// What a city in a region may produce in this game [B42].
    pub fn site(&self, region: Region) -> Site {
        match self.board.site(region) {
            Site::None => Site::None,
            _ if self.rules.free_city_types => Site::Any,
            site => site,
        }
    }

    /// The other nation, where two play: the next that is left, clockwise.
    pub fn opponent(&self, state: &State, nation: Nation) -> Nation {
        let mut others = self.clockwise_after(nation);
        let left = others.find(|other| !state.nation(*other).resigned);
        left.unwrap_or(nation)
    }

    /// How many places `nation` is behind the starting nation.
    pub(crate) fn place_in_round(&self, nation: Nation) -> u8 {
        let count = self.nations.len() as u8;
        (nation.0 + count - self.first.0) % count
    }

    /// The first nation of a set, clockwise from `from`, which counts as the last.
    pub(crate) fn next_of(&self, set: u8, from: Nation) -> Option<Nation> {
        self.clockwise_after(from).find(|n| set & n.bit() != 0)
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

    /// How many seats there are.
    pub fn seats(&self) -> usize {
        self.setup.seats.len()
    }

    /// The nations of a seat in turn order.
    pub fn nations_of(&self, seat: u8) -> impl Iterator<Item = Nation> {
        self.all_nations()
            .filter(move |nation| self.seat_of(*nation) == seat)
    }

    /// Points of a nation: its personages, each by its worth [A32] [A45].
    pub fn points(&self, state: &State, nation: Nation) -> u32 {
        let owned = &state.nation(nation).personages;
        let pairs = owned.iter().zip(&self.rules.points);
        pairs
            .map(|(n, worth)| u32::from(*n) * u32::from(*worth))
            .sum()
    }

    /// Who must act now, and why; nobody when the game is over.
    pub fn pending(&self, state: &State) -> Option<Pending> {
        if state.outcome.is_some() {
            return None;
        }
        let (nation, kind) = match state.question {
            Some(Question::Chip { asked, .. }) => (asked, PendingKind::ChipChoice),
            Some(Question::Battle {
                asked,
                region,
                unit,
                ..
            }) => (
                asked,
                PendingKind::BattleAnswer {
                    region,
                    unit,
                    against: state.to_move,
                    most: state.units(region, asked, unit).min(state.units(
                        region,
                        state.to_move,
                        unit,
                    )),
                },
            ),
            Some(Question::Personage { options }) => {
                (state.to_move, PendingKind::PersonageChoice { options })
            }
            Some(Question::Cards { asked, due }) => {
                let options = state.cards.open.kinds();
                (asked, PendingKind::CardChoice { options, due })
            }
            Some(Question::Fortress {
                asked,
                region,
                lost,
            }) => (
                asked,
                PendingKind::FortressAnswer {
                    region,
                    against: state.to_move,
                    lost,
                },
            ),
            None if state.phase == Phase::Setup => (state.to_move, PendingKind::CityChoice),
            None => (state.to_move, PendingKind::Turn),
        };
        Some(Pending { nation, kind })
    }

    /// How many start cities each nation picks [A42] [A43].
    pub(crate) fn start_picks(&self) -> u32 {
        match self.rules.start_pick {
            None => 0,
            Some(StartPick::OneOfOwn) => 1,
            Some(StartPick::FreeSites) => Resource::COUNT as u32,
        }
    }

    /// The regions that the nation to move may choose as a start city, as a set [A42] [A43].
    pub(crate) fn city_choices(&self, state: &State) -> u64 {
        if state.phase != Phase::Setup || state.outcome.is_some() {
            return 0;
        }
        match self.rules.start_pick {
            None => 0,
            Some(StartPick::OneOfOwn) => self
                .start_cities(state.to_move)
                .into_iter()
                .flatten()
                .fold(0, |set, region| set | region.bit()),
            Some(StartPick::FreeSites) => {
                let own = state.nation(state.to_move).cities;
                let missing = Resource::ALL
                    .iter()
                    .filter(|resource| state.produces[resource.index()] & own == 0);
                missing.fold(0, |set, resource| set | self.board.sites(*resource)) & !state.cities()
            }
        }
    }
}

/// Where effects are gathered.
pub(crate) type Effects = Vec<Effect>;
