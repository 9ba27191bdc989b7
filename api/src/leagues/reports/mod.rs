//! Results that members report, and disputes about tables and reports.
//!
//! - A member reports the result of a table where the member plays. It counts when another player of the table confirms
//!   it, or when an official accepts it. A disputed report needs an official.
//! - A report that a player confirms does not count for ratings, as every result that a player of the table enters
//!   ([`crate::leagues::results::ranked_at_table`]).

pub mod fold;
pub mod handlers;
pub mod model;
pub mod service;
