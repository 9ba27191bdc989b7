//! The event cards that belong to a field of the rondel [D41] [D43].

use engine::chips::Price;
use engine::play::Reason;
use engine::words::Field;

use super::boards::*;
use crate::rules::table::*;

/// The fields in whose action a card can be played; never before the stone moves.
fn fields_of(position: impl Fn() -> Position, card: &str) -> Vec<Field> {
    let text = format!("play {card}");
    let before = position().table();
    assert_eq!(before.refuses(&text, "D41"), Reason::NotTheMoment);
    let can = |field: &&Field| {
        let mut table = position().table();
        table.play(&format!("stone {field}"));
        let listed = table.listed(&text).len() == 1;
        if listed {
            table.play(&text);
            assert_eq!(table.hand("romans"), [] as [&str; 0]);
        } else {
            assert_eq!(table.refuses(&text, "D41"), Reason::NotTheMoment);
        }
        listed
    };
    Field::ALL.iter().filter(can).copied().collect()
}

#[test]
fn d43_academy_gives_a_gold_for_each_know_how_of_the_opponent() {
    for known in [&["moneta"] as &[&str], &["moneta", "strata", "commercium"]] {
        let table = rome()
            .with("romans hand academy; romans know navigatio moneta strata res_publica")
            .knows("carthaginians", known)
            .play("stone know_how; play academy");
        assert_eq!(table.holds("romans"), (0, 0, known.len() as u32, 0));
        // The opponent loses nothing.
        assert_eq!(table.holds("carthaginians"), (0, 0, 0, 0));
    }
}

#[test]
fn d43_academies_pay_for_a_know_how() {
    let table = rome()
        .with("romans hand academy academy; carthaginians know strata moneta")
        .play("stone know_how; play academy; develop strata; play academy");
    assert_eq!(table.holds("romans"), (0, 0, 2, 0));
}

#[test]
fn d41_academy_in_the_action_of_its_field_against_some_know_how() {
    let position = || rome().hand("romans", &["academy"]);
    let known = || position().knows("carthaginians", &["moneta"]);
    assert_eq!(fields_of(known, "academy"), [Field::KnowHow]);
    let mut table = position().knows("romans", &["moneta"]).table();
    table.play("stone know_how");
    assert_eq!(table.refuses("play academy", "D41"), Reason::NoEffect);
    assert_eq!(table.listed("play"), [] as [&str; 0]);
    // Not after founding.
    let mut table = known().with("romans 1L genua; romans hold m1i1g1").table();
    table.play("stone know_how; found genua gold");
    assert_eq!(table.refuses("play academy", "D41"), Reason::NotTheMoment);
}

#[test]
fn d43_rich_harvest_produces_two_more_chips() {
    let position =
        || rome().with("open academy burglary tribute; romans hand rich_harvest rich_harvest");
    for (field, holds) in [
        ("marble", (3, 0, 0, 1)),
        ("iron", (0, 3, 0, 1)),
        ("gold", (0, 0, 3, 1)),
    ] {
        let mut table = position().table();
        table.play(&format!("stone {field}; play rich_harvest"));
        assert_eq!(table.holds("romans"), holds);
    }
    let mut table = position().knows("romans", &["moneta"]).table();
    table.play("stone iron; play rich_harvest; play rich_harvest");
    assert_eq!(table.holds("romans"), (0, 6, 0, 1));
}

#[test]
fn d41_rich_harvest_on_the_fields_that_produce() {
    let position = || rome().hand("romans", &["rich_harvest"]);
    let fields = fields_of(position, "rich_harvest");
    assert_eq!(fields.len(), 3);
    assert!(fields.iter().all(|field| field.resource().is_some()));
}

#[test]
fn d43_master_builder_takes_two_marble_off_the_next_temple() {
    let position = |chips: &str| {
        rome()
            .hand("romans", &["master_builder", "master_builder"])
            .holds("romans", chips)
    };
    let mut table = position("m10c1").table();
    table.play("stone temple; play master_builder; temple roma");
    assert_eq!(table.holds("romans"), (6, 0, 0, 1));
    // Only of the next one.
    table.play("temple neapolis");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
    // Two cards take off four.
    let mut table = position("m2").table();
    table.play("stone temple; play master_builder; play master_builder; temple roma");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
    // One for each of two temples.
    let mut table = position("m8c1").table();
    table.play("stone temple; play master_builder; temple roma; play master_builder");
    table.play("temple neapolis");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
}

#[test]
fn d43_master_builder_takes_nothing_off_the_coins_for_neighbours_or_off_walls() {
    let mut table = rome()
        .with("romans hand master_builder; temples neapolis; romans hold m5")
        .play("stone temple; play master_builder");
    let price = Price::from_parts([4, 0, 0], 1);
    table.refuses_because("temple roma", "A4", Reason::CannotPay { price });
    table.play("wall roma");
    assert_eq!(table.holds("romans"), (4, 0, 0, 0));
}

#[test]
fn d41_master_builder_on_the_temple_field_and_may_be_wasted() {
    let position = || rome().hand("romans", &["master_builder"]);
    assert_eq!(fields_of(position, "master_builder"), [Field::Temple]);
    let mut table = position().holds("romans", "m4c5").table();
    table.play("stone temple; play master_builder; end; stone iron; end");
    // It was for that turn.
    table.play("stone temple c5");
    let price = Price::from_parts([6, 0, 0], 0);
    table.refuses_because("temple roma", "A4", Reason::CannotPay { price });
}

#[test]
fn d43_forced_march_and_fair_wind_let_units_cross_one_border_more() {
    let position = |cards: &[&str]| {
        rome()
            .open(&["academy", "burglary", "tribute"])
            .hand("romans", cards)
            .units("roma", "romans", 1, 1)
    };
    let mut table = position(&["forced_march"]).table();
    table.play("stone maneuver_1; play forced_march");
    table.play("march 1L roma neapolis; march 1L neapolis brundisium");
    table.refuses("march 1L brundisium croton", "D24");
    table.play("march 1G roma corsica");
    table.refuses("march 1G corsica massilia", "D24");
    let mut table = position(&["fair_wind"]).table();
    table.play("stone maneuver_1; play fair_wind");
    table.play("march 1G roma corsica; march 1G corsica massilia");
    table.refuses("march 1G massilia tolosa", "D24");
    table.play("march 1L roma neapolis");
    table.refuses("march 1L neapolis brundisium", "D24");
}

#[test]
fn d43_two_forced_marches_and_strata_make_four_borders() {
    let mut table = rome()
        .with("romans hand forced_march forced_march; romans know strata; romans 2L genua")
        .play("stone maneuver_1; play forced_march; play forced_march; march 2L genua cremona");
    table.play("march 2L cremona ancona; march 1L ancona neapolis; march 1L neapolis croton");
    table.refuses("march 1L croton brundisium", "D24");
    table.play("march 1L@2 ancona roma; march 1L roma neapolis");
}

#[test]
fn d43_units_that_have_moved_already_may_go_on() {
    let mut table = rome()
        .with("romans hand forced_march; romans 2L roma")
        .play("stone maneuver_1; march 1L roma neapolis");
    table.refuses("march 1L neapolis brundisium", "D24");
    table.play("play forced_march; march 1L neapolis brundisium");
    table.refuses("march 1L brundisium croton", "D24");
    // The one that stayed has two.
    table.play("march 1L roma ancona; march 1L ancona cremona");
}

#[test]
fn d43_mercenaries_after_a_forced_march_cross_two_borders() {
    for cards in [
        "play forced_march; play mercenaries roma L",
        "play mercenaries roma L; play forced_march",
    ] {
        let mut table = rome().with("romans hand forced_march mercenaries").table();
        table.play("stone maneuver_1").play(cards);
        table.play("march 1L roma neapolis; march 1L neapolis brundisium");
        table.refuses("march 1L brundisium croton", "D24");
    }
}

#[test]
fn d41_forced_march_and_fair_wind_before_the_first_conquest() {
    let duellum = [Field::Maneuver1, Field::Maneuver2];
    let march = || rome().hand("romans", &["forced_march"]);
    assert_eq!(fields_of(march, "forced_march"), duellum);
    let wind = || rome().hand("romans", &["fair_wind"]);
    assert_eq!(fields_of(wind, "fair_wind"), duellum);
    let table = rome()
        .with("open academy burglary tribute; romans hand forced_march fair_wind")
        .with("romans 2L carthago")
        .play("stone maneuver_1; conquer carthago 1L");
    for card in ["play forced_march", "play fair_wind"] {
        assert_eq!(table.refuses(card, "D41"), Reason::NotTheMoment);
    }
    // They may be wasted: there is no galley.
    let mut table = rome().hand("romans", &["fair_wind"]).table();
    table.play("stone maneuver_1; play fair_wind; end");
}

#[test]
fn d43_settlers_found_the_next_city_with_neighbours_without_coins_for_them() {
    let position = |cards: &[&str], chips: &str| {
        rome()
            .with("open academy burglary tribute")
            .hand("romans", cards)
            .with("romans 1L ancona; romans 1L genua; romans 1L tolosa")
            .holds("romans", chips)
    };
    // Ancona is beside the gold of Roma; Tolosa has no neighbour and does not use the card up.
    let mut table = position(&["settlers"], "m3i3g3").table();
    table.play("stone temple; play settlers; found tolosa gold; found ancona gold");
    assert_eq!(table.holds("romans"), (1, 1, 1, 0));
    // Genua is beside Cremona's iron.
    let price = Price::from_parts([1, 1, 1], 1);
    table.refuses_because("found genua iron", "A4", Reason::CannotPay { price });
    // Two cards free two cities.
    let mut table = position(&["settlers", "settlers"], "m2i2g2").table();
    table.play("stone temple; play settlers; play settlers");
    table.play("found genua iron; found ancona gold");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
    // Or one after another.
    let mut table = position(&["settlers", "settlers"], "m2i2g2").table();
    table.play("stone temple; play settlers; found genua iron; play settlers; found ancona gold");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
    assert_eq!(table.used_cards(), ["settlers", "settlers"]);
}

#[test]
fn d43_settlers_still_pay_the_city() {
    let table = rome()
        .with("open academy burglary tribute; romans hand settlers; romans 1L ancona")
        .with("romans hold m1i1")
        .play("stone temple; play settlers");
    let price = Price::from_parts([1, 1, 1], 0);
    table.refuses_because("found ancona gold", "A4", Reason::CannotPay { price });
}

#[test]
fn d41_settlers_from_the_stones_move_to_the_end_and_for_this_turn() {
    let position = || {
        rome()
            .with("romans 1L ancona; romans 1G carales; romans 1L tolosa; romans hand settlers")
            .with("romans hold m2i2g2")
    };
    assert_eq!(fields_of(position, "settlers"), Field::ALL);
    for moment in ["conquer carales 1G", "found tolosa gold"] {
        let mut table = position().table();
        table.play("stone maneuver_1").play(moment);
        table.play("play settlers; found ancona gold");
    }
    let mut table = position().table();
    table.play("stone temple; play settlers; end; stone iron; end; stone gold");
    assert_eq!(table.body().turn_state.free_neighbours, 0);
    table.play("found ancona gold");
    // The coin of the production has paid for it.
    assert_eq!(table.holds("romans"), (1, 1, 2, 0));
}
