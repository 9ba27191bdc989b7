//! Battles [A25].

use engine::play::Reason;
use engine::state::Question;
use engine::words::Unit;

use crate::rules::table::*;

#[test]
fn a25_both_sides_lose_the_same_number_to_their_supplies() {
    let mut table = Position::east("greeks")
        .with("greeks 5L athen; persians 3L2G athen")
        .play("stone maneuver_1");
    table.lists(
        "battle",
        "battle 1L athen persians; battle 2L athen persians; battle 3L athen persians",
    );
    table.play("battle 2L athen persians");
    assert_eq!(table.units("athen", "greeks"), (3, 0));
    assert_eq!(table.units("athen", "persians"), (1, 2));
    assert_eq!(table.supply("greeks"), (14, 17));
    assert_eq!(table.supply("persians"), (16, 15));
}

#[test]
fn a25_legions_fight_legions_and_galleys_galleys() {
    let table = Position::east("greeks")
        .with("greeks 1L athen; persians 1G athen")
        .play("stone maneuver_1");
    let unit = Unit::Legion;
    table.refuses_because("battle 1L athen persians", "A25", Reason::NoEnemy { unit });
    // The galley is there, but none of the greeks to fight it.
    let reason = table.refuses("battle 1G athen persians", "A25");
    assert_eq!(reason, Reason::TooManyPairs { most: 0 });
    assert_eq!(table.listed("battle"), [] as [&str; 0]);
}

#[test]
fn a25_a_battle_needs_another_nation_and_at_most_the_smaller_number() {
    let mut table = Position::east("greeks")
        .with("greeks 2L athen; persians 3L athen")
        .play("stone maneuver_1");
    let reason = table.refuses("battle 3L athen persians", "A25");
    assert_eq!(reason, Reason::TooManyPairs { most: 2 });
    let reason = table.refuses("battle 1L athen greeks", "A25");
    assert!(matches!(reason, Reason::NoEnemy { .. }));
    let reason = table.refuses("battle 1L athen arabs", "A25");
    assert!(matches!(reason, Reason::NoEnemy { .. }));
    let (greeks, against) = (table.id("greeks"), table.id("persians"));
    let none = engine::play::Action::Battle {
        unit: Unit::Legion,
        count: 0,
        region: table.region("athen"),
        against,
    };
    let illegal = table.apply(greeks, none).expect_err("no pair is no battle");
    assert_eq!(
        (illegal.reason, illegal.rule.to_string()),
        (Reason::NoUnits, "A25".into())
    );
}

#[test]
fn a25_a_battle_costs_no_maneuver_and_is_fought_with_any_unit_moved_or_not() {
    let mut table = Position::east("greeks")
        .with("greeks 2L pella; greeks 1L athen; persians 2L athen")
        .play("stone maneuver_1; march 2L pella athen; answer 0");
    // The two that have come cannot move on, but fight; the third is still fresh.
    table.play("battle 2L athen persians; march 1L athen sparta");
    assert_eq!(table.units("sparta", "greeks"), (1, 0));
    assert_eq!(table.units("athen", "greeks"), (0, 0));
}

#[test]
fn a25_the_mover_loses_those_with_the_fewest_maneuvers_in_its_own_battle() {
    let mut table = Position::east("greeks")
        .with("greeks know wheel roads; greeks 1L pella; greeks 1L athen; greeks 1L sparta")
        .with("persians 2L athen")
        .play("stone maneuver_1; march 1L pella athen; answer 0");
    table.play("battle 1L athen persians");
    let left = table.state.turn_state.maneuvers_left[table.region("athen").index()][0];
    assert_eq!(left, [0, 0, 1, 0]);
}

#[test]
fn a25_a_nation_may_demand_battle_of_units_that_have_just_entered() {
    let mut table = Position::east("greeks")
        .with("greeks 3G athen; persians 2G knossos")
        .play("stone maneuver_1; march 3G athen knossos");
    assert_eq!(table.acts(), Some("persians"));
    let knossos = table.region("knossos");
    assert!(matches!(
        table.question(),
        Some(Question::Battle { region, unit: Unit::Galley, .. }) if region == knossos
    ));
    let most = (table.game).most_pairs(&table.state, knossos, Unit::Galley, table.id("persians"));
    assert_eq!(most, 2);
    assert_eq!(table.listed(""), ["answer 0", "answer 1", "answer 2"]);
    table.refuses_because("answer 3", "A25", Reason::TooManyPairs { most: 2 });
    // Nothing else happens before.
    let reason = table.refuses("greeks: end", "A11");
    assert!(matches!(reason, Reason::NotYourTurn { .. }));
    assert_eq!(
        table.refuses("persians: battle 1G knossos greeks", "A25"),
        Reason::AnswerFirst
    );
    table.play("persians: answer 1");
    assert_eq!(table.units("knossos", "greeks"), (0, 2));
    assert_eq!(table.units("knossos", "persians"), (0, 1));
    assert_eq!(table.acts(), Some("greeks"));
}

#[test]
fn a25_only_units_of_the_same_kind_are_asked() {
    let mut table = Position::east("greeks")
        .with("greeks 1L1G athen; persians 1L sparta")
        .play("stone maneuver_1; march 1G athen sparta");
    assert_eq!(table.acts(), Some("greeks"));
    table.play("march 1L athen sparta");
    assert_eq!(table.acts(), Some("persians"));
}

#[test]
fn a25_in_an_answer_those_that_have_just_come_in_are_lost_first() {
    // A fresh legion with three maneuvers is in athen when one with two left enters.
    let mut table = Position::east("greeks")
        .with("greeks know wheel roads; greeks 1L athen; greeks 1L pella; persians 2L athen")
        .play("stone maneuver_1; march 1L pella athen");
    let left =
        |table: &Table| table.state.turn_state.maneuvers_left[table.region("athen").index()][0];
    assert_eq!(left(&table), [0, 1, 1, 0]);
    table.play("answer 1");
    assert_eq!(left(&table), [0, 0, 1, 0]);

    // The other way round: one without maneuvers stays when fresh ones come in and are fought.
    let mut table = Position::east("greeks")
        .with("greeks know wheel; greeks 1L tomis; greeks 1L athen; persians 1L dyrrhachion")
        .play("stone maneuver_1; march 1L tomis pella; march 1L pella dyrrhachion; answer 0");
    table.play("march 1L athen dyrrhachion; answer 1");
    let left = table.state.turn_state.maneuvers_left[table.region("dyrrhachion").index()][0];
    assert_eq!(left, [0, 0, 0, 0]);
    assert_eq!(table.units("dyrrhachion", "greeks"), (1, 0));
}

#[test]
fn a25_a_group_is_one_question_units_sent_singly_are_several() {
    let position = || Position::east("greeks").with("greeks 2L athen; persians 2L sparta");
    let mut table = position().table();
    table.play("stone maneuver_1; march 2L athen sparta; answer 0");
    assert_eq!(table.acts(), Some("greeks"));
    let mut table = position().table();
    table.play("stone maneuver_1; march 1L athen sparta; answer 0; march 1L athen sparta");
    assert_eq!(table.acts(), Some("persians"));
    table.play("answer 2");
    assert_eq!(table.units("sparta", "greeks"), (0, 0));
}

#[test]
fn a25_several_nations_are_asked_clockwise_from_the_mover() {
    let mut table = Position::east("arabs")
        .with("arabs 3L mecca; persians 1L taima; phoenicians 1L taima; greeks 1L taima")
        .play("stone maneuver_1; march 3L mecca taima");
    for nation in ["greeks", "phoenicians", "persians"] {
        assert_eq!(table.acts(), Some(nation));
        table.play("answer 0");
    }
    assert_eq!(table.acts(), Some("arabs"));
}

#[test]
fn a25_when_nothing_is_left_to_fight_no_other_nation_is_asked() {
    let table = Position::east("arabs")
        .with("arabs 1L mecca; persians 1L taima; greeks 1L taima")
        .play("stone maneuver_1; march 1L mecca taima; greeks: answer 1");
    assert_eq!(table.acts(), Some("arabs"));
}

#[test]
fn a25_only_the_mover_may_demand_a_battle_among_units_that_stand_together() {
    let mut table = Position::east("greeks")
        .with("greeks 1L athen; persians 1L athen")
        .play("stone maneuver_1");
    assert_eq!(table.acts(), Some("greeks"));
    table.refuses("persians: battle 1L athen greeks", "A11");
    table.refuses("persians: answer 1", "A11");
    table.play("end");
    assert_eq!(table.units("athen", "persians"), (1, 0));
}

#[test]
fn a25_outside_a_maneuver_there_are_no_battles() {
    for field in ["iron", "temple", "gold", "arming", "marble", "know_how"] {
        let mut table = Position::east("greeks")
            .with("greeks 1L athen; persians 1L athen")
            .table();
        table.refuses("battle 1L athen persians", "A11");
        table.play(&format!("stone {field}"));
        table.refuses_because("battle 1L athen persians", "A11", Reason::WrongField);
    }
}

#[test]
fn a25_an_answer_can_take_units_already_there_after_entering_units() {
    let mut table = Position::east("greeks")
        .with("greeks 1L athen; greeks 2L sparta; persians 2L sparta")
        .play("stone maneuver_1; march 1L athen sparta; answer 2");
    assert_eq!(table.units("sparta", "greeks"), (1, 0));
    assert_eq!(table.units("sparta", "persians"), (0, 0));
    // The one that is left has not moved.
    table.play("march 1L sparta athen");
    let reason = table.refuses("march 1L sparta athen", "A24");
    assert_eq!(reason, Reason::TooFewUnits { available: 0 });
    // Without another one behind, nothing is left to move.
    let table = Position::east("greeks")
        .with("greeks 1L athen; greeks 1L sparta; persians 2L sparta")
        .play("stone maneuver_1; march 1L athen sparta; answer 2");
    assert_eq!(table.units("sparta", "greeks"), (0, 0));
    let left = table.state.turn_state.maneuvers_left[table.region("sparta").index()][0];
    assert_eq!(left, [0, 0, 0, 0]);
}
