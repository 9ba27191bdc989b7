//! FORTRESS, played against a declared conquest [D43].

use engine::play::{Effect, Reason};
use engine::state::{Question, QuestionKind};
use engine::words::Personage;

use super::boards::*;
use crate::rules::table::*;

/// The Romans stand at Carthago with so many units, the Carthaginians hold these cards.
fn attack(legions: u8, galleys: u8, hand: &[&str]) -> Position {
    rome()
        .units("carthago", "romans", legions, galleys)
        .hand("carthaginians", hand)
        .boxed("romans", 0, 0)
}

#[test]
fn d43_the_defender_is_asked_when_a_conquest_is_declared() {
    let mut table = attack(2, 1, &["fortress", "tribute"]).table();
    table.play("stone maneuver_1; conquer carthago 1G");
    assert_eq!(table.acts(), Some("carthaginians"));
    let asked = Question::Fortress {
        asked: table.id("carthaginians"),
        region: table.region("carthago"),
        lost: [0, 1],
    };
    assert_eq!(table.question(), Some(asked));
    assert_eq!(table.listed(""), ["play fortress", "pass"]);
    let declared = |effect: &Effect| matches!(effect, Effect::ConquestDeclared { galleys: 1, .. });
    assert!(table.effects.iter().any(declared));
    // Nothing has happened yet.
    assert_eq!(table.owner("carthago"), Some("carthaginians"));
    assert_eq!(table.units("carthago", "romans"), (2, 1));
    assert_eq!(table.refuses("end", "D43"), Reason::AnswerFirst);
    let acts = table.id("carthaginians");
    table.refuses_because("romans: end", "D10", Reason::NotYourTurn { acts });
    table.refuses_because("play tribute", "D41", Reason::NotTheMoment);
}

#[test]
fn d43_a_nation_without_fortress_is_not_asked() {
    let mut table = attack(1, 0, &["tribute", "earthquake"]).table();
    table.play("stone maneuver_1; conquer carthago 1L");
    assert_eq!(table.owner("carthago"), Some("romans"));
    // Nor does the attacker's own FORTRESS matter.
    let mut table = attack(1, 0, &[]).hand("romans", &["fortress"]).table();
    table.play("stone maneuver_1; conquer carthago 1L");
    assert_eq!(table.owner("carthago"), Some("romans"));
}

#[test]
fn d43_a_nation_that_passes_loses_the_city_and_keeps_the_card() {
    let mut table = attack(2, 1, &["fortress"]).table();
    table.play("stone maneuver_1; conquer carthago 1G; pass");
    assert_eq!(table.owner("carthago"), Some("romans"));
    assert_eq!(table.units("carthago", "romans"), (2, 0));
    assert_eq!(table.hand("carthaginians"), ["fortress"]);
    assert_eq!(table.acts(), Some("romans"));
}

#[test]
fn d43_with_too_few_units_the_city_is_safe_and_no_unit_is_lost() {
    let table = attack(2, 0, &["fortress"])
        .with("carthaginians 1G carthago")
        .play("stone maneuver_1; conquer carthago 2L; play fortress");
    assert_eq!(table.owner("carthago"), Some("carthaginians"));
    assert_eq!(table.units("carthago", "romans"), (2, 0));
    assert_eq!(table.units("carthago", "carthaginians"), (0, 1));
    assert_eq!(table.boxed("romans"), (0, 0));
    let saved = Effect::CitySaved {
        nation: table.id("carthaginians"),
        region: table.region("carthago"),
    };
    assert!(table.effects.contains(&saved));
    // The card is used, the mover goes on.
    assert_eq!(table.hand("carthaginians"), [] as [&str; 0]);
    assert_eq!(table.used_cards(), ["fortress"]);
    assert_eq!(table.acts(), Some("romans"));
}

#[test]
fn d43_a_saved_city_is_safe_for_the_rest_of_the_turn() {
    let mut table = attack(1, 0, &["fortress"])
        .with("romans hand earthquake; walls carales; romans 3G carales")
        .play("stone maneuver_1; conquer carthago 1L; play fortress");
    table.refuses_because("conquer carthago 1L", "D43", Reason::CityIsSafe);
    assert_eq!(table.listed("conquer carthago"), [] as [&str; 0]);
    // Movement is over all the same, other cities can fall.
    table.refuses("march 1L carthago zama", "D24");
    table.play("play earthquake carales; conquer carales 1G");
    table.refuses_because("conquer carthago 1L", "D43", Reason::CityIsSafe);
    // One city was lost, one saved: a card must be taken.
    table.play("end");
    let question = table.question();
    assert!(matches!(question, Some(Question::Cards { due: 1, .. })));
}

#[test]
fn d43_in_its_next_turn_the_attacker_may_come_again() {
    let mut table = attack(1, 0, &["fortress"]).holds("romans", "c1").table();
    table.play("stone maneuver_1; conquer carthago 1L; play fortress; end");
    // No city was lost: no card is taken.
    table.play("stone iron; end; stone maneuver_2 c1; conquer carthago 1L");
    assert_eq!(table.owner("carthago"), Some("romans"));
}

#[test]
fn d43_else_the_attacker_loses_one_unit_more_of_the_kind_it_has_more_left() {
    for (there, offered, left) in [
        // Of two legions and a galley left, a legion.
        ((3, 1), "1L", (1, 1)),
        // Of a legion and two galleys left, a galley.
        ((1, 3), "1G", (1, 1)),
        // Legions when equal.
        ((2, 1), "1L", (0, 1)),
        ((1, 2), "1G", (0, 1)),
        // Of whatever is there.
        ((1, 1), "1L", (0, 0)),
        ((0, 2), "1G", (0, 0)),
        ((2, 0), "1L", (0, 0)),
    ] {
        let (legions, galleys) = there;
        let mut table = attack(legions, galleys, &["fortress"]).table();
        table.play(&format!("stone maneuver_1; conquer carthago {offered}"));
        table.play("play fortress");
        assert_eq!(table.owner("carthago"), Some("romans"));
        assert_eq!(
            table.units("carthago", "romans"),
            left,
            "{there:?} {offered}"
        );
        let boxed = (legions - left.0, galleys - left.1);
        assert_eq!(table.boxed("romans"), boxed);
    }
}

#[test]
fn d43_the_defenders_units_and_standing_go_as_in_any_conquest() {
    let mut table = attack(7, 0, &["fortress"])
        .with("temples carthago; walls carthago; carthaginians 2G carthago")
        .table();
    assert_eq!(table.defence("carthago"), 6);
    table.play("stone maneuver_1; conquer carthago 6L; play fortress");
    assert_eq!(table.units("carthago", "romans"), (0, 0));
    assert_eq!(table.units("carthago", "carthaginians"), (0, 0));
    assert_eq!(table.boxed("carthaginians"), (1, 3));
    assert_eq!(table.walls_left("carthaginians"), 1);
    assert!(!table.has_temple("carthago"));
    table.play("end");
    assert_eq!(table.won(), [Personage::General]);
    let question = table.question();
    assert!(matches!(question, Some(Question::Cards { due: 2, .. })));
}

#[test]
fn d43_with_exactly_the_defence_even_a_temple_is_saved() {
    let mut table = attack(3, 0, &["fortress"]).temples(&["carthago"]).table();
    table.play("stone maneuver_1; conquer carthago 3L; play fortress; end");
    assert!(table.has_temple("carthago"));
    assert_eq!(table.won(), []);
    assert_eq!(table.to_move(), "carthaginians");
    assert!(matches!(table.asks_for(), Some(QuestionKind::Turn)));
}

#[test]
fn d43_one_fortress_a_conquest_and_asked_again_at_the_next() {
    let mut table = attack(2, 0, &["fortress", "fortress"])
        .with("romans 1G carales")
        .play("stone maneuver_1; conquer carthago 1L; play fortress");
    // Two legions were enough: the second card could not be added.
    assert_eq!(table.owner("carthago"), Some("romans"));
    assert_eq!(table.acts(), Some("romans"));
    table.play("conquer carales 1G");
    assert_eq!(table.acts(), Some("carthaginians"));
    table.play("play fortress");
    assert_eq!(table.owner("carales"), Some("carthaginians"));
    assert_eq!(table.used_cards(), ["fortress", "fortress"]);
}

#[test]
fn d43_a_nation_that_passed_is_asked_again_at_the_next_conquest() {
    let table = attack(1, 0, &["fortress"])
        .with("romans 1G carales")
        .play("stone maneuver_1; conquer carthago 1L; pass; conquer carales 1G; play fortress");
    assert_eq!(table.owner("carthago"), Some("romans"));
    assert_eq!(table.owner("carales"), Some("carthaginians"));
}

#[test]
fn d41_fortress_is_for_the_opponents_turn_only() {
    let position = || rome().with("romans hand fortress; romans 1L carthago");
    let mut table = position().table();
    assert_eq!(table.refuses("play fortress", "D41"), Reason::NotTheMoment);
    for actions in ["stone maneuver_1", "conquer carthago 1L"] {
        table.play(actions);
        assert_eq!(table.refuses("play fortress", "D41"), Reason::NotTheMoment);
        assert_eq!(table.listed("play"), [] as [&str; 0]);
    }
    // In the opponent's turn only when a conquest is declared.
    let mut table = position().table();
    table.play("stone iron; end; stone maneuver_1");
    table.refuses("romans: play fortress", "D10");
}

#[test]
fn d43_units_that_came_with_no_border_left_count_too() {
    let mut table = rome()
        .with("romans 1G mare_tyrrhenum; romans 1G agrigentum; carthaginians hand fortress")
        .play("stone maneuver_1; march 1G mare_tyrrhenum carthago; march 1G agrigentum carthago");
    table.play("conquer carthago 1G; play fortress");
    assert_eq!(table.owner("carthago"), Some("romans"));
    assert_eq!(table.units("carthago", "romans"), (0, 0));
}

#[test]
fn d43_a_used_fortress_may_come_back_with_the_used_cards() {
    let table = attack(1, 0, &["fortress"])
        .with("open tribute tribute")
        .deck(&[], "romans")
        .play("stone maneuver_1; conquer carthago 1L; play fortress");
    // Two cards lay open: the used one fills the row.
    assert_eq!(table.open_row(), ["tribute", "tribute", "fortress"]);
    assert_eq!(table.used_cards(), [] as [&str; 0]);
    assert_eq!(table.state.cards.reshuffles, 1);
}

#[test]
fn d43_a_nation_that_is_asked_may_resign() {
    let mut table = attack(1, 0, &["fortress"]).table();
    table.play("stone maneuver_1; conquer carthago 1L; resign");
    assert_eq!(table.question(), None);
    assert_eq!(table.outcome().map(|(_, ranks)| ranks), Some(vec![1, 2]));
}
