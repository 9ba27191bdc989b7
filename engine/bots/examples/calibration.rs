//! Compares the shares of analyses with the results of games, and with shares by points alone.
//!
//! `gzip -dc analytics/corpus/*.ndjson.gz | cargo run --release -p bots --example calibration -- [PLAYOUTS] [POSITIONS]`
//!
//! It reads records of finished games, one a line. At POSITIONS turns of each game (8 by default), spread evenly, it
//! analyses the position with PLAYOUTS (100 by default) and compares the shares of the best candidate with the result.
//! A game counts once, however many positions it has.
//!
//! It also fits a scale of shares to each board and number of nations: a share p of a seat becomes p^e, divided by the
//! sum of all seats (temperature scaling, Guo et al., "On Calibration of Modern Neural Networks", ICML 2017). The
//! logarithm of e is shrunk towards that of all games together, with a standard deviation of 0.25. The scales are fitted to one
//! half of the games and measured on the other, and vice versa. STRENGTH.md has the results: no scale is used, because
//! fitted ones predict other games no better.

use std::collections::BTreeMap;
use std::io::stdin;

use anyhow::{Context, Result};
use bots::search::value::Value;
use bots::{Analysis, Budget, Observation, PlayedGame};
use engine::chance::Chance;
use engine::content::Library;
use engine::play::Game;
use rayon::prelude::*;
use records::Record;

/// The standard deviation of the logarithm of exponents around that of all games.
const SPREAD: f64 = 0.25;

/// A position: the shares of an analysis, those by points alone, and the result, by seat.
struct Position {
    table: String,
    game: usize,
    shares: Vec<f64>,
    by_points: Vec<f64>,
    won: Vec<f64>,
    /// 1 divided by the number of positions of the game.
    weight: f64,
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |otherwise: u32| match arguments.next() {
        Some(text) => text.parse().context("a number"),
        None => Ok(otherwise),
    };
    let (playouts, positions) = (number(100)?, number(8)? as usize);
    let lines: Vec<String> = stdin().lines().collect::<Result<_, _>>()?;
    let games = lines.par_iter().enumerate();
    let games: Vec<Vec<Position>> = games
        .map(|(number, line)| positions_of(number, line, playouts, positions))
        .collect::<Result<_>>()?;
    let all: Vec<Position> = games.into_iter().flatten().collect();
    report(&all);
    Ok(())
}

/// Returns the name of a table, such as `antike-east 4`.
fn table(game: &Game) -> String {
    format!("{} {}", game.board.data.id, game.nations.len())
}

/// Returns scaled shares, which sum up to 1.
fn scaled(shares: &[f64], exponent: f64) -> Vec<f64> {
    let grown: Vec<f64> = shares.iter().map(|share| share.powf(exponent)).collect();
    let total: f64 = grown.iter().sum();
    grown.iter().map(|share| share / total).collect()
}

/// Analyses some positions of a game.
fn positions_of(
    number: usize,
    line: &str,
    playouts: u32,
    positions: usize,
) -> Result<Vec<Position>> {
    let record: Record = serde_json::from_str(line)?;
    let played = PlayedGame::read(&record, Library::embedded())?;
    let game = &played.game;
    let result = record.result.context("a finished game")?;
    let mut won = vec![0.0; game.seats()];
    for rank in &result.ranks {
        won[usize::from(rank.seat)] = rank.share;
    }
    // Without weights, the value of a position follows from the points alone.
    let by_points = Value::default();
    let every = (played.turns.len() / positions).max(1);
    let mut analysed = Vec::new();
    for turn in played.turns.iter().skip(every / 2).step_by(every) {
        let seen = Observation::new(game, &turn.state, &mut Chance::new("sight"));
        let Some(mut analysis) = Analysis::new(&seen, "calibration") else {
            continue;
        };
        analysis.think(Budget::Playouts(playouts));
        let Some(best) = analysis.assess(1).candidates.into_iter().next() else {
            continue;
        };
        analysed.push(Position {
            table: table(game),
            game: number,
            shares: best.shares.iter().map(|own| own.share).collect(),
            by_points: by_points.shares(game, &turn.state)[..game.seats()].to_vec(),
            won: won.clone(),
            weight: 0.0,
        });
    }
    let count = analysed.len() as f64;
    for one in &mut analysed {
        one.weight = 1.0 / count;
    }
    Ok(analysed)
}

/// The log-loss of shares.
fn loss(shares: &[f64], won: &[f64]) -> f64 {
    let each = shares.iter().zip(won);
    -each
        .map(|(share, won)| won * share.max(1e-4).ln())
        .sum::<f64>()
}

/// The Brier score of shares: the sum of squared errors.
fn brier(shares: &[f64], won: &[f64]) -> f64 {
    let each = shares.iter().zip(won);
    each.map(|(share, won)| (share - won).powi(2)).sum()
}

/// Returns the best exponent for some positions, shrunk towards another one.
fn best(positions: &[&Position], around: Option<f64>) -> f64 {
    let cost = |log: f64| {
        let losses = positions
            .iter()
            .map(|own| own.weight * loss(&scaled(&own.shares, log.exp()), &own.won));
        let pull = around.map_or(0.0, |around| ((log - around.ln()) / SPREAD).powi(2) / 2.0);
        losses.sum::<f64>() + pull
    };
    let grid = (-100..=100).map(|step| f64::from(step) / 100.0);
    let found = grid.min_by(|one, other| cost(*one).total_cmp(&cost(*other)));
    found.unwrap_or(0.0).exp()
}

fn fit(positions: &[&Position]) -> BTreeMap<String, f64> {
    let all = best(positions, None);
    let mut tables: BTreeMap<String, Vec<&Position>> = BTreeMap::new();
    for one in positions {
        tables.entry(one.table.clone()).or_default().push(one);
    }
    let fitted = tables.into_iter();
    fitted
        .map(|(table, own)| (table, best(&own, Some(all))))
        .collect()
}

/// Prints the scores on games that the exponents were not fitted to.
fn report(all: &[Position]) {
    let half = |parity: usize| all.iter().filter(move |own| own.game % 2 == parity);
    let fitted = [1, 0].map(|other| fit(&half(other).collect::<Vec<_>>()));
    let whole = fit(&all.iter().collect::<Vec<_>>());
    let shares = |own: &Position| {
        let exponent = fitted[own.game % 2].get(&own.table).copied().unwrap_or(1.0);
        scaled(&own.shares, exponent)
    };
    println!(
        "| board and nations | exponent | log-loss: search | scaled | points alone | Brier: search | scaled | points alone |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let row = |name: &str, exponent: &str, own: &[&Position]| {
        let weight: f64 = own.iter().map(|one| one.weight).sum();
        let mean = |score: &dyn Fn(&Position) -> f64| {
            own.iter().map(|one| one.weight * score(one)).sum::<f64>() / weight
        };
        println!(
            "| {name} | {exponent} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} |",
            mean(&|one| loss(&one.shares, &one.won)),
            mean(&|one| loss(&shares(one), &one.won)),
            mean(&|one| loss(&one.by_points, &one.won)),
            mean(&|one| brier(&one.shares, &one.won)),
            mean(&|one| brier(&shares(one), &one.won)),
            mean(&|one| brier(&one.by_points, &one.won)),
        );
    };
    for (table, exponent) in &whole {
        let own: Vec<&Position> = all.iter().filter(|own| own.table == *table).collect();
        row(table, &format!("{exponent:.2}"), &own);
    }
    row("all", "", &all.iter().collect::<Vec<_>>());
    println!("\n| share given | seats: search | share won | seats: scaled | share won |");
    println!("|---|---|---|---|---|");
    let pairs = |of: &dyn Fn(&Position) -> Vec<f64>| -> Vec<(f64, f64)> {
        all.iter()
            .flat_map(|own| of(own).into_iter().zip(own.won.clone()))
            .collect()
    };
    let (raw, scaled_pairs) = (pairs(&|own| own.shares.clone()), pairs(&shares));
    for tenth in 0..10 {
        let within = |(share, _): &&(f64, f64)| ((share * 10.0) as usize).min(9) == tenth;
        let cells = [&raw, &scaled_pairs].map(|pairs| {
            let own: Vec<f64> = pairs.iter().filter(within).map(|(_, won)| *won).collect();
            let mean = own.iter().sum::<f64>() / own.len().max(1) as f64;
            format!("{} | {mean:.2}", own.len())
        });
        println!(
            "| {:.1} to {:.1} | {} |",
            f64::from(tenth as u32) / 10.0,
            f64::from(tenth as u32 + 1) / 10.0,
            cells.join(" | ")
        );
    }
}
