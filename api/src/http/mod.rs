//! What all handlers share: requests, answers, errors, pages of lists, limits and middleware.
//!
//! - Every failure becomes `application/problem+json` (`problem.rs`).
//! - A repeated `Idempotency-Key` returns the stored answer. If the answer contained a secret, it is not stored, and
//!   the repetition is 409 with the path of the created resource ([`call::Call::keep_location`]). A key belongs to a
//!   token, else to an address, and to a method and path.
//! - Metrics are labelled by route, known methods and status, never by text from a caller.

pub mod answers;
pub mod call;
pub mod cookie;
pub mod count;
pub mod error;
pub mod fallback;
pub mod headers;
pub mod language;
pub mod limits;
pub mod log;
pub mod metric;
pub mod page;
pub mod patch;
pub mod problem;
pub mod reply;
pub mod request;
pub mod scope;
pub mod secret;
pub mod telemetry;
pub mod traces;
