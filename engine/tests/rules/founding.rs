//! Founding cities [A29].

use engine::play::Reason;

use crate::rules::table::*;

#[test]
fn a29_a_city_costs_marble_iron_and_gold_and_produces_the_resource_of_the_site() {
    let table = Position::east("greeks")
        .with("greeks hold m2i2g2; greeks 1L sparta; greeks 1G knossos")
        .play("stone temple; found sparta; found knossos");
    assert_eq!(table.holds("greeks"), (0, 0, 0, 0));
    assert_eq!(
        table.resource("sparta"),
        Some(engine::words::Resource::Marble)
    );
    assert_eq!(
        table.resource("knossos"),
        Some(engine::words::Resource::Iron)
    );
    assert_eq!(table.tokens("greeks"), 25 - 5);
    assert_eq!(table.units("sparta", "greeks"), (1, 0));
}

#[test]
fn a29_coins_replace_missing_chips() {
    let position = || Position::east("greeks").units("sparta", "greeks", 1, 0);
    let mut table = position().holds("greeks", "m1c2").table();
    table.play("stone temple; found sparta");
    assert_eq!(table.holds("greeks"), (0, 0, 0, 0));
    let mut table = position().holds("greeks", "m9i1").table();
    table.play("stone temple");
    table.refuses("found sparta", "A4");
    table.refuses("found sparta m2i1", "A29");
}

#[test]
fn a29_a_legion_or_galley_must_stand_there() {
    let table = Position::east("greeks")
        .with("greeks hold m9i9g9; persians 1L sparta")
        .play("stone temple");
    assert_eq!(table.refuses("found sparta", "A29"), Reason::NoUnitThere);
}

#[test]
fn a29_foreign_units_do_not_matter() {
    let table = Position::east("greeks")
        .with("greeks hold m1i1g1; greeks 1L sparta; persians 9L9G sparta")
        .play("stone temple; found sparta");
    assert_eq!(table.owner("sparta"), Some("greeks"));
    assert_eq!(table.units("sparta", "persians"), (9, 9));
}

#[test]
fn a29_one_city_on_each_site() {
    let table = Position::east("greeks")
        .with("greeks hold m9i9g9; greeks 1L pella; greeks 1L tyros")
        .play("stone temple");
    assert_eq!(table.refuses("found pella", "A29"), Reason::SiteTaken);
    assert_eq!(table.refuses("found tyros", "A29"), Reason::SiteTaken);
    assert_eq!(table.listed("found"), [] as [&str; 0]);
}

#[test]
fn a29_the_site_decides_the_resource() {
    let mut table = Position::east("greeks")
        .with("greeks hold m9i9g9; greeks 1L sparta")
        .play("stone temple");
    let reason = table.refuses("found sparta gold", "A29");
    assert!(matches!(reason, Reason::WrongResource { .. }));
    table.play("found sparta marble");
}

#[test]
fn a29_a_token_is_needed() {
    let table = Position::east("greeks")
        .cities_up_to("greeks", 25)
        .with("greeks hold m9i9g9; greeks 1L zadrakarta")
        .no_city("zadrakarta")
        .play("stone temple");
    assert_eq!(table.refuses("found zadrakarta", "A29"), Reason::NoToken);
    assert_eq!(table.listed("found"), [] as [&str; 0]);
}

#[test]
fn a29_cities_are_founded_after_every_field() {
    for field in engine::words::Field::ALL {
        let table = Position::east("greeks")
            .with("greeks hold m1i1g1; greeks 1L sparta")
            .play(&format!("stone {field}; found sparta; end"));
        assert_eq!(table.owner("sparta"), Some("greeks"));
    }
}
