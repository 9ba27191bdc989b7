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
    table.refuses_because("arm roma A", "D50", Reason::SpecialUnitNotInBox { unit });
    assert_eq!(table.listed("arm roma"), ["arm roma L", "arm roma G"]);
}

#[test]
fn d50_it_is_armed_for_three_iron_in_a_city_with_temple() {
    let mut table = admiral().temples(&["roma"]).holds("romans", "i5").table();
    table.play("stone arming");
    let unit = SpecialUnit::Admiral;
    table.refuses_because("arm neapolis A", "D50", Reason::NeedsTemple { unit });
    assert_eq!(table.refuses("arm carthago A", "D16"), Reason::NoOwnCity);
    let reason = table.refuses("arm roma C", "D50");
    let unit = SpecialUnit::Commander;
    assert_eq!(reason, Reason::SpecialUnitNotInBox { unit });
    table.lists(
        "arm",
        "arm cremona L; arm neapolis L; arm neapolis G; arm roma L; arm roma G; arm roma A",
    );
    table.play("arm roma A");
    assert_eq!(table.special_at("romans").as_deref(), Some("roma"));
    assert_eq!(table.holds("romans"), (0, 2, 0, 0));
    assert_eq!(table.boxed("romans"), (1, 1));
    // There is one of it.
    let unit = SpecialUnit::Admiral;
    table.refuses_because("arm roma A", "D50", Reason::SpecialUnitNotInBox { unit });
    let mut table = admiral().temples(&["roma"]).holds("romans", "i2").table();
    table.play("stone arming");
    let price = Price::only(Resource::Iron, 3);
    table.refuses_because("arm roma A", "A4", Reason::CannotPay { price });
}

#[test]
fn d50_it_counts_against_the_arming_limit() {
    let position = || admiral().with("romans box 3L; temples roma; romans hold i9");
    let mut table = position().table();
    table.play("stone arming; arm roma A; arm roma L; arm roma L");
    table.refuses_because("arm roma L", "D16", Reason::ArmingLimit { limit: 3 });
    let mut table = position().table();
    table.play("stone arming; arm roma L; arm roma L; arm roma L");
    table.refuses("arm roma A", "D16");
}

#[test]
fn d50_a_city_must_have_a_border_that_it_can_cross() {
    let mut table = admiral().with("temples cremona; romans hold i9").table();
    table.play("stone arming");
    let reason = table.refuses("arm cremona A", "D16");
    assert_eq!(reason, Reason::NoBorderFor { unit: Unit::Galley });
    let table = commander()
        .with("temples carales; carthaginians hold i9")
        .play("stone arming");
    let reason = table.refuses("arm carales C", "D16");
    assert_eq!(reason, Reason::NoBorderFor { unit: Unit::Legion });
}

#[test]
fn d50_it_moves_like_a_unit_of_its_kind() {
    let mut table = admiral().special("romans", "roma").table();
    table.play("stone maneuver_1");
    table.lists(
        "march",
        "march 1A roma corsica; march 1A roma mare_tyrrhenum; march 1A roma neapolis",
    );
    let reason = table.refuses("march 1A roma ancona", "D24");
    assert_eq!(reason, Reason::NoBorder { unit: Unit::Galley });
    table.play("march 1A roma corsica");
    let reason = table.refuses("march 1A corsica massilia", "D24");
    assert_eq!(reason, Reason::TooFewUnits { available: 0 });
    // Navigation and FAIR WIND carry it further.
    let mut table = admiral()
        .with("open academy burglary tribute; romans know navigatio")
        .with("romans hand fair_wind forced_march; romans special roma")
        .play("stone maneuver_1; march 1A roma corsica; march 1A corsica massilia");
    table
        .play("play forced_march")
        .refuses("march 1A massilia tolosa", "D24");
    table.play("play fair_wind; march 1A massilia tolosa");
    table.refuses("march 1A tolosa numantia", "D24");
    // STRATA and FORCED MARCH carry the Commander.
    let mut table = commander()
        .with("carthaginians know strata; carthaginians hand forced_march")
        .with("carthaginians special carthago")
        .play("stone maneuver_1; play forced_march; march 1C carthago zama");
    table.play("march 1C zama caesarea; march 1C caesarea siga");
    table.refuses("march 1C siga tingis", "D24");
    table.refuses("march 1A siga tingis", "D24");
    table.refuses("march 2C siga tingis", "D24");
}

#[test]
fn d50_the_attackers_lowers_the_defence_the_defenders_raises_it() {
    let mut table = admiral()
        .with("romans special carthago; romans 2L carthago; temples carthago")
        .play("stone maneuver_1");
    assert_eq!(table.defence("carthago"), 2);
    let reason = table.refuses("conquer carthago 1L", "D27");
    assert_eq!(reason, Reason::WrongLosses { defence: 2 });
    table.play("conquer carthago 2L");
    // It survives and stays.
    assert_eq!(table.special_at("romans").as_deref(), Some("carthago"));
    assert_eq!(table.units("carthago", "romans"), (0, 0));
    let mut table = admiral()
        .with("carthaginians special carthago; romans 3G carthago")
        .play("stone maneuver_1");
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
        .with("carthaginians special carthago; romans special carthago")
        .table();
    assert_eq!(table.defence("carthago"), 1);
}

#[test]
fn d50_it_is_no_unit_to_be_spent() {
    let table = admiral()
        .with("romans special carthago; romans 1G carthago; walls carthago")
        .with("carthaginians 1L carthago")
        .play("stone maneuver_1");
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
    let table = admiral()
        .with("romans special carthago; walls carthago")
        .play("stone maneuver_1");
    let reason = table.refuses("conquer carthago 0", "D27");
    assert_eq!(reason, Reason::WrongLosses { defence: 1 });
    // Without it no nation does.
    let mut table = admiral().units("carthago", "romans", 1, 0).table();
    table
        .play("stone maneuver_1")
        .refuses("conquer carthago 0", "D27");
}

#[test]
fn d50_a_fortress_saves_the_city_from_it_alone() {
    let position = || admiral().with("romans special carthago; carthaginians hand fortress");
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
            .with("romans special corsica; romans 1G corsica")
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
    let table = admiral()
        .with("romans special roma; carthaginians 2G corsica; romans hold i3")
        .play("stone maneuver_1; march 1A roma corsica");
    assert_eq!(table.special_at("romans"), None);
    assert_eq!(table.units("corsica", "carthaginians"), (0, 1));
    // The galleys that go first clear the way.
    let table = admiral()
        .with("romans special roma; romans 2G roma; carthaginians 2G corsica")
        .play("stone maneuver_1; march 2G roma corsica; march 1A roma corsica");
    assert_eq!(table.special_at("romans").as_deref(), Some("corsica"));
    // It has no quarrel with units of the other kind or the Commander.
    let table = admiral()
        .with("romans special roma; carthaginians special neapolis; carthaginians 3L neapolis")
        .play("stone maneuver_1; march 1A roma neapolis");
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
        .with("carthaginians 1G roma; temples roma; romans hold i9c5")
        .play("stone arming; arm roma A");
    assert_eq!(table.special_at("romans"), None);
    assert_eq!(table.units("roma", "carthaginians"), (0, 0));
    let unit = SpecialUnit::Admiral;
    table.refuses_because("arm roma A", "D50", Reason::SpecialUnitNotInBox { unit });
    assert_eq!(table.listed("arm roma"), ["arm roma L", "arm roma G"]);
    table.play("end; stone iron; end; stone arming c5; arm roma A");
    assert_eq!(table.special_at("romans").as_deref(), Some("roma"));
}

#[test]
fn d50_armed_itself_it_fights_nobody() {
    let mut table = admiral()
        .with("carthaginians 1G roma; temples roma; romans hold i5")
        .play("stone arming; arm roma A");
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
    let table = commander()
        .with("romans special carthago; carthaginians hold i2")
        .play("stone arming; arm carthago G");
    assert_eq!(table.special_at("romans").as_deref(), Some("carthago"));
    assert_eq!(table.units("carthago", "carthaginians"), (0, 1));
    // A galley that stands with it falls, and it stays.
    let table = commander()
        .with("romans special carthago; romans 1G carthago; carthaginians hold i2")
        .play("stone arming; arm carthago G");
    assert_eq!(table.special_at("romans").as_deref(), Some("carthago"));
    assert_eq!(table.units("carthago", "romans"), (0, 0));
    assert_eq!(table.units("carthago", "carthaginians"), (0, 0));
}

#[test]
fn d50_a_unit_placed_by_mercenaries_does_not_fight_it_also_while_moving() {
    for (version, left) in [(1, None), (2, Some("carthago"))] {
        let table = commander()
            .by_version(version)
            .with("romans special carthago; carthaginians hand mercenaries")
            .play("stone maneuver_1; play mercenaries carthago G");
        assert_eq!(table.special_at("romans").as_deref(), left, "{version}");
        let galleys = u8::from(left.is_some());
        assert_eq!(table.units("carthago", "carthaginians"), (0, galleys));
    }
}

#[test]
fn d50_in_version_1_an_armed_unit_fights_it() {
    let table = commander()
        .by_version(1)
        .with("romans special carthago; carthaginians hold i2")
        .play("stone arming; arm carthago G");
    assert_eq!(table.special_at("romans"), None);
    assert_eq!(table.units("carthago", "carthaginians"), (0, 0));
    assert_eq!(table.boxed("carthaginians"), (1, 1));
}

#[test]
fn d50_it_founds_no_city_and_wins_no_navigator() {
    let table = admiral()
        .with("romans special genua; romans hold m3i3g3")
        .play("stone temple");
    table.refuses_because("found genua gold", "D29", Reason::NoUnitThere);
    assert_eq!(table.listed("found"), [] as [&str; 0]);
    let table = admiral()
        .with("romans special corsica; romans 1G mare_tyrrhenum; romans 1G mare_balearicum")
        .with("romans 1G mare_ibericum")
        .play("stone temple; end");
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
