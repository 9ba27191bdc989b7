//! What pages of statistics share: their frame, and cells of tables.

use maud::{Markup, html};
use polars::prelude::AnyValue;

use crate::site::frame::Frame;
use crate::site::texts::Texts;

/// Rows of a table that its page lists; all of them are in the files.
pub const LISTED: usize = 25;

/// Columns that a table omits when all rows have the same value.
pub const COMMON: [&str; 9] = [
    "edition", "board", "variants", "nations", "players", "play", "bots", "bot", "ruleset",
];

/// The frame of a page.
pub fn frame(title: &str) -> Frame<'_> {
    Frame {
        title,
        part: "/stats",
        scripts: &[],
        class: "stats",
    }
}

/// A cell of a table.
pub fn cell(texts: Texts, value: &AnyValue<'_>) -> Markup {
    html! {
        @match value {
            AnyValue::Float64(number) if number.is_finite() => td class="figure" { (texts.decimal(*number, 3)) },
            AnyValue::UInt32(count) => td class="figure" { (count) },
            AnyValue::String(text) => td { (text.replace(',', ", ")) },
            AnyValue::Boolean(true) => td { (texts.text("yes")) },
            AnyValue::Boolean(false) => td { (texts.text("no")) },
            _ => td {},
        }
    }
}
