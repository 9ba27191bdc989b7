//! Games for tests: played by bots, or made up row by row.

use std::sync::Arc;

use analytics::GameFacts;
use analytics::facts::{CardRow, GameRow, SeatRow};
use engine::content::Library;
use engine::setup::{Player, Setup, SetupSeat};
use records::Record;
use serde_json::{Value, json};

/// Returns the setup of a game of bots that take any action.
pub fn setup(board: &str, seats: usize, seed: u32, max_rounds: u32) -> Setup {
    let seat = SetupSeat {
        nations: Vec::new(),
        player: Player::Bot {
            name: "random".to_owned(),
        },
    };
    let data = &Library::embedded().board(board).expect("a board").data;
    Setup {
        edition: data.edition.clone(),
        board: board.to_owned(),
        ruleset_hash: None,
        board_hash: None,
        variants: Vec::new(),
        seats: vec![seat; seats],
        seed: seed.to_string(),
        drawn: 0,
        first: None,
        max_rounds: Some(max_rounds),
        deck: None,
        reshuffles: Vec::new(),
        position: None,
        pace: None,
    }
}

/// Plays such a game and returns its record.
pub fn play(setup: &Setup, id: &str, played_at: &str) -> Record {
    bots::play(Library::embedded(), setup, id, played_at).expect("bots can play it")
}

/// Plays games of different kinds: both boards, two to six seats.
pub fn records(count: u32) -> Vec<Record> {
    let game = |index: u32| {
        let board = ["antike-east", "antike-west"][index as usize % 2];
        let seats = 2 + index as usize % 5;
        let played_at = format!("2026-{:02}-01T12:00:00Z", 10 + index % 3);
        let setup = setup(board, seats, index, 12);
        play(&setup, &format!("game-{index}"), &played_at)
    };
    (0..count).map(game).collect()
}

/// Plays games of greedy bots for 40 rounds: those of bots that take any action have few know-hows.
pub fn greedy(count: u32) -> Vec<Record> {
    let game = |seed: u32| {
        let mut setup = setup("antike-east", 4, seed, 40);
        for seat in &mut setup.seats {
            seat.player = Player::Bot {
                name: "greedy".to_owned(),
            };
        }
        play(&setup, &format!("greedy-{seed}"), "2026-11-20T12:00:00Z")
    };
    (0..count).map(game).collect()
}

/// Plays games of Antike Duellum: both boards, with and without special units. The games are long, because bots that
/// take any action seldom conquer.
pub fn duellum(count: u32) -> Vec<Record> {
    let game = |index: u32| {
        let board = ["duellum-rome-carthage", "duellum-greece-persia"][index as usize % 2];
        let mut setup = setup(board, 2, index, 300);
        if index.is_multiple_of(3) {
            setup.seats[0].player = Player::Bot {
                name: "greedy".to_owned(),
            };
        }
        if index % 4 >= 2 {
            setup.variants = vec!["special_units".to_owned()];
        }
        let played_at = format!("2026-{:02}-01T12:00:00Z", 10 + index % 3);
        play(&setup, &format!("duellum-{index}"), &played_at)
    };
    (0..count).map(game).collect()
}

/// A nation of a made-up game.
#[derive(Clone)]
pub struct NationRow {
    pub nation: &'static str,
    pub seat: u32,
    pub share: f64,
    pub opening: &'static str,
    pub stops: &'static [&'static str],
    /// The numbers of kings, scholars, generals, citizens and navigators.
    pub personages: [u32; 5],
    /// Event cards, each with `taken` or `played`.
    pub cards: &'static [(&'static str, &'static str)],
}

/// Makes a nation with its own seat.
pub fn nation(nation: &'static str, seat: u32, share: f64) -> NationRow {
    NationRow {
        nation,
        seat,
        share,
        opening: "other",
        stops: &[],
        personages: [0; 5],
        cards: &[],
    }
}

/// Makes a game of Antike on antike-east, without turns and awards, but with event cards.
pub fn game(id: &str, nations: &[NationRow]) -> GameFacts {
    let text = |text: &str| -> Arc<str> { text.into() };
    let players = nations
        .iter()
        .map(|nation| nation.seat + 1)
        .max()
        .unwrap_or(0);
    let game = GameRow {
        edition: text("antike"),
        month: text("2026-11"),
        game: text(id),
        log_position: 0,
        recorded_at: "2026-11-20T12:00:00Z".parse().expect("a time"),
        digest: text("0000000000000000"),
        content_1: 0,
        content_2: 0,
        board: text("antike-east"),
        ruleset_hash: text(""),
        ruleset_version: 1,
        board_hash: text(""),
        variants: Default::default(),
        nations: nations.len() as u32,
        players,
        goal: 9,
        rounds: 10,
        turns: 10 * nations.len() as u32,
        actions: 500,
        reason: "goal",
        played_at: "2026-11-20T12:00:00Z".parse().expect("a time"),
        source: text("simulation"),
        rated: false,
        league: None,
        play: "people",
        bot_seats: 0,
        bots: Default::default(),
        from_position: false,
        time_control: "unlimited",
        declared: false,
    };
    let seats = nations.iter().zip(1..).map(|(made_up, place)| {
        let in_seat = nations.iter().filter(|other| other.seat == made_up.seat);
        let stop = |index: usize| made_up.stops.get(index).copied();
        let [king, scholar, general, citizen, navigator] = made_up.personages;
        SeatRow {
            edition: game.edition.clone(),
            month: game.month.clone(),
            game: game.game.clone(),
            log_position: 0,
            recorded_at: game.recorded_at,
            board: game.board.clone(),
            variants: game.variants.clone(),
            nations: game.nations,
            players,
            goal: 9,
            reason: game.reason,
            played_at: game.played_at,
            rated: game.rated,
            league: None,
            play: "people",
            bot_seats: 0,
            bots: Default::default(),
            from_position: false,
            time_control: "unlimited",
            rounds: game.rounds,
            declared: false,
            ruleset_hash: game.ruleset_hash.clone(),
            ruleset_version: game.ruleset_version,
            nation: text(made_up.nation),
            seat: made_up.seat,
            place,
            player_kind: "person",
            player: text("someone"),
            bot: None,
            temperament: None,
            opponents: "people",
            rating: None,
            table_rating: None,
            cluster: made_up.seat,
            rank_of_seat: if made_up.share > 0.0 { 1 } else { 2 },
            share_parts: (made_up.share * 120.0).round() as u32,
            share: made_up.share,
            expected_parts: 120 / (players * in_seat.clone().count() as u32),
            expected: 1.0 / (f64::from(players) * in_seat.count() as f64),
            points: made_up.personages.iter().sum(),
            king,
            scholar,
            general,
            citizen,
            navigator,
            cities: 5,
            temples: 1,
            know_hows: 1,
            walls: 0,
            cards_taken: 0,
            cards_played: 0,
            turns: 10,
            resigned: false,
            opening: made_up.opening,
            opening_turn: None,
            stop_1: stop(0),
            stop_2: stop(1),
            stop_3: stop(2),
            stop_4: stop(3),
            stop_5: stop(4),
            stop_6: stop(5),
            stop_7: stop(6),
            stop_8: stop(7),
        }
    });
    let seats = seats.collect();
    let used = nations.iter().flat_map(|made_up| {
        let card = |(card, act): &(&str, &'static str)| CardRow {
            edition: game.edition.clone(),
            month: game.month.clone(),
            game: game.game.clone(),
            nation: text(made_up.nation),
            card: text(card),
            act,
            cause: None,
            turn: 1,
            round: 1,
            own_turn: 1,
            nth: 1,
            share_parts: (made_up.share * 120.0).round() as u32,
            share: made_up.share,
        };
        made_up.cards.iter().map(card)
    });
    GameFacts {
        cards: used.collect(),
        game,
        seats,
        ..GameFacts::default()
    }
}

/// A turn of a made-up analysis: number, nation, seat, and the win probability of that seat before and after.
pub type JudgedTurn<'a> = (u32, &'a str, u32, f64, f64);

/// Makes an analysis of a game, line by line, with the game's line last.
pub fn analysis(
    game: &str,
    judge: &str,
    seats: u32,
    turns: &[JudgedTurn<'_>],
    turning_points: &[u32],
) -> Vec<Value> {
    let mut lines = Vec::new();
    for (turn, nation, seat, before, after) in turns {
        let shares = |own: f64| -> Vec<Value> {
            let others = (1.0 - own) / f64::from(seats - 1);
            let share = |one| if one == *seat { own } else { others };
            let seats = 0..seats;
            seats
                .map(|one| json!({"seat": one, "share": share(one)}))
                .collect()
        };
        lines.push(json!({
            "kind": "turn", "game": game, "judge": judge, "numbers": "ab".repeat(32), "version": "1.2.3",
            "seed": "1", "round": 1, "turn": turn, "nation": nation, "seat": seat, "actions": [],
            "before": shares(*before), "after": shares(*after), "lost": before - after,
        }));
    }
    let of = |seat| turns.iter().filter(|turn| turn.2 == seat).count();
    let players = (0..seats).map(|seat| json!({"seat": seat, "turns": of(seat)}));
    lines.push(json!({
        "kind": "game", "game": game, "judge": judge, "numbers": "ab".repeat(32), "version": "1.2.3",
        "seed": "1", "players": players.collect::<Vec<Value>>(), "turning_points": turning_points,
    }));
    lines
}

/// Makes an analysis of all turns of a game.
pub fn analysis_of(game: &GameFacts, judge: &str) -> Vec<Value> {
    let seat_of = |nation: &str| {
        let mut seats = game.seats.iter();
        let own = seats.find(|seat| *seat.nation == *nation);
        own.map_or(0, |own| own.seat)
    };
    let turns = game.turns.iter().map(|row| {
        let lost = f64::from(row.turn * 7 % 16) / 100.0;
        let nation = &*row.nation;
        (row.turn, nation, seat_of(nation), 0.4, 0.4 - lost)
    });
    let turns: Vec<JudgedTurn<'_>> = turns.collect();
    analysis(
        &game.game.game,
        judge,
        game.game.players,
        &turns,
        &[turns[1].0],
    )
}

/// Joins lines as in a file.
pub fn ndjson(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}
