//! Conquest [D27] and the card for lost cities [D28].

use engine::play::{Effect, Reason};
use engine::state::{Question, QuestionKind};
use engine::words::{Personage, Resource, Unit};

use super::boards::*;

#[test]
fn d27_defence_is_one_or_three_and_grows_by_units_wall_and_res_publica() {
    let position = || rome().table();
    assert_eq!(position().defence("carthago"), 1);
    let temple = || rome().temples(&["carthago"]);
    assert_eq!(temple().table().defence("carthago"), 3);
    let wall = || temple().walls(&["carthago"]);
    assert_eq!(wall().table().defence("carthago"), 4);
    let units = || wall().units("carthago", "carthaginians", 2, 1);
    assert_eq!(units().table().defence("carthago"), 7);
    let all = units().knows("carthaginians", &["res_publica"]);
    assert_eq!(all.table().defence("carthago"), 8);
}

#[test]
fn d27_the_conqueror_returns_as_many_units_as_the_defence() {
    let position = || rome().with("romans 2L2G carthago; walls carthago; romans box 1L1G");
    let mut table = position().table();
    table.play("stone maneuver_1");
    table.lists(
        "conquer",
        "conquer carthago 2L; conquer carthago 1L1G; conquer carthago 2G",
    );
    let reason = table.refuses("conquer carthago 1L", "D27");
    assert_eq!(reason, Reason::WrongLosses { defence: 2 });
    let reason = table.refuses("conquer carthago 2L1G", "D27");
    assert_eq!(reason, Reason::WrongLosses { defence: 2 });
    let reason = table.refuses("conquer carthago 3L", "D27");
    let (unit, available) = (Unit::Legion, 2);
    assert_eq!(reason, Reason::TooFewToConquer { unit, available });
    for (losses, left, boxed) in [
        ("2L", (0, 2), (3, 1)),
        ("1L1G", (1, 1), (2, 2)),
        ("2G", (2, 0), (1, 3)),
    ] {
        let mut table = table.clone();
        table.play(&format!("conquer carthago {losses}"));
        assert_eq!(table.units("carthago", "romans"), left);
        assert_eq!(table.boxed("romans"), boxed);
    }
}

#[test]
fn d27_the_city_goes_over_without_its_units_temple_and_wall() {
    // The defender's galley keeps no legion away.
    let mut table = rome()
        .with("temples carthago; walls carthago; carthaginians 2G carthago; romans 7L carthago")
        .table();
    assert_eq!(table.walls_left("carthaginians"), 0);
    table.play("stone maneuver_1; conquer carthago 6L");
    assert_eq!(table.owner("carthago"), Some("romans"));
    assert_eq!(table.resource("carthago"), Some(Resource::Gold));
    assert!(!table.has_temple("carthago") && !table.has_wall("carthago"));
    assert_eq!(table.state.bank.temples, 12);
    assert_eq!(table.walls_left("carthaginians"), 1);
    assert_eq!(table.boxed("carthaginians"), (1, 3));
    assert_eq!(table.units("carthago", "romans"), (1, 0));
    table.play("end");
    assert_eq!(table.won(), [Personage::General]);
}

#[test]
fn d27_hostile_cities_only_and_never_the_last_one() {
    let table = rome()
        .no_city("carales")
        .no_city("caesarea")
        .with("romans 3L carthago; romans 3L roma; romans 1L ancona")
        .play("stone maneuver_1");
    table.refuses_because("conquer carthago 1L", "D27", Reason::LastCity);
    table.refuses_because("conquer roma 1L", "D27", Reason::NoForeignCity);
    table.refuses_because("conquer ancona 1L", "D27", Reason::NoForeignCity);
    assert_eq!(table.listed("conquer"), [] as [&str; 0]);
}

#[test]
fn d27_units_lost_in_a_conquest_are_armed_again_in_the_next_turn() {
    let mut table = rome()
        .with("romans 1L carthago")
        .boxed("romans", 0, 0)
        .with("romans hold i2")
        .play("stone maneuver_1; conquer carthago 1L; end; card settlers; stone iron; end");
    table.play("stone arming; arm carthago L");
    assert_eq!(table.units("carthago", "romans"), (1, 0));
}

#[test]
fn d28_the_loser_takes_one_card_however_many_cities_fell() {
    let mut table = rome()
        .no_city("cremona")
        .with("romans 1L carthago; romans 1G carales")
        .play("stone maneuver_1; conquer carthago 1L; conquer carales 1G; end");
    assert_eq!(table.acts(), Some("carthaginians"));
    let question = table.question();
    assert!(matches!(question, Some(Question::Cards { due: 1, .. })));
    // It is taken at the end of the turn, before the next one begins.
    let ended = |effect: &Effect| matches!(effect, Effect::TurnEnded { .. });
    assert!(!table.effects.iter().any(ended));
    table.play("card fair_wind");
    assert!(table.effects.iter().any(ended));
    assert_eq!(table.hand("carthaginians"), ["fair_wind"]);
    assert_eq!(table.to_move(), "carthaginians");
    assert!(matches!(table.asks_for(), Some(QuestionKind::Turn)));
}

#[test]
fn d28_a_nation_that_loses_no_city_takes_no_card() {
    let table = rome()
        .with("carthaginians 1G corsica; romans 1G roma")
        .play("stone maneuver_1; march 1G roma corsica; end");
    assert!(matches!(table.asks_for(), Some(QuestionKind::Turn)));
    assert_eq!(table.hand("carthaginians"), [] as [&str; 0]);
}
