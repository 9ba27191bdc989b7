//! Results at real tables: which of them count, as of when, and that they are the same wherever they are kept.

use analytics::dataset::{Publication, publish};
use analytics::facts::{TableResult, TableResultSeat};
use analytics::{
    Facts, FactsWriter, Filters, GameFacts, LazyFacts, Measure, Snapshot, Store, measure, query,
    sql,
};
use engine::content::Library;
use engine::setup::Player;
use jiff::Timestamp;
use records::Record;
use serde_json::{Value, json};

use super::{assert_row, shared};
use crate::support;

/// When the first revision was recorded; the others follow a second after the other.
const START: i64 = 1_790_000_000;

/// A result on antike-east: who, with which nations, on which rank. Revisions are recorded where they are numbered.
fn result(game: &str, revision: u32, seats: &[(&str, &[&str], u8)]) -> TableResult {
    let at = |second: i64| Timestamp::from_second(second).expect("a time");
    let seat = |(id, nations, rank): &(&str, &[&str], u8)| TableResultSeat {
        player: Player::Person {
            id: format!("placeholder:{id}"),
            name: None,
        },
        nations: nations.iter().map(|name| (*name).to_owned()).collect(),
        rank: *rank,
    };
    TableResult {
        game: game.to_owned(),
        revision,
        counts: true,
        log_position: i64::from(revision) * 10,
        recorded_at: at(START + i64::from(revision)),
        played_at: at(START - 86_400),
        edition: "antike".to_owned(),
        board: Some("antike-east".to_owned()),
        rated: true,
        league: Some("cup".to_owned()),
        seats: seats.iter().map(seat).collect(),
    }
}

/// Two tables. The first one is corrected, then corrected back; the second one is void in the end.
fn revisions() -> Vec<TableResult> {
    let one = |revision, ranks: [u8; 4]| {
        let [greeks, arabs, persians, phoenicians] = ranks;
        let seats: [(&str, &[&str], u8); 4] = [
            ("dido", &["greeks"], greeks),
            ("hanno", &["arabs"], arabs),
            ("mago", &["persians"], persians),
            ("anna", &["phoenicians"], phoenicians),
        ];
        result("cup/1", revision, &seats)
    };
    let two = |revision, counts| TableResult {
        counts,
        ..result(
            "cup/2",
            revision,
            &[
                ("dido", &["greeks", "persians"], 2),
                ("hanno", &["arabs", "phoenicians"], 1),
            ],
        )
    };
    vec![
        one(1, [1, 2, 3, 4]),
        two(2, true),
        one(3, [3, 1, 1, 4]),
        one(4, [1, 2, 3, 4]),
        two(5, false),
    ]
}

fn facts_of(revisions: &[TableResult]) -> Facts {
    let rows = revisions.iter();
    let rows = rows.flat_map(|revision| revision.rows(Library::embedded()));
    Facts::from_results(rows.collect()).expect("frames")
}

/// Three games with records, and the results.
fn all() -> Facts {
    let mut facts = Facts::from_games(shared()).expect("frames");
    facts.append(&facts_of(&revisions())).expect("appended");
    facts
}

fn filters(query: &str) -> Filters {
    serde_urlencoded::from_str(query).expect("filters")
}

fn asked(facts: &LazyFacts, of: &'static Measure, query: &str) -> Value {
    let table = measure(facts, of, &filters(query)).expect("a table");
    table.to_json().expect("JSON")
}

fn nations(query: &str) -> Value {
    asked(&all().lazy(), &analytics::NATIONS, query)
}

#[test]
fn results_at_real_tables_count_when_they_are_asked_for() {
    let records = nations("");
    assert_eq!(records["games"], 3);
    assert_eq!(nations("result_only=none"), records);
    let any = nations("result_only=any");
    assert_eq!(any["games"], 4, "one table is void");
    // Of 11/6 wins in three games, and one at the table.
    assert_row(
        &any["rows"][1],
        json!({"nation": "greeks", "games": 4, "wins": 17.0 / 6.0, "expected": 0.25}),
    );
    assert_eq!(any["rulesets"], records["rulesets"]);
    assert_ne!(any["data_version"], records["data_version"]);
    let only = nations("result_only=only");
    assert_eq!(only["games"], 1);
    assert_eq!(only["rulesets"], json!([]));
    let wins: Vec<&Value> = (only["rows"].as_array().expect("rows").iter())
        .map(|row| &row["wins"])
        .collect();
    assert_eq!(wins, [&json!(0.0), &json!(1.0), &json!(0.0), &json!(0.0)]);
    // What else the facts are asked for is as if there were none.
    let without = Facts::from_games(shared()).expect("frames");
    for of in [&analytics::LENGTHS, &analytics::OPENINGS, &analytics::SEATS] {
        let alone = asked(&without.lazy(), of, "");
        assert_eq!(asked(&all().lazy(), of, ""), alone, "{of}");
    }
}

#[test]
fn a_table_of_two_players_shares_what_a_seat_wins() {
    let only = nations("result_only=only&as_of=20");
    assert_eq!(only["games"], 2);
    let rows = only["rows"].as_array().expect("rows");
    let of_two: Vec<&Value> = rows.iter().filter(|row| row["players"] == 2).collect();
    assert_eq!(of_two.len(), 4);
    for (row, wins) in of_two.into_iter().zip([0.5, 0.0, 0.0, 0.5]) {
        assert_row(row, json!({"wins": wins, "expected": 0.25, "games": 1}));
    }
}

#[test]
fn filters_pass_results_by_what_they_tell() {
    let games =
        |query: &str| nations(&format!("result_only=only&as_of=20&{query}"))["games"].take();
    for (query, count) in [
        ("", 2),
        ("edition=antike&board=antike-east&league=cup&rated=true", 2),
        ("variant=none&bots=none&opponents=people&declared=only", 2),
        ("nations=4&nation=greeks&seat=0", 2),
        ("player=placeholder:mago", 1),
        ("board=antike-west", 0),
        ("edition=antike_ii", 0),
        ("league=other", 0),
        ("rated=false", 0),
        ("variant=special_units", 0),
        ("bots=only", 0),
        ("bot=greedy", 0),
        ("opponents=mixed", 0),
        ("from_position=only", 0),
        ("since=2100-01-01", 0),
        ("until=2100-01-01", 2),
        ("until=2020-01-01", 0),
    ] {
        assert_eq!(games(query), count, "{query}");
    }
}

#[test]
fn what_no_result_tells_is_refused() {
    let check =
        |of: &'static Measure, query: &str| of.check(&filters(query), Library::embedded(), None);
    check(&analytics::NATIONS, "result_only=any&reason=any").expect("fine");
    check(&analytics::SEATS, "result_only=none").expect("fine");
    for (of, query, field) in [
        (&analytics::SEATS, "result_only=any", "result_only"),
        (&analytics::OPENINGS, "result_only=only", "result_only"),
        (&analytics::NATIONS, "result_only=any&place=1", "place"),
        (&analytics::NATIONS, "result_only=any&path=iron", "path"),
        (
            &analytics::NATIONS,
            "result_only=any&ruleset=each",
            "ruleset",
        ),
        (&analytics::NATIONS, "result_only=any&reason=goal", "reason"),
    ] {
        let refused = check(of, query).expect_err(query);
        assert_eq!(refused.field, field, "{query}: {refused}");
    }
    serde_urlencoded::from_str::<Filters>("result_only=some").expect_err("no such");
}

#[test]
fn a_result_whose_names_are_unknown_counts_for_nobody() {
    let known = result(
        "cup/1",
        1,
        &[("dido", &["greeks"], 1), ("hanno", &["arabs"], 2)],
    );
    let rows = |result: TableResult| result.rows(Library::embedded()).len();
    assert_eq!(rows(known.clone()), 2);
    let no_board = TableResult {
        board: None,
        ..known.clone()
    };
    assert_eq!(
        no_board.rows(Library::embedded())[0].board.as_ref(),
        "unknown"
    );
    for (board, edition) in [("antike-east", "../antike"), ("Antike-East", "antike")] {
        let named = TableResult {
            board: Some(board.to_owned()),
            edition: edition.to_owned(),
            ..known.clone()
        };
        assert_eq!(rows(named), 0, "{edition} {board}");
    }
    for nations in [&[][..], &["atlantis"]] {
        let mut named = known.clone();
        named.seats[0].nations = nations.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(rows(named), 0, "{nations:?}");
    }
}

#[test]
fn what_was_known_before_a_correction_is_told_as_of_then() {
    let told = |query: &str| nations(&format!("result_only=only&{query}"));
    let only_first = |place: u32| {
        let known = revisions();
        let known: Vec<TableResult> = (known.into_iter())
            .filter(|revision| revision.revision <= place)
            .collect();
        asked(
            &facts_of(&known).lazy(),
            &analytics::NATIONS,
            "result_only=only",
        )
    };
    let mut versions = Vec::new();
    for revision in 0..=5 {
        let expected = only_first(revision);
        let place = i64::from(revision) * 10;
        let second = Timestamp::from_second(START + i64::from(revision)).expect("a time");
        for query in [
            format!("as_of={place}"),
            format!("as_of={}", place + 9),
            format!("as_of={second}"),
        ] {
            let told = told(&query);
            for name in ["games", "rows", "data_version", "as_of"] {
                assert_eq!(told[name], expected[name], "{query}: {name}");
            }
        }
        versions.push(
            expected["data_version"]
                .as_str()
                .expect("a text")
                .to_owned(),
        );
    }
    for two in versions.windows(2) {
        assert_ne!(two[0], two[1], "each revision is seen");
    }
    // The correction was taken back and the other table is void: it is what was known in the beginning.
    assert_eq!(versions[5], versions[1]);
    assert_eq!(versions[4], versions[2]);
}

/// Each revision in a part of its own, as a service that goes on writes them.
fn on_disk(folder: &std::path::Path) -> (Store, FactsWriter, Facts) {
    let store = Store::new(folder);
    let mut writer = FactsWriter::open(&store).expect("ours");
    let record: Record = {
        let setup = support::setup("antike-east", 4, 7, 12);
        support::play(&setup, "game-1", "2026-09-01T12:00:00Z")
    };
    let game = GameFacts::derive(&record, Library::embedded()).expect("facts");
    let second = Timestamp::from_second(START + 100).expect("a time");
    let mut whole = Facts::from_games(vec![game.recorded(100, second)]).expect("frames");
    writer.append(&whole, None, 0).expect("written");
    for revision in revisions() {
        let one = facts_of(std::slice::from_ref(&revision));
        writer.append(&one, None, 0).expect("written");
        whole.append(&one).expect("appended");
    }
    assert_eq!(
        writer.manifest().parts.len(),
        6,
        "none is taken for another"
    );
    assert_eq!(writer.manifest().version(), whole.version());
    (store, writer, whole)
}

#[test]
fn results_are_the_same_from_disk_merged_and_published() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, mut writer, mut whole) = on_disk(&folder.path().join("facts"));
    let queries = [
        "reason=any",
        "reason=any&result_only=any",
        "reason=any&result_only=only&nation=greeks",
        "reason=any&result_only=any&as_of=25",
    ];
    let same = |store: &Store, whole: &Facts, state: &str| {
        for query in queries {
            let expected = asked(&whole.lazy(), &analytics::NATIONS, query);
            let told = store.measure(&analytics::NATIONS, &filters(query));
            let told = told.expect("a table").to_json().expect("JSON");
            assert_eq!(told, expected, "{state}: {query}");
        }
    };
    same(&store, &whole, "in parts");
    let kept = Snapshot::new(store.clone(), writer.manifest().parts.clone());
    let kept = kept.expect("a snapshot").keeping(1 << 20);
    let query = filters(queries[1]);
    let told = kept.measure(&analytics::NATIONS, &query).expect("a table");
    let expected = measure(&whole.lazy(), &analytics::NATIONS, &query).expect("a table");
    assert_eq!(
        told.to_json().expect("JSON"),
        expected.to_json().expect("JSON")
    );
    // Enough further parts to be merged.
    for number in 10..20 {
        let seats: [(&str, &[&str], u8); 2] = [("dido", &["greeks"], 1), ("hanno", &["arabs"], 2)];
        let more = TableResult {
            edition: "antike".to_owned(),
            counts: false,
            ..result(&format!("cup/{number}"), number, &seats)
        };
        let more = facts_of(&[more]);
        writer.append(&more, None, 0).expect("written");
        whole.append(&more).expect("appended");
    }
    let before = writer.manifest().parts.len();
    while writer.compact().expect("merged") {}
    assert!(writer.manifest().parts.len() < before);
    same(&store, &whole, "merged");
    let to = folder.path().join("datasets");
    std::fs::create_dir_all(&to).expect("a folder");
    let published = |name: &str, as_of: Option<&str>| {
        publish(&Publication {
            facts: &store,
            to: &to,
            name,
            title: "",
            description: "",
            license: "CC0-1.0",
            as_of: as_of.map(|text| text.parse().expect("a place or time")),
        })
        .map(|_| Store::new(to.join(name)))
        .expect("published")
    };
    same(&published("all", None), &whole, "published");
    // As of before the second revision of the first table, and of no game.
    let time = Timestamp::from_second(START + 2).expect("a time");
    for (name, as_of) in [("place", "29".to_owned()), ("time", time.to_string())] {
        let dataset = published(name, Some(&as_of));
        let query = filters("reason=any&result_only=any");
        let told = dataset
            .measure(&analytics::NATIONS, &query)
            .expect("a table");
        let asked = asked(
            &whole.lazy(),
            &analytics::NATIONS,
            &format!("reason=any&result_only=any&as_of={as_of}"),
        );
        let told = told.to_json().expect("JSON");
        for field in ["games", "rows", "data_version", "as_of"] {
            assert_eq!(told[field], asked[field], "{name}: {field}");
        }
        assert_eq!(told["games"], 2);
    }
}

#[test]
fn the_query_of_a_measure_finds_the_same_results() {
    let facts = all();
    for query_of in [
        "result_only=any",
        "result_only=only",
        "result_only=any&as_of=35&nation=greeks",
        "result_only=only&player=placeholder:dido&min_games=1",
    ] {
        let filters = filters(query_of);
        let table = measure(&facts.lazy(), &analytics::NATIONS, &filters).expect("a table");
        let expected = table.to_json().expect("JSON")["rows"].take();
        let expected = expected.as_array().expect("rows").clone();
        let text = sql(&analytics::NATIONS, &filters).expect("a query");
        let found = query(&facts.lazy(), &text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let found = found.to_json().expect("JSON");
        assert_eq!(found.len(), expected.len(), "{text}");
        for (row, expected) in found.iter().zip(&expected) {
            for (name, value) in row {
                let (told, number) = (&expected[name], value.as_f64());
                match number.zip(told.as_f64()) {
                    Some((one, other)) => assert!((one - other).abs() < 1e-9, "{name}: {row:?}"),
                    None => assert_eq!(value, told, "{name}"),
                }
            }
        }
    }
}
