//! Frames that show a game or standings in a page of another site: their elements, and how they are found.

use maud::{Markup, html};
use uuid::Uuid;

use crate::site::forms::write_query;
use crate::site::texts::Texts;

/// What a frame shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Embedded {
    /// A game, live or after an event.
    Game(Uuid, Option<u64>),
    /// The standings of a league.
    Standings(Uuid),
}

impl Embedded {
    /// The path of the page in the frame.
    pub fn path(self) -> String {
        match self {
            Embedded::Game(id, None) => format!("/embed/games/{id}"),
            Embedded::Game(id, Some(seq)) => format!("/embed/games/{id}?seq={seq}"),
            Embedded::Standings(id) => format!("/embed/leagues/{id}/standings"),
        }
    }

    /// The width and the height of the frame in pixels, if no one wants another.
    pub const fn size(self) -> (u32, u32) {
        match self {
            Embedded::Game(..) => (640, 640),
            Embedded::Standings(_) => (640, 480),
        }
    }

    /// Finds what a frame shows of a page of this server, given by its address.
    pub fn of_page(base: &str, address: &str) -> Option<Embedded> {
        let path = address.strip_prefix(base)?.trim_start_matches("/embed");
        let (path, fragment) = path.split_once('#').unwrap_or((path, ""));
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        let in_query = pairs.find(|(name, _)| ["at", "seq"].contains(&name.as_ref()));
        let seq = in_query.map_or(fragment.to_owned(), |(_, seq)| seq.into_owned());
        let mut parts = path.trim_matches('/').split('/');
        let (kind, id) = (parts.next()?, Uuid::try_parse(parts.next()?).ok()?);
        match (kind, parts.next()) {
            ("games", None) => Some(Embedded::Game(id, seq.parse().ok())),
            ("leagues", None | Some("standings")) => Some(Embedded::Standings(id)),
            _ => None,
        }
    }
}

/// The frame as an element for pages of other sites, in one line.
pub fn frame(base: &str, shown: Embedded, title: &str, (width, height): (u32, u32)) -> String {
    let frame = html! {
        iframe src={ (base) (shown.path()) } title=(title) width=(width) height=(height) loading="lazy"
            style="border:0;max-width:100%" {}
    };
    frame.into_string()
}

/// The part of a page with the line to copy.
pub fn snippet(texts: Texts, base: &str, shown: Embedded, title: &str) -> Markup {
    let line = frame(base, shown, title, shown.size());
    html! {
        details class="snippet" {
            summary { (texts.text("embed")) }
            p { (texts.text("embed-lead")) " " a href="/docs/embedding" { (texts.text("embed-docs")) } }
            pre tabindex="0" { (line) }
        }
    }
}

/// The element by which other programs find the frame of a page (oEmbed).
pub fn discovery(base: &str, path: &str, title: &str) -> Markup {
    let (format, url) = ("json".to_owned(), format!("{base}{path}"));
    let query = write_query([("format", &format), ("url", &url)]);
    html! {
        link rel="alternate" type="application/json+oembed" href={ (base) "/oembed?" (query) } title=(title);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_found_by_their_addresses() {
        let base = "https://games.example.org";
        let id = Uuid::from_u128(7);
        for (rest, found) in [
            (format!("/games/{id}"), Some(Embedded::Game(id, None))),
            (format!("/games/{id}/"), Some(Embedded::Game(id, None))),
            (
                format!("/games/{id}#57"),
                Some(Embedded::Game(id, Some(57))),
            ),
            (
                format!("/games/{id}?at=57"),
                Some(Embedded::Game(id, Some(57))),
            ),
            (
                format!("/embed/games/{id}?seq=57"),
                Some(Embedded::Game(id, Some(57))),
            ),
            (format!("/leagues/{id}"), Some(Embedded::Standings(id))),
            (
                format!("/embed/leagues/{id}/standings"),
                Some(Embedded::Standings(id)),
            ),
            (format!("/games/{id}/lobby"), None),
            ("/games/7".to_owned(), None),
            ("/".to_owned(), None),
            (format!(".evil.example/games/{id}"), None),
        ] {
            let address = format!("{base}{rest}");
            assert_eq!(Embedded::of_page(base, &address), found, "{address}");
        }
        assert_eq!(
            Embedded::of_page(base, "https://moon.example/games/7"),
            None
        );
    }

    #[test]
    fn titles_are_escaped() {
        let shown = Embedded::Standings(Uuid::nil());
        let line = frame("https://games.example.org", shown, "Cup \"<b>\"", (10, 20));
        assert!(
            line.contains("title=\"Cup &quot;&lt;b&gt;&quot;\""),
            "{line}"
        );
        assert!(!line.contains('\n'), "{line}");
    }
}
