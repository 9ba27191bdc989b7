//! Conversion between the numbers and names of a game. Every number has a name; a name can be unknown.

use std::convert::Infallible;

use crate::ids::{Card, KnowHow, Nation, Region};
use crate::play::{Action, Effect, Game, Names, Numbers, Renaming};

/// A name that does not occur in the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct UnknownName {
    /// The field, such as `region`.
    pub field: &'static str,
    /// What is wrong.
    pub message: String,
}

impl Renaming<Numbers, Names> for Game {
    type Error = Infallible;

    fn region(&self, _: &'static str, region: Region) -> Result<String, Infallible> {
        Ok(self.board.name(region).to_owned())
    }

    fn nation(&self, _: &'static str, nation: Nation) -> Result<String, Infallible> {
        Ok(self.nation_name(nation).to_owned())
    }

    fn know_how(&self, _: &'static str, know_how: KnowHow) -> Result<String, Infallible> {
        Ok(self.ruleset.know_how_name(know_how).to_owned())
    }

    fn card(&self, _: &'static str, card: Card) -> Result<String, Infallible> {
        Ok(self.ruleset.card_name(card).to_owned())
    }
}

impl Renaming<Names, Numbers> for Game {
    type Error = UnknownName;

    fn region(&self, field: &'static str, name: String) -> Result<Region, UnknownName> {
        self.board.region(&name).ok_or_else(|| UnknownName {
            field,
            message: format!("the board has no region {name:?}"),
        })
    }

    fn nation(&self, field: &'static str, name: String) -> Result<Nation, UnknownName> {
        self.nation_by_name(&name).ok_or_else(|| UnknownName {
            field,
            message: format!("no nation {name:?} plays"),
        })
    }

    fn know_how(&self, field: &'static str, name: String) -> Result<KnowHow, UnknownName> {
        let known = self.ruleset.know_how_by_name(&name);
        known.ok_or_else(|| UnknownName {
            field,
            message: format!("the edition has no know-how {name:?}"),
        })
    }

    fn card(&self, field: &'static str, name: String) -> Result<Card, UnknownName> {
        let known = self.ruleset.card_by_name(&name);
        known.ok_or_else(|| UnknownName {
            field,
            message: format!("the edition has no event card {name:?}"),
        })
    }
}

impl Action {
    /// Returns the action with names, as in JSON.
    pub fn named(self, game: &Game) -> Action<Names> {
        let Ok(action) = self.rename(game);
        action
    }
}

impl Action<Names> {
    /// Returns the action with numbers, as the rules use it.
    ///
    /// # Errors
    /// If the game has no such region, nation, know-how or event card.
    pub fn numbered(self, game: &Game) -> Result<Action, UnknownName> {
        self.rename(game)
    }
}

impl Effect {
    /// Returns the effect with names, as in JSON.
    pub fn named(self, game: &Game) -> Effect<Names> {
        let Ok(effect) = self.rename(game);
        effect
    }
}
