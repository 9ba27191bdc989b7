//! Statistics of Antike games.
//!
//! Records are replayed by the engine into [`Facts`]: twelve tables, in memory or as Parquet files in a [`FactsStore`].
//! A [`Measure`] is a query on facts under [`Filters`] that returns a [`StatisticsTable`], which can be written in
//! several formats. [`measure`] reads facts in memory; a [`Snapshot`] reads any number of games on disk. The server and
//! the program `tabularium-analytics` both use snapshots, so they return the same numbers (`tests/store.rs`).
//!
//! Memory does not grow with the number of games, except for 24 bytes a game while records are added from files.
//!
//! A [`StatisticsTable`] cites `data_version`, `as_of` and the program's version. `data_version` contains the number of
//! games that pass the filters and a sum of the hashes of their records. It does not depend on the order or the storage
//! of games. If the definition of a measure changes, the program's version changes too: `tests/golden.rs` compares a
//! hash of each measure of the golden records. A permanent citation needs a published [`dataset`].

mod analyses;
mod answer;
pub mod dataset;
pub mod facts;
mod measures;
pub mod question;
pub mod ratings;
mod report;
mod snapshot;
pub mod statistics;
pub mod storage;

pub use analyses::{Analyses, AnalysisFileError, BLUNDER, Judge, LineError};
pub use answer::{
    Accuracy, AccuracyError, Dictionary, Picture, RowCells, RulesetGames, SampleComparison,
    SqlError, StatisticsTable, TableDescription, TreeNode, WinRate, accuracy, json_schema, measure,
    sql,
};
#[cfg(feature = "sql")]
pub use answer::{Answer, QueryError, query};
pub use facts::{Facts, GameFacts, LazyFacts};
pub use measures::accuracy::AnalysisError;
pub use measures::*;
pub use question::{FilterError, Filters};
pub use report::{ReportSource, report};
pub use snapshot::Snapshot;
pub use storage::{FactsStore, FactsStoreError, FactsWriter};
