//! OAuth 2.1: registered apps, and the tokens that people allow them.
//!
//! - An app is a public client: it has no secret, so PKCE with `S256` is required. Its tokens are tokens of the account
//!   (`accounts/`), with the grant that allows them. So every request is authenticated in one way.
//! - A *grant* is what a person has allowed: an app, scopes, and the account. It has codes and refresh tokens, each of
//!   which can be used once. A second use deletes the grant with all its tokens, because one of the two users is not
//!   the app (RFC 9700, section 4.14).
//! - The database is the truth on every node. Each exchange is one write transaction, and these run one after the
//!   other. Codes and tokens are stored as SHA-256.
//! - Only a signed-in browser can allow something, on a page of this server (`site/accounts/consent.rs`). A token cannot.
//! - Ended grants are deleted, not marked. Expired ones are deleted when the next grant is created.

pub mod handlers;
pub mod model;
pub mod parameters;
pub mod queries;
pub mod redirect_uris;
pub mod service;
pub mod user_codes;
