//! Sign-in of people: passwords, recovery codes and the sessions of browsers.
//!
//! - A session is a row with the SHA-256 of a random cookie. It gives the scopes of the account's owner
//!   (`accounts/scope_check.rs`), on every node. A session that ends is refused within 2 seconds, like a token.
//! - Passwords are hashed with Argon2id on threads that may block, a few at a time (`LoadKind::Password`). A handle that
//!   does not exist costs the same time and has the same answer as a wrong password.
//! - The transaction that starts a session or changes a password checks that the password is still the one that was
//!   verified. So a session that starts on another node while the password changes does not survive.
//! - Requests with a password are never stored for repetition, not even as a hash, because a password can be guessed.
//! - Passkeys are in `passkeys.rs`. Another way to sign in is a file beside it, a table, and a function of
//!   [`service::Sessions`] that ends in a session.

pub mod device;
pub mod handlers;
pub mod model;
pub mod passkey_handlers;
pub mod passkey_model;
pub mod passkey_queries;
pub mod passkeys;
pub mod passwords;
pub mod queries;
pub mod recovery;
pub mod service;
