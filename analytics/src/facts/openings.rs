//! The opening strategies of each edition, as data.

/// The opening strategies of the rule books: what came first in a nation's game. In Antike II,
/// where AURUM first is the opening of progress, a temple of a nation that began with it is no
/// growth and is passed over.
///
/// The rule book of Antike Duellum names none. There a nation begins with three chips of a kind
/// [D3], a temple costs six marble [D15], and a city needs a unit in its region [D29]: nearly
/// everybody builds a temple, arms and founds a city, and none of these is a strategy. What tells
/// nations apart is what they do next, which is a way to personages [D30]: cities, know-hows or
/// conquests.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    serde::Serialize,
    serde::Deserialize,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Opening {
    /// A temple was built. In Antike Duellum a second one, or a second city founded, which is the
    /// fifth and brings a king.
    Growth,
    /// A unit was armed. In Antike Duellum a city was conquered.
    Military,
    /// A know-how was developed.
    Progress,
    /// None of these within the turns that can show one: the first six, in Antike Duellum, where games have
    /// more of them, the first twelve.
    Other,
}

impl Opening {
    /// The name in the tables.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What can show an opening.
#[derive(Clone, Copy)]
pub(super) enum Deed {
    Temple,
    Unit,
    KnowHow,
    City,
    Conquest,
}

/// How many deeds there are.
pub(super) const DEEDS: usize = Deed::Conquest as usize + 1;

/// What shows the openings of an edition.
pub(super) struct Openings {
    edition: &'static str,
    /// How many turns of a nation can show one.
    pub turns: u32,
    /// Which deed shows which, and how often it must have been done.
    pub signs: &'static [(Deed, u32, Opening)],
    /// Whether a temple is no growth for a nation that began with gold.
    pub gold_is_progress: bool,
}

/// The openings of every edition. Games of an edition that is missing give no facts.
const OPENINGS: [Openings; 3] = [
    Openings {
        edition: "antike",
        turns: 6,
        signs: &[
            (Deed::Temple, 1, Opening::Growth),
            (Deed::Unit, 1, Opening::Military),
            (Deed::KnowHow, 1, Opening::Progress),
        ],
        gold_is_progress: false,
    },
    Openings {
        edition: "antike_ii",
        turns: 6,
        signs: &[
            (Deed::Temple, 1, Opening::Growth),
            (Deed::Unit, 1, Opening::Military),
            (Deed::KnowHow, 1, Opening::Progress),
        ],
        gold_is_progress: true,
    },
    Openings {
        edition: "antike_duellum",
        turns: 12,
        signs: &[
            (Deed::Temple, 2, Opening::Growth),
            (Deed::City, 2, Opening::Growth),
            (Deed::Conquest, 1, Opening::Military),
            (Deed::KnowHow, 1, Opening::Progress),
        ],
        gold_is_progress: false,
    },
];

impl Openings {
    /// Those of an edition, if it has any.
    pub fn of(edition: &str) -> Option<&'static Openings> {
        OPENINGS.iter().find(|openings| openings.edition == edition)
    }
}

#[cfg(test)]
mod tests {
    use engine::content::Library;

    use super::*;

    #[test]
    fn every_edition_has_openings() {
        let known = Library::embedded().rulesets();
        let known: Vec<&str> = known.map(|ruleset| &*ruleset.data.edition).collect();
        assert!(known.iter().all(|edition| Openings::of(edition).is_some()));
        assert_eq!(known.len(), OPENINGS.len());
    }
}
