//! Production [A14].

use crate::rules::table::*;

/// What the greeks of a position get on a field.
fn produced(position: Position, field: &str) -> (u32, u32, u32) {
    let mut table = position.table();
    table.play(&format!("stone {field}"));
    let (marble, iron, gold, _) = table.holds("greeks");
    (marble, iron, gold)
}

#[test]
fn a14_each_city_of_the_kind_gives_one_chip_and_three_with_a_temple() {
    let position = || {
        Position::east("greeks")
            .with("greeks own sparta ephesos knossos; temples sparta dyrrhachion")
    };
    assert_eq!(produced(position(), "marble"), (5, 0, 0));
    assert_eq!(produced(position(), "iron"), (0, 4, 0));
    assert_eq!(produced(position(), "gold"), (0, 0, 1));
}

#[test]
fn a14_market_adds_one_and_currency_two_not_both() {
    let position = || Position::east("greeks");
    assert_eq!(produced(position(), "iron"), (0, 1, 0));
    assert_eq!(
        produced(position().knows("greeks", &["market"]), "iron"),
        (0, 2, 0)
    );
    let both = position().knows("greeks", &["market", "currency"]);
    assert_eq!(produced(both, "iron"), (0, 3, 0));
}

#[test]
fn a14_the_bonus_is_paid_without_a_city_of_the_kind_too() {
    let position = || Position::east("greeks").no_city("dyrrhachion");
    assert_eq!(produced(position(), "iron"), (0, 0, 0));
    assert_eq!(
        produced(position().knows("greeks", &["market"]), "iron"),
        (0, 1, 0)
    );
}

#[test]
fn a14_other_fields_produce_nothing() {
    for field in ["temple", "arming", "know_how", "maneuver_1", "maneuver_2"] {
        let position = Position::east("greeks").knows("greeks", &["market"]);
        assert_eq!(produced(position, field), (0, 0, 0));
    }
}
