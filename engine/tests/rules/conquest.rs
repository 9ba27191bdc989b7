//! Conquest [A27] [A28].

use engine::play::{Effect, Reason};
use engine::words::Unit;

use crate::rules::table::*;

#[test]
fn a27_the_defence_counts_city_temple_units_and_know_how() {
    let table = Position::east("greeks")
        .with("persians know monarchy; temples susa saba; persians 2L susa; greeks 5L susa")
        .with("arabs 1L2G adane")
        .table();
    assert_eq!(table.defence("athen"), 1);
    assert_eq!(table.defence("saba"), 3);
    assert_eq!(table.defence("adane"), 1 + 3);
    assert_eq!(table.defence("susa"), 3 + 2 + 1);
    assert_eq!(table.defence("sparta"), 0);
}

#[test]
fn a27_the_conqueror_loses_exactly_the_defence_of_kinds_of_its_choice() {
    let mut table = Position::east("greeks")
        .with("arabs 1L adane; greeks 2L2G adane")
        .play("stone maneuver_1");
    assert_eq!(
        table.listed("conquer"),
        ["conquer adane 2L", "conquer adane 1L1G", "conquer adane 2G"]
    );
    for losses in ["1L", "1G", "2L1G", "2L2G", "0"] {
        let reason = table.refuses(&format!("conquer adane {losses}"), "A27");
        assert_eq!(reason, Reason::WrongLosses { defence: 2 });
    }
    let reason = table.refuses("conquer adane 3L", "A27");
    assert_eq!(
        reason,
        Reason::TooFewToConquer {
            unit: Unit::Legion,
            available: 2
        }
    );
    table.play("conquer adane 1L1G");
    assert_eq!(table.units("adane", "greeks"), (1, 1));
    assert_eq!(table.supply("greeks"), (16, 16));
}

#[test]
fn a27_the_owner_loses_units_temple_and_token_and_the_city_keeps_its_resource() {
    let mut table = Position::east("greeks")
        .with("temples tyros; phoenicians 1L1G tyros; greeks 6L tyros; arabs 2L2G tyros")
        .table();
    let (tokens, temples) = (table.tokens("phoenicians"), table.state.bank.temples);
    table.play("stone maneuver_1; conquer tyros 5L");
    assert_eq!(table.owner("tyros"), Some("greeks"));
    assert_eq!(table.resource("tyros"), Some(engine::words::Resource::Iron));
    assert!(!table.has_temple("tyros"));
    assert_eq!(table.state.bank.temples, temples + 1);
    assert_eq!(table.units("tyros", "phoenicians"), (0, 0));
    assert_eq!(table.supply("phoenicians"), (17, 17));
    assert_eq!(table.tokens("phoenicians"), tokens + 1);
    assert_eq!(table.tokens("greeks"), 25 - 4);
    // Units of third nations are not touched.
    assert_eq!(table.units("tyros", "arabs"), (2, 2));
    assert_eq!(
        table.named_effects(),
        [
            Effect::Conquered {
                nation: "greeks".into(),
                from: "phoenicians".into(),
                region: "tyros".into(),
                legions: 5,
                galleys: 0,
            },
            Effect::DefendersLost {
                nation: "phoenicians".into(),
                region: "tyros".into(),
                legions: 1,
                galleys: 1,
            },
            Effect::TempleDestroyed {
                nation: "greeks".into(),
                owner: Some("phoenicians".into()),
                region: "tyros".into(),
            },
        ]
    );
}

#[test]
fn a27_only_units_with_a_maneuver_left_take_part() {
    let position = |know_how: &[&str]| {
        Position::east("greeks")
            .knows("greeks", know_how)
            .with("greeks 1L petra; greeks 1L tyros; phoenicians 1G tyros")
            .table()
    };
    let mut table = position(&[]);
    table.play("stone maneuver_1; march 1L petra tyros");
    let reason = table.refuses("conquer tyros 2L", "A27");
    assert_eq!(
        reason,
        Reason::TooFewToConquer {
            unit: Unit::Legion,
            available: 1
        }
    );
    assert_eq!(table.listed("conquer"), [] as [&str; 0]);
    let mut table = position(&["wheel"]);
    table.play("stone maneuver_1; march 1L petra tyros; conquer tyros 2L");
    assert_eq!(table.owner("tyros"), Some("greeks"));
}

#[test]
fn a27_there_is_no_unsuccessful_conquest() {
    let table = Position::east("greeks")
        .with("temples tyros; greeks 2L tyros")
        .play("stone maneuver_1");
    assert_eq!(
        table.refuses("conquer tyros 2L", "A27"),
        Reason::WrongLosses { defence: 3 }
    );
}

#[test]
fn a27_only_foreign_cities_are_conquered() {
    let table = Position::east("greeks")
        .with("greeks 2L athen; greeks 2L sparta")
        .play("stone maneuver_1");
    table.refuses_because("conquer athen 1L", "A27", Reason::NoForeignCity);
    table.refuses_because("conquer sparta 1L", "A27", Reason::NoForeignCity);
}

#[test]
fn a27_galleys_conquer_a_city_defended_by_legions_and_the_other_way_round() {
    let table = Position::east("greeks")
        .with("phoenicians 2L tyros; greeks 3G tyros; arabs 1G adane; greeks 2L adane")
        .play("stone maneuver_1; conquer tyros 3G; conquer adane 2L");
    assert_eq!(
        (table.owner("tyros"), table.owner("adane")),
        (Some("greeks"), Some("greeks"))
    );
}

#[test]
fn a27_a_unit_conquers_once() {
    let table = Position::east("greeks")
        .with("greeks know wheel roads; greeks 1L tyros")
        .play("stone maneuver_1; conquer tyros 1L");
    assert_eq!(table.units("tyros", "greeks"), (0, 0));
    assert_eq!(table.listed(""), ["end"]);
}

#[test]
fn a27_several_cities_are_conquered_in_one_turn() {
    let table = Position::east("greeks")
        .with("greeks 1L tyros; greeks 1L susa")
        .play("stone maneuver_2; conquer tyros 1L; conquer susa 1L; end");
    assert_eq!(table.cities("greeks"), 5);
    assert_eq!(table.won(), [engine::words::Personage::King]);
}

#[test]
fn a28_a_nations_last_city_cannot_be_conquered() {
    let table = Position::east("greeks")
        .no_city("alexandria")
        .no_city("paphos")
        .with("greeks 9L tyros")
        .play("stone maneuver_1");
    assert_eq!(table.refuses("conquer tyros 1L", "A28"), Reason::LastCity);
    assert_eq!(table.listed("conquer"), [] as [&str; 0]);
}

#[test]
fn a28_the_last_but_one_can_and_then_the_last_is_safe() {
    let table = Position::east("greeks")
        .no_city("alexandria")
        .with("greeks 1L tyros; greeks 1G paphos")
        .play("stone maneuver_1; conquer tyros 1L");
    assert_eq!(table.refuses("conquer paphos 1G", "A28"), Reason::LastCity);
}

/// The greeks have all 25 tokens on the board and stand before two cities of the phoenicians.
fn without_tokens() -> Position {
    Position::east("greeks")
        .cities_up_to("greeks", 25)
        .with("temples pella; greeks 1L tyros; greeks 1G paphos; greeks have 5 king")
}

#[test]
fn a28_a_conqueror_without_tokens_gives_up_a_city_of_its_own() {
    let mut table = without_tokens().table();
    assert_eq!(table.tokens("greeks"), 0);
    table.play("stone maneuver_1");
    assert_eq!(table.refuses("conquer tyros 1L", "A28"), Reason::NoToken);
    assert_eq!(table.listed("conquer tyros 1L giving").len(), 25);
    table.play("conquer tyros 1L giving pella");
    assert_eq!(table.owner("pella"), None);
    assert_eq!(table.owner("tyros"), Some("greeks"));
    assert_eq!(table.tokens("greeks"), 0);
}

#[test]
fn a28_a_temple_on_the_city_given_up_goes_to_the_bank_and_counts_for_no_nation() {
    let mut table = without_tokens().table();
    table.play("stone maneuver_1; conquer tyros 1L giving pella");
    assert_eq!(table.state.bank.temples, 20);
    table.play("end");
    assert_eq!(table.won(), []);
}

#[test]
fn a28_the_city_just_conquered_is_not_given_up_nor_a_foreign_one() {
    let mut table = without_tokens().table();
    table.play("stone maneuver_1; conquer tyros 1L giving pella");
    for city in ["tyros", "pella", "susa", "paphos"] {
        let reason = table.refuses(&format!("conquer paphos 1G giving {city}"), "A28");
        assert_eq!(reason, Reason::CannotGiveUp);
    }
    table.play("conquer paphos 1G giving athen");
}

#[test]
fn a28_no_city_is_given_up_while_a_token_is_free() {
    let mut table = Position::east("greeks").with("greeks 1L tyros").table();
    table.play("stone maneuver_1");
    table.refuses_because("conquer tyros 1L giving pella", "A28", Reason::TokenIsLeft);
}
