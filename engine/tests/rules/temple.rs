//! Temples [A15].

use engine::play::Reason;
use engine::state::QuestionKind;
use engine::words::Personage;

use crate::rules::table::*;

#[test]
fn a15_any_number_of_temples_for_five_marble_each() {
    let mut table = Position::east("greeks").holds("greeks", "m12c3").table();
    table.play("stone temple; temple pella; temple athen; temple dyrrhachion");
    assert_eq!(table.holds("greeks"), (0, 0, 0, 0));
    assert_eq!(table.state.bank.temples, 17);
    // Three temples win a citizen, and the next nation moves.
    table.play("end");
    assert_eq!(table.won(), [Personage::Citizen]);
    assert_eq!(table.asks_for(), Some(QuestionKind::Turn));
    assert_eq!(table.to_move(), "phoenicians");
}

#[test]
fn a15_one_temple_in_an_own_city() {
    let mut table = Position::east("greeks").holds("greeks", "m20").table();
    table.play("stone temple; temple pella");
    assert_eq!(table.refuses("temple pella", "A15"), Reason::HasTemple);
    assert_eq!(table.refuses("temple sparta", "A15"), Reason::NoOwnCity);
    assert_eq!(table.refuses("temple tyros", "A15"), Reason::NoOwnCity);
    table.lists("temple", "temple athen; temple dyrrhachion");
}

#[test]
fn a15_without_a_temple_in_the_bank_none_is_built_until_one_is_destroyed() {
    // 19 temples of the arabs and persians, and one in tyros.
    let mut position = Position::east("greeks")
        .cities_up_to("arabs", 10)
        .cities_up_to("persians", 9);
    for at in position.body.regions.values_mut() {
        if let Some(city) = at.city.as_mut() {
            city.temple = ["arabs", "persians"].contains(&city.nation.as_str());
        }
    }
    let mut table = position
        .with("temples tyros; greeks hold m9; phoenicians hold m9; greeks 3L tyros")
        .table();
    assert_eq!(table.state.bank.temples, 0);
    let mut building = table.clone();
    building.play("stone temple");
    building.refuses_because("temple pella", "A15", Reason::NoTempleLeft);
    table.play("stone maneuver_1; conquer tyros 3L; end");
    assert_eq!(table.state.bank.temples, 1);
    table.play("stone temple; temple alexandria");
    assert_eq!(table.state.bank.temples, 0);
}

#[test]
fn a15_a_temple_triples_production_arming_and_basic_defence() {
    let mut table = Position::east("greeks")
        .with("temples pella; greeks hold i9")
        .table();
    assert_eq!((table.defence("pella"), table.defence("athen")), (3, 1));
    let mut producing = table.clone();
    producing.play("stone marble");
    assert_eq!(producing.holds("greeks").0, 3);
    table.play("stone arming; arm pella L; arm pella L; arm pella G");
    table.refuses("arm pella G", "A16");
}
