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
                    span class="faint" {
                        (column.kind.name())
                        @if !column.unit.is_empty() { ", " (column.unit) }
                    }
                }
            }
        }
    }
}
