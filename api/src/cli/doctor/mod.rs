//! `tabularium doctor`: what is healthy, damaged, outdated or unsafe.
//!
//! Each part returns findings for the [`report`]: the [`settings`] of the server, its [`files`], its [`database`], and
//! the answers of a [`running`] server. A part that cannot look is itself a finding, so one fault never hides others.

pub mod command;
pub mod database;
pub mod files;
pub mod report;
pub mod running;
pub mod settings;
