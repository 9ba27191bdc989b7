//! Arming from the recruitment box [D16].

use engine::chips::Price;
use engine::play::Reason;
use engine::words::{Resource, Unit};

use super::boards::*;

#[test]
fn d16_units_come_from_the_box_for_two_iron_each() {
    let mut table = rome().holds("romans", "i4").table();
    table.play("stone arming; arm roma L; arm neapolis G");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
    assert_eq!(table.boxed("romans"), (0, 0));
    assert_eq!(table.supply("romans"), (11, 11));
    assert_eq!(table.units("roma", "romans"), (1, 0));
    let mut table = rome().holds("romans", "i1g9").table();
    table.play("stone arming");
    let price = Price::only(Resource::Iron, 2);
    table.refuses_because("arm roma L", "A4", Reason::CannotPay { price });
}

#[test]
fn d16_units_outside_the_box_cannot_be_armed() {
    let mut table = rome().boxed("romans", 0, 1).holds("romans", "i8").table();
    table.play("stone arming");
    table.refuses_because("arm roma L", "D16", Reason::NotInBox { unit: Unit::Legion });
    table.play("arm roma G");
    let reason = table.refuses("arm neapolis G", "D16");
    assert_eq!(reason, Reason::NotInBox { unit: Unit::Galley });
}

#[test]
fn d16_one_unit_a_plain_city_and_three_a_temple() {
    let position = || rome().boxed("romans", 4, 4).holds("romans", "i20");
    let mut table = position().table();
    table.play("stone arming; arm roma L");
    table.refuses_because("arm roma G", "D16", Reason::ArmingLimit { limit: 1 });
    let mut table = position().temples(&["roma"]).table();
    table.play("stone arming; arm roma L; arm roma G; arm roma G");
    table.refuses_because("arm roma L", "D16", Reason::ArmingLimit { limit: 3 });
    assert_eq!(table.refuses("arm ancona L", "D16"), Reason::NoOwnCity);
    // Units that stand there already do not count.
    let mut table = position().units("roma", "romans", 5, 5).table();
    table.play("stone arming; arm roma L");
    assert_eq!(table.units("roma", "romans"), (6, 5));
}

#[test]
fn d16_a_unit_needs_a_border_that_it_can_cross() {
    let mut table = rome().boxed("romans", 4, 4).holds("romans", "i20").table();
    table.play("stone arming");
    let reason = table.refuses("arm cremona G", "D16");
    assert_eq!(reason, Reason::NoBorderFor { unit: Unit::Galley });
    table.play("end; stone arming");
    let reason = table.refuses("arm carales L", "D16");
    assert_eq!(reason, Reason::NoBorderFor { unit: Unit::Legion });
}

#[test]
fn d16_an_armed_unit_fights_a_hostile_one_of_its_kind_at_once() {
    let mut table = rome()
        .with("carthaginians 2L1G roma; romans box 2L2G; temples roma; romans hold i8")
        .play("stone arming; arm roma L");
    assert_eq!(table.units("roma", "romans"), (0, 0));
    assert_eq!(table.units("roma", "carthaginians"), (1, 1));
    assert_eq!(table.boxed("romans"), (2, 2));
    assert_eq!(table.boxed("carthaginians"), (2, 1));
    // No question is asked.
    assert_eq!(table.acts(), Some("romans"));
    table.play("arm roma G");
    assert_eq!(table.units("roma", "carthaginians"), (1, 0));
    // Units of different kinds leave each other alone: the galley now stays by the legion.
    table.play("arm roma G");
    assert_eq!(table.units("roma", "romans"), (0, 1));
    assert_eq!(table.units("roma", "carthaginians"), (1, 0));
}

#[test]
fn d16_a_unit_that_fell_this_turn_cannot_be_armed_again() {
    let mut table = rome()
        .with("carthaginians 1L roma; temples roma; romans hold i8c5")
        .play("stone arming; arm roma L");
    assert_eq!(table.boxed("romans"), (1, 1));
    table.refuses_because("arm roma L", "D16", Reason::NotInBox { unit: Unit::Legion });
    assert_eq!(table.listed("arm"), ["arm neapolis G", "arm roma G"]);
    // In its next turn it can.
    table.play("end; stone iron; end; stone arming c5; arm roma L");
    assert_eq!(table.units("roma", "romans"), (1, 0));
}

#[test]
fn d16_a_unit_that_fell_counts_against_the_limit() {
    let table = rome()
        .with("carthaginians 1L roma; romans box 2L2G; romans hold i8")
        .play("stone arming; arm roma L");
    table.refuses_because("arm roma L", "D16", Reason::ArmingLimit { limit: 1 });
}

#[test]
fn d16_a_unit_that_came_into_the_box_this_turn_cannot_be_armed() {
    let table = rome()
        .with("romans hand conscription")
        .boxed("romans", 0, 0)
        .with("romans hold i8")
        .play("stone arming; play conscription L");
    assert_eq!(table.boxed("romans"), (2, 0));
    table.refuses_because("arm roma L", "D16", Reason::NotInBox { unit: Unit::Legion });
}
