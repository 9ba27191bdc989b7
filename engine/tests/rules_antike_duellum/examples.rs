//! The worked examples of the rule book, set on the boards.

use engine::chips::Price;
use engine::play::Reason;
use engine::state::Question;
use engine::words::{Personage, Resource, Unit};

use super::boards::*;
use crate::rules::table::*;

#[test]
fn d10_from_iron_to_temple_gold_or_duellum_for_nothing() {
    let position = || rome().stone("romans", "iron").holds("romans", "m1g1");
    let table = position().table();
    assert_eq!(
        table.listed("stone"),
        [
            "stone temple",
            "stone gold",
            "stone maneuver_1",
            "stone arming m1",
            "stone arming g1",
            "stone marble m1g1",
        ]
    );
}

#[test]
fn d30_with_two_kings_the_tenth_city_regained_brings_none_and_the_fifteenth_the_third() {
    let sites = [
        "ancona",
        "genua",
        "massilia",
        "tolosa",
        "tarraco",
        "aquileia",
        "numantia",
        "baecula",
        "saguntum",
        "croton",
        "epidaurum",
    ];
    // The last of so many cities is founded, after the loss of one or as a new one.
    for (cities, kings) in [(10, 2), (14, 2), (15, 3)] {
        let resources = Resource::ALL.iter().cycle();
        let put = |position: Position, (site, resource): (&&str, &Resource)| {
            position.city("romans", site, *resource)
        };
        let others = sites.iter().take(cities - 4);
        let table = others
            .zip(resources)
            .fold(rome(), put)
            .with("romans have 2 king; romans 1L lugdunum; romans hold m1i1g1c9")
            .play("stone temple; found lugdunum gold; end");
        assert_eq!(table.cities("romans"), cities as u32);
        assert_eq!(table.personages("romans", Personage::King), kings);
    }
}

#[test]
fn d14_ancona_with_temple_and_roma_produce_four_gold_and_a_coin() {
    let position = || {
        rome()
            .gold_cities("romans", &["ancona"])
            .city("romans", "brundisium", Resource::Marble)
            .temples(&["ancona"])
    };
    for (field, holds) in [
        ("gold", (0, 0, 4, 1)),
        ("marble", (2, 0, 0, 1)),
        ("iron", (0, 1, 0, 1)),
    ] {
        let mut table = position().table();
        assert_eq!(table.cities("romans"), 5);
        table.play(&format!("stone {field}"));
        assert_eq!(table.holds("romans"), holds);
    }
}

#[test]
fn d15_neapolis_costs_three_coins_more_for_three_temples_and_two_walls() {
    let position = |chips: &str| {
        rome()
            .city("romans", "ancona", Resource::Gold)
            .city("romans", "croton", Resource::Iron)
            .city("carthaginians", "syracusae", Resource::Marble)
            .with("temples ancona croton syracusae; romans have 1 scholar")
            .holds("romans", chips)
    };
    let mut table = position("m8c3").table();
    assert_eq!(table.walls_left("romans"), 2);
    table.play("stone temple; temple neapolis; wall croton; wall neapolis");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
    assert!(table.has_temple("neapolis"));
    assert!(table.has_wall("croton") && table.has_wall("neapolis"));
    assert_eq!(table.defence("neapolis"), 4);
    let mut table = position("m9c2").table();
    table.play("stone temple");
    let price = Price::from_parts([6, 0, 0], 3);
    table.refuses_because("temple neapolis", "A4", Reason::CannotPay { price });
}

#[test]
fn d16_a_legion_to_carthago_and_a_galley_that_falls_at_caesarea() {
    let position = || {
        rome()
            .turn_of("carthaginians")
            .gold_cities("carthaginians", &["zama"])
            .with("temples caesarea; romans 1G caesarea; carthaginians box 2L1G")
            .with("carthaginians hold i4")
    };
    let mut table = position().table();
    table.play("stone arming");
    let reason = table.refuses("arm zama G", "D16");
    assert_eq!(reason, Reason::NoBorderFor { unit: Unit::Galley });
    table.play("arm carthago L; arm caesarea G");
    assert_eq!(table.holds("carthaginians"), (0, 0, 0, 0));
    assert_eq!(table.units("carthago", "carthaginians"), (1, 0));
    assert_eq!(table.units("caesarea", "carthaginians"), (0, 0));
    assert_eq!(table.units("caesarea", "romans"), (0, 0));
    assert_eq!(table.boxed("carthaginians"), (1, 1));
    assert_eq!(table.boxed("romans"), (1, 2));
    // It could have armed both legions.
    position()
        .table()
        .play("stone arming; arm zama L; arm caesarea L");
    // Carthago takes one unit only, Caesarea up to three.
    let mut table = position().holds("carthaginians", "i9").table();
    table.play("stone arming; arm carthago L");
    table.refuses_because("arm carthago L", "D16", Reason::ArmingLimit { limit: 1 });
    table.play("arm caesarea L; arm caesarea G");
}

#[test]
fn d17_navigatio_and_commercium_for_twelve_gold_and_one_scholar() {
    let mut table = rome()
        .turn_of("carthaginians")
        .with("romans know navigatio; carthaginians hold g17")
        .play("stone know_how; develop navigatio; develop commercium");
    assert_eq!(table.holds("carthaginians"), (0, 0, 5, 0));
    // And three legions and a galley from the supply.
    table.play("recruit 3L; recruit 1G");
    assert_eq!(table.holds("carthaginians"), (0, 0, 0, 0));
    assert_eq!(table.boxed("carthaginians"), (4, 2));
    table.play("end");
    assert_eq!(table.won(), [Personage::Scholar]);
}

#[test]
fn d18_four_gold_and_two_marble_for_four_iron() {
    let mut table = rome()
        .with("romans know commercium; romans hold m2g4")
        .play("stone arming; trade m1g2 i2; trade m1g2 i2");
    assert_eq!(table.holds("romans"), (0, 4, 0, 0));
    table.play("arm roma L; arm neapolis G");
}

#[test]
fn d24_a_legion_and_a_galley_at_roma() {
    let position = || rome().with("romans 1L1G roma; carthaginians 1G corsica");
    let mut table = position().table();
    table.play("stone maneuver_1; march 1G roma corsica");
    // The galleys cancel each other out.
    assert_eq!(table.units("corsica", "romans"), (0, 0));
    assert_eq!(table.units("corsica", "carthaginians"), (0, 0));
    assert_eq!(table.boxed("romans"), (1, 2));
    assert_eq!(table.boxed("carthaginians"), (1, 2));
    let mut table = position().knows("romans", &["strata", "navigatio"]).table();
    table.play("stone maneuver_1; march 1L roma ancona; march 1L ancona cremona");
    table.play("march 1G roma mare_tyrrhenum; march 1G mare_tyrrhenum carales");
}

#[test]
fn d27_tarraco_with_a_galley_falls_to_two_legions() {
    let position = |galleys| {
        rome()
            .turn_of("carthaginians")
            .city("romans", "tarraco", Resource::Iron)
            .units("tarraco", "romans", 0, galleys)
            .units("tarraco", "carthaginians", 2, 0)
    };
    let mut table = position(1).table();
    table.play("stone maneuver_1");
    assert_eq!(table.defence("tarraco"), 2);
    table.play("conquer tarraco 2L");
    assert_eq!(table.owner("tarraco"), Some("carthaginians"));
    assert_eq!(table.boxed("carthaginians"), (3, 1));
    assert_eq!(table.boxed("romans"), (1, 2));
    table.play("end; romans: card rich_harvest");
    assert_eq!(table.hand("romans"), ["rich_harvest"]);
    let mut table = position(2).table();
    table.play("stone maneuver_1");
    assert_eq!(table.defence("tarraco"), 3);
    assert_eq!(table.listed("conquer"), [] as [&str; 0]);
}

/// The Carthaginians before founding: gold at Carthago Nova and Tarraco.
fn iberia() -> Position {
    rome()
        .turn_of("carthaginians")
        .gold_cities("carthaginians", &["carthago_nova"])
        .gold_cities("romans", &["tarraco"])
        .with("carthaginians 1L baecula; carthaginians 1G saguntum; carthaginians hold m2i1g2c2")
}

#[test]
fn d29_baecula_of_gold_and_saguntum_of_iron() {
    let mut table = iberia().table();
    table.play("stone temple");
    table.refuses_because("found numantia gold", "D29", Reason::NoUnitThere);
    table.play("found baecula gold");
    // One gold city is adjacent; at Saguntum there would now be three.
    assert_eq!(table.holds("carthaginians"), (1, 0, 1, 1));
    let price = Price::from_parts([1, 1, 1], 3);
    table.refuses_because("found saguntum gold", "A4", Reason::CannotPay { price });
    table.play("found saguntum iron");
    assert_eq!(table.holds("carthaginians"), (0, 0, 0, 0));
    assert_eq!(table.resource("baecula"), Some(Resource::Gold));
    assert_eq!(table.resource("saguntum"), Some(Resource::Iron));
}

/// The Greeks before their move on Ainos and Abydos.
fn ainos() -> Position {
    greece()
        .with("greeks know navigatio")
        .city("persians", "ainos", Resource::Marble)
        .city("persians", "abydos", Resource::Iron)
        .no_city("sparta")
        .with("temples ainos; walls ainos; greeks 2L abdera; greeks 1G lesbos")
        .with("greeks 2G mare_aegaeum; persians 1G lemnos; greeks 2L pergamon")
}

const ON_AINOS: &str = "stone maneuver_1; march 2L abdera ainos; march 1G lesbos ainos;
    march 2G mare_aegaeum lemnos; march 1G lemnos ainos; march 2L pergamon abydos";

#[test]
fn d27_ainos_falls_with_its_temple_and_wall_and_abydos_with_it() {
    let mut table = ainos().table();
    table.play(ON_AINOS);
    assert_eq!(table.units("lemnos", "greeks"), (0, 0));
    assert_eq!(table.units("lemnos", "persians"), (0, 0));
    assert_eq!(table.units("ainos", "greeks"), (2, 2));
    assert_eq!(table.defence("ainos"), 4);
    assert_eq!(table.defence("abydos"), 1);
    table.play("conquer ainos 2L2G; conquer abydos 1L");
    for city in ["ainos", "abydos"] {
        assert_eq!(table.owner(city), Some("greeks"));
    }
    assert!(!table.has_temple("ainos") && !table.has_wall("ainos"));
    assert_eq!(table.state.bank.temples, 12);
    assert_eq!(table.walls_left("persians"), 1);
    assert_eq!(table.units("ainos", "greeks"), (0, 0));
    assert_eq!(table.units("abydos", "greeks"), (1, 0));
    // One galley fell at Lemnos, five units in the conquests.
    assert_eq!(table.boxed("greeks"), (4, 4));
    table.play("end");
    assert_eq!(table.won(), [Personage::General]);
    assert_eq!(table.points("greeks"), 1);
    // One card for the cities and one for the general.
    let question = table.question();
    assert!(matches!(question, Some(Question::Cards { due: 2, .. })));
    table.play("card settlers");
    assert_eq!(table.open_row().len(), 3);
    table.play("card fair_wind");
    assert_eq!(table.hand("persians"), ["fair_wind", "settlers"]);
    assert_eq!(table.to_move(), "persians");
}

#[test]
fn d27_with_res_publica_ainos_holds() {
    let mut table = ainos().knows("persians", &["res_publica"]).table();
    table.play(ON_AINOS);
    assert_eq!(table.defence("ainos"), 5);
    assert_eq!(table.listed("conquer ainos"), [] as [&str; 0]);
    // Abydos has one more too, and falls to two.
    table.play("conquer abydos 2L");
    assert_eq!(table.owner("abydos"), Some("greeks"));
}

#[test]
fn d33_from_one_to_three_two_walls() {
    let mut table = rome()
        .with("romans have 1 general; romans hold g11")
        .table();
    assert_eq!(table.walls_left("romans"), 2);
    table.play("stone know_how; develop strata; develop navigatio; end");
    assert_eq!(table.points("romans"), 3);
    assert_eq!(table.walls_left("romans"), 4);
    let received = |effect: &&engine::play::Effect| {
        matches!(effect, engine::play::Effect::WallReceived { .. })
    };
    assert_eq!(table.effects.iter().filter(received).count(), 2);
}
