//! Rules that other editions have and this one lacks, and the reverse.
//!
//! Lacking are: the extra personage [A21], trade for all [A22], giving up a city [A28], the end when all personages
//! are out [A33], the Bellona card [B17], the help for weak nations [B27], neutral temples [B28] and the last
//! personage by a temple [B32].

use engine::play::{Action, Reason};
use engine::words::{Personage, Unit};

use super::boards::*;
use crate::rules::table::*;

#[test]
fn a21_all_know_hows_bring_no_extra_personage() {
    let mut table = rome()
        .with("romans know all but strata; romans hold g5")
        .play("stone know_how; develop strata; end");
    assert_eq!(table.won(), [Personage::Scholar]);
    table.play("card settlers");
    assert_eq!(table.to_move(), "carthaginians");
}

#[test]
fn a22_no_trade_without_commercium() {
    let table = rome()
        .with("romans know all but commercium; romans hold m9c9")
        .table();
    assert_eq!(table.refuses("trade m3 i2", "D18"), Reason::CannotTrade);
    assert_eq!(table.refuses("trade m2 i1", "D18"), Reason::CannotTrade);
}

#[test]
fn a28_no_city_is_given_up() {
    let mut table = rome().units("carthago", "romans", 1, 0).table();
    table.play("stone maneuver_1");
    let reason = table.refuses("conquer carthago 1L giving roma", "D27");
    assert_eq!(reason, Reason::CannotGiveUp);
}

#[test]
fn a33_and_b32_a_temple_destroyed_when_the_generals_are_out_does_not_end_the_game() {
    let mut position = rome();
    for (kind, romans, carthaginians) in [
        (Personage::General, 2, 2),
        (Personage::King, 3, 3),
        (Personage::Citizen, 2, 2),
        (Personage::Scholar, 1, 0),
    ] {
        position = position.personages("romans", kind, romans).personages(
            "carthaginians",
            kind,
            carthaginians,
        );
    }
    let mut table = position
        .with("temples carthago; romans 3L carthago")
        .table();
    assert_eq!(table.points("romans"), 8);
    table.play("stone maneuver_1; conquer carthago 3L; end");
    assert_eq!(table.outcome(), None);
    assert_eq!(table.won(), []);
    assert_eq!(table.points("romans"), 8);
}

#[test]
fn b17_there_is_no_bellona_card() {
    let mut table = rome().holds("romans", "i9").table();
    assert_eq!(table.state.bellona, None);
    table.play("stone arming");
    table.refuses_because("arm roma L free", "D16", Reason::NoFreeUnit);
}

#[test]
fn b27_a_nation_with_few_personages_defends_with_no_more() {
    let table = rome().personages("romans", Personage::General, 4).table();
    assert_eq!(table.defence("carthago"), 1);
}

#[test]
fn b28_no_temple_belongs_to_nobody() {
    for setup in [rome_carthage(), greece_persia()] {
        let table = Table::start(&setup);
        assert!(table.state.neutral_temples.is_empty());
        assert_eq!(table.state.bank.temples, 12);
    }
}

#[test]
fn d15_and_d17_the_other_editions_have_no_walls_no_boxes_and_no_cards() {
    for (edition, rule) in [("antike-east", "A11"), ("antike-ii-orient", "B10")] {
        let seats: &[&[&str]] = &[&["greeks"], &["persians"], &["arabs"]];
        let table = Table::start(&setup(edition, seats));
        let nation = table.state.to_move;
        let region = table.state.nation(nation).cities.iter().next();
        let region = region.expect("a start city");
        let wall = Action::BuildWall { region, pay: None };
        let recruit = Action::Recruit {
            unit: Unit::Legion,
            count: 1,
            pay: None,
        };
        for (field, action) in [
            ("temple", wall),
            ("gold", wall),
            ("know_how", recruit),
            ("gold", recruit),
        ] {
            let mut table = table.clone();
            while table.acts().is_some_and(|_| table.state.question.is_some()) {
                table.play("chip gold");
            }
            table.play(&format!("stone {field}"));
            let illegal = table.apply(nation, action).expect_err("not played");
            assert_eq!(illegal.reason, Reason::NotPlayed);
            assert_eq!(illegal.rule.to_string(), rule);
        }
        assert!(table.game.parse("play tribute").is_err());
        assert_eq!(table.body_without_cards(), (None, None));
    }
}

impl Table {
    /// The cards and the first nation's box on the wire.
    fn body_without_cards(&self) -> (Option<usize>, Option<u8>) {
        let body = self.body();
        let cards = body.cards.map(|cards| cards.open.len());
        let nation = body.nations.into_values().next().expect("it plays");
        (cards, nation.recruitment_box.map(|units| units.legions))
    }
}
