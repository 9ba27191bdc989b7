//! Temples [B15], arming [B16] and the Bellona card [B17].

use engine::ids::Nation;
use engine::play::{Effect, Reason};

use super::boards::*;
use crate::rules::table::*;

fn holder(table: &Table) -> &str {
    table
        .game
        .nation_name(table.state.bellona.expect("a nation has it"))
}

#[test]
fn b15_a_temple_costs_five_marble() {
    let mut table = west().holds("romans", "m9").table();
    table.play("stone temple");
    table.refuses("temple roma m4", "B15");
    table.refuses("temple pella", "B15");
    table.play("temple roma");
    assert_eq!(table.holds("romans"), (4, 0, 0, 0));
    assert_eq!(table.state.bank.temples, 16);
}

#[test]
fn b16_each_unit_costs_two_iron_within_the_limits_of_the_cities() {
    let mut table = west().temples(&["roma"]).holds("romans", "i7c1").table();
    table.play("stone arming");
    table.refuses("arm roma L i1", "B16");
    table.play("arm roma L; arm roma L; arm roma G i2; arm neapolis L i1c1");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
    table.refuses_because("arm neapolis L", "B16", Reason::ArmingLimit { limit: 1 });
    table.refuses_because("arm roma L", "B16", Reason::ArmingLimit { limit: 3 });
    assert_eq!(table.units("roma", "romans"), (2, 1));
}

#[test]
fn b16_borders_decide_which_units_can_be_armed_and_no_battle_follows() {
    let mut table = west()
        .with("romans own carales; greeks 2G carales; romans hold i4")
        .play("stone arming");
    let unit = engine::words::Unit::Legion;
    table.refuses_because("arm carales L", "B16", Reason::NoBorderFor { unit });
    table.play("arm carales G");
    assert_eq!(table.acts(), Some("romans"));
    assert_eq!(table.units("carales", "greeks"), (0, 2));
    table.refuses("battle 1G carales greeks", "B10");
}

#[test]
fn b17_the_card_gives_one_unit_and_goes_counter_clockwise_as_the_field_is_entered() {
    let mut table = west().bellona("romans").table();
    table.play("stone arming");
    // The Greeks sit before the Romans.
    assert_eq!(holder(&table), "greeks");
    assert!(table.named_effects().contains(&Effect::BellonaPassed {
        nation: "romans".into(),
        to: "greeks".into(),
    }));
    assert_eq!(
        table.listed("arm"),
        [
            "arm neapolis L free",
            "arm neapolis G free",
            "arm roma L free",
            "arm roma G free",
            "arm syracus G free"
        ]
    );
    table.play("arm roma L free");
    assert_eq!(table.units("roma", "romans"), (1, 0));
    table.refuses_because("arm neapolis L free", "B17", Reason::NoFreeUnit);
    table.play("end");
    assert_eq!(holder(&table), "greeks");
}

#[test]
fn b17_the_free_unit_counts_against_the_limit_of_its_region() {
    let mut table = west().bellona("romans").holds("romans", "i9").table();
    table.play("stone arming; arm roma L");
    table.refuses_because("arm roma L free", "B16", Reason::ArmingLimit { limit: 1 });
    table.play("arm neapolis G free");
    table.refuses_because("arm neapolis G", "B16", Reason::ArmingLimit { limit: 1 });
    assert_eq!(table.holds("romans").1, 7);
}

#[test]
fn b17_the_free_unit_is_paid_with_nothing_and_comes_from_the_supply() {
    let mut table = west()
        .bellona("romans")
        .with("romans 12L tacape; romans hold i9")
        .play("stone arming");
    let price = engine::chips::Price::NOTHING;
    table.refuses_because("arm roma G free i2", "B17", Reason::WrongPayment { price });
    let unit = engine::words::Unit::Legion;
    table.refuses_because("arm roma L free", "B16", Reason::NoUnitLeft { unit });
    table.play("arm roma G free");
    assert_eq!(table.holds("romans").1, 9);
}

#[test]
fn b17_the_card_moves_on_even_when_the_unit_is_not_placed_and_the_unit_is_lost() {
    let mut table = west()
        .bellona("germanic_tribes")
        .with("germanic_tribes hold m5")
        .play("stone iron; end; stone arming; end");
    assert_eq!(holder(&table), "romans");
    assert!(!table.state.turn_state.free_unit);
    // Neither the next nation has it nor, at its next arming, the one that left it out.
    table.play("stone arming");
    table.refuses_because("arm alexandria L free", "B17", Reason::NoFreeUnit);
    table.play("end; stone iron; end; stone temple; end; stone arming m5");
    table.refuses_because("arm vindobona L free", "B17", Reason::NoFreeUnit);
}

#[test]
fn b17_other_fields_leave_the_card_and_others_get_no_unit() {
    let mut table = west().bellona("romans").table();
    table.play("stone iron; end; stone arming");
    assert_eq!(holder(&table), "romans");
    table.refuses_because("arm vindobona L free", "B17", Reason::NoFreeUnit);
}

#[test]
fn b17_a_holder_that_leaves_hands_it_to_the_next_in_line_that_is_left() {
    let mut table = west().bellona("phoenicians").table();
    table.play("germanic_tribes: resign; phoenicians: resign");
    assert_eq!(holder(&table), "romans");
    table.play("stone arming");
    assert_eq!(holder(&table), "greeks");
    assert_eq!(table.state.bellona, Some(Nation(3)));
    // Passing it on skips those who have left, too.
    let mut table = west().bellona("romans").table();
    table.play("greeks: resign; stone arming");
    assert_eq!(holder(&table), "phoenicians");
}

#[test]
fn b17_the_mover_that_leaves_after_entering_gets_neither_unit_nor_card_back() {
    let mut table = west().bellona("romans").table();
    table.play("stone arming; romans: resign");
    assert_eq!(holder(&table), "greeks");
    assert!(!table.state.turn_state.free_unit);
    assert_eq!(table.acts(), Some("germanic_tribes"));
}
