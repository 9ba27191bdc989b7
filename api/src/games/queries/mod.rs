//! The SQL of games.

pub mod append;
pub mod audit;
pub mod invitations;
pub mod lists;
pub mod log;
pub mod read;
pub mod rows;
