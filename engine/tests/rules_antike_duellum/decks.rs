//! The source and secrecy of the order of the deck [D5] [D40].

use engine::chance::Chance;
use engine::forms::View;
use engine::setup::{Player, Setup};

use super::boards::*;
use crate::rules::table::*;

fn with_deck(deck: Vec<String>) -> Setup {
    let mut setup = rome_carthage();
    setup.deck = Some(deck);
    setup
}

#[test]
fn d05_the_deck_comes_from_the_seed_only() {
    let table = Table::start(&rome_carthage());
    let mut other = rome_carthage();
    other.max_rounds = Some(3);
    other.seats[0].player = Player::Person {
        id: "livia".into(),
        name: None,
    };
    assert_eq!(Table::start(&other).deck(), table.deck());
    other.seed = "another seed".into();
    assert_ne!(Table::start(&other).deck(), table.deck());
    // Any program can repeat it: the list of the data, shuffled.
    let mut cards = layout();
    Chance::of_decks(&rome_carthage().seed, 0).shuffle(&mut cards);
    let open: Vec<String> = cards.drain(22..).rev().collect();
    assert_eq!(table.open_row(), open);
    assert_eq!(table.deck(), cards);
}

#[test]
fn d40_only_the_order_of_the_deck_is_hidden() {
    let mut cards = layout();
    let one = Table::start(&with_deck(cards.clone()));
    cards[..22].reverse();
    let other = Table::start(&with_deck(cards));
    assert_ne!(one.deck(), other.deck());
    assert_eq!(one.open_row(), other.open_row());
    // Neither the view of the state nor its digest reveals it.
    assert_ne!(one.state, other.state);
    assert_eq!(one.state.digest(), other.state.digest());
    let seen = |table: &Table| View::from_state(&table.game, &table.state);
    assert_eq!(seen(&one), seen(&other));
    let cards = seen(&one).cards.expect("cards");
    assert_eq!((cards.deck, cards.order), (22, None));
    // The open row and hands are seen.
    let table = rome().hand("carthaginians", &["academy"]).table();
    let body = View::from_state(&table.game, &table.state);
    assert_eq!(
        body.nations["carthaginians"].cards,
        Some(vec!["academy".to_owned()])
    );
    assert_ne!(table.state.digest(), rome().table().state.digest());
}

#[test]
fn d05_a_given_deck_replaces_the_drawn_one() {
    let mut cards = layout();
    let table = Table::start(&with_deck(cards.clone()));
    let open: Vec<String> = cards.drain(22..).rev().collect();
    assert_eq!(table.open_row(), open);
    assert_eq!(table.deck(), cards);
    // As many words are drawn as without it.
    assert_eq!(
        table.state.drawn,
        Table::start(&rome_carthage()).state.drawn
    );
}

#[test]
fn d05_a_wrong_deck_is_refused() {
    let mut fewer = layout();
    fewer.pop();
    let mut other = layout();
    other[0] = "tribute".into();
    for deck in [fewer, other, Vec::new()] {
        let error = refused(&with_deck(deck));
        assert_eq!(error.field, "deck");
        assert_eq!(
            error.message,
            "the deck must consist of exactly the cards of the game's deck"
        );
    }
    let mut unknown = layout();
    unknown[0] = "plague".into();
    let error = refused(&with_deck(unknown.clone()));
    assert_eq!(error.field, "deck");
    assert_eq!(error.message, "the edition has no card \"plague\"");
    let mut setup = rome_carthage();
    setup.reshuffles = vec![layout(), unknown];
    assert_eq!(refused(&setup).field, "reshuffles[1]");
    // A game without cards has no deck.
    let mut setup = east(3);
    setup.deck = Some(layout());
    assert_eq!(refused(&setup).field, "deck");
}

#[test]
fn d40_a_given_reshuffle_replaces_the_drawn_one() {
    for last in ["tribute", "burglary", "academy"] {
        let mut deck: Vec<String> = ["tribute", "burglary", "academy"]
            .iter()
            .filter(|card| **card != last)
            .map(|card| (*card).to_owned())
            .collect();
        deck.push(last.into());
        let mut setup = before_a_reshuffle();
        setup.reshuffles = vec![deck.clone()];
        // An over-the-board game has no seed.
        setup.seed.clear();
        let mut table = Table::start(&setup);
        table.play(&TO_THE_RESHUFFLE.join(";"));
        assert_eq!(table.state.cards.reshuffles, 1);
        assert_eq!(table.open_row()[2], last);
        assert_eq!(table.deck(), deck[..2]);
    }
}

#[test]
fn d40_a_position_without_order_is_shuffled_from_the_seed() {
    let one = rome().table();
    assert_eq!(one.deck().len(), 22);
    assert_eq!(rome().table().deck(), one.deck());
    let mut setup = rome().setup();
    setup.seed = "another seed".into();
    let other = Table::start(&setup);
    assert_ne!(other.deck(), one.deck());
    let sorted = |table: &Table| {
        let mut deck = table.deck();
        deck.sort();
        deck
    };
    assert_eq!(sorted(&other), sorted(&one));
}

#[test]
fn d40_a_game_played_at_a_table_needs_no_seed() {
    let mut setup = serde_json::to_value(with_deck(layout())).expect("it is JSON");
    setup.as_object_mut().expect("fields").remove("seed");
    let setup: Setup = serde_json::from_value(setup).expect("it reads");
    assert_eq!(setup.seed, "");
    let table = Table::start(&setup);
    assert_eq!(table.deck(), layout()[..22]);
}
