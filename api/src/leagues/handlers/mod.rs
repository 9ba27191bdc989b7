//! The routes of leagues.

pub mod calendar;
pub mod league;
pub mod members;
pub mod path;
pub mod reply;
pub mod standings;
pub mod tables;
