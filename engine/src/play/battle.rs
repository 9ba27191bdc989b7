//! Battles: demanded ones, answers to units that have entered [A25], and automatic ones [D25].

use super::turn::Listing;
use crate::content::Rule;
use crate::ids::{Nation, Region};
use crate::play::{Action, Effect, Effects, Game, Reason, Refusal};
use crate::state::{ByManeuvers, Question, SpecialPlace, State};
use crate::words::{Field, Phase, Piece, Unit};

impl Game {
    /// Lists the answers to units that have entered [A25].
    pub(super) fn list_answers(
        &self,
        state: &State,
        asked: Nation,
        (region, unit): (Region, Unit),
        list: &mut Listing<'_>,
    ) {
        for count in 0..=self.most_pairs(state, region, unit, asked) {
            list.push(Action::AnswerBattle { count });
        }
    }

    pub(super) fn list_battles(&self, state: &State, list: &mut Listing<'_>) {
        let nation = state.to_move;
        for unit in Unit::ALL.iter().copied() {
            let own = state.nation(nation).stands[unit.index()];
            for against in self.all_nations().filter(|other| *other != nation) {
                for region in own & state.nation(against).stands[unit.index()] {
                    for count in 1..=self.most_pairs(state, region, unit, against) {
                        list.push(Action::Battle {
                            unit,
                            count,
                            region,
                            against,
                        });
                    }
                }
            }
        }
    }

    pub(super) fn battle(
        &self,
        state: &mut State,
        unit: Unit,
        count: u8,
        region: Region,
        against: Nation,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        if self.rules.data.battle.is_automatic() {
            return Err(self.refuse(Rule::Battle, Reason::NotPlayed));
        }
        self.check_action(state, Field::is_maneuver, Phase::Action, Rule::Maneuver)?;
        let theirs = match self.nations.get(against.index()) {
            Some(_) if against != state.to_move => state.units(region, against, unit),
            _ => 0,
        };
        let most = theirs.min(state.units(region, state.to_move, unit));
        let reason = match count {
            _ if theirs == 0 => Reason::NoEnemy { unit },
            0 => Reason::NoUnits,
            _ if count > most => Reason::TooManyPairs { most },
            _ => {
                let none_first = &mut ByManeuvers::default();
                let piece = (region, Piece::from(unit));
                self.fight(state, piece, against, count, none_first, effects);
                return Ok(());
            }
        };
        Err(self.refuse(Rule::Battle, reason))
    }

    pub(super) fn answer_battle(
        &self,
        state: &mut State,
        count: u8,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        let Some(Question::Battle {
            asked,
            rest,
            region,
            unit,
            mut entered,
        }) = state.question
        else {
            return Err(self.refuse(Rule::Battle, Reason::NothingAsked));
        };
        let most = self.most_pairs(state, region, unit, asked);
        if count > most {
            return Err(self.refuse(Rule::Battle, Reason::TooManyPairs { most }));
        }
        if count > 0 {
            let piece = (region, Piece::from(unit));
            self.fight(state, piece, asked, count, &mut entered, effects);
        }
        self.ask_about_battle(state, rest, (region, unit), entered);
        Ok(())
    }

    /// Cancels out units of the mover with those of other nations in the region they enter [D16] [D25].
    /// This includes special units if they fight there [D50].
    pub(super) fn meet(
        &self,
        state: &mut State,
        (region, piece): (Region, Piece),
        entered: ByManeuvers,
        with_special_units: bool,
        effects: &mut Effects,
    ) {
        if piece.special().is_some() && !with_special_units {
            return;
        }
        let mut entered = entered;
        for against in self.all_nations() {
            let ours = match piece.special() {
                None => entered.iter().sum(),
                Some(_) => u8::from(state.special_stands(state.to_move).contains(region)),
            };
            let theirs = match with_special_units {
                true => self.fighters(state, region, against, piece.kind()),
                false => state.units(region, against, piece.kind()),
            };
            let pairs = theirs.min(ours);
            if against != state.to_move && pairs > 0 {
                self.fight(
                    state,
                    (region, piece),
                    against,
                    pairs,
                    &mut entered,
                    effects,
                );
            }
        }
    }

    /// The number of units of a nation and kind in a region, including the special unit of that kind.
    pub fn fighters(&self, state: &State, region: Region, nation: Nation, unit: Unit) -> u8 {
        let special = self.special_units[nation.index()].filter(|special| special.kind() == unit);
        let there = state.special_stands(nation).contains(region);
        state.units(region, nation, unit) + u8::from(special.is_some() && there)
    }

    /// Whether units of a kind of two nations are in a region where they should have cancelled out [D25].
    ///
    /// Special units may share a region with units that were armed there, or the other way round [D50].
    pub fn would_have_fought(&self, state: &State, region: Region, unit: Unit) -> bool {
        let with_special_units = self.rules.special_units_fight_when_armed();
        let stands = |nation: &Nation| match with_special_units {
            true => self.fighters(state, region, *nation, unit) > 0,
            false => state.units(region, *nation, unit) > 0,
        };
        self.rules.data.battle.is_automatic() && self.all_nations().filter(stands).count() > 1
    }

    /// Removes `count` units of both sides.
    ///
    /// The mover loses those in `first`, then others, each time the ones with the fewest maneuvers left; or its special
    /// unit. The other side loses its special unit last.
    fn fight(
        &self,
        state: &mut State,
        (region, piece): (Region, Piece),
        against: Nation,
        count: u8,
        first: &mut ByManeuvers,
        effects: &mut Effects,
    ) {
        let nation = state.to_move;
        let unit = piece.kind();
        effects.push(Effect::BattleFought {
            nation,
            against,
            unit,
            count,
            region,
        });
        if piece.special().is_some() {
            self.special_unit_falls(state, nation, region, effects);
        } else {
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
            self.lose_movers(state, region, unit, &lost);
        }
        let theirs = count.min(state.units(region, against, unit));
        self.lose_units(state, region, against, unit, theirs);
        if theirs < count {
            self.special_unit_falls(state, against, region, effects);
        }
    }

    fn special_unit_falls(
        &self,
        state: &mut State,
        nation: Nation,
        region: Region,
        effects: &mut Effects,
    ) {
        if let Some(unit) = self.special_units[nation.index()] {
            state.nation_mut(nation).special = Some(SpecialPlace::Boxed);
            if nation == state.to_move {
                state.turn_state.special_left = 0;
            }
            effects.push(Effect::SpecialUnitFell {
                nation,
                unit,
                region,
            });
        }
    }

    /// Removes units from the board: to the recruitment box if there is one, else to the supply.
    pub(super) fn lose_units(
        &self,
        state: &mut State,
        region: Region,
        nation: Nation,
        unit: Unit,
        count: u8,
    ) {
        state.remove_units(region, nation, unit, count);
        if self.rules.data.recruitment.is_some() {
            state.nation_mut(nation).boxed[unit.index()] += count;
        }
    }

    /// Removes units of the nation to move from the board, by maneuvers left.
    pub(super) fn lose_movers(
        &self,
        state: &mut State,
        region: Region,
        unit: Unit,
        lost: &ByManeuvers,
    ) {
        let left = &mut state.turn_state.maneuvers_left[region.index()][unit.index()];
        for (left, lost) in left.iter_mut().zip(&lost[1..]) {
            *left -= lost;
        }
        self.lose_units(state, region, state.to_move, unit, lost.iter().sum());
    }
}
