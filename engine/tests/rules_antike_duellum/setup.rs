//! Set-up [D1]-[D5], the rondel [D10] and production [D14].

use std::collections::BTreeSet;

use engine::play::Reason;
use engine::words::{Personage, Resource};

use super::boards::*;
use crate::rules::table::*;

#[test]
fn d01_two_nations_of_the_board_play() {
    let table = Table::start(&greece_persia());
    assert_eq!(table.game.nations.len(), 2);
    let board = "duellum-rome-carthage";
    let three = setup(board, &[&["romans"], &["carthaginians"], &[]]);
    assert_eq!(refused(&three).rule.as_deref(), Some("D1"));
    assert_eq!(refused(&three).field, "seats");
    let one = setup(board, &[&["romans"]]);
    assert_eq!(refused(&one).rule.as_deref(), Some("D1"));
    let greeks = refused(&setup(board, &[&["romans"], &["greeks"]]));
    assert_eq!(greeks.field, "seats[1].nations");
    assert_eq!(greeks.rule.as_deref(), Some("D1"));
    let both = refused(&setup(board, &[&["romans", "carthaginians"], &[]]));
    assert_eq!(both.field, "seats[0].nations");
}

#[test]
fn d02_the_bank_has_coins_temples_shared_city_tokens_and_personages() {
    let table = Table::start(&rome_carthage());
    assert_eq!(table.game.rules.data.bank.coins, 24);
    assert_eq!(table.state.bank.coins, 23);
    assert_eq!(table.state.bank.temples, 12);
    let counts = [
        (Personage::King, 6),
        (Personage::Citizen, 4),
        (Personage::Scholar, 5),
        (Personage::General, 4),
        (Personage::Navigator, 2),
    ];
    for (kind, count) in counts {
        assert_eq!(table.state.bank.personages[kind.index()], count, "{kind}");
    }
    // Two of each of the 12, 12 and 10 tokens are start cities.
    assert_eq!(table.tokens_of(Resource::Marble), 10);
    assert_eq!(table.tokens_of(Resource::Iron), 10);
    assert_eq!(table.tokens_of(Resource::Gold), 8);
}

#[test]
fn d03_each_nation_has_three_cities_nine_chips_a_wall_and_two_units_in_its_box() {
    for setup in [rome_carthage(), greece_persia()] {
        let table = Table::start(&setup);
        for (nation, coins) in setup.seats.iter().map(|seat| &seat.nations[0]).zip([0, 1]) {
            assert_eq!(table.cities(nation), 3);
            assert_eq!(table.holds(nation), (3, 3, 3, coins));
            assert_eq!(table.boxed(nation), (1, 1));
            assert_eq!(table.supply(nation), (11, 11));
            assert_eq!(table.walls_left(nation), 1);
            assert_eq!(table.hand(nation), [] as [&str; 0]);
        }
        assert!(table.state.walls.is_empty());
        assert_eq!(
            table.state.units.as_flattened().concat().iter().sum::<u8>(),
            0
        );
    }
    let table = Table::start(&rome_carthage());
    for (city, resource) in [
        ("neapolis", Resource::Marble),
        ("cremona", Resource::Iron),
        ("roma", Resource::Gold),
    ] {
        assert_eq!(table.owner(city), Some("romans"));
        assert_eq!(table.resource(city), Some(resource));
    }
}

#[test]
fn d04_the_starting_nation_is_drawn_and_the_other_gets_a_coin() {
    let mut starters = BTreeSet::new();
    for seed in 0..12 {
        let mut setup = rome_carthage();
        setup.first = None;
        setup.seed = seed.to_string();
        let table = Table::start(&setup);
        let first = table.to_move().to_owned();
        let other = ["romans", "carthaginians"]
            .into_iter()
            .find(|n| *n != first);
        assert_eq!(table.holds(&first), (3, 3, 3, 0));
        assert_eq!(table.holds(other.expect("two play")), (3, 3, 3, 1));
        // The same seed draws the same nation.
        assert_eq!(Table::start(&setup).to_move(), first);
        starters.insert(first);
    }
    assert_eq!(starters.len(), 2);
}

#[test]
fn d05_of_the_shuffled_cards_three_lie_open() {
    let table = Table::start(&rome_carthage());
    assert_eq!(table.open_row().len(), 3);
    assert_eq!(table.deck().len(), 22);
    assert_eq!(table.used_cards(), [] as [&str; 0]);
    let mut all = table.deck();
    all.extend(table.open_row());
    all.sort();
    let layout = table
        .game
        .rules
        .data
        .cards
        .as_ref()
        .expect("cards")
        .layout();
    let mut names: Vec<String> = layout
        .iter()
        .map(|card| table.game.ruleset.card_name(*card).to_owned())
        .collect();
    names.sort();
    assert_eq!(all, names);
}

#[test]
fn d10_three_fields_are_free_and_each_further_one_costs_a_chip_or_a_coin() {
    let position = || rome().stone("romans", "iron").holds("romans", "m1g1c1");
    for free in ["temple", "gold", "maneuver_1"] {
        position().table().play(&format!("stone {free}"));
    }
    let table = position().table();
    table.refuses_because("stone arming", "D10", Reason::ExtraStepsCost { extra: 1 });
    for pay in ["m1", "g1", "c1"] {
        table.clone().play(&format!("stone arming {pay}"));
    }
    table.refuses("stone arming i1", "A4");
    table.clone().play("stone marble m1c1");
    // To stay where it is the stone goes round for five.
    table.refuses_because("stone iron", "D10", Reason::ExtraStepsCost { extra: 5 });
}

#[test]
fn d10_a_turn_is_the_stone_then_its_field_then_founding() {
    let table = rome().with("romans 1L genua; romans hold m8i1g1").table();
    assert_eq!(table.refuses("wall roma", "D10"), Reason::MoveStoneFirst);
    assert_eq!(table.refuses("recruit 1L", "D10"), Reason::MoveStoneFirst);
    assert_eq!(table.refuses("end", "D10"), Reason::MoveStoneFirst);
    let mut table = table;
    table.play("stone temple");
    assert_eq!(table.refuses("stone iron", "D10"), Reason::StoneHasMoved);
    assert_eq!(table.refuses("recruit 1L", "D10"), Reason::WrongField);
    assert_eq!(table.refuses("arm roma L", "D10"), Reason::WrongField);
    assert_eq!(table.refuses("develop strata", "D10"), Reason::WrongField);
    table.play("found genua gold");
    assert_eq!(table.refuses("wall roma", "D10"), Reason::PhaseIsOver);
    assert_eq!(table.refuses("temple roma", "D10"), Reason::PhaseIsOver);
    let carthage = table.refuses("carthaginians: end", "D10");
    let acts = table.id("romans");
    assert_eq!(carthage, Reason::NotYourTurn { acts });
    table.play("end");
    assert_eq!(table.to_move(), "carthaginians");
    assert_eq!(table.refuses("pass", "D43"), Reason::NothingAsked);
    assert_eq!(table.refuses("card fortress", "D42"), Reason::NothingAsked);
}

#[test]
fn d10_walls_and_recruiting_belong_to_their_fields() {
    let mut table = rome().holds("romans", "m9g9").table();
    table.play("stone know_how");
    assert_eq!(table.refuses("wall roma", "D10"), Reason::WrongField);
    assert_eq!(table.refuses("temple roma", "D10"), Reason::WrongField);
}

#[test]
fn d14_production_gives_chips_for_the_cities_and_a_coin() {
    let position = || {
        rome()
            .gold_cities("romans", &["ancona"])
            .temples(&["ancona"])
    };
    let mut table = position().table();
    table.play("stone gold");
    assert_eq!(table.holds("romans"), (0, 0, 4, 1));
    let mut table = position().knows("romans", &["moneta"]).table();
    table.play("stone gold");
    assert_eq!(table.holds("romans"), (0, 0, 5, 1));
    // The opponent's MONETA is of no use, and no round brings coins.
    let mut table = position().knows("carthaginians", &["moneta"]).table();
    table.play("stone iron; end; stone iron; end");
    assert_eq!(table.holds("romans"), (0, 1, 0, 1));
    assert_eq!(table.state.round, 2);
}

#[test]
fn d14_without_coins_in_the_bank_any_chip_is_taken() {
    let mut table = rome().holds("carthaginians", "c24").table();
    table.play("stone gold");
    assert_eq!(table.refuses("end", "D14"), Reason::AnswerFirst);
    assert_eq!(table.listed(""), ["chip marble", "chip iron", "chip gold"]);
    table.play("chip marble");
    assert_eq!(table.holds("romans"), (1, 0, 1, 0));
}
