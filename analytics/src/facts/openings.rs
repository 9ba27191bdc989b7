//! The opening strategies of each edition, as data.

/// The opening strategies of the rule books: what a nation does first.
///
/// In Antike II, gold (AURUM) is the opening of progress. A temple of a nation that began with gold is therefore
/// ignored.
///
/// The rule book of Antike Duellum names no openings. There a nation begins with three chips of a kind [D3], a
/// temple costs six marble [D15], and a city needs a unit in its region [D29]. Almost every nation therefore builds
/// a temple, arms a unit and founds a city. Strategies differ in what comes next, which leads to personages [D30]:
/// cities, know-hows or conquests.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    clap::ValueEnum,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Opening {
    /// A temple was built.
    /// In Antike Duellum: a second temple, or a second city founded, which is the fifth city and brings a king.
    Growth,
    /// A unit was armed. In Antike Duellum a city was conquered.
    Military,
    /// A know-how was developed.
    Progress,
    /// None of these within the first six turns.
    /// In Antike Duellum, whose games are longer, the first twelve turns count.
    Other,
}

impl Opening {
    /// The name in the tables.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// An act that can decide an opening.
#[derive(Clone, Copy)]
pub(super) enum OpeningAct {
    Temple,
    Unit,
    KnowHow,
    City,
    Conquest,
}

/// The number of acts.
pub(super) const OPENING_ACTS: usize = OpeningAct::Conquest as usize + 1;

/// The rules that decide the opening of a nation in one edition.
pub(super) struct Openings {
    edition: &'static str,
    /// How many turns of a nation are considered.
    pub turns: u32,
    /// The acts, how often each is required, and the opening that it decides.
    pub signs: &'static [(OpeningAct, u32, Opening)],
    /// True if a temple is ignored for a nation that began with gold.
    pub gold_is_progress: bool,
}

/// The openings of each edition. Games of other editions have no facts.
const OPENINGS: [Openings; 3] = [
    Openings {
        edition: "antike",
        turns: 6,
        signs: &[
            (OpeningAct::Temple, 1, Opening::Growth),
            (OpeningAct::Unit, 1, Opening::Military),
            (OpeningAct::KnowHow, 1, Opening::Progress),
        ],
        gold_is_progress: false,
    },
    Openings {
        edition: "antike_ii",
        turns: 6,
        signs: &[
            (OpeningAct::Temple, 1, Opening::Growth),
            (OpeningAct::Unit, 1, Opening::Military),
            (OpeningAct::KnowHow, 1, Opening::Progress),
        ],
        gold_is_progress: true,
    },
    Openings {
        edition: "antike_duellum",
        turns: 12,
        signs: &[
            (OpeningAct::Temple, 2, Opening::Growth),
            (OpeningAct::City, 2, Opening::Growth),
            (OpeningAct::Conquest, 1, Opening::Military),
            (OpeningAct::KnowHow, 1, Opening::Progress),
        ],
        gold_is_progress: false,
    },
];

impl Openings {
    /// Returns the openings of an edition.
    pub fn for_edition(edition: &str) -> Option<&'static Openings> {
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
        assert!(
            known
                .iter()
                .all(|edition| Openings::for_edition(edition).is_some())
        );
        assert_eq!(known.len(), OPENINGS.len());
    }
}
