//! The stone on the rondel [A11]-[A13].

use engine::play::{Effect, Payments, Reason};
use engine::words::Field;

use crate::rules::table::*;

#[test]
fn a11_the_stone_moves_first_and_once() {
    let mut table = Position::east("greeks").holds("greeks", "m9i9g9").table();
    for action in [
        "temple pella",
        "arm pella L",
        "develop wheel",
        "found sparta",
        "end",
    ] {
        assert_eq!(table.refuses(action, "A11"), Reason::MoveStoneFirst);
    }
    table.play("stone temple");
    assert_eq!(table.refuses("stone gold", "A11"), Reason::StoneHasMoved);
}

#[test]
fn a11_a_field_gives_its_own_action_only() {
    let position = || {
        Position::east("greeks")
            .with("greeks hold m9i9g9; greeks 2L sparta; greeks 1L tyros; persians 1L athen")
    };
    let actions = [
        ("temple pella", "temple"),
        ("arm pella L", "arming"),
        ("develop wheel", "know_how"),
        ("march 1L sparta athen", "maneuver_1"),
        ("march 1L sparta athen", "maneuver_2"),
        ("conquer tyros 1L", "maneuver_1"),
        ("conquer tyros 1L", "maneuver_2"),
    ];
    for field in Field::ALL {
        let mut table = position().table();
        table.play(&format!("stone {field}"));
        for (action, own) in actions {
            let other_maneuver = field.is_maneuver() && own.starts_with("maneuver");
            if own == field.name() || other_maneuver {
                table.clone().play(action);
            } else {
                assert_eq!(table.refuses(action, "A11"), Reason::WrongField);
            }
        }
    }
}

#[test]
fn a11_cities_are_founded_after_the_action_which_is_over_then() {
    let mut table = Position::east("greeks")
        .with("greeks hold m9i9g9; greeks 2L sparta")
        .play("stone arming; arm pella L; found sparta");
    assert_eq!(table.refuses("arm athen L", "A11"), Reason::PhaseIsOver);
    table.play("end");
    assert_eq!(table.to_move(), "phoenicians");
}

#[test]
fn a11_only_the_nation_to_move_acts() {
    let table = Position::east("greeks").table();
    let reason = table.refuses("arabs: stone iron", "A11");
    assert_eq!(
        reason,
        Reason::NotYourTurn {
            acts: table.id("greeks")
        }
    );
}

#[test]
fn a12_on_its_first_turn_a_nation_may_choose_any_field() {
    let table = Position::east("greeks").table();
    let fields: Vec<String> = Field::ALL
        .iter()
        .map(|field| format!("stone {field}"))
        .collect();
    assert_eq!(table.listed("stone"), fields);
}

#[test]
fn a12_three_fields_are_free_and_each_further_one_costs_a_chip_or_coin() {
    let table = Position::east("greeks")
        .stone("greeks", "iron")
        .holds("greeks", "m9")
        .table();
    let order = [
        "temple",
        "gold",
        "maneuver_1",
        "arming",
        "marble",
        "know_how",
        "maneuver_2",
    ];
    for (steps, field) in (1..).zip(order) {
        let extra = u32::saturating_sub(steps, 3);
        let paid = if extra > 0 {
            format!(" m{extra}")
        } else {
            String::new()
        };
        let mut after = table.clone();
        after.play(&format!("stone {field}{paid}"));
        let produced = if field == "marble" { 1 } else { 0 };
        assert_eq!(after.holds("greeks").0, 9 - extra + produced);
        let moved = |effect: &Effect| matches!(effect, Effect::StoneMoved { steps: s, .. } if u32::from(*s) == steps);
        assert!(after.effects.iter().any(moved), "{field}");
    }
}

#[test]
fn a12_the_same_field_again_is_eight_fields_for_five() {
    let mut table = Position::east("greeks")
        .stone("greeks", "temple")
        .holds("greeks", "m4c1")
        .table();
    table.refuses_because("stone temple", "A12", Reason::ExtraStepsCost { extra: 5 });
    table.refuses("stone temple m4", "A12");
    table.play("stone temple m4c1");
    assert_eq!(table.holds("greeks"), (0, 0, 0, 0));
}

#[test]
fn a12_the_two_maneuver_fields_are_different_fields() {
    let table = Position::east("greeks")
        .stone("greeks", "maneuver_1")
        .holds("greeks", "m5")
        .table();
    table.clone().play("stone maneuver_2 m1");
    table.clone().play("stone maneuver_1 m5");
    table.refuses("stone maneuver_1 m1", "A12");
}

#[test]
fn a12_further_fields_are_paid_in_any_kinds_never_too_much_and_never_on_credit() {
    let table = Position::east("greeks")
        .stone("greeks", "iron")
        .holds("greeks", "m1g1c1")
        .table();
    let listed = table.listed_with(Payments::Default, "stone marble");
    assert_eq!(
        listed,
        [
            "stone marble m1g1",
            "stone marble m1c1",
            "stone marble g1c1"
        ]
    );
    table.refuses("stone marble", "A12");
    table.refuses("stone marble m1g1c1", "A12");
    table.refuses("stone temple m1", "A12");
    let reason = table.refuses("stone marble i2", "A4");
    assert!(matches!(reason, Reason::CannotPay { .. }));
}

#[test]
fn a12_stones_do_not_block_each_other() {
    let mut table = Position::east("greeks").stone("persians", "gold").table();
    table.play("stone gold; end; stone gold; end");
    assert_eq!(table.to_move(), "persians");
}

#[test]
fn a13_a_nation_must_move_but_the_action_may_be_empty() {
    let mut table = Position::east("greeks").table();
    table.refuses("end", "A11");
    table.play("stone temple");
    assert_eq!(table.listed(""), ["end"]);
    table.play("end");
    assert_eq!(table.to_move(), "phoenicians");
}
