//! The two blank cards of the box: an operator's own deck, from the existing effects [D43].

use engine::content::{Library, Ruleset};
use engine::play::Reason;
use engine::setup::Setup;
use serde_json::{Value, json};

use super::boards::*;
use crate::rules::table::*;

fn ruleset(change: impl FnOnce(&mut Value)) -> Result<Ruleset, String> {
    let embedded = Library::embedded().ruleset("antike_duellum");
    let mut data = serde_json::to_value(&embedded.expect("embedded").data).expect("it is JSON");
    change(&mut data);
    Ruleset::parse(&data.to_string()).map_err(|error| error.to_string())
}

fn with_cards(cards: &[Value]) -> Result<Ruleset, String> {
    ruleset(|data| {
        let deck = data["cards"]["deck"].as_array_mut().expect("a list");
        deck.extend(cards.iter().cloned());
    })
}

fn card(id: &str, effect: Value) -> Value {
    json!({"id": id, "name": id.to_uppercase(), "copies": 1, "effect": effect})
}

/// A game with additional cards, held by the Romans or the Carthaginians.
fn table_with(cards: &[Value], holder: &str, change: impl FnOnce(Position) -> Position) -> Table {
    let mut library = Library::default();
    library.add_ruleset(with_cards(cards).expect("it reads"));
    let board = Library::embedded().board("duellum-rome-carthage");
    let board = serde_json::to_string(&board.expect("embedded").data).expect("it is JSON");
    library.add_board(engine::content::Board::parse(&board).expect("it reads"));
    let ids: Vec<&str> = cards
        .iter()
        .filter_map(|card| card["id"].as_str())
        .collect();
    let mut setup: Setup = change(rome()).setup();
    let position = setup.position.as_mut().expect("a position");
    let hand = position.nations.get_mut(holder).expect("it plays");
    hand.cards = Some(ids.iter().map(|id| (*id).to_owned()).collect());
    let (game, state) = setup.start(&library).expect("the game starts");
    Table {
        setup: setup.spelled_out(&library).expect("it starts"),
        game,
        state,
        effects: Vec::new(),
    }
}

#[test]
fn d43_two_more_cards_are_played() {
    let cards = [
        card("granary", json!({"type": "extra_production", "chips": 4})),
        card(
            "spies",
            json!({"type": "chips_for_know_how", "resource": "iron", "each": 3}),
        ),
    ];
    let position = |position: Position| position.knows("carthaginians", &["strata", "moneta"]);
    let mut table = table_with(&cards, "romans", position);
    assert_eq!(table.deck().len(), 22);
    table.play("stone iron; play granary");
    assert_eq!(table.holds("romans"), (0, 5, 0, 1));
    let mut table = table_with(&cards, "romans", position);
    table.play("stone know_how; play spies");
    assert_eq!(table.holds("romans"), (0, 6, 0, 0));
    assert_eq!(table.used_cards(), ["spies"]);
}

#[test]
fn d43_a_stronger_fortress_and_a_worse_burglary() {
    let cards = [
        card("citadel", json!({"type": "defend", "defence": 2})),
        card("sack", json!({"type": "lose_coins", "divisor": 3})),
    ];
    // Two units more than the one that is offered must be there, and are lost.
    for (legions, galleys, owner, left) in [
        (2, 1, "romans", (0, 0)),
        (3, 1, "romans", (0, 1)),
        (1, 1, "carthaginians", (1, 1)),
    ] {
        let mut table = table_with(&cards, "carthaginians", |position| {
            position.units("carthago", "romans", legions, galleys)
        });
        table.play("stone maneuver_1; conquer carthago 1L; play citadel");
        assert_eq!(table.owner("carthago"), Some(owner));
        assert_eq!(table.units("carthago", "romans"), left);
    }
    let held = |position: Position| position.holds("carthaginians", "c8");
    let mut table = table_with(&cards, "romans", held);
    table.play("play sack");
    assert_eq!(table.holds("carthaginians"), (0, 0, 0, 6));
    let few = |position: Position| position.holds("carthaginians", "c2");
    let table = table_with(&cards, "romans", few);
    assert_eq!(table.refuses("play sack", "D41"), Reason::NoEffect);
}

#[test]
fn d43_settlers_for_two_cities_and_a_cheap_temple() {
    let cards = [
        card("colonists", json!({"type": "free_neighbours", "cities": 2})),
        card("quarry", json!({"type": "cheaper_temple", "marble": 9})),
    ];
    let mut table = table_with(&cards, "romans", |position| {
        position.with("romans 1L ancona; romans 1L genua; romans hold m2i2g2")
    });
    // No temple costs less than nothing.
    table.play("stone temple; play quarry; temple roma; play colonists");
    table.play("found ancona gold; found genua iron");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
}

#[test]
fn d43_a_bigger_conscription_and_a_bigger_tribute() {
    let cards = [
        card(
            "levy",
            json!({"type": "recruit", "legions": 4, "galleys": 0}),
        ),
        card("tax", json!({"type": "take_coins", "coins": 30})),
    ];
    let mut table = table_with(&cards, "romans", |position| position);
    assert_eq!(table.refuses("play levy G", "D41"), Reason::NoEffect);
    assert_eq!(table.listed("play levy"), ["play levy L"]);
    table.play("play levy L; play tax");
    assert_eq!(table.boxed("romans"), (5, 1));
    assert_eq!(table.holds("romans"), (0, 0, 0, 24));
}

#[test]
fn d43_a_game_keeps_to_the_deck_that_it_began_with() {
    let more = with_cards(&[card(
        "granary",
        json!({"type": "extra_production", "chips": 4}),
    )]);
    let more = more.expect("it reads");
    let mut setup = rome_carthage();
    let embedded = Library::embedded()
        .ruleset("antike_duellum")
        .expect("embedded");
    assert_ne!(more.hash, embedded.hash);
    setup.ruleset_hash = Some(more.hash.to_string());
    assert_eq!(refused(&setup).field, "ruleset_hash");
}

#[test]
fn d43_faults_in_a_deck_are_told() {
    let good = json!({"type": "take_coins", "coins": 1});
    let twice = card("tribute", good.clone());
    let upper = card("Big Tribute", good.clone());
    let mut none = card("nothing", good.clone());
    none["copies"] = json!(0);
    let mut many = card("many", good.clone());
    many["copies"] = json!(24);
    let idle = card("idle", json!({"type": "take_coins", "coins": 0}));
    let by_nothing = card("by_nothing", json!({"type": "lose_coins", "divisor": 0}));
    let unowned = card(
        "unowned",
        json!({"type": "recruit", "legions": 0, "galleys": 0}),
    );
    let march = |borders: u8| {
        let effect = json!({"type": "extra_borders", "unit": "legion", "borders": borders});
        card("long_march", effect)
    };
    let unknown = card("plague", json!({"type": "kill_units"}));
    let lacks = card("lacks", json!({"type": "take_coins"}));
    let field = card("field", json!({"type": "destroy_wall", "region": "roma"}));
    for (fault, part) in [
        (twice, "card tribute is listed twice"),
        (
            upper,
            "card id \"Big Tribute\" must be lower case snake_case",
        ),
        (none, "card nothing has no copies or no effect"),
        (idle, "card idle has no copies or no effect"),
        (by_nothing, "card by_nothing has no copies or no effect"),
        (unowned, "card unowned has no copies or no effect"),
        (many, "at most 24 kinds and 48 cards"),
        (march(1), "a legion could cross more than 4 borders"),
        (unknown, "unknown variant `kill_units`"),
        (lacks, "missing field `coins`"),
        (field, "unknown field `region`"),
    ] {
        let error = with_cards(&[fault]).map(|_| ()).expect_err(part);
        assert!(error.contains(part), "{error}");
    }
    let kinds: Vec<Value> = (0..13)
        .map(|n| card(&format!("card_{n}"), good.clone()))
        .collect();
    assert!(with_cards(&kinds[..12]).is_ok());
    let error = with_cards(&kinds).map(|_| ()).expect_err("25 kinds");
    assert!(error.contains("at most 24 kinds"), "{error}");
    for open in [0, 26] {
        let error = ruleset(|data| data["cards"]["open"] = json!(open)).map(|_| ());
        let error = error.expect_err("none or too many open");
        assert!(error.contains("the number of open cards"), "{error}");
    }
}

#[test]
fn rulesets_that_cannot_be_played_are_refused() {
    let embedded = Library::embedded().ruleset("antike_duellum");
    let embedded = &embedded.expect("embedded").data;
    let rondel = &embedded.rondel.fields;
    let bank_with = |resource: &str, tokens: u8| {
        let mut bank = serde_json::to_value(&embedded.bank).expect("it is JSON");
        bank["cities"][resource] = json!(tokens);
        bank
    };
    for (change, part) in [
        (
            json!({"extra_personage": true}),
            "event cards cannot be combined with a personage for all know-hows",
        ),
        (
            json!({"variants": {"more": {"rule": "D50", "extra_personage": true}}}),
            "event cards cannot be combined with a personage for all know-hows",
        ),
        (
            json!({"goal": {"2": 9, "3": 7}}),
            "event cards need exactly two nations",
        ),
        (
            json!({"recruitment": null}),
            "card conscription needs a recruitment box",
        ),
        (json!({"walls": null}), "card earthquake needs town walls"),
        (
            json!({"give_up_city": true}),
            "card fortress cannot be combined with giving up cities",
        ),
        (
            json!({"battle": "on_demand"}),
            "special units need automatic battles",
        ),
        (
            json!({"defence": {"plain": 0, "temple": 3}}),
            "a city must have a defence of at least 1",
        ),
        (
            json!({"bank": bank_with("gold", 1)}),
            "too few gold city tokens for the start",
        ),
        (json!({"bank": bank_with("iron", 0)}), "too few iron"),
        (
            json!({"supply": {"legions": 12, "galleys": 12, "cities": 2}}),
            "a nation has too few city tokens",
        ),
        (
            json!({"rondel": {"fields": rondel, "free_steps": 0}}),
            "at least one step of the rondel must be free",
        ),
    ] {
        let changed = ruleset(|data| {
            for (key, value) in change.as_object().expect("fields") {
                data[key] = value.clone();
            }
        });
        let error = changed.map(|_| ()).expect_err(part);
        assert!(error.contains(part), "{error}");
    }
}
