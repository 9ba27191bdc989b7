//! Tabularium's HTTP service: it referees games of the Antike family and keeps their records.
//!
//! A folder is a feature, with its `model.rs` (rows, requests and answers), `service.rs` (rules and permissions),
//! `queries.rs` (its SQL) and `handlers.rs` (read the request, call the service, write the answer). The other folders
//! are shared by features. A folder uses only folders of rows above its own; folders of one row do not use each other
//! (`tests/http/layers.rs`).
//!
//! | folder | contents |
//! | --- | --- |
//! | [`db`] | connection, writer, schema, projections of the logs, scheduled work, backups |
//! | [`http`] | requests, answers, problems, limits, middleware |
//! | [`accounts`], [`content`], [`signing`] | players, tokens; editions, boards, rules; keys, signatures, checkpoints |
//! | [`games`] | games: create, play, undo, deadlines, events, records, lists |
//! | [`analysis`], [`annotations`], [`chat`], [`datasets`], [`leagues`], [`personal_data`], [`webhooks`] | features that use games |
//! | [`moderation`], [`ratings`], [`statistics`] | acts of administrators; computed from games and leagues |
//! | [`services`] | connects the services; audits a database |
//! | [`site`] | HTML pages |
//! | [`server`] | routes, specification, health; start and stop |
//! | [`cli`] | the commands of the program |

pub mod accounts;
pub mod analysis;
pub mod annotations;
pub mod chat;
pub mod cli;
pub mod content;
pub mod datasets;
pub mod db;
pub mod games;
pub mod http;
pub mod leagues;
pub mod moderation;
pub mod notices;
pub mod oauth;
pub mod personal_data;
pub mod ratings;
pub mod server;
pub mod services;
pub mod sessions;
pub mod signing;
pub mod site;
pub mod statistics;
pub mod webhooks;

pub use crate::accounts::service::{Admission, Registration};
pub use crate::db::backup::schedule::BackupOptions;
pub use crate::db::clock::Clock;
pub use crate::http::limits::options::Limits;
pub use crate::server::{Config, Server, ServerError};
