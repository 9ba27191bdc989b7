//! Moving units [A24] [A26].

use engine::play::Reason;

use crate::rules::table::*;

#[test]
fn a24_a_unit_without_know_how_crosses_one_border() {
    let mut table = Position::east("greeks").with("greeks 2L pella").table();
    table.play("stone maneuver_1; march 1L pella sirmium");
    assert_eq!(table.units("pella", "greeks"), (1, 0));
    assert_eq!(table.units("sirmium", "greeks"), (1, 0));
    let reason = table.refuses("march 1L sirmium napoca", "A24");
    assert_eq!(reason, Reason::TooFewUnits { available: 0 });
}

#[test]
fn a24_legions_cross_land_borders_and_galleys_sea_borders() {
    // athen - dyrrhachion is land, athen - knossos sea, athen - sparta both.
    let mut table = Position::east("greeks").with("greeks 2L2G athen").table();
    table.play("stone maneuver_1");
    let reason = table.refuses("march 1L athen knossos", "A24");
    assert!(matches!(reason, Reason::NoBorder { .. }));
    let reason = table.refuses("march 1G athen dyrrhachion", "A24");
    assert!(matches!(reason, Reason::NoBorder { .. }));
    table.play("march 1L athen dyrrhachion; march 1G athen knossos");
    table.play("march 1L athen sparta; march 1G athen sparta");
    assert_eq!(table.units("sparta", "greeks"), (1, 1));
}

#[test]
fn a24_one_step_crosses_one_border() {
    let mut table = Position::east("greeks")
        .with("greeks know wheel; greeks 1L pella")
        .play("stone maneuver_1");
    let reason = table.refuses("march 1L pella sparta", "A24");
    assert!(matches!(reason, Reason::NoBorder { .. }));
    let reason = table.refuses("march 1L pella pella", "A24");
    assert!(matches!(reason, Reason::NoBorder { .. }));
    table.play("march 1L pella athen; march 1L athen sparta");
}

#[test]
fn a24_no_more_units_march_than_stand_there_and_none_is_no_march() {
    let mut table = Position::east("greeks").with("greeks 2L pella").table();
    table.play("stone maneuver_1");
    let reason = table.refuses("march 3L pella sirmium", "A24");
    assert_eq!(reason, Reason::TooFewUnits { available: 2 });
    let none = engine::play::Action::March {
        unit: engine::words::Piece::Legion,
        count: 0,
        from: table.region("pella"),
        to: table.region("sirmium"),
        left: None,
    };
    let greeks = table.id("greeks");
    let illegal = table.apply(greeks, none).expect_err("no unit marches");
    assert_eq!(
        (illegal.reason, illegal.rule.to_string()),
        (Reason::NoUnits, "A24".into())
    );
}

#[test]
fn a24_only_own_units_move() {
    let mut table = Position::east("greeks").with("persians 3L susa").table();
    table.play("stone maneuver_1");
    let reason = table.refuses("march 1L susa charax", "A24");
    assert_eq!(reason, Reason::TooFewUnits { available: 0 });
}

#[test]
fn a24_those_with_the_fewest_maneuvers_go_first_unless_the_march_names_which() {
    let position = || {
        Position::east("greeks")
            .with("greeks know wheel roads; greeks 2L pella; greeks 1L sirmium")
            .play("stone maneuver_1; march 1L pella sirmium")
    };
    // In sirmium stand one legion with two maneuvers left and one with three.
    let left = |table: &Table, region: &str| {
        table.state.turn_state.maneuvers_left[table.region(region).index()][0]
    };
    let mut table = position();
    assert_eq!(left(&table, "sirmium"), [0, 1, 1, 0]);
    assert_eq!(
        table
            .listed("march")
            .iter()
            .filter(|march| march.contains("sirmium napoca"))
            .count(),
        3
    );
    table.play("march 1L sirmium napoca");
    assert_eq!(left(&table, "sirmium"), [0, 0, 1, 0]);
    assert_eq!(left(&table, "napoca"), [1, 0, 0, 0]);
    let mut table = position();
    table.play("march 1L@3 sirmium napoca");
    assert_eq!(left(&table, "sirmium"), [0, 1, 0, 0]);
    assert_eq!(left(&table, "napoca"), [0, 1, 0, 0]);
    let mut table = position();
    table.play("march 2L sirmium napoca");
    assert_eq!(left(&table, "napoca"), [1, 1, 0, 0]);
}

#[test]
fn a24_a_march_that_names_units_takes_only_those() {
    let table = Position::east("greeks")
        .with("greeks know wheel roads; greeks 1L pella; greeks 1L sirmium")
        .play("stone maneuver_1; march 1L pella sirmium");
    for (march, available) in [
        ("march 2L@2 sirmium napoca", 1),
        ("march 2L@3 sirmium napoca", 1),
        ("march 1L@1 sirmium napoca", 0),
        ("march 1L@0 sirmium napoca", 0),
        ("march 1L@200 sirmium napoca", 0),
    ] {
        table.refuses_because(march, "A24", Reason::TooFewUnits { available });
        // The canonical form of a march that is refused is no march that is listed.
        let (_, action) = table.game.parse(march).expect("it reads");
        let canonical = table.game.canonical(&table.state, action);
        assert!(
            !table
                .listed("march")
                .contains(&table.game.print(&canonical)),
            "{march}"
        );
    }
}

#[test]
fn a24_after_the_first_conquest_nothing_moves_or_fights() {
    let table = Position::east("greeks")
        .with("greeks 2L tyros; greeks 1L athen; persians 1L athen")
        .play("stone maneuver_1; conquer tyros 1L");
    table.refuses_because("march 1L athen sparta", "A24", Reason::PhaseIsOver);
    table.refuses_because("battle 1L athen persians", "A24", Reason::PhaseIsOver);
    assert_eq!(table.listed(""), ["end"]);
}

#[test]
fn a11_after_founding_nothing_is_conquered_and_no_unit_marches() {
    let table = Position::east("greeks")
        .with("greeks hold c3; greeks 2L tyros; greeks 1L sparta")
        .play("stone maneuver_1; found sparta");
    table.refuses_because("conquer tyros 1L", "A11", Reason::PhaseIsOver);
    table.refuses_because("march 1L tyros petra", "A11", Reason::PhaseIsOver);
}

#[test]
fn a24_there_is_no_transport() {
    let mut table = Position::east("greeks").with("greeks 3L3G athen").table();
    table.play("stone maneuver_1; march 3G athen knossos");
    let reason = table.refuses("march 1L athen knossos", "A24");
    assert!(matches!(reason, Reason::NoBorder { .. }));
    assert_eq!(table.units("athen", "greeks"), (3, 0));
}

#[test]
fn a24_units_are_ready_again_in_the_next_maneuver() {
    let mut table = Position::east("greeks").with("greeks 1L pella").table();
    table.play("stone maneuver_1; march 1L pella sirmium; end");
    table.play("stone iron; end; stone iron; end; stone iron; end");
    table.play("stone arming; end; stone gold; end; stone gold; end; stone gold; end");
    table.play("stone maneuver_2; march 1L sirmium napoca");
}

#[test]
fn a26_units_of_several_nations_share_a_region_in_peace() {
    let table = Position::east("greeks")
        .with("greeks 2L athen; persians 2L sparta; arabs 2G sparta")
        .play("stone maneuver_1; march 2L athen sparta; answer 0; end");
    assert_eq!(table.units("sparta", "greeks"), (2, 0));
    assert_eq!(table.units("sparta", "persians"), (2, 0));
    assert_eq!(table.units("sparta", "arabs"), (0, 2));
}

#[test]
fn a26_a_siege_does_not_trouble_a_city() {
    let besieged_by = |units: u8| {
        Position::east("greeks")
            .units("pella", "persians", units, units)
            .holds("greeks", "m5i1g3")
            .table()
    };
    for units in [0, 9] {
        let mut table = besieged_by(units);
        table.play("stone marble");
        assert_eq!(table.holds("greeks"), (6, 1, 3, 0));
        let mut table = besieged_by(units);
        table.play("stone temple; temple pella");
        assert!(table.has_temple("pella"));
        let mut table = besieged_by(units);
        table.play("stone arming; arm pella L");
        assert_eq!(table.units("pella", "greeks"), (1, 0));
        assert_eq!(table.units("pella", "persians"), (units, units));
    }
}
