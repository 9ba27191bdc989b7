//! The rules of Antike Duellum (2012) that differ from those of the other editions.
//!
//! Each rule of the digest has at least one test, named after it.

mod arming;
mod boards;
mod cards;
mod conquest;
mod decks;
mod elsewhere;
mod events;
mod events_of_fields;
mod examples;
mod fortress;
mod founding;
mod interplay;
mod know_how;
mod listed;
mod maneuver;
mod own_deck;
mod personages;
mod positions;
mod setup;
mod special_units;
mod temple;
