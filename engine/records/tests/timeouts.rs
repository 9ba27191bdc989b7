//! Time-outs in logs: which follow from the times of rows, and which are rejected.

use std::sync::Arc;

use engine::content::Library;
use engine::forms::digest_text;
use engine::setup::{Player, Setup, TimeoutThen};
use jiff::Timestamp;
use records::{
    Entry, EventRow, Fold, LogFault, PublicSetup, RECORD_FORMAT, Record, Source, TimeoutFault,
};
use serde_json::{Value, json};

/// A log written row by row, with times in seconds since its start.
#[derive(Clone)]
struct Log {
    setup: Setup,
    fold: Fold,
    rows: Vec<EventRow>,
}

fn moment(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).expect("a moment")
}

impl Log {
    /// Four people, of whom the Greeks of seat 0 begin.
    fn begin(pace: Value) -> Log {
        let seat = |nation: &str| json!({"nations": [nation], "player": {"kind": "person", "id": format!("{nation}-player")}});
        let nations = ["greeks", "phoenicians", "persians", "arabs"];
        let setup = json!({"edition": "antike", "board": "antike-east", "seed": "a clock",
            "first": "greeks", "max_rounds": 60, "seats": nations.map(seat), "pace": pace});
        let setup: Setup = serde_json::from_value(setup).expect("a setup");
        let library = Library::embedded();
        let setup = setup.spelled_out(library).expect("it starts");
        let (game, first) = setup.start(library).expect("it starts");
        let mut log = Log {
            fold: Fold::new(Arc::new(game), first),
            rows: Vec::new(),
            setup: setup.clone(),
        };
        let first = Entry::Setup(Box::new(PublicSetup::new(&setup)));
        log.write(0, &first.to_string()).expect("row 0");
        log
    }

    fn write(&mut self, second: i64, text: &str) -> Result<(), LogFault> {
        let entry: Entry = text.parse()?;
        let at = moment(second).to_string();
        self.rows.push(self.fold.write(&entry, None, &at)?);
        Ok(())
    }

    #[track_caller]
    fn wrote(mut self, second: i64, text: &str) -> Log {
        self.write(second, text).expect(text);
        self
    }

    /// Returns the reason for the rejection of a row.
    #[track_caller]
    fn refused(&self, second: i64, text: &str) -> String {
        match self.clone().write(second, text) {
            Ok(()) => panic!("{text} is taken at {second}"),
            Err(fault) => fault.to_string(),
        }
    }

    /// The seat whose clock runs, and when its time runs out.
    fn due(&self) -> Option<(u8, i64)> {
        let clock = self.fold.clock().expect("a clock");
        let (seat, until) = clock.due()?;
        Some((seat, until.as_second() - 1_800_000_000))
    }

    /// The seat that must act.
    fn nation(&self) -> u8 {
        let (game, state) = (self.fold.game(), self.fold.state());
        game.seat_of(game.question(state).expect("it goes on").nation())
    }

    fn record(&self) -> Record {
        let last = self.rows.last().expect("rows");
        let mut setup = self.setup.clone();
        for (seat, player) in setup.seats.iter_mut().zip(self.fold.players()) {
            seat.player = player.clone();
        }
        let acts = self.rows.iter().filter(|row| row.nation.is_some());
        let actions = acts.map(|row| match self.fold.counts(row.seq) {
            true => row.notation.clone(),
            false => format!("-{}", row.notation),
        });
        Record {
            format: RECORD_FORMAT.to_owned(),
            id: "timed".to_owned(),
            setup,
            actions: actions.collect(),
            events: Some(self.rows.clone()),
            result: self.fold.result(),
            digest: digest_text(self.fold.state().digest()),
            played_at: last.at.clone(),
            source: Source::Service,
            rated: false,
            league: None,
            signature: None,
        }
    }
}

fn pace(timeouts: u32, then: &str) -> Value {
    let mut pace = json!({"turn_seconds": 60, "reserve_seconds": 30, "timeouts": timeouts,
        "then": then});
    if then == "bot" {
        pace["bot"] = json!("greedy");
    }
    pace
}

#[test]
fn turn_time_runs_first_and_then_the_reserve() {
    let log = Log::begin(pace(1, "wait"));
    assert_eq!(log.due(), Some((0, 90)));
    // Within a turn time goes on.
    let log = log.wrote(70, "stone iron");
    assert_eq!(log.due(), Some((0, 90)));
    let log = log.wrote(80, "end");
    let next = log.nation();
    assert_eq!(log.due(), Some((next, 170)));
    let clock = log.fold.clock().expect("a clock");
    let left: Vec<(u32, u32)> = clock.seats().collect();
    assert_eq!(left[0], (0, 10), "20 seconds of the reserve are gone");
    assert_eq!(left[usize::from(next)], (0, 30));
    // Others play. The first seat keeps the rest of its reserve.
    let mut log = log;
    for second in [81, 82, 83] {
        log = log.wrote(second, "stone iron").wrote(second, "end");
    }
    assert_eq!((log.nation(), log.due()), (0, Some((0, 83 + 70))));
}

#[test]
fn an_undo_gives_no_time_back() {
    let log = Log::begin(pace(1, "wait"));
    let log = log.wrote(70, "stone iron").wrote(75, "undo 0");
    // The same turn goes on.
    assert_eq!(log.due(), Some((0, 90)));
    let log = log.wrote(80, "stone iron").wrote(80, "end");
    let next = log.nation();
    let log = log.wrote(150, "undo 0");
    // Both have used some of their reserve; the turn is a new one.
    let left: Vec<(u32, u32)> = log.fold.clock().expect("a clock").seats().collect();
    assert_eq!((left[0].1, left[usize::from(next)].1), (10, 20));
    assert_eq!(log.due(), Some((0, 150 + 70)));
}

#[test]
fn a_seat_times_out_as_often_as_the_pace_says() {
    let log = Log::begin(pace(2, "wait"));
    let log = log.wrote(90, r#"timeout 0 {"then":"wait"}"#);
    // Its turn time starts again, but its reserve does not.
    assert_eq!(log.due(), Some((0, 150)));
    let log = log.wrote(151, r#"timeout 0 {"then":"wait"}"#);
    assert_eq!(log.due(), None, "its time stands still");
    assert_eq!(
        log.refused(1000, r#"timeout 0 {"then":"wait"}"#),
        "the clock of seat 0 was not running"
    );
    // A new player has the whole time, and so has the next seat.
    let seated = r#"seat 0 {"player":{"kind":"person","id":"livia"}}"#;
    assert_eq!(log.clone().wrote(2000, seated).due(), Some((0, 2090)));
    let log = log.wrote(3000, "stone iron").wrote(3000, "end");
    assert_eq!(log.due(), Some((log.nation(), 3090)));
    log.record().verify(Library::embedded()).expect("it holds");
}

#[test]
fn a_bot_takes_over_or_the_nations_resign() {
    let bot = Log::begin(pace(1, "bot")).wrote(90, r#"timeout 0 {"then":"bot"}"#);
    for other in [
        "stone iron",
        "undo 0",
        "greeks: resign",
        r#"seat 1 {"player":{"kind":"bot","name":"greedy"}}"#,
        r#"seat 0 {"player":{"kind":"bot","name":"random"}}"#,
        r#"seat 0 {"player":{"kind":"person","id":"greedy"}}"#,
    ] {
        let missing = TimeoutFault::Missing(0).to_string();
        assert_eq!(bot.refused(91, other), missing, "{other}");
    }
    let bot = bot.wrote(90, r#"seat 0 {"player":{"kind":"bot","name":"greedy"}}"#);
    assert_eq!(bot.due(), None, "bots have time");
    bot.record().verify(Library::embedded()).expect("it holds");

    let resigns = Log::begin(pace(1, "resign")).wrote(90, r#"timeout 0 {"then":"resign"}"#);
    for other in ["stone iron", "phoenicians: resign"] {
        let missing = TimeoutFault::Missing(0).to_string();
        assert_eq!(resigns.refused(91, other), missing, "{other}");
    }
    let resigns = resigns.wrote(90, "resign");
    assert_eq!(resigns.due(), Some((resigns.nation(), 180)));
    let record = resigns.record();
    record.verify(Library::embedded()).expect("it holds");
}

#[test]
fn an_invalid_time_out_is_rejected() {
    let log = Log::begin(pace(2, "resign"));
    let until = moment(90);
    let early = format!("seat 0 had time left until {until}");
    for (second, text, reason) in [
        (89, r#"timeout 0 {"then":"wait"}"#, &*early),
        (
            90,
            r#"timeout 1 {"then":"wait"}"#,
            "the clock of seat 1 was not running",
        ),
        (90, r#"timeout 9 {"then":"wait"}"#, "there is no seat 9"),
        (
            90,
            r#"timeout 0 {"then":"resign"}"#,
            "the consequence is resign; by the game's pace it must be wait",
        ),
        (
            90,
            r#"timeout 0 {"then":"bot"}"#,
            "the consequence is bot; by the game's pace it must be wait",
        ),
    ] {
        assert_eq!(log.refused(second, text), reason, "{text}");
    }
    let log = log.wrote(90, r#"timeout 0 {"then":"wait"}"#);
    assert_eq!(
        log.refused(150, r#"timeout 0 {"then":"wait"}"#),
        "the consequence is wait; by the game's pace it must be resign"
    );
    // Without a pace, before all seats are taken, on a bot's seat, and after the end.
    let timeout = r#"timeout 0 {"then":"wait"}"#;
    let free = Log::begin(Value::Null);
    assert_eq!(
        free.refused(1_000_000, timeout),
        "the game has no pace, so no seat can time out"
    );
    for player in [r#"{"kind":"open"}"#, r#"{"kind":"bot","name":"greedy"}"#] {
        let log = Log::begin(pace(1, "wait")).wrote(1, &format!(r#"seat 0 {{"player":{player}}}"#));
        assert_eq!(
            log.refused(1000, timeout),
            "the clock of seat 0 was not running"
        );
    }
    let mut over = Log::begin(pace(1, "wait"));
    for nation in ["greeks", "phoenicians", "persians"] {
        over = over.wrote(1, &format!("{nation}: resign"));
    }
    assert_eq!(over.refused(1000, timeout), "the game was already over");
}

#[test]
fn a_log_must_follow_the_pace_of_its_row_0() {
    let log = Log::begin(pace(1, "resign")).wrote(90, r#"timeout 0 {"then":"resign"}"#);
    let record = log.wrote(90, "resign").record();
    let library = Library::embedded();
    record.verify(library).expect("it holds");
    // A forger computes all hashes again.
    let forged = |change: &dyn Fn(&mut Vec<EventRow>)| {
        let mut record = record.clone();
        let rows = record.events.as_mut().expect("a log");
        change(rows);
        let mut previous: Option<String> = None;
        for row in rows.iter_mut() {
            row.hash = row.chained_hash(previous.as_deref());
            previous = Some(row.hash.clone());
        }
        record
            .verify(library)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    assert_eq!(forged(&|_| ()), Ok(()));
    let earlier = |rows: &mut Vec<EventRow>| rows[1].at = moment(89).to_string();
    let early = format!("event 1: seat 0 had time left until {}", moment(90));
    assert_eq!(forged(&earlier), Err(early));
    let shorter = |rows: &mut Vec<EventRow>| {
        rows[0].notation = rows[0]
            .notation
            .replace("\"turn_seconds\":60", "\"turn_seconds\":6");
    };
    let other = "event 0: its setup is not the record's".to_owned();
    assert_eq!(forged(&shorter), Err(other));
    let unpaced = |rows: &mut Vec<EventRow>| {
        let (rest, _) = rows[0].notation.split_once(",\"pace\"").expect("a pace");
        rows[0].notation = format!("{rest}}}");
    };
    assert!(forged(&unpaced).is_err());
    let mut left_out = record.clone();
    left_out.setup.pace = None;
    assert!(left_out.verify(library).is_err());
}

#[test]
fn a_record_has_its_pace_in_both_forms() {
    let log = Log::begin(pace(2, "bot")).wrote(90, r#"timeout 0 {"then":"wait"}"#);
    let record = log.wrote(100, "stone iron").record();
    let json = serde_json::to_string(&record).expect("JSON");
    assert_eq!(
        serde_json::from_str::<Record>(&json).expect("a record"),
        record
    );
    let text = record.to_text(Library::embedded()).expect("text");
    let read = Record::from_text(&text).expect("a record");
    assert_eq!(read.setup, record.setup, "{text}");
    // Row 0 has it as its last field.
    let row = &record.events.as_ref().expect("a log")[0].notation;
    let end = r#","pace":{"turn_seconds":60,"reserve_seconds":30,"timeouts":2,"then":"bot","bot":"greedy"}}"#;
    assert!(row.ends_with(end), "{row}");
}

#[test]
fn a_time_out_has_one_text() {
    for then in [TimeoutThen::Wait, TimeoutThen::Bot, TimeoutThen::Resign] {
        let entry = Entry::Timeout { seat: 3, then };
        let text = entry.to_string();
        assert_eq!(text, format!(r#"timeout 3 {{"then":"{}"}}"#, then.name()));
        assert_eq!(text.parse(), Ok(entry));
    }
    for text in [
        "timeout 3",
        "timeout 03 {\"then\":\"bot\"}",
        "timeout {\"then\":\"bot\"}",
        "timeout 3 {}",
        "timeout 3 {\"then\":\"sleep\"}",
        "timeout 3 {\"then\":\"bot\",\"bot\":\"greedy\"}",
        "timeout 256 {\"then\":\"bot\"}",
    ] {
        assert!(text.parse::<Entry>().is_err(), "{text}");
    }
}

#[test]
fn a_pace_that_cannot_be_is_refused() {
    let log = Log::begin(pace(1, "bot"));
    for (field, value) in [
        ("turn_seconds", json!(0)),
        ("turn_seconds", json!(2_592_001)),
        ("reserve_seconds", json!(31_536_001)),
        ("timeouts", json!(0)),
        ("timeouts", json!(101)),
        ("bot", json!("")),
        ("bot", Value::Null),
    ] {
        let mut pace = pace(1, "bot");
        pace[field] = value.clone();
        let setup = Setup {
            pace: Some(serde_json::from_value(pace).expect("a pace")),
            ..log.setup.clone()
        };
        let refused = setup.start(Library::embedded()).expect_err("it cannot be");
        assert_eq!(refused.first().field, format!("pace.{field}"), "{value}");
    }
    let mut pace = pace(1, "resign");
    pace["bot"] = json!("greedy");
    let setup = Setup {
        pace: Some(serde_json::from_value(pace).expect("a pace")),
        ..log.setup.clone()
    };
    assert!(setup.start(Library::embedded()).is_err());
    let players = log.fold.players();
    assert!(
        players
            .iter()
            .all(|player| matches!(player, Player::Person { .. }))
    );
}
