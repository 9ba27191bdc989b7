//! The checks of a ruleset when it is loaded, one function for each.

use std::collections::BTreeSet;

use super::file::check_history;
use crate::content::{
    CardEffect, CardsData, RuleNumber, RulesetFile, UnitCounts, VariantData, is_word,
};
use crate::ids::{
    MAX_CARD_KINDS, MAX_CARDS, MAX_KNOW_HOW, MAX_MANEUVERS, MAX_NATIONS, MAX_REGIONS,
};
use crate::words::{Field, Personage, Resource, Unit};

/// A check, with an error in words.
type Check = fn(&RulesetFile) -> Result<(), String>;

/// All checks, in the order in which faults are reported.
const CHECKS: &[Check] = &[
    |data| check_history(data.version, &data.changes),
    personages,
    rondel,
    maneuvers,
    trade,
    highest_defence,
    lowest_defence,
    siteless_regions,
    most_cities,
    prices,
    coins,
    city_tokens,
    recruitment,
    special_units,
    know_how,
    variants,
    cards,
];

/// Returns the first fault of a ruleset.
pub(super) fn check(data: &RulesetFile) -> Result<(), String> {
    CHECKS.iter().try_for_each(|check| check(data))
}

/// Returns the message as an error unless `holds`.
fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    match holds {
        true => Ok(()),
        false => Err(message()),
    }
}

fn personages(data: &RulesetFile) -> Result<(), String> {
    for (name, counts) in [("bank", &data.bank.personages), ("points", &data.points)] {
        ensure(counts.len() == Personage::COUNT, || {
            format!("{name} must list all five personages")
        })?;
    }
    for personage in [Personage::King, Personage::Citizen, Personage::Navigator] {
        let every = data.personage_every.get(&personage);
        ensure(every.is_some_and(|n| *n > 0), || {
            format!("personage_every lacks {personage}")
        })?;
    }
    ensure(data.personage_every.len() == 3, || {
        "personage_every must list king, citizen and navigator, and no others".to_owned()
    })
}

fn rondel(data: &RulesetFile) -> Result<(), String> {
    let fields: BTreeSet<Field> = data.rondel.fields.iter().copied().collect();
    let each_once = fields.len() == Field::COUNT && data.rondel.fields.len() == Field::COUNT;
    ensure(each_once, || {
        "the rondel must list each field exactly once".to_owned()
    })?;
    // A nation without chips must be able to move.
    ensure(data.rondel.free_steps > 0, || {
        "at least one step of the rondel must be free".to_owned()
    })
}

fn maneuvers(data: &RulesetFile) -> Result<(), String> {
    let few = (1..=MAX_MANEUVERS).contains(&usize::from(data.maneuvers));
    ensure(few, || format!("maneuvers must be 1 to {MAX_MANEUVERS}"))
}

fn trade(data: &RulesetFile) -> Result<(), String> {
    let lots = data.know_how.iter().filter_map(|know_how| know_how.trade);
    let mut lots = lots.chain(data.trade.map(|trade| trade.lot()));
    ensure(lots.all(|lot| lot.give > 0 && lot.take > 0), || {
        "a trade must give and take at least one".to_owned()
    })
}

/// Returns the highest factor by which a variant multiplies a nation's supply.
fn supply_factor(data: &RulesetFile) -> u32 {
    let factors = data.variants.values().filter_map(|v| v.supply_factor);
    u32::from(factors.max().unwrap_or(1))
}

fn highest_defence(data: &RulesetFile) -> Result<(), String> {
    // All units of a nation in one region.
    let units = u32::from(data.supply.legions) + u32::from(data.supply.galleys);
    let know_how = data.know_how.iter().map(|know_how| know_how.defence).max();
    let more = [
        data.defence.plain.max(data.defence.temple),
        know_how.unwrap_or(0),
        data.weak_nation.map_or(0, |weak| weak.defence),
        data.walls.as_ref().map_or(0, |walls| walls.defence),
        // For a special unit.
        1,
    ];
    let most = supply_factor(data) * units + more.into_iter().map(u32::from).sum::<u32>();
    ensure(most <= 255, || {
        "the defence of a city could exceed 255".to_owned()
    })
}

fn lowest_defence(data: &RulesetFile) -> Result<(), String> {
    // A special unit lowers the defence by 1, and a conquest needs at least one unit.
    ensure(data.defence.plain.min(data.defence.temple) > 0, || {
        "a city must have a defence of at least 1".to_owned()
    })
}

fn siteless_regions(data: &RulesetFile) -> Result<(), String> {
    ensure(data.siteless_region_counts > 0, || {
        "a region without site must count as at least 1".to_owned()
    })
}

fn most_cities(data: &RulesetFile) -> Result<(), String> {
    let most = u32::from(data.supply.cities.unwrap_or(0)) * supply_factor(data);
    ensure(most <= 255, || {
        "a nation can have at most 255 city tokens".to_owned()
    })
}

fn prices(data: &RulesetFile) -> Result<(), String> {
    let recruitment = data.recruitment.iter().flat_map(|r| [r.legion, r.galley]);
    let walls = data.walls.iter().map(|walls| walls.price);
    let special = data
        .variants
        .values()
        .filter_map(|v| v.special_units.as_ref());
    let prices = [data.prices.temple, data.prices.unit, data.prices.city];
    let mut prices = (prices.into_iter())
        .chain(recruitment)
        .chain(walls)
        .chain(special.map(|data| data.price));
    // Every region can be adjacent.
    let neighbours = data.adjacent_temple_coins.max(data.adjacent_city_coins);
    let neighbours = u32::from(neighbours) * MAX_REGIONS as u32;
    ensure(
        prices.all(|price| price.total() + neighbours <= 255),
        || "a price could exceed 255 chips".to_owned(),
    )
}

fn coins(data: &RulesetFile) -> Result<(), String> {
    let each = u32::from(data.start.coins) + u32::from(data.compensation_coins);
    ensure(
        each * MAX_NATIONS as u32 <= u32::from(data.bank.coins),
        || "the bank has too few coins for the start".to_owned(),
    )
}

/// Each nation starts with a city of each resource, or picks them.
fn city_tokens(data: &RulesetFile) -> Result<(), String> {
    let nations = data.goal.keys().max().copied().unwrap_or(0);
    if let Some((resource, _)) = data.bank.cities.iter().find(|(_, n)| **n < nations) {
        return Err(format!("too few {resource} city tokens for the start"));
    }
    let own = data.supply.cities.map_or(Resource::COUNT, usize::from);
    ensure(own >= Resource::COUNT, || {
        "a nation has too few city tokens for the start".to_owned()
    })
}

fn recruitment(data: &RulesetFile) -> Result<(), String> {
    let Some(recruitment) = data.recruitment else {
        return Ok(());
    };
    let UnitCounts { legions, galleys } = recruitment.start;
    let enough = legions <= data.supply.legions && galleys <= data.supply.galleys;
    ensure(enough, || {
        "more units start in the recruitment box than a nation has".to_owned()
    })?;
    let most = u32::from(data.supply.legions.max(data.supply.galleys)) * supply_factor(data);
    let mut prices = [recruitment.legion, recruitment.galley].into_iter();
    ensure(prices.all(|price| price.total() * most <= 255), || {
        "the price of all units could exceed 255 chips".to_owned()
    })
}

fn special_units(data: &RulesetFile) -> Result<(), String> {
    let played = data.variants.values().any(|v| v.special_units.is_some());
    ensure(!played || data.battle.is_automatic(), || {
        "special units need automatic battles".to_owned()
    })
}

fn know_how(data: &RulesetFile) -> Result<(), String> {
    let count = data.know_how.len();
    ensure((1..=MAX_KNOW_HOW).contains(&count), || {
        format!("an edition must have 1 to {MAX_KNOW_HOW} know-hows")
    })?;
    for (index, entry) in data.know_how.iter().enumerate() {
        let id = &entry.id;
        let mut earlier = data.know_how[..index].iter();
        ensure(earlier.all(|other| other.id != *id), || {
            format!("know-how {id} is listed twice")
        })?;
        ensure(is_word(id), || {
            format!("know-how {id:?} must be lower case snake_case")
        })?;
        let most = entry.legion_maneuvers.max(entry.galley_maneuvers);
        ensure(usize::from(most) <= MAX_MANEUVERS, || {
            format!("know-how {id} gives more than {MAX_MANEUVERS} maneuvers")
        })?;
    }
    Ok(())
}

fn variants(data: &RulesetFile) -> Result<(), String> {
    for (name, variant) in &data.variants {
        ensure(RuleNumber::parse(&variant.rule).is_some(), || {
            format!("variant {name} has no valid rule number")
        })?;
        let mut excluded = variant.excludes.iter();
        if let Some(other) = excluded.find(|other| !data.variants.contains_key(*other)) {
            return Err(format!("variant {name} excludes unknown {other}"));
        }
        ensure(variant.supply_factor != Some(0), || {
            format!("variant {name} leaves nations without supply")
        })?;
    }
    Ok(())
}

fn cards(data: &RulesetFile) -> Result<(), String> {
    let Some(cards) = &data.cards else {
        return Ok(());
    };
    deck(cards)?;
    for_two_nations(data)?;
    no_extra_personage(data)?;
    what_cards_need(cards, data)?;
    extra_borders(cards, data)
}

fn deck(cards: &CardsData) -> Result<(), String> {
    let copies: usize = cards.deck.iter().map(|card| usize::from(card.copies)).sum();
    ensure(
        cards.deck.len() <= MAX_CARD_KINDS && copies <= MAX_CARDS,
        || format!("a deck can have at most {MAX_CARD_KINDS} kinds and {MAX_CARDS} cards"),
    )?;
    ensure((1..=copies).contains(&usize::from(cards.open)), || {
        "the number of open cards must be 1 to that of all cards".to_owned()
    })?;
    for (index, card) in cards.deck.iter().enumerate() {
        let id = &card.id;
        ensure(is_word(id), || {
            format!("card id {id:?} must be lower case snake_case")
        })?;
        let mut earlier = cards.deck[..index].iter();
        ensure(earlier.all(|other| other.id != *id), || {
            format!("card {id} is listed twice")
        })?;
        ensure(card.copies > 0 && !card.effect.has_zero(), || {
            format!("card {id} has no copies or no effect")
        })?;
    }
    Ok(())
}

fn for_two_nations(data: &RulesetFile) -> Result<(), String> {
    let goals = data.variants.values().map(|variant| &variant.goal);
    let mut nations = goals.chain([&data.goal]).flat_map(|goal| goal.keys());
    ensure(nations.all(|nations| *nations == 2), || {
        "event cards need exactly two nations".to_owned()
    })
}

fn no_extra_personage(data: &RulesetFile) -> Result<(), String> {
    let extra = |variant: &VariantData| {
        variant.extra_personage == Some(true) || variant.first_with_all_know_how.is_some()
    };
    let some = data.extra_personage || data.variants.values().any(extra);
    ensure(!some, || {
        "event cards cannot be combined with a personage for all know-hows".to_owned()
    })
}

fn what_cards_need(cards: &CardsData, data: &RulesetFile) -> Result<(), String> {
    for card in &cards.deck {
        let id = &card.id;
        // The city would be given up for a conquest that is then rejected.
        ensure(!(card.effect.defends() && data.give_up_city), || {
            format!("card {id} cannot be combined with giving up cities")
        })?;
        let (present, need) = match card.effect {
            CardEffect::Recruit { .. } => (data.recruitment.is_some(), "a recruitment box"),
            CardEffect::DestroyWall {} => (data.walls.is_some(), "town walls"),
            _ => continue,
        };
        ensure(present, || format!("card {id} needs {need}"))?;
    }
    Ok(())
}

fn extra_borders(cards: &CardsData, data: &RulesetFile) -> Result<(), String> {
    for unit in Unit::ALL {
        let by_know_how = data.know_how.iter().map(|know_how| match unit {
            Unit::Legion => know_how.legion_maneuvers,
            Unit::Galley => know_how.galley_maneuvers,
        });
        let most = by_know_how.max().unwrap_or(0).max(data.maneuvers);
        let most = u32::from(most) + cards.most_extra_borders(*unit);
        ensure(most <= MAX_MANEUVERS as u32, || {
            format!("with all cards a {unit} could cross more than {MAX_MANEUVERS} borders")
        })?;
    }
    Ok(())
}
