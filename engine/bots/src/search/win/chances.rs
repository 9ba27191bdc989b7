//! A quick test which wins a position may allow.

use engine::chips::Price;
use engine::content::CardEffect;
use engine::ids::{Card, Nation};
use engine::play::Game;
use engine::state::State;
use engine::words::{Field, Personage, Resource, Unit};

use super::usable_chips;

/// The most points that a nation is expected to win in one turn.
const MOST_POINTS: u32 = 3;

/// Whether a nation might win in one turn: a quick test that is too generous.
///
/// It ignores borders, enemies and the stone, and counts every chip as the one that is needed.
pub fn may_win(game: &Game, state: &State, nation: Nation) -> bool {
    Chances::new(game, state, nation).any()
}

/// The ways in which a nation might win in one turn.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chances {
    /// By founding cities, on any field.
    pub(super) cities: bool,
    pub(super) temples: bool,
    pub(super) know_hows: bool,
    pub(super) arming: bool,
    pub(super) maneuver: bool,
    /// Whether a maneuver may have to found cities, so that payments differ.
    pub(super) founds: bool,
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
    pub(super) fn any(self) -> bool {
        self.cities || self.temples || self.know_hows || self.arming || self.maneuver
    }

    pub(super) fn allow(self, field: Field) -> bool {
        let by_field = match field {
            Field::Temple => self.temples,
            Field::KnowHow => self.know_hows,
            Field::Arming => self.arming,
            Field::Maneuver1 | Field::Maneuver2 => self.maneuver,
            Field::Iron | Field::Gold | Field::Marble => false,
        };
        self.cities || by_field
    }

    pub(super) fn new(game: &Game, state: &State, nation: Nation) -> Chances {
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
        let held = usable_chips(owned);
        let chips: u32 = held.iter().sum();
        let trades = rules
            .lots
            .iter()
            .any(|(needs, _)| owned.know_how.contains_all(*needs))
            || rules.data.extra_personage;
        // The most that can be spent on a price of one kind.
        let funds = |resource: Resource| match trades {
            true => chips + coins,
            false => held[resource.index()] + coins,
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
