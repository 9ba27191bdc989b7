//! Over-the-board results: which count, as of when, and that they are the same in every form of storage.

use analytics::dataset::{Publication, publish};
use analytics::facts::{TableResult, TableResultSeat};
use analytics::{
    Facts, FactsStore, FactsWriter, Filters, GameFacts, LazyFacts, Measure, Snapshot, measure,
    query, sql,
};
use engine::content::Library;
use engine::setup::Player;
use jiff::Timestamp;
use records::Record;
use serde_json::{Value, json};

use super::{assert_row, shared};
use crate::support;

/// The time of the first revision. The others follow a second after each other.
const START: i64 = 1_790_000_000;

/// A result on antike-east: names, nations and ranks. Revisions are recorded at their number.
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

/// Two tables: the first one is corrected, and the correction is reversed; the second one is void at the end.
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

/// Returns three games with records, and the results.
fn all() -> Facts {
    let mut facts = Facts::from_games(shared()).expect("frames");
    facts.append(&facts_of(&revisions())).expect("appended");
    facts
}

fn filters(query: &str) -> Filters {
    serde_urlencoded::from_str(query).expect("filters")
}

fn measure_json(facts: &LazyFacts, of: &'static Measure, query: &str) -> Value {
    let table = measure(facts, of, &filters(query)).expect("a table");
    table.to_json().expect("JSON")
}

fn nations(query: &str) -> Value {
    measure_json(&all().lazy(), &analytics::NATIONS, query)
}

#[test]
fn over_the_board_results_count_on_request() {
    let records = nations("");
    assert_eq!(records["games"], 3);
    assert_eq!(nations("over_the_board=none"), records);
    let any = nations("over_the_board=any");
    assert_eq!(any["games"], 4, "one table is void");
    // 11/6 wins in three games, and one in the result.
    assert_row(
        &any["rows"][1],
        json!({"nation": "greeks", "games": 4, "wins": 17.0 / 6.0, "expected": 0.25}),
    );
    assert_eq!(any["rulesets"], records["rulesets"]);
    assert_ne!(any["data_version"], records["data_version"]);
    let only = nations("over_the_board=only");
    assert_eq!(only["games"], 1);
    assert_eq!(only["rulesets"], json!([]));
    let wins: Vec<&Value> = (only["rows"].as_array().expect("rows").iter())
        .map(|row| &row["wins"])
        .collect();
    assert_eq!(wins, [&json!(0.0), &json!(1.0), &json!(0.0), &json!(0.0)]);
    // Measures of other facts are the same as without results.
    let without = Facts::from_games(shared()).expect("frames");
    for of in [&analytics::LENGTHS, &analytics::OPENINGS, &analytics::SEATS] {
        let alone = measure_json(&without.lazy(), of, "");
        assert_eq!(measure_json(&all().lazy(), of, ""), alone, "{of}");
    }
}

#[test]
fn a_table_of_two_players_shares_what_a_seat_wins() {
    let only = nations("over_the_board=only&as_of=20");
    assert_eq!(only["games"], 2);
    let rows = only["rows"].as_array().expect("rows");
    let of_two: Vec<&Value> = rows.iter().filter(|row| row["players"] == 2).collect();
    assert_eq!(of_two.len(), 4);
    for (row, wins) in of_two.into_iter().zip([0.5, 0.0, 0.0, 0.5]) {
        assert_row(row, json!({"wins": wins, "expected": 0.25, "games": 1}));
    }
}

#[test]
fn filters_select_results_by_their_content() {
    let games =
        |query: &str| nations(&format!("over_the_board=only&as_of=20&{query}"))["games"].take();
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
fn filters_that_results_cannot_answer_are_refused() {
    let check =
        |of: &'static Measure, query: &str| of.check(&filters(query), Library::embedded(), None);
    check(&analytics::NATIONS, "over_the_board=any&reason=any").expect("fine");
    check(&analytics::SEATS, "over_the_board=none").expect("fine");
    for (of, query, field) in [
        (&analytics::SEATS, "over_the_board=any", "over_the_board"),
        (
            &analytics::OPENINGS,
            "over_the_board=only",
            "over_the_board",
        ),
        (&analytics::NATIONS, "over_the_board=any&place=1", "place"),
        (&analytics::NATIONS, "over_the_board=any&path=iron", "path"),
        (
            &analytics::NATIONS,
            "over_the_board=any&ruleset=each",
            "ruleset",
        ),
        (
            &analytics::NATIONS,
            "over_the_board=any&reason=goal",
            "reason",
        ),
    ] {
        let refused = check(of, query).expect_err(query);
        assert_eq!(refused.field, field, "{query}: {refused}");
    }
    serde_urlencoded::from_str::<Filters>("over_the_board=some").expect_err("no such");
}

#[test]
fn a_result_with_unknown_names_does_not_count() {
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
fn a_table_as_of_an_earlier_time_ignores_later_corrections() {
    let measure_as_of = |query: &str| nations(&format!("over_the_board=only&{query}"));
    let only_first = |place: u32| {
        let known = revisions();
        let known: Vec<TableResult> = (known.into_iter())
            .filter(|revision| revision.revision <= place)
            .collect();
        measure_json(
            &facts_of(&known).lazy(),
            &analytics::NATIONS,
            "over_the_board=only",
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
            let table = measure_as_of(&query);
            for name in ["games", "rows", "data_version", "as_of"] {
                assert_eq!(table[name], expected[name], "{query}: {name}");
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
    // The correction is reversed and the other table is void, so the first state is the last.
    assert_eq!(versions[5], versions[1]);
    assert_eq!(versions[4], versions[2]);
}

/// Writes each revision into its own part, as a running service does.
fn on_disk(folder: &std::path::Path) -> (FactsStore, FactsWriter, Facts) {
    let store = FactsStore::new(folder);
    let mut writer = FactsWriter::open(&store).expect("ours");
    let record: Record = {
        let setup = support::setup("antike-east", 4, 7, 12);
        support::play(&setup, "game-1", "2026-09-01T12:00:00Z")
    };
    let game = GameFacts::derive(&record, Library::embedded()).expect("facts");
    let second = Timestamp::from_second(START + 100).expect("a time");
    let mut whole = Facts::from_games(vec![game.with_position(100, second)]).expect("frames");
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
        "reason=any&over_the_board=any",
        "reason=any&over_the_board=only&nation=greeks",
        "reason=any&over_the_board=any&as_of=25",
    ];
    let same = |store: &FactsStore, whole: &Facts, state: &str| {
        for query in queries {
            let expected = measure_json(&whole.lazy(), &analytics::NATIONS, query);
            let table = store.measure(&analytics::NATIONS, &filters(query));
            let table = table.expect("a table").to_json().expect("JSON");
            assert_eq!(table, expected, "{state}: {query}");
        }
    };
    same(&store, &whole, "in parts");
    let kept = Snapshot::new(store.clone(), writer.manifest().parts.clone());
    let kept = kept.expect("a snapshot").with_cache(1 << 20);
    let query = filters(queries[1]);
    let table = kept.measure(&analytics::NATIONS, &query).expect("a table");
    let expected = measure(&whole.lazy(), &analytics::NATIONS, &query).expect("a table");
    assert_eq!(
        table.to_json().expect("JSON"),
        expected.to_json().expect("JSON")
    );
    // Enough further parts for a merge.
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
        .map(|_| FactsStore::new(to.join(name)))
        .expect("published")
    };
    same(&published("all", None), &whole, "published");
    // As of a time before the second revision of the first table, after which no game was recorded.
    let time = Timestamp::from_second(START + 2).expect("a time");
    for (name, as_of) in [("place", "29".to_owned()), ("time", time.to_string())] {
        let dataset = published(name, Some(&as_of));
        let query = filters("reason=any&over_the_board=any");
        let table = dataset
            .measure(&analytics::NATIONS, &query)
            .expect("a table");
        let asked = measure_json(
            &whole.lazy(),
            &analytics::NATIONS,
            &format!("reason=any&over_the_board=any&as_of={as_of}"),
        );
        let table = table.to_json().expect("JSON");
        for field in ["games", "rows", "data_version", "as_of"] {
            assert_eq!(table[field], asked[field], "{name}: {field}");
        }
        assert_eq!(table["games"], 2);
    }
}

#[test]
fn the_query_of_a_measure_finds_the_same_results() {
    let facts = all();
    for query_of in [
        "over_the_board=any",
        "over_the_board=only",
        "over_the_board=any&as_of=35&nation=greeks",
        "over_the_board=only&player=placeholder:dido&min_games=1",
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
            // The sums of which intervals are made are in no table.
            for (name, value) in row.iter().filter(|(name, _)| expected.get(name).is_some()) {
                let (shown, number) = (&expected[name], value.as_f64());
                match number.zip(shown.as_f64()) {
                    Some((one, other)) => assert!((one - other).abs() < 1e-9, "{name}: {row:?}"),
                    None => assert_eq!(value, shown, "{name}"),
                }
            }
        }
    }
}
