//! The rules of one game: a ruleset with its variants applied.

use std::collections::BTreeMap;

use super::{
    CardEffect, KnowHowRule, Lot, Rule, RuleNumber, Ruleset, RulesetFile, SpecialBattlePolicy,
    SpecialUnitsData, StartPick, SupplyData, TradePolicy, UnitCounts, VariantData,
};
use crate::ids::{Card, KnowHow, KnowHows};
use crate::words::{Field, Personage, Resource, Unit};

/// The combined effects of a nation's know-hows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Maneuvers by [`Unit`].
    pub maneuvers: [u8; Unit::COUNT],
    /// Additional chips in each production.
    pub production: u8,
    /// Defence of each own city.
    pub defence: u8,
}

/// The rules of one game: the edition's numbers with the variants applied.
///
/// They are also stored by number, for fast lookup while playing.
#[derive(Clone, Debug)]
pub struct GameRules {
    /// The edition's numbers and policies, with the variants applied.
    /// A field below with the same name has the same content, in the form used while playing.
    pub data: RulesetFile,
    /// Personages in the game, by [`Personage`].
    pub personages: [u8; Personage::COUNT],
    /// The most units of a nation on the board, by [`Unit`].
    pub units: [u8; Unit::COUNT],
    /// The most cities of a nation.
    pub cities: u8,
    /// The most cities on the board that produce a resource, by [`Resource`].
    pub tokens: [u8; Resource::COUNT],
    /// Points to win.
    pub goal: u8,
    /// Points by [`Personage`].
    pub points: [u8; Personage::COUNT],
    /// How many cities, temples or regions win a personage, by [`Personage`]; 0 for those won otherwise.
    pub personage_every: [u8; Personage::COUNT],
    /// The index of each [`Field`] on the rondel.
    pub rondel_place: [u8; Field::COUNT],
    /// The special units that take part.
    pub special_units: Option<SpecialUnitsData>,
    /// The know-hows.
    pub know_how: Vec<KnowHowRule>,
    /// The set of all know-hows.
    pub all_know_how: KnowHows,
    /// The abilities for each set of know-hows, by its bits.
    abilities: Vec<Abilities>,
    /// The trades with the bank, each with the set of know-hows that it needs.
    pub lots: Vec<(KnowHows, Lot)>,
    /// The personage for the first nation with all know-hows.
    pub first_with_all_know_how: Option<Personage>,
    /// Whether founders choose what any city produces.
    pub free_city_types: bool,
    /// How start cities are picked; `None` if they are given.
    pub start_pick: Option<StartPick>,
    /// Numbers of the rules by [`Rule`].
    numbers: Vec<RuleNumber>,
}

/// Returns the edition's file with variants applied. It omits what only variants have.
fn with_variants(ruleset: &RulesetFile, variants: &[&VariantData]) -> RulesetFile {
    let mut data = ruleset.clone();
    for variant in variants.iter().rev() {
        data.goal.extend(&variant.goal);
        data.points.extend(&variant.points);
        data.bank.personages.extend(&variant.personages);
        if let Some(extra_personage) = variant.extra_personage {
            data.extra_personage = extra_personage;
        }
        if let Some(factor) = variant.supply_factor {
            let SupplyData {
                legions,
                galleys,
                cities,
            } = ruleset.supply;
            data.supply = SupplyData {
                legions: legions * factor,
                galleys: galleys * factor,
                cities: cities.map(|cities| cities * factor),
            };
        }
    }
    data
}

impl GameRules {
    /// Returns the rules for a number of nations with some variants of the ruleset.
    ///
    /// Returns `None` if that number of nations has no goal.
    pub(crate) fn new(
        ruleset: &Ruleset,
        nations: u8,
        variants: &[&VariantData],
    ) -> Option<GameRules> {
        let data = with_variants(&ruleset.data, variants);
        let by_personage = |counts: &BTreeMap<Personage, u8>| {
            let mut array = [0; Personage::COUNT];
            for (personage, count) in counts {
                array[personage.index()] = *count;
            }
            array
        };
        let mut rondel_place = [0; Field::COUNT];
        for (index, field) in data.rondel.fields.iter().enumerate() {
            rondel_place[field.index()] = index as u8;
        }
        let all_know_how: KnowHows = (0..data.know_how.len() as u8).map(KnowHow).collect();
        let by_know_how = data.know_how.iter().enumerate();
        let lots = by_know_how
            .filter_map(|(index, know_how)| {
                Some((KnowHows::only(KnowHow(index as u8)), know_how.trade?))
            })
            .chain(data.trade.map(|trade| match trade.with {
                TradePolicy::AllKnowHow => (all_know_how, trade.lot()),
            }))
            .collect();
        Some(GameRules {
            personages: by_personage(&data.bank.personages),
            units: [data.supply.legions, data.supply.galleys],
            cities: data.supply.cities.unwrap_or(u8::MAX),
            tokens: std::array::from_fn(|index| {
                let tokens = data.bank.cities.get(&Resource::ALL[index]);
                tokens.copied().unwrap_or(u8::MAX)
            }),
            goal: *data.goal.get(&nations)?,
            points: by_personage(&data.points),
            personage_every: by_personage(&data.personage_every),
            rondel_place,
            special_units: variants
                .iter()
                .find_map(|variant| variant.special_units.clone()),
            know_how: ruleset.know_how.clone(),
            all_know_how,
            abilities: (0..1u32 << data.know_how.len())
                .map(|set| abilities(&data, set))
                .collect(),
            lots,
            first_with_all_know_how: variants
                .iter()
                .find_map(|variant| variant.first_with_all_know_how),
            free_city_types: variants.iter().any(|variant| variant.free_city_types),
            start_pick: variants.iter().find_map(|variant| variant.start_pick),
            numbers: ruleset.rules.clone(),
            data,
        })
    }

    /// The number of a rule in the edition.
    pub fn number(&self, rule: Rule) -> RuleNumber {
        self.numbers[rule as usize]
    }

    /// Returns the effect of an event card.
    pub fn card_effect(&self, card: Card) -> Option<CardEffect> {
        let deck = &self.data.cards.as_ref()?.deck;
        deck.get(card.index()).map(|data| data.effect)
    }

    /// Whether special units also fight where a unit is armed or placed by a card [D50].
    pub(crate) fn special_units_fight_when_armed(&self) -> bool {
        let policy = self.special_units.as_ref().map(|special| special.battle);
        match policy {
            Some(SpecialBattlePolicy::Always) => true,
            None | Some(SpecialBattlePolicy::WhenMoving) => false,
        }
    }

    /// The units in a recruitment box at the start, by [`Unit`].
    pub(crate) fn boxed_at_start(&self) -> [u8; Unit::COUNT] {
        self.data.recruitment.map_or([0; Unit::COUNT], |data| {
            let UnitCounts { legions, galleys } = data.start;
            [legions, galleys]
        })
    }

    /// Returns the abilities of a set of know-hows [A23].
    pub fn abilities(&self, know_how: KnowHows) -> Abilities {
        self.abilities[usize::from(know_how.bits())]
    }
}

fn abilities(data: &RulesetFile, set: u32) -> Abilities {
    let mut abilities = Abilities {
        maneuvers: [data.maneuvers; Unit::COUNT],
        production: 0,
        defence: 0,
    };
    let raise = |number: &mut u8, by: u8| *number = (*number).max(by);
    for (index, know_how) in data.know_how.iter().enumerate() {
        if set & (1 << index) != 0 {
            raise(
                &mut abilities.maneuvers[Unit::Legion.index()],
                know_how.legion_maneuvers,
            );
            raise(
                &mut abilities.maneuvers[Unit::Galley.index()],
                know_how.galley_maneuvers,
            );
            raise(&mut abilities.production, know_how.production);
            raise(&mut abilities.defence, know_how.defence);
        }
    }
    abilities
}
