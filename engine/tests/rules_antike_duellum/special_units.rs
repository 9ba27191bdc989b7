//! The variant with the Commander and the Admiral [D50].

use engine::chips::Price;
use engine::play::{Effect, Reason};
use engine::words::{Personage, Resource, SpecialUnit, Unit};

use super::boards::*;
use crate::rules::table::*;

fn commander() -> Position {
    rome_with_special_units().turn_of("carthaginians")
}

fn admiral() -> Position {
    rome_with_special_units()
}

#[test]
fn d50_brown_has_the_commander_and_beige_the_admiral_in_the_box_from_the_start() {
    for (setup, brown, beige) in [
        (rome_carthage(), "carthaginians", "romans"),
        (greece_persia(), "greeks", "persians"),
    ] {
        let plain = Table::start(&setup);
        assert_eq!(plain.body().nations[brown].special_unit, None);
        let table = Table::start(&with_variants(setup, &["special_units"]));
        for (nation, unit) in [
            (brown, SpecialUnit::Commander),
            (beige, SpecialUnit::Admiral),
        ] {
            let special = table.body().nations[nation].special_unit.clone();
            let special = special.expect("it has one");
            assert_eq!((special.unit, special.region), (Some(unit), None));
            // Beside the legion and the galley.
            assert_eq!(table.boxed(nation), (1, 1));
        }
    }
}

#[test]
fn d50_without_the_variant_there_is_none() {
    let mut table = rome().temples(&["roma"]).holds("romans", "i9").table();
    table.play("stone arming");
    let unit = SpecialUnit::Admiral;
    let reason = table.refuses("arm roma A", "D50");
    assert_eq!(reason, Reason::SpecialUnitNotInBox { unit });
    assert_eq!(table.listed("arm roma"), ["arm roma L", "arm roma G"]);
}

#[test]
fn d50_it_is_armed_for_three_iron_in_a_city_with_temple() {
    let mut table = admiral().temples(&["roma"]).holds("romans", "i5").table();
    table.play("stone arming");
    let unit = SpecialUnit::Admiral;
    let reason = table.refuses("arm neapolis A", "D50");
    assert_eq!(reason, Reason::NeedsTemple { unit });
    assert_eq!(table.refuses("arm carthago A", "D16"), Reason::NoOwnCity);
    let reason = table.refuses("arm roma C", "D50");
    let unit = SpecialUnit::Commander;
    assert_eq!(reason, Reason::SpecialUnitNotInBox { unit });
    assert_eq!(
        table.listed("arm"),
        [
            "arm cremona L",
            "arm neapolis L",
            "arm neapolis G",
            "arm roma L",
            "arm roma G",
            "arm roma A"
        ]
    );
    table.play("arm roma A");
    assert_eq!(table.special_at("romans").as_deref(), Some("roma"));
    assert_eq!(table.holds("romans"), (0, 2, 0, 0));
    assert_eq!(table.boxed("romans"), (1, 1));
    // There is one of it.
    let unit = SpecialUnit::Admiral;
    let reason = table.refuses("arm roma A", "D50");
    assert_eq!(reason, Reason::SpecialUnitNotInBox { unit });
    let mut table = admiral().temples(&["roma"]).holds("romans", "i2").table();
    table.play("stone arming");
    let price = Price::of(Resource::Iron, 3);
    let reason = table.refuses("arm roma A", "A4");
    assert_eq!(reason, Reason::CannotPay { price });
}

#[test]
fn d50_it_counts_against_the_arming_limit() {
    let position = || {
        admiral()
            .boxed("romans", 3, 0)
            .temples(&["roma"])
            .holds("romans", "i9")
    };
    let mut table = position().table();
    table.play("stone arming; arm roma A; arm roma L; arm roma L");
    let reason = table.refuses("arm roma L", "D16");
    assert_eq!(reason, Reason::ArmingLimit { limit: 3 });
    let mut table = position().table();
    table.play("stone arming; arm roma L; arm roma L; arm roma L");
    table.refuses("arm roma A", "D16");
}

#[test]
fn d50_a_city_must_have_a_border_that_it_can_cross() {
    let mut table = admiral()
        .temples(&["cremona"])
        .holds("romans", "i9")
        .table();
    table.play("stone arming");
    let reason = table.refuses("arm cremona A", "D16");
    assert_eq!(reason, Reason::NoBorderFor { unit: Unit::Galley });
    let mut table = commander()
        .temples(&["carales"])
        .holds("carthaginians", "i9")
        .table();
    table.play("stone arming");
    let reason = table.refuses("arm carales C", "D16");
    assert_eq!(reason, Reason::NoBorderFor { unit: Unit::Legion });
}

#[test]
fn d50_it_moves_like_a_unit_of_its_kind() {
    let mut table = admiral().special("romans", "roma").table();
    table.play("stone maneuver_1");
    assert_eq!(
        table.listed("march"),
        [
            "march 1A roma corsica",
            "march 1A roma mare_tyrrhenum",
            "march 1A roma neapolis"
        ]
    );
    let reason = table.refuses("march 1A roma ancona", "D24");
    assert_eq!(reason, Reason::NoBorder { unit: Unit::Galley });
    table.play("march 1A roma corsica");
    let reason = table.refuses("march 1A corsica massilia", "D24");
    assert_eq!(reason, Reason::TooFewUnits { available: 0 });
    // Navigation and FAIR WIND carry it further.
    let mut table = admiral()
        .open(&["academy", "burglary", "tribute"])
        .knows("romans", &["navigatio"])
        .hand("romans", &["fair_wind", "forced_march"])
        .special("romans", "roma")
        .table();
    table.play("stone maneuver_1; march 1A roma corsica; march 1A corsica massilia");
    table
        .play("play forced_march")
        .refuses("march 1A massilia tolosa", "D24");
    table.play("play fair_wind; march 1A massilia tolosa");
    table.refuses("march 1A tolosa numantia", "D24");
    // STRATA and FORCED MARCH carry the Commander.
    let mut table = commander()
        .knows("carthaginians", &["strata"])
        .hand("carthaginians", &["forced_march"])
        .special("carthaginians", "carthago")
        .table();
    table.play("stone maneuver_1; play forced_march; march 1C carthago zama");
    table.play("march 1C zama caesarea; march 1C caesarea siga");
    table.refuses("march 1C siga tingis", "D24");
    table.refuses("march 1A siga tingis", "D24");
    table.refuses("march 2C siga tingis", "D24");
}

#[test]
fn d50_the_attackers_lowers_the_defence_the_defenders_raises_it() {
    let mut table = admiral()
        .special("romans", "carthago")
        .units("carthago", "romans", 2, 0)
        .temples(&["carthago"])
        .table();
    table.play("stone maneuver_1");
    assert_eq!(table.defence("carthago"), 2);
    let reason = table.refuses("conquer carthago 1L", "D27");
    assert_eq!(reason, Reason::WrongLosses { defence: 2 });
    table.play("conquer carthago 2L");
    // It survives and stays.
    assert_eq!(table.special_at("romans").as_deref(), Some("carthago"));
    assert_eq!(table.units("carthago", "romans"), (0, 0));
    let mut table = admiral()
        .special("carthaginians", "carthago")
        .units("carthago", "romans", 0, 3)
        .table();
    table.play("stone maneuver_1");
    assert_eq!(table.defence("carthago"), 2);
    table.play("conquer carthago 2G");
    // So does that of the defender.
    assert_eq!(table.owner("carthago"), Some("romans"));
    assert_eq!(
        table.special_at("carthaginians").as_deref(),
        Some("carthago")
    );
    // Both at once.
    let table = admiral()
        .special("carthaginians", "carthago")
        .special("romans", "carthago")
        .table();
    assert_eq!(table.defence("carthago"), 1);
}

#[test]
fn d50_it_is_no_unit_to_be_spent() {
    let mut table = admiral()
        .special("romans", "carthago")
        .units("carthago", "romans", 0, 1)
        .walls(&["carthago"])
        .units("carthago", "carthaginians", 1, 0)
        .table();
    table.play("stone maneuver_1");
    // Three less one, and one galley.
    assert_eq!(table.defence("carthago"), 2);
    assert_eq!(table.listed("conquer"), [] as [&str; 0]);
    table.refuses("conquer carthago 2G", "D27");
}

#[test]
fn d50_alone_it_conquers_a_plain_undefended_city_without_loss() {
    let mut table = admiral().special("romans", "mare_tyrrhenum").table();
    table.play("stone maneuver_1; march 1A mare_tyrrhenum carthago");
    assert_eq!(table.listed("conquer"), ["conquer carthago 0"]);
    table.play("conquer carthago 0");
    assert_eq!(table.owner("carthago"), Some("romans"));
    assert_eq!(table.special_at("romans").as_deref(), Some("carthago"));
    assert_eq!(table.boxed("romans"), (1, 1));
    // Not one with a wall.
    let mut table = admiral()
        .special("romans", "carthago")
        .walls(&["carthago"])
        .table();
    table.play("stone maneuver_1");
    let reason = table.refuses("conquer carthago 0", "D27");
    assert_eq!(reason, Reason::WrongLosses { defence: 1 });
    // And without it nobody does.
    let mut table = admiral().units("carthago", "romans", 1, 0).table();
    table
        .play("stone maneuver_1")
        .refuses("conquer carthago 0", "D27");
}

#[test]
fn d50_a_fortress_saves_the_city_from_it_alone() {
    let position = || {
        admiral()
            .special("romans", "carthago")
            .hand("carthaginians", &["fortress"])
    };
    let mut table = position().table();
    table.play("stone maneuver_1; conquer carthago 0; play fortress");
    assert_eq!(table.owner("carthago"), Some("carthaginians"));
    // With a legion beside it the legion is lost.
    let mut table = position().units("carthago", "romans", 1, 0).table();
    table.play("stone maneuver_1; conquer carthago 0; play fortress");
    assert_eq!(table.owner("carthago"), Some("romans"));
    assert_eq!(table.units("carthago", "romans"), (0, 0));
    assert_eq!(table.special_at("romans").as_deref(), Some("carthago"));
}

#[test]
fn d50_in_battle_it_falls_last_of_its_kind_into_its_box() {
    // The defender's Admiral has a galley with it.
    let position = |galleys| {
        commander()
            .special("romans", "corsica")
            .units("corsica", "romans", 0, 1)
            .units("carales", "carthaginians", 0, galleys)
    };
    let mut table = position(1).table();
    table.play("stone maneuver_1; march 1G carales corsica");
    assert_eq!(table.special_at("romans").as_deref(), Some("corsica"));
    assert_eq!(table.units("corsica", "romans"), (0, 0));
    assert_eq!(table.units("corsica", "carthaginians"), (0, 0));
    let mut table = position(3).table();
    table.play("stone maneuver_1; march 3G carales corsica");
    assert_eq!(table.special_at("romans"), None);
    let fell = |effect: &Effect| {
        matches!(
            effect,
            Effect::SpecialUnitFell {
                unit: SpecialUnit::Admiral,
                ..
            }
        )
    };
    assert!(table.effects.iter().any(fell));
    assert_eq!(table.units("corsica", "carthaginians"), (0, 1));
    assert_eq!(table.boxed("carthaginians"), (1, 3));
    assert_eq!(table.boxed("romans"), (1, 2));
}

#[test]
fn d50_the_movers_special_unit_fights_one_for_one_where_it_enters() {
    let mut table = admiral()
        .special("romans", "roma")
        .units("corsica", "carthaginians", 0, 2)
        .holds("romans", "i3")
        .table();
    table.play("stone maneuver_1; march 1A roma corsica");
    assert_eq!(table.special_at("romans"), None);
    assert_eq!(table.units("corsica", "carthaginians"), (0, 1));
    // The galleys that go first clear the way.
    let mut table = admiral()
        .special("romans", "roma")
        .units("roma", "romans", 0, 2)
        .units("corsica", "carthaginians", 0, 2)
        .table();
    table.play("stone maneuver_1; march 2G roma corsica; march 1A roma corsica");
    assert_eq!(table.special_at("romans").as_deref(), Some("corsica"));
    // It has no quarrel with units of the other kind or the Commander.
    let mut table = admiral()
        .special("romans", "roma")
        .special("carthaginians", "neapolis")
        .units("neapolis", "carthaginians", 3, 0)
        .table();
    table.play("stone maneuver_1; march 1A roma neapolis");
    assert_eq!(table.special_at("romans").as_deref(), Some("neapolis"));
    assert_eq!(
        table.special_at("carthaginians").as_deref(),
        Some("neapolis")
    );
}

#[test]
fn d50_in_version_1_it_fights_when_it_is_armed_and_cannot_be_armed_again_this_turn() {
    let mut table = admiral()
        .by_version(1)
        .units("roma", "carthaginians", 0, 1)
        .temples(&["roma"])
        .holds("romans", "i9c5")
        .table();
    table.play("stone arming; arm roma A");
    assert_eq!(table.special_at("romans"), None);
    assert_eq!(table.units("roma", "carthaginians"), (0, 0));
    let unit = SpecialUnit::Admiral;
    let reason = table.refuses("arm roma A", "D50");
    assert_eq!(reason, Reason::SpecialUnitNotInBox { unit });
    assert_eq!(table.listed("arm roma"), ["arm roma L", "arm roma G"]);
    table.play("end; stone iron; end; stone arming c5; arm roma A");
    assert_eq!(table.special_at("romans").as_deref(), Some("roma"));
}

#[test]
fn d50_armed_itself_it_fights_nobody() {
    let mut table = admiral()
        .units("roma", "carthaginians", 0, 1)
        .temples(&["roma"])
        .holds("romans", "i5")
        .table();
    table.play("stone arming; arm roma A");
    assert_eq!(table.special_at("romans").as_deref(), Some("roma"));
    assert_eq!(table.units("roma", "carthaginians"), (0, 1));
    // Units of the same kind fight as ever.
    table.play("arm roma G");
    assert_eq!(table.special_at("romans").as_deref(), Some("roma"));
    assert_eq!(table.units("roma", "carthaginians"), (0, 0));
    assert_eq!(table.units("roma", "romans"), (0, 0));
}

#[test]
fn d50_an_armed_unit_does_not_fight_it() {
    let mut table = commander()
        .special("romans", "carthago")
        .holds("carthaginians", "i2")
        .table();
    table.play("stone arming; arm carthago G");
    assert_eq!(table.special_at("romans").as_deref(), Some("carthago"));
    assert_eq!(table.units("carthago", "carthaginians"), (0, 1));
    // A galley that stands with it falls, and it stays.
    let mut table = commander()
        .special("romans", "carthago")
        .units("carthago", "romans", 0, 1)
        .holds("carthaginians", "i2")
        .table();
    table.play("stone arming; arm carthago G");
    assert_eq!(table.special_at("romans").as_deref(), Some("carthago"));
    assert_eq!(table.units("carthago", "romans"), (0, 0));
    assert_eq!(table.units("carthago", "carthaginians"), (0, 0));
}

#[test]
fn d50_a_unit_placed_by_mercenaries_does_not_fight_it_also_while_moving() {
    for (version, left) in [(1, None), (2, Some("carthago"))] {
        let mut table = commander()
            .by_version(version)
            .special("romans", "carthago")
            .hand("carthaginians", &["mercenaries"])
            .table();
        table.play("stone maneuver_1; play mercenaries carthago G");
        assert_eq!(table.special_at("romans").as_deref(), left, "{version}");
        let galleys = u8::from(left.is_some());
        assert_eq!(table.units("carthago", "carthaginians"), (0, galleys));
    }
}

#[test]
fn d50_in_version_1_an_armed_unit_fights_it() {
    let mut table = commander()
        .by_version(1)
        .special("romans", "carthago")
        .holds("carthaginians", "i2")
        .table();
    table.play("stone arming; arm carthago G");
    assert_eq!(table.special_at("romans"), None);
    assert_eq!(table.units("carthago", "carthaginians"), (0, 0));
    assert_eq!(table.boxed("carthaginians"), (1, 1));
}

#[test]
fn d50_it_founds_no_city_and_wins_no_navigator() {
    let mut table = admiral()
        .special("romans", "genua")
        .holds("romans", "m3i3g3")
        .table();
    table.play("stone temple");
    let reason = table.refuses("found genua gold", "D29");
    assert_eq!(reason, Reason::NoUnitThere);
    assert_eq!(table.listed("found"), [] as [&str; 0]);
    let mut table = admiral()
        .special("romans", "corsica")
        .units("mare_tyrrhenum", "romans", 0, 1)
        .units("mare_balearicum", "romans", 0, 1)
        .units("mare_ibericum", "romans", 0, 1)
        .table();
    table.play("stone temple; end");
    assert_eq!(table.won(), []);
    let region = table.region("corsica");
    let nation = table.id("romans");
    assert_eq!(
        table
            .game
            .achievements(&table.state, nation, Personage::Navigator),
        6
    );
    assert_eq!(table.state.units(region, nation, Unit::Galley), 0);
}
