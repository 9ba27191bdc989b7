//! Starting a game: finds its content, and draws what the setup leaves open.
//!
//! The same setup always starts the same game.

use std::sync::Arc;

use crate::chance::Chance;
use crate::content::{
    Board, FirstNationPolicy, GameRules, Library, Rule, Ruleset, StartPick, VariantData,
};
use crate::forms::{MOST, SetupError};
use crate::ids::{Card, MAX_NATIONS, Nation};
use crate::play::{Decks, Game, Participant};
use crate::setup::{Pace, Setup};
use crate::state::{SpecialPlace, State};
use crate::words::Resource;

impl Setup {
    /// Returns the game and its first state.
    ///
    /// Finds board and ruleset, then draws what the setup leaves open: first the nations, then the first nation.
    ///
    /// # Errors
    /// If edition, board, variants, seats or position do not make a game.
    pub fn start(&self, library: &Library) -> Result<(Game, State), SetupError> {
        let resolved = self.resolve(library)?;
        let game = resolved.game()?;
        let state = match &resolved.setup.position {
            Some(position) => position.to_state(&game)?,
            None => first_state(&game, resolved.setup.drawn)?,
        };
        Ok((game, state))
    }

    /// Returns the setup with every choice and both hashes spelled out, as a record contains it.
    ///
    /// # Errors
    /// If edition, board, variants or seats do not make a game.
    pub fn spelled_out(&self, library: &Library) -> Result<Setup, SetupError> {
        self.resolve(library).map(|drawn| drawn.setup)
    }

    fn resolve(&self, library: &Library) -> Result<ResolvedSetup, SetupError> {
        let (ruleset, board) = self.find(library)?;
        let variants = self.variants(&ruleset)?;
        let free_sites = variants.iter().any(|variant| match variant.start_pick {
            Some(StartPick::FreeSites) => true,
            Some(StartPick::OneOfOwn) | None => false,
        });
        if self.max_rounds == Some(0) {
            return Err(SetupError::new("max_rounds", "must be at least 1"));
        }
        if self.drawn > MOST {
            return Err(SetupError::new("drawn", format!("must be at most {MOST}")));
        }
        if let Some(Err((field, message))) = self.pace.as_ref().map(Pace::check) {
            return Err(SetupError::new(format!("pace.{field}"), message));
        }
        let participants = ruleset.number(Rule::Participants);
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
                let message = format!("the variant {name} is not for {nations} nations");
                return Err(SetupError::new("variants", message).by(&variant.rule));
            }
        }
        let rules = GameRules::new(&ruleset, nations, &variants).ok_or_else(unplayable)?;
        let mut chance = Chance::after(&self.seed, self.drawn);
        let seats = if free_sites {
            let all = board
                .nations()
                .into_iter()
                .map(|name| vec![name.to_owned()]);
            self.seat_nations(all.collect(), participants, &mut chance)?
        } else if let Some(pairs) = pairs {
            let pairs = pairs.iter().map(|pair| pair.to_vec()).collect();
            self.seat_nations(pairs, ruleset.number(Rule::TwoPlayers), &mut chance)?
        } else {
            let starts = board.data.starts.get(&nations).ok_or_else(unplayable)?;
            let single = starts.keys().map(|name| vec![name.clone()]).collect();
            self.seat_nations(single, participants, &mut chance)?
        };
        let order = turn_order(&seats);
        let of_board = match ruleset.data.first_nation {
            FirstNationPolicy::Board => board.data.first_nation.get(&nations),
            FirstNationPolicy::Random => None,
        };
        let of_board = of_board.filter(|name| *name != "random");
        let first = match self.first.as_ref().or(of_board) {
            Some(name) => name.clone(),
            None => order[chance.below(order.len() as u32) as usize].0.clone(),
        };
        if !order.iter().any(|(name, _)| *name == first) {
            let message = format!("{first} does not take part in this game");
            return Err(SetupError::new("first", message).by(ruleset.number(Rule::FirstNation)));
        }
        let mut setup = self.clone();
        setup.ruleset_hash = Some(ruleset.hash.to_string());
        setup.board_hash = Some(board.hash.to_string());
        setup.first = Some(first);
        setup.drawn = chance.drawn();
        for (seat, nations) in setup.seats.iter_mut().zip(seats) {
            seat.nations = nations;
        }
        Ok(ResolvedSetup {
            setup,
            ruleset,
            board,
            rules,
            order,
        })
    }

    fn find(&self, library: &Library) -> Result<(Arc<Ruleset>, Arc<Board>), SetupError> {
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
                        format!("the variant {name} is named twice")
                    } else {
                        format!("the variant {name} cannot be combined with {other}")
                    };
                    let rule = ruleset.number(Rule::Variants);
                    return Err(SetupError::new(field, message).by(rule));
                }
            }
            found.push(variant);
        }
        Ok(found)
    }

    /// Returns the nations of each seat.
    /// Seats without named nations get the remaining groups in random order.
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
            let Some(group) = groups.iter().position(same) else {
                let options: Vec<String> = groups.iter().map(|group| group.join(" + ")).collect();
                let message = format!(
                    "{} cannot take this seat; possible are: {}",
                    seat.nations.join(" + "),
                    options.join(", ")
                );
                return Err(SetupError::new(format!("seats[{index}].nations"), message).by(rule));
            };
            groups.remove(group);
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

/// Returns the nations in turn order with their seats: clockwise.
///
/// The nations of a seat with two alternate with those of the other seat [A41].
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

/// A setup with every choice made, and the content that it uses.
struct ResolvedSetup {
    setup: Setup,
    ruleset: Arc<Ruleset>,
    board: Arc<Board>,
    rules: GameRules,
    order: Vec<(String, u8)>,
}

impl ResolvedSetup {
    fn game(&self) -> Result<Game, SetupError> {
        let setup = &self.setup;
        let order = self.order.iter().cloned();
        let nations: Vec<Participant> = order
            .map(|(name, seat)| Participant { name, seat })
            .collect();
        let is_first = |nation: &Participant| Some(&nation.name) == setup.first.as_ref();
        let first = nations.iter().position(is_first).map_or(0, |i| i as u8);
        let mut special_units = [None; MAX_NATIONS];
        if let Some(data) = &self.rules.special_units {
            for (special, nation) in special_units.iter_mut().zip(&nations) {
                *special = data.units.get(&nation.name).copied();
            }
        }
        Ok(Game {
            ruleset: self.ruleset.clone(),
            board: self.board.clone(),
            rules: self.rules.clone(),
            nations,
            first: Nation(first),
            special_units,
            max_rounds: setup.max_rounds,
            seed: setup.seed.clone(),
            decks: self.decks()?,
        })
    }

    /// Returns the decks that the setup spells out.
    fn decks(&self) -> Result<Decks, SetupError> {
        let named = |field: &str, names: &[String]| -> Result<Vec<Card>, SetupError> {
            let card = |name: &String| {
                self.ruleset.card_by_name(name).ok_or_else(|| {
                    SetupError::new(field, format!("the edition has no card {name:?}"))
                })
            };
            names.iter().map(card).collect()
        };
        let first = self.setup.deck.as_ref();
        let reshuffled = self.setup.reshuffles.iter().enumerate();
        Ok(Decks {
            first: first.map(|names| named("deck", names)).transpose()?,
            reshuffled: reshuffled
                .map(|(index, names)| named(&format!("reshuffles[{index}]"), names))
                .collect::<Result<_, _>>()?,
        })
    }
}

/// Returns the first state by the edition's set-up.
fn first_state(game: &Game, drawn: u32) -> Result<State, SetupError> {
    let mut state = game.empty_state();
    state.drawn = drawn;
    for nation in game.all_nations() {
        let holdings = &mut state.nation_mut(nation).holdings;
        holdings.chips = game.rules.data.start.chips().map(u32::from);
        holdings.coins = u16::from(game.rules.data.start.coins);
        // A loaded ruleset has coins enough.
        state.bank.coins -= game.rules.data.start.coins;
    }
    state.neutral_temples = game.board.neutral_temples(game.nations.len() as u8);
    // A board has at most 64 regions.
    let neutral = state.neutral_temples.len() as u8;
    state.bank.temples = (state.bank.temples.checked_sub(neutral)).ok_or_else(|| {
        SetupError::new(
            "board",
            "the board has more neutral temples than the game has temples",
        )
    })?;
    if game.rules.data.bellona {
        state.bellona = Some(game.counter_clockwise(game.first));
    }
    for nation in game.all_nations().filter(|nation| *nation != game.first) {
        state.nation_mut(nation).holdings.coins += u16::from(game.rules.data.compensation_coins);
        // A loaded ruleset has coins enough.
        state.bank.coins -= game.rules.data.compensation_coins;
    }
    for nation in game.all_nations() {
        let special = game.special_units[nation.index()];
        let owned = state.nation_mut(nation);
        owned.boxed = game.rules.boxed_at_start();
        owned.special = special.map(|_| SpecialPlace::Boxed);
    }
    game.lay_out_cards(&mut state)?;
    if game.rules.start_pick.is_none() {
        for nation in game.all_nations() {
            let cities = game.start_cities(nation).ok_or_else(|| {
                let name = &game.nations[nation.index()].name;
                SetupError::new("seats", format!("the board has no start cities for {name}"))
            })?;
            for (resource, region) in Resource::ALL.iter().zip(cities) {
                state.add_city(region, nation, *resource);
            }
        }
        game.begin_round(&mut state, &mut Vec::new());
    }
    Ok(state)
}
