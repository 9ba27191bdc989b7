//! Games that start from a position: what cannot be a moment of a game is refused.

use engine::forms::{SetupError, StateBody};
use engine::words::{Personage, Phase};

use crate::table::*;

/// Why a changed position of the greeks' turn is refused.
fn refused_after(position: Position, change: impl FnOnce(&mut StateBody)) -> SetupError {
    let mut setup = position.setup();
    change(setup.position.as_mut().expect("a position"));
    refused(&setup)
}

#[test]
fn pieces_and_coins_are_conserved() {
    for (field, change) in [
        (
            "position.bank.coins",
            (|body| body.bank.coins -= 1) as fn(&mut StateBody),
        ),
        ("position.bank.temples", |body| body.bank.temples += 1),
        ("position.bank.personages", |body| {
            body.bank.personages.insert(Personage::King, 8);
        }),
    ] {
        assert_eq!(refused_after(Position::east("greeks"), change).field, field);
    }
    let error = refused(
        &Position::east("greeks")
            .units("pella", "greeks", 18, 0)
            .setup(),
    );
    assert_eq!(error.field, "position.regions.pella");
    let error = refused(&Position::east("greeks").cities_up_to("greeks", 26).setup());
    assert_eq!(error.field, "position.nations.greeks");
}

#[test]
fn numbers_that_would_overflow_are_refused() {
    let position = || Position::east("greeks");
    let huge = u32::MAX;
    assert_eq!(
        refused_after(position(), |body| body.round = huge).field,
        "position.round"
    );
    assert_eq!(
        refused_after(position(), |body| body.turn = huge).field,
        "position.turn"
    );
    let error = refused_after(position(), |body| {
        body.nations.get_mut("greeks").expect("it plays").gold = huge;
    });
    assert_eq!(error.field, "position.nations.greeks.gold");
}

#[test]
fn a43_a_start_city_on_another_nations_site_is_refused() {
    let mut table = Table::start(&with_variants(east(4), &["long_game"]));
    table.play("city tyros");
    let mut body = StateBody::with_deck(&table.game, &table.state);
    let city = body.regions["tyros"].city.clone();
    body.regions.entry("susa".into()).or_default().city = city.map(|mut city| {
        city.resource = engine::words::Resource::Gold;
        city
    });
    body.nations
        .values_mut()
        .for_each(|nation| nation.supply = None);
    let mut setup = table.setup;
    setup.position = Some(Box::new(body));
    assert_eq!(refused(&setup).field, "position.phase");
}

#[test]
fn a34_a_player_has_left_with_all_nations_or_with_none() {
    let error = refused_after(Position::of(east_for_two()), |body| {
        body.nations.get_mut("arabs").expect("it plays").resigned = true;
    });
    assert_eq!(error.field, "position.nations.greeks.resigned");
}

#[test]
fn a21_a_personage_is_chosen_only_by_who_has_just_completed_all_know_hows() {
    let choosing = |body: &mut StateBody| {
        body.phase = Phase::End;
        body.turn_state.field = body.nations["greeks"].stone;
        body.turn_state.personage_choices = vec![Personage::King, Personage::Scholar];
    };
    let position = || Position::east("greeks").stone("greeks", "know_how");
    let error = refused_after(position(), choosing);
    assert_eq!(error.field, "position.turn_state.personage_choices");
    let mut setup = position().knows_all_but("greeks", "").setup();
    choosing(setup.position.as_mut().expect("a position"));
    assert_eq!(
        Table::start(&setup).listed(""),
        ["take king", "take scholar"]
    );
}

#[test]
fn what_belongs_to_a_turn_fits_its_field() {
    let position = || {
        Position::east("greeks")
            .stone("greeks", "gold")
            .knows("greeks", &["wheel"])
    };
    let at_gold = |body: &mut StateBody| {
        body.phase = Phase::Action;
        body.turn_state.field = body.nations["greeks"].stone;
    };
    let error = refused_after(position(), |body| {
        at_gold(body);
        body.turn_state.armed.insert("pella".into(), 1);
    });
    assert_eq!(error.field, "position.turn_state.armed");
    let error = refused_after(position(), |body| {
        at_gold(body);
        body.turn_state.developed.push("wheel".into());
    });
    assert_eq!(error.field, "position.turn_state.developed");
    let error = refused_after(position(), |body| {
        at_gold(body);
        body.turn_state.conquered.push("pella".into());
    });
    assert_eq!(error.field, "position.turn_state");
}
