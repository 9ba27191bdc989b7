//! Developing [A18] [A19] [B18] [B20] [D17], abilities [A23] [B21] [D18] and recruiting [D17].

use super::turn::{Listing, spend};
use crate::chips::{Payment, Price};
use crate::content::{Abilities, KnowHowPolicy, Rule};
use crate::ids::{KnowHow, KnowHows, Nation};
use crate::play::{Action, Effect, Effects, Game, Reason, Refusal};
use crate::state::State;
use crate::words::{Field, Phase, Resource, Unit};

impl Game {
    /// Returns the price of a know-how [A19].
    pub fn know_how_price(&self, state: &State, know_how: KnowHow) -> Price {
        let rule = &self.rules.know_how[know_how.index()];
        let gold = match state.is_known(know_how) {
            true => rule.later,
            false => rule.first,
        };
        Price::only(Resource::Gold, gold)
    }

    /// The know-hows of a nation that have taken effect [B20].
    pub(crate) fn effective_know_how(&self, state: &State, nation: Nation) -> KnowHows {
        let owned = state.nation(nation).know_how;
        match self.rules.data.know_how_effective {
            KnowHowPolicy::AtOnce => owned,
            KnowHowPolicy::EndOfTurn if nation != state.to_move => owned,
            KnowHowPolicy::EndOfTurn => owned - state.turn_state.developed,
        }
    }

    /// The abilities of a nation by its know-hows [A23].
    pub fn abilities(&self, state: &State, nation: Nation) -> Abilities {
        self.rules.abilities(self.effective_know_how(state, nation))
    }

    /// Checks that the nation to move may develop a know-how, ignoring the price [A18].
    fn check_know_how(&self, state: &State, know_how: KnowHow) -> Result<(), Refusal> {
        let owned = state.nation(state.to_move).know_how;
        let requires = self.rules.know_how[know_how.index()].requires;
        let reason = if owned.contains(know_how) {
            Reason::HasKnowHow
        } else if requires.is_some_and(|other| !owned.contains(other)) {
            Reason::NeedsKnowHow
        } else {
            return Ok(());
        };
        Err(self.refuse(Rule::KnowHow, reason))
    }

    pub(super) fn list_know_how(&self, state: &State, list: &mut Listing<'_>) {
        for know_how in self.rules.all_know_how {
            if self.check_know_how(state, know_how).is_ok() {
                let price = self.know_how_price(state, know_how);
                list.paid(price, |pay| Action::Develop { know_how, pay });
            }
        }
    }

    pub(super) fn develop(
        &self,
        state: &mut State,
        know_how: KnowHow,
        pay: Option<Payment>,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        self.check_know_how_field(state)?;
        self.check_know_how(state, know_how)?;
        let price = self.know_how_price(state, know_how);
        let pay = self.payment(state, price, pay, Rule::KnowHowPrice)?;
        let nation = state.to_move;
        let first = !state.is_known(know_how);
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

    fn check_know_how_field(&self, state: &State) -> Result<(), Refusal> {
        let fits = |field| field == Field::KnowHow;
        self.check_action(state, fits, Phase::Action, Rule::Turn)
    }

    /// Returns the price of moving units from the supply to the recruitment box [D17].
    pub fn recruiting_price(&self, unit: Unit, count: u8) -> Price {
        let price = self.rules.data.recruitment.map(|recruitment| match unit {
            Unit::Legion => recruitment.legion,
            Unit::Galley => recruitment.galley,
        });
        price.unwrap_or(Price::NOTHING).times(count)
    }

    /// Checks that the nation to move may recruit this many units, ignoring the price [D17].
    fn check_recruiting(&self, state: &State, unit: Unit, count: u8) -> Result<(), Refusal> {
        let available = self.units_in_supply(state, state.to_move, unit);
        let reason = match available {
            _ if count == 0 => Reason::NoUnits,
            0 => Reason::NoUnitLeft { unit },
            _ if count > available => Reason::TooFewLeft { unit, available },
            _ => return Ok(()),
        };
        Err(self.refuse(Rule::Recruiting, reason))
    }

    pub(super) fn list_recruiting(&self, state: &State, list: &mut Listing<'_>) {
        if self.rules.data.recruitment.is_none() {
            return;
        }
        for unit in Unit::ALL.iter().copied() {
            let counts = (1..).take_while(|n| self.check_recruiting(state, unit, *n).is_ok());
            for count in counts {
                let price = self.recruiting_price(unit, count);
                list.paid(price, |pay| Action::Recruit { unit, count, pay });
            }
        }
    }

    pub(super) fn recruit(
        &self,
        state: &mut State,
        unit: Unit,
        count: u8,
        pay: Option<Payment>,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        if self.rules.data.recruitment.is_none() {
            return Err(self.refuse(Rule::Recruiting, Reason::NotPlayed));
        }
        self.check_know_how_field(state)?;
        self.check_recruiting(state, unit, count)?;
        let price = self.recruiting_price(unit, count);
        let pay = self.payment(state, price, pay, Rule::Recruiting)?;
        spend(state, pay, effects);
        self.put_into_box(state, unit, count, effects);
        Ok(())
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
}
