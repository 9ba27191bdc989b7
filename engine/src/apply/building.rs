//! The fields that use resources: temples [A15], arming [A16] [A17] [B16] and know-how [A18] [B18].

use super::spend;
use crate::board::Region;
use crate::chips::Pay;
use crate::effect::Effect;
use crate::game::{Effects, Game};
use crate::illegal::Reason;
use crate::ruleset::{Abilities, KnowHow, KnowHowPolicy, Lot};
use crate::state::{Nation, State};
use crate::vocabulary::{Resource, Unit};

impl Game {
    pub(super) fn build_temple(
        &self,
        state: &mut State,
        region: Region,
        pay: Option<Pay>,
        effects: &mut Effects,
    ) -> Result<(), Reason> {
        let nation = state.to_move;
        if state.nation(nation).cities & region.bit() == 0 {
            return Err(Reason::NoOwnCity);
        }
        if state.has_temple(region) {
            return Err(Reason::HasTemple);
        }
        if state.bank.temples == 0 {
            return Err(Reason::NoTempleLeft);
        }
        let pay = self.payment(state, self.rules.temple_price, pay)?;
        spend(state, pay, effects);
        state.bank.temples -= 1;
        state.temples |= region.bit();
        effects.push(Effect::TempleBuilt { nation, region });
        Ok(())
    }

    pub(super) fn arm(
        &self,
        state: &mut State,
        (region, unit): (Region, Unit),
        free: bool,
        pay: Option<Pay>,
        effects: &mut Effects,
    ) -> Result<(), Reason> {
        let nation = state.to_move;
        if free && !state.turn_state.free_unit {
            return Err(Reason::NoFreeUnit);
        }
        if state.nation(nation).cities & region.bit() == 0 {
            return Err(Reason::NoOwnCity);
        }
        if !self.board.holds(region, unit) {
            return Err(Reason::NoBorderFor { unit });
        }
        if self.units_in_supply(state, nation, unit) == 0 {
            return Err(Reason::NoUnitLeft { unit });
        }
        let limit = self.rules.arming.of(state.has_temple(region));
        if state.turn_state.armed[region.index()] >= limit {
            return Err(Reason::ArmingLimit { limit });
        }
        let price = match free {
            true => Pay::NOTHING,
            false => self.rules.unit_price,
        };
        let pay = self.payment(state, price, pay)?;
        spend(state, pay, effects);
        state.turn_state.free_unit &= !free;
        state.add_units(region, nation, unit, 1);
        state.turn_state.armed[region.index()] += 1;
        effects.push(Effect::Armed {
            nation,
            region,
            unit,
        });
        Ok(())
    }

    pub(super) fn develop(
        &self,
        state: &mut State,
        know_how: KnowHow,
        pay: Option<Pay>,
        effects: &mut Effects,
    ) -> Result<(), Reason> {
        let nation = state.to_move;
        let owned = state.nation(nation).know_how;
        if owned & know_how.bit() != 0 {
            return Err(Reason::HasKnowHow);
        }
        let requires = self.rules.know_how[know_how.index()].requires;
        if requires.is_some_and(|other| owned & other.bit() == 0) {
            return Err(Reason::NeedsKnowHow);
        }
        let first = !state.known(know_how.bit());
        let pay = self.payment(state, self.know_how_price(state, know_how), pay)?;
        spend(state, pay, effects);
        state.nation_mut(nation).know_how |= know_how.bit();
        state.turn_state.developed |= know_how.bit();
        if first {
            state.turn_state.discovered |= know_how.bit();
        }
        effects.push(Effect::Developed {
            nation,
            know_how,
            first,
        });
        Ok(())
    }

    /// What a know-how costs now [A19].
    pub fn know_how_price(&self, state: &State, know_how: KnowHow) -> Pay {
        let rule = &self.rules.know_how[know_how.index()];
        let gold = match state.known(know_how.bit()) {
            true => rule.later,
            false => rule.first,
        };
        Pay::of(Resource::Gold, gold)
    }

    /// What the know-hows of a nation do together [A23].
    pub fn abilities(&self, state: &State, nation: Nation) -> Abilities {
        self.rules.abilities(self.effective_know_how(state, nation))
    }

    /// The know-hows that work for a nation now, as a set [B20].
    pub fn effective_know_how(&self, state: &State, nation: Nation) -> u16 {
        let owned = state.nation(nation).know_how;
        match self.rules.know_how_effective {
            KnowHowPolicy::EndOfTurn if nation == state.to_move => {
                owned & !state.turn_state.developed
            }
            _ => owned,
        }
    }

    /// The lots that a nation may trade with the bank in its turn [A22] [B21].
    pub fn lots(&self, state: &State, nation: Nation) -> impl Iterator<Item = Lot> {
        let effective = self.effective_know_how(state, nation);
        let open = move |(needs, _): &&(u16, Lot)| effective & needs == *needs;
        self.rules.lots.iter().filter(open).map(|(_, lot)| *lot)
    }

    /// Units of a kind that a nation can still set up [A2].
    pub fn units_in_supply(&self, state: &State, nation: Nation, unit: Unit) -> u8 {
        self.rules.units[unit.index()] - state.nation(nation).on_board[unit.index()]
    }

    /// City tokens that a nation can still place [A2].
    pub fn cities_in_supply(&self, state: &State, nation: Nation) -> u8 {
        self.rules.cities - state.nation(nation).cities.count_ones() as u8
    }
}
