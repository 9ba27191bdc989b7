//! Movement, battles and conquests [B24] to [B27].

use engine::play::Reason;
use engine::state::QuestionKind;

use super::boards::*;

#[test]
fn b24_units_that_have_moved_as_far_as_they_can_still_conquer() {
    let mut table = without_weak_nations(west())
        .with("romans 1L dyrrhachion")
        .table();
    table.play("stone maneuver_1; march 1L dyrrhachion pella; conquer pella 1L");
    assert_eq!(table.owner("pella"), Some("romans"));
}

#[test]
fn b24_units_that_have_not_moved_can_conquer_together_with_those_that_have() {
    let table = without_weak_nations(west())
        .with("greeks 1G pella; romans 1L pella; romans 1L sirmium")
        .play("stone maneuver_1; march 1L sirmium pella; conquer pella 2L");
    assert_eq!(table.units("pella", "romans"), (0, 0));
}

#[test]
fn b24_after_the_first_conquest_nothing_moves_or_fights() {
    let table = without_weak_nations(west())
        .with("romans 2L pella; romans 1L sirmium; greeks 1L sirmium")
        .play("stone maneuver_1; conquer pella 1L");
    table.refuses_because("march 1L sirmium napoca", "B24", Reason::PhaseIsOver);
    table.refuses("battle 1L sirmium greeks", "B24");
}

#[test]
fn b25_a_nation_not_on_turn_fights_entering_units_and_the_mover_any_units_there() {
    let position = || west().with("romans 1G sparta; greeks 1L1G athenae; romans 1L athenae");
    let mut table = position().table();
    table.play("stone maneuver_1");
    // Legions that merely stand together are the mover's to fight.
    assert_eq!(table.asks_for(), Some(QuestionKind::Turn));
    table.refuses("answer 1", "B25");
    table.play("battle 1L athenae greeks; march 1G sparta athenae");
    assert_eq!(table.acts(), Some("greeks"));
    table.refuses("romans: end", "B10");
    table.play("answer 1");
    assert_eq!(table.units("athenae", "greeks"), (0, 0));
    assert_eq!(table.units("athenae", "romans"), (0, 0));
    let mut table = position().table();
    table.play("stone maneuver_1; march 1G sparta athenae; answer 0; end");
    assert_eq!(table.units("athenae", "greeks"), (1, 1));
    // Kinds do not fight each other.
    let mut table = west().with("greeks 1G athenae; romans 1L athenae").table();
    table.play("stone maneuver_1");
    table.refuses("battle 1L athenae greeks", "B25");
}

#[test]
fn b27_the_defence_counts_temple_units_know_how_and_few_personages() {
    let table = without_weak_nations(west())
        .with("temples pella; greeks 1L2G pella; romans 5L pella; greeks know regnum")
        .table();
    assert_eq!(table.defence("pella"), 3 + 3 + 1);
    assert_eq!(table.defence("athenae"), 1 + 1);
    assert_eq!(table.defence("massilia"), 3);
    assert_eq!(table.defence("sparta"), 0);
}

#[test]
fn b27_two_personages_of_any_kinds_or_fewer_add_one_and_three_do_not() {
    use engine::words::Personage::{Citizen, King};
    for (kings, citizens, defence) in [(0, 0, 2), (1, 0, 2), (2, 0, 2), (1, 1, 2), (2, 1, 1)] {
        let table = west()
            .personages("greeks", King, kings)
            .personages("greeks", Citizen, citizens)
            .table();
        assert_eq!(table.defence("pella"), defence, "{kings} {citizens}");
    }
}

#[test]
fn b27_the_conqueror_loses_exactly_the_defence() {
    let mut table = west().units("pella", "romans", 3, 0).table();
    table.play("stone maneuver_1");
    assert_eq!(table.listed("conquer"), ["conquer pella 2L"]);
    let reason = table.refuses("conquer pella 1L", "B27");
    assert_eq!(reason, Reason::WrongLosses { defence: 2 });
    table.play("conquer pella 2L");
    assert_eq!(table.units("pella", "romans"), (1, 0));
    assert_eq!(table.tokens("greeks"), 24 - 2);
    assert_eq!(table.tokens("romans"), 24 - 4);
}

#[test]
fn b27_the_last_city_cannot_be_conquered() {
    let table = west()
        .no_city("pella")
        .no_city("dyrrhachion")
        .with("romans 5L athenae")
        .play("stone maneuver_1");
    assert_eq!(table.refuses("conquer athenae 2L", "B27"), Reason::LastCity);
    assert_eq!(table.listed("conquer"), [] as [&str; 0]);
}

#[test]
fn b27_without_a_token_no_nation_conquers_or_founds_or_gives_a_city_up() {
    let mut table = without_weak_nations(west())
        .cities_up_to("romans", 24)
        .with("romans 3L pella; romans 1L tomis; romans hold m9i9g9")
        .table();
    assert_eq!(table.tokens("romans"), 0);
    table.play("stone maneuver_1");
    assert_eq!(table.refuses("conquer pella 1L", "B27"), Reason::NoToken);
    table.refuses_because("conquer pella 1L giving roma", "B27", Reason::CannotGiveUp);
    assert_eq!(table.refuses("found tomis", "B29"), Reason::NoToken);
    assert_eq!(table.listed("conquer"), [] as [&str; 0]);
    assert_eq!(table.listed("found"), [] as [&str; 0]);
}

#[test]
fn b27_giving_a_city_up_is_refused_with_a_token_left_too() {
    let mut table = without_weak_nations(west())
        .units("pella", "romans", 3, 0)
        .table();
    table.play("stone maneuver_1");
    table.refuses_because("conquer pella 1L giving roma", "B27", Reason::CannotGiveUp);
}
