//! Facts of replayed games: they agree with the records, and the store returns them unchanged.

use crate::support;
use std::collections::BTreeMap;

use analytics::FactsStoreError;
use analytics::facts::{DeriveError, FactTable};
use analytics::{Facts, FactsStore, FactsWriter, GameFacts};
use engine::content::{Board, Library, Ruleset};
use engine::forms::digest_text;
use engine::play::{Action, Effect};
use engine::setup::{Player, Setup, SetupSeat};
use engine::words::Personage;
use records::{Record, ReplayError};

fn facts(records: &[Record]) -> Facts {
    let (facts, left_out) = Facts::from_records(records, Library::embedded()).expect("frames");
    assert!(left_out.is_empty(), "{left_out:?}");
    facts
}

#[test]
fn seats_agree_with_the_last_state_and_the_result() {
    for record in support::records(10) {
        let derived = GameFacts::derive(&record, Library::embedded()).expect("facts");
        let (game, last) = record
            .replay(Library::embedded(), |_| {})
            .expect("a replay");
        let result = record.result.as_ref().expect("a finished game");
        assert_eq!(derived.seats.len(), game.nations.len());
        for (nation, row) in game.all_nations().zip(&derived.seats) {
            let owned = last.nation(nation);
            assert_eq!(&*row.nation, game.nation_name(nation));
            assert_eq!(row.seat, u32::from(game.seat_of(nation)));
            assert_eq!(row.points, game.points(&last, nation));
            assert_eq!(row.cities, owned.cities.len());
            assert_eq!(row.temples, (owned.cities & last.temples).len());
            assert_eq!(row.know_hows, owned.know_how.len());
            let counts = [
                row.king,
                row.scholar,
                row.general,
                row.citizen,
                row.navigator,
            ];
            assert_eq!(counts, owned.personages.map(u32::from));
            let body = result
                .ranks
                .iter()
                .find(|body| u32::from(body.seat) == row.seat);
            let body = body.expect("every seat has a rank");
            assert_eq!(row.rank_of_seat, u32::from(body.rank));
            assert_eq!(
                row.share,
                body.share / game.nations_of(body.seat).count() as f64
            );
        }
        let starts = derived
            .seats
            .iter()
            .find(|row| row.place == 1)
            .expect("a first");
        assert_eq!(&*starts.nation, game.nation_name(game.first));
        let shares: f64 = derived.seats.iter().map(|row| row.share).sum();
        let expected: f64 = derived.seats.iter().map(|row| row.expected).sum();
        assert!((shares - 1.0).abs() < 1e-12, "shares add up to {shares}");
        assert!(
            (expected - 1.0).abs() < 1e-12,
            "expected adds up to {expected}"
        );
    }
}

#[test]
fn turns_and_awards_agree_with_the_effects() {
    for record in support::records(10) {
        let derived = GameFacts::derive(&record, Library::embedded()).expect("facts");
        let mut expected: BTreeMap<&str, u32> = BTreeMap::new();
        let mut fields = Vec::new();
        let (_, last) = record
            .replay(Library::embedded(), |step| {
                for effect in step.effects {
                    let (name, count) = match effect {
                        Effect::StoneMoved { nation, field, .. } => {
                            fields.push((step.game.nation_name(*nation).to_owned(), field.name()));
                            continue;
                        }
                        Effect::Paid { pay, .. } => ("paid", pay.total()),
                        Effect::Produced { count, .. } => ("produced", *count),
                        Effect::Armed { .. } => ("armed", 1),
                        Effect::TempleBuilt { .. } => ("temples", 1),
                        Effect::Developed { .. } => ("know-hows", 1),
                        Effect::Founded { .. } => ("founded", 1),
                        Effect::Conquered { .. } => ("conquered", 1),
                        Effect::PersonageWon { .. } => ("personages", 1),
                        _ => continue,
                    };
                    *expected.entry(name).or_default() += count;
                }
            })
            .expect("a replay");
        let turns = &derived.turns;
        let rows: Vec<(String, &str)> = turns
            .iter()
            .map(|row| (row.nation.to_string(), row.field))
            .collect();
        assert_eq!(rows, fields, "one row a move of a stone, in order");
        let mut counted: BTreeMap<&str, u32> = BTreeMap::new();
        for row in turns {
            for (name, count) in [
                ("paid", row.chips_spent + row.coins_spent),
                ("produced", row.chips_produced),
                ("armed", row.units_armed),
                ("temples", row.temples_built),
                ("know-hows", row.know_hows_developed),
                ("founded", row.cities_founded),
                ("conquered", row.cities_conquered),
                ("personages", row.personages_won),
            ] {
                if count > 0 {
                    *counted.entry(name).or_default() += count;
                }
            }
        }
        expected.retain(|_, count| *count > 0);
        assert_eq!(counted, expected);
        let turn_numbers: Vec<u32> = turns.iter().map(|row| row.turn).collect();
        assert!(turn_numbers.is_sorted_by(|a, b| a < b), "{turn_numbers:?}");
        for seat in &derived.seats {
            let own = turns.iter().filter(|row| row.nation == seat.nation);
            let numbers: Vec<u32> = own.clone().map(|row| row.own_turn).collect();
            assert_eq!(numbers, (1..=seat.turns).collect::<Vec<u32>>());
            let stops = [seat.stop_1, seat.stop_2, seat.stop_3, seat.stop_4];
            for (stop, row) in stops.iter().zip(own) {
                assert_eq!(*stop, Some(row.field));
            }
            let awards = derived
                .awards
                .iter()
                .filter(|row| row.nation == seat.nation);
            let orders: Vec<u32> = awards.map(|row| row.nth).collect();
            let won: u32 = [
                seat.king,
                seat.scholar,
                seat.general,
                seat.citizen,
                seat.navigator,
            ]
            .iter()
            .sum();
            assert_eq!(orders, (1..=won).collect::<Vec<u32>>());
        }
        assert_eq!(derived.game.turns, last.turn);
        assert_eq!(derived.game.rounds, last.round);
        let in_bank: u32 = last
            .bank
            .personages
            .iter()
            .map(|left| u32::from(*left))
            .sum();
        assert_eq!(derived.awards.len() as u32 + in_bank, 35, "[A1]");
        assert_eq!(Personage::COUNT, 5);
    }
}

/// [A41] A seat with two nations: its share is split.
#[test]
fn two_nations_of_a_seat_split_its_share() {
    let record = support::play(
        &support::setup("antike-east", 2, 3, 8),
        "two players",
        "2026-11-20T12:00:00Z",
    );
    let derived = GameFacts::derive(&record, Library::embedded()).expect("facts");
    assert_eq!((derived.game.players, derived.game.nations), (2, 4));
    for row in &derived.seats {
        assert_eq!(row.expected, 0.25);
        assert!(row.share <= 0.5);
        let partner = derived
            .seats
            .iter()
            .find(|other| other.seat == row.seat && other.nation != row.nation);
        assert_eq!(partner.map(|other| other.share), Some(row.share));
    }
}

/// The worked examples of [A12]-[A18]: the first of them within six turns.
#[test]
fn the_opening_is_what_came_first() {
    for record in support::records(20) {
        let derived = GameFacts::derive(&record, Library::embedded()).expect("facts");
        for seat in &derived.seats {
            let early = derived
                .turns
                .iter()
                .filter(|row| row.nation == seat.nation && row.own_turn <= 6);
            let first = early
                .filter_map(|row| match row {
                    row if row.temples_built > 0 => Some("growth"),
                    row if row.units_armed > 0 => Some("military"),
                    row if row.know_hows_developed > 0 => Some("progress"),
                    _ => None,
                })
                .next();
            assert_eq!(seat.opening, first.unwrap_or("other"));
        }
    }
}

#[test]
fn results_without_a_log_are_declared_and_forged_ones_excluded() {
    let frozen = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/records/frozen/with_events.ndjson"
    );
    let lines = std::fs::read_to_string(frozen).expect("the frozen records");
    let read = |line| serde_json::from_str::<Record>(line).expect("a record");
    let derive = |record: &Record| GameFacts::derive(record, Library::embedded());
    for mut record in lines.lines().map(read) {
        let proven = derive(&record).expect("facts");
        assert!(!proven.game.declared && proven.seats.iter().all(|row| !row.declared));
        // The row of the adjudication is the last one here.
        record.events = None;
        let by_people = proven.game.reason == "adjudication";
        let claimed = derive(&record).expect("facts");
        assert_eq!(claimed.game.declared, by_people);
        assert!(claimed.seats.iter().all(|row| row.declared == by_people));
        record.result.as_mut().expect("a result").ranks[0].rank = 0;
        assert!(matches!(
            derive(&record),
            Err(DeriveError::Replay(ReplayError::Result(_)))
        ));
    }
}

#[test]
fn bad_records_are_excluded_with_the_reason() {
    let mut records = support::records(5);
    records[4].events = Some(Vec::new());
    records[1].digest = "0".repeat(16);
    records[2].result = None;
    records[3].played_at = "yesterday".to_owned();
    let (facts, left_out) = Facts::from_records(&records, Library::embedded()).expect("frames");
    assert_eq!(facts.len(), 1);
    let indices: Vec<usize> = left_out.iter().map(|left| left.index).collect();
    assert_eq!(indices, [1, 2, 3, 4]);
    assert!(matches!(left_out[0].error, DeriveError::Replay(_)));
    assert!(matches!(left_out[1].error, DeriveError::Unfinished));
    assert!(matches!(left_out[2].error, DeriveError::PlayedAt { .. }));
    let is_event =
        |error: &DeriveError| matches!(error, DeriveError::Replay(ReplayError::Event { .. }));
    assert!(is_event(&left_out[3].error), "an event log must be whole");
}

#[test]
fn the_temperament_of_a_bot_is_that_of_the_table_of_bots() {
    let mut record = support::records(1).remove(0);
    for (name, bot, temperament) in [
        ("greedy_military", "greedy", Some("military")),
        ("greedy", "greedy", None),
        ("search:800", "search", None),
        ("house_growth@5ms", "house_growth", None),
    ] {
        let name = name.to_owned();
        record.setup.seats[0].player = Player::Bot { name };
        let facts = GameFacts::derive(&record, Library::embedded()).expect("facts");
        let seat = &facts.players[0];
        assert_eq!(seat.bot.as_deref(), Some(bot));
        assert_eq!(seat.temperament.as_deref(), temperament);
    }
}

#[test]
fn a_game_of_an_edition_without_openings_is_excluded() {
    let mut library = Library::embedded().clone();
    let mut record = support::records(1).remove(0);
    let setup = &mut record.setup;
    let own = |mut data: serde_json::Value| {
        data["edition"] = "house".into();
        data.to_string()
    };
    let rules = library.ruleset(&setup.edition).expect("its edition");
    let rules = serde_json::to_value(&rules.data).expect("it is JSON");
    let board = library.board(&setup.board).expect("its board");
    let board = serde_json::to_value(&board.data).expect("it is JSON");
    library.add_ruleset(Ruleset::parse(&own(rules)).expect("a ruleset"));
    library.add_board(Board::parse(&own(board)).expect("a board"));
    setup.edition = "house".to_owned();
    (setup.ruleset_hash, setup.board_hash) = (None, None);
    let error = GameFacts::derive(&record, &library).expect_err("no openings");
    assert!(matches!(&error, DeriveError::Openings(edition) if edition == "house"));
    assert_eq!(
        error.to_string(),
        "the edition \"house\" has no opening strategies, so it has no statistics"
    );
}

#[test]
fn a_store_returns_the_appended_facts() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = FactsStore::new(folder.path());
    let mut writer = FactsWriter::open(&store).expect("ours");
    assert!(matches!(store.scan(), Err(FactsStoreError::Empty(_))));
    assert!(store.games().expect("no games").is_empty());
    let records = support::records(12);
    let mut whole = facts(&records[..5]);
    writer.append(&whole, None, 0).expect("written");
    let rest = facts(&records[5..]);
    writer.append(&rest, None, 0).expect("written");
    // The same games are not added twice.
    let again = writer.append(&rest, None, 0).expect("nothing to do");
    assert!(again.is_empty(), "{again:?}");
    whole.append(&rest).expect("appended");
    assert_eq!(store.games().expect("ids").len(), 12);
    let read = store.read().expect("read");
    assert_eq!(read.lazy().version, whole.lazy().version);
    for ((name, from_disk), (_, in_memory)) in read.tables().zip(whole.tables()) {
        assert_eq!(from_disk.schema(), in_memory.schema(), "{name}");
        assert_eq!(from_disk.height(), in_memory.height(), "{name}");
    }
    let east = folder.path().join("games/edition=antike/month=2026-10");
    assert!(east.is_dir(), "hive layout");
}

#[test]
fn the_version_depends_on_the_games_only() {
    let records = support::records(6);
    let forward = facts(&records);
    let mut backward = facts(&records[3..]);
    backward.append(&facts(&records[..3])).expect("appended");
    assert_eq!(forward.lazy().version, backward.lazy().version);
    let fewer = facts(&records[1..]);
    assert_ne!(
        forward.lazy().version.to_string(),
        fewer.lazy().version.to_string()
    );
}

/// Readers of the files rely on the columns, so a change must be visible.
#[test]
fn the_dictionary_is_known() {
    let tables = FactTable::ALL.iter();
    let tables = tables.map(|table| (format!("table_{}", table.name()), table.columns().to_vec()));
    let measures = analytics::MEASURES
        .into_iter()
        .chain([&analytics::ACCURACY]);
    let measures = measures.map(|asked| (format!("measure_{asked}"), asked.columns()));
    for (name, columns) in tables.into_iter().chain(measures) {
        for column in &columns {
            assert!(column.meaning.ends_with('.'), "{name}.{}", column.name);
        }
        insta::assert_json_snapshot!(name, columns);
    }
}

/// The digest of a turn is the digest of the position at its beginning, according to a replay.
#[test]
fn turns_have_the_digest_of_the_position_at_their_beginning() {
    for record in [support::records(5), support::duellum(2)].concat() {
        let (_, first) = record.setup.start(Library::embedded()).expect("a game");
        let mut begun = BTreeMap::from([(first.turn, digest_text(first.digest()))]);
        record
            .replay(Library::embedded(), |step| {
                let turn = |effect: &Effect| matches!(effect, Effect::TurnBegan { .. });
                if step.effects.iter().any(turn) {
                    begun.insert(step.state.turn, digest_text(step.state.digest()));
                }
            })
            .expect("a replay");
        let derived = GameFacts::derive(&record, Library::embedded()).expect("facts");
        for row in &derived.turns {
            let expected = (row.own_turn <= 8).then(|| begun[&row.turn].as_str());
            assert_eq!(
                row.digest.as_deref(),
                expected,
                "{} {}",
                record.id,
                row.turn
            );
        }
        assert!(derived.turns.iter().any(|row| row.digest.is_some()));
    }
}

/// [A34] A game that ended by resignation during open turns.
#[test]
fn resignations_end_turns() {
    let mut setup = support::setup("antike-east", 3, 7, 3);
    setup.seed = "resign".to_owned();
    let mut record = support::play(&setup, "resigned", "2026-11-20T12:00:00Z");
    let (game, mut state) = record.setup.start(Library::embedded()).expect("a game");
    record.actions.truncate(1);
    let mut effects = Vec::new();
    let (named, action) = game.parse(&record.actions[0]).expect("an action");
    let acts = named.unwrap_or(state.to_move);
    game.apply(&mut state, acts, action, &mut effects)
        .expect("legal");
    for _ in 0..2 {
        let acts = state.to_move;
        record
            .actions
            .push(game.print_by(&state, acts, &Action::Resign));
        game.apply(&mut state, acts, Action::Resign, &mut effects)
            .expect("legal");
    }
    record.result = game.result_body(&state);
    record.digest = digest_text(state.digest());
    let derived = GameFacts::derive(&record, Library::embedded()).expect("facts");
    assert_eq!(derived.game.reason, "resignation");
    assert_eq!(
        derived.turns.len(),
        1,
        "the second nation left before its stone moved"
    );
    let resigned: Vec<bool> = derived.seats.iter().map(|row| row.resigned).collect();
    assert_eq!(resigned.iter().filter(|left| **left).count(), 2);
    for row in &derived.seats {
        assert_eq!(row.share, f64::from(u8::from(!row.resigned)));
    }
}

#[test]
fn b28_units_lost_to_neutral_temples_count_as_lost() {
    let setup = support::setup("antike-ii-orient", 6, 7, 200);
    let seats = |name: &str| SetupSeat {
        nations: Vec::new(),
        player: Player::Bot {
            name: name.to_owned(),
        },
    };
    let greedy = Setup {
        seats: vec![seats("greedy_military"); 6],
        ..setup
    };
    let record = support::play(&greedy, "neutral temples", "2026-10-01T12:00:00Z");
    let (mut to_temples, mut lost) = (0, 0);
    record
        .replay(Library::embedded(), |step| {
            for effect in step.effects {
                match effect {
                    Effect::NeutralTempleTaken {
                        legions, galleys, ..
                    } => to_temples += u32::from(legions + galleys),
                    Effect::Conquered {
                        legions, galleys, ..
                    } => lost += u32::from(legions + galleys),
                    Effect::BattleFought { count, .. } => lost += u32::from(*count),
                    _ => {}
                }
            }
        })
        .expect("it replays");
    assert!(to_temples >= 3, "no neutral temple fell");
    let facts = GameFacts::derive(&record, Library::embedded()).expect("facts");
    let counted: u32 = facts.turns.iter().map(|row| row.units_lost).sum();
    assert_eq!(counted, lost + to_temples);
}
