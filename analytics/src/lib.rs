//! Statistics of Antike games.
//!
//! Records are replayed by the engine into [`Facts`]: five tables, in memory or as Parquet files.
//! A [`Measure`] is a query on facts under [`Filters`] and gives a [`Table`], which knows its
//! formats. The service and the program `tabularium-analytics` call the same [`measure`], so that
//! the same number comes out of both.

pub mod facts;
pub mod filters;
pub mod ingest;
pub mod interval;
mod measures;
mod table;

pub use facts::{Facts, GameFacts, LazyFacts, Store};
pub use filters::Filters;
pub use measures::{INSUFFICIENT_BELOW, Measure, UnknownMeasure, measure};
pub use table::{RulesetGames, Table, json_schema};
