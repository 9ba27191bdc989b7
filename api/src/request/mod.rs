//! Reading requests: paths, queries, bodies and headers, each with its problem.

mod accept;
mod body;
mod caller;
mod contract;
mod faults;
mod path;
mod query;
mod tags;

use actix_web::HttpRequest;

pub use accept::{negotiate, prefers};
pub use body::{Json, Sent, essence, parsed, receive};
pub use caller::{Bearer, Caller, authenticate};
pub use contract::{Contract, SchemaError, Template};
pub use path::{GameId, SeatId, number};
pub use query::{Query, check_utf8, moment};
pub use tags::{ENCODINGS, has_version, tag_of_encoding};

/// Where the caller finds the service.
pub fn base(request: &HttpRequest) -> String {
    let host = request.connection_info();
    format!("{}://{}", host.scheme(), host.host())
}
