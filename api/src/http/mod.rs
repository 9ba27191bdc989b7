//! What all handlers share: requests, answers, errors, pages of lists, limits and middleware.

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
