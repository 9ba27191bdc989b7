//! Reads requests: paths, queries, bodies and headers, each with its problem.
//!
//! Queries and JSON bodies are validated against the served specification (`contract.rs`). All errors of a request are
//! returned together, with JSON Pointers. A body is parsed once.

pub mod accept;
pub mod body;
pub mod caller;
pub mod contract;
pub mod faults;
pub mod path;
pub mod query;
pub mod tags;
pub mod time;

use std::fmt;
use std::str::FromStr;

use actix_web::HttpRequest;
use reqwest::Url;

/// The URL under which everybody reaches the service, such as `https://games.example.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(String);

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<PublicUrl, String> {
        let is_bare = |url: &Url| {
            ["https", "http"].contains(&url.scheme())
                && (url.path(), url.query(), url.fragment()) == ("/", None, None)
                && url.username().is_empty()
                && url.password().is_none()
        };
        match Url::parse(text) {
            Ok(url) if is_bare(&url) => {
                Ok(PublicUrl(url.as_str().trim_end_matches('/').to_owned()))
            }
            _ => Err(format!(
                "{text:?} is not a scheme and a host, such as https://games.example.org"
            )),
        }
    }
}

/// The URL of the service: the configured one, otherwise that of the request.
pub fn base(request: &HttpRequest) -> String {
    if let Some(Some(PublicUrl(url))) = request.app_data::<Option<PublicUrl>>() {
        return url.clone();
    }
    let host = request.connection_info();
    format!("{}://{}", host.scheme(), host.host())
}

/// Returns true if the URL of the service is configured.
pub fn has_public_url(request: &HttpRequest) -> bool {
    let configured = request.app_data::<Option<PublicUrl>>();
    configured.is_some_and(Option::is_some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_url_is_a_scheme_and_a_host() {
        for (text, expected) in [
            (
                "https://games.example.org",
                Some("https://games.example.org"),
            ),
            (
                "https://games.example.org/",
                Some("https://games.example.org"),
            ),
            ("http://localhost:8080", Some("http://localhost:8080")),
            ("https://games.example.org/antike", None),
            ("https://games.example.org/?x", None),
            ("https://dido:secret@games.example.org", None),
            ("ftp://games.example.org", None),
            ("games.example.org", None),
            ("", None),
        ] {
            let url = text.parse::<PublicUrl>().ok();
            assert_eq!(
                url.as_ref().map(|PublicUrl(url)| url.as_str()),
                expected,
                "{text}"
            );
        }
    }
}
