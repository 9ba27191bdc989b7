//! The event cards of a position [D40].

use super::{Checked, PositionFault, fail, fault};
use crate::forms::Position;
use crate::ids::Card;
use crate::play::Game;
use crate::state::{Pile, State};

impl Position {
    /// Reads the open row, the deck and the used cards.
    pub(super) fn cards(&self, game: &Game, state: &mut State) -> Checked<()> {
        let (body, data) = match (&self.cards, &game.rules.data.cards) {
            (None, None) => return Ok(()),
            (Some(body), Some(data)) => (body, data),
            _ => {
                return fail(
                    "cards",
                    "cards must be present exactly in editions with event cards",
                );
            }
        };
        let mut rest = data.layout();
        let mut take = |field: &str, card: Card| match rest.iter().position(|c| *c == card) {
            Some(index) => {
                rest.remove(index);
                Ok(())
            }
            None => {
                let name = game.ruleset.card_name(card);
                fail(field, format!("the game has fewer cards of {name}"))
            }
        };
        for id in game.all_nations() {
            let field = format!("nations.{}.cards", game.nation_name(id));
            for (card, count) in (0..).map(Card).zip(state.nation(id).hand) {
                for _ in 0..count {
                    take(&field, card)?;
                }
            }
        }
        let open = named(game, "cards.open", &body.open)?;
        let used = named(game, "cards.used", &body.used)?;
        for card in &open {
            take("cards.open", *card)?;
        }
        for card in &used {
            take("cards.used", *card)?;
        }
        let full = usize::from(data.open);
        let more = !rest.is_empty() || !used.is_empty();
        if open.len() > full || (open.len() < full && more) {
            return fail(
                "cards.open",
                format!("must be {full} cards while there are that many"),
            );
        }
        if body.deck != 0 && usize::from(body.deck) != rest.len() {
            return fail(
                "cards.deck",
                format!("must be {}, the number of remaining cards", rest.len()),
            );
        }
        match &body.order {
            None => (game.shuffle_deck(state, rest)).map_err(|other| PositionFault {
                field: "deck".to_owned(),
                message: other.to_string(),
                rule: None,
            })?,
            Some(order) => {
                let order = named(game, "cards.order", order)?;
                let mut sorted = order.clone();
                sorted.sort_unstable();
                if sorted != rest {
                    return fail("cards.order", "must consist of exactly the remaining cards");
                }
                state.cards.deck = pile("cards.order", &order)?;
            }
        }
        state.cards.open = pile("cards.open", &open)?;
        state.cards.used = pile("cards.used", &used)?;
        state.cards.reshuffles = body.reshuffles;
        Ok(())
    }
}

/// Returns the event cards with these names.
pub(super) fn named(game: &Game, field: &str, names: &[String]) -> Checked<Vec<Card>> {
    let named = |name: &String| match game.ruleset.card_by_name(name) {
        Some(card) => Ok(card),
        None => fail(field, format!("the edition has no card {name:?}")),
    };
    names.iter().map(named).collect()
}

fn pile(field: &str, cards: &[Card]) -> Checked<Pile> {
    Pile::from_cards(cards).ok_or_else(|| fault(field, "more cards than a deck can have"))
}
