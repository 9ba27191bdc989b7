//! The rules of one game: a ruleset with its variants applied.

use std::collections::BTreeMap;

use super::{
    BattlePolicy, ByTemple, CardEffect, CardsData, CoinPolicy, KnowHowPolicy, KnowHowRule, Lot,
    RecruitmentData, Rule, RuleNumber, Ruleset, RulesetFile, SpecialBattlePolicy, SpecialUnitsData,
    StartPick, TradePolicy, TurnNumberPolicy, UnitCounts, VariantData, WallsData, WeakNation,
};
use crate::chips::{Gain, Price};
use crate::ids::{Card, KnowHow, KnowHows};
use crate::words::{Field, Personage, Resource, Unit};

/// What the know-hows of a nation do together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Maneuvers by [`Unit`].
    pub maneuvers: [u8; Unit::COUNT],
    /// Chips more in each production.
    pub production: u8,
    /// Defence of each own city.
    pub defence: u8,
}

/// The ruleset of one game: the edition's numbers with the variants applied, in the form that the
/// turn engine uses.
#[derive(Clone, Debug)]
pub struct GameRules {
    /// Coins in the game.
    pub coins: u8,
    /// Temples in the game.
    pub temples: u8,
    /// Personages in the game, by [`Personage`].
    pub personages: [u8; Personage::COUNT],
    /// Most units of a nation on the board, by [`Unit`].
    pub units: [u8; Unit::COUNT],
    /// Most cities of a nation.
    pub cities: u8,
    /// Most cities on the board by what they produce, by [`Resource`].
    pub tokens: [u8; Resource::COUNT],
    /// Chips and coins of a nation at the start.
    pub start: Gain,
    /// Coins that each nation but the starting one gets at the start.
    pub compensation_coins: u8,
    /// Points to win.
    pub goal: u8,
    /// Points by [`Personage`].
    pub points: [u8; Personage::COUNT],
    /// How many cities, temples or regions win one, by [`Personage`]; 0 for those won otherwise.
    pub personage_every: [u8; Personage::COUNT],
    /// Whether all know-hows win a personage.
    pub extra_personage: bool,
    /// Place of each [`Field`] on the rondel.
    pub rondel_place: [u8; Field::COUNT],
    /// Steps on the rondel that cost nothing.
    pub free_steps: u8,
    /// Chips produced by a city.
    pub production: ByTemple,
    /// Units set up in a turn in a region.
    pub arming: ByTemple,
    /// Basic defence of a city.
    pub defence: ByTemple,
    /// Price of a temple.
    pub temple_price: Price,
    /// Price of a unit.
    pub unit_price: Price,
    /// Price of a city.
    pub city_price: Price,
    /// Coins that a temple costs more for each temple in an adjacent region.
    pub adjacent_temple_coins: u8,
    /// Coins that a city costs more for each adjacent city that produces the same.
    pub adjacent_city_coins: u8,
    /// Recruitment boxes.
    pub recruitment: Option<RecruitmentData>,
    /// Town walls.
    pub walls: Option<WallsData>,
    /// How battles come about.
    pub battle: BattlePolicy,
    /// Event cards.
    pub cards: Option<CardsData>,
    /// The special units that take part.
    pub special_units: Option<SpecialUnitsData>,
    /// The know-hows.
    pub know_how: Vec<KnowHowRule>,
    /// The set of all know-hows.
    pub all_know_how: KnowHows,
    /// What each set of know-hows does, by mask.
    abilities: Vec<Abilities>,
    /// The lots that may be traded with the bank, each with the know-hows it needs, as a set.
    pub lots: Vec<(KnowHows, Lot)>,
    /// When nations get coins.
    pub coin: CoinPolicy,
    /// How turns are numbered.
    pub turn_numbers: TurnNumberPolicy,
    /// From when a know-how works.
    pub know_how_effective: KnowHowPolicy,
    /// Whether the Bellona card is in the game.
    pub bellona: bool,
    /// Defence of a temple that belongs to nobody.
    pub neutral_temple_defence: u8,
    /// How many regions a region without site counts as for navigators.
    pub siteless_region_counts: u8,
    /// The defence bonus of a nation that is behind.
    pub weak_nation: Option<WeakNation>,
    /// Whether a nation that lacks one personage wins by destroying a temple.
    pub last_personage_by_temple: bool,
    /// Whether destroying a temple wins once all personages are out.
    pub temple_wins_when_personages_are_out: bool,
    /// What the first nation with all know-hows wins.
    pub first_with_all_know_how: Option<Personage>,
    /// Whether founders choose what any city produces.
    pub free_city_types: bool,
    /// Whether taking part in a conquest needs a maneuver.
    pub conquest_costs_maneuver: bool,
    /// Whether a conqueror without token may give up a city.
    pub give_up_city: bool,
    /// How start cities are picked, if they are.
    pub start_pick: Option<StartPick>,
    /// Numbers of the rules by [`Rule`].
    numbers: Vec<RuleNumber>,
}

impl GameRules {
    /// The rules for a number of nations with some variants of the ruleset; nothing when there is
    /// no goal for that number.
    pub(crate) fn new(
        ruleset: &Ruleset,
        nations: u8,
        variants: &[&VariantData],
    ) -> Option<GameRules> {
        let data = &ruleset.data;
        let goal = variants
            .iter()
            .find_map(|variant| variant.goal.get(&nations))
            .or_else(|| data.goal.get(&nations))?;
        let mut points = data.points.clone();
        for variant in variants {
            points.extend(variant.points.iter().map(|(kind, points)| (*kind, *points)));
        }
        let by_personage = |counts: &BTreeMap<Personage, u8>| {
            let mut array = [0; Personage::COUNT];
            for (personage, count) in counts {
                array[personage.index()] = *count;
            }
            array
        };
        let factor = variants.iter().find_map(|variant| variant.supply_factor);
        let factor = factor.unwrap_or(1);
        let mut rondel_place = [0; Field::COUNT];
        for (index, field) in data.rondel.fields.iter().enumerate() {
            rondel_place[field.index()] = index as u8;
        }
        let all_know_how: KnowHows = (0..data.know_how.len() as u8).map(KnowHow).collect();
        let mut personages = data.bank.personages.clone();
        for variant in variants {
            personages.extend(variant.personages.iter().map(|(kind, n)| (*kind, *n)));
        }
        let by_know_how = data.know_how.iter().enumerate();
        let lots = by_know_how
            .filter_map(|(index, know_how)| {
                Some((KnowHows::of(KnowHow(index as u8)), know_how.trade?))
            })
            .chain(data.trade.map(|trade| match trade.with {
                TradePolicy::AllKnowHow => (all_know_how, trade.lot()),
            }))
            .collect();
        let abilities = (0..1u32 << data.know_how.len())
            .map(|set| abilities(data, set))
            .collect();
        Some(GameRules {
            coins: data.bank.coins,
            temples: data.bank.temples,
            personages: by_personage(&personages),
            units: [data.supply.legions * factor, data.supply.galleys * factor],
            cities: data.supply.cities.map_or(u8::MAX, |n| n * factor),
            tokens: std::array::from_fn(|index| {
                let tokens = data.bank.cities.get(&Resource::ALL[index]);
                tokens.copied().unwrap_or(u8::MAX)
            }),
            start: data.start,
            compensation_coins: data.compensation_coins,
            goal: *goal,
            points: by_personage(&points),
            personage_every: by_personage(&data.personage_every),
            extra_personage: variants
                .iter()
                .find_map(|variant| variant.extra_personage)
                .unwrap_or(data.extra_personage),
            rondel_place,
            free_steps: data.rondel.free_steps,
            production: data.production,
            arming: data.arming,
            defence: data.defence,
            temple_price: data.prices.temple,
            unit_price: data.prices.unit,
            city_price: data.prices.city,
            adjacent_temple_coins: data.adjacent_temple_coins,
            adjacent_city_coins: data.adjacent_city_coins,
            recruitment: data.recruitment,
            walls: data.walls.clone(),
            battle: data.battle,
            cards: data.cards.clone(),
            special_units: variants
                .iter()
                .find_map(|variant| variant.special_units.clone()),
            know_how: ruleset.know_how.clone(),
            all_know_how,
            abilities,
            lots,
            coin: data.coin,
            turn_numbers: data.turn_numbers,
            know_how_effective: data.know_how_effective,
            bellona: data.bellona,
            neutral_temple_defence: data.neutral_temple_defence,
            siteless_region_counts: data.siteless_region_counts,
            weak_nation: data.weak_nation,
            last_personage_by_temple: data.last_personage_by_temple,
            temple_wins_when_personages_are_out: data.temple_wins_when_personages_are_out,
            first_with_all_know_how: variants
                .iter()
                .find_map(|variant| variant.first_with_all_know_how),
            free_city_types: variants.iter().any(|variant| variant.free_city_types),
            conquest_costs_maneuver: data.conquest_costs_maneuver,
            give_up_city: data.give_up_city,
            start_pick: variants.iter().find_map(|variant| variant.start_pick),
            numbers: ruleset.rules.clone(),
        })
    }

    /// The number of a rule in the edition.
    pub fn number(&self, rule: Rule) -> RuleNumber {
        self.numbers[rule as usize]
    }

    /// What an event card does.
    pub fn card_effect(&self, card: Card) -> Option<CardEffect> {
        let deck = &self.cards.as_ref()?.deck;
        deck.get(card.index()).map(|data| data.effect)
    }

    /// Whether a special unit fights, and is fought, where a unit is armed or placed by a card
    /// [D50].
    pub fn special_units_fight_when_armed(&self) -> bool {
        let special = self.special_units.as_ref();
        special.is_some_and(|special| special.battle == SpecialBattlePolicy::Always)
    }

    /// What begins in a recruitment box, by [`Unit`].
    pub(crate) fn boxed_at_start(&self) -> [u8; Unit::COUNT] {
        self.recruitment.map_or([0; Unit::COUNT], |data| {
            let UnitCounts { legions, galleys } = data.start;
            [legions, galleys]
        })
    }

    /// What a set of know-hows does [A23].
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
