//! The addresses to which an app lets the browser return.

use reqwest::Url;

/// The most characters of an address.
pub const LONGEST: usize = 500;

/// Hosts of the reader's own machine.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Checks an address that is registered.
///
/// Allowed are `https`, `http` on the reader's own machine, and schemes with a dot, which are of native apps (RFC 8252).
///
/// # Errors
/// What is wrong with it.
pub fn check(uri: &str) -> Result<(), &'static str> {
    if uri.len() > LONGEST {
        return Err("the address is too long: at most 500 characters are allowed");
    }
    if !uri.bytes().all(|byte| byte.is_ascii_graphic()) || uri.contains(['\\', '"', '<', '>', '*'])
    {
        return Err(
            "the address has a space or a character that is not allowed: percent-encode it",
        );
    }
    let Ok(url) = Url::parse(uri) else {
        return Err("this is no absolute address, such as https://app.example.org/callback");
    };
    if url.fragment().is_some() {
        return Err("the address must not have a fragment (#)");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("the address must not have a user or a password");
    }
    match url.scheme() {
        "https" => Ok(()),
        "http" if is_loopback(&url) => Ok(()),
        "http" => Err("http is allowed only for localhost, 127.0.0.1 and [::1]: use https"),
        scheme if scheme.contains('.') => Ok(()),
        _ => Err(
            "the scheme must be https, or that of a native app, such as org.example.app:/callback",
        ),
    }
}

fn is_loopback(url: &Url) -> bool {
    url.host_str().is_some_and(|host| LOOPBACK.contains(&host))
}

/// Returns true if a requested address is the registered one.
///
/// They must be equal, character by character. Only the port of a loopback address may differ, because a native app
/// takes a free one (RFC 8252, section 7.3).
pub fn matches(registered: &str, requested: &str) -> bool {
    if registered == requested {
        return true;
    }
    let parts = |uri: &str| {
        let (host, rest) = ["127.0.0.1", "[::1]"].into_iter().find_map(|host| {
            let rest = uri.strip_prefix("http://")?.strip_prefix(host)?;
            Some((host, rest.to_owned()))
        })?;
        let rest = match rest.strip_prefix(':') {
            Some(behind) => {
                let path = behind.trim_start_matches(|digit: char| digit.is_ascii_digit());
                let port = &behind[..behind.len() - path.len()];
                port.parse::<u16>().ok()?;
                path.to_owned()
            }
            None => rest,
        };
        (rest.is_empty() || rest.starts_with(['/', '?'])).then_some((host, rest))
    };
    match (parts(registered), parts(requested)) {
        (Some(registered), Some(requested)) => {
            registered == requested && check_is_plain(&requested.1)
        }
        _ => false,
    }
}

fn check_is_plain(rest: &str) -> bool {
    rest.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Returns the source that a page must allow, so that its form may lead to the address (`form-action`).
pub fn form_target(uri: &str) -> String {
    let Ok(url) = Url::parse(uri) else {
        return String::new();
    };
    match url.host_str() {
        // Content Security Policy has no literals of IPv6.
        Some(host) if ["http", "https"].contains(&url.scheme()) && !host.starts_with('[') => {
            url.origin().ascii_serialization()
        }
        _ => format!("{}:", url.scheme()),
    }
}

/// Returns the words by which a person recognizes the address: its host, or its scheme.
pub fn shown(uri: &str) -> String {
    let url = Url::parse(uri).ok();
    let host = url
        .as_ref()
        .and_then(|url| url.host_str().map(str::to_owned));
    let scheme = url.as_ref().map(|url| format!("{}:", url.scheme()));
    host.or(scheme).unwrap_or_default()
}

/// Adds parameters to an address, whose own query stays as it is.
pub fn with_parameters(uri: &str, parameters: &[(&str, &str)]) -> String {
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(parameters)
        .finish();
    let sign = match uri.split_once('?') {
        None => "?",
        Some((_, "")) => "",
        Some(_) => "&",
    };
    format!("{uri}{sign}{query}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_safe_addresses_are_registered() {
        for good in [
            "https://app.example.org/callback",
            "https://app.example.org/callback?tenant=1",
            "http://localhost:3000/",
            "http://127.0.0.1/callback",
            "http://[::1]:8000/callback",
            "org.example.app:/callback",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            "/callback",
            "http://app.example.org/callback",
            "http://127.0.0.1.example.org/",
            "https://app.example.org/#part",
            "https://user@app.example.org/",
            "https://app.example.org/a b",
            "https://*.example.org/",
            "javascript:alert(1)",
            "data:text/html,x",
            "myapp:/callback",
            &format!("https://app.example.org/{}", "x".repeat(LONGEST)),
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn addresses_are_equal_except_the_port_of_loopback_addresses() {
        let registered = "https://app.example.org/callback";
        assert!(matches(registered, registered));
        for other in [
            "https://app.example.org/callback/",
            "https://app.example.org/callback?x=1",
            "https://app.example.org/Callback",
            "https://app.example.org:443/callback",
            "https://APP.example.org/callback",
            "https://app.example.org.evil.example/callback",
            "http://app.example.org/callback",
        ] {
            assert!(!matches(registered, other), "{other}");
        }
        let registered = "http://127.0.0.1/callback";
        assert!(matches(registered, "http://127.0.0.1:51234/callback"));
        for other in [
            "http://127.0.0.1:51234/other",
            "http://127.0.0.1:x/callback",
            "http://127.0.0.1:99999/callback",
            "http://127.0.0.1@evil.example/callback",
            "http://127.0.0.1.evil.example/callback",
            "https://127.0.0.1:51234/callback",
            "http://localhost:51234/callback",
        ] {
            assert!(!matches(registered, other), "{other}");
        }
        let registered = "http://localhost:3000/callback";
        assert!(!matches(registered, "http://localhost:3001/callback"));
    }

    #[test]
    fn parameters_and_targets_follow_from_the_address() {
        let added = |uri: &str| with_parameters(uri, &[("state", "a b")]);
        assert_eq!(
            added("https://a.example/c"),
            "https://a.example/c?state=a+b"
        );
        assert_eq!(
            added("https://a.example/c?x=1"),
            "https://a.example/c?x=1&state=a+b"
        );
        assert_eq!(added("org.example.app:/c"), "org.example.app:/c?state=a+b");
        assert_eq!(
            form_target("https://a.example:444/c"),
            "https://a.example:444"
        );
        assert_eq!(form_target("http://[::1]:80/c"), "http:");
        assert_eq!(form_target("org.example.app:/c"), "org.example.app:");
        assert_eq!(shown("https://a.example/c"), "a.example");
        assert_eq!(shown("org.example.app:/c"), "org.example.app:");
    }
}
