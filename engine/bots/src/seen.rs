//! What a bot may see.

use engine::chance::Chance;
use engine::ids::{Card, MAX_CARD_KINDS, Nation};
use engine::play::{Action, Game, Payments};
use engine::state::{Pile, State};

/// In place of the seed of the game. What is drawn in a bot's head comes from it and from
/// [`State::drawn`], which is the bot's own.
const NO_SEED: &str = "a bot's";

/// A guess at what is drawn next starts at one of so many words of the stream.
const GUESSES: u32 = 1 << 31;

/// What may be known of a game that goes on: everything but its seed and the order of the deck of event
/// cards. Both nations know which cards are still to come, those that neither lie open nor are used
/// nor held `[D40]`; here they are dealt anew, so that a bot that tries actions draws plausible cards, and
/// never learns the true ones.
#[derive(Clone, Debug)]
pub struct Seen {
    game: Game,
    state: State,
    guess: u32,
}

impl Seen {
    /// What may be known of a state of a game. The chance, which must not be the game's, says which
    /// of the possible decks is dealt; it stays the same guess while the same cards are known.
    pub fn new(game: &Game, state: &State, chance: &mut Chance) -> Seen {
        let mut seen = Seen {
            game: game.with_seed(NO_SEED),
            state: state.clone(),
            guess: chance.below(GUESSES),
        };
        deal(&seen.game, &mut seen.state, seen.guess);
        seen
    }

    /// The same game, some actions on.
    pub fn update(&mut self, state: &State) {
        let (before, cards) = (&self.state, &self.state.cards);
        let mut hands = before.nations.iter().zip(&state.nations);
        let same_known = cards.open == state.cards.open
            && cards.used == state.cards.used
            && hands.all(|(before, now)| before.hand == now.hand);
        // The guess follows from the known cards: there is no need to deal it again.
        let (deck, drawn) = (cards.deck, before.drawn);
        self.state.clone_from(state);
        if same_known {
            self.state.cards.deck = deck;
            self.state.drawn = drawn;
        } else {
            deal(&self.game, &mut self.state, self.guess);
        }
    }

    /// The rules, the board and who takes part. Its seed is not the true one, and no deck is told.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The position, with a deck that is only a guess.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The position with another guess at the deck, and at all that is drawn later: with the game of
    /// [`Seen::game`], each one goes on in its own way.
    pub fn redealt(&self, chance: &mut Chance) -> State {
        let mut state = self.state.clone();
        deal(&self.game, &mut state, chance.below(GUESSES));
        state
    }

    /// The nation that must act; none when the game is over.
    pub fn nation(&self) -> Option<Nation> {
        self.game
            .question(&self.state)
            .map(|question| question.asked())
    }

    /// What may be done, but for resigning, with default payments where there are any.
    pub fn legal_actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        self.game
            .legal_actions(&self.state, Payments::Default, &mut actions);
        actions
    }

    /// The position after an action of the nation that must act; nothing when it is refused.
    pub fn after(&self, action: Action) -> Option<State> {
        let mut state = self.state.clone();
        let nation = self.nation()?;
        let applied = self.game.apply(&mut state, nation, action, &mut Vec::new());
        applied.ok().map(|()| state)
    }
}

/// Deals a deck of the cards that are not known to be elsewhere. `game` is one without seed.
fn deal(game: &Game, state: &mut State, guess: u32) {
    state.drawn = guess;
    state.cards.deck = Pile::default();
    let Some(data) = &game.rules.data.cards else {
        return;
    };
    let mut elsewhere = [0; MAX_CARD_KINDS];
    for card in state
        .cards
        .open
        .cards()
        .iter()
        .chain(state.cards.used.cards())
    {
        elsewhere[card.index()] += 1;
    }
    for nation in &state.nations {
        for (count, held) in elsewhere.iter_mut().zip(nation.hand) {
            *count += held;
        }
    }
    let mut rest = data.layout();
    rest.retain(|card: &Card| {
        let count = &mut elsewhere[card.index()];
        let known = *count > 0;
        *count -= u8::from(known);
        !known
    });
    let dealt = game.shuffle_deck(state, rest);
    debug_assert!(dealt.is_ok(), "no deck is told, and a part of one fits");
}
