//! Reading requests: paths, queries, bodies and headers, each with its problem.

mod accept;
mod body;
mod caller;
mod contract;
mod messages;
mod path;
mod query;
mod tags;

use actix_web::HttpRequest;

pub use accept::{negotiate, prefers};
pub use body::{Json, Sent, essence, receive};
pub use caller::{Bearer, Caller, authenticate};
pub use contract::{Contract, Template};
pub use messages::{field_path, plain};
pub use path::{GameId, SeatId, number};
pub use query::{Query, check_utf8, moment};
pub use tags::{ENCODINGS, has_version, tag_of_encoding};

/// Where the caller finds the service.
pub fn base(request: &HttpRequest) -> String {
    let host = request.connection_info();
    format!("{}://{}", host.scheme(), host.host())
}
