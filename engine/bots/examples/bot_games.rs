//! Plays seeded games between bots and prints how they went: endings, lengths, openings, who won,
//! and how often each kind of effect came.
//!
//! `cargo run --release -p bots --example bot_games -- antike-east 4 1000 greedy [VARIANT...]`

#[path = "../tests/support/opening.rs"]
mod opening;
#[path = "../tests/support/setup.rs"]
#[allow(dead_code, reason = "tests use the rest of it")]
mod setup;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use bots::{Temperament, seat_chance};
use engine::content::Library;
use engine::play::{Action, Effect};
use engine::words::Personage;
use records::Record;

/// After so many rounds a game is stopped.
const MAX_ROUNDS: u32 = 80;

/// What the nations are compared by.
const POSSESSIONS: [&str; 9] = [
    "king",
    "scholar",
    "general",
    "citizen",
    "navigator",
    "cities",
    "temples",
    "legions",
    "galleys",
];

/// How often something happened, and how often whom it happened to won.
#[derive(Default)]
struct Tally(BTreeMap<String, (u32, f64)>);

impl Tally {
    fn add(&mut self, name: impl ToString, share: f64) {
        let entry = self.0.entry(name.to_string()).or_default();
        entry.0 += 1;
        entry.1 += share;
    }

    fn print(&self, title: &str) {
        println!("{title}");
        let total: u32 = self.0.values().map(|(count, _)| count).sum();
        for (name, (count, wins)) in &self.0 {
            let part = 100.0 * f64::from(*count) / f64::from(total);
            let rate = 100.0 * wins / f64::from(*count);
            println!("  {name:24} {count:6} {part:5.1} %   won {rate:5.1} %");
        }
    }
}

/// Counts what shows whether bots use all that an edition has.
fn count_effects(record: &Record, counts: &mut BTreeMap<String, u32>) -> Result<()> {
    record.replay(Library::embedded(), |step| {
        let mut add = |name: &str| *counts.entry(name.to_owned()).or_default() += 1;
        if let Action::Arm { free: true, .. } = step.action {
            add("free unit");
        }
        if matches!(step.action, Action::Pass) {
            add("conquest not answered");
        }
        for effect in step.effects {
            match effect {
                Effect::ChipTaken { .. } => add("chip for lack of coins"),
                Effect::Traded { give, take, .. } => {
                    add(&format!("trade of {} for {}", give.total(), take.total()));
                }
                Effect::Conquered { .. } => add("conquest of a city"),
                Effect::NeutralTempleTaken { .. } => add("conquest of a neutral temple"),
                Effect::BellonaPassed { .. } => add("card passed on"),
                Effect::PersonageWon { extra: true, .. } => add("personage for all know-hows"),
                Effect::Founded { .. } => add("founding"),
                Effect::TempleBuilt { .. } => add("temple"),
                Effect::TempleDestroyed { .. } => add("temple destroyed"),
                Effect::WallBuilt { .. } => add("town wall"),
                Effect::WallDestroyed { .. } => add("town wall destroyed"),
                Effect::Recruited { count, .. } => {
                    (0..*count).for_each(|_| add("unit recruited"));
                }
                Effect::Armed { unit, .. } => match unit.special() {
                    Some(unit) => add(&format!("{unit} armed")),
                    None => add("unit armed"),
                },
                Effect::BattleFought { count, .. } => {
                    (0..*count).for_each(|_| add("pair lost in battle"));
                }
                Effect::SpecialUnitFell { unit, .. } => add(&format!("{unit} fell")),
                Effect::ConquestDeclared { .. } => add("conquest that could be answered"),
                Effect::CitySaved { .. } => add("city saved by a card"),
                Effect::CardTaken { .. } => add("card taken"),
                Effect::DeckShuffled { .. } => add("deck shuffled anew"),
                Effect::CardPlayed { card, .. } => {
                    add("card played");
                    add(&format!(
                        "card {} played",
                        step.game.ruleset.card_name(*card)
                    ));
                }
                Effect::Developed { .. } => add("know-how"),
                _ => {}
            }
        }
    })?;
    Ok(())
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "give BOARD SEATS GAMES BOT [VARIANT...]";
    let [board, seats, games, bot, variants @ ..] = &arguments[..] else {
        anyhow::bail!(usage);
    };
    let (seats, games): (usize, u32) =
        (seats.parse().context(usage)?, games.parse().context(usage)?);
    let bots = vec![bot.as_str(); seats];
    let variants: Vec<&str> = variants.iter().map(String::as_str).collect();
    let library = Library::embedded();
    let (mut endings, mut openings) = (Tally::default(), Tally::default());
    let (mut nations, mut temperaments) = (Tally::default(), Tally::default());
    let mut starting = Tally::default();
    let mut possessions: BTreeMap<String, [u32; POSSESSIONS.len()]> = BTreeMap::new();
    let (mut owned, mut owned_by_winners) = ([0; Personage::COUNT], [0; Personage::COUNT]);
    let mut counts = BTreeMap::new();
    let (mut rounds, mut actions, mut time) = (Vec::new(), 0, Duration::ZERO);
    for seed in 0..games {
        let seed = seed.to_string();
        let setup = setup::of_bots(board, &bots, &variants, &seed, MAX_ROUNDS);
        let begun = Instant::now();
        let record = bots::play(library, &setup, &seed, "2026-01-01T00:00:00Z")?;
        time += begun.elapsed();
        actions += record.actions.len();
        let result = record.result.as_ref().context("the game is not over")?;
        endings.add(result.reason, 0.0);
        count_effects(&record, &mut counts)?;
        let (shown, game, last) = opening::of_nations(&record)?;
        rounds.push(last.round);
        for nation in game.all_nations() {
            let seat = game.seat_of(nation);
            let body = result.ranks.iter().find(|body| body.seat == seat);
            let share = body.context("a seat without rank")?.share;
            openings.add(shown[nation.index()], share);
            nations.add(game.nation_name(nation), share);
            let at_end = last.nation(nation);
            let sums = possessions.entry(game.nation_name(nation).to_owned());
            let sums = sums.or_default();
            let [king, scholar, general, citizen, navigator] = at_end.personages;
            let more = [
                at_end.cities.len() as u8,
                (at_end.cities & last.temples).len() as u8,
                at_end.on_board[0],
                at_end.on_board[1],
            ];
            let all = [king, scholar, general, citizen, navigator];
            for (sum, count) in sums.iter_mut().zip(all.into_iter().chain(more)) {
                *sum += u32::from(count);
            }
            if nation == game.first {
                starting.add(game.nation_name(nation), share);
            }
            let temperament = Temperament::drawn(&mut seat_chance(&seed, seat));
            temperaments.add(format!("{temperament:?}"), share);
            for (index, count) in last.nation(nation).personages.iter().enumerate() {
                owned[index] += u32::from(*count);
                owned_by_winners[index] += u32::from(*count) * u32::from(share > 0.0);
            }
        }
    }
    rounds.sort_unstable();
    let mean = f64::from(rounds.iter().sum::<u32>()) / f64::from(games);
    println!(
        "{games} games, {mean:.1} rounds on average (median {}, longest {}), {} actions a game, {:.2} ms a game",
        rounds[rounds.len() / 2],
        rounds[rounds.len() - 1],
        actions / games as usize,
        time.as_secs_f64() * 1000.0 / f64::from(games),
    );
    for (who, counts) in [("all seats", &owned), ("winners", &owned_by_winners)] {
        let mean = |kind: &Personage| {
            let count = f64::from(counts[kind.index()]) / f64::from(games);
            format!("{kind} {count:.2}")
        };
        let means: Vec<String> = Personage::ALL.iter().map(mean).collect();
        println!("personages a game of {who}: {}", means.join(", "));
    }
    for (name, count) in counts {
        let each = f64::from(count) / f64::from(games);
        println!("{each:8.2} a game: {name}");
    }
    println!("at the end, by nation: {}", POSSESSIONS.join(", "));
    for (name, sums) in possessions {
        let mean = |sum: u32| format!("{:6.2}", f64::from(sum) / f64::from(games));
        println!("  {name:24} {}", sums.map(mean).join(" "));
    }
    endings.print("endings");
    openings.print("openings");
    temperaments.print("temperaments, if all are mixed");
    nations.print("nations");
    starting.print("starting nations");
    Ok(())
}
