//! Webhooks: requests that the server sends to other servers when something happens.
//!
//! - They reach public addresses only. The resolver of the HTTP client returns public addresses or none
//!   (`address.rs`), so the connection goes to the address that was checked. Redirects and proxies are not followed.
//! - Deliveries are written by a projection, so an event gives one, whichever node reads it.
//! - Sending the deliveries of a webhook is one piece of work, leased as a whole and taken by no worker. A slow
//!   receiver delays nothing but itself.

pub mod address;
pub mod deliveries;
pub mod handlers;
pub mod model;
pub mod post;
pub(crate) mod queries;
pub mod sender;
pub mod service;
pub mod signature;
