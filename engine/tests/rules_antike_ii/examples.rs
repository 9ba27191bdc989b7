//! The worked examples of the rule book, set on the boards.

use engine::words::{Personage, Resource};

use super::boards::*;
use crate::rules::table::*;

#[test]
fn b14_syracus_with_temple_and_carthago_produce_four_gold_and_a_coin() {
    let five = || {
        west()
            .neutral_temples(&[])
            .with("romans own carthago tacape; temples syracus")
    };
    for (field, romans) in [
        ("gold", (0, 0, 4, 1)),
        ("marble", (2, 0, 0, 1)),
        ("iron", (0, 1, 0, 1)),
    ] {
        let mut table = five().table();
        assert_eq!(table.cities("romans"), 5);
        table.play(&format!("stone {field}"));
        assert_eq!(table.holds("romans"), romans);
    }
}

#[test]
fn b17_two_galleys_for_four_iron_and_a_third_unit_from_bellona() {
    let position = || {
        west()
            .neutral_temples(&[])
            .with("romans own carthago carales; temples roma")
            .bellona("romans")
            .with("romans hold i4")
    };
    let mut table = position().table();
    table.play("stone arming; arm syracus G; arm neapolis G; arm carthago L free");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
    assert_eq!(table.units("carthago", "romans"), (1, 0));
    // All three could stand at Roma.
    let mut table = position().table();
    table.play("stone arming; arm roma L; arm roma G; arm roma L free");
    // Carales takes galleys only, Ancona has no owner.
    let mut table = position().table();
    table.play("stone arming");
    table.lists("arm carales", "arm carales G free; arm carales G");
    table.refuses("arm carales L", "B16");
    table.refuses("arm ancona L", "B16");
}

#[test]
fn b29_attalia_produces_gold_and_paphos_any_resource() {
    let position = || orient().with("greeks 1L attalia; greeks 1G paphos; greeks hold m2i1g2c1");
    for resource in Resource::ALL {
        let mut table = position().table();
        table.play("stone maneuver_1; found attalia");
        table.refuses("found antiochia", "B29");
        table.play(&format!("found paphos {resource}"));
        assert_eq!(table.resource("attalia"), Some(Resource::Gold));
        assert_eq!(table.resource("paphos"), Some(*resource));
        assert_eq!(table.holds("greeks"), (0, 0, 0, 0));
    }
}

#[test]
fn b15_ten_marble_build_two_temples_in_one_turn() {
    let mut table = west()
        .with("romans own carales; temples roma; romans hold m10")
        .play("stone temple");
    table.refuses_because("temple roma", "B15", engine::play::Reason::HasTemple);
    table.play("temple carales; temple neapolis");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
    assert!(table.has_temple("carales") && table.has_temple("neapolis"));
}

#[test]
fn b19_the_prices_of_the_know_hows_that_black_may_choose_from() {
    for (choice, gold, scholars) in [
        (&["strata"] as &[&str], 3, 0),
        (&["navigatio"], 8, 1),
        (&["mercatura", "strata"], 5, 0),
        (&["metallum", "moneta"], 17, 1),
        (&["regnum"], 6, 0),
    ] {
        let mut table = west()
            .with("greeks know strata mercatura metallum; phoenicians know regnum res_publica")
            .holds("romans", &format!("g{gold}"))
            .play("stone know_how");
        for know_how in choice {
            table.play(&format!("develop {know_how}"));
        }
        assert_eq!(table.holds("romans"), (0, 0, 0, 0), "{choice:?}");
        table.play("end");
        assert_eq!(table.personages("romans", Personage::Scholar), scholars);
    }
}

#[test]
fn b27_gesocribate_with_one_galley_falls_to_two_legions_with_two_it_does_not() {
    let position = |galleys| {
        without_weak_nations(west())
            .cities("greeks", &["gesocribate"])
            .units("gesocribate", "greeks", 0, galleys)
            .units("lutetia", "romans", 2, 0)
    };
    let mut table = position(1).table();
    table.play("stone maneuver_1; march 2L lutetia gesocribate; conquer gesocribate 2L");
    assert_eq!(table.owner("gesocribate"), Some("romans"));
    assert_eq!(table.supply("romans"), (12, 13));
    assert_eq!(table.supply("greeks"), (12, 13));
    let mut table = position(2).table();
    table.play("stone maneuver_1; march 2L lutetia gesocribate");
    assert_eq!(table.defence("gesocribate"), 3);
    assert_eq!(table.listed("conquer"), [] as [&str; 0]);
}

#[test]
fn b27_pella_falls_with_its_temple_to_two_legions_and_a_galley() {
    let position = || {
        without_weak_nations(west())
            .with("temples pella; romans know navigatio; romans 2L1G dyrrhachion")
            .with("romans 1G sparta; greeks 1G athenae")
    };
    let moves = "stone maneuver_1; march 2L dyrrhachion pella; march 1G dyrrhachion sparta;
        march 1G@1 sparta athenae; answer 0; battle 1G athenae greeks;
        march 1G sparta athenae; march 1G athenae pella";
    let mut table = position().table();
    table.play(moves);
    assert_eq!(table.units("athenae", "greeks"), (0, 0));
    assert_eq!(table.units("athenae", "romans"), (0, 0));
    assert_eq!(table.defence("pella"), 3);
    table.play("conquer pella 2L1G");
    assert_eq!(table.owner("pella"), Some("romans"));
    assert!(!table.has_temple("pella"));
    assert_eq!(table.supply("romans"), (12, 13));
    table.play("end");
    assert_eq!(table.won(), [Personage::General]);
    // With REGNUM it would have stood.
    let mut table = position().knows("greeks", &["regnum"]).table();
    table.play(moves);
    assert_eq!(table.defence("pella"), 4);
    assert_eq!(table.listed("conquer"), [] as [&str; 0]);
}

/// Plays the Romans' turns of an opening; the others take their iron and temple fields in turn.
fn opening(turns: &[&str]) -> Table {
    let mut table = Table::start(&mare_nostrum(4));
    for (turn, actions) in turns.iter().enumerate() {
        table.play(actions);
        if turn + 1 < turns.len() {
            let other = ["iron", "temple"][turn % 2];
            for _ in 0..3 {
                table.play(&format!("end; stone {other}"));
            }
            table.play("end");
        }
    }
    table
}

#[test]
fn b14_the_growth_opening_builds_a_temple_in_the_second_turn() {
    let table = opening(&["stone marble", "stone temple g1; temple roma m4c1"]);
    assert!(table.has_temple("roma"));
    assert_eq!(table.holds("romans"), (0, 3, 2, 0));
}

#[test]
fn b16_the_military_opening_arms_three_units_for_four_iron_and_two_coins() {
    let table = opening(&[
        "stone iron",
        "stone gold",
        "stone arming; arm roma L; arm neapolis G; arm syracus G",
    ]);
    assert_eq!(table.supply("romans"), (11, 11));
    assert_eq!(table.holds("romans"), (3, 0, 4, 0));
}

#[test]
fn b19_the_progress_opening_develops_a_know_how_as_soon_as_it_can() {
    let table = opening(&["stone gold", "stone know_how m1; develop mercatura"]);
    assert!(table.knows("romans", "mercatura"));
    assert_eq!(table.holds("romans"), (2, 3, 0, 1));
}

#[test]
fn b10_from_ferrum_three_fields_are_free_militia_costs_one_and_marmor_two() {
    let table = west().stone("romans", "iron").holds("romans", "m2").table();
    for (field, left) in [
        ("temple", 2),
        ("gold", 2),
        ("maneuver_1", 2),
        ("arming m1", 1),
        ("marble m2", 1),
    ] {
        let mut table = table.clone();
        table.play(&format!("stone {field}"));
        // A marble city produces one at once.
        assert_eq!(table.holds("romans").0, left, "{field}");
    }
}
