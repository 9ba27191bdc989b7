//! Temperaments: the preferences of greedy bots, as data.

use engine::chance::Chance;
use engine::content::GameRules;
use engine::words::{Field, Personage, Resource};

/// A preference for one of the rule book's three openings and its later strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temperament {
    /// Temples and cities first.
    Growth,
    /// Units and conquests first.
    Military,
    /// Know-how first.
    Progress,
}

/// The values of a temperament, in thousandths of a personage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    /// The progress to the next personage of a kind, by [`Personage`].
    /// Scholars and generals have no progress; for them, the personage itself.
    pub personages: [i32; Personage::COUNT],
    /// A chip of a kind that can be spent soon, by [`Resource`].
    pub chips: [i32; Resource::COUNT],
    /// A unit, in hundredths of its usual value.
    pub units: i32,
    /// The least net value of a conquest.
    pub peace: i32,
    /// The fields of the first turns, by the rule book's opening.
    pub opening: &'static [Field],
    /// The opening where coins come only with production, if different [B14].
    pub producing_opening: Option<&'static [Field]>,
    /// The opening where units are recruited, if different [D3] [D15].
    /// There temples cost more, and units start in the recruitment box.
    pub recruiting_opening: Option<&'static [Field]>,
}

impl Weights {
    /// The field of the opening for a round, if the stone has followed the opening so far.
    pub fn opening_field(
        &self,
        rules: &GameRules,
        round: u32,
        stone: Option<Field>,
    ) -> Option<Field> {
        let recruiting = self
            .recruiting_opening
            .filter(|_| rules.data.recruitment.is_some());
        let produces = rules.data.coin.is_paid_by_production();
        let producing = self.producing_opening.filter(|_| produces);
        let opening = recruiting.or(producing).unwrap_or(self.opening);
        let index = round.checked_sub(1)? as usize;
        let before = index.checked_sub(1).map(|before| opening.get(before));
        let kept = stone.as_ref() == before.flatten();
        opening.get(index).copied().filter(|_| kept)
    }
}

const GROWTH: Weights = Weights {
    personages: [880, 950, 950, 950, 550],
    chips: [58, 46, 62],
    units: 90,
    peace: 90,
    opening: &[Field::Marble, Field::Temple],
    producing_opening: None,
    recruiting_opening: Some(&[Field::Marble, Field::Iron, Field::Temple]),
};

const MILITARY: Weights = Weights {
    personages: [880, 1050, 1000, 900, 580],
    chips: [52, 50, 68],
    units: 85,
    peace: 50,
    opening: &[
        Field::Arming,
        Field::Maneuver2,
        Field::Gold,
        Field::Marble,
        Field::KnowHow,
    ],
    producing_opening: Some(&[Field::Iron, Field::Gold, Field::Arming, Field::Maneuver2]),
    recruiting_opening: None,
};

const PROGRESS: Weights = Weights {
    personages: [800, 1050, 900, 850, 600],
    chips: [52, 46, 66],
    units: 90,
    peace: 90,
    opening: &[Field::Gold, Field::Marble, Field::KnowHow],
    producing_opening: None,
    recruiting_opening: None,
};

impl Temperament {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Temperament::Growth => "growth",
            Temperament::Military => "military",
            Temperament::Progress => "progress",
        }
    }

    /// The weights of the temperament.
    pub(crate) fn weights(self) -> &'static Weights {
        match self {
            Temperament::Growth => &GROWTH,
            Temperament::Military => &MILITARY,
            Temperament::Progress => &PROGRESS,
        }
    }

    /// Draws a temperament, each equally likely: the first word of a chance.
    pub fn drawn(chance: &mut Chance) -> Temperament {
        match chance.below(3) {
            0 => Temperament::Growth,
            1 => Temperament::Military,
            _ => Temperament::Progress,
        }
    }
}
