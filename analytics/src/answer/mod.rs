//! Tables of results, SQL queries and their formats.

mod comparison;
mod compute;
mod csv;
mod curves;
mod dictionary;
mod heat;
mod json;
mod parquet;
#[cfg(feature = "sql")]
mod query;
mod rows;
mod schema;
mod sql;
mod svg;
mod table;
mod text;
mod trees;

pub use comparison::SampleComparison;
pub use compute::{Accuracy, AccuracyError, accuracy, measure};
pub(crate) use compute::{last_recorded, last_result, table};
pub use curves::Picture;
pub use dictionary::{Dictionary, TableDescription};
#[cfg(feature = "sql")]
pub use query::{Answer, QueryError, query};
pub use schema::json_schema;
pub use sql::{SqlError, sql};

pub(crate) use table::PROGRAM;
pub use table::StatisticsTable;

pub use crate::measures::sums::RulesetGames;
pub use rows::{RowCells, WinRate};
pub use trees::TreeNode;
