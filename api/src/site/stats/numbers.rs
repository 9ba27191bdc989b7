//! What pages of statistics share: their frame, and tables of numbers.

use maud::{Markup, html};
use polars::prelude::{AnyValue, DataFrame, PolarsResult};

use crate::site::frame::Frame;
use crate::site::texts::Texts;

/// Rows of a table that its page lists; all of them are in the files.
pub const LISTED: usize = 25;

/// Columns that a table omits when all rows have the same value.
const COMMON: [&str; 9] = [
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

/// The first rows of a table, in this order.
pub fn listed(texts: Texts, rows: &DataFrame, order: &[usize]) -> PolarsResult<Markup> {
    let mut shown = Vec::new();
    for column in rows.columns() {
        let name = column.name().trim_start_matches("versus_");
        if !COMMON.contains(&name) || column.n_unique()? > 1 {
            shown.push(column);
        }
    }
    Ok(html! {
        div class="scroll" tabindex="0" role="group" aria-labelledby="numbers" {
            table class="numbers" {
                thead { tr { @for column in &shown { th scope="col" { (column.name().as_str()) } } } }
                tbody {
                    @for row in order.iter().take(LISTED) {
                        tr { @for column in &shown { (cell(texts, &column.get(*row)?)) } }
                    }
                }
            }
        }
    })
}

fn cell(texts: Texts, value: &AnyValue<'_>) -> Markup {
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
