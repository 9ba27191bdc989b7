//! What is asked: which games, and which nations in them.

pub(crate) mod condition;
mod filter_values;
mod filters;
mod known;

pub use filter_values::*;
pub use filters::*;
pub use known::BadFilter;
pub(crate) use known::bad;
