//! Previews of pages in search engines and messengers: description, address and picture.
//!
//! - Messengers ask without a token, so they see public pages only. A page that not everybody can find has no
//!   description and no picture, and search engines are asked to omit it.
//! - Addresses are absolute, by the public URL of the server, because messengers do not resolve them.

use maud::{Markup, html};
use uuid::Uuid;

use crate::games::model::Visibility;
use crate::site::choice::Visit;
use crate::site::snippet::discovery;
use crate::site::texts::Texts;
use crate::site::texts::phrases::{NAME, PARTS};

/// The maximum length of a description in characters.
const MOST_LETTERS: usize = 200;

/// The board in the picture of pages without a picture of their own.
const BOARD: &str = "antike-east";

/// The size in pixels of the pictures.
const SIZE: (u32, u32) = (1200, 848);

/// Who can find a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everybody; search engines list it.
    Public,
    /// Everybody who has its address.
    Unlisted,
    /// Not everybody.
    Private,
}

impl From<Visibility> for Audience {
    fn from(visibility: Visibility) -> Audience {
        match visibility {
            Visibility::Public => Audience::Public,
            Visibility::Unlisted => Audience::Unlisted,
            Visibility::Private => Audience::Private,
        }
    }
}

/// The preview of a page.
#[derive(Clone, Debug)]
pub struct Preview {
    audience: Audience,
    about: String,
    /// The path of a picture, and what is on it.
    picture: (String, String),
    /// Whether other sites can show it in a frame.
    framed: bool,
}

impl Preview {
    /// A page that everybody can find, with the picture of a board.
    pub fn new(texts: Texts, about: &str) -> Preview {
        Preview {
            audience: Audience::Public,
            about: shortened(about),
            picture: (board_picture(BOARD), texts.text("preview-board").to_owned()),
            framed: false,
        }
    }

    /// A page with the description of its part of the site. A page without a part, such as an error, is private.
    pub fn of_part(texts: Texts, part: &str) -> Preview {
        let described = PARTS.iter().find(|(href, ..)| *href == part);
        let about = match (described, part) {
            (Some((_, _, about)), _) => texts.text(about),
            (None, "/") => texts.text("home-lead"),
            (None, "/play") => texts.text("play-lead"),
            (None, _) => "",
        };
        Preview::new(texts, about).with_audience(match about {
            "" => Audience::Private,
            _ => Audience::Public,
        })
    }

    /// The same for another audience.
    pub fn with_audience(self, audience: Audience) -> Preview {
        Preview { audience, ..self }
    }

    /// The same page, which other sites can show in a frame.
    pub fn with_frame(self) -> Preview {
        Preview {
            framed: true,
            ..self
        }
    }

    /// The same with the picture of a board.
    pub fn with_board(self, board: &str) -> Preview {
        let picture = (board_picture(board), self.picture.1);
        Preview { picture, ..self }
    }

    /// The same with the picture of a game after an event.
    pub fn with_game(self, game: Uuid, seq: u64, about: &str) -> Preview {
        let path = format!("/v1/games/{game}/states/{seq}.png");
        let picture = (path, about.to_owned());
        Preview { picture, ..self }
    }

    /// The elements of the head of the page with this title.
    pub fn head(&self, visit: &Visit, title: &str) -> Markup {
        let path = visit.here.as_deref().map(|here| {
            let end = here.find('?').unwrap_or(here.len());
            &here[..end]
        });
        let place = visit.base.as_deref().zip(path);
        let title = if title.is_empty() { NAME } else { title };
        let (picture, shown) = &self.picture;
        html! {
            @if self.audience != Audience::Public { meta name="robots" content="noindex"; }
            @if self.audience != Audience::Private {
                meta name="description" content=(self.about);
                @if let Some((base, path)) = place {
                    @if self.framed { (discovery(base, path, title)) }
                    link rel="canonical" href={ (base) (path) };
                    meta property="og:site_name" content=(NAME);
                    meta property="og:type" content="website";
                    meta property="og:title" content=(title);
                    meta property="og:description" content=(self.about);
                    meta property="og:url" content={ (base) (path) };
                    meta property="og:image" content={ (base) (picture) };
                    meta property="og:image:type" content="image/png";
                    meta property="og:image:width" content=(SIZE.0);
                    meta property="og:image:height" content=(SIZE.1);
                    meta property="og:image:alt" content=(shown);
                    meta name="twitter:card" content="summary_large_image";
                }
            }
        }
    }
}

fn board_picture(board: &str) -> String {
    format!("/v1/boards/{board}.png")
}

/// A text in one line, cut at the end of a word.
fn shortened(text: &str) -> String {
    let mut short = String::new();
    let mut letters = 0;
    for word in text.split_whitespace() {
        letters += word.chars().count() + 1;
        if letters > MOST_LETTERS {
            return short + " …";
        }
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word);
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_descriptions_are_cut_at_the_end_of_a_word() {
        assert_eq!(shortened(" Two\n words "), "Two words");
        let long = "antike ".repeat(100);
        let short = shortened(&long);
        assert!(short.ends_with("antike …"), "{short}");
        assert!(short.chars().count() <= MOST_LETTERS + 1, "{short}");
    }
}
