//! Tabularium's HTTP service: it referees games of the Antike family and keeps their records.
//!
//! A folder is a feature, with its model, its service, its queries and its handlers; the others are what features
//! share. A folder uses only folders of rows above its own (`tests/http/layers.rs` checks that).
//!
//! | folder | contents |
//! | --- | --- |
//! | [`db`] | connection, writer, schema, projections of the log, threads and their jobs |
//! | [`http`] | requests, answers, problems, limits, middleware |
//! | [`accounts`] | players, tokens and scopes |
//! | [`games`] | games: create, play, undo, deadlines, events, records, lists |
//! | [`content`] | editions, boards, rules and drawings of them |
//! | [`signing`] | keys, signatures and checkpoints |
//! | [`ratings`] | ratings of players |
//! | [`leagues`] | leagues: members, seasons, tables, pairing, standings |
//! | [`webhooks`] | webhooks and their deliveries |
//! | [`statistics`] | measures over finished games |
//! | [`datasets`] | published datasets |
//! | [`analysis`] | analysis of positions |
//! | [`services`] | the services of all features, connected; the audit of a database |
//! | [`site`] | HTML pages |
//! | [`server`] | routes, specification, health; everything put together and listening |
//! | [`cli`] | the program's commands |

pub mod accounts;
pub mod analysis;
pub mod cli;
pub mod content;
pub mod datasets;
pub mod db;
pub mod games;
pub mod http;
pub mod leagues;
pub mod ratings;
pub mod server;
pub mod services;
pub mod signing;
pub mod site;
pub mod statistics;
pub mod webhooks;

pub use crate::accounts::service::{Admission, Registration};
pub use crate::db::clock::Clock;
pub use crate::http::limits::options::Limits;
pub use crate::server::{Config, Server, ServerError};
