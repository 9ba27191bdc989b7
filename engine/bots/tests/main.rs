//! Tests of the bots through their public interface, a module for each subject: `cargo test --workspace --test bots`.

mod analysis;
mod bots_antike_duellum;
mod forgeries;
mod log;
mod matches;
mod mutations;
mod play;
mod search;
mod seen;
mod support;
