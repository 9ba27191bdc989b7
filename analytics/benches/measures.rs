//! Measures over the facts of many games, and facts from records.
#![allow(missing_docs, reason = "criterion's macros")]

#[path = "../tests/support/mod.rs"]
#[allow(dead_code, reason = "tests use the rest of it")]
mod support;

use std::hint::black_box;

use analytics::question::EndFilter;
use analytics::{Facts, FactsStore, FactsWriter, Filters, GameFacts, measure};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::content::Library;
use support::{NationRow, nation};

/// Games in memory and on disk: 100,000, or as many as `TABULARIUM_BENCH_GAMES` says.
fn number_of_games() -> u32 {
    let games = std::env::var("TABULARIUM_BENCH_GAMES");
    games.map_or(100_000, |games| games.parse().expect("a number of games"))
}

/// Games of four nations with openings, mixes and event cards that vary.
fn made_up_games() -> Facts {
    let openings = ["growth", "military", "progress", "other"];
    let stops: [&[&str]; 3] = [
        &["marble", "temple", "gold"],
        &["arming", "maneuver_1"],
        &["gold", "marble", "know_how"],
    ];
    let cards: [&[(&str, &str)]; 3] = [
        &[],
        &[("fortress", "taken"), ("tribute", "taken")],
        &[("fortress", "taken"), ("fortress", "played")],
    ];
    let names = ["greeks", "arabs", "persians", "phoenicians"];
    let one = |index: u32| {
        let nations: Vec<NationRow> = (0..4u32)
            .map(|seat| {
                // A cheap scatter: what matters is how many different values there are.
                let mixed = (index * 4 + seat).wrapping_mul(2_654_435_761) >> 8;
                NationRow {
                    opening: openings[(mixed % 4) as usize],
                    stops: stops[(mixed % 3) as usize],
                    cards: cards[(mixed % 3) as usize],
                    personages: [mixed % 4, mixed / 4 % 4, mixed / 16 % 3, mixed / 64 % 3, 1],
                    ..nation(
                        names[seat as usize],
                        seat,
                        f64::from(u8::from(index % 4 == seat)),
                    )
                }
            })
            .collect();
        support::game(&format!("{index:036}"), &nations)
    };
    Facts::from_games((0..number_of_games()).map(one).collect()).expect("frames")
}

fn measures(criterion: &mut Criterion) {
    let facts = made_up_games();
    let folder = tempfile::tempdir().expect("a folder");
    let store = FactsStore::new(folder.path());
    let mut writer = FactsWriter::open(&store).expect("ours");
    writer.append(&facts, None, 0).expect("written");
    let mut group = criterion.benchmark_group("measures");
    group.throughput(Throughput::Elements(u64::from(number_of_games())));
    let memory = facts.lazy();
    for asked in analytics::MEASURES {
        let filters = Filters {
            reason: EndFilter::Any,
            ..Filters::default()
        };
        group.bench_function(format!("{asked}, in memory"), |bench| {
            bench.iter(|| black_box(measure(&memory, asked, &filters).expect("a table")));
        });
        group.bench_function(format!("{asked}, from disk"), |bench| {
            bench.iter(|| black_box(store.measure(asked, &filters).expect("a table")));
        });
    }
    group.finish();
}

fn facts(criterion: &mut Criterion) {
    let records: Vec<_> = (0..20)
        .map(|seed| {
            let setup = support::setup("antike-east", 4, seed, 60);
            support::play(&setup, &seed.to_string(), "2026-11-20T12:00:00Z")
        })
        .collect();
    let mut group = criterion.benchmark_group("facts");
    group.throughput(Throughput::Elements(records.len() as u64));
    group.bench_function("games derived, one core", |bench| {
        bench.iter(|| {
            for record in &records {
                black_box(GameFacts::derive(record, Library::embedded()).expect("facts"));
            }
        });
    });
    let duellum = support::duellum(20);
    group.bench_function("games of Antike Duellum derived, one core", |bench| {
        bench.iter(|| {
            for record in &duellum {
                black_box(GameFacts::derive(record, Library::embedded()).expect("facts"));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, measures, facts);
criterion_main!(benches);
