//! Accounts: players who register, and what a token of theirs may do.

pub mod authentication;
pub mod handlers;
pub mod model;
pub mod names;
pub mod queries;
pub mod service;
pub mod token;
