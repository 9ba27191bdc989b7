//! Nations as they are shown everywhere: letters on a colour, as in the drawings.

use drawing::{Badge, badges};
use maud::{Markup, html};

use crate::games::bodies::GameSummary;
use crate::site::texts::Texts;

/// The nations of a game with their colours and letters, in the order of the seats.
#[derive(Clone, Debug)]
pub struct Nations {
    texts: Texts,
    looks: Vec<(String, Badge)>,
}

impl Nations {
    /// Those of a game.
    pub fn of(texts: Texts, game: &GameSummary) -> Nations {
        let names = game.seats.iter().flat_map(|seat| &seat.nations);
        Nations::called(texts, &names.map(String::as_str).collect::<Vec<_>>())
    }

    /// Nations with these names that play together.
    pub fn called(texts: Texts, names: &[&str]) -> Nations {
        let owned = names.iter().map(|name| (*name).to_owned());
        let looks = owned.zip(badges(names)).collect();
        Nations { texts, looks }
    }

    /// The language in which they are named.
    pub fn texts(&self) -> Texts {
        self.texts
    }

    /// Their names on the wire.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.looks.iter().map(|(name, _)| name.as_str())
    }

    /// The colour of a nation; grey for one that does not take part.
    pub fn colour(&self, name: &str) -> &'static str {
        let found = self.looks.iter().find(|(own, _)| own == name);
        found.map_or("#777", |(_, badge)| badge.fill)
    }

    /// The sign of a nation, hidden from screen readers: its name is beside it.
    pub fn sign(&self, name: &str) -> Markup {
        let found = self.looks.iter().find(|(own, _)| own == name);
        let (letters, fill, ink) = found.map_or((String::new(), "#777", "#fff"), |(_, badge)| {
            (badge.letters.clone(), badge.fill, badge.ink)
        });
        html! {
            svg class="sign" viewBox="0 0 30 20" width="30" height="20" aria-hidden="true" focusable="false" {
                rect x="0.5" y="0.5" width="29" height="19" rx="4" fill=(fill) stroke="#0004" {}
                text x="15" y="14.5" text-anchor="middle" font-size="12" font-weight="700" fill=(ink) { (letters) }
            }
        }
    }

    /// The sign with the name behind.
    pub fn named(&self, name: &str) -> Markup {
        html! { span class="nation" { (self.sign(name)) " " (self.texts.nation(name)) } }
    }
}
