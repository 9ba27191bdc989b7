//! Trains the networks by which `search` evaluates positions, on its own games.
//!
//! ```text
//! cargo run --release -p bots --example learn -- play FIRST GAMES PLAYOUTS FILE
//! cargo run --release -p bots --example learn -- train EPOCHS FILE...
//! ```
//!
//! `play` plays games by the weights of `engine/bots/data/value.json` and adds them to a file, with the shares that the
//! search found at each decision. Games are numbered; each follows from its number. All seats have the same number of
//! playouts. One decision in eight is not the best plan but one of the four most visited ones, so that positions differ
//! and some are bad.
//!
//! `train` trains a network for each edition on these games, and writes it to `engine/bots/data/value.json`. The
//! positions at the start of turns are examples. What the network should predict is half the result of the game, half
//! the shares that the search found. It is added to the linear model, which stays as it is. One game in ten is held
//! back. The program prints the mean loss (cross-entropy) on both parts, against what it should predict and against
//! results alone. Stop when the loss on the games held back no longer falls.
//!
//! Both are repeated: play with the new weights, train again, and keep the result only if `tabularium-bots match
//! --other-weights` shows that it wins. The same arguments give the same files, on machines with the same mathematical
//! library, except for the order of games.
//!
//! After a change of the features or layers, the old file is refused. Write the new names into its `features` and make
//! `networks` empty (`{}`) first; the linear model uses only the first features.

#[path = "../tests/support/setup.rs"]
#[allow(dead_code, reason = "tests use the rest of it")]
mod setup;

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::Mutex;

use anyhow::{Context, Result, bail};
use bots::search::features::{FeatureVector, measure_all};
use bots::search::network::{HIDDEN, NETWORK_WEIGHTS, Network, PARTS, SECOND};
use bots::search::value::{Value, final_shares, linear};
use bots::{Analysis, Budget, Observation};
use engine::chance::Chance;
use engine::content::Library;
use engine::forms::digest_text;
use engine::play::Action;
use rayon::prelude::*;
use records::{RECORD_FORMAT, Record, Source};
use serde::{Deserialize, Serialize};

/// The maximum number of rounds of a game.
const MAX_ROUNDS: u32 = 100;
/// The boards with numbers of seats, played in turn. Those with four nations are the most usual ones.
const TABLES: [(&str, usize); 22] = [
    ("antike-east", 3),
    ("antike-east", 4),
    ("antike-east", 4),
    ("antike-east", 5),
    ("antike-west", 4),
    ("antike-west", 4),
    ("antike-west", 6),
    ("antike-west", 5),
    ("antike-ii-orient", 4),
    ("antike-ii-orient", 4),
    ("antike-ii-orient", 3),
    ("antike-ii-orient", 5),
    ("antike-ii-mare-nostrum", 4),
    ("antike-ii-mare-nostrum", 4),
    ("antike-ii-mare-nostrum", 6),
    ("antike-ii-mare-nostrum", 3),
    ("duellum-rome-carthage", 2),
    ("duellum-rome-carthage", 2),
    ("duellum-rome-carthage", 2),
    ("duellum-greece-persia", 2),
    ("duellum-greece-persia", 2),
    ("duellum-greece-persia", 2),
];
/// In one of this many decisions, the players take one of the most visited plans at random.
const STRAY: u32 = 8;
/// The number of plans from which it is taken.
const CANDIDATES: usize = 4;
/// The part of the result of the game in what a network should predict.
const RESULT: f32 = 0.5;
/// The number of examples for each step of the gradient descent (Adam with decoupled weight decay).
const BATCH: usize = 64;
/// The size of the first steps. It falls to 0.
const RATE: f32 = 0.002;
/// The decay of weights, in parts of the size of a step.
const DECAY: f32 = 0.3;

/// A game, with the shares that the search found before some of its actions.
#[derive(Serialize, Deserialize)]
struct SearchedGame {
    record: Record,
    /// The number of actions before the decision, and the share of each seat.
    searched: BTreeMap<usize, Vec<f32>>,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match &arguments[..] {
        ["play", first, games, playouts, path] => {
            let number = |text: &str| text.parse::<u32>().context("a number");
            play_games(number(first)?, number(games)?, number(playouts)?, path)
        }
        ["train", epochs, paths @ ..] => {
            train(epochs.parse().context("EPOCHS is a number")?, paths)
        }
        _ => bail!("give play FIRST GAMES PLAYOUTS FILE, or train EPOCHS FILE..."),
    }
}

/// Plays games on all cores, and adds each to the file as a line.
fn play_games(first: u32, games: u32, playouts: u32, path: &str) -> Result<()> {
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    let file = Mutex::new(file);
    let numbers = (first..first + games).into_par_iter();
    numbers.try_for_each(|number| {
        let line = serde_json::to_string(&play(number, playouts)?)? + "\n";
        let mut file = file.lock().expect("no thread panics");
        Ok(file.write_all(line.as_bytes())?)
    })
}

fn play(number: u32, playouts: u32) -> Result<SearchedGame> {
    let (board, seats) = TABLES[number as usize % TABLES.len()];
    let seed = format!("learn {number}");
    let bots = vec![format!("search:{playouts}"); seats];
    let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
    let setup = setup::of_bots(board, &bots, &[], &seed, MAX_ROUNDS);
    let library = Library::embedded();
    let (game, mut state) = setup.start(library)?;
    let mut chance = Chance::new(&format!("{seed} players"));
    let (mut actions, mut searched) = (Vec::new(), BTreeMap::new());
    while let Some(question) = game.question(&state) {
        let mover = question.nation();
        let seen = Observation::new(&game, &state, &mut chance);
        let analysis = Analysis::new(&seen, &format!("{seed} {}", actions.len()));
        let mut analysis = analysis.context("a decision")?;
        analysis.think(Budget::Playouts(playouts));
        let found = analysis.assess(CANDIDATES).candidates;
        let best = found.first().context("a candidate")?;
        let shares = best.shares.iter().map(|estimate| estimate.share as f32);
        searched.insert(actions.len(), shares.collect());
        let chosen = match chance.below(STRAY) {
            0 => &found[chance.below(found.len() as u32) as usize],
            _ => best,
        };
        // Other nations answer for themselves.
        for one in chosen.line[..chosen.own].iter() {
            let asked = game.question(&state).map(|question| question.nation());
            if one.nation != mover || asked != Some(mover) {
                break;
            }
            actions.push(game.print_by(&state, mover, &one.action));
            game.apply(&mut state, mover, one.action, &mut Vec::new())?;
        }
    }
    let record = Record {
        format: RECORD_FORMAT.to_owned(),
        id: "a game".to_owned(),
        result: game.result_body(&state),
        digest: digest_text(state.digest()),
        setup: setup.spelled_out(library)?,
        actions,
        events: None,
        played_at: "2012-10-18T12:00:00Z".to_owned(),
        source: Source::Simulation,
        rated: false,
        league: None,
        signature: None,
    };
    Ok(SearchedGame { record, searched })
}

/// The position at the start of a turn.
struct Example {
    nations: Vec<FeatureVector>,
    /// The strength of each nation by the linear model.
    linear: Vec<f32>,
    /// The share of each nation that should be predicted.
    shares: Vec<f32>,
    /// The share of each nation of the win.
    won: Vec<f32>,
    /// Whether its game is held back.
    held_back: bool,
}

/// Returns the examples of a game, with its edition.
fn examples(line: &str, held_back: bool) -> Result<(String, Vec<Example>)> {
    let game: SearchedGame = serde_json::from_str(line)?;
    let edition = game.record.setup.edition.clone();
    let weights = Value::embedded().linear.get(&edition);
    let mut examples = Vec::new();
    let (played, last) = game.record.replay(Library::embedded(), |step| {
        let turn_ended = matches!(step.action, Action::EndTurn) && step.state.question.is_none();
        let shares = game.searched.get(&(step.index + 1)).filter(|_| turn_ended);
        let Some(shares) = shares else {
            return;
        };
        let nations = &measure_all(step.game, step.state)[..step.game.nations.len()];
        let strength = |measured| weights.map_or(0.0, |weights| linear(weights, measured) as f32);
        let seats = step
            .game
            .nations
            .iter()
            .map(|nation| usize::from(nation.seat));
        examples.push(Example {
            linear: nations.iter().map(strength).collect(),
            shares: seats.map(|seat| shares[seat]).collect(),
            won: Vec::new(),
            nations: nations.to_vec(),
            held_back,
        });
    })?;
    let won = final_shares(&played, &last).context("the game has an end")?;
    let seats = played.nations.iter().map(|nation| usize::from(nation.seat));
    let won: Vec<f32> = seats.map(|seat| won[seat] as f32).collect();
    for example in &mut examples {
        for (share, won) in example.shares.iter_mut().zip(&won) {
            *share = (1.0 - RESULT) * *share + RESULT * won;
        }
        example.won.clone_from(&won);
    }
    Ok((edition, examples))
}

fn train(epochs: usize, paths: &[&str]) -> Result<()> {
    let texts = paths.iter().map(std::fs::read_to_string);
    let texts: Vec<String> = texts.collect::<Result<_, _>>()?;
    let mut lines: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    // Games are written in the order in which they end.
    lines.sort_unstable();
    let read = lines.par_iter().enumerate();
    let read = read.map(|(index, line)| examples(line, index % 10 == 9));
    let mut editions: BTreeMap<String, Vec<Example>> = BTreeMap::new();
    for (edition, examples) in read.collect::<Result<Vec<_>>>()? {
        editions.entry(edition).or_default().extend(examples);
    }
    let trained = editions.into_par_iter().map(|(edition, examples)| {
        let network = fit(&edition, &examples, epochs);
        (edition, network)
    });
    let trained: Vec<(String, Network)> = trained.collect();
    let mut value = Value::embedded().clone();
    value.networks.extend(trained);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/value.json");
    std::fs::write(path, serde_json::to_string(&value)? + "\n")?;
    Ok(())
}

/// Returns the shares that follow from strengths.
fn softmax(strengths: &[f32]) -> Vec<f32> {
    let most = strengths.iter().copied().fold(f32::MIN, f32::max);
    let grown: Vec<f32> = strengths.iter().map(|s| (s - most).exp()).collect();
    let sum: f32 = grown.iter().sum();
    grown.into_iter().map(|grown| grown / sum).collect()
}

/// Returns the mean cross-entropy of what should be predicted, and of results.
fn losses(network: Option<&Network>, of: &[&Example]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for example in of {
        let mut strengths = example.linear.clone();
        if let Some(network) = network {
            for (strength, layers) in strengths.iter_mut().zip(network.layers(&example.nations)) {
                *strength += layers.strength;
            }
        }
        let shares = softmax(&strengths);
        for (sum, wanted) in sums.iter_mut().zip([&example.shares, &example.won]) {
            let lost = shares.iter().zip(wanted);
            let lost = lost.map(|(share, wanted)| f64::from(-wanted * share.max(1e-9).ln()));
            *sum += lost.sum::<f64>() / of.len() as f64;
        }
    }
    sums
}

/// Adds the gradient of the loss of an example.
fn add_gradient(network: &Network, example: &Example, gradient: &mut [f32]) {
    let weights = &network.0;
    let count = example.nations.len();
    let layers = &network.layers(&example.nations)[..count];
    let strengths = example.linear.iter().zip(layers);
    let strengths: Vec<f32> = strengths
        .map(|(linear, layers)| linear + layers.strength)
        .collect();
    let shares = softmax(&strengths);
    // The gradients of the first layer's results: of each nation for itself, and as one of the others.
    let mut own = vec![[0.0; HIDDEN]; count];
    let mut as_other = vec![[0.0; HIDDEN]; count];
    let mut total = [0.0; HIDDEN];
    for (index, layers) in layers.iter().enumerate() {
        let pull = shares[index] - example.shares[index];
        for unit in (0..SECOND).filter(|unit| layers.second[*unit] > 0.0) {
            gradient[PARTS[4] + unit] += pull * layers.second[unit];
            let back = pull * weights[PARTS[4] + unit];
            gradient[PARTS[3] + unit] += back;
            for from in 0..HIDDEN {
                let [of_own, of_others] = [1, 2].map(|part| PARTS[part] + from * SECOND + unit);
                gradient[of_own] += back * layers.first[from].max(0.0);
                gradient[of_others] += back * layers.others[from];
                own[index][from] += back * weights[of_own];
                as_other[index][from] += back * weights[of_others] / (count - 1).max(1) as f32;
            }
        }
        for (total, other) in total.iter_mut().zip(as_other[index]) {
            *total += other;
        }
    }
    for (index, layers) in layers.iter().enumerate() {
        let rows = gradient[..PARTS[1]].chunks_exact_mut(HIDDEN);
        for (x, row) in example.nations[index].iter().zip(rows) {
            for from in (0..HIDDEN).filter(|from| layers.first[*from] > 0.0) {
                let back = own[index][from] + total[from] - as_other[index][from];
                row[from] += back * *x as f32;
            }
        }
    }
}

/// A random number about 0, with a standard deviation of about 1.
fn random(chance: &mut Chance) -> f32 {
    let sum: u32 = (0..12).map(|_| chance.below(1000)).sum();
    sum as f32 / 1000.0 - 6.0
}

fn fit(edition: &str, examples: &[Example], epochs: usize) -> Network {
    let (held, mut seen): (Vec<&Example>, Vec<&Example>) =
        examples.iter().partition(|example| example.held_back);
    let mut chance = Chance::new(&format!("learn {edition}"));
    let start = |at: usize| match at {
        _ if at < PARTS[3] => 0.2 * random(&mut chance),
        _ if at < PARTS[4] => 0.0,
        _ => 0.05 * random(&mut chance),
    };
    let mut network = Network((0..NETWORK_WEIGHTS).map(start).collect());
    let mut mean = vec![0.0; NETWORK_WEIGHTS];
    let mut square = vec![0.0; NETWORK_WEIGHTS];
    let steps = epochs * seen.len().div_ceil(BATCH);
    let mut step = 0;
    let report = |when: &str, network: Option<&Network>, seen: &[&Example]| {
        let (of_seen, of_held) = (losses(network, seen), losses(network, &held));
        println!("{edition}, {when}: loss {of_seen:.4?}; held back {of_held:.4?}");
    };
    report("linear model", None, &seen);
    for epoch in 1..=epochs {
        chance.shuffle(&mut seen);
        for batch in seen.chunks(BATCH) {
            let mut gradient = vec![0.0; NETWORK_WEIGHTS];
            for example in batch {
                add_gradient(&network, example, &mut gradient);
            }
            step += 1;
            let rate = RATE * (1.0 - step as f32 / (steps + 1) as f32);
            let [mean_part, square_part] = [0.9_f32, 0.999].map(|kept| 1.0 - kept.powi(step));
            for (at, weight) in network.0.iter_mut().enumerate() {
                let slope = gradient[at] / batch.len() as f32;
                mean[at] = 0.9 * mean[at] + 0.1 * slope;
                square[at] = 0.999 * square[at] + 0.001 * slope * slope;
                let deviation = (square[at] / square_part).sqrt() + 1e-7;
                *weight -= rate * (mean[at] / mean_part / deviation + DECAY * *weight);
            }
        }
        report(&format!("epoch {epoch}"), Some(&network), &seen);
    }
    network
}
