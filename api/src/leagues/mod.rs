//! Leagues: members, seasons, tables, pairing, results and standings.
//!
//! - A league is its log. The database also stores what follows from the last event (`leagues`) and the games whose
//!   ends the league waits for (`league_games`).
//! - The code that folds a log also checks each event before it is written. So its checks may be relaxed but never
//!   tightened: an old log must stay valid. Checks of requests only are in the services.
//! - Results are counted in whole parts, so that equal results compare equal.
//! - The end of a game appends an event to its league in the same transaction (`queries.rs`, `note_end`). Tables and
//!   their event are written together or not at all.
//! - Every event is signed with its log, in the transaction that adds it. The signature covers the hash chain and the
//!   positions in the logs of all leagues and of all games. Positions are assigned under the lock that every writer
//!   takes first.
//!
//! | file | contents |
//! | --- | --- |
//! | `event.rs` | the events of a league |
//! | `fold.rs` | folds a log into a league, and checks which event may follow |
//! | `log.rs` | reads leagues from their logs; the rights of callers in a league, for games |
//! | `pairing.rs` | pairs players for the next rounds |
//! | `bracket.rs`, `elimination.rs`, `matches.rs` | the matches of a knock-out season, of a double elimination, and of either |
//! | `groups.rs`, `promotion.rs` | divisions and teams; the divisions of the next season |
//! | `group_service.rs`, `group_model.rs` | the operations of divisions, teams and ladders; their requests and answers |
//! | `ladder.rs` | the order of a ladder, and challenges |
//! | `bound.rs` | proves how many repeated meetings are unavoidable |
//! | `round_robin.rs` | pairs players so that everybody plays everybody |
//! | `pauses.rs`, `pause_service.rs`, `pause_model.rs` | pauses and holidays, and the time that members use |
//! | `scoring.rs` | points for results |
//! | `standings.rs`, `teams.rs` | standings and head-to-head of a season; standings of teams |
//! | `service.rs`, `members.rs`, `tables.rs`, `results.rs`, `seasons.rs` | the operations and their permissions |
//! | `roles.rs` | the roles of accounts, and what each allows |
//! | `registration/` | settings, questions and requests to join, the invitation link, closing and deleting |
//! | `reports/` | results that members report, and disputes |
//! | `queries.rs` | the logs in the database |
//! | `exchange/` | spreadsheets, imports, exports |
//! | `model.rs`, `handlers/`, `pictures.rs` | requests and answers |

pub mod audit;
pub mod bodies;
pub mod bound;
pub mod bracket;
pub mod deadlines;
pub mod elimination;
pub mod event;
pub mod exchange;
#[cfg(test)]
mod fixtures;
pub mod fold;
pub mod group_model;
pub mod group_service;
pub mod groups;
pub mod handlers;
pub mod ladder;
pub mod league;
pub mod limits;
pub mod log;
pub mod matches;
pub mod members;
pub mod model;
pub mod overview;
pub mod pairing;
pub mod pause_model;
pub mod pause_service;
pub mod pauses;
pub mod pictures;
pub mod promotion;
pub mod queries;
pub mod registration;
pub mod reports;
pub mod results;
pub mod roles;
pub mod round_robin;
pub mod scoring;
pub mod seasons;
pub mod service;
pub mod standings;
pub mod tables;
pub mod teams;
