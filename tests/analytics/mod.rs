//! The program `tabularium-analytics`, from records to answers.

mod report;

mod accuracy;
mod query;

use crate::support;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};

use analytics::GameFacts;
use analytics::facts::FactTable;
use engine::content::Library;
use polars::prelude::*;
use records::Record;
use serde_json::Value;
use tempfile::TempDir;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tabularium-analytics"))
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn done(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn write_records(path: &Path, records: &[Record]) {
    let lines = records
        .iter()
        .map(|record| serde_json::to_string(record).expect("JSON") + "\n");
    fs::write(path, lines.collect::<String>()).expect("written");
}

/// A folder with 40 games of bots and their facts.
struct Fixture {
    folder: TempDir,
    records: Vec<Record>,
    /// The digest of a position in which a turn began.
    position: String,
}

impl Fixture {
    fn new() -> Fixture {
        let records = support::records(40);
        let first = GameFacts::derive(&records[0], Library::embedded()).expect("facts");
        let position = first.turns[1].digest.as_deref().expect("a digest");
        let fixture = Fixture {
            folder: tempfile::tempdir().expect("a folder"),
            position: position.to_owned(),
            records,
        };
        write_records(Path::new(&fixture.path("games.ndjson")), &fixture.records);
        fixture.ingest("games.ndjson");
        fixture
    }

    fn path(&self, name: &str) -> String {
        self.folder
            .path()
            .join(name)
            .to_str()
            .expect("UTF-8")
            .to_owned()
    }

    fn ingest(&self, file: &str) -> String {
        done(&[
            "facts",
            "--from",
            &self.path(file),
            "--to",
            &self.path("facts"),
        ])
    }

    fn measure(&self, measure: &str, more: &[&str]) -> String {
        let facts = self.path("facts");
        let mut arguments = vec!["measure", measure, "--facts", &facts];
        arguments.extend(more);
        // Games of bots that take any action end by the limit of rounds, with few personages.
        arguments.extend(["--reason", "any"]);
        if measure == "personages" {
            arguments.extend(["--at", "1"]);
        }
        if measure == "head-to-head" {
            arguments.extend(["--bot", "random"]);
        }
        if measure == "positions" {
            arguments.extend(["--digest", &self.position]);
        }
        // The default of a picture has more levels than those of other formats.
        if measure == "openings-tree" && !more.contains(&"--levels") {
            arguments.extend(["--levels", "1"]);
        }
        done(&arguments)
    }

    fn json(&self, measure: &str, more: &[&str]) -> Value {
        let answer = self.measure(measure, &[more, &["--format", "json"]].concat());
        serde_json::from_str(&answer).expect("JSON")
    }

    /// Returns every file of a part with its time of change.
    fn files(&self) -> BTreeMap<String, std::time::SystemTime> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.folder.path().join("facts")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "parquet") {
                    let changed = fs::metadata(&path).and_then(|data| data.modified());
                    found.insert(path.display().to_string(), changed.expect("a time"));
                }
            }
        }
        found
    }
}

/// Counts wins by board, number of players and nation, straight from the records. Two players have two nations
/// each.
fn count_wins(records: &[Record]) -> BTreeMap<(String, usize, String), (u64, f64)> {
    let mut wins: BTreeMap<_, (u64, f64)> = BTreeMap::new();
    for record in records {
        let result = record.result.as_ref().expect("finished");
        let players = result.ranks.len();
        for body in &result.ranks {
            for nation in &body.nations {
                let key = (record.setup.board.clone(), players, nation.clone());
                let (games, won) = wins.entry(key).or_default();
                *games += 1;
                *won += body.share / body.nations.len() as f64;
            }
        }
    }
    wins
}

#[test]
fn win_rates_agree_with_the_records() {
    let fixture = Fixture::new();
    let answer = fixture.json("nations", &[]);
    assert_eq!(answer["measure"], "nations");
    assert_eq!(answer["games"], 40);
    assert_eq!(answer["log_position"], 40);
    let recorded: jiff::Timestamp = answer["as_of"].as_str().unwrap().parse().expect("a time");
    let ago = jiff::Timestamp::now().duration_since(recorded);
    assert!(ago < jiff::SignedDuration::from_hours(1), "added just now");
    let expected = count_wins(&fixture.records);
    let rows = answer["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), expected.len());
    for row in rows {
        let name = |key: &str| row[key].as_str().expect("a name").to_owned();
        let nations = row["nations"].as_u64().expect("a number") as usize;
        let players = row["players"].as_u64().expect("a number") as usize;
        let (games, won) = expected[&(name("board"), players, name("nation"))];
        assert_eq!(row["games"].as_u64(), Some(games));
        let found = row["wins"].as_f64().expect("a number");
        assert!((found - won).abs() < 1e-9, "{row}: not {won}");
        assert_eq!(row["expected"].as_f64(), Some(1.0 / nations as f64));
    }
}

#[test]
fn every_format_gives_the_same_numbers() {
    let fixture = Fixture::new();
    let more = [support::duellum(6), support::greedy(4)].concat();
    write_records(Path::new(&fixture.path("more.ndjson")), &more);
    fixture.ingest("more.ndjson");
    // Skill is that of people; these are bots.
    let measures =
        (analytics::MEASURES.into_iter()).filter(|measure| *measure != &analytics::SKILL);
    for measure in measures {
        let measure = &measure.name.replace('_', "-");
        let measure = measure.as_str();
        let json = fixture.json(measure, &[]);
        let file = fixture.path("rows.parquet");
        fixture.measure(measure, &["--format", "parquet", "--out", &file]);
        let parquet = fs::File::open(&file).expect("the file");
        let parquet = ParquetReader::new(parquet).finish().expect("a table");
        let csv = fixture.measure(measure, &["--format", "csv"]);
        let table = fixture.measure(measure, &["--wide"]);
        let flat: Vec<Vec<Value>> = match measure {
            "openings-tree" => tree_rows(&json, &parquet),
            _ => flat_rows(&json, &parquet),
        };
        assert_eq!(parquet.height(), flat.len(), "{measure}");
        assert!(!flat.is_empty(), "{measure}");
        check_picture(&fixture, measure, flat.len());
        let header: Vec<&str> = names(&parquet);
        let mut lines = csv.lines();
        // After the columns of the measure, a line has the source of the numbers.
        let source = "measure,program,filters,data_version,log_position,as_of";
        let first = format!("{},{source}", header.join(","));
        assert_eq!(lines.next(), Some(first.as_str()), "{measure}");
        let (common, shown) = table.split_once("\n\n").expect("a table");
        let shown: Vec<&str> = shown.lines().skip(1).collect();
        for (index, (line, row)) in lines.zip(&flat).enumerate() {
            let cells = cells(line);
            for ((cell, value), name) in cells.iter().zip(row).zip(&header) {
                let cell = &cell.as_str();
                let in_file = parquet
                    .column(name)
                    .expect("a column")
                    .get(index)
                    .expect("a row");
                match value {
                    Value::Null => assert_eq!((*cell, in_file.is_null()), ("", true)),
                    Value::String(text) => {
                        assert_eq!(cell, text);
                        assert_eq!(in_file.get_str(), Some(text.as_str()));
                    }
                    Value::Bool(flag) => {
                        assert_eq!(*cell, flag.to_string());
                        assert_eq!(in_file, AnyValue::Boolean(*flag));
                    }
                    number => {
                        let number = number.as_f64().expect("a number");
                        let others = [cell.parse().ok(), in_file.extract::<f64>()];
                        for other in others {
                            let other = other.expect("a number");
                            // serde_json reads the last digit inexactly.
                            let close = (other - number).abs() <= f64::EPSILON * number.abs();
                            assert!(close, "{measure}.{name}: {other}, {number}");
                        }
                        assert_eq!(cell.parse().ok(), in_file.extract::<f64>());
                        let rounded = [format!("{number:.3}"), number.to_string()];
                        let line = shown[index];
                        assert!(
                            rounded
                                .iter()
                                .any(|text| line.contains(text) || common.contains(text)),
                            "{line}: {number}"
                        );
                    }
                }
            }
        }
    }
}

/// Checks that every row is drawn, or counted as not drawn. Rates by round are lines.
fn check_picture(fixture: &Fixture, measure: &str, rows: usize) {
    let svg = fixture.measure(measure, &["--format", "svg"]);
    let drawn = svg.matches("<g><title>").count();
    let dark = fixture.measure(measure, &["--format", "svg", "--theme", "dark"]);
    assert_eq!(dark.matches("<g><title>").count(), drawn);
    assert!(dark.contains("#1d2329") && !svg.contains("#1d2329"));
    let lines = [
        "timing",
        "personages-incidence",
        "personages-worth",
        "trends",
    ];
    if lines.contains(&measure) {
        // There are too few games for a line.
        assert!(svg.contains("There are no numbers to draw."), "{svg}");
        return;
    }
    let what = match measure {
        "openings-tree" => "branches",
        _ => "rows",
    };
    let label = format!(" {what} with fewer games");
    let left_out = svg.split(&label).filter_map(|before| {
        let number = before.rsplit('>').next()?;
        number.parse::<usize>().ok()
    });
    let left_out: usize = left_out.sum();
    assert_eq!(drawn + left_out, rows, "{measure}: {left_out}");
}

#[test]
fn tables_fit_a_terminal() {
    let fixture = Fixture::new();
    let with_cards = support::duellum(6);
    write_records(Path::new(&fixture.path("duellum.ndjson")), &with_cards);
    fixture.ingest("duellum.ndjson");
    for measure in analytics::MEASURES {
        let measure = &measure.name.replace('_', "-");
        for more in [&[][..], &["--board", "antike-east", "--nations", "4"]] {
            let table = fixture.measure(measure, more);
            for line in table.lines() {
                assert!(line.chars().count() <= 80, "{measure}: {line}");
            }
            let wide = fixture.measure(measure, &[more, &["--wide"]].concat());
            assert!(!wide.contains("--wide"), "{measure}: {wide}");
            let header = |table: &str| {
                let (_, rows) = table.split_once("\n\n").expect("a table");
                let header = rows.lines().next().unwrap_or_default();
                let names = header.split_whitespace().map(str::to_owned);
                names.collect::<Vec<String>>()
            };
            let (shown, all) = (header(&table), header(&wide));
            assert!(shown.iter().all(|name| all.contains(name)), "{measure}");
            for name in all.iter().filter(|name| !shown.contains(name)) {
                let mut words = table.split([' ', ',', '\n']);
                assert!(
                    words.any(|word| word == name),
                    "{measure}: {name} is missing"
                );
            }
            for name in ["rate", "low", "high", "median", "winners_mean"] {
                let name = name.to_owned();
                assert_eq!(
                    shown.contains(&name),
                    all.contains(&name),
                    "{measure}: {name}"
                );
            }
        }
    }
}

/// Splits a line of CSV, in which no text contains quotation marks.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            character => cells.last_mut().expect("one").push(character),
        }
    }
    cells
}

/// Returns the rows of an answer in the order of a file's columns.
fn flat_rows(json: &Value, columns: &DataFrame) -> Vec<Vec<Value>> {
    let names = names(columns);
    let cell = |row: &Value, name: &str| row[name].clone();
    let rows = json["rows"].as_array().expect("rows").iter();
    rows.map(|row| names.iter().map(|name| cell(row, name)).collect())
        .collect()
}

/// Returns the nodes and children of an answer in the order of a file's columns.
fn tree_rows(json: &Value, columns: &DataFrame) -> Vec<Vec<Value>> {
    let names = names(columns);
    let mut rows = Vec::new();
    for node in json["rows"].as_array().expect("rows") {
        let children = node["children"].as_array().expect("children");
        for own in std::iter::once(node).chain(children) {
            let cell = |name: &&str| match (*name, own.get(*name)) {
                ("path", _) => Value::String(String::new()),
                (_, Some(value)) => value.clone(),
                (name, None) if node.get(name).is_some() => node[name].clone(),
                _ => Value::Null,
            };
            rows.push(names.iter().map(cell).collect());
        }
    }
    rows
}

#[test]
fn a_second_ingestion_of_the_same_records_adds_nothing() {
    let fixture = Fixture::new();
    let before = fixture.files();
    let said = fixture.ingest("games.ndjson");
    assert!(said.starts_with("0 games added"), "{said}");
    assert!(said.contains("40 known already"), "{said}");
    assert_eq!(fixture.files(), before);
    let mut more = fixture.records.clone();
    let new = support::setup("antike-east", 4, 99, 5);
    more.push(support::play(&new, "another", "2026-11-02T00:00:00Z"));
    write_records(Path::new(&fixture.path("more.ndjson")), &more);
    let said = fixture.ingest("more.ndjson");
    assert!(said.starts_with("1 games added"), "{said}");
    let after = fixture.files();
    assert!(
        before
            .iter()
            .all(|(path, changed)| after.get(path) == Some(changed))
    );
    let of_part = FactTable::ALL.len() + analytics::stored_summaries().count();
    assert_eq!(
        after.len(),
        before.len() + of_part,
        "in each table and summary"
    );
    assert_eq!(fixture.json("nations", &[])["games"], 41);
}

/// A process that is killed at any moment leaves facts of complete games, and the next one continues.
#[test]
fn a_killed_run_leaves_whole_facts() {
    let folder = tempfile::tempdir().expect("a folder");
    let records = support::records(40);
    // Long enough for several parts: a part has 2,048 lines.
    let copies = (0..75).flat_map(|copy| {
        let copied = records.iter().map(move |record| {
            let mut record = record.clone();
            record.id = format!("{}-{copy}", record.id);
            record
        });
        copied.collect::<Vec<Record>>()
    });
    let copies: Vec<Record> = copies.collect();
    let (file, facts) = (
        folder.path().join("games.ndjson"),
        folder.path().join("facts"),
    );
    write_records(&file, &copies);
    let (file, facts) = (
        file.to_str().expect("UTF-8"),
        facts.to_str().expect("UTF-8"),
    );
    let mut seen = 0;
    for delay in 0.. {
        let mut program = Command::new(env!("CARGO_BIN_EXE_tabularium-analytics"))
            .args(["facts", "--from", file, "--to", facts])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(std::time::Duration::from_millis(200 << delay));
        let ended = program.try_wait().expect("a process").is_some();
        // A process that has ended cannot be killed.
        let _ = program.kill();
        program.wait().expect("a process");
        let asked = run(&[
            "measure", "seats", "--facts", facts, "--reason", "any", "--format", "json",
        ]);
        let answer: Value = serde_json::from_slice(&asked.stdout).unwrap_or_default();
        let games = answer["games"].as_u64().unwrap_or_default();
        assert!(games >= seen, "{games} games, {seen} before");
        seen = games;
        if ended {
            break;
        }
    }
    assert_eq!(seen, 3_000);
    let store = analytics::FactsStore::new(facts);
    let (whole, _) = analytics::Facts::from_records(&copies, engine::content::Library::embedded())
        .expect("frames");
    let kept = store.manifest().expect("read").version();
    assert_eq!(kept.to_string(), whole.version().to_string());
}

#[test]
fn records_are_read_from_an_address_too() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let records = support::records(3);
    let body: Vec<String> = records
        .iter()
        .map(|record| serde_json::to_string(record).expect("JSON"))
        .collect();
    let body = body.join("\n");
    let server = std::thread::spawn(move || {
        let mut requests = String::new();
        for status in ["200 OK", "404 Not Found"] {
            let (mut stream, _) = listener.accept().expect("a request");
            let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
            while reader.read_line(&mut requests).expect("a line") > 2 {}
            let length = body.len();
            write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            )
            .expect("answered");
        }
        requests.to_lowercase()
    });
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().to_str().expect("UTF-8");
    let address = format!("http://{address}/records");
    let said = done(&["facts", "--from", &address, "--to", to]);
    assert!(said.starts_with("3 games added"), "{said}");
    let refused = run(&["facts", "--from", &address, "--to", to]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).contains("404"),
        "{}",
        text(&refused.stderr)
    );
    let requests = server.join().expect("served");
    assert!(
        requests.contains("accept: application/x-ndjson"),
        "{requests}"
    );
}

#[test]
fn bad_records_are_named_with_their_line() {
    let fixture = Fixture::new();
    let mut records = support::records(43)[40..].to_vec();
    records[1].actions[0] = "stone nowhere".to_owned();
    let path = fixture.path("bad.ndjson");
    write_records(Path::new(&path), &records);
    let mut file = fs::read_to_string(&path).expect("the file");
    file.push_str("\n{\"format\": 1}\n");
    fs::write(&path, file).expect("written");
    let output = run(&["facts", "--from", &path, "--to", &fixture.path("facts")]);
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    assert!(
        errors.contains("bad.ndjson:2: game-41: action 1: "),
        "{errors}"
    );
    assert!(
        errors.contains("bad.ndjson:5: not a record (one JSON object a line is expected): "),
        "{errors}"
    );
    assert!(
        text(&output.stdout).starts_with("2 games added"),
        "{}",
        text(&output.stdout)
    );
    assert_eq!(
        fixture.json("nations", &[])["games"],
        42,
        "the good ones are in"
    );
}

#[test]
fn filters_choose_games() {
    let fixture = Fixture::new();
    let east = fixture.json("nations", &["--board", "antike-east", "--nations", "4"]);
    let in_east = |record: &&Record| {
        let seats = record.setup.seats.len();
        record.setup.board == "antike-east" && (seats == 4 || seats == 2)
    };
    let count = fixture.records.iter().filter(in_east).count();
    assert_eq!(east["games"], count);
    assert_eq!(east["filters"]["board"], "antike-east");
    assert_eq!(east["filters"]["nations"], 4);
    assert_eq!(east["filters"]["bots"], "any");
    // The current version of the rules applies to all games.
    let versions = fixture.json("nations", &["--ruleset", "2"]);
    assert_eq!(versions["games"], 40);
    assert_eq!(versions["rulesets"][0]["version"], 2);
    assert_eq!(fixture.json("nations", &["--ruleset", "1"])["games"], 0);
    let table = fixture.measure("nations", &["--format", "table"]);
    let last = table.lines().last().unwrap_or_default();
    assert!(
        last.starts_with("rules: antike 2 ") && last.ends_with("(40 games)"),
        "{last}"
    );
    assert_eq!(fixture.json("nations", &["--bots", "none"])["games"], 0);
    assert_eq!(fixture.json("nations", &["--bots", "only"])["games"], 40);
    let since = fixture.json("lengths", &["--since", "2026-12-01"])["games"].clone();
    let until = fixture.json("lengths", &["--until", "2026-12-01"])["games"].clone();
    assert_eq!(
        since.as_u64().zip(until.as_u64()).map(|(a, b)| a + b),
        Some(40)
    );
}

#[test]
fn wrong_use_and_failure_have_different_exit_codes() {
    for wrong in [
        &["measure"][..],
        &["measure", "winners", "--facts", "x"],
        &["measure", "nations", "--facts", "x", "--bots", "some"],
        &[
            "measure",
            "openings-tree",
            "--facts",
            "x",
            "--path",
            "marble,tempel",
        ],
        &["facts", "--to", "x"],
    ] {
        assert_eq!(run(wrong).status.code(), Some(2), "{wrong:?}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let nowhere = folder.path().join("nowhere");
    let nowhere = nowhere.to_str().expect("UTF-8");
    for fails in [
        &["measure", "nations", "--facts", nowhere][..],
        &[
            "measure", "nations", "--facts", nowhere, "--board", "nowhere",
        ],
        &[
            "measure", "nations", "--facts", nowhere, "--nation", "nowhere",
        ],
        &["facts", "--from", nowhere, "--to", nowhere],
        &["report", "--facts", nowhere, "--out", nowhere],
    ] {
        let output = run(fails);
        assert_eq!(output.status.code(), Some(1), "{fails:?}");
        assert!(text(&output.stderr).contains("nowhere"), "it says where");
    }
}

#[test]
fn folders_may_be_relative() {
    let fixture = Fixture::new();
    let output = Command::new(env!("CARGO_BIN_EXE_tabularium-analytics"))
        .args(["measure", "nations", "--facts", "facts", "--reason", "any"])
        .args(["--format", "json"])
        .current_dir(fixture.folder.path())
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["rows"], fixture.json("nations", &[])["rows"]);
}

#[test]
fn help_shows_examples() {
    for command in ["facts", "measure", "report", "describe"] {
        let help = done(&[command, "--help"]);
        assert!(help.contains("Example"), "{help}");
        assert!(
            help.contains(&format!("tabularium-analytics {command}")),
            "{help}"
        );
    }
}

#[test]
fn help_is_an_answer_of_every_command() {
    let help = done(&["--help"]);
    let (_, list) = help.split_once("\nCommands:\n").expect("commands");
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    assert!(names.len() > 7, "{names:?}");
    for name in names {
        let output = run(&["help", name]);
        assert_eq!(
            (output.status.code(), &*text(&output.stderr)),
            (Some(0), "")
        );
        assert!(text(&output.stdout).contains("Usage: tabularium-analytics"));
    }
}

/// `tests/clients/sql.py` checks with DuckDB that the queries find the same numbers.
#[test]
fn measures_that_count_nations_have_a_query() {
    let asked = [
        "measure",
        "openings",
        "--sql",
        "--player",
        "O'Neill",
        "--nations",
        "4",
    ];
    let query = done(&asked);
    for part in [
        "FROM seats\n  WHERE nations = 4\n    AND (reason = 'goal' OR reason = 'temple_destroyed')",
        "AND player = 'O''Neill'\n",
        "opening AS strategy",
        "COUNT(*) AS games",
    ] {
        assert!(query.contains(part), "{query}");
    }
    let refused = run(&["measure", "lengths", "--sql"]);
    assert_eq!(refused.status.code(), Some(1));
    let errors = text(&refused.stderr);
    assert!(
        errors.contains(
            "lengths has no SQL query; measures with one are nations, nations_places, nations_openings, openings"
        ),
        "{errors}"
    );
    let refused = run(&["measure", "nations", "--sql", "--format", "csv"]);
    assert_eq!(refused.status.code(), Some(2));
    let refused = run(&["measure", "nations"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn every_column_is_described() {
    let fixture = Fixture::new();
    let dictionary: Value =
        serde_json::from_str(&done(&["describe", "--format", "json"])).expect("JSON");
    for measure in analytics::MEASURES {
        let file = fixture.path("described.parquet");
        let name = measure.name.replace('_', "-");
        fixture.measure(&name, &["--format", "parquet", "--out", &file]);
        let file = fs::File::open(&file).expect("the file");
        let rows = ParquetReader::new(file).finish().expect("a table");
        let columns = dictionary["measures"][measure.name]["columns"].as_array();
        let columns = columns.expect("a list").iter();
        let columns: Vec<&str> = columns
            .filter_map(|column| column["name"].as_str())
            .collect();
        assert_eq!(names(&rows), columns, "{measure}");
    }
    for table in FactTable::ALL {
        let words = done(&["describe", table.name(), "--kind", "facts"]);
        assert!(
            words.starts_with(&format!("facts {}: One row a", table.name())),
            "{words}"
        );
        for column in table.columns() {
            assert!(words.contains(&format!("\n  {} (", column.name)), "{words}");
        }
    }
    let refused = run(&["describe", "winners"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("the tables are games, seats"));
}

/// No column needs quoting in SQL: none is a reserved word of PostgreSQL, DuckDB or Spark (in ANSI mode).
#[test]
fn no_column_is_a_reserved_word() {
    const RESERVED: &str = "all analyse analyze and any array as asc asymmetric between both case cast \
        check collate column constraint create cross current date default deferrable desc distinct do \
        else end escape except exists false fetch filter for foreign from full grant group having in \
        initially inner intersect interval into is join lateral leading left like limit localtime natural \
        not null offset on only or order outer over overlaps pivot placing primary qualify references \
        returning right select session_user show some summarize symmetric table then time to trailing \
        true union unique unknown unpivot user using values variadic when where window with";
    let reserved: Vec<&str> = RESERVED.split_whitespace().collect();
    let facts = FactTable::ALL
        .iter()
        .flat_map(|table| table.columns().to_vec());
    let measures = analytics::MEASURES
        .into_iter()
        .chain([&analytics::ACCURACY]);
    let measures = measures.flat_map(|measure| measure.columns());
    for column in facts.chain(measures) {
        assert!(!reserved.contains(&column.name), "{}", column.name);
    }
}

fn names(table: &DataFrame) -> Vec<&str> {
    table
        .get_column_names()
        .into_iter()
        .map(|name| name.as_str())
        .collect()
}

/// A game does not replace another game with its id.
#[test]
fn another_game_with_a_known_id_is_named_and_refused() {
    let fixture = Fixture::new();
    let mut other = fixture.records[1].clone();
    other.id.clone_from(&fixture.records[0].id);
    write_records(Path::new(&fixture.path("other.ndjson")), &[other.clone()]);
    let take = |file: &str, to: &str| {
        let (from, to) = (fixture.path(file), fixture.path(to));
        run(&["facts", "--from", &from, "--to", &to])
    };
    let expected = format!(
        "other.ndjson:1: {}: a different record with this id was added before",
        other.id
    );
    let refused = take("other.ndjson", "facts");
    assert_eq!(refused.status.code(), Some(1));
    let errors = text(&refused.stderr);
    assert!(errors.contains(&expected), "{errors}");
    assert!(
        text(&refused.stdout).contains("0 games added"),
        "{}",
        text(&refused.stdout)
    );
    // The same holds if both are in one request.
    write_records(
        Path::new(&fixture.path("both.ndjson")),
        &[fixture.records[0].clone(), other],
    );
    let refused = take("both.ndjson", "both");
    assert_eq!(refused.status.code(), Some(1));
    let answer = text(&refused.stdout);
    assert!(
        answer.contains("1 games added") && answer.contains("1 invalid"),
        "{answer}"
    );
    // The same record is known.
    write_records(
        Path::new(&fixture.path("same.ndjson")),
        &fixture.records[..1],
    );
    assert!(fixture.ingest("same.ndjson").contains("1 known already"));
}

/// Later ingestion of another month, also of earlier days, does not change tables as of an earlier place.
#[test]
fn samples_of_the_same_games_say_so() {
    let fixture = Fixture::new();
    let versus = ["--place", "1", "--versus", "place=2"];
    let compared = fixture.json("nations", &versus);
    assert_eq!(compared["common_games"], 40);
    let file = fixture.path("compared.parquet");
    let to_file = ["--format", "parquet", "--out", &file];
    fixture.measure("nations", &[&versus[..], &to_file].concat());
    let rows = ParquetReader::new(fs::File::open(&file).expect("the file"));
    let rows = rows.finish().expect("a table").height();
    assert_eq!(compared["rows"].as_array().map(Vec::len), Some(rows));
    let boards = ["--board", "antike-east", "--versus", "board=antike-west"];
    assert_eq!(fixture.json("nations", &boards)["common_games"], 0);
}

#[test]
fn a_cited_table_does_not_change() {
    let fixture = Fixture::new();
    let before = fixture.measure("openings", &["--as-of", "40", "--format", "csv"]);
    assert!(
        before.lines().count() > 5 && before.contains("as_of=40"),
        "{before}"
    );
    let mut more = support::records(60).split_off(40);
    more[0].played_at = "2020-01-01T00:00:00Z".to_owned();
    write_records(Path::new(&fixture.path("more.ndjson")), &more);
    fixture.ingest("more.ndjson");
    assert_eq!(fixture.json("nations", &[])["games"], 60);
    let again = fixture.measure("openings", &["--as-of", "40", "--format", "csv"]);
    assert_eq!(again, before);
    let facts = fixture.path("facts");
    let refused = run(&["measure", "nations", "--facts", &facts, "--as-of", "61"]);
    assert_eq!(refused.status.code(), Some(1));
    let error = text(&refused.stderr);
    assert!(
        error.contains("the last offset of the log is 60"),
        "{error}"
    );
}

/// A record of a known game with other content is bad.
#[test]
fn another_record_of_a_known_game_is_refused() {
    let fixture = Fixture::new();
    let mut changed = fixture.records[..2].to_vec();
    changed[1].rated = true;
    write_records(Path::new(&fixture.path("changed.ndjson")), &changed);
    let taken = run(&[
        "facts",
        "--from",
        &fixture.path("changed.ndjson"),
        "--to",
        &fixture.path("facts"),
    ]);
    assert_eq!(taken.status.code(), Some(1));
    assert!(
        text(&taken.stdout).contains("0 unfinished, 1 invalid"),
        "{taken:?}"
    );
    assert!(
        text(&taken.stderr).contains("a different record"),
        "{taken:?}"
    );
}

/// If a server disconnects in the middle of a line, the program requests what follows the last complete line.
#[test]
fn reading_records_continues_after_a_broken_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let records = support::records(4);
    let lines = records
        .iter()
        .map(|record| serde_json::to_string(record).expect("JSON") + "\n");
    let lines: Vec<String> = lines.collect();
    let server = std::thread::spawn(move || {
        let mut requests = Vec::new();
        // Two whole records and a piece, nothing, the piece and a bit, the rest.
        for (from, cut) in [
            (0, Some((2, 100))),
            (2, Some((2, 0))),
            (2, Some((2, 140))),
            (2, None),
        ] {
            let (mut stream, _) = listener.accept().expect("a request");
            let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
            let mut request = String::new();
            while reader.read_line(&mut request).expect("a line") > 2 {}
            requests.push(request.lines().next().unwrap_or_default().to_owned());
            let length: usize = lines[from..].iter().map(String::len).sum();
            let (whole, piece) = cut.unwrap_or((lines.len(), 0));
            let piece = lines.get(whole).map_or("", |line| &line[..piece]);
            let sent = lines[from..whole].concat() + piece;
            write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{sent}"
            )
            .expect("answered");
        }
        requests
    });
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().to_str().expect("UTF-8");
    let from = format!("http://{address}/v1/records?limit=9");
    let said = done(&["facts", "--from", &from, "--to", to]);
    assert!(said.starts_with("4 games added"), "{said}");
    let requests = server.join().expect("served");
    assert_eq!(requests[0], "GET /v1/records?limit=9 HTTP/1.1");
    for request in &requests[1..] {
        let id = &records[1].id;
        assert_eq!(
            *request,
            format!("GET /v1/records?limit=9&after={id} HTTP/1.1")
        );
    }
}

#[test]
fn a_dataset_is_published_whole_and_answers_the_same() {
    let fixture = Fixture::new();
    let (facts, to) = (fixture.path("facts"), fixture.path("datasets"));
    let publish = |name: &str, more: &[&str]| {
        let all = ["publish", "--facts", &facts, "--to", &to, "--name", name];
        run(&[&all[..], more].concat())
    };
    let published = publish("antike-1", &["--as-of", "25", "--license", "CC0-1.0"]);
    assert_eq!(
        published.status.code(),
        Some(0),
        "{}",
        text(&published.stderr)
    );
    let folder = Path::new(&to).join("antike-1");
    let descriptor = || -> Value {
        let text = fs::read_to_string(folder.join("datapackage.json")).expect("a description");
        serde_json::from_str(&text).expect("JSON")
    };
    let description = descriptor();
    assert_eq!(
        (&description["games"], &description["log_position"]),
        (&25.into(), &25.into())
    );
    assert_eq!(description["licenses"][0]["name"], "CC0-1.0");
    assert_eq!(description["tables"]["games"], 25);
    let profile = "https://datapackage.org/profiles/2.0/datapackage.json";
    assert_eq!(description["$schema"], profile);
    // Each file exists, is listed once, and agrees with its description.
    let mut files = std::collections::BTreeSet::new();
    for resource in description["resources"].as_array().expect("files") {
        let path = resource["path"].as_str().expect("a path");
        let bytes = fs::read(folder.join(path)).expect("a file");
        assert_eq!(resource["size"], bytes.len(), "{path}");
        let hash = <sha2::Sha256 as sha2::Digest>::digest(&bytes);
        assert_eq!(
            resource["hash"],
            format!("sha256:{}", hex::encode(hash)),
            "{path}"
        );
        assert!(files.insert(path.to_owned()), "{path}");
        if let Some(schema) = resource["schema"].as_str() {
            let schema = fs::read_to_string(folder.join(schema)).expect("a schema");
            let schema: Value = serde_json::from_str(&schema).expect("JSON");
            let fields = schema["fields"].as_array().expect("fields").iter();
            let fields: Vec<&str> = fields.filter_map(|field| field["name"].as_str()).collect();
            let frame = ParquetReader::new(std::io::Cursor::new(bytes)).finish();
            let frame = frame.expect("a table");
            let names = frame.get_column_names().into_iter();
            let names: Vec<&str> = names.map(|name| name.as_str()).collect();
            assert_eq!(names, fields, "{path}");
            assert_eq!(resource["rows"], frame.height(), "{path}");
        }
    }
    assert!(files.contains("manifest.json") && files.contains("dictionary.json"));
    // Every Parquet file below the folder belongs to the dataset, so a program may read all of them.
    let mut found = std::collections::BTreeSet::new();
    let mut folders = vec![folder.clone()];
    while let Some(below) = folders.pop() {
        for entry in fs::read_dir(below).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let path = path.strip_prefix(&folder).expect("below");
                    found.insert(path.display().to_string());
                }
            }
        }
    }
    found.remove("datapackage.json");
    assert_eq!(found, files);

    let dataset = folder.to_str().expect("UTF-8");
    for measure in ["nations", "openings-tree", "strength", "lengths"] {
        let ask = |facts: &str| {
            let asked = ["measure", measure, "--facts", facts, "--reason", "any"];
            done(&[&asked[..], &["--as-of", "25", "--format", "csv"]].concat())
        };
        assert_eq!(ask(dataset), ask(&facts), "{measure}");
    }
    // A published dataset never changes, and damage is reported.
    let again = publish("antike-1", &[]);
    assert_eq!(again.status.code(), Some(1));
    assert!(
        text(&again.stderr).contains("datasets never change"),
        "{again:?}"
    );
    done(&[
        "erratum",
        "--dataset",
        dataset,
        "Game game-7 was played twice.",
    ]);
    assert_eq!(
        descriptor()["errata"][0]["text"],
        "Game game-7 was played twice."
    );
    assert_eq!(descriptor()["resources"], description["resources"]);
    for bad in ["", "../x", "A b"] {
        let refused = publish(bad, &[]);
        assert_eq!(refused.status.code(), Some(1), "{bad}");
        assert!(
            text(&refused.stderr).contains("is not a valid dataset name"),
            "{refused:?}"
        );
    }
    let refused = publish("later", &["--as-of", "41"]);
    assert!(
        text(&refused.stderr).contains("the last offset of the log is 40"),
        "{refused:?}"
    );
    assert!(!Path::new(&to).join("later").exists());
}
