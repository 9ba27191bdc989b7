//! The export of everything that the server stores of an account, as one JSON document.
//!
//! - [`tables`] lists every column of the schema: exported, or excluded with a reason. A test compares it with the
//!   database, so a new column must be listed.
//! - The document is sent while it is read: first the rows of each table, then the records of the games. A document
//!   that is cut off is no JSON.

pub mod handlers;
mod queries;
pub mod tables;
