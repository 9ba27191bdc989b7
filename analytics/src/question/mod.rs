//! Filters: the games and nations that a measure includes.

pub(crate) mod condition;
mod filter_values;
mod filters;
mod known;

pub use filter_values::*;
pub use filters::*;
pub use known::BadFilter;
pub(crate) use known::bad;
