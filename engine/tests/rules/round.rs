//! Rounds and their coins [A9] [A10].

use engine::play::Effect;
use engine::state::QuestionKind;

use crate::rules::table::*;

#[test]
fn a09_a_round_begins_with_a_coin_for_each_nation_the_first_one_too() {
    let mut table = Table::start(&east(4));
    for (coins, field) in [(1, "gold"), (2, "arming"), (3, "know_how")] {
        assert_eq!(table.state.round, u32::from(coins));
        for nation in ["phoenicians", "persians", "arabs", "greeks"] {
            assert_eq!(table.holds(nation).3, coins);
        }
        for _ in 0..4 {
            table.play(&format!("stone {field}; end"));
        }
    }
    assert_eq!(table.state.bank.coins, 30 - 16);
}

#[test]
fn a09_a_round_begins_when_the_starting_nation_is_about_to_move() {
    let mut table = Table::start(&east(3));
    assert_eq!((table.state.round, table.state.turn), (1, 1));
    for (turn, nation, round) in [(2, "persians", 1), (3, "greeks", 1), (4, "arabs", 2)] {
        table.play("stone gold; end");
        let began = |effect: &Effect| matches!(effect, Effect::RoundBegan { .. });
        assert_eq!(table.effects.iter().any(began), round == 2);
        assert_eq!(table.to_move(), nation);
        assert_eq!((table.state.round, table.state.turn), (round, turn));
    }
}

#[test]
fn a10_for_lack_of_coins_a_nation_takes_a_chip_of_its_choice() {
    // Two coins are left: they go to the phoenicians and persians.
    let mut table = Position::east("greeks").holds("greeks", "c28").table();
    table.play("stone iron; end");
    assert_eq!(table.holds("phoenicians"), (0, 0, 0, 1));
    assert_eq!(table.holds("persians"), (0, 0, 0, 1));
    assert_eq!(table.state.bank.coins, 0);
    assert_eq!(table.to_move(), "phoenicians");
    assert_eq!(table.acts(), Some("arabs"));
    assert_eq!(table.asks_for(), Some(QuestionKind::Chip));
    assert_eq!(table.listed(""), ["chip marble", "chip iron", "chip gold"]);
    table.refuses("phoenicians: stone iron", "A11");
    table.refuses("arabs: stone iron", "A10");
    table.play("arabs: chip gold");
    assert_eq!(table.acts(), Some("greeks"));
    table.play("greeks: chip marble");
    assert_eq!(table.holds("arabs"), (0, 0, 1, 0));
    assert_eq!(table.holds("greeks"), (1, 1, 0, 28));
    assert_eq!(table.acts(), Some("phoenicians"));
    table.play("stone gold");
}

#[test]
fn a10_a_coin_paid_in_the_round_before_is_there_again() {
    let table = Position::east("greeks")
        .with("greeks hold c27")
        .stone("greeks", "temple")
        .play("stone marble c1; end");
    assert_eq!(table.acts(), Some("phoenicians"));
    assert_eq!(table.holds("greeks"), (1, 0, 0, 27));
    assert_eq!(table.state.bank.coins, 0);
}

#[test]
fn a10_a_chip_is_chosen_only_when_no_coin_is_left() {
    let table = Position::east("greeks").table();
    table.refuses("chip gold", "A10");
}
