//! Notices: mails and push messages about games and leagues, by the choice of each account.
//!
//! - Two projections write notices (`projection.rs`): one of the logs of games and leagues, and one of changed games,
//!   for what is pending without an event, such as an invitation. Each notice has a key, so it is stored once.
//! - Sending the notices of an account is one job with a lease (`db/work/sending.rs`). A kill or an unreachable mail
//!   server loses no notice. What no longer applies, such as a turn that has ended, is not sent.
//! - Mails that confirm an address or recover a password are notices too. Their secrets are created when they are sent.
//! - Texts come from the pages, as functions (`letter.rs`, `webhooks/content.rs`).
//! - Push messages are encrypted (RFC 8291) and signed (RFC 8292). The key is in the database, because browsers accept
//!   only one and every node sends. They reach only public addresses, like webhooks.

pub mod handlers;
pub mod letter;
pub mod mail;
pub mod model;
pub mod projection;
pub mod push;
pub mod queries;
pub mod sender;
pub mod service;
