//! Measures how far estimates of an analysis move with ten times as many playouts.
//!
//! `cargo run --release -p bots --example intervals -- [PLAYOUTS] [POSITIONS]` prints, for each board, in how many
//! positions the estimate of ten times the budget with another seed is within the interval, and the factor with which
//! it would be 90 %. It is the source of `TENFOLD_90` in `src/analysis.rs`.

use anyhow::Context;
use bots::{Analysis, Budget, Observation, PlayedGame, play};
use engine::chance::Chance;
use engine::content::Library;
use engine::setup::{Setup, SetupSeat};

const BOARDS: [(&str, usize); 4] = [
    ("antike-east", 4),
    ("antike-west", 4),
    ("antike-ii-orient", 4),
    ("duellum-greece-persia", 2),
];

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |otherwise: u32| match arguments.next() {
        Some(text) => text.parse().context("a number"),
        None => Ok(otherwise),
    };
    let (playouts, positions) = (number(100)?, number(30)? as usize);
    let library = Library::embedded();
    let mut all = Vec::new();
    for (board, seats) in BOARDS {
        let edition = &library.board(board).context("a board")?.data.edition;
        let setup = Setup {
            edition: edition.clone(),
            board: board.to_owned(),
            seats: vec![SetupSeat::bot("search:20"); seats],
            seed: "intervals".to_owned(),
            max_rounds: Some(120),
            ..Setup::default()
        };
        let record = play(library, &setup, "a game", "2012-10-18T12:00:00Z")?;
        let played = PlayedGame::read(&record, library)?;
        let game = &played.game;
        let every = (played.turns.len() / positions).max(1);
        let mut moved = Vec::new();
        for turn in played.turns.iter().skip(every / 2).step_by(every) {
            let seen = Observation::new(game, &turn.state, &mut Chance::new("sight"));
            let few = Analysis::new(&seen, "few").map(|mut analysis| {
                analysis.think(Budget::Playouts(playouts));
                analysis.assess(1)
            });
            let many = Analysis::new(&seen, "many");
            let (Some(few), Some(mut many)) = (few, many) else {
                continue;
            };
            let Some(best) = few.candidates.first() else {
                continue;
            };
            let own = best.line[..best.own].iter();
            let steps: Vec<_> = own.map(|one| (one.nation, one.action)).collect();
            let compared = many.compare(&[&steps], Budget::Playouts(10 * playouts));
            let seat = usize::from(game.seat_of(few.nation));
            let (before, after) = (best.shares[seat], compared[0].shares[seat]);
            // Proven estimates have no interval.
            let margin = (before.high - before.share).max(before.share - before.low);
            if margin > 0.0 {
                moved.push((before.share - after.share).abs() / margin);
            }
        }
        print_row(board, &moved);
        all.extend(moved);
    }
    print_row("all", &all);
    Ok(())
}

/// Prints the part of positions within the interval, and the 90 % quantile of movements in units of its half width.
fn print_row(board: &str, moved: &[f64]) {
    let mut moved = moved.to_vec();
    moved.sort_by(f64::total_cmp);
    let within = moved.iter().filter(|moved| **moved <= 1.0).count();
    let quantile = moved.get(moved.len() * 9 / 10).copied().unwrap_or(0.0);
    println!(
        "{board:24} {:3} positions, {:.2} within the interval, 0.90 within {quantile:.2} of it",
        moved.len(),
        within as f64 / moved.len().max(1) as f64
    );
}
