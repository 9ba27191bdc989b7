//! Figures: statistics tables as pages show them.

use std::sync::Arc;

use analytics::StatisticsTable;
use charts::Theme;
use jiff::Timestamp;
use polars::prelude::PolarsResult;

use crate::statistics::model::Format;

/// The rows of a group in a picture on the overview page.
const FEW: usize = 10;

/// The rows of a group in a picture on its own page.
const MANY: usize = 16;

/// The rows of all groups in a picture of a page; pictures in files have all groups.
pub const ROWS: usize = 48;

/// A table as a page shows it: pictures and their origin.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The SVG for wide windows; the style sheet of the page colours it.
    pub wide: String,
    /// The SVG for narrow windows.
    pub narrow: String,
    /// The number of drawn rows or lines.
    pub rows: usize,
    /// The number of groups of rows that are not drawn.
    pub more: usize,
    /// The number of games that the table counts.
    pub games: u64,
    /// The version of the facts.
    pub data_version: String,
    /// The position in the log of all games up to which the facts go.
    pub log_position: i64,
    /// When the last of its games was recorded.
    pub as_of: Option<Timestamp>,
    /// Whether all finished games are counted.
    pub complete: bool,
}

/// A figure with few rows; of tables with several kinds of rows, only one kind.
pub const SHORT: Format<Arc<Figure>> = ("few rows", |table| {
    figure(table, FEW, table.measure.sample, charts::MIDDLE)
});

/// A figure with many rows of each kind.
pub const WHOLE: Format<Arc<Figure>> =
    ("many rows", |table| figure(table, MANY, None, charts::WIDE));

fn figure(
    table: &StatisticsTable,
    most: usize,
    only: Option<&str>,
    wide: u32,
) -> PolarsResult<Arc<Figure>> {
    let mut picture = table.picture(most, only)?;
    picture.set_bare();
    let more = picture.limit(ROWS);
    Ok(Arc::new(Figure {
        wide: picture.svg(wide, Theme::Light),
        narrow: picture.svg(charts::NARROW, Theme::Light),
        rows: picture.len(),
        more,
        games: table.games,
        data_version: table.data_version.clone(),
        log_position: table.log_position,
        as_of: table.as_of,
        complete: table.complete,
    }))
}
