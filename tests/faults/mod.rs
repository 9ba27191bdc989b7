//! Faults and floods against the real program: it is killed, cut off, starved and flooded, and what it promised
//! holds. The short form runs with all tests, the long one and the floods by `make soak`.

mod damage;
mod disk;
mod floods;
mod kills;
mod nodes;
mod outages;
mod streams;
pub mod support;
