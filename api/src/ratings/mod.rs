//! Ratings of players, computed from the logs by a projection.

pub mod algorithm;
pub mod audit;
pub mod forecast;
pub mod handlers;
pub mod model;
pub mod pictures;
pub mod queries;
pub mod service;
