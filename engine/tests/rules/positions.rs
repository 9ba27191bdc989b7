//! Games that start from a position: impossible positions are rejected.

use engine::content::Library;
use engine::forms::{Position as Written, View};
use engine::setup::Setup;
use engine::words::{Personage, Phase};
use serde_json::json;

use crate::rules::table::*;

#[test]
fn pieces_and_coins_are_conserved() {
    for (field, change) in [
        (
            "position.bank.coins",
            (|body| body.bank.coins = Some(1)) as fn(&mut Written),
        ),
        ("position.bank.temples", |body| body.bank.temples = Some(1)),
        ("position.bank.personages", |body| {
            body.bank.personages.insert(Personage::King, 8);
        }),
    ] {
        assert_eq!(refused_after(Position::east("greeks"), change).field, field);
    }
    let error = refused(&Position::east("greeks").with("greeks 18L pella").setup());
    assert_eq!(error.field, "position.regions.pella");
    let error = refused(&Position::east("greeks").cities_up_to("greeks", 26).setup());
    assert_eq!(error.field, "position.nations.greeks");
}

#[test]
fn numbers_that_would_overflow_are_refused() {
    let position = || Position::east("greeks");
    let huge = u32::MAX;
    assert_eq!(
        refused_after(position(), |body| body.round = Some(huge)).field,
        "position.round"
    );
    assert_eq!(
        refused_after(position(), |body| body.turn = Some(huge)).field,
        "position.turn"
    );
    blames("position.nations.greeks.gold", position(), |body| {
        body.nations.get_mut("greeks").expect("it plays").gold = huge;
    });
}

#[test]
fn a43_a_start_city_on_another_nations_site_is_refused() {
    let mut table = Table::start(&with_variants(east(4), &["long_game"]));
    table.play("city tyros");
    let mut body = Written::from(View::with_deck(&table.game, &table.state));
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
    blames(
        "position.nations.greeks.resigned",
        Position::of(east_for_two()),
        |body| {
            body.nations.get_mut("arabs").expect("it plays").resigned = true;
        },
    );
}

#[test]
fn a21_a_personage_is_chosen_only_after_completing_all_know_hows() {
    let choosing = |body: &mut Written| {
        body.phase = Phase::End;
        body.turn_state.field = body.nations["greeks"].stone;
        body.turn_state.personage_choices = vec![Personage::King, Personage::Scholar];
    };
    let position = || Position::east("greeks").stone("greeks", "know_how");
    blames(
        "position.turn_state.personage_choices",
        position(),
        choosing,
    );
    let mut setup = position().knows_all_but("greeks", "").setup();
    choosing(setup.position.as_mut().expect("a position"));
    assert_eq!(
        Table::start(&setup).listed(""),
        ["take king", "take scholar"]
    );
}

#[test]
fn the_turn_state_fits_its_field() {
    let position = || {
        Position::east("greeks")
            .stone("greeks", "gold")
            .knows("greeks", &["wheel"])
    };
    let at_gold = |body: &mut Written| {
        body.phase = Phase::Action;
        body.turn_state.field = body.nations["greeks"].stone;
    };
    blames("position.turn_state.armed", position(), |body| {
        at_gold(body);
        body.turn_state.armed.insert("pella".into(), 1);
    });
    blames("position.turn_state.developed", position(), |body| {
        at_gold(body);
        body.turn_state.developed.push("wheel".into());
    });
    blames("position.turn_state", position(), |body| {
        at_gold(body);
        body.turn_state.conquered.push("pella".into());
    });
}

/// A position written by hand, without the values that follow from others.
fn by_hand() -> Setup {
    let city =
        |nation: &str, resource: &str| json!({"city": {"nation": nation, "resource": resource}});
    let position = json!({
        "round": 4,
        "to_move": "persians",
        "nations": {
            "arabs": {"coins": 2},
            "persians": {"iron": 3, "stone": "iron", "know_how": ["wheel"],
                "personages": {"scholar": 1}},
            "greeks": {},
        },
        "regions": {
            "saba": city("arabs", "marble"),
            "ninive": city("persians", "iron"),
            "sparta": {"city": {"nation": "greeks", "resource": "marble", "temple": true},
                "units": {"greeks": {"legions": 2}}},
        },
    });
    let mut setup = setup("antike-east", &[&["arabs"], &["persians"], &["greeks"]]);
    setup.first = Some("arabs".into());
    setup.position = Some(serde_json::from_value(position).expect("a position"));
    setup
}

#[test]
fn derived_values_can_be_omitted() {
    let table = Table::start(&by_hand());
    let view = View::from_state(&table.game, &table.state);
    // Three nations in three rounds, and the persians after the arabs.
    assert_eq!((view.turn, view.phase), (11, Phase::Stone));
    assert_eq!((view.bank.coins, view.bank.temples), (28, 19));
    assert_eq!(view.bank.personages[&Personage::Scholar], 7);
    assert_eq!(view.know_how["wheel"], ["persians"]);
    let supply = view.nations["greeks"].supply.expect("a view has it");
    assert_eq!((supply.legions, supply.galleys), (15, 17));
    assert_eq!(table.listed("stone gold"), ["stone gold"]);
    // And the view is the same position.
    let mut again = by_hand();
    again.position = Some(Box::new(view.into()));
    assert_eq!(Table::start(&again).state, table.state);
}

#[test]
fn all_faults_of_a_position_are_reported_together() {
    let faults = |change: fn(&mut Written)| -> Vec<String> {
        let mut setup = by_hand();
        change(setup.position.as_mut().expect("a position"));
        let error = setup.start(Library::embedded()).map(|_| ());
        let error = error.expect_err("it has faults");
        let more = error.faults().count() - 1;
        assert!(more == 1 || error.to_string().contains(&format!("{more} other faults")));
        error.faults().map(|fault| fault.field.clone()).collect()
    };
    // Unknown names. Faults that follow from them are not reported.
    let names = faults(|body| {
        body.to_move = "romans".into();
        body.nations.remove("greeks");
        let known = &mut body.nations.get_mut("arabs").expect("the arabs").know_how;
        known.extend(["road".into(), "gunpowder".into()]);
        let saba = body.regions.remove("saba").expect("saba");
        body.regions.insert("atlantis".into(), saba);
    });
    let fields = [
        "to_move",
        "nations.arabs.know_how",
        "nations",
        "regions.atlantis",
    ];
    assert_eq!(names, fields.map(|field| format!("position.{field}")));
    // Numbers that do not go together.
    let numbers = faults(|body| {
        body.bank.coins = Some(30);
        body.bank.temples = Some(20);
        body.bank.personages.insert(Personage::King, 1);
        body.regions.remove("ninive");
        body.turn_state.destroyed = 3;
        body.turn_state.safe.push("atlantis".into());
    });
    let fields = [
        "bank.coins",
        "bank.temples",
        "bank.personages",
        "nations.persians",
        "turn_state.destroyed",
        "turn_state.safe",
        "turn_state",
    ];
    let mut expected: Vec<String> = fields.map(|field| format!("position.{field}")).into();
    expected.sort_unstable();
    let mut numbers = numbers;
    numbers.sort_unstable();
    assert_eq!(numbers, expected);
}
