//! Moving units [A24] [D24] [D50].

use crate::content::BattlePolicy;
use crate::ids::{Nations, Region};
use crate::play::{Effect, Effects, Game, Reason};
use crate::state::{ByManeuvers, Question, SpecialPlace, State};
use crate::words::{Piece, Unit};

/// Which units of a region go, by maneuvers left: those with the fewest (at least one) first, or
/// those with exactly `left`. Fails with the number that can go.
pub(crate) fn pick_movers(
    counts: &ByManeuvers,
    count: u8,
    left: Option<u8>,
) -> Result<ByManeuvers, u8> {
    let mut picked = [0; crate::ids::MAX_MANEUVERS + 1];
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
    pub(super) fn march(
        &self,
        state: &mut State,
        piece: Piece,
        count: u8,
        (from, to): (Region, Region),
        left: Option<u8>,
        effects: &mut Effects,
    ) -> Result<(), Reason> {
        let nation = state.to_move;
        let unit = piece.kind();
        if !self.board.neighbours(from, unit).contains(to) {
            return Err(Reason::NoBorder { unit });
        }
        if count == 0 {
            return Err(Reason::NoUnits);
        }
        let mut entered = ByManeuvers::default();
        if piece.special().is_some() {
            let available = self.special_movers(state, from, piece);
            let named = left.is_none_or(|left| left == state.turn_state.special_left);
            if count > available || !named {
                let available = available * u8::from(named);
                return Err(Reason::TooFewUnits { available });
            }
            state.nation_mut(nation).special = Some(SpecialPlace::At(to));
            state.turn_state.special_left -= 1;
        } else {
            let picked = pick_movers(&state.by_maneuvers(from, unit), count, left)
                .map_err(|available| Reason::TooFewUnits { available })?;
            state.remove_units(from, nation, unit, count);
            state.add_units(to, nation, unit, count);
            let units_left = &mut state.turn_state.left;
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
        if self.rules.battle == BattlePolicy::Automatic {
            self.meet(state, (to, piece), entered, true, effects);
        } else {
            let others = self.all_nations().filter(|other| *other != nation);
            let rest = others.collect();
            self.ask_about_battle(state, rest, (to, unit), entered);
        }
        Ok(())
    }

    /// How many of a special unit can leave a region: 1 or 0.
    pub(crate) fn special_movers(&self, state: &State, from: Region, piece: Piece) -> u8 {
        let nation = state.to_move;
        let own =
            piece.special().is_some() && self.special_units[nation.index()] == piece.special();
        let there = state.special_stands(nation).contains(from);
        u8::from(own && there && state.turn_state.special_left > 0)
    }

    /// Asks the next nation of `rest` that can fight what has entered, clockwise from the mover.
    pub(super) fn ask_about_battle(
        &self,
        state: &mut State,
        rest: Nations,
        (region, unit): (Region, Unit),
        entered: ByManeuvers,
    ) {
        let can_fight = self.all_nations().filter(|other| {
            rest.contains(*other)
                && state.units(region, *other, unit) > 0
                && !state.nation(*other).resigned
        });
        let rest = match state.units(region, state.to_move, unit) {
            0 => Nations::EMPTY,
            _ => can_fight.collect(),
        };
        state.question = self
            .next_of(rest, state.to_move)
            .map(|asked| Question::Battle {
                asked,
                rest: rest - Nations::of(asked),
                region,
                unit,
                entered,
            });
    }
}
