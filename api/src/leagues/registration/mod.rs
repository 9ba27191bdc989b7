//! The settings of a league and its registration: questions, requests to join, and the invitation link.
//!
//! - The log names the accounts that ask to join. Their answers to the questions are not part of the log, which everyone
//!   may read and no one can change: they are in the table `league_registrations`, for organizers only.
//! - The log contains the SHA-256 of an invitation link's code, never the code.

pub mod fold;
pub mod handlers;
pub mod model;
pub mod queries;
pub mod service;
