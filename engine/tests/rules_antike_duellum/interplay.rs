//! Combinations of rules in unusual positions.

use engine::play::Reason;
use engine::state::QuestionKind;
use engine::words::{EndReason, Resource, Unit};

use super::boards::*;
use crate::rules::table::*;

#[test]
fn a_refusal_states_the_price() {
    let mut table = rome_with_special_units()
        .temples(&["cremona", "neapolis"])
        .table();
    let says = |table: &Table, text: &str, rule: &str, message: &str| {
        assert_eq!(table.refuses(text, rule).to_string(), message);
    };
    let message = "the payment does not match the price: nothing";
    says(&table, "stone temple c1", "D10", message);
    table.play("stone temple");
    let message = "the nation cannot pay 6 marble, 1 coin";
    says(&table, "temple roma", "A4", message);
    let message = "the payment does not match the price: 1 marble";
    table.state.nations[0].holdings.coins = 2;
    says(&table, "wall roma c2", "D15", message);
    table.play("end; stone iron; end");
    let message = "2 fields beyond the free ones cost 2 chips or coins: name them in pay";
    says(&table, "stone know_how c1", "D10", message);
    table.play("stone arming");
    let message = "the admiral is set up only in a city with temple";
    says(&table, "arm roma A", "D50", message);
}

/// The Carthaginians, who move last in a round, can take Neapolis.
fn last_of_the_round() -> Position {
    rome()
        .turn_of("carthaginians")
        .units("neapolis", "carthaginians", 0, 1)
}

#[test]
fn d42_cards_due_in_the_last_round_are_taken_before_the_game_ends() {
    let mut setup = last_of_the_round().setup();
    setup.max_rounds = Some(1);
    let mut table = Table::start(&setup);
    table.play("stone maneuver_1; conquer neapolis 1G; end");
    assert_eq!(table.outcome(), None);
    assert_eq!(table.acts(), Some("romans"));
    table.play("card settlers");
    table.ended(EndReason::RoundLimit, &[2, 1]);
    assert_eq!(table.hand("romans"), ["settlers"]);
}

#[test]
fn a34_at_the_round_limit_temples_tell_equal_cities_apart_and_equals_share_a_rank() {
    for (temples, ranks) in [
        (&["roma"][..], vec![1, 2]),
        (&["carthago"][..], vec![2, 1]),
        (&["roma", "carthago"][..], vec![1, 1]),
    ] {
        let mut setup = rome().turn_of("carthaginians").temples(temples).setup();
        setup.max_rounds = Some(1);
        let mut table = Table::start(&setup);
        table.play("stone iron; end");
        assert_eq!(table.outcome(), Some((EndReason::RoundLimit, ranks)));
    }
}

#[test]
fn a34_a_nation_that_must_take_cards_may_resign_and_so_may_the_mover() {
    for (leaves, ranks) in [("romans", vec![2, 1]), ("carthaginians", vec![1, 2])] {
        let mut table = last_of_the_round().table();
        table.play("stone maneuver_1; conquer neapolis 1G; end");
        table.play(&format!("{leaves}: resign"));
        assert_eq!(table.outcome(), Some((EndReason::Resignation, ranks)));
    }
}

#[test]
fn d14_cards_wait_for_the_chip_that_is_taken_for_lack_of_coins() {
    let mut table = rome()
        .with("romans hold c12; carthaginians hold c12; romans hand rich_harvest tribute burglary")
        .table();
    table.refuses_because("play tribute", "D41", Reason::NoEffect);
    table.play("stone iron");
    assert_eq!(table.asks_for(), Some(QuestionKind::Chip));
    for card in ["rich_harvest", "burglary"] {
        table.refuses_because(&format!("play {card}"), "D14", Reason::AnswerFirst);
    }
    table.play("chip gold; play rich_harvest");
    assert_eq!(table.holds("romans"), (0, 3, 1, 12));
    // What a BURGLARY takes can be taken from the bank at once.
    table.play("play burglary; play tribute");
    assert_eq!(table.holds("romans"), (0, 3, 1, 14));
    assert_eq!(table.state.bank.coins, 4);
}

#[test]
fn d18_there_is_no_trade_while_cards_must_be_taken() {
    let table = last_of_the_round()
        .with("romans know commercium; carthaginians know commercium; romans hold m3")
        .with("carthaginians hold m3")
        .play("stone maneuver_1; conquer neapolis 1G; end");
    table.refuses_because("romans: trade m3 i2", "D42", Reason::AnswerFirst);
    let acts = table.id("romans");
    let reason = table.refuses("carthaginians: trade m3 i2", "D10");
    assert_eq!(reason, Reason::NotYourTurn { acts });
}

#[test]
fn d43_mercenaries_lost_in_a_harbour_do_not_change_the_movement() {
    let mut table = rome()
        .with("carthaginians 2G roma; romans 1G corsica; romans know navigatio; romans box 1L2G")
        .with("romans hand fair_wind mercenaries mercenaries")
        .play("stone maneuver_1; play fair_wind");
    table.play("play mercenaries roma G; play mercenaries roma G");
    assert_eq!(table.units("roma", "carthaginians"), (0, 0));
    assert_eq!(table.boxed("romans"), (1, 2));
    assert_eq!(table.boxed("carthaginians"), (1, 3));
    table.play("march 1G corsica roma; march 1G roma neapolis; march 1G neapolis syracusae");
    let reason = table.refuses("march 1G syracusae neapolis", "D24");
    assert_eq!(reason, Reason::TooFewUnits { available: 0 });
}

#[test]
fn d43_an_earthquake_at_home_gives_the_wall_back_to_be_built_elsewhere() {
    let mut table = rome()
        .with("walls roma; romans hold m1; romans hand earthquake")
        .play("stone temple");
    table.refuses_because("wall neapolis", "D15", Reason::NoWallLeft);
    table.play("play earthquake roma; wall neapolis");
    assert!(table.has_wall("neapolis") && !table.has_wall("roma"));
    assert_eq!(table.walls_left("romans"), 0);
}

#[test]
fn d43_an_earthquake_between_two_conquests_makes_the_second_cheaper() {
    let mut table = rome()
        .with("romans 1L carthago; romans 3L caesarea; temples caesarea; walls caesarea")
        .with("romans hand earthquake; carthaginians hand fortress")
        .play("stone maneuver_1; conquer carthago 1L; pass");
    let reason = table.refuses("conquer caesarea 3L", "D27");
    assert_eq!(reason, Reason::WrongLosses { defence: 4 });
    table.play("play earthquake caesarea; conquer caesarea 3L; play fortress");
    assert_eq!(table.owner("caesarea"), Some("carthaginians"));
    assert_eq!(table.units("caesarea", "romans"), (3, 0));
    // One card for the city that was lost.
    table.play("end; card settlers");
    assert_eq!(table.to_move(), "carthaginians");
}

#[test]
fn d43_a_conscription_before_the_stone_arms_no_unit_this_turn() {
    let mut table = rome()
        .boxed("romans", 0, 0)
        .with("romans hold i9c2; romans hand conscription mercenaries")
        .play("play conscription L");
    let reason = table.refuses("play mercenaries roma L", "D41");
    assert_eq!(reason, Reason::NotInBox { unit: Unit::Legion });
    table.play("stone arming");
    table.refuses_because("arm roma L", "D16", Reason::NotInBox { unit: Unit::Legion });
    table.play("end; stone iron; end; play mercenaries roma L");
    assert_eq!(table.boxed("romans"), (1, 0));
}

#[test]
fn d17_a_later_nation_in_the_round_pays_the_lower_price() {
    let mut table = rome().with("romans hold g8; carthaginians hold g4").table();
    table.play("stone know_how; develop res_publica; end; card settlers");
    // The city of who has developed it defends better from the opponent's next turn on.
    assert_eq!(table.defence("roma"), 2);
    table.play("stone know_how; develop res_publica");
    assert_eq!(table.holds("carthaginians"), (0, 0, 0, 0));
    assert!(table.body().turn_state.discovered.is_empty());
}

#[test]
fn d29_a_city_is_conquered_also_when_no_token_of_its_resource_is_left() {
    let taken = [
        "ancona",
        "genua",
        "massilia",
        "numantia",
        "saguntum",
        "syracusae",
        "tacape",
        "tingis",
    ];
    let mut table = rome()
        .gold_cities("romans", &taken)
        .units("carthago", "romans", 1, 0)
        .table();
    assert_eq!(table.tokens_of(Resource::Gold), 0);
    table.play("stone maneuver_1; conquer carthago 1L");
    assert_eq!(table.owner("carthago"), Some("romans"));
    assert_eq!(table.resource("carthago"), Some(Resource::Gold));
    assert_eq!(table.tokens_of(Resource::Gold), 0);
}

#[test]
fn d50_a_fortress_costs_a_unit_where_the_special_unit_made_the_conquest_free() {
    let mut table = rome_with_special_units()
        .turn_of("carthaginians")
        .with("carthaginians special neapolis; carthaginians 1L1G neapolis; romans hand fortress")
        .table();
    assert_eq!(table.defence("neapolis"), 0);
    table.play("stone maneuver_1; conquer neapolis 0; play fortress");
    assert_eq!(table.owner("neapolis"), Some("carthaginians"));
    // Of as many legions as galleys a legion goes.
    assert_eq!(table.units("neapolis", "carthaginians"), (0, 1));
    assert_eq!(
        table.special_at("carthaginians").as_deref(),
        Some("neapolis")
    );
}

#[test]
fn d50_the_defenders_special_unit_stays_in_the_fallen_city_until_hostile_units_come() {
    let position = |version| {
        rome_with_special_units()
            .by_version(version)
            .turn_of("carthaginians")
            .with("romans special roma; carthaginians 2L roma; carthaginians hold i2c5")
            .with("carthaginians box 1L1G")
    };
    let mut table = position(2).table();
    table.play("stone maneuver_1; conquer roma 2L; end; card settlers");
    table.play("stone iron; end; stone arming; arm roma G");
    assert_eq!(table.special_at("romans").as_deref(), Some("roma"));
    assert_eq!(table.units("roma", "carthaginians"), (0, 1));
    // In version 1 it falls to units that are armed there.
    let mut table = position(1).table();
    table.play("stone maneuver_1; conquer roma 2L; end; card settlers");
    assert_eq!(table.special_at("romans").as_deref(), Some("roma"));
    table.play("stone iron; end; stone arming; arm roma G");
    assert_eq!(table.special_at("romans"), None);
    assert_eq!(table.units("roma", "carthaginians"), (0, 0));
    assert_eq!(table.boxed("carthaginians"), (3, 1));
}
