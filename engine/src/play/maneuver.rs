//! Moving units [A24] [D24] [D50].

use super::turn::Listing;
use crate::content::{BattlePolicy, Rule};
use crate::ids::{MAX_MANEUVERS, Nations, Region};
use crate::play::{Action, Effect, Effects, Game, Reason, Refusal};
use crate::state::{ByManeuvers, Question, SpecialPlace, State};
use crate::words::{Field, Phase, Piece, Unit};

/// Picks units of a region to move, by maneuvers left.
/// Those with the fewest (at least one) go first, or those with exactly `left`. Fails with the number that can move.
pub(super) fn pick_movers(
    counts: &ByManeuvers,
    count: u8,
    left: Option<u8>,
) -> Result<ByManeuvers, u8> {
    let mut picked = [0; MAX_MANEUVERS + 1];
    let mut wanted = count;
    for (maneuvers, there) in counts.iter().enumerate().skip(1) {
        if left.is_none_or(|left| usize::from(left) == maneuvers) {
            picked[maneuvers] = wanted.min(*there);
            wanted -= picked[maneuvers];
        }
    }
    if wanted == 0 {
        Ok(picked)
    } else {
        Err(count - wanted)
    }
}

impl Game {
    /// The pieces of the nation to move in a region, by maneuvers left; index 0 has those that cannot move.
    fn movers(&self, state: &State, from: Region, piece: Piece) -> ByManeuvers {
        if piece.special().is_none() {
            return state.by_maneuvers(from, piece.kind());
        }
        let mut counts = ByManeuvers::default();
        let own = self.special_units[state.to_move.index()] == piece.special();
        if own && state.special_stands(state.to_move).contains(from) {
            let left = usize::from(state.turn_state.special_left);
            counts[left.min(MAX_MANEUVERS)] = 1;
        }
        counts
    }

    /// Whether units with `left` maneuvers would move first by default.
    pub(super) fn goes_first(
        &self,
        state: &State,
        piece: Piece,
        count: u8,
        from: Region,
        left: u8,
    ) -> bool {
        let counts = self.movers(state, from, piece);
        let named = pick_movers(&counts, count, Some(left));
        named.is_ok() && named == pick_movers(&counts, count, None)
    }

    pub(super) fn list_marches(&self, state: &State, list: &mut Listing<'_>) {
        for unit in Unit::ALL.iter().copied() {
            for from in state.nation(state.to_move).stands[unit.index()] {
                let counts = &state.turn_state.maneuvers_left[from.index()][unit.index()];
                let total: u8 = counts.iter().sum();
                if total == 0 {
                    continue;
                }
                for to in self.board.neighbours(from, unit) {
                    let march = |count, left| Action::March {
                        unit: unit.into(),
                        count,
                        from,
                        to,
                        left,
                    };
                    for count in 1..=total {
                        list.push(march(count, None));
                    }
                    // Units need to be named only if others would move first.
                    let mut fewer = 0;
                    for (index, there) in counts.iter().copied().enumerate() {
                        if fewer > 0 {
                            for count in 1..=there {
                                list.push(march(count, Some(index as u8 + 1)));
                            }
                        }
                        fewer += there;
                    }
                }
            }
        }
    }

    /// Lists the marches of the special unit [D50].
    pub(super) fn list_special_marches(&self, state: &State, list: &mut Listing<'_>) {
        let Some(special) = self.special_units[state.to_move.index()] else {
            return;
        };
        if state.turn_state.special_left == 0 {
            return;
        }
        for from in state.special_stands(state.to_move) {
            for to in self.board.neighbours(from, special.kind()) {
                list.push(Action::March {
                    unit: special.into(),
                    count: 1,
                    from,
                    to,
                    left: None,
                });
            }
        }
    }

    pub(super) fn march(
        &self,
        state: &mut State,
        piece: Piece,
        count: u8,
        (from, to): (Region, Region),
        left: Option<u8>,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        self.check_action(state, Field::is_maneuver, Phase::Action, Rule::Maneuver)?;
        let nation = state.to_move;
        let unit = piece.kind();
        if !self.board.neighbours(from, unit).contains(to) {
            return Err(self.refuse(Rule::Maneuver, Reason::NoBorder { unit }));
        }
        if count == 0 {
            return Err(self.refuse(Rule::Maneuver, Reason::NoUnits));
        }
        let picked = pick_movers(&self.movers(state, from, piece), count, left)
            .map_err(|available| self.refuse(Rule::Maneuver, Reason::TooFewUnits { available }))?;
        let mut entered = ByManeuvers::default();
        if piece.special().is_some() {
            state.nation_mut(nation).special = Some(SpecialPlace::At(to));
            state.turn_state.special_left -= 1;
        } else {
            state.remove_units(from, nation, unit, count);
            state.add_units(to, nation, unit, count);
            let units_left = &mut state.turn_state.maneuvers_left;
            for (maneuvers, moved) in picked.into_iter().enumerate().skip(1) {
                units_left[from.index()][unit.index()][maneuvers - 1] -= moved;
                entered[maneuvers - 1] = moved;
                if maneuvers > 1 {
                    units_left[to.index()][unit.index()][maneuvers - 2] += moved;
                }
            }
        }
        effects.push(Effect::Moved {
            nation,
            unit: piece,
            count,
            from,
            to,
        });
        match self.rules.data.battle {
            BattlePolicy::Automatic => self.meet(state, (to, piece), entered, true, effects),
            BattlePolicy::OnDemand => {
                let others = self.all_nations().filter(|other| *other != nation);
                self.ask_about_battle(state, others.collect(), (to, unit), entered);
            }
        }
        Ok(())
    }

    /// Asks the next nation of `rest` that can fight the entered units, clockwise from the mover.
    pub(super) fn ask_about_battle(
        &self,
        state: &mut State,
        rest: Nations,
        (region, unit): (Region, Unit),
        entered: ByManeuvers,
    ) {
        let can_fight = rest.iter().filter(|other| {
            state.units(region, *other, unit) > 0 && !state.nation(*other).resigned
        });
        let rest: Nations = match state.units(region, state.to_move, unit) {
            0 => Nations::EMPTY,
            _ => can_fight.collect(),
        };
        state.question = self
            .next_of(rest, state.to_move)
            .map(|asked| Question::Battle {
                asked,
                rest: rest - Nations::only(asked),
                region,
                unit,
                entered,
            });
    }
}
