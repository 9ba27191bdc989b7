//! Reading requests: paths, queries, bodies and headers, each with its problem.

mod accept;
mod body;
mod caller;
mod contract;
mod messages;
mod path;
mod query;
mod tags;

pub use accept::{negotiate, prefers};
pub use body::{Json, Sent, check_encoding, essence, too_large};
pub use caller::{Bearer, Caller};
pub use contract::{Contract, Template};
pub use messages::{field_path, plain};
pub use path::{GameId, SeatId, number};
pub use query::{Query, moment};
pub use tags::{ENCODINGS, has_version, tag_of_encoding};
