//! How measures are defined, and since when: a table that was cited is not to change because the program did.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::filters::{AsOf, Filters};
use crate::measures::Measure;

/// Since when a measure is defined in a way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// The measure's name.
    pub measure: String,
    /// The number of its definition, from 1, see [`Measure::definition`].
    pub definition: u32,
    /// Where the log ended when it came into force: up to that place the one before is in force.
    pub since: i64,
    /// When it did.
    pub at: Timestamp,
}

/// Which definitions of measures have been in force, and since where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Definitions(pub Vec<Definition>);

/// A table that was asked by a definition that the program does not have any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{measure} has another definition by now: {current} in place of {asked}; give definition={current} for \
     the table by that, or look for a dataset of that time, which has the facts as they were"
)]
pub struct Redefined {
    /// The measure.
    pub measure: Measure,
    /// The definition that was named, or was in force at the place that was named.
    pub asked: u32,
    /// The one that the program has.
    pub current: u32,
}

impl Definitions {
    /// The definitions that this program has and that are not the last of these, as coming into force at the end of
    /// a log; for measures that had none, from its beginning on. An older program brings an older one back.
    pub fn missing(&self, end: i64, now: Timestamp) -> Vec<Definition> {
        let noted = Measure::ALL.iter().filter_map(|measure| {
            let last = self.of(*measure).last().map(|last| last.definition);
            (last != Some(measure.definition())).then(|| Definition {
                measure: measure.name().to_owned(),
                definition: measure.definition(),
                since: last.map_or(0, |_| end),
                at: now,
            })
        });
        noted.collect()
    }

    /// Those of a measure, as they came into force.
    fn of(&self, measure: Measure) -> Vec<&Definition> {
        let mut known: Vec<&Definition> = self.0.iter().collect();
        known.retain(|known| known.measure == measure.name());
        known.sort_by_key(|known| (known.since, known.at, known.definition));
        known
    }

    /// Refuses a table by a definition that is no more: one that the filters name, or else the one that was in
    /// force at the place that they name. Who names neither asks by the one there is.
    ///
    /// # Errors
    /// When it is another than the program has.
    pub fn check(&self, measure: Measure, filters: &Filters) -> Result<(), Redefined> {
        let current = measure.definition();
        let asked = match (filters.definition, filters.as_of) {
            (Some(named), _) => named,
            (None, Some(as_of)) => self.in_force(measure, as_of).unwrap_or(current),
            (None, None) => current,
        };
        match asked == current {
            true => Ok(()),
            false => Err(Redefined {
                measure,
                asked,
                current,
            }),
        }
    }

    fn in_force(&self, measure: Measure, as_of: AsOf) -> Option<u32> {
        let began = |known: &Definition| match as_of {
            AsOf::Position(position) => known.since < position,
            AsOf::Time(time) => known.at <= time,
        };
        let known = self.of(measure);
        let last = known.iter().rev().find(|known| began(known));
        // The first one holds for all that was before.
        last.or(known.first()).map(|known| known.definition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(definition: u32, since: i64, at: &str) -> Definition {
        Definition {
            measure: "nations".to_owned(),
            definition,
            since,
            at: at.parse().unwrap(),
        }
    }

    #[test]
    fn a_place_is_asked_by_the_definition_that_was_in_force_there() {
        let current = Measure::Nations.definition();
        let (old, new) = (current + 1, current);
        let definitions = Definitions(vec![
            noted(old, 0, "2026-01-01T00:00:00Z"),
            noted(new, 100, "2026-03-01T00:00:00Z"),
        ]);
        let asked = |as_of: Option<&str>, definition: Option<u32>| {
            let filters = Filters {
                as_of: as_of.map(|as_of| as_of.parse().unwrap()),
                definition,
                ..Filters::default()
            };
            definitions.check(Measure::Nations, &filters)
        };
        let refused = Err(Redefined {
            measure: Measure::Nations,
            asked: old,
            current,
        });
        for place in ["0", "1", "100", "2025-01-01", "2026-02-28"] {
            assert_eq!(asked(Some(place), None), refused, "{place}");
            assert_eq!(asked(Some(place), Some(new)), Ok(()), "{place}");
            assert_eq!(asked(Some(place), Some(old)), refused, "{place}");
        }
        for place in ["101", "2026-03-01"] {
            assert_eq!(asked(Some(place), None), Ok(()), "{place}");
        }
        assert_eq!(asked(None, None), Ok(()));
        assert_eq!(asked(None, Some(old)), refused);
    }

    #[test]
    fn definitions_are_noted_once_and_hold_from_where_they_came() {
        let now = Timestamp::now();
        let mut definitions = Definitions::default();
        let first = definitions.missing(70, now);
        assert_eq!(first.len(), Measure::ALL.len());
        assert!(first.iter().all(|noted| noted.since == 0));
        definitions.0 = first;
        assert_eq!(definitions.missing(80, now), []);
        definitions.0[0].definition += 1;
        let next = definitions.missing(80, now);
        assert_eq!((next.len(), next[0].since), (1, 80));
    }

    /// 1, then 2 for a while, and 1 again.
    #[test]
    fn an_older_program_brings_its_definitions_back() {
        let (old, new) = (
            Measure::Nations.definition(),
            Measure::Nations.definition() + 1,
        );
        let mut definitions = Definitions(vec![
            noted(new, 100, "2026-03-01T00:00:00Z"),
            noted(old, 0, "2026-01-01T00:00:00Z"),
        ]);
        let of_nations = |definitions: &Definitions| {
            let missing = definitions.missing(200, "2026-05-01T00:00:00Z".parse().unwrap());
            let mut missing = missing.into_iter();
            missing.find(|missing| missing.measure == "nations")
        };
        let back = of_nations(&definitions).expect("noted");
        assert_eq!((back.definition, back.since), (old, 200));
        definitions.0.push(back);
        assert_eq!(of_nations(&definitions), None);
        let asked = |place: i64| {
            let filters = Filters {
                as_of: Some(AsOf::Position(place)),
                ..Filters::default()
            };
            definitions.check(Measure::Nations, &filters).is_ok()
        };
        assert_eq!([100, 101, 200, 201].map(asked), [true, false, false, true]);
    }
}
