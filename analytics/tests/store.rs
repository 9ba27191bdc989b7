//! Facts on disk: all ways to store and read them give the same numbers, and they are complete whatever
//! happens to the process that writes them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{self, nation};
use analytics::dataset::{Publication, publish};
use analytics::facts::FactTable;
use analytics::question::{AsOf, EndFilter, Inclusion};
use analytics::storage::LogCursor;
use analytics::{
    Facts, FactsStore, FactsStoreError, FactsWriter, Filters, GameFacts, Measure, Snapshot,
    StatisticsTable, measure,
};
use engine::content::Library;
use engine::setup::Player;
use jiff::{SignedDuration, Timestamp};
use records::Record;
use serde_json::Value;

/// Facts of games, some of which belong to a league of persons.
fn facts(records: &[Record]) -> Facts {
    let derived = records.iter().map(|record| {
        let mut facts = GameFacts::derive(record, Library::embedded()).expect("facts");
        if facts.game.game.ends_with(['0', '2', '5']) {
            facts.game.league = Some("spring".into());
            for row in &mut facts.seats {
                row.league = Some("spring".into());
                row.cluster = row.seat % 3;
            }
        }
        facts
    });
    Facts::from_games(derived.collect()).expect("frames")
}

/// All games except those from positions.
fn any_reason() -> Filters {
    Filters {
        reason: EndFilter::Any,
        ..Filters::default()
    }
}

/// Creates an empty folder of facts with its writer.
fn new_store() -> (tempfile::TempDir, FactsStore, FactsWriter) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = FactsStore::new(folder.path());
    let writer = FactsWriter::open(&store).expect("ours");
    (folder, store, writer)
}

/// Writes a part for each game.
fn append_one_by_one(writer: &mut FactsWriter, records: &[Record]) {
    for record in records {
        let one = facts(std::slice::from_ref(record));
        writer.append(&one, None, 0).expect("written");
    }
}

/// Returns the files of parts below a folder, by their paths in it.
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

/// Returns filters of every kind, alone and together.
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
        "levels=2&path=marble",
        "levels=3",
        "bot=greedy",
        "opponents=bots&place=2",
        "ruleset=each",
        "at=1",
        "league=spring",
        "league=spring&since=2026-11-01",
    ];
    // Games of bots that take any action end by the limit of rounds.
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
    let (_folder, store, mut writer) = new_store();
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
    append_one_by_one(&mut writer, &records[9..11]);
    writer.append(&shared, None, 0).expect("written");
    let part_of = Snapshot::new(store.clone(), writer.manifest().parts.clone());
    let part_of = part_of.expect("a snapshot").with_cache(1 << 20);
    part_of.warm().expect("summaries");
    let added = writer.append(&facts(&records[11..20]), None, 0);
    let added = added.expect("written");
    let newest = facts(&records[20..]);
    let grown = part_of
        .with_new_games(&added, newest.clone())
        .expect("summaries");
    assert_eq!(grown.version(), whole.version());
    writer.append(&newest, None, 0).expect("written");
    let all = Snapshot::new(store.clone(), writer.manifest().parts.clone());
    let all = all.expect("a snapshot").with_cache(1 << 20);

    let first = GameFacts::derive(&records[0], Library::embedded()).expect("facts");
    let position = first.turns[1]
        .digest
        .as_deref()
        .expect("a digest")
        .to_owned();

    // Filters have the same effect for all measures of nations.
    let few = [
        &analytics::NATIONS,
        &analytics::OPENINGS_TREE,
        &analytics::OPENINGS,
        &analytics::LENGTHS,
    ];
    for (index, filters) in filters().into_iter().enumerate() {
        let one = &few[index % few.len()..][..1];
        // Some summaries have no leagues.
        let every = index == 0 || filters.league.is_some();
        for asked in if every { &analytics::MEASURES } else { one } {
            let filters = match asked.name {
                "positions" => Filters {
                    digest: Some(position.clone()),
                    ..filters.clone()
                },
                _ => filters.clone(),
            };
            let expected = measure(&whole.lazy(), asked, &filters).expect("a table");
            let expected = expected.to_json().expect("json");
            let same = |way: &str, table: Result<analytics::StatisticsTable, FactsStoreError>| {
                let table = table.expect("a table").to_json().expect("json");
                assert_eq!(table, expected, "{asked} {filters:?}, {way}");
            };
            same("by the program", store.measure(asked, &filters));
            let is_of_league = filters.league.is_some();
            if is_of_league {
                // Its sums are cached, without the games added later.
                let before = part_of.measure(asked, &filters).expect("a table");
                assert_ne!(before.data_version, expected["data_version"], "{asked}");
            }
            if index % 3 == 0 || is_of_league {
                same("kept in part", grown.measure(asked, &filters));
            }
            same("kept", all.measure(asked, &filters));
            if asked == &&analytics::OPENINGS_TREE || is_of_league {
                same("kept, again", all.measure(asked, &filters));
            }
        }
    }
    let all = filters().into_iter().map(|filters| {
        let table = store.measure(&analytics::SEATS, &filters).expect("a table");
        table.games
    });
    let all: Vec<u64> = all.collect();
    assert_eq!(all[0], 27);
    let any = all.iter().filter(|games| (1..27).contains(*games)).count();
    assert!(any > 8, "most filters choose: {all:?}");
}

/// Players and bots are requested in games of bots only, and in others.
#[test]
fn head_to_head_is_the_same_from_parts_and_as_a_whole() {
    let tables = [
        ["random", "search:8", "random"].as_slice(),
        &["random", "random"],
        &["greedy_growth:8", "greedy:8", "search"],
        &["random", "ann", "search:8"],
        &["ann", "bob"],
        &["greedy_growth:8", "bob"],
    ];
    let mut records = support::records(12);
    for (record, number) in records.iter_mut().zip(0..) {
        let table: &[&str] = tables[number % tables.len()];
        for (seat, name) in record.setup.seats.iter_mut().zip(table.iter().cycle()) {
            let name = (*name).to_owned();
            seat.player = match name.as_str() {
                "ann" | "bob" => Player::Person {
                    id: name,
                    name: None,
                },
                _ => Player::Bot { name },
            };
        }
    }
    let (_folder, store, mut writer) = new_store();
    for records in [&records[..7], &records[7..11]] {
        writer.append(&facts(records), None, 0).expect("written");
    }
    let newest = facts(&records[11..]);
    let parts = writer.manifest().parts.clone();
    let snapshot = Snapshot::new(store, parts).expect("a snapshot");
    let keeping = snapshot.clone().with_cache(1 << 20);
    let snapshots =
        [snapshot, keeping].map(|snapshot| snapshot.with_new_games(&[], newest.clone()));
    let all = facts(&records);
    let (mut counted, mut wanted) = (Vec::new(), Vec::new());
    // Each filter with the number of its games.
    for (query, games) in [
        ("bot=random", 6),
        ("bot=search", 6),
        ("bot=search:8", 4),
        ("bot=greedy", 4),
        ("bot=greedy_growth:8", 4),
        ("bot=unknown", 0),
        ("player=greedy:8", 2),
        ("player=ann", 4),
        ("player=random&bot=random", 6),
        ("player=random&bot=search", 0),
        ("bot=random&place=1", 4),
        ("bot=random&opponents=bots", 4),
        ("bot=random&bots=only", 4),
        ("bot=random&bots=none", 0),
        ("bot=search&league=spring", 2),
        ("bot=search&board=antike-west", 2),
        ("bot=search&until=2026-11-15", 4),
        ("bot=search&ruleset=each", 6),
    ] {
        let filters = format!("reason=any&{query}");
        let filters: Filters = serde_urlencoded::from_str(&filters).expect("filters");
        let asked = &analytics::HEAD_TO_HEAD;
        let expected = measure(&all.lazy(), asked, &filters).expect("a table");
        counted.push((query, expected.games));
        wanted.push((query, games));
        for snapshot in &snapshots {
            let snapshot = snapshot.as_ref().expect("a snapshot");
            let table = snapshot.measure(asked, &filters).expect("a table");
            assert_eq!(serialize(&table), serialize(&expected), "{query}");
        }
    }
    assert_eq!(counted, wanted);
}

#[test]
fn small_parts_are_merged() {
    let (folder, store, mut writer) = new_store();
    let records: Vec<Record> = (0..19)
        .map(|seed| {
            let setup = support::setup("antike-east", 2 + seed % 3, seed as u32, 6);
            let played_at = format!("2026-10-{:02}T12:00:00Z", 28 - seed);
            support::play(&setup, &format!("game-{seed}"), &played_at)
        })
        .collect();
    append_one_by_one(&mut writer, &records[..15]);
    assert!(!writer.compact().expect("read"), "15 are not enough");
    append_one_by_one(&mut writer, &records[15..]);
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
    let of_part = FactTable::ALL.len() + analytics::stored_summaries().count();
    assert_eq!(files(folder.path()).len(), of_part, "tables and summaries");
    let read = store.read().expect("read");
    for ((name, merged), (_, in_memory)) in read.tables().zip(whole.tables()) {
        assert_eq!(merged.schema(), in_memory.schema(), "{name}");
        assert_eq!(merged.height(), in_memory.height(), "{name}");
    }
    for asked in [
        &analytics::NATIONS,
        &analytics::OPENINGS_TREE,
        &analytics::CONQUESTS,
    ] {
        let filters = any_reason();
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
        let after = before.with_merged_parts(manifest.parts.clone());
        let table = after.measure(asked, &filters).expect("a table");
        assert_eq!(
            table.to_json().expect("json"),
            expected.to_json().expect("json")
        );
    }
}

/// Files that the manifest does not list are ignored, whatever a process has written before its end.
#[test]
fn files_without_a_manifest_entry_are_ignored_and_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = FactsStore::new(folder.path());
    let records = support::records(4);
    let (before, more) = (facts(&records[..2]), facts(&records[2..]));
    let mut writer = FactsWriter::open(&store).expect("ours");
    let reached = |position, game: &str| {
        Some(LogCursor {
            position,
            game: game.to_owned(),
            leagues: None,
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
    // As if the process had ended just before, leaving half a file.
    fs::write(&manifest, text).expect("written");
    let half = folder.path().join("turns/edition=antike/month=2026-10");
    fs::write(half.join("part-half.partial"), "PAR1").expect("written");
    assert!(files(folder.path()).len() > counted.len() + 1);

    let asked = store.measure(&analytics::SEATS, &any_reason());
    assert_eq!(asked.expect("a table").games, 2);
    let mut writer = FactsWriter::open(&store).expect("ours");
    assert_eq!(files(folder.path()), counted);
    assert_eq!(writer.manifest().cursor, reached(7, "game-1"));
    assert_eq!(writer.manifest().without_facts, 1);
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
    let store = FactsStore::new(folder.path());
    let writer = FactsWriter::open(&store).expect("ours");
    for other in [FactsWriter::open(&store), FactsWriter::open_empty(&store)] {
        assert!(
            matches!(other, Err(FactsStoreError::Locked(_))),
            "{other:?}"
        );
    }
    drop(writer);
    FactsWriter::open(&store).expect("free again");
}

/// Parts of another version have other columns: they are refused by name, and not misread or mixed with new
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
    let remove = |path: &Path| fs::remove_file(path).expect("removed");
    for older in [&change as &dyn Fn(&Path), &remove] {
        let folder = tempfile::tempdir().expect("a folder");
        let store = FactsStore::new(folder.path());
        let mut writer = FactsWriter::open(&store).expect("ours");
        writer.append(&facts(&records), None, 0).expect("written");
        drop(writer);
        older(&folder.path().join("manifest.json"));
        let asked = store.measure(&analytics::SEATS, &any_reason()).err();
        let errors = [asked, store.games().err(), FactsWriter::open(&store).err()];
        for error in errors.map(|error| error.expect("refused")) {
            assert!(matches!(&error, FactsStoreError::Form(_)), "{error}");
            assert!(
                error.to_string().contains("from the records again"),
                "{error}"
            );
        }
        let writer = FactsWriter::open_empty(&store).expect("ours");
        assert!(writer.manifest().parts.is_empty());
        assert!(files(folder.path()).is_empty(), "everything is removed");
    }
}

#[test]
fn a_folder_without_facts_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = FactsStore::new(folder.path().join("nowhere"));
    let filters = Filters {
        bots: Inclusion::Only,
        ..any_reason()
    };
    let asked = store.measure(&analytics::SEATS, &filters);
    assert!(matches!(asked, Err(FactsStoreError::Empty(_))), "{asked:?}");
    assert!(store.games().expect("none").is_empty());
}

/// Returns facts of records at successive log positions, each recorded at its own time.
fn recorded_facts(records: &[Record], first: i64) -> Facts {
    let games = records.iter().zip(first..).map(|(record, place)| {
        let facts = GameFacts::derive(record, Library::embedded()).expect("facts");
        facts.with_position(10 * place, recorded_at(place))
    });
    Facts::from_games(games.collect()).expect("frames")
}

fn recorded_at(place: i64) -> Timestamp {
    let start: Timestamp = "2027-01-01T00:00:00Z".parse().expect("a time");
    start + SignedDuration::from_hours(place)
}

/// Serializes a table in every format.
fn serialize(table: &StatisticsTable) -> (String, String, Vec<u8>) {
    (
        table.to_json().expect("json").to_string(),
        table.to_csv().expect("csv"),
        table.to_parquet().expect("parquet"),
    )
}

/// The table as of a place is the same, whatever is added after it, and however the parts are merged.
#[test]
fn a_table_as_of_a_place_does_not_change() {
    let (_folder, store, mut writer) = new_store();
    // The games are of three months, so that late ones belong among earlier ones.
    let records = support::records(12);
    writer
        .append(&recorded_facts(&records[..6], 1), None, 0)
        .expect("written");
    let snapshot = |writer: &FactsWriter| {
        let parts = writer.manifest().parts.clone();
        let snapshot = Snapshot::new(store.clone(), parts).expect("a snapshot");
        snapshot.with_cache(1 << 20)
    };
    let as_of = |as_of: AsOf, query: &str| {
        let query = format!("{query}&reason=any&as_of={as_of}");
        let query = query.trim_start_matches('&').replace('+', "%2B");
        serde_urlencoded::from_str::<Filters>(&query).expect("filters")
    };
    // From summaries and rows, of nations, games, persons and single games.
    let few = [
        &analytics::NATIONS,
        &analytics::OPENINGS_TREE,
        &analytics::HEAD_TO_HEAD,
        &analytics::STRENGTH,
        &analytics::PERSONAGES_WORTH,
        &analytics::TRENDS,
        &analytics::LENGTHS,
    ];
    let asked: Vec<(&'static Measure, Filters)> = few
        .iter()
        .flat_map(|measure| {
            let query = match measure.name {
                "head_to_head" => "bot=random",
                "strength" | "personages_worth" => "min_games=1",
                "nations" => "place=1",
                _ => "",
            };
            let places = [AsOf::Position(45), AsOf::Time(recorded_at(4))];
            places.map(|place| (*measure, as_of(place, query)))
        })
        .collect();
    let before: Vec<_> = asked
        .iter()
        .map(|(measure, filters)| {
            let table = snapshot(&writer)
                .measure(measure, filters)
                .expect("a table");
            assert_eq!((table.games, table.log_position), (4, 40), "{measure}");
            assert_eq!(table.as_of, Some(recorded_at(4)));
            serialize(&table)
        })
        .collect();
    let same = |way: &str, measure_with: &dyn Fn(&'static Measure, &Filters) -> StatisticsTable| {
        for ((measure, filters), before) in asked.iter().zip(&before) {
            let now = serialize(&measure_with(measure, filters));
            assert_eq!(now, *before, "{measure} {filters:?}, {way}");
        }
    };
    // The same tables from the games of that time, in memory.
    let (then, now) = (
        recorded_facts(&records[..4], 1),
        recorded_facts(&records, 1),
    );
    for ((asked, filters), before) in asked.iter().zip(&before) {
        for facts in [&then, &now] {
            let table = measure(&facts.lazy(), asked, filters).expect("a table");
            assert_eq!(serialize(&table), *before, "{asked} in memory");
        }
    }
    for (record, place) in records[6..].iter().zip(7..) {
        let one = recorded_facts(std::slice::from_ref(record), place);
        writer.append(&one, None, 0).expect("written");
        if place == 10 {
            same("with a part for each game", &|measure, filters| {
                snapshot(&writer)
                    .measure(measure, filters)
                    .expect("a table")
            });
        }
    }
    // All facts in one part, so that early and late games are stored together.
    drop(writer);
    let whole = tempfile::tempdir().expect("a folder");
    let mut writer = FactsWriter::open(&FactsStore::new(whole.path())).expect("ours");
    writer.append(&now, None, 0).expect("written");
    let together = Snapshot::new(
        FactsStore::new(whole.path()),
        writer.manifest().parts.clone(),
    );
    let together = together.expect("a snapshot");
    same("in parts with what came later", &|measure, filters| {
        together.measure(measure, filters).expect("a table")
    });
    // The program requests past places only.
    let position = |place| as_of(AsOf::Position(place), "");
    let whole = FactsStore::new(whole.path());
    let table = whole
        .measure(&analytics::SEATS, &position(45))
        .expect("a table");
    assert_eq!(table.games, 4);
    let table = whole
        .measure(&analytics::SEATS, &position(120))
        .expect("a table");
    assert_eq!(table.games, 12);
    let time = as_of(AsOf::Time(Timestamp::now()), "");
    for filters in [position(121), time] {
        let refused = whole.measure(&analytics::SEATS, &filters);
        let refused = refused.expect_err("it is not over");
        assert!(
            matches!(refused, FactsStoreError::NotYet { end: 120, .. }),
            "{refused}"
        );
    }
}

/// A folder answers up to the time until which it is known to be complete, not up to the clock's. A dataset answers
/// up to its source.
#[test]
fn a_folder_answers_up_to_the_time_until_which_it_is_complete() {
    let records = support::records(6);
    let folder = tempfile::tempdir().expect("a folder");
    let store = FactsStore::new(folder.path().join("facts"));
    let reached = |position: i64| {
        let game = records[0].id.clone();
        Some(LogCursor {
            position,
            game,
            leagues: None,
        })
    };
    let second = |second: i64| recorded_at(0) + SignedDuration::from_secs(second);
    let mut writer = FactsWriter::open(&store).expect("ours");
    for (record, place) in records.iter().zip(1i64..) {
        let game = GameFacts::derive(record, Library::embedded()).expect("facts");
        let facts = Facts::from_games(vec![game.with_position(place, second(10 * place))]);
        let facts = facts.expect("frames");
        writer.append(&facts, reached(place), 0).expect("written");
    }
    let asked = |store: &FactsStore, as_of: AsOf| {
        let filters = Filters {
            as_of: Some(as_of),
            ..any_reason()
        };
        match store.measure(&analytics::NATIONS, &filters) {
            Ok(table) => Some(table.games),
            Err(FactsStoreError::NotYet { .. }) => None,
            Err(error) => panic!("{error}"),
        }
    };
    let by = |store: &FactsStore, at: i64| asked(store, AsOf::Time(second(at)));
    // Without a noted time, the folder is complete until shortly before its last game.
    assert_eq!(
        [57, 58, 59].map(|at| by(&store, at)),
        [Some(5), Some(5), None]
    );
    writer
        .set_complete_until(Some(second(75)))
        .expect("written");
    assert_eq!(
        [58, 75, 76].map(|at| by(&store, at)),
        [Some(5), Some(6), None]
    );
    // A later append without games does not change the noted time.
    writer
        .append(&Facts::empty().expect("frames"), reached(9), 0)
        .expect("written");
    assert_eq!([75, 76].map(|at| by(&store, at)), [Some(6), None]);

    drop(writer);
    let published = |name: &str, as_of: Option<AsOf>| {
        let published = publish(&Publication {
            facts: &store,
            to: folder.path(),
            name,
            title: "",
            description: "",
            license: "CC0-1.0",
            as_of,
        });
        let until = published.expect("published").complete_until;
        let dataset = FactsStore::new(folder.path().join(name));
        assert_eq!(asked(&dataset, AsOf::Position(4)), Some(4), "{name}");
        assert!(asked(&dataset, AsOf::Time(until)).is_some(), "{name}");
        let behind = until + SignedDuration::from_secs(1);
        assert!(asked(&dataset, AsOf::Time(behind)).is_none(), "{name}");
        until
    };
    assert_eq!(published("all", None), second(75));
    assert_eq!(published("end", Some(AsOf::Position(6))), second(75));
    assert_eq!(published("place", Some(AsOf::Position(5))), second(48));
    assert_eq!(published("time", Some(AsOf::Time(second(55)))), second(55));
}

/// The version of a table covers all that it depends on: players, winners, filters, and the selected results.
#[test]
fn the_version_of_a_table_covers_what_it_depends_on() {
    let records = support::records(6);
    let version = |records: &[Record], asked: &'static Measure, filters: &Filters| {
        let table = measure(&facts(records).lazy(), asked, filters).expect("a table");
        table.data_version
    };
    let all = Filters {
        declared: Inclusion::Any,
        ..any_reason()
    };
    let of = |records: &[Record]| version(records, &analytics::NATIONS, &all);
    let before = of(&records);
    assert_eq!(of(&records), before);
    let mut turned = records.clone();
    turned.reverse();
    assert_eq!(of(&turned), before, "whatever the order");

    let changed = |change: &dyn Fn(&mut Record)| {
        let mut changed = records.clone();
        change(&mut changed[1]);
        of(&changed)
    };
    let people = changed(&|record| {
        for (seat, number) in record.setup.seats.iter_mut().zip(0..) {
            seat.player = Player::Person {
                id: format!("someone-{number}"),
                name: None,
            };
        }
    });
    // A result that the players agreed on.
    let agreed = include_str!("../../tests/records/west_3_agreement.json");
    let mut agreed: Record = serde_json::from_str(agreed).expect("a record");
    let with = |agreed: &Record| of(&[&records[..], std::slice::from_ref(agreed)].concat());
    let declared = with(&agreed);
    let ranks = &mut agreed.result.as_mut().expect("a result").ranks;
    let (first, last) = (ranks[0].clone(), ranks[ranks.len() - 1].clone());
    let end = ranks.len() - 1;
    (ranks[0].seat, ranks[0].nations) = (last.seat, last.nations);
    (ranks[end].seat, ranks[end].nations) = (first.seat, first.nations);
    let swapped = with(&agreed);
    let versions = [
        changed(&|record| record.rated = !record.rated),
        changed(&|record| record.league = Some("of-others".to_owned())),
        changed(&|record| record.played_at = "2026-01-01T00:00:00Z".to_owned()),
        changed(&|record| record.id = "another".to_owned()),
        people,
        declared,
        swapped,
        before.clone(),
    ];
    let different: std::collections::BTreeSet<&String> = versions.iter().collect();
    assert_eq!(different.len(), versions.len(), "{versions:?}");

    // Only games that pass the filters count.
    let east = Filters {
        board: Some("antike-east".to_owned()),
        ..any_reason()
    };
    let is_east = |record: &Record| record.setup.board == "antike-east";
    let in_east = version(&records, &analytics::NATIONS, &east);
    let mut others = records.clone();
    others.retain(is_east);
    assert_eq!(version(&others, &analytics::NATIONS, &east), in_east);
    assert_ne!(of(&others), before);
    let games = in_east.split('-').next().expect("a number").to_owned();
    assert_eq!(games, others.len().to_string());
}

/// Each file is checked by itself, including a damaged one whose rows can still be read.
#[test]
fn a_damaged_file_is_named_and_not_read() {
    let (folder, store, mut writer) = new_store();
    append_one_by_one(&mut writer, &support::records(2));
    drop(writer);
    let parts = store.manifest().expect("a manifest").parts;
    assert_eq!(store.damaged(&parts), Vec::new());
    for file in files(folder.path()) {
        let path = folder.path().join(&file);
        let whole = fs::read(&path).expect("a file");
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 1;
        for damage in [Some(flipped), Some(Vec::new()), None] {
            match &damage {
                Some(bytes) => fs::write(&path, bytes).expect("written"),
                None => fs::remove_file(&path).expect("removed"),
            }
            // A new snapshot, because an earlier one has checked its files already.
            let refused = match file.starts_with("summaries") {
                true => {
                    let parts = parts.clone();
                    let snapshot = Snapshot::new(store.clone(), parts).expect("a snapshot");
                    snapshot.check().expect_err("it is damaged")
                }
                false => store.read().expect_err("it is damaged"),
            };
            let error = refused.to_string();
            assert!(error.contains(&path.display().to_string()), "{error}");
            assert!(error.contains("from the records again"), "{error}");
            let damaged = store.damaged(&parts).into_iter().map(|(_, path)| path);
            assert_eq!(damaged.collect::<Vec<PathBuf>>(), [path.as_path()]);
        }
        fs::write(&path, &whole).expect("written");
    }
    store.read().expect("whole again");
}
