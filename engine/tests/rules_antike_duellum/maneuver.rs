//! DUELLUM: moving [D24] and automatic battles [D25].

use engine::play::{Effect, Reason};
use engine::words::Unit;

use super::boards::*;

#[test]
fn d24_first_all_movement_then_all_conquest_without_costs() {
    let mut table = rome()
        .with("romans 2G mare_tyrrhenum; romans 1G agrigentum")
        .play("stone maneuver_1; march 1G agrigentum carthago; march 1G mare_tyrrhenum carales");
    // Both have crossed their border and conquer all the same.
    table.play("conquer carthago 1G");
    let reason = table.refuses("march 1G mare_tyrrhenum carales", "D24");
    assert_eq!(reason, Reason::PhaseIsOver);
    table.play("conquer carales 1G");
    assert_eq!(table.owner("carthago"), Some("romans"));
    assert_eq!(table.owner("carales"), Some("romans"));
    assert_eq!(table.listed(""), ["end"]);
}

#[test]
fn d24_legions_cross_land_and_galleys_sea_borders() {
    let mut table = rome().units("roma", "romans", 1, 1).table();
    table.play("stone maneuver_2");
    assert_eq!(
        table.listed("march"),
        [
            "march 1L roma ancona",
            "march 1L roma neapolis",
            "march 1G roma corsica",
            "march 1G roma mare_tyrrhenum",
            "march 1G roma neapolis",
        ]
    );
    let reason = table.refuses("march 1L roma corsica", "D24");
    assert_eq!(reason, Reason::NoBorder { unit: Unit::Legion });
    let reason = table.refuses("march 2L roma ancona", "D24");
    assert_eq!(reason, Reason::TooFewUnits { available: 1 });
}

#[test]
fn d25_units_of_a_kind_cancel_one_for_one_into_their_boxes() {
    let table = rome()
        .with("romans 3L roma; carthaginians 2L1G neapolis")
        .play("stone maneuver_1; march 3L roma neapolis");
    assert!(table.effects.iter().any(|effect| matches!(
        effect,
        Effect::BattleFought {
            count: 2,
            unit: Unit::Legion,
            ..
        }
    )));
    // There is no question: galleys and legions do not fight.
    assert_eq!(table.acts(), Some("romans"));
    assert_eq!(table.units("neapolis", "romans"), (1, 0));
    assert_eq!(table.units("neapolis", "carthaginians"), (0, 1));
    assert_eq!(table.boxed("romans"), (3, 1));
    assert_eq!(table.boxed("carthaginians"), (3, 1));
}

#[test]
fn d25_a_smaller_group_falls_whole() {
    let table = rome()
        .with("romans 1G roma; carthaginians 3G corsica")
        .play("stone maneuver_1; march 1G roma corsica");
    assert_eq!(table.units("corsica", "romans"), (0, 0));
    assert_eq!(table.units("corsica", "carthaginians"), (0, 2));
}

#[test]
fn d25_a_group_that_crosses_loses_as_many_as_stand_there() {
    let table = rome()
        .with("romans know strata; romans 3L roma; carthaginians 1L neapolis")
        .play("stone maneuver_1; march 3L roma neapolis; march 2L neapolis brundisium");
    assert_eq!(table.units("brundisium", "romans"), (2, 0));
    // The region is clear for those that come after.
    assert_eq!(table.units("neapolis", "carthaginians"), (0, 0));
}

#[test]
fn d25_of_a_mixed_group_those_with_the_fewest_borders_left_fall() {
    let position = || {
        rome()
            .with("romans know strata; romans 1L roma; romans 1L neapolis")
            .with("carthaginians 1L brundisium")
    };
    let mut table = position().table();
    table.play("stone maneuver_1; march 1L roma neapolis; march 2L neapolis brundisium");
    // The one that came from Roma has fallen; the other goes on.
    assert_eq!(table.units("brundisium", "romans"), (1, 0));
    table.play("march 1L brundisium croton");
    // As in the other editions, which of several go may be chosen.
    let mut table = position().table();
    table.play("stone maneuver_1; march 1L roma neapolis; march 1L@2 neapolis brundisium");
    assert_eq!(table.units("brundisium", "romans"), (0, 0));
    table.play("march 1L neapolis brundisium");
    table.refuses("march 1L brundisium croton", "D24");
}

#[test]
fn d25_of_galleys_that_enter_together_the_one_that_has_come_further_falls() {
    let mut table = rome()
        .with("romans know navigatio; romans 1G roma; romans 1G mare_tyrrhenum")
        .with("carthaginians 1G corsica")
        .play("stone maneuver_1; march 1G roma mare_tyrrhenum; march 2G mare_tyrrhenum corsica");
    assert_eq!(table.units("corsica", "romans"), (0, 1));
    // The one that is left has crossed one border only.
    table.play("march 1G corsica massilia");
}

#[test]
fn d25_no_battle_is_called_or_answered() {
    let mut table = rome().with("romans 1L roma; carthaginians 1G roma").table();
    table.play("stone maneuver_1");
    table.refuses_because("battle 1L roma carthaginians", "D25", Reason::NotPlayed);
    assert_eq!(table.refuses("answer 0", "D25"), Reason::NothingAsked);
    assert_eq!(table.listed("battle"), [] as [&str; 0]);
}

#[test]
fn d25_both_nations_units_of_different_kinds_share_a_region() {
    let table = rome()
        .with("romans 2L ancona; carthaginians 2G mare_hadriaticum")
        .turn_of("carthaginians")
        .play("stone maneuver_1; march 2G mare_hadriaticum ancona");
    assert_eq!(table.units("ancona", "romans"), (2, 0));
    assert_eq!(table.units("ancona", "carthaginians"), (0, 2));
}
