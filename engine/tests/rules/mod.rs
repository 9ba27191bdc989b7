//! The rules of Antike (2005), one test or more for each rule of the digest, named after it. A test
//! builds a position on a table, plays actions in notation, and looks at what stands there then;
//! refused actions name the rule that they offend.

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
