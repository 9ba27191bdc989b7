//! Wins by temples, cities, know-hows and galleys, with the trades that pay for them.

use engine::chips::{Gain, Payment};
use engine::ids::{KnowHows, Region, Regions};
use engine::play::Action;
use engine::state::State;
use engine::words::{Field, Personage, Phase, Resource, Unit};

use super::{Deed, WinSearch};
use crate::search::plan::Step;

/// The most sets of sites that are tried where prices differ between sites.
const MOST_SETS: usize = 120;

impl WinSearch<'_> {
    /// Searches turns with purchases only: the action of the field, then cities.
    pub(super) fn purchases(&mut self, state: &State) -> Option<Vec<Step>> {
        let need = self.need(state);
        let king = u32::from(self.game.rules.points[Personage::King.index()]);
        let acts = state.phase == Phase::Action;
        for kings in 0..=self.personages(Personage::King, need) {
            let Some(cities) = self.missing(state, Personage::King, kings) else {
                break;
            };
            let rest = need.saturating_sub(kings * king);
            let by_field = match state.turn_state.field {
                _ if rest == 0 => vec![Vec::new()],
                Some(Field::Temple) if acts => self.temples(state, rest),
                Some(Field::Arming) if acts => self.galleys(state, rest),
                Some(Field::KnowHow) if acts => self.know_hows(state, rest),
                _ => Vec::new(),
            };
            for first in by_field {
                for cities in self.foundings(state, cities, Regions::EMPTY) {
                    let all = first.iter().chain(&cities).copied().collect();
                    if let Some(steps) = self.carry_out(state, &[Deed::Buy(all)]) {
                        return Some(steps);
                    }
                }
            }
        }
        None
    }

    /// Sets of temples that give this many points.
    fn temples(&self, state: &State, points: u32) -> Vec<Vec<Action>> {
        let citizens = self.personages(Personage::Citizen, points);
        let Some(count) = self.missing(state, Personage::Citizen, citizens) else {
            return Vec::new();
        };
        let sites = state.nation(self.nation).cities - state.temples;
        let options = sites.iter().map(|region| {
            let price = self.game.temple_price(state, region).coins;
            (price, region, Action::BuildTemple { region, pay: None })
        });
        let differ = self.game.rules.data.adjacent_temple_coins > 0;
        sets(options.collect(), count as usize, differ)
    }

    /// Sets of cities, this many, where the nation has units and in `more` regions.
    pub(super) fn foundings(&self, state: &State, count: u32, more: Regions) -> Vec<Vec<Action>> {
        let game = self.game;
        let [legions, galleys] = state.nation(self.nation).stands;
        let taken = state.cities() | state.neutral_temples | game.board.siteless();
        let free = (legions | galleys | more) - taken;
        if count > u32::from(game.cities_in_supply(state, self.nation)) {
            return Vec::new();
        }
        let options = free.iter().flat_map(|region| {
            let site = game.site(region);
            let kinds = Resource::ALL.iter().copied();
            let kinds = kinds.filter(move |resource| {
                site.allows(*resource) && game.tokens_in_bank(state, *resource) > 0
            });
            kinds.map(move |resource| {
                let named = Some(resource).filter(|_| site.resource().is_none());
                let found = Action::Found {
                    region,
                    resource: named,
                    pay: None,
                };
                (
                    game.city_price(state, region, resource).coins,
                    region,
                    found,
                )
            })
        });
        let differ = game.rules.data.adjacent_city_coins > 0;
        sets(options.collect(), count as usize, differ)
    }

    /// Sets of know-hows that give this many points, the cheapest first.
    fn know_hows(&self, state: &State, points: u32) -> Vec<Vec<Action>> {
        let rules = &self.game.rules;
        let owned = state.nation(self.nation).know_how;
        let open: Vec<_> = (rules.all_know_how - owned).iter().collect();
        let scholar = Personage::Scholar.index();
        let mut options: Vec<(u32, Vec<Action>)> = Vec::new();
        for mask in 1_u32..1 << open.len().min(12) {
            let chosen = open
                .iter()
                .enumerate()
                .filter(|(index, _)| mask >> index & 1 == 1);
            let set: KnowHows = chosen.map(|(_, know_how)| *know_how).collect();
            let has = |know_how| (owned | set).contains(know_how);
            let complete = |know_how: engine::ids::KnowHow| {
                rules.know_how[know_how.index()].requires.is_none_or(has)
            };
            if !set.iter().all(complete) {
                continue;
            }
            let new = set
                .iter()
                .filter(|know_how| !state.is_known(*know_how))
                .count();
            let new = new.min(usize::from(state.bank.personages[scholar])) as u32;
            // Whether the extra personage is won, the engine decides.
            let all = u32::from(owned | set == rules.all_know_how);
            if new * u32::from(rules.points[scholar]) + all < points {
                continue;
            }
            let price = |know_how| self.game.know_how_price(state, know_how).total();
            let mut actions = Vec::new();
            let mut had = owned;
            while had != owned | set {
                for know_how in (set - had).iter() {
                    let requires = rules.know_how[know_how.index()].requires;
                    if requires.is_none_or(|basic| had.contains(basic)) {
                        had.insert(know_how);
                        actions.push(Action::Develop {
                            know_how,
                            pay: None,
                        });
                    }
                }
            }
            options.push((set.iter().map(price).sum(), actions));
        }
        options.sort_by_key(|(price, actions)| (*price, actions.len()));
        options.truncate(8);
        options.into_iter().map(|(_, actions)| actions).collect()
    }

    /// Sets of galleys in ports that give this many points.
    fn galleys(&self, state: &State, points: u32) -> Vec<Vec<Action>> {
        let game = self.game;
        let navigators = self.personages(Personage::Navigator, points);
        let Some(count) = self.missing(state, Personage::Navigator, navigators) else {
            return Vec::new();
        };
        let owned = state.nation(self.nation);
        let ports = owned.cities - owned.stands[Unit::Galley.index()];
        let ports = ports
            .iter()
            .filter(|at| game.board.holds(*at, Unit::Galley));
        let mut ports: Vec<(u8, Region)> = ports
            .filter_map(|region| {
                let units = 1 + self.fighting(state, region, Unit::Galley);
                let limit = game.rules.data.arming.get(state.has_temple(region));
                let fits = units + state.turn_state.armed[region.index()] <= limit;
                fits.then_some((units, region))
            })
            .collect();
        ports.sort_unstable();
        if ports.len() < count as usize {
            return Vec::new();
        }
        let ports = ports.into_iter().take(count as usize);
        let ports = ports.flat_map(|(units, region)| std::iter::repeat_n(region, units.into()));
        let arm = |(index, region)| Action::Arm {
            region,
            unit: Unit::Galley.into(),
            free: index == 0 && state.turn_state.free_unit,
            pay: None,
        };
        vec![ports.enumerate().map(arm).collect()]
    }

    /// Returns actions after the trades that their prices need; `None` if the nation cannot pay.
    pub(super) fn with_trades(&self, state: &State, actions: &[Action]) -> Option<Vec<Action>> {
        if actions.is_empty() {
            return Some(Vec::new());
        }
        let held = state.nation(self.nation).holdings;
        let mut rich = state.clone();
        let holdings = &mut rich.nations[self.nation.index()].holdings;
        holdings.chips = [250; Resource::COUNT];
        holdings.coins = 100;
        rich.bank.coins = 0;
        let (mut needed, mut coins) = ([0_u32; Resource::COUNT], 0_u32);
        for action in actions {
            let price = self.game.price(&rich, action)?;
            for (needed, chips) in needed.iter_mut().zip(price.chips()) {
                *needed += u32::from(chips);
            }
            coins += u32::from(price.coins);
            if !self.apply(&mut rich, *action) {
                return None;
            }
        }
        let free = u32::from(held.coins).checked_sub(coins)?;
        let mut short: Vec<u32> = needed
            .iter()
            .zip(held.chips)
            .map(|(n, h)| n.saturating_sub(h))
            .collect();
        let mut spare: Vec<u32> = needed
            .iter()
            .zip(held.chips)
            .map(|(n, h)| h.saturating_sub(*n))
            .collect();
        let shortage: u32 = short.iter().sum();
        let mut all = Vec::new();
        if shortage > free {
            let lots: Vec<_> = self.game.lots(state, self.nation).collect();
            let (first, second) = (*lots.first()?, lots.get(1).copied());
            let chips: u32 = spare.iter().sum();
            let most_second = if second.is_some() { 20 } else { 0 };
            let second = second.unwrap_or(first);
            let pays = |(one, other): &(u32, u32)| {
                let give = one * u32::from(first.give) + other * u32::from(second.give);
                let take = one * u32::from(first.take) + other * u32::from(second.take);
                let from_coins = give.saturating_sub(chips);
                from_coins <= free && take + (free - from_coins) >= shortage
            };
            let counts = (0..=20).flat_map(|one| (0..=most_second).map(move |other| (one, other)));
            let (one, other) = counts.filter(pays).min_by_key(|(one, other)| one + other)?;
            let mut free = free;
            for (lot, count) in [(first, one), (second, other)] {
                for _ in 0..count {
                    let mut give = [0_u8; Resource::COUNT];
                    let mut take = [0_u8; Resource::COUNT];
                    let mut given_coins = 0;
                    for _ in 0..lot.give {
                        match spare.iter().position(|count| *count > 0) {
                            Some(kind) => {
                                spare[kind] -= 1;
                                give[kind] += 1;
                            }
                            None => {
                                free = free.checked_sub(1)?;
                                given_coins += 1;
                            }
                        }
                    }
                    for _ in 0..lot.take {
                        let kind = short.iter().position(|count| *count > 0).unwrap_or(0);
                        short[kind] = short[kind].saturating_sub(1);
                        take[kind] += 1;
                    }
                    all.push(Action::Trade {
                        give: Payment::from_parts(give, given_coins),
                        take: Gain::from_parts(take, 0),
                    });
                }
            }
        }
        all.extend_from_slice(actions);
        Some(all)
    }
}

/// Returns sets of `count` actions in different regions, the cheapest first.
/// If prices do not `differ` between regions, all sets are alike and one is enough.
fn sets(options: Vec<(u8, Region, Action)>, count: usize, differ: bool) -> Vec<Vec<Action>> {
    let mut options = options;
    options.sort_by_key(|(price, region, _)| (*price, region.index()));
    let mut all = Vec::new();
    let most = if differ || count == 1 { MOST_SETS } else { 1 };
    let mut chosen: Vec<usize> = Vec::new();
    choose(&options, count, most, &mut chosen, &mut all);
    all
}

fn choose(
    options: &[(u8, Region, Action)],
    count: usize,
    most: usize,
    chosen: &mut Vec<usize>,
    all: &mut Vec<Vec<Action>>,
) {
    if all.len() >= most {
        return;
    }
    if chosen.len() == count {
        all.push(chosen.iter().map(|index| options[*index].2).collect());
        return;
    }
    let from = chosen.last().map_or(0, |last| last + 1);
    for index in from..options.len() {
        let region = options[index].1;
        if chosen.iter().all(|other| options[*other].1 != region) {
            chosen.push(index);
            choose(options, count, most, chosen, all);
            chosen.pop();
        }
    }
}
