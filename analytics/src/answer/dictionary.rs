//! The dictionary: every column of facts and measures, from the code that makes them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::facts::{ColumnInfo, FactTable};
use crate::measures::{ACCURACY, MEASURES, Measure};

/// A table of facts, or the table that a measure answers with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = StatisticsTable))]
pub struct Described {
    /// What a row is, or what the measure tells.
    pub meaning: String,
    /// Its columns, in order.
    pub columns: Vec<ColumnInfo>,
}

/// Every column of facts and measures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = StatisticsDictionary))]
pub struct Dictionary {
    /// What happened in games, by the names of tables.
    pub facts: BTreeMap<&'static str, Described>,
    /// What is asked of facts, by the names of measures.
    pub measures: BTreeMap<&'static str, Described>,
}

/// A measure with its name.
fn described(measure: &Measure) -> (&'static str, Described) {
    let described = Described {
        meaning: measure.description(),
        columns: measure.columns(),
    };
    (measure.name, described)
}

impl Dictionary {
    /// The same with the measure that asks for analyses beside facts.
    pub fn with_analyses() -> Dictionary {
        let mut dictionary = Dictionary::get();
        dictionary.measures.extend([described(&ACCURACY)]);
        dictionary
    }

    /// All that facts tell by themselves.
    pub fn get() -> Dictionary {
        let facts = FactTable::ALL.iter().map(|table| {
            let described = Described {
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
