//! The configuration of the server: the options of `tabularium serve` are its only definition.
//!
//! - [`settings`] derives a setting from each option that has an environment variable: its key, type and default.
//! - [`file`](mod@file) reads the configuration file. Its values become the defaults of the options of all commands, so that
//!   an option precedes a variable, and a variable precedes the file.
//! - [`problems`] lists what is wrong or unsafe in the effective values.
//! - [`command`] is `tabularium config`.

pub mod command;
pub mod file;
pub mod problems;
pub mod settings;
