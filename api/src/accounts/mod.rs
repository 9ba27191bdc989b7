//! Accounts: players who register, and what a token of theirs may do.
//!
//! - An `Authorization` that is not a valid bearer token is 401 on every path but those for monitoring. It is checked
//!   before any route ([`authentication`]).
//! - The holders of tokens are in memory for at most 2 seconds. A node forgets at once what it revokes.
//! - Revoking a token revokes its descendants in one statement. The transaction that creates a token checks its
//!   parent, and writers wait for each other, so no child escapes.
//! - Scopes are checked by the services, beside what the caller may do with this game or league.
//! - Games, leagues and records name an account by its id. A handle is stored in `accounts` alone and looked up when
//!   games are read, so renaming and deleting alter no log; they only give the games a new version.
//! - Names that people choose are normalized where requests are read (`names.rs`). Records and logs of leagues are
//!   checked less strictly ([`engine::setup::check_name`]), so that what is signed stays valid.

pub mod authentication;
pub mod handlers;
pub mod model;
pub mod names;
pub(crate) mod queries;
pub mod scope_check;
pub mod service;
pub mod token;
