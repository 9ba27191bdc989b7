//! Exactly the listed actions are accepted, also for the actions that only this edition has.

use std::collections::BTreeSet;

use engine::ids::{Card, KnowHow, Region};
use engine::play::{Action, Payments};
use engine::words::{Piece, Resource, Unit};

use super::boards::*;
use crate::rules::table::*;

/// Every conceivable action with default payment, except the stone and trades.
fn thinkable(table: &Table) -> Vec<Action> {
    let mut all = vec![
        Action::EndTurn,
        Action::Pass,
        Action::AnswerBattle { count: 0 },
    ];
    let pay = None;
    let places: Vec<Region> = table.game.board.all().iter().collect();
    let cards = table
        .game
        .rules
        .data
        .cards
        .as_ref()
        .map_or(0, |cards| cards.deck.len());
    for card in (0..cards as u8).map(Card) {
        all.push(Action::TakeCard { card });
        for region in places.iter().copied().map(Some).chain([None]) {
            for unit in [None, Some(Unit::Legion), Some(Unit::Galley)] {
                all.push(Action::PlayCard { card, region, unit });
            }
        }
    }
    for know_how in (0..5).map(KnowHow) {
        all.push(Action::Develop { know_how, pay });
    }
    for resource in Resource::ALL {
        all.push(Action::ChooseChip {
            resource: *resource,
        });
    }
    for unit in Unit::ALL.iter().copied() {
        for count in 0..=13 {
            all.push(Action::Recruit { unit, count, pay });
        }
    }
    for region in places.iter().copied() {
        all.push(Action::BuildTemple { region, pay });
        all.push(Action::BuildWall { region, pay });
        for resource in Resource::ALL.iter().copied().map(Some).chain([None]) {
            all.push(Action::Found {
                region,
                resource,
                pay,
            });
        }
        for (legions, galleys) in (0..8).flat_map(|l| (0..8).map(move |g| (l, g))) {
            all.push(Action::Conquer {
                region,
                legions,
                galleys,
                give_up: None,
            });
        }
        for unit in Piece::ALL.iter().copied() {
            for free in [false, true] {
                all.push(Action::Arm {
                    region,
                    unit,
                    free,
                    pay,
                });
            }
            let neighbours = table.game.board.adjacent(region).iter();
            for to in neighbours.chain([region]) {
                let there = table.state.units(region, table.state.to_move, unit.kind());
                let lefts = [None, Some(1), Some(2), Some(3), Some(4)];
                for (count, left) in (0..there + 2).flat_map(|n| lefts.map(|left| (n, left))) {
                    all.push(Action::March {
                        unit,
                        count,
                        from: region,
                        to,
                        left,
                    });
                }
            }
        }
    }
    all
}

#[track_caller]
pub(super) fn lists_what_is_accepted(table: &Table) {
    let mut list = Vec::new();
    table
        .game
        .legal_actions(&table.state, Payments::Default, &mut list);
    let nation = table
        .game
        .question(&table.state)
        .expect("it goes on")
        .nation();
    assert!(!list.is_empty());
    let accepted = |action: &Action| table.clone().apply(nation, *action).is_ok();
    let print = |action: Action| {
        let canonical = table.game.canonical(&table.state, action);
        table.game.print(&canonical)
    };
    let listed: BTreeSet<String> = list
        .into_iter()
        .filter(|action| !matches!(action, Action::MoveStone { .. } | Action::Trade { .. }))
        .map(print)
        .collect();
    let found = thinkable(table).into_iter().filter(accepted);
    let found: BTreeSet<String> = found.map(print).collect();
    assert_eq!(listed, found);
}

const HAND: [&str; 9] = [
    "academy",
    "burglary",
    "earthquake",
    "forced_march",
    "master_builder",
    "mercenaries",
    "conscription",
    "tribute",
    "settlers",
];

/// A rich position: walls, temples, boxes, cards, units at several cities.
pub(super) fn rich() -> Position {
    rome_with_special_units()
        .hand("romans", &HAND)
        .with("carthaginians hand fortress fortress tribute; romans have 3 general")
        .with("romans know strata commercium; carthaginians know moneta")
        .gold_cities("romans", &["croton"])
        .with("temples roma carthago; walls roma carthago neapolis; romans box 3L2G")
        .with("romans special mare_tyrrhenum; romans 2L1G neapolis; romans 1L ancona")
        .with("romans 2G carales; romans 2L2G carthago; carthaginians 1G roma")
        .with("carthaginians 1L brundisium; romans hold m7i7g7c6; carthaginians hold m5i5g5c4")
}

#[test]
fn d10_before_the_stone_and_on_every_field() {
    let mut table = rich().table();
    lists_what_is_accepted(&table);
    for field in engine::words::Field::ALL {
        let mut table = table.clone();
        table.play(&format!("stone {field}"));
        lists_what_is_accepted(&table);
    }
    // Poor, without cards, boxes and walls.
    table = rome().boxed("romans", 0, 0).table();
    lists_what_is_accepted(&table);
    for field in engine::words::Field::ALL {
        let mut table = table.clone();
        table.play(&format!("stone {field}"));
        lists_what_is_accepted(&table);
    }
}

#[test]
fn d15_d16_while_building_and_arming() {
    let mut table = rich().table();
    table.play("stone temple");
    for action in [
        "wall croton",
        "play master_builder",
        "temple neapolis",
        "play settlers",
    ] {
        table.play(action);
        lists_what_is_accepted(&table);
    }
    let mut table = rich().table();
    table.play("stone arming");
    for action in [
        "arm roma G",
        "arm roma L",
        "play mercenaries croton L",
        "play conscription G",
    ] {
        table.play(action);
        lists_what_is_accepted(&table);
    }
}

#[test]
fn d17_while_recruiting() {
    let mut table = rich().boxed("romans", 6, 7).table();
    table.play("stone know_how; recruit 1L; play academy");
    lists_what_is_accepted(&table);
}

#[test]
fn d24_d43_while_moving_and_conquering() {
    let mut table = rich().table();
    for actions in [
        "stone maneuver_1",
        "march 1L neapolis brundisium",
        "play forced_march",
        "march 1A mare_tyrrhenum carthago",
        "play mercenaries roma G",
        "play earthquake carthago",
        "conquer carthago 1L1G",
        "play fortress",
        "conquer carales 1G",
        "pass",
        "found ancona iron",
        "end",
    ] {
        table.play(actions);
        lists_what_is_accepted(&table);
    }
    while table.to_move() == "romans" {
        let card = table.open_row().remove(0);
        table.play(&format!("card {card}"));
        lists_what_is_accepted(&table);
    }
}

#[test]
fn d50_special_units_in_the_box_and_on_the_board() {
    let mut table = rich().turn_of("carthaginians").table();
    table.play("stone arming; arm carthago C");
    lists_what_is_accepted(&table);
    let mut table = rich()
        .with("carthaginians special caesarea")
        .turn_of("carthaginians")
        .play("stone maneuver_1");
    lists_what_is_accepted(&table);
    table.play("march 1C caesarea zama");
    lists_what_is_accepted(&table);
}
