//! Published datasets: lists and files, from the folder `….datasets` next to the facts.
//!
//! A description may be untrusted. So paths are derived from the name of the folder and media types from paths, and a
//! folder whose description does not match is not a dataset.

pub mod handlers;
pub mod service;
