//! Leagues: members, seasons, tables, pairing, results and standings. A league is its log.
//!
//! | file | contents |
//! | --- | --- |
//! | `event.rs` | what can happen in a league |
//! | `fold.rs` | what a log comes to, and which event may come next |
//! | `pairing.rs` | who sits where in coming rounds |
//! | `scoring.rs` | what a result is worth |
//! | `standings.rs` | standings of a season, and who came out ahead of whom |
//! | `service.rs`, `tables.rs`, `results.rs`, `seasons.rs` | what may be done and by whom |
//! | `queries.rs` | the logs in the database |
//! | `model.rs`, `handlers.rs`, `calendar.rs`, `pictures.rs` | requests and answers |

pub mod audit;
pub mod calendar;
pub mod event;
pub mod fold;
pub mod handlers;
pub mod limits;
pub mod log;
pub mod model;
pub mod overview;
pub mod pairing;
pub mod pictures;
pub mod queries;
pub mod results;
pub mod scoring;
pub mod seasons;
pub mod service;
pub mod standings;
pub mod tables;
