//! Fits the weights by which `search` evaluates positions, to games between bots.
//!
//! It writes them to `engine/bots/data/value.json`:
//!
//! `cargo run --release -p bots --example fit -- GAMES BOTS [--hold HOLD] [EDITION]`
//!
//! BOTS is a list of bots, separated by commas. One is drawn for all seats of each game. The position at the start of
//! each turn is an example: the possessions of the nations, and the winner. A softmax regression is fitted to nine of
//! ten games. The program prints its loss on the tenth, and the loss without any knowledge.
//!
//! HOLD is the strength of regularization, 0.001 by default. If given, it does not apply to the greedy bot's
//! evaluation (`worth`), so a higher value keeps the weights closer to that. The weights that predict winners best
//! are not always the best ones to play by, because possessions of winners need not be the cause of winning. In
//! Duellum, a fit to 700 games of greedy without it valued RES PUBLICA at three personages and marble at nothing. A
//! bot with these weights traded its marble away and lost. So check weights by matches, not by the loss alone.
//!
//! The same arguments give the same file, on machines with the same mathematical library.

#[path = "../tests/support/setup.rs"]
#[allow(dead_code, reason = "tests use the rest of it")]
mod setup;

use anyhow::{Context, Result, bail};
use bots::search::value::{FEATURES, FeatureVector, Value, WEIGHTS, final_shares, measure};
use engine::chance::Chance;
use engine::content::Library;
use engine::ids::MAX_NATIONS;
use engine::play::Action;
use rayon::prelude::*;

/// The maximum number of rounds of a game.
const MAX_ROUNDS: u32 = 100;
/// Boards with numbers of seats, played equally often.
const BOARDS: &[(&str, &str, &[usize])] = &[
    ("antike", "antike-east", &[4, 4, 3, 5]),
    ("antike", "antike-west", &[4, 4, 6, 2]),
    ("antike_ii", "antike-ii-orient", &[4, 4, 3, 5]),
    ("antike_ii", "antike-ii-mare-nostrum", &[4, 4, 6]),
    ("antike_duellum", "duellum-rome-carthage", &[2]),
    ("antike_duellum", "duellum-greece-persia", &[2]),
];
/// One of this many turns becomes an example.
const EVERY: usize = 2;
/// The number of steps of the gradient descent.
const STEPS: usize = 400;
/// The default strength of regularization.
const HOLD: f64 = 1e-3;

/// The start of a turn: the nations with their seats, and the final share of each seat.
struct Example {
    nations: Vec<(usize, FeatureVector)>,
    won: [f64; MAX_NATIONS],
    game: u64,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [games, bots, options @ ..] = &arguments[..] else {
        bail!("give GAMES, BOTS and if you like --hold HOLD and an EDITION");
    };
    let (hold, editions) = match options {
        [option, hold, editions @ ..] if option == "--hold" => {
            (Some(hold.parse().context("HOLD is a number")?), editions)
        }
        editions => (None, editions),
    };
    let games: u64 = games.parse().context("GAMES is a number")?;
    let bots: Vec<&str> = bots.split(',').collect();
    let mut value = Value::embedded().clone();
    value.features = FEATURES.iter().map(|name| (*name).to_owned()).collect();
    let command = format!(
        "cargo run --release -p bots --example fit -- {}",
        arguments.join(" ")
    );
    for edition in ["antike", "antike_ii", "antike_duellum"] {
        if editions.is_empty() || editions.iter().any(|named| named == edition) {
            let examples = examples(edition, games, &bots)?;
            let weights = fit(&examples, edition, hold);
            value.weights.insert(edition.to_owned(), weights);
            value.fitted.insert(edition.to_owned(), command.clone());
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/value.json");
    std::fs::write(path, serde_json::to_string_pretty(&value)? + "\n")?;
    Ok(())
}

/// Plays the games on all cores.
fn examples(edition: &str, games: u64, bots: &[&str]) -> Result<Vec<Example>> {
    let played = (0..games).into_par_iter();
    let played: Vec<Vec<Example>> = played
        .map(|number| play(edition, number, bots))
        .collect::<Result<_>>()?;
    Ok(played.into_iter().flatten().collect())
}

fn play(edition: &str, number: u64, bots: &[&str]) -> Result<Vec<Example>> {
    let mut chance = Chance::new(&format!("fit {edition} {number}"));
    let boards: Vec<_> = BOARDS.iter().filter(|board| board.0 == edition).collect();
    let (_, board, seats) = boards[chance.below(boards.len() as u32) as usize];
    let seats = seats[chance.below(seats.len() as u32) as usize];
    // Only equal bots: otherwise the habits of a stronger one would seem to win.
    let drawn = vec![bots[chance.below(bots.len() as u32) as usize]; seats];
    let seed = format!("fit {edition} {number}");
    let setup = setup::of_bots(board, &drawn, &[], &seed, MAX_ROUNDS);
    let record = bots::play(
        Library::embedded(),
        &setup,
        "a game",
        "2012-10-18T12:00:00Z",
    )?;
    let mut examples = Vec::new();
    let mut turns = chance.below(EVERY as u32) as usize;
    let (game, last) = record.replay(Library::embedded(), |step| {
        if matches!(step.action, Action::EndTurn) && step.state.question.is_none() {
            turns += 1;
            if turns.is_multiple_of(EVERY) && step.state.outcome.is_none() {
                let measured = |nation| {
                    (
                        usize::from(step.game.seat_of(nation)),
                        measure(step.game, step.state, nation),
                    )
                };
                examples.push(Example {
                    nations: step.game.all_nations().map(measured).collect(),
                    won: [0.0; MAX_NATIONS],
                    game: number,
                });
            }
        }
    })?;
    let won = final_shares(&game, &last).context("the game has an end")?;
    for example in &mut examples {
        example.won = won;
    }
    Ok(examples)
}

/// The features that can only be harmful. All others can only be useful.
///
/// A fit can have a wrong sign if a feature only accompanies winning or losing. A search with such a weight would, for
/// example, waste its gold.
const HARMS: [&str; 3] = ["temples_at_risk", "cities_at_risk", "turns_until_own"];

/// Sets weights with the wrong sign to 0, for the start and for the end of a game.
fn hold_to_signs(weights: &mut [f64; WEIGHTS]) {
    for (index, name) in FEATURES.iter().enumerate() {
        let sign = if HARMS.contains(name) { -1.0 } else { 1.0 };
        let early = (sign * weights[index]).max(0.0);
        let late = (sign * weights[index + FEATURES.len()]).max(-early);
        weights[index] = sign * early;
        weights[index + FEATURES.len()] = sign * late;
    }
}

/// Adds the gradient of an example's loss to `gradient`, and returns the loss.
fn learn(weights: &[f64], example: &Example, gradient: Option<&mut [f64]>) -> f64 {
    let strength = |measured: &FeatureVector| -> f64 {
        weights.iter().zip(measured).map(|(w, x)| w * x).sum()
    };
    let strengths: Vec<f64> = example.nations.iter().map(|(_, m)| strength(m)).collect();
    let most = strengths.iter().copied().fold(f64::MIN, f64::max);
    let grown: Vec<f64> = strengths.iter().map(|s| (s - most).exp()).collect();
    let total: f64 = grown.iter().sum();
    let mut seats = [0.0; MAX_NATIONS];
    for ((seat, _), grown) in example.nations.iter().zip(&grown) {
        seats[*seat] += grown / total;
    }
    if let Some(gradient) = gradient {
        for ((seat, measured), grown) in example.nations.iter().zip(&grown) {
            let part = grown / total;
            // The share of a seat is divided among its nations in proportion to their strength.
            let pull = part - example.won[*seat] * part / seats[*seat].max(1e-12);
            for (sum, x) in gradient.iter_mut().zip(measured) {
                *sum += pull * x;
            }
        }
    }
    let lost = seats.iter().zip(example.won).filter(|(_, won)| *won > 0.0);
    lost.map(|(expected, won)| -won * expected.max(1e-12).ln())
        .sum()
}

fn fit(examples: &[Example], edition: &str, hold: Option<f64>) -> Vec<f64> {
    let mut held_small = [hold.unwrap_or(HOLD); WEIGHTS];
    let worth = FEATURES.iter().position(|name| *name == "worth");
    if let Some(worth) = worth.filter(|_| hold.is_some()) {
        held_small[worth] = 0.0;
        held_small[worth + FEATURES.len()] = 0.0;
    }
    let (held, seen): (Vec<&Example>, Vec<&Example>) =
        examples.iter().partition(|example| example.game % 10 == 9);
    let (mut weights, mut mean, mut square) = ([0.0; WEIGHTS], [0.0; WEIGHTS], [0.0; WEIGHTS]);
    for step in 1..=STEPS {
        let mut gradient = [0.0; WEIGHTS];
        for example in &seen {
            learn(&weights, example, Some(&mut gradient));
        }
        let rate = 0.1 * (1.0 - step as f64 / (STEPS + 1) as f64);
        for index in 0..WEIGHTS {
            let slope = gradient[index] / seen.len() as f64 + held_small[index] * weights[index];
            mean[index] = 0.9 * mean[index] + 0.1 * slope;
            square[index] = 0.999 * square[index] + 0.001 * slope * slope;
            let m = mean[index] / (1.0 - 0.9_f64.powi(step as i32));
            let s = square[index] / (1.0 - 0.999_f64.powi(step as i32));
            weights[index] -= rate * m / (s.sqrt() + 1e-9);
        }
        hold_to_signs(&mut weights);
    }
    let loss = |weights: &[f64], of: &[&Example]| {
        let sum: f64 = of.iter().map(|example| learn(weights, example, None)).sum();
        sum / of.len() as f64
    };
    println!(
        "{edition}: {} examples, loss {:.4}; {} held back, loss {:.4}; knowing nothing {:.4}",
        seen.len(),
        loss(&weights, &seen),
        held.len(),
        loss(&weights, &held),
        loss(&[0.0; WEIGHTS], &held),
    );
    for (index, name) in FEATURES.iter().enumerate() {
        println!(
            "  {name:20} {:8.3} {:8.3}",
            weights[index],
            weights[index + FEATURES.len()]
        );
    }
    weights
        .iter()
        .map(|weight| (weight * 1e4).round() / 1e4)
        .collect()
}
