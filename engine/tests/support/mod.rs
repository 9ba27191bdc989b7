//! Code that several tests share.

pub mod perft;
