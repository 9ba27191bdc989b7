//! Facts on disk: whichever way they are kept and asked, the same numbers come out, and whatever
//! happens to the process that writes them, they are whole.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use analytics::facts::{FactTable, Reached, Summary};
use analytics::filters::{Ended, Which};
use analytics::{Facts, Filters, Measure, Snapshot, Store, StoreError, Writer, measure};
use engine::content::Library;
use engine::record::Record;
use serde_json::Value;
use support::nation;

fn facts(records: &[Record]) -> Facts {
    let (facts, left_out) = Facts::from_records(records, Library::embedded()).expect("frames");
    assert!(left_out.is_empty(), "{left_out:?}");
    facts
}

/// Every game but those from positions.
fn any() -> Filters {
    Filters {
        reason: Ended::Any,
        ..Filters::default()
    }
}

/// Every game a part of its own.
fn one_by_one(writer: &mut Writer, records: &[Record]) {
    for record in records {
        let one = facts(std::slice::from_ref(record));
        writer.append(&one, None, 0).expect("written");
    }
}

/// The files of parts below a folder, by their paths in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(below) = folders.pop() {
        for entry in fs::read_dir(below).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path.strip_prefix(folder).expect("below").to_owned()),
            }
        }
    }
    found.retain(|path| path.components().count() > 1);
    found.sort();
    found
}

/// Filters of every kind, alone and together.
fn filters() -> Vec<Filters> {
    let queries = [
        "",
        "edition=antike_duellum&variant=none",
        "variant=special_units",
        "ruleset=2",
        "nation=greeks&seat=1",
        "seat=1&bots=only",
        "reason=round_limit",
        "min_games=3",
        "from_position=any&declared=any",
        "until=2026-11-01",
        "since=2026-10-15&until=2026-11-20T12:00:00Z",
        "since=2026-11-20T12:00:00Z&nation=persians",
        "since=2027-01-01",
        "path=marble,temple&seat=0",
        "path=arming&since=2026-11-01",
        "bot=greedy",
        "opponents=bots&place=2",
        "ruleset=each",
        "at=1",
    ];
    // Bots that take any action end by the limit of rounds.
    let parse = |query: &str| {
        let query = match query.contains("reason") {
            true => query.to_owned(),
            false => format!("{query}&reason=any"),
        };
        serde_urlencoded::from_str(query.trim_start_matches('&')).expect("filters")
    };
    queries.map(parse).into()
}

#[test]
fn the_same_numbers_come_from_memory_and_from_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::new(folder.path());
    let mut writer = Writer::open(&store).expect("ours");
    let mut records = support::records(20);
    records.extend(support::duellum(6));
    // Two players with two nations each, and a shared win.
    let shared = [("persians", 0, 0.25), ("greeks", 1, 0.25)];
    let shared = [shared, [("phoenicians", 0, 0.25), ("arabs", 1, 0.25)]].concat();
    let shared: Vec<_> = shared
        .into_iter()
        .map(|(name, seat, share)| nation(name, seat, share))
        .collect();
    let shared = Facts::from_games(vec![support::game("shared", &shared)]).expect("frames");
    let mut whole = facts(&records);
    whole.append(&shared).expect("appended");

    writer
        .append(&facts(&records[..9]), None, 0)
        .expect("written");
    one_by_one(&mut writer, &records[9..11]);
    writer.append(&shared, None, 0).expect("written");
    let part_of = Snapshot::new(store.clone(), writer.manifest().parts.clone());
    let part_of = part_of.expect("a snapshot").keeping(1 << 20);
    part_of.warm().expect("summaries");
    let added = writer.append(&facts(&records[11..20]), None, 0);
    let added = added.expect("written");
    let newest = facts(&records[20..]);
    let grown = part_of.grown(&added, newest.clone()).expect("summaries");
    assert_eq!(grown.version(), whole.version());
    writer.append(&newest, None, 0).expect("written");
    let all = Snapshot::new(store.clone(), writer.manifest().parts.clone());
    let all = all.expect("a snapshot").keeping(1 << 20);

    // Filters work alike whatever is measured of nations.
    let few = [
        Measure::Nations,
        Measure::OpeningsTree,
        Measure::Openings,
        Measure::Lengths,
    ];
    for (index, filters) in filters().into_iter().enumerate() {
        let one = &few[index % few.len()..][..1];
        for asked in if index == 0 { Measure::ALL } else { one } {
            let expected = measure(&whole.lazy(), *asked, &filters).expect("a table");
            let expected = expected.to_json().expect("json");
            let same = |way: &str, table: Result<analytics::Table, StoreError>| {
                let table = table.expect("a table").to_json().expect("json");
                assert_eq!(table, expected, "{asked} {filters:?}, {way}");
            };
            same("by the program", store.measure(*asked, &filters));
            if index % 3 == 0 {
                same("kept in part", grown.measure(*asked, &filters));
            }
            same("kept", all.measure(*asked, &filters));
            if asked == &Measure::OpeningsTree {
                same("kept, again", all.measure(*asked, &filters));
            }
        }
    }
    let all = filters().into_iter().map(|filters| {
        let table = store.measure(Measure::Seats, &filters).expect("a table");
        table.games
    });
    let all: Vec<u64> = all.collect();
    assert_eq!(all[0], 27);
    let any = all.iter().filter(|games| (1..27).contains(*games)).count();
    assert!(any > 8, "most filters choose: {all:?}");
}

#[test]
fn small_parts_are_merged() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::new(folder.path());
    let mut writer = Writer::open(&store).expect("ours");
    let records: Vec<Record> = (0..19)
        .map(|seed| {
            let setup = support::setup("antike-east", 2 + seed % 3, seed as u32, 6);
            let played_at = format!("2026-10-{:02}T12:00:00Z", 28 - seed);
            support::play(&setup, &format!("game-{seed}"), &played_at)
        })
        .collect();
    one_by_one(&mut writer, &records[..15]);
    assert!(!writer.compact().expect("read"), "15 are not enough");
    one_by_one(&mut writer, &records[15..]);
    let parts = writer.manifest().parts.clone();
    let before = Snapshot::new(store.clone(), parts).expect("a snapshot");
    assert!(writer.compact().expect("merged"));
    assert!(!writer.compact().expect("read"), "one is not merged");

    let whole = facts(&records);
    let manifest = store.manifest().expect("read");
    assert_eq!(manifest.parts.len(), 1);
    assert_eq!(manifest.version(), whole.version());
    let first = manifest.parts[0].first.expect("a time").to_string();
    assert_eq!(first, "2026-10-10T12:00:00Z");
    let of_part = FactTable::ALL.len() + Summary::KEPT.len();
    assert_eq!(files(folder.path()).len(), of_part, "tables and summaries");
    let read = store.read().expect("read");
    for ((name, merged), (_, in_memory)) in read.tables().zip(whole.tables()) {
        assert_eq!(merged.schema(), in_memory.schema(), "{name}");
        assert_eq!(merged.height(), in_memory.height(), "{name}");
    }
    for asked in [Measure::Nations, Measure::OpeningsTree, Measure::Conquests] {
        let filters = any();
        let expected = measure(&whole.lazy(), asked, &filters).expect("a table");
        let table = store.measure(asked, &filters).expect("a table");
        assert_eq!(
            table.to_json().expect("json"),
            expected.to_json().expect("json")
        );
        assert!(
            before.measure(asked, &filters).is_err(),
            "its parts are gone"
        );
        let after = before.compacted(manifest.parts.clone());
        let table = after.measure(asked, &filters).expect("a table");
        assert_eq!(
            table.to_json().expect("json"),
            expected.to_json().expect("json")
        );
    }
}

/// Whatever a process has written when it ends: what the manifest does not count is not there.
#[test]
fn what_no_manifest_counts_is_not_read_and_is_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::new(folder.path());
    let records = support::records(4);
    let (before, more) = (facts(&records[..2]), facts(&records[2..]));
    let mut writer = Writer::open(&store).expect("ours");
    let reached = |position, game: &str| {
        Some(Reached {
            position,
            game: game.to_owned(),
        })
    };
    writer
        .append(&before, reached(7, "game-1"), 1)
        .expect("written");
    let counted = files(folder.path());
    let manifest = folder.path().join("manifest.json");
    let text = fs::read(&manifest).expect("the manifest");
    writer
        .append(&more, reached(9, "game-3"), 2)
        .expect("written");
    drop(writer);
    // As if it had ended just before, half a file behind it.
    fs::write(&manifest, text).expect("written");
    let half = folder.path().join("turns/edition=antike/month=2026-10");
    fs::write(half.join("part-half.partial"), "PAR1").expect("written");
    assert!(files(folder.path()).len() > counted.len() + 1);

    let asked = store.measure(Measure::Seats, &any());
    assert_eq!(asked.expect("a table").games, 2);
    let mut writer = Writer::open(&store).expect("ours");
    assert_eq!(files(folder.path()), counted);
    assert_eq!(writer.manifest().reached, reached(7, "game-1"));
    assert_eq!(writer.manifest().set_aside, 1);
    writer
        .append(&more, reached(9, "game-3"), 2)
        .expect("written");
    assert_eq!(
        store.read().expect("read").version(),
        facts(&records).version()
    );
}

#[test]
fn one_process_writes_to_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::new(folder.path());
    let writer = Writer::open(&store).expect("ours");
    for other in [Writer::open(&store), Writer::anew(&store)] {
        assert!(matches!(other, Err(StoreError::Locked(_))), "{other:?}");
    }
    drop(writer);
    Writer::open(&store).expect("free again");
}

/// Parts of another version have other columns: they are named, not misread or mixed with new
/// ones.
#[test]
fn facts_of_another_form_are_refused() {
    let records = support::records(1);
    let change = |path: &Path| {
        let text = fs::read_to_string(path).expect("the manifest");
        let mut manifest: Value = serde_json::from_str(&text).expect("JSON");
        manifest["form"] = 3.into();
        manifest["parts"] = "otherwise".into();
        fs::write(path, manifest.to_string()).expect("written");
    };
    // The first forms had no manifest.
    let remove = |path: &Path| fs::remove_file(path).expect("removed");
    for older in [&change as &dyn Fn(&Path), &remove] {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::new(folder.path());
        let mut writer = Writer::open(&store).expect("ours");
        writer.append(&facts(&records), None, 0).expect("written");
        drop(writer);
        older(&folder.path().join("manifest.json"));
        let asked = store.measure(Measure::Seats, &any()).err();
        let errors = [asked, store.games().err(), Writer::open(&store).err()];
        for error in errors.map(|error| error.expect("refused")) {
            assert!(matches!(&error, StoreError::Form(_)), "{error}");
            assert!(error.to_string().contains("make the facts anew"), "{error}");
        }
        let writer = Writer::anew(&store).expect("ours");
        assert!(writer.manifest().parts.is_empty());
        assert!(files(folder.path()).is_empty(), "everything is removed");
    }
}

#[test]
fn a_folder_without_facts_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::new(folder.path().join("nowhere"));
    let filters = Filters {
        bots: Which::Only,
        ..any()
    };
    let asked = store.measure(Measure::Seats, &filters);
    assert!(matches!(asked, Err(StoreError::Empty(_))), "{asked:?}");
    assert!(store.games().expect("none").is_empty());
}
