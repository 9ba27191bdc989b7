//! Piles of event cards: plain values without heap, like the rest of a state [D40].

use crate::ids::{Card, CardKinds, MAX_CARDS};

/// A pile or row of event cards. Of a pile the last one is drawn first.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pile {
    // The rest beyond the length is zero, so that piles of the same cards are equal.
    cards: [Card; MAX_CARDS],
    length: u8,
}

/// The event cards that no nation holds. Empty in editions without them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cards {
    /// The deck. Its order is secret during the game and not part of the state's digest.
    pub deck: Pile,
    /// The open row, from left to right.
    pub open: Pile,
    /// The used cards, in the order of discarding.
    pub used: Pile,
    /// How many times the used cards were shuffled into a new deck.
    pub reshuffles: u8,
}

impl Default for Pile {
    fn default() -> Pile {
        Pile {
            cards: [Card(0); MAX_CARDS],
            length: 0,
        }
    }
}

impl std::fmt::Debug for Pile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.cards()).finish()
    }
}

impl Pile {
    /// The cards, from the bottom or left.
    pub fn cards(&self) -> &[Card] {
        &self.cards[..usize::from(self.length)]
    }

    /// How many cards it has.
    pub const fn len(&self) -> u8 {
        self.length
    }

    /// Whether it has no card.
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns a pile of these cards, or `None` if there are more than a deck can have.
    pub(crate) fn from_cards(cards: &[Card]) -> Option<Pile> {
        let mut pile = Pile::default();
        pile.cards.get_mut(..cards.len())?.copy_from_slice(cards);
        pile.length = cards.len() as u8;
        Some(pile)
    }

    /// Adds a card on top or at the right end. A loaded deck never has more cards than fit.
    pub(crate) fn push(&mut self, card: Card) {
        self.cards[usize::from(self.length)] = card;
        self.length += 1;
    }

    /// Draws the card on top.
    pub(crate) fn draw(&mut self) -> Option<Card> {
        self.length = self.length.checked_sub(1)?;
        Some(std::mem::take(&mut self.cards[usize::from(self.length)]))
    }

    /// Removes the first card of a kind and returns its index.
    pub(crate) fn take(&mut self, card: Card) -> Option<usize> {
        let index = self.cards().iter().position(|other| *other == card)?;
        let length = usize::from(self.length);
        self.cards[index..length].rotate_left(1);
        self.cards[length - 1] = Card(0);
        self.length -= 1;
        Some(index)
    }

    /// Inserts a card at an index.
    pub(crate) fn insert(&mut self, index: usize, card: Card) {
        self.push(card);
        self.cards[index..usize::from(self.length)].rotate_right(1);
    }

    /// The set of kinds of its cards.
    pub fn kinds(&self) -> CardKinds {
        self.cards().iter().copied().collect()
    }
}
