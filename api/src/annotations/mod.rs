//! Annotations of finished games: comments, verdicts and variations by accounts.
//!
//! They are beside the record and its log, so they prove nothing and change nothing. Their text form contains the record,
//! see [`records::Annotations`].

pub mod handlers;
pub mod model;
pub mod queries;
pub mod service;
