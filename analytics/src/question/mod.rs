//! Filters: the games and nations that a measure includes.

mod checks;
pub(crate) mod condition;
mod filter_values;
mod filters;

pub use checks::FilterError;
pub(crate) use checks::refuse;
pub use filter_values::*;
pub use filters::*;
