//! Limits: rates of requests, concurrency, and refusing requests when the service is overloaded.
//!
//! [`Limits`] are the operator's options; a [`Gate`] counts, and [`layer`] runs for every request. Handlers call the
//! rest: [`charge`] counts an expensive call, [`stream`] starts a live stream, [`analysis`] an analysis, and [`slot`]
//! waits for a slot for work that keeps a thread busy.

pub mod analyses;
pub mod connections;
pub mod gate;
pub mod load;
pub mod options;
pub mod rates;
pub mod sending;
pub mod slots;
pub mod streams;
pub mod tally;
pub mod visitor;
