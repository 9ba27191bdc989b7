//! Variants [A40]-[A46].

use engine::play::Reason;
use engine::state::QuestionKind;
use engine::words::{EndReason, Personage};

use crate::rules::table::*;

#[test]
fn a40_with_three_nations_the_goal_is_twelve() {
    let position = || Position::of(with_variants(east(3), &["three_nation_goal_12"]));
    let play = |position: Position| {
        let mut table = position.turn_of("greeks").table();
        table.play("stone iron; end");
        table.outcome().is_some()
    };
    let scholars = |n| {
        position()
            .personages("greeks", Personage::Scholar, 8)
            .personages("greeks", Personage::General, n)
    };
    assert!(!play(scholars(3)));
    assert!(play(scholars(4)));
    for nations in [4, 5, 6] {
        let error = refused(&with_variants(east(nations), &["three_nation_goal_12"]));
        assert_eq!(error.rule.as_deref(), Some("A40"));
    }
}

#[test]
fn a41_two_players_have_two_nations_each_which_alternate() {
    let mut table = Table::start(&east_for_two());
    let mut order = Vec::new();
    for _ in 0..4 {
        let seat = table.game.seat_of(table.state.to_move);
        order.push((table.to_move().to_owned(), seat));
        table.play("stone iron; end");
    }
    let expected = [
        ("phoenicians", 0),
        ("greeks", 1),
        ("persians", 0),
        ("arabs", 1),
    ];
    assert!(
        order
            .iter()
            .map(|(name, seat)| (name.as_str(), *seat))
            .eq(expected)
    );
}

#[test]
fn a41_the_pairs_are_those_of_the_board() {
    let pairs = |board: &str| {
        let mut pairs: Vec<Vec<String>> = Table::start(&setup(board, &[&[], &[]]))
            .setup
            .seats
            .into_iter()
            .map(|mut seat| {
                seat.nations.sort();
                seat.nations
            })
            .collect();
        pairs.sort();
        pairs
    };
    assert_eq!(
        pairs("antike-east"),
        [["arabs", "greeks"], ["persians", "phoenicians"]]
    );
    assert_eq!(
        pairs("antike-west"),
        [["germanic_tribes", "greeks"], ["phoenicians", "romans"]]
    );
    let wrong = setup(
        "antike-east",
        &[&["greeks", "persians"], &["arabs", "phoenicians"]],
    );
    assert_eq!(refused(&wrong).rule.as_deref(), Some("A41"));
}

#[test]
fn a41_nations_keep_everything_apart_and_the_first_to_nine_wins_for_its_player() {
    let table = Position::of(east_for_two())
        .turn_of("persians")
        .with("persians hold m4; phoenicians hold m9c9")
        .play("stone temple");
    let reason = table.refuses("temple susa", "A4");
    assert!(matches!(reason, Reason::CannotPay { .. }));
    let table = Position::of(east_for_two())
        .turn_of("persians")
        .with("phoenicians have 8 scholar; persians have 8 king")
        .play("stone iron; end");
    assert_eq!(table.outcome(), None);
    let table = Position::of(east_for_two())
        .turn_of("persians")
        .with("persians have 9 king")
        .play("stone iron; end");
    table.ended(EndReason::Goal, &[1, 2]);
}

#[test]
fn a41_an_own_second_nation_is_a_foreign_one() {
    let mut table = Position::of(east_for_two())
        .turn_of("phoenicians")
        .with("phoenicians 1L susa; phoenicians 1L palmyra; persians 1L ninive")
        .play("stone maneuver_1; march 1L palmyra ninive");
    assert_eq!(table.acts(), Some("persians"));
    table.play("answer 0; conquer susa 1L");
    assert_eq!(table.owner("susa"), Some("phoenicians"));
}

fn double() -> engine::setup::Setup {
    let seats: &[&[&str]] = &[&["greeks"], &["babylonians"]];
    let mut setup = with_variants(setup("antike-east", seats), &["two_player_double"]);
    setup.first = Some("greeks".into());
    setup
}

#[test]
fn a42_two_players_pick_three_free_sites_by_turns_one_of_each_resource() {
    let mut table = Table::start(&double());
    assert_eq!(table.asks_for(), Some(QuestionKind::StartCity));
    assert_eq!(table.listed("city").len(), 50);
    assert_eq!((table.state.round, table.state.turn), (0, 0));
    assert_eq!(table.refuses("stone iron", "A42"), Reason::ChooseCityFirst);
    table.play("greeks: city tyros");
    assert_eq!(table.acts(), Some("babylonians"));
    assert_eq!(table.refuses("city tyros", "A42"), Reason::NotASite);
    table.play("babylonians: city pella");
    // The greeks have iron.
    assert_eq!(table.refuses("greeks: city adane", "A42"), Reason::NotASite);
    table.play("greeks: city paphos; babylonians: city adane");
    assert!(table.listed("city").iter().all(|city| {
        let region = city.trim_start_matches("city ");
        table.game.board.site(table.region(region)).resource()
            == Some(engine::words::Resource::Marble)
    }));
    table.play("greeks: city alexandria; babylonians: city mecca");
    // The first to pick begins, with the coin of the first round.
    assert_eq!(
        (table.to_move(), table.state.round, table.state.turn),
        ("greeks", 1, 1)
    );
    assert_eq!(table.holds("greeks"), (2, 1, 3, 1));
    assert_eq!(table.refuses("city susa", "A42"), Reason::NoCityChoice);
}

#[test]
fn a42_the_material_is_double_the_bank_single_and_the_goal_fifteen() {
    let table = Table::start(&double());
    assert_eq!(table.supply("greeks"), (34, 34));
    assert_eq!(table.tokens("greeks"), 50);
    assert_eq!((table.state.bank.coins, table.state.bank.temples), (30, 20));
    assert_eq!(table.state.bank.personages, [9, 8, 7, 6, 5]);
    assert_eq!(table.game.rules.goal, 15);
}

#[test]
fn a42_any_two_nations_of_the_board_play_and_the_first_is_drawn() {
    let mut setup = double();
    setup.first = None;
    let mut first = Vec::new();
    for seed in 0..20 {
        setup.seed = seed.to_string();
        first.push(Table::start(&setup).to_move().to_owned());
    }
    assert!(first.contains(&"greeks".into()) && first.contains(&"babylonians".into()));
    let two = with_variants(
        crate::rules::table::setup("antike-west", &[&[], &[]]),
        &["two_player_double"],
    );
    assert_eq!(Table::start(&two).game.nations.len(), 2);
    refused(&with_variants(east(3), &["two_player_double"]));
}

#[test]
fn a43_each_nation_starts_with_one_of_its_three_cities_before_the_first_coins() {
    let mut table = Table::start(&with_variants(east(4), &["long_game"]));
    table.lists("", "city alexandria; city paphos; city tyros");
    assert_eq!(table.refuses("city susa", "A43"), Reason::NotASite);
    assert_eq!(table.holds("phoenicians"), (2, 1, 3, 0));
    table.play("city tyros; city susa; city saba");
    assert_eq!((table.acts(), table.state.round), (Some("greeks"), 0));
    table.play("city athen");
    assert_eq!(
        (table.to_move(), table.state.round, table.state.turn),
        ("phoenicians", 1, 1)
    );
    for nation in ["phoenicians", "persians", "arabs", "greeks"] {
        assert_eq!(table.cities(nation), 1);
        assert_eq!(table.holds(nation), (2, 1, 3, 1));
    }
}

/// What the greeks win in the turn in which they get the eighth know-how.
fn won_with_all_eight(variant: &str) -> Vec<Personage> {
    let table = Position::of(with_variants(east(4), &[variant]))
        .turn_of("greeks")
        .with("greeks know all but roads; arabs know wheel roads; greeks hold g7")
        .play("stone know_how; develop roads; trade g2 i1; end");
    table.won()
}

#[test]
fn a44_in_the_expert_game_all_eight_win_nothing_but_trade() {
    assert_eq!(won_with_all_eight("expert"), []);
}

#[test]
fn a45_in_the_military_game_a_general_counts_two() {
    let table = Position::of(with_variants(east(4), &["military"]))
        .with("greeks have 3 general; greeks have 2 king")
        .table();
    assert_eq!(table.points("greeks"), 8);
    let stacks = table
        .state
        .bank
        .personages
        .iter()
        .zip(table.game.rules.points);
    let all: u32 = stacks
        .map(|(n, worth)| u32::from(*n) * u32::from(worth))
        .sum();
    assert_eq!(all + 8, 42);
}

#[test]
fn a45_the_goals_of_the_military_game() {
    let goal = |setup| {
        Table::start(&with_variants(setup, &["military"]))
            .game
            .rules
            .goal
    };
    assert_eq!(
        [3, 4, 5, 6].map(|nations| goal(east(nations))),
        [13, 11, 9, 8]
    );
    assert_eq!(goal(east_for_two()), 11);
}

#[test]
fn a45_a_general_can_win_the_military_game_with_its_two_points() {
    let table = Position::of(with_variants(east(4), &["military"]))
        .turn_of("greeks")
        .with("greeks have 8 scholar; greeks have 1 king; temples tyros; greeks 3L tyros")
        .play("stone maneuver_1; conquer tyros 3L; end");
    assert_eq!(table.points("greeks"), 11);
    assert_eq!(
        table.outcome().map(|(reason, _)| reason),
        Some(EndReason::Goal)
    );
}

#[test]
fn a45_all_eight_win_no_personage_in_the_military_game() {
    assert_eq!(won_with_all_eight("military"), []);
}

#[test]
fn a45_a_round_limit_ranks_by_points() {
    let mut setup = Position::of(with_variants(east(4), &["military"]))
        .turn_of("greeks")
        .with("arabs have 2 general; persians have 3 king")
        .setup();
    setup.max_rounds = Some(1);
    let mut table = Table::start(&setup);
    table.play("stone iron; end");
    table.ended(EndReason::RoundLimit, &[3, 2, 1, 3]);
}

#[test]
fn a46_which_variants_do_not_go_together() {
    for (setup, variants) in [
        (east(3), ["three_nation_goal_12", "military"]),
        (east(3), ["military", "three_nation_goal_12"]),
        (double(), ["two_player_double", "military"]),
        (double(), ["two_player_double", "long_game"]),
        (double(), ["long_game", "two_player_double"]),
        (east(4), ["expert", "expert"]),
    ] {
        let error = refused(&with_variants(setup, &variants));
        assert_eq!(error.rule.as_deref(), Some("A46"), "{variants:?}");
        assert_eq!(error.field, "variants[1]");
        let twice = variants[0] == variants[1];
        assert_eq!(error.message.ends_with("is named twice"), twice);
    }
    Table::start(&with_variants(
        east(3),
        &["three_nation_goal_12", "long_game", "expert"],
    ));
    Table::start(&with_variants(east_for_two(), &["long_game", "military"]));
    Table::start(&with_variants(double(), &["two_player_double", "expert"]));
    refused(&with_variants(east(3), &["unheard_of"]));
}
