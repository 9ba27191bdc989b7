//! Arming [A16] [A17].

use engine::play::Reason;

use crate::rules::table::*;

#[test]
fn a16_each_unit_costs_one_iron_and_comes_from_the_own_supply() {
    let mut table = Position::east("greeks").holds("greeks", "i1c1").table();
    table.play("stone arming; arm pella L; arm athen G");
    assert_eq!(table.holds("greeks"), (0, 0, 0, 0));
    assert_eq!(table.supply("greeks"), (16, 16));
    assert_eq!(table.units("pella", "greeks"), (1, 0));
    assert_eq!(table.units("athen", "greeks"), (0, 1));
    table.refuses("arm dyrrhachion L", "A4");
}

#[test]
fn a16_one_new_unit_a_turn_without_temple_and_three_with_one() {
    let table = Position::east("greeks")
        .with("greeks hold i9; temples pella")
        .play("stone arming; arm athen L; arm pella L; arm pella G; arm pella L");
    table.refuses_because("arm athen G", "A16", Reason::ArmingLimit { limit: 1 });
    table.refuses_because("arm pella L", "A16", Reason::ArmingLimit { limit: 3 });
    table.lists("arm", "arm dyrrhachion L; arm dyrrhachion G");
}

#[test]
fn a16_any_number_of_units_may_stand_in_a_region() {
    let table = Position::east("greeks")
        .with("greeks hold i9; greeks 15L17G athen; arabs 17L17G athen")
        .play("stone arming; arm athen L");
    assert_eq!(table.units("athen", "greeks"), (16, 17));
}

#[test]
fn a16_units_are_set_up_in_regions_with_an_own_city_only() {
    let table = Position::east("greeks")
        .with("greeks hold i9; greeks 1L1G sparta")
        .play("stone arming");
    assert_eq!(table.refuses("arm sparta L", "A16"), Reason::NoOwnCity);
    assert_eq!(table.refuses("arm tyros L", "A16"), Reason::NoOwnCity);
}

#[test]
fn a16_foreign_units_do_not_hinder_it_and_no_battle_follows() {
    let table = Position::east("greeks")
        .with("greeks hold i9; persians 3L3G athen")
        .play("stone arming; arm athen L");
    assert_eq!(table.acts(), Some("greeks"));
    table.refuses("battle 1L athen persians", "A11");
    assert_eq!(table.units("athen", "persians"), (3, 3));
}

#[test]
fn a17_no_galley_without_sea_border_and_no_legion_without_land_border() {
    let mut table = Position::east("greeks")
        .with("greeks hold i9; greeks own sirmium paphos punt")
        .play("stone arming");
    let reason = table.refuses("arm sirmium G", "A17");
    assert!(matches!(reason, Reason::NoBorderFor { .. }));
    let reason = table.refuses("arm paphos L", "A17");
    assert!(matches!(reason, Reason::NoBorderFor { .. }));
    // Borders of land and sea let either kind through.
    table.clone().play("arm punt G");
    table.play("arm sirmium L; arm paphos G; arm punt L");
}

#[test]
fn a16_no_unit_is_free() {
    let mut table = Position::east("greeks").holds("greeks", "i1").table();
    table.play("stone arming");
    table.refuses_because("arm pella L free", "A16", Reason::NoFreeUnit);
    let free = |text: &String| text.ends_with("free");
    assert!(!table.listed("arm").iter().any(free));
}
