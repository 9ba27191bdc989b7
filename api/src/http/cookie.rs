//! The cookie of a browser that is signed in, and the protection against requests of other sites.
//!
//! - The cookie is `__Host-session`, with `Secure`. Only a browser on the server's own machine that uses plain HTTP has
//!   `session`, without `Secure`, because not every browser stores a `Secure` cookie there.
//! - A request that changes something and is authenticated by the cookie must come from a page of this server:
//!   [`check_own_page`]. `SameSite=Lax` alone does not exclude other hosts of the same site, such as subdomains.

use actix_web::HttpRequest;
use actix_web::cookie::{Cookie, SameSite, time::Duration};
use actix_web::http::header::{
    COOKIE, FORWARDED, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN, X_FORWARDED_FOR,
    X_FORWARDED_PROTO,
};

use crate::http::problem::{Code, Problem};

/// The name of the cookie; browsers accept this prefix only from the host itself over TLS.
const SECURE: &str = "__Host-session";

/// The name of the cookie on the server's own machine without TLS.
const PLAIN: &str = "session";

/// How long a browser keeps the cookie: the longest time that browsers allow.
/// The server ends sessions earlier.
const MAX_AGE: Duration = Duration::days(400);

/// The header in which browsers name the site whose page sends a request.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Marks a request whose cookie is of no session, so that the answer removes the cookie.
#[derive(Clone, Copy, Debug)]
pub struct EndedSession;

/// Returns the value of a cookie.
fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(COOKIE);
    let pairs = lines.flat_map(|line| line.to_str().unwrap_or_default().split(';'));
    let mut pairs = pairs.filter_map(|pair| pair.split_once('='));
    pairs.find_map(|(own, value)| (own.trim() == name).then(|| value.trim()))
}

/// Returns the value of the session's cookie, by any name. Only for counting requests.
pub(crate) fn any_session(headers: &HeaderMap) -> Option<&str> {
    cookie(headers, SECURE).or_else(|| cookie(headers, PLAIN))
}

/// Returns the value of the session's cookie.
/// A cookie without the prefix, which another host of the site can set, counts only on the server's own machine.
pub(crate) fn session(request: &HttpRequest) -> Option<&str> {
    let headers = request.headers();
    cookie(headers, SECURE).or_else(|| cookie(headers, PLAIN).filter(|_| is_plain(request)))
}

/// Returns true if a browser on the server's own machine uses plain HTTP, without a proxy.
pub(crate) fn is_plain(request: &HttpRequest) -> bool {
    let near = |address: std::net::SocketAddr| address.ip().to_canonical().is_loopback();
    let forwarded = [FORWARDED, X_FORWARDED_FOR, X_FORWARDED_PROTO];
    request.peer_addr().is_some_and(near)
        && !forwarded
            .iter()
            .any(|name| request.headers().contains_key(name))
        && host(request.headers()).is_some_and(is_loopback)
}

fn host(headers: &HeaderMap) -> Option<&str> {
    headers.get(HOST)?.to_str().ok()
}

/// Returns true if a host with or without a port is the machine itself.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    let address = name.parse::<std::net::IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

fn cookie_with<'a>(request: &HttpRequest, value: &'a str, age: Duration) -> Cookie<'a> {
    let plain = is_plain(request);
    Cookie::build(if plain { PLAIN } else { SECURE }, value)
        .path("/")
        .http_only(true)
        .secure(!plain)
        .same_site(SameSite::Lax)
        .max_age(age)
        .finish()
}

/// The cookie of a new session.
pub(crate) fn new_cookie<'a>(request: &HttpRequest, value: &'a str) -> Cookie<'a> {
    cookie_with(request, value, MAX_AGE)
}

/// The `Set-Cookie` that removes the session's cookie.
pub(crate) fn removal(request: &HttpRequest) -> Option<HeaderValue> {
    let cookie = cookie_with(request, "", Duration::ZERO);
    HeaderValue::from_str(&cookie.to_string()).ok()
}

/// Where the page is from that sends a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RequestOrigin {
    /// This server.
    Own,
    /// Another site, or another host of this site.
    Other,
    /// The request does not name it, as of a program that is no browser.
    Unnamed,
}

/// Reads the origin of a request from the headers that only browsers can set.
fn request_origin(headers: &HeaderMap) -> RequestOrigin {
    if let Some(site) = headers.get(SEC_FETCH_SITE) {
        return match site.as_bytes() {
            b"same-origin" => RequestOrigin::Own,
            _ => RequestOrigin::Other,
        };
    }
    let Some(origin) = headers.get(ORIGIN) else {
        return RequestOrigin::Unnamed;
    };
    let origin = origin.to_str().unwrap_or_default();
    let origin = origin.split_once("://").map(|(_, host)| host);
    match origin.zip(host(headers)) {
        Some((origin, own)) if origin.eq_ignore_ascii_case(own) => RequestOrigin::Own,
        _ => RequestOrigin::Other,
    }
}

fn other_page() -> Problem {
    let detail = "the request does not come from a page of this server, so the cookie of the session does not \
        authenticate it: send a token instead";
    Problem::new(Code::Forbidden, detail)
}

/// Refuses a request that does not come from a page of this server.
/// `Sec-Fetch-Site` must be `same-origin`, or be missing while `Origin` is the own host.
///
/// # Errors
/// 403 for every other request.
pub(crate) fn check_own_page(request: &HttpRequest) -> Result<(), Problem> {
    match request_origin(request.headers()) {
        RequestOrigin::Own => Ok(()),
        RequestOrigin::Other | RequestOrigin::Unnamed => Err(other_page()),
    }
}

/// Refuses a request that comes from a page of another server.
/// Programs that are no browsers may send it.
///
/// # Errors
/// 403 for a request of another page.
pub(crate) fn check_no_other_page(request: &HttpRequest) -> Result<(), Problem> {
    match request_origin(request.headers()) {
        RequestOrigin::Own | RequestOrigin::Unnamed => Ok(()),
        RequestOrigin::Other => Err(other_page()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        headers
    }

    #[test]
    fn only_own_pages_send_requests_with_a_cookie() {
        let host = ("host", "play.example");
        for (pairs, expected) in [
            (vec![("sec-fetch-site", "same-origin")], RequestOrigin::Own),
            (vec![("sec-fetch-site", "same-site")], RequestOrigin::Other),
            (vec![("sec-fetch-site", "cross-site")], RequestOrigin::Other),
            (vec![("sec-fetch-site", "none")], RequestOrigin::Other),
            (
                vec![
                    ("sec-fetch-site", "cross-site"),
                    ("origin", "https://play.example"),
                ],
                RequestOrigin::Other,
            ),
            (vec![("origin", "https://play.example")], RequestOrigin::Own),
            (vec![("origin", "https://PLAY.example")], RequestOrigin::Own),
            (
                vec![("origin", "https://play.example.org")],
                RequestOrigin::Other,
            ),
            (
                vec![("origin", "https://play.example:444")],
                RequestOrigin::Other,
            ),
            (vec![("origin", "null")], RequestOrigin::Other),
            (vec![("origin", "")], RequestOrigin::Other),
            (vec![], RequestOrigin::Unnamed),
        ] {
            let pairs: Vec<_> = pairs.into_iter().chain([host]).collect();
            assert_eq!(request_origin(&headers(&pairs)), expected, "{pairs:?}");
        }
    }

    #[test]
    fn the_cookie_has_the_prefix_except_on_the_own_machine_without_tls() {
        let near = "127.0.0.1:4000".parse().unwrap();
        let far = "192.0.2.1:4000".parse().unwrap();
        for (peer, host, proxied, name) in [
            (near, "localhost:8080", false, PLAIN),
            (near, "127.0.0.1:8080", false, PLAIN),
            (near, "[::1]:8080", false, PLAIN),
            (near, "localhost:8080", true, SECURE),
            (near, "play.example", false, SECURE),
            (near, "localhost.example", false, SECURE),
            (far, "localhost:8080", false, SECURE),
        ] {
            let mut request = TestRequest::default()
                .peer_addr(peer)
                .insert_header((HOST, host))
                .insert_header((COOKIE, "language=de; session=plain"));
            if proxied {
                request = request.insert_header((X_FORWARDED_FOR, "192.0.2.2"));
            }
            let request = request.to_http_request();
            let cookie = new_cookie(&request, "x");
            assert_eq!(cookie.name(), name, "{host}");
            assert_eq!(cookie.secure(), Some(name == SECURE), "{host}");
            let read = session(&request);
            assert_eq!(read, (name == PLAIN).then_some("plain"), "{host}");
        }
    }
}
