//! Leaving the game [A34].

use engine::ids::Nation;
use engine::play::{Action, Effect, Reason};
use engine::words::EndReason;

use crate::rules::table::*;

#[test]
fn a34_a_resigned_nation_keeps_its_pieces_and_is_skipped() {
    let mut table = Table::start(&east(4));
    table.play("persians: resign; stone iron; end");
    assert_eq!(table.cities("persians"), 3);
    assert_eq!(table.to_move(), "arabs");
    table.refuses_because("persians: resign", "A34", Reason::HasResigned);
    table.play("stone iron; end; stone iron; end");
    // No further coin.
    assert_eq!(table.holds("persians").3, 1);
    assert_eq!(table.holds("arabs").3, 2);
}

#[test]
fn a34_a_turn_under_way_ends_at_once_without_awards() {
    let table = Position::east("persians")
        .cities_up_to("persians", 5)
        .play("stone iron; resign");
    assert_eq!(table.points("persians"), 0);
    assert_eq!(table.to_move(), "arabs");
    assert_eq!(table.acts(), Some("arabs"));
}

#[test]
fn a34_a_resigned_nation_answers_no_battle() {
    let mut table = Position::east("greeks")
        .with("greeks 1L athen; persians 1L sparta")
        .play("persians: resign; stone maneuver_1; march 1L athen sparta");
    assert_eq!(table.acts(), Some("greeks"));
    // The mover may still fight the units there.
    table.play("battle 1L sparta persians");
}

#[test]
fn a34_a_nation_that_leaves_when_it_is_asked_is_not_waited_for() {
    let position =
        || Position::east("arabs").with("arabs 2L mecca; persians 1L taima; greeks 1L taima");
    let mut table = position().table();
    table.play("stone maneuver_1; march 2L mecca taima");
    assert_eq!(table.acts(), Some("greeks"));
    table.play("greeks: resign");
    assert_eq!(table.acts(), Some("persians"));
    // The mover resigns while a question is open: its turn is over.
    let mut table = position().table();
    table.play("stone maneuver_1; march 2L mecca taima; arabs: resign");
    assert_eq!((table.to_move(), table.acts()), ("greeks", Some("greeks")));
    // A nation that has answered is not asked again when another resigns.
    let mut table = position().table();
    table.play("stone maneuver_1; march 2L mecca taima; greeks: answer 0; persians: resign");
    assert_eq!(table.acts(), Some("arabs"));
}

#[test]
fn a34_the_mover_that_leaves_while_another_is_asked_is_named_in_the_notation() {
    let mut table = Position::east("arabs")
        .with("arabs 2L mecca; greeks 1L taima")
        .table();
    let arabs = table.id("arabs");
    assert_eq!(
        table.game.print_by(&table.state, arabs, &Action::Resign),
        "resign"
    );
    table.play("stone maneuver_1; march 2L mecca taima");
    assert_eq!(
        table.game.print_by(&table.state, arabs, &Action::Resign),
        "arabs: resign"
    );
    let greeks = table.id("greeks");
    let answer = Action::AnswerBattle { count: 1 };
    assert_eq!(
        table.game.print_by(&table.state, greeks, &answer),
        "greeks: answer 1"
    );
}

#[test]
fn a34_when_only_one_player_is_left_that_player_wins() {
    let mut table = Table::start(&east(3));
    table.play("greeks: resign");
    assert_eq!(table.outcome(), None);
    table.play("arabs: resign");
    table.ended(EndReason::Resignation, &[2, 1, 2]);
}

#[test]
fn a34_a_player_with_two_nations_leaves_with_both() {
    let mut table = Table::start(&east_for_two());
    table.play("greeks: resign");
    table.ended(EndReason::Resignation, &[1, 2]);
    let resigned = |nation: &str| table.state.nation(table.id(nation)).resigned;
    assert!(resigned("greeks") && resigned("arabs"));
    assert!(!resigned("phoenicians") && !resigned("persians"));
}

#[test]
fn a34_a_round_begins_with_the_first_nation_left() {
    let mut table = Table::start(&east(4));
    table.play("stone iron; end; phoenicians: resign; stone iron; end; stone iron; end");
    table.play("stone iron; end");
    assert_eq!((table.to_move(), table.state.round), ("persians", 2));
    assert_eq!(table.holds("persians").3, 2);
    assert_eq!(table.holds("phoenicians").3, 1);
}

#[test]
fn a34_the_last_of_a_round_that_leaves_ends_the_round() {
    let mut table = Table::start(&east(4));
    table.play("stone iron; end; stone iron; end; stone iron; end; greeks: resign");
    assert_eq!((table.to_move(), table.state.round), ("phoenicians", 2));
}

#[test]
fn a34_a_nation_that_resigns_while_chips_are_chosen_takes_none() {
    // No coin is left: all four choose, the phoenicians first.
    let before = || {
        let mut table = Position::east("greeks").holds("greeks", "c30").table();
        table.play("stone iron; end");
        table
    };
    let mut table = before();
    table.play("persians: resign; phoenicians: chip gold");
    assert_eq!(table.acts(), Some("arabs"));
    let mut table = before();
    table.play("phoenicians: resign");
    assert_eq!(
        (table.to_move(), table.acts()),
        ("persians", Some("persians"))
    );
    table.play("chip gold; arabs: chip gold; greeks: chip gold; persians: stone iron");
}

#[test]
fn a34_every_turn_has_a_number_of_its_own() {
    // In version 1 the next turn has the same number.
    for (version, taken_over) in [(1, true), (2, false)] {
        let mut table = Position::east("greeks")
            .by_version(version)
            .with("greeks hold c30")
            .play("stone iron; end");
        let unbegun = table.state.turn;
        assert_eq!(table.to_move(), "phoenicians");
        table.play("phoenicians: resign");
        assert_eq!(table.to_move(), "persians");
        let next = if taken_over { unbegun } else { unbegun + 1 };
        assert_eq!(table.state.turn, next, "{version}");
        let began = table.effects.iter().rev().find_map(|effect| match effect {
            Effect::TurnBegan { turn, .. } => Some(*turn),
            _ => None,
        });
        assert_eq!(began, Some(next), "{version}");
    }
}

#[test]
fn a34_start_picks_still_due_are_drawn() {
    let long = with_variants(east(4), &["long_game"]);
    let mut table = Table::start(&long);
    table.play("arabs: resign");
    assert_eq!(table.cities("arabs"), 1);
    assert!(
        ["saba", "adane", "moscha"]
            .iter()
            .any(|city| table.owner(city) == Some("arabs"))
    );
    assert_eq!(table.to_move(), "phoenicians");
    table.play("phoenicians: resign");
    assert_eq!(table.cities("phoenicians"), 1);
    table.play("city susa; city pella");
    assert_eq!((table.state.round, table.to_move()), (1, "persians"));
}

#[test]
fn a34_a_resigned_nation_ranks_behind_all_others_at_a_round_limit() {
    let mut setup = Position::east("greeks")
        .personages("phoenicians", engine::words::Personage::King, 3)
        .setup();
    setup.max_rounds = Some(1);
    let mut table = Table::start(&setup);
    table.play("phoenicians: resign; stone iron; end");
    table.ended(EndReason::RoundLimit, &[4, 1, 1, 1]);
}

#[test]
fn a34_a_nation_that_does_not_play_cannot_resign() {
    for outside in [3, 5, 6, 200] {
        let mut table = Table::start(&east(3));
        let illegal = table
            .apply(Nation(outside), Action::Resign)
            .expect_err("it is not there");
        assert!(matches!(illegal.reason, Reason::NotYourTurn { .. }));
    }
}

#[test]
fn a34_know_how_developed_in_the_turn_of_resigning_stays_developed() {
    let mut table = Position::east("persians")
        .with("persians hold g7; arabs hold g3")
        .play("stone know_how; develop wheel; resign");
    assert_eq!(
        table.personages("persians", engine::words::Personage::Scholar),
        0
    );
    // Later nations pay the later price and win no scholar.
    table.play("stone know_how; develop wheel");
    assert_eq!(table.holds("arabs"), (0, 0, 0, 0));
    table.play("end");
    assert_eq!(table.won(), []);
}

#[test]
fn a34_the_question_stays_open_when_a_nation_that_would_be_asked_later_resigns() {
    let mut table = Position::east("arabs")
        .with("arabs 2L mecca; persians 1L taima; greeks 1L taima")
        .play("stone maneuver_1; march 2L mecca taima; persians: resign");
    assert_eq!(table.acts(), Some("greeks"));
    table.play("greeks: answer 1");
    assert_eq!(table.acts(), Some("arabs"));
    assert_eq!(table.units("taima", "arabs"), (1, 0));
    assert_eq!(table.units("taima", "persians"), (1, 0));
}

#[test]
fn a34_a_nation_that_resigns_keeps_its_chosen_start_city() {
    let mut table = Table::start(&with_variants(east(4), &["long_game"]));
    table.play("city tyros; phoenicians: resign");
    assert_eq!(table.cities("phoenicians"), 1);
    assert_eq!(table.owner("tyros"), Some("phoenicians"));
    assert_eq!(table.acts(), Some("persians"));
    table.play("city susa; city saba; city athen");
    assert_eq!((table.to_move(), table.state.round), ("persians", 1));
}

#[test]
fn a34_the_extra_personage_waits_for_the_mover_only() {
    let mut table = Position::east("greeks")
        .with("greeks know all but roads; arabs know wheel roads; arabs have 1 king")
        .with("greeks hold g5")
        .play("stone know_how; develop roads; end");
    assert_eq!(table.listed(""), ["take king", "take scholar"]);
    let mut other = table.clone();
    other.play("persians: resign");
    assert_eq!(other.acts(), Some("greeks"));
    other.play("take king");
    assert_eq!(other.points("greeks"), 1);
    table.play("greeks: resign");
    assert_eq!(table.points("greeks"), 0);
    assert_eq!(table.to_move(), "phoenicians");
    assert_eq!(table.acts(), Some("phoenicians"));
}
