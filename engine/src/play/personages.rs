//! Personages at the end of a turn [A30] [A31] [B30], the extra one [A21] [B41], the end [A32] [B32].

use super::turn::Listing;
use crate::content::Rule;
use crate::ids::{MAX_NATIONS, Nation, Personages};
use crate::play::{Action, Effect, Effects, Game, Reason, Refusal};
use crate::state::{Outcome, Question, State, TurnState};
use crate::words::{EndReason, Personage, Phase, Unit};

/// Lists the personages that can be chosen [A21].
pub(super) fn list_personages(options: Personages, list: &mut Listing<'_>) {
    for personage in options {
        list.push(Action::ChoosePersonage { personage });
    }
}

impl Game {
    /// The number that a kind of personage is counted by: cities, temples, regions with a galley [A30].
    pub fn achievements(&self, state: &State, nation: Nation, personage: Personage) -> u32 {
        let owned = state.nation(nation);
        match personage {
            Personage::King => owned.cities.len(),
            Personage::Citizen => (owned.cities & state.temples).len(),
            Personage::Navigator => {
                let galleys = owned.stands[Unit::Galley.index()];
                let more = u32::from(self.rules.data.siteless_region_counts) - 1;
                galleys.len() + (galleys & self.board.siteless()).len() * more
            }
            Personage::Scholar => state.turn_state.discovered.len(),
            Personage::General => u32::from(state.turn_state.destroyed),
        }
    }

    /// The personages of a kind that the nation to move has earned and not yet won [A30] [A31].
    ///
    /// It includes those that the bank does not have.
    pub fn personages_due(&self, state: &State, nation: Nation, personage: Personage) -> u32 {
        let earned = self.achievements(state, nation, personage);
        match self.rules.personage_every[personage.index()] {
            0 => earned,
            every => {
                let owned = state.nation(nation);
                let extra = owned.extra_personage == Some(personage);
                let counted = owned.personages[personage.index()] - u8::from(extra);
                (earned / u32::from(every)).saturating_sub(u32::from(counted))
            }
        }
    }

    pub(super) fn end_turn(&self, state: &mut State, effects: &mut Effects) -> Result<(), Refusal> {
        self.check_after_stone(state)?;
        self.award(state, effects);
        Ok(())
    }

    /// Awards the personages won this turn, and asks the nation that must choose, if any.
    fn award(&self, state: &mut State, effects: &mut Effects) {
        let nation = state.to_move;
        let mut won = 0;
        let generals_left = u32::from(state.bank.personages[Personage::General.index()]);
        for personage in Personage::ALL {
            let due = self.personages_due(state, nation, *personage);
            for _ in 0..due {
                won += u32::from(self.win(state, *personage, false, effects));
            }
        }
        let kind = self.rules.first_with_all_know_how;
        if let Some(kind) = kind.filter(|_| self.is_first_with_all_know_how(state)) {
            self.win(state, kind, true, effects);
        }
        if self.reached_goal(state, effects) {
            return;
        }
        if self.rules.data.last_personage_by_temple
            && u32::from(state.turn_state.destroyed) > generals_left
            && self.points(state, nation) + 1 == u32::from(self.rules.goal)
        {
            self.finish(state, EndReason::TempleDestroyed, Some(nation), effects);
            return;
        }
        let owned = state.nation(nation);
        let extra_is_due = self.rules.data.extra_personage
            && !state.turn_state.developed.is_empty()
            && owned.know_how == self.rules.all_know_how
            && owned.extra_personage.is_none();
        if extra_is_due {
            let most = state.bank.personages.iter().copied().max().unwrap_or(0);
            let options: Vec<Personage> = Personage::ALL
                .iter()
                .copied()
                .filter(|kind| most > 0 && state.bank.personages[kind.index()] == most)
                .collect();
            match options[..] {
                [] => {}
                [only] => {
                    self.win(state, only, true, effects);
                    if self.reached_goal(state, effects) {
                        return;
                    }
                }
                _ => {
                    let options = options.iter().copied().collect();
                    state.question = Some(Question::Personage {
                        asked: state.to_move,
                        options,
                    });
                    state.phase = Phase::End;
                    return;
                }
            }
        }
        let due = self.cards_due(state, won);
        self.ask_for_cards(state, due, effects);
    }

    /// Whether the nation to move is the first with all know-hows, and got the last one this turn [B41].
    fn is_first_with_all_know_how(&self, state: &State) -> bool {
        let has_all = |nation: Nation| state.nation(nation).know_how == self.rules.all_know_how;
        !state.turn_state.developed.is_empty()
            && has_all(state.to_move)
            && self.all_nations().filter(|nation| has_all(*nation)).count() == 1
    }

    pub(super) fn choose_personage(
        &self,
        state: &mut State,
        personage: Personage,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        match state.question {
            Some(Question::Personage { options, .. }) if options.contains(personage) => {}
            _ => return Err(self.refuse(Rule::ExtraPersonage, Reason::NotAnOption)),
        }
        state.question = None;
        self.win(state, personage, true, effects);
        if !self.reached_goal(state, effects) {
            self.pass_on(state, effects);
        }
        Ok(())
    }

    /// Awards a personage to the nation to move, if the bank has one left. Returns whether it did.
    ///
    /// The nation also receives the town walls of the track for it [D33].
    fn win(
        &self,
        state: &mut State,
        personage: Personage,
        extra: bool,
        effects: &mut Effects,
    ) -> bool {
        let stack = &mut state.bank.personages[personage.index()];
        if *stack == 0 {
            return false;
        }
        *stack -= 1;
        let nation = state.to_move;
        let walls = self.walls_received(state, nation);
        let owned = state.nation_mut(nation);
        owned.personages[personage.index()] += 1;
        if extra {
            owned.extra_personage = Some(personage);
        }
        effects.push(Effect::PersonageWon {
            nation,
            personage,
            extra,
        });
        for _ in walls..self.walls_received(state, nation) {
            effects.push(Effect::WallReceived { nation });
        }
        true
    }

    fn reached_goal(&self, state: &mut State, effects: &mut Effects) -> bool {
        let nation = state.to_move;
        let reached = self.points(state, nation) >= u32::from(self.rules.goal);
        if reached {
            self.finish(state, EndReason::Goal, Some(nation), effects);
        }
        reached
    }

    /// Ends the game and ranks the seats: the winner first, resigned ones last.
    /// The others are ranked by points, cities and temples.
    ///
    /// A seat is ranked by the better of its nations [A34].
    pub(super) fn finish(
        &self,
        state: &mut State,
        reason: EndReason,
        winner: Option<Nation>,
        effects: &mut Effects,
    ) {
        let mut standing = [None; MAX_NATIONS];
        for nation in self.all_nations() {
            let owned = state.nation(nation);
            let key = (
                winner == Some(nation),
                !owned.resigned,
                self.points(state, nation),
                owned.cities.len(),
                (owned.cities & state.temples).len(),
            );
            let seat = &mut standing[usize::from(self.seat_of(nation))];
            *seat = (*seat).max(Some(key));
        }
        let mut ranks = [0; MAX_NATIONS];
        for (rank, own) in ranks.iter_mut().zip(&standing).take(self.seats()) {
            *rank = 1 + standing.iter().filter(|other| *other > own).count() as u8;
        }
        state.phase = Phase::End;
        state.question = None;
        state.turn_state = TurnState::NEW;
        state.outcome = Some(Outcome { reason, ranks });
        effects.push(Effect::GameEnded { reason });
    }
}
