//! The choice of a language.
//! It is that of the cookie, which the switch of the pages sets, else of `Accept-Language`, else English.

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::cookie::{Cookie, SameSite, time::Duration};
use actix_web::dev::Payload;
use actix_web::http::header::{ACCEPT_LANGUAGE, LOCATION};
use actix_web::{FromRequest, HttpRequest, HttpResponse, get};
use serde::Deserialize;

use crate::http::problem::Problem;
use crate::http::request::base;
use crate::http::request::caller::identity;
use crate::http::request::query::Query;
use crate::site::texts::{Language, Texts};

/// The name of the cookie of the switch.
const COOKIE: &str = "language";

/// The language of a page, its address, to which the switch comes back, and its reader.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The texts in the language.
    pub texts: Texts,
    /// The path and the query of the page; nothing for pages that are files.
    pub here: Option<String>,
    /// The handle of the reader's account, if the browser is signed in.
    pub handle: Option<String>,
    /// The URL of the service; nothing for pages that are files.
    pub base: Option<String>,
}

impl Visit {
    /// A page in English that is not served, without a switch.
    pub const FILE: Visit = Visit {
        texts: Texts::ENGLISH,
        here: None,
        handle: None,
        base: None,
    };

    /// The language of a request.
    pub fn of(request: &HttpRequest) -> Visit {
        let by_cookie = || {
            let cookie = request.cookie(COOKIE)?;
            Language::of_code(cookie.value())
        };
        let by_header = || {
            let values = request.headers().get_all(ACCEPT_LANGUAGE);
            let values: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
            preferred(&values.join(","))
        };
        let language = by_cookie().or_else(by_header).unwrap_or(Language::ALL[0]);
        let here = request.uri().path_and_query();
        Visit {
            texts: Texts(language),
            here: Some(here.map_or("/", |here| here.as_str()).to_owned()),
            handle: identity(request).access.map(|access| access.handle.clone()),
            base: Some(base(request)),
        }
    }
}

impl FromRequest for Visit {
    type Error = Infallible;
    type Future = Ready<Result<Visit, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Visit::of(request)))
    }
}

/// The language of the pages that an `Accept-Language` header prefers (RFC 9110, section 12.5.4).
fn preferred(header: &str) -> Option<Language> {
    let ranges = header.split(',').filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let code = parts.next()?;
        let weight = parts.find_map(|part| part.strip_prefix("q="));
        let weight: f64 = weight.map_or(Ok(1.0), str::parse).ok()?;
        let language = match code {
            "*" => Language::ALL[0],
            code => Language::of_code(code)?,
        };
        Some(((weight.clamp(0.0, 1.0) * 1000.0) as u32, language))
    });
    let mut best: Option<(u32, Language)> = None;
    // Of equal weights, the first counts.
    for (weight, language) in ranges.filter(|(weight, _)| *weight > 0) {
        if best.is_none_or(|(most, _)| weight > most) {
            best = Some((weight, language));
        }
    }
    best.map(|(_, language)| language)
}

/// What the switch sends.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanguageQuery {
    /// The code of the language.
    language: String,
    /// The page to come back to.
    back: String,
}

/// The path of a page of this site; the first page for every other address.
/// A browser reads `//` and `/\` as the beginning of a host name, and ignores control characters.
pub(crate) fn own_page(back: &str) -> &str {
    let is_own = back.starts_with('/')
        && !back.starts_with("//")
        && !back.contains('\\')
        && back.bytes().all(|byte| byte.is_ascii_graphic());
    if is_own { back } else { "/" }
}

/// Chooses a language for this browser, and goes back to the page.
#[get("/language")]
pub async fn choose_language(Query(query): Query<LanguageQuery>) -> Result<HttpResponse, Problem> {
    let Some(language) = Language::of_code(&query.language) else {
        let codes = Language::ALL.map(Language::code).join(", ");
        let detail = format!("{:?} is not one of {codes}", query.language);
        return Err(Problem::invalid_parameter("language", detail));
    };
    let cookie = Cookie::build(COOKIE, language.code())
        .path("/")
        .max_age(Duration::days(365))
        .same_site(SameSite::Lax)
        .http_only(true)
        .finish();
    Ok(HttpResponse::SeeOther()
        .insert_header((LOCATION, own_page(&query.back)))
        .cookie(cookie)
        .finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quality_values_decide_the_language() {
        for (header, language) in [
            ("de", Some(Language::German)),
            ("de-AT,en;q=0.8", Some(Language::German)),
            ("en;q=0.5, DE;q=0.7", Some(Language::German)),
            ("en-GB, de", Some(Language::English)),
            ("fr, de;q=0", None),
            ("fr, *;q=0.1", Some(Language::English)),
            ("fr", None),
            ("", None),
            ("de;q=x", None),
        ] {
            assert_eq!(preferred(header), language, "{header}");
        }
    }

    #[test]
    fn the_switch_comes_back_to_own_pages_only() {
        assert_eq!(own_page("/games?status=open"), "/games?status=open");
        for other in [
            "",
            "games",
            "//moon.example",
            "/\\moon.example",
            "https://moon.example",
            "/\t/moon.example",
        ] {
            assert_eq!(own_page(other), "/", "{other:?}");
        }
    }
}
