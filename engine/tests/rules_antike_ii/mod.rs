//! The rules of Antike II (2014) that differ from those of 2005.
//!
//! Each rule of the digest has at least one test, named after it.

mod arming;
mod boards;
mod conquest;
mod examples;
mod founding;
mod know_how;
mod neutral_temple;
mod personages;
mod positions;
mod production;
mod setup;
mod variants;
