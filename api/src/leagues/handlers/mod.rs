//! The routes of leagues.

pub mod calendar;
pub mod groups;
pub mod league;
pub mod members;
pub mod path;
mod reply;
pub mod standings;
pub mod tables;
