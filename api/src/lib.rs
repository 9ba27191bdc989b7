//! Tabularium's HTTP service: it referees games of the Antike family and keeps their records.
//!
//! The modules are layers; each uses only those above it.
//!
//! | layer | what it is |
//! | --- | --- |
//! | [`telemetry`] | logs and metrics |
//! | [`database_url`] | where the data are, with the password kept out of every message |
//! | [`store`] | the only place that knows SQL |
//! | [`leagues`] | what the events of leagues come to |
//! | [`work`] | the threads that do what is due, and those that must not end |
//! | [`projections`] | what is derived from the log, and the thread that applies it |
//! | [`office`] | the keys that sign |
//! | [`games`] | live games and what happens to them, without a word of HTTP or SQL |
//! | [`problem`] | every error as the answer that it is |
//! | [`limits`] | what requests may cost |
//! | [`statistics`] | what finished games tell |
//! | [`health`] | how the service is |
//! | [`webhooks`] | telling others what happened |
//! | [`request`] | reading requests |
//! | [`reply`] | answering them |
//! | [`answers`] | the problems of each kind of operation, for the specification |
//! | [`routes`] | the handlers |
//! | [`docs`] | the specification and its page |
//! | [`pages`] | the pages that people look at |
//! | [`app`] | routing, and what every request passes |
//! | [`server`] | everything put together and listening |
//! | [`commands`] | the program's subcommands |

pub mod answers;
pub mod app;
pub mod commands;
pub mod database_url;
pub mod docs;
pub mod games;
pub mod health;
pub mod leagues;
pub mod limits;
pub mod office;
pub mod pages;
pub mod problem;
pub mod projections;
pub mod reply;
pub mod request;
pub mod routes;
pub mod server;
pub mod statistics;
pub mod store;
pub mod telemetry;
pub mod webhooks;
pub mod work;

pub use games::{Admission, Registration};
pub use limits::Limits;
pub use server::{Config, Server, ServerError};
pub use store::Clock;
