//! The evaluation of a position for one nation, in thousandths of a personage.

use super::temperament::Weights;
use engine::content::Lot;
use engine::ids::{KnowHow, KnowHows, Nation, Region, Regions};
use engine::play::Game;
use engine::state::{SpecialPlace, State};
use engine::words::{Field, Personage, Resource, Unit};

/// The value of a personage.
pub(super) const PERSONAGE: i32 = 1000;
/// The value of winning the game.
pub(super) const VICTORY: i32 = 100_000;

/// The value of a chip that is not needed soon.
const SPARE_CHIP: i32 = 18;
/// The most spare chips that have a value.
const MOST_SPARE: i32 = 8;
/// The value of each additional chip of a production, at the start of a game.
const INCOME: i32 = 75;
/// The value of a coin.
pub(super) const COIN: i32 = 50;
/// The number of coins that can be spent soon.
const COINS_WANTED: i32 = 7;
/// The value of each chip of a lot that can be traded long before all know-hows are owned.
const EARLY_LOT: i32 = 60;
/// The loss for a temple that another nation could conquer in its next maneuver.
const TEMPLE_AT_RISK: i32 = 160;
/// The loss for such a city without temple, where walls can be built.
const CITY_AT_RISK: i32 = 45;
/// The value of a town wall.
const WALL: i32 = 30;
/// The value of a town wall at a temple.
const WALL_BY_TEMPLE: i32 = 85;
/// The additional value of a town wall near units of others.
const WALL_AT_BORDER: i32 = 30;
/// The number of units in the recruitment box that can be armed soon.
const BOXED_WANTED: u8 = 6;
/// The value of a chip spent on recruiting a unit that is on the board or can be armed soon.
const RECRUITED: i32 = 76;
/// The value of a chip spent on recruiting any other unit.
const SPARE_RECRUITED: i32 = 12;
/// The value of a recruited unit, in hundredths of one that needed no recruiting.
const RECRUITED_UNIT: i32 = 150;
/// The value of a special unit on the board.
const SPECIAL_UNIT: i32 = 260;

/// Evaluates positions for one nation.
#[derive(Clone, Copy)]
pub(crate) struct Evaluation<'a> {
    pub game: &'a Game,
    pub nation: Nation,
    pub weights: &'a Weights,
}

impl Evaluation<'_> {
    /// Returns the value of a position, including personages earned this turn.
    pub fn evaluate(&self, state: &State) -> i32 {
        if let Some(outcome) = state.outcome {
            let won = outcome.ranks[usize::from(self.game.seat_of(self.nation))] == 1;
            return if won { VICTORY } else { -VICTORY };
        }
        self.personages(state)
            + self.know_how(state)
            + self.stocks(state)
            + self.income(state)
            + self.units(state)
            + self.recruited(state)
            + self.walls(state)
            + self.hand(state)
            - self.risks(state)
    }

    /// The value of personages owned and earned, and of progress to the next ones.
    fn personages(&self, state: &State) -> i32 {
        let rules = &self.game.rules;
        let owned = state.nation(self.nation);
        let (mut points, mut value) = (0, 0);
        for kind in Personage::ALL {
            let stack = u32::from(state.bank.personages[kind.index()]);
            let worth = i32::from(rules.points[kind.index()]);
            let due = match self.nation == state.to_move {
                true => self.game.personages_due(state, self.nation, *kind),
                false => 0,
            };
            let due = due.min(stack);
            let won = u32::from(owned.personages[kind.index()]) + due;
            points += won as i32 * worth;
            value += won as i32 * worth * PERSONAGE;
            let every = i32::from(rules.personage_every[kind.index()]);
            if every > 0 && stack > due {
                let extra = owned.extra_personage == Some(*kind);
                let counted = won as i32 - i32::from(extra);
                let earned = self.game.achievements(state, self.nation, *kind) as i32;
                let way = (earned - counted * every).max(-every);
                value += self.weights.personages[kind.index()] * worth * way / every;
            }
        }
        if self.extra_is_due(state) {
            points += 1;
            value += PERSONAGE;
        }
        if points >= i32::from(rules.goal) || self.wins_by_temple(state, points) {
            value += VICTORY;
        }
        value
    }

    /// Whether a destroyed temple beyond the stack of generals wins with this many points [B32].
    fn wins_by_temple(&self, state: &State, points: i32) -> bool {
        self.game.rules.data.last_personage_by_temple
            && self.nation == state.to_move
            && points + 1 == i32::from(self.game.rules.goal)
            && state.turn_state.destroyed > state.bank.personages[Personage::General.index()]
    }

    fn extra_is_due(&self, state: &State) -> bool {
        let owned = state.nation(self.nation);
        owned.know_how == self.game.rules.all_know_how
            && self.extra_is_open(state)
            && !state.turn_state.developed.is_empty()
    }

    /// Whether all know-hows can still win the nation a personage [A21] [B41].
    fn extra_is_open(&self, state: &State) -> bool {
        let rules = &self.game.rules;
        let of_first = || {
            let mut others = self
                .game
                .all_nations()
                .filter(|other| *other != self.nation);
            rules.first_with_all_know_how.is_some()
                && others.all(|other| state.nation(other).know_how != rules.all_know_how)
        };
        state.nation(self.nation).extra_personage.is_none()
            && (rules.data.extra_personage || of_first())
    }

    /// The value of the abilities of know-hows, without the scholar.
    fn know_how(&self, state: &State) -> i32 {
        let owned = state.nation(self.nation);
        // Includes those of this turn, whenever they take effect.
        let abilities = self.game.rules.abilities(owned.know_how);
        let temples = (owned.cities & state.temples).len() as i32;
        let [legion, galley] = abilities.maneuvers.map(|m| i32::from(m) - 1);
        let extra = i32::from(self.extra_is_open(state));
        let count = owned.know_how.len() as i32;
        let lots = self
            .early_lots()
            .filter(|(needs, _)| !(owned.know_how & *needs).is_empty());
        let trade: i32 = lots.map(|(_, lot)| EARLY_LOT * i32::from(lot.take)).sum();
        trade
            + legion * 110
            + galley * 130
            + i32::from(abilities.production) * 110
            + i32::from(abilities.defence) * (50 + 25 * temples)
            + count * (20 + 40 * extra)
    }

    /// The trades that one know-how allows, with that know-how.
    fn early_lots(&self) -> impl Iterator<Item = (KnowHows, Lot)> {
        let lots = self.game.rules.lots.iter().copied();
        lots.filter(|(needs, _)| needs.len() == 1)
    }

    /// Whether units are recruited before they are armed.
    /// Then they are few, and lost ones need no new recruiting [D17].
    pub const fn recruits(&self) -> bool {
        self.game.rules.data.recruitment.is_some()
    }

    /// The price of a unit, in chips.
    pub fn unit_price(&self) -> i32 {
        i32::try_from(self.game.rules.data.prices.unit.total()).unwrap_or(i32::MAX)
    }

    fn stocks(&self, state: &State) -> i32 {
        let held = &state.nation(self.nation).holdings;
        let chips = Resource::ALL
            .iter()
            .map(|resource| self.stock(state, *resource, held.chips[resource.index()]));
        let coins = i32::from(held.coins);
        let spare = (coins - COINS_WANTED).max(0);
        chips.sum::<i32>() + COIN * coins.min(COINS_WANTED) + SPARE_CHIP * spare
    }

    /// The value of chips of a kind: full for those that can be spent soon.
    pub fn stock(&self, state: &State, resource: Resource, count: u32) -> i32 {
        let wanted = match resource {
            Resource::Marble if state.bank.temples > 0 => 10,
            Resource::Marble => 2,
            Resource::Iron => 2 + 5 * self.unit_price(),
            Resource::Gold => self.gold_wanted(state),
        };
        let most = wanted + MOST_SPARE;
        let count = i32::try_from(count).map_or(most, |count| count.min(most));
        self.weights.chips[resource.index()] * count.min(wanted)
            + SPARE_CHIP * (count - wanted).max(0)
    }

    /// The gold for a new know-how, or else for one that others have, and for two cities.
    fn gold_wanted(&self, state: &State) -> i32 {
        let open = self.open_know_how(state);
        let price = open.map(|know_how| {
            let price = self.game.know_how_price(state, know_how);
            (!state.is_known(know_how), price.gold)
        });
        let new_first = price.max_by_key(|(new, gold)| (*new, std::cmp::Reverse(*gold)));
        2 + new_first.map_or(0, |(_, gold)| i32::from(gold))
    }

    /// The know-hows that the nation could buy with enough gold.
    pub fn open_know_how(&self, state: &State) -> impl Iterator<Item = KnowHow> + use<'_> {
        let owned = state.nation(self.nation).know_how;
        let all = self.game.rules.know_how.iter().enumerate();
        let all = all.map(|(index, rule)| (KnowHow(index as u8), rule));
        all.filter(move |(know_how, rule)| {
            let has_basic = rule.requires.is_none_or(|basic| owned.contains(basic));
            has_basic && !owned.contains(*know_how)
        })
        .map(|(know_how, _)| know_how)
    }

    /// The points that the leader still needs, at least one, and the points to win.
    pub fn lasts(&self, state: &State) -> (i32, i32) {
        let goal = i32::from(self.game.rules.goal);
        let points = |nation| self.game.points(state, nation) as i32;
        let most = self.game.all_nations().map(points).max().unwrap_or(0);
        ((goal - most).max(1), goal)
    }

    /// The value of the production during the rest of the game.
    fn income(&self, state: &State) -> i32 {
        let (lasts, goal) = self.lasts(state);
        let worth = |resource: &Resource| {
            let count = self.game.production(state, self.nation, *resource) as i32;
            let chip = self.weights.chips[resource.index()];
            (count.min(8) * 2 + count.min(16)) * chip / 3
        };
        let sum: i32 = Resource::ALL.iter().map(worth).sum();
        sum * INCOME * (lasts + 2) / (55 * (goal + 2))
    }

    /// The value of units on the board. Each further one is worth less.
    fn units(&self, state: &State) -> i32 {
        let [legions, galleys] = state.nation(self.nation).on_board.map(i32::from);
        let (less, few) = match self.recruits() {
            true => (3, RECRUITED_UNIT),
            false => (5, 100),
        };
        let each = |n: i32| (80 - less * n).max(38);
        let sum = (0..legions + galleys).map(each).sum::<i32>();
        sum * self.unit_price() * self.weights.units / 100 * few / 100
    }

    /// The value of recruited units beyond their arming [D17].
    /// It counts all on the board, and those in the box that can soon be armed. A special unit is worth most on the
    /// board [D50].
    fn recruited(&self, state: &State) -> i32 {
        let owned = state.nation(self.nation);
        let special = match owned.special {
            Some(SpecialPlace::At(_)) => SPECIAL_UNIT,
            _ => 0,
        };
        if !self.recruits() {
            return special;
        }
        let mut room = BOXED_WANTED;
        let mut worth = special;
        for unit in Unit::ALL.iter().copied() {
            let price = self.game.recruiting_price(unit, 1).total() as i32;
            let boxed = owned.boxed[unit.index()];
            let soon = boxed.min(room);
            room -= soon;
            let counted = i32::from(owned.on_board[unit.index()] + soon);
            worth += price * (RECRUITED * counted + SPARE_RECRUITED * i32::from(boxed - soon));
        }
        worth
    }

    /// The value of town walls: more at temples and near others [D27].
    pub fn walls(&self, state: &State) -> i32 {
        let walled = state.nation(self.nation).cities & state.walls;
        let worth = |region: Region| {
            let temple = if state.has_temple(region) {
                WALL_BY_TEMPLE
            } else {
                WALL
            };
            temple
                + if self.others_near(state, region) {
                    WALL_AT_BORDER
                } else {
                    0
                }
        };
        walled.iter().map(worth).sum()
    }

    /// Whether another nation has a unit in or next to a region.
    fn others_near(&self, state: &State, region: Region) -> bool {
        let mut others = self
            .game
            .all_nations()
            .filter(|other| *other != self.nation);
        others.any(|other| {
            Unit::ALL.iter().any(|unit| {
                let near = self.game.board.neighbours(region, *unit) | Regions::only(region);
                !(near & state.nation(other).stands[unit.index()]).is_empty()
            })
        })
    }

    fn risks(&self, state: &State) -> i32 {
        let cities = state.nation(self.nation).cities;
        let at_risk = |set: Regions| {
            let at_risk = set.iter().filter(|region| self.threatened(state, *region));
            at_risk.count() as i32
        };
        let plain = match self.game.rules.data.walls {
            Some(_) => at_risk(cities - state.temples) * CITY_AT_RISK,
            None => 0,
        };
        plain + at_risk(cities & state.temples) * TEMPLE_AT_RISK
    }

    /// Whether another nation has enough units in or next to a region to conquer the city there.
    pub fn threatened(&self, state: &State, region: Region) -> bool {
        let defence = u32::from(self.game.defence(state, region));
        let seat = self.game.seat_of(self.nation);
        let mut others = self.game.all_nations();
        others.any(|other| {
            self.game.seat_of(other) != seat
                && units_near(self.game, state, region, other) >= defence
        })
    }

    /// A rough estimate of what a field would yield in the next turn.
    pub fn promise(&self, state: &State, field: Field) -> i32 {
        let owned = state.nation(self.nation);
        let held = &owned.holdings;
        let coins = u32::from(held.coins);
        let chips = |resource: Resource| held.chips[resource.index()];
        match field {
            Field::Iron | Field::Gold | Field::Marble => {
                let Some(resource) = field.resource() else {
                    return 0;
                };
                let now = chips(resource);
                let more = self.game.production(state, self.nation, resource);
                let then = now.saturating_add(more);
                self.stock(state, resource, then) - self.stock(state, resource, now)
            }
            Field::Temple => {
                let sites = (owned.cities - state.temples).len();
                let price = self.game.rules.data.prices.temple.total().max(1);
                let count = chips(Resource::Marble).saturating_add(coins.min(4)) / price;
                let most = sites.min(u32::from(state.bank.temples));
                count.min(most) as i32 * 170
            }
            Field::KnowHow => {
                let gold = chips(Resource::Gold).saturating_add(coins);
                let scholar = self.weights.personages[Personage::Scholar.index()];
                let gain = |know_how: KnowHow| {
                    let price = self.game.know_how_price(state, know_how).total();
                    let new = !state.is_known(know_how);
                    match (price <= gold, new) {
                        (false, _) => 0,
                        (true, true) => scholar * 55 / 100,
                        (true, false) => 60,
                    }
                };
                self.open_know_how(state).map(gain).max().unwrap_or(0)
            }
            Field::Arming => {
                let rule = self.game.rules.data.arming;
                let temples = (owned.cities & state.temples).len();
                let plain = owned.cities.len() - temples;
                let most = plain * u32::from(rule.plain) + temples * u32::from(rule.temple);
                let iron = chips(Resource::Iron).saturating_add(coins.min(2));
                let free = u32::from(state.bellona == Some(self.nation));
                let boxed = match self.recruits() {
                    true => u32::from(owned.boxed.iter().sum::<u8>()),
                    false => u32::MAX,
                };
                let units =
                    (iron / self.game.rules.data.prices.unit.total().max(1)).min(boxed) + free;
                most.min(units).min(8) as i32 * 45 * self.unit_price()
            }
            Field::Maneuver1 | Field::Maneuver2 => {
                let idle = owned.cities;
                let count = |unit: &Unit| -> u32 {
                    (owned.stands[unit.index()] & idle)
                        .iter()
                        .map(|at| u32::from(state.units(at, self.nation, *unit)))
                        .sum()
                };
                Unit::ALL.iter().map(count).sum::<u32>().min(8) as i32 * 55
            }
        }
    }
}

/// The units of a nation in or next to a region.
pub(crate) fn units_near(game: &Game, state: &State, region: Region, nation: Nation) -> u32 {
    let of = |unit: &Unit| -> u32 {
        let near = game.board.neighbours(region, *unit) | Regions::only(region);
        (near & state.nation(nation).stands[unit.index()])
            .iter()
            .map(|at| u32::from(state.units(at, nation, *unit)))
            .sum()
    };
    Unit::ALL.iter().map(of).sum()
}
