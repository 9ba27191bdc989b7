//! Statistics of Antike games.
//!
//! Records are replayed by the engine into [`Facts`]: eleven tables, in memory or as Parquet files in a [`Store`]. A
//! [`Measure`] is a query on facts under [`Filters`] and gives a [`Table`], which knows its formats. [`measure`] asks
//! facts in memory, a [`Snapshot`] those of any number of games on disk; the service and the program
//! `tabularium-analytics` ask snapshots, so that the same number comes out of both (`tests/store.rs`).
//!
//! Memory does not grow with the number of games, except for 24 bytes a game while records are added from files.
//!
//! A [`Table`] cites `data_version`, `as_of` and the program's version. `data_version` covers what the table depends
//! on: how many games pass the filters, and a sum of the hashes of their records. It does not depend on the order of
//! games or on where they are stored. A changed definition is a changed program: `tests/golden.rs` compares a hash of
//! each measure of the golden records. What must last is published as a [`dataset`].

mod analyses;
mod condition;
pub mod dataset;
mod dictionary;
pub mod facts;
pub mod filter_values;
pub mod filters;
pub mod ingest;
pub mod interval;
mod known;
mod linear;
mod measures;
#[cfg(feature = "sql")]
mod query;
mod report;
mod snapshot;
mod sql;
pub mod strength;
mod table;

pub use analyses::{Analyses, BLUNDER, BadAnalysis, BadLine, Judge};
pub use dictionary::{Described, Dictionary};
pub use facts::{Facts, FactsWriter, GameFacts, LazyFacts, Store, StoreError};
pub use filters::Filters;
pub use known::BadFilter;
pub use measures::accuracy::{Accuracy, AccuracyError, accuracy};
pub use measures::{INSUFFICIENT_BELOW, Measure, UnknownMeasure, measure};

#[cfg(feature = "sql")]
pub use query::{Answer, QueryError, query};
pub use report::{ReportSource, report};
pub use snapshot::Snapshot;
pub use sql::{NoSql, sql};
pub use table::{Picture, RulesetGames, Table, json_schema};
