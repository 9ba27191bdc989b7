//! Figures: tables as pages show them.

use std::sync::Arc;

use analytics::Table;
use charts::Theme;
use jiff::Timestamp;
use polars::prelude::PolarsResult;

use crate::statistics::model::Format;

/// How many rows of a group a picture has on the page of all.
const FEW: usize = 10;

/// How many rows of a group a picture has on its own page.
const MANY: usize = 16;

/// How many rows the picture of a page has in all groups together; the picture in the files has all groups.
const ROWS: usize = 48;

/// What a page shows of a table: how it looks, and what it is made of.
#[derive(Clone, Debug)]
pub struct Figure {
    /// As SVG, for wide windows; the style sheet gives it the colours of the page.
    pub wide: String,
    /// As SVG, for narrow windows.
    pub narrow: String,
    /// How many rows or lines are drawn.
    pub rows: usize,
    /// How many groups of rows are not drawn.
    pub more: usize,
    /// How many games the table counts.
    pub games: u64,
    /// The version of the facts.
    pub data_version: String,
    /// Up to which position of the log of all games it goes.
    pub log_position: i64,
    /// When the last of its games was recorded.
    pub as_of: Option<Timestamp>,
    /// Whether all games that have finished are counted.
    pub complete: bool,
}

/// With few rows, and of tables of several kinds of rows those of one kind.
pub const SHORT: Format<Arc<Figure>> = ("few rows", |table| {
    figure(table, FEW, table.measure.sample, charts::MIDDLE)
});

/// With many rows of each kind.
pub const WHOLE: Format<Arc<Figure>> =
    ("many rows", |table| figure(table, MANY, None, charts::WIDE));

fn figure(table: &Table, most: usize, only: Option<&str>, wide: u32) -> PolarsResult<Arc<Figure>> {
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
