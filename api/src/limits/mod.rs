//! What a caller may cost: rates of requests, things that go on at the same time, and when the service
//! has too much to do.
//!
//! [`Limits`] are the operator's; a [`Gate`] holds what is counted by them, and [`layer`] leads every
//! request through it. What only a handler knows it says itself: [`charge`] counts a call of a kind that
//! costs more, [`stream`] begins a live stream, [`analysis`] an analysis, [`slot`] waits for a slot for work that keeps
//! a thread busy.

mod analyses;
mod connections;
mod gate;
mod load;
mod options;
mod rates;
mod sending;
mod slots;
mod streams;
mod tally;
mod visitor;

pub use analyses::{AnalysisGuard, analysis};
pub(crate) use connections::BACKLOG;
pub use connections::Connections;
pub use gate::{Gate, UNLIMITED_PATHS, charge, charge_as, layer, stream, visitor};
pub use load::{Work, slot};
pub use options::{Limit, Limits, ProxyHeader, Rate, RateError};
pub(crate) use options::{bound, time_bound};
pub use rates::{Policy, RATE_LIMIT, RATE_LIMIT_POLICY};
pub use slots::Slot;
pub use streams::StreamGuard;
pub use visitor::{Address, Visitor};
