//! The rondel [A12], production [A14] [B14] and trade with the bank [A22] [B21] [D18].

use super::turn::{Listing, spend};
use crate::chips::{Gain, Payment};
use crate::content::{Lot, Rule};
use crate::ids::{Nation, Nations};
use crate::play::{Action, Effect, Effects, Game, Reason, Refusal};
use crate::state::{Question, State};
use crate::words::{Field, Phase, Resource, Unit};

impl Game {
    /// The steps from the nation's stone to a field: 1 to 8, or 0 before its first move [A12].
    pub fn steps(&self, state: &State, nation: Nation, field: Field) -> u8 {
        let Some(stone) = state.nation(nation).stone else {
            return 0;
        };
        let count = Field::COUNT as u8;
        let (from, to) = (
            self.rules.rondel_place[stone.index()],
            self.rules.rondel_place[field.index()],
        );
        match (to + count - from) % count {
            0 => count,
            steps => steps,
        }
    }

    /// The number of steps that cost a chip or coin each.
    fn extra_steps(&self, state: &State, field: Field) -> u8 {
        let steps = self.steps(state, state.to_move, field);
        steps.saturating_sub(self.rules.data.rondel.free_steps)
    }

    pub(super) fn list_stone(&self, state: &State, list: &mut Listing<'_>) {
        let held = list.held;
        for field in Field::ALL.iter().copied() {
            let extra = self.extra_steps(state, field);
            Payment::any_kinds(extra, &held, |pay| {
                list.push(Action::MoveStone { field, pay });
            });
        }
    }

    pub(super) fn move_stone(
        &self,
        state: &mut State,
        field: Field,
        pay: Payment,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        self.check_before_stone(state)?;
        let nation = state.to_move;
        let extra = self.extra_steps(state, field);
        if pay.total() != u32::from(extra) {
            let price = crate::chips::Price::NOTHING;
            let reason = match extra {
                0 => Reason::WrongPayment { price },
                _ => Reason::ExtraStepsCost { extra },
            };
            return Err(self.refuse(Rule::Rondel, reason));
        }
        if !state.nation(nation).holdings.holds(pay) {
            let price = pay.into();
            return Err(self.refuse(Rule::Payment, Reason::CannotPay { price }));
        }
        let steps = self.steps(state, nation, field);
        state.nation_mut(nation).stone = Some(field);
        state.turn_state.field = Some(field);
        state.phase = Phase::Action;
        effects.push(Effect::StoneMoved {
            nation,
            field,
            steps,
        });
        spend(state, pay, effects);
        if let Some(resource) = field.resource() {
            self.produce(state, resource, effects);
        } else if field == Field::Arming && state.bellona == Some(nation) {
            state.turn_state.free_unit = true;
            self.pass_bellona(state, effects);
        } else if field.is_maneuver() {
            self.ready_units(state);
        }
        Ok(())
    }

    fn produce(&self, state: &mut State, resource: Resource, effects: &mut Effects) {
        let nation = state.to_move;
        let count = self.production(state, nation, resource);
        state.nation_mut(nation).holdings.chips[resource.index()] += count;
        effects.push(Effect::Produced {
            nation,
            resource,
            count,
        });
        let coin_due = self.rules.data.coin.is_paid_by_production();
        if coin_due && !self.take_coin(state, nation, effects) {
            state.question = Some(Question::Chip {
                asked: nation,
                rest: Nations::EMPTY,
            });
        }
    }

    /// The chips that a nation receives on a resource's field [A14].
    pub fn production(&self, state: &State, nation: Nation, resource: Resource) -> u32 {
        let cities = state.nation(nation).cities & state.produces[resource.index()];
        let temples = (cities & state.temples).len();
        let plain = cities.len() - temples;
        plain * u32::from(self.rules.data.production.plain)
            + temples * u32::from(self.rules.data.production.temple)
            + u32::from(self.abilities(state, nation).production)
    }

    /// Resets the maneuvers of each unit of the nation to move [A24].
    fn ready_units(&self, state: &mut State) {
        let nation = state.to_move;
        let maneuvers = self.abilities(state, nation).maneuvers;
        for unit in Unit::ALL {
            for region in state.nation(nation).stands[unit.index()] {
                let left = &mut state.turn_state.maneuvers_left[region.index()][unit.index()];
                left[usize::from(maneuvers[unit.index()]) - 1] =
                    state.units[region.index()][nation.index()][unit.index()];
            }
        }
        if let Some(special) = self.special_units[nation.index()] {
            let stands = !state.special_stands(nation).is_empty();
            state.turn_state.special_left = maneuvers[special.kind().index()] * u8::from(stands);
        }
    }

    /// The trades with the bank that a nation may make in its turn [A22] [B21].
    pub fn lots(&self, state: &State, nation: Nation) -> impl Iterator<Item = Lot> {
        let effective = self.effective_know_how(state, nation);
        let open = self.rules.lots.iter();
        open.filter(move |(needs, _)| effective.contains_all(*needs))
            .map(|(_, lot)| *lot)
    }

    pub(super) fn list_trades(&self, state: &State, list: &mut Listing<'_>) {
        let held = list.held;
        for lot in self.lots(state, state.to_move) {
            Payment::any_kinds(lot.give, &held, |give| {
                Gain::any_chips(lot.take, |take| list.push(Action::Trade { give, take }));
            });
        }
    }

    pub(super) fn trade(
        &self,
        state: &mut State,
        give: Payment,
        take: Gain,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        self.check_in_turn(state)?;
        let nation = state.to_move;
        let fits =
            |lot: Lot| give.total() == u32::from(lot.give) && take.total() == u32::from(lot.take);
        if self.lots(state, nation).next().is_none() {
            return Err(self.refuse(Rule::Trade, Reason::CannotTrade));
        }
        if take.coins > 0 || !self.lots(state, nation).any(fits) {
            return Err(self.refuse(Rule::Trade, Reason::WrongLot));
        }
        let holdings = &mut state.nation_mut(nation).holdings;
        if !holdings.holds(give) {
            let price = give.into();
            return Err(self.refuse(Rule::Payment, Reason::CannotPay { price }));
        }
        holdings.spend(give);
        for (held, taken) in holdings.chips.iter_mut().zip(take.chips()) {
            *held += u32::from(taken);
        }
        state.bank.coins += give.coins;
        effects.push(Effect::Traded { nation, give, take });
        Ok(())
    }
}
