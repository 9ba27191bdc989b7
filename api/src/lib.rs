//! Tabularium's HTTP service: it referees games of the Antike family and keeps their records.
//!
//! [`server::Server`] puts everything together. [`routes`] read requests and render answers and
//! know no SQL; [`games`] owns live games and appends and knows neither HTTP nor SQL; [`store`]
//! owns SQL.

pub mod commands;
pub mod database_url;
pub mod extract;
pub mod games;
pub mod middleware;
pub mod office;
pub mod openapi;
pub mod problem;
pub mod routes;
pub mod server;
pub mod statistics;
pub mod store;
pub mod telemetry;

pub use server::{Config, Limits, Server, ServerError};
