//! Tabularium's HTTP service: it referees games of the Antike family and keeps their records.
//!
//! [`server::Server`] puts everything together. [`routes`] read requests and render answers and
//! know no SQL; [`games`] owns live games and appends and knows neither HTTP nor SQL; [`store`]
//! owns SQL.

pub mod commands;
pub mod extract;
pub mod games;
pub mod limits;
pub mod middleware;
pub mod office;
pub mod openapi;
pub mod problem;
pub mod routes;
pub mod server;
pub mod statistics;
pub mod store;
pub mod telemetry;

pub use limits::Limits;
pub use server::{Config, Server, ServerError};
