//! Where the order of the deck comes from, who sees it, and spelling it out [D5] [D40].

use engine::chance::{Chance, seed_commitment};
use engine::content::Library;
use engine::forms::{View, digest_text};
use engine::play::Payments;
use engine::record::{Player, PublicSetup, RECORD_FORMAT, Record, ReplayError, Setup, Source};

use super::boards::*;
use crate::rules::table::*;

/// All cards in the order in which the data lists them.
fn layout() -> Vec<String> {
    let game = Table::start(&rome_carthage()).game;
    let cards = game.rules.data.cards.as_ref().expect("cards").layout();
    let name = |card: &engine::ids::Card| game.ruleset.card_name(*card).to_owned();
    cards.iter().map(name).collect()
}

fn told(deck: Vec<String>) -> Setup {
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
        id: "somebody".into(),
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
fn d40_the_commitment_to_the_seed_is_public_and_the_deck_is_not() {
    let table = Table::start(&rome_carthage());
    let mut setup = table.setup.clone();
    setup.deck = Some(layout());
    setup.reshuffles = vec![layout()];
    let public = serde_json::to_value(PublicSetup::of(&setup)).expect("it is JSON");
    assert_eq!(public["seed_commitment"], seed_commitment(&setup.seed));
    for secret in ["seed", "deck", "reshuffles"] {
        assert_eq!(public.get(secret), None);
    }
    // The order that a position tells is no secret: the game starts from it, seed or not.
    let setup = before_a_reshuffle();
    assert!(setup.position.as_ref().is_some_and(|body| {
        let cards = body.cards.as_ref();
        cards.is_some_and(|cards| cards.order.is_some())
    }));
    let told = serde_json::to_value(PublicSetup::of(&setup)).expect("it is JSON");
    assert_eq!(told["position"]["cards"]["open"][2], "settlers");
    assert!(told["position"]["cards"]["order"].is_array());
    // Whoever is told the seed later can check it and the deck.
    let told = Table::start(&rome_carthage());
    assert_eq!(public["seed_commitment"], seed_commitment(&told.setup.seed));
    assert_eq!(told.deck(), table.deck());
    assert_ne!(public["seed_commitment"], seed_commitment("another seed"));
}

#[test]
fn d40_only_the_order_of_the_deck_is_hidden() {
    let mut cards = layout();
    let one = Table::start(&told(cards.clone()));
    cards[..22].reverse();
    let other = Table::start(&told(cards));
    assert_ne!(one.deck(), other.deck());
    assert_eq!(one.open_row(), other.open_row());
    // Neither what is seen of the state nor its digest gives it away.
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
fn d05_a_deck_that_is_told_takes_the_place_of_the_drawn_one() {
    let mut cards = layout();
    let table = Table::start(&told(cards.clone()));
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
        let error = refused(&told(deck));
        assert_eq!(error.field, "deck");
        assert_eq!(error.message, "these are not the cards of the deck");
    }
    let mut unknown = layout();
    unknown[0] = "plague".into();
    let error = refused(&told(unknown.clone()));
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

/// The Romans develop two know-hows when the deck has one card left, so that the second card taken
/// brings a reshuffle.
fn before_a_reshuffle() -> Setup {
    rome()
        .used(&["tribute", "burglary", "academy"])
        .deck(&["fortress"], "romans")
        .holds("romans", "g11")
        .setup()
}

const TO_THE_RESHUFFLE: [&str; 6] = [
    "stone know_how",
    "develop strata",
    "develop navigatio",
    "end",
    "carthaginians: card settlers",
    "carthaginians: card fortress",
];

fn record_of(setup: &Setup) -> Record {
    let mut table = Table::start(setup);
    table.play(&TO_THE_RESHUFFLE.join(";"));
    Record {
        format: RECORD_FORMAT.into(),
        id: "reshuffled".into(),
        setup: table.setup.clone(),
        actions: TO_THE_RESHUFFLE.iter().map(|text| (*text).into()).collect(),
        events: None,
        result: None,
        digest: digest_text(table.state.digest()),
        played_at: "2012-10-18T12:00:00Z".into(),
        source: Source::Import,
        rated: false,
        league: None,
        signature: None,
    }
}

#[test]
fn d40_a_reshuffle_that_is_told_takes_the_place_of_the_drawn_one() {
    for last in ["tribute", "burglary", "academy"] {
        let mut deck: Vec<String> = ["tribute", "burglary", "academy"]
            .iter()
            .filter(|card| **card != last)
            .map(|card| (*card).to_owned())
            .collect();
        deck.push(last.into());
        let mut setup = before_a_reshuffle();
        setup.reshuffles = vec![deck.clone()];
        let mut record = record_of(&setup);
        // At a table nobody knows a seed.
        record.setup.seed.clear();
        let (_, state) = record
            .replay(Library::embedded(), |_| {})
            .expect("it replays");
        assert_eq!(state.cards.reshuffles, 1);
        let mut table = Table::start(&setup);
        table.play(&TO_THE_RESHUFFLE.join(";"));
        assert_eq!(table.open_row()[2], last);
        assert_eq!(table.deck(), deck[..2]);
    }
}

#[test]
fn d40_a_record_that_tells_a_wrong_reshuffle_does_not_replay() {
    let mut record = record_of(&before_a_reshuffle());
    record.setup.reshuffles = vec![vec!["tribute".into(), "academy".into(), "academy".into()]];
    match record.replay(Library::embedded(), |_| {}) {
        Err(ReplayError::Setup(error)) => assert_eq!(error.first().field, "reshuffles[0]"),
        other => panic!("{:?}", other.map(|_| ())),
    }
}

#[test]
fn d40_a_finished_record_spells_its_decks_out() {
    let mut record = record_of(&before_a_reshuffle());
    record.spell_out(Library::embedded()).expect("it replays");
    // The position has told the order of its deck.
    assert_eq!(record.setup.deck, None);
    assert_eq!(record.setup.reshuffles.len(), 1);
    // Without the seed it replays all the same.
    record.setup.seed.clear();
    record.verify(Library::embedded()).expect("it replays");
}

#[test]
fn d40_reshuffles_before_a_position_are_counted() {
    let mut setup = before_a_reshuffle();
    let body = setup.position.as_mut().expect("a position");
    body.cards.as_mut().expect("cards").reshuffles = 2;
    let mut record = record_of(&setup);
    record.spell_out(Library::embedded()).expect("it replays");
    let reshuffles = &record.setup.reshuffles;
    assert_eq!(reshuffles.len(), 3);
    assert!(reshuffles[0].is_empty() && reshuffles[1].is_empty());
    assert_eq!(reshuffles[2].len(), 3);
    record.setup.seed.clear();
    record.verify(Library::embedded()).expect("it replays");
}

/// A game in which each legal action is equally likely, with its decks spelled out and its seed
/// forgotten.
fn spelled_out(mut setup: Setup) -> Record {
    setup.max_rounds = Some(30);
    let (game, mut state) = setup.start(Library::embedded()).expect("it starts");
    let (mut listed, mut actions) = (Vec::new(), Vec::new());
    let mut chance = Chance::new("any action");
    while let Some(question) = game.question(&state) {
        game.legal_actions(&state, Payments::Default, &mut listed);
        let action = listed[chance.below(listed.len() as u32) as usize];
        actions.push(game.print_by(&state, question.asked(), &action));
        game.apply(&mut state, question.asked(), action, &mut Vec::new())
            .expect("a listed action is legal");
    }
    let mut record = Record {
        format: RECORD_FORMAT.to_owned(),
        id: "a game".to_owned(),
        result: game.result_body(&state),
        digest: digest_text(state.digest()),
        setup: setup.spelled_out(Library::embedded()).expect("it starts"),
        actions,
        events: None,
        played_at: "2012-10-18T12:00:00Z".to_owned(),
        source: Source::Simulation,
        rated: false,
        league: None,
        signature: None,
    };
    record.spell_out(Library::embedded()).expect("it replays");
    record.setup.seed.clear();
    // The text form keeps the decks.
    let text = record.to_text(Library::embedded()).expect("it replays");
    assert_eq!(Record::from_text(&text).as_ref(), Ok(&record));
    record
}

#[test]
fn d05_a_finished_record_spells_its_first_deck_out() {
    let record = spelled_out(rome_carthage());
    let deck = record.setup.deck.clone().expect("it is spelled out");
    let table = Table::start(&rome_carthage());
    assert_eq!(deck[..22], table.deck());
    let dealt: Vec<String> = table.open_row().into_iter().rev().collect();
    assert_eq!(deck[22..], dealt);
    record.verify(Library::embedded()).expect("it replays");
}

#[test]
fn d40_a_finished_record_spells_every_reshuffle_out() {
    // All cards but two are held: each one that is used is shuffled into a new deck.
    let position = rome().open(&["settlers", "academy"]);
    let mut setup = position.deck(&[], "carthaginians").setup();
    let body = setup.position.as_mut().expect("a position");
    body.cards.as_mut().expect("cards").order = None;
    let record = spelled_out(setup);
    assert_eq!(record.setup.deck, Some(Vec::new()));
    let reshuffles = record.setup.reshuffles.len();
    assert!(reshuffles > 0, "no card was used");
    let verified = record.verify(Library::embedded()).expect("it replays");
    assert_eq!(usize::from(verified.state.cards.reshuffles), reshuffles);
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
    let mut setup = serde_json::to_value(told(layout())).expect("it is JSON");
    setup.as_object_mut().expect("fields").remove("seed");
    let setup: Setup = serde_json::from_value(setup).expect("it reads");
    assert_eq!(setup.seed, "");
    let table = Table::start(&setup);
    assert_eq!(table.deck(), layout()[..22]);
}
