//! The end of the game [A32] [A33], and round limits [A34].

use engine::play::Reason;
use engine::words::{EndReason, Personage};

use crate::rules::table::*;

#[test]
fn a32_seven_with_six_nations_eight_with_five_nine_with_four_ten_with_three() {
    for (nations, goal) in [(6, 7), (5, 8), (4, 9), (3, 10)] {
        // So many personages, of which there are eight scholars, and a king due for five cities.
        let before_a_king = |count: u8| {
            let scholars = count.min(8);
            let table = Position::of(east(nations))
                .turn_of("greeks")
                .personages("greeks", Personage::Scholar, scholars)
                .personages("greeks", Personage::Navigator, count - scholars)
                .cities_up_to("greeks", 5)
                .play("stone iron; end");
            assert_eq!(table.points("greeks"), u32::from(count) + 1);
            table
        };
        assert_eq!(before_a_king(goal - 2).outcome(), None);
        let table = before_a_king(goal - 1);
        let (reason, ranks) = table.outcome().expect("the game is over");
        assert_eq!(reason, EndReason::Goal);
        // The greeks sit last.
        assert_eq!(ranks[nations - 1], 1);
        assert!(ranks[..nations - 1].iter().all(|rank| *rank > 1));
    }
}

#[test]
fn a32_the_goal_counts_at_the_end_of_the_own_turn() {
    // With nine personages out of turn nothing happens yet.
    let mut table = Position::east("greeks")
        .with("phoenicians have 8 scholar; phoenicians have 1 navigator")
        .play("stone iron; end");
    assert_eq!(table.outcome(), None);
    table.play("stone iron");
    assert_eq!(table.outcome(), None);
    table.play("end");
    assert_eq!(
        table.outcome().map(|(reason, _)| reason),
        Some(EndReason::Goal)
    );
}

#[test]
fn a32_after_the_end_no_nation_acts() {
    let table = Position::east("greeks")
        .with("greeks have 8 scholar; greeks have 1 navigator")
        .play("stone iron; end");
    assert_eq!(table.acts(), None);
    assert_eq!(table.listed(""), [] as [&str; 0]);
    for action in ["greeks: end", "phoenicians: stone iron", "arabs: resign"] {
        assert_eq!(table.refuses(action, "A32"), Reason::GameOver);
    }
}

#[test]
fn a32_the_extra_personage_can_win() {
    let table = Position::east("greeks")
        .with("greeks have 8 scholar; greeks know all but roads; arabs know wheel roads")
        .with("greeks hold g5")
        .play("stone know_how; develop roads; end");
    assert_eq!(
        table.outcome().map(|(reason, _)| reason),
        Some(EndReason::Goal)
    );
    assert_eq!(table.points("greeks"), 9);
}

/// The greeks stand before the temple of tyros with every personage out.
fn all_out(nations: usize) -> Position {
    Position::of(east(nations))
        .turn_of("greeks")
        .all_personages_out()
        .with("temples tyros; greeks 3L tyros")
}

#[test]
fn a33_when_all_personages_are_out_the_first_to_destroy_a_temple_wins_at_once() {
    for nations in [5, 6] {
        let mut table = all_out(nations).table();
        table.play("stone maneuver_1; conquer tyros 3L");
        let (reason, ranks) = table.outcome().expect("the game is over");
        assert_eq!(reason, EndReason::TempleDestroyed);
        assert_eq!(ranks[nations - 1], 1);
    }
}

#[test]
fn a33_with_a_personage_left_a_destroyed_temple_wins_a_general_only() {
    // The greeks had the last six generals.
    let mut table = all_out(6).with("greeks have 5 general").table();
    assert_eq!(table.state.bank.personages, [0, 0, 1, 0, 0]);
    table.play("stone maneuver_1; conquer tyros 3L");
    assert_eq!(table.outcome(), None);
    table.play("end");
    assert_eq!(table.won(), [Personage::General]);
    // Nor does the stack that is empty now end the game: it was not when the temple fell.
    assert_eq!(table.outcome(), None);
}

#[test]
fn a33_a_city_without_temple_does_not_win() {
    let mut table = all_out(6).units("paphos", "greeks", 0, 1).table();
    table.play("stone maneuver_1; conquer paphos 1G");
    assert_eq!(table.outcome(), None);
}

#[test]
fn a34_a_round_limit_ends_the_game_after_that_round() {
    let mut setup = east(4);
    setup.max_rounds = Some(2);
    let mut table = Table::start(&setup);
    for field in ["gold", "know_how m1"] {
        for _ in 0..4 {
            assert_eq!(table.outcome(), None);
            table.play(&format!("stone {field}; end"));
        }
    }
    table.ended(EndReason::RoundLimit, &[1, 1, 1, 1]);
}

#[test]
fn a34_a_game_of_no_round_is_refused() {
    let mut setup = east(4);
    setup.max_rounds = Some(0);
    assert_eq!(refused(&setup).field, "max_rounds");
}

/// The ranks by seat of phoenicians, persians, arabs and greeks at a round limit.
fn ranked(position: Position) -> Vec<u8> {
    let mut setup = position.turn_of("greeks").setup();
    setup.max_rounds = Some(1);
    let mut table = Table::start(&setup);
    table.play("stone iron; end");
    let (reason, ranks) = table.outcome().expect("the limit is reached");
    assert_eq!(reason, EndReason::RoundLimit);
    ranks
}

#[test]
fn a34_a_round_limit_ranks_by_personages_then_cities_then_temples_then_equal() {
    let position = || Position::east("greeks");
    let one = |nation| position().personages(nation, Personage::King, 1);
    assert_eq!(
        ranked(one("persians").cities_up_to("arabs", 9)),
        [3, 1, 2, 3]
    );
    assert_eq!(
        ranked(position().cities_up_to("arabs", 4).temples(&["pella"])),
        [3, 3, 1, 2]
    );
    assert_eq!(ranked(position().temples(&["pella", "saba"])), [3, 3, 1, 1]);
}

#[test]
fn a34_a_player_with_two_nations_is_ranked_by_the_better_one() {
    // Whether the better one is the first or the second of the player's nations.
    for better in ["phoenicians", "persians"] {
        let mut setup = Position::of(east_for_two())
            .turn_of("arabs")
            .personages(better, Personage::King, 3)
            .with("arabs have 2 king; greeks have 2 king")
            .setup();
        setup.max_rounds = Some(1);
        let mut table = Table::start(&setup);
        table.play("stone iron; end");
        let ranks = vec![1, 2];
        assert_eq!(table.outcome(), Some((EndReason::RoundLimit, ranks)));
    }
}

#[test]
fn a34_the_places_behind_a_winner_are_ranked_as_at_a_round_limit() {
    // The greeks win; the arabs have a personage, the persians a city more than the phoenicians.
    let position = || {
        Position::east("greeks")
            .with("greeks have 8 scholar; greeks have 1 navigator; arabs have 1 king")
            .cities_up_to("persians", 4)
    };
    for (before, ranks) in [
        ("", vec![4, 3, 2, 1]),
        // Who has left is behind all others.
        ("arabs: resign; ", vec![3, 2, 4, 1]),
    ] {
        let mut table = position().table();
        table.play(&format!("{before}stone iron; end"));
        assert_eq!(table.outcome(), Some((EndReason::Goal, ranks)));
    }
}

#[test]
fn a33_with_only_the_generals_out_a_destroyed_temple_wins_nothing() {
    let mut table = Position::east("greeks")
        .with("arabs have 7 general; temples tyros; greeks 3L tyros")
        .play("stone maneuver_1; conquer tyros 3L");
    assert_eq!(table.outcome(), None);
    table.play("end");
    assert_eq!(table.won(), []);
}
