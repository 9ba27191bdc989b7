//! Charts as SVG: tables of numbers with intervals ([`chart()`]), lines ([`curves()`]) and trees ([`tree()`]).
//!
//! Elements have classes, so that the style sheet of a page can colour them. Without one they have the colours of
//! their [`Theme`]. [`svg`], [`text`] and [`geometry`] are the tools for any picture. The same input gives the same
//! bytes.
//!
//! Tables have code of their own because no plotting crate has all they need: a reference line for each group,
//! headings of groups, and figures beside the rows.

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
