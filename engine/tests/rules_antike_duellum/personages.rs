//! Personages [D30], the cards for them [D31], the goal [D32] and the track's walls [D33].

use engine::state::{Question, QuestionKind};
use engine::words::{EndReason, Personage};

use super::boards::*;
use crate::rules::table::*;

#[test]
fn d30_a_king_for_every_five_cities() {
    let mut table = rome().gold_cities("romans", &["ancona", "tolosa"]).table();
    table.play("stone iron; end");
    assert_eq!(table.won(), [Personage::King]);
    let mut table = rome().gold_cities("romans", &["ancona"]).table();
    table.play("stone iron; end");
    assert_eq!(table.won(), []);
}

#[test]
fn d30_a_king_once_won_stays_and_is_not_won_again() {
    let table = rome()
        .gold_cities("romans", &["ancona", "tolosa"])
        .with("romans have 1 king")
        .play("stone iron; end");
    assert_eq!(table.won(), []);
    let mut table = rome().personages("romans", Personage::King, 1).table();
    table.play("stone iron; end");
    assert_eq!(table.personages("romans", Personage::King), 1);
}

#[test]
fn d30_a_citizen_for_every_three_temples() {
    let mut table = rome().with("temples roma neapolis; romans hold m6").table();
    table.play("stone temple; temple cremona; end");
    assert_eq!(table.won(), [Personage::Citizen]);
}

#[test]
fn d30_a_scholar_for_each_new_know_how() {
    let table = rome()
        .with("carthaginians know moneta; romans hold g15")
        .play("stone know_how; develop moneta; develop strata; develop navigatio; end");
    assert_eq!(table.won(), [Personage::Scholar; 2]);
}

#[test]
fn d30_a_general_for_each_temple_destroyed() {
    let table = rome()
        .no_city("cremona")
        .with("temples carthago carales; romans 3L carthago; romans 3G carales")
        .play("stone maneuver_1; conquer carthago 3L; conquer carales 3G; end");
    assert_eq!(table.won(), [Personage::General; 2]);
}

#[test]
fn d30_a_navigator_for_seven_sea_areas_where_those_without_a_city_count_twice() {
    let three = ["corsica", "mare_tyrrhenum", "mare_balearicum"];
    let place = |position: Position, region: &&str| position.units(region, "romans", 0, 2);
    let mut table = three.iter().fold(rome(), place).table();
    table.play("stone iron; end");
    assert_eq!(table.won(), []);
    let position = three.iter().fold(rome(), place);
    let mut table = position.units("roma", "romans", 0, 1).table();
    table.play("stone iron; end");
    assert_eq!(table.won(), [Personage::Navigator]);
    // Legions control no sea area, and a galley that falls on its way does not count.
    let position = three.iter().fold(rome(), place);
    let table = position
        .with("romans 1L roma; romans 1G neapolis; carthaginians 1G syracusae")
        .play("stone maneuver_1; march 1G neapolis syracusae; end");
    assert_eq!(table.won(), []);
}

#[test]
fn d30_none_is_won_from_an_empty_stack() {
    let table = rome()
        .with("carthaginians have 5 scholar; romans hold g5")
        .play("stone know_how; develop strata; end");
    assert_eq!(table.won(), []);
    // Nor does the opponent take a card for it.
    assert!(matches!(table.asks_for(), Some(QuestionKind::Turn)));
}

#[test]
fn d31_for_each_personage_the_opponent_takes_a_card() {
    let mut table = rome().holds("romans", "g11").table();
    table.play("stone know_how; develop strata; develop navigatio; end");
    let question = table.question();
    assert!(matches!(question, Some(Question::Cards { due: 2, .. })));
    table.play("carthaginians: card settlers");
    let question = table.question();
    assert!(matches!(question, Some(Question::Cards { due: 1, .. })));
    table.play("carthaginians: card rich_harvest");
    assert_eq!(table.hand("carthaginians"), ["rich_harvest", "settlers"]);
    assert_eq!(table.hand("romans"), [] as [&str; 0]);
}

#[test]
fn d32_the_ninth_personage_wins_before_any_card_is_taken() {
    let table = rome()
        .with("romans have 4 king; romans have 4 general; romans 1L carthago")
        .gold_cities("romans", &["ancona", "tolosa", "genua"])
        .with("romans hold g5")
        .play("stone know_how; develop strata; end");
    assert_eq!(table.points("romans"), 9);
    table.ended(EndReason::Goal, &[1, 2]);
    assert_eq!(table.hand("carthaginians"), [] as [&str; 0]);
}

#[test]
fn d32_eight_do_not_win() {
    let table = rome()
        .with("romans have 4 king; romans have 3 general; romans hold g5")
        .play("stone know_how; develop strata; end");
    assert_eq!(table.points("romans"), 8);
    assert_eq!(table.outcome(), None);
}

#[test]
fn d33_whoever_reaches_or_passes_a_wall_on_the_track_gets_one() {
    let received = [1, 2, 3, 4, 4, 5, 5, 6, 6];
    for (points, walls) in received.into_iter().enumerate() {
        let generals = points.min(4) as u8;
        let table = rome()
            .personages("romans", Personage::General, generals)
            .personages("romans", Personage::King, points as u8 - generals)
            .table();
        assert_eq!(table.walls_left("romans"), walls, "{points} points");
        assert_eq!(table.walls_left("carthaginians"), 1);
    }
}

#[test]
fn d33_a_wall_on_the_board_is_none_in_the_supply_until_it_is_destroyed() {
    let mut table = rome()
        .with("romans have 1 general; walls roma; romans hand earthquake; romans hold m9")
        .table();
    assert_eq!(table.walls_left("romans"), 1);
    table.play("stone temple; wall neapolis");
    assert_eq!(table.walls_left("romans"), 0);
    table.play("play earthquake roma");
    assert_eq!(table.walls_left("romans"), 1);
}
