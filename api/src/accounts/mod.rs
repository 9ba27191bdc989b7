//! Accounts: players who register, and what their tokens allow.
//!
//! - A request with an `Authorization` header that is not a valid bearer token is answered 401 on every path except
//!   those for monitoring. This is checked before routing ([`authentication`]).
//! - The holders of tokens are cached for at most 2 seconds. A node immediately removes from its cache what it
//!   revokes.
//! - Revoking a token revokes its descendants in one statement. The transaction that creates a token checks its
//!   parent, and write transactions run one after the other, so no descendant remains valid.
//! - The services check scopes, and what the caller may do with this game or league.
//! - Games, leagues and records name an account by its id. A handle is stored only in `accounts` and looked up when
//!   games are read. So renaming and deleting change no log; they only raise the versions of the games.
//! - Names that people choose are normalized when requests are read (`names.rs`). Records and logs of leagues are
//!   checked less strictly ([`engine::setup::check_name`]), so that everything signed stays valid.

pub mod authentication;
pub mod handlers;
pub mod model;
pub mod names;
pub(crate) mod queries;
pub mod scope_check;
pub mod service;
pub mod token;
