//! Wins by marches and conquests.

use engine::ids::{MAX_REGIONS, Region, Regions};
use engine::play::Action;
use engine::state::State;
use engine::words::{Personage, Phase, Unit};

use super::{Deed, WinSearch, usable_chips};
use crate::search::plan::Step;

/// A unit that can march, and the regions that it can reach.
#[derive(Clone)]
struct Marcher {
    region: Region,
    unit: Unit,
    /// The borders that it can cross.
    left: u8,
    /// By region: the borders crossed to it, and the region before it.
    ways: [Option<(u8, Region)>; MAX_REGIONS],
}

impl Marcher {
    /// Appends the marches to a region.
    fn marches(&self, to: Region, deeds: &mut Vec<Deed>) {
        let (mut at, mut way) = (to, Vec::new());
        while let Some((borders, before)) =
            self.ways[at.index()].filter(|(borders, _)| *borders > 0)
        {
            way.push(Deed::March(self.unit, self.left + 1 - borders, before, at));
            at = before;
        }
        deeds.extend(way.into_iter().rev());
    }
}

impl WinSearch<'_> {
    /// Searches turns with marches and conquests, then cities.
    pub(super) fn maneuver(&mut self, state: &State) -> Option<Vec<Step>> {
        let units = self.marchers(state);
        let targets = self.targets(state, &units);
        let mut conquests: Vec<Vec<Region>> = vec![Vec::new()];
        conquests.extend(targets.iter().map(|target| vec![*target]));
        for (index, one) in targets.iter().enumerate() {
            conquests.extend(targets[index + 1..].iter().map(|other| vec![*one, *other]));
        }
        conquests
            .into_iter()
            .find_map(|conquests| self.march(state, &units, &conquests))
    }

    /// Searches turns with these conquests.
    fn march(
        &mut self,
        state: &State,
        units: &[Marcher],
        conquests: &[Region],
    ) -> Option<Vec<Step>> {
        let rules = &self.game.rules;
        let points = |kind: Personage| u32::from(rules.points[kind.index()]);
        let need = self.need(state);
        let is_temple = |region: &&Region| {
            state.has_temple(**region) || state.neutral_temples.contains(**region)
        };
        let temples = conquests.iter().filter(is_temple).count() as u32;
        let generals = temples.min(state.bank.personages[Personage::General.index()].into());
        let all_out = state.bank.personages == [0; Personage::COUNT];
        let wins_by_temple = temples > generals && rules.data.last_personage_by_temple && need == 1
            || temples > 0 && rules.data.temple_wins_when_personages_are_out && all_out;
        let need = match wins_by_temple {
            true => 0,
            false => need.saturating_sub(generals * points(Personage::General)),
        };
        let taken = conquests
            .iter()
            .filter(|region| state.owner(**region).is_some())
            .count();
        let defence: u32 = conquests
            .iter()
            .map(|at| u32::from(self.game.defence(state, *at)))
            .sum();
        let owned = state.nation(self.nation);
        let on_board = owned.on_board.map(u32::from);
        let spare = on_board.iter().sum::<u32>().checked_sub(defence)?;
        let chips: u32 = usable_chips(owned).iter().sum();
        let funds = chips + u32::from(owned.holdings.coins);
        let most_cities = spare.min(funds / rules.data.prices.city.total().max(1));
        let galleys = on_board[Unit::Galley.index()] * u32::from(rules.data.siteless_region_counts);
        let now = self
            .game
            .achievements(state, self.nation, Personage::Navigator);
        let most_regions = galleys.saturating_sub(now);
        for navigators in 0..=self.personages(Personage::Navigator, need) {
            let Some(regions) = self.missing(state, Personage::Navigator, navigators) else {
                break;
            };
            let rest = need.saturating_sub(navigators * points(Personage::Navigator));
            let kings = self.personages(Personage::King, rest);
            let Some(cities) = self.missing(state, Personage::King, kings) else {
                continue;
            };
            let cities = cities.saturating_sub(taken as u32);
            if cities > most_cities || regions > most_regions {
                continue;
            }
            for with_all in [false, true] {
                let (regions, cities) = (regions, cities);
                let deeds = self.deeds(state, units, conquests, regions, cities, with_all);
                if let Some(deeds) = deeds
                    && let Some(steps) = self.carry_out(state, &deeds)
                {
                    return Some(steps);
                }
                if conquests.is_empty() {
                    break;
                }
            }
        }
        None
    }

    /// Assigns units to conquests, to further regions with a galley, and to sites of cities.
    /// `with_all` sends every unit that can take part in a conquest, for the case of battles.
    fn deeds(
        &self,
        state: &State,
        units: &[Marcher],
        conquests: &[Region],
        regions: u32,
        cities: u32,
        with_all: bool,
    ) -> Option<Vec<Deed>> {
        let game = self.game;
        let costs = u8::from(game.rules.data.conquest_costs_maneuver);
        let mut goal: Vec<Option<Region>> = vec![None; units.len()];
        for target in conquests {
            let there: u8 = game.conquerors(state, *target).iter().sum();
            let mut needed = game.defence(state, *target).saturating_sub(there);
            let owner = state.owner(*target);
            for kind in Unit::ALL {
                needed += self.hostile(state, *target, *kind, owner).min(1) * u8::from(with_all);
            }
            let mut near: Vec<(u8, usize)> = Vec::new();
            for (index, unit) in units.iter().enumerate() {
                if goal[index].is_some() {
                    continue;
                }
                if unit.region == *target {
                    goal[index] = Some(*target);
                } else if let Some((borders, _)) = unit.ways[target.index()]
                    && borders + costs <= unit.left
                {
                    near.push((borders, index));
                }
            }
            near.sort_unstable();
            if near.len() < usize::from(needed) {
                return None;
            }
            let sent = if with_all { near.len() } else { needed.into() };
            for (_, index) in near.into_iter().take(sent) {
                goal[index] = Some(*target);
            }
        }
        let mut covered = Regions::EMPTY;
        if regions > 0 {
            let all = game.achievements(state, self.nation, Personage::Navigator) + regions;
            covered = self.spread(state, units, all, &mut goal)?;
        }
        let mut marches = Vec::new();
        let mut sites = Vec::new();
        if cities > 0 {
            sites = self.settle(state, units, cities, covered, &mut goal)?;
        }
        for (unit, goal) in units.iter().zip(&goal) {
            if let Some(goal) = goal {
                unit.marches(*goal, &mut marches);
            }
        }
        let mut deeds = marches;
        deeds.extend(conquests.iter().map(|target| Deed::Conquer(*target)));
        deeds.push(Deed::Buy(sites));
        Some(deeds)
    }

    /// Sends galleys to regions so that they count at least `all` for navigators. Returns the regions.
    fn spread(
        &self,
        state: &State,
        units: &[Marcher],
        all: u32,
        goal: &mut [Option<Region>],
    ) -> Option<Regions> {
        let board = &self.game.board;
        let weight = |region: Region| match board.siteless().contains(region) {
            true => u32::from(self.game.rules.data.siteless_region_counts),
            false => 1,
        };
        let galleys = state.nation(self.nation).stands[Unit::Galley.index()];
        let free: Vec<usize> = (0..units.len())
            .filter(|index| units[*index].unit == Unit::Galley && goal[*index].is_none())
            .collect();
        let movable = |region: Region| {
            let here = units
                .iter()
                .filter(|unit| unit.unit == Unit::Galley && unit.region == region);
            here.count() as u8
        };
        let fixed = galleys
            .iter()
            .filter(|at| state.units(*at, self.nation, Unit::Galley) > movable(*at));
        let mut covered: Regions = fixed.collect();
        let mut count: u32 = covered.iter().map(weight).sum();
        let mut regions: Vec<Region> = (board.all() - covered).iter().collect();
        regions.sort_by_key(|region| {
            (
                std::cmp::Reverse(weight(*region)),
                !galleys.contains(*region),
            )
        });
        let mut assigned = vec![None; units.len()];
        for region in regions {
            if count >= all {
                break;
            }
            if assign(
                units,
                &free,
                region,
                &mut assigned,
                &mut vec![false; units.len()],
            ) {
                covered.insert(region);
                count += weight(region);
            }
        }
        for (goal, assigned) in goal.iter_mut().zip(assigned) {
            *goal = goal.or(assigned);
        }
        (count >= all).then_some(covered)
    }

    /// Sends units to as many sites of cities, the cheapest first. Returns the foundings.
    fn settle(
        &self,
        state: &State,
        units: &[Marcher],
        cities: u32,
        covered: Regions,
        goal: &mut [Option<Region>],
    ) -> Option<Vec<Action>> {
        let idle = |region: Region| {
            Unit::ALL.iter().any(|kind| {
                let here = |unit: &&Marcher| unit.unit == *kind && unit.region == region;
                let movable = units.iter().filter(here).count();
                usize::from(state.units(region, self.nation, *kind)) > movable
            })
        };
        let free: Vec<usize> = (0..units.len())
            .filter(|index| goal[*index].is_none())
            .collect();
        let options = self.foundings(state, 1, self.game.board.all());
        let mut assigned = vec![None; units.len()];
        let mut sites = Regions::EMPTY;
        let mut foundings = Vec::new();
        for founding in options.into_iter().flatten() {
            let Action::Found { region, .. } = founding else {
                continue;
            };
            if foundings.len() as u32 == cities {
                break;
            }
            if sites.contains(region) {
                continue;
            }
            let stands = covered.contains(region) || idle(region);
            let mut tried = vec![false; units.len()];
            if stands || assign(units, &free, region, &mut assigned, &mut tried) {
                sites.insert(region);
                foundings.push(founding);
            }
        }
        for (goal, assigned) in goal.iter_mut().zip(assigned) {
            *goal = goal.or(assigned);
        }
        (foundings.len() as u32 == cities).then_some(foundings)
    }

    /// The units that can march, one by one, with the regions that they can reach.
    fn marchers(&self, state: &State) -> Vec<Marcher> {
        let mut units = Vec::new();
        let owned = state.nation(self.nation);
        for unit in Unit::ALL.iter().copied() {
            for region in owned.stands[unit.index()] {
                let left = &state.turn_state.maneuvers_left[region.index()][unit.index()];
                for (index, count) in left.iter().enumerate().filter(|(_, count)| **count > 0) {
                    let one = self.ways(state, region, unit, index as u8 + 1);
                    units.extend(std::iter::repeat_n(one, usize::from(*count)));
                }
            }
        }
        units
    }

    fn ways(&self, state: &State, region: Region, unit: Unit, left: u8) -> Marcher {
        let left = match state.phase {
            Phase::Action => left,
            _ => 0,
        };
        let mut ways = [None; MAX_REGIONS];
        ways[region.index()] = Some((0, region));
        let mut edge = vec![region];
        for borders in 1..=left {
            let mut next = Vec::new();
            for at in edge {
                for to in self.game.board.neighbours(at, unit) {
                    if ways[to.index()].is_some() {
                        continue;
                    }
                    let owner = state.owner(to);
                    if self.hostile(state, to, unit, None) == 0 {
                        next.push(to);
                        ways[to.index()] = Some((borders, at));
                    } else if owner.is_some_and(|owner| owner != self.nation) {
                        // Defenders count for the defence whether they fight or not.
                        ways[to.index()] = Some((borders, at));
                    }
                }
            }
            edge = next;
        }
        Marcher {
            region,
            unit,
            left,
            ways,
        }
    }

    /// Foreign cities and neutral temples that all units near them could conquer.
    fn targets(&self, state: &State, units: &[Marcher]) -> Vec<Region> {
        let game = self.game;
        let costs = u8::from(game.rules.data.conquest_costs_maneuver);
        let own = state.nation(self.nation).cities;
        let foreign = ((state.cities() - own) | state.neutral_temples) - state.turn_state.safe;
        let feasible = |region: &Region| {
            let owner = state.owner(*region);
            if owner.is_some_and(|owner| state.nation(owner).cities == Regions::only(*region)) {
                return false;
            }
            let near = units.iter().filter(|unit| {
                let way = unit.ways[region.index()];
                unit.region != *region
                    && way.is_some_and(|(borders, _)| borders + costs <= unit.left)
            });
            let there: u8 = game.conquerors(state, *region).iter().sum();
            near.count() + usize::from(there) >= usize::from(game.defence(state, *region))
        };
        let mut targets: Vec<Region> = foreign.iter().filter(feasible).collect();
        targets.sort_by_key(|region| (!state.has_temple(*region), game.defence(state, *region)));
        targets
    }
}

/// Finds a unit for a region, moving others that were assigned before if necessary.
fn assign(
    units: &[Marcher],
    free: &[usize],
    region: Region,
    assigned: &mut [Option<Region>],
    tried: &mut [bool],
) -> bool {
    for index in free {
        if tried[*index] || units[*index].ways[region.index()].is_none() {
            continue;
        }
        tried[*index] = true;
        let other = assigned[*index];
        if other.is_none_or(|other| assign(units, free, other, assigned, tried)) {
            assigned[*index] = Some(region);
            return true;
        }
    }
    false
}
