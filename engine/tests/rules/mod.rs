//! The rules of Antike (2005), with at least one test for each rule of the digest, named after it.
//!
//! A test builds a position on a table, plays actions in notation, and checks the result. Refused actions name the
//! rule that they break.

pub mod table;

mod arming;
mod battle;
mod conquest;
mod ending;
mod examples;
mod founding;
mod know_how;
mod maneuver;
mod personages;
mod positions;
mod production;
mod resignation;
mod rondel;
mod round;
mod setup;
mod temple;
mod variants;
