//! What an operator watches: metrics with dashboard and alerts, the log, and the state that systemd receives.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use api::http::metric::{METRICS, Metric, MetricKind};
use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use serde_json::Value;

use super::support::{PATIENCE, assert_contains, eventually};
use crate::faults::support::{Client, Database, Program, games, program};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../");

fn read(path: &str) -> String {
    std::fs::read_to_string(format!("{REPOSITORY}{path}")).expect(path)
}

/// Returns the metrics that a server shows, each with its kind.
fn shown(text: &str) -> BTreeMap<String, String> {
    let types = text.lines().filter_map(|line| {
        let (name, kind) = line.strip_prefix("# TYPE ")?.split_once(' ')?;
        Some((name.to_owned(), kind.to_owned()))
    });
    types.collect()
}

/// Waits until a server shows every metric, and returns the answer.
async fn all_metrics(client: &Client) -> String {
    let names: BTreeSet<&str> = METRICS.iter().map(|metric| metric.name).collect();
    eventually("not every metric is shown", async || {
        let text = client.get("/metrics").await.text;
        let shown = shown(&text);
        names
            .iter()
            .all(|name| shown.contains_key(*name))
            .then_some(text)
    })
    .await
}

#[tokio::test]
async fn every_metric_of_a_server_is_documented() {
    let database = Database::sqlite();
    let backups = database.folder().join("backups").display().to_string();
    let options = ["--backup-folder", &backups];
    let server = Program::serve_as(&database, "127.0.0.1:0", "", &options);
    server.client().create(&games(1)).await;
    let text = all_metrics(&server.client()).await;
    let documented = METRICS.iter();
    let documented = documented.map(|metric| (metric.name.into(), metric.kind.name().into()));
    assert_eq!(shown(&text), documented.collect());
    for Metric {
        name,
        labels,
        meaning,
        kind,
    } in METRICS
    {
        assert_contains(&text, &format!("# HELP {name} {meaning}\n"));
        let prefix = match kind {
            MetricKind::Histogram => format!("{name}_count"),
            MetricKind::Counter | MetricKind::Gauge => (*name).to_owned(),
        };
        for line in text.lines().filter(|line| line.starts_with(&prefix)) {
            let own = line[prefix.len()..].split(['{', '}']).nth(1);
            let own: Vec<&str> = own.map_or(Vec::new(), |own| {
                own.split("\",")
                    .filter_map(|label| label.split('=').next())
                    .collect()
            });
            let expected: BTreeSet<&str> = labels.iter().copied().collect();
            assert_eq!(own.into_iter().collect::<BTreeSet<_>>(), expected, "{line}");
        }
    }
    assert_contains(&text, "tabularium_check_ok{check=\"statistics\"} 1\n");
}

/// Returns the metrics that a text names, without the endings of histograms.
fn named(text: &str) -> BTreeSet<&str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let metrics = words
        .filter(|word| word.starts_with("tabularium_") || word.starts_with("process_"))
        // The folder of the package has a name of the same form.
        .filter(|word| !word.ends_with('_'));
    let histograms: Vec<&str> = (METRICS.iter())
        .filter(|metric| metric.kind == MetricKind::Histogram)
        .map(|metric| metric.name)
        .collect();
    metrics
        .map(|word| {
            let ends = ["_bucket", "_sum", "_count"];
            let base = ends.iter().find_map(|end| word.strip_suffix(end));
            base.filter(|base| histograms.contains(base))
                .unwrap_or(word)
        })
        .collect()
}

#[test]
fn dashboard_alerts_and_pages_name_only_metrics_that_exist() {
    let all: BTreeSet<&str> = METRICS.iter().map(|metric| metric.name).collect();
    let dashboard: Value = serde_json::from_str(&read("api/packaging/grafana.json")).unwrap();
    let queries = dashboard.to_string();
    assert_eq!(named(&queries), all, "the dashboard shows every metric");
    for file in [
        "api/packaging/alerts.yaml",
        "api/packaging/alerts.test.yaml",
        "api/docs/monitoring.md",
        "api/docs/operating-a-server.md",
    ] {
        let text = read(file);
        let unknown: Vec<&str> = named(&text).difference(&all).copied().collect();
        assert!(unknown.is_empty(), "{file}: {unknown:?}");
    }
}

#[test]
fn the_page_lists_every_alert() {
    let rules = read("api/packaging/alerts.yaml");
    let alerts = rules
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- alert: "));
    let page = read("api/docs/monitoring.md");
    let listed = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `Tabularium")?.split('`').next());
    let listed: Vec<String> = listed.map(|name| format!("Tabularium{name}")).collect();
    assert_eq!(alerts.collect::<Vec<_>>(), listed);
}

#[tokio::test]
async fn every_line_of_a_request_has_its_id() {
    let database = Database::sqlite();
    let server = Program::serve_as(&database, "127.0.0.1:0", "", &["--log-format", "json"]);
    let client = server.client();
    let (game, _) = client.create(&games(1)).await;
    // A request fails that needs this table.
    connect(&database)
        .batch_execute("DROP TABLE accounts;")
        .unwrap();
    let found = client.get(&game).await;
    let failed = client.get("/v1/players").await;
    assert_eq!((found.status, failed.status), (200, 503));
    for (answer, level) in [(&found, "INFO"), (&failed, "ERROR")] {
        let id = answer.header("x-request-id").to_owned();
        eventually("the request is not logged with its id", async || {
            let log = server.read_log();
            let lines = log
                .lines()
                .filter_map(|line| serde_json::from_str(line).ok());
            let mut own = lines.filter(|line: &Value| line["span"]["request_id"] == id.as_str());
            own.any(|line| line["level"] == level).then_some(())
        })
        .await;
    }
}

/// A collector of traces: the bodies of all requests that it has received.
struct Collector {
    address: String,
    received: mpsc::Receiver<Vec<u8>>,
}

impl Collector {
    fn start() -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1/traces", listener.local_addr().unwrap());
        let (sender, received) = mpsc::channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let mut stream = BufReader::new(stream);
                let mut length = 0;
                let mut line = String::new();
                while stream.read_line(&mut line).is_ok_and(|read| read > 2) {
                    if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                        length = value.trim().parse().expect("a length");
                    }
                    line.clear();
                }
                let mut body = vec![0; length];
                stream.read_exact(&mut body).expect("the whole body");
                let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                let _ = stream.get_mut().write_all(answer.as_bytes());
                if sender.send(body).is_err() {
                    return;
                }
            }
        });
        Collector { address, received }
    }

    /// Returns all that has arrived. Texts are as they are in protobuf, ids as bytes.
    fn spans(&self) -> Vec<u8> {
        self.received.try_iter().flatten().collect()
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// The trace of a request that a proxy sends, in the form of <https://www.w3.org/TR/trace-context/>.
const CALLER: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

#[tokio::test]
async fn a_collector_receives_the_steps_of_requests_and_no_secret() {
    for proxies in [&[][..], &["--trusted-proxy", "127.0.0.1"]] {
        let collector = Collector::start();
        let database = Database::sqlite();
        let options = [
            &[
                "--trace-collector",
                &collector.address,
                "--log-format",
                "json",
            ],
            proxies,
        ]
        .concat();
        let mut server = Program::serve_as(&database, "127.0.0.1:0", "", &options);
        let (game, _) = server.client().create(&games(1)).await;
        let socket = server.socket();
        let secret = format!("http://{socket}/join/secret-of-a-seat?code=secret-code");
        let request = reqwest::Client::new()
            .get(secret)
            .header("traceparent", CALLER);
        let id = request.send().await.unwrap().headers()["x-request-id"].clone();
        assert_eq!(server.terminate().expect("it ends").0.code(), Some(0));

        let spans = collector.spans();
        for part in [
            "tabularium",
            "POST /v1/games",
            "service",
            "commit",
            "projection",
        ] {
            assert!(contains(&spans, part.as_bytes()), "no span has {part}");
        }
        assert!(contains(&spans, id.as_bytes()), "the id of the request");
        assert!(
            contains(&spans, b"/join/{code}"),
            "the page of an invitation"
        );
        assert!(!contains(&spans, b"secret"), "a secret is sent");
        let trace = hex::decode(&CALLER[3..35]).unwrap();
        assert_eq!(contains(&spans, &trace), !proxies.is_empty(), "{proxies:?}");
        // The log has the same requests, without the steps.
        let log = server.read_log();
        assert_contains(&log, id.to_str().unwrap());
        assert!(
            !log.contains("secret") && !log.contains("\"name\":\"service\""),
            "{log}"
        );
        assert!(game.starts_with("/v1/games/"), "{game}");
    }
}

#[tokio::test]
async fn a_collector_that_does_not_answer_delays_nothing_and_is_in_the_log_as_plain_text() {
    // No one listens at port 9 of this machine.
    let database = Database::sqlite();
    let options = ["--trace-collector", "http://127.0.0.1:9/v1/traces"];
    let mut server = Program::serve_as(&database, "127.0.0.1:0", "", &options);
    server.client().create(&games(1)).await;
    let (status, _) = server.terminate().expect("it ends");
    assert_eq!(status.code(), Some(0));
    let log = server.read_log();
    assert_contains(&log, "telemetry data will be lost");
    assert!(!log.contains('\x1b'), "colours in a file: {log}");
}

/// Connects to the database of a server as another process does.
fn connect(database: &Database) -> SqliteConnection {
    let mut connection =
        SqliteConnection::establish(&database.file().display().to_string()).unwrap();
    connection
        .batch_execute("PRAGMA busy_timeout = 60000")
        .unwrap();
    connection
}

/// A socket that receives what a server sends to systemd.
struct FakeSystemd(UnixDatagram);

impl FakeSystemd {
    fn at(path: &Path) -> FakeSystemd {
        FakeSystemd(UnixDatagram::bind(path).unwrap())
    }

    /// Receives a message, or `None` if none comes in this time.
    fn receive(&self, within: Duration) -> Option<String> {
        let mut buffer = [0; 4096];
        self.0.set_read_timeout(Some(within)).unwrap();
        let length = self.0.recv(&mut buffer).ok()?;
        Some(String::from_utf8_lossy(&buffer[..length]).into_owned())
    }

    /// Waits for a message with a line.
    #[track_caller]
    fn wait_for(&self, line: &str) -> String {
        let begun = Instant::now();
        let mut last = String::new();
        while begun.elapsed() < PATIENCE {
            last = self.receive(PATIENCE).unwrap_or_default();
            if last.lines().any(|own| own == line) {
                return last;
            }
        }
        panic!("{line} is not sent; the last message is {last}");
    }
}

#[tokio::test]
async fn systemd_is_notified_of_the_state_and_of_writes_that_hang() {
    let database = Database::sqlite();
    let path = database.folder().join("notify");
    let systemd = FakeSystemd::at(&path);
    let watch = Duration::from_secs(3);
    let environment = format!(
        "export NOTIFY_SOCKET='{}' WATCHDOG_USEC={}",
        path.display(),
        watch.as_micros()
    );
    let mut server = Program::serve_as(&database, "127.0.0.1:0", &environment, &[]);
    let status = format!("STATUS=listening on http://{}", server.socket());
    let ready = systemd.wait_for("READY=1");
    assert!(ready.lines().any(|line| line == status), "{ready}");
    assert!(server.client().is_ready().await);
    let works = systemd.wait_for("WATCHDOG=1");
    assert!(works.lines().any(|line| line == status), "{works}");

    // Another process holds the lock of the file, so a write waits for 10 seconds before it fails.
    let mut other = connect(&database);
    other.batch_execute("BEGIN IMMEDIATE").unwrap();
    let begun = Instant::now();
    let silent = loop {
        let message = systemd.receive(PATIENCE).expect("the status is sent");
        if !message.contains("WATCHDOG=1") {
            break message;
        }
        assert!(begun.elapsed() < PATIENCE, "{message}");
    };
    assert_contains(
        &silent,
        "STATUS=not ready: writable: no answer within 3 seconds",
    );
    other.batch_execute("ROLLBACK").unwrap();
    let works = systemd.wait_for("WATCHDOG=1");
    assert!(!works.contains("READY=1"), "{works}");

    server.signal("TERM");
    systemd.wait_for("STOPPING=1");
    let (status, _) = server.ended().expect("it ends");
    assert_eq!(status.code(), Some(0));
}

#[tokio::test]
async fn the_health_command_says_whether_a_server_is_ready() {
    let database = Database::sqlite();
    let mut server = Program::serve(&database);
    let health = |listen: &str| {
        let mut command = Command::new(program());
        let command = command.arg("health").env("TABULARIUM_LISTEN", listen);
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (
            output.status.code(),
            String::from_utf8(text).expect("a text"),
        )
    };
    let address = server.socket().to_owned();
    assert_eq!(health(&address), (Some(0), "ready\n".to_owned()));
    let everywhere = address.replace("127.0.0.1", "0.0.0.0");
    assert_eq!(health(&everywhere), (Some(0), "ready\n".to_owned()));
    // No write ends.
    let mut other = connect(&database);
    other.batch_execute("BEGIN IMMEDIATE").unwrap();
    let (code, text) = eventually("the server is ready without writes", async || {
        Some(health(&address)).filter(|(code, _)| *code != Some(0))
    })
    .await;
    assert_eq!(code, Some(1), "{text}");
    assert_contains(&text, "not ready: writable: ");
    server.kill();
    let (code, text) = health(&address);
    assert_eq!(code, Some(1));
    assert_contains(&text, &format!("no server answers at {address}"));
}
