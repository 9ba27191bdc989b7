//! Forged records: each is rejected with its reason and, if it has a log, the first wrong event.
//!
//! A forger can compute all hashes again ([`rechained`]) or write the log again with other entries ([`rewritten`]). The
//! last tests show what only a signature reveals. `mutations.rs` alters every field, one at a time.

use crate::support::{golden, setup};

use engine::content::Library;
use engine::forms::ResultBody;
use engine::setup::Setup;
use engine::words::EndReason;
use records::{
    Decision, Entry, EventRow, Fold, PublicSetup, Record, ReplayError, SecretKey, Source,
};

/// The frozen records with their logs.
fn frozen() -> Vec<Record> {
    let path = golden::folder().join("frozen/with_events.ndjson");
    let lines = std::fs::read_to_string(path).expect("the frozen records");
    let read = |line| serde_json::from_str(line).expect("a record");
    lines.lines().map(read).collect()
}

/// Antike Duellum, ended by its last round.
fn duellum() -> Record {
    frozen().swap_remove(0)
}

/// Antike, ended by its goal; a bot took over seat 0.
fn antike() -> Record {
    frozen().swap_remove(2)
}

/// Antike, ended by adjudication.
fn adjudicated() -> Record {
    frozen().swap_remove(4)
}

/// A game of bots without a log.
fn simulated() -> Record {
    let setup = setup::of_bots(
        "antike-east",
        &["greedy", "random", "random"],
        &[],
        "a forger's",
        60,
    );
    let played = bots::play(
        Library::embedded(),
        &setup,
        "simulated",
        "2026-11-21T12:00:00Z",
    );
    let record = played.expect("bots play it");
    assert!(record.result.is_some(), "it is over");
    record
}

fn events(record: &mut Record) -> &mut Vec<EventRow> {
    record.events.as_mut().expect("a log")
}

fn row(record: &mut Record, seq: u64) -> &mut EventRow {
    &mut events(record)[seq as usize]
}

fn result(record: &mut Record) -> &mut ResultBody {
    record.result.as_mut().expect("a result")
}

/// The first row from `from` on that matches.
fn find(record: &Record, from: u64, is: impl Fn(&EventRow) -> bool) -> u64 {
    let mut rows = record.events.iter().flatten();
    let found = rows.find(|row| row.seq >= from && is(row));
    found.expect("there is such a row").seq
}

fn is_action(row: &EventRow) -> bool {
    row.nation.is_some()
}

/// Computes all hashes again, as a forger can.
fn rechained(mut record: Record) -> Record {
    let mut previous: Option<String> = None;
    for row in events(&mut record) {
        row.hash = row.chained_hash(previous.as_deref());
        previous = Some(row.hash.clone());
    }
    record
}

/// Writes the log again with other entries from a row on, and adapts the record.
/// All columns and hashes are consistent.
fn rewritten(mut record: Record, from: u64, entries: &[Entry]) -> Record {
    let (game, first) = record.start(Library::embedded()).expect("it starts");
    let mut fold = Fold::new(game.into(), first);
    let old = events(&mut record).split_off(from as usize);
    let mut rows = std::mem::take(events(&mut record));
    for row in &rows {
        fold.apply_row(row).expect("it follows");
    }
    for (entry, old) in entries
        .iter()
        .zip(old.iter().chain(old.last().into_iter().cycle()))
    {
        let written = fold.write(entry, old.player.as_deref(), &old.at);
        rows.push(written.expect("it follows"));
    }
    let last = rows.last().expect("rows");
    record.digest.clone_from(&last.digest);
    record.played_at.clone_from(&last.at);
    record.result = fold.result();
    for (seat, player) in record.setup.seats.iter_mut().zip(fold.players()) {
        seat.player = player.clone();
    }
    record.actions = rows
        .iter()
        .filter(|row| is_action(row))
        .map(|row| match fold.counts(row.seq) {
            true => row.notation.clone(),
            false => format!("-{}", row.notation),
        })
        .collect();
    record.events = Some(rows);
    record
}

fn refusal(record: &Record) -> ReplayError {
    match record.verify(Library::embedded()) {
        Ok(_) => panic!("the forgery is accepted"),
        Err(error) => error,
    }
}

/// Asserts that the log is rejected at this event for this reason.
#[track_caller]
fn refused_at(record: &Record, event: u64, reason: &str) {
    match refusal(record) {
        ReplayError::Event { seq, fault } => {
            assert_eq!((seq, fault.to_string()), (event, reason.to_owned()));
        }
        other => panic!("refused otherwise: {other}"),
    }
}

/// Asserts that the reason for the rejection contains these words.
#[track_caller]
fn refused_saying(record: &Record, words: &str) {
    let error = refusal(record).to_string();
    assert!(error.contains(words), "{error}");
}

/// Asserts that an altered row, with all hashes computed again, is rejected for this reason.
#[track_caller]
fn refuses_row(record: &Record, seq: u64, reason: &str, alter: impl FnOnce(&mut EventRow)) {
    let mut forged = record.clone();
    alter(row(&mut forged, seq));
    refused_at(&rechained(forged), seq, reason);
}

/// Whether the result of a valid record is declared.
#[track_caller]
fn is_declared(record: &Record) -> bool {
    let verified = record.verify(Library::embedded());
    verified.expect("it holds").declared
}

/// Asserts that the record is rejected for this reason.
#[track_caller]
fn refused(record: &Record, reason: &str) {
    assert_eq!(refusal(record).to_string(), reason);
}

const HASH: &str = "its hash does not match its content and the events before it";
const DIGEST: &str = "its digest is not that of the state after it";
const ACTIONS: &str = "its action is not the one in the record, or only one of them is undone";
const SETUP: &str = "its setup is not the record's";
const PLAYER: &str = "the record has another player on this seat";
const OVER: &str = "the game was already over";
const RANKS: &str = "the ranks, points, shares or nations in the record are not those of the game";
const FIGURES: &str =
    "nations, points, shares or their order do not match the position and the ranks";

#[test]
fn frozen_records_prove_their_results() {
    for record in frozen() {
        let verified = record.verify(Library::embedded());
        assert!(!verified.expect("it holds").declared, "{}", record.id);
        // The notation of each row equals the text of its entry.
        for row in record.events.iter().flatten() {
            let entry: Entry = row.notation.parse().expect("an entry");
            assert_eq!(entry.to_string(), row.notation);
        }
    }
}

#[test]
fn only_imports_omit_the_player_who_requested_an_undo() {
    // An import writes a whole log at one time.
    let mut imported = antike();
    let played_at = imported.played_at.clone();
    for row in events(&mut imported) {
        row.at.clone_from(&played_at);
        if row.notation.starts_with("undo ") {
            row.player = None;
        }
    }
    assert!(!is_declared(&rechained(imported)));
    let mut record = antike();
    let undo = find(&record, 0, |row| row.notation.starts_with("undo "));
    row(&mut record, undo).player = None;
    refused_at(
        &rechained(record),
        undo,
        "it does not name the player who requested the undo",
    );
    let mut record = antike();
    let turn = row(&mut record, undo + 1).turn - 1;
    row(&mut record, undo).turn = turn;
    let error = refusal(&rechained(record)).to_string();
    let prefix = format!("event {undo}: its turn is ");
    assert!(error.starts_with(&prefix), "{error}");
}

#[test]
fn rows_left_out_moved_or_renumbered() {
    let mut record = antike();
    events(&mut record).remove(7);
    refused_at(&record, 7, "its number is 8; expected 7");
    // Renumbered and with new hashes, a different action follows.
    let mut record = antike();
    let lost = find(&record, 5, is_action);
    events(&mut record).remove(lost as usize);
    for (seq, row) in (0..).zip(events(&mut record)) {
        row.seq = seq;
    }
    refused_saying(&rechained(record), &format!("event {lost}: "));
    let mut record = antike();
    events(&mut record).swap(5, 6);
    refused_at(&record, 5, "its number is 6; expected 5");
    refuses_row(&antike(), 9, "its number is 10; expected 9", |row| {
        row.seq = 10
    });
    let mut record = antike();
    events(&mut record).clear();
    refused_at(&record, 0, "the log is empty");
}

#[test]
fn another_action() {
    // In the record alone.
    let mut record = antike();
    let seq = find(&record, 0, is_action);
    let place = record
        .actions
        .iter()
        .position(|text| !text.starts_with('-'));
    let place = place.expect("an action");
    record.actions[place] = "stone arming".to_owned();
    refused_at(&record, seq, ACTIONS);
    // In both, with new hashes: the position differs.
    row(&mut record, seq).notation = "stone arming".to_owned();
    refused_at(&record, seq, HASH);
    refused_at(&rechained(record), seq, DIGEST);
    // An illegal action, and a text that is not an action.
    let mut record = antike();
    row(&mut record, seq).notation = "temple tyros".to_owned();
    refused_saying(&rechained(record), &format!("event {seq}: "));
    let mut record = antike();
    row(&mut record, seq).notation = "dance".to_owned();
    refused_saying(&rechained(record), "\"dance\" is not an action");
    // An undone action marked as done, and the reverse.
    let mut record = antike();
    let undone = record.actions.iter().position(|text| text.starts_with('-'));
    let undone = undone.expect("an undone action");
    record.actions[undone].remove(0);
    let to = record.actions.iter().take(undone + 1).count() as u64;
    let seq = (record.events.iter().flatten().filter(|row| is_action(row)))
        .nth(to as usize - 1)
        .expect("its row")
        .seq;
    refused_at(&record, seq, ACTIONS);
    let mut record = antike();
    record.actions[place].insert(0, '-');
    let seq = find(&record, 0, is_action);
    refused_at(&record, seq, ACTIONS);
}

#[test]
fn another_digest() {
    refuses_row(&antike(), 20, DIGEST, |row| {
        row.digest = "0123456789abcdef".to_owned()
    });
    let mut record = antike();
    record.digest = "0123456789abcdef".to_owned();
    refused_saying(&record, "the digest after the last action is ");
}

#[test]
fn another_nation_player_or_turn() {
    let record = antike();
    let seq = find(&record, 10, is_action);
    let events = record.events.clone().expect("a log");
    let EventRow {
        nation,
        player,
        turn,
        ..
    } = events[seq as usize].clone();
    let (nation, player) = (nation.expect("a nation"), player.expect("a player"));
    refuses_row(
        &record,
        seq,
        &format!("its nation is romans; expected {nation}"),
        |row| row.nation = Some("romans".to_owned()),
    );
    refuses_row(
        &record,
        seq,
        &format!("its nation is none; expected {nation}"),
        |row| row.nation = None,
    );
    refuses_row(
        &record,
        seq,
        &format!("its player is hanno; expected {player}"),
        |row| row.player = Some("hanno".to_owned()),
    );
    refuses_row(
        &record,
        seq,
        &format!("its player is none; expected {player}"),
        |row| row.player = None,
    );
    let reason = format!("its turn is {}; expected {turn}", turn + 1);
    refuses_row(&record, seq, &reason, |row| row.turn += 1);
    // Another player requests an undo.
    let undo = find(&record, 0, |row| row.notation.starts_with("undo "));
    refuses_row(&record, undo, "\"hanno\" has no seat in this game", |row| {
        row.player = Some("hanno".to_owned())
    });
    // A nation named in the notation that is not to move.
    let mut forged = record;
    let text = &mut row(&mut forged, seq).notation;
    *text = format!(
        "{}: {text}",
        if nation == "greeks" {
            "arabs"
        } else {
            "greeks"
        }
    );
    refused_saying(&rechained(forged), &format!("event {seq}: "));
}

#[test]
fn wrong_players() {
    // The ids of two seats exchanged, in the record or in a row.
    let mut record = antike();
    let (one, two) = record.setup.seats.split_at_mut(1);
    std::mem::swap(&mut one[0].player, &mut two[0].player);
    let seq = find(&record, 3, |row| row.notation.starts_with("seat 0 "));
    refused_at(&record, seq, PLAYER);
    let mut record = antike();
    let two = row(&mut record, 2).notation.replacen("seat 1", "seat 0", 1);
    row(&mut record, 2).notation = two;
    let acts = find(&record, 3, |row| {
        is_action(row) && row.nation.as_deref() == Some("persians")
    });
    let error = refusal(&rechained(record)).to_string();
    let first = find(&antike(), 3, is_action).min(acts);
    assert!(
        error.starts_with(&format!("event {first}: its player is ")),
        "{error}"
    );
    // The bot that took over is missing: the person did not play to the end.
    let mut record = antike();
    let person = row(&mut record, 1).notation.clone();
    let account = row(&mut record, 1).player.clone();
    let bot = row(&mut record, seq);
    (bot.notation, bot.player) = (person, account.clone());
    let acts = find(&record, seq, |row| row.player.as_deref() == Some("greedy"));
    let acts = record.events.iter().flatten().filter(|row| row.seq >= acts);
    let phoenicians = acts.filter(|row| row.nation.as_deref() == Some("phoenicians"));
    let acts = phoenicians.map(|row| row.seq).min().expect("it acted");
    let reason = format!(
        "its player is greedy; expected {}",
        account.expect("an account")
    );
    refused_at(&rechained(record), acts, &reason);
    // Seats that do not exist.
    for seat in ["4", "255"] {
        let mut record = antike();
        let text = row(&mut record, 1)
            .notation
            .replacen("seat 0", &format!("seat {seat}"), 1);
        row(&mut record, 1).notation = text;
        refused_at(&rechained(record), 1, &format!("there is no seat {seat}"));
    }
    for seat in ["256", "-1", "00", "+0", "x"] {
        let mut record = antike();
        let text = row(&mut record, 1)
            .notation
            .replacen("seat 0", &format!("seat {seat}"), 1);
        row(&mut record, 1).notation = text;
        refused_saying(&rechained(record), "must be followed by a seat number");
    }
}

#[test]
fn times_that_run_backwards_or_are_none() {
    refuses_row(
        &antike(),
        9,
        "its time is earlier than that of the event before it",
        |row| row.at = "2026-11-20T00:00:00Z".to_owned(),
    );
    for at in [
        "yesterday",
        "",
        "2026-11-21T10:23:41.5+01:00",
        "2026-02-30T00:00:00Z",
    ] {
        let reason = format!(
            "its time is {at:?}; expected an RFC 3339 time in UTC, such as 2012-10-18T12:00:00Z"
        );
        refuses_row(&antike(), 9, &reason, |row| row.at = at.to_owned());
    }
    let mut record = antike();
    record.played_at = "2025-01-01T00:00:00Z".to_owned();
    let last = events(&mut record).len() as u64 - 1;
    let reason = "it is the last event, but its time is not the record's played_at, \
                  \"2025-01-01T00:00:00Z\"";
    refused_at(&record, last, reason);
}

#[test]
fn another_setup() {
    type SetupChange = (fn(&mut Setup), &'static str);
    let changes: [SetupChange; 3] = [
        (|setup| setup.seed.push('x'), SETUP),
        (|setup| setup.max_rounds = Some(200), SETUP),
        (|setup| setup.drawn += 1, DIGEST),
    ];
    for (change, reason) in changes {
        let mut record = antike();
        change(&mut record.setup);
        refused_at(&record, 0, reason);
        // In row 0 too.
        let setup = PublicSetup::new(&record.setup);
        let setup = Entry::Setup(Box::new(setup)).to_string();
        let old = &mut row(&mut record, 0).notation;
        *old = setup;
        refused_at(&record, 0, HASH);
    }
    // Row 0 has the first players too, but they may change.
    let mut record = antike();
    let mut setup = PublicSetup::new(&record.setup);
    setup.seats.pop();
    row(&mut record, 0).notation = Entry::Setup(Box::new(setup)).to_string();
    refused_at(&rechained(record), 0, SETUP);
    // A row 0 with a seed, or with an action; a setup that is not row 0.
    let mut record = antike();
    let text = row(&mut record, 0)
        .notation
        .replacen('{', "{\"seed\":\"x\",", 1);
    row(&mut record, 0).notation = text;
    refused_saying(&rechained(record), "unknown field `seed`");
    let place = "event 0 must be a setup, and no other event may be one";
    refuses_row(&antike(), 0, place, |row| row.notation = "end".to_owned());
    let mut record = antike();
    let text = row(&mut record, 0).notation.clone();
    row(&mut record, 5).notation = text;
    refused_at(&rechained(record), 5, place);
    // Other nations, another board: another game, or none.
    let mut record = antike();
    record.setup.board = "antike-west".to_owned();
    refusal(&record);
    let mut record = antike();
    record.setup.ruleset_hash = Some("0".repeat(64));
    refusal(&record);
}

#[test]
fn cards_that_the_seed_does_not_give() {
    // The tail of the deck was never drawn: no digest depends on it, but it follows from the seed.
    let mut record = duellum();
    record.setup.deck.as_mut().expect("a deck").swap(0, 1);
    let reason = "the setup does not start a game: deck: the seed gives another deck; \
         remove this deck, or correct the seed";
    refused(&record, reason);
    record.events = None;
    refused(&record, reason);
    // Other cards.
    let mut record = duellum();
    record.setup.deck.as_mut().expect("a deck").pop();
    refusal(&record);
    // A reshuffle that did not happen.
    let mut record = duellum();
    let number = record.setup.reshuffles.len();
    record.setup.reshuffles.push(vec!["academy".to_owned()]);
    let reason = format!(
        "the setup does not start a game: reshuffles[{number}]: the game has no such reshuffle; remove the deck"
    );
    refused(&record, &reason);
    record.events = None;
    refused(&record, &reason);
    // A reshuffle with another order.
    let golden = golden::records();
    let reshuffled = golden.values().find(|record| {
        record
            .setup
            .reshuffles
            .iter()
            .any(|deck| deck.first() != deck.last())
    });
    let mut record = reshuffled.expect("a record with a reshuffle").clone();
    let deck = record
        .setup
        .reshuffles
        .iter_mut()
        .find(|deck| deck.first() != deck.last());
    let deck = deck.expect("a deck");
    let last = deck.len() - 1;
    deck.swap(0, last);
    refusal(&record);
}

#[test]
fn decks_follow_from_the_seed_wherever_the_record_comes_from() {
    let golden = golden::records();
    let has_deck_and_seed =
        |record: &&Record| record.setup.deck.is_some() && !record.setup.seed.is_empty();
    let mut count = 0;
    for record in golden.values().filter(has_deck_and_seed) {
        for source in [Source::Service, Source::Simulation, Source::Import] {
            let mut forged = record.clone();
            forged.source = source;
            forged.setup.deck.as_mut().expect("a deck").swap(0, 1);
            if forged.setup.deck == record.setup.deck {
                continue;
            }
            let reason = "the setup does not start a game: deck: the seed gives another deck; \
         remove this deck, or correct the seed";
            refused(&forged, reason);
            count += 1;
        }
    }
    assert!(count > 10, "{count} forged");
}

#[test]
fn missing_versions_and_times() {
    let current = simulated().setup;
    for (change, field, hash) in [
        (
            (|setup| setup.ruleset_hash = None) as fn(&mut Setup),
            "ruleset_hash",
            current.ruleset_hash,
        ),
        (
            |setup| setup.board_hash = None,
            "board_hash",
            current.board_hash,
        ),
    ] {
        let mut record = simulated();
        change(&mut record.setup);
        let hash = hash.expect("a record spells it out");
        let reason = format!(
            "the setup does not start a game: {field}: a record must have it; the current one is {hash}"
        );
        refused(&record, &reason);
        // In the log too.
        let mut record = antike();
        change(&mut record.setup);
        let setup = PublicSetup::new(&record.setup);
        row(&mut record, 0).notation = Entry::Setup(Box::new(setup)).to_string();
        refused_saying(
            &rechained(record),
            &format!("{field}: a record must have it"),
        );
    }
    for at in ["yesterday", "", "2026-11-21T13:00:00+01:00"] {
        let mut record = simulated();
        record.played_at = at.to_owned();
        let reason = format!(
            "played_at is {at:?}; expected an RFC 3339 time in UTC, such as 2012-10-18T12:00:00Z"
        );
        refused(&record, &reason);
    }
}

#[test]
fn undone_actions_are_actions() {
    let mut record = simulated();
    record.actions.insert(3, "-stone iron".to_owned());
    record.verify(Library::embedded()).expect("it holds");
    record.actions[3] = "-dance\0".to_owned();
    refused_saying(&record, "action 4: \"dance");
}

#[test]
fn a_signature_of_another_log() {
    let key = SecretKey::from_seed(&[7; 32]);
    let mut record = antike();
    let last = row(&mut record, 0).seq + record.events.iter().flatten().count() as u64 - 1;
    let hash = row(&mut record, last).hash.clone();
    record.signature = Some(record.sign(&key, last, &hash).expect("it is JSON"));
    record.verify(Library::embedded()).expect("it holds");
    for (seq, hash) in [(last - 1, hash.clone()), (last, "0".repeat(64))] {
        let mut forged = record.clone();
        forged.signature = Some(record.sign(&key, seq, &hash).expect("it is JSON"));
        let reason = format!(
            "it is the last event, but the record's signature is for event {seq} or another hash"
        );
        refused_at(&forged, last, &reason);
        forged.events = None;
        forged
            .verify(Library::embedded())
            .expect("nothing speaks against it");
    }
}

#[test]
fn lines_of_a_text_that_name_other_turns() {
    let library = Library::embedded();
    let read = |text: &str| Record::from_text_with_turns(text, library);
    for (name, record) in golden::records() {
        let text = record.to_text(library).expect("it replays");
        assert_eq!(read(&text), Ok(record), "{name}");
    }
    let text = simulated().to_text(library).expect("it replays");
    let lines: Vec<&str> = text.lines().collect();
    let number = lines.len() - 2;
    let (turn, rest) = lines[number].split_once(". ").expect("a turn");
    let (nation, actions) = rest.split_once(": ").expect("a nation");
    let with = |line: String| {
        let mut lines = lines.clone();
        lines[number] = &line;
        lines.join("\n")
    };
    let actual = format!("but the game is in turn {turn} of {nation}");
    for (line, reason) in [
        (
            format!("99. {nation}: {actions}"),
            format!("the line names turn 99 of {nation}, {actual}"),
        ),
        (
            format!("{turn}. gauls: {actions}"),
            format!("the line names turn {turn} of gauls, {actual}"),
        ),
    ] {
        let forged = with(line);
        let error = read(&forged).expect_err("it is another turn");
        assert_eq!((error.line, error.message), (number + 1, reason));
        // Without the check of turns it is the same record.
        assert_eq!(Record::from_text(&forged), Ok(simulated()));
    }
    // Two turns on one line.
    let forged = text.replacen(&format!("\n{}", lines[number]), &format!("; {actions}"), 1);
    let error = read(&forged).expect_err("there are two turns");
    assert_eq!(error.line, number);
    // A commitment to another seed, and another value of Rated.
    let seed = "[Seed \"a forger's\"]";
    for (tag, reason) in [
        (
            "[SeedCommitment \"0\"]",
            "SeedCommitment is not the SHA-256 of Seed",
        ),
        (
            "[Rated \"perhaps\"]",
            "Rated is \"perhaps\"; expected yes, or no such header",
        ),
    ] {
        let forged = text.replacen(seed, &format!("{seed}\n{tag}"), 1);
        assert_ne!(forged, text);
        assert_eq!(
            read(&forged).map_err(|error| error.message),
            Err(reason.to_owned())
        );
    }
}

#[test]
fn a_shortened_log() {
    let last = antike().events.expect("a log").len() as u64 - 1;
    let mut record = antike();
    events(&mut record).pop();
    refused_at(&record, last - 1, ACTIONS);
    // With the action, the time and the digest: the game goes on.
    record.actions.pop();
    let at = row(&mut record, last - 1).at.clone();
    record.digest = row(&mut record, last - 1).digest.clone();
    record.played_at = at;
    let reason = "the game goes on, but the record says it ended by goal";
    refused_at(&record, last - 1, reason);
    record.events = None;
    refused(
        &record,
        &format!("the record's result is not that of the game: {reason}"),
    );
    // Without the row that ended it by adjudication.
    let mut record = adjudicated();
    events(&mut record).pop();
    let last = events(&mut record).len() as u64 - 1;
    let reason = "the game goes on, but the record says it ended by adjudication";
    refused_at(&record, last, reason);
    // A game that is over without its result.
    let mut record = antike();
    record.result = None;
    let last = events(&mut record).len() as u64 - 1;
    let reason = "the game ended by goal, but the record has no result";
    refused_at(&record, last, reason);
    record.events = None;
    refused(
        &record,
        &format!("the record's result is not that of the game: {reason}"),
    );
}

#[test]
fn a_prolonged_log() {
    for more in ["undo 3", "end", "resign", "adjudicate null"] {
        let mut record = antike();
        let mut next = events(&mut record).last().expect("a row").clone();
        next.seq += 1;
        next.notation = more.to_owned();
        let seq = next.seq;
        events(&mut record).push(next);
        refused_at(&rechained(record), seq, OVER);
    }
    let mut record = antike();
    record.actions.push("end".to_owned());
    let last = events(&mut record).len() as u64 - 1;
    refused_at(&record, last, ACTIONS);
    record.events = None;
    refused_saying(&record, "the game is over");
    // An adjudication after the end.
    let mut record = antike();
    let decision = adjudicated().events.expect("a log").pop().expect("a row");
    let mut next = events(&mut record).last().expect("a row").clone();
    next.seq += 1;
    next.notation = decision.notation;
    let seq = next.seq;
    events(&mut record).push(next);
    refused_at(&rechained(record), seq, OVER);
}

#[test]
fn another_games_log() {
    let mut record = antike();
    record.events = duellum().events;
    refused_at(&record, 0, SETUP);
    let mut record = antike();
    record.events = adjudicated().events;
    refused_at(&record, 0, SETUP);
    // Its rows from the middle on.
    let mut record = antike();
    let others = adjudicated().events.expect("a log");
    events(&mut record).truncate(50);
    events(&mut record).extend_from_slice(&others[50..]);
    refused_at(&record, 50, HASH);
    refused_saying(&rechained(record), "event 50: ");
}

#[test]
fn undos_to_rows_that_do_not_count() {
    let record = antike();
    let undo = find(&record, 0, |row| row.notation.starts_with("undo "));
    let undone = undo - 1;
    for to in [undo, undo + 1, 100_000] {
        let reason = format!("it undoes to event {to}, which does not exist or was undone");
        refuses_row(&record, undo, &reason, |row| {
            row.notation = format!("undo {to}")
        });
    }
    // To an event that was undone itself.
    let later = find(&record, undo + 1, |row| row.notation.starts_with("undo "));
    let reason = format!("it undoes to event {undone}, which does not exist or was undone");
    refuses_row(&record, later, &reason, |row| {
        row.notation = format!("undo {undone}")
    });
    // To where the game stands.
    let reason = format!(
        "it undoes nothing: event {} is the one before it",
        later - 1
    );
    refuses_row(&record, later, &reason, |row| {
        row.notation = format!("undo {}", later - 1)
    });
    // To another one that counts.
    refuses_row(&record, later, DIGEST, |row| {
        row.notation = "undo 3".to_owned()
    });
    for text in [
        "undo", "undo x", "undo -1", "undo 03", "undo +3", "undo 3 4",
    ] {
        let mut forged = record.clone();
        row(&mut forged, later).notation = text.to_owned();
        refused_saying(&rechained(forged), ": \"undo\" ");
    }
}

/// Changes of a result, each with the fault of such a decision of people.
type ResultChange = (fn(&mut ResultBody), &'static str);

const RESULT_CHANGES: &[ResultChange] = &[
    (
        |result| {
            let (one, others) = result.ranks.split_at_mut(1);
            std::mem::swap(&mut one[0].rank, &mut others[0].rank);
        },
        FIGURES,
    ),
    (
        |result| result.ranks[1] = result.ranks[0].clone(),
        "every seat must have exactly one rank",
    ),
    (
        |result| result.ranks[1].seat = 9,
        "every seat must have exactly one rank",
    ),
    (
        |result| drop(result.ranks.pop()),
        "every seat must have exactly one rank",
    ),
    (
        |result| {
            let twice = result.ranks[0].clone();
            result.ranks.push(twice);
        },
        "every seat must have exactly one rank",
    ),
    (
        |result| result.ranks.clear(),
        "every seat must have exactly one rank",
    ),
    (
        |result| result.ranks.iter_mut().for_each(|body| body.rank = 2),
        "ranks must be from 1 to 3, and at least one seat must have rank 1",
    ),
    (
        |result| result.ranks[0].rank = 0,
        "ranks must be from 1 to 3, and at least one seat must have rank 1",
    ),
    (
        |result| result.ranks[2].rank = 200,
        "ranks must be from 1 to 3, and at least one seat must have rank 1",
    ),
    (|result| result.ranks[1].share = 0.5, FIGURES),
    (|result| result.ranks[0].share = 0.5, FIGURES),
    (|result| result.ranks[0].points += 1, FIGURES),
    (
        |result| result.ranks[0].nations = vec!["unknown".to_owned()],
        FIGURES,
    ),
    (|result| result.ranks.reverse(), FIGURES),
];

#[test]
fn another_result_than_the_rules_give() {
    for (record, reason) in [(simulated(), None), (antike(), Some(()))] {
        for (change, _) in RESULT_CHANGES {
            let mut forged = record.clone();
            change(result(&mut forged));
            assert_ne!(forged.result, record.result);
            match reason {
                None => refused(
                    &forged,
                    &format!("the record's result is not that of the game: {RANKS}"),
                ),
                Some(()) => {
                    let last = events(&mut forged).len() as u64 - 1;
                    refused_at(&forged, last, RANKS);
                }
            }
        }
    }
    for found in [
        EndReason::Adjudication,
        EndReason::Agreement,
        EndReason::Resignation,
    ] {
        let mut forged = antike();
        result(&mut forged).reason = found;
        let reason = format!("the game ended by goal, but the record says by {found}");
        let last = events(&mut forged).len() as u64 - 1;
        refused_at(&forged, last, &reason);
        forged.events = None;
        refused(
            &forged,
            &format!("the record's result is not that of the game: {reason}"),
        );
    }
}

/// Replaces the decision in the last row by this result.
fn decide(record: &mut Record, result: ResultBody, declared: bool) {
    let decision = Decision {
        result,
        note: None,
        declared,
    };
    let entry = Entry::Adjudicate(Box::new(decision));
    events(record).last_mut().expect("a row").notation = entry.to_string();
}

#[test]
fn another_result_than_people_gave() {
    let last = adjudicated().events.expect("a log").len() as u64 - 1;
    for (change, reason) in RESULT_CHANGES {
        // In the record.
        let mut forged = adjudicated();
        change(result(&mut forged));
        refused_at(&forged, last, RANKS);
        // Without its log, only its own figures contradict it.
        forged.events = None;
        let prefix = "the record's result is not that of the game: no log confirms the \
                  result, and ";
        refused(&forged, &format!("{prefix}{reason}"));
        // In the log too, with new hashes.
        let mut forged = adjudicated();
        change(result(&mut forged));
        let claimed = result(&mut forged).clone();
        decide(&mut forged, claimed, false);
        refused_at(&forged, last, HASH);
        refused_at(&rechained(forged), last, reason);
    }
    // People cannot end games for reasons of the rules.
    for reason in [EndReason::Goal, EndReason::RoundLimit] {
        let mut forged = adjudicated();
        result(&mut forged).reason = reason;
        let claimed = result(&mut forged).clone();
        let expected = format!("the game ended by adjudication, but the record says by {reason}");
        refused_at(&forged, last, &expected);
        decide(&mut forged, claimed, false);
        let expected =
            format!("people can end a game by adjudication or agreement, but not by {reason}");
        refused_at(&rechained(forged.clone()), last, &expected);
        forged.events = None;
        let expected = format!(
            "the record's result is not that of the game: the game goes on, but the record says it \
             ended by {reason}"
        );
        refused(&forged, &expected);
    }
    // Abandoned, which has no result.
    let mut forged = adjudicated();
    row(&mut forged, last).notation = "adjudicate null".to_owned();
    let reason = "a game that has started cannot be abandoned without a result";
    refused_at(&rechained(forged), last, reason);
    let mut forged = rewritten(adjudicated(), 1, &[Entry::Abandon]);
    assert_eq!(forged.result, None);
    assert!(forged.verify(Library::embedded()).is_ok());
    forged.result = adjudicated().result;
    let reason = "the game was abandoned without a result, but the record has one";
    refused_at(&forged, 1, reason);
}

#[test]
fn an_adjudication_after_an_unfinished_log() {
    // The record says so, the log does not.
    let record = adjudicated();
    let last = record.events.as_ref().expect("a log").len() as u64 - 1;
    let mut forged = record.clone();
    let row = events(&mut forged).pop().expect("a row");
    refused_at(
        &forged,
        last - 1,
        "the game goes on, but the record says it ended by adjudication",
    );
    // The row of another position: its points differ.
    let mut moved = record.clone();
    events(&mut moved).truncate(200);
    let at = find(&moved, 199, |_| true);
    events(&mut moved).push(EventRow { seq: at + 1, ..row });
    refused_saying(&rechained(moved), &format!("event {}: ", at + 1));
    // The row is declared: then the record is declared, not proved.
    let mut declared = record.clone();
    let claimed = result(&mut declared).clone();
    decide(&mut declared, claimed, true);
    assert!(is_declared(&rechained(declared)));
}

#[test]
fn a_result_that_no_log_carries_is_declared() {
    let mut record = adjudicated();
    record.events = None;
    assert!(is_declared(&record));
    result(&mut record).reason = EndReason::Agreement;
    assert!(is_declared(&record));
    // Only a service has people who decide.
    for source in [Source::Simulation, Source::Import] {
        let mut record = adjudicated();
        record.source = source;
        assert!(is_declared(&record));
    }
    // As early imports wrote it: without a note.
    let mut record = adjudicated();
    let last = events(&mut record).last_mut().expect("a row");
    last.notation = last
        .notation
        .replace(",\"note\":\"agreed at the table\"", "");
    assert!(is_declared(&rechained(record)));
    assert!(!is_declared(&simulated()));
}

#[test]
fn a_forged_game_of_bots() {
    let record = simulated();
    let mut forged = record.clone();
    forged.actions.truncate(20);
    refused_saying(&forged, "the game goes on");
    let mut forged = record.clone();
    forged.actions.swap(3, 4);
    refusal(&forged);
    let mut forged = record.clone();
    forged.actions[0] = "stone dancing".to_owned();
    refused_saying(&forged, "action 1: \"stone dancing\" is not an action");
    let mut forged = record.clone();
    forged.digest = "0123456789abcdef".to_owned();
    refusal(&forged);
    let mut forged = record.clone();
    forged.setup.seats.swap(0, 1);
    refusal(&forged);
    let mut forged = record;
    forged.format = "tabularium-record/2".to_owned();
    refused(
        &forged,
        "the format is \"tabularium-record/2\"; expected \"tabularium-record/1\"",
    );
}

#[test]
fn forgeries_that_only_a_signature_reveals() {
    let holds = |record: &Record| {
        assert!(!is_declared(record));
    };
    // Another decision of the organizer, figures and all.
    let record = adjudicated();
    let last = record.events.as_ref().expect("a log").len() as u64 - 1;
    let (game, _) = record.start(Library::embedded()).expect("it starts");
    let verified = record.verify(Library::embedded()).expect("it holds");
    let decided = game.decide(
        &verified.state,
        EndReason::Adjudication,
        [(0, 3), (1, 1), (2, 2)],
    );
    let decision = Decision {
        result: decided.expect("a ranking"),
        note: None,
        declared: false,
    };
    let forged = rewritten(record, last, &[Entry::Adjudicate(Box::new(decision))]);
    assert_eq!(
        forged.result.as_ref().map(|result| result.ranks[0].seat),
        Some(1)
    );
    holds(&forged);
    // A game with other actions from some row on: here all players resign.
    let resign = |nation: &str| Entry::Action(format!("{nation}: resign"));
    let forged = rewritten(
        antike(),
        60,
        &[resign("arabs"), resign("greeks"), resign("persians")],
    );
    holds(&forged);
    // Another hour, another note, another name or account of a player throughout, another id.
    let mut forged = antike();
    for row in events(&mut forged) {
        row.at = row.at.replace("2026-11-21", "2025-11-21");
    }
    forged.played_at = forged.played_at.replace("2026-11-21", "2025-11-21");
    holds(&rechained(forged));
    let text = serde_json::to_string(&antike()).expect("it is JSON");
    let account = antike().events.expect("a log")[2]
        .player
        .clone()
        .expect("an account");
    let forged: Record = serde_json::from_str(&text.replace(&account, "hanno")).expect("a record");
    holds(&rechained(forged));
    let mut forged = antike();
    forged.id = duellum().id;
    holds(&forged);
    // Another seed where nothing was drawn from it.
    let mut forged = antike();
    forged.setup.seed.push('x');
    let setup = Entry::Setup(Box::new(PublicSetup {
        seats: serde_json::from_str(&row(&mut forged, 0).notation)
            .map(|setup: PublicSetup| setup.seats)
            .expect("a setup"),
        ..PublicSetup::new(&forged.setup)
    }));
    row(&mut forged, 0).notation = setup.to_string();
    holds(&rechained(forged));
}
