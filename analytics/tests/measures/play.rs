//! Measures of the course of made-up games: openings by neighbours, income, players against each other.

use analytics::Filters;
use analytics::facts::{GameFacts, PlayerRow, SnapshotRow, TurnRow};
use analytics::question::EndFilter;
use engine::content::Library;
use engine::forms::digest_text;
use engine::play::Action;
use records::Record;
use serde_json::{Value, json};

use super::{assert_row, rows};
use crate::support::{self, NationRow, game, nation};

fn nation_with_opening(
    name: &'static str,
    seat: u32,
    share: f64,
    opening: &'static str,
) -> NationRow {
    NationRow {
        opening,
        ..nation(name, seat, share)
    }
}

#[test]
fn openings_are_grouped_by_those_of_the_neighbours() {
    let four = game(
        "four",
        &[
            nation_with_opening("greeks", 0, 1.0, "growth"),
            nation_with_opening("arabs", 1, 0.0, "military"),
            nation_with_opening("persians", 2, 0.0, "growth"),
            nation_with_opening("phoenicians", 3, 0.0, "progress"),
        ],
    );
    let two = game(
        "two",
        &[
            nation_with_opening("romans", 0, 0.0, "military"),
            nation_with_opening("carthaginians", 1, 1.0, "other"),
        ],
    );
    let rows = rows(
        &[four, two],
        &analytics::OPENINGS_NEIGHBOURS,
        &Filters::default(),
    );
    let found: Vec<(u64, &str, &str, f64)> = rows
        .iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().expect("a text");
            let nations = row["nations"].as_u64().expect("a number");
            let wins = row["wins"].as_f64().expect("a number");
            (nations, text("strategy"), text("neighbours"), wins)
        })
        .collect();
    // The Greeks start, so the Phoenicians come before them.
    let expected = [
        (2, "military", "other", 0.0),
        (2, "other", "military", 1.0),
        (4, "growth", "military, progress", 1.0),
        (4, "military", "growth, growth", 0.0),
        (4, "progress", "growth, growth", 0.0),
    ];
    assert_eq!(found, expected);
    assert_row(
        &rows[2],
        json!({"games": 1, "nation_games": 2, "rate": 0.5}),
    );
}

/// The rows of a turn in which a nation produces this many chips, spends as many coins, and has twice as many cities
/// at the end.
fn turn(game: &GameFacts, nation: &str, own_turn: u32, chips: u32) -> (TurnRow, SnapshotRow) {
    let (edition, month) = (game.game.edition.clone(), game.game.month.clone());
    let id = game.game.game.clone();
    let turn = TurnRow {
        edition: edition.clone(),
        month: month.clone(),
        game: id.clone(),
        nation: nation.into(),
        turn: own_turn,
        digest: None,
        round: own_turn,
        own_turn,
        field: "marble",
        steps: 1,
        extra_steps: 0,
        chips_produced: chips,
        chips_spent: 0,
        coins_spent: chips,
        chips_gained: 0,
        coins_gained: 0,
        trades: 0,
        units_recruited: 0,
        units_armed: 0,
        units_moved: 0,
        units_lost: 0,
        units_beaten: 0,
        temples_built: 0,
        temples_destroyed: 0,
        walls_built: 0,
        walls_destroyed: 0,
        cities_founded: 0,
        cities_conquered: 0,
        conquests_failed: 0,
        know_hows_developed: 0,
        personages_won: 0,
        cards_played: 0,
        cards_given: 0,
    };
    let snapshot = SnapshotRow {
        edition,
        month,
        game: id,
        nation: nation.into(),
        turn: own_turn,
        round: own_turn,
        own_turn,
        marble: 1,
        iron: 2,
        gold: 3,
        coins: 4,
        legions: 1,
        galleys: 1,
        units_boxed: 0,
        cities: 2 * chips,
        temples: 0,
        walls: 0,
        know_hows: 0,
        points: 0,
    };
    (turn, snapshot)
}

#[test]
fn income_compares_winners_with_others() {
    let nations = [nation("greeks", 0, 1.0), nation("arabs", 1, 0.0)];
    let mut made = game("one", &nations);
    for (name, chips) in [("greeks", [1, 3, 5, 7]), ("arabs", [2, 2, 2, 2])] {
        for (own_turn, chips) in (1..).zip(chips) {
            let (turn, snapshot) = turn(&made, name, own_turn, chips);
            made.turns.push(turn);
            made.snapshots.push(snapshot);
        }
    }
    let rows = rows(&[made], &analytics::INCOME, &Filters::default());
    let of = |quantity: &str, by_turn: u64| -> &Value {
        let mut rows = rows.iter();
        let found = rows.find(|row| row["quantity"] == quantity && row["by_turn"] == by_turn);
        found.expect("a row")
    };
    let means = |winners: f64, others: f64| {
        json!({"games": 1, "nation_games": 2, "winners_mean": winners, "others_mean": others,
            "insufficient": true})
    };
    assert_row(of("produced", 2), means(4.0, 4.0));
    assert_row(of("produced", 4), means(16.0, 8.0));
    assert_row(of("spent", 4), means(16.0, 8.0));
    assert_row(of("cities", 2), means(6.0, 4.0));
    assert_row(of("chips", 2), means(6.0, 6.0));
    assert_row(of("coins", 4), means(4.0, 4.0));
    assert_row(of("units", 4), means(2.0, 2.0));
    // No nation had six turns.
    assert_eq!(rows.len(), 2 * 9);
}

/// Makes a game of three with these players, ranks and shares.
fn meeting(id: &str, players: [(&str, u32, f64); 3]) -> GameFacts {
    let nations = ["greeks", "arabs", "persians"];
    let seats = nations.iter().zip(0..).zip(players);
    let seats: Vec<NationRow> = seats
        .map(|((name, seat), (_, _, share))| nation(name, seat, share))
        .collect();
    let mut made = game(id, &seats);
    for (row, (player, rank, _)) in made.seats.iter_mut().zip(players) {
        row.player = player.into();
        row.rank_of_seat = rank;
    }
    made.players = made
        .seats
        .iter()
        .map(|row| PlayerRow {
            edition: row.edition.clone(),
            month: row.month.clone(),
            game: row.game.clone(),
            seat: row.seat,
            player_kind: row.player_kind,
            player: row.player.clone(),
            bot: None,
            temperament: None,
            nations: [row.nation.clone()].into(),
            rank_of_seat: row.rank_of_seat,
            share_parts: row.share_parts,
            share: row.share,
            points: row.points,
        })
        .collect();
    made
}

#[test]
fn players_are_compared_with_each_other() {
    let games = [
        meeting("a", [("ann", 1, 1.0), ("ben", 2, 0.0), ("cleo", 3, 0.0)]),
        meeting("b", [("ann", 2, 0.0), ("ben", 1, 1.0), ("dan", 2, 0.0)]),
        // Ben has two seats, and an open seat has no player.
        meeting("c", [("ann", 2, 0.0), ("ben", 1, 1.0), ("ben", 3, 0.0)]),
        meeting("d", [("ann", 1, 0.5), ("", 1, 0.5), ("cleo", 3, 0.0)]),
    ];
    let filters = Filters {
        player: Some("ann".to_owned()),
        ..Filters::default()
    };
    let rows = rows(&games, &analytics::HEAD_TO_HEAD, &filters);
    let opponents: Vec<&str> = rows
        .iter()
        .filter_map(|row| row["opponent"].as_str())
        .collect();
    assert_eq!(opponents, ["ben", "cleo", "dan"]);
    assert!(rows.iter().all(|row| row["player"] == "ann"));
    let third = 1.0 / 3.0;
    // Ann was ahead of Ben once, behind him twice, and ahead of his other seat.
    assert_row(
        &rows[0],
        json!({"games": 3, "nation_games": 3, "wins": 1.0, "expected": third, "ahead": 0.5}),
    );
    assert_row(&rows[1], json!({"games": 2, "wins": 1.5, "ahead": 1.0}));
    assert_row(&rows[2], json!({"games": 1, "wins": 0.0, "ahead": 0.5}));
}

/// Plays a game of three nations with these actions, then all but one resign.
fn play_script(id: &str, actions: &[&str], resigning: [usize; 2]) -> Record {
    let mut setup = support::setup("antike-east", 3, 7, 3);
    setup.seed = "transposed".to_owned();
    let mut record = support::play(&setup, id, "2026-11-20T12:00:00Z");
    let (game, mut state) = record.setup.start(Library::embedded()).expect("a game");
    record.actions.clear();
    let mut effects = Vec::new();
    for text in actions {
        let (named, action) = game.parse(text).expect("an action");
        let acts = named.unwrap_or(state.to_move);
        record.actions.push(game.print_by(&state, acts, &action));
        game.apply(&mut state, acts, action, &mut effects)
            .expect(text);
    }
    let first = game.first;
    let mut order: Vec<_> = game.all_nations().collect();
    order.rotate_left(first.index());
    for place in resigning {
        let resign = Action::Resign;
        record
            .actions
            .push(game.print_by(&state, order[place], &resign));
        game.apply(&mut state, order[place], resign, &mut effects)
            .expect("legal");
    }
    record.result = game.result_body(&state);
    record.digest = digest_text(state.digest());
    record
}

/// Two ways to one position: the nation that starts stops first on another field, each time without an effect. Then
/// the second nation continues in two ways, and wins in one game.
#[test]
fn a_position_is_the_same_on_every_way_to_it() {
    let game = |id: &str, first: &str, then: &str, resigning| {
        let actions = [
            first,
            "end",
            "stone marble",
            "end",
            "stone marble",
            "end",
            "stone arming",
            "end",
            then,
            "end",
        ];
        play_script(id, &actions, resigning)
    };
    let records = [
        game("a", "stone temple", "stone know_how", [2, 0]),
        game("b", "stone maneuver_1", "stone iron", [2, 1]),
        game("c", "stone gold", "stone iron", [2, 0]),
    ];
    let games: Vec<GameFacts> = records
        .iter()
        .map(|record| GameFacts::derive(record, Library::embedded()).expect("facts"))
        .collect();
    let at = |game: &GameFacts, turn: u32| {
        let row = game.turns.iter().find(|row| row.turn == turn);
        row.and_then(|row| row.digest.clone()).expect("a digest")
    };
    let digest = at(&games[0], 5);
    assert_eq!(digest, at(&games[1], 5));
    assert_ne!(
        at(&games[0], 4),
        at(&games[1], 4),
        "the stone stands elsewhere"
    );
    // Gold was produced.
    assert_ne!(digest, at(&games[2], 5));

    let filters = Filters {
        reason: EndFilter::Any,
        digest: Some(digest.to_string()),
        ..Filters::default()
    };
    let second = &games[0].turns[4].nation;
    let found = rows(&games, &analytics::POSITIONS, &filters);
    assert_eq!(found.len(), 3, "{found:?}");
    for (row, (field, games, wins, example)) in found.iter().zip([
        ("all", 2, 1.0, "a"),
        ("iron", 1, 0.0, "b"),
        ("know_how", 1, 1.0, "a"),
    ]) {
        assert_row(
            row,
            json!({"nation": **second, "turn": 5, "field": field, "games": games, "nation_games": games,
                "wins": wins, "example": example}),
        );
    }
    // All three games begin in the same position.
    let start = Filters {
        digest: Some(at(&games[0], 1).to_string()),
        ..filters.clone()
    };
    let found = rows(&games, &analytics::POSITIONS, &start);
    assert_row(&found[0], json!({"field": "all", "turn": 1, "games": 3}));
    assert_eq!(found.len(), 4);
    let nowhere = Filters {
        digest: Some("0123456789abcdef".to_owned()),
        ..filters
    };
    assert_eq!(rows(&games, &analytics::POSITIONS, &nowhere).len(), 0);
}

/// Without this division, an action that only one bot takes would show which bot is better.
#[test]
fn actions_of_nations_are_compared_within_each_bot() {
    let made = (0..40).map(|index| {
        // Greedy develops sails and wins three games of four; random never does.
        let winner = usize::from(index % 4 == 0);
        let seat = |seat: usize| {
            let share = if seat == winner { 1.0 } else { 0.0 };
            nation(["greeks", "arabs"][seat], seat as u32, share)
        };
        let mut game = game(&format!("game {index}"), &[seat(0), seat(1)]);
        for (row, bot) in game.seats.iter_mut().zip(["greedy", "random"]) {
            (row.bot, row.player) = (Some(bot.into()), bot.into());
            (row.opening, row.play) = (["growth", "other"][row.seat as usize], "bots");
        }
        game
    });
    let games: Vec<GameFacts> = made.collect();
    let rows = rows(&games, &analytics::OPENINGS, &Filters::default());
    let shown = rows.iter().map(|row| {
        (
            row["bot"].as_str().unwrap(),
            row["strategy"].as_str().unwrap(),
            row["rate"].as_f64().unwrap(),
        )
    });
    let shown: Vec<_> = shown.collect();
    assert_eq!(
        shown,
        [("greedy", "growth", 0.75), ("random", "other", 0.25)]
    );
    let nations = self::rows(&games, &analytics::NATIONS, &Filters::default());
    assert!(nations.iter().all(|row| row["bot"] == "all"), "{nations:?}");
}
