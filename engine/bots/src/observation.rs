//! Observations: everything that a bot may know of a game.

use engine::chance::Chance;
use engine::ids::{Card, MAX_CARD_KINDS, Nation};
use engine::play::{Action, Game, Payments};
use engine::state::{Pile, State};

/// Replaces the seed of the game. A bot's own draws derive from it and from the bot's [`State::drawn`].
const NO_SEED: &str = "a bot's";

/// Each guess at later draws starts at one of this many words of the stream.
const GUESSES: u32 = 1 << 31;

/// Everything that may be known of a running game: all but its seed and the order of the event deck.
///
/// Both nations know which cards are still to come: those that are neither open nor used nor held `[D40]`. The
/// observation deals these at random, so a bot that tries actions draws plausible cards but never learns the true
/// order.
#[derive(Clone, Debug)]
pub struct Observation {
    game: Game,
    state: State,
    guess: u32,
}

impl Observation {
    /// Returns the observation of a state.
    ///
    /// The chance, which must not be the game's, selects one of the possible decks. This guess stays the same while
    /// the same cards are known.
    pub fn new(game: &Game, state: &State, chance: &mut Chance) -> Observation {
        let mut seen = Observation {
            game: game.with_seed(NO_SEED),
            state: state.clone(),
            guess: chance.below(GUESSES),
        };
        deal(&seen.game, &mut seen.state, seen.guess);
        seen
    }

    /// Updates it to a later state of the same game.
    pub fn update(&mut self, state: &State) {
        let (before, cards) = (&self.state, &self.state.cards);
        let mut hands = before.nations.iter().zip(&state.nations);
        let same_known = cards.open == state.cards.open
            && cards.used == state.cards.used
            && hands.all(|(before, now)| before.hand == now.hand);
        // The guess follows from the known cards and need not be dealt again.
        let (deck, drawn) = (cards.deck, before.drawn);
        self.state.clone_from(state);
        if same_known {
            self.state.cards.deck = deck;
            self.state.drawn = drawn;
        } else {
            deal(&self.game, &mut self.state, self.guess);
        }
    }

    /// The game, without its true seed and without given decks.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The state, with a guessed deck.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the state with another guess at the deck and at all later draws.
    pub fn redeal(&self, chance: &mut Chance) -> State {
        let mut state = self.state.clone();
        deal(&self.game, &mut state, chance.below(GUESSES));
        state
    }

    /// The nation that must act; `None` if the game is over.
    pub fn nation(&self) -> Option<Nation> {
        self.game
            .question(&self.state)
            .map(|question| question.nation())
    }

    /// The legal actions except resigning, with default payments if there are any.
    pub fn legal_actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        self.game
            .legal_actions(&self.state, Payments::Default, &mut actions);
        actions
    }

    /// Returns the state after an action of the nation that must act; `None` if it is refused.
    pub fn after(&self, action: Action) -> Option<State> {
        let mut state = self.state.clone();
        let nation = self.nation()?;
        let applied = self.game.apply(&mut state, nation, action, &mut Vec::new());
        applied.ok().map(|()| state)
    }
}

/// Deals a deck of the cards that are not known to be elsewhere. `game` must be without seed.
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
    debug_assert!(
        dealt.is_ok(),
        "no deck is given, and a part of the deck fits"
    );
}
