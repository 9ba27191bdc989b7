//! The pieces of a position: possessions of nations and bank, and everything on the board.

use std::collections::BTreeMap;

use super::cards::named;
use super::{Checked, Faults, bounded, fail, know_how, nation, region};
use crate::content::KnowHowPolicy;
use crate::forms::{Position, RegionBody, SpecialUnitBody};
use crate::ids::{KnowHow, Nation};
use crate::play::Game;
use crate::state::{SpecialPlace, State};
use crate::words::{Personage, Phase, Resource, SpecialUnit, Unit};

impl Position {
    /// Reads the possessions of each nation.
    pub(super) fn nations(&self, game: &Game, state: &mut State, faults: &mut Faults) {
        for name in self.nations.keys() {
            if game.nation_by_name(name).is_none() {
                faults.add(format!("nations.{name}"), "this nation does not take part");
            }
        }
        for id in game.all_nations() {
            let name = game.nation_name(id);
            let path = |field: &str| format!("nations.{name}.{field}");
            let Some(body) = self.nations.get(name) else {
                faults.add("nations", format!("{name} is missing"));
                continue;
            };
            let chips = [
                ("marble", body.marble),
                ("iron", body.iron),
                ("gold", body.gold),
            ];
            let chips = chips.map(|(field, count)| faults.check(bounded(&path(field), count)));
            let owned = state.nation_mut(id);
            owned.holdings.chips = chips.map(Option::unwrap_or_default);
            owned.holdings.coins = body.coins;
            owned.stone = body.stone;
            let known = faults.check(know_how(game, &path("know_how"), &body.know_how));
            owned.know_how = known.unwrap_or_default();
            let waits_for_end_of_turn = match game.rules.data.know_how_effective {
                KnowHowPolicy::AtOnce => false,
                KnowHowPolicy::EndOfTurn => name == self.to_move,
            };
            if waits_for_end_of_turn {
                // A view has them only there. Unknown names are reported when the turn is read.
                let developed = &self.turn_state.developed;
                let names = developed
                    .iter()
                    .filter_map(|n| game.ruleset.know_how_by_name(n));
                owned.know_how |= names.collect();
            }
            for (index, rule) in game.rules.know_how.iter().enumerate() {
                let lacks = rule.requires.is_some_and(|r| !owned.know_how.contains(r));
                if known.is_some() && owned.know_how.contains(KnowHow(index as u8)) && lacks {
                    let name = &game.ruleset.data.know_how[index].id;
                    faults.add(
                        path("know_how"),
                        format!("{name} requires another know-how"),
                    );
                }
            }
            owned.personages = personages(&body.personages);
            owned.extra_personage = body.extra_personage;
            let extra = body.extra_personage;
            if extra.is_some_and(|kind| owned.personages[kind.index()] == 0) {
                faults.add(
                    path("extra_personage"),
                    "must be among the nation's personages",
                );
            }
            owned.resigned = body.resigned;
        }
        for seat in 0..game.seats() as u8 {
            let mut of_seat = game.nations_of(seat);
            let left = |nation: Nation| state.nation(nation).resigned;
            if let Some(first) = of_seat.next()
                && of_seat.any(|other| left(other) != left(first))
            {
                let field = format!("nations.{}.resigned", game.nation_name(first));
                faults.add(field, "a player must resign with all nations");
            }
        }
    }

    /// Reads the contents of each region.
    pub(super) fn regions(&self, game: &Game, state: &mut State, faults: &mut Faults) {
        for (id, body) in &self.regions {
            faults.check(place_pieces(game, state, id, body));
        }
    }

    /// Reads the contents of the bank: everything that the nations do not have.
    pub(super) fn bank(&self, game: &Game, state: &mut State, faults: &mut Faults) {
        let held = self.nations.values().map(|nation| u32::from(nation.coins));
        let (given, all) = (self.bank.coins, game.rules.data.bank.coins);
        let coins = left_of("bank.coins", "coins", given, held.sum(), all);
        state.bank.coins = faults.check(coins).unwrap_or_default();
        for kind in Personage::ALL {
            let held = self.nations.values().filter_map(|n| n.personages.get(kind));
            let held = held.map(|count| u32::from(*count)).sum();
            let given = self.bank.personages.get(kind).copied();
            let all = game.rules.personages[kind.index()];
            let left = left_of("bank.personages", &format!("of {kind}"), given, held, all);
            state.bank.personages[kind.index()] = faults.check(left).unwrap_or_default();
        }
    }

    /// Computes the temples in the bank from those on the board.
    pub(super) fn temples(&self, game: &Game, state: &mut State, faults: &mut Faults) {
        let standing = (state.temples | state.neutral_temples).len();
        let (given, all) = (self.bank.temples, game.rules.data.bank.temples);
        let temples = left_of("bank.temples", "temples", given, standing, all);
        state.bank.temples = faults.check(temples).unwrap_or_default();
    }

    /// Reads recruitment boxes, hands and special units.
    pub(super) fn boxes(&self, game: &Game, state: &mut State, faults: &mut Faults) {
        for id in game.all_nations() {
            let name = game.nation_name(id);
            let path = |field: &str| format!("nations.{name}.{field}");
            let Some(body) = self.nations.get(name) else {
                continue;
            };
            let boxed = body.recruitment_box.unwrap_or_default();
            let boxed = [boxed.legions, boxed.galleys];
            if body.recruitment_box.is_some() && game.rules.data.recruitment.is_none() {
                faults.add(
                    path("recruitment_box"),
                    "this edition has no recruitment box",
                );
            } else if boxed.iter().zip(game.rules.units).any(|(n, all)| *n > all) {
                faults.add(path("recruitment_box"), "has more units than a nation has");
            } else {
                state.nation_mut(id).boxed = boxed;
            }
            let special = game.special_units[id.index()];
            let place = special_place(game, &path("special_unit"), special, &body.special_unit);
            state.nation_mut(id).special = faults.check(place).flatten();
            if body.cards.is_some() && game.rules.data.cards.is_none() {
                faults.add(path("cards"), "this edition has no event cards");
                continue;
            }
            let cards = body.cards.as_deref().unwrap_or_default();
            for card in faults
                .check(named(game, &path("cards"), cards))
                .into_iter()
                .flatten()
            {
                let held = &mut state.nation_mut(id).hand[card.index()];
                *held = held.saturating_add(1);
            }
        }
    }

    /// Checks that nations and supplies have the right numbers of pieces.
    pub(super) fn check_pieces(&self, game: &Game, state: &State, faults: &mut Faults) {
        for id in game.all_nations() {
            let name = game.nation_name(id);
            let owned = state.nation(id);
            // The start cities of a nation that resigns are drawn immediately.
            if owned.cities.is_empty() && (state.phase != Phase::Setup || owned.resigned) {
                faults.add(format!("nations.{name}"), "must have at least one city");
            }
            if owned.cities.len() > u32::from(game.rules.cities) {
                faults.add(
                    format!("nations.{name}"),
                    "has more cities than city tokens",
                );
                continue;
            }
            let Some(supply) = self.nations.get(name).and_then(|body| body.supply) else {
                continue;
            };
            let given = [supply.legions, supply.galleys];
            let derived = [
                game.units_in_supply(state, id, Unit::Legion),
                game.units_in_supply(state, id, Unit::Galley),
            ];
            let cities = game.cities_in_supply(state, id);
            if given != derived || supply.cities.is_some_and(|given| given != cities) {
                let field = format!("nations.{name}.supply");
                let [legions, galleys] = derived;
                let message = format!("{legions} legions, {galleys} galleys, {cities} cities");
                faults.add(field, format!("it must be {message}"));
            }
        }
    }

    /// Checks that town walls, city tokens and units fit together.
    pub(super) fn check_board(&self, game: &Game, state: &State, faults: &mut Faults) {
        for resource in Resource::ALL {
            let placed = state.produces[resource.index()].len();
            if placed > u32::from(game.rules.tokens[resource.index()]) {
                faults.add("regions", format!("more cities of {resource} than tokens"));
                continue;
            }
            let given = self.bank.cities.get(resource);
            let left = game.tokens_in_bank(state, *resource);
            if given.is_some_and(|given| *given != left) {
                faults.add("bank.cities", format!("{left} of {resource} are left"));
            }
        }
        for id in game.all_nations() {
            let name = game.nation_name(id);
            let built = (state.nation(id).cities & state.walls).len();
            if built > u32::from(game.walls_received(state, id)) {
                faults.add(
                    format!("nations.{name}"),
                    "has more town walls than it has received",
                );
                continue;
            }
            let given = self.nations.get(name).and_then(|body| body.walls);
            let left = game.walls_in_supply(state, id);
            if given.is_some_and(|given| given != left) {
                faults.add(format!("nations.{name}.walls"), format!("{left} are left"));
            }
        }
        for at in game.board.all() {
            let fought = |unit: &&Unit| game.would_have_fought(state, at, **unit);
            for unit in Unit::ALL.iter().filter(fought) {
                let field = format!("regions.{}", game.board.name(at));
                faults.add(field, format!("{unit}s of two nations cannot both be here"));
            }
        }
    }
}

/// Returns what the bank has left when `outside` of `all` are elsewhere; a given value must equal that.
fn left_of(field: &str, noun: &str, given: Option<u8>, outside: u32, all: u8) -> Checked<u8> {
    let count = outside + given.map_or(0, u32::from);
    match u32::from(all).checked_sub(outside) {
        // It is at most `all`.
        Some(left) if given.is_none_or(|given| u32::from(given) == left) => Ok(left as u8),
        _ => fail(
            field,
            format!("{count} {noun} in total; the game has {all}"),
        ),
    }
}

/// Returns the place of a nation's special unit: in the box if not given.
fn special_place(
    game: &Game,
    path: &str,
    special: Option<SpecialUnit>,
    body: &Option<SpecialUnitBody>,
) -> Checked<Option<SpecialPlace>> {
    let unit = match (body, special) {
        (None, None) => return Ok(None),
        (None, Some(_)) => return Ok(Some(SpecialPlace::Boxed)),
        (Some(body), Some(unit)) if body.unit.is_none_or(|named| named == unit) => unit,
        _ => return fail(path, "the nation has another special unit, or none"),
    };
    let Some(at) = body.as_ref().and_then(|body| body.region.as_ref()) else {
        return Ok(Some(SpecialPlace::Boxed));
    };
    let field = format!("{path}.region");
    let at = region(game, &field, at)?;
    match game.board.holds(at, unit.kind()) {
        true => Ok(Some(SpecialPlace::At(at))),
        false => fail(field, format!("a {unit} cannot be there")),
    }
}

/// Personages by kind; 0 for omitted ones.
fn personages(counts: &BTreeMap<Personage, u8>) -> [u8; Personage::COUNT] {
    let mut array = [0; Personage::COUNT];
    for (personage, count) in counts {
        array[personage.index()] = *count;
    }
    array
}

fn place_pieces(game: &Game, state: &mut State, id: &str, body: &RegionBody) -> Checked<()> {
    let path = format!("regions.{id}");
    let at = region(game, &path, id)?;
    if body.neutral_temple {
        if !game
            .board
            .neutral_temples(game.nations.len() as u8)
            .contains(at)
        {
            return fail(path, "the board has no neutral temple there");
        }
        if body.city.is_some() {
            return fail(path, "a neutral temple must be on a site without city");
        }
        state.neutral_temples.insert(at);
    }
    if let Some(city) = &body.city {
        let owner = nation(game, &path, &city.nation)?;
        if !game.site(at).allows(city.resource) {
            return fail(
                path,
                format!("a city there cannot produce {}", city.resource),
            );
        }
        if city.wall && game.rules.data.walls.is_none() {
            return fail(path, "this edition has no town walls");
        }
        if city.wall {
            state.walls.insert(at);
        }
        state.add_city(at, owner, city.resource);
        if city.temple {
            state.temples.insert(at);
        }
    }
    for (name, units) in &body.units {
        let owner = nation(game, &path, name)?;
        for (unit, count) in Unit::ALL.iter().zip([units.legions, units.galleys]) {
            if count == 0 {
                continue;
            }
            if !game.board.holds(at, *unit) {
                return fail(path, format!("a {unit} cannot be there"));
            }
            if count > game.units_in_supply(state, owner, *unit) {
                return fail(
                    path,
                    format!("{name} has more {unit} pieces than the game has"),
                );
            }
            state.add_units(at, owner, *unit, count);
        }
    }
    Ok(())
}
