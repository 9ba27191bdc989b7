//! Know-how [B18] to [B21].

use engine::forms::View;
use engine::play::Reason;
use engine::words::Personage;

use super::boards::*;
use crate::rules::table::shows_strata_with_the_turn;

#[test]
fn b18_three_know_hows_need_another_and_several_are_developed_in_one_turn() {
    let mut table = west().holds("romans", "g99").table();
    table.play("stone know_how");
    for upper in ["commercium", "moneta", "res_publica"] {
        table.refuses_because(&format!("develop {upper}"), "B18", Reason::NeedsKnowHow);
    }
    table.play("develop strata; develop navigatio; develop mercatura; develop commercium");
    assert_eq!(table.refuses("develop strata", "B18"), Reason::HasKnowHow);
    table.play("end");
    assert_eq!(table.personages("romans", Personage::Scholar), 4);
    for name in ["strata", "navigatio", "mercatura", "commercium"] {
        assert!(table.knows("romans", name));
    }
}

#[test]
fn b18_only_the_first_nation_wins_a_scholar() {
    let mut table = west().with("greeks know strata; romans hold g9").table();
    table.play("stone know_how; develop strata; end");
    assert_eq!(table.won(), []);
}

#[test]
fn b19_each_know_how_has_its_price_for_the_first_and_for_later_nations() {
    let prices = [
        ("mercatura", 4, 2),
        ("commercium", 6, 3),
        ("strata", 6, 3),
        ("navigatio", 8, 4),
        ("metallum", 10, 5),
        ("moneta", 12, 6),
        ("regnum", 12, 6),
        ("res_publica", 14, 7),
    ];
    for (name, first, later) in prices {
        let lower: &[&str] = match name {
            "commercium" => &["mercatura"],
            "moneta" => &["metallum"],
            "res_publica" => &["regnum"],
            _ => &[],
        };
        for (others, price) in [(&[] as &[&str], first), (&[name], later)] {
            let mut table = west()
                .knows("romans", lower)
                .knows("greeks", lower)
                .knows("greeks", others)
                .with("romans hold g99")
                .play("stone know_how");
            table.refuses(&format!("develop {name} g{}", price - 1), "B19");
            table.play(&format!("develop {name}"));
            assert_eq!(table.holds("romans").2, 99 - price, "{name}");
        }
    }
}

#[test]
fn b20_a_know_how_works_from_the_end_of_the_turn_in_which_it_was_developed() {
    let mut table = without_weak_nations(west())
        .with("romans 1L roma; romans hold m2g99")
        .table();
    let defence = table.defence("roma");
    table.play("stone know_how; develop regnum; develop res_publica; develop mercatura");
    assert_eq!(table.defence("roma"), defence);
    assert_eq!(table.refuses("trade m2 i1", "B21"), Reason::CannotTrade);
    assert_eq!(table.listed("trade"), [] as [&str; 0]);
    table.play("end");
    assert_eq!(table.defence("roma"), defence + 2);
    table.play("stone iron; end; stone iron; end; stone iron; end");
    table.play("trade m2 i1");
}

#[test]
fn b20_commercium_does_not_trade_in_its_own_turn_but_mercatura_from_before_does() {
    let mut table = west()
        .with("romans know mercatura; romans hold m5g6")
        .play("stone know_how; develop commercium");
    assert_eq!(table.refuses("trade m3 i2", "B21"), Reason::WrongLot);
    table.play("trade m2 i1");
}

#[test]
fn b20_a_later_nation_in_the_round_pays_the_later_price() {
    let mut table = west()
        .with("romans hold g6; germanic_tribes hold g3")
        .play("stone know_how; develop strata; end");
    assert_eq!(table.holds("romans").2, 0);
    table.play("stone know_how; develop strata");
    assert_eq!(table.holds("germanic_tribes").2, 0);
}

#[test]
fn b21_mercatura_trades_two_for_one_at_any_time_of_the_turn() {
    let mut table = west()
        .with("romans know mercatura; romans hold m2i2g1c1; romans 1L roma")
        .play("trade m1i1 g1; stone maneuver_1; trade g1c1 i1; march 1L roma ancona");
    assert_eq!(table.holds("romans"), (1, 2, 1, 0));
    assert_eq!(table.state.bank.coins, 30);
    table.play("trade m1g1 i1");
    assert_eq!(table.holds("romans"), (0, 3, 0, 0));
    for lot in ["i1 g1", "i2 g2", "i3 g2", "i2 c1", "i2 i1c1"] {
        table.refuses_because(&format!("trade {lot}"), "B21", Reason::WrongLot);
    }
    let reason = table.refuses("trade g2 i1", "B6");
    assert!(matches!(reason, Reason::CannotPay { .. }));
}

#[test]
fn b21_commercium_trades_three_for_two_and_still_two_for_one() {
    let table = west()
        .with("romans know mercatura commercium; romans hold m4c1")
        .play("trade m2c1 i1g1; trade m2 g1");
    assert_eq!(table.holds("romans"), (0, 1, 2, 0));
    let table = west()
        .with("romans know mercatura commercium; romans hold m3")
        .table();
    assert_eq!(
        table.listed("trade"),
        [
            "trade m2 m1",
            "trade m2 i1",
            "trade m2 g1",
            "trade m3 m2",
            "trade m3 m1i1",
            "trade m3 m1g1",
            "trade m3 i2",
            "trade m3 i1g1",
            "trade m3 g2"
        ]
    );
}

#[test]
fn b21_there_is_no_trade_without_either_or_out_of_turn() {
    let table = west()
        .with("greeks know mercatura; romans hold m5; greeks hold m5")
        .table();
    assert_eq!(table.refuses("trade m2 i1", "B21"), Reason::CannotTrade);
    table.refuses("greeks: trade m2 i1", "B10");
}

#[test]
fn b21_strata_takes_legions_and_navigatio_galleys_over_two_borders() {
    let position = || {
        west()
            .units("dyrrhachion", "romans", 1, 1)
            .stone("romans", "gold")
    };
    let mut table = position().table();
    table.play("stone maneuver_1; march 1L dyrrhachion pella; march 1G dyrrhachion sparta");
    table.refuses("march 1L pella napoca", "B24");
    table.refuses("march 1G sparta athenae", "B24");
    let mut table = position().knows("romans", &["strata"]).table();
    table.play("stone maneuver_1; march 1L dyrrhachion pella; march 1L pella napoca");
    table.refuses("march 1L napoca sirmium", "B24");
    table.play("march 1G dyrrhachion sparta");
    table.refuses("march 1G sparta athenae", "B24");
    let mut table = position().knows("romans", &["navigatio"]).table();
    table.play("stone maneuver_1; march 1G dyrrhachion sparta; march 1G sparta athenae");
    table.refuses("march 1G athenae knossos", "B24");
    table.play("march 1L dyrrhachion pella");
    table.refuses("march 1L pella napoca", "B24");
}

#[test]
fn b21_regnum_adds_one_to_the_defence_and_res_publica_two_in_its_place() {
    for (know_how, defence) in [
        (&[] as &[&str], 1),
        (&["regnum"], 2),
        (&["regnum", "res_publica"], 3),
    ] {
        let table = without_weak_nations(west().knows("greeks", know_how)).table();
        assert_eq!(table.defence("pella"), defence);
        assert_eq!(table.defence("roma"), 1);
    }
}

#[test]
fn a34_b20_know_how_developed_in_the_turn_of_resigning_stays_developed() {
    let mut table = west()
        .with("romans hold g6; germanic_tribes hold g3")
        .play("stone know_how; develop strata; resign");
    assert_eq!(table.personages("romans", Personage::Scholar), 0);
    table.play("stone know_how; develop strata");
    assert_eq!(table.holds("germanic_tribes").2, 0);
    table.play("end");
    assert_eq!(table.won(), []);
}

#[test]
fn b20_a_view_lists_a_know_how_from_the_end_of_the_turn_in_which_it_is_developed() {
    let mut table = west().holds("romans", "g99").table();
    table.play("stone know_how; develop strata");
    shows_strata_with_the_turn(&table);
    table.play("end");
    let view = View::with_deck(&table.game, &table.state);
    assert_eq!(view.nations["romans"].know_how, ["strata"]);
    assert_eq!(view.know_how["strata"], ["romans"]);
    assert!(view.turn_state.developed.is_empty());
}
