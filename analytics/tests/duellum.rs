//! Facts and measures of Antike Duellum: walls, the recruitment box, special units and event cards.

use crate::support;
use std::collections::{BTreeMap, BTreeSet};

use analytics::facts::CardRow;
use analytics::question::EndFilter;
use analytics::{Facts, FactsStore, FactsWriter, Filters, GameFacts, measure};

/// Filters that include games that reached no goal. Bots that take any action seldom reach it.
fn any_reason() -> Filters {
    Filters {
        reason: EndFilter::Any,
        at: Some(1),
        ..Filters::default()
    }
}
use engine::content::Library;
use engine::play::{Action, Effect};
use engine::words::Piece;
use records::Record;
use serde_json::Value;

fn derive(record: &Record) -> GameFacts {
    GameFacts::derive(record, Library::embedded()).expect("facts")
}

fn facts(records: &[Record]) -> Facts {
    let (facts, left_out) = Facts::from_records(records, Library::embedded()).expect("frames");
    assert!(left_out.is_empty(), "{left_out:?}");
    facts
}

/// Counts the effects of each turn independently, by turn and by the name of the column.
fn count_effects(record: &Record) -> BTreeMap<(u32, &'static str), u32> {
    let mut counts: BTreeMap<(u32, &str), u32> = BTreeMap::new();
    let (game, first) = record.setup.start(Library::embedded()).expect("a game");
    let (mut turn, mut mover) = (first.turn, first.to_move);
    record
        .replay(Library::embedded(), |step| {
            for effect in step.effects {
                let mut count = |column, count: u32| {
                    *counts.entry((turn, column)).or_default() += count;
                };
                match *effect {
                    Effect::TurnBegan { nation, turn: next } => (mover, turn) = (nation, next),
                    Effect::Paid { pay, .. } => {
                        count("coins_spent", u32::from(pay.coins));
                        count("chips_spent", pay.total() - u32::from(pay.coins));
                    }
                    Effect::Produced { count: chips, .. } => count("chips_produced", chips),
                    Effect::ChipsGained { count: chips, .. } => count("chips_gained", chips),
                    Effect::CoinsGained { count: coins, .. } => {
                        count("coins_gained", u32::from(coins));
                    }
                    Effect::TempleBuilt { .. } => count("temples_built", 1),
                    Effect::WallBuilt { .. } => count("walls_built", 1),
                    Effect::WallDestroyed { nation, .. } => {
                        count("walls_destroyed", u32::from(nation != mover));
                    }
                    Effect::Recruited { count: units, .. } => {
                        count("units_recruited", u32::from(units));
                    }
                    Effect::Armed { .. } => count("units_armed", 1),
                    Effect::Moved { count: units, .. } => count("units_moved", u32::from(units)),
                    Effect::BattleFought { count: pairs, .. } => {
                        count("units_lost", u32::from(pairs));
                        count("units_beaten", u32::from(pairs));
                    }
                    Effect::Conquered {
                        legions, galleys, ..
                    } => {
                        count("cities_conquered", 1);
                        count("units_lost", u32::from(legions + galleys));
                    }
                    Effect::DefendersLost {
                        legions, galleys, ..
                    } => count("units_beaten", u32::from(legions + galleys)),
                    Effect::CitySaved { .. } => count("conquests_failed", 1),
                    Effect::TempleDestroyed { .. } => count("temples_destroyed", 1),
                    Effect::Founded { .. } => count("cities_founded", 1),
                    Effect::Developed { .. } => count("know_hows_developed", 1),
                    Effect::PersonageWon { .. } => count("personages_won", 1),
                    Effect::CardPlayed { nation, .. } => {
                        count("cards_played", u32::from(nation == mover));
                    }
                    Effect::CardTaken { .. } => count("cards_given", 1),
                    _ => {}
                }
            }
        })
        .expect("a replay");
    assert_eq!(game.nations.len(), 2, "[D1]");
    counts.retain(|_, count| *count > 0);
    counts
}

#[test]
fn turns_agree_with_the_effects() {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for record in support::duellum(24) {
        let expected = count_effects(&record);
        let mut counted = BTreeMap::new();
        for row in &derive(&record).turns {
            for (column, count) in [
                ("chips_produced", row.chips_produced),
                ("chips_spent", row.chips_spent),
                ("coins_spent", row.coins_spent),
                ("chips_gained", row.chips_gained),
                ("coins_gained", row.coins_gained),
                ("units_recruited", row.units_recruited),
                ("units_armed", row.units_armed),
                ("units_moved", row.units_moved),
                ("units_lost", row.units_lost),
                ("units_beaten", row.units_beaten),
                ("temples_built", row.temples_built),
                ("temples_destroyed", row.temples_destroyed),
                ("walls_built", row.walls_built),
                ("walls_destroyed", row.walls_destroyed),
                ("cities_founded", row.cities_founded),
                ("cities_conquered", row.cities_conquered),
                ("conquests_failed", row.conquests_failed),
                ("know_hows_developed", row.know_hows_developed),
                ("personages_won", row.personages_won),
                ("cards_played", row.cards_played),
                ("cards_given", row.cards_given),
            ] {
                if count > 0 {
                    counted.insert((row.turn, column), count);
                }
            }
        }
        assert_eq!(counted, expected, "{}", record.id);
        seen.extend(counted.into_keys().map(|(_, column)| column));
    }
    for column in [
        "chips_gained",
        "coins_gained",
        "units_recruited",
        "walls_built",
        "walls_destroyed",
        "conquests_failed",
        "cards_played",
        "cards_given",
    ] {
        assert!(seen.contains(column), "{column} does not happen");
    }
}

/// [D50] A special unit is armed and moves like others.
#[test]
fn special_units_are_armed_and_moved() {
    let mut armed = 0;
    for record in support::duellum(12) {
        let mut units = 0;
        record
            .replay(Library::embedded(), |step| {
                let Action::Arm { unit, .. } = step.action else {
                    return;
                };
                units += 1;
                armed += u32::from(matches!(unit, Piece::Commander | Piece::Admiral));
            })
            .expect("a replay");
        let placed = derive(&record).cards;
        let placed = placed
            .iter()
            .filter(|row| (&*row.card, row.act) == ("mercenaries", "played"));
        let in_rows: u32 = derive(&record)
            .turns
            .iter()
            .map(|row| row.units_armed)
            .sum();
        assert_eq!(in_rows, units + placed.count() as u32, "{}", record.id);
    }
    assert!(armed > 0, "no special unit is armed");
}

/// The seats agree with the last state: the walls, five kinds of personages, and the hand, which has the cards that
/// were taken and not played.
#[test]
fn seats_agree_with_the_last_state() {
    for record in support::duellum(12) {
        let derived = derive(&record);
        let (game, last) = record
            .replay(Library::embedded(), |_| {})
            .expect("a replay");
        for (nation, row) in game.all_nations().zip(&derived.seats) {
            let owned = last.nation(nation);
            assert_eq!(row.walls, (owned.cities & last.walls).len());
            let personages = [
                row.king,
                row.scholar,
                row.general,
                row.citizen,
                row.navigator,
            ];
            assert_eq!(personages, owned.personages.map(u32::from));
            assert_eq!(row.points, personages.iter().sum::<u32>(), "[D30]");
            let hand: u32 = owned.hand.iter().map(|count| u32::from(*count)).sum();
            assert_eq!(row.cards_taken - row.cards_played, hand);
        }
    }
}

/// The rows of `cards` are the actions that take and play cards, in order.
#[test]
fn cards_agree_with_the_actions() {
    for record in support::duellum(12) {
        let derived = derive(&record);
        let mut acts = Vec::new();
        let (game, _) = record
            .replay(Library::embedded(), |step| {
                let (card, act) = match step.action {
                    Action::TakeCard { card } => (card, "taken"),
                    Action::PlayCard { card, .. } => (card, "played"),
                    _ => return,
                };
                acts.push((step.nation, card, act));
            })
            .expect("a replay");
        let rows = derived.cards.iter();
        let rows: Vec<_> = rows
            .map(|row| (&*row.nation, &*row.card, row.act))
            .collect();
        let names = |(nation, card, act): &(_, _, &'static str)| {
            (
                game.nation_name(*nation),
                game.ruleset.card_name(*card),
                *act,
            )
        };
        assert_eq!(rows, acts.iter().map(names).collect::<Vec<_>>());
        for seat in &derived.seats {
            for (act, count) in [("taken", seat.cards_taken), ("played", seat.cards_played)] {
                let own = |row: &&CardRow| row.nation == seat.nation && row.act == act;
                let orders = derived.cards.iter().filter(own).map(|row| row.nth);
                assert!(orders.eq(1..=count), "{}", record.id);
            }
        }
        for row in &derived.cards {
            let turn = derived.turns.iter().find(|turn| turn.turn == row.turn);
            let seat = derived.seats.iter().find(|seat| seat.nation == row.nation);
            assert_eq!(Some(row.share), seat.map(|seat| seat.share));
            let turn = turn.expect("a row of `turns`");
            assert_eq!(row.round, turn.round);
            let own_turns = derived
                .turns
                .iter()
                .filter(|turn| turn.nation == row.nation);
            let begun = own_turns.filter(|turn| turn.turn <= row.turn).count();
            assert_eq!(row.own_turn as usize, begun);
        }
    }
}

/// [D28] [D31] The row of a taken card names the cause that its turn shows.
#[test]
fn cards_are_taken_for_lost_cities_and_personages() {
    let mut causes: BTreeMap<&str, u32> = BTreeMap::new();
    for record in support::duellum(20) {
        let derived = derive(&record);
        for turn in &derived.turns {
            let due = turn.personages_won + u32::from(turn.cities_conquered > 0);
            let taken = |row: &&CardRow| row.turn == turn.turn && row.act == "taken";
            let taken: Vec<&CardRow> = derived.cards.iter().filter(taken).collect();
            // No card is taken for the ninth personage [D42], and the deck does not run out.
            let is_last = turn.turn == derived.game.turns && derived.game.reason == "goal";
            assert_eq!(taken.len() as u32, if is_last { 0 } else { due });
            for row in taken {
                assert_ne!(row.nation, turn.nation, "the opponent takes it");
                let cause = row.cause.expect("a cause");
                let expected = match (turn.personages_won, turn.cities_conquered) {
                    (_, 0) => "personage",
                    (0, _) => "lost_city",
                    _ => "both",
                };
                assert_eq!(cause, expected);
                *causes.entry(cause).or_default() += 1;
            }
        }
        let played = derived.cards.iter().filter(|row| row.act == "played");
        assert!(played.into_iter().all(|row| row.cause.is_none()));
    }
    assert_eq!(causes.len(), 3, "each of them happens: {causes:?}");
}

/// What happens first in a nation's first twelve turns, according to the effects: the second temple [D15] or city
/// founded [D29] (the fifth, with which a king comes [D30]), a city conquered [D27], a know-how developed [D17].
/// Units, recruiting, one temple and one city show no opening, because nearly all games begin with them.
#[test]
fn openings_are_what_comes_after_the_first_temple_and_city() {
    let mut only_begun = 0;
    let mut openings: BTreeMap<&str, u32> = BTreeMap::new();
    for record in support::duellum(24) {
        let mut turns = [0; 2];
        let mut done: [BTreeMap<&str, u32>; 2] = Default::default();
        let mut first = [None; 2];
        record
            .replay(Library::embedded(), |step| {
                for effect in step.effects {
                    let (nation, deed) = match *effect {
                        Effect::StoneMoved { nation, .. } => {
                            turns[nation.index()] += 1;
                            continue;
                        }
                        Effect::Recruited { nation, .. } => (nation, "recruited"),
                        Effect::Armed { nation, .. } => (nation, "armed"),
                        Effect::TempleBuilt { nation, .. } => (nation, "temple"),
                        Effect::Founded { nation, .. } => (nation, "city"),
                        Effect::Conquered { nation, .. } => (nation, "conquest"),
                        Effect::Developed { nation, .. } => (nation, "know_how"),
                        _ => continue,
                    };
                    let turn = turns[nation.index()];
                    if turn > 12 {
                        continue;
                    }
                    let count = done[nation.index()].entry(deed).or_default();
                    *count += 1;
                    let shown = match (deed, *count) {
                        ("temple" | "city", 2) => "growth",
                        ("conquest", _) => "military",
                        ("know_how", _) => "progress",
                        _ => continue,
                    };
                    first[nation.index()].get_or_insert((shown, turn));
                }
            })
            .expect("a replay");
        let derived = derive(&record);
        for ((seat, first), done) in derived.seats.iter().zip(first).zip(done) {
            let (opening, turn) = match first {
                Some((opening, turn)) => (opening, Some(turn)),
                None => ("other", None),
            };
            let found = (seat.opening, seat.opening_turn);
            assert_eq!(found, (opening, turn), "{} {}", record.id, seat.nation);
            *openings.entry(seat.opening).or_default() += 1;
            only_begun += u32::from(first.is_none() && !done.is_empty());
        }
    }
    assert!(only_begun > 0, "every nation goes on");
    assert!(openings.len() > 2, "{openings:?}");
}

/// Openings of games that a person has examined.
#[test]
fn openings_of_golden_games() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let read = |path: &str| {
        let text = std::fs::read_to_string(format!("{folder}/{path}")).expect("a file");
        match path.ends_with(".txt") {
            true => Record::from_text(&text).expect("a record"),
            false => serde_json::from_str(&text).expect("a record"),
        }
    };
    let golden = [
        // Two cities in one turn; one city, and another in the next turn.
        (
            "tests/records/greece_persia_2_goal.json",
            [
                ("greeks", "growth", Some(4)),
                ("persians", "growth", Some(5)),
            ],
        ),
        // A know-how before any city.
        (
            "tests/records/greece_persia_2_goal_special_units_reshuffle.json",
            [
                ("persians", "growth", Some(4)),
                ("greeks", "progress", Some(3)),
            ],
        ),
        // The second city in the twelfth turn; an admiral, a temple and a city, and no more.
        (
            "tests/records/greece_persia_2_admiral_round_limit.json",
            [("greeks", "growth", Some(12)), ("persians", "other", None)],
        ),
        // A temple, units and a city each, and then the other player's cities.
        (
            "tests/records/rome_carthage_2_conquests.txt",
            [
                ("romans", "military", Some(8)),
                ("carthaginians", "military", Some(8)),
            ],
        ),
    ];
    for (path, expected) in golden {
        let derived = derive(&read(path));
        for (nation, opening, turn) in expected {
            let seat = derived.seats.iter().find(|seat| &*seat.nation == nation);
            let seat = seat.expect("a nation");
            let found = (seat.opening, seat.opening_turn);
            assert_eq!(found, (opening, turn), "{nation} in {path}");
        }
    }
}

/// The measure agrees with the records, board by board.
#[test]
fn the_measure_of_cards_counts_the_actions() {
    let records = support::duellum(20);
    // Board, card and act, with their number, and the nations in their games.
    type Key = (String, String, &'static str);
    let mut times: BTreeMap<Key, u32> = BTreeMap::new();
    let mut games: BTreeMap<Key, BTreeSet<(String, usize)>> = BTreeMap::new();
    for record in &records {
        record
            .replay(Library::embedded(), |step| {
                let (card, act) = match step.action {
                    Action::TakeCard { card } => (card, "taken"),
                    Action::PlayCard { card, .. } => (card, "played"),
                    _ => return,
                };
                let card = step.game.ruleset.card_name(card).to_owned();
                let key = (record.setup.board.clone(), card, act);
                *times.entry(key.clone()).or_default() += 1;
                let seat = (record.id.clone(), step.nation.index());
                games.entry(key).or_default().insert(seat);
            })
            .expect("a replay");
    }
    let facts = facts(&records);
    let table = measure(&facts.lazy(), &analytics::CARDS, &any_reason()).expect("a table");
    let answer = table.to_json().expect("json");
    let rows = answer["rows"].as_array().expect("rows");
    // Rows also distinguish variants and bots.
    let mut found: BTreeMap<_, (u64, usize)> = BTreeMap::new();
    for row in rows {
        let text = |name: &str| row[name].as_str().expect("a text").to_owned();
        let count = |name: &str| row[name].as_u64().expect("a number");
        let act = ["taken", "played"]
            .into_iter()
            .find(|act| row["act"] == *act);
        let key = (text("board"), text("card"), act.expect("an act"));
        assert_eq!(row["edition"], "antike_duellum");
        assert_eq!(
            (&row["nations"], &row["expected"]),
            (&Value::from(2), &Value::from(0.5))
        );
        let frequency = row["frequency"].as_f64().expect("a number");
        assert!(0.0 < frequency && frequency <= 1.0, "{row}");
        let (times, nations) = found.entry(key).or_default();
        *times += count("times");
        *nations += count("nation_games") as usize;
    }
    let counted = times.into_iter().map(|(key, times)| {
        let nations = games[&key].len();
        (key, (u64::from(times), nations))
    });
    assert_eq!(found, counted.collect());
}

/// [D32] Mixes have five kinds, and the winners by goal have nine personages.
#[test]
fn personages_of_winners_reach_the_goal() {
    let records = support::duellum(20);
    let derived = records.iter().map(derive);
    let won: Vec<GameFacts> = derived.filter(|game| game.game.reason == "goal").collect();
    assert!(!won.is_empty(), "no game reaches the goal");
    for game in won {
        let winner = game.seats.iter().find(|seat| seat.share == 1.0);
        assert!(winner.expect("a winner").points >= 9, "{}", game.game.game);
    }
    let facts = facts(&records);
    let table = measure(&facts.lazy(), &analytics::PERSONAGES, &any_reason());
    let answer = table.expect("a table").to_json().expect("json");
    let mut nations = 0;
    for row in answer["rows"].as_array().expect("rows") {
        if row["by"] == "mix" {
            nations += row["nation_games"].as_u64().expect("a number");
        }
    }
    let awarded = records.iter().map(derive).flat_map(|game| game.seats);
    let awarded = awarded.filter(|seat| seat.points > 0).count();
    assert_eq!(nations, awarded as u64, "who won one or more");
}

/// Games of two editions in one folder, added one after the other.
#[test]
fn facts_of_two_editions_are_stored_together() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = FactsStore::new(folder.path());
    let mut whole = facts(&support::records(4));
    let mut writer = FactsWriter::open(&store).expect("ours");
    writer.append(&whole, None, 0).expect("written");
    let duellum = support::duellum(8);
    for records in [&duellum[..5], &duellum[5..]] {
        let more = facts(records);
        writer.append(&more, None, 0).expect("written");
        whole.append(&more).expect("appended");
    }
    let partition = "cards/edition=antike_duellum/month=2026-10";
    assert!(folder.path().join(partition).is_dir(), "hive layout");
    let disk = store.scan().expect("facts");
    assert_eq!(disk.version, whole.lazy().version);
    for asked in analytics::MEASURES {
        let answer = |facts| {
            let table = measure(facts, asked, &any_reason()).expect("a table");
            table.to_json().expect("json")
        };
        assert_eq!(answer(&disk), answer(&whole.lazy()), "{asked}");
    }
}
