//! The little Markdown that texts of the pages have.

use maud::{Markup, html};

/// Paragraphs and blocks of code.
pub fn blocks(text: &str) -> Markup {
    html! {
        // Every other part stands between fences.
        @for (place, part) in text.split("\n```").enumerate() {
            @if place % 2 == 1 {
                @let (_, code) = part.split_once('\n').unwrap_or_default();
                pre tabindex="0" { code { (code) } }
            } @else {
                @for paragraph in part.split("\n\n").map(str::trim).filter(|text| !text.is_empty()) {
                    @if let Some(heading) = paragraph.strip_prefix("## ") { h2 { (heading) } }
                    @else { p { (inline(paragraph)) } }
                }
            }
        }
    }
}

/// Text with `code`.
pub fn inline(text: &str) -> Markup {
    html! {
        @for (place, part) in text.split('`').enumerate() {
            @if place % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}
