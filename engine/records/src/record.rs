//! The record of a whole game. A finished and signed record never changes.

use engine::content::Library;
use engine::forms::ResultBody;
use engine::ids::{Card, Nation};
use engine::play::{Action, Effect, Game};
use engine::setup::Setup;
use engine::state::State;
use serde::{Deserialize, Serialize};

use crate::log::shuffled_deck;
use crate::{EventRow, ReplayError, Signature};

/// The value of [`Record::format`].
pub const RECORD_FORMAT: &str = "tabularium-record/1";

/// Where a record comes from.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    strum::Display,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Source {
    /// Played on a Tabularium service.
    Service,
    /// Played by bots for statistics.
    Simulation,
    /// Played elsewhere.
    Import,
}

/// A game: its setup, its actions and its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Always `tabularium-record/1`.
    pub format: String,
    /// The game's id.
    pub id: String,
    /// The setup, with every choice spelled out.
    pub setup: Setup,
    /// The actions in notation; undone ones have a `-` before them.
    pub actions: Vec<String>,
    /// The event log, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub events: Option<Vec<EventRow>>,
    /// The result; null during the game.
    pub result: Option<ResultBody>,
    /// Digest of the last state, 16 hexadecimal digits.
    pub digest: String,
    /// When the game ended: RFC 3339, UTC.
    pub played_at: String,
    /// Where the record comes from.
    pub source: Source,
    /// Whether the game counts for ratings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// The league of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub league: Option<String>,
    /// The signature of the server that keeps the finished game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub signature: Option<Signature>,
}

/// One action of a replay, with its effects.
#[derive(Clone, Copy, Debug)]
pub struct ReplayStep<'a> {
    /// The game.
    pub game: &'a Game,
    /// Position of the action in [`Record::actions`], from 0.
    pub index: usize,
    /// The acting nation.
    pub nation: Nation,
    /// Its action.
    pub action: Action,
    /// The state after it.
    pub state: &'a State,
    /// The effects of the action.
    pub effects: &'a [Effect],
}

impl Record {
    /// Adds what the seed decided beyond the seats: the event deck and each reshuffled deck.
    ///
    /// Use it only for games that are over, since it reveals the order of the deck.
    ///
    /// # Errors
    /// If the record does not replay.
    pub fn spell_out(&mut self, library: &Library) -> Result<(), ReplayError> {
        let (game, first) = self.setup.start(library)?;
        if game.rules.data.cards.is_none() {
            return Ok(());
        }
        let names = |cards: Vec<Card>| -> Vec<String> {
            let name = |card: Card| game.ruleset.card_name(card).to_owned();
            cards.into_iter().map(name).collect()
        };
        // A deck whose order is given by the position was not drawn from the seed.
        let position = self.setup.position.as_ref();
        let order = position.and_then(|body| body.cards.as_ref()?.order.as_ref());
        let deck = order
            .is_none()
            .then(|| names(laid_out(&self.setup, &first)));
        // Indexed by number of the reshuffle. Those before the position are unknown and stay empty.
        let mut reshuffles = vec![Vec::new(); usize::from(first.cards.reshuffles)];
        self.replay(library, |step| {
            reshuffles.extend(shuffled_deck(step.state, step.effects).map(names));
        })?;
        self.setup.deck = deck;
        self.setup.reshuffles = reshuffles;
        Ok(())
    }
}

/// Returns the event deck that the first state was dealt from, the last card drawn first.
///
/// The open row of a position was not dealt from its deck.
pub(crate) fn laid_out(setup: &Setup, first: &State) -> Vec<Card> {
    let dealt = match setup.position {
        None => first.cards.open.cards(),
        Some(_) => &[],
    };
    let deck = first.cards.deck.cards().iter();
    deck.chain(dealt.iter().rev()).copied().collect()
}
