//! Benchmarks of the engine on one core: replaying a game, random play, listing actions.
//!
//! Run `cargo bench -p engine`. Throughput is in actions, decisions, lists or leaves per second.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use engine::chance::Chance;
use engine::content::Library;
use engine::ids::Nation;
use engine::play::{Action, Effect, Game, Payments, perft};
use engine::setup::{Player, Setup, SetupSeat};
use engine::state::State;
use engine::words::Field;

/// The game of most benchmarks.
fn start() -> (Game, State) {
    start_of("antike", "antike-east", 4)
}

fn start_of(edition: &str, board: &str, seats: usize) -> (Game, State) {
    let seat = SetupSeat {
        nations: Vec::new(),
        player: Player::Open,
    };
    let setup = Setup {
        edition: edition.into(),
        board: board.into(),
        seats: vec![seat; seats],
        seed: "bench".into(),
        max_rounds: Some(60),
        ..Setup::default()
    };
    setup.start(Library::embedded()).expect("the game starts")
}

/// Plays a game to its end, each legal action equally likely. Returns the number of decisions.
fn playout(game: &Game, state: &mut State, chance: &mut Chance) -> u64 {
    let mut actions: Vec<Action> = Vec::new();
    let mut effects: Vec<Effect> = Vec::new();
    let mut decisions = 0;
    while let Some(question) = game.question(state) {
        game.legal_actions(state, Payments::Default, &mut actions);
        let action = actions[chance.below(actions.len() as u32) as usize];
        effects.clear();
        game.apply(state, question.nation(), action, &mut effects)
            .expect("a listed action is accepted");
        decisions += 1;
    }
    decisions
}

/// Plays a game with more building, marching and fighting.
///
/// Each kind of action is equally likely, and turns end late. Returns its actions, and the maneuver of its first 40
/// rounds with the most legal actions, with their number.
///
/// Returns its actions, and the maneuver of its first 40 rounds with the most legal actions, with their number.
fn lively_game(game: &Game, start: &State) -> (Vec<(Nation, Action)>, State, usize) {
    let mut chance = Chance::new("lively");
    let mut state = start.clone();
    let mut played = Vec::new();
    let (mut rich, mut most) = (start.clone(), 0);
    let mut actions: Vec<Action> = Vec::new();
    while let Some(question) = game.question(&state) {
        game.legal_actions(&state, Payments::Default, &mut actions);
        let maneuver = state.turn_state.field.is_some_and(Field::is_maneuver);
        if maneuver && state.round <= 40 && actions.len() > most {
            (rich, most) = (state.clone(), actions.len());
        }
        let mut kinds: Vec<&str> = actions.iter().map(Action::type_name).collect();
        kinds.dedup();
        if kinds.len() > 1 && chance.below(6) > 0 {
            kinds.retain(|kind| *kind != "end_turn");
        }
        let kind = kinds[chance.below(kinds.len() as u32) as usize];
        actions.retain(|action| action.type_name() == kind);
        let action = actions[chance.below(actions.len() as u32) as usize];
        game.apply(&mut state, question.nation(), action, &mut Vec::new())
            .expect("a listed action is accepted");
        played.push((question.nation(), action));
    }
    (played, rich, most)
}

fn replay(c: &mut Criterion) {
    let (game, start) = start();
    let (actions, _, _) = lively_game(&game, &start);
    let mut group = c.benchmark_group("replay");
    group.throughput(Throughput::Elements(actions.len() as u64));
    let mut effects = Vec::new();
    group.bench_function("apply", |b| {
        b.iter(|| {
            let mut state = start.clone();
            for (nation, action) in &actions {
                effects.clear();
                let applied = game.apply(&mut state, *nation, *action, &mut effects);
                black_box(applied).expect("it was played");
            }
            state
        });
    });
    group.bench_function("apply and digest", |b| {
        b.iter(|| {
            let mut state = start.clone();
            for (nation, action) in &actions {
                effects.clear();
                let applied = game.apply(&mut state, *nation, *action, &mut effects);
                black_box(applied).expect("it was played");
                black_box(state.digest());
            }
            state
        });
    });
    group.finish();
}

fn play(c: &mut Criterion) {
    let (game, start) = start();
    let (_, rich, _) = lively_game(&game, &start);
    let (duel, duel_start) = start_of("antike_duellum", "duellum-rome-carthage", 2);
    let (_, duel_rich, _) = lively_game(&duel, &duel_start);
    let mut group = c.benchmark_group("playout");
    for (name, game, from) in [
        ("from the start", &game, &start),
        ("from a rich position", &game, &rich),
        ("of Antike Duellum from a rich position", &duel, &duel_rich),
    ] {
        let chance = Chance::new("playout");
        let decisions = playout(game, &mut from.clone(), &mut chance.clone());
        group.throughput(Throughput::Elements(decisions));
        group.bench_function(name, |b| {
            b.iter(|| playout(game, &mut from.clone(), &mut chance.clone()));
        });
    }
    group.finish();
}

fn positions(c: &mut Criterion) {
    let (game, start) = start();
    let (_, rich, listed) = lively_game(&game, &start);
    let mut group = c.benchmark_group("legal actions");
    group.throughput(Throughput::Elements(1));
    let mut actions = Vec::new();
    group.bench_function(format!("a maneuver with {listed}"), |b| {
        b.iter(|| {
            game.legal_actions(black_box(&rich), Payments::Default, &mut actions);
            actions.len()
        });
    });
    group.finish();

    let mut group = c.benchmark_group("perft");
    for (name, state, depth) in [
        ("the start to depth 7", &start, 7),
        ("a maneuver to depth 2", &rich, 2),
    ] {
        group.throughput(Throughput::Elements(perft(&game, state, depth)));
        group.bench_function(name, |b| b.iter(|| perft(&game, black_box(state), depth)));
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    replay(&mut criterion);
    play(&mut criterion);
    positions(&mut criterion);
    criterion.final_summary();
}
