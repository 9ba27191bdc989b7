//! Leagues: members, seasons, tables, pairing, results and standings.
//!
//! - A league is its log. Beside it the database has only what follows from the last event (`leagues`) and the games
//!   whose ends the league waits for (`league_games`).
//! - The fold that reads a log also checks an event before it is written. So its checks may be relaxed, but never
//!   tightened: an old log must stay valid. Checks of requests alone are in the services.
//! - Results are counted in whole parts, so that equal is equal.
//! - The end of a game appends an event to its league in the same transaction (`queries.rs`, `note_end`). Tables and
//!   their event are written together or not at all.
//! - Every event is signed with its log, in the transaction that adds it. The signature covers the chain and the
//!   positions in the logs of all leagues and of all games. Positions are given under the lock that every writer takes
//!   first.
//!
//! | file | contents |
//! | --- | --- |
//! | `event.rs` | what can happen in a league |
//! | `fold.rs` | the league that a log gives, and which event may come next |
//! | `log.rs` | reads leagues from their logs; the rights in a league that games ask for |
//! | `pairing.rs` | who plays where in coming rounds |
//! | `scoring.rs` | what a result is worth |
//! | `standings.rs` | standings of a season, and who came out ahead of whom |
//! | `service.rs`, `members.rs`, `tables.rs`, `results.rs`, `seasons.rs` | what may be done and by whom |
//! | `queries.rs` | the logs in the database |
//! | `model.rs`, `handlers/`, `csv.rs`, `pictures.rs` | requests and answers |

pub mod audit;
pub mod bodies;
pub mod csv;
pub mod event;
pub mod fold;
pub mod handlers;
pub mod league;
pub mod limits;
pub mod log;
pub mod members;
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
