//! Makes facts of any number of games, and shows the time and memory that measures need on them.
//! The facts are copies of those of some hundred games, with other ids, times, leagues and personages.
//!
//! ```text
//! cargo run --release --workspace --example many_games -- make DIR GAMES [TURNS [POSITION:GAME]]
//! cargo run --release --workspace --example many_games -- persons DIR GAMES TURNS
//! cargo run --release --workspace --example many_games -- leagues DIR GAMES TURNS [POSITION:GAME]
//! cargo run --release --workspace --example many_games -- measure DIR [MEASURE ...]
//! ```
//!
//! In games of `make` bots play, as in those that are copied; in those of `persons`, 5,000 persons. `leagues` has 100
//! games a league, named `league-0` and so on.
//! `TURNS` is the number of turns of a nation that are kept (all by default). Measures need 8 at most.
//! `POSITION:GAME` is the last finished game of a database. A service with this database can then use the facts.

#[path = "../tests/support/mod.rs"]
#[allow(dead_code, reason = "tests use the rest of it")]
mod support;

use std::error::Error;
use std::time::{Duration, Instant};

use analytics::facts::{Rater, RatingRow};
use analytics::storage::LogCursor;
use analytics::{Facts, FactsStore, FactsWriter, Filters, GameFacts, Measure, Snapshot};
use engine::content::Library;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Games that are copied.
const ORIGINALS: u32 = 400;

/// Games added together.
const TOGETHER: u64 = 16_384;

/// How many games a league has, and how many persons.
const LEAGUE_GAMES: u64 = 100;
const LEAGUE_PERSONS: u64 = 20;

/// How many persons play where persons do.
const PERSONS: u64 = 5_000;

/// When the first was played, and in how long the others, in seconds.
const BEGIN: &str = "2025-11-01T00:00:00Z";
const YEAR: u64 = 365 * 24 * 3_600;

type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["make", folder, games] => make(folder, games.parse()?, u32::MAX, None),
        ["make", folder, games, turns] => make(folder, games.parse()?, turns.parse()?, None),
        ["make", folder, games, turns, reached] => make(
            folder,
            games.parse()?,
            turns.parse()?,
            Some(parsed_cursor(reached)?),
        ),
        ["persons", folder, games, turns] => {
            let seated = |copy, number| by_persons(copy, number);
            make_of(folder, games.parse()?, turns.parse()?, None, seated)
        }
        ["leagues", folder, games, turns, ref reached @ ..] => {
            let games: u64 = games.parse()?;
            let reached = reached.first().map(|reached| parsed_cursor(reached));
            let seated = |copy, number| in_league(copy, number, games / LEAGUE_GAMES);
            make_of(folder, games, turns.parse()?, reached.transpose()?, seated)
        }
        ["measure", folder, ref only @ ..] => measure(folder, only),
        _ => Err(
            "make DIR GAMES [TURNS [POSITION:GAME]], persons DIR GAMES TURNS, \
             leagues DIR GAMES TURNS [POSITION:GAME], measure DIR [MEASURE ...]"
                .into(),
        ),
    }
}

/// The cursor at the last finished game of a database, from `POSITION:GAME`.
fn parsed_cursor(reached: &str) -> Result<LogCursor, Box<dyn Error>> {
    let (position, game) = reached.split_once(':').ok_or("POSITION:GAME")?;
    Ok(LogCursor {
        position: position.parse()?,
        game: game.to_owned(),
        ..LogCursor::default()
    })
}

fn originals() -> Vec<GameFacts> {
    let mut records = support::records(ORIGINALS);
    records.extend(support::duellum(ORIGINALS / 10));
    let facts = records.iter().map(|record| {
        GameFacts::derive(record, Library::embedded()).expect("bots play by the rules")
    });
    facts.collect()
}

/// A cheap scatter.
fn mixed(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

fn copy(original: &GameFacts, number: u64, time: Timestamp, turns: u32) -> GameFacts {
    let mut copy = original.clone();
    let month = time.to_zoned(TimeZone::UTC).strftime("%Y-%m").to_string();
    let (month, game): (std::sync::Arc<str>, std::sync::Arc<str>) = (
        month.into(),
        format!("{number:08x}-0000-7000-8000-{:012x}", mixed(number)).into(),
    );
    let league =
        (mixed(number).is_multiple_of(3)).then(|| format!("league-{}", mixed(number) % 50).into());
    let rated = mixed(number).is_multiple_of(2);
    copy.game.month = month.clone();
    copy.game.game = game.clone();
    copy.game.played_at = time;
    copy.game.league = league.clone();
    copy.game.rated = rated;
    copy.game.actions += (mixed(number) % 97) as u32;
    // Another game has another record.
    copy.game.content_1 = mixed(number) as u32;
    copy.game.content_2 = mixed(!number) as u32;
    copy.turns.retain(|row| row.own_turn <= turns);
    for (row, seat) in copy.seats.iter_mut().zip(1..) {
        let chance = mixed(number.wrapping_mul(7).wrapping_add(seat));
        row.month = month.clone();
        row.game = game.clone();
        row.played_at = time;
        row.league = league.clone();
        row.rated = rated;
        row.king += (chance % 3) as u32;
        row.scholar += (chance / 3 % 3) as u32;
        row.general += (chance / 9 % 3) as u32;
    }
    copy.snapshots.retain(|row| row.own_turn <= turns);
    macro_rules! renamed {
        ($($table:ident),+) => {$(
            for row in &mut copy.$table {
                row.month = month.clone();
                row.game = game.clone();
            }
        )+};
    }
    renamed!(
        turns, awards, cards, players, know_hows, cities, trades, snapshots, ratings
    );
    copy
}

/// The same game, played by some of so many persons.
fn by_persons(game: GameFacts, number: u64) -> GameFacts {
    by_some(game, number, 0, PERSONS)
}

/// As a game of one of so many leagues, which all last the whole year and have players of their own.
fn in_league(mut game: GameFacts, number: u64, leagues: u64) -> GameFacts {
    let league = number % leagues;
    let name: Option<std::sync::Arc<str>> = Some(format!("league-{league}").into());
    game.game.league = name.clone();
    for row in &mut game.seats {
        row.league = name.clone();
    }
    by_some(game, number, league * LEAGUE_PERSONS, LEAGUE_PERSONS)
}

/// By so many persons from a number on.
fn by_some(mut game: GameFacts, number: u64, first: u64, persons: u64) -> GameFacts {
    game.game.play = "people";
    game.game.bot_seats = 0;
    game.game.bots = Default::default();
    let person = |seat: u32| {
        let chosen = first + mixed(number * 11 + u64::from(seat)) % persons;
        (format!("person-{chosen}").into(), chosen as u32 % 256)
    };
    for row in &mut game.seats {
        row.play = "people";
        row.bot_seats = 0;
        row.bots = Default::default();
        row.bot = None;
        row.player_kind = "person";
        row.opponents = "people";
        (row.player, row.cluster) = person(row.seat);
    }
    for row in &mut game.players {
        row.bot = None;
        row.player_kind = "person";
        row.player = person(row.seat).0;
    }
    // The rater fills in the ratings.
    let rated = game.seats.iter().filter(|row| row.rated);
    let rating = rated.map(|row| RatingRow {
        edition: row.edition.clone(),
        month: row.month.clone(),
        game: row.game.clone(),
        log_position: number as i64,
        player: row.player.clone(),
        player_kind: "account",
        rank: f64::from(row.rank_of_seat),
        ..RatingRow::default()
    });
    game.ratings = rating.collect();
    game
}

fn make(folder: &str, games: u64, turns: u32, reached: Option<LogCursor>) -> Done {
    make_of(folder, games, turns, reached, |copy, _| copy)
}

/// Games by copying, each `seated` by its number.
fn make_of(
    folder: &str,
    games: u64,
    turns: u32,
    reached: Option<LogCursor>,
    seated: impl Fn(GameFacts, u64) -> GameFacts,
) -> Done {
    let originals = originals();
    let begin: Timestamp = BEGIN.parse()?;
    let mut writer = FactsWriter::open_empty(&FactsStore::new(folder))?;
    let mut rater = Rater::default();
    let began = Instant::now();
    let mut merging = Duration::ZERO;
    for from in (0..games).step_by(TOGETHER as usize) {
        let copies = (from..games.min(from + TOGETHER)).map(|number| {
            let time = begin + Duration::from_secs(number * YEAR / games);
            let original = &originals[number as usize % originals.len()];
            seated(copy(original, number, time, turns), number)
        });
        let mut copies: Vec<GameFacts> = copies.collect();
        rater.rate(&mut copies);
        let facts = Facts::from_games(copies)?;
        writer.append(&facts, reached.clone(), 0)?;
        let begin = Instant::now();
        while writer.compact()? {}
        merging += begin.elapsed();
    }
    println!(
        "{games} games in {} parts, made in {:.0?}, {merging:.0?} of it merging; {}",
        writer.manifest().parts.len(),
        began.elapsed(),
        memory()
    );
    Ok(())
}

/// Resident memory now and at most, from the operating system.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    let lines = [("VmRSS", "now"), ("VmHWM", "at most")].map(|(name, when)| {
        let megabytes = kilobytes(name).map_or(0, |kilobytes| kilobytes / 1_024);
        format!("{megabytes} MB {when}")
    });
    lines.join(", ")
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    // Resets the peak.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let began = Instant::now();
    let done = work();
    println!(
        "{what:<58} {:>9.1} ms   {}",
        began.elapsed().as_secs_f64() * 1e3,
        memory()
    );
    done
}

fn measure(folder: &str, only: &[&str]) -> Done {
    let store = FactsStore::new(folder);
    let queries = [
        "reason=any",
        "reason=any&nation=greeks&rated=true",
        "reason=any&since=2026-02-01&until=2026-03-10T07:00:00Z",
        "reason=any&min_rating=26",
        "reason=any&min_table_rating=22",
    ];
    let originals = originals();
    let filters = |asked: &Measure, query: &str| -> Result<Filters, Box<dyn Error>> {
        let mut filters: Filters = serde_urlencoded::from_str(query)?;
        match asked.name {
            "head_to_head" => filters.bot = Some("random".to_owned()),
            "positions" => {
                let digest = originals[0]
                    .turns
                    .iter()
                    .find_map(|row| row.digest.as_deref());
                filters.digest = digest.map(str::to_owned);
            }
            _ => {}
        }
        Ok(filters)
    };
    let is_asked = |asked: &&Measure| only.is_empty() || only.contains(&asked.name);
    let measures = || analytics::MEASURES.into_iter().filter(is_asked);
    println!("one question to the folder, as the program asks");
    for query in queries {
        for asked in measures() {
            timed(&format!("{asked} {query}"), || {
                store
                    .measure(asked, &filters(asked, query)?)
                    .map_err(Box::<dyn Error>::from)
            })?;
        }
    }
    println!("a snapshot that keeps summaries, as the service asks");
    let parts = store.manifest()?.parts;
    let mut snapshot = Snapshot::new(store.clone(), parts)?.with_cache(32 << 20);
    timed("summaries read", || snapshot.warm())?;
    let more = [
        "reason=any&path=marble,temple",
        "reason=any&league=league-7",
    ];
    for query in queries.into_iter().chain(more) {
        for asked in measures() {
            let filters = filters(asked, query)?;
            let mut times = Vec::new();
            // Three more games before each question.
            for number in 0..40 {
                let more = (0..3).map(|more| {
                    let number = u64::MAX / 2 + number * 3 + more;
                    copy(&originals[more as usize], number, Timestamp::now(), 8)
                });
                let mut newest = match snapshot.newest().len() {
                    2_000.. => Facts::empty()?,
                    _ => snapshot.newest().clone(),
                };
                newest.append(&Facts::from_games(more.collect())?)?;
                snapshot = snapshot.with_new_games(&[], newest)?;
                let began = Instant::now();
                snapshot.measure(asked, &filters)?;
                times.push(began.elapsed());
            }
            let first = times[0];
            times.sort();
            println!(
                "{:<58} first {first:>8.1?} median {:>8.1?} p99 {:>8.1?}   {}",
                format!("{asked} {query}"),
                times[times.len() / 2],
                times[times.len() - 2],
                memory()
            );
        }
    }
    Ok(())
}
