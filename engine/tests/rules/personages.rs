//! Winning personages [A30] [A31].

use engine::words::Personage;

use crate::rules::table::*;

/// What the greeks win at the end of a turn in which they do nothing.
fn won(position: Position) -> Vec<Personage> {
    let mut table = position.turn_of("greeks").table();
    table.play("stone iron; end");
    table.won()
}

#[test]
fn a30_a_king_for_every_five_cities() {
    for (cities, kings) in [(4, 0), (5, 1), (9, 1), (10, 2), (15, 3)] {
        let position = Position::east("greeks").cities_up_to("greeks", cities);
        assert_eq!(
            won(position),
            vec![Personage::King; kings],
            "{cities} cities"
        );
    }
}

#[test]
fn a30_a_citizen_for_every_three_temples() {
    let regions = [
        "pella",
        "athen",
        "dyrrhachion",
        "sparta",
        "knossos",
        "ephesos",
    ];
    for (temples, citizens) in [(2, 0), (3, 1), (5, 1), (6, 2)] {
        let position = Position::east("greeks")
            .cities("greeks", &regions)
            .temples(&regions[..temples])
            .personages("greeks", Personage::King, 1);
        assert_eq!(
            won(position),
            vec![Personage::Citizen; citizens],
            "{temples} temples"
        );
    }
}

const SEAS: [&str; 14] = [
    "athen",
    "sparta",
    "knossos",
    "ephesos",
    "paphos",
    "alexandria",
    "cyrene",
    "tyros",
    "pella",
    "dyrrhachion",
    "messana",
    "tomis",
    "sinope",
    "bycantium",
];

#[test]
fn a30_a_navigator_for_every_seven_regions_with_a_galley() {
    for (regions, navigators) in [(6, 0), (7, 1), (13, 1), (14, 2)] {
        let mut position = Position::east("greeks").units("zadrakarta", "greeks", 9, 0);
        for region in &SEAS[..regions] {
            position = position
                .units(region, "greeks", 0, 1)
                .units(region, "arabs", 0, 1);
        }
        assert_eq!(
            won(position),
            vec![Personage::Navigator; navigators],
            "{regions} regions"
        );
    }
}

#[test]
fn a30_galleys_in_one_region_count_once() {
    let mut position = Position::east("greeks");
    for region in &SEAS[..6] {
        position = position.units(region, "greeks", 0, 2);
    }
    assert_eq!(won(position), []);
}

#[test]
fn a30_a_general_for_each_temple_destroyed_this_turn() {
    let table = Position::east("greeks")
        .with("temples tyros susa; greeks 3L tyros; greeks 3L susa; greeks 1L adane")
        .with("greeks have 1 king")
        .play("stone maneuver_1; conquer tyros 3L; conquer susa 3L; conquer adane 1L; end");
    assert_eq!(table.won(), [Personage::General, Personage::General]);
}

#[test]
fn a30_they_are_won_at_the_end_of_the_own_turn_only() {
    let mut table = Position::east("greeks").cities_up_to("persians", 5).table();
    table.play("stone iron; end");
    assert_eq!(table.won(), []);
    table.play("stone iron; end; stone iron");
    assert_eq!(table.won(), []);
    table.play("end");
    assert_eq!(table.won(), [Personage::King]);
    assert_eq!(table.personages("persians", Personage::King), 1);
}

#[test]
fn a30_galleys_count_where_they_stand_at_that_moment() {
    let mut position = Position::east("greeks");
    for region in &SEAS[1..7] {
        position = position.units(region, "greeks", 0, 1);
    }
    let mut table = position.units("ephesos", "greeks", 0, 2).table();
    table.play("stone maneuver_1; march 1G ephesos athen; end");
    assert_eq!(table.won(), [Personage::Navigator]);
}

#[test]
fn a31_ten_cities_and_two_kings_one_lost_and_one_founded_no_third_king_before_fifteen() {
    let mut table = Position::east("greeks")
        .cities_up_to("greeks", 10)
        .with("greeks have 2 king; greeks 1L sparta; phoenicians 1L athen; greeks hold m1i1g1")
        .turn_of("phoenicians")
        .play("stone maneuver_1; conquer athen 1L; end; stone iron; end; stone iron; end");
    assert_eq!(table.cities("greeks"), 9);
    table.play("stone temple; found sparta; end");
    assert_eq!(table.cities("greeks"), 10);
    assert_eq!(table.won(), []);
    assert_eq!(table.personages("greeks", Personage::King), 2);
    let third = |cities| {
        let position = Position::east("greeks").cities_up_to("greeks", cities);
        won(position.personages("greeks", Personage::King, 2))
    };
    assert_eq!(third(14), []);
    assert_eq!(third(15), [Personage::King]);
}

#[test]
fn a31_several_of_a_kind_may_be_won_in_one_turn() {
    let position = Position::east("greeks").cities_up_to("greeks", 11);
    assert_eq!(won(position), [Personage::King, Personage::King]);
}

#[test]
fn a31_personages_are_never_lost() {
    let table = Position::east("greeks")
        .with("greeks have 2 king; greeks have 1 navigator")
        .play("stone iron; end");
    assert_eq!(table.points("greeks"), 3);
}

#[test]
fn a31_an_empty_stack_gives_nothing_then_or_later() {
    // All five navigators are out: seven regions win none, however long they are held.
    let mut position = Position::east("greeks").personages("arabs", Personage::Navigator, 5);
    for region in &SEAS[..7] {
        position = position.units(region, "greeks", 0, 1);
    }
    let mut table = position.table();
    for field in ["iron", "temple", "gold"] {
        table.play(&format!("stone {field}; end"));
        assert_eq!(table.won(), []);
        for _ in 0..3 {
            table.play(&format!("stone {field}; end"));
        }
    }
    // A scholar or general that the stack lacked is not owed: one that were there later, which never
    // happens, would not be won.
    let scholar = Position::east("greeks").with("arabs have 8 scholar; greeks hold g7");
    let general =
        Position::east("greeks").with("arabs have 7 general; temples tyros; greeks 3L tyros");
    for (position, kind, turn) in [
        (
            scholar,
            Personage::Scholar,
            "stone know_how; develop wheel; end",
        ),
        (
            general,
            Personage::General,
            "stone maneuver_2; conquer tyros 3L; end",
        ),
    ] {
        let mut table = position.table();
        table.play(turn);
        assert_eq!(table.won(), []);
        table.state.bank.personages[kind.index()] += 1;
        table.play("stone iron; end; stone iron; end; stone iron; end");
        table.play("stone iron; end");
        assert_eq!(table.won(), []);
        assert_eq!(table.points("greeks"), 0);
    }
}

#[test]
fn a31_of_two_earned_the_last_of_a_stack_is_won_and_a_later_nation_gets_none() {
    let mut table = Position::east("greeks")
        .with("arabs have 8 king")
        .cities_up_to("greeks", 10)
        .cities_up_to("phoenicians", 5)
        .play("stone iron; end");
    assert_eq!(table.won(), [Personage::King]);
    assert_eq!(table.state.bank.personages[Personage::King.index()], 0);
    table.play("stone iron; end");
    assert_eq!(table.won(), []);
    assert_eq!(table.points("phoenicians"), 0);
}

#[test]
fn a31_citizens_and_navigators_are_also_counted_against_those_owned() {
    let temples = [
        "pella",
        "athen",
        "dyrrhachion",
        "sparta",
        "knossos",
        "ephesos",
    ];
    for (count, citizens) in [(3, 0), (5, 0), (6, 1)] {
        let position = Position::east("greeks")
            .cities("greeks", &temples)
            .temples(&temples[..count])
            .with("greeks have 1 king; greeks have 1 citizen");
        assert_eq!(won(position), vec![Personage::Citizen; citizens]);
    }
    for (count, navigators) in [(7, 0), (13, 0), (14, 1)] {
        let mut position = Position::east("greeks").personages("greeks", Personage::Navigator, 1);
        for region in &SEAS[..count] {
            position = position.units(region, "greeks", 0, 1);
        }
        assert_eq!(won(position), vec![Personage::Navigator; navigators]);
    }
}
