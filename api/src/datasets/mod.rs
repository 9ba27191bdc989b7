//! Published datasets: lists and files.

pub mod handlers;
pub mod service;
