//! Conquering cities [A27] [A28] [B27] [D27] and neutral temples [B28].

use super::maneuver::pick_movers;
use super::turn::Listing;
use crate::content::{CardEffect, Rule};
use crate::ids::{Card, Nation, Region, Regions};
use crate::play::{Action, Effect, Effects, Game, Reason, Refusal};
use crate::state::{Question, State};
use crate::words::{EndReason, Field, Personage, Phase, Unit};

/// A city or neutral temple that can be conquered.
struct Target {
    /// The owner of the city; `None` for a neutral temple.
    owner: Option<Nation>,
    /// The number of units that the conqueror loses.
    defence: u8,
    /// The rule that applies.
    rule: Rule,
}

impl Game {
    /// The number of units that the conqueror of a city or neutral temple loses [A27] [B28].
    ///
    /// 0 if there is neither. The special unit of the nation to move lowers it for that nation [D50].
    pub fn defence(&self, state: &State, region: Region) -> u8 {
        let Some(owner) = state.owner(region) else {
            let neutral = state.neutral_temples.contains(region);
            return if neutral {
                self.rules.data.neutral_temple_defence
            } else {
                0
            };
        };
        let units: u8 = Unit::ALL
            .iter()
            .map(|unit| state.units(region, owner, *unit))
            .sum();
        let special = |nation| u8::from(state.special_stands(nation).contains(region));
        let wall = self
            .rules
            .data
            .walls
            .as_ref()
            .map_or(0, |walls| walls.defence);
        let defence = self.rules.data.defence.get(state.has_temple(region))
            + units
            + self.abilities(state, owner).defence
            + self.weakness_bonus(state, owner)
            + wall * u8::from(state.has_wall(region))
            + special(owner);
        match state.to_move {
            mover if mover == owner => defence,
            mover => defence - special(mover),
        }
    }

    /// The bonus to the defence of a nation's cities because it is behind [B27].
    fn weakness_bonus(&self, state: &State, nation: Nation) -> u8 {
        let personages: u8 = state.nation(nation).personages.iter().sum();
        match self.rules.data.weak_nation {
            Some(weak) if personages <= weak.personages => weak.defence,
            _ => 0,
        }
    }

    /// Units of the nation to move that can take part in a conquest there, by [`Unit`] [A24].
    pub fn conquerors(&self, state: &State, region: Region) -> [u8; Unit::COUNT] {
        let mut available = [0; Unit::COUNT];
        for unit in Unit::ALL {
            let counts = state.by_maneuvers(region, *unit);
            let idle = usize::from(self.rules.data.conquest_costs_maneuver);
            available[unit.index()] = counts[idle..].iter().sum();
        }
        available
    }

    /// Own cities that can be given up for a token; empty while a token is left.
    pub(crate) fn cities_to_give_up(&self, state: &State) -> Regions {
        let cities = state.nation(state.to_move).cities;
        let none_left = self.cities_in_supply(state, state.to_move) == 0;
        if self.rules.data.give_up_city && none_left && cities.len() > 1 {
            cities - state.turn_state.conquered
        } else {
            Regions::EMPTY
        }
    }

    /// Returns the city or neutral temple there, if the nation to move may conquer it [A27] [B28].
    fn check_target(&self, state: &State, region: Region) -> Result<Target, Refusal> {
        let owner = state.owner(region);
        let neutral = state.neutral_temples.contains(region);
        if owner == Some(state.to_move) || (owner.is_none() && !neutral) {
            return Err(self.refuse(Rule::Conquest, Reason::NoForeignCity));
        }
        if owner.is_some_and(|owner| state.nation(owner).cities == Regions::only(region)) {
            return Err(self.refuse(Rule::LastCity, Reason::LastCity));
        }
        if state.turn_state.safe.contains(region) {
            return Err(self.refuse(Rule::Fortress, Reason::CityIsSafe));
        }
        Ok(Target {
            owner,
            defence: self.defence(state, region),
            rule: match owner {
                Some(_) => Rule::Conquest,
                None => Rule::NeutralTemple,
            },
        })
    }

    pub(super) fn list_conquests(&self, state: &State, list: &mut Listing<'_>) {
        let own = state.nation(state.to_move);
        let foreign = (state.cities() - own.cities) | state.neutral_temples;
        let stands = own.stands[0] | own.stands[1] | state.special_stands(state.to_move);
        let regions = stands & foreign;
        if regions.is_empty() {
            return;
        }
        let give_up = self.cities_to_give_up(state);
        let needs_token = self.cities_in_supply(state, state.to_move) == 0;
        for region in regions {
            let Ok(Target { owner, defence, .. }) = self.check_target(state, region) else {
                continue;
            };
            let [legions, galleys] = self.conquerors(state, region);
            for legions in (0..=legions.min(defence)).rev() {
                let galleys_lost = defence - legions;
                if galleys_lost > galleys {
                    break;
                }
                let conquer = |give_up| Action::Conquer {
                    region,
                    legions,
                    galleys: galleys_lost,
                    give_up,
                };
                if owner.is_none() || !needs_token {
                    list.push(conquer(None));
                }
                if owner.is_some() {
                    for city in give_up {
                        list.push(conquer(Some(city)));
                    }
                }
            }
        }
    }

    pub(super) fn conquer(
        &self,
        state: &mut State,
        region: Region,
        lost: [u8; Unit::COUNT],
        give_up: Option<Region>,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        self.check_action(state, Field::is_maneuver, Phase::Conquest, Rule::Turn)?;
        let nation = state.to_move;
        let Target {
            owner,
            defence,
            rule,
        } = self.check_target(state, region)?;
        for (unit, available) in Unit::ALL.iter().zip(self.conquerors(state, region)) {
            if lost[unit.index()] > available {
                let unit = *unit;
                return Err(self.refuse(rule, Reason::TooFewToConquer { unit, available }));
            }
        }
        if u32::from(lost[0]) + u32::from(lost[1]) != u32::from(defence) {
            return Err(self.refuse(rule, Reason::WrongLosses { defence }));
        }
        self.check_token(state, owner, give_up)?;
        state.phase = Phase::Conquest;
        if let Some(city) = give_up {
            state.remove_city(city, nation);
            effects.push(Effect::CityGivenUp {
                nation,
                region: city,
            });
        }
        if let Some(asked) = owner.filter(|owner| self.can_answer_conquest(state, *owner)) {
            state.question = Some(Question::Fortress {
                asked,
                region,
                lost,
            });
            let [legions, galleys] = lost;
            effects.push(Effect::ConquestDeclared {
                nation,
                from: asked,
                region,
                legions,
                galleys,
            });
            return Ok(());
        }
        self.take(state, region, lost, effects);
        Ok(())
    }

    /// Checks that the conqueror has a token for the city, or gives one up [A28].
    /// A neutral temple needs none [B28].
    fn check_token(
        &self,
        state: &State,
        owner: Option<Nation>,
        give_up: Option<Region>,
    ) -> Result<(), Refusal> {
        let has_token = self.cities_in_supply(state, state.to_move) > 0;
        let reason = match give_up {
            None if has_token || owner.is_none() => return Ok(()),
            None => Reason::NoToken,
            Some(_) if !self.rules.data.give_up_city => Reason::CannotGiveUp,
            Some(_) if owner.is_none() => {
                return Err(self.refuse(Rule::NeutralTemple, Reason::CannotGiveUp));
            }
            Some(_) if has_token => Reason::TokenIsLeft,
            Some(city) if self.cities_to_give_up(state).contains(city) => return Ok(()),
            Some(_) => Reason::CannotGiveUp,
        };
        Err(self.refuse(Rule::LastCity, reason))
    }

    /// Whether a nation holds an event card that can be played against a declared conquest [D43].
    pub(crate) fn can_answer_conquest(&self, state: &State, nation: Nation) -> bool {
        let held = (0..).map(Card).zip(state.nation(nation).hand);
        let defends = |card| (self.rules.card_effect(card)).is_some_and(CardEffect::defends);
        held.filter(|(_, count)| *count > 0)
            .any(|(card, _)| defends(card))
    }

    /// Carries out the declared conquest, since no card is played against it [D43].
    pub(super) fn pass(&self, state: &mut State, effects: &mut Effects) -> Result<(), Refusal> {
        let Some(Question::Fortress { region, lost, .. }) = state.question else {
            return Err(self.refuse(Rule::Fortress, Reason::NothingAsked));
        };
        state.question = None;
        self.take(state, region, lost, effects);
        Ok(())
    }

    /// Raises the defence of a city in a declared conquest by an event card [D43].
    pub(super) fn defend(&self, state: &mut State, defence: u8, effects: &mut Effects) {
        let Some(Question::Fortress {
            asked,
            region,
            mut lost,
        }) = state.question
        else {
            return;
        };
        state.question = None;
        let mut spare = state.units[region.index()][state.to_move.index()];
        for (spare, lost) in spare.iter_mut().zip(lost) {
            *spare -= lost;
        }
        if spare.iter().sum::<u8>() < defence {
            state.turn_state.safe.insert(region);
            effects.push(Effect::CitySaved {
                nation: asked,
                region,
            });
            return;
        }
        for _ in 0..defence {
            let [legions, galleys] = spare;
            let unit = if galleys > legions {
                Unit::Galley
            } else {
                Unit::Legion
            };
            spare[unit.index()] -= 1;
            lost[unit.index()] += 1;
        }
        self.take(state, region, lost, effects);
    }

    /// Carries out a checked conquest.
    fn take(
        &self,
        state: &mut State,
        region: Region,
        lost: [u8; Unit::COUNT],
        effects: &mut Effects,
    ) {
        let nation = state.to_move;
        for unit in Unit::ALL {
            let mut counts = state.by_maneuvers(region, *unit);
            let wanted = lost[unit.index()];
            let ready: u8 = counts[1..].iter().sum();
            // Units without a maneuver left take part only where a conquest costs none, and only if
            // the others are not enough.
            let from_ready = pick_movers(&counts, wanted.min(ready), None);
            counts = from_ready.unwrap_or_default();
            counts[0] = wanted - wanted.min(ready);
            self.lose_movers(state, region, *unit, &counts);
        }
        let [legions, galleys] = lost;
        let owner = state.owner(region);
        let Some((owner, resource)) = owner.zip(state.resource(region)) else {
            state.neutral_temples.remove(region);
            state.bank.temples += 1;
            effects.push(Effect::NeutralTempleTaken {
                nation,
                region,
                legions,
                galleys,
            });
            self.destroy_temple(state, region, None, effects);
            return;
        };
        let defenders = state.units[region.index()][owner.index()];
        for unit in Unit::ALL {
            self.lose_units(state, region, owner, *unit, defenders[unit.index()]);
        }
        let had_temple = state.has_temple(region);
        let had_wall = state.has_wall(region);
        state.remove_city(region, owner);
        state.add_city(region, nation, resource);
        state.turn_state.conquered.insert(region);
        effects.push(Effect::Conquered {
            nation,
            from: owner,
            region,
            legions,
            galleys,
        });
        if defenders != [0; Unit::COUNT] {
            effects.push(Effect::DefendersLost {
                nation: owner,
                region,
                legions: defenders[Unit::Legion.index()],
                galleys: defenders[Unit::Galley.index()],
            });
        }
        if had_wall {
            effects.push(Effect::WallDestroyed {
                nation: owner,
                region,
            });
        }
        if had_temple {
            self.destroy_temple(state, region, Some(owner), effects);
        }
    }

    /// Counts a temple destroyed in a conquest, and ends the game if no personage is left [A33].
    fn destroy_temple(
        &self,
        state: &mut State,
        region: Region,
        owner: Option<Nation>,
        effects: &mut Effects,
    ) {
        let nation = state.to_move;
        state.turn_state.destroyed += 1;
        effects.push(Effect::TempleDestroyed {
            nation,
            owner,
            region,
        });
        let all_out = state.bank.personages == [0; Personage::COUNT];
        if self.rules.data.temple_wins_when_personages_are_out && all_out {
            self.finish(state, EndReason::TempleDestroyed, Some(nation), effects);
        }
    }
}
