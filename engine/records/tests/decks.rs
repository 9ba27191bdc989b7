//! The order of the event deck in records and logs [D5] [D40].

use engine::chance::{Chance, seed_commitment};
use engine::content::Library;
use engine::forms::digest_text;
use engine::play::Payments;
use engine::setup::Setup;
use records::{PublicSetup, RECORD_FORMAT, Record, ReplayError, Source};

use crate::boards::*;
use crate::rules::table::Table;

#[test]
fn d40_the_commitment_to_the_seed_is_public_and_the_deck_is_not() {
    let table = Table::start(&rome_carthage());
    let mut setup = table.setup.clone();
    setup.deck = Some(layout());
    setup.reshuffles = vec![layout()];
    let public = serde_json::to_value(PublicSetup::new(&setup)).expect("it is JSON");
    assert_eq!(public["seed_commitment"], seed_commitment(&setup.seed));
    for secret in ["seed", "deck", "reshuffles"] {
        assert_eq!(public.get(secret), None);
    }
    // The order given by a position is public: the game starts from it with any seed.
    let setup = before_a_reshuffle();
    assert!(setup.position.as_ref().is_some_and(|body| {
        let cards = body.cards.as_ref();
        cards.is_some_and(|cards| cards.order.is_some())
    }));
    let json = serde_json::to_value(PublicSetup::new(&setup)).expect("it is JSON");
    assert_eq!(json["position"]["cards"]["open"][2], "settlers");
    assert!(json["position"]["cards"]["order"].is_array());
    // With the seed, which is published later, the deck can be checked.
    let seeded = Table::start(&rome_carthage());
    assert_eq!(
        public["seed_commitment"],
        seed_commitment(&seeded.setup.seed)
    );
    assert_eq!(seeded.deck(), table.deck());
    assert_ne!(public["seed_commitment"], seed_commitment("another seed"));
}

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
fn d40_a_record_with_a_wrong_reshuffle_does_not_replay() {
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
    // The position contains the order of its deck.
    assert_eq!(record.setup.deck, None);
    assert_eq!(record.setup.reshuffles.len(), 1);
    // Without the seed it replays too.
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

/// A game in which each legal action is equally likely, with its decks but without its seed.
fn spelled_out(mut setup: Setup) -> Record {
    setup.max_rounds = Some(30);
    let (game, mut state) = setup.start(Library::embedded()).expect("it starts");
    let (mut listed, mut actions) = (Vec::new(), Vec::new());
    let mut chance = Chance::new("any action");
    while let Some(question) = game.question(&state) {
        game.legal_actions(&state, Payments::Default, &mut listed);
        let action = listed[chance.below(listed.len() as u32) as usize];
        actions.push(game.print_by(&state, question.nation(), &action));
        game.apply(&mut state, question.nation(), action, &mut Vec::new())
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
