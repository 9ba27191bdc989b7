//! Fields and answers of forms.

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, LOCATION};
use charts::titled;
use engine::content::Library;
use maud::{Markup, html};

/// The value of a field, if it is not empty.
pub fn given(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

/// A query with the parameters that are not empty.
pub fn write_query<'a>(parameters: impl IntoIterator<Item = (&'a str, &'a String)>) -> String {
    let chosen = parameters
        .into_iter()
        .filter(|(_, value)| !value.is_empty());
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(chosen)
        .finish()
}

/// The address of the sign-in, which then leads to the page `next`.
pub fn sign_in_address(next: &str) -> String {
    match write_query([("next", &next.to_owned())]) {
        query if query.is_empty() => "/sign-in".to_owned(),
        query => format!("/sign-in?{query}"),
    }
}

/// Leads the browser to another page of this site.
pub fn redirect(path: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((LOCATION, path))
        .insert_header((CACHE_CONTROL, "private, no-store"))
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
