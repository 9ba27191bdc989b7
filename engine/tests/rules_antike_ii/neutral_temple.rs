//! Neutral temples [B28].

use engine::forms::View;
use engine::play::{Effect, Reason};
use engine::words::Personage;

use super::boards::*;
use crate::rules::table::*;

#[test]
fn b28_its_conqueror_loses_three_units_and_wins_a_general_and_the_site_is_free() {
    let mut table = west().units("massilia", "romans", 3, 1).table();
    assert_eq!(table.state.bank.temples, 17);
    table.play("stone maneuver_1");
    table.lists("conquer", "conquer massilia 3L; conquer massilia 2L1G");
    for losses in ["2L", "3L1G", "0"] {
        let reason = table.refuses(&format!("conquer massilia {losses}"), "B28");
        assert_eq!(reason, Reason::WrongLosses { defence: 3 });
    }
    table.play("conquer massilia 2L1G");
    assert_eq!(
        table.named_effects(),
        [
            Effect::NeutralTempleTaken {
                nation: "romans".into(),
                region: "massilia".into(),
                legions: 2,
                galleys: 1,
            },
            Effect::TempleDestroyed {
                nation: "romans".into(),
                owner: None,
                region: "massilia".into(),
            }
        ]
    );
    assert_eq!(table.owner("massilia"), None);
    assert_eq!(table.tokens("romans"), 24 - 3);
    assert_eq!(table.units("massilia", "romans"), (1, 0));
    assert_eq!(table.state.bank.temples, 18);
    table.refuses_because("conquer massilia 1L", "B27", Reason::NoForeignCity);
    table.play("end");
    assert_eq!(table.personages("romans", Personage::General), 1);
}

#[test]
fn b28_no_nation_founds_on_its_site_before_and_the_conqueror_may_immediately() {
    let mut table = west()
        .with("romans 4L massilia; romans hold m1i1g1")
        .play("stone maneuver_1");
    assert_eq!(table.refuses("found massilia", "B28"), Reason::SiteTaken);
    assert_eq!(table.listed("found"), [] as [&str; 0]);
    table.play("conquer massilia 3L; found massilia");
    assert_eq!(table.owner("massilia"), Some("romans"));
    assert!(!table.has_temple("massilia"));
}

#[test]
fn b28_its_defence_is_three_whoever_stands_there() {
    let mut table = west()
        .with("greeks 4L2G massilia; romans 3L massilia")
        .table();
    assert_eq!(table.defence("massilia"), 3);
    table.play("stone maneuver_1; conquer massilia 3L");
    assert_eq!(table.units("massilia", "greeks"), (4, 2));
}

#[test]
fn b28_no_token_is_needed_and_no_city_given_up() {
    let mut table = west()
        .cities_up_to("romans", 24)
        .units("massilia", "romans", 3, 0)
        .table();
    assert_eq!(table.tokens("romans"), 0);
    table.play("stone maneuver_1");
    let reason = table.refuses("conquer massilia 3L giving roma", "B27");
    assert_eq!(reason, Reason::CannotGiveUp);
    assert_eq!(table.listed("conquer"), ["conquer massilia 3L"]);
    table.play("conquer massilia 3L");
    assert_eq!(table.tokens("romans"), 0);
}

#[test]
fn b28_two_fall_in_one_turn_for_two_generals_after_the_moves() {
    let mut table = west().with("romans 3L massilia; romans 4L gordion").table();
    table.play("stone maneuver_1; conquer massilia 3L");
    table.refuses("march 1L gordion attalia", "B24");
    table.play("conquer gordion 3L; end");
    assert_eq!(table.won(), [Personage::General, Personage::General]);
}

#[test]
fn b28_the_place_is_as_open_to_moves_as_any() {
    let mut table = west().units("mediolanum", "romans", 1, 0).table();
    table.play("stone maneuver_1; march 1L mediolanum massilia; end");
    assert_eq!(table.units("massilia", "romans"), (1, 0));
}

#[test]
fn b28_a_game_goes_on_from_a_turn_in_which_one_fell() {
    let mut table = west().units("massilia", "romans", 3, 0).table();
    table.play("stone maneuver_1; conquer massilia 3L");
    let mut setup = table.setup.clone();
    setup.position = Some(Box::new(View::from_state(&table.game, &table.state).into()));
    let mut later = Table::start(&setup);
    assert_eq!(later.state, table.state);
    later.play("end");
    assert_eq!(later.won(), [Personage::General]);
}

#[test]
fn b28_too_few_at_a_neutral_temple_cites_it() {
    let mut table = west().units("massilia", "romans", 2, 1).table();
    table.play("stone maneuver_1");
    let reason = table.refuses("conquer massilia 3L", "B28");
    assert!(matches!(
        reason,
        Reason::TooFewToConquer { available: 2, .. }
    ));
}
