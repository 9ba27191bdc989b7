//! What a caller may cost: rates of requests, things that go on at the same time, and when the service
//! has too much to do.
//!
//! [`Limits`] are the operator's; a [`Gate`] holds what is counted by them, and [`layer`] leads every
//! request through it. What only a handler knows it says itself: [`charge`] counts a call of a kind that
//! costs more, [`stream`] begins a live stream, [`analysis`] an analysis, [`slot`] waits for a slot for work that keeps
//! a thread busy.

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
