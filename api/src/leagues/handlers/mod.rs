//! The routes of leagues.

pub mod calendar;
pub mod exchange;
pub mod groups;
pub mod league;
pub mod members;
pub mod path;
pub mod pauses;
pub mod reply;
pub mod standings;
pub mod tables;
