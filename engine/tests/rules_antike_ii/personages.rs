//! Personages and the end of the game [B30] to [B33].

use engine::words::{EndReason, Personage};

use super::boards::*;
use crate::rules::table::*;

#[test]
fn b30_a_galley_in_a_sea_region_without_site_counts_twice_for_navigators() {
    // Two sea regions and two others: 2 * 2 + 2.
    let six = || {
        west()
            .with("romans 1G mare_tyrrhenum; romans 2G mare_balearicum; romans 1G roma")
            .with("romans 1G carales")
    };
    let mut table = six().units("syracus", "romans", 0, 1).table();
    let navigators = |table: &Table| {
        let romans = table.id("romans");
        table
            .game
            .achievements(&table.state, romans, Personage::Navigator)
    };
    assert_eq!(navigators(&table), 7);
    table.play("stone temple; end");
    assert_eq!(table.won(), [Personage::Navigator]);
    let mut table = six().table();
    assert_eq!(navigators(&table), 6);
    table.play("stone temple; end");
    assert_eq!(table.won(), []);
}

#[test]
fn b30_kings_for_five_cities_and_citizens_for_three_temples_neutral_ones_do_not_count() {
    let table = west()
        .cities_up_to("romans", 5)
        .with("temples roma neapolis")
        .play("stone iron; end");
    assert_eq!(table.won(), [Personage::King]);
    let mut table = west().temples(&["roma", "neapolis", "syracus"]).table();
    table.play("stone iron; end");
    assert_eq!(table.won(), [Personage::Citizen]);
}

#[test]
fn b31_the_goal_depends_on_the_number_of_nations() {
    for (nations, goal) in [(3, 10), (4, 9), (5, 8), (6, 7)] {
        let table = Table::start(&mare_nostrum(nations));
        assert_eq!(table.game.rules.goal, goal);
    }
    let table = west()
        .with("romans have 8 king; greeks have 8 scholar; temples roma neapolis syracus")
        .play("stone iron; end");
    table.ended(EndReason::Goal, &[1, 3, 3, 2]);
}

/// A position with this many generals with the Greeks, and kings with the Romans.
/// The Romans can take a temple at Massilia and one at Gordion.
fn generals_nearly_out(kings: u8, generals: u8) -> Position {
    west()
        .personages("romans", Personage::King, kings)
        .personages("greeks", Personage::General, generals)
        .with("romans 3L massilia; romans 3L gordion")
}

#[test]
fn b32_lacking_one_a_temple_wins_when_no_general_is_left() {
    let mut table = generals_nearly_out(8, 7).table();
    table.play("stone maneuver_1; conquer massilia 3L");
    assert_eq!(table.outcome(), None);
    table.play("end");
    table.ended(EndReason::TempleDestroyed, &[1, 3, 3, 2]);
    assert_eq!(table.points("romans"), 8);
}

#[test]
fn b32_a_temple_on_a_city_does_it_as_well() {
    let mut table = without_weak_nations(west())
        .with("romans have 6 king; germanic_tribes have 4 general; phoenicians have 3 general")
        .with("temples pella; romans 3L pella")
        .table();
    assert_eq!(table.points("romans"), 8);
    table.play("stone maneuver_1; conquer pella 3L; end");
    let (reason, ranks) = table.outcome().expect("it is over");
    assert_eq!((reason, ranks[0]), (EndReason::TempleDestroyed, 1));
}

#[test]
fn b32_with_a_general_left_the_goal_is_reached_with_it() {
    let mut table = generals_nearly_out(8, 6).table();
    table.play("stone maneuver_1; conquer massilia 3L; end");
    assert_eq!(table.points("romans"), 9);
    table.ended(EndReason::Goal, &[1, 3, 3, 2]);
}

#[test]
fn b32_a_nation_that_lacks_two_wins_with_two_temples_only_if_one_earns_a_general() {
    let mut table = generals_nearly_out(7, 6).table();
    table.play("stone maneuver_1; conquer massilia 3L; conquer gordion 3L; end");
    assert_eq!(table.points("romans"), 8);
    let (reason, ranks) = table.outcome().expect("it is over");
    assert_eq!((reason, ranks[0]), (EndReason::TempleDestroyed, 1));
    for (kings, generals) in [(7, 7), (6, 6)] {
        let mut table = generals_nearly_out(kings, generals).table();
        table.play("stone maneuver_1; conquer massilia 3L; conquer gordion 3L; end");
        assert_eq!(table.outcome(), None);
        assert_eq!(table.to_move(), "germanic_tribes");
    }
}

#[test]
fn b32_without_a_temple_lacking_one_wins_nothing() {
    let mut table = generals_nearly_out(8, 7).table();
    table.play("stone maneuver_1; end");
    assert_eq!(table.outcome(), None);
}

#[test]
fn b32_a_temple_that_falls_when_all_personages_are_out_ends_nothing_at_once() {
    let mut table = Position::of(mare_nostrum(6))
        .all_personages_out()
        .units("massilia", "romans", 3, 0)
        .table();
    assert_eq!(table.state.bank.personages, [0; 5]);
    table.play("stone maneuver_1; conquer massilia 3L");
    assert_eq!(table.outcome(), None);
    table.play("end");
    let (reason, ranks) = table.outcome().expect("six of seven and a temple");
    assert_eq!((reason, ranks[0]), (EndReason::TempleDestroyed, 1));
}

#[test]
fn b33_all_know_hows_win_nothing_further() {
    let table = west()
        .with("romans know all but strata; greeks know strata; romans hold g9")
        .play("stone know_how; develop strata; end");
    assert_eq!(table.won(), []);
    assert_eq!(table.acts(), Some("germanic_tribes"));
}

#[test]
fn b31_with_ten_cities_and_two_kings_the_third_comes_at_fifteen() {
    for (cities, kings) in [(10, 0), (14, 0), (15, 1)] {
        let table = west()
            .cities_up_to("romans", cities)
            .with("romans have 2 king")
            .play("stone iron; end");
        assert_eq!(table.won(), vec![Personage::King; kings], "{cities} cities");
    }
}
