//! Webhooks: requests that the server sends to other servers when an event happens.
//!
//! - They reach only public addresses. The resolver of the HTTP client returns only public addresses (`address.rs`), so
//!   the connection goes to the address that was checked. Redirects and proxies are not followed.
//! - The body of a delivery is stored in the standard form. For Discord and Slack it is put into words when it is sent
//!   (`sentence.rs`), by a function that the pages give (`content::Wording`).
//! - A projection writes the deliveries, so each event causes one delivery, whichever node processes it.
//! - Sending the deliveries of a webhook is one job with a lease, which the ordinary workers do not take. A slow
//!   receiver delays only its own deliveries.

pub mod address;
pub mod content;
pub mod deliveries;
pub mod handlers;
pub mod model;
pub mod post;
pub(crate) mod queries;
pub mod sender;
pub mod sentence;
pub mod service;
pub mod signature;
