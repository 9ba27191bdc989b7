//! Wins within one turn.
//!
//! [`winning_turn`] searches for a turn that wins whatever other nations answer. What it returns is proven: the engine
//! has carried the turn out against every possible answer. It tries each field that the nation can pay for, and on it
//! temples, know-hows, galleys, marches, conquests, event cards and cities, with the trades that they need. Only
//! marches are not tried exhaustively: units go by the shortest way without enemies, and not more than two cities are
//! conquered.
//!
//! [`may_win`] is a quick test that excludes most positions. [`threat`] asks for a nation that is not to move.

use engine::chips::{Gain, Payment, Price};
use engine::content::CardEffect;
use engine::ids::{Card, KnowHows, MAX_REGIONS, Nation, Region, Regions};
use engine::play::{Action, Game, Payments};
use engine::state::{Question, SpecialPlace, State};
use engine::words::{Field, Personage, Phase, Resource, Unit};

use super::plan::Step;

/// The most positions that one search looks at.
pub(crate) const MOST_TRIALS: u32 = 2_000;
/// The most positions where many positions are searched.
pub(crate) const FEW_TRIALS: u32 = 150;
/// The most points that a nation is expected to win in one turn.
const MOST_POINTS: u32 = 3;
/// The most sets of sites that are tried where prices differ between sites.
const MOST_SETS: usize = 120;
/// The most event cards played for a win.
const MOST_CARDS: u8 = 3;

/// Returns a turn, or the rest of one, with which the nation to move wins whatever others answer.
///
/// `None` if there is none, none was found, or the nation must first answer a question.
pub fn winning_turn(game: &Game, state: &State) -> Option<Vec<Step>> {
    winning_turn_within(game, state, MOST_TRIALS)
}

/// The same with a limit on the positions that it looks at.
pub(crate) fn winning_turn_within(game: &Game, state: &State, trials: u32) -> Option<Vec<Step>> {
    let in_turn = matches!(
        state.phase,
        Phase::Stone | Phase::Action | Phase::Conquest | Phase::Found
    );
    if state.outcome.is_some() || state.question.is_some() || !in_turn {
        return None;
    }
    let chances = Chances::new(game, state, state.to_move);
    if !chances.any() {
        return None;
    }
    let mut search = WinSearch {
        game,
        nation: state.to_move,
        chances,
        left: trials,
    };
    search.turn(state)
}

/// Whether a nation could win in its next turn if nothing changed before it.
pub fn threat(game: &Game, state: &State, nation: Nation) -> bool {
    if state.outcome.is_some() || !may_win(game, state, nation) {
        return false;
    }
    let mut state = state.clone();
    state.to_move = nation;
    state.phase = Phase::Stone;
    state.question = None;
    state.turn_state.armable = state.nation(nation).boxed;
    let special = state.nation(nation).special;
    state.turn_state.special_armable = special == Some(SpecialPlace::Boxed);
    winning_turn_within(game, &state, FEW_TRIALS).is_some()
}

/// Whether a nation might win in one turn: a quick test that is too generous.
///
/// It ignores borders, enemies and the stone, and counts every chip as the one that is needed.
pub fn may_win(game: &Game, state: &State, nation: Nation) -> bool {
    Chances::new(game, state, nation).any()
}

/// The ways in which a nation might win in one turn.
#[derive(Clone, Copy, Debug, Default)]
struct Chances {
    /// By founding cities, on any field.
    cities: bool,
    temples: bool,
    know_hows: bool,
    arming: bool,
    maneuver: bool,
    /// Whether a maneuver may have to found cities, so that payments differ.
    founds: bool,
}

/// What the event cards of a hand could add, at most.
#[derive(Default)]
struct Help {
    chips: u32,
    marble: u32,
    borders: [u32; Unit::COUNT],
    units: u32,
    walls: u32,
}

impl Help {
    fn new(game: &Game, state: &State, nation: Nation) -> Help {
        let mut help = Help::default();
        let hand = (0..).map(Card).zip(state.nation(nation).hand);
        for (card, count) in hand.filter(|(_, count)| *count > 0) {
            let count = u32::from(count);
            match game.rules.card_effect(card) {
                Some(CardEffect::ChipsForKnowHow { each, .. }) => {
                    let known = state.nation(game.opponent(state, nation)).know_how.len();
                    help.chips += count * known * u32::from(each);
                }
                Some(CardEffect::ExtraProduction { chips }) => {
                    help.chips += count * u32::from(chips)
                }
                Some(CardEffect::TakeCoins { coins }) => help.chips += count * u32::from(coins),
                Some(CardEffect::CheaperTemple { marble }) => {
                    help.marble += count * u32::from(marble);
                }
                Some(CardEffect::ExtraBorders { unit, borders }) => {
                    help.borders[unit.index()] += count * u32::from(borders);
                }
                Some(CardEffect::PlaceUnit {}) => help.units += count,
                Some(CardEffect::DestroyWall {}) => help.walls += count,
                _ => {}
            }
        }
        help
    }
}

impl Chances {
    fn any(self) -> bool {
        self.cities || self.temples || self.know_hows || self.arming || self.maneuver
    }

    fn allow(self, field: Field) -> bool {
        let by_field = match field {
            Field::Temple => self.temples,
            Field::KnowHow => self.know_hows,
            Field::Arming => self.arming,
            Field::Maneuver1 | Field::Maneuver2 => self.maneuver,
            Field::Iron | Field::Gold | Field::Marble => false,
        };
        self.cities || by_field
    }

    fn new(game: &Game, state: &State, nation: Nation) -> Chances {
        let rules = &game.rules;
        let (owned, bank) = (state.nation(nation), &state.bank);
        let need = u32::from(rules.goal).saturating_sub(game.points(state, nation));
        let all_out = bank.personages == [0; Personage::COUNT];
        let temple_wins = rules.data.temple_wins_when_personages_are_out && all_out
            || rules.data.last_personage_by_temple && need == 1;
        if need > MOST_POINTS && !temple_wins {
            return Chances::default();
        }
        // The points for personages of a kind if this many more are counted.
        let gain = |kind: Personage, more: u32| {
            let every = u32::from(rules.personage_every[kind.index()]);
            let earned = game.achievements(state, nation, kind) + more;
            let extra = u8::from(owned.extra_personage == Some(kind));
            let counted = u32::from(owned.personages[kind.index()] - extra);
            let due = match every {
                0 => earned,
                every => (earned / every).saturating_sub(counted),
            };
            let stack = u32::from(bank.personages[kind.index()]);
            due.min(stack) * u32::from(rules.points[kind.index()])
        };
        let help = Help::new(game, state, nation);
        let coins = u32::from(owned.holdings.coins) + help.chips;
        let chips: u32 = owned
            .holdings
            .chips
            .iter()
            .map(|count| (*count).min(500))
            .sum();
        let trades = rules
            .lots
            .iter()
            .any(|(needs, _)| owned.know_how.contains_all(*needs))
            || rules.data.extra_personage;
        // The most that can be spent on a price of one kind.
        let funds = |resource: Resource| match trades {
            true => chips + coins,
            false => owned.holdings.chips[resource.index()].min(500) + coins,
        };
        let price = |price: Price| price.total().max(1);
        let stands = owned.stands[0] | owned.stands[1];
        let taken = state.cities() | state.neutral_temples;
        let sites = game.board.all() - taken - game.board.siteless();
        let most_cities = |sites: u32, funds: u32| {
            let supply = u32::from(game.cities_in_supply(state, nation));
            sites.min(supply).min(funds / price(rules.data.prices.city))
        };
        let production = Resource::ALL
            .iter()
            .map(|kind| game.production(state, nation, *kind));
        let with_production = chips + coins + production.max().unwrap_or(0) + 1;
        let founded = most_cities((stands & sites).len(), with_production);
        let kings = gain(Personage::King, founded);
        if kings >= need {
            return Chances {
                cities: true,
                temples: true,
                know_hows: true,
                arming: true,
                maneuver: true,
                founds: true,
            };
        }
        let open = (owned.cities - state.temples)
            .len()
            .min(u32::from(bank.temples));
        let temple = price(rules.data.prices.temple);
        let temples = (funds(Resource::Marble) + help.marble) / temple;
        let citizens = gain(Personage::Citizen, open.min(temples));
        let galleys = owned.stands[Unit::Galley.index()];
        let ports = (owned.cities - galleys).iter();
        let ports = ports
            .filter(|at| game.board.holds(*at, Unit::Galley))
            .count() as u32;
        let armed = funds(Resource::Iron) / price(rules.data.prices.unit) + 1 + help.units;
        let navigators = gain(Personage::Navigator, ports.min(armed));
        let placed = gain(Personage::Navigator, help.units);
        let mut chances = Chances {
            temples: kings + citizens + placed >= need,
            know_hows: kings + placed + scholars(game, state, nation, funds(Resource::Gold))
                >= need,
            arming: kings + navigators >= need,
            ..Chances::default()
        };
        if placed > 0 {
            chances.cities = kings + placed >= need;
        }
        chances.founds = gain(Personage::King, most_cities(64, chips + coins)) > 0;
        chances.maneuver = maneuver(
            game,
            state,
            nation,
            &help,
            need,
            temple_wins,
            &gain,
            |sites| most_cities(sites, chips + coins),
        );
        chances
    }
}

/// The most points for new know-hows, and for all of them.
fn scholars(game: &Game, state: &State, nation: Nation, gold: u32) -> u32 {
    let rules = &game.rules;
    let owned = state.nation(nation);
    let (mut prices, mut all) = (Vec::new(), 0);
    for know_how in rules.all_know_how - owned.know_how {
        let price = game.know_how_price(state, know_how).total();
        all += price;
        if !state.is_known(know_how) {
            prices.push(price);
        }
    }
    prices.sort_unstable();
    let mut left = gold;
    let paid = prices.iter().take_while(|price| {
        let pays = **price <= left;
        left = left.saturating_sub(**price);
        pays
    });
    let scholar = Personage::Scholar.index();
    let new = paid.count() as u32 + game.achievements(state, nation, Personage::Scholar);
    let new = new.min(u32::from(state.bank.personages[scholar]));
    let open = rules.data.extra_personage && owned.extra_personage.is_none()
        || rules.first_with_all_know_how.is_some();
    new * u32::from(rules.points[scholar]) + u32::from(open && all <= gold)
}

/// Whether marches and conquests might be enough.
#[allow(clippy::too_many_arguments, reason = "parts of one computation")]
fn maneuver(
    game: &Game,
    state: &State,
    nation: Nation,
    help: &Help,
    need: u32,
    temple_wins: bool,
    gain: &dyn Fn(Personage, u32) -> u32,
    most_cities: impl Fn(u32) -> u32,
) -> bool {
    let owned = state.nation(nation);
    let units: u32 = owned
        .on_board
        .iter()
        .map(|count| u32::from(*count))
        .sum::<u32>()
        + help.units;
    if units == 0 {
        return false;
    }
    let mut reach = owned.stands;
    if help.units > 0 {
        reach = reach.map(|stands| stands | owned.cities);
    }
    let maneuvers = game.abilities(state, nation).maneuvers;
    for unit in Unit::ALL {
        for _ in 0..u32::from(maneuvers[unit.index()]) + help.borders[unit.index()] {
            let reached = reach[unit.index()];
            let next = |set, at| set | game.board.neighbours(at, *unit);
            reach[unit.index()] = reached.iter().fold(reached, next);
        }
    }
    let reached = reach[0] | reach[1];
    let weight = u32::from(game.rules.data.siteless_region_counts);
    let galleys = u32::from(owned.on_board[Unit::Galley.index()]) + help.units;
    let now = game.achievements(state, nation, Personage::Navigator);
    let navigators = gain(Personage::Navigator, (galleys * weight).saturating_sub(now));
    let enemies = ((state.cities() - owned.cities) | state.neutral_temples) & reached;
    let mut defences: Vec<(u32, bool)> = enemies
        .iter()
        .map(|region| {
            let temple = state.has_temple(region) || state.neutral_temples.contains(region);
            let wall = help.walls * u32::from(state.has_wall(region));
            (
                u32::from(game.defence(state, region)).saturating_sub(wall),
                temple,
            )
        })
        .collect();
    defences.sort_unstable();
    let conquered = |temples_only: bool| {
        let mut left = units;
        let targets = defences
            .iter()
            .filter(|(_, temple)| *temple || !temples_only);
        let taken = targets.take_while(|(defence, _)| {
            let can = *defence <= left;
            left = left.saturating_sub(*defence);
            can
        });
        taken.count() as u32
    };
    let destroyed = conquered(true);
    if destroyed > 0 && temple_wins {
        return true;
    }
    let sites = game.board.all() - state.cities() - state.neutral_temples - game.board.siteless();
    let founded = most_cities((reached & sites).len().min(units));
    let kings = gain(Personage::King, founded + conquered(false));
    kings + navigators + gain(Personage::General, destroyed) >= need
}

/// One deed of a turn after the stone has moved.
#[derive(Clone, Debug)]
enum Deed {
    /// One unit crosses a border. Nothing happens if it has been lost.
    March(Unit, u8, Region, Region),
    /// A city or neutral temple is conquered with the units that are there.
    Conquer(Region),
    /// Actions with prices, after the trades that they need.
    Buy(Vec<Action>),
}

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

struct WinSearch<'a> {
    game: &'a Game,
    nation: Nation,
    chances: Chances,
    left: u32,
}

impl WinSearch<'_> {
    fn turn(&mut self, state: &State) -> Option<Vec<Step>> {
        if state.phase != Phase::Stone {
            return self.after_stone(state, MOST_CARDS);
        }
        for field in Field::ALL.iter().copied() {
            if !self.chances.allow(field) {
                continue;
            }
            let steps = self.game.steps(state, self.nation, field);
            let extra = steps.saturating_sub(self.game.rules.data.rondel.free_steps);
            let mut payments = payments(state, self.nation, extra);
            if field.is_maneuver() && !self.chances.founds {
                payments.truncate(1);
            }
            for pay in payments {
                let stone = Action::MoveStone { field, pay };
                let mut next = state.clone();
                if !self.apply(&mut next, stone) {
                    continue;
                }
                if let Some(rest) = self.after_stone(&next, MOST_CARDS) {
                    return Some(self.steps(stone, rest));
                }
            }
        }
        None
    }

    fn steps(&self, first: Action, rest: Vec<Step>) -> Vec<Step> {
        let mut steps = vec![(self.nation, first)];
        steps.extend(rest);
        steps
    }

    fn apply(&self, state: &mut State, action: Action) -> bool {
        let applied = self.game.apply(state, self.nation, action, &mut Vec::new());
        applied.is_ok()
    }

    /// Searches the rest of a turn whose stone has moved.
    fn after_stone(&mut self, state: &State, cards: u8) -> Option<Vec<Step>> {
        self.left = self.left.checked_sub(1)?;
        if let Some(Question::Chip { asked, .. }) = state.question {
            if asked != self.nation {
                return None;
            }
            return Resource::ALL.iter().find_map(|resource| {
                let action = Action::ChooseChip {
                    resource: *resource,
                };
                let mut next = state.clone();
                let applied = self.apply(&mut next, action);
                let rest = applied.then(|| self.after_stone(&next, cards)).flatten()?;
                Some(self.steps(action, rest))
            });
        }
        let maneuvers = state.turn_state.field.is_some_and(Field::is_maneuver);
        let marches = maneuvers && matches!(state.phase, Phase::Action | Phase::Conquest);
        let found = match marches {
            true => self.maneuver(state),
            false => self.purchases(state),
        };
        if found.is_some() || cards == 0 {
            return found;
        }
        let mut plays = Vec::new();
        for card in (0..).map(Card).take(state.nation(self.nation).hand.len()) {
            if state.nation(self.nation).hand[card.index()] > 0 {
                self.game
                    .ways_to_play(state, self.nation, card, |(region, unit)| {
                        plays.push(Action::PlayCard { card, region, unit });
                    });
            }
        }
        plays.into_iter().find_map(|play| {
            let mut next = state.clone();
            let applied = self.apply(&mut next, play);
            let rest = applied
                .then(|| self.after_stone(&next, cards - 1))
                .flatten()?;
            Some(self.steps(play, rest))
        })
    }

    /// The points that are missing.
    fn need(&self, state: &State) -> u32 {
        let rules = &self.game.rules;
        let earned: u32 = [Personage::Scholar, Personage::General]
            .iter()
            .map(|kind| {
                let due = self.game.personages_due(state, self.nation, *kind);
                let due = due.min(state.bank.personages[kind.index()].into());
                due * u32::from(rules.points[kind.index()])
            })
            .sum();
        u32::from(rules.goal).saturating_sub(self.game.points(state, self.nation) + earned)
    }

    /// How many more cities, temples or regions give this many more personages of a kind.
    /// `None` if the bank does not have them.
    fn missing(&self, state: &State, kind: Personage, personages: u32) -> Option<u32> {
        if personages > u32::from(state.bank.personages[kind.index()]) {
            return None;
        }
        let owned = state.nation(self.nation);
        let extra = u8::from(owned.extra_personage == Some(kind));
        let counted = u32::from(owned.personages[kind.index()] - extra);
        let every = u32::from(self.game.rules.personage_every[kind.index()]);
        let earned = self.game.achievements(state, self.nation, kind);
        Some(match personages {
            0 => 0,
            _ => (every * (counted + personages)).saturating_sub(earned),
        })
    }

    /// The fewest personages of a kind with this many points.
    fn personages(&self, kind: Personage, points: u32) -> u32 {
        points.div_ceil(u32::from(self.game.rules.points[kind.index()]).max(1))
    }

    /// Searches turns with purchases only: the action of the field, then cities.
    fn purchases(&mut self, state: &State) -> Option<Vec<Step>> {
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
    fn foundings(&self, state: &State, count: u32, more: Regions) -> Vec<Vec<Action>> {
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

    /// The units of others of a kind that fight every unit that is set up in a region.
    fn fighting(&self, state: &State, region: Region, unit: Unit) -> u8 {
        match self.game.rules.data.battle.is_automatic() {
            true => self.hostile(state, region, unit, None),
            false => 0,
        }
    }

    /// The units of others of a kind in a region, without those of one nation.
    fn hostile(&self, state: &State, region: Region, unit: Unit, but: Option<Nation>) -> u8 {
        let others = self.game.all_nations();
        let others = others.filter(|other| *other != self.nation && Some(*other) != but);
        others
            .map(|other| self.game.fighters(state, region, other, unit))
            .fold(0, u8::saturating_add)
    }

    /// Searches turns with marches and conquests, then cities.
    fn maneuver(&mut self, state: &State) -> Option<Vec<Step>> {
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
        let chips: u32 = owned
            .holdings
            .chips
            .iter()
            .map(|count| (*count).min(500))
            .sum();
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

    /// Carries deeds out, ends the turn, and returns the steps if the nation wins against every answer.
    fn carry_out(&mut self, state: &State, deeds: &[Deed]) -> Option<Vec<Step>> {
        self.left = self.left.checked_sub(1)?;
        if let Some(outcome) = state.outcome {
            let won = outcome.ranks[usize::from(self.game.seat_of(self.nation))] == 1;
            return won.then(Vec::new);
        }
        if let Some(question) = state.question {
            return self.answer(state, question, deeds);
        }
        if state.to_move != self.nation || state.phase == Phase::Stone {
            return None;
        }
        let mut next = state.clone();
        let (action, rest) = match deeds.split_first() {
            None => (Action::EndTurn, deeds),
            Some((Deed::March(unit, left, from, to), rest)) => {
                let stacks = state.turn_state.maneuvers_left[from.index()][unit.index()];
                if stacks[usize::from(*left) - 1] == 0 {
                    return self.carry_out(state, rest);
                }
                let march = Action::March {
                    unit: (*unit).into(),
                    count: 1,
                    from: *from,
                    to: *to,
                    left: Some(*left),
                };
                (march, rest)
            }
            Some((Deed::Conquer(region), rest)) => (self.conquest(state, *region)?, rest),
            Some((Deed::Buy(actions), rest)) => {
                let mut steps = Vec::new();
                for action in self.with_trades(state, actions)? {
                    if !self.apply(&mut next, action) {
                        return None;
                    }
                    steps.push((self.nation, action));
                }
                steps.extend(self.carry_out(&next, rest)?);
                return Some(steps);
            }
        };
        let action = self.game.canonical(state, action);
        if !self.apply(&mut next, action) {
            return None;
        }
        let rest = self.carry_out(&next, rest)?;
        Some(self.steps(action, rest))
    }

    /// Continues after a question: any own answer will do, but others may answer in every way.
    fn answer(&mut self, state: &State, question: Question, deeds: &[Deed]) -> Option<Vec<Step>> {
        let asked = question.nation();
        if matches!(question, Question::Cards { .. } | Question::Chip { .. }) {
            return None;
        }
        let mut answers = Vec::new();
        self.game
            .legal_actions(state, Payments::Default, &mut answers);
        let mut first = None;
        for answer in answers {
            let mut next = state.clone();
            let applied = self.game.apply(&mut next, asked, answer, &mut Vec::new());
            let rest = applied.ok().and_then(|()| self.carry_out(&next, deeds));
            match rest {
                None if asked == self.nation => {}
                None => return None,
                Some(rest) => {
                    let mut steps = vec![(asked, answer)];
                    steps.extend(rest);
                    if asked == self.nation {
                        return Some(steps);
                    }
                    first.get_or_insert(steps);
                }
            }
        }
        first
    }

    /// The conquest of a city with the units that are there.
    fn conquest(&self, state: &State, region: Region) -> Option<Action> {
        let defence = self.game.defence(state, region);
        let [legions, galleys] = self.game.conquerors(state, region);
        let lost = legions.min(defence);
        if defence - lost > galleys {
            return None;
        }
        let own = state.nation(self.nation).cities;
        let given = std::iter::once(None).chain((own - state.temples).iter().map(Some));
        let options = given.map(|give_up| Action::Conquer {
            region,
            legions: lost,
            galleys: defence - lost,
            give_up,
        });
        let mut options = options;
        options.find(|action| self.apply(&mut state.clone(), *action))
    }

    /// Returns actions after the trades that their prices need; `None` if the nation cannot pay.
    fn with_trades(&self, state: &State, actions: &[Action]) -> Option<Vec<Action>> {
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

/// Returns every payment of chips and coins of any kinds.
fn payments(state: &State, nation: Nation, count: u8) -> Vec<Payment> {
    let held = &state.nation(nation).holdings;
    let mut all = Vec::new();
    for marble in 0..=count {
        for iron in 0..=count - marble {
            for gold in 0..=count - marble - iron {
                let pay = Payment::from_parts([marble, iron, gold], count - marble - iron - gold);
                if held.holds(pay) {
                    all.push(pay);
                }
            }
        }
    }
    all
}
