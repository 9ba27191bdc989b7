//! Know-how [A18]-[A23].

use engine::play::Reason;
use engine::state::Question;
use engine::words::Personage;

use crate::rules::table::*;

const BASIC: [&str; 4] = ["wheel", "sailing", "market", "monarchy"];
const SECONDARY: [&str; 4] = ["roads", "navigation", "currency", "democracy"];

#[test]
fn a18_a_secondary_know_how_needs_its_basic_one() {
    for (basic, secondary) in BASIC.iter().zip(SECONDARY) {
        let others: Vec<&str> = BASIC.into_iter().filter(|other| other != basic).collect();
        let mut table = Position::east("greeks")
            .knows("greeks", &others)
            .with("greeks hold g30")
            .play("stone know_how");
        let develop = format!("develop {secondary}");
        assert_eq!(table.refuses(&develop, "A18"), Reason::NeedsKnowHow);
        table.play(&format!("develop {basic}; {develop}"));
        assert!(table.knows("greeks", basic) && table.knows("greeks", secondary));
    }
}

#[test]
fn a18_a_know_how_is_bought_once() {
    let mut table = Position::east("greeks").holds("greeks", "g30").table();
    table.play("stone know_how; develop wheel");
    assert_eq!(table.refuses("develop wheel", "A18"), Reason::HasKnowHow);
}

#[test]
fn a19_a_new_basic_costs_7_and_a_new_secondary_10_known_ones_3_and_5() {
    for (basic, secondary) in BASIC.iter().zip(SECONDARY) {
        let position = || Position::east("greeks").holds("greeks", "g17");
        let mut first = position().table();
        first.play(&format!("stone know_how; develop {basic}"));
        assert_eq!(first.holds("greeks").2, 10);
        first.play(&format!("develop {secondary}"));
        assert_eq!(first.holds("greeks").2, 0);
        let mut later = position().knows("arabs", &[basic, secondary]).table();
        later.play(&format!("stone know_how; develop {basic}"));
        assert_eq!(later.holds("greeks").2, 14);
        later.play(&format!("develop {secondary}"));
        assert_eq!(later.holds("greeks").2, 9);
        assert!(later.knows("greeks", basic));
    }
}

#[test]
fn a19_the_price_is_paid_in_gold_and_coins() {
    let mut table = Position::east("greeks").holds("greeks", "m9i9g4c3").table();
    table.play("stone know_how");
    table.refuses("develop wheel m3g4", "A19");
    table.refuses("develop wheel g4c2", "A19");
    table.play("develop wheel");
    assert_eq!(table.holds("greeks"), (9, 9, 0, 0));
    table.refuses("develop sailing", "A4");
}

#[test]
fn a20_the_first_nation_ever_to_get_a_know_how_wins_a_scholar_for_it() {
    let mut table = Position::east("greeks")
        .with("arabs know market; greeks hold g20")
        .play("stone know_how; develop wheel; develop roads; develop market");
    assert_eq!(table.personages("greeks", Personage::Scholar), 0);
    table.play("end");
    assert_eq!(table.won(), [Personage::Scholar, Personage::Scholar]);
    assert_eq!(table.personages("greeks", Personage::Scholar), 2);
}

#[test]
fn a20_no_nation_wins_a_scholar_for_it_again() {
    let mut table = Position::east("greeks")
        .with("greeks hold g7; phoenicians hold g3")
        .play("stone know_how; develop wheel; end");
    assert_eq!(table.personages("greeks", Personage::Scholar), 1);
    table.play("stone know_how; develop wheel; end");
    assert_eq!(table.personages("phoenicians", Personage::Scholar), 0);
}

/// The greeks lack ROADS only, which the arabs have.
fn before_the_eighth() -> Position {
    Position::east("greeks")
        .with("greeks know all but roads; arabs know wheel roads; greeks hold g9")
}

#[test]
fn a21_a_nation_with_all_eight_wins_a_personage_of_the_highest_stack() {
    let mut table = before_the_eighth().table();
    table.play("stone know_how; develop roads; end");
    assert_eq!(table.won(), [Personage::King]);
    assert_eq!(table.personages("greeks", Personage::King), 1);
    let greeks = table.state.nation(table.id("greeks"));
    assert_eq!(greeks.extra_personage, Some(Personage::King));
    assert_eq!(table.to_move(), "phoenicians");
}

#[test]
fn a21_of_several_highest_stacks_the_nation_chooses() {
    let mut table = before_the_eighth()
        .with("arabs have 2 king; arabs have 1 scholar")
        .play("stone know_how; develop roads; end");
    // The turn stays with the nation until it has chosen: 7 kings, scholars and generals are left.
    assert_eq!(table.to_move(), "greeks");
    assert_eq!(
        table.question(),
        Some(Question::Personage {
            asked: table.id("greeks"),
            options: engine::ids::Personages::from_bits(0b00111)
        })
    );
    table.lists("", "take king; take scholar; take general");
    assert_eq!(table.refuses("take citizen", "A21"), Reason::NotAnOption);
    assert_eq!(table.refuses("end", "A21"), Reason::AnswerFirst);
    assert_eq!(table.refuses("trade g2 i1", "A21"), Reason::AnswerFirst);
    table.play("take general");
    assert_eq!(table.personages("greeks", Personage::General), 1);
    assert_eq!(table.to_move(), "phoenicians");
}

#[test]
fn a21_the_stacks_are_compared_after_the_other_awards_of_the_turn() {
    // ROADS is new here: its scholar goes first, so that only the kings are highest then.
    let table = Position::east("greeks")
        .with("greeks know all but roads; greeks hold g10; arabs have 1 king")
        .play("stone know_how; develop roads; end");
    assert_eq!(table.won(), [Personage::Scholar, Personage::King]);
}

#[test]
fn a21_the_extra_personage_does_not_count_against_the_kings_due_later() {
    let mut table = before_the_eighth()
        .with("greeks own sparta; greeks 1L sirmium; greeks hold m1i1g9")
        .play("stone know_how; develop roads; end");
    assert_eq!(table.personages("greeks", Personage::King), 1);
    table.play("stone iron; end; stone iron; end; stone iron; end");
    table.play("stone maneuver_2; found sirmium; end");
    assert_eq!(table.personages("greeks", Personage::King), 2);
}

#[test]
fn a21_it_is_won_once() {
    let mut table = before_the_eighth().table();
    table.play("stone know_how; develop roads; end");
    table.play("stone iron; end; stone iron; end; stone iron; end; stone iron; end");
    assert_eq!(table.points("greeks"), 1);
}

#[test]
fn a21_if_every_stack_is_empty_there_is_nothing() {
    let table = Position::of(east(6))
        .turn_of("greeks")
        .with("greeks know all but roads; arabs know wheel roads; greeks hold g9")
        .all_personages_out()
        .play("stone know_how; develop roads; end");
    assert_eq!(table.won(), []);
    assert_eq!(table.to_move(), "babylonians");
}

#[test]
fn a22_with_all_eight_any_two_chips_are_traded_for_one() {
    let mut table = Position::east("greeks")
        .with("greeks know all; greeks hold m2i1g1c2")
        .table();
    let coins = table.state.bank.coins;
    // At any time in the turn: before the stone moves and after it.
    table.play("trade m1g1 i1; stone temple; trade m1c1 g1; end");
    // With the coin of the round that has begun.
    assert_eq!(table.holds("greeks"), (0, 2, 1, 1 + 1));
    assert_eq!(table.state.bank.coins + 4, coins + 1);
    // And after founding.
    let table = Position::east("greeks")
        .with("greeks know all; greeks 1L sparta; greeks hold m2i1g2")
        .play("stone temple; found sparta; trade m1g1 i1");
    assert_eq!(table.holds("greeks"), (0, 1, 0, 0));
}

#[test]
fn a22_without_all_eight_or_out_of_turn_there_is_no_trade() {
    let mut table = before_the_eighth().table();
    assert_eq!(table.refuses("trade g2 i1", "A22"), Reason::CannotTrade);
    table.refuses("arabs: trade g2 i1", "A11");
    table.play("stone iron");
    assert_eq!(table.listed("trade"), [] as [&str; 0]);
}

#[test]
fn a22_at_once_in_the_turn_of_the_eighth() {
    let mut table = before_the_eighth().table();
    table.play("stone know_how; develop roads; trade g2 i1");
    assert_eq!(table.holds("greeks"), (0, 1, 2, 0));
}

#[test]
fn a22_a_lot_is_two_for_one_and_coins_are_never_received() {
    let table = Position::east("greeks")
        .with("greeks know all; greeks hold m4c2")
        .table();
    for lot in ["m1 i1", "m3 i1", "m4 i2", "m2 c1", "m2 i1c1"] {
        let reason = table.refuses(&format!("trade {lot}"), "A22");
        assert!(matches!(reason, Reason::WrongLot));
    }
    table.refuses("trade g2 i1", "A4");
    assert_eq!(table.listed("trade").len(), 3 * 3);
}

#[test]
fn a23_wheel_and_roads_give_legions_two_and_three_maneuvers() {
    maneuvers_of(
        "L",
        ["saba", "mecca", "petra", "palmyra", "ninive"],
        ["wheel", "roads"],
    );
}

#[test]
fn a23_sailing_and_navigation_give_galleys_two_and_three_maneuvers() {
    maneuvers_of(
        "G",
        ["messana", "sparta", "knossos", "paphos", "attalia"],
        ["sailing", "navigation"],
    );
}

/// One unit walks as far as its nation's know-hows let it.
fn maneuvers_of(unit: &str, path: [&str; 5], know_how: [&str; 2]) {
    for owned in 0..=2 {
        let (legions, galleys) = if unit == "L" { (1, 0) } else { (0, 1) };
        let mut table = Position::east("greeks")
            .knows("greeks", &know_how[..owned])
            .units(path[0], "greeks", legions, galleys)
            .play("stone maneuver_1");
        for step in path.windows(2).take(owned + 1) {
            table.play(&format!("march 1{unit} {} {}", step[0], step[1]));
        }
        let further = &path[owned + 1..];
        let march = format!("march 1{unit} {} {}", further[0], further[1]);
        table.refuses_because(&march, "A24", Reason::TooFewUnits { available: 0 });
    }
}

#[test]
fn a23_monarchy_adds_one_to_the_defence_of_each_own_city_and_democracy_two() {
    let table = Position::east("greeks")
        .with("persians know monarchy; arabs know monarchy democracy")
        .table();
    assert_eq!(table.defence("athen"), 1);
    assert_eq!(table.defence("susa"), 2);
    assert_eq!(table.defence("artaxata"), 2);
    assert_eq!(table.defence("saba"), 3);
}

#[test]
fn a21_a_nation_at_the_goal_by_other_awards_takes_no_extra_personage() {
    let position = |generals| {
        Position::east("greeks")
            .with("greeks know all but roads; greeks hold g10")
            .personages("greeks", Personage::General, generals)
            .with("greeks have 2 king")
    };
    // The scholar for ROADS is the ninth.
    let mut table = position(6).table();
    table.play("stone know_how; develop roads; end");
    assert_eq!(table.won(), [Personage::Scholar]);
    assert_eq!(table.points("greeks"), 9);
    assert!(table.outcome().is_some());
    // With one less it is taken: seven kings and seven scholars are left.
    let mut table = position(5).table();
    table.play("stone know_how; develop roads; end");
    assert_eq!(table.won(), [Personage::Scholar]);
    assert_eq!(table.outcome(), None);
    assert_eq!(table.listed(""), ["take king", "take scholar"]);
}

#[test]
fn a22_there_is_no_trade_while_an_answer_is_awaited() {
    let mut table = Position::east("greeks")
        .with("greeks know all; persians know all; greeks hold m4; persians hold m4")
        .with("greeks 1L athen; persians 1L sparta")
        .play("stone maneuver_1; march 1L athen sparta");
    let acts = table.id("persians");
    table.refuses_because("greeks: trade m2 i1", "A11", Reason::NotYourTurn { acts });
    table.refuses_because("persians: trade m2 i1", "A25", Reason::AnswerFirst);
    table.play("persians: answer 0; greeks: trade m2 i1");
}

#[test]
fn a21_the_extra_personage_does_not_count_against_citizens_and_navigators_due_later() {
    // Five of each kind are left.
    let position = || {
        let mut position = before_the_eighth()
            .with("arabs have 4 king; arabs have 1 citizen; persians have 3 scholar")
            .with("persians have 2 general; greeks hold m5g5; temples pella athen")
            .with("greeks 2G paphos");
        for region in ["athen", "sparta", "knossos", "ephesos", "messana"] {
            position = position.units(region, "greeks", 0, 1);
        }
        position
    };
    for (extra, later) in [
        ("citizen", "stone temple; temple dyrrhachion; end"),
        ("navigator", "stone maneuver_2; march 1G paphos tyros; end"),
    ] {
        let kind = Personage::ALL.iter().find(|kind| kind.to_string() == extra);
        let kind = *kind.expect("it exists");
        let mut table = position().table();
        table.play("stone know_how; develop roads; end");
        table.play(&format!("take {extra}"));
        table.play("stone iron; end; stone iron; end; stone iron; end");
        table.play(later);
        assert_eq!(table.won(), [kind]);
        assert_eq!(table.personages("greeks", kind), 2);
    }
}
