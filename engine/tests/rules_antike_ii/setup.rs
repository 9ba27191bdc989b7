//! Material and set-up [B1] to [B6].

use std::collections::BTreeSet;

use engine::content::Library;
use engine::words::Personage;

use super::boards::*;
use crate::rules::table::*;

#[test]
fn b01_the_bank_begins_with_its_counts_less_three_neutral_temples() {
    for nations in 3..=6 {
        let table = Table::start(&mare_nostrum(nations));
        let bank = table.state.bank;
        assert_eq!((bank.coins, bank.temples), (30, 17));
        let counts = Personage::ALL
            .iter()
            .map(|kind| bank.personages[kind.index()]);
        let expected = [
            (Personage::King, 10),
            (Personage::Scholar, 8),
            (Personage::General, 7),
            (Personage::Citizen, 6),
            (Personage::Navigator, 5),
        ];
        for (kind, count) in Personage::ALL.iter().zip(counts) {
            assert!(expected.contains(&(*kind, count)), "{count} of {kind}");
        }
    }
}

#[test]
fn b02_each_nation_has_twelve_legions_thirteen_galleys_and_twenty_four_tokens() {
    let table = Table::start(&mare_nostrum(4));
    assert_eq!(table.supply("romans"), (12, 13));
    assert_eq!(table.tokens("romans"), 24 - 3);
    let mut table = west().with("romans 12L tacape; romans hold i9").table();
    table.play("stone arming");
    table.refuses("arm roma L", "B16");
    table.play("arm roma G");
}

#[test]
fn b03_three_to_six_nations_one_a_player_on_each_board() {
    for board in ["antike-ii-mare-nostrum", "antike-ii-orient"] {
        for nations in 3..=6 {
            let table = Table::start(&setup(board, &vec![&[] as &[&str]; nations]));
            assert_eq!(table.game.nations.len(), nations);
            assert_eq!(table.state.neutral_temples.len(), 3);
            for nation in table.game.all_nations() {
                assert_eq!(table.state.nation(nation).cities.len(), 3);
            }
        }
        for seats in [0, 1, 2, 7] {
            let error = refused(&setup(board, &vec![&[] as &[&str]; seats]));
            assert_eq!(error.rule.as_deref(), Some("B3"), "{seats} seats");
        }
        let error = refused(&setup(board, &[&["greeks", "persians"], &[], &[]]));
        assert_eq!(error.rule.as_deref(), Some("B3"));
    }
}

#[test]
fn b03_a_board_is_for_its_own_edition_only() {
    let mut other = setup("antike-ii-orient", &[&[], &[], &[]]);
    other.edition = "antike".into();
    assert_eq!(refused(&other).field, "board");
}

#[test]
fn b04_each_nation_starts_with_three_of_each_chip_and_no_coin() {
    let table = Table::start(&mare_nostrum(6));
    for nation in table.game.all_nations() {
        assert_eq!(table.holds(table.game.nation_name(nation)), (3, 3, 3, 0));
    }
}

#[test]
fn b05_the_starting_nation_is_drawn_and_the_last_one_gets_bellona() {
    let mut started = BTreeSet::new();
    for seed in 0..40 {
        let mut setup = setup(
            "antike-ii-mare-nostrum",
            &[
                &["romans"],
                &["germanic_tribes"],
                &["phoenicians"],
                &["greeks"],
            ],
        );
        setup.seed = format!("seed {seed}");
        let table = Table::start(&setup);
        assert_eq!(table.game.first, table.state.to_move);
        let last = (table.game.first.0 + 3) % 4;
        assert_eq!(table.state.bellona, Some(engine::ids::Nation(last)));
        started.insert(table.to_move().to_owned());
    }
    assert_eq!(started.len(), 4);
}

#[test]
fn b05_a_nation_that_does_not_play_cannot_start() {
    let mut setup = mare_nostrum(4);
    setup.first = Some("persians".into());
    let error = refused(&setup);
    assert_eq!(
        (error.field.as_str(), error.rule.as_deref()),
        ("first", Some("B5"))
    );
}

#[test]
fn b06_no_round_begins_with_a_coin() {
    let mut table = Table::start(&mare_nostrum(3));
    table.play("stone temple; end; stone temple; end; stone temple; end");
    assert_eq!(table.state.round, 2);
    for nation in ["romans", "germanic_tribes", "greeks"] {
        assert_eq!(table.holds(nation).3, 0);
    }
    assert_eq!(table.state.bank.coins, 30);
    assert_eq!(table.acts(), Some("romans"));
}

#[test]
fn b06_a_coin_pays_for_any_chip_and_goes_back_to_the_bank() {
    let mut table = west().holds("romans", "m3c2").table();
    table.play("stone temple; temple roma");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
    assert_eq!(table.state.bank.coins, 30);
    table.refuses("temple neapolis", "B6");
}

#[test]
fn every_rule_that_a_refusal_can_name_is_of_this_edition() {
    let ruleset = Library::embedded().ruleset("antike_ii").expect("embedded");
    // Leaving the game is a ruling of the first edition's digest.
    for (topic, rule) in &ruleset.data.rules {
        assert!(
            rule.starts_with('B') || topic == "resignation",
            "{topic}: {rule}"
        );
    }
}
