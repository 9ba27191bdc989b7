//! HTTP handlers of games.

pub mod actions;
pub mod engine;
pub mod events;
pub mod games;
pub mod history;
pub mod imports;
pub mod invitations;
pub mod known;
pub mod lists;
pub mod notifications;
pub mod path;
pub mod pictures;
pub mod reader;
pub mod records;
pub mod seats;
