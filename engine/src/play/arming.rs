//! The arming field [A16] [A17] [B16] [D16], the Bellona card [B17] and special units [D50].

use super::turn::{Listing, spend};
use crate::chips::{Payment, Price};
use crate::content::{BattlePolicy, Rule};
use crate::ids::{Nation, Region};
use crate::play::{Action, Effect, Effects, Game, Reason, Refusal};
use crate::state::{ByManeuvers, SpecialPlace, State};
use crate::words::{Field, Phase, Piece, Unit};

impl Game {
    /// Returns the price of setting up a unit [A16] [D16] [D50].
    pub fn arming_price(&self, piece: Piece, free: bool) -> Price {
        match &self.rules.special_units {
            _ if free => Price::NOTHING,
            Some(data) if piece.special().is_some() => data.price,
            _ => self.rules.data.prices.unit,
        }
    }

    /// Units of a kind that a nation has neither on the board nor in its recruitment box [A2] [D3].
    pub fn units_in_supply(&self, state: &State, nation: Nation, unit: Unit) -> u8 {
        let owned = state.nation(nation);
        self.rules.units[unit.index()] - owned.on_board[unit.index()] - owned.boxed[unit.index()]
    }

    /// Units of a kind that the nation to move may set up [A2] [D16].
    pub fn units_to_arm(&self, state: &State, unit: Unit) -> u8 {
        match self.rules.data.recruitment {
            Some(_) => state.turn_state.armable[unit.index()],
            None => self.units_in_supply(state, state.to_move, unit),
        }
    }

    /// Checks that the nation to move has such a unit left, and that the region can hold it [A16] [A17].
    ///
    /// If a card places the unit, a violation breaks the rule of the cards.
    #[inline]
    pub(super) fn check_place(
        &self,
        state: &State,
        region: Region,
        piece: Piece,
        by: Rule,
    ) -> Result<(), Refusal> {
        let nation = state.to_move;
        let unit = piece.kind();
        if !state.nation(nation).cities.contains(region) {
            return Err(self.refuse(by, Reason::NoOwnCity));
        }
        if !self.board.holds(region, unit) {
            let rule = match by {
                Rule::Arming => Rule::ArmingBorders,
                by => by,
            };
            return Err(self.refuse(rule, Reason::NoBorderFor { unit }));
        }
        if let Some(unit) = piece.special() {
            let own = self.special_units[nation.index()] == Some(unit);
            return match own && state.turn_state.special_armable {
                true => Ok(()),
                false => Err(self.refuse(Rule::SpecialUnits, Reason::SpecialUnitNotInBox { unit })),
            };
        }
        match self.units_to_arm(state, unit) {
            0 if self.rules.data.recruitment.is_some() => {
                Err(self.refuse(by, Reason::NotInBox { unit }))
            }
            0 => Err(self.refuse(by, Reason::NoUnitLeft { unit })),
            _ => Ok(()),
        }
    }

    /// Checks that the nation to move may set up such a unit there, ignoring price and limit.
    #[inline]
    fn check_arming(&self, state: &State, region: Region, piece: Piece) -> Result<(), Refusal> {
        self.check_place(state, region, piece, Rule::Arming)?;
        match piece.special() {
            Some(unit) if !state.has_temple(region) => {
                Err(self.refuse(Rule::SpecialUnits, Reason::NeedsTemple { unit }))
            }
            _ => Ok(()),
        }
    }

    /// Checks that one more unit may be set up there this turn.
    #[inline]
    fn check_arming_limit(&self, state: &State, region: Region) -> Result<(), Refusal> {
        let limit = self.rules.data.arming.get(state.has_temple(region));
        match state.turn_state.armed[region.index()] {
            armed if armed < limit => Ok(()),
            _ => Err(self.refuse(Rule::Arming, Reason::ArmingLimit { limit })),
        }
    }

    pub(super) fn list_arming(&self, state: &State, list: &mut Listing<'_>) {
        let special = self.special_units[state.to_move.index()].map(Piece::from);
        for region in state.nation(state.to_move).cities {
            if self.check_arming_limit(state, region).is_err() {
                continue;
            }
            for piece in [Piece::Legion, Piece::Galley].into_iter().chain(special) {
                if self.check_arming(state, region, piece).is_err() {
                    continue;
                }
                let arm = |free, pay| Action::Arm {
                    region,
                    unit: piece,
                    free,
                    pay,
                };
                if state.turn_state.free_unit {
                    list.push(arm(true, None));
                }
                list.paid(self.arming_price(piece, false), |pay| arm(false, pay));
            }
        }
    }

    pub(super) fn arm(
        &self,
        state: &mut State,
        (region, piece): (Region, Piece),
        free: bool,
        pay: Option<Payment>,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        let fits = |field| field == Field::Arming;
        self.check_action(state, fits, Phase::Action, Rule::Turn)?;
        if free && !state.turn_state.free_unit {
            return Err(self.refuse(Rule::Bellona, Reason::NoFreeUnit));
        }
        self.check_arming(state, region, piece)?;
        self.check_arming_limit(state, region)?;
        let rule = match piece.special() {
            _ if free => Rule::Bellona,
            Some(_) => Rule::SpecialUnits,
            None => Rule::Arming,
        };
        let pay = self.payment(state, self.arming_price(piece, free), pay, rule)?;
        let nation = state.to_move;
        spend(state, pay, effects);
        state.turn_state.free_unit &= !free;
        state.turn_state.armed[region.index()] += 1;
        self.set_up(state, nation, (region, piece), effects);
        Ok(())
    }

    /// Adds a checked unit to the board, where it may meet hostile units.
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
            if self.rules.data.recruitment.is_some() {
                state.nation_mut(nation).boxed[unit.index()] -= 1;
                state.turn_state.armable[unit.index()] -= 1;
            }
            state.add_units(region, nation, unit, 1);
            entered[usize::from(maneuvers)] = 1;
            if maneuvers > 0 {
                let left = &mut state.turn_state.maneuvers_left[region.index()][unit.index()];
                left[usize::from(maneuvers) - 1] += 1;
            }
        }
        effects.push(Effect::Armed {
            nation,
            region,
            unit: piece,
        });
        match self.rules.data.battle {
            BattlePolicy::OnDemand => {}
            BattlePolicy::Automatic => {
                let special = self.rules.special_units_fight_when_armed();
                self.meet(state, (region, piece), entered, special, effects);
            }
        }
    }

    /// Passes the Bellona card to the next remaining nation, counter-clockwise [B17].
    pub(super) fn pass_bellona(&self, state: &mut State, effects: &mut Effects) {
        let Some(holder) = state.bellona else {
            return;
        };
        let mut to = self.counter_clockwise(holder);
        while state.nation(to).resigned && to != holder {
            to = self.counter_clockwise(to);
        }
        state.bellona = Some(to);
        effects.push(Effect::BellonaPassed { nation: holder, to });
    }
}
