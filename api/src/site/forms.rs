//! What forms of pages send and show.

use charts::titled;
use engine::content::Library;
use maud::{Markup, html};

/// What a form sends, if that is not empty.
pub fn given(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

/// A query of those parameters that are not empty.
pub fn write_query<'a>(parameters: impl IntoIterator<Item = (&'a str, &'a String)>) -> String {
    let chosen = parameters
        .into_iter()
        .filter(|(_, value)| !value.is_empty());
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(chosen)
        .finish()
}

/// The editions as options of a form.
pub fn editions(library: &Library, chosen: &str) -> Markup {
    html! {
        @for ruleset in library.rulesets() {
            @let edition = &ruleset.data.edition;
            option value=(edition) selected[edition == chosen] { (titled(edition)) }
        }
    }
}
