//! The fields that use resources: temples [A15] [D15], town walls [D15], arming [A16] [A17] [B16]
//! [D16], know-how [A18] [B18] and recruiting [D17].

use super::spend;
use crate::chips::Payment;
use crate::content::{Abilities, BattlePolicy, KnowHowPolicy, Lot};
use crate::ids::{KnowHow, KnowHows, Nation, Region};
use crate::play::{Effect, Effects, Game, Reason};
use crate::state::{ByManeuvers, SpecialPlace, State};
use crate::words::{Phase, Piece, Resource, Unit};

impl Game {
    pub(super) fn build_temple(
        &self,
        state: &mut State,
        region: Region,
        pay: Option<Payment>,
        effects: &mut Effects,
    ) -> Result<(), Reason> {
        let nation = state.to_move;
        if !state.nation(nation).cities.contains(region) {
            return Err(Reason::NoOwnCity);
        }
        if state.has_temple(region) {
            return Err(Reason::HasTemple);
        }
        if state.bank.temples == 0 {
            return Err(Reason::NoTempleLeft);
        }
        let pay = self.payment(state, self.temple_price(state, region), pay)?;
        spend(state, pay, effects);
        state.turn_state.cheaper_temple = 0;
        state.bank.temples -= 1;
        state.temples.insert(region);
        effects.push(Effect::TempleBuilt { nation, region });
        Ok(())
    }

    /// What a temple in a region costs now [A15] [D15].
    pub fn temple_price(&self, state: &State, region: Region) -> Payment {
        let mut price = self.rules.temple_price;
        price.marble = (price.marble).saturating_sub(state.turn_state.cheaper_temple);
        let adjacent = (self.board.adjacent(region) & state.temples).len() as u8;
        // A ruleset is checked for prices with every region adjacent.
        price.coins += self.rules.adjacent_temple_coins * adjacent;
        price
    }

    pub(super) fn build_wall(
        &self,
        state: &mut State,
        region: Region,
        pay: Option<Payment>,
        effects: &mut Effects,
    ) -> Result<(), Reason> {
        let nation = state.to_move;
        let walls = self.rules.walls.as_ref().ok_or(Reason::NotPlayed)?;
        if !state.nation(nation).cities.contains(region) {
            return Err(Reason::NoOwnCity);
        }
        if state.has_wall(region) {
            return Err(Reason::HasWall);
        }
        if self.walls_in_supply(state, nation) == 0 {
            return Err(Reason::NoWallLeft);
        }
        let pay = self.payment(state, walls.price, pay)?;
        spend(state, pay, effects);
        state.walls.insert(region);
        effects.push(Effect::WallBuilt { nation, region });
        Ok(())
    }

    /// Town walls that a nation has got by now, those on the board included [D33].
    pub fn walls_received(&self, state: &State, nation: Nation) -> u8 {
        let points = self.points(state, nation);
        let track = self.rules.walls.iter().flat_map(|walls| &walls.track);
        track.filter(|place| u32::from(**place) <= points).count() as u8
    }

    /// Town walls that a nation can still build.
    pub fn walls_in_supply(&self, state: &State, nation: Nation) -> u8 {
        let built = state.nation(nation).cities & state.walls;
        let received = self.walls_received(state, nation);
        received.saturating_sub(built.len() as u8)
    }

    pub(super) fn arm(
        &self,
        state: &mut State,
        (region, piece): (Region, Piece),
        free: bool,
        pay: Option<Payment>,
        effects: &mut Effects,
    ) -> Result<(), Reason> {
        let nation = state.to_move;
        if free && !state.turn_state.free_unit {
            return Err(Reason::NoFreeUnit);
        }
        self.check_place(state, region, piece)?;
        if let Some(unit) = piece.special()
            && !state.has_temple(region)
        {
            return Err(Reason::NeedsTemple { unit });
        }
        let limit = self.rules.arming.of(state.has_temple(region));
        if state.turn_state.armed[region.index()] >= limit {
            return Err(Reason::ArmingLimit { limit });
        }
        let pay = self.payment(state, self.arming_price(piece, free), pay)?;
        spend(state, pay, effects);
        state.turn_state.free_unit &= !free;
        state.turn_state.armed[region.index()] += 1;
        self.set_up(state, nation, (region, piece), effects);
        Ok(())
    }

    /// What setting up a unit costs [A16] [D16] [D50].
    pub fn arming_price(&self, piece: Piece, free: bool) -> Payment {
        match &self.rules.special_units {
            _ if free => Payment::NOTHING,
            Some(data) if piece.special().is_some() => data.price,
            _ => self.rules.unit_price,
        }
    }

    /// Whether the nation to move has such a unit to set up, and whether it may be in that region.
    pub(crate) fn check_place(
        &self,
        state: &State,
        region: Region,
        piece: Piece,
    ) -> Result<(), Reason> {
        let nation = state.to_move;
        let unit = piece.kind();
        if !state.nation(nation).cities.contains(region) {
            return Err(Reason::NoOwnCity);
        }
        if !self.board.holds(region, unit) {
            return Err(Reason::NoBorderFor { unit });
        }
        if let Some(special) = piece.special() {
            let own = self.special_units[nation.index()] == Some(special);
            return match own && state.turn_state.special_armable {
                true => Ok(()),
                false => Err(Reason::SpecialUnitNotInBox { unit: special }),
            };
        }
        match self.units_to_arm(state, unit) {
            0 if self.rules.recruitment.is_some() => Err(Reason::NotInBox { unit }),
            0 => Err(Reason::NoUnitLeft { unit }),
            _ => Ok(()),
        }
    }

    /// Units of a kind that the nation to move may set up [A2] [D16].
    pub fn units_to_arm(&self, state: &State, unit: Unit) -> u8 {
        match self.rules.recruitment {
            Some(_) => state.turn_state.armable[unit.index()],
            None => self.units_in_supply(state, state.to_move, unit),
        }
    }

    /// Puts a unit that was checked on the board, where it may meet others.
    pub(super) fn set_up(
        &self,
        state: &mut State,
        nation: Nation,
        (region, piece): (Region, Piece),
        effects: &mut Effects,
    ) {
        let unit = piece.kind();
        let maneuvers = match state.turn_state.field {
            Some(field) if field.is_maneuver() && state.phase == Phase::Action => {
                let extra = state.turn_state.extra_borders[unit.index()];
                self.abilities(state, nation).maneuvers[unit.index()] + extra
            }
            _ => 0,
        };
        let mut entered = ByManeuvers::default();
        if piece.special().is_some() {
            state.nation_mut(nation).special = Some(SpecialPlace::At(region));
            state.turn_state.special_armable = false;
            state.turn_state.special_left = maneuvers;
        } else {
            if self.rules.recruitment.is_some() {
                state.nation_mut(nation).boxed[unit.index()] -= 1;
                state.turn_state.armable[unit.index()] -= 1;
            }
            state.add_units(region, nation, unit, 1);
            entered[usize::from(maneuvers)] = 1;
            if maneuvers > 0 {
                let left = &mut state.turn_state.left[region.index()][unit.index()];
                left[usize::from(maneuvers) - 1] += 1;
            }
        }
        effects.push(Effect::Armed {
            nation,
            region,
            unit: piece,
        });
        if self.rules.battle == BattlePolicy::Automatic {
            let special = self.rules.special_units_fight_when_armed();
            self.meet(state, (region, piece), entered, special, effects);
        }
    }

    pub(super) fn recruit(
        &self,
        state: &mut State,
        unit: Unit,
        count: u8,
        pay: Option<Payment>,
        effects: &mut Effects,
    ) -> Result<(), Reason> {
        let nation = state.to_move;
        if self.rules.recruitment.is_none() {
            return Err(Reason::NotPlayed);
        }
        if count == 0 {
            return Err(Reason::NoUnits);
        }
        let available = self.units_in_supply(state, nation, unit);
        match available {
            0 => return Err(Reason::NoUnitLeft { unit }),
            _ if count > available => return Err(Reason::TooFewLeft { unit, available }),
            _ => {}
        }
        let pay = self.payment(state, self.recruiting_price(unit, count), pay)?;
        spend(state, pay, effects);
        self.put_into_box(state, unit, count, effects);
        Ok(())
    }

    /// What moving units from the supply to the recruitment box costs [D17].
    pub fn recruiting_price(&self, unit: Unit, count: u8) -> Payment {
        let price = self.rules.recruitment.map(|recruitment| match unit {
            Unit::Legion => recruitment.legion,
            Unit::Galley => recruitment.galley,
        });
        price.unwrap_or(Payment::NOTHING).times(count)
    }

    /// Moves units of the nation to move from its supply to its box.
    pub(super) fn put_into_box(
        &self,
        state: &mut State,
        unit: Unit,
        count: u8,
        effects: &mut Effects,
    ) {
        let nation = state.to_move;
        state.nation_mut(nation).boxed[unit.index()] += count;
        effects.push(Effect::Recruited {
            nation,
            unit,
            count,
        });
    }

    pub(super) fn develop(
        &self,
        state: &mut State,
        know_how: KnowHow,
        pay: Option<Payment>,
        effects: &mut Effects,
    ) -> Result<(), Reason> {
        let nation = state.to_move;
        let owned = state.nation(nation).know_how;
        if owned.contains(know_how) {
            return Err(Reason::HasKnowHow);
        }
        let requires = self.rules.know_how[know_how.index()].requires;
        if requires.is_some_and(|other| !owned.contains(other)) {
            return Err(Reason::NeedsKnowHow);
        }
        let first = !state.known(know_how);
        let pay = self.payment(state, self.know_how_price(state, know_how), pay)?;
        spend(state, pay, effects);
        state.nation_mut(nation).know_how.insert(know_how);
        state.turn_state.developed.insert(know_how);
        if first {
            state.turn_state.discovered.insert(know_how);
        }
        effects.push(Effect::Developed {
            nation,
            know_how,
            first,
        });
        Ok(())
    }

    /// What a know-how costs now [A19].
    pub fn know_how_price(&self, state: &State, know_how: KnowHow) -> Payment {
        let rule = &self.rules.know_how[know_how.index()];
        let gold = match state.known(know_how) {
            true => rule.later,
            false => rule.first,
        };
        Payment::of(Resource::Gold, gold)
    }

    /// What the know-hows of a nation do together [A23].
    pub fn abilities(&self, state: &State, nation: Nation) -> Abilities {
        self.rules.abilities(self.effective_know_how(state, nation))
    }

    /// The know-hows that work for a nation now, as a set [B20].
    pub fn effective_know_how(&self, state: &State, nation: Nation) -> KnowHows {
        let owned = state.nation(nation).know_how;
        match self.rules.know_how_effective {
            KnowHowPolicy::EndOfTurn if nation == state.to_move => {
                owned - state.turn_state.developed
            }
            _ => owned,
        }
    }

    /// The lots that a nation may trade with the bank in its turn [A22] [B21].
    pub fn lots(&self, state: &State, nation: Nation) -> impl Iterator<Item = Lot> {
        let effective = self.effective_know_how(state, nation);
        let open = move |(needs, _): &&(KnowHows, Lot)| effective.contains_all(*needs);
        self.rules.lots.iter().filter(open).map(|(_, lot)| *lot)
    }

    /// Units of a kind that a nation has neither on the board nor in its recruitment box [A2] [D3].
    pub fn units_in_supply(&self, state: &State, nation: Nation, unit: Unit) -> u8 {
        let owned = state.nation(nation);
        self.rules.units[unit.index()] - owned.on_board[unit.index()] - owned.boxed[unit.index()]
    }

    /// City tokens that the bank still has for cities that produce a resource [D2].
    pub fn tokens_in_bank(&self, state: &State, resource: Resource) -> u8 {
        let placed = state.produces[resource.index()].len() as u8;
        self.rules.tokens[resource.index()].saturating_sub(placed)
    }

    /// City tokens that a nation can still place [A2].
    pub fn cities_in_supply(&self, state: &State, nation: Nation) -> u8 {
        self.rules.cities - state.nation(nation).cities.len() as u8
    }
}
