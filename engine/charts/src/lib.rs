//! Tables of numbers with intervals ([`chart()`]), lines ([`curves()`]) and ways that part ([`tree()`]) as SVG.
//!
//! Classes let the style sheet of a page give them its colours; without one they have those of their
//! [`Theme`]. [`svg`], [`text`] and [`geometry`] are what any picture is written with. The same input gives
//! the same bytes.

mod chart;
mod curves;
pub mod geometry;
pub mod svg;
pub mod text;
mod tree;

pub use chart::{Chart, Group, MIDDLE, NARROW, Row, Shape, WIDE, chart};
pub use curves::{Curve, Curves, Panel, Spot, Upwards, curves};
pub use text::{titled, words};
pub use tree::{Branch, Forest, Tree, tree};

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light, also for paper.
    #[default]
    Light,
    /// Light on dark.
    Dark,
}
