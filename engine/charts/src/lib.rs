//! Charts as SVG: tables ([`chart()`]), lines ([`curves()`]), heat maps ([`heat_maps()`]) and trees
//! ([`tree()`]).
//!
//! Elements have classes, so the style sheet of a page can set their colours. Otherwise they have the colours of
//! their [`Theme`]. [`svg`], [`text`] and [`geometry`] are tools for any picture. The same input gives the same bytes.
//!
//! Tables have their own code because no plotting crate has all they need: a reference line for each group, group
//! headings, and figures beside the rows.

mod chart;
mod curves;
pub mod geometry;
mod heat;
pub mod svg;
pub mod text;
mod tree;

pub use chart::{Chart, IntervalSide, MIDDLE, NARROW, Row, RowGroup, Shape, WIDE, chart};
pub use curves::{Along, Curve, Curves, Panel, Spot, Upwards, curves};
pub use heat::{HeatCell, HeatMap, HeatMaps, heat_maps};
pub use text::{titled, words};
pub use tree::{Branch, Forest, Tree, tree};

/// The colour theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light; also for paper.
    #[default]
    Light,
    /// Light on dark.
    Dark,
}
