//! The rondel [B10] and production [B14].

use engine::forms::View;
use engine::play::Reason;
use engine::state::QuestionKind;
use engine::words::Resource;

use super::boards::*;
use crate::rules::table::*;

#[test]
fn b10_three_fields_are_free_and_a_coin_pays_for_a_further_one() {
    let mut table = west().stone("romans", "iron").holds("romans", "c2").table();
    table.refuses_because("stone marble", "B10", Reason::ExtraStepsCost { extra: 2 });
    table.refuses("stone marble c1", "B10");
    table.play("stone marble c2");
    assert_eq!(table.holds("romans").3, 1);
    table.refuses("stone gold", "B10");
    table.refuses("temple roma", "B10");
}

#[test]
fn b14_each_production_gives_one_coin_whatever_and_however_much_it_is() {
    for (field, romans) in [
        ("marble", (3, 0, 0, 1)),
        ("iron", (0, 1, 0, 1)),
        ("gold", (0, 0, 1, 1)),
    ] {
        let mut table = west().temples(&["roma"]).table();
        table.play(&format!("stone {field}"));
        assert_eq!(table.holds("romans"), romans);
        assert_eq!(table.state.bank.coins, 29);
    }
    // Even where nothing is produced.
    let mut table = west().no_city("syracus").table();
    table.play("stone gold");
    assert_eq!(table.holds("romans"), (0, 0, 0, 1));
}

#[test]
fn b14_metallum_adds_one_chip_and_moneta_two() {
    for (know_how, gold) in [
        (&[] as &[&str], 1),
        (&["metallum"], 2),
        (&["metallum", "moneta"], 3),
    ] {
        let mut table = west().knows("romans", know_how).table();
        table.play("stone gold");
        assert_eq!(table.holds("romans"), (0, 0, gold, 1));
    }
}

#[test]
fn b14_without_a_coin_in_the_bank_the_mover_takes_a_chip_of_its_choice() {
    let position = || west().holds("greeks", "c30");
    for (chip, romans) in [
        (Resource::Marble, (1, 0, 1, 0)),
        (Resource::Iron, (0, 1, 1, 0)),
        (Resource::Gold, (0, 0, 2, 0)),
    ] {
        let mut table = position().table();
        table.play("stone gold");
        assert_eq!(table.acts(), Some("romans"));
        assert_eq!(table.asks_for(), Some(QuestionKind::Chip));
        assert_eq!(table.listed(""), ["chip marble", "chip iron", "chip gold"]);
        assert_eq!(table.refuses("end", "B14"), Reason::AnswerFirst);
        table.refuses("greeks: chip gold", "B10");
        table.play(&format!("chip {chip}"));
        assert_eq!(table.holds("romans"), romans);
        assert_eq!(table.asks_for(), Some(QuestionKind::Turn));
        table.play("end");
        assert_eq!(table.acts(), Some("germanic_tribes"));
    }
}

#[test]
fn b14_a_coin_paid_on_the_rondel_is_there_for_the_production() {
    let table = west()
        .stone("romans", "iron")
        .with("romans hold c2; greeks hold c28")
        .play("stone marble c2");
    assert_eq!(table.holds("romans"), (1, 0, 0, 1));
}

#[test]
fn b14_the_choice_of_a_chip_survives_another_nation_leaving_but_not_the_mover() {
    let start = || {
        let mut table = west().holds("greeks", "c30").table();
        table.play("stone gold");
        table
    };
    let mut table = start();
    table.play("phoenicians: resign");
    assert_eq!(table.acts(), Some("romans"));
    table.play("chip iron");
    assert_eq!(table.holds("romans"), (0, 1, 1, 0));
    let mut table = start();
    table.play("romans: resign");
    assert_eq!(table.acts(), Some("germanic_tribes"));
    assert_eq!(table.asks_for(), Some(QuestionKind::Turn));
}

#[test]
fn b14_a_game_goes_on_from_the_choice_of_a_chip() {
    let mut table = west().holds("greeks", "c30").table();
    table.play("stone gold");
    let mut setup = table.setup.clone();
    setup.position = Some(Box::new(View::from_state(&table.game, &table.state).into()));
    assert_eq!(Table::start(&setup).state, table.state);
}
