//! Observations: bots see all of a game except its seed and the order of the deck [D40].

use crate::support::setup;

use std::cell::RefCell;

use bots::{BOTS, Bot, BotEntry, Budget, Host, Observation, Spec};
use engine::chance::Chance;
use engine::content::Library;
use engine::forms::{Position, View};
use engine::ids::Card;
use engine::play::{Action, Effect, Game};
use engine::setup::Setup;
use engine::state::{Question, State};

const BOARDS: [&str; 2] = ["duellum-rome-carthage", "duellum-greece-persia"];

thread_local! {
    /// The reports of the spy in the test on this thread.
    static REPORTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// A bot that reports all its input and the result of every listed action.
/// It chooses by a sum of the report.
struct Spy;

impl Bot for Spy {
    fn choose(
        &mut self,
        seen: &Observation,
        budget: Budget,
        chance: &mut Chance,
    ) -> Option<Action> {
        let mut report = format!("{:?} {:?} {budget:?}", seen.game(), seen.state());
        let actions = seen.legal_actions();
        for action in &actions {
            report += &format!("{:?}", seen.after(*action));
        }
        report += &format!("{:?} {}", seen.redeal(chance), chance.below(1000));
        let told_before = REPORTS.with_borrow_mut(|all| {
            all.push(report.clone());
            all.len()
        });
        let sum = report
            .bytes()
            .fold(0, |sum: usize, byte| sum * 31 % 65_521 + usize::from(byte));
        let last = told_before
            .checked_sub(1)
            .and(actions.len().checked_sub(1))?;
        Some(actions[sum % (last + 1)])
    }
}

const SPY: BotEntry = BotEntry {
    name: "spy",
    description: "reports all its input",
    temperament: None,
    budget: None,
    seat: |_| Box::new(Spy),
};

/// Every bot of the crate, and the spy.
fn all_bots() -> impl Iterator<Item = BotEntry> {
    BOTS.iter().copied().chain([SPY])
}

fn host(game: &Game, state: &State, bot: BotEntry) -> Host {
    let mut host = Host::new(game, state);
    for seat in 0..game.seats() as u8 {
        let budget = bot.budget.map_or(Budget::NONE, |_| Budget::Playouts(2));
        host.seat(seat, &Spec { named: bot, budget });
    }
    host
}

/// The choice of a bot that has just been seated.
fn choice(game: &Game, state: &State, bot: BotEntry, decision: u64) -> Option<Action> {
    host(game, state, bot).choose(state, decision)
}

#[test]
fn d40_no_bot_can_distinguish_games_by_the_order_of_the_deck() {
    for bot in all_bots() {
        for (board, variants) in [(BOARDS[0], &[][..]), (BOARDS[1], &["special_units"])] {
            does_not_look_at_the_deck(bot, board, variants);
        }
    }
}

fn does_not_look_at_the_deck(bot: BotEntry, board: &str, variants: &[&str]) {
    let name = bot.name;
    let setup = setup::of_bots(board, &["greedy"; 2], variants, "hidden", 25);
    let (game, mut state) = setup.start(Library::embedded()).expect("a setup");
    let mut greedy = host(&game, &state, BOTS[1]);
    let (mut decision, mut taken, mut other_orders) = (0, 0, 0);
    while let Some(question) = game.question(&state) {
        let chosen = choice(&game, &state, bot, decision).expect("a choice");
        let report = REPORTS.with_borrow_mut(std::mem::take);
        // For each possible next card; when cards are taken, for each choice.
        let asked = matches!(state.question, Some(Question::Cards { .. }));
        taken += u32::from(asked);
        let orders = if asked { state.cards.deck.len() } else { 2 };
        for turned in 1..orders {
            let (game, other) = setup::with_order(&setup, &game, &state, usize::from(turned));
            other_orders += u32::from(other.cards.deck != state.cards.deck);
            let there = choice(&game, &other, bot, decision);
            assert_eq!(there, Some(chosen), "{name}, decision {decision}");
            let other_report = REPORTS.with_borrow_mut(std::mem::take);
            assert!(report == other_report, "{name} receives more at {decision}");
        }
        // Greedy plays the game, so that cards are taken.
        let action = greedy.choose(&state, decision).expect("a choice");
        game.apply(&mut state, question.nation(), action, &mut Vec::new())
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
        let mut seen = Observation::new(&game, &state, &mut Chance::new("a guess"));
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
            // A new observation equals one that was updated.
            let fresh = Observation::new(&game, &state, &mut Chance::new("a guess"));
            assert_eq!(fresh.state(), seen.state());
            let again = seen.redeal(&mut Chance::new("another guess"));
            kept += u32::from(again.cards.deck == guess.deck);
            assert_eq!(sorted(again.cards.deck.cards()), sorted(guess.deck.cards()));
            let action = greedy.choose(&state, decision).expect("a choice");
            game.apply(&mut state, question.nation(), action, &mut Vec::new())
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
    // A card must be taken. Its place in the row is filled from reshuffled used cards.
    let setup = setup::of_bots(BOARDS[0], &["greedy"; 2], &[], "a secret", 60);
    let (game, mut state) = setup.start(Library::embedded()).expect("a setup");
    let mut greedy = host(&game, &state, BOTS[1]);
    let mut decision = 0;
    while !matches!(state.question, Some(Question::Cards { .. })) {
        let question = game.question(&state).expect("a card comes first");
        let action = greedy.choose(&state, decision).expect("a choice");
        game.apply(&mut state, question.nation(), action, &mut Vec::new())
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
    let seen = Observation::new(&game, &state, &mut Chance::new("a guess"));
    let nation = seen.nation().expect("the game goes on");
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
    let decks: Vec<_> = (0..10).map(|_| next(seen.redeal(&mut chance))).collect();
    let of_first = decks.iter().filter(|deck| **deck == decks[0]).count();
    assert!(of_first < 5, "{of_first} of 10 are the same");
}

#[test]
fn no_bot_receives_the_seed_or_a_given_deck() {
    let secret = "a very secret seed";
    let input = |seed: &str, deck: bool| {
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
        REPORTS.with_borrow_mut(std::mem::take).concat()
    };
    let all = input(secret, false);
    assert!(!all.contains(secret));
    assert!(!all.contains(&engine::chance::seed_commitment(secret)));
    assert_eq!(input(secret, true), all);
}
