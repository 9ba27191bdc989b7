//! Resignation: leaving the game [A34].

use crate::chance::Chance;
use crate::content::{Rule, TurnNumberPolicy};
use crate::ids::{Nation, Nations};
use crate::play::{Effect, Effects, Game, Reason, Refusal};
use crate::state::{Question, State};
use crate::words::{EndReason, Phase};

impl Game {
    /// Removes the player of `nation` with all its nations from the game.
    pub(super) fn resign(
        &self,
        state: &mut State,
        nation: Nation,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        if state.nation(nation).resigned {
            return Err(self.refuse(Rule::Resignation, Reason::HasResigned));
        }
        self.leave(state, nation, effects);
        Ok(())
    }

    fn leave(&self, state: &mut State, nation: Nation, effects: &mut Effects) {
        let seat = self.seat_of(nation);
        for own in self.nations_of(seat) {
            state.nation_mut(own).resigned = true;
            effects.push(Effect::Resigned { nation: own });
        }
        if state
            .bellona
            .is_some_and(|holder| state.nation(holder).resigned)
        {
            self.pass_bellona(state, effects);
        }
        let mut playing = self.all_nations().filter(|n| !state.nation(*n).resigned);
        let winner = playing.next();
        let only_seat = winner.map(|winner| self.seat_of(winner));
        if playing.all(|other| Some(self.seat_of(other)) == only_seat) {
            self.finish(state, EndReason::Resignation, winner, effects);
            return;
        }
        if state.phase == Phase::Setup {
            self.draw_start_city(state, nation, effects);
            return;
        }
        let mover_left = state.nation(state.to_move).resigned;
        match state.question {
            Some(Question::Chip { asked, rest }) if state.phase == Phase::Stone => {
                if mover_left {
                    self.hand_over_unbegun_turn(state, effects);
                }
                let rest = rest - Nations::only(nation);
                if asked == nation {
                    self.ask_for_chip(state, rest, asked);
                } else {
                    state.question = Some(Question::Chip { asked, rest });
                }
            }
            _ if mover_left => {
                state.question = None;
                self.pass_on(state, effects);
            }
            Some(Question::Battle {
                asked,
                rest,
                region,
                unit,
                entered,
            }) => {
                // A nation that has answered is in neither set and is not asked again.
                let still = (rest | Nations::only(asked)) - Nations::only(nation);
                self.ask_about_battle(state, still, (region, unit), entered);
            }
            _ => {}
        }
    }

    /// Draws the start city that a resigned nation still had to choose.
    fn draw_start_city(&self, state: &mut State, nation: Nation, effects: &mut Effects) {
        let picks_now = state.to_move;
        if state.nation(nation).cities.is_empty() {
            state.to_move = nation;
            let choices: Vec<_> = self.city_choices(state).iter().collect();
            let mut chance = Chance::after(&self.seed, state.drawn);
            let choice = chance.below(choices.len().max(1) as u32) as usize;
            state.drawn = chance.drawn();
            if let Some(region) = choices.get(choice) {
                self.place_start_city(state, *region, effects);
            }
            state.to_move = picks_now;
        }
        if state.nation(picks_now).resigned {
            self.continue_setup(state, effects);
        }
    }

    /// Passes on the turn of a nation that resigned before it began, while chips were chosen.
    fn hand_over_unbegun_turn(&self, state: &mut State, effects: &mut Effects) {
        if let Some(next) = self.next_left(state, state.to_move) {
            state.to_move = next;
            state.turn += match self.rules.data.turn_numbers {
                TurnNumberPolicy::HandedOn => 0,
                TurnNumberPolicy::Unique => 1,
            };
            effects.push(Effect::TurnBegan {
                nation: next,
                turn: state.turn,
            });
        }
    }
}
