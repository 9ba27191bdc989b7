//! Published datasets: lists and files, from the folder `….datasets` beside the facts.
//!
//! A description may come from elsewhere. So paths are made from the name of the folder, media types from paths, and a
//! folder whose description does not fit is no dataset.

pub mod handlers;
pub mod service;
