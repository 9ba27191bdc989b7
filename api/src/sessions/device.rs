//! The name of a device, from the user agent of its browser.

/// Browsers by a part of the user agent.
/// The first that matches counts, because browsers name others too.
const BROWSERS: [(&str, &str); 7] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Systems by a part of the user agent. The first that matches counts.
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// The most characters of the name of a program that is no browser.
const LONGEST: usize = 40;

/// Returns the name of a device, such as `Firefox, Linux`.
pub fn name(user_agent: &str) -> String {
    let find = |known: &[(&str, &'static str)]| {
        let mut known = known.iter();
        known
            .find(|(part, _)| user_agent.contains(part))
            .map(|(_, name)| *name)
    };
    let chrome_on_ios = user_agent.contains("CriOS/").then_some("Chrome");
    match (chrome_on_ios.or_else(|| find(&BROWSERS)), find(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser}, {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => {
            let name = user_agent.split(['/', ' ']).next().unwrap_or_default();
            let name = name.chars().filter(char::is_ascii_alphanumeric);
            let name: String = name.take(LONGEST).collect();
            if name.is_empty() {
                "unknown".to_owned()
            } else {
                name
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_and_systems_are_named() {
        for (agent, device) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                "Firefox, Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 \
                 Safari/537.36 Edg/140.0.0.0",
                "Edge, Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 CriOS/140.0.0.0 Mobile/15E148 Safari/604.1",
                "Chrome, iPhone",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 \
                 Safari/605.1.15",
                "Safari, macOS",
            ),
            ("curl/8.5.0", "curl"),
            ("<script>alert(1)</script>", "scriptalert1"),
            ("", "unknown"),
        ] {
            assert_eq!(name(agent), device, "{agent}");
        }
    }
}
