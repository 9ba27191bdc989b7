//! The temple field: temples [A15] [D15] and town walls [D15] [D33].

use super::turn::{Listing, spend};
use crate::chips::{Payment, Price};
use crate::content::{Rule, WallsData};
use crate::ids::{Nation, Region};
use crate::play::{Action, Effect, Effects, Game, Reason, Refusal};
use crate::state::State;
use crate::words::{Field, Phase};

impl Game {
    /// Returns the price of a temple in a region [A15] [D15].
    pub fn temple_price(&self, state: &State, region: Region) -> Price {
        let mut price = self.rules.data.prices.temple;
        price.marble = (price.marble).saturating_sub(state.turn_state.cheaper_temple);
        let adjacent = (self.board.adjacent(region) & state.temples).len() as u8;
        // A checked ruleset allows for every region adjacent.
        price.coins += self.rules.data.adjacent_temple_coins * adjacent;
        price
    }

    /// Checks that the nation to move may build a temple there, ignoring the price [A15].
    fn check_temple(&self, state: &State, region: Region) -> Result<(), Refusal> {
        let reason = if !state.nation(state.to_move).cities.contains(region) {
            Reason::NoOwnCity
        } else if state.has_temple(region) {
            Reason::HasTemple
        } else if state.bank.temples == 0 {
            Reason::NoTempleLeft
        } else {
            return Ok(());
        };
        Err(self.refuse(Rule::Temple, reason))
    }

    pub(super) fn list_temples(&self, state: &State, list: &mut Listing<'_>) {
        for region in state.nation(state.to_move).cities - state.temples {
            if self.check_temple(state, region).is_ok() {
                let price = self.temple_price(state, region);
                list.paid(price, |pay| Action::BuildTemple { region, pay });
            }
        }
    }

    pub(super) fn build_temple(
        &self,
        state: &mut State,
        region: Region,
        pay: Option<Payment>,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        self.check_temple_field(state)?;
        self.check_temple(state, region)?;
        let price = self.temple_price(state, region);
        let pay = self.payment(state, price, pay, Rule::Temple)?;
        let nation = state.to_move;
        spend(state, pay, effects);
        state.turn_state.cheaper_temple = 0;
        state.bank.temples -= 1;
        state.temples.insert(region);
        effects.push(Effect::TempleBuilt { nation, region });
        Ok(())
    }

    fn check_temple_field(&self, state: &State) -> Result<(), Refusal> {
        let fits = |field| field == Field::Temple;
        self.check_action(state, fits, Phase::Action, Rule::Turn)
    }

    /// The town walls that a nation has received, including those on the board [D33].
    pub fn walls_received(&self, state: &State, nation: Nation) -> u8 {
        let points = self.points(state, nation);
        let track = self.rules.data.walls.iter().flat_map(|walls| &walls.track);
        track.filter(|needed| u32::from(**needed) <= points).count() as u8
    }

    /// The town walls that a nation can still build.
    pub fn walls_in_supply(&self, state: &State, nation: Nation) -> u8 {
        let built = state.nation(nation).cities & state.walls;
        let received = self.walls_received(state, nation);
        received.saturating_sub(built.len() as u8)
    }

    /// The edition's rules on town walls, or a refusal if it has none.
    fn walls_played(&self) -> Result<&WallsData, Refusal> {
        let walls = self.rules.data.walls.as_ref();
        walls.ok_or_else(|| self.refuse(Rule::Walls, Reason::NotPlayed))
    }

    /// Checks that the nation to move may build a town wall there, ignoring the price [D15].
    fn check_wall(&self, state: &State, region: Region) -> Result<(), Refusal> {
        let reason = if !state.nation(state.to_move).cities.contains(region) {
            Reason::NoOwnCity
        } else if state.has_wall(region) {
            Reason::HasWall
        } else if self.walls_in_supply(state, state.to_move) == 0 {
            Reason::NoWallLeft
        } else {
            return Ok(());
        };
        Err(self.refuse(Rule::Walls, reason))
    }

    pub(super) fn list_walls(&self, state: &State, list: &mut Listing<'_>) {
        let Some(walls) = &self.rules.data.walls else {
            return;
        };
        for region in state.nation(state.to_move).cities - state.walls {
            // The supply is the same for every city.
            if self.check_wall(state, region).is_err() {
                return;
            }
            list.paid(walls.price, |pay| Action::BuildWall { region, pay });
        }
    }

    pub(super) fn build_wall(
        &self,
        state: &mut State,
        region: Region,
        pay: Option<Payment>,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        let walls = self.walls_played()?;
        self.check_temple_field(state)?;
        self.check_wall(state, region)?;
        let pay = self.payment(state, walls.price, pay, Rule::Walls)?;
        let nation = state.to_move;
        spend(state, pay, effects);
        state.walls.insert(region);
        effects.push(Effect::WallBuilt { nation, region });
        Ok(())
    }
}
