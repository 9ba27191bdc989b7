//! Reads requests: paths, queries, bodies and headers, each with its problem.
//!
//! Queries and JSON bodies are validated against the served specification (`contract.rs`). All errors of a request are
//! returned together, with JSON Pointers. A body is parsed once.

pub mod accept;
pub mod body;
pub mod caller;
pub mod contract;
pub mod faults;
pub mod path;
pub mod query;
pub mod tags;
pub mod time;

use actix_web::HttpRequest;

/// The URL under which the caller reaches the service.
pub fn base(request: &HttpRequest) -> String {
    let host = request.connection_info();
    format!("{}://{}", host.scheme(), host.host())
}
