//! Games that start from a position of Antike II: what cannot be a moment of a game is refused.

use engine::forms::{Position as Written, PositionFault};
use engine::words::{Field, Phase};

use super::boards::*;
use crate::rules::table::*;

/// Why a changed position of the Romans' turn is refused.
fn refused_after(position: Position, change: impl FnOnce(&mut Written)) -> PositionFault {
    let mut setup = position.setup();
    change(setup.position.as_mut().expect("a position"));
    refused(&setup)
}

fn on_field(body: &mut Written, field: Field) {
    body.phase = Phase::Action;
    body.nations.get_mut("romans").expect("it plays").stone = Some(field);
    body.turn_state.field = Some(field);
}

#[test]
fn b01_temples_are_conserved_with_the_neutral_ones() {
    let error = refused_after(west(), |body| body.bank.temples = Some(1));
    assert_eq!(error.field, "position.bank.temples");
    let error = refused_after(west(), |body| {
        let massilia = body.regions.get_mut("massilia");
        massilia.expect("a temple").neutral_temple = false;
    });
    assert_eq!(error.field, "position.bank.temples");
    Table::start(&west().neutral_temples(&["massilia"]).setup());
}

#[test]
fn b03_a_neutral_temple_stands_where_the_board_has_one_and_no_city() {
    for region in ["roma", "mare_tyrrhenum", "lutetia"] {
        let error = refused(&west().neutral_temples(&[region]).setup());
        assert_eq!(error.field, format!("position.regions.{region}"));
    }
    let error = refused_after(west(), |body| {
        let city = body.regions["roma"].city.clone();
        body.regions.get_mut("massilia").expect("a temple").city = city;
    });
    assert_eq!(error.field, "position.regions.massilia");
}

#[test]
fn b17_somebody_who_plays_on_holds_the_card() {
    let error = refused_after(west(), |body| body.bellona = None);
    assert_eq!(error.field, "position.bellona");
    let error = refused_after(west(), |body| body.bellona = Some("persians".into()));
    assert_eq!(error.field, "position.bellona");
    let error = refused_after(west().bellona("greeks"), |body| {
        body.nations.get_mut("greeks").expect("it plays").resigned = true;
    });
    assert_eq!(error.field, "position.bellona");
}

#[test]
fn b17_a_free_unit_belongs_to_arming() {
    let error = refused_after(west(), |body| {
        on_field(body, Field::Temple);
        body.turn_state.free_unit = true;
    });
    assert_eq!(error.field, "position.turn_state.free_unit");
    let mut setup = west().setup();
    let body = setup.position.as_mut().expect("a position");
    on_field(body, Field::Arming);
    body.turn_state.free_unit = true;
    Table::start(&setup).play("arm roma L free");
}

#[test]
fn b28_temples_are_destroyed_in_a_maneuver_and_no_more_than_have_fallen() {
    let error = refused_after(west().neutral_temples(&[]), |body| {
        on_field(body, Field::Temple);
        body.turn_state.destroyed = 1;
    });
    assert_eq!(error.field, "position.turn_state");
    // All three neutral temples stand.
    let error = refused_after(west(), |body| {
        on_field(body, Field::Maneuver1);
        body.turn_state.destroyed = 1;
    });
    assert_eq!(error.field, "position.turn_state.destroyed");
}

#[test]
fn b14_a_chip_is_chosen_by_the_mover_on_a_production_field_only() {
    let asks = |nations: &[&str]| nations.iter().map(|name| (*name).to_owned()).collect();
    let position = || west().holds("greeks", "c30");
    let mut setup = position().setup();
    let body = setup.position.as_mut().expect("a position");
    on_field(body, Field::Iron);
    body.turn_state.chip_choices = asks(&["romans"]);
    Table::start(&setup).play("chip iron; end");
    for asked in [&["greeks"] as &[&str], &["romans", "greeks"]] {
        let error = refused_after(position(), |body| {
            on_field(body, Field::Iron);
            body.turn_state.chip_choices = asks(asked);
        });
        assert_eq!(error.field, "position.turn_state.chip_choices", "{asked:?}");
    }
    let error = refused_after(position(), |body| {
        body.turn_state.chip_choices = asks(&["romans"]);
    });
    assert_eq!(error.field, "position.phase");
}
