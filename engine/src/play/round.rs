//! Rounds with their coins [A9] [A10], and the order of turns.

use super::turn::Listing;
use crate::content::Rule;
use crate::ids::{Nation, Nations};
use crate::play::{Action, Effect, Effects, Game, Reason, Refusal};
use crate::state::{Question, SpecialPlace, State, TurnState};
use crate::words::{EndReason, Phase, Resource};

impl Game {
    /// Passes the turn to the next remaining nation, or begins a round.
    pub(super) fn pass_on(&self, state: &mut State, effects: &mut Effects) {
        let last = state.to_move;
        effects.push(Effect::TurnEnded { nation: last });
        state.turn_state = TurnState::NEW;
        match self.next_left(state, last) {
            Some(next) if self.order_in_round(next) > self.order_in_round(last) => {
                self.begin_turn(state, next, effects);
            }
            _ => self.begin_round(state, effects),
        }
    }

    /// The next nation that has not resigned, clockwise after `nation`.
    pub(super) fn next_left(&self, state: &State, nation: Nation) -> Option<Nation> {
        self.clockwise_after(nation)
            .find(|next| !state.nation(*next).resigned)
    }

    /// Begins a round with its coins, or ends the game after the last allowed round.
    pub(crate) fn begin_round(&self, state: &mut State, effects: &mut Effects) {
        if self.max_rounds.is_some_and(|most| state.round >= most) {
            self.finish(state, EndReason::RoundLimit, None, effects);
            return;
        }
        state.round += 1;
        effects.push(Effect::RoundBegan { round: state.round });
        let before_first = self.clockwise_after(self.first);
        let before_first = before_first.take(self.nations.len() - 1).last();
        let before_first = before_first.unwrap_or(self.first);
        let mut without_coin = Nations::EMPTY;
        for nation in self.clockwise_after(before_first) {
            if state.nation(nation).resigned {
                continue;
            }
            let due = self.rules.data.coin.is_paid_each_round();
            if due && !self.take_coin(state, nation, effects) {
                without_coin.insert(nation);
            }
        }
        let starts = self.next_left(state, before_first).unwrap_or(self.first);
        self.begin_turn(state, starts, effects);
        self.ask_for_chip(state, without_coin, before_first);
    }

    /// Gives a nation a coin from the bank, if there is one left.
    pub(super) fn take_coin(
        &self,
        state: &mut State,
        nation: Nation,
        effects: &mut Effects,
    ) -> bool {
        let has_coin = state.bank.coins > 0;
        if has_coin {
            state.bank.coins -= 1;
            state.nation_mut(nation).holdings.coins += 1;
            effects.push(Effect::CoinTaken { nation });
        }
        has_coin
    }

    fn begin_turn(&self, state: &mut State, nation: Nation, effects: &mut Effects) {
        state.turn += 1;
        state.to_move = nation;
        state.phase = Phase::Stone;
        state.turn_state.armable = state.nation(nation).boxed;
        state.turn_state.special_armable =
            state.nation(nation).special == Some(SpecialPlace::Boxed);
        effects.push(Effect::TurnBegan {
            nation,
            turn: state.turn,
        });
    }

    /// Asks the next nation of `rest` which chip it takes because no coin is left.
    pub(super) fn ask_for_chip(&self, state: &mut State, rest: Nations, after: Nation) {
        state.question = self.next_of(rest, after).map(|asked| Question::Chip {
            asked,
            rest: rest - Nations::only(asked),
        });
    }

    pub(super) fn choose_chip(
        &self,
        state: &mut State,
        resource: Resource,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        let Some(Question::Chip { asked, rest }) = state.question else {
            return Err(self.refuse(Rule::RoundCoin, Reason::NothingAsked));
        };
        state.nation_mut(asked).holdings.chips[resource.index()] += 1;
        effects.push(Effect::ChipTaken {
            nation: asked,
            resource,
        });
        self.ask_for_chip(state, rest, asked);
        Ok(())
    }
}

/// Lists the chips that can be taken because no coin is left [A10] [B14].
pub(super) fn list_chips(list: &mut Listing<'_>) {
    for resource in Resource::ALL {
        list.push(Action::ChooseChip {
            resource: *resource,
        });
    }
}
