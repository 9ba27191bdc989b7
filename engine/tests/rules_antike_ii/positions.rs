//! Games that start from a position of Antike II: what cannot be a moment of a game is refused.

use engine::forms::Position as Written;
use engine::words::{Field, Phase};

use super::boards::*;
use crate::rules::table::*;

fn on_field(body: &mut Written, field: Field) {
    body.phase = Phase::Action;
    body.nations.get_mut("romans").expect("it plays").stone = Some(field);
    body.turn_state.field = Some(field);
}

#[test]
fn b01_temples_are_conserved_with_the_neutral_ones() {
    blames("position.bank.temples", west(), |body| {
        body.bank.temples = Some(1)
    });
    blames("position.bank.temples", west(), |body| {
        let massilia = body.regions.get_mut("massilia");
        massilia.expect("a temple").neutral_temple = false;
    });
    Table::start(&west().neutral_temples(&["massilia"]).setup());
}

#[test]
fn b03_a_neutral_temple_stands_where_the_board_has_one_and_no_city() {
    for region in ["roma", "mare_tyrrhenum", "lutetia"] {
        let error = refused(&west().neutral_temples(&[region]).setup());
        assert_eq!(error.field, format!("position.regions.{region}"));
    }
    blames("position.regions.massilia", west(), |body| {
        let city = body.regions["roma"].city.clone();
        body.regions.get_mut("massilia").expect("a temple").city = city;
    });
}

#[test]
fn b17_a_nation_that_has_not_resigned_holds_the_card() {
    blames("position.bellona", west(), |body| body.bellona = None);
    blames("position.bellona", west(), |body| {
        body.bellona = Some("persians".into())
    });
    blames("position.bellona", west().bellona("greeks"), |body| {
        body.nations.get_mut("greeks").expect("it plays").resigned = true;
    });
}

#[test]
fn b17_a_free_unit_belongs_to_arming() {
    blames("position.turn_state.free_unit", west(), |body| {
        on_field(body, Field::Temple);
        body.turn_state.free_unit = true;
    });
    let mut setup = west().setup();
    let body = setup.position.as_mut().expect("a position");
    on_field(body, Field::Arming);
    body.turn_state.free_unit = true;
    Table::start(&setup).play("arm roma L free");
}

#[test]
fn b28_temples_are_destroyed_in_a_maneuver_and_no_more_than_have_fallen() {
    blames("position.turn_state", west().neutral_temples(&[]), |body| {
        on_field(body, Field::Temple);
        body.turn_state.destroyed = 1;
    });
    // All three neutral temples stand.
    blames("position.turn_state.destroyed", west(), |body| {
        on_field(body, Field::Maneuver1);
        body.turn_state.destroyed = 1;
    });
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
    blames("position.phase", position(), |body| {
        body.turn_state.chip_choices = asks(&["romans"]);
    });
}
