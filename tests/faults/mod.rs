//! Faults and floods against the real program: it is killed, disconnected, starved and flooded, and keeps its
//! promises. The short form runs with all tests, the long form and the floods with `make soak`.

mod damage;
mod disk;
mod floods;
mod kills;
mod nodes;
mod outages;
mod streams;
pub mod support;
