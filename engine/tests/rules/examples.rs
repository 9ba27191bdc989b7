//! The worked examples of the rule book, those with pictures set on the boards.

use engine::play::Reason;
use engine::words::{Personage, Unit};

use crate::rules::table::*;

#[test]
fn a14_three_marble_cities_one_with_temple_produce_five_marble() {
    let table = Position::east("greeks")
        .with("greeks own sparta ephesos; temples ephesos")
        .play("stone marble");
    assert_eq!(table.holds("greeks"), (5, 0, 0, 0));
}

#[test]
fn a14_three_gold_cities_one_with_temple_produce_five_six_with_market_seven_with_currency() {
    for (know_how, gold) in [
        (&[] as &[&str], 5),
        (&["market"], 6),
        (&["market", "currency"], 7),
    ] {
        let table = Position::east("greeks")
            .with("greeks own messana cyrene; temples cyrene")
            .knows("greeks", know_how)
            .play("stone gold");
        assert_eq!(table.holds("greeks").2, gold);
    }
}

#[test]
fn a12_from_iron_three_fields_are_free_arming_costs_one_and_marble_two() {
    let table = Position::east("greeks")
        .stone("greeks", "iron")
        .holds("greeks", "c2")
        .table();
    let cost = |field: &str| {
        let mut after = table.clone();
        let listed = table.listed(&format!("stone {field}"));
        after.play(&listed[0]);
        2 - after.holds("greeks").3
    };
    assert_eq!(
        ["temple", "gold", "maneuver_1", "arming", "marble"].map(cost),
        [0, 0, 0, 1, 2]
    );
    assert_eq!(table.listed("stone know_how"), [] as [&str; 0]);
}

#[test]
fn a19_navigation_for_a_nation_without_know_how_costs_thirteen_and_wins_a_scholar() {
    let mut table = Position::east("greeks")
        .with("arabs know sailing; persians know sailing; greeks hold g13")
        .play("stone know_how; develop sailing; develop navigation");
    assert_eq!(table.holds("greeks"), (0, 0, 0, 0));
    table.play("end");
    assert_eq!(table.won(), [Personage::Scholar]);
}

#[test]
fn a27_corniclanum_with_temple_a_galley_a_legion_and_monarchy_has_defence_six() {
    let mut table = Position::east("greeks")
        .with("phoenicians own corniclanum; temples corniclanum; phoenicians know monarchy")
        .with("phoenicians 1L1G corniclanum; greeks 3L3G corniclanum")
        .table();
    assert_eq!(table.defence("corniclanum"), 6);
    table.play("stone maneuver_1; conquer corniclanum 3L3G");
    assert_eq!(table.owner("corniclanum"), Some("greeks"));
    assert_eq!(table.units("corniclanum", "greeks"), (0, 0));
}

#[test]
fn a24_a_legion_with_roads_may_cross_three_land_borders() {
    let mut table = Position::east("greeks")
        .with("greeks know wheel roads; greeks 1L pella")
        .play("stone maneuver_1; march 1L pella bycantium; march 1L bycantium gordion");
    table.play("march 1L gordion attalia");
    table.refuses("march 1L attalia antiochia", "A24");
}

#[test]
fn a24_a_galley_with_navigation_that_has_moved_twice_can_still_act() {
    let mut table = Position::east("greeks")
        .with("greeks know sailing navigation; greeks 1G athen")
        .play("stone maneuver_1; march 1G athen knossos; march 1G knossos paphos");
    assert_eq!(table.listed("conquer"), ["conquer paphos 1G"]);
    table.play("conquer paphos 1G");
}

#[test]
fn a25_three_galleys_enter_athen_and_each_side_loses_one() {
    let table = Position::east("persians")
        .with("persians 3G knossos; greeks 1L1G athen")
        .play("stone maneuver_1; march 3G knossos athen; greeks: answer 1");
    assert_eq!(table.units("athen", "persians"), (0, 2));
    // The legion takes no part: it cannot fight galleys.
    assert_eq!(table.units("athen", "greeks"), (1, 0));
}

#[test]
fn a27_tyros_with_a_legion_falls_to_two_galleys_or_to_a_legion_and_a_galley() {
    let position = |legions, galleys| {
        Position::east("persians")
            .units("tyros", "phoenicians", 1, 0)
            .units("tyros", "persians", legions, galleys)
            .table()
    };
    let mut table = position(0, 2);
    assert_eq!(table.defence("tyros"), 2);
    table.play("stone maneuver_1; conquer tyros 2G");
    assert_eq!(table.owner("tyros"), Some("persians"));
    assert_eq!(table.units("tyros", "persians"), (0, 0));

    let mut table = position(2, 1);
    table.play("stone maneuver_1; conquer tyros 1L1G");
    assert_eq!(table.units("tyros", "persians"), (1, 0));
    // It could have attacked with both legions instead, and kept the galley.
    let mut table = position(2, 1);
    table.play("stone maneuver_1; conquer tyros 2L");
    assert_eq!(table.units("tyros", "persians"), (0, 1));
}

#[test]
fn a27_galleys_with_navigation_reach_alexandria_and_conquer_its_defence_of_three() {
    let mut table = Position::east("greeks")
        .with("greeks know sailing navigation; phoenicians 2L alexandria; greeks 2G sparta")
        .with("greeks 1G cyrene")
        .table();
    assert_eq!(table.defence("alexandria"), 3);
    table.play("stone maneuver_1; march 2G sparta knossos; march 2G knossos alexandria");
    table.play("march 1G cyrene alexandria; conquer alexandria 3G");
    assert_eq!(table.owner("alexandria"), Some("greeks"));
}

#[test]
fn a27_with_sailing_the_galley_from_attalia_arrives_too_tired_to_conquer_alexandria() {
    let position = |legions, galleys| {
        let mut table = Position::east("greeks")
            .with("greeks know sailing")
            .units("alexandria", "phoenicians", legions, galleys)
            .with("greeks 1G attalia; greeks 1G cyrene")
            .table();
        assert_eq!(table.defence("alexandria"), 2);
        table.play("stone maneuver_1; march 1G cyrene alexandria");
        table
    };
    // Against a legion only one galley is left that could take part.
    let mut table = position(1, 0);
    table.play("march 1G attalia paphos; march 1G paphos alexandria");
    let reason = table.refuses("conquer alexandria 2G", "A27");
    assert_eq!(
        reason,
        Reason::TooFewToConquer {
            unit: Unit::Galley,
            available: 1
        }
    );
    assert_eq!(
        table.refuses("conquer alexandria 1G", "A27"),
        Reason::WrongLosses { defence: 2 }
    );
    // A galley there is eliminated by the tired one first, and the other conquers.
    let mut table = position(0, 1);
    table.play("phoenicians: answer 0; march 1G attalia paphos; march 1G paphos alexandria");
    table.play("phoenicians: answer 0; battle 1G alexandria phoenicians");
    assert_eq!(table.defence("alexandria"), 1);
    table.play("conquer alexandria 1G");
    assert_eq!(table.owner("alexandria"), Some("greeks"));
}

#[test]
fn a25_one_legion_on_the_way_saves_roma() {
    // Roma's defence is five; five legions with ROADS come through mediolanum, where one stands.
    let position = || {
        Position::west("germanic_tribes")
            .with("germanic_tribes know wheel roads; romans know monarchy; romans 2L1G roma")
            .with("greeks 1L mediolanum; germanic_tribes 5L castra_regina")
            .table()
    };
    let mut table = position();
    assert_eq!(table.defence("roma"), 5);
    table.play("stone maneuver_1; march 5L castra_regina mediolanum; greeks: answer 1");
    table.play("march 4L mediolanum roma; romans: answer 0");
    assert_eq!(table.listed("conquer roma"), [] as [&str; 0]);
    let mut table = position();
    table.play("stone maneuver_1; march 5L castra_regina mediolanum; greeks: answer 0");
    table.play("march 5L mediolanum roma; romans: answer 0; conquer roma 5L");
    assert_eq!(table.owner("roma"), Some("germanic_tribes"));
}

#[test]
fn a27_attalia_is_conquered_by_an_exact_plan() {
    // Two legions of the greeks stand in the way by land, a galley by sea; attalia has a temple.
    let position = || {
        Position::east("persians")
            .with("persians know wheel roads sailing navigation; greeks know monarchy")
            .with("greeks own attalia; temples attalia; greeks 1L ninive; greeks 1L melitene")
            .with("greeks 1G paphos; persians 4L ninive; persians 3G tyros")
            .table()
    };
    let mut table = position();
    assert_eq!(table.defence("attalia"), 4);
    table.play("stone maneuver_1; battle 1L ninive greeks; march 3L ninive melitene");
    table.play("greeks: answer 0; battle 1L melitene greeks; march 2L melitene attalia");
    table.play("march 3G tyros paphos; greeks: answer 1; march 2G paphos attalia");
    table.play("conquer attalia 2L2G");
    assert_eq!(table.owner("attalia"), Some("persians"));
    assert_eq!(table.units("attalia", "persians"), (0, 0));
    table.play("end");
    assert_eq!(table.won(), [Personage::General]);
}

#[test]
fn a15_the_growth_opening_builds_a_temple_in_the_second_turn() {
    let mut table = Table::start(&east(4));
    table.play("stone marble; end; stone iron; end; stone iron; end; stone iron; end");
    assert_eq!(table.holds("phoenicians"), (3, 1, 3, 2));
    table.play("stone temple g1; temple tyros m3c2");
    assert!(table.has_temple("tyros"));
    assert_eq!(table.holds("phoenicians"), (0, 1, 2, 0));
}

#[test]
fn a16_the_military_opening_sets_up_two_units_and_founds_a_city_in_the_second_turn() {
    let mut table = Table::start(&east(4));
    table.play("stone arming; arm tyros L i1; arm alexandria L c1; end");
    table.play("stone iron; end; stone iron; end; stone iron; end");
    assert_eq!(table.holds("phoenicians"), (2, 0, 3, 1));
    table.play("stone maneuver_2; march 1L tyros antiochia; march 1L alexandria cyrene");
    table.play("found antiochia m1g1c1; end");
    assert_eq!(table.owner("antiochia"), Some("phoenicians"));
    assert_eq!(table.holds("phoenicians"), (1, 0, 2, 0));
}

#[test]
fn a19_the_progress_opening_buys_a_know_how_and_a_scholar_in_the_third_turn() {
    let mut table = Table::start(&east(4));
    table.play("stone gold; end; stone iron; end; stone iron; end; stone iron; end");
    table.play("stone marble; end; stone gold; end; stone gold; end; stone gold; end");
    table.play("stone know_how");
    assert_eq!(table.holds("phoenicians"), (3, 1, 4, 3));
    table.play("develop sailing g4c3; end");
    assert_eq!(table.won(), [Personage::Scholar]);
    assert_eq!(table.personages("phoenicians", Personage::Scholar), 1);
}

#[test]
fn a22_three_gold_and_one_marble_trade_for_two_iron() {
    let mut table = Position::east("greeks")
        .with("greeks know all; greeks hold m1g3")
        .play("stone arming; trade g2 i1; trade m1g1 i1");
    assert_eq!(table.holds("greeks"), (0, 2, 0, 0));
    table.play("arm pella L; arm athen L");
}
