//! The dictionary: the columns of all tables of facts and measures.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::facts::{ColumnInfo, FactTable};
use crate::measures::{ACCURACY, MEASURES, Measure};

/// A table of facts, or the table of a measure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = StatisticsTable))]
pub struct TableDescription {
    /// The meaning of a row, or of the measure.
    pub meaning: String,
    /// Its columns, in order.
    pub columns: Vec<ColumnInfo>,
}

/// The columns of all facts and measures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = StatisticsDictionary))]
pub struct Dictionary {
    /// The tables of facts, by name.
    pub facts: BTreeMap<&'static str, TableDescription>,
    /// The tables of measures, by name.
    pub measures: BTreeMap<&'static str, TableDescription>,
}

/// Describes a measure, with its name.
fn described(measure: &Measure) -> (&'static str, TableDescription) {
    let described = TableDescription {
        meaning: measure.description(),
        columns: measure.columns(),
    };
    (measure.name, described)
}

impl Dictionary {
    /// Returns the dictionary with the measure `accuracy`, which needs analyses.
    pub fn with_analyses() -> Dictionary {
        let mut dictionary = Dictionary::get();
        dictionary.measures.extend([described(&ACCURACY)]);
        dictionary
    }

    /// Returns the dictionary of all facts and of the measures in [`MEASURES`].
    pub fn get() -> Dictionary {
        let facts = FactTable::ALL.iter().map(|table| {
            let described = TableDescription {
                meaning: table.meaning().to_owned(),
                columns: table.columns().to_vec(),
            };
            (table.name(), described)
        });
        let measures = MEASURES.iter().map(|measure| described(measure));
        Dictionary {
            facts: facts.collect(),
            measures: measures.collect(),
        }
    }
}
