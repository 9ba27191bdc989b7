//! Tests of the bots through their public interface: `cargo test --workspace --test bots`.
//!
//! Each subject has a module.

mod analysis;
mod bots_antike_duellum;
mod forgeries;
mod log;
mod matches;
mod mutations;
mod observation;
mod play;
mod search;
mod support;
mod win;
