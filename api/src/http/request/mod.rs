//! Reading requests: paths, queries, bodies and headers, each with its problem.

pub mod accept;
pub mod body;
pub mod caller;
pub mod contract;
pub mod faults;
pub mod path;
pub mod query;
pub mod tags;

use actix_web::HttpRequest;

/// Where the caller finds the service.
pub fn base(request: &HttpRequest) -> String {
    let host = request.connection_info();
    format!("{}://{}", host.scheme(), host.host())
}
