//! What bots may see: all of a game but its seed and the order of the deck [D40].

use crate::support::setup;

use std::cell::RefCell;

use bots::{BOTS, Bot, Budget, Host, Named, Seen, Spec};
use engine::chance::Chance;
use engine::content::Library;
use engine::forms::{Position, View};
use engine::ids::Card;
use engine::play::{Action, Effect, Game};
use engine::setup::Setup;
use engine::state::{Question, State};

const BOARDS: [&str; 2] = ["duellum-rome-carthage", "duellum-greece-persia"];

thread_local! {
    /// What the spy has told, of the test that runs on this thread.
    static TOLD: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Tells all that it is given, plays every listed action in its head and tells what follows, and lets
/// all of that say what it does.
struct Spy;

impl Bot for Spy {
    fn choose(&mut self, seen: &Seen, budget: Budget, chance: &mut Chance) -> Option<Action> {
        let mut told = format!("{:?} {:?} {budget:?}", seen.game(), seen.state());
        let actions = seen.legal_actions();
        for action in &actions {
            told += &format!("{:?}", seen.after(*action));
        }
        told += &format!("{:?} {}", seen.redealt(chance), chance.below(1000));
        let told_before = TOLD.with_borrow_mut(|all| {
            all.push(told.clone());
            all.len()
        });
        let sum = told
            .bytes()
            .fold(0, |sum: usize, byte| sum * 31 % 65_521 + usize::from(byte));
        let last = told_before
            .checked_sub(1)
            .and(actions.len().checked_sub(1))?;
        Some(actions[sum % (last + 1)])
    }
}

const SPY: Named = Named {
    name: "spy",
    description: "tells all that it is given",
    temperament: None,
    budget: None,
    seat: |_| Box::new(Spy),
};

/// Every bot of the crate, and the one that tries to learn more.
fn everybody() -> impl Iterator<Item = Named> {
    BOTS.iter().copied().chain([SPY])
}

fn host(game: &Game, state: &State, bot: Named) -> Host {
    let mut host = Host::new(game, state);
    for seat in 0..game.seats() as u8 {
        let budget = bot.budget.map_or(Budget::NONE, |_| Budget::Playouts(2));
        host.seat(seat, &Spec { named: bot, budget });
    }
    host
}

/// What a bot that has just sat down does.
fn choice(game: &Game, state: &State, bot: Named, decision: u64) -> Option<Action> {
    host(game, state, bot).choose(state, decision)
}

#[test]
fn d40_no_bot_can_tell_games_apart_that_differ_in_the_order_of_the_deck() {
    for bot in everybody() {
        for (board, variants) in [(BOARDS[0], &[][..]), (BOARDS[1], &["special_units"])] {
            does_not_look_at_the_deck(bot, board, variants);
        }
    }
}

fn does_not_look_at_the_deck(bot: Named, board: &str, variants: &[&str]) {
    let name = bot.name;
    let setup = setup::of_bots(board, &["greedy"; 2], variants, "hidden", 25);
    let (game, mut state) = setup.start(Library::embedded()).expect("a setup");
    let mut greedy = host(&game, &state, BOTS[1]);
    let (mut decision, mut taken, mut other_orders) = (0, 0, 0);
    while let Some(question) = game.question(&state) {
        let chosen = choice(&game, &state, bot, decision).expect("a choice");
        let told = TOLD.with_borrow_mut(std::mem::take);
        // Whichever card comes next; when one is taken, each that can.
        let asked = matches!(state.question, Some(Question::Cards { .. }));
        taken += u32::from(asked);
        let orders = if asked { state.cards.deck.len() } else { 2 };
        for turned in 1..orders {
            let (game, other) = setup::with_order(&setup, &game, &state, usize::from(turned));
            other_orders += u32::from(other.cards.deck != state.cards.deck);
            let there = choice(&game, &other, bot, decision);
            assert_eq!(there, Some(chosen), "{name}, decision {decision}");
            let told_there = TOLD.with_borrow_mut(std::mem::take);
            assert!(told == told_there, "{name} is given more at {decision}");
        }
        // Greedy plays the game, so that cards are taken.
        let action = greedy.choose(&state, decision).expect("a choice");
        game.apply(&mut state, question.asked(), action, &mut Vec::new())
            .expect("a legal action");
        decision += 1;
    }
    assert!(taken >= 2, "only {taken} cards taken on {board}");
    assert!(other_orders > 100, "{other_orders} other orders on {board}");
}

fn sorted(cards: &[Card]) -> Vec<Card> {
    let mut cards = cards.to_vec();
    cards.sort_unstable();
    cards
}

#[test]
fn d40_a_bot_sees_a_deck_of_the_cards_that_are_left_in_an_order_of_its_own() {
    for board in BOARDS {
        let setup = setup::of_bots(board, &["greedy"; 2], &[], "a secret", 60);
        let (game, mut state) = setup.start(Library::embedded()).expect("a setup");
        let mut greedy = host(&game, &state, BOTS[1]);
        let mut seen = Seen::new(&game, &state, &mut Chance::new("a guess"));
        let (mut decision, mut decks, mut right, mut kept) = (0, 0, 0, 0);
        while let Some(question) = game.question(&state) {
            seen.update(&state);
            let guess = seen.state().cards;
            assert_eq!(sorted(guess.deck.cards()), sorted(state.cards.deck.cards()));
            assert_eq!(
                (guess.open, guess.used),
                (state.cards.open, state.cards.used)
            );
            if guess.deck.kinds().len() > 1 {
                decks += 1;
                right += u32::from(guess.deck == state.cards.deck);
            }
            // Whoever comes later sees the same as who has looked on.
            let fresh = Seen::new(&game, &state, &mut Chance::new("a guess"));
            assert_eq!(fresh.state(), seen.state());
            let again = seen.redealt(&mut Chance::new("another guess"));
            kept += u32::from(again.cards.deck == guess.deck);
            assert_eq!(sorted(again.cards.deck.cards()), sorted(guess.deck.cards()));
            let action = greedy.choose(&state, decision).expect("a choice");
            game.apply(&mut state, question.asked(), action, &mut Vec::new())
                .expect("a legal action");
            decision += 1;
        }
        assert!(decks > 100, "{decks} decks on {board}");
        assert!(
            right * 20 < decks,
            "{right} of {decks} guesses are true on {board}"
        );
        assert!(
            kept * 20 < decks,
            "{kept} of {decks} are the same guess on {board}"
        );
    }
}

#[test]
fn d40_guesses_go_on_each_in_its_own_way() {
    // A card is due whose place in the row is filled from used cards that are shuffled anew.
    let setup = setup::of_bots(BOARDS[0], &["greedy"; 2], &[], "a secret", 60);
    let (game, mut state) = setup.start(Library::embedded()).expect("a setup");
    let mut greedy = host(&game, &state, BOTS[1]);
    let mut decision = 0;
    while !matches!(state.question, Some(Question::Cards { .. })) {
        let question = game.question(&state).expect("a card comes first");
        let action = greedy.choose(&state, decision).expect("a choice");
        game.apply(&mut state, question.asked(), action, &mut Vec::new())
            .expect("a legal action");
        decision += 1;
    }
    let mut body = Position::from(View::with_deck(&game, &state));
    let cards = body.cards.as_mut().expect("cards");
    let deck = cards.order.replace(Vec::new()).expect("an order");
    cards.used.extend(deck);
    cards.deck = 0;
    let setup = Setup {
        position: Some(Box::new(body)),
        ..setup
    };
    let (game, state) = setup.start(Library::embedded()).expect("a position");
    let seen = Seen::new(&game, &state, &mut Chance::new("a guess"));
    let nation = seen.nation().expect("somebody is asked");
    let take = seen.legal_actions()[0];
    let mut chance = Chance::new("guesses");
    let next = |mut state: State| {
        let mut effects = Vec::new();
        seen.game()
            .apply(&mut state, nation, take, &mut effects)
            .expect("a listed action");
        assert!(
            effects
                .iter()
                .any(|effect| matches!(effect, Effect::DeckShuffled { .. }))
        );
        state.cards.deck
    };
    let decks: Vec<_> = (0..10).map(|_| next(seen.redealt(&mut chance))).collect();
    let of_first = decks.iter().filter(|deck| **deck == decks[0]).count();
    assert!(of_first < 5, "{of_first} of 10 are the same");
}

#[test]
fn no_bot_is_given_the_seed_or_a_deck_that_is_told() {
    let secret = "a very secret seed";
    let told = |seed: &str, deck: bool| {
        let mut setup = setup::of_bots(BOARDS[0], &["greedy"; 2], &[], seed, 25);
        setup.seats[0].nations = vec!["romans".to_owned()];
        setup.seats[1].nations = vec!["carthaginians".to_owned()];
        setup.first = Some("romans".to_owned());
        let (mut game, mut state) = setup.start(Library::embedded()).expect("a setup");
        if deck {
            let drawn = state.cards.open.cards().iter().rev();
            let cards = state.cards.deck.cards().iter().chain(drawn);
            let names = cards.map(|card| game.ruleset.card_name(*card).to_owned());
            setup.deck = Some(names.collect());
            setup.reshuffles = setup.deck.iter().cloned().collect();
            (game, state) = setup.start(Library::embedded()).expect("the same deck");
        }
        choice(&game, &state, SPY, 0);
        TOLD.with_borrow_mut(std::mem::take).concat()
    };
    let all = told(secret, false);
    assert!(!all.contains(secret));
    assert!(!all.contains(&engine::chance::seed_commitment(secret)));
    assert_eq!(told(secret, true), all);
}
