//! What columns of tables mean.

use analytics::facts::ColumnInfo;
use maud::{Markup, html};

use crate::site::markdown::inline;

/// Each column with its type, its unit and its meaning.
pub fn dictionary(columns: &[ColumnInfo]) -> Markup {
    html! {
        dl class="dictionary" {
            @for column in columns {
                dt { code { (column.name) } }
                dd {
                    (inline(column.meaning)) " "
                    @let kind = serde_json::to_value(column.kind).unwrap_or_default();
                    span class="faint" {
                        (kind.as_str().unwrap_or_default())
                        @if !column.unit.is_empty() { ", " (column.unit) }
                    }
                }
            }
        }
    }
}
