//! Webhooks: what is sent to other servers when something happens.

pub mod address;
pub mod deliveries;
pub mod handlers;
pub mod model;
pub mod post;
pub mod queries;
pub mod sender;
pub mod service;
pub mod signature;
