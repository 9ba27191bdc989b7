//! Moderation: what administrators do against abuse, the log of their acts, and the reports of players.
//!
//! - Every act is written in the transaction of its effect. This also holds for requests to other paths that are
//!   allowed only because their sender is an administrator: [`crate::http::call::Call::act_as_administrator`].
//! - The log of acts only grows. If an account is deleted, acts lose the handles that it had.
//! - Suspending an account refuses its tokens ([`crate::accounts::scope_check`]); nothing else of it changes.
//! - The texts of a game are hidden in answers only. Log, record and signature keep them, so a record is refused.
//! - A closed league refuses changes. Its games continue, and their ends are entered.

pub mod handlers;
pub mod model;
pub(crate) mod queries;
pub mod service;
