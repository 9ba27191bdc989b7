//! Writes the golden records and the playthroughs of `tests/records`, the same on every machine:
//!
//! `cargo run --release -p bots --example golden_records`
//!
//! Run it when the rules or the format of records change on purpose, and review the difference. With
//! arguments, it writes only the files whose names begin with one of them:
//!
//! `cargo run --release -p bots --example golden_records -- rome_carthage greece_persia`

mod antike_duellum;
mod antike_duellum_people;
mod antike_ii;
#[path = "../../../records/tests/support/golden.rs"]
mod golden;
#[path = "../../../records/tests/support/playthrough.rs"]
mod playthrough;
mod scripted;
#[path = "../../tests/support/setup.rs"]
#[allow(dead_code, reason = "tests use the rest of it")]
mod setup;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use engine::content::Library;
use records::Record;

/// The `played_at` of every golden game.
const PLAYED_AT: &str = "2005-10-13T12:00:00Z";

/// A game of bots from the set-up to the end.
struct Played {
    name: &'static str,
    board: &'static str,
    /// The bots of the seats.
    bots: &'static [&'static str],
    variants: &'static [&'static str],
    seed: u32,
    max_rounds: u32,
}

impl Played {
    fn play(&self) -> Result<Record> {
        let seed = self.seed.to_string();
        let bots = self.bots;
        let mut setup = setup::of_bots(self.board, bots, self.variants, &seed, self.max_rounds);
        setup.ruleset_hash = scripted::first_version(&setup.edition);
        let record = bots::play(Library::embedded(), &setup, self.name, PLAYED_AT);
        let mut record = record.with_context(|| self.name.to_owned())?;
        record.spell_out(Library::embedded())?;
        Ok(record)
    }
}

const EAST: &str = "antike-east";
const WEST: &str = "antike-west";

const fn played(
    name: &'static str,
    board: &'static str,
    bots: &'static [&'static str],
    variants: &'static [&'static str],
    seed: u32,
    max_rounds: u32,
) -> Played {
    Played {
        name,
        board,
        bots,
        variants,
        seed,
        max_rounds,
    }
}

const PLAYED: &[Played] = &[
    played("east_2_goal", EAST, &["greedy"; 2], &[], 10, 60),
    played("west_2_goal", WEST, &["greedy"; 2], &[], 1, 60),
    played("east_3_goal_giving_up", EAST, &["greedy"; 3], &[], 13, 60),
    played("west_3_goal", WEST, &["greedy"; 3], &[], 7, 60),
    played(
        "east_4_goal_extra_personage",
        EAST,
        &["greedy"; 4],
        &[],
        6,
        60,
    ),
    played("west_4_goal", WEST, &["greedy"; 4], &[], 2, 60),
    played("east_5_goal", EAST, &["greedy"; 5], &[], 3, 60),
    played("west_5_goal", WEST, &["greedy"; 5], &[], 4, 60),
    played("east_6_goal", EAST, &["greedy"; 6], &[], 5, 60),
    played("west_6_goal", WEST, &["greedy"; 6], &[], 6, 60),
    played("east_4_growth", EAST, &["greedy_growth"; 4], &[], 1, 60),
    played("west_4_military", WEST, &["greedy_military"; 4], &[], 1, 60),
    played("east_4_progress", EAST, &["greedy_progress"; 4], &[], 1, 60),
    played(
        "east_4_greedy_and_random",
        EAST,
        &["greedy", "random", "greedy_growth", "random"],
        &[],
        1,
        60,
    ),
    played("east_6_temple_destroyed", EAST, &["greedy"; 6], &[], 34, 60),
    played("west_6_temple_destroyed", WEST, &["greedy"; 6], &[], 39, 60),
    played(
        "east_3_goal_12",
        EAST,
        &["greedy"; 3],
        &["three_nation_goal_12"],
        1,
        80,
    ),
    played(
        "east_2_double",
        EAST,
        &["greedy"; 2],
        &["two_player_double"],
        1,
        60,
    ),
    played(
        "west_4_long_game",
        WEST,
        &["greedy"; 4],
        &["long_game"],
        1,
        60,
    ),
    played("west_5_expert", WEST, &["greedy"; 5], &["expert"], 1, 60),
    played(
        "east_4_military",
        EAST,
        &["greedy"; 4],
        &["military"],
        16,
        60,
    ),
    played(
        "west_2_military",
        WEST,
        &["greedy"; 2],
        &["military"],
        1,
        60,
    ),
    played(
        "west_3_goal_12_long_game_expert",
        WEST,
        &["greedy"; 3],
        &["three_nation_goal_12", "long_game", "expert"],
        2,
        80,
    ),
    played("east_2_random", EAST, &["random"; 2], &[], 1, 12),
    played("west_3_random", WEST, &["random"; 3], &[], 2, 15),
    played("east_4_random", EAST, &["random"; 4], &[], 3, 15),
    played("west_5_random", WEST, &["random"; 5], &["long_game"], 4, 10),
    played("east_6_random", EAST, &["random"; 6], &["military"], 5, 10),
    played(
        "east_2_double_random",
        EAST,
        &["random"; 2],
        &["two_player_double", "expert"],
        6,
        20,
    ),
    played("east_3_round_limit", EAST, &["greedy"; 3], &[], 7, 24),
    played(
        "west_2_double_round_limit",
        WEST,
        &["greedy"; 2],
        &["two_player_double"],
        8,
        22,
    ),
    played(
        "west_4_long_game_round_limit",
        WEST,
        &[
            "greedy_progress",
            "greedy_growth",
            "greedy_military",
            "greedy",
        ],
        &["long_game"],
        9,
        16,
    ),
    played(
        "east_6_military_round_limit",
        EAST,
        &["greedy_military"; 6],
        &["military"],
        10,
        16,
    ),
];

fn main() -> Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted =
        |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.starts_with(word.as_str()));
    let folder = golden::folder();
    let playthroughs = folder.join("playthroughs");
    fs::create_dir_all(&playthroughs)?;
    let mut all = Vec::new();
    for game in PLAYED {
        all.push(game.play()?);
    }
    all.extend(scripted::records()?);
    for game in antike_ii::PLAYED {
        all.push(game.play()?);
    }
    all.extend(scripted::records_of_antike_ii()?);
    for game in antike_duellum::PLAYED {
        all.push(game.play()?);
    }
    all.extend(antike_duellum::scripted()?);
    // The index among all records decides the form.
    for (index, record) in all.iter().enumerate() {
        if !is_wanted(&record.id) {
            continue;
        }
        record
            .verify(Library::embedded())
            .with_context(|| record.id.clone())?;
        write(&folder, record, index % 3 == 0)?;
    }
    for name in playthrough::NAMES.iter().filter(|name| is_wanted(name)) {
        let of_name = |record: &&Record| record.id == *name;
        let record = all.iter().find(of_name).context(*name)?;
        let path = playthroughs.join(format!("{name}.txt"));
        fs::write(path, playthrough::render(record))?;
    }
    println!("{} records in {}", all.len(), folder.display());
    Ok(())
}

/// Every third record is kept as JSON, the others as text.
fn write(folder: &Path, record: &Record, as_json: bool) -> Result<()> {
    let (extension, content) = match as_json {
        true => ("json", serde_json::to_string_pretty(record)? + "\n"),
        false => ("txt", record.to_text(Library::embedded())?),
    };
    fs::write(folder.join(format!("{}.{extension}", record.id)), content)?;
    Ok(())
}
