//! Material and set-up [A1]-[A8].

use engine::play::Reason;
use engine::words::{Personage, Resource};

use crate::rules::table::*;

#[test]
fn a01_the_bank_has_30_coins_20_temples_and_35_personages() {
    // One coin each has gone to the four nations at the start of the first round.
    let bank = Table::start(&east(4)).state.bank;
    assert_eq!(bank.coins, 30 - 4);
    assert_eq!(bank.temples, 20);
    assert_eq!(bank.personages, [9, 8, 7, 6, 5]);
    let kinds = [
        Personage::King,
        Personage::Scholar,
        Personage::General,
        Personage::Citizen,
        Personage::Navigator,
    ];
    assert_eq!(kinds, *Personage::ALL);
}

#[test]
fn a02_each_nation_has_17_legions_17_galleys_and_25_city_tokens() {
    let table = Table::start(&east(4));
    for nation in ["phoenicians", "persians", "arabs", "greeks"] {
        assert_eq!(table.supply(nation), (17, 17));
        assert_eq!(table.tokens(nation), 25 - 3);
    }
}

#[test]
fn a02_no_nation_has_an_eighteenth_legion() {
    let mut table = Position::east("greeks")
        .with("greeks hold i5; greeks 16L sirmium")
        .play("stone arming; arm pella L");
    let unit = engine::words::Unit::Legion;
    table.refuses_because("arm athen L", "A16", Reason::NoUnitLeft { unit });
    table.play("arm athen G");
    assert_eq!(table.supply("greeks"), (0, 16));
}

#[test]
fn a03_used_up_material_is_not_replaced() {
    let table = Position::east("greeks")
        .with("greeks 17L sirmium; greeks hold i9")
        .play("stone arming");
    let listed = ["arm athen G", "arm dyrrhachion G", "arm pella G"];
    assert_eq!(table.listed("arm"), listed);
    let unit = engine::words::Unit::Legion;
    table.refuses_because("arm athen L", "A16", Reason::NoUnitLeft { unit });
}

#[test]
fn a04_a_coin_pays_for_any_one_chip_in_any_mixture() {
    let position = || Position::east("greeks").holds("greeks", "m5i1g1c5");
    for pay in ["m5", "m4c1", "m2c3", "c5"] {
        let mut table = position().table();
        table.play(&format!("stone temple; temple pella {pay}"));
        assert!(table.has_temple("pella"), "{pay}");
    }
    let mut table = position().table();
    table.play("stone temple");
    for pay in ["m4i1", "m4", "m5c1", "g1c4"] {
        table.refuses(&format!("temple pella {pay}"), "A15");
    }
}

#[test]
fn a04_the_default_payment_is_chips_first_then_coins() {
    let mut table = Position::east("greeks").holds("greeks", "m3c5").table();
    table.play("stone temple; temple pella");
    assert_eq!(table.holds("greeks"), (0, 0, 0, 3));
}

#[test]
fn a04_coins_go_back_to_the_bank_which_gives_no_credit() {
    let mut table = Position::east("greeks").holds("greeks", "m3c2").table();
    let coins = table.state.bank.coins;
    table.play("stone temple");
    table.play("temple pella");
    assert_eq!(table.state.bank.coins, coins + 2);
    table.refuses("temple dyrrhachion", "A4");
    table.refuses("temple dyrrhachion c5", "A4");
}

#[test]
fn a05_the_number_of_nations_decides_which_take_part() {
    let east = [
        "greeks",
        "persians",
        "arabs",
        "phoenicians",
        "egyptians",
        "babylonians",
    ];
    let west = [
        "greeks",
        "romans",
        "germanic_tribes",
        "phoenicians",
        "carthaginians",
        "persians",
    ];
    for (board, names) in [("antike-east", east), ("antike-west", west)] {
        for nations in 3..=6 {
            let table = Table::start(&setup(board, &vec![&[] as &[&str]; nations]));
            let mut playing: Vec<&str> = table
                .game
                .nations
                .iter()
                .map(|nation| nation.name.as_str())
                .collect();
            playing.sort_unstable();
            let mut expected = names[..nations].to_vec();
            expected.sort_unstable();
            assert_eq!(playing, expected, "{board} with {nations}");
        }
    }
}

#[test]
fn a05_a_nation_that_does_not_take_part_cannot_be_chosen() {
    let error = refused(&setup(
        "antike-east",
        &[&["egyptians"], &["greeks"], &["arabs"]],
    ));
    assert_eq!(error.field, "seats[0].nations");
    assert_eq!(error.rule.as_deref(), Some("A5"));
}

#[test]
fn a05_one_nation_or_seven_cannot_play_nor_can_very_many() {
    for seats in [0, 1, 7, 258, 259, 260] {
        // The variant is for two nations.
        for (variants, fields) in [
            (&[] as &[&str], &["seats"] as &[&str]),
            (&["two_player_double"], &["seats", "variants"]),
        ] {
            let open = setup("antike-east", &vec![&[] as &[&str]; seats]);
            let error = refused(&with_variants(open, variants));
            let field = error.field.as_str();
            assert!(
                fields.contains(&field),
                "{seats} seats {variants:?}: {field}"
            );
        }
    }
}

#[test]
fn a06_nations_are_drawn_or_chosen_and_the_draw_is_the_seeds() {
    let mut open = setup("antike-east", &[&[], &["arabs"], &[]]);
    let mut drawn = Vec::new();
    for seed in 0..20 {
        open.seed = seed.to_string();
        let names: Vec<Vec<String>> = Table::start(&open)
            .setup
            .seats
            .iter()
            .map(|seat| seat.nations.clone())
            .collect();
        let again = Table::start(&open).setup.seats;
        assert!(again.iter().map(|seat| &seat.nations).eq(&names));
        assert_eq!(names[1], ["arabs"]);
        drawn.push(names[0][0].clone());
    }
    assert!(drawn.contains(&"greeks".into()) && drawn.contains(&"persians".into()));
}

#[test]
fn a07_each_nation_starts_with_1_iron_2_marble_3_gold_and_its_three_cities() {
    for nations in 3..=6 {
        let table = Table::start(&east(nations));
        for id in table.game.all_nations() {
            let name = table.game.nation_name(id);
            // The coin is that of the first round [A9].
            assert_eq!(table.holds(name), (2, 1, 3, 1));
            let cities = &table.game.board.data.starts[&(nations as u8)][name];
            for (region, resource) in [
                (&cities.marble, Resource::Marble),
                (&cities.iron, Resource::Iron),
                (&cities.gold, Resource::Gold),
            ] {
                assert_eq!(table.owner(region), Some(name));
                assert_eq!(table.resource(region), Some(resource));
            }
            assert_eq!(table.cities(name), 3);
        }
    }
}

#[test]
fn a07_with_four_nations_the_greeks_start_in_pella_dyrrhachion_and_athen() {
    let table = Table::start(&east(4));
    for region in ["pella", "dyrrhachion", "athen"] {
        assert_eq!(table.owner(region), Some("greeks"));
    }
}

#[test]
fn a08_the_nation_with_the_red_dot_starts_and_play_goes_clockwise() {
    let seats: &[&[&str]] = &[&["greeks"], &["arabs"], &["phoenicians"], &["persians"]];
    let mut table = Table::start(&setup("antike-east", seats));
    let mut order = Vec::new();
    for _ in 0..4 {
        order.push(table.to_move().to_owned());
        table.play("stone iron; end");
    }
    assert_eq!(order, ["phoenicians", "persians", "greeks", "arabs"]);
}

#[test]
fn a08_the_first_nation_by_number_of_nations() {
    for (nations, first) in [
        (3, "arabs"),
        (4, "phoenicians"),
        (5, "egyptians"),
        (6, "babylonians"),
    ] {
        assert_eq!(Table::start(&east(nations)).to_move(), first);
    }
    for (nations, first) in [
        (3, "germanic_tribes"),
        (4, "phoenicians"),
        (5, "carthaginians"),
        (6, "persians"),
    ] {
        let open = setup("antike-west", &vec![&[] as &[&str]; nations]);
        assert_eq!(Table::start(&open).to_move(), first);
    }
}
