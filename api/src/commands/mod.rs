//! The subcommands of the `tabularium` program, one module each.

pub mod migrate;
pub mod openapi;
pub mod serve;
