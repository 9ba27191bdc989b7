//! Benchmarks of `search` at a turn in the middle of a game: `cargo bench -p bots`.
//!
//! They measure playouts per second, on one core and on several, and the time to the first result of an analysis.

#[path = "../tests/support/setup.rs"]
#[allow(dead_code, reason = "tests use the rest of it")]
mod setup;

use bots::{Analysis, Bot, Budget, Observation, Search};
use criterion::{Criterion, Throughput};
use engine::chance::Chance;
use engine::content::Library;
use engine::play::{Action, Game};
use engine::state::State;

/// The number of playouts for a decision.
const PLAYOUTS: u32 = 50;

const BOARDS: [(&str, &str, usize); 3] = [
    ("antike", "antike-east", 4),
    ("antike_ii", "antike-ii-orient", 4),
    ("antike_duellum", "duellum-rome-carthage", 2),
];

/// The beginning of a turn in the middle of a game of greedy bots.
fn middle(board: &str, seats: usize) -> (Game, State) {
    let setup = setup::of_bots(board, &vec!["greedy"; seats], &[], "bench", 100);
    let record = bots::play(
        Library::embedded(),
        &setup,
        "a game",
        "2012-10-18T12:00:00Z",
    );
    let record = record.expect("a game");
    let (mut middle, half) = (None, record.actions.len() / 2);
    let replayed = record.replay(Library::embedded(), |step| {
        let ends = step.action == Action::EndTurn && step.state.question.is_none();
        if middle.is_none() && step.index > half && ends {
            middle = Some(step.state.clone());
        }
    });
    let (game, _) = replayed.expect("it replays");
    (game, middle.expect("turns in its second half"))
}

fn playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("playouts");
    group.throughput(Throughput::Elements(PLAYOUTS.into()));
    group.sample_size(10);
    for (edition, board, seats) in BOARDS {
        let (game, state) = middle(board, seats);
        let seen = Observation::new(&game, &state, &mut Chance::new("sight"));
        group.bench_function(edition, |bencher| {
            bencher.iter(|| {
                let budget = Budget::Playouts(PLAYOUTS);
                Search::default().choose(&seen, budget, &mut Chance::new("bench"))
            });
        });
    }
    group.finish();
}

/// One decision on each thread at a time. With twice the threads, the rate should almost double.
fn side_by_side(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("playouts side by side");
    group.sample_size(10);
    let (_, board, seats) = BOARDS[0];
    let (game, state) = middle(board, seats);
    let seen = Observation::new(&game, &state, &mut Chance::new("sight"));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for threads in 1..=cores.min(4) {
        group.throughput(Throughput::Elements(u64::from(PLAYOUTS) * threads as u64));
        group.bench_function(format!("threads: {threads}"), |bencher| {
            bencher.iter(|| {
                std::thread::scope(|scope| {
                    for _ in 0..threads {
                        scope.spawn(|| {
                            let budget = Budget::Playouts(PLAYOUTS);
                            Search::default().choose(&seen, budget, &mut Chance::new("bench"))
                        });
                    }
                });
            });
        });
    }
    group.finish();
}

fn first_answers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("analysis to first answer");
    group.sample_size(20);
    for (edition, board, seats) in BOARDS {
        let (game, state) = middle(board, seats);
        group.bench_function(edition, |bencher| {
            bencher.iter(|| {
                let seen = Observation::new(&game, &state, &mut Chance::new("sight"));
                let mut analysis = Analysis::new(&seen, "bench").expect("the game goes on");
                analysis.think(Budget::Playouts(1));
                analysis.assess(5)
            });
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    playouts(&mut criterion);
    side_by_side(&mut criterion);
    first_answers(&mut criterion);
    criterion.final_summary();
}
