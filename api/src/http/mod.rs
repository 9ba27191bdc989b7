//! What all handlers share: requests, answers, errors, pages of lists, limits and middleware.
//!
//! - Every failure becomes `application/problem+json` (`problem.rs`).
//! - A repeated `Idempotency-Key` returns the stored answer, unless the answer held a secret: such an answer is never
//!   stored, and the repetition is 409 with the path of what was created ([`call::Call::keep_location`]). Keys belong
//!   to a token, else to an address, and to a method and path.
//! - Metrics are labelled by route, known methods and status, never by text of a caller.

pub mod answers;
pub mod call;
pub mod count;
pub mod error;
pub mod fallback;
pub mod headers;
pub mod limits;
pub mod log;
pub mod page;
pub mod patch;
pub mod problem;
pub mod reply;
pub mod request;
pub mod scope;
pub mod secret;
pub mod telemetry;
