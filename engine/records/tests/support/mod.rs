//! Code that several tests share.

pub mod golden;
pub mod playthrough;
