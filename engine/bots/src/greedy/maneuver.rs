//! Maneuvers: where units are wanted, such as sites to settle, cities to conquer and temples to defend.
//!
//! Each want attracts the units in the [`engine::content::Board::rings`] around its region.

use super::cards::can_destroy_wall;
use super::evaluation::{Evaluation, VICTORY};
use engine::content::{BattlePolicy, RINGS};
use engine::ids::{MAX_REGIONS, Nation, Region, Regions};
use engine::play::{Action, Payments};
use engine::state::State;
use engine::words::{Field, Personage, Phase, Resource, Unit};

/// The part of a pull that remains after each border, in tenths.
const FADING: i32 = 7;
/// The loss for a unit in a conquest.
const UNIT: i32 = 55;
/// The loss for a unit that returns to the recruitment box.
const UNIT_BOXED: i32 = 30;
/// The value of a city that the others lose, where lost units return to the box.
const RIVAL_WEAKENED: i32 = 60;
/// The value of a new city besides the progress to a king.
const CITY: i32 = 90;
/// The value of a temple that another nation loses, besides the general.
const TEMPLE_LOST: i32 = 125;
/// The value of a city lost by a nation that is close to the goal.
const LEADER_WEAKENED: i32 = 165;
/// The value of a pair of units lost in a battle, for each resource of a unit's price.
const PAIR: i32 = 25;
/// The value of one more unit where a temple could be conquered.
const DEFENDER: i32 = 90;

/// The attraction of one region for units.
#[derive(Clone, Copy, Default)]
struct Pull {
    value: i32,
    /// The number of units wanted there.
    wanted: u8,
}

/// The wants of a nation in a position.
pub(super) struct Wants<'a> {
    view: &'a Evaluation<'a>,
    state: &'a State,
    /// The value of a site to settle.
    settle: i32,
    /// The value of a further region with a galley.
    galley_region: i32,
    /// Own temples that could be conquered now.
    endangered: Regions,
    /// How much an event card in hand lowers the defence of a walled city.
    wall_breaker: u8,
    /// The besieged city, and how many more units are wanted there.
    target: Option<(Region, u8)>,
    pulls: [[Pull; MAX_REGIONS]; Unit::COUNT],
}

impl<'a> Wants<'a> {
    /// Returns the wants of the nation to move.
    pub fn new(view: &'a Evaluation<'a>, state: &'a State) -> Wants<'a> {
        let weight = |kind: Personage| match state.bank.personages[kind.index()] {
            0 => 0,
            _ => {
                let every = i32::from(view.game.rules.personage_every[kind.index()]).max(1);
                view.weights.personages[kind.index()] / every
            }
        };
        let temples = state.nation(view.nation).cities & state.temples;
        let endangered = temples
            .iter()
            .filter(|region| view.threatened(state, *region));
        let mut wants = Wants {
            view,
            state,
            settle: CITY + weight(Personage::King),
            galley_region: weight(Personage::Navigator),
            endangered: endangered.collect(),
            wall_breaker: match &view.game.rules.data.walls {
                Some(walls) if can_destroy_wall(view.game, state, view.nation) => walls.defence,
                _ => 0,
            },
            target: None,
            pulls: [[Pull::default(); MAX_REGIONS]; Unit::COUNT],
        };
        wants.target = wants.choose_target();
        wants.spread();
        wants
    }

    /// The value of one more unit of a kind in a region, or further on.
    pub fn pull(&self, region: Region, unit: Unit) -> i32 {
        self.pulls[unit.index()][region.index()].value
    }

    /// The value of one more unit of a kind in a region, considering the units already there.
    pub fn worth_of_unit(&self, region: Region, unit: Unit) -> i32 {
        let there = self.state.units(region, self.view.nation, unit);
        self.pull(region, unit) / (1 + i32::from(there))
    }

    /// Units of others of a kind in a region that fight entering units automatically [D25].
    pub fn hostile(&self, region: Region, unit: Unit) -> u8 {
        let game = self.view.game;
        match game.rules.data.battle {
            BattlePolicy::Automatic => {
                let others = game
                    .all_nations()
                    .filter(|other| *other != self.view.nation);
                others
                    .map(|other| game.fighters(self.state, region, other, unit))
                    .fold(0, u8::saturating_add)
            }
            BattlePolicy::OnDemand => 0,
        }
    }

    /// The defence of a city after a card in hand has destroyed its wall.
    fn defence(&self, region: Region) -> u8 {
        let defence = self.view.game.defence(self.state, region);
        match self.state.has_wall(region) {
            true => defence.saturating_sub(self.wall_breaker),
            false => defence,
        }
    }

    fn standing(&self) -> Regions {
        let [legions, galleys] = self.state.nation(self.view.nation).stands;
        legions | galleys
    }

    fn free_sites(&self) -> Regions {
        let board = &self.view.game.board;
        let sites = |set: Regions, resource: &Resource| set | board.sites(*resource);
        let taken = self.state.cities() | self.state.neutral_temples;
        Resource::ALL.iter().fold(Regions::EMPTY, sites) - taken
    }

    fn total(&self, region: Region, nation: Nation) -> u8 {
        let units = Unit::ALL
            .iter()
            .map(|unit| self.state.units(region, nation, *unit));
        units.fold(0, u8::saturating_add)
    }

    /// The number of cities that the nation can pay for.
    fn affordable_cities(&self) -> u32 {
        let nation = self.view.nation;
        let tokens = u32::from(self.view.game.cities_in_supply(self.state, nation));
        let held = &self.state.nation(nation).holdings;
        let coins = u32::from(held.coins);
        let chips = held.chips.map(|count| count.min(tokens));
        let least = chips.into_iter().min().unwrap_or(0);
        let all = chips.iter().sum::<u32>() + coins;
        tokens.min(least + coins / 2).min(all / chips.len() as u32)
    }

    /// The value of conquering the city or neutral temple in a region, less the units lost.
    ///
    /// `None` if there is nothing to conquer or it is not worth the loss.
    fn conquest(&self, region: Region) -> Option<i32> {
        let (game, state) = (self.view.game, self.state);
        let gain = match state.owner(region) {
            Some(owner) => {
                let partner = game.seat_of(owner) == game.seat_of(self.view.nation);
                if partner || state.nation(owner).cities == Regions::only(region) {
                    return None;
                }
                let leads = game.points(state, owner) + 2 >= u32::from(game.rules.goal);
                let weakened = match (leads, self.view.recruits()) {
                    (true, _) => LEADER_WEAKENED,
                    (false, true) => RIVAL_WEAKENED,
                    (false, false) => 0,
                };
                let temple = match state.has_temple(region) {
                    true => self.general().unwrap_or(TEMPLE_LOST),
                    false => 0,
                };
                self.settle - self.view.weights.peace + weakened + temple
            }
            None if !state.neutral_temples.contains(region) => return None,
            None => self.general().unwrap_or(0) + self.settle / 2,
        };
        let unit = match self.view.recruits() {
            true => UNIT_BOXED,
            false => UNIT,
        };
        let unit = unit * self.view.unit_price();
        let gain = gain - unit * i32::from(self.defence(region));
        (gain > 0).then_some(gain)
    }

    /// The value of the general for a temple, or of winning the game without one; `None` without either.
    fn general(&self) -> Option<i32> {
        let (rules, state) = (&self.view.game.rules, self.state);
        let general = Personage::General.index();
        if state.bank.personages[general] > state.turn_state.destroyed {
            let points = i32::from(rules.points[general]);
            return Some(points * self.view.weights.personages[general]);
        }
        let all_out = state.bank.personages == [0; Personage::COUNT];
        let lacks_one = self.view.game.points(state, self.view.nation) + 1 == u32::from(rules.goal);
        let wins = (rules.data.temple_wins_when_personages_are_out && all_out)
            || (rules.data.last_personage_by_temple && lacks_one);
        wins.then_some(VICTORY)
    }

    /// Returns the city that is best to besiege, and how many more units are wanted there.
    fn choose_target(&self) -> Option<(Region, u8)> {
        let own = self.state.nation(self.view.nation);
        let foreign = (self.state.cities() - own.cities) | self.state.neutral_temples;
        let score = |region: Region| {
            let gain = self.conquest(region)?;
            let needed = self.defence(region).saturating_add(1);
            let (near, distance) = self.units_near(region, needed);
            (near >= needed - 1).then(|| {
                let there = self.total(region, self.view.nation);
                let effort = 2 + i32::from(needed) + distance;
                (gain / effort, region, needed.saturating_sub(there))
            })
        };
        let best = (foreign - self.state.turn_state.safe)
            .iter()
            .filter_map(score);
        let (_, region, wanted) = best.max_by_key(|(score, ..)| *score)?;
        Some((region, wanted))
    }

    /// The own units that can reach a region, up to `most`, and the borders that they cross.
    fn units_near(&self, region: Region, most: u8) -> (u8, i32) {
        let own = self.state.nation(self.view.nation);
        let board = &self.view.game.board;
        let (mut found, mut distance) = (0, 0);
        for borders in 0..RINGS {
            for unit in Unit::ALL {
                let ring = board.rings(region, *unit)[borders];
                for at in ring & own.stands[unit.index()] {
                    let count = self.state.units(at, self.view.nation, *unit);
                    let count = count.min(most - found);
                    found += count;
                    distance += borders as i32 * i32::from(count);
                }
            }
        }
        (found, distance)
    }

    /// Computes the pull of each region from the wants.
    fn spread(&mut self) {
        let (game, nation) = (self.view.game, self.view.nation);
        let galleys = self.state.nation(nation).stands[Unit::Galley.index()];
        let manned = (self.free_sites() & self.standing()).len();
        let affordable = self.affordable_cities() + 1 > manned;
        let sites = match game.cities_in_supply(self.state, nation) {
            0 => Regions::EMPTY,
            _ => self.free_sites() - self.standing(),
        };
        for region in game.board.all() {
            let mut value = 0;
            if sites.contains(region) {
                value += self.settle * if self.contested(region) { 6 } else { 10 } / 10;
                value = if affordable { value } else { value / 3 };
            }
            if self.endangered.contains(region) {
                value += DEFENDER;
            }
            let mut wanted = 1;
            if let Some((target, more)) = self.target
                && target == region
                && more > 0
            {
                let needed = i32::from(self.defence(region)) + 1;
                value += self.conquest(region).unwrap_or(0) / needed;
                wanted = more;
            }
            for unit in Unit::ALL.iter().copied() {
                let new_region = unit == Unit::Galley && !galleys.contains(region);
                let counts = if new_region {
                    self.counts_for_navigators(region)
                } else {
                    0
                };
                let value = value + counts * self.galley_region;
                if value > 0 && game.board.holds(region, unit) {
                    self.spread_one(region, unit, Pull { value, wanted });
                }
            }
        }
    }

    /// The number of regions that a region with a galley counts as [B30].
    fn counts_for_navigators(&self, region: Region) -> i32 {
        match self.view.game.board.siteless().contains(region) {
            false => 1,
            true => i32::from(self.view.game.rules.data.siteless_region_counts),
        }
    }

    /// Whether a region has units of other nations.
    fn contested(&self, region: Region) -> bool {
        let mut others = self.view.game.all_nations();
        others.any(|other| other != self.view.nation && self.total(region, other) > 0)
    }

    fn spread_one(&mut self, region: Region, unit: Unit, mut pull: Pull) {
        for ring in self.view.game.board.rings(region, unit) {
            for at in *ring {
                let felt = &mut self.pulls[unit.index()][at.index()];
                if pull.value > felt.value {
                    *felt = pull;
                }
            }
            pull.value = pull.value * FADING / 10;
        }
    }

    /// Returns the loss if a unit leaves a region, and how many can leave without a greater loss.
    fn ties(&self, region: Region, unit: Unit) -> (i32, u8) {
        let there = self.state.units(region, self.view.nation, unit);
        let total = self.total(region, self.view.nation);
        let (mut tie, mut spare) = (0, there);
        if self.endangered.contains(region) {
            return (2 * DEFENDER, 1);
        }
        if let Some(gain) = self.conquest(region) {
            let defence = self.defence(region);
            let besieged = self.target.is_some_and(|(target, _)| target == region);
            if total >= defence || besieged {
                let over = total.saturating_sub(defence.saturating_add(1)).min(spare);
                match over {
                    0 => tie = tie.max(gain / i32::from(defence.max(1))),
                    _ => spare = over,
                }
            }
        }
        if self.free_sites().contains(region) {
            match total {
                1 => tie = tie.max(self.settle),
                _ if there == total => spare = spare.min(there - 1),
                _ => {}
            }
        }
        if unit == Unit::Galley && self.galley_region > 0 {
            match there {
                1 => tie += self.counts_for_navigators(region) * self.galley_region,
                _ => spare = spare.min(there - 1),
            }
        }
        (tie, spare.max(1))
    }

    /// Returns the march with the highest gain, and the gain.
    pub fn march(&self) -> Option<(Action, i32)> {
        let state = self.state;
        let own = state.nation(self.view.nation);
        let mut best: Option<(Action, i32)> = None;
        for unit in Unit::ALL.iter().copied() {
            for from in own.stands[unit.index()] {
                let left = &state.turn_state.maneuvers_left[from.index()][unit.index()];
                let ready: u8 = left.iter().sum();
                if ready == 0 {
                    continue;
                }
                let (tie, spare) = self.ties(from, unit);
                let stay = tie.max(self.pull(from, unit));
                for to in self.view.game.board.neighbours(from, unit) {
                    let pull = self.pulls[unit.index()][to.index()];
                    let hostile = self.hostile(to, unit);
                    let wanted = pull.wanted.saturating_add(hostile);
                    let count = ready.min(spare).min(wanted);
                    if hostile > 0 && count <= hostile && !self.endangered.contains(to) {
                        continue;
                    }
                    let lost = PAIR * self.view.unit_price() * i32::from(count.min(hostile));
                    let gain = pull.value - stay - lost;
                    let march = Action::March {
                        unit: unit.into(),
                        count,
                        from,
                        to,
                        left: None,
                    };
                    if gain > best.map_or(0, |(_, most)| most) {
                        best = Some((march, gain));
                    }
                }
            }
        }
        best.or_else(|| self.special_march())
    }

    /// Returns the gain of a unit that crosses a border.
    pub fn gain(&self, unit: Unit, from: Region, to: Region) -> i32 {
        let (tie, _) = self.ties(from, unit);
        self.pull(to, unit) - tie.max(self.pull(from, unit))
    }

    /// Returns a step of the special unit towards the besieged city or an endangered temple [D50].
    fn special_march(&self) -> Option<(Action, i32)> {
        let (game, nation) = (self.view.game, self.view.nation);
        let special = game.special_units[nation.index()]?;
        let from = self.state.special_stands(nation).iter().next()?;
        let besieged = self.target.map(|(region, _)| region);
        let aim = besieged.or_else(|| self.endangered.iter().next())?;
        if self.state.turn_state.special_left == 0 || aim == from {
            return None;
        }
        let unit = special.kind();
        let mut reached = Regions::only(aim);
        for _ in 0..MAX_REGIONS {
            let near = game.board.neighbours(from, unit) & reached;
            if let Some(to) = near.iter().find(|to| self.hostile(*to, unit) == 0) {
                let march = Action::March {
                    unit: special.into(),
                    count: 1,
                    from,
                    to,
                    left: None,
                };
                return Some((march, 0));
            }
            let next = reached.iter().fold(Regions::EMPTY, |set, at| {
                set | game.board.neighbours(at, unit)
            });
            if (next - reached - Regions::only(from)).is_empty() {
                return None;
            }
            reached |= next - Regions::only(from);
        }
        None
    }

    /// Returns a battle against units at an endangered temple.
    pub fn battle(&self) -> Option<Action> {
        if self.view.game.rules.data.battle.is_automatic() {
            return None;
        }
        let nation = self.view.nation;
        let seat = self.view.game.seat_of(nation);
        let others = || self.view.game.all_nations();
        let find = |region: Region| {
            others()
                .filter(|other| self.view.game.seat_of(*other) != seat)
                .find_map(|against| {
                    Unit::ALL.iter().copied().find_map(|unit| {
                        let own = self.state.units(region, nation, unit);
                        let count = own.min(self.state.units(region, against, unit));
                        (count > 0).then_some(Action::Battle {
                            unit,
                            count,
                            region,
                            against,
                        })
                    })
                })
        };
        self.endangered.iter().find_map(find)
    }

    /// Returns the most valuable conquest.
    pub fn conquer(&self) -> Option<Action> {
        let game = self.view.game;
        let (region, legions, galleys) =
            self.best_conquest(|region| game.defence(self.state, region))?;
        let conquer = |give_up| Action::Conquer {
            region,
            legions,
            galleys,
            give_up,
        };
        match game.cities_in_supply(self.state, self.view.nation) {
            0 if self.state.owner(region).is_some() => self.giving_up_least(conquer),
            _ => Some(conquer(None)),
        }
    }

    /// Returns the best walled city to conquer after a card in hand has destroyed its wall.
    pub fn conquest_behind_wall(&self) -> Option<Region> {
        let moves = self.state.turn_state.field.is_some_and(Field::is_maneuver);
        let in_time = matches!(self.state.phase, Phase::Action | Phase::Conquest);
        if !moves || !in_time || (self.state.phase == Phase::Action && self.march().is_some()) {
            return None;
        }
        let (region, ..) = self.best_conquest(|region| self.defence(region))?;
        self.state.has_wall(region).then_some(region)
    }

    /// Returns the most valuable conquest if cities have this defence, with the legions and galleys lost.
    fn best_conquest(&self, defence: impl Fn(Region) -> u8) -> Option<(Region, u8, u8)> {
        let game = self.view.game;
        let standing = self.standing() | self.state.special_stands(self.view.nation);
        let targets = standing & (self.state.cities() | self.state.neutral_temples);
        let score = |region: Region| {
            let defence = defence(region);
            let [legions, galleys] = game.conquerors(self.state, region);
            let gain = self.conquest(region)?;
            (legions.saturating_add(galleys) >= defence).then(|| {
                let legions = legions.min(defence);
                (gain, region, legions, defence - legions)
            })
        };
        let own = self.state.nation(self.view.nation).cities;
        let closed = own | self.state.turn_state.safe;
        let best = (targets - closed).iter().filter_map(score);
        let (_, region, legions, galleys) = best.max_by_key(|(gain, ..)| *gain)?;
        Some((region, legions, galleys))
    }

    /// Returns a conquest that gives up the least valuable city: without temple, with enemies nearby.
    fn giving_up_least(&self, conquer: impl Fn(Option<Region>) -> Action) -> Option<Action> {
        let mut actions = Vec::new();
        let game = self.view.game;
        game.legal_actions(self.state, Payments::Default, &mut actions);
        let cities = self.state.nation(self.view.nation).cities.iter();
        let options = cities.filter(|city| actions.contains(&conquer(Some(*city))));
        let least = options.min_by_key(|region| {
            let nearby = self.view.threatened(self.state, *region);
            (self.state.has_temple(*region), !nearby)
        });
        least.map(|city| conquer(Some(city)))
    }
}
