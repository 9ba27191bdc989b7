//! Know-how and recruiting [D17], what the know-hows do [D18].

use engine::chips::Price;
use engine::forms::View;
use engine::play::{Action, Reason};
use engine::words::{Personage, Resource, Unit};

use super::boards::*;
use crate::rules::table::shows_strata_with_the_turn;

#[test]
fn d17_the_first_nation_pays_more_and_gets_a_scholar_for_each() {
    for (version, name, first, later) in [
        (1, "strata", 5, 2),
        (1, "navigatio", 6, 3),
        (1, "moneta", 7, 4),
        (1, "res_publica", 8, 4),
        (1, "commercium", 9, 5),
        (2, "strata", 5, 2),
        (2, "navigatio", 6, 3),
        (2, "moneta", 7, 3),
        (2, "res_publica", 8, 4),
        (2, "commercium", 9, 4),
    ] {
        let rome = || rome().by_version(version);
        let mut table = rome().holds("romans", &format!("g{first}")).table();
        table.play(&format!("stone know_how; develop {name}"));
        assert_eq!(table.holds("romans"), (0, 0, 0, 0), "{name}");
        table.play("end");
        assert_eq!(table.personages("romans", Personage::Scholar), 1);
        let mut table = rome()
            .knows("carthaginians", &[name])
            .holds("romans", &format!("g{later}"))
            .play(&format!("stone know_how; develop {name}"));
        assert_eq!(table.holds("romans"), (0, 0, 0, 0), "{name}");
        table.play("end");
        assert_eq!(table.personages("romans", Personage::Scholar), 0);
    }
}

#[test]
fn d17_in_any_order_and_several_in_a_turn() {
    let mut table = rome().holds("romans", "g35").table();
    table.play("stone know_how; develop commercium; develop moneta; develop strata");
    table.play("develop res_publica; develop navigatio");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
    assert_eq!(table.refuses("develop strata", "D17"), Reason::HasKnowHow);
    table.play("end");
    assert_eq!(table.won(), [Personage::Scholar; 5]);
}

#[test]
fn d17_a_know_how_is_owned_from_the_end_of_the_turn() {
    let mut table = rome().holds("romans", "m3i3g15").table();
    table.play("stone know_how; develop commercium; develop navigatio");
    assert_eq!(table.refuses("trade m3 g2", "D18"), Reason::CannotTrade);
    assert_eq!(table.listed("trade"), [] as [&str; 0]);
    table.play("end; card settlers; card fair_wind; stone iron; end; trade m3 g2");
    assert_eq!(table.holds("romans"), (0, 3, 2, 0));
}

#[test]
fn d17_recruiting_costs_a_gold_a_legion_and_two_a_galley() {
    let mut table = rome().holds("romans", "g7").table();
    table.play("stone know_how; recruit 3L; recruit 2G");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
    assert_eq!(table.boxed("romans"), (4, 3));
    assert_eq!(table.supply("romans"), (8, 9));
    assert_eq!(
        table.refuses("recruit 1L", "A4"),
        Reason::CannotPay {
            price: Price::only(Resource::Gold, 1)
        }
    );
    // With know-how too, and a coin for a gold.
    let mut table = rome().holds("romans", "g6c1").table();
    table.play("stone know_how; develop strata; recruit 1G g1c1");
    assert_eq!(table.boxed("romans"), (1, 2));
    let price = Price::only(Resource::Gold, 2);
    let mut table = rome().holds("romans", "m2g2").table();
    table.play("stone know_how");
    table.refuses_because("recruit 1G m1g1", "D17", Reason::WrongPayment { price });
}

#[test]
fn d17_no_more_are_recruited_than_the_supply_has() {
    let mut table = rome()
        .with("romans 8L roma; romans box 2L12G; romans hold g30")
        .play("stone know_how");
    assert_eq!(table.listed("recruit"), ["recruit 1L", "recruit 2L"]);
    let reason = table.refuses("recruit 3L", "D17");
    let unit = Unit::Legion;
    assert_eq!(reason, Reason::TooFewLeft { unit, available: 2 });
    let reason = table.refuses("recruit 1G", "D17");
    assert_eq!(reason, Reason::NoUnitLeft { unit: Unit::Galley });
    let none = Action::Recruit {
        unit: Unit::Legion,
        count: 0,
        pay: None,
    };
    let nation = table.id("romans");
    let illegal = table.apply(nation, none).expect_err("no unit");
    assert_eq!(
        (illegal.reason, illegal.rule.to_string().as_str()),
        (Reason::NoUnits, "D17")
    );
}

#[test]
fn d17_recruited_units_are_armed_in_a_later_turn() {
    let table = rome()
        .boxed("romans", 0, 0)
        .with("romans hold i2g1c3")
        .play("stone know_how; recruit 1L; end; stone iron; end; stone arming c3; arm roma L");
    assert_eq!(table.units("roma", "romans"), (1, 0));
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
}

#[test]
fn d18_strata_lets_legions_cross_two_borders_and_navigatio_galleys() {
    let position = || rome().units("roma", "romans", 1, 1);
    let both = "stone maneuver_1; march 1L roma neapolis; march 1G roma corsica";
    let mut table = position().table();
    table.play(both);
    let reason = table.refuses("march 1L neapolis brundisium", "D24");
    assert_eq!(reason, Reason::TooFewUnits { available: 0 });
    table.refuses("march 1G corsica massilia", "D24");
    let mut table = position().knows("romans", &["strata"]).table();
    table.play(both).play("march 1L neapolis brundisium");
    table.refuses("march 1L brundisium croton", "D24");
    table.refuses("march 1G corsica massilia", "D24");
    let mut table = position().knows("romans", &["navigatio"]).table();
    table.play(both).play("march 1G corsica massilia");
    table.refuses("march 1G massilia tolosa", "D24");
    table.refuses("march 1L neapolis brundisium", "D24");
}

#[test]
fn d18_moneta_produces_one_more_and_res_publica_defends_with_one_more() {
    let mut table = rome().knows("romans", &["moneta"]).table();
    table.play("stone marble");
    assert_eq!(table.holds("romans"), (2, 0, 0, 1));
    let table = rome()
        .with("carthaginians know res_publica; temples caesarea")
        .table();
    assert_eq!(table.defence("carthago"), 2);
    assert_eq!(table.defence("caesarea"), 4);
    assert_eq!(table.defence("roma"), 1);
}

#[test]
fn d18_commercium_trades_three_for_two_at_any_time_of_the_own_turn() {
    let position = || rome().knows("romans", &["commercium"]);
    let mut table = position().holds("romans", "m4g4c1").table();
    // Before the stone moves, in the field's action and after founding.
    table.play("trade m2g1 i2; stone temple; trade m1g1c1 i1g1; end");
    assert_eq!(table.holds("romans"), (1, 3, 3, 0));
    assert_eq!(table.state.bank.coins, 24);
    let founding = position().units("genua", "romans", 1, 0);
    let mut table = founding.holds("romans", "m4i1g1").table();
    table.play("stone temple; found genua gold; trade m3 i1g1");
    assert_eq!(table.holds("romans"), (0, 1, 1, 0));
    let table = position().holds("romans", "m9c3").table();
    assert_eq!(table.refuses("trade m3 i1c1", "D18"), Reason::WrongLot);
    assert_eq!(table.refuses("trade m3 i3", "D18"), Reason::WrongLot);
    assert_eq!(table.refuses("trade m2 i1", "D18"), Reason::WrongLot);
    assert_eq!(table.refuses("trade m6 i4", "D18"), Reason::WrongLot);
    let price = Price::from_parts([0, 3, 0], 0);
    table.refuses_because("trade i3 g2", "A4", Reason::CannotPay { price });
    let table = rome().holds("romans", "m9").table();
    assert_eq!(table.refuses("trade m3 i2", "D18"), Reason::CannotTrade);
    let carthage = rome().knows("carthaginians", &["commercium"]);
    let table = carthage.holds("carthaginians", "m9").table();
    table.refuses("carthaginians: trade m3 i2", "D10");
}

#[test]
fn d17_a_view_lists_a_know_how_from_the_end_of_the_turn_in_which_it_is_developed() {
    let mut table = rome().holds("romans", "g99").table();
    table.play("stone know_how; develop strata");
    shows_strata_with_the_turn(&table);
    table.play("end");
    let card = table.open_row().remove(0);
    table.play(&format!("card {card}"));
    let view = View::with_deck(&table.game, &table.state);
    assert_eq!(view.nations["romans"].know_how, ["strata"]);
    assert_eq!(view.know_how["strata"], ["romans"]);
    assert!(view.turn_state.developed.is_empty());
}
