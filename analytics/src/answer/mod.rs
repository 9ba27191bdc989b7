//! Tables of results, SQL queries and their formats.

mod ask;
mod csv;
mod curves;
mod dictionary;
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

pub use ask::{Accuracy, AccuracyError, accuracy, measure};
pub(crate) use ask::{last_recorded, last_result, table};
pub use curves::Picture;
pub use dictionary::{Described, Dictionary};
#[cfg(feature = "sql")]
pub use query::{Answer, QueryError, query};
pub use schema::json_schema;
pub use sql::{NoSql, sql};

pub(crate) use table::PROGRAM;
pub use table::Table;

pub use crate::measures::sums::RulesetGames;
pub use rows::{RowCells, WinRate};
pub use trees::TreeNode;
