//! Battles: the mover's own, and the answers to units that have entered [A25].

use crate::board::Region;
use crate::effect::Effect;
use crate::game::{Effects, Game};
use crate::illegal::Reason;
use crate::state::{ByManeuvers, Nation, Question, State};
use crate::vocabulary::Unit;

impl Game {
    pub(super) fn battle(
        &self,
        state: &mut State,
        unit: Unit,
        count: u8,
        region: Region,
        against: Nation,
        effects: &mut Effects,
    ) -> Result<(), Reason> {
        let theirs = match self.nations.get(against.index()) {
            Some(_) if against != state.to_move => state.units(region, against, unit),
            _ => 0,
        };
        if theirs == 0 {
            return Err(Reason::NoEnemy { unit });
        }
        if count == 0 {
            return Err(Reason::NoUnits);
        }
        let most = theirs.min(state.units(region, state.to_move, unit));
        if count > most {
            return Err(Reason::TooManyPairs { most });
        }
        let none_first = &mut ByManeuvers::default();
        fight(state, (region, unit), against, count, none_first, effects);
        Ok(())
    }

    pub(super) fn answer_battle(
        &self,
        state: &mut State,
        count: u8,
        effects: &mut Effects,
    ) -> Result<(), Reason> {
        let Some(Question::Battle {
            asked,
            rest,
            region,
            unit,
            mut entered,
        }) = state.question
        else {
            return Err(Reason::NothingAsked);
        };
        let most = state
            .units(region, asked, unit)
            .min(state.units(region, state.to_move, unit));
        if count > most {
            return Err(Reason::TooManyPairs { most });
        }
        if count > 0 {
            fight(state, (region, unit), asked, count, &mut entered, effects);
        }
        self.ask_about_battle(state, rest, (region, unit), entered);
        Ok(())
    }
}

/// Both sides lose `count` units: the mover those in `first`, then the others, and of each the
/// ones with the fewest maneuvers left.
fn fight(
    state: &mut State,
    (region, unit): (Region, Unit),
    against: Nation,
    count: u8,
    first: &mut ByManeuvers,
    effects: &mut Effects,
) {
    let nation = state.to_move;
    let mut lost = ByManeuvers::default();
    let mut wanted = count;
    for (maneuvers, there) in first.iter_mut().enumerate() {
        lost[maneuvers] = wanted.min(*there);
        wanted -= lost[maneuvers];
        *there -= lost[maneuvers];
    }
    let counts = state.by_maneuvers(region, unit);
    for (maneuvers, there) in counts.into_iter().enumerate() {
        let more = wanted.min(there - lost[maneuvers]);
        lost[maneuvers] += more;
        wanted -= more;
    }
    remove_mover(state, region, unit, &lost);
    state.remove_units(region, against, unit, count);
    effects.push(Effect::BattleFought {
        nation,
        against,
        unit,
        count,
        region,
    });
}

/// Takes units of the nation to move off the board, by maneuvers left.
pub(super) fn remove_mover(state: &mut State, region: Region, unit: Unit, lost: &ByManeuvers) {
    let left = &mut state.turn_state.left[region.index()][unit.index()];
    for (left, lost) in left.iter_mut().zip(&lost[1..]) {
        *left -= lost;
    }
    state.remove_units(region, state.to_move, unit, lost.iter().sum());
}
