//! Taking event cards [D40] [D42] and when they are played [D41].

use engine::play::{Effect, Reason};
use engine::state::{Question, QuestionKind};

use super::boards::*;
use crate::rules::table::*;

/// The Romans have five cities and can conquer one with temple: a king, a general and a lost city.
fn three_due() -> Position {
    rome()
        .with("temples carthago; romans 3L carthago")
        .gold_cities("romans", &["ancona", "tolosa"])
}

#[test]
fn d40_a_taken_card_is_replaced_at_once_in_its_place() {
    let mut table = rome()
        .with("open academy tribute burglary; romans 1L carthago")
        .table();
    let next = table.deck().last().expect("a card").clone();
    table.play("stone maneuver_1; conquer carthago 1L; end; card tribute");
    assert_eq!(table.open_row(), ["academy", &next, "burglary"]);
    assert_eq!(table.deck().len(), 21);
    assert_eq!(table.hand("carthaginians"), ["tribute"]);
}

#[test]
fn d40_a_card_that_does_not_lie_open_is_not_taken() {
    let mut table = rome().units("carthago", "romans", 1, 0).table();
    table.play("stone maneuver_1; conquer carthago 1L; end");
    assert_eq!(table.refuses("card academy", "D40"), Reason::NotOpen);
    assert_eq!(table.refuses("end", "D42"), Reason::AnswerFirst);
    assert_eq!(table.refuses("pass", "D42"), Reason::AnswerFirst);
    let acts = table.id("carthaginians");
    table.refuses_because("romans: card settlers", "D10", Reason::NotYourTurn { acts });
    table.lists("", "card fair_wind; card rich_harvest; card settlers");
}

#[test]
fn d40_two_open_cards_of_a_kind_are_one_choice_and_one_is_taken() {
    let mut table = rome()
        .with("open tribute academy tribute; romans 1L carthago")
        .play("stone maneuver_1; conquer carthago 1L; end");
    assert_eq!(table.listed(""), ["card academy", "card tribute"]);
    table.play("card tribute");
    assert_eq!(table.hand("carthaginians"), ["tribute"]);
    assert_eq!(table.open_row()[1..], ["academy", "tribute"]);
}

#[test]
fn d40_an_empty_deck_is_made_of_the_used_cards_when_a_card_must_be_drawn() {
    let mut table = rome()
        .with("used tribute burglary academy")
        .deck(&["fortress"], "romans")
        .with("romans hold g11")
        .play("stone know_how; develop strata; develop navigatio; end; card settlers");
    assert_eq!(table.open_row()[2], "fortress");
    assert_eq!(table.deck(), [] as [&str; 0]);
    assert_eq!(table.used_cards().len(), 3);
    table.play("card fortress");
    let shuffled = |effect: &Effect| matches!(effect, Effect::DeckShuffled { cards: 3 });
    assert!(table.effects.iter().any(shuffled));
    assert_eq!(table.used_cards(), [] as [&str; 0]);
    assert_eq!(table.deck().len(), 2);
    let mut new = table.deck();
    new.push(table.open_row()[2].clone());
    new.sort();
    assert_eq!(new, ["academy", "burglary", "tribute"]);
}

#[test]
fn d40_a_used_card_fills_a_row_that_is_not_full_at_once() {
    let mut table = rome()
        .deck(&[], "carthaginians")
        .hand("romans", &[])
        .units("carthago", "romans", 1, 0)
        .table();
    // All other cards are held: the row shrinks.
    table.play("stone maneuver_1; conquer carthago 1L; pass; end; card settlers");
    assert_eq!(table.open_row(), ["fair_wind", "rich_harvest"]);
    table.play("play tribute");
    assert_eq!(table.open_row(), ["fair_wind", "rich_harvest", "tribute"]);
    assert_eq!(table.used_cards(), [] as [&str; 0]);
    table.play("play conscription L");
    assert_eq!(table.used_cards(), ["conscription"]);
}

#[test]
fn d40_when_no_card_is_left_none_is_taken() {
    let mut table = rome()
        .with("open settlers; romans hand fair_wind rich_harvest")
        .deck(&[], "romans")
        .with("romans hold g18")
        .play("stone know_how; develop strata; develop navigatio; develop moneta; end");
    let question = table.question();
    assert!(matches!(question, Some(Question::Cards { due: 3, .. })));
    table.play("card settlers");
    // Nothing is left for the other two.
    assert!(matches!(table.asks_for(), Some(QuestionKind::Turn)));
    assert_eq!(table.to_move(), "carthaginians");
    assert_eq!(table.open_row(), [] as [&str; 0]);
    // Nor for the next personage: the turn goes on.
    let table = rome()
        .open(&[])
        .hand("romans", &OPEN)
        .deck(&[], "romans")
        .with("romans hold g5")
        .play("stone know_how; develop strata; end");
    assert!(matches!(table.asks_for(), Some(QuestionKind::Turn)));
}

#[test]
fn d41_a_card_must_be_in_the_hand_and_the_turn_ones_own() {
    let table = rome().hand("carthaginians", &["tribute"]).table();
    assert_eq!(table.refuses("play tribute", "D41"), Reason::NotInHand);
    let acts = table.id("romans");
    let reason = table.refuses("carthaginians: play tribute", "D10");
    assert_eq!(reason, Reason::NotYourTurn { acts });
}

#[test]
fn d41_any_number_of_cards_in_a_turn() {
    let mut table = rome()
        .hand(
            "romans",
            &["tribute", "tribute", "burglary", "conscription"],
        )
        .with("carthaginians hold c5")
        .table();
    table.play("play tribute; play burglary; stone iron; play tribute; play conscription G");
    assert_eq!(table.holds("romans"), (0, 1, 0, 5));
    assert_eq!(table.holds("carthaginians"), (0, 0, 0, 3));
    assert_eq!(
        table.used_cards(),
        ["tribute", "burglary", "tribute", "conscription"]
    );
    assert_eq!(table.hand("romans"), [] as [&str; 0]);
}

#[test]
fn d41_no_card_is_played_while_an_answer_is_awaited() {
    // The bank has no coin: a chip is chosen first.
    let mut table = rome()
        .with("romans hand rich_harvest; open academy academy tribute; carthaginians hold c24")
        .play("stone iron");
    table.refuses_because("play rich_harvest", "D14", Reason::AnswerFirst);
    assert_eq!(table.listed("play"), [] as [&str; 0]);
    table.play("chip gold; play rich_harvest");
    // Cards must be taken: neither nation plays one.
    let table = rome()
        .with("carthaginians hand tribute; romans hand tribute; romans 1L carthago")
        .play("stone maneuver_1; conquer carthago 1L; end");
    table.refuses_because("carthaginians: play tribute", "D42", Reason::AnswerFirst);
    table.refuses("romans: play tribute", "D10");
}

#[test]
fn d41_a_card_names_a_place_or_kind_only_where_it_needs_one() {
    let table = rome()
        .hand(
            "romans",
            &["tribute", "conscription", "mercenaries", "earthquake"],
        )
        .with("walls roma")
        .table();
    for (text, reason) in [
        ("play tribute roma", Reason::RegionNotNeeded),
        ("play tribute L", Reason::UnitNotNeeded),
        ("play conscription", Reason::UnitNeeded),
        ("play conscription roma L", Reason::RegionNotNeeded),
        ("play mercenaries L", Reason::RegionNeeded),
        ("play mercenaries roma", Reason::UnitNeeded),
        ("play earthquake", Reason::RegionNeeded),
        ("play earthquake roma L", Reason::UnitNotNeeded),
    ] {
        assert_eq!(table.refuses(text, "D41"), reason, "{text}");
    }
}

#[test]
fn d42_several_due_together_are_picked_one_after_another() {
    let mut table = three_due().table();
    table.play("stone maneuver_1; conquer carthago 3L; end");
    // A king for five cities, a general, and the lost city.
    let question = table.question();
    assert!(matches!(question, Some(Question::Cards { due: 3, .. })));
    assert_eq!(table.points("romans"), 2);
    for left in [2, 1] {
        let card = table.open_row().remove(0);
        table.play(&format!("card {card}"));
        assert_eq!(table.open_row().len(), 3);
        match table.question() {
            Some(Question::Cards { due, .. }) => assert_eq!(due, left),
            other => panic!("{other:?}"),
        }
    }
    let card = table.open_row().remove(0);
    table.play(&format!("card {card}"));
    assert_eq!(table.hand("carthaginians").len(), 3);
    assert_eq!(table.to_move(), "carthaginians");
}

#[test]
fn d42_none_is_picked_after_the_ninth_personage() {
    let table = three_due()
        .with("romans have 4 scholar; romans have 4 citizen")
        .play("stone maneuver_1; conquer carthago 3L; end");
    assert!(table.outcome().is_some());
    assert_eq!(table.question(), None);
    assert_eq!(table.hand("carthaginians"), [] as [&str; 0]);
}
